//! Bodies at rest under load, found by Newton's method with the assembled Hessian and a sparse Cholesky factorisation.

use asperity::elastic::{Assembly, Elasticity, places};
use asperity_solve::problem::{Cholesky, SolveRoom, Symbolic, SymmetricPattern};
use glam::DVec3;

/// A body with vertices that are held and forces on the others.
pub(crate) struct Statics<'a> {
    pub(crate) elasticity: &'a Elasticity,
    pub(crate) rest: &'a [DVec3],
    pub(crate) held: &'a dyn Fn(usize) -> bool,
    pub(crate) forces: &'a [DVec3],
}

/// Where the vertices come to rest, and where they were before each step of Newton's method.
pub(crate) struct Solution {
    pub(crate) x: Vec<DVec3>,
    pub(crate) trail: Vec<Vec<DVec3>>,
}

impl Solution {
    /// The largest distance of a vertex from its place at rest, before each step.
    pub(crate) fn errors(&self) -> Vec<f64> {
        let distance =
            |places: &Vec<DVec3>| places.iter().zip(&self.x).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        self.trail.iter().map(distance).collect()
    }
}

impl Statics<'_> {
    /// From the places `start`, until the residual force is below `tolerance` (in N).
    pub(crate) fn solve(&self, start: &[DVec3], tolerance: f64) -> Solution {
        let mut next = 0;
        let dofs: Vec<Option<u32>> = (0..self.rest.len())
            .map(|v| {
                (!(self.held)(v)).then(|| {
                    next += 3;
                    next - 3
                })
            })
            .collect();
        let pattern = SymmetricPattern::new(next as usize, places(self.elasticity, &dofs));
        let assembly = Assembly::new(&pattern, self.elasticity, &dofs).unwrap();
        let symbolic = Symbolic::new(pattern.clone()).unwrap();
        let mut factor = Cholesky::new(symbolic.clone()).unwrap();
        let mut room = SolveRoom::new(&symbolic);

        let mut x = start.to_vec();
        let (mut trail, mut hessians) = (Vec::new(), Vec::new());
        let mut left = f64::INFINITY;
        for _ in 0..50 {
            let force = self.residual(&x, &dofs);
            left = force.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
            if left < tolerance {
                return Solution { x, trail };
            }
            trail.push(x.clone());
            // The Hessian as it is, and its projection where that has no factors.
            let solved = [false, true].into_iter().find_map(|project| {
                self.elasticity.hessians(&x, project, &mut hessians);
                let mut values = vec![0.0; pattern.slots()];
                assembly.add(&hessians, 1.0, &mut values);
                factor.factor(&values).ok()?;
                let mut step = force.clone();
                factor.solve(&mut step, &mut room);
                Some(step)
            });
            x = self.search(&x, &dofs, &solved.expect("a positive definite matrix"));
        }
        panic!("not converged: {left} N are left");
    }

    /// Minus the derivative of elastic energy and potential of the loads.
    fn residual(&self, x: &[DVec3], dofs: &[Option<u32>]) -> Vec<f64> {
        let mut gradient = vec![DVec3::ZERO; x.len()];
        self.elasticity.add_gradient(x, &mut gradient);
        let free = (0..x.len()).filter(|v| dofs[*v].is_some());
        free.flat_map(|v| (self.forces[v] - gradient[v]).to_array()).collect()
    }

    fn potential(&self, x: &[DVec3]) -> f64 {
        let work: f64 = self.forces.iter().zip(x).zip(self.rest).map(|((f, x), rest)| f.dot(*x - *rest)).sum();
        self.elasticity.energy(x) - work
    }

    /// The largest of the steps 1, 1/2, 1/4, … that does not raise the potential beyond rounding.
    fn search(&self, x: &[DVec3], dofs: &[Option<u32>], step: &[f64]) -> Vec<DVec3> {
        let before = self.potential(x);
        let room = 1e-12 * before.abs();
        let mut scale = 1.0;
        loop {
            let moved: Vec<DVec3> = x
                .iter()
                .zip(dofs)
                .map(|(x, dof)| dof.map_or(*x, |k| *x + scale * DVec3::from_slice(&step[k as usize..])))
                .collect();
            if self.potential(&moved) <= before + room || scale < 1e-6 {
                return moved;
            }
            scale *= 0.5;
        }
    }
}
