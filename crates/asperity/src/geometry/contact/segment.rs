//! Closest points of segments.

use glam::DVec3;

/// The point of the segment closest to `p`.
pub(super) fn closest_point(from: DVec3, to: DVec3, p: DVec3) -> DVec3 {
    from + (to - from) * parameter(from, to, p)
}

/// Where on the segment the point closest to `p` lies, from 0 to 1.
pub(super) fn parameter(from: DVec3, to: DVec3, p: DVec3) -> f64 {
    let along = to - from;
    let square = along.length_squared();
    if square > 0.0 { ((p - from).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 }
}

/// The parameters of the closest points of two lines if they lie inside both segments; none for parallel ones.
///
/// With d, e along the segments and w between their starts, both residuals perpendicular: the normal equations of 2 unknowns, whose
/// determinant |d × e|² is formed from the cross product, which keeps its digits for almost parallel segments.
pub(super) fn crossing(a: [DVec3; 2], b: [DVec3; 2]) -> Option<(f64, f64)> {
    let (d, e, w) = (a[1] - a[0], b[1] - b[0], b[0] - a[0]);
    let normal = d.cross(e);
    let square = normal.length_squared();
    // Below this angle (1e-10) the place of the crossing is noise, and the ends say it all.
    if square <= 1e-20 * d.length_squared() * e.length_squared() {
        return None;
    }
    let t = w.cross(e).dot(normal) / square;
    let u = w.cross(d).dot(normal) / square;
    ((0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u)).then_some((t, u))
}
