//! What never moves, drawn once: frames begin with a copy of it.
//!
//! For every pixel that one triangle of a still body covers, the point of that triangle and its light are kept, too. A later frame that shows the same triangle there asks for nothing but how much of the
//! sun reaches the point, and shades it again only if that has changed. The pictures are those that are drawn without it, to the last bit.

use glam::Vec3;
use rayon::prelude::*;

use super::fill::Layer;
use super::surface::SurfacePoint;
use super::{Renderer, SAMPLES};
use crate::geometry::Pose;
use crate::record::{Frame, Recording};

/// Pixels of a picture at most, for the points to be kept: some 90 bytes each.
const MOST_PIXELS: usize = 1 << 20;

/// The point of a still body in a pixel, and how it is lit.
#[derive(Clone, Copy, Debug)]
pub(super) struct StillPoint {
    /// The triangle.
    pub(super) number: u32,
    pub(super) point: SurfacePoint,
    /// The part of the sun that reaches it while nothing else is there.
    pub(super) lit: f32,
    pub(super) light: Vec3,
}

/// All bodies that stay where they are.
#[derive(Clone, Debug)]
pub(super) struct Scenery {
    /// Where each of them is.
    poses: Vec<(usize, Pose)>,
    pub(super) layer: Layer,
    pub(super) shadow: Layer,
    /// Row by row; empty for large pictures.
    points: Vec<Option<StillPoint>>,
    width: usize,
}

impl Scenery {
    /// Whether the still bodies are where they were.
    pub(super) fn fits(&self, frame: &Frame) -> bool {
        self.poses.iter().all(|(body, pose)| frame.states.get(*body).is_some_and(|state| state.pose == *pose))
    }

    /// What is known of a pixel.
    #[inline]
    pub(super) fn point(&self, row: usize, column: usize) -> Option<&StillPoint> {
        self.points.get(row * self.width + column)?.as_ref()
    }
}

impl Renderer {
    /// Draws the bodies that never move; `None` if there are none, or no frame says where they are.
    pub(super) fn scenery(&mut self, recording: &Recording) -> Option<Scenery> {
        let first = recording.frames().first()?;
        let still = |body: &usize| self.surface.is_still(*body);
        let poses: Vec<(usize, Pose)> =
            (0..first.states.len()).filter(still).map(|body| (body, first.states[body].pose)).collect();
        if poses.is_empty() {
            return None;
        }
        let size = self.size().map(|n| n as usize * SAMPLES);
        self.surface.place(first, &self.view, &self.shadow);
        self.layer.clear(size, 0.0);
        self.surface.fill(&self.view, &mut self.layer, true);
        self.shadow.clear();
        self.shadow.cast(self.surface.world_triangles(true));
        let [width, height] = self.size().map(|n| n as usize);
        let mut points = Vec::new();
        if width * height <= MOST_PIXELS {
            let rows = (0..height).into_par_iter();
            points = rows
                .flat_map_iter(|row| (0..width).map(move |column| (row, column)))
                .map(|at| self.still(at))
                .collect();
        }
        Some(Scenery { poses, layer: self.layer.clone(), shadow: self.shadow.layer().clone(), points, width })
    }

    /// The point of a pixel that one triangle covers.
    fn still(&self, (row, column): (usize, usize)) -> Option<StillPoint> {
        let number = self.alone(row, column).filter(|&number| (number as usize) < self.surface.len())?;
        let middle = [(column as f64 + 0.5) * SAMPLES as f64, (row as f64 + 0.5) * SAMPLES as f64];
        let point = self.surface.point(number as usize, middle, SAMPLES as f64, &self.view);
        let lit = self.lit(&point);
        Some(StillPoint { number, point, lit, light: self.thrown_back(&point, lit, self.background(row)) })
    }
}
