//! The coefficients of a surface, and those of them that vary.

use asperity_friction::field::SurfacePoint;
use asperity_friction::tensor::SurfaceTensor;
use asperity_friction::{FrictionError, SurfaceSample};

use super::ScalarField;

/// The coefficients that friction laws combine, the same everywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// In every direction.
    pub mu: f64,
    /// Along the structure; `None`: `mu`.
    pub mu_t: Option<f64>,
    /// Across the structure; `None`: `mu`.
    pub mu_b: Option<f64>,
    /// Of the drilling torque, m.
    pub mu_tau: f64,
    /// Strength of the facets, k.
    pub salience: f64,
    /// Friction tensors in (tangent, bitangent).
    pub tensor: SurfaceTensor,
}

impl Default for Coefficients {
    fn default() -> Self {
        Self { mu: 0.0, mu_t: None, mu_b: None, mu_tau: 0.0, salience: 1.0, tensor: SurfaceTensor::ZERO }
    }
}

/// Which coefficient a field is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoefficientName {
    /// In every direction.
    Mu,
    /// Along the structure.
    MuT,
    /// Across the structure.
    MuB,
    /// Of the drilling torque.
    MuTau,
    /// Strength of the facets.
    Salience,
    /// A factor of an entry of the friction tensor: 0 to 3 for Q11, Q12, Q21, Q22.
    TensorScale(usize),
}

impl CoefficientName {
    /// As scenes write it.
    pub fn key(self) -> &'static str {
        match self {
            Self::Mu => "mu",
            Self::MuT => "mu_t",
            Self::MuB => "mu_b",
            Self::MuTau => "mu_tau",
            Self::Salience => "salience",
            Self::TensorScale(_) => "tensor_scale",
        }
    }
}

/// A coefficient that varies.
#[derive(Clone, Debug, PartialEq)]
pub struct VaryingCoefficient {
    /// Which.
    pub name: CoefficientName,
    /// What it is.
    pub field: ScalarField,
}

impl VaryingCoefficient {
    /// Its number at a point; refused where that is negative, NaN or infinite.
    #[inline]
    fn value(&self, at: &SurfacePoint, time: f64) -> Result<f64, FrictionError> {
        let value = self.field.value(at, time);
        if value.is_finite() && value >= 0.0 {
            return Ok(value);
        }
        Err(FrictionError::Coefficient { name: self.name.key(), value, place: at.position })
    }
}

impl Coefficients {
    /// What a surface with these coefficients says where none of them varies.
    #[inline]
    pub(super) fn sample(&self, material: u32) -> SurfaceSample<'static> {
        let Self { mu, mu_t, mu_b, mu_tau, salience, tensor } = *self;
        SurfaceSample { material, mu, mu_t, mu_b, mu_tau, salience, tensor, ..SurfaceSample::default() }
    }
}

/// Sets the coefficients that vary to what they are at a point.
#[inline]
pub(super) fn vary(
    fields: &[VaryingCoefficient],
    at: &SurfacePoint,
    time: f64,
    sample: &mut SurfaceSample,
) -> Result<(), FrictionError> {
    let mut factors = None;
    for varying in fields {
        let value = varying.value(at, time)?;
        match varying.name {
            CoefficientName::Mu => sample.mu = value,
            CoefficientName::MuT => sample.mu_t = Some(value),
            CoefficientName::MuB => sample.mu_b = Some(value),
            CoefficientName::MuTau => sample.mu_tau = value,
            CoefficientName::Salience => sample.salience = value,
            CoefficientName::TensorScale(entry) => factors.get_or_insert([1.0; 4])[entry] = value,
        }
    }
    if let Some(factors) = factors {
        sample.tensor = sample.tensor.modulated(factors)?;
    }
    Ok(())
}

/// The mean of the coefficients of samples that differ in nothing else.
pub(super) fn mean(
    samples: impl ExactSizeIterator<Item = Result<SurfaceSample<'static>, FrictionError>>,
) -> Result<SurfaceSample<'static>, FrictionError> {
    let share = 1.0 / samples.len().max(1) as f64;
    let mut sum = SurfaceSample { salience: 0.0, ..SurfaceSample::default() };
    let mut tensor = [[[0.0; 2]; 2]; 2];
    let add = |sum: Option<f64>, own: Option<f64>| own.map(|own| sum.unwrap_or(0.0) + share * own);
    for own in samples {
        let own = own?;
        let (plus, minus) = own.tensor.rows();
        for (sum, own) in tensor.iter_mut().flatten().flatten().zip([plus, minus].iter().flatten().flatten()) {
            *sum += share * own;
        }
        let [mu_t, mu_b] = [add(sum.mu_t, own.mu_t), add(sum.mu_b, own.mu_b)];
        let (mu, mu_tau) = (sum.mu + share * own.mu, sum.mu_tau + share * own.mu_tau);
        sum = SurfaceSample { mu, mu_t, mu_b, mu_tau, salience: sum.salience + share * own.salience, ..own };
    }
    // A mean of tensors that brake brakes; one that is not finite is refused here.
    Ok(SurfaceSample { tensor: SurfaceTensor::asymmetric(tensor[0], tensor[1])?, ..sum })
}
