//! How bodies move: as forces make them, not at all, by a script, or vertex by vertex.

use crate::body::{AnimatedMesh, Keyframe, Script, VERTEX_NAMES};
use crate::expression::Expression;
use crate::geometry::placing::{self, axis};
use crate::geometry::{Pose, Shape};
use crate::table::{Fault, Node, View, formula, probes};

/// Most positions of vertices that are tried before a run: less than a second of work.
const MOST_TRIES: usize = 1_000_000;

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
        Expression::parse(&text, VERTEX_NAMES)
            .map_err(|error| Fault { place: node.place.clone(), message: format!("{path}: {error}") })
    };
    let [x, y, z] = view.list("vertices") else { return Err(view.fault("vertices", "expected three formulas")) };
    let animated = AnimatedMesh::new(mesh.clone(), start, [component(x)?, component(y)?, component(z)?]);
    // All vertices are tried, at fewer moments the more there are; a step that meets a position without a value fails by name later.
    let moments = probes(end).count();
    let every = (mesh.data().vertices.len() * moments / MOST_TRIES).max(1);
    let bad = probes(end).step_by(every).find_map(|t| Some((t, animated.undefined_vertex(t)?)));
    if let Some((t, vertex)) = bad {
        let rest = mesh.data().vertices[vertex];
        return Err(
            view.fault("vertices", format!("vertex {vertex}, {rest} at rest, has no finite position at t = {t}"))
        );
    }
    Ok(animated)
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
