//! Arrows: a shaft and a tip, round. They are drawn over the bodies, fainter where they are inside of one.

use std::f64::consts::TAU;

use glam::{DVec3, Vec3};

use super::camera::View;
use super::fill::{Layer, Planes};

/// Faces around.
const SIDES: usize = 12;

/// Sizes of an arrow, in metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArrowSize {
    pub(super) shaft: f64,
    pub(super) tip: f64,
    pub(super) tip_length: f64,
}

/// Arrows as triangles: corners in view coordinates, normals in the world.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrows {
    corners: Vec<[DVec3; 3]>,
    normals: Vec<[Vec3; 3]>,
    /// In linear light.
    colors: Vec<Vec3>,
}

impl Arrows {
    pub(super) fn clear(&mut self) {
        self.corners.clear();
        self.normals.clear();
        self.colors.clear();
    }

    /// The colour of a triangle.
    pub(super) fn color(&self, number: usize) -> Vec3 {
        self.colors[number]
    }

    /// Adds an arrow from a point along a vector; a short one is smaller all over.
    pub(super) fn add(&mut self, from: DVec3, along: DVec3, size: &ArrowSize, color: Vec3, view: &View) {
        let length = along.length();
        let Some(axis) = along.try_normalize() else { return };
        let scale = (length / (2.0 * size.tip_length)).min(1.0);
        let neck = from + axis * (length - scale * size.tip_length);
        let (a, b) = axis.any_orthonormal_pair();
        let around = |i: usize| {
            let angle = TAU * i as f64 / SIDES as f64;
            angle.cos() * a + angle.sin() * b
        };
        // The normal of a cone leans forward by the slope of its side.
        let lean = size.tip / size.tip_length;
        let (shaft, tip) = (scale * size.shaft, scale * size.tip);
        for i in 0..SIDES {
            let (p, q) = (around(i), around(i + 1));
            let (cone_p, cone_q) = ((p + lean * axis).normalize(), (q + lean * axis).normalize());
            let quad = [from + shaft * p, from + shaft * q, neck + shaft * q, neck + shaft * p];
            self.push([quad[0], quad[1], quad[2]], [p, q, q], view);
            self.push([quad[0], quad[2], quad[3]], [p, q, p], view);
            self.push([from, quad[1], quad[0]], [-axis; 3], view);
            let end = from + along;
            self.push([neck + tip * p, neck + tip * q, end], [cone_p, cone_q, (cone_p + cone_q).normalize()], view);
            self.push([neck, neck + tip * q, neck + tip * p], [-axis; 3], view);
        }
        self.colors.resize(self.corners.len(), color);
    }

    fn push(&mut self, corners: [DVec3; 3], normals: [DVec3; 3], view: &View) {
        self.corners.push(corners.map(|x| view.of_world(x)));
        self.normals.push(normals.map(|n| n.as_vec3()));
    }

    /// Fills all into the layer, each triangle with its number.
    pub(super) fn fill(&self, view: &View, layer: &mut Layer) {
        for (number, &corners) in self.corners.iter().enumerate() {
            if let Some(planes) = Planes::seen(corners, view, layer.size()) {
                layer.fill(&planes, number as u32, (1.0 / view.near) as f32);
            }
        }
    }

    /// The normal of a triangle where the ray meets it.
    pub(super) fn normal(&self, number: usize, ray: DVec3) -> Vec3 {
        let (v, n) = (self.corners[number], self.normals[number]);
        let w = [v[1].cross(v[2]), v[2].cross(v[0]), v[0].cross(v[1])].map(|g| ray.dot(g));
        let sum = w[0] + w[1] + w[2];
        let w = w.map(|w| (w / sum) as f32);
        (w[0] * n[0] + w[1] * n[1] + w[2] * n[2]).normalize_or_zero()
    }
}
