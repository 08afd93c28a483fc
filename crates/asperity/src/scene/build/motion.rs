//! How bodies move: as forces make them, not at all, or by a script.

use crate::body::{Keyframe, Script};
use crate::geometry::Pose;
use crate::geometry::placing::{self, axis};
use crate::table::{Fault, View, formula};

/// The script of a `motion` table, for a body at `start` and a run of `end` seconds.
pub(super) fn script(view: &View, start: Pose, end: f64) -> Result<Script, Fault> {
    view.at_most_one(&["keyframes", "position"])?;
    view.at_most_one(&["keyframes", "turn"])?;
    if view.has("keyframes") {
        return keyframes(view, start);
    }
    if !view.has("position") && !view.has("turn") {
        return Err(view.own_fault("`keyframes`, `position` or `turn` is missing"));
    }
    let mut position = None;
    if let [x, y, z] = view.list("position") {
        let path = view.path_of("position");
        let [x, y, z] = [formula(x, &path, "", end)?, formula(y, &path, "", end)?, formula(z, &path, "", end)?];
        position = Some(Box::new([x, y, z]));
    }
    let mut turn = None;
    if let Some(given) = view.view("turn")
        && let Some(angle) = given.node("angle_deg")
    {
        turn = Some((axis(&given), Box::new(formula(angle, &given.path_of("angle_deg"), "*PI/180", end)?)));
    }
    Ok(Script::Formulas { start, position, turn })
}

fn keyframes(view: &View, start: Pose) -> Result<Script, Fault> {
    let mut frames: Vec<Keyframe> = Vec::new();
    for frame in view.views("keyframes") {
        let time = frame.number("t").unwrap_or(0.0);
        if let Some(last) = frames.last()
            && time <= last.time
        {
            return Err(frame.fault("t", format!("{time} must be later than the keyframe before, at {}", last.time)));
        }
        frames.push(Keyframe { time, pose: placing::read(&frame, start)? });
    }
    Ok(Script::Keyframes(frames))
}
