//! Factors of A, or of a matrix near it that has some.
//!
//! A is positive definite for short enough steps. Where it is not, as under compression, it is moved towards the matrix whose element
//! Hessians are projected, as little as it takes: the farther it is moved, the slower the iteration converges.

use asperity_solve::problem::{CholeskyError, ProblemError};

/// How far A is moved.
const SHARES: [f64; 4] = [0.1, 0.25, 0.5, 1.0];

/// A matrix, in the slots of its pattern, and its factors.
pub(super) struct Factored<T> {
    pub(super) factor: T,
    pub(super) matrix: Vec<f64>,
}

/// Why there are no factors.
pub(super) trait FactorError {
    /// Whether a matrix that is nearer to a positive definite one may have some.
    fn is_indefinite(&self) -> bool;
}

impl FactorError for ProblemError {
    fn is_indefinite(&self) -> bool {
        matches!(self, Self::NotPositive { .. } | Self::SingularMass)
    }
}

impl FactorError for CholeskyError {
    fn is_indefinite(&self) -> bool {
        matches!(self, Self::NotPositive { .. })
    }
}

/// Factors of A, or of the first matrix on the way to the projected one that has some; that one is made if it is needed.
pub(super) fn factored<T, E: FactorError>(
    exact: Vec<f64>,
    projected: impl FnOnce() -> Vec<f64>,
    mut factor: impl FnMut(&[f64]) -> Result<T, E>,
) -> Result<Factored<T>, E> {
    let mut last = match factor(&exact) {
        Err(error) if error.is_indefinite() => error,
        made => return made.map(|factor| Factored { factor, matrix: exact }),
    };
    let projected = projected();
    for share in SHARES {
        let mixed = exact.iter().zip(&projected).map(|(value, projected)| value + share * (projected - value));
        let matrix: Vec<f64> = mixed.collect();
        match factor(&matrix) {
            Err(error) if error.is_indefinite() => last = error,
            made => return made.map(|factor| Factored { factor, matrix }),
        }
    }
    Err(last)
}
