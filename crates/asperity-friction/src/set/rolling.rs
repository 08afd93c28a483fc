//! A sliding set times an ellipse of rolling torques: rolling resistance beside any sliding friction.
//!
//! F = F_slide × { (m_t/ρ_t)² + (m_b/ρ_b)² ≤ 1 }. The coefficients ρ are lengths: the normal force acts that far ahead
//! of the contact point when the body rolls. The two parts are independent at a given load; the cone couples them.

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::{Catalogued, ConvexSet, Disk, Ellipse, Ellipsoid, FrictionSet, TangentialDerivative, Zonotope};
use crate::error::FrictionError;
use crate::tangential::Tangential;

/// `sliding` × `rolling`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RollingData")]
pub struct Rolling {
    pub(crate) sliding: Box<FrictionSet>,
    pub(crate) rolling: Ellipse,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RollingData {
    sliding: Box<FrictionSet>,
    rolling: Ellipse,
}

impl TryFrom<RollingData> for Rolling {
    type Error = FrictionError;
    fn try_from(data: RollingData) -> Result<Self, FrictionError> {
        Self::new(*data.sliding, data.rolling)
    }
}

impl Rolling {
    /// Friction `sliding` (two or three rows) with rolling torques limited by `rolling` (lengths).
    pub fn new(sliding: FrictionSet, rolling: Ellipse) -> Result<Self, FrictionError> {
        if sliding.rows() > 3 {
            return Err(FrictionError::Unsupported {
                name: "rolling",
                reason: "the sliding set has rolling rows already",
            });
        }
        Ok(Self { sliding: Box::new(sliding), rolling })
    }

    /// The sliding part.
    pub fn sliding(&self) -> &FrictionSet {
        &self.sliding
    }

    /// The rolling part: torques per unit load.
    pub fn rolling(&self) -> &Ellipse {
        &self.rolling
    }
}

fn roll_only(v: Tangential) -> Tangential {
    Tangential::planar(v.roll)
}

impl ConvexSet for Rolling {
    fn rows(&self) -> usize {
        5
    }

    fn support_point(&self, d: Tangential) -> Tangential {
        Tangential { roll: self.rolling.support_point(roll_only(d)).plane, ..self.sliding.support_point(d) }
    }

    fn support(&self, d: Tangential) -> f64 {
        self.sliding.support(d) + self.rolling.support(roll_only(d))
    }

    fn project(&self, load: f64, f: Tangential) -> Tangential {
        Tangential { roll: self.rolling.project(load, roll_only(f)).plane, ..self.sliding.project(load, f) }
    }

    /// Block diagonal: at a given load the parts do not know of each other.
    fn derivative(&self, load: f64, f: Tangential) -> TangentialDerivative {
        let mut all = self.sliding.derivative(load, f);
        let rolling = self.rolling.derivative(load, roll_only(f));
        for i in 0..2 {
            all.by_force[3 + i][3..].copy_from_slice(&rolling.by_force[i][..2]);
            all.by_load[3 + i] = rolling.by_load[i];
        }
        all
    }

    fn radius(&self) -> f64 {
        self.sliding.radius().hypot(self.rolling.radius())
    }

    fn axis(&self) -> DVec2 {
        self.sliding.axis()
    }

    fn scale(&mut self, k: f64) {
        self.sliding.scale(k);
        self.rolling.scale(k);
    }

    fn scale_moments(&mut self, k: f64) {
        self.sliding.scale_moments(k);
        self.rolling.scale(k);
    }
}

impl Catalogued for Rolling {
    const NAME: &'static str = "rolling";
    const SUMMARY: &'static str = "any sliding set times an ellipse of rolling torques: rolling resistance";

    fn examples() -> Vec<Self> {
        let roll = |a: f64, b: f64| Ellipse { mu: [a, b], axis: DVec2::from_angle(0.3) };
        let zonotope = Zonotope::examples().swap_remove(0);
        vec![
            Self { sliding: Box::new(Disk { mu: 0.5 }.into()), rolling: roll(0.01, 0.01) },
            Self {
                sliding: Box::new(Ellipsoid { mu: [0.2, 3.0, 0.1], axis: DVec2::X }.into()),
                rolling: roll(0.02, 0.005),
            },
            Self { sliding: Box::new(zonotope.into()), rolling: roll(0.1, 0.0) },
            Self { sliding: Box::new(Disk { mu: 0.0 }.into()), rolling: roll(0.0, 0.0) },
        ]
    }
}
