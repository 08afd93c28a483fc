//! A joint at a moment: its position, and what it transmits.

use super::FrameMeasure;
use super::question::{AT, JOINT, Question, frame_at};
use crate::joint::Spot;
use crate::record::Frame;
use crate::table::{Fault, Key, Variant};
use crate::world::Model;

const KEYS: &[Key] = &[JOINT, AT];

/// Which joint, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
struct JointMoment {
    /// Number of the joint.
    joint: usize,
    /// When, s.
    at: f64,
}

impl JointMoment {
    fn read(question: &Question) -> Result<Self, Fault> {
        let at = question.at()?;
        Ok(Self { joint: question.joint()?, at })
    }

    /// Force (N) and torque (N m) over the last step.
    fn load(&self, frames: &[Frame]) -> Option<[f64; 2]> {
        frame_at(frames, self.at)?.joints.get(self.joint).copied()
    }
}

/// Angle of a hinge (rad, −π to π), way of a slider, length of a spring or a distance (m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointPosition(JointMoment);

impl FrameMeasure for JointPosition {
    const TABLE: Variant = Variant {
        name: "joint_position",
        doc: "Angle of a hinge (rad, -π to π), way of a slider, length of a spring or a distance (m).",
        keys: KEYS,
    };

    fn read(question: &Question) -> Result<Self, Fault> {
        let moment = JointMoment::read(question)?;
        if let Some(joint) = question.joints.and_then(|all| all.get(moment.joint))
            && joint.position([Spot::WORLD; 2]).is_none()
        {
            let reason = format!("a {} joint has no position: nothing of it is free, or too much", joint.kind.name());
            return Err(question.view.fault(JOINT.name, reason));
        }
        Ok(Self(moment))
    }

    fn value(&self, model: &Model, frames: &[Frame]) -> Option<f64> {
        let now = frame_at(frames, self.0.at)?;
        let joint = model.joints.get(self.0.joint)?;
        let [a, b] = joint.bodies().map(|body| match body {
            None => Some(Spot::WORLD),
            Some(i) => {
                let pose = now.states.get(i as usize)?.pose;
                let centre = pose.apply(model.bodies.get(i as usize)?.centre());
                Some(Spot { centre, rotation: pose.rotation })
            }
        });
        joint.position([a?, b?])
    }

    fn moment(&self) -> Option<f64> {
        Some(self.0.at)
    }
}

/// Force that a joint transmits, N.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointForce(JointMoment);

impl FrameMeasure for JointForce {
    const TABLE: Variant =
        Variant { name: "joint_force", doc: "Force that a joint transmits, over the last step, in N.", keys: KEYS };

    fn read(question: &Question) -> Result<Self, Fault> {
        JointMoment::read(question).map(Self)
    }

    fn value(&self, _model: &Model, frames: &[Frame]) -> Option<f64> {
        self.0.load(frames).map(|[force, _]| force)
    }

    fn moment(&self) -> Option<f64> {
        Some(self.0.at)
    }
}

/// Torque that a joint transmits, N m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointTorque(JointMoment);

impl FrameMeasure for JointTorque {
    const TABLE: Variant =
        Variant { name: "joint_torque", doc: "Torque that a joint transmits, over the last step, in N m.", keys: KEYS };

    fn read(question: &Question) -> Result<Self, Fault> {
        JointMoment::read(question).map(Self)
    }

    fn value(&self, _model: &Model, frames: &[Frame]) -> Option<f64> {
        self.0.load(frames).map(|[_, torque]| torque)
    }

    fn moment(&self) -> Option<f64> {
        Some(self.0.at)
    }
}
