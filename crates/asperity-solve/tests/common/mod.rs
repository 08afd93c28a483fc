//! Small multibody systems for the solver tests: W = J M⁻¹ Jᵀ by brute force, with no code of the library.
#![allow(dead_code, unreachable_pub)]

pub mod scenes;

use asperity_friction::ContactLaw;
use asperity_solve::problem::{BlockMatrix, Bodies, ContactProblem, InverseMass, Link, RowKind};
use asperity_solve::solver::{ContactSolver, Frozen, Solution, SolveReport, Stop};
use glam::{DMat3, DVec3};

/// A body: inverse mass, inverse inertia (world), centre, and its velocity if nothing touched it.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    pub inverse_mass: f64,
    pub inverse_inertia: DMat3,
    pub center: DVec3,
    pub velocity: DVec3,
    pub spin: DVec3,
}

impl Body {
    /// A box of this mass and size (full edges), at rest.
    pub fn cuboid(mass: f64, size: DVec3, center: DVec3) -> Self {
        let s = size * size;
        let inertia = DVec3::new(s.y + s.z, s.x + s.z, s.x + s.y) * (mass / 12.0);
        Self {
            inverse_mass: 1.0 / mass,
            inverse_inertia: DMat3::from_diagonal(inertia.recip()),
            center,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
        }
    }

    /// A solid ball.
    pub fn ball(mass: f64, radius: f64, center: DVec3) -> Self {
        let inertia = 0.4 * mass * radius * radius;
        Self {
            inverse_inertia: DMat3::from_diagonal(DVec3::splat(1.0 / inertia)),
            ..Self::cuboid(mass, DVec3::ONE, center)
        }
    }
}

/// Rows of a block: for each row a linear and an angular direction, acting on body a and, opposite, on b at a point.
#[derive(Clone, Debug)]
pub struct Rows {
    pub kind: RowKind,
    pub a: usize,
    /// `None` is the world.
    pub b: Option<usize>,
    pub point: DVec3,
    /// (linear, angular) of each row.
    pub directions: Vec<(DVec3, DVec3)>,
}

impl Rows {
    /// A contact with n rows: normal, two tangents, spin, rolling.
    pub fn contact(a: usize, b: Option<usize>, point: DVec3, normal: DVec3, t: DVec3, n: usize) -> Self {
        let bt = normal.cross(t);
        let zero = DVec3::ZERO;
        let all = [(normal, zero), (t, zero), (bt, zero), (zero, normal), (zero, t), (zero, bt)];
        Self { kind: RowKind::Contact, a, b, point, directions: all[..n].to_vec() }
    }

    /// A ball joint.
    pub fn ball_joint(a: usize, b: Option<usize>, point: DVec3) -> Self {
        let directions = [DVec3::X, DVec3::Y, DVec3::Z].map(|d| (d, DVec3::ZERO)).to_vec();
        Self { kind: RowKind::Bilateral, a, b, point, directions }
    }

    /// What one row does to a body: force and torque.
    fn wrench(&self, row: usize, body: &Body) -> (DVec3, DVec3) {
        let (linear, angular) = self.directions[row];
        (linear, (self.point - body.center).cross(linear) + angular)
    }
}

/// The contact problem of these bodies and rows.
pub fn problem(bodies: &[Body], rows: &[Rows]) -> ContactProblem {
    let mut starts = vec![0];
    for r in rows {
        starts.push(starts.last().unwrap() + r.directions.len());
    }
    // Signed effect of each scalar row on each body.
    let mut effects: Vec<Vec<(usize, DVec3, DVec3)>> = Vec::new();
    let mut bias = Vec::new();
    for r in rows {
        for k in 0..r.directions.len() {
            let mut on = vec![(r.a, r.wrench(k, &bodies[r.a]), 1.0)];
            if let Some(b) = r.b {
                on.push((b, r.wrench(k, &bodies[b]), -1.0));
            }
            let on: Vec<_> = on.into_iter().map(|(i, (f, m), s)| (i, f * s, m * s)).collect();
            bias.push(on.iter().map(|(i, f, m)| f.dot(bodies[*i].velocity) + m.dot(bodies[*i].spin)).sum());
            effects.push(on);
        }
    }
    let mut entries = Vec::new();
    for (row, left) in effects.iter().enumerate() {
        for (column, right) in effects.iter().enumerate() {
            let mut value = 0.0;
            for (i, f, m) in left {
                for (j, g, n) in right {
                    if i == j {
                        value += f.dot(*g) * bodies[*i].inverse_mass + m.dot(bodies[*i].inverse_inertia * *n);
                    }
                }
            }
            if value != 0.0 {
                entries.push((row, column, value));
            }
        }
    }
    let kinds = rows.iter().map(|r| r.kind.clone()).collect();
    ContactProblem::new(BlockMatrix::from_entries(&starts, entries.into_iter()), bias, kinds).unwrap()
}

/// The same problem matrix-free: the library's own dynamics over these bodies.
pub fn matrix_free(bodies: &[Body], rows: &[Rows]) -> ContactProblem {
    let masses = bodies.iter().map(|b| InverseMass::Rigid(b.inverse_mass, b.inverse_inertia)).collect();
    let mut dynamics = Bodies::new(masses).unwrap();
    let mut bias = Vec::new();
    for r in rows {
        let jacobian = |i: usize, sign: f64| -> Vec<f64> {
            let row = |k| {
                let (f, m) = r.wrench(k, &bodies[i]);
                [f.to_array(), m.to_array()].concat()
            };
            (0..r.directions.len()).flat_map(row).map(|x| sign * x).collect()
        };
        let on: Vec<(usize, Vec<f64>)> = [(Some(r.a), 1.0), (r.b, -1.0)]
            .into_iter()
            .filter_map(|(i, sign)| i.map(|i| (i, jacobian(i, sign))))
            .collect();
        for k in 0..r.directions.len() {
            let along = |(i, j): &(usize, Vec<f64>)| {
                let (v, w) = (bodies[*i].velocity, bodies[*i].spin);
                let body = [v.to_array(), w.to_array()].concat();
                j[6 * k..6 * k + 6].iter().zip(body).map(|(a, b)| a * b).sum::<f64>()
            };
            bias.push(on.iter().map(along).sum());
        }
        let links: Vec<Link> = on.iter().map(|(body, j)| Link { body: *body, jacobian: j }).collect();
        dynamics.push(r.directions.len(), &links).unwrap();
    }
    ContactProblem::new(dynamics, bias, rows.iter().map(|r| r.kind.clone()).collect()).unwrap()
}

/// Velocities of the bodies after the impulses.
pub fn velocities(bodies: &[Body], rows: &[Rows], r: &[f64]) -> Vec<(DVec3, DVec3)> {
    let mut after: Vec<(DVec3, DVec3)> = bodies.iter().map(|b| (b.velocity, b.spin)).collect();
    let mut at = 0;
    for row in rows {
        for k in 0..row.directions.len() {
            for (i, sign) in [(Some(row.a), 1.0), (row.b, -1.0)] {
                let Some(i) = i else { continue };
                let (f, m) = row.wrench(k, &bodies[i]);
                after[i].0 += f * (sign * r[at] * bodies[i].inverse_mass);
                after[i].1 += bodies[i].inverse_inertia * m * (sign * r[at]);
            }
            at += 1;
        }
    }
    after
}

/// Solves from zero.
pub fn solve(
    solver: &dyn ContactSolver,
    p: &ContactProblem,
    laws: &[ContactLaw],
    tolerance: f64,
) -> (SolveReport, Solution) {
    let mut solution = Solution::zero(p);
    let stop = Stop { tolerance, ..Stop::default() };
    let report = solver.solve(p, &mut Frozen(laws.to_vec()), stop, &mut solution).unwrap();
    (report, solution)
}
