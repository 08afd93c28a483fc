//! Lagged anisotropic coefficient (IPC Toolkit): isotropic friction with the ellipse's resistance in the slip
//! direction.
//!
//! μ_eff = √((μ_0 t_0)² + (μ_1 t_1)²) for the unit slip direction t: the dissipation is that of the ellipse, but the
//! force is antiparallel to the slip, where maximum dissipation on the ellipse is not. Held fixed within a step. At
//! rest the Toolkit takes the first coefficient's direction; so do we.

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::anisotropic::axial;
use super::{Axes, Coefficient, Combine, Depends, Model};
use crate::error::FrictionError;
use crate::law::ContactLaw;
use crate::set::{Catalogued, Disk};
use crate::state::ContactState;

/// √((μ_0 t_0)² + (μ_1 t_1)²): the resistance of an ellipse against sliding along the unit vector `t`.
#[inline]
pub fn effective_coefficient(mu: [f64; 2], t: DVec2) -> f64 {
    (DVec2::from_array(mu) * t).length()
}

/// Coefficients along an axis and across it, applied against the slip.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lagged {
    /// Along the axis and across it; rules combine `mu_t` and `mu_b` of the surfaces.
    pub mu: [Coefficient; 2],
    /// What the axis is fixed to: `on_a` or `on_b`.
    pub axes: Axes,
}

impl Model for Lagged {
    fn validate(&self) -> Result<(), FrictionError> {
        self.mu[0].validate("mu along the axis")?;
        self.mu[1].validate("mu across the axis")?;
        if self.axes == Axes::AlongSlip {
            return Err(FrictionError::Unsupported { name: "lagged", reason: "its axes must be fixed on a body" });
        }
        Ok(())
    }

    fn evaluate(&self, state: &ContactState, law: &mut ContactLaw) -> Result<(), FrictionError> {
        let mu = axial(self.mu, state);
        if mu[0] == mu[1] {
            *law = Disk { mu: mu[0] }.into();
            return Ok(());
        }
        let axis = self.axes.direction(state, Self::NAME)?.unwrap_or(DVec2::X);
        let slip = state.slip.plane.try_normalize().unwrap_or(axis);
        let mu = effective_coefficient(mu, DVec2::new(axis.dot(slip), axis.perp_dot(slip)));
        *law = Disk { mu }.into();
        Ok(())
    }

    fn depends(&self) -> Depends {
        Depends::SLIP
    }

    fn swapped(&self) -> Self {
        Self { axes: self.axes.swapped(), ..*self }
    }
}

impl Catalogued for Lagged {
    const NAME: &'static str = "lagged";
    const SUMMARY: &'static str = "isotropic friction with an ellipse's resistance in the slip direction (IPC Toolkit)";

    fn examples() -> Vec<Self> {
        let fixed = [0.6, 0.2].map(Coefficient::Fixed);
        let combined = Self { mu: [Coefficient::Combined(Combine::Maximum); 2], axes: Axes::OnA };
        let all = [Axes::OnA, Axes::OnB].map(|axes| Self { mu: fixed, axes });
        all.into_iter().chain([combined]).collect()
    }
}
