//! Elastic constants of an isotropic solid.
//!
//! Young's modulus Y and Poisson's ratio ν give the Lamé constants μ = Y/(2(1 + ν)) and λ = Yν/((1 + ν)(1 − 2ν)). The
//! energy of small strains, μ ε:ε + λ/2 (tr ε)², is positive for all strains if and only if μ > 0 and the bulk modulus
//! λ + 2/3 μ > 0, that is −1 < ν < 1/2.

use super::error::{ElasticError, positive};

/// Lamé constants in Pa.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lame {
    lambda: f64,
    mu: f64,
}

impl Lame {
    /// From the two constants themselves, in Pa.
    pub fn new(lambda: f64, mu: f64) -> Result<Self, ElasticError> {
        positive("mu", mu)?;
        let bulk = lambda + 2.0 / 3.0 * mu;
        if bulk.is_finite() && bulk > 0.0 { Ok(Self { lambda, mu }) } else { Err(ElasticError::Bulk { lambda, mu }) }
    }

    /// From Young's modulus in Pa and Poisson's ratio.
    pub fn from_young(young: f64, poisson: f64) -> Result<Self, ElasticError> {
        positive("young", young)?;
        if !(poisson > -1.0 && poisson < 0.5) {
            return Err(ElasticError::Poisson { value: poisson });
        }
        let mu = young / (2.0 * (1.0 + poisson));
        Self::new(2.0 * mu * poisson / (1.0 - 2.0 * poisson), mu)
    }

    /// First Lamé constant λ in Pa.
    pub fn lambda(&self) -> f64 {
        self.lambda
    }

    /// Shear modulus μ in Pa.
    pub fn mu(&self) -> f64 {
        self.mu
    }

    /// Young's modulus in Pa: μ (3λ + 2μ)/(λ + μ).
    pub fn young(&self) -> f64 {
        self.mu * (3.0 * self.lambda + 2.0 * self.mu) / (self.lambda + self.mu)
    }
}

#[cfg(test)]
mod tests {
    use super::{ElasticError, Lame};

    #[test]
    fn a_cube_under_tension_has_the_modulus_and_the_ratio_it_was_made_from() {
        let lame = Lame::from_young(2.0e5, 0.3).unwrap();
        // Uniaxial stress with strains (1, −ν, −ν): across, 2μ ε + λ tr ε = 0; along, it is Y.
        let trace = 1.0 - 0.6;
        assert!((2.0 * lame.mu() * -0.3 + lame.lambda() * trace).abs() < 1e-9);
        assert!((2.0 * lame.mu() + lame.lambda() * trace - 2.0e5).abs() < 1e-9);
        assert!((lame.young() - 2.0e5).abs() < 1e-9);
    }

    #[test]
    fn constants_of_no_solid_are_refused_by_name() {
        assert_eq!(Lame::from_young(1.0, 0.5), Err(ElasticError::Poisson { value: 0.5 }));
        assert_eq!(Lame::from_young(1.0, -1.0), Err(ElasticError::Poisson { value: -1.0 }));
        assert!(matches!(Lame::from_young(1.0, f64::NAN), Err(ElasticError::Poisson { .. })));
        assert_eq!(Lame::from_young(0.0, 0.3), Err(ElasticError::NotPositive { name: "young", value: 0.0 }));
        assert!(matches!(Lame::from_young(f64::INFINITY, 0.3), Err(ElasticError::NotPositive { name: "young", .. })));
        assert_eq!(Lame::new(-1.0, 1.0), Err(ElasticError::Bulk { lambda: -1.0, mu: 1.0 }));
        assert!(Lame::new(-0.6, 1.0).is_ok());
    }
}
