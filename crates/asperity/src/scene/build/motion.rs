//! How bodies move: as forces make them, not at all, by a script, or vertex by vertex.

use super::pose::{axis, pose};
use super::view::{Fault, View};
use crate::body::{AnimatedMesh, Keyframe, Script, VERTEX_NAMES};
use crate::expression::Expression;
use crate::geometry::{Pose, Shape};
use crate::scene::document::Node;

/// Moments at which formulas must have a value.
const PROBES: usize = 256;

/// The script of a `motion` table, for a body at `start` and a run of `end` seconds.
pub(super) fn script(view: &View, start: Pose, end: f64) -> Result<Script, Fault> {
    view.at_most_one(&["keyframes", "position"])?;
    view.at_most_one(&["keyframes", "turn"])?;
    if view.has("keyframes") {
        return keyframes(view, start);
    }
    if !view.has("position") && !view.has("turn") {
        return Err(view.own_fault("`keyframes`, `position`, `turn` or `vertices` is missing"));
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

/// The mesh of a body at `start` whose vertices move by the formulas of a `motion` table, in a run of `end` seconds.
pub(super) fn animated(view: &View, shape: &Shape, start: Pose, end: f64) -> Result<AnimatedMesh, Fault> {
    for key in ["keyframes", "position", "turn"] {
        view.at_most_one(&["vertices", key])?;
    }
    let Shape::Mesh(mesh) = shape else {
        return Err(view.fault("vertices", format!("a {} has no vertices to move: use a mesh", shape.name())));
    };
    let path = view.path_of("vertices");
    let component = |node: &Node| -> Result<Expression, Fault> {
        let text = node.text().map_or_else(|| format!("({})", node.number().unwrap_or(0.0)), str::to_owned);
        Expression::parse(&text, VERTEX_NAMES).map_err(|error| (node.place.clone(), format!("{path}: {error}")))
    };
    let [x, y, z] = view.list("vertices") else { return Err(view.fault("vertices", "expected three formulas")) };
    let animated = AnimatedMesh::new(mesh.clone(), start, [component(x)?, component(y)?, component(z)?]);
    let bad = probes(end).find_map(|t| Some((t, animated.undefined_vertex(t)?)));
    if let Some((t, vertex)) = bad {
        let rest = mesh.data().vertices[vertex];
        return Err(
            view.fault("vertices", format!("vertex {vertex}, {rest} at rest, has no finite position at t = {t}"))
        );
    }
    Ok(animated)
}

/// Times of a run at which formulas are tried.
pub(super) fn probes(end: f64) -> impl Iterator<Item = f64> {
    (0..=PROBES).map(move |i| end * i as f64 / PROBES as f64)
}

/// A formula of t, times a factor; refused if it has no value somewhere in the run.
pub(super) fn formula(node: &Node, path: &str, factor: &str, end: f64) -> Result<Expression, Fault> {
    let text = match (node.text(), node.number()) {
        (Some(text), _) => text.to_owned(),
        (None, Some(number)) => format!("({number})"),
        (None, None) => "0".to_owned(),
    };
    let refuse = |reason: String| (node.place.clone(), format!("{path}: {reason}"));
    let text = if factor.is_empty() { text } else { format!("({text}){factor}") };
    let formula = Expression::parse(&text, &["t"]).map_err(|error| refuse(error.to_string()))?;
    for t in probes(end) {
        if !formula.value(&[t]).is_finite() {
            return Err(refuse(format!("\"{}\" has no finite value at t = {t}", node.text().unwrap_or(&text))));
        }
    }
    Ok(formula)
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
        frames.push(Keyframe { time, pose: pose(&frame, start)? });
    }
    Ok(Script::Keyframes(frames))
}
