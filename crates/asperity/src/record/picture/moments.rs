//! When something happens: the part of a run that pictures show.
//!
//! A run rests from the first frame on after which no body moves any more: places stay within [`STILL`] of the region of interest, turns within the same part of a body's size. What is after
//! it shows the same picture again, and so does what is after the last body has left the region of interest.

use std::ops::Range;

use glam::DVec3;

use crate::record::raster::Focus;
use crate::record::{Frame, RecordError, Recording};

/// Movement below this part of the radius of the region of interest is not seen.
const STILL: f64 = 2e-3;
/// Part of the whole run that is shown after the last movement.
const AFTER: f64 = 0.04;

/// The part of the run in which something is seen to move; `None` if nothing moves.
pub(super) fn active(recording: &Recording) -> Result<Option<Range<f64>>, RecordError> {
    let (start, end) = recording.span()?;
    let frames = recording.frames();
    let focus = Focus::of(recording);
    let bodies: Vec<Mover> = (0..recording.bodies().len()).filter_map(|body| Mover::of(recording, body)).collect();
    let still = STILL * focus.radius();
    let moves = |i: usize| {
        let (before, after) = (&frames[i - 1], &frames[i]);
        recording.deforming().next().is_some()
            || bodies.iter().any(|mover| {
                mover.travel(before, frames.last().unwrap_or(after)) > still && focus.holds(mover.place(before))
            })
    };
    let last = (1..frames.len()).rev().find(|&i| moves(i));
    Ok(last.map(|last| start..(frames[last].t + AFTER * (end - start)).min(end)))
}

/// A body that moves.
struct Mover {
    body: usize,
    /// The middle of its box: its origin may lie far outside of it, as that of a stone of an arch does.
    middle: DVec3,
    /// Distance of its farthest corner from its origin.
    reach: f64,
}

impl Mover {
    fn of(recording: &Recording, body: usize) -> Option<Self> {
        let recorded = &recording.bodies()[body];
        let corners = &recorded.skin.positions;
        let reach = corners.iter().map(|x| x.length()).fold(0.0, f64::max);
        let low = corners.iter().copied().reduce(DVec3::min).unwrap_or_default();
        let high = corners.iter().copied().reduce(DVec3::max).unwrap_or_default();
        recorded.moving.then_some(Self { body, middle: 0.5 * (low + high), reach })
    }

    fn place(&self, frame: &Frame) -> DVec3 {
        frame.states[self.body].pose.apply(self.middle)
    }

    /// How far a point of the body goes at most between two frames.
    fn travel(&self, from: &Frame, to: &Frame) -> f64 {
        let (a, b) = (&from.states[self.body].pose, &to.states[self.body].pose);
        let turn = a.rotation.angle_between(b.rotation);
        (b.position - a.position).length() + turn.min(std::f64::consts::PI) * self.reach
    }
}
