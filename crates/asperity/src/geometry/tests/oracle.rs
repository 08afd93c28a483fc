//! What contacts are held against: support functions and membership written out here, and a search over all normals.

use glam::DVec3;

use super::Draw;
use crate::geometry::{Capsule, ContactPoint, Cuboid, Cylinder, Pose, Shape, Sphere};

/// max d·x over the shape in the world.
pub(super) fn support(shape: &Shape, pose: &Pose, d: DVec3) -> f64 {
    let l = pose.rotation.conjugate() * d;
    let base = d.dot(pose.position);
    base + match shape {
        Shape::Sphere(Sphere { radius }) => radius * l.length(),
        Shape::Box(Cuboid { half }) => half.dot(l.abs()),
        Shape::Capsule(Capsule { half_length, radius }) => half_length * l.y.abs() + radius * l.length(),
        Shape::Cylinder(Cylinder { half_length, radius, .. }) => half_length * l.y.abs() + radius * l.x.hypot(l.z),
        Shape::Hull(hull) => hull.points().iter().map(|p| p.dot(l)).fold(f64::NEG_INFINITY, f64::max),
        _ => f64::NAN,
    }
}

/// How far outside the shape a point lies; not more than zero inside.
pub(super) fn outside(shape: &Shape, pose: &Pose, p: DVec3) -> f64 {
    let l = pose.unapply(p);
    match shape {
        Shape::Sphere(Sphere { radius }) => l.length() - radius,
        Shape::Box(Cuboid { half }) => (l.abs() - *half).max_element(),
        Shape::Capsule(Capsule { half_length, radius }) => {
            l.distance(DVec3::Y * l.y.clamp(-half_length, *half_length)) - radius
        }
        Shape::Cylinder(Cylinder { half_length, radius, .. }) => (l.x.hypot(l.z) - radius).max(l.y.abs() - half_length),
        Shape::Hull(hull) => hull
            .faces()
            .map(|face| face.normal.dot(l - hull.points()[face.corners[0] as usize]))
            .fold(f64::NEG_INFINITY, f64::max),
        _ => f64::NAN,
    }
}

/// How far the normal n (from B to A) parts the shapes.
pub(super) fn parted(a: (&Shape, &Pose), b: (&Shape, &Pose), n: DVec3) -> f64 {
    -support(a.0, a.1, -n) - support(b.0, b.1, n)
}

/// The best normal found by a search: many directions all around, then random steps that shrink.
pub(super) fn search(a: (&Shape, &Pose), b: (&Shape, &Pose), start: DVec3, draw: &mut Draw) -> f64 {
    let s = |n: DVec3| parted(a, b, n);
    let mut tops = vec![(s(start), start)];
    let mut around: Vec<(f64, DVec3)> = (0..600).map(|_| draw.direction()).map(|n| (s(n), n)).collect();
    around.sort_by(|x, y| y.0.total_cmp(&x.0));
    tops.extend(around.into_iter().take(4));
    let mut best = f64::NEG_INFINITY;
    for (mut value, mut n) in tops {
        let mut radius = 0.2;
        while radius > 1e-9 {
            let mut moved = false;
            for _ in 0..12 {
                let next = (n + draw.direction() * radius).normalize();
                if s(next) > value {
                    (value, n, moved) = (s(next), next, true);
                }
            }
            if !moved {
                radius *= 0.6;
            }
        }
        best = best.max(value);
    }
    best
}

/// The contact with the least gap.
pub(super) fn deepest(contacts: &[ContactPoint]) -> Option<&ContactPoint> {
    contacts.iter().min_by(|x, y| x.gap.total_cmp(&y.gap))
}
