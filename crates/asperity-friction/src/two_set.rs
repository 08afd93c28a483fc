//! Two-set friction for measured laws that no convex set with maximum dissipation describes.
//!
//! Walker and Leine (2017): a convex set D gives the direction of the force, a star-shaped set M its magnitude. Sliding
//! with slip v, the force points to the point of D that brakes v most and is as long as M allows in that direction;
//! M holds the forces that stick. D contains the origin, so friction never drives.

use glam::DVec2;
use serde::{Deserialize, Serialize};

use crate::error::{FrictionError, finite2, non_negative};
use crate::root::fall;
use crate::set::{ConvexSet, FrictionSet, Polygon};
use crate::slip_rule::slip_left;
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
        Self { direction: Polygon::of(Vec::new()).into(), magnitude: Star { vertices: Vec::new() } }
    }

    /// The vertices of a polygon for the direction and of the curve for the magnitude, to be filled.
    pub(crate) fn curves(&mut self) -> (&mut Vec<DVec2>, &mut Vec<DVec2>) {
        if !matches!(self.direction, FrictionSet::Polygon(_)) {
            self.direction = Polygon::of(Vec::new()).into();
        }
        match &mut self.direction {
            FrictionSet::Polygon(polygon) => (polygon.refill(), &mut self.magnitude.vertices),
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

    /// The impulse f when `trial` would stop the slip: `trial` itself if the contact can stick with it, else the
    /// solution of f = force(d) with a slip left along d, that is trial = f − s d, s > 0.
    ///
    /// Where the direction set has an edge, all slips across it are resisted by any of its points: the force jumps from
    /// one corner to the next as the slip turns. There f is the point of the curve between them that leaves the slip
    /// along d.
    pub fn resolve(&self, load: f64, trial: DVec2) -> DVec2 {
        if self.reaches(load, trial, 0.0) {
            return trial;
        }
        let settled = |d: DVec2| {
            let f = self.against(load, trial, d);
            (d.dot(f - trial) > 0.0).then_some(f)
        };
        slip_left(trial, |d| self.force(load, d), settled).unwrap_or_else(|| self.force(load, -trial))
    }

    /// The force against a slip along d; where that jumps, the one that leaves of `trial` a slip along d.
    fn against(&self, load: f64, trial: DVec2, d: DVec2) -> DVec2 {
        let turned = |angle: f64| self.force(load, DVec2::from_angle(angle).rotate(d));
        let (one, other) = (turned(-JUMP), turned(JUMP));
        if (one - other).length() <= 1e-6 * load * self.magnitude.reach(one.normalize_or_zero()) {
            return self.force(load, d);
        }
        // Between the two corners the curve of magnitudes passes the line through the trial along d.
        let (start, turn) = (one.to_angle(), one.angle_to(other));
        let point = |part: f64| {
            let towards = DVec2::from_angle(start + part * turn);
            towards * (load * self.magnitude.reach(towards))
        };
        let aside = |part: f64| d.perp_dot(point(part) - trial);
        let (first, last) = (aside(0.0), aside(1.0));
        if first == 0.0 || first.signum() == last.signum() {
            // Equal to a corner up to round-off.
            return if first.abs() <= last.abs() { one } else { other };
        }
        point(fall(|part| aside(part) * first.signum(), first.abs(), last * first.signum()))
    }

    /// k times as strong.
    pub(crate) fn scale(&mut self, k: f64) {
        self.magnitude.scale(k);
    }
}

/// Angle to both sides of a slip direction at which a jump of the force is looked for.
const JUMP: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{FrictionModel, MODELS};
    use crate::state::{ContactFrame, ContactState, SurfaceSample};
    use crate::{ContactLaw, model::Model};

    fn measured() -> Vec<TwoSet> {
        let frame = ContactFrame::new(glam::DVec3::Y, glam::DVec3::X).unwrap();
        let along = SurfaceSample { tangent: glam::DVec3::X, ..SurfaceSample::default() };
        let two_set = |model: FrictionModel| {
            let mut law = ContactLaw::default();
            model.evaluate(&ContactState::new(frame, along, along), &mut law).ok()?;
            if let ContactLaw::TwoSet(two) = law { Some(two) } else { None }
        };
        let found: Vec<TwoSet> = MODELS.iter().flat_map(|m| (m.examples)()).filter_map(two_set).collect();
        assert!(!found.is_empty());
        found
    }

    #[test]
    fn what_is_resolved_brakes_the_slip_that_is_left() {
        for two in measured() {
            let mut mixed = 0;
            for k in 0..720 {
                let (load, angle) = (0.5 + 0.01 * (k % 100) as f64, k as f64 * 0.0174);
                let trial = DVec2::from_angle(angle) * (0.1 + 0.3 * (k % 7) as f64);
                let f = two.resolve(load, trial);
                if two.reaches(load, trial, 0.0) {
                    assert_eq!(f, trial);
                    continue;
                }
                // On the curve of magnitudes.
                let reach = load * two.magnitude().reach(f.normalize());
                assert!((f.length() - reach).abs() <= 1e-9 * reach, "{f} is not of length {reach}");
                // The force for the slip that is left, or between those of slips turned a little to both sides.
                let left = (f - trial).normalize();
                assert!(f.dot(left) <= 0.0, "{f} drives {left}");
                let turned = |by: f64| two.force(load, DVec2::from_angle(by).rotate(left));
                let (one, other) = (turned(-1e-6), turned(1e-6));
                let apart = (one - f).length().min((other - f).length());
                let between = one.perp_dot(f) * f.perp_dot(other) >= 0.0;
                mixed += usize::from(apart > 1e-4 * reach);
                assert!(apart <= 1e-4 * reach || between, "{f} for {left}: {one}, {other}");
            }
            assert!(mixed > 0, "no force on an edge was tried");
        }
    }

    #[test]
    fn a_corner_that_is_the_answer_is_taken() {
        // A square for the direction and a round curve: a slip that is left along −x is resisted by the right side, of
        // which the trial (3, 1) leaves the corner, or a point.
        let square = Polygon::new(vec![DVec2::ONE, DVec2::new(-1.0, 1.0), -DVec2::ONE, DVec2::new(1.0, -1.0)]).unwrap();
        let star = Star::from_coefficients(&[0.5; 64]).unwrap();
        let two = TwoSet::new(square.into(), star).unwrap();
        let corner = two.force(1.0, DVec2::new(-1.0, -1.0));
        for (trial, sign) in [(DVec2::new(3.0, corner.y), 1.0), (DVec2::new(3.0, -corner.y), -1.0)] {
            let f = two.resolve(1.0, trial);
            assert!((f - DVec2::new(corner.x, sign * corner.y)).length() < 1e-9, "{f} for {trial}, not {corner}");
        }
    }
}
