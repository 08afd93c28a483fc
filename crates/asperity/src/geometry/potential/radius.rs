//! Radii of influence: given, or by the local distance of the samples.
//!
//! A surface is smooth where several samples count, and local where few do. By itself each sample gets [`SPREAD`] times
//! the distance of its [`NEIGHBOURS`]th nearest neighbour: on a plane of equilateral triangles with the side a that
//! distance is a, so that some 12 samples count at a place. It grows where triangles are large, and shrinks where
//! features are small.

use super::Samples;
use super::grid::PointGrid;
use crate::geometry::Aabb;

/// Which of the nearest neighbours tells the local distance of samples.
const NEIGHBOURS: usize = 6;

/// Radius of influence, relative to the distance of that neighbour.
const SPREAD: f64 = 1.25;

/// How far samples reach.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Radius {
    /// By the local distance of the samples.
    #[default]
    Adaptive,
    /// The same everywhere, m: finite and positive.
    Given(f64),
}

impl Samples {
    /// Gives the samples their radii of influence.
    pub fn spread(&mut self, radius: Radius) {
        let count = self.points.len();
        self.radii = match radius {
            Radius::Given(radius) => vec![radius; count],
            Radius::Adaptive => {
                let Aabb { min, max } = Aabb::of(self.points.iter().copied());
                let size = (max - min).length();
                // Samples lie on a surface: about this far from each other.
                let grid = PointGrid::new(&self.points, size / (count.max(1) as f64).sqrt());
                let nearest = NEIGHBOURS.min(count.saturating_sub(1)).max(1);
                let own = |i: usize| grid.distance_to(&self.points, i, nearest).unwrap_or(size);
                // Samples in one place, or a single one, have no distance.
                (0..count).map(|i| SPREAD * own(i)).map(|r| if r > 0.0 { r } else { f64::MIN_POSITIVE }).collect()
            }
        };
    }
}
