//! Numbers on a surface: coefficients of friction that vary with the place and the time.
//!
//! A field is a function of a point of the surface at rest, in the body's frame, and of the time: a number, a formula of x, y, z, u, v and t, an
//! image ([`ScalarTexture`]), or a number at each vertex of a mesh ([`VertexScalars`]).
//!
//! ```
//! use asperity::body::surface::ScalarField;
//! use asperity_friction::field::SurfacePoint;
//! use glam::DVec3;
//!
//! let mu = ScalarField::parse("0.2 + 0.1*x")?;
//! let there = SurfacePoint { position: DVec3::X * 2.0, ..SurfacePoint::default() };
//! assert_eq!(mu.value(&there, 0.0), 0.2 + 0.1 * 2.0);
//! # Ok::<(), asperity::body::surface::FormulaError>(())
//! ```

mod texture;
mod vertex;

use std::sync::Arc;

use asperity_friction::field::SurfacePoint;

pub use texture::ScalarTexture;
pub use vertex::VertexScalars;

use super::formula::{self, FormulaError, values};
use super::{FIELD_NAMES, Needs};
use crate::expression::Expression;

/// A number as a function of the place and the time. Bodies that are alike share the data.
#[derive(Clone, Debug, PartialEq)]
pub enum ScalarField {
    /// The same everywhere.
    Constant(f64),
    /// As a formula says.
    Formula(Arc<Expression>),
    /// Painted into an image.
    Texture(ScalarTexture),
    /// One at each vertex.
    PerVertex(Arc<VertexScalars>),
}

impl ScalarField {
    /// Reads a formula.
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        formula::component(text).map(|formula| Self::Formula(Arc::new(formula)))
    }

    /// The number at a point; NaN where there is none.
    #[inline]
    pub fn value(&self, at: &SurfacePoint, time: f64) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Formula(formula) => formula.value(&values(at, time)),
            Self::Texture(texture) => texture.value(at.uv),
            Self::PerVertex(numbers) => numbers.value(at),
        }
    }

    /// What it must be told.
    pub fn needs(&self) -> Needs {
        match self {
            Self::Constant(_) => Needs::Place,
            Self::Formula(formula) if formula.uses("u") || formula.uses("v") => Needs::Coordinates,
            Self::Formula(_) => Needs::Place,
            Self::Texture(_) => Needs::Coordinates,
            Self::PerVertex(_) => Needs::Triangle,
        }
    }

    /// Whether it speaks of the time.
    pub fn changes(&self) -> bool {
        matches!(self, Self::Formula(formula) if formula.uses("t"))
    }

    /// Whether it is a formula of nothing but the time.
    pub fn is_everywhere_alike(&self) -> bool {
        match self {
            Self::Constant(_) => true,
            Self::Formula(formula) => FIELD_NAMES.iter().all(|name| *name == "t" || !formula.uses(name)),
            Self::Texture(_) | Self::PerVertex(_) => false,
        }
    }
}
