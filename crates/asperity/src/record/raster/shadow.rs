//! Shadows of the sun: what it sees, and how much of a point's surroundings it sees.
//!
//! The map holds, for a grid of rays across the sunlight, how near to the sun the first surface is. A point is lit as far as
//! the map around it shows nothing nearer: a mean over a small square, which makes the edges of shadows soft. Points are moved
//! off their surface by a little more than a cell first, or surfaces would shade themselves.

use glam::{DMat3, DVec3, Vec3};

use super::camera::axes_along;
use super::fill::{Layer, Planes};

/// Cells of the map along a side.
const CELLS: usize = 1024;
/// Cells along the side of the square that is averaged over.
const BLUR: usize = 4;
/// How far points are moved off their surface, in cells. Half the diagonal of the square would be enough at any slope.
const LIFT: f64 = 2.8;

/// The map of one frame.
#[derive(Clone, Debug)]
pub(super) struct Shadow {
    /// From the coordinates of the map to the world; the third axis points to the sun.
    axes: DMat3,
    center: DVec3,
    /// Metres a cell.
    cell: f64,
    layer: Layer,
}

impl Shadow {
    /// A map of the ball around `center`, for sunlight from the unit vector `sun`.
    pub(super) fn new(sun: DVec3, center: DVec3, radius: f64) -> Self {
        let cell = 2.0 * radius / (CELLS - 2 * BLUR) as f64;
        Self { axes: axes_along(sun, DVec3::Y), center, cell, layer: Layer::default() }
    }

    /// Forgets all surfaces.
    pub(super) fn clear(&mut self) {
        self.layer.clear([CELLS; 2], f32::NEG_INFINITY);
    }

    /// Begins with what another map of the same light has.
    pub(super) fn begin_with(&mut self, other: &Layer) {
        self.layer.copy_from(other);
    }

    /// What the sun sees.
    pub(super) fn layer(&self) -> &Layer {
        &self.layer
    }

    /// Takes the surfaces of a frame, beside those that it has.
    pub(super) fn cast(&mut self, triangles: impl Iterator<Item = [DVec3; 3]>) {
        let size = [CELLS; 2];
        for triangle in triangles {
            let p = triangle.map(|x| self.place(x));
            if let Some(planes) = Planes::flat(p.map(|p| [p.x, p.y]), p.map(|p| p.z), size) {
                self.layer.fill(&planes, 0, f32::INFINITY);
            }
        }
    }

    /// Whether a ball can be on the map.
    pub(super) fn sees(&self, middle: DVec3, radius: f64) -> bool {
        let (p, reach) = (self.place(middle), radius / self.cell);
        let inside = |c: f64| c + reach >= 0.0 && c - reach <= CELLS as f64;
        inside(p.x) && inside(p.y)
    }

    /// Coordinates in cells.
    fn place(&self, x: DVec3) -> DVec3 {
        let half = 0.5 * CELLS as f64;
        self.axes.transpose() * (x - self.center) / self.cell + DVec3::new(half, half, 0.0)
    }

    /// How much of the sun reaches a point with this unit normal, from 0 to 1. Beyond the map it is all.
    pub(super) fn light(&self, x: DVec3, normal: Vec3) -> f32 {
        let p = self.place(x + normal.as_dvec3() * (LIFT * self.cell));
        // The square [p - BLUR/2, p + BLUR/2] covers BLUR + 1 cells, the first and the last one in parts.
        let (left, top) = (p.x - 0.5 * BLUR as f64, p.y - 0.5 * BLUR as f64);
        let last = (CELLS - BLUR - 1) as f64;
        if !(left >= 0.0 && top >= 0.0 && left < last && top < last) {
            return 1.0;
        }
        let (column, row) = (left as usize, top as usize);
        let weight = |i: usize, part: f32| match i {
            0 => 1.0 - part,
            BLUR => part,
            _ => 1.0,
        };
        let (s, t) = ((left - left.floor()) as f32, (top - top.floor()) as f32);
        let depth = p.z as f32;
        let mut sum = 0.0;
        for j in 0..=BLUR {
            let cells = &self.layer.nearness(row + j)[column..=column + BLUR];
            let lit: f32 =
                cells.iter().enumerate().map(|(i, &near)| if near <= depth { weight(i, s) } else { 0.0 }).sum();
            sum += weight(j, t) * lit;
        }
        sum / (BLUR * BLUR) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of side 1 at a height over a floor.
    fn shadow(sun: DVec3) -> Shadow {
        let mut shadow = Shadow::new(sun.normalize(), DVec3::ZERO, 3.0);
        let square = |half: f64, height: f64| {
            let corner = |x: f64, z: f64| DVec3::new(half * x, height, half * z);
            let [a, b, c, d] = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            [[a, b, c], [a, c, d]]
        };
        shadow.clear();
        shadow.cast(square(2.0, 0.0).into_iter().chain(square(0.5, 1.0)));
        shadow
    }

    #[test]
    fn a_square_shades_the_floor_where_the_sun_says() {
        for sun in [DVec3::Y, DVec3::new(1.0, 2.0, 0.5)] {
            let shadow = shadow(sun);
            // The shadow of the point (x, 1, z) is at (x, 0, z) minus the horizontal part of the sun's direction over its height.
            let shift = DVec3::new(-sun.x / sun.y, 0.0, -sun.z / sun.y);
            for i in -9..=9 {
                for j in -9..=9 {
                    let (x, z) = (0.1 * f64::from(i) + 0.05, 0.1 * f64::from(j) + 0.05);
                    let inside = x.abs() < 0.5 && z.abs() < 0.5;
                    let lit = shadow.light(DVec3::new(x, 0.0, z) + shift, Vec3::Y);
                    assert!((lit - if inside { 0.0 } else { 1.0 }).abs() < 1e-6, "{sun} {x} {z} {lit}");
                }
            }
            assert_eq!(shadow.light(DVec3::new(0.0, 1.0, 0.0), Vec3::Y), 1.0, "no shadow on itself");
            let edge = shadow.light(DVec3::new(0.5, 0.0, 0.0) + shift, Vec3::Y);
            assert!(edge > 0.05 && edge < 0.95, "{edge}");
        }
    }

    #[test]
    fn beyond_the_map_there_is_light() {
        assert_eq!(shadow(DVec3::Y).light(DVec3::new(99.0, -5.0, 0.0), Vec3::Y), 1.0);
        assert_eq!(shadow(DVec3::Y).light(DVec3::NAN, Vec3::Y), 1.0);
    }
}
