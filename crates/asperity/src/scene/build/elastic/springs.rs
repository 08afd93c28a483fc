//! Springs between the vertices of an elastic body, from the key `springs` of its `matter`. Springs of length 0 close a seam.

use std::collections::BTreeSet;

use glam::DVec3;

use crate::elastic::{Elasticity, Springs};
use crate::geometry::MeshData;
use crate::table::{Fault, Node, View, whole};

/// Adds the springs of a `matter` table; `data` is the surface of the body over all of its vertices.
pub(super) fn add(matter: &View, data: &MeshData, elasticity: &mut Elasticity) -> Result<(), Fault> {
    for view in matter.views("springs") {
        let ends = ends(&view, data)?;
        let springs = Springs { stiffness: view.number("stiffness").unwrap_or(0.0), length: view.number("length") };
        elasticity.add_springs(&data.vertices, &ends, springs).map_err(|error| view.own_fault(error))?;
    }
    Ok(())
}

/// The pairs of vertices that a table names.
fn ends(view: &View, data: &MeshData) -> Result<Vec<[u32; 2]>, Fault> {
    view.at_most_one(&["vertices", "near"])?;
    view.at_most_one(&["vertices", "edges"])?;
    view.at_most_one(&["near", "edges"])?;
    if view.truth("edges") == Some(true) {
        return Ok(edges(data));
    }
    let mut all = Vec::new();
    for (k, node) in view.list("vertices").iter().enumerate() {
        all.push(pair(view, "vertices", k, node, |end| numbered(end, data.vertices.len()))?);
    }
    for (k, node) in view.list("near").iter().enumerate() {
        all.push(pair(view, "near", k, node, |end| Ok(nearest(end, &data.vertices)))?);
    }
    if all.is_empty() {
        return Err(view.own_fault(
            "which vertices? Give `vertices` (pairs of numbers), `near` (pairs of places at rest) or `edges = true`",
        ));
    }
    Ok(all)
}

/// The two vertices of entry `k` of a list.
fn pair(
    view: &View,
    key: &str,
    k: usize,
    node: &Node,
    vertex: impl Fn(&Node) -> Result<u32, String>,
) -> Result<[u32; 2], Fault> {
    let failed = |reason: String| view.fault(key, format!("spring {k}: {reason}"));
    let [a, b] = node.list().unwrap_or_default() else { return Err(failed("expected two vertices".to_owned())) };
    let ends = [vertex(a).map_err(failed)?, vertex(b).map_err(failed)?];
    if ends[0] == ends[1] { Err(failed(format!("both of its ends are vertex {}", ends[0]))) } else { Ok(ends) }
}

fn numbered(node: &Node, count: usize) -> Result<u32, String> {
    let number = whole(node).unwrap_or(u64::MAX);
    let found = u32::try_from(number).ok().filter(|vertex| (*vertex as usize) < count);
    found.ok_or_else(|| format!("there is no vertex {number}: the body has {count}, counted from 0"))
}

/// The vertex that is nearest to a place; of several the first.
fn nearest(node: &Node, rest: &[DVec3]) -> u32 {
    let place = node.numbers::<3>().map_or(DVec3::ZERO, DVec3::from_array);
    let squared = |vertex: &usize| rest[*vertex].distance_squared(place);
    (0..rest.len()).min_by(|a, b| squared(a).total_cmp(&squared(b))).unwrap_or(0) as u32
}

/// The edges of a surface, each once, in the order of their vertices.
fn edges(data: &MeshData) -> Vec<[u32; 2]> {
    let sides = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    let sorted = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
    data.triangles.iter().flat_map(sides).map(sorted).collect::<BTreeSet<_>>().into_iter().collect()
}
