//! Inputs that the property tests share.
#![allow(dead_code, unreachable_pub)]

pub mod state;

use asperity_friction::Tangential;
use asperity_friction::set::{ConvexSet, FrictionSet, SETS};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

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

/// Runs `check` on random inputs for every example of every set.
pub fn for_every_set<S: Strategy + Clone>(
    cases: u32,
    strategy: S,
    check: impl Fn(&FrictionSet, S::Value) -> Result<(), TestCaseError>,
) {
    let mut tried = 0;
    for entry in SETS {
        for set in (entry.examples)() {
            assert_eq!(set.name(), entry.name);
            let mut runner = TestRunner::new_with_rng(
                Config { cases, failure_persistence: None, ..Config::default() },
                rng(entry.name),
            );
            if let Err(e) = runner.run(&strategy, |value| check(&set, value)) {
                panic!("{set:?}: {e}");
            }
            tried += 1;
        }
    }
    assert!(tried >= SETS.len(), "every set has examples");
}

/// The components that the set has rows for; others are zero.
pub fn within_rows(set: &FrictionSet, v: Tangential) -> Tangential {
    let mut c = v.to_array();
    for x in &mut c[set.rows()..] {
        *x = 0.0;
    }
    Tangential::from_array(c)
}

/// Points to project: spread over sizes from deep inside to far outside of load·F.
pub fn trial(set: &FrictionSet, load: f64, v: Tangential, size: f64) -> Tangential {
    within_rows(set, v) * (size * load.max(1e-9) * set.radius().max(0.1))
}

/// Length against which errors of a projection are measured: the size of the set, however far away the point is.
pub fn scale(set: &FrictionSet, load: f64) -> f64 {
    (load * set.radius()).max(1e-300)
}
