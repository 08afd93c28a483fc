//! Energy: what the barrier stores is part of the balance; a stiffness that is adapted.

use super::{assert_apart, watch};

const PUSHED: &str = r#"
    title = "A block starts deep in the barrier of the floor, and is pushed up"
    time = { dt = 1e-4, end = 0.02 }
    stepper = { kind = "barrier", dhat = 1e-2, stiffness = 1e8 }
    pair_default.law = { kind = "coulomb", mu = 0.3 }
    [body.floor]
    shape = { kind = "half_space" }
    motion = "static"
    [body.block]
    shape = { kind = "box", size = [0.2, 0.1, 0.2] }
    position = [0, 0.052, 0]
"#;

/// Four corners 2 mm above the floor, d̂ = 1 cm: 4 κ (d̂² − d²)² ln(d̂²/d²) with d = 2 mm is 11.87 J, which throws 4 kg up with 2.4 m/s but for what
/// backward Euler loses. Nothing may come from nowhere: the sum never grows, and at the end, far above the barrier, what moves is no more than what was stored.
#[test]
fn what_the_barrier_pushes_gains_what_the_barrier_loses() {
    let stored = 4.0 * 1e8 * (1e-4f64 - 4e-6).powi(2) * (1e-4f64 / 4e-6).ln();
    let run = watch(PUSHED, &[], |_, _| ());
    let rows = run.rows();
    let first = rows[0].kinetic + rows[0].potential + rows[0].elastic + rows[0].dissipated;
    let weight = 0.2 * 0.1 * 0.2 * 1000.0 * 9.81 * 0.052;
    assert!((first - stored - weight).abs() < 1e-9 * first, "{first} {stored} {weight}");
    for pair in rows.windows(2) {
        assert!(pair[1].dissipated >= pair[0].dissipated - 1e-9 * stored, "{} {}", pair[0].t, pair[1].dissipated);
    }
    let last = rows[rows.len() - 1];
    assert_eq!(last.elastic, 0.0, "it has left the barrier");
    let gained = last.kinetic + last.potential - weight;
    assert!(gained > 0.5 * stored && gained < stored, "{gained} of {stored}");
}

/// A slab of 400 kg on a block of 0.4 kg: a stiffness that is adapted keeps them apart, and the stack stands.
#[test]
fn an_adapted_stiffness_keeps_a_heavy_slab_above_a_light_block() {
    let set = [
        ("stepper", "{ kind = 'barrier', dhat = 1e-3, adaptive = true }"),
        ("time", "{ dt = 0.01, end = 0.5 }"),
        ("body.block.shape", "{ kind = 'box', size = [0.2, 0.01, 0.2] }"),
        ("body.block.position", "[0, 0.0055, 0]"),
        (
            "body.slab",
            "{ shape = { kind = 'box', size = [0.3, 0.2, 0.3] }, density = 22222, position = [0, 0.111, 0] }",
        ),
    ];
    let run = watch(PUSHED, &set, |model, state| assert_apart(model, state, 0.0));
    let memory = run.state().barrier.as_ref().and_then(|own| own.stiffness).expect("a stiffness that is adapted");
    let [block, slab] = [1, 2].map(|i| run.state().bodies[i].frame().centre);
    // What is remembered is the nearer of the two gaps: below the block, or between it and the slab.
    let least = (block.y - 0.005).min(slab.y - 0.1 - (block.y + 0.005));
    assert!((memory.least - least).abs() < 0.01 * least, "{memory:?} {least}");
    assert!(slab.y - block.y > 0.105 && slab.y - block.y < 0.1065, "{block} {slab}");
    assert!(slab.x.abs() < 1e-3 && slab.z.abs() < 1e-3, "{slab}");
}

/// A run begins with a stiffness of 1 J/m⁴ that is adapted in the first step, to hundreds of times as much: that is energy that the
/// block, 2 mm above the floor and on its way down, has not lost.
#[test]
fn what_an_adapted_stiffness_adds_is_part_of_the_balance() {
    let set = [("stepper", "{ kind = 'barrier', dhat = 1e-2, stiffness = 1, adaptive = true }"), ("time.end", "0.002")];
    let run = watch(PUSHED, &set, |_, _| ());
    let rows = run.rows();
    let factor = run.state().barrier.as_ref().and_then(|own| own.stiffness).expect("an adapted stiffness").factor;
    assert!(factor > 100.0, "{factor}");
    // What there is to lose from the first step on: the weight, and the barrier where it begins, with the stiffness of then.
    let stored = 4.0 * (1e-4f64 - 4e-6).powi(2) * (1e-4f64 / 4e-6).ln();
    let weight = 0.2 * 0.1 * 0.2 * 1000.0 * 9.81 * 0.052;
    let first = rows[0].kinetic + rows[0].potential + rows[0].elastic + rows[0].dissipated;
    assert!((first - factor * stored - weight).abs() < 1e-9 * first, "{first} {factor} {stored} {weight}");
    let mut before = 0.0;
    for row in rows {
        assert!(row.dissipated >= before - 1e-7, "{} {} {before}", row.t, row.dissipated);
        before = row.dissipated;
    }
}
