//! The potential of the slip at a contact: the smoothed dissipation of its set, or the curve of the IPC Toolkit for comparison.
//!
//! The Toolkit's friction is D(u) = λ ∫ μ f1 of |S B'ᵀ u|, with the stencil's own axes B', a scaling S, and μ(y) that falls from static to
//! kinetic below ε_v: it peaks below the static coefficient (at 0.306 for 0.5 and 0.3). Ours takes the whole static set up to where
//! slip sets in.

use asperity_friction::FrictionError;
use asperity_friction::dissipation::{Dissipated, smoothed};
use asperity_friction::model::FrictionModel;
use asperity_friction::set::{ConvexSet as _, FrictionSet};
use glam::{DMat2, DVec2};

use crate::barrier::{Effective, ToolkitLaw};

/// Whose potential of the slip friction has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SlipPotential {
    /// The smoothed dissipation of any set.
    #[default]
    Sets,
    /// That of the IPC Toolkit.
    Toolkit {
        /// Factors of the slip along the axes of a stencil.
        scaling: [f64; 2],
    },
}

/// What the Toolkit's potential needs beside the static coefficient of a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct ToolkitSlip {
    /// Kinetic over static coefficient.
    pub(super) kinetic: f64,
    pub(super) scaling: [f64; 2],
    /// The axes of the stencil in the frame of the contact.
    pub(super) axes: DMat2,
}

/// Kinetic over static coefficient of a law that the Toolkit has; `None` for all others.
pub(super) fn toolkit_ratio(law: &FrictionModel) -> Option<f64> {
    match law {
        FrictionModel::Coulomb(_) | FrictionModel::Lagged(_) => Some(1.0),
        FrictionModel::StaticKinetic(own) => toolkit_ratio(&own.law).map(|inner| inner * own.kinetic),
        _ => None,
    }
}

/// Nothing is dissipated.
pub(super) const NOTHING: Dissipated = Dissipated { value: 0.0, gradient: DVec2::ZERO, hessian: DMat2::ZERO };

/// The potential of a set, smoothed below the speed `eps`.
pub(super) fn of_set(set: &FrictionSet, eps: f64, load: f64, slip: DVec2) -> Result<Dissipated, FrictionError> {
    if set.radius() == 0.0 || load == 0.0 { Ok(NOTHING) } else { smoothed(set, eps, load, slip) }
}

impl ToolkitSlip {
    /// The Toolkit's potential, for a disk of static coefficients.
    pub(super) fn of(
        &self,
        set: &FrictionSet,
        eps_v: f64,
        load: f64,
        slip: DVec2,
    ) -> Result<Dissipated, FrictionError> {
        let (mu_s, axes) = (set.radius(), self.axes);
        if mu_s == 0.0 || load == 0.0 {
            return Ok(NOTHING);
        }
        let mu_k = self.kinetic * mu_s;
        let scaling = Some(self.scaling).filter(|own| *own != [1.0; 2]);
        let law = ToolkitLaw { mu: [mu_s, mu_k], static_axes: None, kinetic_axes: None, scaling, eps_v };
        let own = law.dissipated(Effective { mu_s, mu_k }, load, axes.transpose() * slip)?;
        let (gradient, hessian) = (axes * own.gradient, axes * own.hessian * axes.transpose());
        Ok(Dissipated { value: own.value, gradient, hessian })
    }
}
