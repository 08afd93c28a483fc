//! What acts along the free coordinate q of a joint.
//!
//! - stops: q ≥ lower and q ≤ upper, each pushing only;
//! - motor: q̇ = w(t) as long as the force it takes is at most the strongest one;
//! - brake: q̇ = 0 as long as the force it takes is at most τ(t), else that force against the motion: dry friction;
//! - spring and damper: force −k (q − q₀) − c q̇.
//!
//! For angles read torque for force.

use super::Coordinate;
use crate::expression::Expression;
use crate::table::{Fault, Key, View, formula};

/// All that acts along a coordinate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drive {
    /// Smallest and largest value.
    pub limits: Option<[f64; 2]>,
    /// A motor.
    pub motor: Option<Motor>,
    /// Strongest force of the brake, a formula of t; what is below zero counts as zero.
    pub brake: Option<Expression>,
    /// A spring and damper.
    pub spring: Option<SpringDamper>,
}

/// A coordinate of a joint that is driven.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Driven<'a> {
    /// Which one.
    pub coordinate: Coordinate,
    /// What acts along it.
    pub drive: &'a Drive,
}

/// A motor.
#[derive(Clone, Debug, PartialEq)]
pub struct Motor {
    /// Speed that it wants, a formula of t.
    pub speed: Expression,
    /// Strongest force.
    pub strongest: f64,
}

/// A spring and damper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringDamper {
    /// k.
    pub stiffness: f64,
    /// c.
    pub damping: f64,
    /// q₀.
    pub rest: f64,
}

impl Drive {
    /// How many rows it has in a step.
    pub fn rows(&self) -> usize {
        2 * usize::from(self.limits.is_some())
            + usize::from(self.motor.is_some())
            + usize::from(self.brake.is_some())
            + usize::from(self.spring.is_some())
    }
}

/// The keys of what acts along a coordinate, as a kind of joint calls them, and the unit that its numbers are in.
pub(super) struct DriveKeys {
    pub(super) limits: Key,
    /// Strongest force of the motor, in the table `motor`.
    pub(super) strongest: Key,
    /// Strongest force of the brake, in the table `brake`.
    pub(super) brake: Key,
    pub(super) stiffness: Key,
    pub(super) damping: Key,
    pub(super) rest: Key,
    /// One unit of `limits` and `rest` in rad or m.
    pub(super) unit: f64,
    /// Smallest and largest value that the coordinate has at all, in those units: angles are counted from -180 to 180.
    pub(super) range: Option<[f64; 2]>,
}

impl DriveKeys {
    /// Stops, motor, brake and spring of a joint in a run of `end` seconds.
    pub(super) fn read(&self, view: &View, end: f64) -> Result<Drive, Fault> {
        let limits = self.limits(view)?.map(|limits| limits.map(|x| x * self.unit));
        let motor = self.motor(view, end)?;
        let brake = match view.view("brake") {
            Some(own) => {
                let key = self.brake.name;
                own.node(key).map(|node| formula(node, &own.path_of(key), "", end)).transpose()?
            }
            None => None,
        };
        let (stiffness, damping) = (view.number_of(&self.stiffness), view.number_of(&self.damping));
        if view.has(self.rest.name) && stiffness == 0.0 {
            return Err(view.fault(self.rest.name, "has no meaning without a `stiffness`"));
        }
        let rest = view.number_of(&self.rest) * self.unit;
        let spring = (stiffness > 0.0 || damping > 0.0).then_some(SpringDamper { stiffness, damping, rest });
        Ok(Drive { limits, motor, brake, spring })
    }

    fn limits(&self, view: &View) -> Result<Option<[f64; 2]>, Fault> {
        let key = self.limits.name;
        let [lower, upper] = view.list(key) else { return Ok(None) };
        let [lower, upper] = [lower, upper].map(|node| node.number().unwrap_or(0.0));
        let refuse = |reason: String| Err(view.fault(key, format!("[{lower}, {upper}]: {reason}")));
        if lower > 0.0 || upper < 0.0 {
            return refuse("the joint starts at 0, which is outside".into());
        }
        match self.range {
            Some([least, most]) if lower < least || upper > most => {
                refuse(format!("angles are counted from {least} to {most}"))
            }
            _ => Ok(Some([lower, upper])),
        }
    }

    fn motor(&self, view: &View, end: f64) -> Result<Option<Motor>, Fault> {
        let Some(own) = view.view("motor") else { return Ok(None) };
        let Some(speed) = own.node("speed") else { return Ok(None) };
        let speed = formula(speed, &own.path_of("speed"), "", end)?;
        Ok(Some(Motor { speed, strongest: own.number_of(&self.strongest) }))
    }
}
