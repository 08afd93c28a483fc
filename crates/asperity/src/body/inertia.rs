//! Mass and inertia as the time steppers need them.
//!
//! With axes R of the body in the world: I = R I₀ Rᵀ, I⁻¹ = R I₀⁻¹ Rᵀ, angular momentum L = I ω.

use glam::{DMat3, DQuat, DVec3};

use crate::geometry::{MassProperties, ShapeError};

/// Inertia tensors within this part of a multiple of the identity count as one: their bodies turn without wobble.
const ROUND: f64 = 1e-12;

/// Mass, centre and inertia of a body that forces move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia {
    mass: f64,
    centre: DVec3,
    tensor: DMat3,
    inverse: DMat3,
    round: bool,
}

impl Inertia {
    /// Refuses what is no mass or no inertia: not finite, not positive, not symmetric.
    pub fn new(properties: &MassProperties) -> Result<Self, ShapeError> {
        let MassProperties { mass, centre, inertia } = *properties;
        if !(mass.is_finite() && mass > 0.0) {
            return Err(ShapeError::NotPositive { name: "mass", value: mass });
        }
        if !centre.is_finite() {
            return Err(ShapeError::NotFinite { name: "centre", index: 0, value: centre });
        }
        let minors =
            [inertia.x_axis.x, inertia.x_axis.x * inertia.y_axis.y - inertia.x_axis.y.powi(2), inertia.determinant()];
        if let Some(value) = minors.into_iter().find(|m| !(m.is_finite() && *m > 0.0)) {
            return Err(ShapeError::NotPositive { name: "inertia", value });
        }
        let mean = (inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z) / 3.0;
        let off = (inertia - DMat3::from_diagonal(DVec3::splat(mean))).to_cols_array();
        let round = off.iter().all(|x| x.abs() <= ROUND * mean);
        Ok(Self { mass, centre, tensor: inertia, inverse: inertia.inverse(), round })
    }

    /// kg.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Centre of mass, in the body's coordinates.
    pub fn centre(&self) -> DVec3 {
        self.centre
    }

    /// Inertia about the centre, in the body's axes.
    pub fn tensor(&self) -> DMat3 {
        self.tensor
    }

    /// Its inverse.
    pub fn inverse(&self) -> DMat3 {
        self.inverse
    }

    /// Whether the inertia is the same about every axis.
    pub fn is_round(&self) -> bool {
        self.round
    }

    /// The inverse in world axes.
    pub fn inverse_in_world(&self, rotation: DQuat) -> DMat3 {
        let axes = DMat3::from_quat(rotation);
        axes * self.inverse * axes.transpose()
    }

    /// L = I ω.
    pub fn momentum(&self, rotation: DQuat, angular_velocity: DVec3) -> DVec3 {
        rotation * (self.tensor * (rotation.conjugate() * angular_velocity))
    }

    /// ω = I⁻¹ L.
    pub fn angular_velocity(&self, rotation: DQuat, momentum: DVec3) -> DVec3 {
        rotation * (self.inverse * (rotation.conjugate() * momentum))
    }
}
