//! The references of scenes that have no closed form: ordinary differential equations of one body, integrated here with the classical Runge-Kutta method.
//!
//! Nothing of the simulator is used for a reference. Friction by maximum dissipation on the ellipse with axes (t, b) and semi-axes (μ_t, μ_b): for each unit of
//! the normal force, f = −(μ_t² u_t t + μ_b² u_b b) / √(μ_t² u_t² + μ_b² u_b²), u the slip.

mod reference;

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

use asperity::run::Run;
use glam::{DVec2, DVec3};
use reference::{document, expected, runge_kutta};

/// Friction for each unit of normal force on a plane with semi-axes (0.1, 0.5) along (x, z).
fn elliptic(v: DVec2) -> DVec2 {
    let mu = DVec2::new(0.1, 0.5);
    -(mu * mu * v) / (mu * v).length()
}

/// Where a slider is after t seconds, and how long its path is.
fn slide(velocity: DVec2, drive: DVec2, normal: f64, t: f64) -> (DVec2, f64) {
    let f = |y: &[f64; 5]| {
        let v = DVec2::new(y[2], y[3]);
        let a = drive + normal * elliptic(v);
        [v.x, v.y, a.x, a.y, v.length()]
    };
    let steps = 20_000;
    let start = [0.0, 0.0, velocity.x, velocity.y, 0.0];
    let end = (0..steps).fold(start, |y, _| runge_kutta(f, &y, t / f64::from(steps)));
    (DVec2::new(end[0], end[1]), end[4])
}

#[test]
fn elliptic_slides_meet_maximum_dissipation_and_converge() {
    let document = document("analytic/elliptic_slide.toml");
    let variants = document.variants().into_iter().map(Some).chain([None]);
    for variant in variants {
        let scene = document.scene(variant, &[]).unwrap();
        let slab = scene.model.bodies.iter().position(|body| body.name == "slab").unwrap();
        let (v, g) = (scene.state.bodies[slab].frame().velocity, scene.model.gravity);
        let (place, path) = slide(DVec2::new(v.x, v.z), DVec2::new(g.x, g.z), -g.y, scene.time.end);
        // The scene states seven digits.
        let stated = DVec2::new(expected(&scene, "along"), expected(&scene, "across"));
        assert!((stated - place).length() < 2e-6, "{variant:?}: the scene says {stated}, the reference is {place}");
        let error = |dt: &str| {
            let scene = document.scene(variant, &[("time.dt".into(), dt.into())]).unwrap();
            let mut run = Run::new(scene).unwrap();
            let start = run.state().bodies[slab].frame().centre;
            while !run.is_done() {
                run.step().unwrap();
            }
            let moved = run.state().bodies[slab].frame().centre - start;
            (DVec2::new(moved.x, moved.z) - place).length() / path
        };
        let errors = ["0.002", "0.001", "0.0005"].map(error);
        assert!(errors[1] < 1e-3, "{variant:?}: {errors:?} of the path");
        // A method of first order halves its error with the step.
        assert!(errors[1] < 0.6 * errors[0] && errors[2] < 0.6 * errors[1], "{variant:?}: {errors:?} of the path");
    }
}

/// The cylinder of `rolling_cylinder` on its plane, in the plane's frame: x uphill, y the normal, z lateral. It stays on the plane with both ends, so that its
/// freedoms are x, z, the heading ψ of its axis a = (sin ψ, 0, cos ψ) and the spin φ about it. Its angular momentum is I_t ψ' n + I_a φ' a, whose part along
/// p = n × a changes with I_a φ' ψ'. That and the weight give the normal forces of the two ends.
struct Cylinder {
    /// Grain of the plane, unit.
    grain: DVec3,
    gravity: f64,
}

impl Cylinder {
    const RADIUS: f64 = 0.5;
    const LENGTH: f64 = 1.0;

    /// Axes and semi-axes of the ellipse for two unit grains: around the cylinder, and the plane's.
    fn ellipse(&self, around: DVec3) -> (DVec3, [f64; 2]) {
        let (mu, along, across) = (0.2, 0.2, 3.0);
        let cosine = around.dot(self.grain);
        let d = 1.0 - FRAC_2_PI * cosine.abs().min(1.0).acos();
        let mean = (around + self.grain * 1f64.copysign(cosine)).normalize();
        (mean, [d * along + (1.0 - d) * mu, d * across + (1.0 - d) * mu])
    }

    /// Rates of (x, z, ψ, x', z', ψ', φ'), for a mass of 1.
    fn rates(&self, y: &[f64; 7]) -> [f64; 7] {
        let (axial, across) = (0.5 * Self::RADIUS.powi(2), (3.0 * Self::RADIUS.powi(2) + Self::LENGTH.powi(2)) / 12.0);
        let (n, a) = (DVec3::Y, DVec3::new(y[2].sin(), 0.0, y[2].cos()));
        let p = n.cross(a);
        let (v, w) = (DVec3::new(y[3], 0.0, y[4]), n * y[5] + a * y[6]);
        let (t, [mu_t, mu_b]) = self.ellipse(p);
        let b = n.cross(t);
        let arms = [0.5, -0.5].map(|s| a * (s * Self::LENGTH) - n * Self::RADIUS);
        // For each unit of normal force: force and torque of an end.
        let forces = arms.map(|arm| {
            let u = v + w.cross(arm);
            let (u_t, u_b) = (u.dot(t), u.dot(b));
            n - (t * (mu_t * mu_t * u_t) + b * (mu_b * mu_b * u_b)) / (mu_t * u_t).hypot(mu_b * u_b)
        });
        let torques: [DVec3; 2] = std::array::from_fn(|i| arms[i].cross(forces[i]));
        let weight = self.gravity * FRAC_1_SQRT_2;
        let turn = axial * y[5] * y[6];
        // N1 + N2 = weight; N1 τ1·p + N2 τ2·p = turn.
        let [q1, q2] = torques.map(|torque| torque.dot(p));
        let first = (turn - weight * q2) / (q1 - q2);
        let load = [first, weight - first];
        assert!(load.iter().all(|n| *n > 0.0), "an end lifts off");
        let force = forces[0] * load[0] + forces[1] * load[1];
        let torque = torques[0] * load[0] + torques[1] * load[1];
        [y[3], y[4], y[5], force.x - weight, force.z, torque.dot(n) / across, torque.dot(a) / axial]
    }

    /// After a second from rest. At rest the slip has no direction yet: the start is a moment later, with accelerations [x'', z'', φ''] near the right ones and steps that grow
    /// with the time; in these the slip bends into its direction.
    fn after_a_second(&self, [x, z, spin]: [f64; 3]) -> [f64; 7] {
        let mut t: f64 = 1e-8;
        let mut y = [0.0, 0.0, 0.0, x * t, z * t, 0.0, spin * t];
        while t < 1.0 {
            let h = (0.001 * t).min(1e-4).min(1.0 - t);
            y = runge_kutta(|y| self.rates(y), &y, h);
            t += h;
        }
        y
    }
}

#[test]
fn the_cylinder_that_skids_off_sideways_is_that_of_two_contacts() {
    let grain = DVec3::new(1.0, 0.0, 1.0).normalize();
    let y = Cylinder { grain, gravity: 9.82 }.after_a_second([-5.2, -0.6, 7.0]);
    let scene = document("matchstick/rolling_cylinder.toml").scene(Some("001-101"), &[]).unwrap();
    for (name, value) in [("downhill", -y[0]), ("lateral", y[1]), ("spin", y[6])] {
        let stated = expected(&scene, name);
        assert!(
            (stated - value).abs() < 1e-5 * value.abs(),
            "{name}: the scene says {stated}, the reference is {value}"
        );
    }
    // The same equations without steering have a closed form: g (sin − 0.2 cos)/2, and a spin of 2 · 0.2 g cos/R.
    let straight = Cylinder { grain: DVec3::X, gravity: 9.82 }.after_a_second([-5.5, 0.0, 5.5]);
    assert!((straight[0] + 0.4 * 9.82 * FRAC_1_SQRT_2).abs() < 1e-6, "{straight:?}");
    assert!((straight[6] - 0.8 * 9.82 * FRAC_1_SQRT_2).abs() < 1e-6, "{straight:?}");
}
