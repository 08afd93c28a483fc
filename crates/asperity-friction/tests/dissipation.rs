//! Smoothed dissipation of every planar set of the catalogue: derivatives, convexity, limits far from rest.

mod common;

use std::cell::Cell;

use asperity_friction::curve::{Mollifier, StaticKineticCurve, Transition};
use asperity_friction::dissipation::{Dissipated, curved, moreau, smoothed};
use asperity_friction::set::{ConvexSet, Disk, Ellipse, FrictionSet, SETS};
use asperity_friction::{FrictionError, Tangential};
use glam::{DMat2, DVec2};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Slip direction, speed in units of ε, ε, load.
type Case = (f64, f64, f64, f64);

fn slip((angle, size, eps, _): Case) -> DVec2 {
    DVec2::from_angle(angle) * (size * eps)
}

/// Runs `check` on random slips for every planar example that has friction; returns how many sets those were.
fn for_every_planar_set(check: impl Fn(&FrictionSet, Case) -> Result<(), TestCaseError>) -> usize {
    let mut tried = 0;
    for entry in SETS {
        for set in (entry.examples)().into_iter().filter(|s| s.planar().is_some() && s.radius() > 0.0) {
            let config = Config { cases: 300, failure_persistence: None, ..Config::default() };
            let mut runner = TestRunner::new_with_rng(config, common::rng(entry.name));
            let size = prop_oneof![3 => 0.01..1.0f64, 2 => 1.0..5.0f64];
            let eps = (-5.0..0.0f64).prop_map(|e| 10f64.powf(e));
            if let Err(e) = runner.run(&(0.0..6.3f64, size, eps, 0.1..10.0f64), |case| check(&set, case)) {
                panic!("{set:?}: {e}");
            }
            tried += 1;
        }
    }
    assert!(tried >= 20, "only {tried} planar sets");
    tried
}

fn entries(m: DMat2) -> f64 {
    m.to_cols_array().into_iter().fold(0.0, |m, v| m.max(v.abs()))
}

/// Whether f0 is used, or the Moreau envelope.
fn is_curved(set: &FrictionSet) -> bool {
    set.implicit().is_some()
}

/// Whether the boundary is curved everywhere, so that f0 could be used.
fn has_curvature(set: &FrictionSet) -> bool {
    set.planar().unwrap().curvature_radius(set.axis()).is_some()
}

fn support(set: &FrictionSet, w: DVec2) -> f64 {
    set.support(Tangential::planar(w))
}

#[test]
fn gradients_match_finite_differences_of_the_value() {
    let (smooth, kinks) = (Cell::new(0), Cell::new(0));
    for_every_planar_set(|set, case| {
        let (v, eps, load) = (slip(case), case.2, case.3);
        let at = |v: DVec2| smoothed(set, eps, load, v).unwrap();
        let here = at(v);
        let h = 1e-6 * v.length().max(eps);
        let scale = load * set.radius();
        for e in [DVec2::X, DVec2::Y] {
            let forward = (at(v + e * h).value - here.value) / h;
            let backward = (here.value - at(v - e * h).value) / h;
            // Convex: the derivative lies between the one-sided differences, however sharply the set turns. Round-off of
            // the value is 1e-16 of scale·|v|, here divided by 1e-6 |v|.
            let g = here.gradient.dot(e);
            let slack = 1e-8 * scale;
            prop_assert!(backward - slack <= g && g <= forward + slack, "{backward} <= {g} <= {forward}, v {v:?}");
            // Where the gradient does not turn within the step, the central difference is it.
            if forward - backward > 1e-2 * scale {
                kinks.set(kinks.get() + 1);
                continue;
            }
            smooth.set(smooth.get() + 1);
            let central = 0.5 * (forward + backward);
            prop_assert!((central - g).abs() <= 1e-6 * scale, "{central} and {g} at {v:?}");
        }
        Ok(())
    });
    println!("{} smooth, {} kinks", smooth.get(), kinks.get());
    assert!(smooth.get() > 200 * kinks.get(), "{} smooth, {} kinks", smooth.get(), kinks.get());
}

#[test]
fn hessians_match_finite_differences_of_the_gradient() {
    let (smooth, kinks) = (Cell::new(0), Cell::new(0));
    for_every_planar_set(|set, case| {
        let (v, eps, load) = (slip(case), case.2, case.3);
        let at = |v: DVec2| smoothed(set, eps, load, v).unwrap();
        let here = at(v);
        let length = v.length().max(eps);
        let (h, scale) = (1e-6 * length, load * set.radius() / length);
        for (e, column) in [(DVec2::X, here.hessian.x_axis), (DVec2::Y, here.hessian.y_axis)] {
            let forward = (at(v + e * h).gradient - here.gradient) / h;
            let backward = (here.gradient - at(v - e * h).gradient) / h;
            // A kink within the step, or the tip of a thin set: no error of the derivative.
            if (forward - backward).length() > 1e-3 * scale {
                kinks.set(kinks.get() + 1);
                continue;
            }
            smooth.set(smooth.get() + 1);
            let error = (0.5 * (forward + backward) - column).length();
            prop_assert!(error <= 1e-5 * scale, "error {error}, scale {scale} at {v:?}: {:?}", here.hessian);
        }
        Ok(())
    });
    println!("{} smooth, {} kinks", smooth.get(), kinks.get());
    assert!(smooth.get() > 20 * kinks.get(), "{} smooth, {} kinks", smooth.get(), kinks.get());
}

#[test]
fn hessians_are_symmetric_and_never_negative() {
    for_every_planar_set(|set, case| {
        for v in [slip(case), DVec2::ZERO] {
            let m = smoothed(set, case.2, case.3, v).unwrap().hessian;
            let size = entries(m);
            prop_assert!(size.is_finite());
            prop_assert!((m.x_axis.y - m.y_axis.x).abs() <= 1e-14 * size);
            prop_assert!(m.determinant() >= -1e-13 * size * size, "{m:?}");
            prop_assert!(m.x_axis.x >= -1e-14 * size && m.y_axis.y >= -1e-14 * size, "{m:?}");
        }
        Ok(())
    });
}

#[test]
fn the_potential_is_convex_and_its_force_never_drives() {
    for_every_planar_set(|set, case| {
        let (v, eps, load) = (slip(case), case.2, case.3);
        let at = |v: DVec2| smoothed(set, eps, load, v).unwrap();
        let here = at(v);
        let slack = 1e-13 * load * set.radius() * v.length().max(eps);
        prop_assert!(-here.gradient.dot(v) <= slack, "power {} at {v:?}", -here.gradient.dot(v));
        prop_assert_eq!(at(DVec2::ZERO).gradient, DVec2::ZERO);
        for i in 0..12 {
            let w = DVec2::from_angle(f64::from(i) * 0.53) * (v.length() * f64::from(i) * 0.2);
            let above = at(w).value - here.value - here.gradient.dot(w - v);
            prop_assert!(above >= -slack, "{above} below the tangent: v {v:?}, w {w:?}");
        }
        Ok(())
    });
}

#[test]
fn the_value_is_the_dissipation_but_for_the_smoothing() {
    let envelopes = Cell::new(0);
    for_every_planar_set(|set, case| {
        let (v, eps, load) = (slip(case), case.2, case.3);
        let rate = load * support(set, -v);
        let size = load * set.radius() * eps;
        let slack = 1e-13 * size.max(rate);
        // f0(y) - y is between 0 and eps/3; the envelope is at most (s/2) R² = eps R/2 lower than h.
        let more = smoothed(set, eps, load, v).unwrap().value - rate;
        if is_curved(set) {
            prop_assert!(more >= -slack && more <= size / 3.0 + slack, "{more}, size {size}");
        } else {
            envelopes.set(envelopes.get() + 1);
            prop_assert!(more <= slack && more >= -0.5 * size - slack, "{more}, size {size}");
        }
        let less = moreau(set, eps, load, v).unwrap().value - rate;
        prop_assert!(less <= slack && less >= -0.5 * size - slack, "envelope {less}, size {size}");
        Ok(())
    });
    assert!(envelopes.get() > 1000, "{} cases with straight edges", envelopes.get());
}

#[test]
fn far_from_rest_friction_is_fully_developed() {
    for_every_planar_set(|set, (angle, size, eps, load)| {
        let d = DVec2::from_angle(angle);
        let scale = load * set.radius();
        if is_curved(set) {
            // Exactly, from |v| = eps on, whatever the direction. A thin ellipse (1e4 here) magnifies a bit of it.
            let speed = eps * (1.0 + 1e-12) * (1.0 + size);
            let force = -smoothed(set, eps, load, d * speed).unwrap().gradient;
            let most = set.max_dissipation(load, Tangential::planar(d)).plane;
            prop_assert!((force - most).length() <= 1e-11 * scale, "{force:?} and {most:?}");
        }
        // The envelope: always a force of the set, and far away the one that brakes most. At 1e7 eps it is R²/2T = 5e-8 R
        // short at most; round-off of a point out there is 1e-9 R.
        let near = -moreau(set, eps, load, d * (size * eps)).unwrap().gradient;
        prop_assert!(set.contains(load, Tangential::planar(near), 1e-13 * scale), "{near:?} is not admissible");
        let force = -moreau(set, eps, load, d * (1e7 * eps)).unwrap().gradient;
        let most = set.max_dissipation(load, Tangential::planar(d)).plane;
        prop_assert!((force - most).dot(d).abs() <= 6e-8 * scale);
        // The point itself, but where it jumps or runs along the boundary within a small angle.
        let beside = |a: f64| set.max_dissipation(load, Tangential::planar(DVec2::from_angle(angle + a))).plane;
        let turn = (beside(1e-7) - beside(-1e-7)).length();
        prop_assert!((force - most).length() <= 1e-6 * scale + turn, "{force:?} and {most:?}");
        Ok(())
    });
}

#[test]
fn round_sets_are_twice_differentiable_at_rest() {
    let (eps, load) = (1e-2, 3.0);
    let sets: [FrictionSet; 3] = [
        Disk::new(0.3).unwrap().into(),
        Ellipse::new([0.2, 3.0], DVec2::from_angle(0.7)).unwrap().into(),
        Ellipse::new([0.5, 0.4], DVec2::X).unwrap().into(),
    ];
    for set in sets {
        let at = |v: DVec2| smoothed(&set, eps, load, v).unwrap();
        let rest = at(DVec2::ZERO).hessian;
        for i in 0..20 {
            let d = DVec2::from_angle(0.3 * f64::from(i));
            let near = at(d * (1e-9 * eps));
            assert!(entries(near.hessian - rest) <= 1e-7 * entries(rest), "{set:?}: {:?} and {rest:?}", near.hessian);
            let linear = rest * (d * (1e-9 * eps));
            assert!((near.gradient - linear).length() <= 1e-7 * linear.length().max(entries(rest) * 1e-11 * eps));
        }
    }
}

/// Central differences of value and gradient, relative to the sizes of a set of radius up to 1.5 and a load.
fn check_differences(at: impl Fn(DVec2) -> Dissipated, v: DVec2, h: f64, load: f64) {
    let here = at(v);
    for (e, column) in [(DVec2::X, here.hessian.x_axis), (DVec2::Y, here.hessian.y_axis)] {
        let (p, m) = (at(v + e * h), at(v - e * h));
        let slope = (p.value - m.value) / (2.0 * h);
        assert!((slope - here.gradient.dot(e)).abs() <= 1e-7 * load, "gradient at {v:?}: {slope}");
        let bend = (p.gradient - m.gradient) / (2.0 * h);
        assert!((bend - column).length() <= 1e-5 * load / h * 1e-5, "hessian at {v:?}: {bend:?} and {column:?}");
    }
}

#[test]
fn velocity_scaling_is_consistent() {
    let (eps, load) = (1e-2, 2.0);
    for transition in [Transition::Ipc, Transition::Peak] {
        let curve = StaticKineticCurve::new(0.5, 0.3, eps, transition).unwrap();
        let scaled: FrictionSet = Ellipse::new([1.5, 0.5], DVec2::X).unwrap().into();
        let (one, disk): (FrictionSet, FrictionSet) =
            (Ellipse::new([1.0, 1.0], DVec2::X).unwrap().into(), Disk::new(1.0).unwrap().into());
        for i in 1..60 {
            let v = DVec2::from_angle(0.37 * f64::from(i)) * (eps * 0.05 * f64::from(i));
            let at = |v: DVec2| curved(&scaled, &curve, 1.0, load, v).unwrap();
            check_differences(at, v, 1e-5 * eps, load);
            // The slip is scaled by S before it enters the potential, and the gradient by S again.
            let (s, here) = (DVec2::new(1.5, 0.5), at(v));
            let inner = curved(&disk, &curve, 1.0, load, v * s).unwrap();
            assert!((here.value - inner.value).abs() <= 1e-14 * load * eps);
            assert!((here.gradient - inner.gradient * s).length() <= 1e-14 * load);
            let turned = DMat2::from_diagonal(s) * inner.hessian * DMat2::from_diagonal(s);
            assert!(entries(here.hessian - turned) <= 1e-13 * load / eps);
            // Without scaling it is the disk.
            let (p, q) = (curved(&one, &curve, 1.0, load, v).unwrap(), curved(&disk, &curve, 1.0, load, v).unwrap());
            assert!((p.value - q.value).abs() <= 1e-14 * load * eps && (p.gradient - q.gradient).length() <= 1e-14);
            assert!(entries(p.hessian - q.hessian) <= 1e-13 * load / eps);
        }
    }
}

#[test]
fn what_cannot_be_smoothed_is_refused() {
    let mollifier = Mollifier::new(1e-3).unwrap();
    let (mut solid, mut edged) = (0, 0);
    for set in SETS.iter().flat_map(|entry| (entry.examples)()) {
        let all = [
            smoothed(&set, 1e-3, 1.0, DVec2::X),
            moreau(&set, 1e-3, 1.0, DVec2::X),
            curved(&set, &mollifier, 1.0, 1.0, DVec2::X),
        ];
        if set.planar().is_none() {
            solid += 1;
            for result in all {
                let error = result.unwrap_err();
                assert!(matches!(error, FrictionError::Unsupported { name, .. } if name == set.name()), "{error}");
                assert!(error.to_string().contains("contact plane"), "{error}");
            }
        } else if !has_curvature(&set) {
            edged += 1;
            let error = all[2].clone().unwrap_err();
            assert!(matches!(error, FrictionError::Unsupported { name, .. } if name == set.name()), "{error}");
            assert!(error.to_string().contains("Moreau"), "{error}");
            assert!(all[0].is_ok() && all[1].is_ok());
        } else if set.radius() == 0.0 {
            let nothing = Dissipated { value: 0.0, gradient: DVec2::ZERO, hessian: DMat2::ZERO };
            assert_eq!((all[0].clone(), all[1].clone()), (Ok(nothing), Ok(nothing)));
        }
    }
    assert!(solid >= 12 && edged >= 15, "{solid} with spin or rolling, {edged} with edges");
    let disk: FrictionSet = Disk::new(0.5).unwrap().into();
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let errors = [
            smoothed(&disk, bad, 1.0, DVec2::X).unwrap_err(),
            moreau(&disk, bad, 1.0, DVec2::X).unwrap_err(),
            curved(&disk, &mollifier, bad, 1.0, DVec2::X).unwrap_err(),
        ];
        for error in errors {
            assert!(matches!(error, FrictionError::Range { .. }), "{error}");
            assert!(error.to_string().contains(&format!("= {bad}:")), "{error}");
        }
    }
}
