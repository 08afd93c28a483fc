//! Surface fields: the grain (structure) direction of a body, in its own frame, at a point of its surface.
//!
//! A field answers with a direction as a line: sign and length do not matter, the zero vector means that the surface
//! has no structure there. Means of lines are those of [`mod@line`]. A [`Texture`] holds the texels of an image;
//! reading files is left to whoever uses it.
//!
//! To add a field: one file, and its two lines below.
//!
//! ```
//! use asperity_friction::field::{Constant, Field, StructureField, SurfacePoint};
//! use glam::DVec3;
//! # fn main() -> Result<(), asperity_friction::FrictionError> {
//! let planks = Field::Constant(Constant { direction: DVec3::X });
//! assert_eq!(planks.direction(&SurfacePoint::default())?, DVec3::X);
//! # Ok(())
//! # }
//! ```

mod constant;
pub mod line;
mod sweep;
mod texture;
mod vertex;

use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};

pub use constant::Constant;
pub use sweep::{Sweep, SweepDirection};
pub use texture::{Neighbours, Texel, Texture, Wrap, neighbours};
pub use vertex::PerVertex;

use crate::error::FrictionError;

/// A point of a surface, in the body's frame. What a field does not ask for may stay zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SurfacePoint {
    /// Position.
    pub position: DVec3,
    /// Outward unit normal of the skin.
    pub normal: DVec3,
    /// Unit tangent of the skin, along u; zero if it has no texture coordinates. The bitangent is normal × tangent.
    pub tangent: DVec3,
    /// Texture coordinates.
    pub uv: DVec2,
    /// Triangle of the skin mesh, for fields that live on it.
    pub triangle: usize,
    /// Barycentric coordinates in that triangle.
    pub barycentric: [f64; 3],
}

/// Structure direction of a body as a function of the place.
pub trait StructureField {
    /// Refuses parameters that are NaN, infinite or out of range.
    fn validate(&self) -> Result<(), FrictionError>;

    /// The direction at a point, in the body's frame; zero where there is no structure.
    fn direction(&self, at: &SurfacePoint) -> Result<DVec3, FrictionError>;
}

macro_rules! fields {
    ($($field:ident),* $(,)?) => {
        /// Any of the fields, as plain data. Reading one from a file checks it.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "field", rename_all = "snake_case", try_from = "UncheckedField")]
        pub enum Field {
            $(#[doc = "See the type of the same name."] $field($field),)*
        }

        #[derive(Deserialize)]
        #[serde(tag = "field", rename_all = "snake_case")]
        enum UncheckedField {
            $($field($field),)*
        }

        impl TryFrom<UncheckedField> for Field {
            type Error = FrictionError;
            fn try_from(unchecked: UncheckedField) -> Result<Self, FrictionError> {
                let field = match unchecked { $(UncheckedField::$field(f) => Self::$field(f),)* };
                field.validate()?;
                Ok(field)
            }
        }

        impl StructureField for Field {
            fn validate(&self) -> Result<(), FrictionError> {
                match self { $(Self::$field(f) => f.validate(),)* }
            }
            fn direction(&self, at: &SurfacePoint) -> Result<DVec3, FrictionError> {
                match self { $(Self::$field(f) => f.direction(at),)* }
            }
        }
    };
}

fields!(Constant, Sweep, PerVertex);
