//! Slip rules: friction as a direct map of the slip direction, f = −λn L(v̂).
//!
//! Not a set with maximum dissipation (Erleben et al. 2020, appendix A): the force need not be the one that brakes
//! most. L is homogeneous of degree one and linear in sectors of the plane, since each surface's tensor is (see
//! [`crate::tensor`]).
//!
//! * Sliding: the force is −λn L(v̂).
//! * Sticking: the rule's *reach* are the forces −s λn L(d), 0 ≤ s ≤ 1; what is needed to stop the slip is applied if it is
//!   within reach.
//! * Otherwise the slip that is left is parallel to the direction that the force was taken for: it is slowed down and
//!   turned, never reversed. [`SlipRule::resolve`] finds it.

use glam::{DMat2, DVec2};
use serde::{Deserialize, Serialize};

use crate::error::FrictionError;
use crate::root::fall;
use crate::tensor::{QuadrantTensor, check_brakes, for_sectors};

/// Relative room for rounding where a bound is compared.
const ROUNDING: f64 = 1e-9;

/// A determinant that is zero but for rounding, relative to the square of the size of the matrix.
const SINGULAR: f64 = 1e-12;

/// Most steps of Newton's method for a linear rule: it takes about five.
const NEWTON: usize = 60;

/// How the two surfaces' tensors act together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Composition {
    /// Both resist: the sum.
    Sum,
    /// In each direction the one that resists less.
    Smaller,
}

/// f = −λn L(v̂) from two tensors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SlipRuleData")]
pub struct SlipRule {
    pub(crate) parts: [QuadrantTensor; 2],
    pub(crate) composition: Composition,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SlipRuleData {
    parts: [QuadrantTensor; 2],
    composition: Composition,
}

impl TryFrom<SlipRuleData> for SlipRule {
    type Error = FrictionError;
    fn try_from(data: SlipRuleData) -> Result<Self, FrictionError> {
        data.parts.iter().try_for_each(|p| p.validate())?;
        let rule = Self { parts: data.parts, composition: data.composition };
        rule.check()?;
        Ok(rule)
    }
}

impl SlipRule {
    /// L(v), for a slip of any length.
    #[inline]
    pub fn resist(&self, v: DVec2) -> DVec2 {
        let [p, q] = self.parts.map(|part| part.resist(v));
        match self.composition {
            Composition::Sum => p + q,
            Composition::Smaller => {
                if p.dot(v) <= q.dot(v) {
                    p
                } else {
                    q
                }
            }
        }
    }

    /// Coefficient against sliding along the unit direction `d`: d·L(d).
    #[inline]
    pub fn coefficient(&self, d: DVec2) -> f64 {
        d.dot(self.resist(d))
    }

    /// The friction force on A while it slides with `slip`; zero at rest.
    #[inline]
    pub fn force(&self, load: f64, slip: DVec2) -> DVec2 {
        -self.resist(slip.normalize_or_zero()) * load
    }

    /// Refuses a rule that drives, and names the direction in which it does so most.
    pub fn check(&self) -> Result<(), FrictionError> {
        match self.composition {
            Composition::Sum => check_brakes(&self.breaks(), |d| self.resist(d)),
            Composition::Smaller => {
                self.parts.iter().try_for_each(|p| check_brakes(&[p.frame.x_axis, p.frame.y_axis], |d| p.resist(d)))
            }
        }
    }

    /// Whether `f` is a force that the rule can hold against: with `Smaller`, both tensors must reach it.
    pub fn reaches(&self, load: f64, f: DVec2) -> bool {
        if f == DVec2::ZERO {
            return true;
        }
        // No direction is resisted with more than the sum of what the tensors resist at most.
        let most: f64 = self.parts.iter().map(QuadrantTensor::most).sum();
        if f.length() > load * most * (1.0 + ROUNDING) {
            return false;
        }
        match self.composition {
            Composition::Sum => reached(&self.breaks(), |d| self.resist(d), load, f),
            Composition::Smaller => {
                self.parts.iter().all(|p| reached(&[p.frame.x_axis, p.frame.y_axis], |d| p.resist(d), load, f))
            }
        }
    }

    /// The impulse f when `trial` would stop the slip: `trial` itself if the rule reaches it, else the solution of
    /// f = −load L(d) with a slip left along d, that is trial = f − s d, s > 0.
    ///
    /// Outside the reach the map d ↦ trial + load L(d) is never zero and does not wind around it, while d does. So as d
    /// turns, what is left of the slip passes it from ahead to behind at least once: a solution that a small turn of d
    /// leads back to. Where the rule allows several, the one whose slip is nearest to −trial is taken.
    ///
    /// Where the smaller of two tensors changes with the direction, both resist alike but not to the same side; the
    /// force may then be any mix of the two, as in a sliding mode, and the mix that fits is taken.
    pub fn resolve(&self, load: f64, trial: DVec2) -> DVec2 {
        if let Some(answer) = self.linear().and_then(|rule| resolve_linear(rule * load, trial)) {
            return answer;
        }
        if self.reaches(load, trial) {
            return trial;
        }
        let force = |d: DVec2| -self.resist(d) * load;
        let settled = |d: DVec2| {
            let length = d.dot(force(d) - trial);
            let f = match self.composition {
                Composition::Sum => force(d),
                // What is left of the slip is along d: the force is the trial without it.
                Composition::Smaller => trial + d * length,
            };
            (length > 0.0).then_some(f)
        };
        slip_left(trial, force, settled).unwrap_or_else(|| self.force(load, -trial))
    }

    /// L as one matrix, if it is linear: both tensors resist alike forward and backward, and add up.
    #[inline]
    fn linear(&self) -> Option<DMat2> {
        let linear = self.composition == Composition::Sum && self.parts.iter().all(|part| part.plus == part.minus);
        linear.then(|| self.parts.iter().map(|part| part.frame * part.plus * part.frame.transpose()).sum())
    }

    fn breaks(&self) -> [DVec2; 4] {
        let [p, q] = &self.parts;
        [p.frame.x_axis, p.frame.y_axis, q.frame.x_axis, q.frame.y_axis]
    }
}

/// The impulse of the linear rule f = −M d, M its matrix times the load, where `trial` would stop the slip: trial if the
/// rule reaches it, |M⁻¹ trial| ≤ 1; else f with trial = f − s d, so that d = −(M + s)⁻¹ trial with |d| = 1 and s > 0.
/// If M brakes, its symmetric part being positive semidefinite, |d| falls as s grows, since
/// d|d|²/ds = −2 d·(M + s)⁻¹ d ≤ 0: there is one s. It is between |trial| − |M| and |trial|, and Newton's method on
/// 1/|d| = 1, which is nearly linear in s, finds it. `None` where M does not brake or has no inverse to speak of.
fn resolve_linear(m: DMat2, trial: DVec2) -> Option<DVec2> {
    let size = (m.x_axis.length_squared() + m.y_axis.length_squared()).sqrt();
    let coupling = 0.5 * (m.x_axis.y + m.y_axis.x);
    let brakes = m.x_axis.x >= 0.0 && m.y_axis.y >= 0.0 && m.x_axis.x * m.y_axis.y >= coupling * coupling;
    let regular = m.determinant() > SINGULAR * size * size;
    if !brakes || !regular {
        return None;
    }
    let shifted = |s: f64| DMat2::from_cols(m.x_axis + DVec2::new(s, 0.0), m.y_axis + DVec2::new(0.0, s)).inverse();
    let length = trial.length();
    if length <= size && (shifted(0.0) * trial).length_squared() <= 1.0 {
        return Some(trial);
    }
    let (mut low, mut high) = ((length - size).max(0.0), length);
    let mut s = low;
    for _ in 0..NEWTON {
        let inverse = shifted(s);
        let d = -(inverse * trial);
        let long = d.length();
        if long >= 1.0 {
            low = s
        } else {
            high = s
        }
        let next = s + (long - 1.0) * long * long / d.dot(inverse * d);
        let next = if next >= low && next <= high { next } else { 0.5 * (low + high) };
        if (next - s).abs() <= 8.0 * f64::EPSILON * length {
            return d.is_finite().then(|| -(m * (d / long)));
        }
        s = next;
    }
    None
}

/// Turns d away from −trial, to both sides, until the slip that the force leaves, force(d) − trial, passes it from
/// ahead to behind, with or without a jump of the force, and `settled` takes it: what that answers.
pub(crate) fn slip_left<T>(
    trial: DVec2,
    force: impl Fn(DVec2) -> DVec2,
    settled: impl Fn(DVec2) -> Option<T>,
) -> Option<T> {
    let offset = |d: DVec2| d.perp_dot(force(d) - trial);
    let start = (-trial).try_normalize()?;
    // Sectors are at most 90 degrees; with 64 samples only extreme tensors have two roots between neighbouring ones.
    let step = DVec2::from_angle(std::f64::consts::TAU / 64.0);
    let first = (start, offset(start));
    let mut ends = [first, first];
    for _ in 0..33 {
        for (side, turn) in [step, DVec2::new(step.x, -step.y)].into_iter().enumerate() {
            let next = turn.rotate(ends[side].0);
            let last = std::mem::replace(&mut ends[side], (next, offset(next)));
            let (from, to) = if side == 0 { (last, ends[side]) } else { (ends[side], last) };
            if from.1 >= 0.0 && to.1 < 0.0 {
                let between = |part: f64| from.0.lerp(to.0, part).normalize();
                let found = settled(between(fall(|part| offset(between(part)), from.1, to.1)));
                if found.is_some() {
                    return found;
                }
            }
        }
    }
    None
}

/// Whether f = −s load resist(d) for some d and 0 ≤ s ≤ 1, with `resist` linear between ±`breaks`.
fn reached(breaks: &[DVec2], resist: impl Fn(DVec2) -> DVec2, load: f64, f: DVec2) -> bool {
    let mut within = false;
    for_sectors(breaks, |from, to| {
        let columns = DMat2::from_cols(resist(from), resist(to));
        let determinant = columns.determinant();
        let size = columns.x_axis.length().max(columns.y_axis.length());
        if determinant.abs() <= 1e-14 * size * size {
            within |= reached_along_line(columns, from, to, load, f);
            return;
        }
        // -f / load = columns c, c >= 0, and the slip c0 from + c1 to no longer than one; without dividing by a load
        // that may be zero.
        let c = DMat2::from_cols(
            DVec2::new(columns.y_axis.y, -columns.x_axis.y),
            DVec2::new(-columns.y_axis.x, columns.x_axis.x),
        ) * -f
            / determinant;
        let slack = 1e-12 * c.abs().max_element();
        if c.x >= -slack && c.y >= -slack {
            let slip = from * c.x + to * c.y;
            within |= slip.length() <= load;
        }
    });
    within
}

/// The same in a sector where the map has rank one: f must be on its line, and no longer than what the best slip
/// direction of the sector gives.
fn reached_along_line(columns: DMat2, from: DVec2, to: DVec2, load: f64, f: DVec2) -> bool {
    let linear = columns * DMat2::from_cols(from, to).inverse();
    let line = if columns.x_axis.length() > columns.y_axis.length() { columns.x_axis } else { columns.y_axis };
    let Some(towards) = (-f).try_normalize() else { return true };
    if line.perp_dot(towards).abs() > 1e-12 * line.length() || line == DVec2::ZERO {
        return false;
    }
    let gain = linear.transpose() * towards;
    let inside = from.perp_dot(gain) > 0.0 && gain.perp_dot(to) > 0.0;
    let best = if inside { gain.length() } else { gain.dot(from).max(gain.dot(to)) };
    f.length() <= load * best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The matrix of a linear rule, and the search over directions that serves all rules.
    #[test]
    fn linear_rules_are_what_the_search_over_directions_finds() {
        let (mut slid, mut stuck) = (0, 0);
        for i in 0..20_000 {
            let number = |k: u32| f64::from(i) * [0.754877, 0.569840, 0.437016, 0.819172, 0.671043][k as usize] % 1.0;
            let (turn, along, across) = (DVec2::from_angle(3.0 * number(0)), number(1), 0.05 + number(2));
            let swirl = 0.9 * (number(3) - 0.5) * (along * across).sqrt();
            let q = DMat2::from_cols(DVec2::new(along, swirl), DVec2::new(-swirl, across));
            let part = QuadrantTensor { frame: DMat2::from_cols(turn, turn.perp()), plus: q, minus: q };
            let rule = SlipRule { parts: [part, QuadrantTensor::ZERO], composition: Composition::Sum };
            let trial = DVec2::from_angle(f64::from(i)) * (3.0 * number(4));
            let load = 1.0 + number(0);
            let Some(found) = resolve_linear(rule.linear().unwrap() * load, trial) else { continue };
            if rule.reaches(load, trial) {
                assert_eq!(found, trial);
                stuck += 1;
                continue;
            }
            let force = |d: DVec2| -rule.resist(d) * load;
            let settled = |d: DVec2| (d.dot(force(d) - trial) > 0.0).then(|| force(d));
            let searched = slip_left(trial, force, settled).unwrap();
            assert!((found - searched).length() <= 1e-11 * trial.length(), "{found} {searched}, trial {trial}");
            slid += 1;
        }
        assert!(slid > 5000 && stuck > 2000, "{slid} {stuck}");
    }
}
