//! Anisotropic Coulomb friction: an ellipse whose axes are fixed on one body, or follow the slip.
//!
//! Along the axis the coefficient is μ_along, across it μ_across. The axis is the body's structure direction (or its
//! tangent where the structure is zero), or the direction of the slip: then the body is braked with μ_along wherever it
//! goes and resists being pushed aside with μ_across. At rest every direction is the one in which the slip may start,
//! so the law that follows the slip is then a disk with μ_along.

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::{Coefficient, Combine, Depends, Model};
use crate::error::FrictionError;
use crate::law::ContactLaw;
use crate::set::{Catalogued, Disk, Ellipse};
use crate::state::{ContactState, Side};

/// What the axes of an anisotropic law are fixed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Axes {
    /// The structure direction of A.
    OnA,
    /// The structure direction of B.
    OnB,
    /// The slip.
    AlongSlip,
}

impl Axes {
    /// The unit direction of the first axis in the contact plane; `None` for the slip of a contact at rest.
    #[inline]
    pub(super) fn direction(
        self,
        state: &ContactState,
        needed_by: &'static str,
    ) -> Result<Option<DVec2>, FrictionError> {
        let on = |side: Side| {
            let axis = state.structure(side).map(|s| s.normalize()).or_else(|| state.tangent(side));
            axis.ok_or(FrictionError::NoAxis { side: side.name(), needed_by }).map(Some)
        };
        match self {
            Self::OnA => on(Side::A),
            Self::OnB => on(Side::B),
            Self::AlongSlip => Ok(state.slip.plane.try_normalize()),
        }
    }

    /// With A and B exchanged.
    pub(super) fn swapped(self) -> Self {
        match self {
            Self::OnA => Self::OnB,
            Self::OnB => Self::OnA,
            Self::AlongSlip => Self::AlongSlip,
        }
    }
}

/// Coefficients along an axis and across it at a contact.
#[inline]
pub(super) fn axial([along, across]: [Coefficient; 2], state: &ContactState) -> [f64; 2] {
    let (a, b) = (&state.a, &state.b);
    [along.between(a.along(), b.along()), across.between(a.across(), b.across())]
}

/// Coefficients along an axis and across it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anisotropic {
    /// Along the axis and across it; rules combine `mu_t` and `mu_b` of the surfaces.
    pub mu: [Coefficient; 2],
    /// What the axis is fixed to.
    pub axes: Axes,
}

impl Model for Anisotropic {
    fn validate(&self) -> Result<(), FrictionError> {
        self.mu[0].validate("mu along the axis")?;
        self.mu[1].validate("mu across the axis")?;
        Ok(())
    }

    fn evaluate(&self, state: &ContactState, law: &mut ContactLaw) -> Result<(), FrictionError> {
        let mu = axial(self.mu, state);
        if mu[0] == mu[1] {
            *law = Disk { mu: mu[0] }.into();
            return Ok(());
        }
        *law = match self.axes.direction(state, Self::NAME)? {
            Some(axis) => Ellipse { mu, axis }.into(),
            None => Disk { mu: mu[0] }.into(),
        };
        Ok(())
    }

    fn depends(&self) -> Depends {
        if self.axes == Axes::AlongSlip { Depends::SLIP } else { Depends::default() }
    }

    fn swapped(&self) -> Self {
        Self { axes: self.axes.swapped(), ..*self }
    }
}

impl Catalogued for Anisotropic {
    const NAME: &'static str = "anisotropic";
    const SUMMARY: &'static str =
        "anisotropic Coulomb friction: an ellipse with axes fixed on one body, or along the slip";

    fn examples() -> Vec<Self> {
        let fixed = [0.2, 0.7].map(Coefficient::Fixed);
        let combined = Self { mu: [Coefficient::Combined(Combine::Minimum); 2], axes: Axes::OnB };
        let all = [Axes::OnA, Axes::OnB, Axes::AlongSlip].map(|axes| Self { mu: fixed, axes });
        all.into_iter().chain([combined]).collect()
    }
}
