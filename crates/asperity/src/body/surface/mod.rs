//! What friction models are told about a body's surface.

mod bake;
mod color;
mod field;
mod formula;
mod image;
mod needs;
mod site;

use std::sync::Arc;

use asperity_friction::field::SurfacePoint;
use asperity_friction::tensor::SurfaceTensor;
use asperity_friction::{FrictionError, SurfaceSample};
use glam::DVec3;

pub use bake::{BakeError, BakePart, bake};
pub use color::{Colors, read_colors};
pub use field::{SurfaceField, Timeline};
pub use formula::{FIELD_NAMES, Formula, FormulaError};
pub use image::{Bits, LARGEST_TEXTURE, Pixels, TextureError, read_pixels, read_texture, write_texture};
pub use needs::Needs;
pub use site::{SurfaceSite, Transport};

use crate::expression::Expression;
use crate::geometry::SkinLookup;
use crate::patch::FacetMap;

/// What friction models are told about a body's surface.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Number of the material, for the table of pairs.
    pub material: u32,
    /// Structure (grain) directions, in the body's frame.
    pub structure: Option<SurfaceField>,
    /// Tangent of the surface's own frame, in the body's frame: what friction tensors refer to.
    pub tangent: Option<SurfaceField>,
    /// The skin, where a field wants to know its point of it.
    pub skin: Option<Arc<SkinLookup>>,
    /// Coefficient of the surface, for combination rules.
    pub mu: f64,
    /// Friction tensors in (tangent, bitangent).
    pub tensor: SurfaceTensor,
    /// Strength of the facets, k.
    pub salience: Strength,
    /// Facets, as a map on the skin. A contact's patch is sampled if both bodies have a skin and one of them a map.
    pub facets: Option<Arc<FacetMap>>,
}

/// A strength, which may change in time. A negative one is refused when a law is made with it.
#[derive(Clone, Debug, PartialEq)]
pub enum Strength {
    /// Always the same.
    Constant(f64),
    /// A formula of t.
    Formula(Arc<Expression>),
}

impl Strength {
    /// At a time.
    #[inline]
    pub fn at(&self, time: f64) -> f64 {
        match self {
            Self::Constant(k) => *k,
            Self::Formula(formula) => formula.value(&[time]),
        }
    }
}

impl Default for Surface {
    fn default() -> Self {
        let (structure, tangent, skin) = (None, None, None);
        Self {
            material: 0,
            structure,
            tangent,
            skin,
            mu: 0.0,
            tensor: SurfaceTensor::ZERO,
            salience: Strength::Constant(1.0),
            facets: None,
        }
    }
}

impl Surface {
    /// The point of the surface for a contact at a point with this outward normal, both in the body's frame. Without a skin all but the
    /// position stays zero.
    #[inline]
    pub fn point(&self, position: DVec3, outward: DVec3) -> SurfacePoint {
        match &self.skin {
            // Fields of the place see the contact itself, whether there is a skin or not.
            Some(skin) => SurfacePoint { position, ..skin.at(position, outward) },
            None => SurfacePoint { position, ..SurfacePoint::default() },
        }
    }

    /// The structure direction there at a time, in the body's frame; zero where there is none.
    #[inline]
    pub fn structure_at(&self, at: &SurfacePoint, time: f64) -> Result<DVec3, FrictionError> {
        self.structure.as_ref().map_or(Ok(DVec3::ZERO), |field| field.direction(at, time))
    }

    /// Whether the surface has directions, which may differ from place to place.
    #[inline]
    pub fn has_directions(&self) -> bool {
        self.structure.is_some() || self.tangent.is_some()
    }

    /// What the surface says at any of its places: all but its directions.
    #[inline]
    pub fn anywhere(&self, time: f64) -> SurfaceSample<'static> {
        let salience = self.salience.at(time);
        SurfaceSample {
            material: self.material,
            mu: self.mu,
            tensor: self.tensor,
            salience,
            ..SurfaceSample::default()
        }
    }

    /// What the surface says at a place and time. Texture coordinates only where a field looks at the surface: no law looks at them.
    pub fn sample(&self, site: &SurfaceSite, time: f64) -> Result<SurfaceSample<'static>, FrictionError> {
        if !self.has_directions() {
            return Ok(self.anywhere(time));
        }
        let at = self.point(site.position, site.normal);
        let tangent = match &self.tangent {
            Some(field) => site.transport.direction(field.direction(&at, time)?),
            None => DVec3::ZERO,
        };
        Ok(SurfaceSample {
            structure: site.transport.direction(self.structure_at(&at, time)?),
            tangent: (tangent - site.outward * tangent.dot(site.outward)).normalize_or_zero(),
            uv: at.uv,
            ..self.anywhere(time)
        })
    }
}
