//! A tilted facet, a sawtooth, a Gaussian surface, heights on stretched skins, round bodies.

use std::f64::consts::{FRAC_2_PI, PI, TAU};

use asperity::geometry::HALF_SPACE_SIDE;
use asperity::patch::Filter;
use asperity_friction::field::Wrap;

use super::*;

const WINDOW: PatchWindow = PatchWindow { width: 0.02, resolution: 16 };

fn smooth_box() -> Side {
    Side::new(&Shape::cuboid(DVec3::splat(0.1)).unwrap(), None, at(0.0, 0.1, 0.0))
}

/// Tangent and bitangent of the plane, in the world.
fn plane_axes() -> [DVec3; 2] {
    let t = DVec3::Y.any_orthonormal_pair().0;
    [t, DVec3::Y.cross(t)]
}

#[test]
fn a_tilted_facet_resists_on_one_side() {
    let tilt = 0.4f64;
    let map = FacetMap::from_slopes(1, 1, &[DVec2::new(tilt.tan(), 0.0)]).unwrap();
    let found = slopes(&smooth_box(), &Side::new(&plane(), Some(map), Pose::IDENTITY), DVec3::ZERO, DVec3::Y, WINDOW);
    assert_eq!([found[0].len(), found[1].len()], [256, 256]);
    let [t, b] = plane_axes();
    // The facets of B lean towards +t: they push A along +t, and nothing else.
    for angle in 0..12 {
        let angle = f64::from(angle) * PI / 6.0;
        let d = t * angle.cos() + b * angle.sin();
        let expected = FRAC_2_PI * tilt.tan() * angle.cos().max(0.0);
        assert!((mu(&found, DVec3::Y, d) - expected).abs() < 1e-7, "{angle}");
    }
}

#[test]
fn the_same_facet_on_the_upper_body_pushes_the_other_way() {
    // On the lower face of a box: tangent x, normal −y. Facets that lean towards +x there push A (the box) along −x.
    let map = FacetMap::from_slopes(1, 1, &[DVec2::new(0.5, 0.0)]).unwrap();
    let upper = Side::new(&Shape::cuboid(DVec3::splat(0.1)).unwrap(), Some(map), at(0.0, 0.1, 0.0));
    let found = slopes(&upper, &Side::new(&plane(), None, Pose::IDENTITY), DVec3::ZERO, DVec3::Y, WINDOW);
    assert!((mu(&found, DVec3::Y, DVec3::NEG_X) - FRAC_2_PI * 0.5).abs() < 1e-7);
    assert!(mu(&found, DVec3::Y, DVec3::X).abs() < 1e-12);
}

#[test]
fn a_sawtooth_has_a_gentle_and_a_steep_side() {
    // A period of 16 texels: 12 rise with slope 0.25 (their normals lean back), 4 fall with slope 0.75. One texel is a pixel.
    let slope = |i: u32| DVec2::new(if i < 12 { -0.25 } else { 0.75 }, 0.0);
    let texels: Vec<DVec2> = (0..16).map(slope).collect();
    let mut map = FacetMap::from_slopes(16, 1, &texels).unwrap().tiled(DVec2::splat(HALF_SPACE_SIDE / 0.02)).unwrap();
    map.set_filter(Filter::Nearest);
    let [t, b] = plane_axes();
    for turn in [0.0, 0.5 * PI, PI] {
        let pose = Pose { position: DVec3::ZERO, rotation: DQuat::from_rotation_y(turn) };
        let lower = Side::new(&plane(), Some(map.clone()), pose);
        let found = slopes(&smooth_box(), &lower, DVec3::ZERO, DVec3::Y, WINDOW);
        let (along, across) = (pose.rotation * t, pose.rotation * b);
        let mean = FRAC_2_PI * 0.25 * 0.75;
        assert!((mu(&found, DVec3::Y, along) - mean).abs() < 1e-7, "both sides rise by as much");
        assert!((mu(&found, DVec3::Y, -along) - mean).abs() < 1e-7);
        assert!(mu(&found, DVec3::Y, across) < 1e-7, "nothing along the ridges");
    }
    // Weighted by what lies in the window: only the steep side.
    let window = PatchWindow { width: 0.02 * 4.0 / 16.0, resolution: 4 };
    let point = plane_axes()[0] * (0.02 * 14.0 / 16.0);
    let lower = Side::new(&plane(), Some(map), Pose::IDENTITY);
    let found = slopes(&smooth_box(), &lower, point, DVec3::Y, window);
    assert!((mu(&found, DVec3::Y, t) - FRAC_2_PI * 0.75).abs() < 1e-7);
    assert!(mu(&found, DVec3::Y, -t) < 1e-12);
}

#[test]
fn a_gaussian_surface_has_the_mean_of_its_distribution() {
    // mean max(0, p·d) = σ/√(2π) for slopes with the deviation σ.
    let mut random = Random(3);
    let n = 128u32;
    let (sx, sy) = (0.3, 0.1);
    let texels: Vec<DVec2> =
        (0..n * n).map(|_| DVec2::new(sx * random.normal(), sy * random.normal()).clamp_length_max(9.0)).collect();
    let side = 0.128;
    let mut map = FacetMap::from_slopes(n, n, &texels).unwrap().tiled(DVec2::splat(HALF_SPACE_SIDE / side)).unwrap();
    map.set_filter(Filter::Nearest);
    let lower = Side::new(&plane(), Some(map), Pose::IDENTITY);
    let window = PatchWindow { width: side, resolution: n };
    let found = slopes(&smooth_box(), &lower, DVec3::ZERO, DVec3::Y, window);
    assert_eq!(found[1].len(), (n * n) as usize);
    let [t, b] = plane_axes();
    for (d, sigma) in [(t, sx), (-t, sx), (b, sy), (-b, sy)] {
        let expected = FRAC_2_PI * sigma / TAU.sqrt();
        // Five deviations of the mean of n² values: that of max(0, p) is σ √(1/2 − 1/2π).
        let room = 5.0 * FRAC_2_PI * sigma * (0.5 - 0.5 / PI).sqrt() / f64::from(n);
        assert!((mu(&found, DVec3::Y, d) - expected).abs() < room);
    }
}

#[test]
fn heights_know_how_the_skin_is_stretched() {
    // h = a sin(2π u), on a face of 0.4 × 0.2 m: the slope is 2π a/0.4 cos.
    let n = 256u32;
    let amplitude = 0.01;
    let height = |k: u32| amplitude * (TAU * (f64::from(k % n) + 0.5) / f64::from(n)).sin();
    let heights: Vec<f64> = (0..n * 4).map(height).collect();
    let map = FacetMap::from_heights(n, 4, &heights, [Wrap::Repeat; 2]).unwrap();
    let lower = Side::new(&Shape::cuboid(DVec3::new(0.2, 0.05, 0.1)).unwrap(), Some(map), at(0.0, -0.05, 0.0));
    let upper = Side::new(&plane(), None, Pose { position: DVec3::ZERO, rotation: DQuat::from_rotation_x(PI) });
    let window = PatchWindow { width: 0.4, resolution: 64 };
    let found = slopes(&upper, &lower, DVec3::ZERO, DVec3::Y, window);
    // Half of the rows are beyond the face; over a whole period mean max(0, p) = slope/π.
    assert_eq!(found[1].len(), 64 * 32);
    let expected = FRAC_2_PI * (TAU * amplitude / 0.4) / PI;
    // Sums of 64 points of a half-wave and differences over 2/256 of the period, both of second order.
    assert!((mu(&found, DVec3::Y, DVec3::X) / expected - 1.0).abs() < 1e-3);
    assert!((mu(&found, DVec3::Y, DVec3::NEG_X) / expected - 1.0).abs() < 1e-3);
    assert!(mu(&found, DVec3::Y, DVec3::Z) < 1e-9);
}

#[test]
fn a_smooth_ball_shows_the_slopes_of_its_cap() {
    let radius = 0.1;
    let ball = Side::new(&Shape::sphere(radius).unwrap(), None, at(0.0, radius, 0.0));
    let window = PatchWindow { width: 0.02, resolution: 64 };
    let found = slopes(&ball, &Side::new(&plane(), None, Pose::IDENTITY), DVec3::ZERO, DVec3::Y, window);
    // Inside the volume down to 0.005 w: a disc of radius ρ, ρ² = r² − (r − 0.005 w)².
    let depth = 0.005 * window.width;
    let rho2 = radius * radius - (radius - depth) * (radius - depth);
    let pixel = window.width / 64.0;
    let count = found[0].len() as f64 * pixel * pixel;
    assert!((count / (PI * rho2) - 1.0).abs() < 0.02, "{count}");
    // At a distance s from the middle the slope is s/√(r² − s²); on A it points outward, away from the contact's axis.
    let frame = ContactFrame::from_normal(DVec3::Y).unwrap();
    let most = found[0].iter().map(|p| p.length()).fold(0.0, f64::max);
    assert!((most / (rho2 / (radius * radius - rho2)).sqrt() - 1.0).abs() < 0.03);
    assert!(found[1].iter().all(|p| *p == DVec2::ZERO), "{frame:?}");
}

#[test]
fn round_skins_turn_their_maps_with_them() {
    // A facet that leans along +v (the axis) on a cylinder that lies on the plane: it pushes along the axis.
    let slope = 0.3;
    let map = FacetMap::from_slopes(1, 1, &[DVec2::new(0.0, slope)]).unwrap();
    let rotation = DQuat::from_rotation_z(-0.5 * PI);
    let pose = Pose { position: DVec3::new(0.0, 0.1, 0.0), rotation };
    let cylinder = Side::new(&Shape::cylinder(0.3, 0.1).unwrap(), Some(map), pose);
    let window = PatchWindow { width: 0.001, resolution: 16 };
    let found = slopes(&cylinder, &Side::new(&plane(), None, Pose::IDENTITY), DVec3::ZERO, DVec3::Y, window);
    let axis = rotation * DVec3::Y;
    // A's facets lean along the axis: they push A against it.
    assert!((mu(&found, DVec3::Y, -axis) / (FRAC_2_PI * slope) - 1.0).abs() < 1e-4);
    assert!(mu(&found, DVec3::Y, axis) < 1e-9);
}
