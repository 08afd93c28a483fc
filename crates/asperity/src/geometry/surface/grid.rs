//! A grid of equal cells over triangles: a simple search, written apart from the tree so that one can check the other.

use glam::{DVec3, IVec3};

use crate::geometry::Aabb;

/// Which triangles are in which cell.
pub(super) struct Grid {
    origin: DVec3,
    /// Side of a cell: no triangle is larger, so that it is in eight cells at most.
    side: f64,
    /// Cells and triangles, sorted.
    entries: Vec<([i32; 3], u32)>,
}

impl Grid {
    /// Of triangles with these boxes.
    pub(super) fn new(boxes: &[Aabb]) -> Self {
        let all = boxes.iter().fold(Aabb::EMPTY, |sum, own| sum.union(own));
        let largest = boxes.iter().map(|own| (own.max - own.min).max_element()).fold(0.0, f64::max);
        // No more cells along an axis than an i32 can count.
        let side = largest.max((all.max - all.min).max_element() * 1e-6).max(f64::MIN_POSITIVE);
        let mut grid = Self { origin: all.min, side, entries: Vec::with_capacity(4 * boxes.len()) };
        for (number, own) in boxes.iter().enumerate() {
            let cells: Vec<[i32; 3]> = grid.cells(own).collect();
            grid.entries.extend(cells.into_iter().map(|cell| (cell, number as u32)));
        }
        grid.entries.sort_unstable();
        grid
    }

    fn cells(&self, around: &Aabb) -> impl Iterator<Item = [i32; 3]> + use<> {
        let [low, high] = [around.min, around.max].map(|x| ((x - self.origin) / self.side).floor().as_ivec3());
        let IVec3 { x, y, z } = low;
        (x..=high.x).flat_map(move |x| (y..=high.y).flat_map(move |y| (z..=high.z).map(move |z| [x, y, z])))
    }

    /// The triangles that share a cell with a box, increasing.
    pub(super) fn near(&self, around: &Aabb, out: &mut Vec<u32>) {
        out.clear();
        for cell in self.cells(around) {
            let first = self.entries.partition_point(|entry| entry.0 < cell);
            out.extend(self.entries[first..].iter().take_while(|entry| entry.0 == cell).map(|entry| entry.1));
        }
        out.sort_unstable();
        out.dedup();
    }
}
