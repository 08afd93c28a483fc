//! Projection onto the cone of a polygon with a disk around it: { (s, f) : f ∈ s (core + disk(r)) }.
//!
//! As in [`crate::set::cone`], s minimises ½(s − n)² + ½ e(s)², e = D − s r the distance of f from the set at the load
//! s, D that from the core. With q the nearest point of s·core, w = (f − q)/D and v = q/s, the derivative is g = s − n
//! − e c with c = w·v + r, and
//!
//!   g' = 1 + c²                               where q is inside an edge (w does not change),
//!   g' = 1 + c² + (e/D)(|v|² − (w·v)²)        where q is a corner.
//!
//! So Newton's method ends in one step once the edge is right; a bracket keeps it from leaving. g' ≥ 1, so that |g|
//! bounds the error of s.

use glam::DVec2;

use super::Polygon;
use super::nearest::{Feature, Nearest};

/// Most steps: more are needed only where round-off decides.
const STEPS: usize = 40;

/// The load of the nearest point to (n, f), for f outside the set at the load max(n, 0) and outside the polar cone;
/// `most` is larger than it. `None` where the method did not settle.
pub(in crate::set) fn load_of_cone(core: &Polygon, r: f64, n: f64, f: DVec2, most: f64) -> Option<f64> {
    let (mut low, mut high) = (n.max(0.0), most);
    let mut s = if low > 0.0 { low } else { 0.5 * high };
    for _ in 0..STEPS {
        let Nearest { point: q, feature } = core.nearest(s, f);
        let out = f - q;
        let distance = out.length();
        let e = distance - s * r;
        if feature == Feature::Inside || e <= 0.0 {
            // The load is larger than it need be.
            high = s;
            s = 0.5 * (low + high);
            continue;
        }
        let (w, v) = (out / distance, q / s);
        let c = w.dot(v) + r;
        let g = s - n - e * c;
        let bend = if feature == Feature::Vertex { e / distance * w.perp_dot(v).powi(2) } else { 0.0 };
        let next = s - g / (1.0 + c * c + bend);
        if (next - s).abs() <= 4.0 * f64::EPSILON * s {
            return Some(next);
        }
        if g < 0.0 {
            low = low.max(s);
        } else {
            high = high.min(s);
        }
        s = if next > low && next < high { next } else { 0.5 * (low + high) };
        if !(s > low && s < high) {
            return None;
        }
    }
    None
}
