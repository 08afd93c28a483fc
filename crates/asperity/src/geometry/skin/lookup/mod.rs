//! The point of a skin that a contact is at: what fields, textures and normal maps are looked up by.
//!
//! A contact comes with a point p near the surface and the outward normal m. The nearest point alone is not enough: a box that rests on
//! its corners touches at points of three faces each, and the normal says which of them is meant. So the part of the skin with the least
//! |p − x| − β m·n is taken, x its nearest point to p and n its flat normal, with a small length β: of parts that are equally near, the one
//! that faces the contact. β is 10⁻³ of the shape's size: far above overlaps and gaps, far below what is painted.
//!
//! Primitives are answered in closed form, with the texture coordinates and tangents of their skin ([`SkinMesh`]) in the limit of
//! small triangles. Hulls and meshes search a tree of their triangles and interpolate normals, tangents and texture coordinates with
//! barycentric weights; coordinates on the two sides of a seam are never mixed, because one triangle is on one side. Nothing is
//! allocated, and the same question has the same answer.

mod pieces;
mod primitive;
mod triangles;

use asperity_friction::field::SurfacePoint;
use glam::DVec3;

pub use self::pieces::{FlatPiece, Outline, Piece, RoundPiece};
use self::triangles::Triangles;
use super::{HALF_SPACE_SIDE, SkinMesh};
use crate::geometry::{Pose, Shape};

/// β as a part of the shape's size.
const FACING: f64 = 1e-3;

/// A surface, ready to be asked.
#[derive(Clone, Debug)]
pub struct SkinLookup {
    form: Form,
    /// β, in metres.
    facing: f64,
    textured: bool,
}

#[derive(Clone, Debug)]
enum Form {
    HalfSpace { normal: DVec3, tangent: DVec3 },
    Box { half: DVec3 },
    Capsule { half_length: f64, radius: f64 },
    Cylinder { half_length: f64, radius: f64 },
    Triangles(Box<Triangles>),
    Compound(Vec<Part>),
}

/// A part of a compound.
#[derive(Clone, Debug)]
struct Part {
    pose: Pose,
    form: Form,
    /// How far it reaches from its origin.
    reach: f64,
}

/// A question: the point, the outward normal, β.
#[derive(Clone, Copy, Debug)]
struct Contact {
    point: DVec3,
    outward: DVec3,
    facing: f64,
}

impl Contact {
    /// |p − x| − β m·n.
    #[inline]
    fn cost(&self, distance: f64, normal: DVec3) -> f64 {
        distance - self.facing * self.outward.dot(normal)
    }
}

impl SkinLookup {
    /// Prepares the surface of a shape.
    pub fn new(shape: &Shape) -> Self {
        let reach = shape.reach();
        let size = if reach.is_finite() { reach } else { HALF_SPACE_SIDE };
        let form = Form::of(shape);
        let textured = form.textured();
        Self { form, facing: FACING * size, textured }
    }

    /// Whether it has texture coordinates and tangents everywhere.
    pub fn textured(&self) -> bool {
        self.textured
    }

    /// The triangles that are searched, if it is one hull or mesh.
    pub fn triangles(&self) -> Option<&SkinMesh> {
        match &self.form {
            Form::Triangles(triangles) => Some(triangles.skin()),
            _ => None,
        }
    }

    /// The point of the skin for a contact at `point` with this outward normal (unit, or zero if it is not known), both in the body's
    /// coordinates. Triangles of a compound are counted in each part; primitives have none, and answer with triangle 0.
    #[inline]
    pub fn at(&self, point: DVec3, outward: DVec3) -> SurfacePoint {
        self.form.nearest(&Contact { point, outward, facing: self.facing }).1
    }
}

impl Form {
    fn of(shape: &Shape) -> Self {
        match shape {
            Shape::Sphere { radius } => Self::Capsule { half_length: 0.0, radius: *radius },
            Shape::Capsule { half_length, radius } => Self::Capsule { half_length: *half_length, radius: *radius },
            Shape::Cylinder { half_length, radius } => Self::Cylinder { half_length: *half_length, radius: *radius },
            Shape::Box { half } => Self::Box { half: *half },
            Shape::HalfSpace { normal } => {
                Self::HalfSpace { normal: *normal, tangent: normal.any_orthonormal_pair().0 }
            }
            // Their skins have the triangles that they have, whatever the resolution.
            Shape::Hull(_) | Shape::Mesh(_) => Self::Triangles(Box::new(Triangles::new(shape.skin(3)))),
            Shape::Compound { parts } => {
                let own = |part: &crate::geometry::Part| Part {
                    pose: part.pose,
                    form: Self::of(&part.shape),
                    reach: part.shape.reach(),
                };
                Self::Compound(parts.iter().map(own).collect())
            }
        }
    }

    fn textured(&self) -> bool {
        match self {
            Self::Triangles(triangles) => !triangles.skin().uvs.is_empty(),
            Self::Compound(parts) => parts.iter().all(|part| part.form.textured()),
            _ => true,
        }
    }

    /// The least cost, and the point that has it.
    fn nearest(&self, contact: &Contact) -> (f64, SurfacePoint) {
        match self {
            Self::HalfSpace { normal, tangent } => primitive::half_space(*normal, *tangent, contact),
            Self::Box { half } => primitive::cuboid(*half, contact),
            Self::Capsule { half_length, radius } => primitive::capsule(*half_length, *radius, contact),
            Self::Cylinder { half_length, radius } => primitive::cylinder(*half_length, *radius, contact),
            Self::Triangles(triangles) => triangles.nearest(contact),
            Self::Compound(parts) => {
                let mut best = (f64::INFINITY, SurfacePoint::default());
                for Part { pose, form, reach } in parts {
                    // Too far away to cost less, however it faces the contact.
                    if pose.position.distance(contact.point) - reach - contact.facing > best.0 {
                        continue;
                    }
                    let back = pose.rotation.conjugate();
                    let (point, outward) = (pose.unapply(contact.point), back * contact.outward);
                    let (cost, at) = form.nearest(&Contact { point, outward, facing: contact.facing });
                    if cost < best.0 {
                        let (normal, tangent) = (pose.rotation * at.normal, pose.rotation * at.tangent);
                        best = (cost, SurfacePoint { position: pose.apply(at.position), normal, tangent, ..at });
                    }
                }
                best
            }
        }
    }
}
