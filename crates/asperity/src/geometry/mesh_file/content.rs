//! What the elements of a file say, before it is known whether a surface or a volume is wanted.

use std::collections::BTreeMap;

use glam::DVec3;

/// Vertices and elements of a file; elements that are neither triangles nor tetrahedra are left out or refused by the
/// readers.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    pub(super) vertices: Vec<DVec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) tets: Vec<[u32; 4]>,
    /// Nodes on edges in the order of VTK.
    pub(super) quadratic_tets: Vec<[u32; 10]>,
}

impl Content {
    /// Adds a polygon, cut into triangles from its first corner.
    pub(super) fn push_polygon(&mut self, corners: &[u32]) {
        let [first, rest @ ..] = corners else { return };
        self.triangles.extend(rest.windows(2).map(|pair| [*first, pair[0], pair[1]]));
    }
}

/// The vertices that elements use, numbered anew in the order of the old numbers: files hold points of other elements
/// too.
pub(super) fn compact<const K: usize>(vertices: &[DVec3], elements: &mut [[u32; K]]) -> Vec<DVec3> {
    let used: BTreeMap<u32, ()> = elements.as_flattened().iter().map(|vertex| (*vertex, ())).collect();
    let renamed: BTreeMap<u32, u32> = used.keys().zip(0..).map(|(old, new)| (*old, new)).collect();
    elements.as_flattened_mut().iter_mut().for_each(|vertex| *vertex = renamed[vertex]);
    used.keys().map(|old| vertices[*old as usize]).collect()
}
