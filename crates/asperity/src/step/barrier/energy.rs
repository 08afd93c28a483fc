//! The incremental potential of a step: what the bodies minimise.
//!
//! E(x) = |x − x̃|²_M/(2h²) + Ψ(x) + |x − x(t)|²_D/(2h) + Σ κ b(d(x)²) + h D((x − x(t))/h)
//!
//! inertia around x̃ = x + h v + h² g, elastic energy, damping D = α M + β K(x(t)), barrier, lagged friction; its least is a step of
//! backward Euler. A rigid body with orientation R and R̃ that of free rotation has ½ tr((R − R̃) J (R − R̃)ᵀ)/h², J = ∫ r rᵀ dm, which is the
//! same sum over its points (Ferguson et al. 2021). With S = R J R̃ᵀ its derivative by a turn θ is −(S₂₃ − S₃₂, …)/h², its second tr(S) 1 − (S + Sᵀ)/2, over
//! h². Its gradient and Hessian are in [`super::derivatives`].

use glam::{DVec2, DVec3};

use super::damping::Damping;
use super::friction::{Ends, Rubbing};
use super::iterate::{BodyAt, Iterate};
use super::place::Here;
use super::rule::Base;
use super::surfaces::Surfaces;
use super::turning::{Turning, second_moment};
use crate::body::Elastic;
use crate::contact::LawFault;
use crate::step::implicit::{FreeStep, Freedom, Span};

/// What a step minimises.
pub(super) struct Energy<'a> {
    pub(super) span: Span<'a>,
    pub(super) free: &'a FreeStep,
    pub(super) base: &'a Base,
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

impl Energy<'_> {
    /// Visits bodies that forces move.
    pub(super) fn each(&self, at: &Iterate, mut visit: impl FnMut(Moving)) {
        for (number, body) in self.span.model.bodies.iter().enumerate() {
            match (self.free.freedom(number), &at.bodies[number], &self.ends.goal.bodies[number]) {
                (Freedom::Rigid(dof), BodyAt::Rigid { centre, rotation }, BodyAt::Rigid { centre: c, rotation: r }) => {
                    let Some(inertia) = body.inertia() else { continue };
                    let turning = Turning { rotation: *rotation, free: *r, moment: second_moment(inertia.tensor()) };
                    visit(Moving::Rigid { number, dof, mass: inertia.mass(), off: *centre - *c, turning });
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
    pub(super) fn value(&self, here: &Here, surfaces: &Surfaces) -> Result<Sum, LawFault> {
        let (mut sum, h) = (Sum::default(), self.ends.h);
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
            let way = self.ends.base.way_to(&here.at, self.free);
            let times = self.damping.times(&way);
            sum.add(way.iter().zip(&times).map(|(a, b)| a * b).sum::<f64>() * 0.5 / h);
        }
        here.barriers(surfaces).for_each(|value| sum.add(value));
        for (contact, own) in self.rubbing.iter().enumerate() {
            let fault = |error| LawFault::Model { contact, error };
            let slip = own.slip(&here.positions, self.ends);
            sum.add(h * own.sliding(slip, self.ends.eps_v).map_err(fault)?.value);
            if own.rolls() {
                sum.add(h * own.rolling(self.roll(own, &here.at), self.roll_eps(own)).map_err(fault)?.value);
            }
        }
        Ok(sum)
    }

    /// Angular velocity across the normal, rad/s.
    pub(super) fn roll(&self, own: &Rubbing, at: &Iterate) -> DVec2 {
        own.lagged.plane(own.turned(at, self.ends)) / self.ends.h
    }

    /// Angular velocity from which on rolling resistance is fully developed: that at which the rim moves with ε_v.
    pub(super) fn roll_eps(&self, own: &Rubbing) -> f64 {
        let reach = own.contact.pair.map(|body| self.span.model.bodies[body as usize].reach());
        self.ends.eps_v / reach[0].min(reach[1])
    }
}

/// A body that forces move.
pub(super) enum Moving<'a> {
    Rigid { number: usize, dof: usize, mass: f64, off: DVec3, turning: Turning },
    Elastic { number: usize, elastic: &'a Elastic, dofs: &'a [Option<u32>], at: &'a [DVec3], goal: &'a [DVec3] },
}
