//! Bodies: what they are made of, their surface, and where they are.
//!
//! ```
//! use asperity::body::{Body, Inertia, Motion, Surface};
//! use asperity::geometry::{MassProperties, Shape};
//!
//! let shape = Shape::sphere(0.1)?;
//! let inertia = Inertia::new(&MassProperties::of(&shape, 1000.0)?)?;
//! let ball = Body::rigid("ball", shape, Surface::default(), Motion::Dynamic(inertia));
//! assert!(ball.is_dynamic() && (ball.inertia().unwrap().mass() - 4.18879).abs() < 1e-5);
//! # Ok::<(), asperity::geometry::ShapeError>(())
//! ```

mod animated;
mod elastic;
mod fit;
mod inertia;
mod script;
mod state;
pub mod surface;

use glam::DVec3;

pub use animated::{AnimatedMesh, VERTEX_NAMES, mean_velocities};
pub use elastic::{Damping, Elastic, ElasticKind, ElasticParts, Pins, REST_NAMES};
pub use inertia::{Inertia, Symmetry};
pub use script::{Keyframe, Script};
pub use state::{BodyState, MeshState, RigidState, Twist};
pub use surface::Surface;

use crate::geometry::{Aabb, Shape, TriangleMesh};

/// How a rigid body moves.
#[derive(Clone, Debug)]
pub enum Motion {
    /// Not at all.
    Static,
    /// As forces make it.
    Dynamic(Inertia),
    /// As a script says, whatever is in its way.
    Scripted(Script),
}

/// A body that keeps its form.
#[derive(Clone, Debug)]
pub struct Rigid {
    /// Its form.
    pub shape: Shape,
    /// How it moves.
    pub motion: Motion,
}

/// What a body is made of.
#[derive(Clone, Debug)]
pub enum Matter {
    /// It keeps its form: six degrees of freedom.
    Rigid(Rigid),
    /// A mesh whose vertices move by formulas.
    Animated(AnimatedMesh),
    /// A cloth or a solid: forces move its vertices.
    Elastic(Elastic),
}

/// A body, as it is from the start to the end of a run.
#[derive(Clone, Debug)]
pub struct Body {
    /// Unlike that of any other body.
    pub name: String,
    /// Its surface: what friction laws look at.
    pub surface: Surface,
    /// What it is made of.
    pub matter: Matter,
}

impl Body {
    /// A rigid body.
    pub fn rigid(name: impl Into<String>, shape: Shape, surface: Surface, motion: Motion) -> Self {
        Self { name: name.into(), surface, matter: Matter::Rigid(Rigid { shape, motion }) }
    }

    /// Its shape; `None` for a body that deforms.
    #[inline]
    pub fn shape(&self) -> Option<&Shape> {
        match &self.matter {
            Matter::Rigid(rigid) => Some(&rigid.shape),
            Matter::Animated(_) | Matter::Elastic(_) => None,
        }
    }

    /// The mesh of a body whose vertices move by formulas; `None` for every other body.
    #[inline]
    pub fn animated(&self) -> Option<&AnimatedMesh> {
        match &self.matter {
            Matter::Animated(animated) => Some(animated),
            Matter::Rigid(_) | Matter::Elastic(_) => None,
        }
    }

    /// What a cloth or a solid is made of; `None` for every other body.
    #[inline]
    pub fn elastic(&self) -> Option<&Elastic> {
        match &self.matter {
            Matter::Elastic(elastic) => Some(elastic),
            Matter::Rigid(_) | Matter::Animated(_) => None,
        }
    }

    /// The mesh at rest of a body that deforms, in the body's frame; `None` for a rigid one.
    #[inline]
    pub fn mesh(&self) -> Option<&TriangleMesh> {
        match &self.matter {
            Matter::Rigid(_) => None,
            Matter::Animated(animated) => Some(animated.mesh()),
            Matter::Elastic(elastic) => Some(elastic.mesh()),
        }
    }

    /// Mass and moments of inertia of a rigid body that forces move; `None` for every other body.
    #[inline]
    pub fn inertia(&self) -> Option<&Inertia> {
        match &self.matter {
            Matter::Rigid(Rigid { motion: Motion::Dynamic(inertia), .. }) => Some(inertia),
            Matter::Rigid(_) | Matter::Animated(_) | Matter::Elastic(_) => None,
        }
    }

    /// The script of a rigid body that moves by one.
    #[inline]
    pub fn script(&self) -> Option<&Script> {
        match &self.matter {
            Matter::Rigid(Rigid { motion: Motion::Scripted(script), .. }) => Some(script),
            Matter::Rigid(_) | Matter::Animated(_) | Matter::Elastic(_) => None,
        }
    }

    /// Centre of mass in the body's coordinates; the origin, if it has no mass.
    #[inline]
    pub fn centre(&self) -> DVec3 {
        self.inertia().map_or(DVec3::ZERO, Inertia::centre)
    }

    /// Distance of its farthest point from its origin, at rest; infinite for shapes without an end.
    #[inline]
    pub fn reach(&self) -> f64 {
        match &self.matter {
            Matter::Rigid(rigid) => rigid.shape.reach(),
            Matter::Animated(animated) => animated.mesh().reach(),
            Matter::Elastic(elastic) => elastic.mesh().reach(),
        }
    }

    /// A box around it.
    pub fn aabb(&self, state: &BodyState) -> Aabb {
        match (&self.matter, state) {
            (Matter::Rigid(rigid), _) => rigid.shape.aabb(&state.frame().pose(self)),
            (_, BodyState::Mesh(mesh)) => Aabb::of(mesh.positions.iter().copied()),
            (Matter::Animated(_) | Matter::Elastic(_), BodyState::Rigid(_)) => Aabb::EMPTY,
        }
    }

    /// Whether forces move it.
    #[inline]
    pub fn is_dynamic(&self) -> bool {
        self.inertia().is_some() || self.elastic().is_some()
    }

    /// Whether its motion is given: nothing that touches it changes it.
    #[inline]
    pub fn is_driven(&self) -> bool {
        self.script().is_some() || self.animated().is_some()
    }

    /// Whether it never moves.
    #[inline]
    pub fn is_static(&self) -> bool {
        matches!(self.matter, Matter::Rigid(Rigid { motion: Motion::Static, .. }))
    }
}
