//! What a frame shows beside its bodies: forces, contacts, velocities, trails and joints.
//!
//! An arrow of a force F has the length s F, one of a velocity v the length s v. Without a scale of its own, s is chosen such that a large value (only 5 % are larger) gets
//! [`LARGE`] of the radius of the region of interest; longer arrows than [`LONGEST`] of it are cut.

use glam::DVec3;

use super::arrow::ArrowSize;
use super::{Renderer, SAMPLES};
use crate::contact::{ContactForce, ForceParts, Grip};
use crate::record::{Frame, LineKind, RecordError, Recording};

/// Colours: normal forces, friction, velocities, trails.
pub(in crate::record) const NORMAL: [u8; 3] = [38, 84, 196];
pub(in crate::record) const FRICTION: [u8; 3] = [214, 40, 57];
pub(in crate::record) const VELOCITY: [u8; 3] = [20, 140, 90];
const TRAIL: [u8; 3] = [120, 60, 150];
/// Contacts that stick, slide and are open.
pub(in crate::record) const STICK: [u8; 3] = [30, 150, 60];
pub(in crate::record) const SLIDE: [u8; 3] = [240, 130, 20];
pub(in crate::record) const OPEN: [u8; 3] = [150, 156, 164];
/// What holds, and springs.
const RIGID: [u8; 3] = [24, 176, 190];
const SPRING: [u8; 3] = [236, 140, 20];
/// Widths of lines and the radius of dots, in pixels of a picture 360 high; more in larger ones.
const JOINT_WIDTH: f64 = 2.0;
const TRAIL_WIDTH: f64 = 1.6;
const DOT: f64 = 3.2;
/// How much nearer than they are lines and dots are drawn, in parts of the radius of the region of interest.
const LIFT: f64 = 0.004;
/// Length of the arrow of a large value, and of the longest ones, in parts of the radius.
const LARGE: f64 = 0.35;
const LONGEST: f64 = 0.8;
/// Most points of a trail.
const TRAIL_POINTS: usize = 400;

/// A place on the way of a body.
#[derive(Clone, Copy, Debug)]
struct Waypoint {
    t: f64,
    place: DVec3,
}

/// Scales of arrows, and what trails are drawn of.
#[derive(Clone, Debug)]
pub(super) struct Annotations {
    /// Metres a newton.
    pub(super) force_scale: f64,
    /// Metres for a metre a second.
    pub(super) speed_scale: f64,
    /// Whether long arrows are cut.
    cut: bool,
    /// Whether each body moves: forces are drawn on those.
    moving: Vec<bool>,
    trails: Vec<Vec<Waypoint>>,
}

impl Annotations {
    pub(super) fn of(recording: &Recording, radius: f64, given: Option<f64>) -> Result<Self, RecordError> {
        let forces = recording.frames().iter().flat_map(|frame| &frame.forces).map(|contact| contact.force.length());
        let speeds = recording.frames().iter().flat_map(|frame| &frame.states).map(|state| state.velocity.length());
        let force_scale = match given {
            Some(scale) if scale > 0.0 && scale.is_finite() => scale,
            Some(value) => {
                let reason = "the length of arrows must be positive";
                return Err(RecordError::Setting { setting: "metres_per_newton", value, reason });
            }
            None => LARGE * radius / large(forces),
        };
        let frames = recording.frames();
        let every = frames.len().div_ceil(TRAIL_POINTS).max(1);
        let trail = |body: usize| {
            let at = |frame: &Frame| Waypoint { t: frame.t, place: frame.states[body].pose.position };
            frames.iter().step_by(every).map(at).collect()
        };
        let moving: Vec<bool> = recording.bodies().iter().map(|body| body.moving).collect();
        Ok(Self {
            force_scale,
            speed_scale: LARGE * radius / large(speeds),
            cut: given.is_none(),
            trails: (0..moving.len()).filter(|&body| moving[body]).map(trail).collect(),
            moving,
        })
    }
}

/// A value that only 5 % of all are larger than; 1 if there is none.
fn large(all: impl Iterator<Item = f64>) -> f64 {
    let mut sizes: Vec<f64> = all.filter(|&size| size > 0.0).collect();
    if sizes.is_empty() {
        return 1.0;
    }
    let rank = (sizes.len() - 1) * 95 / 100;
    *sizes.select_nth_unstable_by(rank, f64::total_cmp).1
}

impl Renderer {
    /// Draws what is to be shown over the bodies of a frame.
    pub(super) fn annotate(&mut self, frame: &Frame) {
        let show = self.settings.show;
        if show.trails {
            self.draw_trails(frame);
        }
        if show.forces {
            self.draw_forces(frame);
        }
        if show.velocity {
            self.draw_velocities(frame);
        }
        self.overlay.fill_arrows(&self.view);
        if show.joints {
            self.draw_joints(frame);
        }
        if show.contacts {
            self.draw_contacts(frame);
        }
    }

    fn arrow_size(&self) -> ArrowSize {
        // At least two pixels thick, or arrows seen from far away would be torn.
        let pixel = SAMPLES as f64 * (self.camera.eye - self.camera.target).length() / self.view.focal;
        let shaft = pixel.max(0.011 * self.radius);
        ArrowSize { shaft, tip: 2.8 * shaft, tip_length: 7.5 * shaft }
    }

    fn draw_forces(&mut self, frame: &Frame) {
        let size = self.arrow_size();
        let longest = if self.annotations.cut { LONGEST * self.radius } else { f64::MAX };
        for contact in &frame.forces {
            let moves = contact.pair.map(|body| self.annotations.moving.get(body as usize).copied().unwrap_or(false));
            let ForceParts { normal, friction } = contact.parts();
            for share in ContactForce::shares(moves) {
                for (part, color) in [(normal, NORMAL), (friction, FRICTION)] {
                    let along = (part * share * self.annotations.force_scale).clamp_length_max(longest);
                    self.overlay.arrow(contact.point, along, &size, color, &self.view);
                }
            }
        }
    }

    fn draw_velocities(&mut self, frame: &Frame) {
        let size = self.arrow_size();
        let moving = frame.states.iter().zip(&self.annotations.moving).filter(|(_, moving)| **moving);
        for (state, _) in moving {
            let along = (state.velocity * self.annotations.speed_scale).clamp_length_max(LONGEST * self.radius);
            self.overlay.arrow(state.pose.position, along, &size, VELOCITY, &self.view);
        }
    }

    fn draw_trails(&mut self, frame: &Frame) {
        let (width, lift) = (self.samples(TRAIL_WIDTH), LIFT * self.radius);
        for trail in &self.annotations.trails {
            for pair in trail.windows(2).take_while(|pair| pair[1].t <= frame.t) {
                self.overlay.line([pair[0].place, pair[1].place], width, lift, TRAIL, &self.view);
            }
        }
    }

    fn draw_joints(&mut self, frame: &Frame) {
        let (width, lift) = (self.samples(JOINT_WIDTH), LIFT * self.radius);
        for line in &self.joints {
            let [Some(a), Some(b)] =
                line.ends.map(|end| end.place(|body| frame.states.get(body).map(|state| state.pose)))
            else {
                continue;
            };
            let color = match line.kind {
                LineKind::Rigid => RIGID,
                LineKind::Spring => SPRING,
            };
            self.overlay.line([a, b], width, lift, color, &self.view);
        }
    }

    fn draw_contacts(&mut self, frame: &Frame) {
        let (radius, lift) = (self.samples(DOT), 2.0 * LIFT * self.radius);
        for contact in &frame.forces {
            let color = match contact.grip() {
                Grip::Stick => STICK,
                Grip::Slide => SLIDE,
                Grip::Open => OPEN,
            };
            self.overlay.dot(contact.point, radius, lift, color, &self.view);
        }
    }
}
