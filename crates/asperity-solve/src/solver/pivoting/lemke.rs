//! Linear complementarity problems: z ≥ 0, w = M z + q ≥ 0, z·w = 0, by Lemke's method.
//!
//! A cover d z₀ makes all w positive; then z₀ is driven to zero, always entering the partner of the variable that left.
//! Ties of the ratio test are broken lexicographically, as if q were perturbed by (ε, ε², …), so that no basis comes
//! twice. For copositive M the method ends with a solution, or on a ray; for the M of a frictional contact problem
//! whose b is a velocity of the bodies it cannot end on a ray (Anitescu and Potra 1997).
//!
//! The start may be any complementary basis (the cover is then chosen for it): the one that solved the last step's
//! problem often solves this one's, with no pivot at all.
//!
//! Where round-off ends the method without a solution (redundant contacts make M singular), it is repeated on M + δI
//! and q − δ z_k: strictly copositive, regular, and with the same fixed points.
//!
//! Rows are in units of their own here: every entry of z·w is a power, and M has a diagonal of ones or zeros.

use super::basis::{Basis, Variable};
use super::square::Square;

/// w = M z + q.
#[derive(Clone, Debug)]
pub(super) struct Complementarity {
    pub(super) m: Square,
    pub(super) q: Vec<f64>,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// To [`ACCURACY`].
    Solved,
    /// On a ray, or with a basis that is singular to working precision: no solution was found.
    Ray,
    /// So many pivots as were allowed.
    Pivots,
    /// The time is up.
    Time,
}

/// Largest |min(z_i, w_i)| of a solution, relative to the largest q.
pub(super) const ACCURACY: f64 = 1e-10;
/// Pivots after which the inverse is made anew.
const REFRESH: usize = 40;
/// A change below this fraction of the largest one is round-off, not a pivot.
const PIVOT: f64 = 1e-8;
/// Relative error of a direction above which the inverse is made anew.
const DRIFT: f64 = 1e-8;
/// Values this near to zero, relative to the largest q, are ties.
const TIE: f64 = 1e-12;

/// Pivots and clock, over all attempts.
pub(super) struct PivotBudget<'a> {
    pub(super) pivots: usize,
    pub(super) most: usize,
    pub(super) time_is_up: &'a dyn Fn() -> bool,
}

impl Complementarity {
    /// Solves the problem; `z` holds the solution, or without one the attempt with the least error. `active` are the z
    /// that are thought to be positive, and after a solution those that are.
    pub(super) fn solve(&self, active: &mut Vec<usize>, z: &mut [f64], budget: &mut PivotBudget<'_>) -> Ending {
        if !active.is_empty() {
            let warm = self.attempt(0.0, &self.q, active, z, budget);
            if warm != Ending::Ray {
                return warm;
            }
            active.clear();
        }
        let cold = self.attempt(0.0, &self.q, active, z, budget);
        if cold != Ending::Ray {
            return cold;
        }
        self.repeat_shifted(active, z, budget)
    }

    /// The fixed point of z ↦ solution for M + δI, q − δz. δ falls while it can be solved with, and rises where it
    /// cannot.
    fn repeat_shifted(&self, active: &mut Vec<usize>, z: &mut [f64], budget: &mut PivotBudget<'_>) -> Ending {
        active.clear();
        z.fill(0.0);
        let (mut shift, mut floor) = (1e-6, 1e-12);
        let mut stale = 0;
        let mut best = (self.error(z), z.to_vec());
        let ending = loop {
            let q: Vec<f64> = self.q.iter().zip(&*z).map(|(q, z)| q - shift * z).collect();
            let mut ending = self.attempt(shift, &q, active, z, budget);
            if ending == Ending::Ray && !active.is_empty() {
                active.clear();
                ending = self.attempt(shift, &q, active, z, budget);
            }
            match ending {
                Ending::Solved => {
                    let error = self.error(z);
                    stale = if error < 0.9 * best.0 { 0 } else { stale + 1 };
                    if error < best.0 {
                        best = (error, z.to_vec());
                    }
                    if error <= ACCURACY {
                        return Ending::Solved;
                    }
                    // Without a solution z grows, and the error does not fall.
                    if stale > 20 {
                        break Ending::Ray;
                    }
                    shift = (0.1 * shift).max(floor);
                    // What failed once is worth another try from nearer by.
                    floor = (0.3 * floor).max(1e-12);
                }
                Ending::Ray if shift >= 1.0 => break Ending::Ray,
                Ending::Ray => {
                    floor = 3.0 * shift;
                    shift *= 10.0;
                }
                ending => break ending,
            }
        };
        z.copy_from_slice(&best.1);
        ending
    }

    fn size(&self) -> f64 {
        self.q.iter().fold(f64::MIN_POSITIVE, |m, q| m.max(q.abs()))
    }

    /// Largest |min(z_i, w_i)| relative to the largest q.
    pub(super) fn error(&self, z: &[f64]) -> f64 {
        let mut w = self.q.clone();
        self.m.add_times(z, &mut w);
        let worst = z.iter().zip(&w).map(|(z, w)| z.min(*w).abs());
        worst.fold(0.0, |m: f64, e| if e.is_nan() { f64::INFINITY } else { m.max(e) }) / self.size()
    }

    /// Lemke's method from the basis `active`. On a solution, `z` and `active` are it.
    fn attempt(
        &self,
        shift: f64,
        q: &[f64],
        active: &mut Vec<usize>,
        z: &mut [f64],
        budget: &mut PivotBudget<'_>,
    ) -> Ending {
        let Some(mut basis) = Basis::new(&self.m, shift, q, active) else { return Ending::Ray };
        let size = self.size();
        let lowest = basis.z.iter().chain(&basis.w).fold(0.0f64, |m, v| m.min(*v));
        if lowest < -0.1 * ACCURACY * size {
            basis.cover_all();
            let ending = self.pivot(&mut basis, size, budget);
            if ending != Ending::Solved {
                return ending;
            }
        }
        if !basis.refresh() {
            return Ending::Ray;
        }
        active.clone_from(&basis.alpha);
        z.fill(0.0);
        basis.alpha.iter().zip(&basis.z).for_each(|(j, value)| z[*j] = value.max(0.0));
        // With the shift, the caller looks at the error of the problem itself.
        if shift > 0.0 || self.error(z) <= ACCURACY { Ending::Solved } else { Ending::Ray }
    }

    fn pivot(&self, basis: &mut Basis<'_>, size: f64, budget: &mut PivotBudget<'_>) -> Ending {
        let mut entering = Variable::Cover;
        let mut ties = Ties::default();
        let mut since = 0;
        // Paths of a few pivots a row are the rule. A path that is so much longer goes in circles of round-off.
        let most = budget.pivots + 20 * self.q.len() + 100;
        loop {
            if budget.pivots >= most {
                return Ending::Ray;
            }
            if budget.pivots >= budget.most {
                return Ending::Pivots;
            }
            if (budget.time_is_up)() {
                return Ending::Time;
            }
            if basis.direction(entering) > DRIFT && since > 0 {
                since = 0;
                if !basis.refresh() {
                    return Ending::Ray;
                }
                continue;
            }
            let chosen = if entering == Variable::Cover {
                // z₀ grows until the last negative value is zero.
                ties.deepest(basis, size)
            } else {
                ties.ratio_test(basis, size)
            };
            let Some(Leaving { variable: leaving, step }) = chosen else {
                if since == 0 {
                    return Ending::Ray;
                }
                since = 0;
                if !basis.refresh() {
                    return Ending::Ray;
                }
                continue;
            };
            basis.exchange(entering, leaving, step);
            budget.pivots += 1;
            since += 1;
            if leaving == Variable::Cover {
                return Ending::Solved;
            }
            if since >= REFRESH {
                since = 0;
                if !basis.refresh() {
                    return Ending::Ray;
                }
            }
            entering = leaving.partner();
        }
    }
}

/// The ratio test and its ties.
#[derive(Default)]
struct Ties {
    /// Variables with how fast they fall.
    candidates: Vec<(Variable, f64)>,
    rates: Vec<f64>,
}

/// The variable that leaves the basis, and how far the entering one goes until it does.
struct Leaving {
    variable: Variable,
    step: f64,
}

impl Ties {
    /// The basic variable that is furthest below zero, and how far.
    fn deepest(&mut self, basis: &Basis<'_>, size: f64) -> Option<Leaving> {
        let step = basis.basic().map(|b| -b.value).fold(0.0, f64::max);
        let tied = |value: f64| -value >= step - TIE * size;
        self.candidates.clear();
        self.candidates.extend(basis.basic().filter(|b| tied(b.value)).map(|b| (b.variable, 1.0)));
        Some(Leaving { variable: self.lexicographic(basis)?, step })
    }

    /// The basic variable that is the first to become zero, and when; `None` on a ray.
    fn ratio_test(&mut self, basis: &Basis<'_>, size: f64) -> Option<Leaving> {
        let largest = basis.dz.iter().chain(&basis.dw).fold(0.0f64, |m, d| m.max(d.abs()));
        let falls = |change: f64| change < -PIVOT * largest;
        let ratios = basis.basic().filter(|b| falls(b.change)).map(|b| b.value.max(0.0) / -b.change);
        let step = ratios.fold(f64::INFINITY, f64::min);
        if step == f64::INFINITY {
            return None;
        }
        self.candidates.clear();
        let tied = |value: f64, change: f64| falls(change) && value + step * change <= TIE * size;
        self.candidates.extend(basis.basic().filter(|b| tied(b.value, b.change)).map(|b| (b.variable, -b.change)));
        // Whoever can end it, does.
        if self.candidates.iter().any(|c| c.0 == Variable::Cover) {
            return Some(Leaving { variable: Variable::Cover, step });
        }
        // Pivots that are tiny beside others of the same tie are left alone.
        let top = self.candidates.iter().fold(0.0f64, |m, c| m.max(c.1));
        self.candidates.retain(|c| c.1 >= 1e-5 * top);
        Some(Leaving { variable: self.lexicographic(basis)?, step })
    }

    /// Of the candidates, the one whose row of the basis' inverse, divided by its fall, is the lexicographically
    /// smallest.
    fn lexicographic(&mut self, basis: &Basis<'_>) -> Option<Variable> {
        for i in 0..basis.w.len() {
            if self.candidates.len() <= 1 {
                break;
            }
            self.rates.clear();
            self.rates.extend(self.candidates.iter().map(|(variable, fall)| basis.sensitivity(*variable, i) / fall));
            let least = self.rates.iter().fold(f64::INFINITY, |m, r| m.min(*r));
            let blur = 1e-10 * (1.0 + least.abs());
            let mut rates = self.rates.iter();
            self.candidates.retain(|_| rates.next().is_some_and(|r| *r <= least + blur));
        }
        self.candidates.first().map(|c| c.0)
    }
}
