//! Factors of A, or of a matrix near it that has some.
//!
//! A is positive definite for short enough steps. Where it is not, as under compression, it is moved towards the matrix whose element
//! Hessians are projected, as little as it takes: the farther it is moved, the slower the iteration converges.

use asperity_solve::problem::{Factor, ProblemError};

/// How far A is moved.
const SHARES: [f64; 4] = [0.1, 0.25, 0.5, 1.0];

/// A matrix, in the slots of its pattern, and its factors.
pub(super) struct Factored {
    pub(super) factor: Factor,
    pub(super) matrix: Vec<f64>,
}

/// Whether a matrix that is nearer to a positive definite one may have factors where this one has none.
fn is_indefinite(error: &ProblemError) -> bool {
    matches!(error, ProblemError::NotPositive { .. } | ProblemError::SingularMass)
}

/// Factors of A, or of the first matrix on the way to the projected one that has some; that one is made if it is needed.
pub(super) fn factored(
    exact: Vec<f64>,
    projected: impl FnOnce() -> Vec<f64>,
    mut factor: impl FnMut(&[f64]) -> Result<Factor, ProblemError>,
) -> Result<Factored, ProblemError> {
    let mut last = match factor(&exact) {
        Err(error) if is_indefinite(&error) => error,
        made => return made.map(|factor| Factored { factor, matrix: exact }),
    };
    let projected = projected();
    for share in SHARES {
        let mixed = exact.iter().zip(&projected).map(|(value, projected)| value + share * (projected - value));
        let matrix: Vec<f64> = mixed.collect();
        match factor(&matrix) {
            Err(error) if is_indefinite(&error) => last = error,
            made => return made.map(|factor| Factored { factor, matrix }),
        }
    }
    Err(last)
}
