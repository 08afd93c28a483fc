//! Convex polygon, counter-clockwise: any measured directional law, and the facets of an LCP.
//!
//! A polygon with one vertex is a point (the origin: no friction), with two a segment.

use glam::{DMat2, DVec2};
use serde::{Deserialize, Serialize};

use super::planar::{PlanarSet, ProjectionDerivative, tangent_polygon};
use super::rounded::load_of_cone;
use super::{Catalogued, ConvexSet, TangentialDerivative, cone};
use crate::error::{FrictionError, finite2};
use crate::tangential::Tangential;

/// Convex hull of its vertices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "PolygonData")]
pub struct Polygon {
    pub(crate) vertices: Vec<DVec2>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PolygonData {
    vertices: Vec<DVec2>,
}

impl TryFrom<PolygonData> for Polygon {
    type Error = FrictionError;
    fn try_from(data: PolygonData) -> Result<Self, FrictionError> {
        Self::new(data.vertices)
    }
}

/// Which part of a polygon is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Feature {
    /// The point is inside.
    Inside,
    /// A corner.
    Vertex,
    /// The interior of an edge with this unit direction.
    Edge(DVec2),
}

impl Polygon {
    /// From vertices in counter-clockwise order; refused unless convex and around the origin.
    pub fn new(vertices: Vec<DVec2>) -> Result<Self, FrictionError> {
        let name = "polygon";
        if vertices.is_empty() {
            return Err(FrictionError::Count { name, count: 0, expected: "at least one vertex" });
        }
        for v in &vertices {
            finite2("vertex", *v)?;
        }
        let n = vertices.len();
        let size = vertices.iter().fold(0.0f64, |m, v| m.max(v.length()));
        // Collinear vertices are harmless: round-off must not turn them into an error.
        let slack = 1e-12 * size;
        if n > 2 {
            let mut turned = 0.0;
            for i in 0..n {
                let (a, b, c) = (vertices[i], vertices[(i + 1) % n], vertices[(i + 2) % n]);
                let (u, v) = (b - a, c - b);
                if u.perp_dot(v) < -slack * (u.length() + v.length()) {
                    return Err(FrictionError::NotConvex { name, vertex: (i + 1) % n, at: b });
                }
                turned += if u == DVec2::ZERO || v == DVec2::ZERO { 0.0 } else { u.angle_to(v).abs() };
            }
            // Turning more than once: a star that is locally convex.
            if turned > 1.5 * std::f64::consts::TAU {
                return Err(FrictionError::NotConvex { name, vertex: 0, at: vertices[0] });
            }
        }
        let polygon = Self { vertices };
        let nearest = polygon.nearest(1.0, DVec2::ZERO).0;
        // Round-off of the vertices is no missing origin.
        if nearest.length() > 8.0 * f64::EPSILON * size {
            return Err(FrictionError::NoOrigin { name, direction: nearest.normalize_or_zero() });
        }
        Ok(polygon)
    }

    /// Convex hull of points, by the monotone chain; the caller makes sure that it holds the origin.
    pub(crate) fn hull(mut points: Vec<DVec2>) -> Self {
        points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        points.dedup();
        if points.len() < 3 {
            return Self { vertices: points };
        }
        let mut chain: Vec<DVec2> = Vec::with_capacity(points.len() + 1);
        for pass in 0..2 {
            let start = chain.len();
            for &p in &points {
                while chain.len() >= start + 2 {
                    let (a, b) = (chain[chain.len() - 2], chain[chain.len() - 1]);
                    if (b - a).perp_dot(p - b) > 0.0 {
                        break;
                    }
                    chain.pop();
                }
                chain.push(p);
            }
            chain.pop();
            if pass == 0 {
                points.reverse();
            }
        }
        chain.dedup();
        Self { vertices: chain }
    }

    /// Lays edges end to end, from the lowest corner up and, each once more, down again: a polygon that is its own mirror image about its
    /// middle. The edges' angles grow from 0 to 180 degrees. Allocates only to grow.
    pub(super) fn lay(&mut self, lowest: DVec2, edges: impl ExactSizeIterator<Item = DVec2>) {
        let (n, mut at) = (edges.len(), lowest);
        if n < 2 {
            self.vertices.clear();
            self.vertices.push(at);
            self.vertices.extend(edges.map(|edge| at + edge));
            return;
        }
        self.vertices.resize(2 * n, DVec2::ZERO);
        let (up, down) = self.vertices.split_at_mut(n);
        for (corner, edge) in up.iter_mut().zip(edges) {
            *corner = at;
            at += edge;
        }
        let ends = lowest + at;
        for (opposite, corner) in down.iter_mut().zip(up) {
            *opposite = ends - *corner;
        }
    }

    /// The vertices, counter-clockwise.
    pub fn vertices(&self) -> &[DVec2] {
        &self.vertices
    }

    /// The point furthest along `d`. Where that is a whole edge: the one nearest to the origin, which does not push aside.
    #[inline]
    pub(super) fn furthest(&self, d: DVec2) -> DVec2 {
        let mut best = self.vertices[0];
        let (mut reach, mut size) = (best.dot(d), 0.0f64);
        for v in &self.vertices {
            let r = v.dot(d);
            size = size.max(v.abs().max_element());
            if r > reach {
                (best, reach) = (*v, r);
            }
        }
        let level = reach - 8.0 * f64::EPSILON * size * d.abs().max_element();
        let across = d.perp();
        let (mut low, mut high) = (best, best);
        for v in &self.vertices {
            if v.dot(d) >= level {
                if v.dot(across) < low.dot(across) {
                    low = *v;
                }
                if v.dot(across) > high.dot(across) {
                    high = *v;
                }
            }
        }
        let edge = high - low;
        let squared = edge.length_squared();
        if squared == 0.0 {
            return best;
        }
        low + edge * (-low.dot(edge) / squared).clamp(0.0, 1.0)
    }

    /// The point of load·F nearest to x, and the part of the boundary it lies on.
    #[inline]
    pub(super) fn nearest(&self, load: f64, x: DVec2) -> (DVec2, Feature) {
        let n = self.vertices.len();
        if n == 1 || load == 0.0 {
            return (self.vertices[0] * load, Feature::Vertex);
        }
        // Inside: left of every edge, and within the polygon's extent, which tells where the polygon is a sliver and the
        // point on its line.
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
            return (x, Feature::Inside);
        }
        // The edges that see the point from outside, or lie on a line with it but for round-off, as all edges of a sliver
        // do: the others cannot hold the nearest point, though their ends may be as near but for round-off.
        let mut best = (f64::INFINITY, DVec2::ZERO, Feature::Vertex);
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
        if let Feature::Edge(edge) = best.2 {
            best.2 = Feature::Edge(edge.normalize());
        }
        (best.1, best.2)
    }
}

/// Keeps the point of the segment from `a` to `b` in `best` (squared distance, point, feature) if it is nearer to `x`.
#[inline]
fn closer(a: DVec2, b: DVec2, x: DVec2, best: &mut (f64, DVec2, Feature)) {
    let edge = b - a;
    let squared = edge.length_squared();
    let along = edge.dot(x - a);
    let (p, feature) = if along <= 0.0 || squared == 0.0 {
        (a, Feature::Vertex)
    } else if along >= squared {
        (b, Feature::Vertex)
    } else {
        (a + edge * (along / squared), Feature::Edge(edge))
    };
    let distance = (x - p).length_squared();
    if distance < best.0 {
        *best = (distance, p, feature);
    }
}

/// ∂p/∂x of the projection onto a polygon.
pub(super) fn feature_derivative(feature: Feature) -> DMat2 {
    match feature {
        Feature::Inside => DMat2::IDENTITY,
        Feature::Vertex => DMat2::ZERO,
        Feature::Edge(t) => DMat2::from_cols(t * t.x, t * t.y),
    }
}

impl ConvexSet for Polygon {
    fn rows(&self) -> usize {
        2
    }

    #[inline]
    fn support_point(&self, d: Tangential) -> Tangential {
        Tangential::planar(self.furthest(d.plane))
    }

    #[inline]
    fn project(&self, load: f64, f: Tangential) -> Tangential {
        Tangential::planar(self.nearest(load, f.plane).0)
    }

    fn project_cone(&self, n: f64, f: Tangential) -> (f64, Tangential) {
        cone::project_with(self, n, f, |most| load_of_cone(self, 0.0, n, f.plane, most))
    }

    fn derivative(&self, load: f64, f: Tangential) -> TangentialDerivative {
        self.project_derivative(load, f.plane).into()
    }

    fn radius(&self) -> f64 {
        self.vertices.iter().fold(0.0, |m, v| m.max(v.length()))
    }

    fn scale(&mut self, k: f64) {
        for v in &mut self.vertices {
            *v *= k;
        }
    }

    fn scale_moments(&mut self, _k: f64) {}

    fn planar(&self) -> Option<&dyn PlanarSet> {
        Some(self)
    }
}

impl PlanarSet for Polygon {
    fn loaded_derivative(&self, load: f64, f: DVec2) -> ProjectionDerivative {
        let (p, feature) = self.nearest(load, f);
        if feature == Feature::Inside {
            return ProjectionDerivative::INSIDE;
        }
        ProjectionDerivative::homogeneous(load, f, p, feature_derivative(feature))
    }

    /// Itself, when it has no more facets than asked for.
    fn outer_polygon(&self, n: usize) -> Result<Polygon, FrictionError> {
        if n >= 3 && self.vertices.len() <= n { Ok(self.clone()) } else { tangent_polygon(self, n) }
    }

    fn curvature_radius(&self, _d: DVec2) -> Option<f64> {
        None
    }
}

impl Catalogued for Polygon {
    const NAME: &'static str = "polygon";
    const SUMMARY: &'static str = "convex polygon: any measured directional law; the facets of an LCP";

    fn examples() -> Vec<Self> {
        let shape = |v: &[[f64; 2]]| Self { vertices: v.iter().map(|p| DVec2::from_array(*p)).collect() };
        vec![
            shape(&[[0.5, 0.0], [0.1, 0.6], [-0.4, 0.3], [-0.3, -0.2], [0.2, -0.5]]),
            shape(&[[1.0, 0.0], [0.0, 1e-4], [-1.0, 0.0], [0.0, -1e-4]]),
            shape(&[[0.0, 0.0], [0.7, 0.0], [0.0, 0.2]]),
            shape(&[[-0.2, -0.1], [0.4, 0.2]]),
            shape(&[[0.0, 0.0]]),
            Self::hull((0..64).map(|i| DVec2::from_angle(f64::from(i) * 0.1) * 0.4).collect()),
        ]
    }
}
