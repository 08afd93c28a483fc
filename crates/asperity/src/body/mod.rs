//! Bodies: a shape, a surface, and how it moves.

mod inertia;
mod script;
pub mod surface;

use glam::DVec3;

pub use inertia::{Inertia, Symmetry};
pub use script::{Keyframe, Script};
pub use surface::Surface;

use crate::geometry::Shape;

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
