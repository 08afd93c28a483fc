//! Two-set friction for measured laws that no convex set with maximum dissipation describes.
//!
//! Walker and Leine (2017): a convex set D gives the direction of the force, a star-shaped set M its magnitude. Sliding
//! with slip v, the force points to the point of D that brakes v most and is as long as M allows in that direction;
//! M holds the forces that stick. D contains the origin, so friction never drives.

use glam::DVec2;
use serde::{Deserialize, Serialize};

use crate::error::{FrictionError, finite2, non_negative};
use crate::set::{ConvexSet, FrictionSet, Polygon};
use crate::tangential::Tangential;

/// A closed curve around the origin that every ray meets once, given by vertices in counter-clockwise order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StarData")]
pub struct Star {
    vertices: Vec<DVec2>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StarData {
    vertices: Vec<DVec2>,
}

impl TryFrom<StarData> for Star {
    type Error = FrictionError;
    fn try_from(data: StarData) -> Result<Self, FrictionError> {
        Self::new(data.vertices)
    }
}

impl Star {
    /// From vertices whose angles increase all the way round, each step less than 180°.
    pub fn new(vertices: Vec<DVec2>) -> Result<Self, FrictionError> {
        let name = "star-shaped magnitude";
        if vertices.len() < 3 {
            return Err(FrictionError::Count { name, count: vertices.len(), expected: "at least 3 vertices" });
        }
        for v in &vertices {
            finite2("vertex", *v)?;
        }
        let mut turned = 0.0;
        for (i, v) in vertices.iter().enumerate() {
            let next = vertices[(i + 1) % vertices.len()];
            if v.perp_dot(next).partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
                return Err(FrictionError::NotStarShaped { name, vertex: i, at: *v });
            }
            turned += v.angle_to(next);
        }
        if turned > 1.5 * std::f64::consts::TAU {
            return Err(FrictionError::NotStarShaped { name, vertex: 0, at: vertices[0] });
        }
        Ok(Self { vertices })
    }

    /// From coefficients at evenly spread angles, the first along t: what a measurement gives.
    pub fn from_coefficients(mu: &[f64]) -> Result<Self, FrictionError> {
        for m in mu {
            non_negative("mu", *m)?;
        }
        let step = std::f64::consts::TAU / mu.len() as f64;
        Self::new(mu.iter().enumerate().map(|(i, m)| DVec2::from_angle(step * i as f64) * *m).collect())
    }

    /// The vertices.
    pub fn vertices(&self) -> &[DVec2] {
        &self.vertices
    }

    /// How far the curve is from the origin along the unit direction `d`.
    pub fn reach(&self, d: DVec2) -> f64 {
        let n = self.vertices.len();
        for i in 0..n {
            let (p, q) = (self.vertices[i], self.vertices[(i + 1) % n]);
            if p.perp_dot(d) >= 0.0 && d.perp_dot(q) >= 0.0 {
                let area = p.perp_dot(q);
                // No area: a curve that was scaled to nothing.
                return if area == 0.0 { 0.0 } else { area / d.perp_dot(q - p) };
            }
        }
        // Every direction lies between two vertices; round-off on a vertex is its own length.
        self.vertices.iter().map(|v| v.dot(d)).fold(0.0, f64::max)
    }

    fn scale(&mut self, k: f64) {
        for v in &mut self.vertices {
            *v *= k;
        }
    }
}

/// A convex set for the direction, a star-shaped one for the magnitude.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TwoSetData")]
pub struct TwoSet {
    direction: FrictionSet,
    magnitude: Star,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TwoSetData {
    direction: FrictionSet,
    magnitude: Star,
}

impl TryFrom<TwoSetData> for TwoSet {
    type Error = FrictionError;
    fn try_from(data: TwoSetData) -> Result<Self, FrictionError> {
        Self::new(data.direction, data.magnitude)
    }
}

impl TwoSet {
    /// From a planar convex set and a star-shaped curve.
    pub fn new(direction: FrictionSet, magnitude: Star) -> Result<Self, FrictionError> {
        if direction.rows() != 2 {
            return Err(FrictionError::Unsupported {
                name: "two_set",
                reason: "the direction set must lie in the contact plane",
            });
        }
        Ok(Self { direction, magnitude })
    }

    /// No curve, to be filled.
    pub(crate) fn empty() -> Self {
        Self { direction: Polygon { vertices: Vec::new() }.into(), magnitude: Star { vertices: Vec::new() } }
    }

    /// The vertices of a polygon for the direction and of the curve for the magnitude, to be filled.
    pub(crate) fn curves(&mut self) -> (&mut Vec<DVec2>, &mut Vec<DVec2>) {
        if !matches!(self.direction, FrictionSet::Polygon(_)) {
            self.direction = Polygon { vertices: Vec::new() }.into();
        }
        match &mut self.direction {
            FrictionSet::Polygon(polygon) => (&mut polygon.vertices, &mut self.magnitude.vertices),
            _ => unreachable!("made one above"),
        }
    }

    /// The set that gives the direction.
    pub fn direction(&self) -> &FrictionSet {
        &self.direction
    }

    /// The curve that gives the magnitude.
    pub fn magnitude(&self) -> &Star {
        &self.magnitude
    }

    /// The force on A while it slides with `slip`; zero at rest.
    pub fn force(&self, load: f64, slip: DVec2) -> DVec2 {
        if slip == DVec2::ZERO {
            return DVec2::ZERO;
        }
        let towards = self.direction.support_point(Tangential::planar(-slip)).plane.normalize_or_zero();
        if towards == DVec2::ZERO { towards } else { towards * (load * self.magnitude.reach(towards)) }
    }

    /// Whether the contact can stick with this force, give or take `tolerance`.
    pub fn reaches(&self, load: f64, f: DVec2, tolerance: f64) -> bool {
        let length = f.length();
        length <= tolerance || length <= load * self.magnitude.reach(f / length) + tolerance
    }

    /// k times as strong.
    pub(crate) fn scale(&mut self, k: f64) {
        self.magnitude.scale(k);
    }
}
