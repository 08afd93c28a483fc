//! What is drawn over the bodies, and fainter where it is behind one: arrows, lines and dots.

use glam::{DVec3, Vec3};

use super::arrow::{ArrowSize, Arrows};
use super::camera::View;
use super::color::linear_rgb;
use super::fill::{Layer, NOTHING, Planes};
use super::stroke::stroke;

/// How much is left of what is behind a surface.
const HIDDEN: f32 = 0.5;
/// Numbers of lines and dots begin here; below are triangles of arrows.
const FLAT: u32 = 1 << 31;
/// Corners of a dot.
const CORNERS: usize = 16;

/// All that is drawn over the bodies of a frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlay {
    layer: Layer,
    arrows: Arrows,
    /// Colours of lines and dots.
    flat: Vec<[u8; 3]>,
}

impl Overlay {
    /// Nothing, on so many samples.
    pub(super) fn clear(&mut self, size: [usize; 2]) {
        self.layer.clear(size, 0.0);
        self.arrows.clear();
        self.flat.clear();
    }

    /// Adds an arrow from a point along a vector. Arrows are seen after [`Self::fill_arrows`].
    pub(super) fn arrow(&mut self, from: DVec3, along: DVec3, size: &ArrowSize, color: [u8; 3], view: &View) {
        self.arrows.add(from, along, size, linear_rgb(color), view);
    }

    pub(super) fn fill_arrows(&mut self, view: &View) {
        self.arrows.fill(view, &mut self.layer);
    }

    /// Adds a line between two points of the world, so many samples wide.
    pub(super) fn line(&mut self, ends: [DVec3; 2], width: f64, lift: f64, color: [u8; 3], view: &View) {
        let number = FLAT + self.flat.len() as u32;
        stroke(ends.map(|x| view.of_world(x)), width, lift, number, view, &mut self.layer);
        self.flat.push(color);
    }

    /// Adds a dot at a point of the world, with a radius in samples.
    pub(super) fn dot(&mut self, at: DVec3, radius: f64, lift: f64, color: [u8; 3], view: &View) {
        let p = view.of_world(at);
        if -p.z < view.near {
            return;
        }
        let ([x, y], near) = (view.project(p), 1.0 / (-p.z - lift).max(view.near));
        let corner = |i: usize| {
            let angle = std::f64::consts::TAU * i as f64 / CORNERS as f64;
            [x + radius * angle.cos(), y + radius * angle.sin()]
        };
        let number = FLAT + self.flat.len() as u32;
        for i in 0..CORNERS {
            if let Some(planes) = Planes::flat([[x, y], corner(i), corner(i + 1)], [near; 3], self.layer.size()) {
                self.layer.fill(&planes, number, f32::INFINITY);
            }
        }
        self.flat.push(color);
    }

    /// Whether there is something in one of the samples of a row.
    pub(super) fn touches(&self, row: usize, columns: std::ops::Range<usize>) -> bool {
        self.layer.numbers(row)[columns].iter().any(|&number| number != NOTHING)
    }

    /// What is seen in a sample over `light`, which comes from something as near as `nearness`; `shade` lights a colour with a normal.
    pub(super) fn over(
        &self,
        light: Vec3,
        [column, row]: [usize; 2],
        nearness: f32,
        view: &View,
        shade: impl Fn(Vec3, Vec3) -> Vec3,
    ) -> Vec3 {
        let number = self.layer.numbers(row)[column];
        if number == NOTHING {
            return light;
        }
        let own = match number.checked_sub(FLAT) {
            Some(flat) => linear_rgb(self.flat[flat as usize]),
            None => {
                let ray = view.ray(column as f64 + 0.5, row as f64 + 0.5);
                shade(self.arrows.color(number as usize), self.arrows.normal(number as usize, ray))
            }
        };
        let visible = self.layer.nearness(row)[column] >= nearness;
        light.lerp(own, if visible { 1.0 } else { HIDDEN })
    }
}
