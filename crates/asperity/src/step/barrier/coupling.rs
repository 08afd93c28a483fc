//! How friction changes with the places of the bodies: the part of the derivative of the forces that lagged friction leaves out.
//!
//! The friction of a contact is λ φ on its points. λ changes with their distance, the plane of φ turns with the normal, and the nearest points
//! wander over the elements; C is the sum of what all contacts change ([`crate::barrier::Lagged::by_places_turning`]), with what loads change of
//! rolling resistance. It is not symmetric: friction has no potential of the places.

use asperity_friction::FrictionError;
use glam::DVec3;

use super::derivatives::add;
use super::energy::Energy;
use super::friction::Rubbing;
use super::matrix::Point;
use super::place::Here;
use super::surfaces::{Coordinates, Surfaces};
use crate::barrier::Jacobian;
use crate::contact::LawFault;

/// Where the loads of friction come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loads {
    /// From the solve before; within Newton's method in steps where that converges slowly.
    #[default]
    Auto,
    /// From the solve before.
    Lagged,
    /// From the place itself, within Newton's method.
    Coupled,
}

impl Loads {
    /// By the names that scenes have for them.
    pub const NAMES: &'static [&'static str] = &["auto", "lagged", "coupled"];

    /// Loads of a name.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Auto, Self::Lagged, Self::Coupled];
        all.into_iter().zip(Self::NAMES).find(|(_, own)| **own == name).map(|(loads, _)| loads)
    }

    /// Whether a step is coupled after so many rounds with lagged loads, of which there may be `most`.
    pub(super) fn coupled_after(self, round: usize, most: usize) -> bool {
        match self {
            Self::Lagged => false,
            // Where it does not converge, further rounds lead to a better start.
            Self::Coupled => round == 1 || round.is_multiple_of(PATIENCE) || round == most,
            Self::Auto => round.is_multiple_of(PATIENCE) || round == most,
        }
    }
}

/// Rounds with lagged loads before they are coupled: steps that have not converged by then converge slowly, if at all.
const PATIENCE: usize = 4;

/// C of one contact.
struct Coupling {
    points: [Point; 4],
    /// Changes of friction with the places of the points.
    by_places: Jacobian,
    rolling: Option<Rolling>,
}

/// What loads change of rolling resistance.
struct Rolling {
    /// Torques for a load of 1, over the degrees of freedom.
    torques: Vec<f64>,
    /// Change of the load with the places of the points.
    load: [DVec3; 4],
}

/// C.
pub(super) struct Couplings(Vec<Coupling>);

impl Point {
    /// How far it moves with displacements of the degrees of freedom.
    fn moved(&self, by: &[f64]) -> DVec3 {
        let own = |dof: usize| DVec3::from_slice(&by[dof..]);
        match self.moves {
            Coordinates::Given => DVec3::ZERO,
            Coordinates::Free(dof) => own(dof),
            Coordinates::Rigid(dof) => own(dof) + own(dof + 3).cross(self.arm),
        }
    }

    /// What a force at it does to the degrees of freedom.
    fn push(&self, force: DVec3, out: &mut [f64]) {
        match self.moves {
            Coordinates::Given => (),
            Coordinates::Free(dof) => add(out, dof, force),
            Coordinates::Rigid(dof) => {
                add(out, dof, force);
                add(out, dof + 3, self.arm.cross(force));
            }
        }
    }
}

impl Couplings {
    /// Of the friction of a step at a place.
    pub(super) fn new(energy: &Energy, here: &Here, surfaces: &Surfaces) -> Result<Self, LawFault> {
        let mut list = Vec::with_capacity(energy.rubbing.len());
        for (contact, own) in energy.rubbing.iter().enumerate() {
            let fault = |error| LawFault::Model { contact, error };
            let by_places = own.by_places(here, energy.ends).map_err(fault)?;
            let rolling = own.rolls().then(|| Rolling::new(energy, own, here)).transpose().map_err(fault)?;
            list.push(Coupling { points: energy.points(surfaces, here, own.lagged.list()), by_places, rolling });
        }
        Ok(Self(list))
    }

    /// out += C by.
    pub(super) fn add_times(&self, by: &[f64], out: &mut [f64]) {
        for own in &self.0 {
            let moved = own.points.map(|point| point.moved(by));
            for (i, point) in own.points.iter().enumerate() {
                let row = |k: usize| -> f64 {
                    let row = &own.by_places[3 * i + k];
                    moved.iter().enumerate().map(|(j, by)| DVec3::from_slice(&row[3 * j..]).dot(*by)).sum()
                };
                point.push(DVec3::new(row(0), row(1), row(2)), out);
            }
            if let Some(Rolling { torques, load }) = &own.rolling {
                let load: f64 = load.iter().zip(moved).map(|(n, by)| n.dot(by)).sum();
                out.iter_mut().zip(torques).for_each(|(out, torque)| *out += torque * load);
            }
        }
    }
}

impl Rolling {
    fn new(energy: &Energy, own: &Rubbing, here: &Here) -> Result<Self, FrictionError> {
        let mut torques = vec![0.0; energy.free.dofs()];
        let rolling = own.rolling(energy.roll(own, &here.at), energy.roll_eps(own))?;
        energy.add_torques(own, here, own.lagged.world(rolling.gradient / own.lagged.load()), &mut torques);
        let normal = own.lagged.normal * own.load_slope;
        Ok(Self { torques, load: own.lagged.weights.map(|weight| normal * weight) })
    }
}
