//! Capsules, spheres and cylinders about the y axis, in closed form. Texture coordinates are those of their skins (`skin/primitive.rs`).

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use asperity_friction::field::SurfacePoint;
use glam::{DVec2, DVec3};

use super::{FlatPiece, LookupSurface, Outline, Piece, PieceRegion, RoundPiece, SkinAnswer, SkinQuestion, along};
use crate::geometry::Pose;

/// A capsule; a sphere if its half length is zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct CapsuleSkin(pub(super) RoundPiece);

/// A cylinder with its two ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct CylinderSkin(pub(super) RoundPiece);

impl RoundPiece {
    /// What the skin says at a point of it.
    pub fn point(&self, at: DVec3) -> SurfacePoint {
        let question = SkinQuestion { point: at, outward: DVec3::ZERO, facing: 0.0 };
        if self.capped {
            return capsule(self.half_length, self.radius, &question).at;
        }
        cylinder_side(self.half_length, self.radius, &question).at
    }
}

/// Where a point is around the y axis.
struct Longitude {
    /// From +z to +x, 0 to 1.
    u: f64,
    /// Unit, along growing u.
    tangent: DVec3,
}

/// Of a point at this distance from the axis; on the axis, that of +z.
#[inline]
fn longitude(x: f64, z: f64, radius: f64) -> Longitude {
    if radius == 0.0 {
        return Longitude { u: 0.0, tangent: DVec3::X };
    }
    let turn = x.atan2(z) / TAU;
    let u = if turn < 0.0 { (turn + 1.0).min(1.0) } else { turn };
    Longitude { u, tangent: DVec3::new(z / radius, 0.0, -x / radius) }
}

/// v is the length along the meridian from −y: r (latitude + π/2) on the caps, and the height along the side between them.
#[inline]
pub(super) fn capsule(half_length: f64, radius: f64, question: &SkinQuestion) -> SkinAnswer {
    let p = question.point;
    let axis = DVec3::new(0.0, p.y.clamp(-half_length, half_length), 0.0);
    let offset = p - axis;
    let normal = offset.try_normalize().or(question.outward.try_normalize()).unwrap_or(DVec3::Z);
    let across = normal.x.hypot(normal.z);
    let Longitude { u, tangent } = longitude(normal.x, normal.z, across);
    let latitude = normal.y.atan2(across);
    let v = (radius * (latitude + FRAC_PI_2) + axis.y + half_length) / (PI * radius + 2.0 * half_length);
    let distance = (offset.length() - radius).abs();
    let at =
        SurfacePoint { position: axis + normal * radius, normal, tangent, uv: DVec2::new(u, v), ..Default::default() };
    SkinAnswer { cost: question.cost(distance, normal), at }
}

/// The side of a cylinder, with v along y.
#[inline]
pub(super) fn cylinder_side(half_length: f64, radius: f64, question: &SkinQuestion) -> SkinAnswer {
    let p = question.point;
    let across = p.x.hypot(p.z);
    let outward = if across > 0.0 { DVec3::new(p.x / across, 0.0, p.z / across) } else { DVec3::Z };
    let y = p.y.clamp(-half_length, half_length);
    let Longitude { u, tangent } = longitude(p.x, p.z, across);
    let position = outward * radius + DVec3::Y * y;
    let uv = DVec2::new(u, 0.5 + 0.5 * y / half_length);
    let at = SurfacePoint { position, normal: outward, tangent, uv, ..SurfacePoint::default() };
    SkinAnswer { cost: question.cost(position.distance(p), outward), at }
}

impl LookupSurface for CapsuleSkin {
    #[inline]
    fn nearest(&self, question: &SkinQuestion) -> SkinAnswer {
        capsule(self.0.half_length, self.0.radius, question)
    }

    fn gradients(&self, at: &SurfacePoint) -> [DVec3; 2] {
        along(at, self.0.growth(at))
    }

    fn pieces<'a>(&'a self, pose: &Pose, region: &PieceRegion, visit: &mut dyn FnMut(&Pose, Piece<'a>)) {
        if self.0.reaches(&region.within) {
            visit(pose, Piece::Round(self.0));
        }
    }
}

/// The ends are discs around (½, ½) of radius ½ with u along x.
impl LookupSurface for CylinderSkin {
    #[inline]
    fn nearest(&self, question: &SkinQuestion) -> SkinAnswer {
        let (RoundPiece { half_length, radius, .. }, p) = (self.0, question.point);
        let mut best = cylinder_side(half_length, radius, question);
        let (across, outward) = (p.x.hypot(p.z), best.at.normal);
        for normal in [DVec3::NEG_Y, DVec3::Y] {
            let position = outward * across.min(radius) + normal * half_length;
            let cost = question.cost(position.distance(p), normal);
            if cost < best.cost {
                let flat = DVec2::new(position.x, position.dot(normal.cross(DVec3::X)));
                let uv = DVec2::splat(0.5) + flat * (0.5 / radius);
                let at = SurfacePoint { position, normal, tangent: DVec3::X, uv, ..SurfacePoint::default() };
                best = SkinAnswer { cost, at };
            }
        }
        best
    }

    fn gradients(&self, at: &SurfacePoint) -> [DVec3; 2] {
        along(at, if at.normal.y == 0.0 { self.0.growth(at) } else { DVec2::splat(0.5 / self.0.radius) })
    }

    fn pieces<'a>(&'a self, pose: &Pose, region: &PieceRegion, visit: &mut dyn FnMut(&Pose, Piece<'a>)) {
        if !self.0.reaches(&region.within) {
            return;
        }
        visit(pose, Piece::Round(self.0));
        let RoundPiece { half_length, radius, .. } = self.0;
        let (uv, growth, outline) = (DVec2::splat(0.5), DVec2::splat(0.5 / radius), Outline::Disc(radius));
        for normal in [DVec3::NEG_Y, DVec3::Y] {
            if normal.dot(region.outward) > 0.0 {
                let end = FlatPiece { centre: normal * half_length, normal, tangent: DVec3::X, uv, growth, outline };
                visit(pose, Piece::Flat(end));
            }
        }
    }
}
