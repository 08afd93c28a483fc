//! Cloth that impulses strain beyond all that could strain it.
//!
//! Impulses act on the masses of cloth, v⁺ = v* + M⁻¹ p, and elastic forces answer them in the next step. On the way the
//! vertices that touch move by h M⁻¹ p against those that do not, and the cloth is strained by that: with an energy of about
//! h² k/m times that of the impulses, ½ pᵀ M⁻¹ p, where k is the stiffness between vertices of mass m. In limp cloth it is little;
//! in stiff cloth it comes out of nothing, and what the cloth does has little to do with what it should do.
//!
//! So δE = E(x + h v⁺) − E(x + h v*) is compared with all that there is to strain a cloth in a step: its kinetic energy, the energy
//! of the impulses (of what hits it, seen from the cloth), and its weight times its reach, which it gains by falling down beside
//! what holds it. If δE is more than ten times that, the step fails. Blows strain cloth by a little more than there is without much
//! harm to where it goes, since the next elastic steps take the energy away again.

use glam::DVec3;

use super::Trial;
use crate::body::{BodyState, Elastic, ElasticKind};
use crate::step::StepError;
use crate::step::implicit::{FreeStep, Freedom, Span};

/// How many times what there is to strain a cloth its strain may be.
const MOST: f64 = 10.0;

/// An error for the first cloth that the impulses of a step, which ends with these bodies, strain too much.
pub(super) fn check(free: &FreeStep, trial: &Trial, ends: &[BodyState]) -> Result<(), StepError> {
    // Impulses that act through the elastic dynamics strain no more than these have it.
    if trial.linear.is_some() {
        return Ok(());
    }
    let Span { model, state, h } = trial.span;
    for (i, body) in model.bodies.iter().enumerate() {
        let (Some(elastic), Freedom::Vertices(dofs)) = (body.elastic().filter(|own| is_cloth(own)), free.freedom(i))
        else {
            continue;
        };
        let (Some(start), Some(end)) = (state.bodies[i].mesh(), ends[i].mesh()) else { continue };
        let there = moving(trial, elastic, dofs) + elastic.mass() * model.gravity.length() * elastic.mesh().reach();
        // Energies are not negative, so that most steps need one of the two.
        let strained = elastic.elasticity().energy(&end.positions);
        if strained <= MOST * there {
            continue;
        }
        let mut candidate = end.positions.clone();
        for (k, dof) in dofs.iter().enumerate().filter_map(|(k, dof)| Some((k, (*dof)? as usize))) {
            candidate[k] = start.positions[k] + DVec3::from_slice(&trial.free[dof..]) * h;
        }
        let energy = strained - elastic.elasticity().energy(&candidate);
        // NaN is too much.
        if energy.partial_cmp(&(MOST * there)).is_none_or(|order| order.is_gt()) {
            return Err(StepError::Strained { t: state.time, body: body.name.clone(), energy, there });
        }
    }
    Ok(())
}

fn is_cloth(elastic: &Elastic) -> bool {
    elastic.kind() == ElasticKind::Cloth
}

/// Kinetic energy of the candidate, and that of the impulses, J.
fn moving(trial: &Trial, elastic: &Elastic, dofs: &[Option<u32>]) -> f64 {
    let each = dofs.iter().zip(elastic.masses()).filter_map(|(dof, mass)| Some(((*dof)? as usize, mass)));
    let energy = |(dof, mass): (usize, &f64)| {
        let [w, v] = [&trial.free, &trial.v].map(|all| DVec3::from_slice(&all[dof..]));
        0.5 * mass * (w.length_squared() + v.distance_squared(w))
    };
    each.map(energy).sum()
}
