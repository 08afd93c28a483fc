//! The Matchstick model (Erleben, Macklin, Andrews and Kry 2020): friction from the grain (structure) of both surfaces.
//!
//! With θ the angle between the structure directions as lines (0 to 90°) and d = 1 − 2θ/π, each coefficient is
//! interpolated between its value for parallel structure (d = 1) and the isotropic one (d = 0), eqs. 5, 10 and 11:
//!
//!   μ_t = d μ_t^A + (1 − d) μ,  μ_b = d μ_b^A + (1 − d) μ,  and with drilling μ_spin likewise.
//!
//! The axis t is the mean of the two directions, the sign of one flipped so that they are less than 90° apart.
//!
//! | structure directions | law |
//! | --- | --- |
//! | parallel | d = 1: fully anisotropic, t along them |
//! | nearly orthogonal | d → 0: the ellipse tends to the disk, so that t may jump and the set does not |
//! | exactly orthogonal | d = 0: the disk |
//! | one is zero | the other alone decides, d = 1 (section 6); or isotropic, as the authors' program does |
//! | both are zero | isotropic |

use std::f64::consts::FRAC_2_PI;

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::Model;
use crate::error::{FrictionError, non_negative};
use crate::law::ContactLaw;
use crate::set::{Catalogued, Ellipse, Ellipsoid};
use crate::state::{ContactState, Side};

/// What a surface without structure means for the pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingStructure {
    /// The other surface alone decides (the paper, section 6).
    #[default]
    OtherDecides,
    /// The contact is isotropic (the authors' public program).
    Isotropic,
}

/// Drilling: coefficients of the torque about the normal, in metres (torque per normal force).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spin {
    /// With orthogonal structure directions.
    pub isotropic: f64,
    /// With parallel ones.
    pub parallel: f64,
}

/// Coefficients of the Matchstick model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matchstick {
    /// Isotropic coefficient: with orthogonal structure directions, in every direction.
    pub mu: f64,
    /// With parallel structure directions, along them (the direction of least resistance).
    pub mu_t: f64,
    /// With parallel structure directions, across them.
    pub mu_b: f64,
    /// Drilling torque, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin: Option<Spin>,
    /// What a surface without structure means.
    #[serde(default)]
    pub missing: MissingStructure,
}

impl Matchstick {
    /// The model without drilling.
    pub fn new(mu: f64, mu_t: f64, mu_b: f64) -> Result<Self, FrictionError> {
        let model = Self { mu, mu_t, mu_b, spin: None, missing: MissingStructure::default() };
        model.validate()?;
        Ok(model)
    }

    /// How parallel structure directions of any length are.
    #[inline]
    fn alignment(&self, a: Option<DVec2>, b: Option<DVec2>) -> Alignment {
        let (a, b) = match (a, b) {
            (Some(a), Some(b)) => (a, b),
            (Some(s), None) | (None, Some(s)) if self.missing == MissingStructure::OtherDecides => {
                return Alignment { d: 1.0, axis: s.normalize() };
            }
            _ => return Alignment { d: 0.0, axis: DVec2::X },
        };
        let (cosine, sine) = (a.dot(b), a.perp_dot(b));
        // The angle between lines, accurate near 0 as well as near 90 degrees, for any lengths.
        let d = 1.0 - FRAC_2_PI * sine.abs().atan2(cosine.abs());
        // The bisector of a and ±b: both brought to the same length.
        let ratio = (a.length_squared() / b.length_squared()).sqrt();
        let mean = a + b * ratio.copysign(cosine);
        Alignment { d, axis: mean * (1.0 / mean.length()) }
    }
}

/// How parallel the structures of two surfaces are.
struct Alignment {
    /// 1 for parallel, 0 for perpendicular lines, linear in the angle between them.
    d: f64,
    /// The unit bisector of the two lines.
    axis: DVec2,
}

impl Model for Matchstick {
    fn validate(&self) -> Result<(), FrictionError> {
        non_negative("mu", self.mu)?;
        non_negative("mu_t", self.mu_t)?;
        non_negative("mu_b", self.mu_b)?;
        if let Some(spin) = self.spin {
            non_negative("spin.isotropic", spin.isotropic)?;
            non_negative("spin.parallel", spin.parallel)?;
        }
        Ok(())
    }

    #[inline]
    fn evaluate(&self, state: &ContactState, law: &mut ContactLaw) -> Result<(), FrictionError> {
        let Alignment { d, axis } = self.alignment(state.structure(Side::A), state.structure(Side::B));
        let mix = |parallel: f64, isotropic: f64| d * parallel + (1.0 - d) * isotropic;
        let (mu_t, mu_b) = (mix(self.mu_t, self.mu), mix(self.mu_b, self.mu));
        *law = match self.spin {
            None => Ellipse { mu: [mu_t, mu_b], axis }.into(),
            Some(spin) => Ellipsoid { mu: [mu_t, mu_b, mix(spin.parallel, spin.isotropic)], axis }.into(),
        };
        Ok(())
    }
}

impl Catalogued for Matchstick {
    const NAME: &'static str = "matchstick";
    const SUMMARY: &'static str =
        "friction from the grain of both surfaces: isotropic when crossed, extreme when parallel";

    fn examples() -> Vec<Self> {
        let plain = Self { mu: 0.2, mu_t: 0.2, mu_b: 3.0, spin: None, missing: MissingStructure::OtherDecides };
        let spin = Some(Spin { isotropic: 0.2, parallel: 0.1 });
        vec![plain, Self { spin, ..plain }, Self { spin, missing: MissingStructure::Isotropic, ..plain }]
    }
}
