//! Directions painted into images, and means of lines.

use std::f64::consts::{FRAC_PI_2, PI};

use asperity_friction::field::line::{doubled, halved};
use asperity_friction::field::{StructureField, SurfacePoint, Texel, Texture, Wrap};
use glam::{DVec2, DVec3};

fn painted(angle: f64) -> Texel {
    let (sine, cosine) = angle.sin_cos();
    Texel::new(0.5 + 0.5 * cosine, 0.5 + 0.5 * sine, 1.0)
}

const HOLE: [f64; 2] = [0.5, 0.5];

fn row(texels: &[Texel]) -> Texture {
    let mut texture = Texture::new(texels.len() as u32, 1, texels.to_vec()).unwrap();
    texture.wrap = [Wrap::Clamp; 2];
    texture
}

/// Angle between lines.
fn apart(a: DVec2, b: DVec2) -> f64 {
    a.perp_dot(b).abs().atan2(a.dot(b).abs())
}

#[test]
fn doubling_and_halving_are_inverse_and_free_of_sign() {
    for i in 0..720 {
        let angle = f64::from(i) * PI / 360.0 + 1e-3;
        let d = DVec2::from_angle(angle) * (0.01 + f64::from(i));
        let expected = DVec2::from_angle(2.0 * angle);
        assert!((doubled(d) - expected).length() < 1e-12 && (doubled(-d) - expected).length() < 1e-12);
        let back = halved(doubled(d));
        assert!(apart(back, d) < 1e-12 && (back.length() - 1.0).abs() < 1e-12 && back.x >= 0.0, "{angle}: {back}");
    }
    // Near both axes, where one of the roots is of a small number.
    for tiny in [1e-12, -1e-12, 1e-300] {
        assert!(apart(halved(doubled(DVec2::new(1.0, tiny))), DVec2::new(1.0, tiny)) < 1e-15);
        assert!(apart(halved(doubled(DVec2::new(tiny, 1.0))), DVec2::new(tiny, 1.0)) < 1e-15);
    }
    assert_eq!((halved(DVec2::ZERO), doubled(DVec2::ZERO)), (DVec2::ZERO, DVec2::ZERO));
}

#[test]
fn the_mean_of_lines_is_the_main_axis_of_their_outer_products() {
    // Brute force: the angle that maximises Σ w (d·e)².
    for (a, b, w) in [(0.1, 1.2, 0.3), (0.2, 3.0, 0.6), (1.5, -1.4, 0.45), (0.7, 0.7 + PI, 0.5)] {
        let lines = [(DVec2::from_angle(a), 1.0 - w), (DVec2::from_angle(b), w)];
        let mean = halved(lines.iter().map(|(d, w)| doubled(*d) * *w).sum());
        let power =
            |angle: f64| -> f64 { lines.iter().map(|(d, w)| w * d.dot(DVec2::from_angle(angle)).powi(2)).sum() };
        let best =
            (0..100_000).map(|i| f64::from(i) * PI / 1e5).max_by(|x, y| power(*x).total_cmp(&power(*y))).unwrap();
        assert!(apart(mean, DVec2::from_angle(best)) < 1e-4, "{a} {b}");
    }
}

#[test]
fn colours_are_directions_of_the_skin() {
    // Half red, a little green: any length is the same line.
    for (red, green, expected) in
        [(1.0, 0.5, 0.0), (0.5, 1.0, FRAC_PI_2), (0.0, 0.5, 0.0), (0.6, 0.6, PI / 4.0), (0.9, 0.1, -PI / 4.0)]
    {
        let texture = Texture::new(1, 1, vec![Texel::new(red, green, 1.0)]).unwrap();
        let d = texture.line(DVec2::new(0.3, 0.8));
        assert!(apart(d, DVec2::from_angle(expected)) < 1e-6, "{red} {green}: {d}");
        // A skin that looks along y, with u along x: the bitangent is y × x = −z.
        let at = SurfacePoint { normal: DVec3::Y, tangent: DVec3::X, uv: DVec2::splat(0.5), ..SurfacePoint::default() };
        let world = texture.direction(&at).unwrap();
        assert!((world - DVec3::new(d.x, 0.0, -d.y)).length() < 1e-12);
    }
}

#[test]
fn neutral_is_one_step_of_eight_bits_around_the_middle() {
    let none =
        |r: f64, g: f64| Texture::new(1, 1, vec![Texel::new(r, g, 1.0)]).unwrap().line(DVec2::ZERO) == DVec2::ZERO;
    let eight = |r: u8, g: u8| none(f64::from(r) / 255.0, f64::from(g) / 255.0);
    for (r, g) in [(127, 127), (127, 128), (128, 127), (128, 128)] {
        assert!(eight(r, g), "{r} {g}");
    }
    for (r, g) in [(126, 128), (129, 127), (128, 126), (127, 129)] {
        assert!(!eight(r, g), "{r} {g}");
    }
    let sixteen = |v: u16| none(f64::from(v) / 65535.0, f64::from(v) / 65535.0);
    // The middle, and 127 and 128 turned into 16 bits.
    for v in [32767, 32768, 127 * 257, 128 * 257] {
        assert!(sixteen(v), "{v}");
    }
    for v in [127 * 257 - 1, 128 * 257 + 1] {
        assert!(!sixteen(v), "{v}");
    }
}

#[test]
fn opposite_directions_do_not_cancel() {
    let texture = row(&[painted(0.3), painted(0.3 + PI)]);
    for u in [0.0, 0.3, 0.5, 0.6, 1.0] {
        assert!(apart(texture.line(DVec2::new(u, 0.5)), DVec2::from_angle(0.3)) < 1e-6, "{u}");
    }
    // Half way between two lines is the line half way, the short way round: 170° and 10° meet at 0°.
    let texture = row(&[painted(170f64.to_radians()), painted(10f64.to_radians())]);
    assert!(apart(texture.line(DVec2::new(0.5, 0.5)), DVec2::X) < 1e-6);
    // Lines at a right angle have no mean.
    assert_eq!(row(&[painted(0.0), painted(FRAC_PI_2)]).line(DVec2::splat(0.5)), DVec2::ZERO);
}

#[test]
fn holes_end_half_way_and_do_not_bleed() {
    let hole = Texel::new(HOLE[0], HOLE[1], 1.0);
    // A clear texel of another direction: its colour does not matter.
    let clear = Texel::new(0.5, 1.0, 0.0);
    for empty in [hole, clear] {
        let texture = row(&[painted(0.2), empty]);
        for (u, there) in [(0.25, true), (0.4, true), (0.499, true), (0.501, false), (0.6, false), (0.9, false)] {
            let d = texture.line(DVec2::new(u, 0.5));
            if there {
                assert!(apart(d, DVec2::from_angle(0.2)) < 1e-6, "{u}: {d}");
            } else {
                assert_eq!(d, DVec2::ZERO, "{u}");
            }
        }
    }
    // Half an alpha counts half: the mean of 0° with weight 1 and 60° with ½ has tan 2θ = ½ sin 120° / (1 + ½ cos 120°).
    let texture = row(&[painted(0.0), Texel::new(0.5 + 0.5 * 0.5, 0.5 + 0.5 * 0.75f64.sqrt(), 0.5)]);
    let expected = 0.5 * (0.5 * 0.75f64.sqrt()).atan2(0.75);
    assert!(apart(texture.line(DVec2::splat(0.5)), DVec2::from_angle(expected)) < 1e-6);
}

#[test]
fn texels_lie_in_their_middle_and_v_runs_upward() {
    // Two columns, three rows.
    let angles = [0.1, 0.2, 0.5, 0.6, 0.9, 1.0];
    let mut texture = Texture::new(2, 3, angles.map(painted).to_vec()).unwrap();
    for wrap in [Wrap::Repeat, Wrap::Clamp] {
        texture.wrap = [wrap; 2];
        for (k, angle) in angles.into_iter().enumerate() {
            let (i, j) = (k % 2, k / 2);
            let uv = DVec2::new((i as f64 + 0.5) / 2.0, 1.0 - (j as f64 + 0.5) / 3.0);
            assert!(apart(texture.line(uv), DVec2::from_angle(angle)) < 1e-6, "{wrap:?} {k}");
        }
    }
    texture.wrap = [Wrap::Repeat; 2];
    let uv = DVec2::new(0.3, 0.7);
    for shift in [DVec2::new(1.0, 0.0), DVec2::new(-2.0, 5.0)] {
        assert!(apart(texture.line(uv + shift), texture.line(uv)) < 1e-7);
    }
    texture.wrap = [Wrap::Clamp; 2];
    assert!(apart(texture.line(DVec2::new(-3.0, 9.0)), DVec2::from_angle(0.1)) < 1e-6, "the upper left one");
    texture.tiles = DVec2::new(2.0, 1.0);
    texture.wrap = [Wrap::Repeat; 2];
    assert!(apart(texture.line(DVec2::new(0.125, 5.0 / 6.0)), DVec2::from_angle(0.1)) < 1e-6);
    assert!(apart(texture.line(DVec2::new(0.625, 5.0 / 6.0)), DVec2::from_angle(0.1)) < 1e-6);
}

#[test]
fn what_is_no_image_is_refused() {
    assert!(Texture::new(2, 2, vec![Texel::default(); 3]).unwrap_err().to_string().contains("3 elements"));
    assert!(Texture::new(0, 0, Vec::new()).is_err());
    let texture = Texture::new(1, 1, vec![painted(0.0)]).unwrap();
    let at = SurfacePoint { uv: DVec2::NAN, ..SurfacePoint::default() };
    assert!(texture.direction(&at).is_err());
    // Any number is taken without a panic.
    for x in [f64::NAN, f64::INFINITY, -1e300, 1e300, -1e-300] {
        let _ = texture.line(DVec2::new(x, -x));
        let _ = Texel::new(x, 0.5, x);
    }
}
