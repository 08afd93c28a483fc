//! Convex polygon, counter-clockwise: any measured directional law, and the facets of an LCP.
//!
//! A polygon with one vertex is a point (the origin: no friction), with two a segment.

mod nearest;
mod planar;
mod rounded;

use glam::DVec2;
use serde::{Deserialize, Serialize};

pub use planar::PlanarSet;

pub(super) use nearest::{Feature, Nearest, feature_derivative};
pub(super) use rounded::load_of_cone;

use self::planar::tangent_polygon;
use super::derivative::{ProjectionDerivative, TangentialDerivative};
use super::{Catalogued, ConePoint, ConvexSet, cone};
use crate::error::{FrictionError, finite2};
use crate::tangential::Tangential;

/// Convex hull of its vertices.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "PolygonData", into = "PolygonData")]
pub struct Polygon {
    vertices: Vec<DVec2>,
    /// Nearest points are searched for; else all edges are looked at.
    searched: bool,
}

#[derive(Serialize, Deserialize)]
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

/// The same vertices; how they are searched does not count.
impl PartialEq for Polygon {
    fn eq(&self, other: &Self) -> bool {
        self.vertices == other.vertices
    }
}

impl From<Polygon> for PolygonData {
    fn from(polygon: Polygon) -> Self {
        Self { vertices: polygon.vertices }
    }
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
        let polygon = Self::of(vertices);
        let nearest = polygon.nearest(1.0, DVec2::ZERO).point;
        // A polygon that misses the origin by the round-off of its vertices is accepted.
        if nearest.length() > 8.0 * f64::EPSILON * size {
            return Err(FrictionError::NoOrigin { name, direction: nearest.normalize_or_zero() });
        }
        Ok(polygon)
    }

    /// From vertices that are in order and convex.
    pub(crate) fn of(vertices: Vec<DVec2>) -> Self {
        let searched = nearest::can_be_searched(&vertices);
        Self { vertices, searched }
    }

    /// The vertices, to be filled with others, in order and convex.
    pub(crate) fn refill(&mut self) -> &mut Vec<DVec2> {
        self.searched = false;
        &mut self.vertices
    }

    /// Convex hull of points, by the monotone chain; the caller makes sure that it holds the origin.
    pub(crate) fn hull(mut points: Vec<DVec2>) -> Self {
        points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        points.dedup();
        if points.len() < 3 {
            return Self::of(points);
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
        Self::of(chain)
    }

    /// Lays edges end to end, from the lowest corner up and, each once more, down again: a polygon that is its own
    /// mirror image about its middle. The edges' angles grow from 0 to 180 degrees. Allocates only to grow.
    pub(super) fn lay(&mut self, lowest: DVec2, edges: impl ExactSizeIterator<Item = DVec2>) {
        let (n, mut at) = (edges.len(), lowest);
        self.searched = false;
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
        self.searched = nearest::can_be_searched(&self.vertices);
    }

    /// The vertices, counter-clockwise.
    pub fn vertices(&self) -> &[DVec2] {
        &self.vertices
    }

    /// The point furthest along `d`. Where that is a whole edge: the one nearest to the origin, which does not push
    /// aside.
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
        Tangential::planar(self.nearest(load, f.plane).point)
    }

    fn project_cone(&self, n: f64, f: Tangential) -> ConePoint {
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
        let Nearest { point, feature } = self.nearest(load, f);
        if feature == Feature::Inside {
            return ProjectionDerivative::INSIDE;
        }
        ProjectionDerivative::homogeneous(load, f, point, feature_derivative(feature))
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
        let shape = |v: &[[f64; 2]]| Self::of(v.iter().map(|p| DVec2::from_array(*p)).collect());
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
