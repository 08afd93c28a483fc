//! The incremental potential of a step: what the bodies minimise.
//!
//! E(x) = |x − x̃|²_M/(2h²) + Ψ(x) + |x − x(t)|²_D/(2h) + Σ κ b(d(x)²) + h D((x − x(t))/h)
//!
//! inertia around x̃ = x + h v + h² g, elastic energy, damping D = α M + β K(x(t)), barrier, lagged friction; its least is a step of
//! backward Euler. A rigid body with orientation R and R̃ that of free rotation has ½ tr((R − R̃) J (R − R̃)ᵀ)/h², J = ∫ r rᵀ dm, which is the
//! same sum over its points (Ferguson et al. 2021). With S = R J R̃ᵀ its derivative by a turn θ is −(S₂₃ − S₃₂, …)/h², its second tr(S) 1 − (S + Sᵀ)/2, over
//! h². Points of a rigid body move by θ × r + ½ θ × (θ × r): a gradient g there gives the torque r × g and the second derivative
//! ½ (g rᵀ + r gᵀ) − g·r 1.

use asperity_friction::FrictionError;
use glam::{DMat3, DVec2, DVec3};

use super::damping::Damping;
use super::friction::{Ends, Rubbing};
use super::iterate::{BodyAt, Iterate};
use super::matrix::{Matrix, Point, Stencil};
use super::place::Here;
use super::surfaces::{Coordinates, Surfaces};
use super::turning::{Turning, positive, second_moment, turn_lever};
use crate::barrier::{Local, Projection};
use crate::body::Elastic;
use crate::step::implicit::{FreeStep, Freedom, Span};

/// What a step minimises.
pub(super) struct Energy<'a> {
    pub(super) span: Span<'a>,
    pub(super) free: &'a FreeStep,
    pub(super) ends: Ends<'a>,
    pub(super) damping: Damping,
    pub(super) rubbing: Vec<Rubbing>,
}

/// A value, and the size of what it is a sum of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    pub(super) value: f64,
    pub(super) size: f64,
}

impl Sum {
    fn add(&mut self, value: f64) {
        self.value += value;
        self.size += value.abs();
    }
}

/// Derivatives at a place.
pub(super) struct Derivatives {
    pub(super) gradient: Vec<f64>,
    /// Values of the base of the matrix.
    pub(super) base: Vec<f64>,
    pub(super) stencils: Vec<Stencil>,
}

impl Energy<'_> {
    /// Visits bodies that forces move.
    fn each(&self, at: &Iterate, mut visit: impl FnMut(Moving)) {
        for (number, body) in self.span.model.bodies.iter().enumerate() {
            match (self.free.freedom(number), &at.bodies[number], &self.ends.goal.bodies[number]) {
                (Freedom::Rigid(dof), BodyAt::Rigid { centre, rotation }, BodyAt::Rigid { centre: c, rotation: r }) => {
                    let Some(inertia) = body.inertia() else { continue };
                    let turning = Turning { rotation: *rotation, free: *r, moment: second_moment(inertia.tensor()) };
                    visit(Moving::Rigid { dof, mass: inertia.mass(), off: *centre - *c, turning });
                }
                (Freedom::Vertices(dofs), BodyAt::Mesh(at), BodyAt::Mesh(goal)) => {
                    if let Some(elastic) = body.elastic() {
                        visit(Moving::Elastic { number, elastic, dofs, at, goal });
                    }
                }
                _ => (),
            }
        }
    }

    /// E at a place; infinite where it is not allowed.
    pub(super) fn value(&self, here: &Here, surfaces: &Surfaces) -> Result<Sum, FrictionError> {
        let (mut sum, h) = (Sum::default(), self.span.h);
        self.each(&here.at, |own| match own {
            Moving::Rigid { mass, off, turning, .. } => {
                sum.add(0.5 * mass * off.length_squared() / (h * h));
                sum.add(turning.energy() / (h * h));
            }
            Moving::Elastic { elastic, dofs, at, goal, .. } => {
                let own = |i: usize| dofs[i].map_or(0.0, |_| elastic.masses()[i] * (at[i] - goal[i]).length_squared());
                sum.add((0..at.len()).map(own).sum::<f64>() * 0.5 / (h * h));
                sum.add(elastic.elasticity().energy(at));
            }
        });
        if !self.damping.values.is_empty() {
            let way = self.ends.start.way_to(&here.at, self.free);
            let times = self.damping.times(&way);
            sum.add(way.iter().zip(&times).map(|(a, b)| a * b).sum::<f64>() * 0.5 / h);
        }
        for own in &here.collisions {
            let points = own.points(&here.positions);
            sum.add(surfaces.potential_of(own).value(own, &points, &here.planes));
        }
        for own in &self.rubbing {
            let slip = own.slip(&here.positions, self.ends);
            sum.add(h * own.sliding(slip, self.ends.eps_v)?.value);
            if own.rolls() {
                sum.add(h * own.rolling(self.roll(own, &here.at), self.roll_eps(own))?.value);
            }
        }
        Ok(sum)
    }

    /// Angular velocity across the normal, rad/s.
    pub(super) fn roll(&self, own: &Rubbing, at: &Iterate) -> DVec2 {
        own.lagged.plane(own.turned(at, self.ends)) / self.span.h
    }

    /// Angular velocity from which on rolling resistance is fully developed: that at which the rim moves with ε_v.
    pub(super) fn roll_eps(&self, own: &Rubbing) -> f64 {
        let reach = own.contact.pair.map(|body| self.span.model.bodies[body as usize].reach());
        self.ends.eps_v / reach[0].min(reach[1])
    }

    /// Gradient and Hessian at a place.
    pub(super) fn derivatives(
        &self,
        here: &Here,
        surfaces: &Surfaces,
        matrix: &Matrix,
        projection: Projection,
    ) -> Result<Derivatives, FrictionError> {
        let h = self.span.h;
        let mut out = Derivatives {
            gradient: vec![0.0; self.free.dofs()],
            base: matrix.base_values(),
            stencils: Vec::with_capacity(here.collisions.len() + self.rubbing.len()),
        };
        let mut forces = vec![DVec3::ZERO; here.positions.len()];
        for own in &here.collisions {
            let (points, potential) = (own.points(&here.positions), surfaces.potential_of(own));
            let gradient = potential.gradient(own, &points, &here.planes);
            own.list().iter().zip(gradient).for_each(|(i, g)| forces[*i as usize] += g);
            let hessian = potential.hessian(own, &points, &here.planes, projection);
            out.stencils.push(Stencil { points: self.points(surfaces, here, own.list()), hessian });
        }
        for own in &self.rubbing {
            let dissipated = own.sliding(own.slip(&here.positions, self.ends), self.ends.eps_v)?;
            let gradient = own.lagged.gradient(dissipated.gradient);
            own.lagged.list().iter().zip(gradient).for_each(|(i, g)| forces[*i as usize] += g);
            let hessian = own.lagged.hessian(dissipated.hessian * (1.0 / h), Projection::Positive);
            out.stencils.push(Stencil { points: self.points(surfaces, here, own.lagged.list()), hessian });
            if own.rolls() {
                self.add_rolling(own, here, &mut out)?;
            }
        }
        self.add_bodies(here, surfaces, matrix, projection, &forces, &mut out);
        if !self.damping.values.is_empty() {
            let times = self.damping.times(&self.ends.start.way_to(&here.at, self.free));
            out.gradient.iter_mut().zip(&times).for_each(|(g, d)| *g += d / h);
            out.base.iter_mut().zip(&self.damping.values).for_each(|(v, d)| *v += d / h);
        }
        Ok(out)
    }

    fn points(&self, surfaces: &Surfaces, here: &Here, list: &[u32]) -> [Point; 4] {
        std::array::from_fn(|k| match list.get(k) {
            None => Point { moves: Coordinates::Given, arm: DVec3::ZERO },
            Some(i) => {
                let own = &surfaces.vertices[*i as usize];
                let arm = match &here.at.bodies[own.body as usize] {
                    BodyAt::Rigid { rotation, .. } => *rotation * own.rest,
                    BodyAt::Mesh(_) => DVec3::ZERO,
                };
                Point { moves: own.moves, arm }
            }
        })
    }

    /// Inertia, elasticity, and what forces at vertices do to the degrees of freedom.
    fn add_bodies(
        &self,
        here: &Here,
        surfaces: &Surfaces,
        matrix: &Matrix,
        projection: Projection,
        forces: &[DVec3],
        out: &mut Derivatives,
    ) {
        let h2 = self.span.h * self.span.h;
        // Second derivatives of the places of rigid bodies, by their first degree of freedom.
        let mut bent: Vec<(usize, DMat3)> = Vec::new();
        for (own, g) in surfaces.vertices.iter().zip(forces).filter(|(_, g)| **g != DVec3::ZERO) {
            match (own.moves, &here.at.bodies[own.body as usize]) {
                (Coordinates::Free(dof), _) => add(&mut out.gradient, dof, *g),
                (Coordinates::Rigid(dof), BodyAt::Rigid { rotation, .. }) => {
                    let r = *rotation * own.rest;
                    add(&mut out.gradient, dof, *g);
                    add(&mut out.gradient, dof + 3, r.cross(*g));
                    let outer = DMat3::from_cols(*g * r.x, *g * r.y, *g * r.z);
                    let bend = (outer + outer.transpose()) * 0.5 - DMat3::from_diagonal(DVec3::splat(g.dot(r)));
                    match bent.iter_mut().find(|(other, _)| *other == dof) {
                        Some((_, sum)) => *sum += bend,
                        None => bent.push((dof, bend)),
                    }
                }
                _ => (),
            }
        }
        let mut hessians = Vec::new();
        self.each(&here.at, |own| match own {
            Moving::Rigid { dof, mass, off, turning } => {
                add(&mut out.gradient, dof, off * (mass / h2));
                add(&mut out.gradient, dof + 3, turning.gradient() / h2);
                matrix.add_diagonal(dof, &DMat3::from_diagonal(DVec3::splat(mass / h2)), &mut out.base);
                let bend = bent.iter().find(|(other, _)| *other == dof).map_or(DMat3::ZERO, |(_, sum)| *sum);
                let whole = turning.hessian() * (1.0 / h2) + bend;
                let own = if projection == Projection::Positive { positive(whole) } else { whole };
                matrix.add_diagonal(dof + 3, &own, &mut out.base);
            }
            Moving::Elastic { number, elastic, dofs, at, goal } => {
                let mut gradient = vec![DVec3::ZERO; at.len()];
                elastic.elasticity().add_gradient(at, &mut gradient);
                for (i, dof) in dofs.iter().enumerate().filter_map(|(i, dof)| Some((i, (*dof)? as usize))) {
                    let mass = elastic.masses()[i] / h2;
                    add(&mut out.gradient, dof, (at[i] - goal[i]) * mass + gradient[i]);
                    matrix.add_diagonal(dof, &DMat3::from_diagonal(DVec3::splat(mass)), &mut out.base);
                }
                elastic.elasticity().hessians(at, projection == Projection::Positive, &mut hessians);
                matrix.add_elastic(number, &hessians, 1.0, &mut out.base);
            }
        });
    }

    /// Rolling resistance: a potential of the turns of the two bodies.
    fn add_rolling(&self, own: &Rubbing, here: &Here, out: &mut Derivatives) -> Result<(), FrictionError> {
        let h = self.span.h;
        let dissipated = own.rolling(self.roll(own, &here.at), self.roll_eps(own))?;
        let torque = own.lagged.world(dissipated.gradient);
        let inner = own.lagged.hessian(dissipated.hessian * (1.0 / h), Projection::Positive);
        // The 3 × 3 matrix B ∇²D Bᵀ, whatever the weights: those of one vertex have the weight ±1 or less.
        let weight = own.lagged.weights[0] * own.lagged.weights[0];
        let block = *inner.block(0, 0) * (1.0 / weight);
        let mut points = [Point { moves: Coordinates::Given, arm: DVec3::ZERO }; 4];
        let mut by = [DMat3::ZERO; 4];
        for (side, body) in own.contact.pair.iter().enumerate() {
            let Freedom::Rigid(dof) = self.free.freedom(*body as usize) else { continue };
            let sign = if side == 0 { 1.0 } else { -1.0 };
            let lever = turn_lever(self.ends.start, &here.at, *body) * sign;
            add(&mut out.gradient, dof + 3, lever.transpose() * torque);
            points[side].moves = Coordinates::Free(dof + 3);
            by[side] = lever;
        }
        let hessian = Local::symmetric(|i, j| by[i].transpose() * block * by[j]);
        out.stencils.push(Stencil { points, hessian });
        Ok(())
    }
}

/// A body that forces move.
enum Moving<'a> {
    Rigid { dof: usize, mass: f64, off: DVec3, turning: Turning },
    Elastic { number: usize, elastic: &'a Elastic, dofs: &'a [Option<u32>], at: &'a [DVec3], goal: &'a [DVec3] },
}

fn add(out: &mut [f64], dof: usize, value: DVec3) {
    (0..3).for_each(|k| out[dof + k] += value[k]);
}
