//! Maps: what is read, between texels, wrapping, tiling, salience.

use asperity::patch::{FacetTexel, Filter, Green, MapError, Salience};
use asperity_friction::field::Wrap;

use super::*;

fn ramp() -> FacetMap {
    // a is the column, b the row from the top.
    let texels: Vec<DVec2> = (0..8).map(|k| DVec2::new(f64::from(k % 4), f64::from(k / 4))).collect();
    FacetMap::from_slopes(4, 2, &texels).unwrap()
}

#[test]
fn texels_lie_where_all_textures_have_them() {
    let map = ramp();
    for k in 0..8 {
        let (i, j) = (f64::from(k % 4), f64::from(k / 4));
        let uv = DVec2::new((i + 0.5) / 4.0, 1.0 - (j + 0.5) / 2.0);
        for shift in [DVec2::ZERO, DVec2::new(1.0, -2.0), DVec2::new(-3.0, 5.0)] {
            assert!(map.at(uv + shift).numbers.distance(DVec2::new(i, j)) < 1e-6, "{k}");
        }
    }
    // Half way between columns 1 and 2, and across the seam between 3 and 0.
    assert!((map.at(DVec2::new(0.5, 0.75)).numbers.x - 1.5).abs() < 1e-6);
    assert!((map.at(DVec2::new(0.0, 0.75)).numbers.x - 1.5).abs() < 1e-6);
    let mut clamped = ramp();
    clamped.set_wrap([Wrap::Clamp; 2]);
    assert_eq!(clamped.at(DVec2::new(-0.3, 1.2)).numbers, DVec2::new(0.0, 0.0));
    assert_eq!(clamped.at(DVec2::new(1.3, -0.2)).numbers, DVec2::new(3.0, 1.0));
    let mut nearest = ramp();
    nearest.set_filter(Filter::Nearest);
    assert_eq!(nearest.at(DVec2::new(0.49, 0.9)).numbers, DVec2::new(1.0, 0.0));
    assert_eq!(nearest.at(DVec2::new(0.51, 0.9)).numbers, DVec2::new(2.0, 0.0));
}

#[test]
fn the_fast_walk_is_the_plain_one() {
    // Repeat in fixed point against repeat in floating point, which the filter chooses.
    let mut random = Random(2);
    let texels: Vec<DVec2> = (0..37 * 23).map(|_| DVec2::new(random.normal(), random.normal())).collect();
    let map = FacetMap::from_slopes(37, 23, &texels).unwrap();
    let mut plain = map.clone();
    plain.set_wrap([Wrap::Repeat, Wrap::Clamp]);
    for _ in 0..2000 {
        // v inside the image, where clamping does nothing.
        let inside = (0.5 + 22.0 * random.uniform()) / 23.0;
        let uv = DVec2::new(40.0 * (random.uniform() - 0.5), inside);
        assert!(map.at(uv).numbers.distance(plain.at(uv).numbers) < 1e-4, "{uv}");
    }
}

#[test]
fn normals_are_read_whatever_their_length() {
    let m = DVec3::new(0.3, -0.2, 0.9);
    for length in [1.0, 0.9, 1.1] {
        let c = (m.normalize() * length).to_array().map(|x| 0.5 * (x + 1.0));
        let map = FacetMap::from_normals(1, 1, &[c], Green::Up, 1.0).unwrap();
        assert!(map.at(DVec2::ZERO).numbers.distance(m.truncate() / m.z) < 1e-6);
        let down = FacetMap::from_normals(1, 1, &[c], Green::Down, 2.0).unwrap();
        assert!(down.at(DVec2::ZERO).numbers.distance(DVec2::new(m.x, -m.y) / m.z * 2.0) < 1e-6);
    }
}

#[test]
fn heights_become_slopes() {
    // A plane wave along u and v: −∂h/∂u = −2π a cos.
    let n = 64u32;
    let tau = std::f64::consts::TAU;
    let heights: Vec<f64> = (0..n * n)
        .map(|k| {
            let (u, v) = ((f64::from(k % n) + 0.5) / f64::from(n), 1.0 - (f64::from(k / n) + 0.5) / f64::from(n));
            0.1 * (tau * u).sin() + 0.2 * (tau * 2.0 * v).sin()
        })
        .collect();
    let map = FacetMap::from_heights(n, n, &heights, [Wrap::Repeat; 2]).unwrap();
    for k in 0..40 {
        let uv = DVec2::new(f64::from(k) * 0.37, f64::from(k) * 0.21);
        let exact = DVec2::new(-0.1 * tau * (tau * uv.x).cos(), -0.4 * tau * (2.0 * tau * uv.y).cos());
        // Second order: (2π 2/64)²/6 of the difference and /8 of the interpolation.
        assert!(map.at(uv).numbers.distance(exact) < 0.02 * 0.4 * tau, "{k}");
    }
}

/// A ramp that is there once has its slope everywhere; one that repeats has a ridge where it starts again.
#[test]
fn heights_are_differenced_as_far_as_the_image_goes() {
    let (n, tilt) = (16u32, DVec2::new(0.3, -0.2));
    let height = |k: u32| {
        let uv = DVec2::new((f64::from(k % n) + 0.5) / f64::from(n), 1.0 - (f64::from(k / n) + 0.5) / f64::from(n));
        tilt.dot(uv)
    };
    let heights: Vec<f64> = (0..n * n).map(height).collect();
    let slope = |wrap, uv| FacetMap::from_heights(n, n, &heights, wrap).unwrap().at(uv).numbers;
    let (middle, edge) = (DVec2::splat(0.47), DVec2::new(0.5 / f64::from(n), 0.47));
    for uv in [middle, edge, DVec2::ZERO, DVec2::ONE, DVec2::new(-0.3, 1.2)] {
        assert!(slope([Wrap::Clamp; 2], uv).distance(-tilt) < 1e-6, "{uv}");
    }
    let repeats = slope([Wrap::Repeat; 2], edge);
    // Over two texels the height falls by 1 − 2/n of the whole.
    assert!((repeats.x - 0.3 * (f64::from(n) / 2.0 - 1.0)).abs() < 1e-5 && (repeats.y - 0.2).abs() < 1e-6, "{repeats}");
    let mixed = slope([Wrap::Clamp, Wrap::Repeat], edge);
    assert!(mixed.distance(-tilt) < 1e-6, "{mixed}");
    let single = FacetMap::from_heights(1, 1, &[0.7], [Wrap::Clamp; 2]).unwrap();
    assert_eq!(single.at(middle).numbers, DVec2::ZERO);
}

#[test]
fn salience_comes_from_an_image_or_from_edges() {
    let flat = FacetMap::from_slopes(8, 8, &[DVec2::new(0.5, 0.0); 64]).unwrap();
    let image = Salience::Image { width: 2, height: 1, values: vec![0.0, 1.0] };
    let painted = flat.clone().with_salience(&image).unwrap();
    assert_eq!(painted.at(DVec2::new(0.15, 0.5)).weight, 0.0);
    assert_eq!(painted.at(DVec2::new(0.85, 0.5)).weight, 1.0);
    assert_eq!(flat.clone().with_salience(&Salience::Edges).unwrap().at(DVec2::new(0.3, 0.3)).weight, 0.0, "no edges");
    // A ridge: flat but for one column.
    let ridge: Vec<DVec2> = (0..64).map(|k| DVec2::new(if k % 8 == 4 { 1.0 } else { 0.0 }, 0.0)).collect();
    let edges = FacetMap::from_slopes(8, 8, &ridge).unwrap().with_salience(&Salience::Edges).unwrap();
    let weight = |i: f64| edges.at(DVec2::new((i + 0.5) / 8.0, 0.5)).weight;
    assert!((weight(3.0) - 1.0).abs() < 1e-6 && (weight(5.0) - 1.0).abs() < 1e-6, "beside the ridge");
    assert!(weight(1.0).abs() < 1e-6 && weight(4.0).abs() < 1e-6);
    let bad = Salience::Image { width: 1, height: 1, values: vec![1.5] };
    assert!(matches!(flat.clone().with_salience(&bad), Err(MapError::Parameter { name: "salience", .. })));
    // In a patch it scales slopes.
    let upper = Side::new(&Shape::cuboid(DVec3::splat(0.1)).unwrap(), None, at(0.0, 0.1, 0.0));
    let half = Salience::Image { width: 1, height: 1, values: vec![0.5] };
    let strength = |map: FacetMap| {
        let lower = Side::new(&plane(), Some(map), Pose::IDENTITY);
        slopes(&upper, &lower, DVec3::ZERO, DVec3::Y, PatchWindow::default())[1][0].length()
    };
    assert!((strength(flat.clone()) - 0.5).abs() < 1e-7);
    assert!((strength(flat.with_salience(&half).unwrap()) - 0.25).abs() < 1e-7);
}

/// Maps of few colours are counted; each texel that they have is found at the places of the pixels, one by one, with `FacetMap::at`.
#[test]
fn sharp_maps_of_few_colours_are_counted_where_their_pixels_are() {
    let mut random = Random(21);
    for (round, (width, height, colors)) in
        [(2, 1, 2), (64, 1, 2), (7, 5, 16), (7, 5, 35), (1, 1, 1)].into_iter().enumerate()
    {
        let palette: Vec<DVec2> = (0..colors).map(|_| DVec2::new(random.normal(), random.normal())).collect();
        let texels: Vec<DVec2> = (0..width * height).map(|k| palette[(k * 5 % colors) as usize]).collect();
        let weights: Vec<f64> = (0..width * height).map(|k| f64::from(k % 2 + 1) / 2.0).collect();
        let plain = FacetMap::from_slopes(width, height, &texels).unwrap();
        let weighed = plain.clone().with_salience(&Salience::Image { width, height, values: weights }).unwrap();
        for mut map in [plain, weighed] {
            map.set_filter(Filter::Nearest);
            let map = map.sized(DVec2::new(0.013, 0.029)).unwrap();
            // A plate of which a corner is in the window, turned, so that rows begin and end anywhere.
            let turn = DQuat::from_rotation_y(0.3 + 0.5 * round as f64);
            let corner = DVec3::new(0.123, 0.0, -0.456);
            let upper = Pose { position: corner + turn * DVec3::new(0.1, 0.05, 0.1), rotation: turn };
            let plate = Side::new(&Shape::cuboid(DVec3::new(0.1, 0.05, 0.1)).unwrap(), None, upper);
            let ground = Side::new(&plane(), Some(map.clone()), Pose::IDENTITY);
            let window = PatchWindow { width: 0.02, resolution: 16 };
            let mut found = slopes(&plate, &ground, corner, DVec3::Y, window)[1].clone();
            // The plane's tangents; images are centred on the middle of a skin of 20 m.
            let (t, frame) = (DVec3::Y.any_orthonormal_pair().0, ContactFrame::from_normal(DVec3::Y).unwrap());
            let b = DVec3::Y.cross(t);
            let mut expected = Vec::new();
            for (i, j) in (0..256).map(|k| (f64::from(k % 16) - 7.5, f64::from(k / 16) - 7.5)) {
                let at = corner + (DVec3::X * i + DVec3::Y.cross(DVec3::X) * j) * (0.02 / 16.0);
                let local = turn.conjugate() * (at - upper.position);
                if local.x.abs() <= 0.1 && local.z.abs() <= 0.1 {
                    let images = (DVec2::new(at.dot(t), at.dot(b)) + 10.0) / DVec2::new(0.013, 0.029);
                    let FacetTexel { numbers: p, weight } = map.at(images);
                    expected.push(frame.to_plane(t * p.x + b * p.y) * weight);
                }
            }
            assert_eq!(found.len(), expected.len(), "round {round}");
            let order = |a: &DVec2, b: &DVec2| (a.x.total_cmp(&b.x)).then(a.y.total_cmp(&b.y));
            found.sort_by(order);
            expected.sort_by(order);
            let far = found.iter().zip(&expected).map(|(p, q)| p.distance(*q)).fold(0.0, f64::max);
            // `at` mixes texels with the 24 bits of an f32, also where one of them has all the weight.
            assert!(far < 1e-6, "round {round}: {far}");
        }
    }
}
