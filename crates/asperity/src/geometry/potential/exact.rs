//! Exact potentials of analytic shapes: the signed distance, and its gradient, which is the outward normal. A plane is flat
//! and a cylinder round, whatever is sampled elsewhere.

use glam::DVec3;

use super::Potential;
use crate::geometry::{Pose, Shape, contacts};

/// Radius of the ball that stands for a point, m; its gap is moved back by it.
const PROBE: f64 = 1e-4;

/// The signed distance of a point from a shape at a pose, and the outward normal there. `None` for surfaces of triangles,
/// which have potentials of samples, and where a shape has no nearest point.
pub fn exact(shape: &Shape, pose: &Pose, at: DVec3) -> Option<Potential> {
    if shape.has_surface() {
        return None;
    }
    let ball = Shape::sphere(PROBE).ok()?;
    let mut found = Vec::new();
    contacts(&ball, &Pose { position: at, ..Pose::IDENTITY }, shape, pose, f64::INFINITY, &mut found);
    let nearest = found.iter().min_by(|a, b| a.gap.total_cmp(&b.gap))?;
    Some(Potential { value: nearest.gap + PROBE, gradient: nearest.normal })
}
