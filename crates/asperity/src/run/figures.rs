//! Figures of a run: what expectations about all of its steps are measured by.

use asperity_solve::solver::Status;
use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::record::{Energy, StepRow, StepView};
use crate::scene::RunFigures;
use crate::step::StepReport;
use crate::world::{Model, State};

/// Energies are measured against this part of what lifts every body by its own size, at least: growth of what rests is rounding, and a part of nothing.
const FLOOR: f64 = 1e-3;

/// What is carried along from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Figures {
    /// Total energy at the start; its least value so far; the largest growth above that.
    first: f64,
    least: f64,
    growth: f64,
    /// Largest kinetic energy, largest change of the potential one, and [`FLOOR`]: the scale of energies.
    scale: f64,
    potential: f64,
    penetration: f64,
    residual: f64,
    friction_power: f64,
    momentum: [DVec3; 2],
    drift: f64,
    /// Largest sum of the sizes of the bodies' momenta.
    flow: f64,
    unconverged: u64,
    joint_drift: f64,
}

impl Figures {
    pub(super) fn new(model: &Model, state: &State) -> Self {
        let energy = energy(model, state);
        let (p, l) = model.momentum(state);
        let total = energy.total();
        Self {
            first: total,
            least: total,
            growth: 0.0,
            scale: energy.kinetic.max(FLOOR * model.lift(state)),
            potential: energy.potential,
            penetration: 0.0,
            residual: 0.0,
            friction_power: 0.0,
            momentum: [p, l],
            drift: 0.0,
            flow: 0.0,
            unconverged: 0,
            joint_drift: 0.0,
        }
    }

    /// Takes a step in; answers with its row.
    pub(super) fn row(&mut self, model: &Model, state: &State, report: &StepReport) -> StepRow {
        let energy = energy(model, state);
        let total = energy.total();
        let Energy { kinetic, potential, elastic } = energy;
        self.scale = self.scale.max(kinetic).max((potential - self.potential).abs()).max(elastic);
        self.growth = self.growth.max(total - self.least);
        self.least = self.least.min(total);
        self.penetration = self.penetration.max(report.penetration);
        self.residual = self.residual.max(report.residual);
        self.friction_power = self.friction_power.max(report.largest_friction_power);
        let (p, l) = model.momentum(state);
        let moved = (p - self.momentum[0]).length().max((l - self.momentum[1]).length());
        self.drift = self.drift.max(moved);
        self.flow = self.flow.max(model.momentum_scale(state));
        self.joint_drift = self.joint_drift.max(report.joint_drift);
        self.unconverged += u64::from(report.status != Status::Solved);
        StepRow::new(&StepView { t: state.time, report, energy, first: self.first })
    }

    pub(super) fn of_run(&self) -> RunFigures {
        let relative = |value: f64, scale: f64| if value > 0.0 { value / scale.max(f64::MIN_POSITIVE) } else { 0.0 };
        RunFigures {
            energy_growth: relative(self.growth, self.scale),
            penetration: self.penetration,
            residual: self.residual,
            friction_power: self.friction_power,
            momentum_drift: relative(self.drift, self.flow),
            unconverged: self.unconverged,
            joint_drift: self.joint_drift,
        }
    }
}

/// The energies of a world.
fn energy(model: &Model, state: &State) -> Energy {
    Energy {
        kinetic: model.kinetic_energy(state),
        potential: model.potential_energy(state),
        elastic: model.elastic_energy(state),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scene::Document;

    /// A box of 0.3 × 0.2 × 0.3 m at rest that is lifted by a nanometre: of a thousandth of its radius of gyration, √((0.3² + 0.2² + 0.3²)/12).
    #[test]
    fn growth_at_rest_is_a_part_of_the_size_of_bodies() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/analytic/incline_threshold.toml");
        let scene = Document::read(&path).unwrap().scene(None, &[]).unwrap();
        let mut figures = Figures::new(&scene.model, &scene.state);
        let mut state = scene.state.clone();
        for body in &mut state.bodies {
            body.frame_mut().centre += DVec3::Y * 1e-9;
        }
        figures.row(&scene.model, &state, &StepReport::default());
        let expected = 1e-9 / (1e-3 * (0.22f64 / 12.0).sqrt());
        let found = figures.of_run().energy_growth;
        // Heights of 0.1 m have steps of 1.4e-17: eight digits of a nanometre.
        assert!((found - expected).abs() < 1e-6 * expected, "{found}, not {expected}");
    }
}
