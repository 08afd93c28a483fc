//! Pictures of a recording, without a graphics card.
//!
//! Triangles are filled into a grid of 2×2 samples a pixel that keeps the nearest (`fill`); then every pixel is shaded once if
//! one triangle covers it, sample by sample if not. Light is added in linear values and encoded as sRGB at the end. The same
//! frame gives the same bytes, whatever the number of threads.

mod arrow;
mod camera;
pub(super) mod color;
mod fill;
mod framing;
mod light;
mod shadow;
mod stroke;
mod surface;
mod texture;

use std::thread;

use glam::{DVec3, Vec3};

use super::{Frame, Image, JointLine, LineKind, RecordError, Recording};
use arrow::{ArrowSize, Arrows};
pub use camera::Camera;
use camera::View;
use color::{linear_rgb, srgb};
use fill::{Layer, NOTHING};
use framing::Focus;
use light::Light;
use shadow::Shadow;
use surface::Surface;
pub(super) use surface::{DARKER, plane_axes};

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
/// Colour of contact forces.
const FORCE: [u8; 3] = [214, 40, 57];
/// Colours of what holds and of springs, and the width of their lines, as that of structure lines.
const RIGID: [u8; 3] = [24, 176, 190];
const SPRING: [u8; 3] = [236, 140, 20];
const JOINT_WIDTH: f64 = 2.0;
/// How much is left of an arrow or of a joint behind a surface.
const HIDDEN: f32 = 0.5;
/// Length of the arrow of a large force (only 5 % are larger), and of the longest ones, in parts of the radius.
const ARROW: [f64; 2] = [0.35, 0.8];

/// How pictures are made.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderSettings {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Where from; if none, a view that shows all that moves in all frames.
    pub camera: Option<Camera>,
    /// Draws the structure directions of the bodies.
    pub structure: bool,
    /// Draws contact forces as arrows.
    pub forces: bool,
    /// Draws the lines of joints.
    pub joints: bool,
    /// Length of arrows; if none, large forces get a third of the radius of the scene, and
    /// the longest arrows are cut.
    pub metres_per_newton: Option<f64>,
}

impl Default for RenderSettings {
    fn default() -> Self {
        Self {
            width: 640,
            height: 360,
            camera: None,
            structure: false,
            forces: false,
            joints: false,
            metres_per_newton: None,
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
    metres_per_newton: f64,
    surface: Surface,
    lines: Vec<StructureLine>,
    joints: Vec<JointLine>,
    /// Whether each body moves: forces are drawn on those.
    moving: Vec<bool>,
    shadow: Shadow,
    arrows: Arrows,
    layer: Layer,
    overlay: Layer,
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
        let camera = settings.camera.unwrap_or_else(|| focus.camera(aspect));
        let near = NEAR * (camera.eye - camera.target).length();
        let size = [settings.width, settings.height].map(|n| n as usize * SAMPLES);
        let view = View::new(&camera, size, near)?;
        let light = Light::new(&view.axes, focus.center(), focus.radius());
        let structure = |(body, recorded): (usize, &super::RecordedBody)| {
            let triangle = |i: usize| recorded.deforming.as_ref().map(|deforming| deforming.line_triangles[i]);
            let line = |(i, &ends)| StructureLine { body, ends, triangle: triangle(i) };
            recorded.structure.iter().enumerate().map(line).collect::<Vec<_>>()
        };
        let metres_per_newton = match settings.metres_per_newton {
            Some(scale) if scale > 0.0 && scale.is_finite() => scale,
            Some(value) => {
                let reason = "the length of arrows must be positive";
                return Err(RecordError::Setting { setting: "metres_per_newton", value, reason });
            }
            None => ARROW[0] * focus.radius() / large_force(recording),
        };
        Ok(Self {
            camera,
            view,
            light,
            radius: focus.radius(),
            metres_per_newton,
            surface: Surface::of(recording),
            lines: recording.bodies().iter().enumerate().flat_map(structure).collect(),
            joints: recording.joints().to_vec(),
            moving: recording.bodies().iter().map(|body| body.moving).collect(),
            // A little more than what is looked at, so that shadows that fall beyond it are there.
            shadow: Shadow::new(light.sun, focus.center(), 1.4 * focus.radius()),
            arrows: Arrows::default(),
            layer: Layer::default(),
            overlay: Layer::default(),
            settings,
        })
    }

    /// The camera in use.
    pub fn camera(&self) -> &Camera {
        &self.camera
    }

    /// The length of arrows in use.
    pub fn metres_per_newton(&self) -> f64 {
        self.metres_per_newton
    }

    /// Size of the pictures in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.settings.width, self.settings.height]
    }

    /// The picture of a frame, which must have a state for every body of the recording, and the vertices of those that deform, as
    /// [`Recording::frame`] and [`Recording::at`] give it.
    pub fn draw(&mut self, frame: &Frame) -> Image {
        let size = [self.settings.width, self.settings.height].map(|n| n as usize * SAMPLES);
        self.surface.place(frame, &self.view);
        let (surface, view, layer, shadow) = (&self.surface, &self.view, &mut self.layer, &mut self.shadow);
        thread::scope(|scope| {
            scope.spawn(|| shadow.cast(surface.world_triangles()));
            layer.clear(size, 0.0);
            surface.fill(view, layer);
        });
        if self.settings.structure {
            self.fill_lines(frame);
        }
        if self.has_overlay() {
            self.overlay.clear(size, 0.0);
            self.arrows.clear();
        }
        if self.settings.forces {
            self.fill_arrows(frame);
        }
        if self.settings.joints {
            self.fill_joints(frame);
        }
        self.resolve()
    }

    /// What is drawn over the bodies, and fainter where it is behind one.
    fn has_overlay(&self) -> bool {
        self.settings.forces || self.settings.joints
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

    fn fill_arrows(&mut self, frame: &Frame) {
        // At least two pixels thick, or arrows seen from far away would be torn.
        let pixel = SAMPLES as f64 * (self.camera.eye - self.camera.target).length() / self.view.focal;
        let shaft = pixel.max(0.011 * self.radius);
        let sizes = ArrowSize { shaft, tip: 2.8 * shaft, tip_length: 7.5 * shaft };
        for contact in &frame.forces {
            let longest = if self.settings.metres_per_newton.is_some() { f64::MAX } else { ARROW[1] * self.radius };
            let moves = contact.pair.map(|body| self.moving.get(body as usize).copied().unwrap_or(false));
            for force in contact.on_moving(moves) {
                let along = (force * self.metres_per_newton).clamp_length_max(longest);
                self.arrows.add(contact.point, along, &sizes, &self.view);
            }
        }
        self.arrows.fill(&self.view, &mut self.overlay);
    }

    /// Lines are numbered after the triangles of the arrows.
    fn fill_joints(&mut self, frame: &Frame) {
        let width = self.samples(JOINT_WIDTH);
        for (i, line) in self.joints.iter().enumerate() {
            let [Some(a), Some(b)] =
                line.ends.map(|end| end.place(|body| frame.states.get(body).map(|state| state.pose)))
            else {
                continue;
            };
            let ends = [a, b].map(|x| self.view.of_world(x));
            let number = (self.arrows.len() + i) as u32;
            stroke::stroke(ends, width, LINE_LIFT * self.radius, number, &self.view, &mut self.overlay);
        }
    }

    /// Light from an arrow or a joint at a place in samples.
    fn shade_overlay(&self, number: usize, place: [f64; 2]) -> Vec3 {
        match number.checked_sub(self.arrows.len()).and_then(|line| self.joints.get(line)) {
            Some(JointLine { kind: LineKind::Rigid, .. }) => linear_rgb(RIGID),
            Some(JointLine { kind: LineKind::Spring, .. }) => linear_rgb(SPRING),
            None => {
                let normal = self.arrows.normal(number, self.view.ray(place[0], place[1]));
                self.light.reflected(linear_rgb(FORCE), normal, 1.0)
            }
        }
    }

    /// Colours of samples, averaged over pixels. Rows do not depend on each other, so threads share them.
    fn resolve(&self) -> Image {
        let mut image = Image::filled(self.settings.width, self.settings.height, [255; 4]);
        let width = self.settings.width as usize;
        let threads = thread::available_parallelism().map_or(1, usize::from);
        // Four bands a thread: rows of background cost less than others.
        let band = (self.settings.height as usize).div_ceil(4 * threads);
        thread::scope(|scope| {
            for (i, pixels) in image.pixels_mut().chunks_mut(band * width).enumerate() {
                scope.spawn(move || {
                    let rows = pixels.chunks_exact_mut(width).enumerate();
                    rows.for_each(|(row, pixels)| self.resolve_row(i * band + row, pixels));
                });
            }
        });
        image
    }

    fn resolve_row(&self, row: usize, pixels: &mut [[u8; 4]]) {
        let background = Light::background((row as f32 + 0.5) / self.settings.height as f32);
        let numbers: [&[u32]; SAMPLES] = std::array::from_fn(|j| self.layer.numbers(SAMPLES * row + j));
        for (column, pixel) in pixels.iter_mut().enumerate() {
            let start = SAMPLES * column;
            let number = numbers[0][start];
            let alone = numbers.iter().all(|row| row[start..start + SAMPLES].iter().all(|&n| n == number));
            let light = if alone && !self.is_overlaid(row, column) {
                let middle = [(column as f64 + 0.5) * SAMPLES as f64, (row as f64 + 0.5) * SAMPLES as f64];
                self.shade(number, middle, background)
            } else {
                self.average(row, column, background)
            };
            let [r, g, b] = srgb(light);
            *pixel = [r, g, b, 255];
        }
    }

    fn is_overlaid(&self, row: usize, column: usize) -> bool {
        self.has_overlay()
            && (0..SAMPLES).any(|j| {
                let numbers = self.overlay.numbers(SAMPLES * row + j);
                numbers[SAMPLES * column..][..SAMPLES].iter().any(|&n| n != NOTHING)
            })
    }

    /// The mean of the samples of a pixel.
    fn average(&self, row: usize, column: usize, background: Vec3) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for y in SAMPLES * row..SAMPLES * (row + 1) {
            for x in SAMPLES * column..SAMPLES * (column + 1) {
                let place = [x as f64 + 0.5, y as f64 + 0.5];
                let mut light = self.shade(self.layer.numbers(y)[x], place, background);
                if self.has_overlay() && self.overlay.numbers(y)[x] != NOTHING {
                    let over = self.shade_overlay(self.overlay.numbers(y)[x] as usize, place);
                    let visible = self.overlay.nearness(y)[x] >= self.layer.nearness(y)[x];
                    light = light.lerp(over, if visible { 1.0 } else { HIDDEN });
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
        let lit = if point.normal.dot(self.light.sun.as_vec3()) > 0.0 {
            self.shadow.light(point.position, point.normal)
        } else {
            0.0
        };
        let light = self.light.reflected(point.color, point.normal, lit);
        if point.ground {
            return background.lerp(light, self.light.presence(point.position));
        }
        let to_eye = (self.view.eye - point.position).normalize_or_zero().as_vec3();
        light * Light::edge(point.normal.dot(to_eye)) + self.light.highlight(point.normal, to_eye, lit)
    }
}

/// A force that only 5 % of all are larger than; 1 N if there is none.
fn large_force(recording: &Recording) -> f64 {
    let all = recording.frames().iter().flat_map(|frame| &frame.forces).map(|contact| contact.force.length());
    let mut sizes: Vec<f64> = all.filter(|&size| size > 0.0).collect();
    if sizes.is_empty() {
        return 1.0;
    }
    let rank = (sizes.len() - 1) * 95 / 100;
    *sizes.select_nth_unstable_by(rank, f64::total_cmp).1
}

#[cfg(test)]
mod tests;
