//! Points of primitives, in closed form. Texture coordinates are those of the skins of the same shapes (`skin/primitive.rs`).

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use asperity_friction::field::SurfacePoint;
use glam::{DVec2, DVec3};

use super::Contact;
use crate::geometry::skin::HALF_SPACE_SIDE;

/// u and v along the tangent and the bitangent, the square of side [`HALF_SPACE_SIDE`] around the origin.
#[inline]
pub(super) fn half_space(normal: DVec3, tangent: DVec3, contact: &Contact) -> (f64, SurfacePoint) {
    let p = contact.point;
    let height = p.dot(normal);
    let uv = DVec2::splat(0.5) + DVec2::new(p.dot(tangent), p.dot(normal.cross(tangent))) / HALF_SPACE_SIDE;
    let at = SurfacePoint { position: p - normal * height, normal, tangent, uv, ..SurfacePoint::default() };
    (contact.cost(height.abs(), normal), at)
}

/// Normals of the faces with their tangents. Up is y on the sides, −z on top and z below.
pub(super) const FACES: [(DVec3, DVec3); 6] = [
    (DVec3::X, DVec3::NEG_Z),
    (DVec3::NEG_X, DVec3::Z),
    (DVec3::Y, DVec3::X),
    (DVec3::NEG_Y, DVec3::X),
    (DVec3::Z, DVec3::X),
    (DVec3::NEG_Z, DVec3::NEG_X),
];

/// Each face is the unit square.
#[inline]
pub(super) fn cuboid(half: DVec3, contact: &Contact) -> (f64, SurfacePoint) {
    let p = contact.point;
    let inside = p.clamp(-half, half);
    let (mut least, mut face, mut position) = (f64::INFINITY, 0, inside);
    for (i, (normal, _)) in FACES.iter().enumerate() {
        // Of the face: the clamped point, moved along the normal.
        let x = inside + *normal * ((half - *normal * inside) * normal.abs()).element_sum();
        let cost = contact.cost(x.distance(p), *normal);
        if cost < least {
            (least, face, position) = (cost, i, x);
        }
    }
    let (normal, tangent) = FACES[face];
    let up = normal.cross(tangent);
    let part = |axis: DVec3| 0.5 + 0.5 * position.dot(axis) / (half * axis).abs().element_sum();
    let uv = DVec2::new(part(tangent), part(up));
    (least, SurfacePoint { position, normal, tangent, uv, ..SurfacePoint::default() })
}

/// Longitude u from +z to +x and the tangent along it, of a point off the axis; of one on the axis, those of +z.
#[inline]
fn around(x: f64, z: f64, radius: f64) -> (f64, DVec3) {
    if radius == 0.0 {
        return (0.0, DVec3::X);
    }
    let turn = x.atan2(z) / TAU;
    let u = if turn < 0.0 { (turn + 1.0).min(1.0) } else { turn };
    (u, DVec3::new(z / radius, 0.0, -x / radius))
}

/// v is the length along the meridian from −y: r (latitude + π/2) on the caps, and the height along the side between them.
#[inline]
pub(super) fn capsule(half_length: f64, radius: f64, contact: &Contact) -> (f64, SurfacePoint) {
    let p = contact.point;
    let axis = DVec3::new(0.0, p.y.clamp(-half_length, half_length), 0.0);
    let offset = p - axis;
    let normal = offset.try_normalize().or(contact.outward.try_normalize()).unwrap_or(DVec3::Z);
    let across = normal.x.hypot(normal.z);
    let (u, tangent) = around(normal.x, normal.z, across);
    let latitude = normal.y.atan2(across);
    let v = (radius * (latitude + FRAC_PI_2) + axis.y + half_length) / (PI * radius + 2.0 * half_length);
    let distance = (offset.length() - radius).abs();
    let at =
        SurfacePoint { position: axis + normal * radius, normal, tangent, uv: DVec2::new(u, v), ..Default::default() };
    (contact.cost(distance, normal), at)
}

/// The side with v along y.
#[inline]
pub(super) fn cylinder_side(half_length: f64, radius: f64, contact: &Contact) -> (f64, SurfacePoint) {
    let p = contact.point;
    let across = p.x.hypot(p.z);
    let outward = if across > 0.0 { DVec3::new(p.x / across, 0.0, p.z / across) } else { DVec3::Z };
    let y = p.y.clamp(-half_length, half_length);
    let (u, tangent) = around(p.x, p.z, across);
    let position = outward * radius + DVec3::Y * y;
    let uv = DVec2::new(u, 0.5 + 0.5 * y / half_length);
    let side = SurfacePoint { position, normal: outward, tangent, uv, ..SurfacePoint::default() };
    (contact.cost(position.distance(p), outward), side)
}

/// The side; the ends are discs around (½, ½) of radius ½ with u along x.
#[inline]
pub(super) fn cylinder(half_length: f64, radius: f64, contact: &Contact) -> (f64, SurfacePoint) {
    let p = contact.point;
    let mut best = cylinder_side(half_length, radius, contact);
    let (across, outward) = (p.x.hypot(p.z), best.1.normal);
    for normal in [DVec3::NEG_Y, DVec3::Y] {
        let position = outward * across.min(radius) + normal * half_length;
        let cost = contact.cost(position.distance(p), normal);
        if cost < best.0 {
            let uv = DVec2::splat(0.5) + DVec2::new(position.x, position.dot(normal.cross(DVec3::X))) * (0.5 / radius);
            best = (cost, SurfacePoint { position, normal, tangent: DVec3::X, uv, ..SurfacePoint::default() });
        }
    }
    best
}
