//! Mass and inertia as the time steppers need them.
//!
//! With axes R of the body in the world: I = R I₀ Rᵀ, I⁻¹ = R I₀⁻¹ Rᵀ, angular momentum L = I ω.

use glam::{DMat3, DQuat, DVec3};

use crate::geometry::{MassProperties, ShapeError};

/// Moments of inertia within this part of each other count as equal.
const EQUAL: f64 = 1e-12;

/// I₀⁻¹ = across 1 + extra a aᵀ: two principal moments are equal, as of capsules and cylinders, or all three.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Symmetry {
    /// The axis a, a unit vector in the body's axes.
    pub axis: DVec3,
    /// One over the moment about axes across it.
    pub across: f64,
    /// What one over the moment about the axis is above that.
    pub extra: f64,
}

impl Symmetry {
    /// That of an inverse tensor along the body's axes.
    fn of(inverse: &DMat3) -> Option<Self> {
        let moments = [inverse.x_axis.x, inverse.y_axis.y, inverse.z_axis.z];
        let equal = |x: f64, y: f64| (x - y).abs() <= EQUAL * x.abs().max(y.abs());
        let off = *inverse - DMat3::from_diagonal(DVec3::from_array(moments));
        let largest = moments[0].max(moments[1]).max(moments[2]);
        if off.to_cols_array().iter().any(|x| x.abs() > EQUAL * largest) {
            return None;
        }
        let axis = (0..3).find(|i| equal(moments[(i + 1) % 3], moments[(i + 2) % 3]))?;
        let across = 0.5 * (moments[(axis + 1) % 3] + moments[(axis + 2) % 3]);
        let extra = if equal(moments[axis], across) { 0.0 } else { moments[axis] - across };
        Some(Self { axis: DVec3::AXES[axis], across, extra })
    }
}

/// Mass, centre and inertia of a body that forces move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia {
    mass: f64,
    centre: DVec3,
    tensor: DMat3,
    inverse: DMat3,
    symmetry: Option<Symmetry>,
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
        let inverse = inertia.inverse();
        Ok(Self { mass, centre, tensor: inertia, inverse, symmetry: Symmetry::of(&inverse) })
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

    /// About which axis the inertia is symmetric, if it is about one of the body's own.
    pub fn symmetry(&self) -> Option<Symmetry> {
        self.symmetry
    }

    /// Energy that lifts the body by its radius of gyration, m |g| √(tr I₀ / 2m), J: a scale that does not depend on the motion. The trace is that of
    /// ∫ (r² 1 − r rᵀ) dm, twice ∫ r² dm.
    pub fn lift(&self, gravity: DVec3) -> f64 {
        let trace = self.tensor.x_axis.x + self.tensor.y_axis.y + self.tensor.z_axis.z;
        self.mass * gravity.length() * (0.5 * trace / self.mass).sqrt()
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
