//! Pictures of a recording, without a graphics card.
//!
//! Triangles are filled into a grid of 2×2 samples a pixel that keeps the nearest (`fill`); then every pixel is shaded once if
//! one smooth surface covers it, sample by sample if not. Light is added in linear values and encoded as sRGB at the end. The same
//! frame gives the same bytes, whatever the number of threads.

mod annotations;
mod arrow;
mod camera;
pub(super) mod color;
mod fill;
mod finish;
mod framing;
mod light;
mod overlay;
pub(super) mod ramp;
mod scenery;
mod shadow;
mod stroke;
mod surface;
mod texture;

use std::sync::Arc;

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::appearance::{Appearance, Toning, Wanted};
use super::{Frame, Image, JointLine, RecordError, Recording, Show, Tint};
use annotations::Annotations;
pub(super) use annotations::{FRICTION, NORMAL, OPEN, SLIDE, STICK, VELOCITY};
pub use camera::Camera;
use camera::View;
use color::{linear_rgb, srgb};
use fill::{Layer, NOTHING};
pub(super) use finish::{DARKER, plane_axes};
pub(super) use framing::Focus;
pub(super) use light::{GROUND, Light, SKY, SUN};
use overlay::Overlay;
use scenery::Scenery;
use shadow::Shadow;
use surface::{Surface, SurfacePoint};
pub(super) use texture::{Texture, squares};

/// Samples along the side of a pixel.
const SAMPLES: usize = 2;
/// Longest side of a picture, a guard against mistyped sizes.
const LARGEST_SIDE: u32 = 8192;
/// The near plane, in parts of the distance to what is looked at.
const NEAR: f64 = 1e-3;
/// Width of structure lines in pixels of a picture 360 high; more in larger ones.
const LINE_WIDTH: f64 = 1.1;
/// How much nearer than they are lines are drawn, in parts of the radius of the region of interest.
const LINE_LIFT: f64 = 0.004;
/// Colours of structure lines on light and on dark bodies.
const LINES: [[u8; 3]; 2] = [[34, 44, 62], [255, 236, 170]];
/// Luminance of a paint from which on lines are dark.
const LIGHT_PAINT: f32 = 0.12;
/// How pictures are made.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderSettings {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Where from; if none, a view that shows all that moves in all frames.
    pub camera: Option<Camera>,
    /// Against gravity: up in pictures whose camera is not given, and where light comes from.
    pub up: DVec3,
    /// What is drawn.
    pub show: Show,
    /// Length of arrows; if none, large forces get a third of the radius of the scene, and
    /// the longest arrows are cut.
    pub metres_per_newton: Option<f64>,
    /// What the legend says first.
    pub notes: Vec<String>,
}

impl Default for RenderSettings {
    fn default() -> Self {
        Self {
            width: 640,
            height: 360,
            camera: None,
            up: DVec3::Y,
            show: Show::default(),
            metres_per_newton: None,
            notes: Vec::new(),
        }
    }
}

/// A structure line of a body.
#[derive(Clone, Copy, Debug)]
struct StructureLine {
    body: usize,
    /// In body coordinates, at rest.
    ends: [DVec3; 2],
    /// The triangle of the skin that carries it, if the body deforms.
    triangle: Option<u32>,
}

/// Draws the frames of a recording; keeps its storage from frame to frame.
#[derive(Clone, Debug)]
pub struct Renderer {
    settings: RenderSettings,
    camera: Camera,
    view: View,
    light: Light,
    radius: f64,
    /// What colours stand for, if not for paint.
    toning: Option<Toning>,
    /// How many times as large as they are the facets of bodies are drawn, where that is not once.
    enlarged: Vec<f64>,
    surface: Surface,
    lines: Vec<StructureLine>,
    joints: Vec<JointLine>,
    annotations: Annotations,
    shadow: Shadow,
    layer: Layer,
    overlay: Overlay,
    /// What never moves; copies of the renderer share it.
    scenery: Option<Arc<Scenery>>,
}

impl Renderer {
    /// Gets ready for the frames of a recording.
    pub fn new(recording: &Recording, settings: RenderSettings) -> Result<Self, RecordError> {
        for (setting, side) in [("width", settings.width), ("height", settings.height)] {
            if !(1..=LARGEST_SIDE).contains(&side) {
                let reason = "a side of a picture must have 1 to 8192 pixels";
                return Err(RecordError::Setting { setting, value: f64::from(side), reason });
            }
        }
        let focus = Focus::of(recording);
        let aspect = f64::from(settings.width) / f64::from(settings.height);
        let up = settings.up.try_normalize().unwrap_or(DVec3::Y);
        let camera = settings.camera.unwrap_or_else(|| focus.camera(aspect, up));
        let near = NEAR * (camera.eye - camera.target).length();
        let size = [settings.width, settings.height].map(|n| n as usize * SAMPLES);
        let view = View::new(&camera, size, near)?;
        let light = Light::new(&view.axes, up, focus.center(), focus.radius());
        let structure = |(body, recorded): (usize, &super::RecordedBody)| {
            let triangle = |i: usize| recorded.deforming.as_ref().map(|deforming| deforming.line_triangles[i]);
            let line = |(i, &ends)| StructureLine { body, ends, triangle: triangle(i) };
            recorded.structure.iter().enumerate().map(line).collect::<Vec<_>>()
        };
        // The salience is that of each texel of the map: to see it, the map must be there.
        let relief = settings.show.relief || settings.show.tint == Tint::Salience;
        let wanted = Wanted { grain: settings.show.grain, relief, pixel: camera.pixel() };
        let appearances = recording.appearances(&wanted);
        let span = recording.span().unwrap_or((0.0, 0.0));
        let toning = Toning::of(recording.bodies(), settings.show.tint, span);
        let mut renderer = Self {
            camera,
            view,
            light,
            radius: focus.radius(),
            enlarged: enlargements(&appearances),
            toning,
            surface: Surface::of(recording, &appearances, toning),
            lines: recording.bodies().iter().enumerate().flat_map(structure).collect(),
            joints: recording.joints().to_vec(),
            annotations: Annotations::of(recording, focus.radius(), settings.metres_per_newton)?,
            // A little more than what is looked at, so that shadows that fall beyond it are there.
            shadow: Shadow::new(light.sun, focus.center(), 1.4 * focus.radius()),
            layer: Layer::default(),
            overlay: Overlay::default(),
            scenery: None,
            settings,
        };
        renderer.scenery = renderer.scenery(recording).map(Arc::new);
        Ok(renderer)
    }

    /// The camera in use.
    pub fn camera(&self) -> &Camera {
        &self.camera
    }

    /// The length of arrows in use.
    pub fn metres_per_newton(&self) -> f64 {
        self.annotations.force_scale
    }

    /// The length of arrows of velocities in use, m for 1 m/s.
    pub fn metres_per_speed(&self) -> f64 {
        self.annotations.speed_scale
    }

    /// What is drawn.
    pub fn show(&self) -> Show {
        self.settings.show
    }

    /// What the legend says first.
    pub(super) fn notes(&self) -> &[String] {
        &self.settings.notes
    }

    /// Radius of the region of interest, m.
    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    /// What colours stand for, if they stand for numbers.
    pub(super) fn toning(&self) -> Option<&Toning> {
        self.toning.as_ref()
    }

    /// How many times as large as they are facets are drawn: each number once, where that is not one.
    pub(super) fn enlarged(&self) -> &[f64] {
        &self.enlarged
    }

    /// Size of the pictures in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.settings.width, self.settings.height]
    }

    /// The picture of a frame, which must have a state for every body of the recording, and the vertices of those that deform, as
    /// [`Recording::frame`] and [`Recording::at`] give it.
    pub fn draw(&mut self, frame: &Frame) -> Image {
        let size = [self.settings.width, self.settings.height].map(|n| n as usize * SAMPLES);
        self.surface.place(frame, &self.view, &self.shadow);
        let (surface, view, layer, shadow) = (&self.surface, &self.view, &mut self.layer, &mut self.shadow);
        let scenery = self.scenery.take().filter(|scenery| scenery.fits(frame));
        rayon::join(
            || {
                match &scenery {
                    Some(scenery) => shadow.begin_with(&scenery.shadow),
                    None => {
                        shadow.clear();
                        shadow.cast(surface.world_triangles(true));
                    }
                }
                shadow.cast(surface.world_triangles(false));
            },
            || {
                match &scenery {
                    Some(scenery) => layer.copy_from(&scenery.layer),
                    None => {
                        layer.clear(size, 0.0);
                        surface.fill(view, layer, true);
                    }
                }
                surface.fill(view, layer, false);
            },
        );
        self.scenery = scenery;
        if self.settings.show.lines {
            self.fill_lines(frame);
        }
        if self.has_overlay() {
            self.overlay.clear(size);
            self.annotate(frame);
        }
        self.resolve()
    }

    /// What is drawn over the bodies, and fainter where it is behind one.
    fn has_overlay(&self) -> bool {
        let Show { forces, contacts, velocity, trails, joints, .. } = self.settings.show;
        forces || contacts || velocity || trails || joints
    }

    /// A width in pixels of a picture 360 high, in samples.
    fn samples(&self, width: f64) -> f64 {
        width * (f64::from(self.settings.height) / 360.0).max(0.7) * SAMPLES as f64
    }

    fn fill_lines(&mut self, frame: &Frame) {
        let width = self.samples(LINE_WIDTH);
        for (i, line) in self.lines.iter().enumerate() {
            let Some(state) = frame.states.get(line.body) else { continue };
            let carried = |x| line.triangle.and_then(|triangle| self.surface.carried(line.body, triangle, x));
            let ends = line.ends.map(|x| self.view.of_world(carried(x).unwrap_or_else(|| state.pose.apply(x))));
            let number = (self.surface.len() + i) as u32;
            stroke::stroke(ends, width, LINE_LIFT * self.radius, number, &self.view, &mut self.layer);
        }
    }

    /// Colours of samples, averaged over pixels. Rows do not depend on each other, so threads share them.
    fn resolve(&self) -> Image {
        let mut image = Image::filled(self.settings.width, self.settings.height, [255; 4]);
        let width = self.settings.width as usize;
        let rows = image.pixels_mut().par_chunks_exact_mut(width).enumerate();
        rows.for_each(|(row, pixels)| self.resolve_row(row, pixels));
        image
    }

    fn resolve_row(&self, row: usize, pixels: &mut [[u8; 4]]) {
        let background = self.background(row);
        for (column, pixel) in pixels.iter_mut().enumerate() {
            let alone = self.alone(row, column).filter(|_| !self.is_overlaid(row, column));
            let light = match alone {
                Some(number) => self.shade_pixel(number, row, column, background),
                None => self.average(row, column, background),
            };
            let [r, g, b] = srgb(light);
            *pixel = [r, g, b, 255];
        }
    }

    /// Light of the background in a row.
    fn background(&self, row: usize) -> Vec3 {
        Light::background((row as f32 + 0.5) / self.settings.height as f32)
    }

    /// What all samples of a pixel show, if that is one thing: one triangle, or triangles of a body that meet smoothly; then one of them.
    fn alone(&self, row: usize, column: usize) -> Option<u32> {
        let samples = |j: usize| &self.layer.numbers(SAMPLES * row + j)[SAMPLES * column..][..SAMPLES];
        let number = samples(0)[0];
        let one = |&n: &u32| n == number || self.surface.goes_on(number, n);
        (0..SAMPLES).all(|j| samples(j).iter().all(one)).then_some(number)
    }

    /// Light of a pixel that shows one thing.
    fn shade_pixel(&self, number: u32, row: usize, column: usize, background: Vec3) -> Vec3 {
        let known = self.scenery.as_ref().and_then(|scenery| scenery.point(row, column));
        if let Some(still) = known.filter(|still| still.number == number) {
            let lit = self.lit(&still.point);
            return if lit == still.lit { still.light } else { self.thrown_back(&still.point, lit, background) };
        }
        let middle = [(column as f64 + 0.5) * SAMPLES as f64, (row as f64 + 0.5) * SAMPLES as f64];
        self.shade(number, middle, background)
    }

    fn is_overlaid(&self, row: usize, column: usize) -> bool {
        self.has_overlay()
            && (0..SAMPLES).any(|j| self.overlay.touches(SAMPLES * row + j, SAMPLES * column..SAMPLES * (column + 1)))
    }

    /// The mean of the samples of a pixel.
    fn average(&self, row: usize, column: usize, background: Vec3) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for y in SAMPLES * row..SAMPLES * (row + 1) {
            for x in SAMPLES * column..SAMPLES * (column + 1) {
                let place = [x as f64 + 0.5, y as f64 + 0.5];
                let mut light = self.shade(self.layer.numbers(y)[x], place, background);
                if self.has_overlay() {
                    let lit = |color, normal| self.light.reflected(color, normal, 1.0);
                    light = self.overlay.over(light, [x, y], self.layer.nearness(y)[x], &self.view, lit);
                }
                sum += light;
            }
        }
        sum / (SAMPLES * SAMPLES) as f32
    }

    /// Light from a triangle, a line or the background at a place in samples.
    fn shade(&self, number: u32, place: [f64; 2], background: Vec3) -> Vec3 {
        if number == NOTHING {
            return background;
        }
        if let Some(line) = (number as usize).checked_sub(self.surface.len()) {
            let paint = self.surface.luminance(self.lines[line].body);
            return linear_rgb(LINES[usize::from(paint < LIGHT_PAINT)]);
        }
        let point = self.surface.point(number as usize, place, SAMPLES as f64, &self.view);
        self.thrown_back(&point, self.lit(&point), background)
    }

    /// The part of the sun that reaches a point.
    fn lit(&self, point: &SurfacePoint) -> f32 {
        let faces = point.normal.dot(self.light.sun.as_vec3()) > 0.0;
        if faces { self.shadow.light(point.position, point.normal) } else { 0.0 }
    }

    /// Light that a point throws back to the eye.
    fn thrown_back(&self, point: &SurfacePoint, lit: f32, background: Vec3) -> Vec3 {
        let light = self.light.reflected(point.color, point.facet, lit);
        if point.ground {
            return background.lerp(light, self.light.presence(point.position));
        }
        let to_eye = (self.view.eye - point.position).normalize_or_zero().as_vec3();
        let highlight = self.light.highlight(point.facet, to_eye, lit * point.gloss);
        light * Light::edge(point.normal.dot(to_eye)) + highlight
    }
}

/// The different enlargements of facets, sorted, without one.
fn enlargements(appearances: &[Option<Arc<Appearance>>]) -> Vec<f64> {
    let bumps = appearances.iter().flatten().filter_map(|own| own.bumps.as_ref());
    let mut all: Vec<f64> = bumps.map(|bumps| bumps.enlarged).filter(|&times| times > 1.0).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

#[cfg(test)]
mod shading_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tone_tests;
