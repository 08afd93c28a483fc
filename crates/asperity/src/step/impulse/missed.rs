//! Contacts that a step has missed: bodies overlap where it ends, by more than a little and more than where it began.
//!
//! At that end, with the velocities v_k⁺ that led there, the gap is g < 0 and the row is J. To first order the gap for other velocities is
//! g + h J (v⁺ − v_k⁺), so the step is solved again with J v⁺ ≥ J v_k⁺ − (g + ½ s)/h, s the overlap that is let pass. The bound is
//! never above zero: such a row stops bodies and pushes none.

use glam::DVec3;

use super::detect::{Placed, Touch};
use super::rows::Span;
use crate::world::Model;

/// Overlap that is let pass, as a part of the smaller body's reach.
const SLACK: f64 = 5e-4;

/// Adds rows for the contacts that were missed to `touches`, the contacts at the start; whether there are any. `last` are the contacts at
/// the end.
pub(super) fn add(model: &Model, last: &[Touch], placed: &[Placed], span: Span, touches: &mut Vec<Touch>) -> bool {
    let Span::Step(h) = span else { return false };
    let known = touches.len();
    for touch in last.iter().filter(|touch| touch.gap < 0.0) {
        let reach = touch.pair.map(|body| model.bodies[body as usize].shape.reach());
        let slack = SLACK * reach[0].min(reach[1]);
        // Overlaps that were there at the start are no worse for staying.
        let from = touches[..known].partition_point(|other| other.pair < touch.pair);
        let start = touches[from..known].iter().take_while(|other| other.pair == touch.pair);
        let found = start.filter(|other| other.bound.is_none());
        let deepest = found.map(|other| other.gap).fold(f64::INFINITY, f64::min);
        if touch.gap < -slack && touch.gap < deepest - 0.01 * slack {
            let bound = (touch.before.x - (touch.gap + 0.5 * slack) / h).min(0.0);
            let [a, b] = touch.pair.map(|body| &placed[body as usize]);
            let mut row = Touch { bound: Some(bound), acting: true, ..*touch };
            if touch.pair.iter().all(|body| model.bodies[*body as usize].is_dynamic()) {
                // Both bodies get the impulse at one point, seen from where they start: so angular momentum is kept.
                let moved = [a, b].iter().zip(touch.arms).map(|(at, arm)| touch.point - arm - at.centre).sum::<DVec3>();
                row.point -= 0.5 * moved;
                row.arms = [row.point - a.centre, row.point - b.centre];
            }
            row.before = row.velocity(a, b);
            touches.push(row);
        }
    }
    touches.sort_by_key(|touch| (touch.pair, touch.feature));
    touches.len() > known
}
