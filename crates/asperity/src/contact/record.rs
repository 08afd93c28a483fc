//! What a contact did in a step, in full: for tables that people look at.

use asperity_friction::{ContactFrame, ContactLaw, Tangential};
use glam::{DVec2, DVec3};

use super::{Contact, ContactName, SpanSum};

/// Whether a contact acts, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactCondition {
    /// No force: the bodies are apart, or move apart.
    Open,
    /// A force, and no slip.
    Stick,
    /// A force, and slip.
    Slide,
}

impl ContactCondition {
    /// "open", "stick" or "slide".
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Stick => "stick",
            Self::Slide => "slide",
        }
    }
}

/// What a contact did in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRecord {
    /// The two bodies, and which of their corners, edges or faces touch: the same from step to step, and unlike that of any other contact.
    pub name: ContactName,
    /// Where, m.
    pub point: DVec3,
    /// Its normal, from B to A, and tangents.
    pub frame: ContactFrame,
    /// Distance of the surfaces at the start of the step, m.
    pub gap: f64,
    /// Linear impulse on A, N s, in the world. That on B is its negative.
    pub impulse: DVec3,
    /// Angular impulse on A about the point (spin and rolling), N m s, in the world.
    pub angular_impulse: DVec3,
    /// Relative velocity v_A − v_B at the end of the step: in the plane (t, b), about the normal, rolling.
    pub slip: Tangential,
    /// Whether it acts, and how.
    pub condition: ContactCondition,
    /// Name of the pair's friction law.
    pub law: &'static str,
    /// Coefficients of the law against sliding along t and along b.
    pub mu: [f64; 2],
}

impl ContactRecord {
    /// Of the impulses `r` at a contact with a friction law, with relative velocities `u` at the end, row by row. Slips up to `rest` (m/s) are none.
    pub(crate) fn new(contact: &Contact, law: LawView, r: &[f64], u: &[f64], rest: f64) -> Self {
        let axial = |k: usize| contact.axis(k) * r.get(k).copied().unwrap_or(0.0);
        let at = |k: usize| u.get(k).copied().unwrap_or(0.0);
        let slip = Tangential { plane: DVec2::new(at(1), at(2)), spin: at(3), roll: DVec2::new(at(4), at(5)) };
        let condition = match r[0] > 0.0 {
            false => ContactCondition::Open,
            true if slip.plane.length() <= rest => ContactCondition::Stick,
            true => ContactCondition::Slide,
        };
        Self {
            name: contact.name(),
            point: contact.point,
            frame: contact.frame,
            gap: contact.gap,
            impulse: axial(0) + axial(1) + axial(2),
            angular_impulse: axial(3) + axial(4) + axial(5),
            slip,
            condition,
            law: law.name,
            mu: [law.law.coefficient(DVec2::X), law.law.coefficient(DVec2::Y)],
        }
    }
}

/// The friction law of a contact, and the name of its model.
#[derive(Clone, Copy)]
pub(crate) struct LawView<'a> {
    pub(crate) law: &'a ContactLaw,
    pub(crate) name: &'static str,
}

impl SpanSum for ContactRecord {
    fn name(&self) -> ContactName {
        self.name
    }

    /// All but the sums is that of the later span; a contact that opens again after a bounce has acted in the step.
    fn after(self, earlier: &Self) -> Self {
        let open = self.condition == ContactCondition::Open;
        Self {
            gap: earlier.gap,
            impulse: earlier.impulse + self.impulse,
            angular_impulse: earlier.angular_impulse + self.angular_impulse,
            condition: if open { earlier.condition } else { self.condition },
            ..self
        }
    }
}
