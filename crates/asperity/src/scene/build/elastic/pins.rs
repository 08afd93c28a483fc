//! Pins of an elastic body: vertices that are held, or carried by a bone.

use glam::DVec3;

use super::Beginning;
use crate::body::{Pins, Script};
use crate::expression::Expression;
use crate::scene::build::motion::script;
use crate::table::{Fault, View, whole};

/// The pins of a body; `rest` are its vertices at rest, in its frame.
pub(super) fn read(view: &View, rest: &[DVec3], at: &Beginning) -> Result<Vec<Pins>, Fault> {
    let mut all: Vec<Pins> = Vec::new();
    for own in view.views("pins") {
        let vertices = held(&own, rest)?;
        let twice = |vertex: &&u32| all.iter().any(|other| other.vertices.binary_search(vertex).is_ok());
        if let Some(bad) = vertices.iter().find(twice) {
            return Err(own.own_fault(format!("vertex {bad} is pinned twice")));
        }
        all.push(Pins { vertices, bone: bone(&own, at)? });
    }
    Ok(all)
}

/// The vertices that a table pins, increasing.
fn held(own: &View, rest: &[DVec3]) -> Result<Vec<u32>, Fault> {
    own.at_most_one(&["where", "vertices"])?;
    let mut vertices: Vec<u32> = match own.text("where") {
        Some(text) => {
            let formula = Expression::parse(text, &["x", "y", "z"]).map_err(|error| own.fault("where", error))?;
            let held = |x: &DVec3| formula.value(&x.to_array()) > 0.0;
            rest.iter().enumerate().filter(|(_, x)| held(x)).map(|(i, _)| i as u32).collect()
        }
        None => own.list("vertices").iter().filter_map(|node| whole(node)?.try_into().ok()).collect(),
    };
    vertices.sort_unstable();
    vertices.dedup();
    if vertices.is_empty() {
        return Err(
            own.own_fault("no vertex is pinned: give `where` a formula that is positive at some vertex, or `vertices`")
        );
    }
    if let Some(bad) = vertices.iter().find(|vertex| **vertex as usize >= rest.len()) {
        return Err(own.fault("vertices", format!("there is no vertex {bad}: the body has {}, from 0", rest.len())));
    }
    Ok(vertices)
}

/// The motion that carries pinned vertices; `None` if they stay.
fn bone(own: &View, at: &Beginning) -> Result<Option<Script>, Fault> {
    own.at_most_one(&["motion", "body"])?;
    if let Some(name) = own.text("body") {
        return (at.motion_of)(name).map(Some).map_err(|reason| own.fault("body", reason));
    }
    own.view("motion").map(|motion| script(&motion, at.pose, at.end)).transpose()
}
