//! A direction swept around an axis: cylinders, capsules, funnels, arch stones.
//!
//! At a point, with r its offset from the axis (without the part along it): *axial* is the axis, *radial* is r,
//! *concentric* is axis × r. Any fixed mix of the three is a sweep too: the authors of the Matchstick paper give a
//! vector in the frame (axial, radial, concentric) of a reference point and turn it about the axis.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::{StructureField, SurfacePoint};
use crate::error::{FrictionError, unit};

/// Which way the structure runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SweepDirection {
    /// Along the axis.
    Axial,
    /// Away from the axis.
    Radial,
    /// Around the axis.
    Concentric,
    /// Components along the three.
    Mixed([f64; 3]),
}

/// A direction that turns with the place about an axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// A point of the axis.
    #[serde(default)]
    pub center: DVec3,
    /// Unit direction of the axis.
    pub axis: DVec3,
    /// Which way the structure runs.
    pub direction: SweepDirection,
}

impl StructureField for Sweep {
    fn validate(&self) -> Result<(), FrictionError> {
        unit("axis", self.axis)?;
        if !self.center.is_finite() {
            return Err(FrictionError::NotFinite { name: "center", value: self.center });
        }
        match self.direction {
            SweepDirection::Mixed(c) if !c.iter().all(|x| x.is_finite()) => {
                Err(FrictionError::NotFinite { name: "direction", value: c.into() })
            }
            _ => Ok(()),
        }
    }

    /// On the axis itself only the axial part is defined.
    fn direction(&self, at: &SurfacePoint) -> Result<DVec3, FrictionError> {
        let offset = at.position - self.center;
        let radial = (offset - self.axis * offset.dot(self.axis)).normalize_or_zero();
        let concentric = self.axis.cross(radial);
        Ok(match self.direction {
            SweepDirection::Axial => self.axis,
            SweepDirection::Radial => radial,
            SweepDirection::Concentric => concentric,
            SweepDirection::Mixed([a, r, c]) => self.axis * a + radial * r + concentric * c,
        })
    }
}
