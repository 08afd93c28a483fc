//! The linear complementarity problem of polygonal friction (Stewart and Trinkle 1996, Anitescu and Potra 1997).
//!
//! With c_j the corners of a contact's polygon F, r_T = Σ β_j c_j, β ≥ 0, Σ β_j ≤ r_N is r_T ∈ r_N F, since F holds the
//! origin. Maximum dissipation is
//!
//!   0 ≤ r_N ⟂ u_N ≥ 0,   0 ≤ β_j ⟂ c_j·u_T + γ ≥ 0,   0 ≤ γ ⟂ r_N − Σ β_j ≥ 0,
//!
//! with γ = h_F(−u_T) while it slides. Sliding and rolling torques each have corners and a γ of their own: their
//! product is exact. A bounded row is r = lower + x with 0 ≤ x ⟂ u + s ≥ 0 and 0 ≤ s ⟂ upper − lower − x ≥ 0, or
//! without s where it has one bound only.

use asperity_friction::ContactLaw;
use glam::DVec2;

use super::super::linear::least_scale;
use super::super::reduced::Reduced;
use super::Pivoting;
use super::corners::{CornerWeight, PolygonPart, parts, weights};
use super::lemke::Complementarity;
use super::square::Square;
use crate::problem::{ContactProblem, RowKind};

/// The corners of one part of a contact, their γ, and its normal row's variable.
struct Group {
    normal: usize,
    first: usize,
    gamma: usize,
    part: PolygonPart,
    /// First of the two rows of the reduced problem.
    row: usize,
}

/// A bounded row: its variable, the slack of the other bound, its row and both bounds; the sign turns rows with an
/// upper bound only.
struct Bound {
    variable: usize,
    slack: Option<usize>,
    row: usize,
    width: f64,
}

/// What a variable adds to a row of the reduced problem.
#[derive(Clone, Copy)]
struct Effect {
    row: usize,
    /// Times the variable it is an impulse.
    factor: f64,
}

/// The problem in units of its own, and what its variables mean.
pub(super) struct FacetProblem {
    pub(super) lcp: Complementarity,
    unit: Vec<f64>,
    /// What each variable adds to the rows of the reduced problem; nothing for slacks.
    effects: Vec<Vec<Effect>>,
    /// Impulses where all variables are zero.
    offset: Vec<f64>,
    groups: Vec<Group>,
    bounds: Vec<Bound>,
    /// Whether every polygon is the set itself.
    pub(super) exact: bool,
}

impl FacetProblem {
    /// Of a problem and its reduction. Laws have been checked.
    pub(super) fn new(
        problem: &ContactProblem,
        reduced: &Reduced<'_>,
        laws: &[&ContactLaw],
        settings: &Pivoting,
    ) -> Self {
        let mut this = Self {
            lcp: Complementarity { m: Square::default(), q: Vec::new() },
            unit: Vec::new(),
            effects: Vec::new(),
            offset: vec![0.0; reduced.rows.len()],
            groups: Vec::new(),
            bounds: Vec::new(),
            exact: true,
        };
        for i in 0..problem.blocks() {
            let row = reduced.starts[i];
            match problem.kind(i) {
                RowKind::Bilateral => {}
                RowKind::Contact => {
                    let normal = this.variable(vec![Effect { row, factor: 1.0 }]);
                    let rows = problem.range(i).len();
                    let law = (rows > 1).then(|| laws[problem.law_of(i)]);
                    if let Some(set) = law.and_then(ContactLaw::set) {
                        this.contact(normal, row, parts(set, settings).unwrap_or_default());
                    }
                }
                RowKind::Bounded { lower, upper } => {
                    let mut row = row;
                    for (lower, upper) in lower.iter().zip(upper) {
                        if lower.is_finite() || upper.is_finite() {
                            this.bound(row, *lower, *upper);
                            row += 1;
                        }
                    }
                }
            }
        }
        this.assemble(reduced);
        this
    }

    fn variable(&mut self, effects: Vec<Effect>) -> usize {
        self.effects.push(effects);
        self.effects.len() - 1
    }

    fn contact(&mut self, normal: usize, row: usize, parts: Vec<PolygonPart>) {
        for part in parts {
            self.exact &= part.exact;
            if part.corners.is_empty() {
                continue;
            }
            let (row, first) = (row + part.row, self.effects.len());
            for c in &part.corners {
                self.variable(vec![Effect { row, factor: c.x }, Effect { row: row + 1, factor: c.y }]);
            }
            let gamma = self.variable(Vec::new());
            self.groups.push(Group { normal, first, gamma, part, row });
        }
    }

    fn bound(&mut self, row: usize, lower: f64, upper: f64) {
        let from_lower = lower.is_finite();
        self.offset[row] = if from_lower { lower } else { upper };
        if lower == upper {
            return;
        }
        let factor = if from_lower { 1.0 } else { -1.0 };
        let variable = self.variable(vec![Effect { row, factor }]);
        let slack = (from_lower && upper.is_finite()).then(|| self.variable(Vec::new()));
        self.bounds.push(Bound { variable, slack, row, width: upper - lower });
    }

    fn assemble(&mut self, reduced: &Reduced<'_>) {
        let n = self.effects.len();
        let rows = reduced.rows.len();
        let mut m = Square::zeros(n);
        let mut q = vec![0.0; n];
        let mut line = vec![0.0; rows];
        for (i, effects) in self.effects.iter().enumerate() {
            line.fill(0.0);
            for &Effect { row, factor } in effects {
                reduced.w.row(row).for_each(|e| line[e.column] += factor * e.value);
                q[i] += factor * (reduced.bias[row] + reduced.w.dot(row, &self.offset));
            }
            for (j, others) in self.effects.iter().enumerate() {
                let value: f64 = others.iter().map(|e| e.factor * line[e.row]).sum();
                if value != 0.0 {
                    m.add(i, j, value);
                }
            }
        }
        let top = (0..rows).fold(0.0f64, |top, row| top.max(reduced.w.get(row, row)));
        let unit = |i: usize| {
            let squared: f64 = self.effects[i].iter().map(|e| e.factor * e.factor).sum();
            1.0 / m.get(i, i).max(least_scale(top, squared)).sqrt()
        };
        let mut units: Vec<f64> = (0..n).map(|i| if self.effects[i].is_empty() { 1.0 } else { unit(i) }).collect();
        for group in &self.groups {
            let corners = group.first..group.gamma;
            units[group.gamma] = 1.0 / corners.clone().fold(units[group.normal], |top, j| top.max(units[j]));
            m.add(group.gamma, group.normal, 1.0);
            for j in corners {
                m.add(j, group.gamma, 1.0);
                m.add(group.gamma, j, -1.0);
            }
        }
        for bound in &self.bounds {
            if let Some(slack) = bound.slack {
                units[slack] = 1.0 / units[bound.variable];
                m.add(bound.variable, slack, 1.0);
                m.add(slack, bound.variable, -1.0);
                q[slack] = bound.width;
            }
        }
        m.scale(&units);
        q.iter_mut().zip(&units).for_each(|(q, d)| *q *= d);
        self.lcp = Complementarity { m, q };
        self.unit = units;
    }

    /// Impulses of the reduced problem.
    pub(super) fn impulses(&self, z: &[f64]) -> Vec<f64> {
        let mut x = self.offset.clone();
        for (effects, (z, unit)) in self.effects.iter().zip(z.iter().zip(&self.unit)) {
            effects.iter().for_each(|e| x[e.row] += e.factor * z * unit);
        }
        x
    }

    /// The variables that are positive at the impulses `x`, as far as impulses tell.
    pub(super) fn guess(&self, x: &[f64]) -> Vec<usize> {
        /// Fraction of the load below which a weight is taken for round-off.
        const BLUR: f64 = 1e-9;
        let mut active = vec![false; self.effects.len()];
        for (i, effects) in self.effects.iter().enumerate() {
            if let [Effect { row, factor }] = effects[..] {
                active[i] = factor * (x[row] - self.offset[row]) > 0.0;
            }
        }
        for group in &self.groups {
            if !active[group.normal] {
                continue;
            }
            let load = self.effects[group.normal].first().map_or(0.0, |effect| x[effect.row]);
            let force = DVec2::new(x[group.row], x[group.row + 1]);
            let found = weights(&group.part.corners, force);
            for CornerWeight { corner, weight } in found.iter().copied() {
                active[group.first + corner] = weight > BLUR * load;
            }
            active[group.gamma] = found.iter().map(|w| w.weight).sum::<f64>() >= (1.0 - BLUR) * load;
        }
        for bound in &self.bounds {
            if let Some(slack) = bound.slack {
                active[slack] = x[bound.row] - self.offset[bound.row] >= bound.width * (1.0 - BLUR);
            }
        }
        (0..active.len()).filter(|i| active[*i]).collect()
    }
}
