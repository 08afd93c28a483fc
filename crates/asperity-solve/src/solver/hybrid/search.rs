//! Two small tools of the second stage: the step length of a convex function whose derivative costs a projection, and
//! GMRES.

use crate::problem::dot;

/// A step is taken whole if the slope at its end is below this fraction of the slope at its beginning; else its length is
/// searched until the slope has fallen to the second fraction.
const FULL_STEP: f64 = 0.5;
const SEARCHED: f64 = 0.1;
/// Most evaluations of the slope.
const EVALUATIONS: usize = 30;
/// A trial keeps this fraction of the bracket away from its ends.
const MARGIN: f64 = 0.02;

/// The length t in (0, 1] at which the increasing function `slope`, which is `first` < 0 at zero, is small: false position
/// in the form called Illinois, in which the value at an end that stays is halved.
pub(super) fn step_length(first: f64, mut slope: impl FnMut(f64) -> f64) -> f64 {
    let at_one = slope(1.0);
    if at_one <= FULL_STEP * first.abs() {
        return 1.0;
    }
    let (mut low, mut below) = (0.0, first);
    let (mut high, mut above) = (1.0, at_one);
    let mut last_was_above = None;
    let mut t = 1.0;
    for _ in 1..EVALUATIONS {
        let width = high - low;
        t = (low - below * width / (above - below)).clamp(low + MARGIN * width, high - MARGIN * width);
        let here = slope(t);
        if here.abs() <= SEARCHED * first.abs() {
            break;
        }
        let is_above = here > 0.0;
        let repeated = last_was_above == Some(is_above);
        if is_above {
            (high, above) = (t, here);
            below *= if repeated { 0.5 } else { 1.0 };
        } else {
            (low, below) = (t, here);
            above *= if repeated { 0.5 } else { 1.0 };
        }
        last_was_above = Some(is_above);
    }
    t
}

/// Solves B x = f by GMRES (Saad and Schultz 1986) with a preconditioner, without restarts; room for so many steps is
/// kept.
pub(super) struct Gmres {
    basis: Vec<Vec<f64>>,
    /// Column k of the triangular factor of the Hessenberg matrix, k + 2 values at most.
    columns: Vec<Vec<f64>>,
    rotations: Vec<Rotation>,
    right: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
struct Rotation {
    cos: f64,
    sin: f64,
}

impl Gmres {
    /// Room for `steps` steps with n unknowns.
    pub(super) fn new(n: usize, steps: usize) -> Self {
        Self {
            basis: vec![vec![0.0; n]; steps + 1],
            columns: vec![vec![0.0; steps + 1]; steps],
            rotations: Vec::with_capacity(steps),
            right: vec![0.0; steps + 1],
        }
    }

    /// x += B⁻¹ f, until the preconditioned residual has fallen by `tolerance` or the steps are used up.
    /// `apply(x, out)` writes B x to `out` and then preconditions it in place; `f` comes preconditioned.
    pub(super) fn solve(
        &mut self,
        f: &[f64],
        tolerance: f64,
        x: &mut [f64],
        mut apply: impl FnMut(&[f64], &mut [f64]),
    ) {
        let size = norm(f);
        if size == 0.0 || !size.is_finite() {
            return;
        }
        self.basis[0].iter_mut().zip(f).for_each(|(b, f)| *b = f / size);
        self.rotations.clear();
        self.right[0] = size;
        let mut steps = 0;
        while steps < self.columns.len() && self.right[steps].abs() > tolerance * size {
            let (known, next) = self.basis.split_at_mut(steps + 1);
            let next = &mut next[0];
            apply(&known[steps], next);
            let column = &mut self.columns[steps];
            for (h, known) in column.iter_mut().zip(known.iter()) {
                *h = dot(next, known);
                next.iter_mut().zip(known).for_each(|(a, b)| *a -= *h * b);
            }
            let rest = norm(next);
            next.iter_mut().for_each(|a| *a /= rest.max(f64::MIN_POSITIVE));
            for (k, Rotation { cos, sin }) in self.rotations.iter().enumerate() {
                (column[k], column[k + 1]) =
                    (cos * column[k] + sin * column[k + 1], cos * column[k + 1] - sin * column[k]);
            }
            let length = column[steps].hypot(rest).max(f64::MIN_POSITIVE);
            let rotation = Rotation { cos: column[steps] / length, sin: rest / length };
            column[steps] = length;
            self.right[steps + 1] = -rotation.sin * self.right[steps];
            self.right[steps] *= rotation.cos;
            self.rotations.push(rotation);
            steps += 1;
        }
        // Back substitution, in place of the right-hand side.
        for i in (0..steps).rev() {
            let known: f64 = (i + 1..steps).map(|j| self.columns[j][i] * self.right[j]).sum();
            self.right[i] = (self.right[i] - known) / self.columns[i][i];
        }
        for (factor, basis) in self.right[..steps].iter().zip(&self.basis) {
            x.iter_mut().zip(basis).for_each(|(x, b)| *x += factor * b);
        }
    }
}

fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

#[cfg(test)]
mod tests {
    use super::{Gmres, step_length};

    #[test]
    fn a_step_that_leaves_little_slope_is_taken_whole() {
        assert_eq!(step_length(-1.0, |t| t - 1.0), 1.0);
        assert_eq!(step_length(-1.0, |t| 1.4 * t - 1.0), 1.0);
    }

    #[test]
    fn a_longer_slope_is_searched() {
        // Zero at t = 0.1, steep behind a kink.
        let slope = |t: f64| if t < 0.1 { 10.0 * (t - 0.1) } else { 1e3 * (t - 0.1) };
        let t = step_length(-1.0, slope);
        assert!(slope(t).abs() <= 0.1, "{t}");
    }

    #[test]
    fn gmres_solves_an_unsymmetric_system() {
        let b = [[4.0, 1.0, 0.0], [-1.0, 3.0, 2.0], [0.5, 0.0, 2.0]];
        let mut x = vec![0.0; 3];
        // Preconditioned by a half.
        let f = [0.5 * 6.0, 0.5 * 11.0, 0.5 * 6.5];
        Gmres::new(3, 5).solve(&f, 1e-14, &mut x, |x, out| {
            for (out, row) in out.iter_mut().zip(&b) {
                *out = 0.5 * row.iter().zip(x).map(|(b, x)| b * x).sum::<f64>();
            }
        });
        assert!(x.iter().zip([1.0, 2.0, 3.0]).all(|(a, b)| (a - b).abs() < 1e-12), "{x:?}");
    }
}
