//! The curves of one variable: derivatives against finite differences, quotients, continuity, peaks.

use asperity_friction::curve::{Mollifier, Profile, StaticKineticCurve, Transition};

const EPS: [f64; 3] = [1e-5, 1e-2, 1.0];
const COEFFICIENTS: [[f64; 2]; 6] = [[0.5, 0.3], [0.6, 0.4], [0.3, 0.3], [0.2, 0.6], [0.4, 0.0], [0.0, 0.5]];

/// The five functions of a profile, with its ε, the size of its coefficients and whether the slope is C1 at 2ε.
struct Curve {
    name: String,
    f: [Box<dyn Fn(f64) -> f64>; 5],
    eps: f64,
    mu: f64,
    smooth_end: bool,
}

fn boxed<P: Profile + Copy + 'static>(name: String, p: P, eps: f64, mu: f64) -> Curve {
    let f: [Box<dyn Fn(f64) -> f64>; 5] = [
        Box::new(move |y| p.value(y)),
        Box::new(move |y| p.slope(y)),
        Box::new(move |y| p.bend(y)),
        Box::new(move |y| p.slope_over_speed(y)),
        Box::new(move |y| p.bend_excess(y)),
    ];
    Curve { name, f, eps, mu, smooth_end: true }
}

fn adhesion(name: String, c: StaticKineticCurve, eps: f64, mu: f64) -> Curve {
    let f: [Box<dyn Fn(f64) -> f64>; 5] = [
        Box::new(move |y| c.adhesion_value(y)),
        Box::new(move |y| c.adhesion_slope(y)),
        Box::new(move |y| c.adhesion_bend(y)),
        Box::new(move |y| c.adhesion_slope_over_speed(y)),
        Box::new(move |y| c.adhesion_bend_excess(y)),
    ];
    Curve { name, f, eps, mu, smooth_end: false }
}

fn curves() -> Vec<Curve> {
    let mut all = Vec::new();
    for eps in EPS {
        all.push(boxed(format!("mollifier {eps}"), Mollifier::new(eps).unwrap(), eps, 1.0));
        for [s, k] in COEFFICIENTS {
            for transition in [Transition::Ipc, Transition::Peak] {
                let c = StaticKineticCurve::new(s, k, eps, transition).unwrap();
                let name = format!("{transition:?} {s} {k} {eps}");
                all.push(boxed(name.clone(), c, eps, s.max(k)));
                all.push(adhesion(format!("adhesion {name}"), c, eps, s.max(k)));
            }
        }
    }
    all
}

/// Speeds in units of ε: a grid from rest to well beyond the last breakpoint.
fn grid() -> impl Iterator<Item = f64> {
    (1..=600).map(|i| f64::from(i) * 0.005 + 0.00123)
}

#[test]
fn derivatives_match_finite_differences() {
    // Truncation h²/6 times the third derivative (at most about 100 in these units), round-off 1e-16/h.
    let h = 1e-5;
    let mut tried = 0;
    for c in curves() {
        for x in grid() {
            let central = |f: &dyn Fn(f64) -> f64| {
                (f((x + h) * c.eps) - f((x - h) * c.eps)) / (((x + h) * c.eps) - ((x - h) * c.eps))
            };
            let y = x * c.eps;
            let (slope, bend) = (central(&c.f[0]), central(&c.f[1]));
            assert!((slope - c.f[1](y)).abs() <= 1e-8 * c.mu, "{}: slope {slope} at {x}", c.name);
            assert!((bend - c.f[2](y)).abs() <= 1e-7 * c.mu / c.eps, "{}: bend {bend} at {x}", c.name);
            tried += 1;
        }
    }
    assert_eq!(tried, 3 * 25 * 600);
}

#[test]
fn quotients_are_the_divisions_they_replace() {
    for c in curves() {
        let mut at: Vec<f64> = grid().collect();
        at.extend([1e-3, 0.5, 1.0, 2.0, 2.5, 10.0]);
        for x in at {
            let y = x * c.eps;
            let (slope, bend) = (c.f[1](y), c.f[2](y));
            assert!((c.f[3](y) - slope / y).abs() <= 1e-14 * c.mu / y, "{} at {x}", c.name);
            // The direct difference cancels: its error is a few bits of its terms.
            let (direct, terms) = ((bend * y - slope) / y.powi(3), (bend.abs() * y + slope.abs()) / y.powi(3));
            assert!((c.f[4](y) - direct).abs() <= 1e-14 * terms.max(c.mu / y.powi(3)), "{} at {x}", c.name);
        }
    }
}

#[test]
fn everything_is_continuous_at_rest_and_at_the_breakpoints() {
    for c in curves() {
        let scale = [c.mu * c.eps, c.mu, c.mu / c.eps, c.mu / c.eps];
        let tiny = 1e-9;
        // bend and slope/speed share their limit at rest.
        assert!((c.f[2](0.0) - c.f[3](0.0)).abs() <= 1e-14 * scale[2], "{}", c.name);
        assert_eq!(c.f[1](0.0), 0.0);
        for (i, size) in scale.into_iter().enumerate() {
            let jump = (c.f[i](tiny * c.eps) - c.f[i](0.0)).abs();
            assert!(jump <= 10.0 * tiny * size, "{}: {i} jumps by {jump} at rest", c.name);
            for x in [0.5, 1.0, 2.0] {
                let jump = (c.f[i]((x + tiny) * c.eps) - c.f[i]((x - tiny) * c.eps)).abs();
                if i == 2 && x == 2.0 && !c.smooth_end {
                    // Adhesion ends with a kink of its force, as the Toolkit's does: from -2 mu_k/eps to nothing.
                    assert_eq!(c.f[2](2.0 * c.eps), 0.0);
                    let before = c.f[2]((2.0 - tiny) * c.eps);
                    let slide = c.f[3](1.9999 * c.eps) / 1e-4;
                    assert!((before + 2.0 * slide).abs() <= 1e-3 * size, "{}: ends with {before}", c.name);
                    continue;
                }
                assert!(jump <= 100.0 * tiny * size, "{}: {i} jumps by {jump} at {x}", c.name);
            }
        }
    }
}

fn peak(mu_s: f64, mu_k: f64, transition: Transition) -> f64 {
    let c = StaticKineticCurve::new(mu_s, mu_k, 0.25, transition).unwrap();
    (0..=400_000).map(|i| c.slope(f64::from(i) * 2.5e-6)).fold(0.0, f64::max)
}

#[test]
fn ours_peaks_at_the_static_coefficient_and_theirs_does_not() {
    for [s, k] in COEFFICIENTS.into_iter().filter(|[s, k]| k <= s) {
        assert_eq!(peak(s, k, Transition::Peak), s);
    }
    // Rising from static to kinetic there is no peak: it ends at mu_k.
    assert_eq!(peak(0.2, 0.6, Transition::Peak), 0.6);
    let theirs = [peak(0.5, 0.3, Transition::Ipc), peak(0.6, 0.4, Transition::Ipc)];
    println!("peaks of the Toolkit's law {theirs:?}");
    assert!((theirs[0] - 0.306).abs() <= 5e-4 && (theirs[1] - 0.400).abs() <= 5e-4, "{theirs:?}");
}

#[test]
fn without_a_drop_ours_is_the_mollifier() {
    for eps in EPS {
        // The same formulas in another order: a few bits.
        let (mu, f) = (0.37, Mollifier::new(eps).unwrap());
        let c = StaticKineticCurve::new(mu, mu, eps, Transition::Peak).unwrap();
        for x in grid() {
            let y = x * eps;
            let pairs = [
                (c.value(y), f.value(y)),
                (c.slope(y), f.slope(y)),
                (c.bend(y), f.bend(y)),
                (c.slope_over_speed(y), f.slope_over_speed(y)),
                (c.bend_excess(y), f.bend_excess(y)),
            ];
            for (i, (ours, plain)) in pairs.into_iter().enumerate() {
                assert!((ours - mu * plain).abs() <= 1e-15 * (mu * plain).abs(), "{i} at {x}: {ours}");
            }
        }
    }
}

#[test]
fn at_high_speed_the_potential_is_that_of_kinetic_friction() {
    for [s, k] in COEFFICIENTS {
        for transition in [Transition::Ipc, Transition::Peak] {
            let c = StaticKineticCurve::new(s, k, 0.1, transition).unwrap();
            for y in [0.2, 0.21, 3.0] {
                assert_eq!(c.value(y), k * y);
                assert_eq!((c.slope(y), c.bend(y), c.mu(y)), (k, 0.0, k));
            }
            assert_eq!(c.mu(0.0), s);
        }
    }
}
