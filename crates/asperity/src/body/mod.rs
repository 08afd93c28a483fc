//! Bodies: a shape, a surface, and how it moves.

mod inertia;
mod script;

use asperity_friction::field::{Field, StructureField};
use asperity_friction::tensor::SurfaceTensor;
use asperity_friction::{FrictionError, SurfaceSample};
use glam::DVec3;

pub use inertia::Inertia;
pub use script::{Keyframe, Script};

use crate::geometry::{Pose, Shape};

/// How a body moves.
#[derive(Clone, Debug)]
pub enum Motion {
    /// Not at all.
    Static,
    /// As forces make it.
    Dynamic(Inertia),
    /// As a script says, whatever is in its way.
    Scripted(Script),
}

/// What friction models are told about a body's surface.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Number of the material, for the table of pairs.
    pub material: u32,
    /// Structure (grain) directions, in the body's frame.
    pub structure: Option<Field>,
    /// Tangent of the surface's own frame, in the body's frame: what friction tensors refer to.
    pub tangent: Option<Field>,
    /// Coefficient of the surface, for combination rules.
    pub mu: f64,
    /// Friction tensors in (tangent, bitangent).
    pub tensor: SurfaceTensor,
    /// Strength of the facets.
    pub salience: f64,
}

impl Default for Surface {
    fn default() -> Self {
        let tensor = SurfaceTensor::ZERO;
        Self { material: 0, structure: None, tangent: None, mu: 0.0, tensor, salience: 1.0 }
    }
}

impl Surface {
    /// What the surface of a body at `pose` says at a world point with this outward normal.
    pub fn sample(&self, pose: &Pose, point: DVec3, outward: DVec3) -> Result<SurfaceSample<'static>, FrictionError> {
        let at = asperity_friction::field::SurfacePoint { position: pose.unapply(point), ..Default::default() };
        let direction = |field: &Option<Field>| -> Result<DVec3, FrictionError> {
            field.as_ref().map_or(Ok(DVec3::ZERO), |field| Ok(pose.rotation * field.direction(&at)?))
        };
        let tangent = direction(&self.tangent)?;
        Ok(SurfaceSample {
            material: self.material,
            structure: direction(&self.structure)?,
            tangent: (tangent - outward * tangent.dot(outward)).normalize_or_zero(),
            mu: self.mu,
            tensor: self.tensor,
            salience: self.salience,
            ..SurfaceSample::default()
        })
    }
}

/// A rigid body, as it is from the start to the end of a run.
#[derive(Clone, Debug)]
pub struct Body {
    /// Unlike that of any other body.
    pub name: String,
    /// Its form.
    pub shape: Shape,
    /// Its surface.
    pub surface: Surface,
    /// How it moves.
    pub motion: Motion,
}

impl Body {
    /// Centre of mass in the body's coordinates; the origin, if it has no mass.
    pub fn centre(&self) -> DVec3 {
        match &self.motion {
            Motion::Dynamic(inertia) => inertia.centre(),
            Motion::Static | Motion::Scripted(_) => DVec3::ZERO,
        }
    }

    /// Whether forces move it.
    pub fn is_dynamic(&self) -> bool {
        matches!(self.motion, Motion::Dynamic(_))
    }
}
