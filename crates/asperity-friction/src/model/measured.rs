//! A measured law: coefficients around the circle, convex or not.
//!
//! The magnitude is the star-shaped curve through the measured coefficients; the direction comes from a convex set, by
//! default the hull of that curve (Walker and Leine 2017). Angles count from the first axis of the surface they were
//! measured on towards its bitangent; the force meant is the one on the *other* body.

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::Model;
use crate::error::{FrictionError, positive};
use crate::law::ContactLaw;
use crate::set::{Catalogued, Polygon};
use crate::state::{ContactState, Side};

/// Coefficients at evenly spread directions of the force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "MeasuredData", into = "MeasuredData")]
pub struct Measured {
    mu: Vec<f64>,
    on: Side,
    /// The curve in the surface's frame, and its hull: made once.
    curve: Vec<DVec2>,
    hull: Vec<DVec2>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MeasuredData {
    /// Largest friction force per load along each direction, the first along the surface's tangent.
    mu: Vec<f64>,
    /// The surface it was measured on.
    on: Side,
}

impl From<MeasuredData> for Measured {
    fn from(data: MeasuredData) -> Self {
        Self::new(data.mu, data.on)
    }
}

impl From<Measured> for MeasuredData {
    fn from(model: Measured) -> Self {
        Self { mu: model.mu, on: model.on }
    }
}

impl Measured {
    /// Largest friction force per load on the other body along each direction, the first along the tangent of the
    /// surface `on` that side, the others evenly spread towards its bitangent.
    pub fn new(mu: Vec<f64>, on: Side) -> Self {
        let step = std::f64::consts::TAU / mu.len() as f64;
        let curve: Vec<DVec2> = mu.iter().enumerate().map(|(i, m)| DVec2::from_angle(step * i as f64) * *m).collect();
        let hull = Polygon::hull(curve.clone()).vertices().to_vec();
        Self { mu, on, curve, hull }
    }

    /// The coefficients.
    pub fn mu(&self) -> &[f64] {
        &self.mu
    }

    /// The surface it was measured on.
    pub fn on(&self) -> Side {
        self.on
    }
}

impl Model for Measured {
    fn validate(&self) -> Result<(), FrictionError> {
        if self.mu.len() < 3 {
            return Err(FrictionError::Count { name: "mu", count: self.mu.len(), expected: "at least 3 directions" });
        }
        self.mu.iter().try_for_each(|m| positive("mu", *m).map(|_| ()))
    }

    fn evaluate(&self, state: &ContactState, law: &mut ContactLaw) -> Result<(), FrictionError> {
        let frame = state.surface_to_contact(self.on, Self::NAME)?;
        // A force on B is the opposite force on A; and A's frame is reflected, so its curves run clockwise.
        let (sign, reverse) = match self.on {
            Side::A => (-1.0, true),
            Side::B => (1.0, false),
        };
        let (hull, curve) = law.two_set().curves();
        for (to, from) in [(hull, &self.hull), (curve, &self.curve)] {
            to.clear();
            to.extend(from.iter().map(|f| frame * *f * sign));
            if reverse {
                to.reverse();
            }
        }
        Ok(())
    }

    fn swapped(&self) -> Self {
        Self { on: self.on.other(), ..self.clone() }
    }
}

impl Catalogued for Measured {
    const NAME: &'static str = "measured";
    const SUMMARY: &'static str =
        "measured coefficients around the circle, convex or not: a direction set and a magnitude";

    fn examples() -> Vec<Self> {
        let peanut: Vec<f64> =
            (0..24).map(|i| 0.4 + 0.25 * (f64::from(i) * std::f64::consts::FRAC_PI_6).cos()).collect();
        vec![Self::new(peanut, Side::B), Self::new(vec![0.5, 0.3, 0.2, 0.6], Side::A)]
    }
}
