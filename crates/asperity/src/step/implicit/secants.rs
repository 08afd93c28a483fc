//! What the iterations of a step have taught about the matrix since its factor was made.
//!
//! With a factor of an older matrix A₀ the chord method converges linearly. Each iteration also shows how F changed along
//! one direction: y = F(v + s) − F(v) should be A s. The limited-memory method of Broyden, Fletcher, Goldfarb and Shanno
//! applies the inverse of the matrix that agrees with the last of these pairs and with A₀ elsewhere (Nocedal and Wright
//! 2006, algorithm 7.4), at the cost of a few inner products. For elastic bodies F is the gradient of a potential, so that A
//! is symmetric; pairs that show no positive curvature are left out, and the matrix stays positive definite.

/// Pairs that are remembered.
const MEMORY: usize = 8;

/// Least curvature s·y of a pair, relative to |s| |y|.
const CURVED: f64 = 1e-8;

/// The last pairs, the oldest first.
#[derive(Default)]
pub(super) struct Secants {
    pairs: Vec<Secant>,
}

struct Secant {
    /// Change of the velocities.
    s: Vec<f64>,
    /// Change of F.
    y: Vec<f64>,
    /// 1/(s·y).
    inverse: f64,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(to: &mut [f64], factor: f64, what: &[f64]) {
    to.iter_mut().zip(what).for_each(|(to, what)| *to += factor * what);
}

impl Secants {
    /// Forgets all: the factor is a new one.
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
    }

    /// Remembers that F changed by y when the velocities changed by s.
    pub(super) fn learn(&mut self, s: Vec<f64>, y: Vec<f64>) {
        let curvature = dot(&s, &y);
        if curvature > CURVED * (dot(&s, &s) * dot(&y, &y)).sqrt() {
            if self.pairs.len() == MEMORY {
                self.pairs.remove(0);
            }
            self.pairs.push(Secant { s, y, inverse: 1.0 / curvature });
        }
    }

    /// x ← A⁻¹ x for the matrix that agrees with the pairs; `solve` is the same for A₀.
    pub(super) fn solve<E>(&self, x: &mut [f64], solve: impl FnOnce(&mut [f64]) -> Result<(), E>) -> Result<(), E> {
        let mut factors = [0.0; MEMORY];
        for (own, factor) in self.pairs.iter().zip(&mut factors).rev() {
            *factor = own.inverse * dot(&own.s, x);
            add(x, -*factor, &own.y);
        }
        solve(x)?;
        for (own, factor) in self.pairs.iter().zip(&factors) {
            let back = own.inverse * dot(&own.y, x);
            add(x, factor - back, &own.s);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::Secants;

    /// The matrix of the test.
    const A: [[f64; 3]; 3] = [[4.0, 1.0, 0.0], [1.0, 3.0, -1.0], [0.0, -1.0, 2.0]];

    fn halved(x: &mut [f64]) -> Result<(), Infallible> {
        x.iter_mut().for_each(|x| *x *= 0.5);
        Ok(())
    }

    fn times(x: &[f64]) -> Vec<f64> {
        A.iter().map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
    }

    /// The last pair is always agreed with; with as many conjugate directions as unknowns the inverse is exact.
    #[test]
    fn pairs_are_agreed_with() {
        let mut secants = Secants::default();
        let mut x = vec![1.0, -2.0, 0.5];
        secants.solve(&mut x, halved).unwrap();
        assert_eq!(x, [0.5, -1.0, 0.25], "without pairs it is A₀ alone");
        // Directions with s_i · A s_j = 0.
        for s in [vec![1.0, 0.0, 0.0], vec![-0.25, 1.0, 0.0], vec![-1.0 / 11.0, 4.0 / 11.0, 1.0]] {
            let y = times(&s);
            secants.learn(s.clone(), y.clone());
            let mut back = y;
            secants.solve(&mut back, halved).unwrap();
            assert!(back.iter().zip(&s).all(|(a, b)| (a - b).abs() < 1e-14), "{back:?} for {s:?}");
        }
        let wanted = [0.3, -1.2, 2.0];
        let mut x = times(&wanted);
        secants.solve(&mut x, halved).unwrap();
        assert!(x.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-13), "{x:?}");
    }

    #[test]
    fn a_pair_without_positive_curvature_is_left_out() {
        let mut secants = Secants::default();
        secants.learn(vec![1.0, 0.0], vec![-1.0, 0.0]);
        let mut x = vec![3.0, 4.0];
        secants.solve(&mut x, |_| Ok::<(), Infallible>(())).unwrap();
        assert_eq!(x, [3.0, 4.0]);
    }
}
