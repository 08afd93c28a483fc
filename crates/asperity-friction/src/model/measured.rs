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
use crate::two_set::{Star, TwoSet};

/// Coefficients at evenly spread directions of the force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// Largest friction force per load along each direction, the first along the surface's tangent.
    pub mu: Vec<f64>,
    /// The surface it was measured on.
    pub on: Side,
}

impl Measured {
    /// The curve in the contact plane, as forces on A.
    fn curve(&self, state: &ContactState) -> Vec<DVec2> {
        let step = std::f64::consts::TAU / self.mu.len() as f64;
        let frame = state.surface_to_contact(self.on);
        let point = |(i, m): (usize, &f64)| frame * DVec2::from_angle(step * i as f64) * *m;
        let mut curve: Vec<DVec2> = self.mu.iter().enumerate().map(point).collect();
        if self.on == Side::A {
            // A force on B is the opposite force on A; and A's frame is reflected, so the curve ran clockwise.
            curve.iter_mut().for_each(|f| *f = -*f);
            curve.reverse();
        }
        curve
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
        let curve = self.curve(state);
        let direction = Polygon::hull(curve.clone());
        *law = ContactLaw::TwoSet(TwoSet::new(direction.into(), Star::new(curve)?)?);
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
        vec![Self { mu: peanut, on: Side::B }, Self { mu: vec![0.5, 0.3, 0.2, 0.6], on: Side::A }]
    }
}
