//! The pieces of a skin around a contact: what a contact patch is made of.
//!
//! Flat pieces (planes, faces of boxes, ends of cylinders) have texture coordinates that are linear in the place. Triangles come with the
//! skin that they belong to. Round pieces (balls, capsules, sides of cylinders) answer in closed form where a line meets them, so that
//! their patches do not depend on how finely they are drawn.

use asperity_friction::field::SurfacePoint;
use glam::{DVec2, DVec3};

use crate::geometry::Aabb;
use crate::geometry::skin::SkinMesh;

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

impl RoundPiece {
    /// Whether its own box reaches into a box.
    pub(super) fn reaches(&self, within: &Aabb) -> bool {
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

    /// ∇u and ∇v at a point of the skin, along its tangent and bitangent, 1/m.
    pub fn growth(&self, at: &SurfacePoint) -> DVec2 {
        use std::f64::consts::{PI, TAU};
        let around = at.position.x.hypot(at.position.z).max(1e-9 * self.radius);
        let along = if self.capped { PI * self.radius + 2.0 * self.half_length } else { 2.0 * self.half_length };
        DVec2::new(1.0 / (TAU * around), 1.0 / along)
    }
}
