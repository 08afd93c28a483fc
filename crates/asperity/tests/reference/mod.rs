//! What tests of references share: the classical Runge-Kutta method, and what a scene states.
#![allow(dead_code, unreachable_pub)]

use std::path::Path;

use asperity::scene::{Document, Expect, Scene};

/// A step of dy/dt = f(y).
pub fn runge_kutta<const N: usize>(f: impl Fn(&[f64; N]) -> [f64; N], y: &[f64; N], h: f64) -> [f64; N] {
    let moved = |k: &[f64; N], s: f64| std::array::from_fn(|i| y[i] + s * k[i]);
    let k1 = f(y);
    let k2 = f(&moved(&k1, 0.5 * h));
    let k3 = f(&moved(&k2, 0.5 * h));
    let k4 = f(&moved(&k3, h));
    std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}

pub fn document(name: &str) -> Document {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    Document::read(&path).unwrap_or_else(|error| panic!("{error}"))
}

/// The middle of what is expected.
pub fn expected(scene: &Scene, name: &str) -> f64 {
    let expect: &Expect = scene.expect.iter().find(|e| e.name == name).expect("an expectation of this name");
    0.5 * (expect.lower.expect("a lower bound") + expect.upper.expect("an upper bound"))
}
