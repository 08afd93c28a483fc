//! Continuous detection: do a vertex and a triangle, or two edges, that move along straight lines come too near to each other?
//!
//! **Certificates.** Points move with x_i(t) = x_i + t p_i, t ∈ [0, 1]. For any unit vector n and any s, if
//!
//! n·(x_i(t) − x_j(t)) > s for all points i of A and j of B
//!
//! at two times, then at all times between them, since the left side is linear in t; and then the elements are more than s apart, since
//! their points are convex combinations. So a direction n proves a stretch of time, whose end is a division for each of the three or four
//! pairs of points. Detection starts at t = 0, takes n along the nearest points, goes to the end of the stretch that n proves, and begins
//! again there, until t = 1 is proved or the elements are near. It is conservative advancement (Mirtich 1996; additive in Li et al. 2021,
//! "Codimensional incremental potential contact"), with the speed along n in the place of a bound on all speeds: what slides past is not
//! slow. The proof does not depend on how n was found, so that errors of the nearest points cost time but no contact is missed; rounding
//! of the certificates themselves is bounded and taken off.
//!
//! **Answer.** An [`Impact`] means: up to its time the elements are more than the separation apart, and at its time they are within the
//! separation plus a tolerance δ (or the iterations are used up, which is the same to the caller: no farther). Elements that start nearer
//! than the separation cannot keep it: they keep the fraction [`KEPT`] of their distance instead. Elements that touch have an impact at 0.

use glam::DVec3;

use super::proximity::{Closest, PairKind};

/// What elements keep of a distance below the separation.
pub const KEPT: f64 = 0.8;

/// Tolerance δ, as a fraction of the separation or of the distance at the start, whichever is less.
const TOLERANCE: f64 = 0.1;

/// The least separation that δ is a fraction of, as a fraction of the size of the elements: without a separation δ would be zero.
const LEAST: f64 = 1e-4;

/// Stretches after which the answer is an impact. Elements that do not turn need two or three.
const STRETCHES: usize = 256;

/// A bound on the rounding of n·(x_i(t) − x_j(t)), in units of the largest coordinate.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// Where two elements come too near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// When, as a fraction of the motion.
    pub time: f64,
    /// The nearest points then.
    pub closest: Closest,
}

/// Four points that move along straight lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Where they start.
    pub from: [DVec3; 4],
    /// Where they end.
    pub to: [DVec3; 4],
}

impl Motion {
    /// The points at a fraction of the motion.
    #[inline(always)]
    pub fn at(&self, t: f64) -> [DVec3; 4] {
        std::array::from_fn(|i| self.from[i] + (self.to[i] - self.from[i]) * t)
    }

    /// Largest coordinate.
    #[inline(always)]
    fn largest(&self) -> f64 {
        let largest = |[a, b, c, d]: [DVec3; 4]| a.abs().max(b.abs()).max(c.abs().max(d.abs()));
        largest(self.from).max(largest(self.to)).max_element()
    }

    /// Largest side of the box around the start.
    fn extent(&self) -> f64 {
        let [low, high] = [DVec3::min, DVec3::max].map(|of| self.from.iter().copied().reduce(of).unwrap_or_default());
        (high - low).max_element()
    }
}

/// The first time at which the elements are too near, if there is one. `separation` is in metres.
pub fn impact(kind: PairKind, motion: &Motion, separation: f64) -> Option<Impact> {
    let closest = kind.closest(&motion.from);
    let start = closest.distance();
    let least = separation.min(KEPT * start);
    let tolerance = TOLERANCE * (start - least).min(separation.max(LEAST * motion.extent()));
    let goal = Goal { near: least + tolerance, target: least + 0.5 * tolerance + ROUNDING * motion.largest() };
    advance(kind, motion, closest, goal)
}

/// The largest fraction of a motion up to which elements stay farther apart than `least` plus the fraction `share` of what they have
/// above it at the start. Zero if they start no farther apart than `least`.
#[inline]
pub fn free_fraction(kind: PairKind, motion: &Motion, least: f64, share: f64) -> f64 {
    let closest = kind.closest(&motion.from);
    let start = closest.distance();
    // Also where a distance is not a number.
    if start.partial_cmp(&least).is_none_or(|order| order.is_le()) {
        return 0.0;
    }
    let (kept, slack) = (least + share * (start - least), 0.5 * share * (start - least));
    let goal = Goal { near: kept + slack, target: kept + 0.5 * slack + ROUNDING * motion.largest() };
    advance(kind, motion, closest, goal).map_or(1.0, |impact| impact.time)
}

/// When elements are too near.
#[derive(Clone, Copy)]
struct Goal {
    /// The distance that ends the search, m.
    near: f64,
    /// The distance that directions prove, m.
    target: f64,
}

/// Conservative advancement until the elements are near, or the motion is over. `closest` are the nearest points at its start.
fn advance(kind: PairKind, motion: &Motion, mut closest: Closest, Goal { near, target }: Goal) -> Option<Impact> {
    let rates: [DVec3; 4] = std::array::from_fn(|i| motion.to[i] - motion.from[i]);
    let (mut time, mut points) = (0.0, motion.from);
    for _ in 0..STRETCHES {
        let distance = closest.distance();
        // Also where a distance is not a number.
        if distance.partial_cmp(&near).is_none_or(|order| order.is_le()) {
            break;
        }
        let stretch = proved(kind, &points, &rates, closest.way / distance, target);
        if stretch <= 0.0 {
            break;
        }
        time += stretch;
        if time >= 1.0 {
            return None;
        }
        points = motion.at(time);
        closest = kind.closest(&points);
    }
    Some(Impact { time, closest })
}

/// How long n proves that the elements are more than `target` apart; infinite if they do not approach, 0 if n proves nothing: it is the
/// direction of the nearest points, so that all heights are above the target unless rounding has spoilt it.
#[inline(always)]
fn proved(kind: PairKind, points: &[DVec3; 4], rates: &[DVec3; 4], n: DVec3, target: f64) -> f64 {
    let (heights, speeds) = (points.map(|x| n.dot(x)), rates.map(|p| n.dot(p)));
    // How long point i of A stays above point j of B.
    let above = |i: usize, j: usize| {
        let (height, approach) = (heights[i] - heights[j] - target, speeds[j] - speeds[i]);
        if height <= 0.0 {
            0.0
        } else if approach > 0.0 {
            height / approach
        } else {
            f64::INFINITY
        }
    };
    match kind {
        PairKind::VertexTriangle => above(0, 1).min(above(0, 2)).min(above(0, 3)),
        PairKind::EdgeEdge => above(0, 2).min(above(0, 3)).min(above(1, 2).min(above(1, 3))),
    }
}
