//! Friction tensors (Pabst, Thomaszewski and Straßer 2009): a surface's friction as a map of the slip direction.
//!
//! In the surface's own frame the other surface slides over it with w = w⁺ + w⁻ (positive and negative components), and
//! is resisted with g(w) = Q⁺ w⁺ + Q⁻ w⁻ per unit load and speed. A symmetric material has Q⁺ = Q⁻ = Q.
//!
//! Friction must brake: w·g(w) ≥ 0 for all w. For Q⁺ = Q⁻ that is: the symmetric part of Q is positive semidefinite
//! (det Q ≥ 0, as the paper has it, is not enough). In general it must hold in each quadrant, where g is linear with
//! the columns of Q⁺ or Q⁻ according to the signs.
//!
//! ```
//! use asperity_friction::tensor::SurfaceTensor;
//! # fn main() -> Result<(), asperity_friction::FrictionError> {
//! // Easy along the tangent, hard across it: brakes.
//! SurfaceTensor::orthotropic(0.2, 0.6, 0.0)?.check()?;
//! // A positive determinant is not enough: this one drives slips along the diagonal.
//! assert!(SurfaceTensor::general([[0.1, -2.0], [0.5, 1.0]])?.check().is_err());
//! # Ok(())
//! # }
//! ```

use glam::{DMat2, DVec2};
use serde::{Deserialize, Serialize};

use crate::error::{FrictionError, finite2, non_negative, orthogonal, unit2};
use crate::symmetric::Symmetric2;

/// Q⁺ and Q⁻ in the surface's frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SurfaceTensorData", into = "SurfaceTensorData")]
pub struct SurfaceTensor {
    pub(crate) plus: DMat2,
    pub(crate) minus: DMat2,
    /// Whether it brakes by itself, so that no pair with it needs a check.
    pub(crate) brakes: bool,
}

/// Rows of Q⁺ and, when it differs, of Q⁻.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SurfaceTensorData {
    plus: [[f64; 2]; 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    minus: Option<[[f64; 2]; 2]>,
}

impl From<SurfaceTensor> for SurfaceTensorData {
    fn from(tensor: SurfaceTensor) -> Self {
        let (plus, minus) = tensor.rows();
        Self { plus, minus: (minus != plus).then_some(minus) }
    }
}

impl TryFrom<SurfaceTensorData> for SurfaceTensor {
    type Error = FrictionError;
    fn try_from(data: SurfaceTensorData) -> Result<Self, FrictionError> {
        Self::asymmetric(data.plus, data.minus.unwrap_or(data.plus))
    }
}

impl SurfaceTensor {
    /// No friction.
    pub const ZERO: Self = Self { plus: DMat2::ZERO, minus: DMat2::ZERO, brakes: true };

    /// The same coefficient in every direction.
    pub fn isotropic(mu: f64) -> Result<Self, FrictionError> {
        Self::general([[mu, 0.0], [0.0, mu]])
    }

    /// Symmetric: q11 and q22 along the axes, q12 the coupling.
    pub fn orthotropic(q11: f64, q22: f64, q12: f64) -> Result<Self, FrictionError> {
        Self::general([[q11, q12], [q12, q22]])
    }

    /// Fully anisotropic, the same forward and backward. `rows` is [[Q11, Q12], [Q21, Q22]].
    pub fn general(rows: [[f64; 2]; 2]) -> Result<Self, FrictionError> {
        Self::asymmetric(rows, rows)
    }

    /// Q⁺ acts on the positive, Q⁻ on the negative components of the other surface's slip.
    ///
    /// A tensor that drives is accepted: the tensor of the other surface may make up for it. [`Self::check`] tells,
    /// and the models check the pair.
    pub fn asymmetric(plus: [[f64; 2]; 2], minus: [[f64; 2]; 2]) -> Result<Self, FrictionError> {
        let matrix = |rows: [[f64; 2]; 2]| -> Result<DMat2, FrictionError> {
            finite2("friction tensor row", DVec2::from_array(rows[0]))?;
            finite2("friction tensor row", DVec2::from_array(rows[1]))?;
            Ok(DMat2::from_cols_array_2d(&rows).transpose())
        };
        let mut tensor = Self { plus: matrix(plus)?, minus: matrix(minus)?, brakes: true };
        tensor.brakes = tensor.check().is_ok();
        Ok(tensor)
    }

    /// Each entry times a factor that is not negative: those of Q11, Q12, Q21, Q22, in a texture the channels red, green, blue, alpha. Q⁺ and
    /// Q⁻ alike.
    pub fn modulated(&self, factors: [f64; 4]) -> Result<Self, FrictionError> {
        for factor in factors {
            non_negative("factor of a tensor's entry", factor)?;
        }
        let [r, g, b, a] = factors;
        let scale = |m: DMat2| {
            DMat2::from_cols(DVec2::new(m.x_axis.x * r, m.x_axis.y * b), DVec2::new(m.y_axis.x * g, m.y_axis.y * a))
        };
        let mut tensor = Self { plus: scale(self.plus), minus: scale(self.minus), brakes: true };
        tensor.brakes = tensor.check().is_ok();
        Ok(tensor)
    }

    /// The rows of Q⁺ and of Q⁻.
    pub fn rows(&self) -> ([[f64; 2]; 2], [[f64; 2]; 2]) {
        (self.plus.transpose().to_cols_array_2d(), self.minus.transpose().to_cols_array_2d())
    }

    /// Whether forward and backward are the same.
    pub fn is_symmetric_in_sense(&self) -> bool {
        self.plus == self.minus
    }

    /// Refuses a tensor that drives, and names the direction (of the other surface's slip, in this surface's frame)
    /// in which it does so most.
    pub fn check(&self) -> Result<(), FrictionError> {
        let part = QuadrantTensor { frame: DMat2::IDENTITY, plus: self.plus, minus: self.minus };
        check_brakes(&[DVec2::X, DVec2::Y], |d| part.resist(d))
    }
}

/// A surface's tensors in the contact plane, acting on the slip of A over B.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct QuadrantTensor {
    /// Surface frame to contact frame.
    pub(crate) frame: DMat2,
    pub(crate) plus: DMat2,
    pub(crate) minus: DMat2,
}

impl QuadrantTensor {
    /// The zero tensor.
    pub(crate) const ZERO: Self = Self { frame: DMat2::IDENTITY, plus: DMat2::ZERO, minus: DMat2::ZERO };

    /// What resists a slip `v` of A over B, per unit load: homogeneous of degree one.
    #[inline]
    pub fn resist(&self, v: DVec2) -> DVec2 {
        let w = self.frame.transpose() * v;
        self.frame * (self.plus * w.max(DVec2::ZERO) + self.minus * w.min(DVec2::ZERO))
    }

    /// A bound of |resist(d)| for unit directions d: with c the longer of the columns of Q⁺ and Q⁻ for each axis,
    /// |d_x| c_x + |d_y| c_y ≤ √(c_x² + c_y²).
    pub(crate) fn most(&self) -> f64 {
        let longer = |p: DVec2, q: DVec2| p.length_squared().max(q.length_squared());
        let (plus, minus) = (self.plus, self.minus);
        (longer(plus.x_axis, minus.x_axis) + longer(plus.y_axis, minus.y_axis)).sqrt()
    }

    /// Refuses entries that are NaN or infinite, and frames that are not orthonormal.
    pub(crate) fn validate(&self) -> Result<(), FrictionError> {
        for m in [self.plus, self.minus, self.frame] {
            finite2("friction tensor", m.x_axis)?;
            finite2("friction tensor", m.y_axis)?;
        }
        unit2("friction tensor axis", self.frame.x_axis)?;
        unit2("friction tensor axis", self.frame.y_axis)?;
        orthogonal("friction tensor axis", self.frame.y_axis.extend(0.0), "the first", self.frame.x_axis.extend(0.0))
    }

    /// k times as strong.
    pub(crate) fn scale(&mut self, k: f64) {
        self.plus *= k;
        self.minus *= k;
    }
}

/// Refuses a map `resist`, linear between the directions ±`breaks`, that drives somewhere: d·resist(d) < 0.
///
/// In a sector the power is a quadratic form; its least value is at an end or at its lower eigenvector, if inside.
pub(crate) fn check_brakes(breaks: &[DVec2], resist: impl Fn(DVec2) -> DVec2) -> Result<(), FrictionError> {
    let mut worst = (0.0, DVec2::ZERO);
    let mut size: f64 = 0.0;
    for_sectors(breaks, |from, to| {
        let (rf, rt) = (resist(from), resist(to));
        size = size.max(rf.length()).max(rt.length());
        let linear = DMat2::from_cols(rf, rt) * DMat2::from_cols(from, to).inverse();
        let low = Symmetric2::part_of(linear).eigen().axis;
        let inside = |d: DVec2| from.perp_dot(d) > 0.0 && d.perp_dot(to) > 0.0;
        for d in [from, to, low, -low] {
            if d == from || d == to || inside(d) {
                let power = d.dot(resist(d));
                if power < worst.0 {
                    worst = (power, d);
                }
            }
        }
    });
    // A power that is negative by less than 10⁻¹² of the size is round-off of a singular tensor.
    if worst.0 < -1e-12 * size {
        return Err(FrictionError::Drives { direction: worst.1, gain: -worst.0 });
    }
    Ok(())
}

/// A direction and its angle.
#[derive(Clone, Copy, Default)]
struct Ray {
    direction: DVec2,
    angle: f64,
}

impl Ray {
    fn new(direction: DVec2) -> Self {
        Self { direction, angle: direction.to_angle() }
    }
}

/// Calls `f` with the ends of each sector between the directions ±`breaks` (unit vectors, at most four).
pub(crate) fn for_sectors(breaks: &[DVec2], mut f: impl FnMut(DVec2, DVec2)) {
    let mut ends = [Ray::default(); 8];
    let mut count = 0;
    for d in breaks.iter().take(4) {
        ends[count] = Ray::new(*d);
        ends[count + 1] = Ray::new(-*d);
        count += 2;
    }
    let ends = &mut ends[..count];
    ends.sort_unstable_by(|p, q| p.angle.total_cmp(&q.angle));
    for i in 0..count {
        let (from, to) = (ends[i].direction, ends[(i + 1) % count].direction);
        // The same direction twice leaves an empty sector.
        if from.perp_dot(to).abs() > 1e-12 {
            f(from, to);
        }
    }
}
