//! The references of scenes whose friction depends on the state (slip speed, load) or on tensors: one body, integrated with the classical Runge-Kutta method or solved
//! for here. Nothing of the simulator and of the friction laws is used for a reference.

mod reference;

use asperity::run::Run;
use asperity::scene::Document;
use glam::{DMat2, DVec2};
use reference::{document, expected, runge_kutta};

const GRAVITY: f64 = 9.81;

/// Speed and path of dv/dt = drive − f(v) after t, from v0; what stops stays.
fn braked(f: impl Fn(f64) -> f64, v0: f64, t: f64) -> (f64, f64) {
    let steps = 100_000;
    let h = t / f64::from(steps);
    let mut y = [0.0, v0];
    for _ in 0..steps {
        let next = runge_kutta(|y: &[f64; 2]| [y[1], -f(y[1].max(0.0))], &y, h);
        if next[1] <= 0.0 && f(0.0) >= 0.0 {
            // The last part of a step, on the parabola.
            return (0.0, y[0] + 0.5 * y[1] * y[1] / f(0.0));
        }
        y = next;
    }
    (y[1], y[0])
}

/// Speeds and path of the slab with another step.
fn slab(document: &Document, variant: Option<&str>, dt: &str, at: f64) -> (f64, f64) {
    let scene = document.scene(variant, &[("time.dt".into(), dt.into())]).unwrap();
    let body = scene.model.bodies.iter().position(|body| body.name == "slab").unwrap();
    let mut run = Run::new(scene).unwrap();
    let start = run.state().bodies[body].frame().centre;
    let mut speed = f64::NAN;
    while !run.is_done() {
        run.step().unwrap();
        if (run.state().time - at).abs() < 1e-9 {
            speed = run.state().bodies[body].frame().velocity.x;
        }
    }
    (speed, run.state().bodies[body].frame().centre.x - start.x)
}

#[test]
fn stribeck_slabs_meet_the_integrated_law_and_converge() {
    let document = document("analytic/stribeck.toml");
    // Variant, μ over 0.2, speed at the start, drive and normal acceleration, moments of `early` and of `distance`.
    type Case = (Option<&'static str>, fn(f64) -> f64, f64, [f64; 2], [f64; 2]);
    let (flat, slope) = ([0.0, GRAVITY], [GRAVITY * 20f64.to_radians().sin(), GRAVITY * 20f64.to_radians().cos()]);
    let cases: [Case; 5] = [
        (None, |v| 1.0 + (-v / 0.5).exp(), 1.5, flat, [0.3, 1.0]),
        (Some("lubricated"), |v| 1.0 + (-(v / 0.5) * (v / 0.5)).exp() + 0.3 * v, 1.5, flat, [0.3, 1.0]),
        (Some("viscous"), |v| 1.0 + 0.5 * v, 1.5, flat, [0.3, 1.0]),
        (Some("coulomb"), |_| 1.0, 1.5, flat, [0.3, 1.0]),
        (Some("terminal"), |v| 1.0 + 2.0 * v, 0.0, slope, [0.25, 2.0]),
    ];
    for (variant, mu, v0, [drive, normal], [early, end]) in cases {
        let f = |v: f64| normal * 0.2 * mu(v) - drive;
        let ((speed, _), (_, path)) = (braked(f, v0, early), braked(f, v0, end));
        let scene = document.scene(variant, &[]).unwrap();
        let stated = [expected(&scene, "early"), expected(&scene, "distance")];
        assert!((stated[0] - speed).abs() < 1e-7 && (stated[1] - path).abs() < 1e-7, "{variant:?}: {speed} {path}");
        if variant == Some("coulomb") || variant == Some("terminal") {
            continue;
        }
        let errors = ["0.004", "0.002", "0.001"].map(|dt| (slab(&document, variant, dt, early).0 - speed).abs());
        // A method of first order halves its error with the step.
        assert!(errors[1] < 0.55 * errors[0] && errors[2] < 0.55 * errors[1], "{variant:?}: {errors:?}");
    }
}

/// F/m of a slab on four points whose friction force is 0.4 n (n/n0)^(−1/3) each, front ones loaded more by its own braking: F h = N e L.
#[test]
fn slabs_with_a_power_of_the_load_meet_their_balance() {
    let document = document("analytic/load_power.toml");
    let scene = document.scene(Some("slabs"), &[]).unwrap();
    for (name, mass) in [("light", 1.0), ("middle", 8.0), ("heavy", 64.0)] {
        let weight = mass * GRAVITY;
        let force = |e: f64| {
            let one = |n: f64| 0.4 * n * (n / (GRAVITY / 4.0)).powf(-1.0 / 3.0);
            2.0 * one(weight / 4.0 * (1.0 + e)) + 2.0 * one(weight / 4.0 * (1.0 - e))
        };
        let e = (0..100).fold(0.0, |e, _| force(e) * 0.02 / (weight * 0.3));
        let braking = force(e) / mass;
        let path = format!("{name}_path");
        assert!((expected(&scene, name) - (2.0 - 0.14 * braking)).abs() < 1e-8, "{name}: {braking}");
        assert!((expected(&scene, &path) - 2.0 / braking).abs() < 1e-8, "{name}: {braking}");
    }
}

/// Place after t on a slope of 30° of a body that starts from rest; `friction` is the force for each unit of the normal force at a slip direction. At rest the slip has no direction
/// yet: steps grow with the time, so that it bends into its own.
fn from_rest(friction: impl Fn(DVec2) -> DVec2, t: f64) -> DVec2 {
    let (drive, normal) = (GRAVITY * 0.5, GRAVITY * 0.75f64.sqrt());
    let f = |y: &[f64; 4]| {
        let v = DVec2::new(y[2], y[3]);
        let a = DVec2::X * drive + normal * friction(v.normalize());
        [v.x, v.y, a.x, a.y]
    };
    let mut now = 1e-9;
    let mut y = [0.0, 0.0, 2.0 * now, 0.0];
    while now < t {
        let h = (0.001 * now).min(1e-4).min(t - now);
        y = runge_kutta(f, &y, h);
        now += h;
    }
    DVec2::new(y[0], y[1])
}

#[test]
fn tensors_on_the_slope_meet_the_rule_and_the_cone() {
    let document = document("analytic/tensor_incline.toml");
    // In (x, z) of the world: the bitangent of a tangent t on a floor is y × t, so (z, −x) for (x, z).
    let frame = |t: DVec2| DMat2::from_cols(t, DVec2::new(t.y, -t.x));
    let askew = frame(DVec2::new(1.0, 1.0).normalize());
    let symmetric = askew * DMat2::from_diagonal(DVec2::new(0.2, 0.6)) * askew.transpose();
    let straight = frame(DVec2::X);
    let skew = straight * DMat2::from_cols(DVec2::new(0.3, -0.15), DVec2::new(0.15, 0.3)) * straight.transpose();
    let rule = |l: DMat2| move |v: DVec2| -(l * v);
    // Maximum dissipation on L{|v| ≤ 1}: the support point in the direction −v is −L Lᵀ v / |Lᵀ v|.
    let cone = |l: DMat2| move |v: DVec2| -(l * l.transpose() * v) / (l.transpose() * v).length();
    let cases = [
        (None, from_rest(rule(symmetric), 1.0)),
        (Some("cone"), from_rest(cone(symmetric), 1.0)),
        (Some("skew"), from_rest(rule(skew), 1.0)),
        (Some("skew_cone"), from_rest(cone(skew), 1.0)),
    ];
    for (variant, place) in cases {
        let scene = document.scene(variant, &[]).unwrap();
        let stated = DVec2::new(expected(&scene, "downhill"), expected(&scene, "lateral"));
        assert!((stated - place).length() < 1e-6, "{variant:?}: the scene says {stated}, the reference is {place}");
    }
}

/// Static friction holds what rests in steps so long that a slab which slid through one would be far above the speed of the transition: both are solutions of such a step.
#[test]
fn what_rests_stays_at_rest_whatever_the_step() {
    let document = document("analytic/static_kinetic.toml");
    for dt in ["0.02", "0.01", "0.005"] {
        let scene = document.scene(None, &[("time.dt".into(), dt.into()), ("time.end".into(), "0.2".into())]).unwrap();
        let body = scene.model.bodies.iter().position(|body| body.name == "rests").unwrap();
        let mut run = Run::new(scene).unwrap();
        let start = run.state().bodies[body].frame().centre;
        while !run.is_done() {
            run.step().unwrap();
        }
        let moved = (run.state().bodies[body].frame().centre - start).length();
        assert!(moved < 1e-6, "{moved} m with steps of {dt} s");
    }
}
