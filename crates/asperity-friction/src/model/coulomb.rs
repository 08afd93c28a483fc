//! Isotropic Coulomb friction: |f| ≤ μ λn, against the slip.

use serde::{Deserialize, Serialize};

use super::{Combine, Model};
use crate::error::{FrictionError, non_negative};
use crate::law::ContactLaw;
use crate::set::{Catalogued, Disk};
use crate::state::ContactState;

/// One coefficient for the pair, or the surfaces' own coefficients combined (they may vary along the surface).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coulomb {
    /// Coefficient of the pair; without it the surfaces' coefficients are combined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mu: Option<f64>,
    /// How the surfaces' coefficients combine.
    #[serde(default)]
    pub combine: Combine,
}

impl Coulomb {
    /// One coefficient for the pair.
    pub fn new(mu: f64) -> Result<Self, FrictionError> {
        Ok(Self { mu: Some(non_negative("mu", mu)?), combine: Combine::default() })
    }
}

impl Model for Coulomb {
    fn validate(&self) -> Result<(), FrictionError> {
        self.mu.map_or(Ok(()), |mu| non_negative("mu", mu).map(|_| ()))
    }

    #[inline]
    fn evaluate(&self, state: &ContactState, law: &mut ContactLaw) -> Result<(), FrictionError> {
        let mu = match self.mu {
            Some(mu) => mu,
            None => self.combine.apply(state.a.mu, state.b.mu),
        };
        *law = Disk { mu }.into();
        Ok(())
    }
}

impl Catalogued for Coulomb {
    const NAME: &'static str = "coulomb";
    const SUMMARY: &'static str = "isotropic Coulomb friction: one coefficient a pair, or the surfaces' combined";

    fn examples() -> Vec<Self> {
        let combined = Combine::ALL.map(|combine| Self { mu: None, combine });
        [Self { mu: Some(0.4), combine: Combine::Average }].into_iter().chain(combined).collect()
    }
}
