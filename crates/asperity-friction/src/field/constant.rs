//! One direction everywhere, fixed to the body: planks, boxes, planes.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::{StructureField, SurfacePoint};
use crate::error::FrictionError;

/// The same direction at every point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constant {
    /// Direction in the body's frame; zero for no structure.
    pub direction: DVec3,
}

impl StructureField for Constant {
    fn validate(&self) -> Result<(), FrictionError> {
        if self.direction.is_finite() {
            Ok(())
        } else {
            Err(FrictionError::NotFinite { name: "direction", value: self.direction })
        }
    }

    fn direction(&self, _at: &SurfacePoint) -> Result<DVec3, FrictionError> {
        Ok(self.direction)
    }
}
