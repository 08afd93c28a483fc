//! GMRES for systems that are not symmetric.

use super::dot::dot;

/// Solves B x = f by GMRES (Saad and Schultz 1986) with a preconditioner, without restarts; room for so many steps is
/// kept.
pub struct Gmres {
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
    pub fn new(n: usize, steps: usize) -> Self {
        Self {
            basis: vec![vec![0.0; n]; steps + 1],
            columns: vec![vec![0.0; steps + 1]; steps],
            rotations: Vec::with_capacity(steps),
            right: vec![0.0; steps + 1],
        }
    }

    /// x += B⁻¹ f, until the preconditioned residual has fallen by `tolerance` or the steps are used up.
    /// `apply(x, out)` writes B x to `out` and then preconditions it in place; `f` comes preconditioned.
    pub fn solve(&mut self, f: &[f64], tolerance: f64, x: &mut [f64], mut apply: impl FnMut(&[f64], &mut [f64])) {
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
    use super::Gmres;

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
