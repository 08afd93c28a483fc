//! Stribeck friction around any law: falls from the static value at low speed, grows with lubricated speed.
//!
//! scale(v) = 1 + (s − 1) exp(−(v/v_s)^δ) + c v, with s the static over the sliding coefficient, v_s the Stribeck
//! speed, δ the exponent (2 by default) and c the viscous part (s/m). Planned by Erleben et al. 2020 and the IPC
//! Toolkit; the form is the one of Armstrong-Hélouvry et al. 1994.

use serde::{Deserialize, Serialize};

use super::{Coulomb, Depends, FrictionModel, Matchstick, Model, PatchWindow};
use crate::error::{FrictionError, non_negative, positive};
use crate::law::ContactLaw;
use crate::set::Catalogued;
use crate::state::ContactState;

/// Another law, as it is at moderate speed, with a strength that depends on the slip speed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stribeck {
    /// The law at moderate speed.
    pub law: Box<FrictionModel>,
    /// Static over sliding coefficient.
    pub rest: f64,
    /// Speed (m/s) at which the static excess has fallen to 1/e.
    pub speed: f64,
    /// Exponent δ.
    #[serde(default = "two")]
    pub exponent: f64,
    /// Growth with speed (s/m).
    #[serde(default)]
    pub viscous: f64,
}

fn two() -> f64 {
    2.0
}

impl Stribeck {
    /// The strength at slip speed `v`, relative to the law's.
    pub fn strength(&self, v: f64) -> f64 {
        1.0 + (self.rest - 1.0) * (-(v / self.speed).powf(self.exponent)).exp() + self.viscous * v
    }
}

impl Model for Stribeck {
    fn validate(&self) -> Result<(), FrictionError> {
        non_negative("rest", self.rest)?;
        positive("speed", self.speed)?;
        positive("exponent", self.exponent)?;
        non_negative("viscous", self.viscous)?;
        self.law.validate()
    }

    fn evaluate(&self, state: &ContactState, law: &mut ContactLaw) -> Result<(), FrictionError> {
        self.law.evaluate(state, law)?;
        law.scale(self.strength(state.slip.plane.length()));
        Ok(())
    }

    fn depends(&self) -> Depends {
        self.law.depends().and(Depends::SLIP)
    }

    fn patch(&self) -> Option<PatchWindow> {
        self.law.patch()
    }

    fn swapped(&self) -> Self {
        Self { law: Box::new(self.law.swapped()), ..self.clone() }
    }
}

impl Catalogued for Stribeck {
    const NAME: &'static str = "stribeck";
    const SUMMARY: &'static str = "any law, stronger at rest and growing with speed when lubricated";

    fn examples() -> Vec<Self> {
        let coulomb: FrictionModel = Coulomb { mu: Some(0.3), ..Coulomb::default() }.into();
        let matchstick: FrictionModel = Matchstick::examples().swap_remove(0).into();
        [coulomb, matchstick]
            .map(|law| Self { law: Box::new(law), rest: 1.5, speed: 0.05, exponent: 2.0, viscous: 0.1 })
            .to_vec()
    }
}
