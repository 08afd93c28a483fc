//! Any field of a surface, also one that is an image, a formula, or changes in time.

mod timeline;

use std::sync::Arc;

use asperity_friction::FrictionError;
use asperity_friction::field::{Field, StructureField, SurfacePoint, Texture};
use glam::DVec3;

use super::{Formula, Needs};

pub use timeline::{Timeline, TimelineKey};

/// Directions on a surface, in the body's frame, as a function of the place and the time. Bodies that are alike share them.
#[derive(Clone, Debug, PartialEq)]
pub enum SurfaceField {
    /// One of those that any engine can use.
    Plain(Arc<Field>),
    /// Painted into an image.
    Texture(Texture),
    /// As a formula says.
    Formula(Arc<Formula>),
    /// One after the other.
    Timeline(Arc<Timeline>),
    /// The tangent of the skin, along u.
    Skin,
}

impl From<Field> for SurfaceField {
    fn from(field: Field) -> Self {
        Self::Plain(Arc::new(field))
    }
}

impl SurfaceField {
    /// The direction at a point; zero where there is none.
    #[inline]
    pub fn direction(&self, at: &SurfacePoint, time: f64) -> Result<DVec3, FrictionError> {
        match self {
            Self::Plain(field) => field.direction(at),
            Self::Texture(texture) => texture.direction(at),
            Self::Formula(formula) => formula.direction(at, time),
            Self::Timeline(timeline) => timeline.direction(at, time),
            Self::Skin => Ok(at.tangent),
        }
    }

    /// What it must be told.
    pub fn needs(&self) -> Needs {
        match self {
            Self::Plain(field) if matches!(**field, Field::PerVertex(_)) => Needs::Triangle,
            Self::Plain(_) => Needs::Place,
            Self::Texture(_) | Self::Skin => Needs::Coordinates,
            Self::Formula(formula) => formula.needs(),
            Self::Timeline(timeline) => timeline.needs(),
        }
    }

    /// Whether it is not the same at all times.
    pub fn changes(&self) -> bool {
        match self {
            Self::Formula(formula) => formula.changes(),
            Self::Timeline(_) => true,
            Self::Plain(_) | Self::Texture(_) | Self::Skin => false,
        }
    }
}
