//! The pieces of a skin around a contact: what a contact patch is made of.
//!
//! Flat pieces (planes, faces of boxes, ends of cylinders) have texture coordinates that are linear in the place. Triangles come with the
//! skin that they belong to. Round pieces (balls, capsules, sides of cylinders) answer in closed form where a line meets them, so that
//! their patches do not depend on how finely they are drawn.

use asperity_friction::field::SurfacePoint;
use glam::{DVec2, DVec3};
use parry3d_f64::partitioning::BvhNode;

use super::primitive::FACES;
use super::{Contact, Form, Part, SkinLookup, primitive};
use crate::geometry::skin::{HALF_SPACE_SIDE, SkinMesh};
use crate::geometry::{Aabb, Pose};

/// What bounds a flat piece, around its centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outline {
    /// Nothing.
    Endless,
    /// Half lengths along tangent and bitangent.
    Rectangle(DVec2),
    /// A radius.
    Disc(f64),
}

/// A part of a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatPiece {
    /// A point of it.
    pub centre: DVec3,
    /// Outward unit normal.
    pub normal: DVec3,
    /// Unit tangent, along u.
    pub tangent: DVec3,
    /// Texture coordinates at the centre.
    pub uv: DVec2,
    /// Growth of u along the tangent and of v along the bitangent, 1/m.
    pub growth: DVec2,
    /// Where it ends.
    pub outline: Outline,
}

/// A round surface about the y axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundPiece {
    /// Half the length of the straight part.
    pub half_length: f64,
    /// Its radius.
    pub radius: f64,
    /// Whether half-balls close it.
    pub capped: bool,
}

/// A piece of a skin.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'a> {
    /// A part of a plane.
    Flat(FlatPiece),
    /// A triangle of a skin, by its number.
    Triangle(&'a SkinMesh, u32),
    /// A round surface.
    Round(RoundPiece),
}

impl SkinLookup {
    /// Calls `visit` with the pieces that can reach into a box and face `outward`, both in the body's coordinates; each with the pose of
    /// its own coordinates in the body's. The order is always the same. Nothing is allocated.
    pub fn pieces<'a>(&'a self, within: &Aabb, outward: DVec3, visit: &mut dyn FnMut(&Pose, Piece<'a>)) {
        self.form.pieces(&Pose::IDENTITY, within, outward, visit);
    }
}

impl SkinLookup {
    /// ∇u and ∇v at a point that [`Self::at`] has answered with.
    pub fn gradients(&self, at: &SurfacePoint) -> [DVec3; 2] {
        self.form.gradients(at)
    }
}

impl Form {
    fn gradients(&self, at: &SurfacePoint) -> [DVec3; 2] {
        let along = |growth: DVec2| [at.tangent * growth.x, at.normal.cross(at.tangent) * growth.y];
        match self {
            Self::HalfSpace { .. } => along(DVec2::splat(1.0 / HALF_SPACE_SIDE)),
            Self::Box { half } => {
                let length = |axis: DVec3| (*half * axis).abs().element_sum();
                along(DVec2::new(0.5 / length(at.tangent), 0.5 / length(at.normal.cross(at.tangent))))
            }
            Self::Capsule { half_length, radius } => {
                along(RoundPiece { half_length: *half_length, radius: *radius, capped: true }.growth(at))
            }
            Self::Cylinder { half_length, radius } if at.normal.y == 0.0 => {
                along(RoundPiece { half_length: *half_length, radius: *radius, capped: false }.growth(at))
            }
            Self::Cylinder { radius, .. } => along(DVec2::splat(0.5 / radius)),
            Self::Triangles(triangles) => triangles.gradients(at.triangle),
            Self::Compound(parts) => {
                // Of the part that answers for this point.
                let cost = |part: &Part| {
                    let point = part.pose.unapply(at.position);
                    let outward = part.pose.rotation.conjugate() * at.normal;
                    part.form.nearest(&Contact { point, outward, facing: 1e-9 })
                };
                let mut best: Option<(f64, [DVec3; 2])> = None;
                for part in parts {
                    let (found, own) = cost(part);
                    if best.is_none_or(|(least, _)| found < least) {
                        best = Some((found, part.form.gradients(&own).map(|g| part.pose.rotation * g)));
                    }
                }
                best.map_or([DVec3::ZERO; 2], |(_, gradients)| gradients)
            }
        }
    }

    fn pieces<'a>(&'a self, pose: &Pose, within: &Aabb, outward: DVec3, visit: &mut dyn FnMut(&Pose, Piece<'a>)) {
        match self {
            Self::HalfSpace { normal, tangent } => {
                let growth = DVec2::splat(1.0 / HALF_SPACE_SIDE);
                let (centre, uv, outline) = (DVec3::ZERO, DVec2::splat(0.5), Outline::Endless);
                let plane = FlatPiece { centre, normal: *normal, tangent: *tangent, uv, growth, outline };
                visit(pose, Piece::Flat(plane));
            }
            Self::Box { half } => {
                for (normal, tangent) in FACES {
                    let reach = (*half * normal).element_sum();
                    let inside = if reach > 0.0 { within.max.dot(normal) } else { within.min.dot(normal) };
                    // Turned away, or the volume is all below the face.
                    if normal.dot(outward) <= 0.0 || inside < reach.abs() {
                        continue;
                    }
                    let length = |axis: DVec3| (*half * axis).abs().element_sum();
                    // Beside the face.
                    if (within.min.cmpgt(*half) | within.max.cmplt(-*half)).any() {
                        continue;
                    }
                    let sides = DVec2::new(length(tangent), length(normal.cross(tangent)));
                    let (uv, outline) = (DVec2::splat(0.5), Outline::Rectangle(sides));
                    let face = FlatPiece { centre: *half * normal, normal, tangent, uv, growth: 0.5 / sides, outline };
                    visit(pose, Piece::Flat(face));
                }
            }
            Self::Capsule { half_length, radius } => {
                let round = RoundPiece { half_length: *half_length, radius: *radius, capped: true };
                if round.reaches(within) {
                    visit(pose, Piece::Round(round));
                }
            }
            Self::Cylinder { half_length, radius } => {
                let round = RoundPiece { half_length: *half_length, radius: *radius, capped: false };
                if !round.reaches(within) {
                    return;
                }
                visit(pose, Piece::Round(round));
                let (uv, growth, outline) = (DVec2::splat(0.5), DVec2::splat(0.5 / radius), Outline::Disc(*radius));
                for normal in [DVec3::NEG_Y, DVec3::Y] {
                    let centre = normal * *half_length;
                    if normal.dot(outward) > 0.0 {
                        let end = FlatPiece { centre, normal, tangent: DVec3::X, uv, growth, outline };
                        visit(pose, Piece::Flat(end));
                    }
                }
            }
            Self::Triangles(triangles) => {
                let (low, high) = (within.min, within.max);
                let near = |node: &BvhNode| {
                    let (min, max) = (node.mins(), node.maxs());
                    min.x <= high.x
                        && min.y <= high.y
                        && min.z <= high.z
                        && max.x >= low.x
                        && max.y >= low.y
                        && max.z >= low.z
                };
                for triangle in triangles.tree().leaves(near) {
                    if triangles.normal(triangle).dot(outward) > 0.0 {
                        visit(pose, Piece::Triangle(triangles.skin(), triangle));
                    }
                }
            }
            Self::Compound(parts) => {
                for Part { pose: own, form, reach } in parts {
                    let nearest = own.position.clamp(within.min, within.max);
                    if nearest.distance_squared(own.position) > reach * reach {
                        continue;
                    }
                    let back = own.rotation.conjugate();
                    let (centre, half) =
                        (own.unapply(0.5 * (within.min + within.max)), 0.5 * (within.max - within.min));
                    // The box around the turned box.
                    let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| (back * axis).abs());
                    let half = x * half.x + y * half.y + z * half.z;
                    let turned = Aabb { min: centre - half, max: centre + half };
                    form.pieces(&pose.then(own), &turned, back * outward, visit);
                }
            }
        }
    }
}

impl RoundPiece {
    /// Whether its own box reaches into a box.
    fn reaches(&self, within: &Aabb) -> bool {
        let height = self.half_length + if self.capped { self.radius } else { 0.0 };
        let half = DVec3::new(self.radius, height, self.radius);
        !(within.min.cmpgt(half) | within.max.cmplt(-half)).any()
    }

    /// How far along the unit vector `along` from the points from + k step the surface is left for good, if it is met from inside: the
    /// outermost point on each line. Not a number where the line misses it.
    pub fn last_hits(&self, from: DVec3, step: DVec3, along: DVec3, out: &mut [f64]) {
        let squared = self.radius * self.radius;
        // |(p + s along)_xz| = radius: a s² + 2 b s + c = 0.
        let a = along.x * along.x + along.z * along.z;
        let (sided, inverse) = (self.half_length > 0.0 && a > 1e-24, 1.0 / a);
        let side = |p: DVec3| {
            let b = p.x * along.x + p.z * along.z;
            let c = p.x * p.x + p.z * p.z - squared;
            // Roots of what is negative are no numbers, and compare with nothing.
            let s = ((b * b - a * c).sqrt() - b) * inverse;
            if (p.y + s * along.y).abs() <= self.half_length { s } else { f64::NAN }
        };
        let cap = |p: DVec3, y: f64| {
            let p = DVec3::new(p.x, p.y - y, p.z);
            let b = p.dot(along);
            (b * b - (p.length_squared() - squared)).sqrt() - b
        };
        for (k, out) in out.iter_mut().enumerate() {
            let p = from + step * k as f64;
            // The hull of two balls: the line leaves it where it leaves the last of its parts.
            *out = match (self.capped, sided) {
                (false, true) => side(p),
                (false, false) => f64::NAN,
                (true, false) if self.half_length == 0.0 => cap(p, 0.0),
                (true, false) => cap(p, self.half_length).max(cap(p, -self.half_length)),
                (true, true) => cap(p, self.half_length).max(cap(p, -self.half_length)).max(side(p)),
            };
        }
    }

    /// A vector along the outward normal at a point of the surface.
    #[inline]
    pub fn outward(&self, at: DVec3) -> DVec3 {
        let y = if self.capped { at.y - at.y.clamp(-self.half_length, self.half_length) } else { 0.0 };
        DVec3::new(at.x, y, at.z)
    }

    /// What the skin says at a point of it.
    pub fn point(&self, at: DVec3) -> SurfacePoint {
        let contact = Contact { point: at, outward: DVec3::ZERO, facing: 0.0 };
        if self.capped {
            return primitive::capsule(self.half_length, self.radius, &contact).1;
        }
        primitive::cylinder_side(self.half_length, self.radius, &contact).1
    }

    /// ∇u and ∇v at a point of the skin, along its tangent and bitangent, 1/m.
    pub fn growth(&self, at: &SurfacePoint) -> DVec2 {
        use std::f64::consts::{PI, TAU};
        let around = at.position.x.hypot(at.position.z).max(1e-9 * self.radius);
        let along = if self.capped { PI * self.radius + 2.0 * self.half_length } else { 2.0 * self.half_length };
        DVec2::new(1.0 / (TAU * around), 1.0 / along)
    }
}
