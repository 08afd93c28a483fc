//! What acts along the free coordinate q of a joint.
//!
//! - stops: q ≥ lower and q ≤ upper, each pushing only;
//! - motor: q̇ = w(t) as long as the force it takes is at most the strongest one;
//! - brake: q̇ = 0 as long as the force it takes is at most τ(t), else that force against the motion: dry friction;
//! - spring and damper: force −k (q − q₀) − c q̇.
//!
//! For angles read torque for force.

use crate::expression::Expression;

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
