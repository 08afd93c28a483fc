//! The data of a run that all writers take: bodies once, their states frame by frame.
//!
//! Poses, velocities and forces are held in memory. The vertices of bodies that deform are not: they are streamed to a file as frames are added
//! ([`super::vertex_log`]), and read back frame by frame ([`Recording::frame`], [`Recording::at`]). A recording of rigid bodies has no such file.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::appearance::{self, Appearances, Wanted};
use super::check::{check_body, check_frame};
use super::error::RecordError;
use super::frame::{Frame, FrameState, RecordedBody};
use super::joint_line::{self, JointLine};
use super::vertex_log::{self, MeshFrame, MeshSize, VertexLog};
use crate::geometry::{Aabb, Pose};

/// Bodies and frames that fit together; what does not is refused when it is added.
#[derive(Debug, Default)]
pub struct Recording {
    bodies: Vec<RecordedBody>,
    joints: Vec<JointLine>,
    frames: Vec<Frame>,
    /// The bodies that deform.
    meshes: Vec<MeshSize>,
    /// Where their vertices are; `None` as long as there are none.
    log: Option<VertexLog>,
    /// Boxes around their vertices, one for each of them and frame.
    boxes: Vec<Aabb>,
    /// What surfaces look like, once it was asked for: pictures and exports share it.
    looks: Mutex<Option<(Wanted, Appearances)>>,
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
        let size = |(body, recorded): (usize, &RecordedBody)| {
            recorded.deforming.as_ref().map(|deforming| MeshSize { body, vertices: deforming.vertices })
        };
        let meshes = bodies.iter().enumerate().filter_map(size).collect();
        Ok(Self { bodies, meshes, ..Self::default() })
    }

    /// With lines that show joints; drawn on request.
    pub fn with_joints(self, joints: Vec<JointLine>) -> Result<Self, RecordError> {
        joints.iter().enumerate().try_for_each(|(i, line)| joint_line::check(i, line, self.bodies.len()))?;
        Ok(Self { joints, ..self })
    }

    /// The same bodies and joints, without frames.
    pub fn emptied(&self) -> Self {
        let (bodies, joints, meshes) = (self.bodies.clone(), self.joints.clone(), self.meshes.clone());
        Self { bodies, joints, meshes, ..Self::default() }
    }

    /// Adds a frame after the last one. The vertices of bodies that deform go to the vertex log: the one that [`Self::keep_vertices`] made, else a
    /// temporary file without a name.
    pub fn push(&mut self, mut frame: Frame) -> Result<(), RecordError> {
        let meshes = std::mem::take(&mut frame.meshes);
        self.check_next(&frame, &meshes)?;
        if !meshes.is_empty() {
            if self.log.is_none() {
                self.log = Some(VertexLog::temporary(self.meshes.clone())?);
            }
            let number = self.frames.len();
            self.log.as_mut().map_or(Ok(()), |log| log.write(number, &meshes))?;
        }
        self.add(frame, &meshes);
        Ok(())
    }

    /// Puts frames whose vertices are in a vertex log already into an empty recording. What the log holds beyond them is cut off.
    pub fn restore(&mut self, frames: Vec<Frame>, path: &Path) -> Result<(), RecordError> {
        if !self.meshes.is_empty() {
            self.log = Some(VertexLog::open(path, self.meshes.clone(), frames.len())?);
        }
        for frame in frames {
            let meshes = self.vertices(self.frames.len())?;
            self.check_next(&frame, &meshes)?;
            self.add(frame, &meshes);
        }
        Ok(())
    }

    /// Keeps the vertices of bodies that deform in a file from now on, those of the frames so far included. Without such bodies nothing is written.
    pub fn keep_vertices(&mut self, path: &Path) -> Result<(), RecordError> {
        if self.meshes.is_empty() {
            return Ok(());
        }
        let mut kept = VertexLog::create(path, self.meshes.clone())?;
        (0..self.frames.len()).try_for_each(|frame| kept.write(frame, &self.vertices(frame)?))?;
        self.log = Some(kept);
        Ok(())
    }

    /// Waits until the vertices recorded so far are on the disk.
    pub fn sync_vertices(&self) -> Result<(), RecordError> {
        self.log.as_ref().map_or(Ok(()), VertexLog::sync)
    }

    /// Refuses a frame that cannot be the next one.
    fn check_next(&self, frame: &Frame, meshes: &[MeshFrame]) -> Result<(), RecordError> {
        let number = self.frames.len();
        check_frame(number, frame, self.bodies.len())?;
        if let Some(last) = self.frames.last()
            && frame.t <= last.t
        {
            return Err(RecordError::Time { frame: number, t: frame.t, previous: last.t });
        }
        vertex_log::check(number, meshes, &self.meshes)
    }

    /// Adds a frame whose vertices are in the log.
    fn add(&mut self, frame: Frame, meshes: &[MeshFrame]) {
        if self.frames.is_empty() {
            self.looks = Mutex::default();
        }
        self.boxes.extend(meshes.iter().map(|mesh| Aabb::of(mesh.positions.iter().copied())));
        self.frames.push(frame);
    }

    /// The vertices of a frame, from the log.
    fn vertices(&self, frame: usize) -> Result<Vec<MeshFrame>, RecordError> {
        self.log.as_ref().map_or(Ok(Vec::new()), |log| log.read(frame))
    }
    /// The bodies.
    pub fn bodies(&self) -> &[RecordedBody] {
        &self.bodies
    }

    /// Lines that show joints.
    pub fn joints(&self) -> &[JointLine] {
        &self.joints
    }

    /// The frames, in the order of time, without the vertices of bodies that deform.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// A frame with the vertices of bodies that deform.
    pub fn frame(&self, number: usize) -> Result<Frame, RecordError> {
        let frame = self.frames.get(number).ok_or(RecordError::NoFrame)?;
        Ok(Frame { meshes: self.vertices(number)?, ..frame.clone() })
    }

    /// What the surfaces of the bodies look like at the first frame; made when it is asked for, and kept.
    pub(super) fn appearances(&self, wanted: &Wanted) -> Appearances {
        // A thread that panicked while it made them left nothing half-made behind.
        let mut looks = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, made)) = &*looks
            && known == wanted
        {
            return Arc::clone(made);
        }
        let first = self.frames.first().map_or(0.0, |frame| frame.t);
        let made = appearance::appearances(&self.bodies, first, wanted);
        *looks = Some((*wanted, Arc::clone(&made)));
        made
    }

    /// The bodies that deform, by their numbers, in order.
    pub fn deforming(&self) -> impl Iterator<Item = usize> {
        self.meshes.iter().map(|mesh| mesh.body)
    }

    /// Boxes around the vertices of the bodies that deform in a frame, in the order of the bodies.
    pub(super) fn boxes(&self, frame: usize) -> &[Aabb] {
        let count = self.meshes.len();
        &self.boxes[count * frame..count * (frame + 1)]
    }

    /// First and last time.
    pub fn span(&self) -> Result<(f64, f64), RecordError> {
        match (self.frames.first(), self.frames.last()) {
            (Some(first), Some(last)) => Ok((first.t, last.t)),
            _ => Err(RecordError::NoFrame),
        }
    }

    /// The moment t: poses, velocities and vertices between those of the two frames around it, contacts of the nearer one. Before the
    /// first frame it is the first, after the last the last.
    pub fn at(&self, t: f64) -> Result<Frame, RecordError> {
        let mut moment = between(&self.frames, t).ok_or(RecordError::NoFrame)?;
        if self.log.is_some() {
            let around = Around::of(&self.frames, t).ok_or(RecordError::NoFrame)?;
            moment.meshes = self.vertices(around.lower)?;
            if around.fraction > 0.0 {
                let upper = self.vertices(around.upper)?;
                moment.meshes.iter_mut().zip(&upper).for_each(|(mesh, to)| mesh.approach(to, around.fraction));
            }
        }
        Ok(moment)
    }
}

/// The two frames around a moment, and where between them it is.
struct Around {
    lower: usize,
    upper: usize,
    /// 0 at the lower one, 1 at the upper one.
    fraction: f64,
}

impl Around {
    /// `None` if there are no frames.
    fn of(frames: &[Frame], t: f64) -> Option<Self> {
        let last = frames.len().checked_sub(1)?;
        let after = frames.partition_point(|frame| frame.t <= t);
        let (lower, upper) = (after.saturating_sub(1), after.min(last));
        let span = frames[upper].t - frames[lower].t;
        let fraction = if span > 0.0 { ((t - frames[lower].t) / span).clamp(0.0, 1.0) } else { 0.0 };
        Some(Self { lower, upper, fraction })
    }
}

/// The moment t of frames in the order of time, as [`Recording::at`] has it, without vertices; `None` if there are no frames.
pub fn between(frames: &[Frame], t: f64) -> Option<Frame> {
    let Around { lower, upper, fraction: s } = Around::of(frames, t)?;
    let (lower, upper) = (&frames[lower], &frames[upper]);
    let span = upper.t - lower.t;
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
        meshes: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::frame::Paint;
    use super::super::image::Image;
    use super::super::test_bodies::{body, frame};
    use super::*;
    use crate::contact::ContactForce;
    use glam::{DQuat, DVec3};
    use std::f64::consts::FRAC_PI_2;
    use std::sync::Arc;

    fn force_on_a() -> ContactForce {
        ContactForce { pair: [0, 1], point: DVec3::ZERO, force: DVec3::Y, normal: DVec3::Y, slip: DVec3::ZERO }
    }

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
        force.forces.push(ContactForce { force: DVec3::NAN, ..force_on_a() });
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
        second.forces.push(force_on_a());
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
