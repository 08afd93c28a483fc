//! What friction models are told about a body's surface.

mod bake;
mod coefficients;
mod color;
mod field;
mod formula;
mod image;
mod needs;
mod scalar;
mod site;

use std::sync::Arc;

use asperity_friction::field::SurfacePoint;
use asperity_friction::{FrictionError, SurfaceSample};
use glam::{DVec2, DVec3};

pub use bake::{BakeError, BakePart, bake};
pub use coefficients::{CoefficientName, Coefficients, VaryingCoefficient};
pub use color::{Colors, read_colors};
pub use field::{SurfaceField, Timeline, TimelineKey};
pub use formula::{FIELD_NAMES, Formula, FormulaError};
pub use image::{Bits, Channel, LARGEST_TEXTURE, Pixels, TextureError, read_pixels, read_texture, write_texture};
pub use needs::Needs;
pub use scalar::{ScalarField, ScalarTexture, VertexScalars};
pub use site::{SurfaceSite, Transport};

use crate::geometry::SkinLookup;
use crate::geometry::potential::PotentialSettings;
use crate::patch::FacetMap;

/// What friction models are told about a body's surface.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// Number of the material, for the table of pairs.
    pub material: u32,
    /// Structure (grain) directions, in the body's frame.
    pub structure: Option<SurfaceField>,
    /// Tangent of the surface's own frame, in the body's frame: what friction tensors refer to.
    pub tangent: Option<SurfaceField>,
    /// The skin, where a field wants to know its point of it.
    pub skin: Option<Arc<SkinLookup>>,
    /// Coefficients where none of them varies.
    pub coefficients: Coefficients,
    /// Those that vary with the place or the time, and so replace the ones above.
    pub varying: Vec<VaryingCoefficient>,
    /// How the smooth potential around it is made; `None` for the usual way.
    pub potential: Option<PotentialSettings>,
    /// Facets, as a map on the skin. A contact's patch is sampled if both bodies have a skin and one of them a map.
    pub facets: Option<Arc<FacetMap>>,
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

    /// The direction that friction resists least by the tensor, along the tangent and the bitangent of the surface's own frame; for a
    /// tensor that differs forward and backward, the tangent. `None` without a tangent, and where all directions are alike.
    ///
    /// The symmetric part of Q resists a slip along (cos θ, sin θ) with m + d cos 2θ + c sin 2θ, m the mean and d half of the difference
    /// of its diagonal entries, c its other one. That is least where (cos 2θ, sin 2θ) points against (d, c).
    pub fn easy_axis(&self) -> Option<DVec2> {
        self.tangent.as_ref()?;
        let (plus, minus) = self.coefficients.tensor.rows();
        if plus != minus {
            return Some(DVec2::X);
        }
        let [[along, twist], [turn, across]] = plus;
        let spread = DVec2::new(0.5 * (along - across), 0.5 * (twist + turn));
        (spread != DVec2::ZERO).then(|| DVec2::from_angle(0.5 * (-spread).to_angle()))
    }

    /// The direction that pictures draw as fibres, in the body's frame: the structure, or else the one that the tensor resists least. Zero where
    /// there is none; `outward` is the normal there.
    pub fn fibre_at(&self, at: &SurfacePoint, outward: DVec3, time: f64) -> Result<DVec3, FrictionError> {
        match (&self.structure, &self.tangent, self.easy_axis()) {
            (None, Some(field), Some(axis)) => {
                let tangent = field.direction(at, time)?;
                let tangent = (tangent - outward * tangent.dot(outward)).normalize_or_zero();
                Ok(tangent * axis.x + outward.cross(tangent) * axis.y)
            }
            _ => self.structure_at(at, time),
        }
    }

    /// Whether pictures have fibres to draw.
    pub fn has_fibres(&self) -> bool {
        self.structure.is_some() || self.easy_axis().is_some()
    }

    /// The coefficients there at a time, as friction models see them; without directions.
    #[inline]
    pub fn coefficients_at(&self, at: &SurfacePoint, time: f64) -> Result<SurfaceSample<'static>, FrictionError> {
        let mut sample = self.anywhere();
        coefficients::vary(&self.varying, at, time, &mut sample)?;
        Ok(sample)
    }

    /// Whether what the surface says may differ from place to place or from time to time.
    #[inline]
    pub fn varies(&self) -> bool {
        self.has_directions() || !self.varying.is_empty()
    }

    #[inline]
    fn has_directions(&self) -> bool {
        self.structure.is_some() || self.tangent.is_some()
    }

    /// What the surface says at any of its places: all that does not vary.
    #[inline]
    pub fn anywhere(&self) -> SurfaceSample<'static> {
        self.coefficients.sample(self.material)
    }

    /// What the surface says at a place and time. Texture coordinates only where a field looks at the surface: no law looks at them.
    pub fn sample(&self, site: &SurfaceSite, time: f64) -> Result<SurfaceSample<'static>, FrictionError> {
        self.sample_along(site, time, 1)
    }

    /// The same with the mean of the coefficients at `samples` places along the way through the step: in the middles of equal pieces of it, so that
    /// one sample is the place halfway.
    pub fn sample_along(
        &self,
        site: &SurfaceSite,
        time: f64,
        samples: usize,
    ) -> Result<SurfaceSample<'static>, FrictionError> {
        let coefficients = match (self.varying.is_empty(), samples) {
            (true, _) => self.anywhere(),
            (false, 0 | 1) => self.coefficients_at(&self.point(site.midway, site.normal), time)?,
            (false, samples) => {
                let half = site.midway - site.position;
                let place = |k: usize| site.position + half * ((2 * k + 1) as f64 / samples as f64);
                let at = |k: usize| self.coefficients_at(&self.point(place(k), site.normal), time);
                coefficients::mean((0..samples).map(at))?
            }
        };
        if !self.has_directions() {
            return Ok(coefficients);
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
            ..coefficients
        })
    }
}
