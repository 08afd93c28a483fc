//! The point of a skin that a contact is at: what fields, textures and normal maps are looked up by.
//!
//! A contact comes with a point p near the surface and the outward normal m. The nearest point alone is not enough: a box that rests on
//! its corners touches at points of three faces each, and the normal says which of them is meant. So the piece of the skin with the least
//!
//!   cost = |p − x| − β m·n
//!
//! is taken, x its nearest point to p and n its flat normal, with a small length β: of pieces that are equally near, the one that faces the
//! contact. β is 10⁻³ of the shape's size: far above overlaps and gaps, far below what is painted.
//!
//! Planes, boxes, capsules and cylinders are answered in closed form, with the texture coordinates and tangents of their skin ([`SkinMesh`]) in
//! the limit of small triangles. All others search a tree of the triangles of their skin and interpolate normals, tangents and texture coordinates
//! with barycentric weights; coordinates on the two sides of a seam are never mixed, because one triangle is on one side. Nothing is
//! allocated, and the same question has the same answer.

mod compound;
mod cuboid;
mod pieces;
mod plane;
mod round;
mod triangles;

use asperity_friction::field::SurfacePoint;
use glam::DVec3;

use self::compound::CompoundSkin;
pub(in crate::geometry) use self::compound::PartSkin;
use self::cuboid::CuboidSkin;
pub use self::pieces::{FlatPiece, Outline, Piece, RoundPiece};
use self::plane::PlaneSkin;
use self::round::{CapsuleSkin, CylinderSkin};
use self::triangles::Triangles;
use super::{HALF_SPACE_SIDE, SkinMesh};
use crate::geometry::{Aabb, Pose, Version};

/// β as a fraction of the shape's size.
const FACING: f64 = 1e-3;

/// A surface, ready to be asked.
#[derive(Clone, Debug)]
pub struct SkinLookup {
    form: SkinForm,
    /// β, in metres.
    facing: f64,
    textured: bool,
    version: Version,
}

/// A question: the point, the outward normal, β.
#[derive(Clone, Copy, Debug)]
struct SkinQuestion {
    point: DVec3,
    outward: DVec3,
    facing: f64,
}

impl SkinQuestion {
    /// |p − x| − β m·n.
    #[inline]
    fn cost(&self, distance: f64, normal: DVec3) -> f64 {
        distance - self.facing * self.outward.dot(normal)
    }
}

/// The answer of a surface: the least cost, and the point that has it.
#[derive(Clone, Copy, Debug)]
struct SkinAnswer {
    cost: f64,
    at: SurfacePoint,
}

/// What pieces are asked for: those that can reach into a box and face `outward`, both in the coordinates of the surface.
#[derive(Clone, Copy, Debug)]
struct PieceRegion {
    within: Aabb,
    outward: DVec3,
}

/// What every kind of surface can be asked.
trait LookupSurface {
    /// The point with the least cost.
    fn nearest(&self, question: &SkinQuestion) -> SkinAnswer;

    /// ∇u and ∇v at a point of the surface, 1/m.
    fn gradients(&self, at: &SurfacePoint) -> [DVec3; 2];

    /// Calls `visit` with the pieces in a region, each with the pose of its own coordinates in the body's; `pose` is that of the surface.
    fn pieces<'a>(&'a self, pose: &Pose, region: &PieceRegion, visit: &mut dyn FnMut(&Pose, Piece<'a>));

    /// Whether it has texture coordinates and tangents everywhere.
    fn is_textured(&self) -> bool {
        true
    }
}

macro_rules! skin_forms {
    ($($name:ident($surface:ty)),+ $(,)?) => {
        /// How the surface of a shape is looked up.
        #[derive(Clone, Debug)]
        pub(in crate::geometry) struct SkinForm(KnownForm);

        #[derive(Clone, Debug)]
        enum KnownForm {
            $($name($surface),)+
        }

        impl LookupSurface for SkinForm {
            #[inline]
            fn nearest(&self, question: &SkinQuestion) -> SkinAnswer {
                match &self.0 { $(KnownForm::$name(own) => own.nearest(question)),+ }
            }

            fn gradients(&self, at: &SurfacePoint) -> [DVec3; 2] {
                match &self.0 { $(KnownForm::$name(own) => own.gradients(at)),+ }
            }

            fn pieces<'a>(&'a self, pose: &Pose, region: &PieceRegion, visit: &mut dyn FnMut(&Pose, Piece<'a>)) {
                match &self.0 { $(KnownForm::$name(own) => own.pieces(pose, region, visit)),+ }
            }

            fn is_textured(&self) -> bool {
                match &self.0 { $(KnownForm::$name(own) => own.is_textured()),+ }
            }
        }
    };
}

skin_forms!(
    Plane(PlaneSkin),
    Cuboid(CuboidSkin),
    Capsule(CapsuleSkin),
    Cylinder(CylinderSkin),
    Triangles(Box<Triangles>),
    Compound(CompoundSkin),
);

impl SkinForm {
    /// A plane through the origin.
    pub(in crate::geometry) fn plane(normal: DVec3) -> Self {
        Self(KnownForm::Plane(PlaneSkin::new(normal)))
    }

    /// A box around the origin.
    pub(in crate::geometry) fn cuboid(half: DVec3) -> Self {
        Self(KnownForm::Cuboid(CuboidSkin { half }))
    }

    /// A capsule around the y axis; a sphere if its half length is zero.
    pub(in crate::geometry) fn capsule(half_length: f64, radius: f64) -> Self {
        Self(KnownForm::Capsule(CapsuleSkin(RoundPiece { half_length, radius, capped: true })))
    }

    /// A cylinder around the y axis.
    pub(in crate::geometry) fn cylinder(half_length: f64, radius: f64) -> Self {
        Self(KnownForm::Cylinder(CylinderSkin(RoundPiece { half_length, radius, capped: false })))
    }

    /// Any skin, by its triangles.
    pub(in crate::geometry) fn triangles(skin: SkinMesh) -> Self {
        Self(KnownForm::Triangles(Box::new(Triangles::new(skin))))
    }

    /// The parts of a compound.
    pub(in crate::geometry) fn compound(parts: Vec<PartSkin>) -> Self {
        Self(KnownForm::Compound(CompoundSkin(parts)))
    }
}

impl SkinLookup {
    /// For a surface of a shape that reaches this far; infinite for shapes without an end.
    pub(in crate::geometry) fn of(form: SkinForm, reach: f64) -> Self {
        let size = if reach.is_finite() { reach } else { HALF_SPACE_SIDE };
        let textured = form.is_textured();
        Self { form, facing: FACING * size, textured, version: Version::fresh() }
    }

    /// What names its content. A surface that deforms is another lookup, with another version.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Whether it has texture coordinates and tangents everywhere.
    pub fn textured(&self) -> bool {
        self.textured
    }

    /// The triangles that are searched, if it is one hull or mesh.
    pub fn triangles(&self) -> Option<&SkinMesh> {
        match &self.form.0 {
            KnownForm::Triangles(triangles) => Some(triangles.skin()),
            _ => None,
        }
    }

    /// The point of the skin for a contact at `point` with this outward normal (unit, or zero if it is not known), both in the body's
    /// coordinates. Triangles of a compound are counted in each part; primitives have none, and answer with triangle 0.
    #[inline]
    pub fn at(&self, point: DVec3, outward: DVec3) -> SurfacePoint {
        self.form.nearest(&SkinQuestion { point, outward, facing: self.facing }).at
    }

    /// ∇u and ∇v at a point that [`Self::at`] has answered with.
    pub fn gradients(&self, at: &SurfacePoint) -> [DVec3; 2] {
        self.form.gradients(at)
    }

    /// Calls `visit` with the pieces that can reach into a box and face `outward`, both in the body's coordinates; each with the pose of
    /// its own coordinates in the body's. The order is always the same. Nothing is allocated.
    pub fn pieces<'a>(&'a self, within: &Aabb, outward: DVec3, visit: &mut dyn FnMut(&Pose, Piece<'a>)) {
        self.form.pieces(&Pose::IDENTITY, &PieceRegion { within: *within, outward }, visit);
    }
}

/// ∇u and ∇v of coordinates that grow along the tangent and the bitangent.
fn along(at: &SurfacePoint, growth: glam::DVec2) -> [DVec3; 2] {
    [at.tangent * growth.x, at.normal.cross(at.tangent) * growth.y]
}
