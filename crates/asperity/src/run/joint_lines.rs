//! Joints as lines, for pictures.
//!
//! | kind | lines |
//! | --- | --- |
//! | ball, fixed | a cross of three |
//! | hinge | a pin along its axis, and a small cross on it |
//! | slider | a rail along its axis, from stop to stop, on B; a small cross on A; a line from B to A, as a spring if it has one |
//! | distance, spring | from point to point |
//!
//! Crosses and pins go by the size of the bodies, so that they can be seen beside them.

use glam::DVec3;

use crate::joint::{Drive, Joint, JointKind, Slider};
use crate::record::{JointLine, LineEnd, LineKind};
use crate::world::{Model, State};

/// Half lengths of a cross, of the smaller body's reach, and of a pin or a rail without stops, of the larger one's.
const CROSS: f64 = 0.2;
const PIN: f64 = 0.4;

/// The lines of all joints; `state` is the start.
pub fn joint_lines(model: &Model, state: &State) -> Vec<JointLine> {
    let mut lines = Vec::new();
    model.joints.iter().for_each(|joint| add(model, state, joint, &mut lines));
    lines
}

fn add(model: &Model, state: &State, joint: &Joint, lines: &mut Vec<JointLine>) {
    let spots = joint.spots(&state.bodies);
    let points = joint.points(spots);
    let numbers = joint.bodies().map(|body| body.map(|i| i as usize));
    // A point of the world, as one of a side of the joint.
    let on = |side: usize, point: DVec3| match numbers[side] {
        None => LineEnd { body: None, point },
        Some(i) => LineEnd { body: Some(i), point: state.bodies[i].frame().pose(&model.bodies[i]).unapply(point) },
    };
    let axes = |side: usize| {
        let turn = spots[side].rotation * joint.frames[side].axes;
        [turn * DVec3::X, turn * DVec3::Y, turn * DVec3::Z]
    };
    let reach = |i: &usize| model.bodies[*i].reach();
    let moved = numbers.iter().flatten().filter(|i| model.bodies[**i].is_dynamic()).map(reach);
    let (least, most) = moved.fold((f64::INFINITY, 0.0f64), |(a, b), r| (a.min(r), b.max(r)));
    let line =
        |side: usize, from: DVec3, to: DVec3| JointLine { ends: [on(side, from), on(side, to)], kind: LineKind::Rigid };
    let cross = |side: usize| {
        axes(side).map(|axis| line(side, points[side] - axis * (CROSS * least), points[side] + axis * (CROSS * least)))
    };
    let between = |kind: LineKind| JointLine { ends: [on(0, points[0]), on(1, points[1])], kind };
    match &joint.kind {
        JointKind::Ball(_) | JointKind::Fixed(_) => lines.extend(cross(0)),
        JointKind::Hinge(_) => {
            let pin = axes(0)[0] * (PIN * most);
            lines.push(line(0, points[0] - pin, points[0] + pin));
            lines.extend(cross(0).into_iter().skip(1));
        }
        JointKind::Slider(Slider(Drive { limits, spring, .. })) => {
            // An end that is far away would be a line across the picture.
            let far = 10.0 * most;
            let [lower, upper] = limits.map_or([-PIN * most, PIN * most], |ends| ends.map(|end| end.clamp(-far, far)));
            let along = axes(1)[0];
            lines.push(line(1, points[1] + along * lower, points[1] + along * upper));
            lines.extend(cross(0).into_iter().skip(1));
            lines.push(between(if spring.is_some() { LineKind::Spring } else { LineKind::Rigid }));
        }
        JointKind::Distance(_) => lines.push(between(LineKind::Rigid)),
        JointKind::Spring(_) => lines.push(between(LineKind::Spring)),
    }
}
