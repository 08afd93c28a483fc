//! What the contacts of a step did, and how far they are from the exact law.
//!
//! The exact law asks for f = P_{λF}(f − ρ u) at every contact (the natural map), f the friction force, λ the load, u the slip. ρ = λ/(|g| h)
//! here: the slip that gravity makes in a step counts as much as the load. The largest |f − P(…)|/λ is the residual: a contact that
//! sticks leaves the creep of the smoothing in it, u/(|g| h), no more than ε_v/(|g| h). Loads, planes and laws are those of the end of
//! the step; what they leave in the dynamics, where friction was lagged, is the `splitting`.

use asperity_friction::Tangential;
use asperity_friction::set::ConvexSet as _;
use asperity_solve::solver::Status;
use glam::DVec2;

use super::energy::Energy;
use super::friction::Rubbing;
use super::place::Here;
use super::surfaces::Surfaces;
use crate::contact::{ContactImpulse, ContactRecord, LawFault, LawView, MOST_ROWS, merge};
use crate::step::report::SpanReport;
use crate::world::ContactMemory;

/// Acceleration that stands for gravity where there is none, m/s².
const GRAVITY: f64 = 9.81;

impl Rubbing {
    /// What is remembered of it: its load.
    pub(super) fn memory(&self) -> ContactMemory {
        let (normal, torque) = (self.lagged.normal, glam::DVec3::ZERO);
        let force = normal * self.lagged.load();
        ContactMemory { pair: self.contact.pair, feature: self.contact.feature, normal, force, torque }
    }
}

/// How a step ended.
#[derive(Clone, Copy)]
pub(super) struct Made {
    /// Solved: Newton's method and lagged friction both converged.
    pub(super) status: Status,
    /// What lagged friction left in the dynamics, relative to the sum of the loads.
    pub(super) splitting: f64,
}

/// The report of a step that ended here.
pub(super) fn report(
    energy: &Energy,
    surfaces: &Surfaces,
    here: &Here,
    records: bool,
    made: Made,
) -> Result<SpanReport, LawFault> {
    let (model, h) = (energy.span.model, energy.span.h);
    let g = Some(model.gravity.length()).filter(|g| *g > 0.0).unwrap_or(GRAVITY);
    let Made { status, splitting } = made;
    let stored = here.barriers(surfaces).sum();
    let mut out = SpanReport { contacts: here.collisions.len(), splitting, status, stored, ..SpanReport::default() };
    for (contact, own) in energy.rubbing.iter().enumerate() {
        let fault = |error| LawFault::Model { contact, error };
        let slip = own.slip(&here.positions, energy.ends);
        let force = -own.sliding(slip, energy.ends.eps_v).map_err(fault)?.gradient;
        let (load, roll) = (own.lagged.load(), energy.roll(own, &here.at));
        let torque = -own.rolling(roll, energy.roll_eps(own)).map_err(fault)?.gradient;
        out.residual = f64::max(out.residual, residual(own, load, force, slip * (load / (g * h))));
        let rows = if own.rolls() { MOST_ROWS } else { 3 };
        let r = [load * h, force.x * h, force.y * h, 0.0, torque.x * h, torque.y * h];
        let u = [0.0, slip.x, slip.y, 0.0, roll.x, roll.y];
        if records {
            let view = LawView { law: &own.law, name: model.interaction(own.contact.pair).law.name() };
            out.records.push(ContactRecord::new(&own.contact, view, &r[..rows], &u[..rows]));
        }
        out.impulses.push(ContactImpulse::new(&own.contact, &r[..rows], &u[..rows]));
    }
    merge(&mut out.impulses);
    merge(&mut out.records);
    Ok(out)
}

fn residual(own: &Rubbing, load: f64, force: DVec2, scaled_slip: DVec2) -> f64 {
    let Some(set) = own.law.set() else { return 0.0 };
    let projected = set.project(load, Tangential::planar(force - scaled_slip)).plane;
    if load > 0.0 { (force - projected).length() / load } else { 0.0 }
}
