//! A body-centred cubic lattice: the corners of cubes, and their centres.
//!
//! Points have whole coordinates in half cells: all even at corners, all odd at centres. Corners are numbered first.
//! Long edges, of one cell, join points of the same kind; short ones, √3/2 of a cell, join a corner and a centre. Each
//! tetrahedron has one long edge between corners, one long edge between centres of cubes beside it, and four short
//! ones.

use std::collections::BTreeMap;

use glam::{DVec3, IVec3, Vec3Swizzles};

/// The lattice, and the points of it that were moved.
#[derive(Clone, Debug)]
pub(super) struct Lattice {
    origin: DVec3,
    cell: f64,
    cells: [u32; 3],
    corners: u32,
    moved: BTreeMap<u32, DVec3>,
}

impl Lattice {
    /// About a centre.
    pub(super) fn new(centre: DVec3, cell: f64, cells: [u32; 3]) -> Self {
        let size = DVec3::from_array(cells.map(f64::from)) * cell;
        let corners = cells.iter().map(|n| n + 1).product();
        Self { origin: centre - 0.5 * size, cell, cells, corners, moved: BTreeMap::new() }
    }

    /// How many points there are.
    pub(super) fn len(&self) -> u32 {
        self.corners + self.cells.iter().product::<u32>()
    }

    /// Coordinates in half cells.
    pub(super) fn coordinates(&self, id: u32) -> IVec3 {
        let [nx, ny, _] = self.cells;
        let unpack = |k: u32, nx: u32, ny: u32| [k % nx, k / nx % ny, k / (nx * ny)];
        let [i, j, k] = if id < self.corners {
            unpack(id, nx + 1, ny + 1).map(|i| 2 * i)
        } else {
            unpack(id - self.corners, nx, ny).map(|i| 2 * i + 1)
        };
        IVec3::new(i as i32, j as i32, k as i32)
    }

    /// The point at these coordinates; `None` outside.
    fn id(&self, at: IVec3) -> Option<u32> {
        let odd = at.x & 1;
        let [nx, ny, nz] = self.cells.map(|n| n as i32 + 1 - odd);
        let IVec3 { x: i, y: j, z: k } = (at - odd) / 2;
        if at.min_element() < 0 || i >= nx || j >= ny || k >= nz {
            return None;
        }
        let index = ((k * ny + j) * nx + i) as u32;
        Some(if odd == 1 { self.corners + index } else { index })
    }

    pub(super) fn place(&self, id: u32) -> DVec3 {
        let regular = || self.origin + 0.5 * self.cell * self.coordinates(id).as_dvec3();
        self.moved.get(&id).copied().unwrap_or_else(regular)
    }

    pub(super) fn move_to(&mut self, id: u32, place: DVec3) {
        self.moved.insert(id, place);
    }

    /// Whether a point lies on the outer faces, or in the outermost layer of centres.
    pub(super) fn is_outermost(&self, id: u32) -> bool {
        let at = self.coordinates(id);
        let size = IVec3::from_array(self.cells.map(|n| 2 * n as i32));
        at.min(size - at).min_element() <= 1
    }

    /// Corners of cubes have one kind of number, centres the other.
    pub(super) fn is_centre(&self, id: u32) -> bool {
        id >= self.corners
    }

    /// Whether an edge is between points of the same kind.
    pub(super) fn is_long(&self, [a, b]: [u32; 2]) -> bool {
        self.is_centre(a) == self.is_centre(b)
    }

    /// The 14 points that edges lead to; fewer at the rim.
    pub(super) fn neighbours(&self, id: u32) -> impl Iterator<Item = u32> {
        let at = self.coordinates(id);
        let long = [IVec3::X, IVec3::Y, IVec3::Z].into_iter().flat_map(|axis| [2 * axis, -2 * axis]);
        let signs = |k: i32| IVec3::new(2 * (k & 1) - 1, (k & 2) - 1, (k & 4) / 2 - 1);
        long.chain((0..8).map(signs)).filter_map(move |step| self.id(at + step))
    }

    /// All tetrahedra: four around each long edge between corners.
    pub(super) fn tets(&self) -> impl Iterator<Item = [u32; 4]> {
        (0..self.corners).flat_map(move |corner| {
            let at = self.coordinates(corner);
            [IVec3::X, IVec3::Y, IVec3::Z].into_iter().flat_map(move |axis| {
                let [side, up] = [axis.zxy(), axis.yzx()];
                let around = [side + up, up - side, -side - up, side - up];
                (0..4).filter_map(move |k| {
                    let other = self.id(at + 2 * axis)?;
                    let [first, second] = [around[k], around[(k + 1) % 4]].map(|step| self.id(at + axis + step));
                    Some([corner, other, first?, second?])
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::volume::mesh::determinant;

    #[test]
    fn tetrahedra_fill_the_space_between_the_outer_centres_once() {
        let lattice = Lattice::new(DVec3::new(0.3, 0.2, 0.1), 0.5, [3, 4, 2]);
        let volumes: Vec<f64> =
            lattice.tets().map(|tet| determinant(tet.map(|id| lattice.place(id))).abs() / 6.0).collect();
        // A cell has twelve of them, of 1/12 of its volume each.
        assert!(volumes.iter().all(|volume| (volume - 0.125 / 12.0).abs() < 1e-15));
        // Each inner face of a cube, between two centres, has four: all that have two centres.
        let faces = 2 * 4 * 2 + 3 * 3 * 2 + 3 * 4;
        assert_eq!(volumes.len(), 4 * faces);
    }

    #[test]
    fn numbers_and_coordinates_agree_and_edges_have_two_lengths() {
        let lattice = Lattice::new(DVec3::ZERO, 1.0, [2, 3, 4]);
        for id in 0..lattice.len() {
            assert_eq!(lattice.id(lattice.coordinates(id)), Some(id));
            for other in lattice.neighbours(id) {
                let length = lattice.place(id).distance(lattice.place(other));
                let expected = if lattice.is_long([id, other]) { 1.0 } else { 0.75_f64.sqrt() };
                assert!((length - expected).abs() < 1e-15);
            }
        }
        assert_eq!(lattice.neighbours(lattice.corners + 2 * 3).count(), 6 - 2 + 8);
    }
}
