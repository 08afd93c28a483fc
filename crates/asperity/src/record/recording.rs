//! The data of a run that all writers take: bodies once, their states frame by frame.

use std::collections::HashSet;
use std::sync::Arc;

use glam::DVec3;

use super::error::{RecordError, finite, finite_all};
use super::image::Image;
use super::joint_line::{self, JointLine};
use crate::contact::ContactForce;
use crate::geometry::{Pose, SkinMesh};

/// Rounding over a run leaves quaternions a little off the unit sphere; more than this is an error of the caller.
const UNIT_SLACK: f64 = 1e-6;

/// What a surface looks like.
#[derive(Clone, Debug, PartialEq)]
pub enum Paint {
    /// One sRGB colour.
    Color([u8; 3]),
    /// An image laid on by the texture coordinates of the skin.
    Texture(Arc<Image>),
    /// Squares in two shades of an sRGB colour, so that motion over large surfaces can be judged.
    Checker {
        /// The lighter shade.
        color: [u8; 3],
        /// Side of a square in metres.
        cell: f64,
    },
}

/// A body as it is shown. Bodies that look the same can share a skin; exports then store it once.
#[derive(Clone, Debug)]
pub struct RecordedBody {
    /// Unlike that of any other body.
    pub name: String,
    /// Its surface, in body coordinates.
    pub skin: Arc<SkinMesh>,
    /// What it looks like.
    pub paint: Paint,
    /// Structure directions as line segments, in body coordinates; drawn on request.
    pub structure: Vec<[DVec3; 2]>,
    /// Whether it can move at all; a static body keeps its first pose.
    pub moving: bool,
}

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameState {
    /// Place and orientation.
    pub pose: Pose,
    /// Velocity of the body's origin, m/s.
    pub velocity: DVec3,
    /// Angular velocity in world coordinates, rad/s.
    pub angular_velocity: DVec3,
}

impl FrameState {
    /// At rest.
    pub fn resting(pose: Pose) -> Self {
        Self { pose, ..Self::default() }
    }
}

/// One moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Time in seconds.
    pub t: f64,
    /// One state a body, in the order of the bodies.
    pub states: Vec<FrameState>,
    /// The contacts, as many as there are.
    pub forces: Vec<ContactForce>,
    /// Force (N) and torque (N m) that each joint transmits; none in recordings that know of no joints.
    pub joints: Vec<[f64; 2]>,
}

/// Bodies and frames that fit together; what does not is refused when it is added.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    bodies: Vec<RecordedBody>,
    joints: Vec<JointLine>,
    frames: Vec<Frame>,
}

impl Recording {
    /// A recording of these bodies, without frames yet.
    pub fn new(bodies: Vec<RecordedBody>) -> Result<Self, RecordError> {
        let mut names = HashSet::new();
        for (i, body) in bodies.iter().enumerate() {
            let name = || body.name.clone();
            if body.name.is_empty() {
                return Err(RecordError::Name { body: i, name: name(), reason: "empty" });
            }
            if !names.insert(body.name.as_str()) {
                return Err(RecordError::Name { body: i, name: name(), reason: "taken" });
            }
            check_body(body)?;
        }
        Ok(Self { bodies, joints: Vec::new(), frames: Vec::new() })
    }

    /// With lines that show joints; drawn on request.
    pub fn with_joints(self, joints: Vec<JointLine>) -> Result<Self, RecordError> {
        joints.iter().enumerate().try_for_each(|(i, line)| joint_line::check(i, line, self.bodies.len()))?;
        Ok(Self { joints, ..self })
    }

    /// The same bodies and joints, without frames.
    pub fn emptied(&self) -> Self {
        Self { bodies: self.bodies.clone(), joints: self.joints.clone(), frames: Vec::new() }
    }

    /// Adds a frame after the last one.
    pub fn push(&mut self, frame: Frame) -> Result<(), RecordError> {
        let number = self.frames.len();
        check_frame(number, &frame, self.bodies.len())?;
        if let Some(last) = self.frames.last()
            && frame.t <= last.t
        {
            return Err(RecordError::Time { frame: number, t: frame.t, previous: last.t });
        }
        self.frames.push(frame);
        Ok(())
    }

    /// The bodies.
    pub fn bodies(&self) -> &[RecordedBody] {
        &self.bodies
    }

    /// Lines that show joints.
    pub fn joints(&self) -> &[JointLine] {
        &self.joints
    }

    /// The frames, in the order of time.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// First and last time.
    pub fn span(&self) -> Result<(f64, f64), RecordError> {
        match (self.frames.first(), self.frames.last()) {
            (Some(first), Some(last)) => Ok((first.t, last.t)),
            _ => Err(RecordError::NoFrame),
        }
    }

    /// The moment t: poses and velocities between those of the two frames around it, contacts of the nearer one. Before the
    /// first frame it is the first, after the last the last.
    pub fn at(&self, t: f64) -> Result<Frame, RecordError> {
        between(&self.frames, t).ok_or(RecordError::NoFrame)
    }
}

/// The moment t of frames in the order of time, as [`Recording::at`] has it; none if there are no frames.
pub fn between(frames: &[Frame], t: f64) -> Option<Frame> {
    let after = frames.partition_point(|frame| frame.t <= t);
    let upper = frames.get(after).or(frames.last())?;
    let lower = &frames[after.saturating_sub(1)];
    let span = upper.t - lower.t;
    let s = if span > 0.0 { ((t - lower.t) / span).clamp(0.0, 1.0) } else { 0.0 };
    let between = |(a, b): (&FrameState, &FrameState)| FrameState {
        pose: Pose {
            position: a.pose.position.lerp(b.pose.position, s),
            rotation: a.pose.rotation.slerp(b.pose.rotation, s),
        },
        velocity: a.velocity.lerp(b.velocity, s),
        angular_velocity: a.angular_velocity.lerp(b.angular_velocity, s),
    };
    Some(Frame {
        t: lower.t + s * span,
        states: lower.states.iter().zip(&upper.states).map(between).collect(),
        forces: if s < 0.5 { lower.forces.clone() } else { upper.forces.clone() },
        joints: lower.joints.iter().zip(&upper.joints).map(|(a, b)| [0, 1].map(|k| a[k] + s * (b[k] - a[k]))).collect(),
    })
}

/// Refuses a skin whose lists do not fit together, and numbers that are not finite.
fn check_body(body: &RecordedBody) -> Result<(), RecordError> {
    let place = || format!("body '{}'", body.name);
    let skin = &*body.skin;
    let corners = skin.positions.len();
    let fits = |what, found: usize, optional: bool| match (found, optional) {
        (0, true) => Ok(()),
        _ if found == corners => Ok(()),
        _ => Err(RecordError::Length { place: place(), what, expected: corners, found }),
    };
    fits("normals", skin.normals.len(), false)?;
    fits("texture coordinates", skin.uvs.len(), !matches!(body.paint, Paint::Texture(_)))?;
    fits("tangents", skin.tangents.len(), true)?;
    for (triangle, numbers) in skin.triangles.iter().enumerate() {
        if let Some(&corner) = numbers.iter().find(|&&c| c as usize >= corners) {
            return Err(RecordError::Corner { body: body.name.clone(), triangle, corner, corners });
        }
    }
    skin.positions.iter().try_for_each(|x| finite_all(x.to_array(), "a corner", place))?;
    skin.normals.iter().try_for_each(|n| finite_all(n.to_array(), "a normal", place))?;
    skin.uvs.iter().try_for_each(|uv| finite_all(uv.to_array(), "a texture coordinate", place))?;
    body.structure.iter().flatten().try_for_each(|x| finite_all(x.to_array(), "a structure line", place))?;
    match body.paint {
        Paint::Checker { cell, .. } if !(cell > 0.0 && cell.is_finite()) => {
            Err(RecordError::Setting { setting: "cell", value: cell, reason: "the side of a square must be positive" })
        }
        _ => Ok(()),
    }
}

/// Refuses a frame with another number of states than bodies, and numbers that are not finite.
pub(super) fn check_frame(number: usize, frame: &Frame, bodies: usize) -> Result<(), RecordError> {
    let place = || format!("frame {number}");
    finite(frame.t, "t", place)?;
    if frame.states.len() != bodies {
        return Err(RecordError::Length {
            place: place(),
            what: "states",
            expected: bodies,
            found: frame.states.len(),
        });
    }
    for (i, state) in frame.states.iter().enumerate() {
        let place = || format!("frame {number}, body {i}");
        finite_all(state.pose.position.to_array(), "the position", place)?;
        finite_all(state.pose.rotation.to_array(), "the rotation", place)?;
        finite_all(state.velocity.to_array(), "the velocity", place)?;
        finite_all(state.angular_velocity.to_array(), "the angular velocity", place)?;
        let length = state.pose.rotation.length();
        if (length - 1.0).abs() > UNIT_SLACK {
            return Err(RecordError::NotUnit { place: place(), length });
        }
    }
    frame.forces.iter().try_for_each(|contact| {
        finite_all(contact.point.to_array(), "a contact point", place)?;
        finite_all(contact.force.to_array(), "a contact force", place)
    })
}

#[cfg(test)]
mod tests {
    use super::super::test_bodies::{body, frame};
    use super::*;
    use glam::DQuat;
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn lists_that_do_not_fit_are_refused_with_the_place() {
        let mut odd = body("plank");
        Arc::make_mut(&mut odd.skin).normals.pop();
        let error = Recording::new(vec![odd]).unwrap_err().to_string();
        assert!(error.contains("plank") && error.contains("normals"), "{error}");

        let mut odd = body("plank");
        Arc::make_mut(&mut odd.skin).triangles.push([0, 1, 99]);
        assert!(Recording::new(vec![odd]).unwrap_err().to_string().contains("99"));

        let mut bare = body("plank");
        Arc::make_mut(&mut bare.skin).uvs.clear();
        assert!(Recording::new(vec![bare.clone()]).is_ok());
        bare.paint = Paint::Texture(Arc::new(Image::filled(1, 1, [0; 4])));
        assert!(matches!(Recording::new(vec![bare]), Err(RecordError::Length { what: "texture coordinates", .. })));

        assert!(matches!(Recording::new(vec![body("a"), body("a")]), Err(RecordError::Name { reason: "taken", .. })));
        assert!(matches!(Recording::new(vec![body("")]), Err(RecordError::Name { reason: "empty", .. })));
        let flat = RecordedBody { paint: Paint::Checker { color: [0; 3], cell: 0.0 }, ..body("a") };
        assert!(matches!(Recording::new(vec![flat]), Err(RecordError::Setting { setting: "cell", .. })));
    }

    #[test]
    fn frames_that_make_no_sense_are_refused_and_not_kept() {
        let mut recording = Recording::new(vec![body("a")]).unwrap();
        recording.push(frame(0.0, &[DVec3::ZERO])).unwrap();
        assert!(matches!(recording.push(frame(1.0, &[])), Err(RecordError::Length { what: "states", .. })));
        assert!(matches!(recording.push(frame(0.0, &[DVec3::ZERO])), Err(RecordError::Time { .. })));
        assert!(matches!(recording.push(frame(f64::NAN, &[DVec3::ZERO])), Err(RecordError::NotFinite { .. })));
        assert!(matches!(recording.push(frame(1.0, &[DVec3::INFINITY])), Err(RecordError::NotFinite { .. })));
        let mut long = frame(1.0, &[DVec3::ZERO]);
        long.states[0].pose.rotation = DQuat::from_xyzw(0.0, 0.0, 0.0, 1.1);
        assert!(matches!(recording.push(long), Err(RecordError::NotUnit { .. })));
        let mut force = frame(1.0, &[DVec3::ZERO]);
        force.forces.push(ContactForce { pair: [0, 1], point: DVec3::ZERO, force: DVec3::NAN });
        assert!(matches!(recording.push(force), Err(RecordError::NotFinite { .. })));
        assert_eq!(recording.frames().len(), 1);
    }

    #[test]
    fn moments_between_frames_are_interpolated() {
        let mut recording = Recording::new(vec![body("a")]).unwrap();
        assert!(matches!(recording.at(0.0), Err(RecordError::NoFrame)));
        recording.push(frame(1.0, &[DVec3::ZERO])).unwrap();
        let mut second = frame(3.0, &[DVec3::X]);
        second.states[0].pose.rotation = DQuat::from_rotation_y(FRAC_PI_2);
        second.forces.push(ContactForce { pair: [0, 1], point: DVec3::ZERO, force: DVec3::Y });
        recording.push(second.clone()).unwrap();
        let between = recording.at(1.5).unwrap();
        assert_eq!((between.t, between.forces.len()), (1.5, 0));
        assert!(between.states[0].pose.position.abs_diff_eq(0.25 * DVec3::X, 1e-15));
        assert!(between.states[0].pose.rotation.angle_between(DQuat::from_rotation_y(0.25 * FRAC_PI_2)) < 1e-7);
        assert_eq!(recording.at(9.0).unwrap(), second);
        assert_eq!(recording.at(-9.0).unwrap().t, 1.0);
        assert_eq!(recording.span().unwrap(), (1.0, 3.0));
    }
}
