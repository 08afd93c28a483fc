//! A shape as a part of another.

use serde::{Deserialize, Serialize};

use super::Shape;
use crate::geometry::Pose;

/// A shape in a compound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// From the part's coordinates to the compound's.
    #[serde(default)]
    pub pose: Pose,
    /// The part's shape.
    #[serde(flatten)]
    pub shape: Shape,
}
