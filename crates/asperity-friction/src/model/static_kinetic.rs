//! Static and kinetic friction around any law: the law itself at rest, a fraction of it while sliding.
//!
//! The scale goes from 1 to `kinetic` with the slip speed, as the curves of [`crate::curve`] say.

use serde::{Deserialize, Serialize};

use super::{Coulomb, Depends, FrictionModel, Matchstick, Model, PatchWindow};
use crate::curve::{StaticKineticCurve, Transition};
use crate::error::FrictionError;
use crate::law::ContactLaw;
use crate::set::Catalogued;
use crate::state::ContactState;

/// Another law, weaker while it slides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StaticKinetic {
    /// The law at rest.
    pub law: Box<FrictionModel>,
    /// Kinetic over static coefficient.
    pub kinetic: f64,
    /// Slip speed ε (m/s) of the transition.
    pub eps_v: f64,
    /// Shape of the transition.
    #[serde(default)]
    pub transition: Transition,
}

impl StaticKinetic {
    fn curve(&self) -> Result<StaticKineticCurve, FrictionError> {
        StaticKineticCurve::new(1.0, self.kinetic, self.eps_v, self.transition)
    }
}

impl Model for StaticKinetic {
    fn validate(&self) -> Result<(), FrictionError> {
        self.curve()?;
        self.law.validate()
    }

    fn evaluate(&self, state: &ContactState, law: &mut ContactLaw) -> Result<(), FrictionError> {
        self.law.evaluate(state, law)?;
        law.scale(self.curve()?.mu(state.slip.plane.length()));
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

impl Catalogued for StaticKinetic {
    const NAME: &'static str = "static_kinetic";
    const SUMMARY: &'static str = "any law, at full strength at rest and at a fraction of it while sliding";

    fn examples() -> Vec<Self> {
        let coulomb = Coulomb { mu: Some(0.5), ..Coulomb::default() };
        let matchstick = Matchstick::examples().swap_remove(1);
        vec![
            Self { law: Box::new(coulomb.into()), kinetic: 0.6, eps_v: 1e-3, transition: Transition::Ipc },
            Self { law: Box::new(matchstick.into()), kinetic: 0.7, eps_v: 0.1, transition: Transition::Peak },
        ]
    }
}
