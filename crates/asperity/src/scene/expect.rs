//! What a scene must show, and whether a run shows it.
//!
//! Positions and velocities are those of the centre of mass c: x = p + R c, v = v_p + ω × R c. The turn from the start is R(t) R(0)ᵀ, the
//! quaternion (w, u): its angle is 2 atan2(|u|, |w|); the part about a unit axis a (the twist of the swing-twist decomposition) is
//! 2 atan2(u·a, w), brought to −π … π.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use crate::joint::Spot;
use crate::record::{Expectation, Frame, FrameState, between};
use crate::world::Model;

/// Something that must come out.
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// Its name in the scene.
    pub name: String,
    /// What is measured.
    pub measure: Measure,
    /// Smallest value that is right.
    pub lower: Option<f64>,
    /// Largest value that is right.
    pub upper: Option<f64>,
}

/// What can be measured.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// Something of a body at a moment.
    Body {
        /// Number of the body.
        body: usize,
        /// What of it.
        quantity: Quantity,
        /// Unit: the component along this; none: the length.
        along: Option<DVec3>,
        /// When.
        at: f64,
    },
    /// Something of a joint at a moment.
    Joint {
        /// Number of the joint.
        joint: usize,
        /// What of it.
        quantity: JointQuantity,
        /// When.
        at: f64,
    },
    /// When the displacement of a body first reaches a length.
    TimeWhen {
        /// Number of the body.
        body: usize,
        /// Unit: the component along this; none: the length.
        along: Option<DVec3>,
        /// The length.
        reach: f64,
    },
    /// Largest displacement of all of these bodies, in the whole run.
    Rest {
        /// Numbers of the bodies.
        bodies: Vec<usize>,
    },
    /// How many of these bodies have x·along > beyond, or which part of them.
    Beyond {
        /// Numbers of the bodies.
        bodies: Vec<usize>,
        /// Unit normal of the plane.
        along: DVec3,
        /// Its distance from the origin.
        beyond: f64,
        /// When.
        at: f64,
        /// A part of all instead of a number.
        fraction: bool,
    },
    /// A figure of all steps.
    Run(RunMeasure),
}

/// What of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Place of the centre of mass.
    Position,
    /// The same, from where it started.
    Displacement,
    /// Velocity of the centre of mass.
    Velocity,
    /// Angular velocity.
    AngularVelocity,
    /// Turn from the start.
    Angle,
}

/// What of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointQuantity {
    /// Angle of a hinge, way of a slider, length of a spring or a distance.
    Position,
    /// Force that it transmits.
    Force,
    /// Torque that it transmits.
    Torque,
}

/// Figures of a run that only the steps know; the runner fills them in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunFigures {
    /// Largest growth of the total energy above its least value so far, as a part of the largest energy seen, and at least of a
    /// thousandth of what lifts every body by its radius of gyration.
    pub energy_growth: f64,
    /// Deepest overlap, in metres.
    pub penetration: f64,
    /// Worst residual.
    pub residual: f64,
    /// Largest power that friction put in at a contact, in watts; negative or zero if it never drove.
    pub friction_power: f64,
    /// Largest change of the momentum that no force accounts for, relative.
    pub momentum_drift: f64,
    /// Steps that the solver did not converge in.
    pub unconverged: u64,
    /// Largest error of a length that a joint holds, in metres.
    pub joint_drift: f64,
}

/// One of the figures of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunMeasure {
    /// See [`RunFigures::energy_growth`].
    EnergyGrowth,
    /// See [`RunFigures::penetration`].
    Penetration,
    /// See [`RunFigures::residual`].
    Residual,
    /// See [`RunFigures::friction_power`].
    FrictionPower,
    /// See [`RunFigures::momentum_drift`].
    MomentumDrift,
    /// See [`RunFigures::unconverged`].
    Unconverged,
    /// See [`RunFigures::joint_drift`].
    JointDrift,
}

impl RunMeasure {
    /// Every one.
    pub const ALL: [Self; 7] = [
        Self::EnergyGrowth,
        Self::Penetration,
        Self::Residual,
        Self::FrictionPower,
        Self::MomentumDrift,
        Self::Unconverged,
        Self::JointDrift,
    ];

    /// As scenes name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::EnergyGrowth => "energy_growth",
            Self::Penetration => "penetration",
            Self::Residual => "residual",
            Self::FrictionPower => "friction_power",
            Self::MomentumDrift => "momentum_drift",
            Self::Unconverged => "unconverged",
            Self::JointDrift => "joint_drift",
        }
    }

    fn of(self, run: &RunFigures) -> f64 {
        match self {
            Self::EnergyGrowth => run.energy_growth,
            Self::Penetration => run.penetration,
            Self::Residual => run.residual,
            Self::FrictionPower => run.friction_power,
            Self::MomentumDrift => run.momentum_drift,
            Self::Unconverged => run.unconverged as f64,
            Self::JointDrift => run.joint_drift,
        }
    }
}

impl Expect {
    /// Compares the measure with its bounds. What could not be measured does not pass.
    pub fn judge(&self, model: &Model, frames: &[Frame], run: &RunFigures) -> Expectation {
        let value = self.measure.of(model, frames, run);
        Expectation::new(self.name.clone(), value, self.lower, self.upper)
    }
}

impl Measure {
    /// Its value in a run; none if the run did not get that far, or never.
    pub fn of(&self, model: &Model, frames: &[Frame], run: &RunFigures) -> Option<f64> {
        let bodies = &model.bodies[..];
        match self {
            Self::Body { body, quantity, along, at } => {
                let (start, now) = (frames.first()?.states.get(*body)?, moment(frames, *at)?);
                let centre = bodies.get(*body)?.centre();
                Some(measured(*quantity, *along, centre, start, now.states.get(*body)?))
            }
            Self::Joint { joint, quantity, at } => {
                let now = moment(frames, *at)?;
                match quantity {
                    JointQuantity::Position => {
                        let joint = model.joints.get(*joint)?;
                        let [a, b] = joint.bodies().map(|body| match body {
                            None => Some(Spot::WORLD),
                            Some(i) => {
                                let pose = now.states.get(i as usize)?.pose;
                                let centre = pose.apply(bodies.get(i as usize)?.centre());
                                Some(Spot { centre, rotation: pose.rotation })
                            }
                        });
                        joint.position([a?, b?])
                    }
                    JointQuantity::Force => Some(now.joints.get(*joint)?[0]),
                    JointQuantity::Torque => Some(now.joints.get(*joint)?[1]),
                }
            }
            Self::TimeWhen { body, along, reach } => {
                let centre = bodies.get(*body)?.centre();
                reached(
                    frames,
                    *body,
                    |start, now| measured(Quantity::Displacement, *along, centre, start, now),
                    *reach,
                )
            }
            Self::Rest { bodies: numbers } => {
                let first = frames.first()?;
                let mut largest: f64 = 0.0;
                for frame in frames {
                    for &body in numbers {
                        let (start, now) = (first.states.get(body)?, frame.states.get(body)?);
                        let centre = bodies.get(body)?.centre();
                        largest = largest.max(measured(Quantity::Displacement, None, centre, start, now));
                    }
                }
                Some(largest)
            }
            Self::Beyond { bodies: numbers, along, beyond, at, fraction } => {
                let now = moment(frames, *at)?;
                let mut count = 0;
                for &body in numbers {
                    let state = now.states.get(body)?;
                    count += usize::from(state.pose.apply(bodies.get(body)?.centre()).dot(*along) > *beyond);
                }
                Some(if *fraction { count as f64 / numbers.len() as f64 } else { count as f64 })
            }
            Self::Run(measure) => Some(measure.of(run)),
        }
    }
}

/// The frame at t; none if the run ended before. The end of a run may be a rounding away from the last frame.
fn moment(frames: &[Frame], t: f64) -> Option<Frame> {
    let last = frames.last()?;
    (t <= last.t + 1e-9 * t.abs().max(1.0)).then(|| between(frames, t)).flatten()
}

fn measured(quantity: Quantity, along: Option<DVec3>, centre: DVec3, start: &FrameState, now: &FrameState) -> f64 {
    let place = |state: &FrameState| state.pose.apply(centre);
    let value = match quantity {
        Quantity::Position => place(now),
        Quantity::Displacement => place(now) - place(start),
        Quantity::Velocity => now.velocity + now.angular_velocity.cross(now.pose.rotation * centre),
        Quantity::AngularVelocity => now.angular_velocity,
        Quantity::Angle => {
            let turn = now.pose.rotation * start.pose.rotation.conjugate();
            let vector = DVec3::new(turn.x, turn.y, turn.z);
            return match along {
                None => 2.0 * vector.length().atan2(turn.w.abs()),
                Some(axis) => {
                    let angle = 2.0 * vector.dot(axis).atan2(turn.w);
                    if angle > PI {
                        angle - TAU
                    } else if angle < -PI {
                        angle + TAU
                    } else {
                        angle
                    }
                }
            };
        }
    };
    along.map_or_else(|| value.length(), |axis| value.dot(axis))
}

/// When `length` first reaches a value, on the straight line between two frames.
fn reached(frames: &[Frame], body: usize, length: impl Fn(&FrameState, &FrameState) -> f64, value: f64) -> Option<f64> {
    let start = frames.first()?.states.get(body)?;
    let mut before: Option<(f64, f64)> = None;
    for frame in frames {
        let now = length(start, frame.states.get(body)?);
        if now >= value {
            return Some(match before {
                Some((t, then)) if now > then => t + (frame.t - t) * (value - then) / (now - then),
                _ => frame.t,
            });
        }
        before = Some((frame.t, now));
    }
    None
}

/// Whether a name fits a pattern: `*` stands for any text.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    let mut rest = rest;
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}
