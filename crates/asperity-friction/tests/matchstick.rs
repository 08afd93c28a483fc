//! The Matchstick model: the box table of the authors' own simulator, and every degenerate pair of directions.

use asperity_friction::model::{FrictionModel, Matchstick, MissingStructure, Spin};
use asperity_friction::set::{ConvexSet, FrictionSet};
use asperity_friction::{ContactFrame, ContactLaw, ContactState, SurfaceSample, Tangential};
use glam::{DVec2, DVec3};

fn frame() -> ContactFrame {
    ContactFrame::new(DVec3::Y, DVec3::X).unwrap()
}

fn set(model: Matchstick, a: DVec3, b: DVec3) -> FrictionSet {
    let surface = |structure| SurfaceSample { structure, ..SurfaceSample::default() };
    match FrictionModel::from(model).law(&ContactState::new(frame(), surface(a), surface(b))).unwrap() {
        ContactLaw::Set(set) => set,
        other => panic!("Matchstick is a set, not {other:?}"),
    }
}

/// A structure direction at an angle in the contact plane.
fn grain(degrees: f64) -> DVec3 {
    frame().to_world(DVec2::from_angle(degrees.to_radians()))
}

fn axes(set: &FrictionSet) -> (f64, f64, DVec2) {
    match set {
        FrictionSet::Ellipse(e) => (e.mu()[0], e.mu()[1], e.axis()),
        other => panic!("an ellipse, not {other:?}"),
    }
}

/// A box at rest on an incline starts with the acceleration drive + friction, and with maximum dissipation the friction is
/// the point of load·F nearest to minus the drive, which it would have to be to hold the box.
#[test]
fn every_row_of_the_box_table() {
    let table: serde_json::Value = serde_json::from_str(include_str!("fixtures/box_table.json")).unwrap();
    let number = |v: &serde_json::Value| v.as_f64().unwrap();
    let vector = |v: &serde_json::Value| {
        let c: Vec<f64> = v.as_array().unwrap().iter().map(number).collect();
        DVec3::new(c[0], c[1], c[2])
    };
    let model =
        Matchstick::new(number(&table["mu_iso"]), number(&table["mu_aniso_t"]), number(&table["mu_aniso_b"])).unwrap();
    let tilt = number(&table["incline_degrees"]).to_radians();
    let (g, time) = (number(&table["g"]), number(&table["time"]));
    let rows = table["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    for row in rows {
        // A is the box, B the plane, the normal from B to A is the plane's y; x is uphill.
        let law = set(model, vector(&row["box"]), vector(&row["plane"]));
        let (load, drive) = (g * tilt.cos(), frame().to_plane(DVec3::NEG_X * (g * tilt.sin())));
        let friction = law.project(load, Tangential::planar(-drive)).plane;
        let acceleration = frame().to_world(drive + friction);
        let moved = acceleration * (0.5 * time * time);
        let (downhill, lateral) = (-moved.x, moved.z);
        let (want_down, want_side) = (number(&row["downhill"]), number(&row["lateral"]));
        println!("{} / {}: downhill {downhill:.4} lateral {lateral:.4}", row["plane"], row["box"]);
        assert!((downhill - want_down).abs() <= 1e-12 * (1.0 + want_down.abs()), "{downhill} {want_down}");
        assert!((lateral - want_side).abs() <= 1e-12, "{lateral} {want_side}");
        assert_eq!(row["sticks"].as_bool().unwrap(), moved.length() < 1e-12);
        // And it slides where maximum dissipation says: friction brakes the motion most.
        if moved.length() > 1e-12 {
            let slip = Tangential::planar(frame().to_plane(moved));
            let most = law.max_dissipation(load, slip).plane;
            assert!((most - friction).length() <= 1e-9 * load, "{most} {friction}");
        }
        let (mu_t, mu_b, axis) = axes(&law);
        assert!((mu_t - number(&row["mu_t"])).abs() <= 1e-14 && (mu_b - number(&row["mu_b"])).abs() <= 1e-14);
        if number(&row["d"]) > 0.0 {
            let want = frame().to_plane(vector(&row["axis"]));
            assert!(axis.perp_dot(want).abs() <= 1e-14, "{axis} {want}");
        }
    }
}

#[test]
fn coefficients_are_linear_in_the_angle() {
    let model = Matchstick::new(0.5, 0.2, 1.0).unwrap();
    for degrees in 0..=180 {
        let theta = f64::from(degrees.min(180 - degrees));
        let d = 1.0 - theta / 90.0;
        let (mu_t, mu_b, axis) = axes(&set(model, grain(0.0), grain(f64::from(degrees))));
        assert!((mu_t - (0.2 * d + 0.5 * (1.0 - d))).abs() < 1e-14);
        assert!((mu_b - (1.0 * d + 0.5 * (1.0 - d))).abs() < 1e-14);
        if degrees != 90 {
            let mean = if degrees < 90 { 0.5 * f64::from(degrees) } else { 0.5 * f64::from(degrees) - 90.0 };
            assert!(axis.perp_dot(DVec2::from_angle(mean.to_radians())).abs() < 1e-14, "{degrees}: {axis}");
        }
    }
}

#[test]
fn sign_and_length_of_a_direction_do_not_matter() {
    let model = Matchstick::new(0.5, 0.2, 1.0).unwrap();
    let one = axes(&set(model, grain(10.0), grain(50.0)));
    for (a, b) in [(-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (1e-3, 1.0), (1.0, 1e5), (-3.0, 1e-8)] {
        let other = axes(&set(model, grain(10.0) * a, grain(50.0) * b));
        assert!((one.0 - other.0).abs() < 1e-14 && (one.1 - other.1).abs() < 1e-14);
        assert!(one.2.perp_dot(other.2).abs() < 1e-14);
    }
    // Nor does a part along the normal.
    let lifted = axes(&set(model, grain(10.0) + DVec3::Y * 2.0, grain(50.0)));
    assert!((one.0 - lifted.0).abs() < 1e-14);
}

#[test]
fn near_orthogonal_is_continuous() {
    let model = Matchstick::new(0.2, 0.2, 3.0).unwrap();
    for tiny in [1e-3, 1e-6, 1e-9, 1e-12, 0.0] {
        let [below, above] = [-tiny, tiny].map(|e| set(model, grain(0.0), grain(90.0 + e)));
        for i in 0..36 {
            let d = DVec2::from_angle(f64::from(i) * 0.1745);
            let (p, q) = (below.coefficient(d), above.coefficient(d));
            // The axis jumps by 90 degrees; the coefficients differ by what is left of the anisotropy.
            assert!((p - q).abs() <= 0.07 * tiny + 1e-15, "{p} {q} at {tiny}");
            assert!((p - 0.2).abs() <= 0.04 * tiny + 1e-15);
        }
    }
}

#[test]
fn parallel_and_nearly_parallel() {
    let model = Matchstick::new(0.2, 0.1, 3.0).unwrap();
    let (mu_t, mu_b, axis) = axes(&set(model, grain(30.0), grain(30.0)));
    assert!((mu_t - 0.1).abs() < 1e-15 && (mu_b - 3.0).abs() < 1e-15);
    assert!(axis.perp_dot(DVec2::from_angle(30f64.to_radians())).abs() < 1e-15);
    // An arc cosine would lose half of the digits here: d must fall linearly with the angle.
    let (_, mu_b, _) = axes(&set(model, grain(0.0), grain(1e-7)));
    let expected = 3.0 - 2.8 * 1e-7 / 90.0;
    assert!((mu_b - expected).abs() < 1e-15 * 3.0, "{mu_b} {expected}");
}

#[test]
fn a_surface_without_structure() {
    let paper = Matchstick::new(0.2, 0.1, 3.0).unwrap();
    let authors = Matchstick { missing: MissingStructure::Isotropic, ..paper };
    for (a, b) in [(DVec3::ZERO, grain(20.0)), (grain(20.0), DVec3::ZERO), (grain(20.0), DVec3::Y)] {
        let (mu_t, mu_b, axis) = axes(&set(paper, a, b));
        assert_eq!((mu_t, mu_b), (0.1, 3.0));
        assert!(axis.perp_dot(DVec2::from_angle(20f64.to_radians())).abs() < 1e-15);
        let (mu_t, mu_b, _) = axes(&set(authors, a, b));
        assert_eq!((mu_t, mu_b), (0.2, 0.2));
    }
    for model in [paper, authors] {
        let (mu_t, mu_b, _) = axes(&set(model, DVec3::ZERO, DVec3::ZERO));
        assert_eq!((mu_t, mu_b), (0.2, 0.2));
    }
}

#[test]
fn drilling_is_interpolated_like_the_others() {
    let spin = Some(Spin { isotropic: 0.2.into(), parallel: 0.1.into() });
    let model = Matchstick { spin, ..Matchstick::new(0.2, 0.2, 3.0).unwrap() };
    for (degrees, expected) in [(0.0, 0.1), (45.0, 0.15), (90.0, 0.2)] {
        let set = set(model, grain(0.0), grain(degrees));
        assert_eq!(set.rows(), 3);
        let torque = set.max_dissipation(10.0, Tangential { spin: 3.0, ..Tangential::ZERO });
        assert!((torque.spin + 10.0 * expected).abs() < 1e-14, "{torque:?}");
    }
}

#[test]
fn a_body_sliding_along_a_principal_direction_gets_no_torque() {
    // 1 : 15, and thinner. The friction force has no part across the slip, whatever the direction of the grain.
    for mu_b in [3.0, 200.0, 2000.0] {
        let model = Matchstick::new(0.2, 0.2, mu_b).unwrap();
        for i in 0..90 {
            let set = set(model, grain(f64::from(i)), grain(f64::from(i)));
            let axis = DVec2::from_angle(f64::from(i).to_radians());
            let pushed = set.project(1.0, Tangential::planar(axis * 5.0)).plane;
            assert!(pushed.perp_dot(axis).abs() <= 1e-15 * mu_b, "{pushed}");
            assert!((pushed.length() - 0.2).abs() <= 1e-12);
        }
    }
}
