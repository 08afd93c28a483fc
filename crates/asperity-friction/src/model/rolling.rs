//! Rolling resistance beside any sliding law: a torque against rolling, up to ρ λn.
//!
//! ρ is a length: how far ahead of the contact point the normal force acts when the body rolls.

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::{Coulomb, Depends, FrictionModel, Matchstick, Model, PatchWindow};
use crate::error::{FrictionError, non_negative};
use crate::law::ContactLaw;
use crate::set::{Catalogued, ConvexSet, Disk, Ellipse, FrictionSet, Rolling};
use crate::state::ContactState;

/// Another law, with rolling resistance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RollingResistance {
    /// The sliding law; must be a set.
    pub law: Box<FrictionModel>,
    /// Rolling coefficient (metres): largest torque per normal force.
    pub rho: f64,
}

impl Model for RollingResistance {
    fn validate(&self) -> Result<(), FrictionError> {
        non_negative("rho", self.rho)?;
        self.law.validate()
    }

    fn evaluate(&self, state: &ContactState, law: &mut ContactLaw) -> Result<(), FrictionError> {
        // The sliding set is evaluated in its own storage, which the last law may hold.
        let mut sliding = match std::mem::take(law) {
            ContactLaw::Set(FrictionSet::Rolling(last)) => last.sliding,
            _ => Box::new(FrictionSet::Disk(Disk { mu: 0.0 })),
        };
        let mut inner = ContactLaw::Set(std::mem::replace(&mut *sliding, FrictionSet::Disk(Disk { mu: 0.0 })));
        self.law.evaluate(state, &mut inner)?;
        let ContactLaw::Set(set) = inner else {
            return Err(FrictionError::Unsupported {
                name: "rolling_resistance",
                reason: "the sliding law must be a set",
            });
        };
        if set.rows() > 3 {
            return Err(FrictionError::Unsupported {
                name: "rolling_resistance",
                reason: "the law has rolling resistance already",
            });
        }
        *sliding = set;
        *law = ContactLaw::Set(FrictionSet::Rolling(Rolling {
            sliding,
            rolling: Ellipse { mu: [self.rho; 2], axis: DVec2::X },
        }));
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

impl Catalogued for RollingResistance {
    const NAME: &'static str = "rolling_resistance";
    const SUMMARY: &'static str = "any sliding law, with a torque against rolling";

    fn examples() -> Vec<Self> {
        let coulomb: FrictionModel = Coulomb { mu: Some(0.5), ..Coulomb::default() }.into();
        let matchstick: FrictionModel = Matchstick::examples().swap_remove(1).into();
        vec![Self { law: Box::new(coulomb), rho: 0.01 }, Self { law: Box::new(matchstick), rho: 0.02 }]
    }
}
