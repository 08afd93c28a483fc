//! Which contacts of a step can act.
//!
//! Most contacts that are found are only near: in a pile that falls, four of five. A contact with u_n⁺ ≥ β (see [`super::rows`]) and no impulse
//! obeys its law, so a solution without it that leaves it so is one with it too. So the step is first solved with
//! the contacts that have acted before and those that the free motion closes or nearly closes; then all the others are looked at, and
//! those that the solution violates are added, until there are none. What comes out solves the problem of all contacts;
//! laws and rows are made for few.

use glam::DVec3;

use super::detect::{Placed, Touch};
use super::rows::{Parts, Span, recall};

/// Marks the contacts that the solver has impulses to start from for, and those that come within `slack` (m/s) of acting in the free motion.
pub(super) fn choose(parts: &Parts, touches: &mut [Touch], span: Span, slack: f64) {
    for (touch, known) in recall(touches, parts.start).iter().map(Option::is_some).enumerate() {
        touches[touch].acting |= known;
    }
    let velocities = parts.free.iter().map(|free| (free.velocity, free.angular_velocity));
    mark(parts, touches, span, velocities, slack);
}

/// Marks the contacts that velocities at the end of the step violate by more than `slack`; whether there are any.
pub(super) fn extend(parts: &Parts, touches: &mut [Touch], span: Span, after: &[(DVec3, DVec3)], slack: f64) -> bool {
    mark(parts, touches, span, after.iter().copied(), -slack)
}

/// Marks those with u_n < β + slack when the free bodies move like this; whether there are any new ones.
fn mark(
    parts: &Parts,
    touches: &mut [Touch],
    span: Span,
    velocities: impl Iterator<Item = (DVec3, DVec3)>,
    slack: f64,
) -> bool {
    let mut moving: Vec<Placed> = parts.placed.to_vec();
    for (free, (velocity, angular_velocity)) in parts.free.iter().zip(velocities) {
        let at = &mut moving[free.body as usize];
        (at.velocity, at.angular_velocity) = (velocity, angular_velocity);
    }
    let mut any = false;
    for touch in touches.iter_mut().filter(|touch| !touch.acting) {
        let [a, b] = touch.pair.map(|body| &moving[body as usize]);
        // A contact that did not act before has no spring to carry on.
        if touch.approach(a, b) + touch.shift[0] < parts.bound(touch, span, 0.0) + slack {
            (touch.acting, any) = (true, true);
        }
    }
    any
}
