//! The rigid motion that is nearest to the motion of a set of points.
//!
//! With weights w_i, X_i at rest and x_i now, weighted means X̄ and x̄: the rotation R that minimises Σ w_i |x_i − x̄ − R (X_i − X̄)|² is the unit quaternion q that
//! maximises qᵀ N q, N the symmetric 4 × 4 matrix made of S = Σ w_i (X_i − X̄)(x_i − x̄)ᵀ (Horn 1987, section 4). The velocity is the mean one; the angular
//! velocity ω minimises Σ w_i |v_i − v̄ − ω × (x_i − x̄)|²: I ω = Σ w_i (x_i − x̄) × v_i with I = Σ w_i (|d|² 1 − d dᵀ). With masses as weights, momentum and angular
//! momentum about the centre of mass are those of the points.

use glam::{DMat3, DQuat, DVec3};

use super::state::RigidState;

/// Sweeps of Jacobi's method: it converges quadratically, and 4 × 4 matrices need five or six to rounding.
const SWEEPS: usize = 16;

/// Points on a line have an inertia without inverse: a fraction of its trace is added, so that the spin about the line is zero instead of undefined.
const LINE: f64 = 1e-12;

/// Points that move: at rest in the body's frame; places and velocities in the world.
#[derive(Clone, Copy)]
pub(super) struct Points<'a> {
    pub(super) rest: &'a [DVec3],
    pub(super) positions: &'a [DVec3],
    pub(super) velocities: &'a [DVec3],
}

/// The rigid motion nearest to that of points, with the weight of each. Its centre is where the body's origin goes to: R (0 − X̄) + x̄.
pub(super) fn fit(points: Points, weight: impl Fn(usize) -> f64) -> RigidState {
    let Points { rest, positions, velocities } = points;
    let total = 1.0 / (0..rest.len()).map(&weight).sum::<f64>();
    let mean = |points: &[DVec3]| points.iter().enumerate().map(|(i, x)| weight(i) * *x).sum::<DVec3>() * total;
    let (rest_mean, now, velocity) = (mean(rest), mean(positions), mean(velocities));
    let mut s = DMat3::ZERO;
    let mut inertia = DMat3::ZERO;
    let mut momentum = DVec3::ZERO;
    for (i, ((x0, x), v)) in rest.iter().zip(positions).zip(velocities).enumerate() {
        let (from, to, w) = (*x0 - rest_mean, *x - now, weight(i));
        s += outer(w * from, to);
        inertia += w * (DMat3::from_diagonal(DVec3::splat(to.length_squared())) - outer(to, to));
        momentum += w * to.cross(*v);
    }
    let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
    let angular_velocity = if trace > 0.0 {
        (inertia + DMat3::from_diagonal(DVec3::splat(LINE * trace))).inverse() * momentum
    } else {
        DVec3::ZERO
    };
    let rotation = rotation(&s);
    let centre = now - rotation * rest_mean;
    RigidState { centre, rotation, velocity: velocity + angular_velocity.cross(centre - now), angular_velocity }
}

/// a bᵀ.
fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The rotation that maximises trace(R S), S = Σ (at rest)(now)ᵀ.
fn rotation(s: &DMat3) -> DQuat {
    let at = |row: usize, col: usize| s.col(col)[row];
    let [sxx, sxy, sxz] = [at(0, 0), at(0, 1), at(0, 2)];
    let [syx, syy, syz] = [at(1, 0), at(1, 1), at(1, 2)];
    let [szx, szy, szz] = [at(2, 0), at(2, 1), at(2, 2)];
    let n = [
        [sxx + syy + szz, syz - szy, szx - sxz, sxy - syx],
        [syz - szy, sxx - syy - szz, sxy + syx, szx + sxz],
        [szx - sxz, sxy + syx, syy - sxx - szz, syz + szy],
        [sxy - syx, szx + sxz, syz + szy, szz - sxx - syy],
    ];
    let [w, x, y, z] = largest_eigenvector(n);
    let q = DQuat::from_xyzw(x, y, z, w);
    // Of q and −q the one with w ≥ 0: the same rotation always has the same numbers.
    let q = if q.w < 0.0 { -q } else { q };
    if q.length_squared() > 0.0 { q.normalize() } else { DQuat::IDENTITY }
}

/// A unit eigenvector of the largest eigenvalue of a symmetric matrix, by Jacobi's rotations in a fixed order.
fn largest_eigenvector(mut a: [[f64; 4]; 4]) -> [f64; 4] {
    let mut v = [[0.0; 4]; 4];
    (0..4).for_each(|i| v[i][i] = 1.0);
    for _ in 0..SWEEPS {
        for p in 0..3 {
            for q in p + 1..4 {
                rotate(&mut a, &mut v, p, q);
            }
        }
    }
    let largest = (0..4).fold(0, |best, i| if a[i][i] > a[best][best] { i } else { best });
    [0, 1, 2, 3].map(|i| v[i][largest])
}

/// One rotation of Jacobi's method: makes a_pq zero.
fn rotate(a: &mut [[f64; 4]; 4], v: &mut [[f64; 4]; 4], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    let turn = |row: &mut [f64; 4]| (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    a.iter_mut().for_each(turn);
    let (above, below) = a.split_at_mut(q);
    for (x, y) in above[p].iter_mut().zip(&mut below[0]) {
        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    }
    v.iter_mut().for_each(turn);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points() -> Vec<DVec3> {
        let at = |i: u32| DVec3::new(f64::from(i % 5) * 0.3, f64::from(i % 3) - 0.7, f64::from(i % 7) * 0.11 + 0.2);
        (0..40).map(at).collect()
    }

    fn equal(rest: &[DVec3], positions: &[DVec3], velocities: &[DVec3]) -> RigidState {
        fit(Points { rest, positions, velocities }, |_| 1.0)
    }

    /// With masses as weights, momentum and angular momentum are those of the points, however they move.
    #[test]
    fn weights_keep_the_momenta() {
        let rest = points();
        let mass = |i: usize| 0.5 + (i % 4) as f64;
        let velocities: Vec<DVec3> = rest.iter().map(|x| DVec3::new(x.y * x.z, 3.0 - x.x, x.x * x.x)).collect();
        let (mut total, mut momentum, mut moment) = (0.0, DVec3::ZERO, DVec3::ZERO);
        for (i, (x, v)) in rest.iter().zip(&velocities).enumerate() {
            total += mass(i);
            moment += mass(i) * *x;
            momentum += mass(i) * *v;
        }
        let found = fit(Points { rest: &rest, positions: &rest, velocities: &velocities }, mass);
        let centre = moment / total;
        let at = |x: DVec3| found.velocity + found.angular_velocity.cross(x - found.centre);
        assert!((at(centre) - momentum / total).length() < 1e-12);
        let spin = |of: &dyn Fn(usize) -> DVec3| -> DVec3 {
            (0..rest.len()).map(|i| mass(i) * (rest[i] - centre).cross(of(i))).sum()
        };
        let (own, rigid) = (spin(&|i| velocities[i]), spin(&|i| at(rest[i])));
        // The inertia is shifted by a fraction LINE of its trace.
        assert!((own - rigid).length() < 1e2 * LINE * own.length(), "{own} {rigid}");
    }

    #[test]
    fn a_rigid_motion_is_found_again() {
        let rest = points();
        let (shift, v, w) = (DVec3::new(3.0, -1.0, 2.0), DVec3::new(0.5, 1.0, -2.0), DVec3::new(-4.0, 1.0, 0.3));
        for angle in [0.0, 0.4, 2.0, 3.1] {
            let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -2.0) / 3.0, angle);
            let now: Vec<DVec3> = rest.iter().map(|x| turn * *x + shift).collect();
            let speeds: Vec<DVec3> = now.iter().map(|x| v + w.cross(*x - shift)).collect();
            let found = equal(&rest, &now, &speeds);
            assert!((found.centre - shift).length() < 1e-13, "{angle}: {}", found.centre);
            assert!((found.rotation * DVec3::X - turn * DVec3::X).length() < 1e-13, "{angle}");
            assert!((found.rotation * DVec3::Y - turn * DVec3::Y).length() < 1e-13, "{angle}");
            // The fraction LINE of the trace is 1e-11 of the least moment here.
            let spin = (found.angular_velocity - w).length();
            assert!((found.velocity - v).length() < 1e-10 && spin < 1e-10, "{angle}: {spin:e}");
        }
    }

    /// No rotation nearby fits deformed points better.
    #[test]
    fn the_rotation_is_the_best_one() {
        let rest = points();
        let bend = |x: &DVec3| DVec3::new(1.2 * x.x + 0.3 * x.y, x.y - 0.2 * x.x * x.x, 0.9 * x.z + 0.4 * x.x);
        let now: Vec<DVec3> = rest.iter().map(bend).collect();
        let found = equal(&rest, &now, &vec![DVec3::ZERO; now.len()]);
        let means = [&rest, &now].map(|list| list.iter().sum::<DVec3>() / list.len() as f64);
        let error = |q: DQuat| -> f64 {
            let off = |(x0, x): (&DVec3, &DVec3)| (*x - means[1] - q * (*x0 - means[0])).length_squared();
            rest.iter().zip(&now).map(off).sum()
        };
        let least = error(found.rotation);
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            for angle in [-1e-3, 1e-3, 0.5, 3.0] {
                assert!(error(DQuat::from_axis_angle(axis, angle) * found.rotation) > least, "{axis} {angle}");
            }
        }
    }

    #[test]
    fn points_on_a_line_and_single_points_have_a_finite_motion() {
        let line: Vec<DVec3> = (0..5).map(|i| DVec3::X * f64::from(i)).collect();
        let spin: Vec<DVec3> = line.iter().map(|x| DVec3::Z.cross(*x)).collect();
        let found = equal(&line, &line, &spin);
        assert!(found.is_finite() && (found.angular_velocity - DVec3::Z).length() < 1e-9);
        let found = equal(&[DVec3::Y], &[DVec3::X], &[DVec3::Z]);
        assert!(found.is_finite() && found.rotation.is_finite());
        assert_eq!(found.velocity, DVec3::Z);
    }
}
