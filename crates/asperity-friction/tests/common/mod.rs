//! Inputs that the property tests share.
#![allow(dead_code, unreachable_pub)]

pub mod state;

use asperity_friction::Tangential;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// A generator with a seed of its own for each name: the same cases on every run and machine.
pub fn rng(name: &str) -> TestRng {
    let mut seed = [7u8; 32];
    for (i, b) in name.bytes().enumerate() {
        seed[i % 32] = seed[i % 32].wrapping_mul(31).wrapping_add(b);
    }
    TestRng::from_seed(RngAlgorithm::ChaCha, &seed)
}

/// Components in [-1, 1], some of them zero or tiny: axes and near-axes are where formulas break.
pub fn vector() -> impl Strategy<Value = Tangential> + Clone {
    let c = prop_oneof![6 => -1.0..1.0f64, 1 => Just(0.0), 1 => -1e-9..1e-9f64];
    [c.clone(), c.clone(), c.clone(), c.clone(), c].prop_map(Tangential::from_array)
}

/// Sizes over many decades, from far inside to far outside.
pub fn component() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![4 => 0.01..5.0f64, 1 => Just(1.0), 2 => (-6.0..6.0f64).prop_map(|e| 10f64.powf(e)), 1 => Just(0.0)]
}

/// Loads from none to 1e9.
pub fn loads() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![1 => Just(0.0), 4 => 0.1..10.0f64, 3 => (-9.0..9.0f64).prop_map(|e| 10f64.powf(e))]
}
