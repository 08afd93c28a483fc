//! Structure directions as short lines on a skin, for pictures and exports.

use asperity_friction::field::{StructureField, SurfacePoint};
use glam::DVec3;

use crate::body::Surface;
use crate::geometry::SkinMesh;

/// Lines of a body, at most; a skin with more triangles gets one on every few.
const MOST: usize = 400;
/// Length of a line, as a part of the root of the area it stands for.
const LENGTH: f64 = 0.7;
/// How far above the skin, as a part of its length.
const ABOVE: f64 = 0.03;

/// One line on every triangle, or on every few; none where there is no direction in the surface.
pub(super) fn lines(surface: &Surface, skin: &SkinMesh) -> Vec<[DVec3; 2]> {
    let Some(field) = &surface.structure else { return Vec::new() };
    let stride = skin.triangles.len().div_ceil(MOST).max(1);
    let mut lines = Vec::new();
    for (index, triangle) in skin.triangles.iter().enumerate().step_by(stride) {
        let [a, b, c] = triangle.map(|i| skin.positions[i as usize]);
        let (middle, area) = ((a + b + c) / 3.0, (b - a).cross(c - a));
        let normal = area.normalize_or_zero();
        let at = SurfacePoint { position: middle, triangle: index, barycentric: [1.0 / 3.0; 3] };
        let Ok(direction) = field.direction(&at) else { continue };
        let along = (direction - normal * direction.dot(normal)).normalize_or_zero();
        if along != DVec3::ZERO {
            let length = LENGTH * (0.5 * area.length() * stride as f64).sqrt();
            let middle = middle + normal * (ABOVE * length);
            lines.push([middle - along * (0.5 * length), middle + along * (0.5 * length)]);
        }
    }
    lines
}
