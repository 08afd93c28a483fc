//! Ellipse and ellipsoid projections against correctly rounded results: exact membership and bisection with 110 digits
//! (tests/fixtures/generate/quadric_projections.py). Nothing there is shared with the library's method.

use asperity_friction::Tangential;
use asperity_friction::set::{ConePoint, ConvexSet, Ellipse, Ellipsoid, FrictionSet};
use glam::DVec2;
use serde_json::Value;

/// Relative to the length of the exact answer, or of the part that is given up, whichever is larger.
const TOLERANCE: f64 = 1e-12;

fn cases(name: &str) -> Vec<Value> {
    let text = include_str!("fixtures/quadric_projections.json");
    let all: Value = serde_json::from_str(text).unwrap();
    let list = all[name].as_array().unwrap().clone();
    assert!(list.len() > 200, "{name} has {} cases", list.len());
    list
}

fn numbers(v: &Value) -> Vec<f64> {
    v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn vector(v: &Value) -> Tangential {
    let mut c = [0.0; 5];
    for (to, from) in c.iter_mut().zip(numbers(v)) {
        *to = from;
    }
    Tangential::from_array(c)
}

fn set(v: &Value) -> FrictionSet {
    match numbers(v)[..] {
        [a, b] => Ellipse::new([a, b], DVec2::X).unwrap().into(),
        [a, b, c] => Ellipsoid::new([a, b, c], DVec2::X).unwrap().into(),
        _ => panic!("two or three axes"),
    }
}

#[test]
fn projection_onto_ellipses_and_ellipsoids() {
    let mut worst: f64 = 0.0;
    for case in cases("ellipse").iter().chain(&cases("ellipsoid")) {
        let (x, exact) = (vector(&case["x"]), vector(&case["p"]));
        let p = set(&case["a"]).project(case["load"].as_f64().unwrap(), x);
        let error = (p - exact).length();
        let size = exact.length();
        let relative = if error == 0.0 { 0.0 } else { error / size };
        assert!(relative <= TOLERANCE, "{case}: {p:?}, relative error {relative:e}");
        worst = worst.max(relative);
    }
    println!("worst relative error {worst:e}");
}

#[test]
fn projection_onto_their_cones() {
    let mut worst: f64 = 0.0;
    for case in cases("ellipse_cone").iter().chain(&cases("ellipsoid_cone")) {
        let (x, exact, n) = (vector(&case["x"]), vector(&case["p"]), case["n"].as_f64().unwrap());
        let exact_s = case["pn"].as_f64().unwrap();
        let ConePoint { load: s, force: p } = set(&case["a"]).project_cone(n, x);
        let error = (p - exact).length().hypot(s - exact_s);
        // Near the polar cone the answer is a small difference of large numbers: measured by what goes in.
        let relative = error / n.hypot(x.length()).max(f64::MIN_POSITIVE);
        assert!(relative <= TOLERANCE, "{case}: {s} {p:?}, relative error {relative:e}");
        worst = worst.max(relative);
    }
    println!("worst relative error {worst:e}");
}
