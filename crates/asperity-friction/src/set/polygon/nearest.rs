//! The point of load·F nearest to x, F a polygon.
//!
//! A polygon with many corners is searched, not scanned. The fan of triangles from its first corner tells by bisection
//! which edge x lies behind, if it is not inside: that edge sees x. From there a walk along the boundary goes on while
//! it leads closer,
//!
//!   forward over corner v if e·(x − v) > 0 for the edge e before it and the edge e after it, backward likewise,
//!
//! and never leaves the part that sees x: let e see x, that is, x − v lie up to 90 degrees to the right of e. The next
//! edge e' turns to the left, so if x − v is within 90 degrees of it too, it is to its right. Where the walk ends x − q
//! is in the normal cone of q: q is the nearest point.
//!
//! That wants edges whose directions are more than round-off: polygons with few corners, those as thin as a line and
//! those with tiny edges are scanned. Round-off may still end the walk a corner early, so the edges next to its end are
//! looked at too.

use glam::{DMat2, DVec2};

use super::Polygon;

/// Where on a polygon the nearest point lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::set) enum Feature {
    /// The point is inside.
    Inside,
    /// A corner.
    Vertex,
    /// The interior of an edge with this unit direction.
    Edge(DVec2),
}

/// A point of a polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::set) struct Nearest {
    pub(in crate::set) point: DVec2,
    /// Where on the polygon it lies.
    pub(in crate::set) feature: Feature,
}

/// The nearest point so far.
struct Best {
    /// Squared distance.
    squared: f64,
    point: DVec2,
    /// Edges with their direction as it is, not a unit vector.
    feature: Feature,
}

impl Best {
    /// Further away than any point.
    const FAR: Self = Self { squared: f64::INFINITY, point: DVec2::ZERO, feature: Feature::Vertex };
}

/// Corners from which a search takes less time than a scan.
const MANY: usize = 12;

/// Area, relative to the square of its extent, of a polygon that is more than a line.
const WIDE: f64 = 1e-6;

/// Edges shorter than this fraction of the extent have a direction that is round-off.
const SHORT: f64 = 1e-7;

/// Whether nearest points can be searched for, and that is worth while: a polygon with many corners, more area than a
/// line, and no tiny edges.
pub(super) fn can_be_searched(vertices: &[DVec2]) -> bool {
    if vertices.len() < MANY {
        return false;
    }
    let mut a = vertices[vertices.len() - 1];
    let origin = a;
    let (mut low, mut high, mut twice, mut shortest) = (a, a, 0.0, f64::INFINITY);
    for b in vertices {
        (low, high) = (low.min(*b), high.max(*b));
        twice += (a - origin).perp_dot(*b - origin);
        shortest = shortest.min((*b - a).length_squared());
        a = *b;
    }
    let extent = (high - low).max_element();
    0.5 * twice > WIDE * extent * extent && shortest > SHORT * SHORT * extent * extent
}

impl Polygon {
    /// The point of load·F nearest to x.
    #[inline]
    pub(in crate::set) fn nearest(&self, load: f64, x: DVec2) -> Nearest {
        if self.searched && load > 0.0 { self.nearest_by_search(load, x) } else { self.nearest_by_scan(load, x) }
    }

    fn nearest_by_search(&self, load: f64, x: DVec2) -> Nearest {
        let corners = self.vertices.as_slice();
        let n = corners.len();
        let after = |k: usize| if k + 1 < n { k + 1 } else { 0 };
        let before = |k: usize| if k > 0 { k - 1 } else { n - 1 };
        // In units of the load.
        let y = x / load;
        // The edge that y lies behind, as seen from the first corner.
        let origin = corners[0];
        let left_of = |k: usize| (corners[k] - origin).perp_dot(y - origin) >= 0.0;
        let seen = if !left_of(1) {
            0
        } else if left_of(n - 1) {
            n - 1
        } else {
            let (mut low, mut high) = (1, n - 1);
            while high - low > 1 {
                let middle = (low + high) / 2;
                if left_of(middle) { low = middle } else { high = middle }
            }
            low
        };
        let (mut start, mut end) = (corners[seen], corners[after(seen)]);
        if (end - start).perp_dot(y - start) >= 0.0 {
            // Left of its edge, and between two lines from the first corner: inside. At the first and the last edge it
            // may lie on the edge's continuation instead, which the scan decides.
            let inside = (1..n - 1).contains(&seen);
            let here = Nearest { point: x, feature: Feature::Inside };
            return if inside { here } else { self.nearest_by_scan(load, x) };
        }
        let mut k = seen;
        if (end - start).dot(y - end) > 0.0 {
            for _ in 0..n {
                k = after(k);
                (start, end) = (end, corners[after(k)]);
                if (end - start).dot(y - end) <= 0.0 {
                    break;
                }
            }
        } else {
            while (end - start).dot(y - start) < 0.0 && k != after(seen) {
                k = before(k);
                (start, end) = (corners[k], start);
            }
        }
        let mut best = Best::FAR;
        closer(corners[before(k)], start, y, &mut best);
        closer(start, end, y, &mut best);
        closer(end, corners[after(after(k))], y, &mut best);
        let Nearest { point, feature } = named(best);
        Nearest { point: point * load, feature }
    }

    fn nearest_by_scan(&self, load: f64, x: DVec2) -> Nearest {
        let n = self.vertices.len();
        if n == 1 || load == 0.0 {
            return Nearest { point: self.vertices[0] * load, feature: Feature::Vertex };
        }
        // Inside: left of every edge, and within the polygon's extent, which tells where the polygon is a sliver and
        // the point on its line.
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        let mut inside = n > 2;
        let mut a = self.vertices[n - 1] * load;
        for v in &self.vertices {
            let b = *v * load;
            (low, high) = (low.min(b), high.max(b));
            inside &= (b - a).perp_dot(x - a) >= 0.0;
            a = b;
        }
        if inside && x.cmpge(low).all() && x.cmple(high).all() {
            return Nearest { point: x, feature: Feature::Inside };
        }
        // The edges that see the point from outside, or lie on a line with it up to round-off, as all edges of a sliver
        // do: the others cannot hold the nearest point, though their ends may be equally near up to round-off.
        let mut best = Best::FAR;
        let blur_of_unit = 64.0 * f64::EPSILON * (x.abs() + low.abs().max(high.abs())).max_element();
        for v in &self.vertices {
            let b = *v * load;
            let edge = b - a;
            let blur = blur_of_unit * edge.abs().max_element();
            if n == 2 || edge.perp_dot(x - a) <= blur {
                closer(a, b, x, &mut best);
            }
            a = b;
        }
        named(best)
    }
}

/// Keeps the point of the segment from `a` to `b` in `best` if it is nearer to `x`.
#[inline]
fn closer(a: DVec2, b: DVec2, x: DVec2, best: &mut Best) {
    let edge = b - a;
    let squared = edge.length_squared();
    let along = edge.dot(x - a);
    let (point, feature) = if along <= 0.0 || squared == 0.0 {
        (a, Feature::Vertex)
    } else if along >= squared {
        (b, Feature::Vertex)
    } else {
        (a + edge * (along / squared), Feature::Edge(edge))
    };
    let squared = (x - point).length_squared();
    if squared < best.squared {
        *best = Best { squared, point, feature };
    }
}

/// The nearest point, with the edge's direction a unit vector.
#[inline]
fn named(best: Best) -> Nearest {
    let feature = match best.feature {
        Feature::Edge(edge) => Feature::Edge(edge.normalize()),
        feature => feature,
    };
    Nearest { point: best.point, feature }
}

/// ∂p/∂x of the projection onto a polygon.
pub(in crate::set) fn feature_derivative(feature: Feature) -> DMat2 {
    match feature {
        Feature::Inside => DMat2::IDENTITY,
        Feature::Vertex => DMat2::ZERO,
        Feature::Edge(t) => DMat2::from_cols(t * t.x, t * t.y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Polygons of all kinds, from sums of segments whose directions cluster or not, some of them short: search and
    /// scan agree.
    #[test]
    fn a_search_finds_what_a_scan_finds() {
        let mut seed = 7u64;
        let mut random = |low: f64, high: f64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            low + (high - low) * (seed >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut searched = 0;
        for case in 0..400 {
            let n = random(6.0, 60.0) as usize;
            let spread = [1.0, 1e-2, 1e-5][case % 3];
            let edges: Vec<DVec2> = (0..n)
                .map(|i| {
                    let angle = (i as f64 + random(0.0, 1.0)) / n as f64 * std::f64::consts::PI;
                    let squeezed = DVec2::from_angle(angle) * DVec2::new(1.0, spread);
                    squeezed * 10f64.powf(random(-1.0, 0.0) * [1.0, 4.0, 17.0][case / 3 % 3])
                })
                .collect();
            let mut edges: Vec<(f64, DVec2)> = edges.into_iter().map(|e| (e.to_angle(), e)).collect();
            edges.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut polygon = Polygon::of(Vec::new());
            let sum: DVec2 = edges.iter().map(|e| e.1).sum();
            polygon.lay(-random(0.0, 1.0) * sum, edges.iter().map(|e| e.1));
            searched += usize::from(polygon.searched);
            let size = sum.length();
            for trial in 0..400 {
                let far = size * [0.5, 2.0, 50.0][trial % 3];
                let mut x = DVec2::new(random(-far, far), random(-far, far));
                if trial % 2 == 0 {
                    x.y *= spread;
                }
                let load = random(0.1, 3.0);
                let Nearest { point: found, feature } = polygon.nearest(load, x);
                let Nearest { point: plain, feature: plainly } = polygon.nearest_by_scan(load, x);
                let exact = 1e-13 * (size * load + x.length());
                assert!((found - plain).length() <= 4.0 * exact, "case {case}: {x} at {load}: {found} and {plain}");
                let (near, nearly) = ((x - found).length(), (x - plain).length());
                if (feature == Feature::Inside) != (plainly == Feature::Inside) {
                    assert!(near.max(nearly) <= exact, "case {case}: {x} at {load}: {feature:?} and {plainly:?}");
                }
            }
        }
        assert!(searched > 150, "{searched} of the polygons are searched");
    }
}
