//! Whether joints have closed where a step ends, and whether their velocities fit where it begins.

use super::setup::Setup;
use crate::contact::PlacedBody;
use crate::joint::{Coordinate, Joint, Move};
use crate::step::joint_rows::{CLOSE, JointRow, Role, pairs, sigma, spots};
use crate::world::{Model, State};

/// Error of a joint, as a fraction of the bodies' size, that no step may end with.
const OPEN: f64 = 1e-6;
/// The same for what the compliance of the rows lets through: joints that contradict each other are closed in no other
/// way.
const TORN: f64 = 1e-5;
/// Fraction of v θ, θ the turn in a step, that the velocity of a joint may be off by before a step begins with an
/// impact. A smooth step leaves ½ θ h |a|, a step with the rule "end" ½ θ v: a blow is told from smooth motion as long
/// as h |a| is less than v/5.
const UNFIT: f64 = 0.1;
/// UNFIT_FALL |g| h + UNFIT_SPEED (m/s) is added to that bound, so that rounding at rest is not taken for a blow.
const UNFIT_FALL: f64 = 1e-5;
const UNFIT_SPEED: f64 = 1e-9;

impl Setup<'_> {
    /// The largest error of the joints at the end of a step. `r` are the impulses of the rows.
    pub(super) fn joint_gap(&self, rows: &[JointRow], r: &[f64], next: &State, ends: &[bool]) -> Gap {
        let h = self.span.length();
        let mut worst = Gap::default();
        for (row, r) in rows.iter().zip(r) {
            let joint = &self.model.joints[row.joint];
            let sigma = sigma(ends[row.joint]);
            // What is left to the passes, and what the compliance of the row lets through.
            let (coordinate, error, stretch) = match row.role {
                Role::Held(coordinate) => {
                    let error =
                        coordinate.value(&joint.frames, joint.spots(&next.bodies)) - joint.kind.target(self.time + h);
                    let stretch = -sigma * h * row.compliance * r;
                    (coordinate, error - stretch, stretch)
                }
                Role::Spring(coordinate) => {
                    let from = spots(joint, self.placed);
                    let to = joint.spots(&next.bodies);
                    let [q, end] = [from, to].map(|spots| coordinate.value(&joint.frames, spots));
                    let after = pairs(joint.bodies().map(|body| self.speeds(body, &next.bodies).guess));
                    let mean = (1.0 - sigma) * row.before + sigma * row.row.rate(after);
                    (coordinate, coordinate.difference(end, q) - h * mean, 0.0)
                }
                _ => continue,
            };
            let size = if coordinate.is_length() { reach(self.model, joint) } else { 1.0 };
            worst.mendable = larger(worst.mendable, error.abs() / (CLOSE * size));
            let open = larger(error.abs() / (OPEN * size), stretch.abs() / (TORN * size));
            if !worst.open.is_nan() && (open.is_nan() || open > worst.open) {
                worst = Gap { open, size: (error + stretch).abs(), joint: row.joint, ..worst };
            }
        }
        worst
    }
}

/// The largest error of the joints.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Gap {
    /// What passes can mend, in units of what needs no further one.
    pub(super) mendable: f64,
    /// In units of what no step may end with.
    open: f64,
    /// Of the joint that is furthest open: its error in m or rad.
    pub(super) size: f64,
    /// Which joint that is.
    pub(super) joint: usize,
}

impl Gap {
    /// Whether it is too large for a step to end with.
    pub(super) fn is_open(&self) -> bool {
        self.open.partial_cmp(&1.0).is_none_or(|order| order.is_gt())
    }
}

/// max(a, b); NaN wins.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a >= b { a } else { b }
}

/// The size of the bodies of a joint: the largest of those that forces move. Others, such as the ground, may have no
/// end.
fn reach(model: &Model, joint: &Joint) -> f64 {
    let bodies = joint.bodies().into_iter().flatten().map(|i| &model.bodies[i as usize]);
    bodies.filter(|body| body.is_dynamic()).map(|body| body.reach()).fold(0.0, f64::max)
}

/// Whether the velocity of a joint is off by more than a smooth step leaves, for steps of length h.
pub(super) fn unfit(model: &Model, placed: &[PlacedBody], t: f64, h: f64) -> bool {
    let floor = UNFIT_SPEED + UNFIT_FALL * model.gravity.length() * h;
    model.joints.iter().any(|joint| {
        let spots = spots(joint, placed);
        let moves = spots.map(|spot| Move { from: spot, to: spot });
        let at = |body: Option<u32>| body.map(|i| &placed[i as usize]);
        let speeds = joint.bodies().map(|b| at(b).map_or_else(Default::default, |p| (p.velocity, p.angular_velocity)));
        let arms = [0, 1].map(|k| joint.frames[k].point.length());
        let turn: f64 = h * speeds.iter().map(|(_, w)| w.length()).sum::<f64>();
        let speed: f64 = speeds.iter().zip(arms).map(|((v, w), arm)| v.length() + w.length() * arm).sum();
        let reach = reach(model, joint);
        joint.kind.held().iter().any(|coordinate| {
            let off = (coordinate.row(&joint.frames, &moves).rate(speeds) - joint.target_rate(t)).abs();
            let off = if coordinate.is_length() { off } else { off * reach };
            // The line of a distance turns by itself.
            let line = match coordinate {
                Coordinate::Distance => h * speed / coordinate.value(&joint.frames, spots).max(f64::MIN_POSITIVE),
                _ => 0.0,
            };
            off > UNFIT * speed * (turn + line) + floor
        })
    })
}
