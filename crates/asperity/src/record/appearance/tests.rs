//! Fibres against the field that they show, charts, and facets.

use std::f64::consts::PI;
use std::sync::Arc;

use asperity_friction::field::{Constant, Field};
use asperity_friction::tensor::SurfaceTensor;
use glam::{DVec2, DVec3};

use super::atlas::Atlas;
use super::*;
use crate::body::Surface;
use crate::body::surface::{Coefficients, Formula, SurfaceField};
use crate::geometry::{Shape, SkinMesh};
use crate::patch::FacetMap;
use crate::record::test_bodies::square;

/// Deviation of the blur before gradients are taken, in texels, and how far it reaches.
const BLUR: f64 = 1.5;
const REACH: i64 = 5;

fn grained(field: SurfaceField) -> Surface {
    Surface { structure: Some(field), ..Surface::default() }
}

fn formula(text: &str) -> SurfaceField {
    SurfaceField::Formula(Arc::new(Formula::parse(text).unwrap()))
}

/// The direction along which the values of an image change least, over a square of texels around a place: the eigenvector of the smaller eigenvalue of the structure tensor Σ ∇v ∇vᵀ. Gradients are
/// those of the image blurred with a Gaussian of [`BLUR`] texels: differences of neighbours would lean to the diagonals, where fibres are two texels wide. Shares nothing with the way the fibres are made.
fn least_change(grain: &Grain, middle: DVec2, half: i64) -> DVec2 {
    let width = grain.atlas.size[0];
    let value = |x: i64, y: i64| f64::from(grain.values()[(y * width as i64 + x) as usize]);
    let gradient = |x: i64, y: i64| {
        let mut sum = DVec2::ZERO;
        for j in -REACH..=REACH {
            for i in -REACH..=REACH {
                let d = DVec2::new(i as f64, j as f64);
                sum += d * (-d.length_squared() / (2.0 * BLUR * BLUR)).exp() * value(x + i, y + j);
            }
        }
        sum
    };
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    let (column, row) = (middle.x as i64, middle.y as i64);
    for y in row - half..=row + half {
        for x in column - half..=column + half {
            let g = gradient(x, y);
            xx += g.x * g.x;
            xy += g.x * g.y;
            yy += g.y * g.y;
        }
    }
    // The larger eigenvector is at half the angle of (xx − yy, 2 xy); the smaller one is across it.
    let across = 0.5 * (2.0 * xy).atan2(xx - yy);
    DVec2::from_angle(across + 0.5 * PI)
}

/// Degrees between two lines.
fn apart(a: DVec2, b: DVec2) -> f64 {
    (a.perp_dot(b).abs() / (a.length() * b.length())).min(1.0).asin().to_degrees()
}

/// Where a point of the triangle with these weights lies in the image, and its directions along x and z of the body there.
fn chart(grain: &Grain, skin: &SkinMesh, triangle: usize) -> impl Fn(DVec3) -> DVec2 {
    let [p, q, r] = grain.atlas.corners[triangle];
    let [a, b, c] = skin.triangles[triangle].map(|k| skin.positions[k as usize]);
    let (e, f) = (b - a, c - a);
    let (ee, ef, ff) = (e.dot(e), e.dot(f), f.dot(f));
    move |x: DVec3| {
        let d = x - a;
        let whole = ee * ff - ef * ef;
        let s = (d.dot(e) * ff - d.dot(f) * ef) / whole;
        let t = (d.dot(f) * ee - d.dot(e) * ef) / whole;
        p + (q - p) * s + (r - p) * t
    }
}

#[test]
fn fibres_of_a_straight_grain_lie_along_it_within_two_degrees() {
    let skin = square(0.5);
    for degrees in [0.0, 17.0, 30.0, 45.0, 72.5, 90.0, 121.0, 160.0] {
        let angle = f64::to_radians(degrees);
        let direction = DVec3::new(angle.cos(), 0.0, angle.sin());
        let surface = grained(Field::Constant(Constant { direction }).into());
        let grain = Grain::new(&surface, &skin, 1.0 / 300.0, 0.0).unwrap();
        let to_image = chart(&grain, &skin, 0);
        let expected = to_image(direction) - to_image(DVec3::ZERO);
        let seen = least_change(&grain, to_image(DVec3::ZERO), 100);
        assert!(apart(seen, expected) < 2.0, "{degrees}: {} degrees off", apart(seen, expected));
    }
}

/// A tensor with the coefficients 0.1 and 0.6 on axes that are turned by an angle from a tangent along x: the easy direction is at that angle, towards n × t = −z.
#[test]
fn fibres_of_a_tensor_lie_along_the_direction_that_it_resists_least() {
    let skin = square(0.5);
    let tangent = || Some(Field::Constant(Constant { direction: DVec3::X }).into());
    for degrees in [0.0, 20.0, 45.0, 90.0, 150.0] {
        let (sin, cos) = f64::to_radians(degrees).sin_cos();
        let rows = [
            [0.1 * cos * cos + 0.6 * sin * sin, (0.1 - 0.6) * sin * cos],
            [(0.1 - 0.6) * sin * cos, 0.1 * sin * sin + 0.6 * cos * cos],
        ];
        let coefficients = Coefficients { tensor: SurfaceTensor::general(rows).unwrap(), ..Coefficients::default() };
        let surface = Surface { tangent: tangent(), coefficients, ..Surface::default() };
        let grain = Grain::new(&surface, &skin, 1.0 / 300.0, 0.0).unwrap();
        let to_image = chart(&grain, &skin, 0);
        let expected = to_image(DVec3::new(cos, 0.0, -sin)) - to_image(DVec3::ZERO);
        let seen = least_change(&grain, to_image(DVec3::ZERO), 100);
        assert!(apart(seen, expected) < 2.0, "{degrees}: {} degrees off", apart(seen, expected));
    }
    let fibres = |plus, minus| {
        let tensor = SurfaceTensor::asymmetric(plus, minus).unwrap();
        let coefficients = Coefficients { tensor, ..Coefficients::default() };
        Surface { tangent: tangent(), coefficients, ..Surface::default() }.easy_axis()
    };
    let [weak, strong] = [0.1, 0.9].map(|mu| [[mu, 0.0], [0.0, mu]]);
    assert_eq!((fibres(weak, weak), fibres(weak, strong)), (None, Some(DVec2::X)));
}

#[test]
fn fibres_of_a_winding_grain_follow_it_within_two_degrees() {
    // The grain of a slalom: the direction at x is (1, 0, 0.8 cos 9x). Squares of 25 texels are 1/40 wide, over which it turns by up to 10 degrees: the mean is that of the middle.
    let surface = grained(formula("[1, 0, 0.8*cos(9*x)]"));
    let skin = square(0.5);
    let grain = Grain::new(&surface, &skin, 1.0 / 900.0, 0.0).unwrap();
    let mut errors = Vec::new();
    for i in 0..12 {
        let x = -0.42 + 0.07 * f64::from(i);
        // The mean of the doubled angles over a column of places, so that one lucky fibre decides nothing.
        let mut sum = DVec2::ZERO;
        for j in 0..12 {
            let place = DVec3::new(x, 0.0, -0.42 + 0.07 * f64::from(j));
            let to_image = chart(&grain, &skin, 0);
            let expected = to_image(place + DVec3::new(1.0, 0.0, 0.8 * (9.0 * x).cos())) - to_image(place);
            let seen = least_change(&grain, to_image(place), 12);
            let off = seen.angle_to(expected.normalize());
            sum += DVec2::from_angle(2.0 * off);
        }
        errors.push((0.5 * sum.to_angle()).to_degrees().abs());
    }
    assert!(errors.iter().all(|error| *error < 2.0), "{errors:?}");
}

#[test]
fn there_are_no_fibres_where_there_is_no_grain() {
    let skin = square(0.5);
    let upright = grained(Field::Constant(Constant { direction: DVec3::Y }).into());
    let grain = Grain::new(&upright, &skin, 0.02, 0.0).unwrap();
    assert!(grain.values().iter().all(|value| *value == 128));
    let half = grained(formula("[max(x, 0), 0, 0]"));
    let grain = Grain::new(&half, &skin, 0.01, 0.0).unwrap();
    let to_image = chart(&grain, &skin, 0);
    let at = |x: f64| {
        let p = to_image(DVec3::new(x, 0.0, 0.0));
        grain.values()[p.y as usize * grain.atlas.size[0] + p.x as usize]
    };
    assert_eq!((at(-0.3), at(-0.2)), (128, 128));
    let right: Vec<u8> = (1..40).map(|i| at(0.01 * f64::from(i))).collect();
    assert!(right.iter().any(|value| *value != 128));
}

#[test]
fn a_grain_that_turns_in_time_is_another_one_later() {
    let surface = grained(formula("[cos(t), 0, sin(t)]"));
    let skin = square(0.5);
    let first = Grain::new(&surface, &skin, 0.004, 0.0).unwrap();
    assert!(first.changes);
    let later = first.at(&surface, &skin, 0.7);
    let to_image = chart(&later, &skin, 0);
    let expected = to_image(DVec3::new(0.7f64.cos(), 0.0, 0.7f64.sin())) - to_image(DVec3::ZERO);
    assert!(apart(least_change(&later, to_image(DVec3::ZERO), 80), expected) < 2.0);
    assert_eq!(later.at(&surface, &skin, 0.0).values(), first.values());
}

#[test]
fn the_number_of_threads_changes_no_texel() {
    let surface = grained(formula("[1, 0, sin(20*x)]"));
    let made = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Grain::new(&surface, &square(0.5), 0.005, 0.0).unwrap().values().to_vec())
    };
    assert_eq!(made(1), made(3));
}

/// Every triangle has a place of its own: no texel middle is inside of two triangles, whatever the shape.
#[test]
fn charts_cover_the_skin_and_do_not_overlap() {
    let shapes = [Shape::capsule(0.3, 0.2).unwrap().skin(24), Shape::sphere(0.5).unwrap().skin(32), square(2.0)];
    for skin in shapes {
        let atlas = Atlas::new(&skin, 0.02, 1 << 20).unwrap();
        let [width, height] = atlas.size;
        let mut seen = vec![0u32; width * height];
        let mut area = 0.0;
        for (t, [p, q, r]) in atlas.corners.iter().enumerate() {
            let whole = (*q - *p).perp_dot(*r - *p);
            area += 0.5 * whole.abs();
            for corner in [p, q, r] {
                assert!(corner.min_element() >= 7.99 && corner.x <= width as f64 - 7.99, "triangle {t}: {corner}");
            }
            let (low, high) = (p.min(*q).min(*r), p.max(*q).max(*r));
            for y in low.y as usize..=high.y as usize {
                for x in low.x as usize..=high.x as usize {
                    let at = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
                    let w = atlas.weights(t as u32, at);
                    seen[y * width + x] += u32::from(w.iter().all(|w| *w > 1e-6));
                }
            }
        }
        assert!(seen.iter().all(|count| *count <= 1));
        // Seen along a mean normal at most 50 degrees off, areas shrink to a half at the worst.
        let skin_area = skin.area() / (atlas.texel * atlas.texel);
        assert!(area > 0.5 * skin_area && area < 1.001 * skin_area, "{area} {skin_area}");
    }
}

#[test]
fn flat_charts_keep_lengths_and_angles() {
    let skin = square(0.5);
    let atlas = Atlas::new(&skin, 0.01, 1 << 20).unwrap();
    let [p, q, r] = atlas.corners[0];
    let [a, b, c] = skin.triangles[0].map(|k| skin.positions[k as usize]);
    for (image, body) in [(q - p, b - a), (r - p, c - a), (r - q, c - b)] {
        assert!((image.length() * atlas.texel - body.length()).abs() < 1e-12);
    }
}

#[test]
fn normals_in_an_image_are_those_of_the_map() {
    // Slopes of 45 degrees along u and along v.
    let map = FacetMap::from_slopes(2, 1, &[DVec2::new(1.0, 0.0), DVec2::new(0.0, -1.0)]).unwrap();
    let bumps = Bumps::new(&Arc::new(map), &square(0.5), 0.01).unwrap();
    let image = bumps.normal_image().unwrap();
    // (1 + 1/√2)/2 · 255 = 217.7, (1 − 1/√2)/2 · 255 = 37.3.
    assert_eq!(image.pixels(), [[218, 128, 218, 255], [128, 37, 218, 255]]);
    assert!((bumps.steepness() - 1.0).abs() < 1e-6 && bumps.enlarged == 1.0);
}

#[test]
fn fine_maps_are_enlarged_until_they_can_be_seen_and_coarse_ones_are_not() {
    // A chessboard of slopes: the mean over 2 × 2 texels has lost all of its variance, so a feature is two texels wide.
    let slope = |i: usize| DVec2::splat(if (i % 8 + i / 8).is_multiple_of(2) { 0.5 } else { -0.5 });
    let slopes: Vec<DVec2> = (0..64).map(slope).collect();
    let map = |size: f64| {
        let map = FacetMap::from_slopes(8, 8, &slopes).unwrap().sized(DVec2::splat(size)).unwrap();
        Bumps::new(&Arc::new(map), &square(0.5), 0.01).unwrap()
    };
    // Texels of 1 mm: features of 2 mm in pixels of 10 mm, of which 4 can be seen: 20 times, so 32.
    assert_eq!(map(0.008).enlarged, 32.0);
    assert_eq!(map(0.8).enlarged, 1.0);
    let (fine, coarse) = (map(0.008), map(0.8));
    let along = |bumps: &Bumps| (bumps.coordinates[0][1] - bumps.coordinates[0][0]).length();
    assert!((along(&fine) - 1.0 / (32.0 * 0.008)).abs() < 1e-9 && (along(&coarse) - 1.25).abs() < 1e-9);
}

#[test]
fn many_charts_get_small_margins_and_too_many_none() {
    // Triangles that touch nothing: a chart each.
    let soup = |count: usize| {
        let mut skin = SkinMesh::default();
        for i in 0..count {
            let at = DVec3::new((i % 100) as f64, 0.0, (i / 100) as f64);
            skin.positions.extend([at, at + 0.5 * DVec3::Z, at + 0.5 * DVec3::X]);
            skin.normals.extend([DVec3::Y; 3]);
            skin.triangles.push([0, 1, 2].map(|k| 3 * i as u32 + k));
        }
        skin
    };
    // 100 charts of 16 + 8 texels a side fit into 2^16 texels, 1000 do not, and 10000 with margins of two texels do not, either.
    let atlas = |count: usize| Atlas::new(&soup(count), 0.1, 1 << 16);
    assert_eq!(atlas(100).map(|atlas| atlas.margin), Some(8));
    assert_eq!(atlas(1000).map(|atlas| atlas.margin), Some(2));
    assert!(atlas(10_000).is_none());
    let nothing = SkinMesh::default();
    assert!(Atlas::new(&nothing, 0.1, 1 << 16).is_none());
}
