//! What makes no sense is said, or has a meaning that is written down; nothing is ever NaN.

use asperity::patch::{Green, MapError, NormalMapError, STEEPEST};
use asperity_friction::field::Wrap;

use super::*;

/// Colours of random normals; `encode` is what happens to them.
fn colors(encode: impl Fn(DVec3, &mut Random) -> DVec3) -> Vec<[f64; 3]> {
    let mut random = Random(9);
    (0..1024)
        .map(|_| {
            let m = DVec3::new(0.4 * random.normal(), 0.4 * random.normal(), 1.0).normalize();
            (encode(m, &mut random) * 0.5 + 0.5).to_array()
        })
        .collect()
}

fn read(colors: &[[f64; 3]]) -> Result<FacetMap, MapError> {
    FacetMap::from_normals(32, 32, colors, Green::Up, 1.0)
}

#[test]
fn images_that_are_no_normal_maps_are_told_apart() {
    assert!(read(&colors(|m, _| m)).is_ok());
    let said = |colors: &[[f64; 3]]| match read(colors).unwrap_err() {
        MapError::Normal(error) => error,
        other => panic!("{other}"),
    };
    assert!(matches!(said(&colors(|m, _| DVec3::new(m.x, m.y, -m.z))), NormalMapError::Inverted { .. }));
    assert!(matches!(said(&colors(|_, random| random.direction())), NormalMapError::ObjectSpace { .. }));
    assert!(matches!(said(&colors(|m, random| m * (0.2 + random.uniform()))), NormalMapError::Lengths { .. }));
    // A photograph: any colours.
    let any = colors(|_, random| DVec3::new(random.uniform(), random.uniform(), random.uniform()) * 2.0 - 1.0);
    assert!(matches!(said(&any), NormalMapError::Lengths { .. }));
    let encode = |c: f64| if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
    let srgb: Vec<[f64; 3]> = colors(|m, _| m).iter().map(|c| c.map(encode)).collect();
    assert_eq!(said(&srgb), NormalMapError::Srgb);
    assert!(said(&srgb).to_string().contains("linear"));
}

#[test]
fn bad_numbers_are_refused() {
    let mut colors = colors(|m, _| m);
    colors[33][1] = f64::NAN;
    assert_eq!(read(&colors), Err(MapError::NotFinite { column: 1, row: 1 }));
    assert!(matches!(
        FacetMap::from_normals(3, 3, &colors[..4], Green::Up, 1.0),
        Err(MapError::Count { count: 4, .. })
    ));
    assert!(matches!(FacetMap::from_slopes(0, 0, &[]), Err(MapError::Count { count: 0, .. })));
    assert!(matches!(FacetMap::from_slopes(1, 1, &[DVec2::new(0.0, f64::NAN)]), Err(MapError::NotFinite { .. })));
    assert!(matches!(
        FacetMap::from_heights(2, 1, &[0.0, f64::INFINITY], [Wrap::Repeat; 2]),
        Err(MapError::NotFinite { column: 1, .. })
    ));
    assert!(matches!(FacetMap::from_heights(2, 2, &[0.0], [Wrap::Repeat; 2]), Err(MapError::Count { .. })));
    let one = [[0.5, 0.5, 1.0]];
    for bad in [f64::NAN, f64::INFINITY] {
        assert!(matches!(FacetMap::from_normals(1, 1, &one, Green::Up, bad), Err(MapError::Parameter { .. })));
        let map = FacetMap::from_normals(1, 1, &one, Green::Up, 1.0).unwrap();
        assert!(matches!(map.tiled(DVec2::new(1.0, bad)), Err(MapError::Parameter { name: "tiles", .. })));
    }
}

#[test]
fn facets_beyond_the_vertical_are_clamped() {
    // 2 % of the texels may point inward; those are as steep as a facet can be.
    let mut all = vec![[0.5, 0.5, 1.0]; 100];
    all[0] = [1.0, 0.5, 0.5];
    all[1] = [0.9, 0.5, 0.2];
    let map = FacetMap::from_normals(100, 1, &all, Green::Up, 1.0).unwrap();
    for k in 0..2 {
        let p = map.at(DVec2::new((f64::from(k) + 0.5) / 100.0, 0.5)).numbers;
        assert!((p.x - STEEPEST).abs() < 1e-5 && p.y == 0.0, "{p}");
    }
}

fn finite(found: &[Vec<DVec2>; 2]) -> bool {
    found.iter().flatten().all(|p| p.is_finite() && p.length() <= STEEPEST * (1.0 + 1e-9))
}

#[test]
fn windows_of_no_width_and_of_any_width_have_a_meaning() {
    let map = FacetMap::from_slopes(1, 1, &[DVec2::new(0.3, 0.0)]).unwrap();
    let upper = Side::new(&Shape::cuboid(DVec3::splat(0.1)).unwrap(), Some(map.clone()), at(0.0, 0.1, 0.0));
    let lower = Side::new(&plane(), Some(map), Pose::IDENTITY);
    // No width: the facets at the point.
    let found = slopes(&upper, &lower, DVec3::ZERO, DVec3::Y, PatchWindow { width: 0.0, resolution: 16 });
    assert_eq!([found[0].len(), found[1].len()], [1, 1]);
    assert!((found[0][0].length() - 0.3).abs() < 1e-7 && (found[1][0].length() - 0.3).abs() < 1e-7);
    // Larger than the body: what the body covers. Its face is 0.2 of 1 m.
    let found = slopes(&upper, &lower, DVec3::ZERO, DVec3::Y, PatchWindow { width: 1.0, resolution: 50 });
    assert_eq!(found[0].len(), 100);
    // So much larger that no pixel hits it: the point again.
    let found = slopes(&upper, &lower, DVec3::ZERO, DVec3::Y, PatchWindow { width: 1e3, resolution: 2 });
    assert_eq!(found[0].len(), 1);
    assert!(finite(&found));
    for width in [1e-300, 1e-12, 1e6, 1e200, f64::MAX] {
        let found = slopes(&upper, &lower, DVec3::ZERO, DVec3::Y, PatchWindow { width, resolution: 8 });
        assert!(!found[0].is_empty() && found[0].len() == found[1].len() && finite(&found), "{width}");
    }
}

#[test]
fn skins_without_coordinates_have_their_own_slopes() {
    let hull =
        Shape::hull(&[0, 1, 2, 3, 4, 5, 6, 7].map(|k: i32| {
            DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2 & 1)) - DVec3::splat(0.5)
        }))
        .unwrap();
    let map = FacetMap::from_slopes(1, 1, &[DVec2::new(0.3, 0.0)]).unwrap();
    let upper = Side::new(&hull, Some(map), at(0.0, 0.5, 0.0));
    let found =
        slopes(&upper, &Side::new(&plane(), None, Pose::IDENTITY), DVec3::ZERO, DVec3::Y, PatchWindow::default());
    assert_eq!(found[0].len(), 256);
    assert!(found.iter().flatten().all(|p| p.length() < 1e-9));
}

#[test]
fn bodies_that_do_not_meet_and_odd_places_are_no_trouble() {
    let mut random = Random(1);
    let map = FacetMap::from_slopes(1, 1, &[DVec2::new(0.3, 0.0)]).unwrap();
    let shapes = [
        Shape::cuboid(DVec3::new(0.1, 0.2, 0.3)).unwrap(),
        Shape::sphere(0.1).unwrap(),
        Shape::cylinder(0.1, 0.1).unwrap(),
        Shape::capsule(0.1, 0.1).unwrap(),
        sheet(3, 0.1),
        plane(),
    ];
    for k in 0..600usize {
        let pose = |random: &mut Random| Pose {
            position: random.direction() * random.uniform(),
            rotation: DQuat::from_axis_angle(random.direction(), random.uniform()),
        };
        let a = Side::new(&shapes[k % 6], Some(map.clone()), pose(&mut random));
        let b = Side::new(&shapes[k / 6 % 6], Some(map.clone()), pose(&mut random));
        let point = random.direction() * 0.2;
        let window = PatchWindow { width: 0.5 * random.uniform(), resolution: 1 + (k % 20) as u32 };
        let found = slopes(&a, &b, point, random.direction(), window);
        assert!(!found[0].is_empty() && found[0].len() == found[1].len() && finite(&found), "{k}");
    }
}
