//! Fewer points where a flat part has many.
//!
//! Of the points with one normal stay the deepest and those that lie farthest out in eight fixed directions of the plane: the corners of
//! the octagon around the contact. The directions depend on the normal alone, so that a resting body keeps its points.

use std::f64::consts::FRAC_PI_4;

use glam::DVec3;

use super::ContactPoint;

/// Most points of one flat part.
pub(super) const MOST: usize = 8;

/// Reduces points that share a normal (to within a tenth of a degree) to [`MOST`] each, from `first` on.
pub(super) fn reduce(out: &mut Vec<ContactPoint>, first: usize) {
    let mut start = first;
    while out.len() - start > MOST {
        // Those with the first one's normal come first, in their order.
        let normal = out[start].normal;
        let mut end = start;
        for i in start..out.len() {
            if out[i].normal.dot(normal) > 1.0 - 1e-6 {
                out[end..=i].rotate_right(1);
                end += 1;
            }
        }
        let kept = spread(&mut out[start..end], normal);
        out.drain(start + kept..end);
        start += kept;
    }
}

/// Moves the points that stay to the front; answers with how many.
fn spread(points: &mut [ContactPoint], normal: DVec3) -> usize {
    if points.len() <= MOST {
        return points.len();
    }
    let (t, b) = normal.any_orthonormal_pair();
    let mut kept = 0;
    let mut keep = |points: &mut [ContactPoint], measure: &dyn Fn(&ContactPoint) -> f64| {
        let best =
            (0..points.len()).fold(0, |best, i| if measure(&points[i]) > measure(&points[best]) { i } else { best });
        if best >= kept && kept < MOST {
            points[kept..=best].rotate_right(1);
            kept += 1;
        }
    };
    keep(points, &|p| -p.gap);
    for k in [0, 4, 2, 6, 1, 5, 3, 7] {
        let angle = FRAC_PI_4 * f64::from(k);
        let direction = t * angle.cos() + b * angle.sin();
        keep(points, &|p| p.a.dot(direction));
    }
    kept
}
