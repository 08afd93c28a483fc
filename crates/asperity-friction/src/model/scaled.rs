//! Any law, as strong as the surfaces say: the inner law times a coefficient that may vary along the surfaces.
//!
//! F = k F₀, with F₀ the set (or slip rule, or pair of sets) of the inner law and k a number, or the coefficients `mu` of both surfaces
//! combined. With it the coefficients of every law vary over a surface, also of those that are lists of numbers (measured curves) or have
//! none of their own (tensors).

use serde::{Deserialize, Serialize};

use super::{Coefficient, Combine, Coulomb, Depends, FrictionModel, Matchstick, Model, PatchWindow};
use crate::error::FrictionError;
use crate::law::ContactLaw;
use crate::set::Catalogued;
use crate::state::ContactState;

/// Another law times a coefficient.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scaled {
    /// The law where the coefficient is 1.
    pub law: Box<FrictionModel>,
    /// How strong it is; a rule combines `mu` of the surfaces.
    pub strength: Coefficient,
}

impl Model for Scaled {
    fn validate(&self) -> Result<(), FrictionError> {
        self.strength.validate("strength")?;
        self.law.validate()
    }

    fn evaluate(&self, state: &ContactState, law: &mut ContactLaw) -> Result<(), FrictionError> {
        self.law.evaluate(state, law)?;
        law.scale(self.strength.between(state.a.mu, state.b.mu));
        Ok(())
    }

    fn depends(&self) -> Depends {
        self.law.depends()
    }

    fn patch(&self) -> Option<PatchWindow> {
        self.law.patch()
    }

    fn swapped(&self) -> Self {
        Self { law: Box::new(self.law.swapped()), ..self.clone() }
    }
}

impl Catalogued for Scaled {
    const NAME: &'static str = "scaled";
    const SUMMARY: &'static str = "any law, times a number or the combined coefficients of both surfaces";

    fn examples() -> Vec<Self> {
        let coulomb: FrictionModel = Coulomb { mu: Some(0.3), ..Coulomb::default() }.into();
        let matchstick: FrictionModel = Matchstick::examples().swap_remove(0).into();
        vec![
            Self { law: Box::new(coulomb), strength: Coefficient::Fixed(0.5) },
            Self { law: Box::new(matchstick), strength: Coefficient::Combined(Combine::Product) },
        ]
    }
}
