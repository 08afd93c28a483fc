//! Free rotation: the orientation of a body whose angular momentum L does not change.
//!
//! q̇ = ½ ω q with ω = I(q)⁻¹ L. Fourth order, by exponentials alone (Celledoni, Marthinsen and Owren 2003, the
//! commutator-free method of order 4): a body that turns about one axis is turned exactly, L is kept exactly because it
//! is a constant of the equation, and the kinetic energy ½ L·ω to the order of the method.
//!
//! A body with an axis of symmetry a, I₀⁻¹ = α 1 + β a aᵀ, has ω = α L + β ℓ R a, and ℓ = L·R a does not change: its
//! free rotation is R(t) = exp(t α L) R exp(t β ℓ a), exactly.

use glam::{DMat3, DQuat, DVec3};

use crate::body::{Inertia, Symmetry};

/// Largest angle of a substep: the local error is of order angle⁵/1000, about 1e-11.
const ANGLE: f64 = 0.03;

/// Most substeps: a body that turns faster than two turns a step is not resolved anyway.
const MOST: f64 = 512.0;

/// Inertia of a point mass at an arm from the centre, m (|a|² 1 − a aᵀ): sums of it are those of bodies made of vertices.
pub(super) fn point_inertia(mass: f64, arm: DVec3) -> DMat3 {
    let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
    (DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - outer) * mass
}

/// The rotation vector that turns one orientation into another, the short way.
pub(super) fn turn(from: DQuat, to: DQuat) -> DVec3 {
    let by = to * from.conjugate();
    // Precise for the smallest turns, where the angle by an arc cosine is not.
    let (s, c) = (by.xyz().length(), by.w);
    if s == 0.0 {
        return DVec3::ZERO;
    }
    let angle = 2.0 * if c < 0.0 { (-s).atan2(-c) } else { s.atan2(c) };
    by.xyz() * (angle / s)
}

/// The orientation after a time h.
pub(super) fn turned(inertia: &Inertia, rotation: DQuat, momentum: DVec3, h: f64) -> DQuat {
    if momentum == DVec3::ZERO {
        return rotation;
    }
    if let Some(Symmetry { axis, across, extra }) = inertia.symmetry() {
        let along = momentum.dot(rotation * axis);
        let turn = DQuat::from_scaled_axis(momentum * (across * h)) * rotation;
        let spin = extra * along * h;
        return if spin == 0.0 { turn } else { turn * DQuat::from_scaled_axis(axis * spin) }.normalize();
    }
    let omega = |q: DQuat| inertia.angular_velocity(q, momentum);
    let k1 = omega(rotation);
    // |ω| can grow to |L|/I_min within the step; its value at the start is good enough to choose how many substeps.
    let count = (k1.length() * h.abs() / ANGLE).ceil().clamp(1.0, MOST);
    let h = h / count;
    let mut q = rotation;
    for _ in 0..count as usize {
        q = substep(&omega, q, h);
    }
    q.normalize()
}

fn substep(omega: &impl Fn(DQuat) -> DVec3, q: DQuat, h: f64) -> DQuat {
    let exp = |w: DVec3| DQuat::from_scaled_axis(w * h);
    let k1 = omega(q);
    let half = exp(k1 * 0.5) * q;
    let k2 = omega(half);
    let k3 = omega(exp(k2 * 0.5) * q);
    let k4 = omega(exp(k3 - k1 * 0.5) * half);
    let first = exp((3.0 * k1 + 2.0 * k2 + 2.0 * k3 - k4) / 12.0);
    let second = exp((-k1 + 2.0 * k2 + 2.0 * k3 + 3.0 * k4) / 12.0);
    second * first * q
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::MassProperties;
    use glam::DMat3;

    fn inertia(diagonal: DVec3) -> Inertia {
        Inertia::new(&MassProperties { mass: 1.0, centre: DVec3::ZERO, inertia: DMat3::from_diagonal(diagonal) })
            .unwrap()
    }

    #[test]
    fn a_turn_about_a_principal_axis_is_exact() {
        let body = inertia(DVec3::new(1.0, 2.0, 3.0));
        let start = DQuat::from_rotation_x(0.4);
        let spin = start * DVec3::Y * 7.0;
        let end = turned(&body, start, body.momentum(start, spin), 0.3);
        let exact = DQuat::from_scaled_axis(spin * 0.3) * start;
        assert!(end.angle_between(exact) < 1e-7 && (end - exact).length().min((end + exact).length()) < 1e-13);
    }

    #[test]
    fn a_symmetric_top_precesses_as_in_the_closed_form() {
        // Torque free, inertia (A, C, A) about y: ω_y is constant and ω precesses about the symmetry axis, in the body,
        // with (C − A)/A ω_y; in the world the symmetry axis turns about L with |L|/A. The second body is not quite
        // symmetric: it takes the method for all bodies, in two thousand substeps of 1e-11.
        for (off, within) in [(0.0, 1e-12), (1e-11, 2e-8)] {
            precesses(off, within);
        }
    }

    fn precesses(off: f64, within: f64) {
        let (a, c) = (1.0, 1.7);
        let body = inertia(DVec3::new(a, c, a + off));
        assert_eq!(body.symmetry().is_some(), off == 0.0);
        let spin = DVec3::new(2.0, 5.0, 0.0);
        let momentum = body.momentum(DQuat::IDENTITY, spin);
        let mut q = DQuat::IDENTITY;
        let (h, steps) = (0.01, 300);
        for _ in 0..steps {
            q = turned(&body, q, momentum, h);
        }
        let axis = momentum.normalize();
        let time = h * f64::from(steps);
        let precession = DQuat::from_axis_angle(axis, momentum.length() / a * time);
        assert!((q * DVec3::Y - precession * DVec3::Y).length() < within, "{} {precession}", q * DVec3::Y);
        // Seen from the precessing axes the body turns about its own axis with ω_y (1 − C/A).
        let own = DQuat::from_rotation_y(spin.y * (1.0 - c / a) * time);
        let error = (q * DVec3::X - precession * (own * DVec3::X)).length();
        assert!(error < within, "{off}: {error}");
    }

    #[test]
    fn a_tumbling_box_keeps_its_energy() {
        let body = inertia(DVec3::new(1.0, 2.0, 2.9));
        let spin = DVec3::new(0.01, 9.0, 0.02);
        let momentum = body.momentum(DQuat::IDENTITY, spin);
        let energy = |q: DQuat| 0.5 * momentum.dot(body.angular_velocity(q, momentum));
        let first = energy(DQuat::IDENTITY);
        let mut q = DQuat::IDENTITY;
        let mut turned_over = false;
        for _ in 0..2000 {
            q = turned(&body, q, momentum, 0.01);
            turned_over |= (q.conjugate() * momentum).y < 0.0;
            assert!((energy(q) / first - 1.0).abs() < 1e-8);
        }
        assert!(turned_over, "the middle axis is unstable: the box turns over");
    }
}
