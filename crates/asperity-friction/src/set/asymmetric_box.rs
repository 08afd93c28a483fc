//! Box with four bounds, along an axis and across it: the limit surface of a box solver, and of Andrews et al. 2021.

use glam::{DMat2, DVec2};
use serde::{Deserialize, Serialize};

use super::derivative::ProjectionDerivative;
use super::ellipse::first_axis;
use super::polygon::PlanarSet;
use super::rotation::{rotate, unrotate};
use super::{Catalogued, ConvexSet, TangentialDerivative};
use crate::error::{FrictionError, non_negative, unit2};
use crate::tangential::Tangential;

/// { f : −back ≤ (f_t, f_b) ≤ ahead }, with f_t along `axis`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "AsymmetricBoxData")]
pub struct AsymmetricBox {
    pub(crate) ahead: DVec2,
    pub(crate) back: DVec2,
    pub(crate) axis: DVec2,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AsymmetricBoxData {
    ahead: DVec2,
    back: DVec2,
    #[serde(default = "first_axis")]
    axis: DVec2,
}

impl TryFrom<AsymmetricBoxData> for AsymmetricBox {
    type Error = FrictionError;
    fn try_from(data: AsymmetricBoxData) -> Result<Self, FrictionError> {
        Self::new(data.ahead, data.back, data.axis)
    }
}

impl AsymmetricBox {
    /// Bounds of the impulse on A: `ahead` along +axis and +axis⊥, `back` along the negative ones (all magnitudes).
    pub fn new(ahead: DVec2, back: DVec2, axis: DVec2) -> Result<Self, FrictionError> {
        non_negative("ahead_t", ahead.x)?;
        non_negative("ahead_b", ahead.y)?;
        non_negative("back_t", back.x)?;
        non_negative("back_b", back.y)?;
        Ok(Self { ahead, back, axis: unit2("axis", axis)? })
    }

    /// Bounds along the positive directions.
    pub fn ahead(&self) -> DVec2 {
        self.ahead
    }

    /// Bounds along the negative directions, as magnitudes.
    pub fn back(&self) -> DVec2 {
        self.back
    }
}

impl ConvexSet for AsymmetricBox {
    fn rows(&self) -> usize {
        2
    }

    #[inline]
    fn support_point(&self, d: Tangential) -> Tangential {
        let local = unrotate(self.axis, d.plane);
        // Across an edge every point of it is as far: the one that does not push aside.
        let blur = 4.0 * f64::EPSILON * d.plane.abs().max_element();
        let pick = |d: f64, ahead: f64, back: f64| {
            if d > blur {
                ahead
            } else if d < -blur {
                -back
            } else {
                0.0
            }
        };
        let corner = DVec2::new(pick(local.x, self.ahead.x, self.back.x), pick(local.y, self.ahead.y, self.back.y));
        Tangential::planar(rotate(self.axis, corner))
    }

    #[inline]
    fn project(&self, load: f64, f: Tangential) -> Tangential {
        let local = unrotate(self.axis, f.plane);
        let clamped = local.clamp(-self.back * load, self.ahead * load);
        // A point inside stays what it is, to the last bit.
        if clamped == local {
            return Tangential::planar(f.plane);
        }
        Tangential::planar(rotate(self.axis, clamped))
    }

    fn derivative(&self, load: f64, f: Tangential) -> TangentialDerivative {
        self.project_derivative(load, f.plane).into()
    }

    fn axis(&self) -> DVec2 {
        self.axis
    }

    fn scale(&mut self, k: f64) {
        self.ahead *= k;
        self.back *= k;
    }

    fn scale_moments(&mut self, _k: f64) {}

    fn planar(&self) -> Option<&dyn PlanarSet> {
        Some(self)
    }
}

impl PlanarSet for AsymmetricBox {
    fn loaded_derivative(&self, load: f64, f: DVec2) -> ProjectionDerivative {
        let local = unrotate(self.axis, f);
        // Between bounds that do not meet: a component without room never moves.
        let free = |x: f64, ahead: f64, back: f64| {
            let (low, high) = (-back * load, ahead * load);
            f64::from(low < high && x >= low && x <= high)
        };
        let keep = DVec2::new(free(local.x, self.ahead.x, self.back.x), free(local.y, self.ahead.y, self.back.y));
        if keep == DVec2::ONE {
            return ProjectionDerivative::INSIDE;
        }
        let corner = DVec2::select(local.cmpge(DVec2::ZERO), self.ahead, -self.back);
        let turn = DMat2::from_cols(self.axis, self.axis.perp());
        ProjectionDerivative {
            by_force: turn * DMat2::from_diagonal(keep) * turn.transpose(),
            by_load: rotate(self.axis, corner * (DVec2::ONE - keep)),
        }
    }

    /// Facets along the box, so that four of them are the box itself.
    fn facet_normal(&self, angle: f64) -> DVec2 {
        rotate(self.axis, DVec2::from_angle(angle))
    }

    fn curvature_radius(&self, _d: DVec2) -> Option<f64> {
        None
    }
}

impl Catalogued for AsymmetricBox {
    const NAME: &'static str = "asymmetric_box";
    const SUMMARY: &'static str = "box with four bounds: forward is not backward; what a box solver clamps to";

    fn examples() -> Vec<Self> {
        let axis = DVec2::from_angle(2.0);
        [
            ([0.5, 0.2], [0.1, 0.9]),
            ([0.4, 0.4], [0.4, 0.4]),
            ([1.0, 1e-4], [1e-4, 1e-4]),
            ([0.3, 0.0], [0.0, 0.0]),
            ([0.0, 0.0], [0.0, 0.0]),
        ]
        .into_iter()
        .map(|(ahead, back)| Self { ahead: ahead.into(), back: back.into(), axis })
        .collect()
    }
}
