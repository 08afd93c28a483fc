//! Friction tensors as slip rules, against evaluations that share nothing with the library: world vectors, scans over
//! directions.

mod common;

use std::cell::Cell;
use std::f64::consts::TAU;

use asperity_friction::model::{FrictionModel, TensorComposition, TensorRule};
use asperity_friction::set::{ConvexSet, Disk};
use asperity_friction::tensor::SurfaceTensor;
use asperity_friction::{ContactFrame, ContactLaw, ContactState, SlipRule, SurfaceSample, Tangential};
use glam::{DVec2, DVec3};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

const HALF: TensorComposition = TensorComposition::Additive { kappa: 0.5 };

/// Rows of Q+ and Q-.
type Rows = [[[f64; 2]; 2]; 2];

/// A contact of two surfaces with tensors; the tangents need not lie in the contact plane.
#[derive(Clone, Debug)]
struct Touch {
    frame: ContactFrame,
    tangents: [DVec3; 2],
    rows: [Rows; 2],
}

impl Touch {
    fn rule(&self, composition: TensorComposition) -> SlipRule {
        let [a, b] = [0, 1].map(|i| SurfaceSample {
            tangent: self.tangents[i],
            tensor: SurfaceTensor::asymmetric(self.rows[i][0], self.rows[i][1]).unwrap(),
            ..SurfaceSample::default()
        });
        let model = FrictionModel::TensorRule(TensorRule { composition });
        match model.law(&ContactState::new(self.frame, a, b)).unwrap() {
            ContactLaw::Slip(rule) => rule,
            law => panic!("{law:?} is no slip rule"),
        }
    }

    /// The force on A from the tensor of one surface, in the world: the slip of the OTHER surface over this one, split
    /// along the surface's tangent and bitangent, is resisted; the force on this surface is the reaction.
    fn world_force(&self, side: usize, load: f64, slip: DVec3) -> DVec3 {
        let n = self.frame.normal();
        let (outward, other_slides) = if side == 0 { (-n, -slip) } else { (n, slip) };
        let raw = self.tangents[side];
        let tangent = (raw - n * raw.dot(n)).normalize();
        let axes = [tangent, outward.cross(tangent)];
        let w = axes.map(|axis| axis.dot(other_slides));
        let [plus, minus] = self.rows[side];
        let mut on_other = DVec3::ZERO;
        for i in 0..2 {
            for j in 0..2 {
                let q = if w[j] >= 0.0 { plus } else { minus };
                on_other -= axes[i] * (q[i][j] * w[j] * load);
            }
        }
        if side == 0 { -on_other } else { on_other }
    }

    /// The force on A of one side's tensor, in the contact plane, for a unit slip.
    fn brute(&self, side: usize, load: f64, d: DVec2) -> DVec2 {
        self.frame.to_plane(self.world_force(side, load, self.frame.to_world(d)))
    }
}

fn unit3() -> impl Strategy<Value = DVec3> + Clone {
    [-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64]
        .prop_map(DVec3::from_array)
        .prop_filter("not zero", |v| v.length() > 0.1)
        .prop_map(|v| v.normalize())
}

/// Tensors that brake: plain, with a strong rotational part, of rank one, zero, different in both senses.
fn rows() -> impl Strategy<Value = Rows> + Clone {
    let kind = prop_oneof![3 => Just(0), 3 => Just(1), 2 => Just(2), 1 => Just(3), 1 => Just(4)];
    (kind, 0.05..1.0f64, 0.05..1.0f64, -2.0..2.0f64, 0.0..3.2f64, 0.1..2.0f64).prop_map(
        |(kind, p, q, turn, angle, back)| {
            let (sin, cos) = angle.sin_cos();
            match kind {
                0 => {
                    let m = [
                        [p * cos * cos + q * sin * sin, (p - q) * sin * cos],
                        [(p - q) * sin * cos, p * sin * sin + q * cos * cos],
                    ];
                    [m, m]
                }
                1 => {
                    // It brakes while |turn| |back - 1| < 2 sqrt(back): the quadrants mix the columns of both.
                    let most = 1.9 * back.sqrt() / (back - 1.0).abs();
                    let turn = turn.clamp(-most, most) * p.min(q);
                    let m = [[p, turn], [-turn, q]];
                    [m, m.map(|row| row.map(|x| x * back))]
                }
                2 => {
                    let m = [[p * cos * cos, p * sin * cos], [p * sin * cos, p * sin * sin]];
                    [m, m]
                }
                3 => [[[p, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, q]]],
                _ => [[[0.0; 2]; 2]; 2],
            }
        },
    )
}

fn touch() -> impl Strategy<Value = Touch> + Clone {
    (unit3(), unit3(), unit3(), rows(), rows())
        .prop_filter("tangents off the normal", |(n, s, t, ..)| {
            n.cross(*s).length() > 0.1 && n.cross(*t).length() > 0.1
        })
        .prop_map(|(n, s, t, p, q)| Touch {
            frame: ContactFrame::from_normal(n).unwrap(),
            tangents: [s, t],
            rows: [p, q],
        })
}

/// Tangents along t, tensors as given: what most of the plain cases need.
fn aligned(a: [[f64; 2]; 2], b: [[f64; 2]; 2]) -> Touch {
    let frame = ContactFrame::new(DVec3::Z, DVec3::X).unwrap();
    Touch { frame, tangents: [DVec3::X; 2], rows: [[a, a], [b, b]] }
}

fn check<S: Strategy>(name: &str, strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = Config { cases: 1000, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, common::rng(name)).run(&strategy, test).unwrap_or_else(|e| panic!("{e}"));
}

/// Largest |L(d)| over directions, to measure errors by.
fn strength(rule: &SlipRule) -> f64 {
    (0..256).map(|i| rule.resist(DVec2::from_angle(TAU * f64::from(i) / 256.0)).length()).fold(0.0, f64::max)
}

#[test]
fn forces_are_those_of_the_world() {
    check("force", (touch(), 0.0..6.3f64, 0.1..10.0f64, 0.0..2.0f64), |(touch, angle, load, kappa)| {
        let d = DVec2::from_angle(angle);
        let [a, b] = [touch.brute(0, load, d), touch.brute(1, load, d)];
        let size = 1e-13 * (a.length() + b.length() + 1e-300);
        let sum = touch.rule(TensorComposition::Additive { kappa }).force(load, d * 0.01);
        prop_assert!((sum - (a + b) * kappa).length() <= size * (1.0 + kappa), "{sum} and {}", (a + b) * kappa);
        // The one that resists less; either when they are equal.
        let smaller = touch.rule(TensorComposition::Minimum).force(load, d * 3.0);
        let (pa, pb) = (-a.dot(d), -b.dot(d));
        let expected = if pa < pb { a } else { b };
        let tie = (pa - pb).abs() <= size;
        prop_assert!(tie || (smaller - expected).length() <= size, "{smaller} and {expected}");
        prop_assert!(((-smaller).dot(d) - pa.min(pb)).abs() <= size);
        prop_assert!(sum.dot(d) <= size && smaller.dot(d) <= size, "must brake");
        Ok(())
    });
}

#[test]
fn asymmetric_tensors_tell_whose_slip_it_is() {
    // Q+ brakes what slides along +x over the surface, Q- nothing. B's tensor sees A's slip, A's sees the opposite.
    let rough: Rows = [[[0.7, 0.0], [0.0, 0.7]], [[0.0; 2]; 2]];
    let touch = |rows| Touch { frame: ContactFrame::new(DVec3::Z, DVec3::X).unwrap(), tangents: [DVec3::X; 2], rows };
    let none = [[[0.0; 2]; 2]; 2];
    let on_b = touch([none, rough]).rule(TensorComposition::Additive { kappa: 1.0 });
    let on_a = touch([rough, none]).rule(TensorComposition::Additive { kappa: 1.0 });
    assert_eq!((on_b.coefficient(DVec2::X), on_b.coefficient(-DVec2::X)), (0.7, 0.0));
    assert_eq!((on_a.coefficient(DVec2::X), on_a.coefficient(-DVec2::X)), (0.0, 0.7));
    // A's bitangent is -b: A sliding along -b is B sliding along A's negative bitangent.
    assert_eq!((on_a.coefficient(DVec2::Y), on_a.coefficient(-DVec2::Y)), (0.7, 0.0));
}

#[test]
fn the_reach_is_what_a_scan_over_slips_finds() {
    let (within, beyond) = (Cell::new(0), Cell::new(0));
    check(
        "reach",
        (touch(), 0.1..10.0f64, 0.0..6.3f64, 0.0..1.0f64, -1.5..1.5f64, -1.5..1.5f64),
        |(touch, load, angle, s, x, y)| {
            let rule = touch.rule(HALF);
            let size = load * strength(&rule);
            // Every -s load L(d) with s < 1 is within reach, the longest multiple of it beyond.
            let f = -rule.resist(DVec2::from_angle(angle)) * (load * s * (1.0 - 1e-9));
            prop_assert!(rule.reaches(load, f), "{f} is -{s} load L");
            // Any other force: the nearest of the scan's segments tells.
            let f = DVec2::new(x, y) * size;
            let steps = 20_000;
            let mut nearest = f64::INFINITY;
            for i in 0..steps {
                let end = -rule.resist(DVec2::from_angle(TAU * f64::from(i) / f64::from(steps))) * load;
                let along = (f.dot(end) / end.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
                nearest = nearest.min((f - end * along).length());
            }
            if rule.reaches(load, f) {
                within.set(within.get() + 1);
                prop_assert!(nearest <= TAU / f64::from(steps) * size, "{f} is {nearest} away from the reach");
            } else {
                beyond.set(beyond.get() + 1);
                // Neither is a longer one that the scan could have missed by its step.
                prop_assert!(nearest > 0.0 || size == 0.0, "{f} is on a segment of the scan");
            }
            Ok(())
        },
    );
    println!("{} within reach, {} beyond", within.get(), beyond.get());
    assert!(within.get() > 100 && beyond.get() > 100);
}

#[test]
fn with_the_minimum_both_tensors_must_reach() {
    let alone = TensorComposition::Additive { kappa: 1.0 };
    let differ = Cell::new(0);
    check("minimum", (touch(), 0.1..10.0f64, -1.0..1.0f64, -1.0..1.0f64), |(touch, load, x, y)| {
        let none = [[[0.0; 2]; 2]; 2];
        let [p, q] =
            [[touch.rows[0], none], [none, touch.rows[1]]].map(|rows| Touch { rows, ..touch.clone() }.rule(alone));
        let rule = touch.rule(TensorComposition::Minimum);
        let f = DVec2::new(x, y) * (load * strength(&rule));
        let (one, other) = (p.reaches(load, f), q.reaches(load, f));
        differ.set(differ.get() + usize::from(one != other));
        prop_assert_eq!(rule.reaches(load, f), one && other);
        Ok(())
    });
    assert!(differ.get() > 100);
}

/// The promises of `resolve`; returns whether the force was within reach.
fn check_resolved(rule: &SlipRule, load: f64, trial: DVec2) -> Result<bool, TestCaseError> {
    let f = rule.resolve(load, trial);
    if rule.reaches(load, trial) {
        prop_assert_eq!(f, trial, "what is reached is applied");
        return Ok(true);
    }
    // trial = f - s d and f = -load L(d): what is left of the slip is s d.
    let left = f - trial;
    let size = load * strength(rule) + trial.length();
    prop_assert!(f.dot(left) <= 1e-9 * size * left.length(), "drives");
    prop_assert!(left.dot(-trial) > 0.0, "reverses: {left} left, trial {trial}");
    // The direction of what is left has its digits only when it is not small.
    if left.length() > 1e-5 * size {
        let again = rule.force(load, left);
        prop_assert!((again - f).length() <= 1e-9 * size, "f {f}, but {again} for what is left, {left}; trial {trial}");
    }
    Ok(false)
}

#[test]
fn resolving_stops_or_slows_and_turns_but_never_reverses() {
    let (stuck, slid) = (Cell::new(0), Cell::new(0));
    check("resolve", (touch(), 0.1..10.0f64, 0.0..6.3f64, 0.0..3.0f64), |(touch, load, angle, size)| {
        let rule = touch.rule(HALF);
        let trial = DVec2::from_angle(angle) * (size * load * strength(&rule).max(0.01));
        let count = if check_resolved(&rule, load, trial)? { &stuck } else { &slid };
        count.set(count.get() + 1);
        Ok(())
    });
    println!("{} stuck, {} slid", stuck.get(), slid.get());
    assert!(stuck.get() > 100 && slid.get() > 100);
}

/// Whether a scan finds a slip direction d along which trial + load L(d) points back, with L the smaller of both: a
/// change of sign between neighbours that follow the same tensor.
fn scan_finds_a_slip(touch: &Touch, load: f64, trial: DVec2) -> bool {
    let steps = 4000;
    let at = |i: i32| {
        let d = DVec2::from_angle(TAU * f64::from(i) / f64::from(steps));
        let [p, q] = [0, 1].map(|side| touch.brute(side, load, d));
        let first = -p.dot(d) <= -q.dot(d);
        let left = (if first { p } else { q }) - trial;
        (first, d.perp_dot(left), d.dot(left))
    };
    (0..steps).map(|i| (at(i), at(i + 1))).any(|(p, q)| p.0 == q.0 && p.1 * q.1 <= 0.0 && p.2 > 0.0 && q.2 > 0.0)
}

#[test]
fn resolving_with_the_minimum_too() {
    // Where the smaller one changes the force jumps. Tensors that are symmetric in each quadrant leave no gap there
    // (the power's derivative along the circle is twice the force across), so a slip always exists; tensors with a
    // rotational part may leave one, and then there is no slip that is aligned.
    let (solved, gaps) = (Cell::new(0), Cell::new(0));
    check("resolve minimum", (touch(), 0.1..10.0f64, 0.0..6.3f64, 0.0..3.0f64), |(touch, load, angle, size)| {
        let rule = touch.rule(TensorComposition::Minimum);
        let trial = DVec2::from_angle(angle) * (size * load * strength(&rule).max(0.01));
        if rule.reaches(load, trial) || scan_finds_a_slip(&touch, load, trial) {
            solved.set(solved.get() + 1);
            check_resolved(&rule, load, trial)?;
        } else {
            gaps.set(gaps.get() + 1);
            let symmetric = |m: [[f64; 2]; 2]| m[0][1] == m[1][0];
            prop_assert!(!touch.rows.iter().flatten().all(|m| symmetric(*m)), "symmetric tensors leave no gap");
            let f = rule.resolve(load, trial);
            prop_assert!(f.dot(f - trial) <= 1e-9 * trial.length_squared(), "drives");
        }
        Ok(())
    });
    println!("{} solved, {} gaps", solved.get(), gaps.get());
    assert!(solved.get() > 800 && gaps.get() < 100);
}

#[test]
fn the_jump_between_two_tensors_is_no_slip() {
    // Both tensors resist 0.6 at 45 degrees, with forces that lean to either side: no slip is aligned with the jump.
    let touch = aligned([[0.2, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 0.2]]);
    let rule = touch.rule(TensorComposition::Minimum);
    for i in 0..400 {
        let trial = DVec2::from_angle(TAU * f64::from(i) / 400.0) * (0.8 + 0.01 * f64::from(i % 50));
        check_resolved(&rule, 1.0, trial).unwrap();
    }
}

#[test]
fn isotropic_tensors_are_the_disk() {
    for mu in [0.0, 1e-3, 0.4, 5.0] {
        let m = [[mu, 0.0], [0.0, mu]];
        for composition in [HALF, TensorComposition::Minimum] {
            let (rule, disk) = (aligned(m, m).rule(composition), Disk::new(mu).unwrap());
            for i in 0..200 {
                let trial = DVec2::from_angle(0.7 * f64::from(i)) * (0.02 * f64::from(i) * mu.max(0.1));
                let expected = disk.project(2.0, Tangential::planar(trial)).plane;
                let f = rule.resolve(2.0, trial);
                assert!((f - expected).length() <= 1e-14 * trial.length(), "{f} and {expected}, mu {mu}");
            }
        }
    }
}

#[test]
fn singular_tensors_brake_along_their_line_alone() {
    // Rank one: only slip along x is braked, so only forces along x are within reach.
    let ridge = aligned([[0.6, 0.0], [0.0, 0.0]], [[0.6, 0.0], [0.0, 0.0]]).rule(HALF);
    let coefficients = [DVec2::X, DVec2::Y, DVec2::from_angle(TAU / 8.0)].map(|d| ridge.coefficient(d));
    assert!((coefficients[0] - 0.6).abs() <= 1e-15 && coefficients[1] == 0.0 && (coefficients[2] - 0.3).abs() <= 1e-15);
    assert!(ridge.reaches(2.0, DVec2::X * 1.19) && !ridge.reaches(2.0, DVec2::X * 1.21));
    assert!(!ridge.reaches(2.0, DVec2::Y * 1e-6) && ridge.reaches(2.0, DVec2::ZERO));
    assert_eq!(ridge.resolve(2.0, DVec2::X * -0.5), DVec2::X * -0.5);
    check_resolved(&ridge, 2.0, DVec2::new(0.5, 0.2)).unwrap();
    let free = aligned([[0.0; 2]; 2], [[0.0; 2]; 2]).rule(HALF);
    assert!(free.reaches(2.0, DVec2::ZERO) && !free.reaches(2.0, DVec2::X));
    // (The force may be what is left of the trial by subtraction: a bit of it.)
    assert!(free.resolve(2.0, DVec2::new(0.3, -0.4)).length() <= 2.0 * f64::EPSILON);
    assert_eq!(free.force(2.0, DVec2::X), DVec2::ZERO);
    // Without load nothing is within reach but nothing.
    assert!(!ridge.reaches(0.0, DVec2::X) && ridge.reaches(0.0, DVec2::ZERO));
    assert!(ridge.resolve(0.0, DVec2::X).length() <= 2.0 * f64::EPSILON);
}
