//! Load that enters nonlinearly, around any law: the friction force grows with a power of the normal force.
//!
//! |f| = μ N (N/N₀)^(p−1): p = 1 is Coulomb's law, p = 2/3 an elastic (Hertz) contact, other powers are fitted to cloth
//! (Chen et al. 2013, named by Erleben et al. 2020 as future work). The coefficient of a law with p < 1 grows without
//! bound as the load vanishes; below `floor`·N₀ it stays what it is there.

use serde::{Deserialize, Serialize};

use super::{Coulomb, Depends, FrictionModel, Model, PatchWindow};
use crate::error::{FrictionError, positive};
use crate::law::ContactLaw;
use crate::set::Catalogued;
use crate::state::ContactState;

/// Another law, as it is at the reference load, with a strength that depends on the load.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadPower {
    /// The law at the reference load.
    pub law: Box<FrictionModel>,
    /// Exponent p of the friction force.
    pub exponent: f64,
    /// Reference load N₀ (newtons).
    pub reference: f64,
    /// Load, relative to the reference, below which the coefficient no longer changes.
    #[serde(default = "small")]
    pub floor: f64,
}

fn small() -> f64 {
    1e-3
}

impl LoadPower {
    /// The strength at normal force `load`, relative to the law's.
    pub fn strength(&self, load: f64) -> f64 {
        (load / self.reference).max(self.floor).powf(self.exponent - 1.0)
    }
}

impl Model for LoadPower {
    fn validate(&self) -> Result<(), FrictionError> {
        positive("exponent", self.exponent)?;
        positive("reference", self.reference)?;
        positive("floor", self.floor)?;
        self.law.validate()
    }

    fn evaluate(&self, state: &ContactState, law: &mut ContactLaw) -> Result<(), FrictionError> {
        self.law.evaluate(state, law)?;
        let strength = self.strength(state.normal_force);
        if !strength.is_finite() {
            return Err(FrictionError::Range {
                name: "normal_force",
                value: state.normal_force,
                expected: "a force whose power is finite",
            });
        }
        law.scale(strength);
        Ok(())
    }

    fn depends(&self) -> Depends {
        self.law.depends().and(Depends::LOAD)
    }

    fn patch(&self) -> Option<PatchWindow> {
        self.law.patch()
    }

    fn swapped(&self) -> Self {
        Self { law: Box::new(self.law.swapped()), ..self.clone() }
    }
}

impl Catalogued for LoadPower {
    const NAME: &'static str = "load_power";
    const SUMMARY: &'static str = "any law, with a friction force that grows with a power of the load";

    fn examples() -> Vec<Self> {
        let coulomb: FrictionModel = Coulomb { mu: Some(0.3), ..Coulomb::default() }.into();
        [2.0 / 3.0, 1.0, 1.3]
            .map(|exponent| Self { law: Box::new(coulomb.clone()), exponent, reference: 10.0, floor: 1e-3 })
            .to_vec()
    }
}
