//! Gradient and Hessian of the incremental potential.
//!
//! Points of a rigid body move by θ × r + ½ θ × (θ × r) with its turn θ: a gradient g there gives the torque r × g and the second
//! derivative ½ (g rᵀ + r gᵀ) − g·r 1.

use asperity_friction::FrictionError;
use glam::{DMat3, DVec3};

use super::energy::{Energy, Moving};
use super::friction::Rubbing;
use super::iterate::BodyAt;
use super::matrix::{Matrix, Point, Stencil};
use super::place::Here;
use super::surfaces::{Coordinates, Surfaces};
use super::turning::{positive, turn_lever};
use crate::barrier::{Local, Projection};
use crate::contact::LawFault;
use crate::step::implicit::Freedom;

/// Derivatives at a place.
pub(super) struct Derivatives {
    pub(super) gradient: Vec<f64>,
    /// Values of the base of the matrix.
    pub(super) base: Vec<f64>,
    pub(super) stencils: Vec<Stencil>,
}

impl Energy<'_> {
    /// Gradient and Hessian at a place.
    pub(super) fn derivatives(
        &self,
        here: &Here,
        surfaces: &Surfaces,
        matrix: &Matrix,
        projection: Projection,
    ) -> Result<Derivatives, LawFault> {
        let h = self.ends.h;
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
        for (contact, own) in self.rubbing.iter().enumerate() {
            let fault = |error| LawFault::Model { contact, error };
            let dissipated = own.sliding(own.slip(&here.positions, self.ends), self.ends.eps_v).map_err(fault)?;
            let gradient = own.lagged.gradient(dissipated.gradient);
            own.lagged.list().iter().zip(gradient).for_each(|(i, g)| forces[*i as usize] += g);
            let hessian = own.lagged.hessian(dissipated.hessian * (1.0 / h), Projection::Positive);
            out.stencils.push(Stencil { points: self.points(surfaces, here, own.lagged.list()), hessian });
            if own.rolls() {
                self.add_rolling(own, here, &mut out).map_err(fault)?;
            }
        }
        self.add_bodies(here, surfaces, matrix, projection, &forces, &mut out);
        if !self.damping.values.is_empty() {
            let times = self.damping.times(&self.ends.base.way_to(&here.at, self.free));
            out.gradient.iter_mut().zip(&times).for_each(|(g, d)| *g += d / h);
            out.base.iter_mut().zip(&self.damping.values).for_each(|(v, d)| *v += d / h);
        }
        Ok(out)
    }

    /// How the vertices of a collision move.
    pub(super) fn points(&self, surfaces: &Surfaces, here: &Here, list: &[u32]) -> [Point; 4] {
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
        let h2 = self.ends.h * self.ends.h;
        self.spread(here, surfaces, forces, &mut out.gradient);
        let bends = self.bends(here, surfaces, forces);
        let mut hessians = Vec::new();
        self.each(&here.at, |own| match own {
            Moving::Rigid { number, dof, mass, off, turning } => {
                add(&mut out.gradient, dof, off * (mass / h2));
                add(&mut out.gradient, dof + 3, turning.gradient() / h2);
                matrix.add_diagonal(dof, &DMat3::from_diagonal(DVec3::splat(mass / h2)), &mut out.base);
                let whole = turning.hessian() * (1.0 / h2) + bends[number];
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

    /// Adds what gradients at vertices are for the degrees of freedom.
    fn spread(&self, here: &Here, surfaces: &Surfaces, forces: &[DVec3], out: &mut [f64]) {
        for (own, g) in surfaces.vertices.iter().zip(forces).filter(|(_, g)| **g != DVec3::ZERO) {
            match (own.moves, &here.at.bodies[own.body as usize]) {
                (Coordinates::Free(dof), _) => add(out, dof, *g),
                (Coordinates::Rigid(dof), BodyAt::Rigid { rotation, .. }) => {
                    add(out, dof, *g);
                    add(out, dof + 3, (*rotation * own.rest).cross(*g));
                }
                _ => (),
            }
        }
    }

    /// Second derivatives that gradients at the vertices of rigid bodies have by their turns, for each body.
    fn bends(&self, here: &Here, surfaces: &Surfaces, forces: &[DVec3]) -> Vec<DMat3> {
        let mut bends = vec![DMat3::ZERO; here.at.bodies.len()];
        for (own, g) in surfaces.vertices.iter().zip(forces).filter(|(_, g)| **g != DVec3::ZERO) {
            if let BodyAt::Rigid { rotation, .. } = &here.at.bodies[own.body as usize] {
                let r = *rotation * own.rest;
                let outer = DMat3::from_cols(*g * r.x, *g * r.y, *g * r.z);
                let bend = (outer + outer.transpose()) * 0.5 - DMat3::from_diagonal(DVec3::splat(g.dot(r)));
                bends[own.body as usize] += bend;
            }
        }
        bends
    }

    /// The gradient that friction of these contacts has by the degrees of freedom, N and N m.
    pub(super) fn friction(&self, list: &[Rubbing], here: &Here, surfaces: &Surfaces) -> Result<Vec<f64>, LawFault> {
        let mut out = vec![0.0; self.free.dofs()];
        let mut forces = vec![DVec3::ZERO; here.positions.len()];
        for (contact, own) in list.iter().enumerate() {
            let fault = |error| LawFault::Model { contact, error };
            let slip = own.slip(&here.positions, self.ends);
            let gradient = own.lagged.gradient(own.sliding(slip, self.ends.eps_v).map_err(fault)?.gradient);
            own.lagged.list().iter().zip(gradient).for_each(|(i, g)| forces[*i as usize] += g);
            if own.rolls() {
                let rolling = own.rolling(self.roll(own, &here.at), self.roll_eps(own)).map_err(fault)?;
                self.add_torques(own, here, own.lagged.world(rolling.gradient), &mut out);
            }
        }
        self.spread(here, surfaces, &forces, &mut out);
        Ok(out)
    }

    /// Adds a torque on the first body of a contact, and its opposite on the second.
    pub(super) fn add_torques(&self, own: &Rubbing, here: &Here, torque: DVec3, out: &mut [f64]) {
        for (side, body) in own.contact.pair.iter().enumerate() {
            let Freedom::Rigid(dof) = self.free.freedom(*body as usize) else { continue };
            let sign = if side == 0 { 1.0 } else { -1.0 };
            add(out, dof + 3, turn_lever(self.ends.base, &here.at, *body).transpose() * (torque * sign));
        }
    }

    /// Rolling resistance: a potential of the turns of the two bodies.
    fn add_rolling(&self, own: &Rubbing, here: &Here, out: &mut Derivatives) -> Result<(), FrictionError> {
        let h = self.ends.h;
        let dissipated = own.rolling(self.roll(own, &here.at), self.roll_eps(own))?;
        self.add_torques(own, here, own.lagged.world(dissipated.gradient), &mut out.gradient);
        let inner = own.lagged.hessian(dissipated.hessian * (1.0 / h), Projection::Positive);
        // The 3 × 3 matrix B ∇²D Bᵀ, from the vertex with the largest weight: others may have none.
        let weights = own.lagged.weights;
        let most = (0..weights.len()).max_by(|a, b| weights[*a].abs().total_cmp(&weights[*b].abs())).unwrap_or(0);
        let block = *inner.block(most, most) * (1.0 / (weights[most] * weights[most]));
        let mut points = [Point { moves: Coordinates::Given, arm: DVec3::ZERO }; 4];
        let mut by = [DMat3::ZERO; 4];
        for (side, body) in own.contact.pair.iter().enumerate() {
            let Freedom::Rigid(dof) = self.free.freedom(*body as usize) else { continue };
            let sign = if side == 0 { 1.0 } else { -1.0 };
            points[side].moves = Coordinates::Free(dof + 3);
            by[side] = turn_lever(self.ends.base, &here.at, *body) * sign;
        }
        let hessian = Local::symmetric(|i, j| by[i].transpose() * block * by[j]);
        out.stencils.push(Stencil { points, hessian });
        Ok(())
    }
}

/// out += value, at a block of three degrees of freedom.
pub(super) fn add(out: &mut [f64], dof: usize, value: DVec3) {
    (0..3).for_each(|k| out[dof + k] += value[k]);
}
