//! Growth of the energy: no contact law may add energy.
//!
//! With E the total energy after each step, the growth is max over steps of (E − the least E before). It is given as a fraction of the
//! scale of energies: the largest of all kinetic energies, changes of the potential energy, elastic energies, and [`FLOOR`] of what lifts every body by its
//! radius of gyration. Without that floor the growth of what rests would be rounding, as a fraction of nothing.

use serde::{Deserialize, Serialize};

use super::{Moment, StepMeasure, relative};
use crate::step::StepReport;
use crate::table::Variant;

/// The least scale, as a fraction of the energy that lifts every body by its radius of gyration.
const FLOOR: f64 = 1e-3;

/// Largest growth of the energy above its least value so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EnergyGrowth {
    /// Least total energy so far, J.
    least: f64,
    /// Largest growth above that, J.
    growth: f64,
    /// Scale of energies, J.
    scale: f64,
    /// Potential energy at the start, J.
    potential: f64,
}

impl StepMeasure for EnergyGrowth {
    const TABLE: Variant = Variant {
        name: "energy_growth",
        doc: "Largest growth of the energy above its least value so far, as a part of the largest energy seen, or of a thousandth of what lifts every body by its radius of gyration.",
        keys: &[],
    };

    fn start(moment: &Moment) -> Self {
        let energy = &moment.energy;
        Self {
            least: energy.total(),
            growth: 0.0,
            scale: energy.kinetic.max(FLOOR * moment.model.lift(moment.state)),
            potential: energy.potential,
        }
    }

    fn add(&mut self, moment: &Moment, _report: &StepReport) {
        let energy = &moment.energy;
        let fallen = (energy.potential - self.potential).abs();
        self.scale = self.scale.max(energy.kinetic).max(fallen).max(energy.elastic);
        self.growth = self.growth.max(energy.total() - self.least);
        self.least = self.least.min(energy.total());
    }

    fn value(&self) -> f64 {
        relative(self.growth, self.scale)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use glam::DVec3;

    use super::*;
    use crate::scene::Document;

    /// A box of 0.3 × 0.2 × 0.3 m at rest that is lifted by a nanometre: of a thousandth of its radius of gyration, √((0.3² + 0.2² + 0.3²)/12).
    #[test]
    fn growth_at_rest_is_a_fraction_of_the_size_of_bodies() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/analytic/incline_threshold.toml");
        let scene = Document::read(&path).unwrap().scene(None, &[]).unwrap();
        let mut figure = EnergyGrowth::start(&Moment::new(&scene.model, &scene.state, 0.0));
        let mut state = scene.state.clone();
        for body in &mut state.bodies {
            body.frame_mut().centre += DVec3::Y * 1e-9;
        }
        figure.add(&Moment::new(&scene.model, &state, 0.0), &StepReport::default());
        let expected = 1e-9 / (1e-3 * (0.22f64 / 12.0).sqrt());
        let found = figure.value();
        // Heights of 0.1 m have steps of 1.4e-17: eight digits of a nanometre.
        assert!((found - expected).abs() < 1e-6 * expected, "{found}, not {expected}");
    }
}
