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

use super::{Coefficient, Combine, Model};
use crate::error::FrictionError;
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
    /// With orthogonal structure directions; a rule combines `mu_tau` of the surfaces.
    pub isotropic: Coefficient,
    /// With parallel ones, likewise.
    pub parallel: Coefficient,
}

/// Coefficients of the Matchstick model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matchstick {
    /// Isotropic coefficient: with orthogonal structure directions, in every direction. A rule combines `mu` of the
    /// surfaces.
    pub mu: Coefficient,
    /// With parallel structure directions, along them (the direction of least resistance). A rule combines
    /// `mu_t` of the surfaces.
    pub mu_t: Coefficient,
    /// With parallel structure directions, across them. A rule combines `mu_b` of the surfaces.
    pub mu_b: Coefficient,
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
        let [mu, mu_t, mu_b] = [mu, mu_t, mu_b].map(Coefficient::Fixed);
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
        self.mu.validate("mu")?;
        self.mu_t.validate("mu_t")?;
        self.mu_b.validate("mu_b")?;
        if let Some(spin) = self.spin {
            spin.isotropic.validate("spin.isotropic")?;
            spin.parallel.validate("spin.parallel")?;
        }
        Ok(())
    }

    #[inline]
    fn evaluate(&self, state: &ContactState, law: &mut ContactLaw) -> Result<(), FrictionError> {
        let Alignment { d, axis } = self.alignment(state.structure(Side::A), state.structure(Side::B));
        let mix = |parallel: f64, isotropic: f64| d * parallel + (1.0 - d) * isotropic;
        let (a, b) = (&state.a, &state.b);
        let mu = self.mu.between(a.mu, b.mu);
        let mu_t = mix(self.mu_t.between(a.along(), b.along()), mu);
        let mu_b = mix(self.mu_b.between(a.across(), b.across()), mu);
        *law = match self.spin {
            None => Ellipse { mu: [mu_t, mu_b], axis }.into(),
            Some(spin) => {
                let [parallel, isotropic] = [spin.parallel, spin.isotropic].map(|mu| mu.between(a.mu_tau, b.mu_tau));
                Ellipsoid { mu: [mu_t, mu_b, mix(parallel, isotropic)], axis }.into()
            }
        };
        Ok(())
    }
}

impl Catalogued for Matchstick {
    const NAME: &'static str = "matchstick";
    const SUMMARY: &'static str =
        "friction from the grain of both surfaces: isotropic when crossed, extreme when parallel";

    fn examples() -> Vec<Self> {
        let fixed = Coefficient::Fixed;
        let missing = MissingStructure::OtherDecides;
        let plain = Self { mu: fixed(0.2), mu_t: fixed(0.2), mu_b: fixed(3.0), spin: None, missing };
        let spin = Some(Spin { isotropic: fixed(0.2), parallel: fixed(0.1) });
        let rule = Coefficient::Combined(Combine::GeometricMean);
        let combined =
            Self { mu: rule, mu_t: rule, mu_b: rule, spin: Some(Spin { isotropic: rule, parallel: rule }), missing };
        vec![plain, Self { spin, ..plain }, Self { spin, missing: MissingStructure::Isotropic, ..plain }, combined]
    }
}
