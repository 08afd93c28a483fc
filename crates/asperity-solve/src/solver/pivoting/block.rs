//! The block variant: friction with fixed limits along each set's axis, and limits that follow the normal impulses.
//!
//! The normal impulses are first estimated without friction. Then, with the limits that they give,
//!
//!   r_N ≥ 0,   −back_k λ ≤ (r_T)_k ≤ ahead_k λ,   λ the estimate,
//!
//! the problem has bounds only and is solved by block pivoting ([`super::super::boxed`]); its normal impulses are the
//! next estimate, until the limits have settled. The bounds are those of the smallest box around the set along its
//! axis.
//!
//! Refining the limits alone converges linearly, and slowly on piles. So after each solve the rows keep their labels
//! (open, sliding at a limit, free) and the free ones are solved for with the sliding ones tied to their load, r_T =
//! limit·r_N: if the labels are those of the solution, that is it. It is taken if it reduces the error, the natural map
//! of the box law.

use asperity_friction::ContactLaw;
use asperity_friction::set::ConvexSet;
use faer::sparse::Triplet;
use glam::DVec2;

use super::super::boxed::Boxed;
use super::super::linear::Factors;
use super::super::reduced::{Reduced, SparseRows};
use super::Pivoting;
use super::lemke::Ending;
use crate::problem::{ContactProblem, MatrixEntry, RowKind};

/// A contact with friction: its first row, the bounds of its tangential rows for unit load.
struct Limits {
    row: usize,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

/// Two rows of a contact that are turned from the contact plane into the axes of its set.
#[derive(Clone, Copy)]
struct Turn {
    /// The first of the two.
    row: usize,
    /// Unit vector of the first axis.
    axis: DVec2,
}

/// What a row does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Label {
    Free,
    /// At a bound of its own.
    Fixed,
    /// At this limit for unit load, of the contact with this normal row.
    Slides(usize, f64),
}

/// The boxed problem of an island, with tangential rows along the axes of the sets.
pub(super) struct BoxProblem {
    w: SparseRows,
    bias: Vec<f64>,
    /// Pairs of rows that are turned.
    turns: Vec<Turn>,
    limits: Vec<Limits>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

/// What came out.
pub(super) struct SettledBoxes {
    pub(super) ending: Ending,
    pub(super) rounds: usize,
}

impl BoxProblem {
    pub(super) fn new(problem: &ContactProblem, reduced: &Reduced<'_>, laws: &[&ContactLaw]) -> Self {
        let n = reduced.rows.len();
        let (mut lower, mut upper) = (vec![0.0; n], vec![0.0; n]);
        let (mut turns, mut limits) = (Vec::new(), Vec::new());
        for i in 0..problem.blocks() {
            let row = reduced.starts[i];
            match problem.kind(i) {
                RowKind::Bilateral => {}
                RowKind::Bounded { lower: low, upper: high } => {
                    let bounded = low.iter().zip(high).filter(|(l, h)| l.is_finite() || h.is_finite());
                    for (k, (l, h)) in bounded.enumerate() {
                        (lower[row + k], upper[row + k]) = (*l, *h);
                    }
                }
                RowKind::Contact => {
                    upper[row] = f64::INFINITY;
                    let rows = problem.range(i).len();
                    let law = (rows > 1).then(|| laws[problem.law_of(i)]);
                    let Some(set) = law.and_then(ContactLaw::set) else { continue };
                    let bounds = set.bounds();
                    if bounds.axis != DVec2::X {
                        turns.push(Turn { row: row + 1, axis: bounds.axis });
                        if rows == 6 {
                            turns.push(Turn { row: row + 4, axis: bounds.axis });
                        }
                    }
                    let part = |t: asperity_friction::Tangential| t.to_array()[..rows - 1].to_vec();
                    limits.push(Limits { row, lower: part(bounds.lower), upper: part(bounds.upper) });
                }
            }
        }
        let mut bias = reduced.bias.clone();
        turn(&turns, &mut bias, -1.0);
        let w = if turns.is_empty() { reduced.w.clone() } else { turned(&reduced.w, &turns) };
        Self { w, bias, turns, limits, lower, upper }
    }

    /// Solves from the impulses `x` of the reduced problem, which become the solution. The normal impulses in `x` are
    /// the first estimate if there are any.
    pub(super) fn solve(
        &mut self,
        settings: &Pivoting,
        tolerance: f64,
        x: &mut [f64],
        mut time_is_up: impl FnMut() -> bool,
    ) -> SettledBoxes {
        turn(&self.turns, x, -1.0);
        let w = std::mem::take(&mut self.w);
        let mut boxed = Boxed::new(&w);
        let mut rounds = 0;
        let mut u = vec![0.0; x.len()];
        let mut ending = Ending::Pivots;
        let (mut loads, mut least, mut stale) = (x.to_vec(), f64::INFINITY, 0);
        while rounds < settings.rounds {
            self.set_limits(&loads);
            let fine = boxed.solve(&self.bias, &self.lower, &self.upper, x, 0.01 * tolerance, &mut time_is_up);
            rounds += 1;
            if !fine {
                ending = if time_is_up() { Ending::Time } else { Ending::Ray };
                break;
            }
            let labels = self.labels(x);
            let mut error = self.error(&w, x, &mut u);
            if let Some(tied) = (error > 0.1 * tolerance).then(|| self.solve_tied(&w, &labels, x)).flatten() {
                let other = self.error(&w, &tied, &mut u);
                if other < error {
                    x.copy_from_slice(&tied);
                    error = other;
                }
            }
            if error <= 0.1 * tolerance {
                ending = Ending::Solved;
                break;
            }
            // Limits that keep swinging are moved by a fraction of the way only, which shrinks each time.
            stale = if error < 0.9 * least { 0 } else { stale + 1 };
            let fraction = 0.8f64.powi(stale / 3);
            least = least.min(error);
            loads.iter_mut().zip(&*x).for_each(|(load, x)| *load += fraction * (x - *load));
        }
        self.w = w;
        turn(&self.turns, x, 1.0);
        SettledBoxes { ending, rounds }
    }

    /// Limits of the tangential rows for the normal impulses in `x`.
    fn set_limits(&mut self, x: &[f64]) {
        for limits in &self.limits {
            let load = x[limits.row].max(0.0);
            for (k, (lower, upper)) in limits.lower.iter().zip(&limits.upper).enumerate() {
                self.lower[limits.row + 1 + k] = load * lower;
                self.upper[limits.row + 1 + k] = load * upper;
            }
        }
    }

    /// Largest entry of x − clamp(x − u) with the limits of x itself, in units of the diagonal and relative to the
    /// largest impulse or bias. Sets the limits to those of x.
    fn error(&mut self, w: &SparseRows, x: &[f64], u: &mut [f64]) -> f64 {
        self.set_limits(x);
        w.times_add(x, &self.bias, u);
        let (mut worst, mut size) = (0.0f64, f64::MIN_POSITIVE);
        for i in 0..x.len() {
            let unit = w.get(i, i).sqrt();
            if unit > 0.0 {
                let wanted = (x[i] - u[i] / (unit * unit)).clamp(self.lower[i], self.upper[i]);
                worst = worst.max((x[i] - wanted).abs() * unit);
                size = size.max((x[i] * unit).abs()).max((self.bias[i] / unit).abs());
            }
        }
        worst / size
    }

    /// What each row of `x` does within the limits it was solved with.
    fn labels(&self, x: &[f64]) -> Vec<Label> {
        let open = |i: usize| x[i] <= self.lower[i] || x[i] >= self.upper[i];
        let mut labels: Vec<Label> = (0..x.len()).map(|i| if open(i) { Label::Fixed } else { Label::Free }).collect();
        for limits in &self.limits {
            for (k, (lower, upper)) in limits.lower.iter().zip(&limits.upper).enumerate() {
                let row = limits.row + 1 + k;
                if x[row] <= self.lower[row] {
                    labels[row] = Label::Slides(limits.row, *lower);
                } else if x[row] >= self.upper[row] {
                    labels[row] = Label::Slides(limits.row, *upper);
                }
            }
        }
        labels
    }

    /// The free rows of `x` solved for with every sliding row tied to its load, A_FF x_F + A_FS limit x_N = −q, from a
    /// change of x and with a shift that makes redundant contacts regular.
    fn solve_tied(&self, w: &SparseRows, labels: &[Label], x: &[f64]) -> Option<Vec<f64>> {
        let free: Vec<usize> = (0..x.len()).filter(|i| labels[*i] == Label::Free).collect();
        let mut place = vec![usize::MAX; x.len()];
        free.iter().enumerate().for_each(|(k, i)| place[*i] = k);
        let mut entries = Vec::new();
        for (row, &i) in free.iter().enumerate() {
            for entry in w.row(i) {
                let (j, val) = match labels[entry.column] {
                    Label::Slides(normal, limit) => (normal, entry.value * limit),
                    _ => (entry.column, entry.value),
                };
                if place[j] != usize::MAX {
                    entries.push(Triplet { row, col: place[j], val });
                }
            }
            entries.push(Triplet { row, col: row, val: SHIFT * w.get(i, i) });
        }
        let factors = Factors::new(free.len(), entries.into_iter())?;
        let mut tied = x.to_vec();
        for _ in 0..3 {
            tie(labels, &mut tied);
            let mut change: Vec<f64> = free.iter().map(|i| -(w.dot(*i, &tied) + self.bias[*i])).collect();
            factors.solve(&mut change)?;
            free.iter().zip(&change).for_each(|(i, c)| tied[*i] += c);
        }
        tie(labels, &mut tied);
        Some(tied)
    }
}

/// Sliding rows at their limits.
fn tie(labels: &[Label], x: &mut [f64]) {
    for (i, label) in labels.iter().enumerate() {
        if let Label::Slides(normal, limit) = label {
            x[i] = limit * x[*normal];
        }
    }
}

/// Relative shift of the diagonal: as small as keeps a singular matrix solvable.
const SHIFT: f64 = 1e-10;

/// Pairs of rows turned from their axes into the contact plane (sign +1) or back (−1).
fn turn(turns: &[Turn], x: &mut [f64], sign: f64) {
    for &Turn { row, axis } in turns {
        let (a, b) = (x[row], x[row + 1]);
        let sine = sign * axis.y;
        (x[row], x[row + 1]) = (axis.x * a - sine * b, sine * a + axis.x * b);
    }
}

/// Qᵀ W Q, Q the turns.
fn turned(w: &SparseRows, turns: &[Turn]) -> SparseRows {
    let n = w.rows();
    // What a row of the turned problem is made of.
    let mut parts: Vec<[(usize, f64); 2]> = (0..n).map(|i| [(i, 1.0), (i, 0.0)]).collect();
    for &Turn { row, axis } in turns {
        parts[row] = [(row, axis.x), (row + 1, axis.y)];
        parts[row + 1] = [(row, -axis.y), (row + 1, axis.x)];
    }
    // Its transpose: where each old row goes.
    let mut goes: Vec<Vec<(usize, f64)>> = vec![Vec::new(); n];
    for (new, part) in parts.iter().enumerate() {
        part.iter().filter(|p| p.1 != 0.0).for_each(|(old, factor)| goes[*old].push((new, *factor)));
    }
    let mut entries = Vec::new();
    for i in 0..n {
        for entry in w.row(i) {
            for (row, fa) in &goes[i] {
                let turned = |(column, fb): &(usize, f64)| MatrixEntry {
                    row: *row,
                    column: *column,
                    value: entry.value * fa * fb,
                };
                entries.extend(goes[entry.column].iter().map(turned));
            }
        }
    }
    SparseRows::new(n, entries)
}
