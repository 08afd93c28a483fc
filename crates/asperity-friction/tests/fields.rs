//! Surface fields: structure directions of a body as a function of the place.

mod common;

use asperity_friction::FrictionError;
use asperity_friction::field::{Constant, Field, PerVertex, StructureField, SurfacePoint, Sweep, SweepDirection};
use glam::{DQuat, DVec3};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

const TOLERANCE: f64 = 1e-12;

fn at(position: DVec3) -> SurfacePoint {
    SurfacePoint { position, ..SurfacePoint::default() }
}

fn point() -> impl Strategy<Value = DVec3> + Clone {
    [-2.0..2.0f64, -2.0..2.0f64, -2.0..2.0f64].prop_map(DVec3::from_array)
}

fn unit() -> impl Strategy<Value = DVec3> + Clone {
    point().prop_filter("not zero", |v| v.length() > 0.1).prop_map(|v| v.normalize())
}

fn runner(name: &str) -> TestRunner {
    TestRunner::new_with_rng(Config { cases: 300, failure_persistence: None, ..Config::default() }, common::rng(name))
}

const KINDS: [SweepDirection; 4] = [
    SweepDirection::Axial,
    SweepDirection::Radial,
    SweepDirection::Concentric,
    SweepDirection::Mixed([0.3, -1.2, 0.7]),
];

#[test]
fn a_constant_field_is_the_same_everywhere() {
    let field = Constant { direction: DVec3::new(1.0, -2.0, 0.5) };
    field.validate().unwrap();
    for p in [DVec3::ZERO, DVec3::X, DVec3::new(-3.0, 2.0, 1e6)] {
        assert_eq!(field.direction(&at(p)).unwrap(), field.direction);
    }
}

#[test]
fn a_sweep_is_what_its_axis_and_the_point_say() {
    runner("sweep")
        .run(&(point(), unit(), point()), |(center, axis, p)| {
            let d = KINDS.map(|direction| {
                let field = Sweep { center, axis, direction };
                field.validate().unwrap();
                field.direction(&at(p)).unwrap()
            });
            let [axial, radial, concentric, mixed] = d;
            prop_assert_eq!(axial, axis);
            // From the nearest point of the axis to p.
            let foot = center + axis * axis.dot(p - center);
            prop_assert!((radial - (p - foot).normalize()).length() <= TOLERANCE / (p - foot).length().min(1.0));
            // Around the axis: orthogonal to both, the way a right-handed turn carries p.
            prop_assert!(concentric.dot(radial).abs() <= TOLERANCE && concentric.dot(axis).abs() <= TOLERANCE);
            prop_assert!((concentric.length() - 1.0).abs() <= 1e-9);
            let turned = foot + DQuat::from_axis_angle(axis, 1e-6) * (p - foot);
            prop_assert!((turned - p).dot(concentric) > 0.999e-6 * (p - foot).length());
            prop_assert!((mixed - (axial * 0.3 - radial * 1.2 + concentric * 0.7)).length() <= TOLERANCE);
            Ok(())
        })
        .unwrap();
}

#[test]
fn turning_the_body_turns_the_sweep() {
    runner("turned")
        .run(&(point(), unit(), point(), unit(), 0.0..6.3f64, point()), |(center, axis, p, about, angle, shift)| {
            let turn = DQuat::from_axis_angle(about, angle);
            // Near the axis a bit of the position is magnified.
            let distance = (p - center).cross(axis).length();
            for direction in KINDS {
                let old = Sweep { center, axis, direction };
                let new = Sweep { center: turn * center + shift, axis: (turn * axis).normalize(), direction };
                let d = new.direction(&at(turn * p + shift)).unwrap();
                let expected = turn * old.direction(&at(p)).unwrap();
                prop_assert!((d - expected).length() <= 1e-14 + 1e-14 / distance, "{direction:?}: {d} and {expected}");
                // Turning the point alone about the axis turns the answer with it; moving it along changes nothing.
                let own = DQuat::from_axis_angle(axis, angle);
                let moved = center + own * (p - center) + axis * shift.x;
                let expected = own * old.direction(&at(p)).unwrap();
                prop_assert!((old.direction(&at(moved)).unwrap() - expected).length() <= 1e-14 + 1e-14 / distance);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn on_the_axis_only_the_axial_part_is_left() {
    let (center, axis) = (DVec3::new(1.0, 2.0, 3.0), DVec3::Y);
    for height in [0.0, -4.0, 0.5] {
        let d =
            KINDS.map(|direction| Sweep { center, axis, direction }.direction(&at(center + axis * height)).unwrap());
        assert_eq!(d, [DVec3::Y, DVec3::ZERO, DVec3::ZERO, DVec3::Y * 0.3]);
    }
}

fn painted() -> PerVertex {
    PerVertex {
        directions: vec![DVec3::X, DVec3::new(0.6, 0.8, 0.0), DVec3::new(0.8, 0.0, 0.6), DVec3::ZERO],
        triangles: vec![[0, 1, 2], [2, 1, 3]],
    }
}

fn inside(triangle: usize, barycentric: [f64; 3]) -> SurfacePoint {
    SurfacePoint { triangle, barycentric, ..SurfacePoint::default() }
}

/// Angle between lines.
fn lines_apart(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b).abs())
}

#[test]
fn painted_directions_are_interpolated() {
    let field = painted();
    field.validate().unwrap();
    let d = |triangle, b| field.direction(&inside(triangle, b)).unwrap();
    for (i, corner) in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].into_iter().enumerate() {
        assert_eq!(d(0, corner), field.directions[i]);
    }
    let mean = DVec3::X * 0.5 + field.directions[1] * 0.3 + field.directions[2] * 0.2;
    assert!((d(0, [0.5, 0.3, 0.2]) - mean).length() <= TOLERANCE);
    // Lengths do not count: it is a direction that is painted.
    let mut longer = field.clone();
    longer.directions[1] *= 50.0;
    assert!((longer.direction(&inside(0, [0.5, 0.3, 0.2])).unwrap() - mean).length() <= TOLERANCE);
}

#[test]
fn signs_and_corner_order_do_not_matter() {
    runner("signs")
        .run(&([unit(), unit(), unit()], [0.01..1.0f64, 0.01..1.0f64, 0.01..1.0f64], 0..8usize), |(d, w, flips)| {
            let sum: f64 = w.iter().sum();
            let weights = w.map(|x| x / sum);
            let plain = PerVertex { directions: d.to_vec(), triangles: vec![[0, 1, 2]] };
            let expected = plain.direction(&inside(0, weights)).unwrap();
            let flip = |i: usize| if flips >> i & 1 == 1 { -d[i] } else { d[i] };
            let flipped = PerVertex { directions: (0..3).map(flip).collect(), triangles: vec![[0, 1, 2], [2, 0, 1]] };
            let same = |a: DVec3, b: DVec3| (a - b).length().min((a + b).length());
            let got = flipped.direction(&inside(0, weights)).unwrap();
            prop_assert!(same(got, expected) <= TOLERANCE, "{got} and {expected}");
            let turned = flipped.direction(&inside(1, [weights[2], weights[0], weights[1]])).unwrap();
            prop_assert!(same(turned, expected) <= TOLERANCE, "{turned} and {expected}");
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_vertex_without_direction_takes_no_part() {
    let field = painted();
    let d = |b| field.direction(&inside(1, b)).unwrap();
    let [two, one] = [field.directions[2], field.directions[1]];
    assert!(lines_apart(d([0.4, 0.4, 0.2]), two + one) <= TOLERANCE);
    assert!(lines_apart(d([0.1, 0.0, 0.9]), two) <= TOLERANCE);
    assert_eq!(d([0.0, 0.0, 1.0]), DVec3::ZERO);
    // Nor does it when it is the nearest one: opposite signs of the others must still not cancel.
    let mut opposed = field.clone();
    opposed.directions[1] = -one;
    let d = opposed.direction(&inside(1, [0.2, 0.2, 0.6])).unwrap();
    assert!(lines_apart(d, two + one) <= TOLERANCE, "{d} is not along {}", two + one);
}

#[test]
fn every_field_survives_a_file() {
    let mut fields: Vec<(Field, &str)> = KINDS
        .map(|direction| {
            (Field::Sweep(Sweep { center: DVec3::new(0.1, 0.2, 0.3), axis: DVec3::Z, direction }), "sweep")
        })
        .into();
    fields.push((Field::Constant(Constant { direction: DVec3::new(0.1, 0.2, -0.3) }), "constant"));
    fields.push((Field::PerVertex(painted()), "per_vertex"));
    for (field, name) in fields {
        let text = toml::to_string(&field).unwrap();
        assert!(text.starts_with(&format!("field = \"{name}\"")), "{text}");
        assert_eq!(toml::from_str::<Field>(&text).unwrap(), field, "{text}");
        let text = serde_json::to_string(&field).unwrap();
        assert_eq!(serde_json::from_str::<Field>(&text).unwrap(), field, "{text}");
    }
    // By hand, with the default centre.
    let text = "field = \"sweep\"\naxis = [0, 0, 1]\ndirection = \"concentric\"";
    let field: Field = toml::from_str(text).unwrap();
    assert_eq!(field.direction(&at(DVec3::X)).unwrap(), DVec3::Y);
    let text = "field = \"sweep\"\naxis = [0, 0, 1]\ndirection = { mixed = [1, 0, 2] }";
    let field: Field = toml::from_str(text).unwrap();
    assert_eq!(field.direction(&at(DVec3::X)).unwrap(), DVec3::new(0.0, 2.0, 1.0));
}

#[test]
fn bad_files_are_refused() {
    for (text, named) in [
        ("field = \"constant\"\ndirection = [1, 0, 0]\nstrength = 2", "strength"),
        ("field = \"sweep\"\naxis = [0, 0, 1]\ndirection = \"spiral\"", "spiral"),
        ("field = \"sweep\"\naxis = [0, 0, 1]\ndirection = \"axial\"\ncentre = [0, 0, 0]", "centre"),
        ("field = \"sweep\"\ndirection = \"axial\"", "axis"),
        ("field = \"wood\"", "wood"),
        ("direction = [1, 0, 0]", "field"),
        ("field = \"per_vertex\"\ndirections = [[1, 0, 0]]\ntriangles = [[0, 0, -1]]", "-1"),
        ("field = \"constant\"\ndirection = [1, 0]", "3"),
    ] {
        let error = toml::from_str::<Field>(text).unwrap_err().to_string();
        assert!(error.contains(named), "{text}: {error}");
    }
}

#[test]
fn bad_numbers_and_indices_are_refused() {
    let nan = DVec3::new(0.0, f64::NAN, 0.0);
    let error = Constant { direction: nan }.validate().unwrap_err();
    assert!(matches!(error, FrictionError::NotFinite { name: "direction", .. }), "{error}");
    assert!(error.to_string().contains("NaN"));
    let sweep = Sweep { center: DVec3::ZERO, axis: DVec3::Z, direction: SweepDirection::Axial };
    for bad in [DVec3::ZERO, DVec3::new(0.0, 0.0, 1.001), DVec3::new(1.0, 1.0, 0.0)] {
        let error = Sweep { axis: bad, ..sweep }.validate().unwrap_err();
        assert!(matches!(error, FrictionError::NotUnit { name: "axis", value } if value == bad), "{error}");
        assert!(error.to_string().contains(&format!("its length is {}", bad.length())), "{error}");
    }
    for (field, named) in [
        (Sweep { axis: nan, ..sweep }, "axis"),
        (Sweep { center: nan, ..sweep }, "center"),
        (Sweep { direction: SweepDirection::Mixed([0.0, f64::INFINITY, 1.0]), ..sweep }, "direction"),
    ] {
        let error = Field::Sweep(field).validate().unwrap_err();
        assert!(matches!(error, FrictionError::NotFinite { name, .. } if name == named), "{error}");
    }

    let mut field = painted();
    field.directions[2] = nan;
    assert!(matches!(field.validate(), Err(FrictionError::NotFinite { .. })));
    let mut field = painted();
    field.triangles[1] = [2, 1, 4];
    let error = field.validate().unwrap_err();
    assert_eq!(error, FrictionError::Index { name: "vertex", index: 4, count: 4 });
    assert!(error.to_string().contains("vertex 4"));
    assert_eq!(field.direction(&inside(1, [0.2, 0.2, 0.6])).unwrap_err(), error);
    let error = field.direction(&inside(7, [1.0, 0.0, 0.0])).unwrap_err();
    assert_eq!(error, FrictionError::Index { name: "triangle", index: 7, count: 2 });
}
