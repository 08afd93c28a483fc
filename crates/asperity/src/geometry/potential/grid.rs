//! Points in the cells of a uniform grid: what is within a distance of a place, always in the same order.

use glam::{DVec3, IVec3};

use crate::geometry::Aabb;

/// Most cells along an axis, so that they can be counted.
const MOST_CELLS: f64 = 1e6;

/// Which points are in which cell.
#[derive(Clone, Debug)]
pub(super) struct PointGrid {
    origin: DVec3,
    /// Side of a cell.
    side: f64,
    /// Cells and points, sorted.
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    cell: [i32; 3],
    point: u32,
}

impl PointGrid {
    /// With cells of about this side: searches are quick for distances of this order.
    pub(super) fn new(points: &[DVec3], side: f64) -> Self {
        let mut grid = Self { origin: DVec3::ZERO, side, entries: Vec::new() };
        grid.update(points);
        grid
    }

    /// For points that have moved.
    pub(super) fn update(&mut self, points: &[DVec3]) {
        let Aabb { min, max } = Aabb::of(points.iter().copied());
        self.origin = min;
        self.side = self.side.max((max - min).max_element() / MOST_CELLS).max(f64::MIN_POSITIVE);
        self.entries.clear();
        for (point, at) in points.iter().enumerate() {
            self.entries.push(Entry { cell: self.cell(*at).to_array(), point: point as u32 });
        }
        self.entries.sort_unstable();
    }

    fn cell(&self, at: DVec3) -> IVec3 {
        ((at - self.origin) / self.side).floor().clamp(DVec3::splat(-2.0), DVec3::splat(2.0 * MOST_CELLS)).as_ivec3()
    }

    /// Visits all points that may be within a distance of a place, and some that are not.
    #[inline]
    pub(super) fn near(&self, at: DVec3, distance: f64, mut visit: impl FnMut(u32)) {
        let [low, high] = [self.cell(at - DVec3::splat(distance)), self.cell(at + DVec3::splat(distance))];
        for x in low.x..=high.x {
            for y in low.y..=high.y {
                // Cells along z are beside each other in the list.
                let first = self.entries.partition_point(|entry| entry.cell < [x, y, low.z]);
                let own = self.entries[first..].iter().take_while(|entry| entry.cell <= [x, y, high.z]);
                own.for_each(|entry| visit(entry.point));
            }
        }
    }

    /// Distance of the k-th nearest of the other points from a point; `None` if there are not so many.
    pub(super) fn distance_to(&self, points: &[DVec3], own: usize, k: usize) -> Option<f64> {
        if points.len() <= k {
            return None;
        }
        let mut squares = Vec::new();
        let mut reach = self.side;
        loop {
            squares.clear();
            self.near(points[own], reach, |other| {
                let square = points[own].distance_squared(points[other as usize]);
                if other as usize != own && square <= reach * reach {
                    squares.push(square);
                }
            });
            if squares.len() >= k {
                squares.sort_unstable_by(f64::total_cmp);
                return Some(squares[k - 1].sqrt());
            }
            reach *= 2.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scattered(count: u32) -> Vec<DVec3> {
        let unit = |i: u32, factor: f64| (f64::from(i) * factor).fract();
        (0..count).map(|i| DVec3::new(unit(i, 0.618), unit(i, 0.7549), unit(i, 0.5698))).collect()
    }

    #[test]
    fn finds_what_a_search_through_all_points_finds() {
        let points = scattered(500);
        for side in [0.02, 0.1, 3.0] {
            let grid = PointGrid::new(&points, side);
            for (i, at) in scattered(40).into_iter().enumerate() {
                let (at, reach) = (at * 1.4 - DVec3::splat(0.2), 0.05 + 0.01 * i as f64);
                let mut found = Vec::new();
                grid.near(at, reach, |point| found.push(point));
                found.retain(|point| points[*point as usize].distance(at) < reach);
                found.sort_unstable();
                let all: Vec<u32> = (0..500).filter(|point| points[*point as usize].distance(at) < reach).collect();
                assert_eq!(found, all);
            }
        }
    }

    #[test]
    fn the_kth_nearest_is_that_of_a_sorted_list() {
        let points = scattered(200);
        let grid = PointGrid::new(&points, 0.01);
        for own in 0..20 {
            let mut all: Vec<f64> = points.iter().map(|other| points[own].distance(*other)).collect();
            all.sort_unstable_by(f64::total_cmp);
            assert_eq!(grid.distance_to(&points, own, 6), Some(all[6]));
        }
        assert_eq!(grid.distance_to(&points[..5], 0, 6), None);
    }
}
