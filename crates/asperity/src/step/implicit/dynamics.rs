//! The dynamics of a step, linear at a guess.
//!
//! Backward Euler asks for F(v⁺) = Jᵀ r, with q⁺ = q + h v⁺ and
//!
//! F(v⁺) = M (v⁺ − v) − h (f(q⁺) + M g) + h D v⁺,
//!
//! f = −∂E/∂q the elastic forces and D = α M + β K(q) the damping at the start of the step. At a guess v_k this is A v⁺
//! = A v_k − F(v_k) + Jᵀ r with A = M + h D + h² K(q_k): symmetric and sparse, and positive definite for short enough
//! steps. Where it is not, the Hessians of the elements are projected.
//!
//! For a rigid body F is the change of its momentum and angular momentum, and its block of A is its mass and its
//! inertia in the world at the end of the step, with the stiffness that joints give it ([`super::joints`]).

use asperity_solve::problem::{Place, SymmetricPattern};
use glam::{DMat3, DVec3};

use super::dofs::{BodyDofs, Dofs, Setting};
use super::guess::Guess;
use super::pull::Pull;
use crate::body::{BodyState, Elastic};
use crate::elastic::{self, Assembly};
use crate::world::{Model, State};

/// The pattern of A, and where the Hessians of elements go in it: the same for all steps of a run.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) dofs: Dofs,
    pattern: SymmetricPattern,
    /// For each body, if it is elastic.
    assemblies: Vec<Option<Assembly>>,
}

/// What a step starts from.
pub(super) struct Start<'a> {
    pub(super) model: &'a Model,
    pub(super) state: &'a State,
    pub(super) plan: &'a Plan,
    pub(super) h: f64,
    /// Momentum at the start, over the degrees of freedom: M v, and the angular momenta.
    momentum: Vec<f64>,
    /// D in the slots of the pattern; empty without damping.
    damping: Vec<f64>,
}

/// F at a guess.
pub(super) struct Imbalance {
    /// F(v), without contacts.
    pub(super) force: Vec<f64>,
    /// The size of its terms: what it is compared with.
    pub(super) size: Vec<f64>,
}

impl Plan {
    pub(super) fn new(model: &Model) -> Self {
        let dofs = Dofs::new(&model.bodies);
        let mut places = Vec::new();
        for (body, own) in model.bodies.iter().zip(&dofs.bodies) {
            match own {
                BodyDofs::Given => (),
                BodyDofs::Rigid(first) => {
                    // The inertia couples the angular velocities.
                    let spin = first + 3..first + 6;
                    places.extend(spin.clone().flat_map(|row| spin.clone().map(move |column| Place { row, column })));
                }
                BodyDofs::Elastic(own) => {
                    places.extend(body.elastic().into_iter().flat_map(|e| elastic::places(e.elasticity(), own)));
                }
            }
        }
        let pattern = SymmetricPattern::new(dofs.count, places.iter().copied());
        let assembly = |(elastic, own): (Option<&Elastic>, &BodyDofs)| match (elastic, own) {
            // The pattern was made for it: all its places are there.
            (Some(elastic), BodyDofs::Elastic(own)) => Assembly::new(&pattern, elastic.elasticity(), own).ok(),
            _ => None,
        };
        let assemblies = model.bodies.iter().map(|body| body.elastic()).zip(&dofs.bodies).map(assembly).collect();
        Self { dofs, pattern, assemblies }
    }

    /// Whether it is that of a model.
    pub(super) fn fits(&self, model: &Model) -> bool {
        self.dofs == Dofs::new(&model.bodies)
    }

    /// The pattern of A.
    pub(super) fn pattern(&self) -> &SymmetricPattern {
        &self.pattern
    }

    /// A diagonal entry.
    pub(super) fn diagonal(&self, values: &[f64], dof: usize) -> f64 {
        self.pattern.diagonal(values, dof)
    }

    /// A v.
    pub(super) fn times(&self, values: &[f64], v: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; v.len()];
        self.pattern.multiply(values, v, &mut out);
        out
    }

    /// Adds the symmetric part of a block on the diagonal.
    fn add_block(&self, first: usize, block: &DMat3, values: &mut [f64]) {
        for row in 0..3 {
            for column in 0..=row {
                let mean = 0.5 * (block.col(column)[row] + block.col(row)[column]);
                values[self.slot(first + row, first + column)] += mean;
            }
        }
    }

    fn slot(&self, row: usize, column: usize) -> usize {
        // The diagonal, and the inertias of rigid bodies, are in the pattern by its making.
        self.pattern.slot(Place { row, column }).unwrap_or(0)
    }
}

impl<'a> Start<'a> {
    pub(super) fn new(model: &'a Model, state: &'a State, plan: &'a Plan, h: f64) -> Self {
        let mut start = Self::with_damping(model, state, plan, h, Vec::new());
        start.damping = start.damping_values();
        start
    }

    /// With the damping of this start, from an earlier [`Self::damping`].
    pub(super) fn with_damping(model: &'a Model, state: &'a State, plan: &'a Plan, h: f64, damping: Vec<f64>) -> Self {
        let mut start = Self { model, state, plan, h, momentum: vec![0.0; plan.dofs.count], damping };
        for (i, (body, at)) in model.bodies.iter().zip(&state.bodies).enumerate() {
            match (&plan.dofs.bodies[i], at) {
                (BodyDofs::Rigid(first), BodyState::Rigid(at)) if let Some(inertia) = body.inertia() => {
                    write(&mut start.momentum, *first, at.velocity * inertia.mass());
                    write(&mut start.momentum, first + 3, inertia.momentum(at.rotation, at.angular_velocity));
                }
                (BodyDofs::Elastic(own), BodyState::Mesh(at)) if let Some(elastic) = body.elastic() => {
                    for (vertex, dof) in own.iter().enumerate().filter_map(|(i, dof)| Some((i, (*dof)? as usize))) {
                        write(&mut start.momentum, dof, at.velocities[vertex] * elastic.masses()[vertex]);
                    }
                }
                _ => (),
            }
        }
        start
    }

    /// D in the slots of the pattern; empty without damping.
    pub(super) fn damping(&self) -> &[f64] {
        &self.damping
    }

    /// The step.
    pub(super) fn setting(&self) -> Setting<'a> {
        Setting { model: self.model, state: self.state, dofs: &self.plan.dofs, h: self.h }
    }

    /// Whether something is damped.
    pub(super) fn is_damped(&self) -> bool {
        !self.damping.is_empty()
    }

    /// D in the slots of the pattern; empty if nothing is damped.
    fn damping_values(&self) -> Vec<f64> {
        let (model, plan) = (self.model, self.plan);
        let material = |elastic: &Elastic| elastic.damping().mass > 0.0 || elastic.damping().stiffness > 0.0;
        let damped = model.damping > 0.0
            || model.angular_damping > 0.0
            || model.bodies.iter().filter_map(|body| body.elastic()).any(material);
        if !damped {
            return Vec::new();
        }
        let mut values = vec![0.0; plan.pattern.slots()];
        let mut hessians = Vec::new();
        for (i, (body, at)) in model.bodies.iter().zip(&self.state.bodies).enumerate() {
            match (&plan.dofs.bodies[i], body.elastic(), at) {
                (BodyDofs::Rigid(first), ..) => {
                    for k in 0..6 {
                        let own = if k < 3 { model.damping } else { model.angular_damping };
                        values[plan.slot(first + k, first + k)] += own;
                    }
                }
                (BodyDofs::Elastic(own), Some(elastic), BodyState::Mesh(at)) => {
                    let rate = elastic.damping().mass + model.damping / elastic.mass();
                    for (dof, mass) in
                        own.iter().zip(elastic.masses()).filter_map(|(dof, m)| Some(((*dof)? as usize, m)))
                    {
                        (dof..dof + 3).for_each(|dof| values[plan.slot(dof, dof)] += rate * mass);
                    }
                    if let (true, Some(assembly)) = (elastic.damping().stiffness > 0.0, &plan.assemblies[i]) {
                        // Projected: damping must not drive.
                        elastic.elasticity().hessians(&at.positions, true, &mut hessians);
                        assembly.add(&hessians, elastic.damping().stiffness, &mut values);
                    }
                }
                _ => (),
            }
        }
        values
    }

    /// F at a guess.
    pub(super) fn imbalance(&self, guess: &Guess) -> Imbalance {
        let (model, plan, h) = (self.model, self.plan, self.h);
        let (mut force, mut size) = (vec![0.0; plan.dofs.count], vec![0.0; plan.dofs.count]);
        let mut add = |dof: usize, terms: &[DVec3]| {
            for k in 0..3 {
                force[dof + k] += terms.iter().map(|term| term[k]).sum::<f64>();
                size[dof + k] += terms.iter().map(|term| term[k].abs()).fold(0.0, f64::max);
            }
        };
        let mut gradient = Vec::new();
        for (i, (body, at)) in model.bodies.iter().zip(&guess.bodies).enumerate() {
            match (&plan.dofs.bodies[i], at) {
                (BodyDofs::Rigid(first), BodyState::Rigid(at)) if let Some(inertia) = body.inertia() => {
                    let v = |k: usize| DVec3::from_slice(&guess.v[first + k..]);
                    let mass = inertia.mass();
                    add(*first, &[v(0) * mass, -self.momentum_at(*first), model.gravity * (-mass * h)]);
                    add(first + 3, &[inertia.momentum(at.rotation, v(3)), -self.momentum_at(first + 3)]);
                }
                (BodyDofs::Elastic(own), BodyState::Mesh(at)) if let Some(elastic) = body.elastic() => {
                    gradient.clear();
                    gradient.resize(own.len(), DVec3::ZERO);
                    elastic.elasticity().add_gradient(&at.positions, &mut gradient);
                    for (vertex, dof) in own.iter().enumerate().filter_map(|(i, dof)| Some((i, (*dof)? as usize))) {
                        let mass = elastic.masses()[vertex];
                        let v = DVec3::from_slice(&guess.v[dof..]);
                        let weight = model.gravity * (-mass * h);
                        add(dof, &[v * mass, -self.momentum_at(dof), weight, gradient[vertex] * h]);
                    }
                }
                _ => (),
            }
        }
        if !self.damping.is_empty() {
            let damped = plan.times(&self.damping, &guess.v);
            force.iter_mut().zip(&damped).for_each(|(force, damped)| *force += h * damped);
        }
        Imbalance { force, size }
    }

    fn momentum_at(&self, dof: usize) -> DVec3 {
        DVec3::from_slice(&self.momentum[dof..])
    }

    /// A at a guess, in the slots of the pattern. `project`: the Hessian of each element, and what joints add, is made
    /// positive semidefinite.
    pub(super) fn matrix(&self, guess: &Guess, pulls: &[Pull], project: bool, hessians: &mut Vec<f64>) -> Vec<f64> {
        let (model, plan, h) = (self.model, self.plan, self.h);
        let mut values = vec![0.0; plan.pattern.slots()];
        for (i, (body, at)) in model.bodies.iter().zip(&guess.bodies).enumerate() {
            match (&plan.dofs.bodies[i], at) {
                (BodyDofs::Rigid(first), BodyState::Rigid(at)) if let Some(inertia) = body.inertia() => {
                    (0..3).for_each(|k| values[plan.slot(first + k, first + k)] += inertia.mass());
                    let world = DMat3::from_cols(
                        inertia.momentum(at.rotation, DVec3::X),
                        inertia.momentum(at.rotation, DVec3::Y),
                        inertia.momentum(at.rotation, DVec3::Z),
                    );
                    plan.add_block(first + 3, &world, &mut values);
                }
                (BodyDofs::Elastic(own), BodyState::Mesh(at)) if let Some(elastic) = body.elastic() => {
                    for (dof, mass) in
                        own.iter().zip(elastic.masses()).filter_map(|(dof, m)| Some(((*dof)? as usize, m)))
                    {
                        (dof..dof + 3).for_each(|dof| values[plan.slot(dof, dof)] += mass);
                    }
                    elastic.elasticity().hessians(&at.positions, project, hessians);
                    if let Some(assembly) = &plan.assemblies[i] {
                        assembly.add(hessians, h * h, &mut values);
                    }
                }
                _ => (),
            }
        }
        for pull in pulls {
            if let BodyDofs::Rigid(first) = &plan.dofs.bodies[pull.body] {
                plan.add_block(first + 3, &(pull.stiffness(project) * h), &mut values);
            }
        }
        values.iter_mut().zip(&self.damping).for_each(|(value, damping)| *value += h * damping);
        values
    }
}

fn write(out: &mut [f64], dof: usize, value: DVec3) {
    value.write_to_slice(&mut out[dof..]);
}
