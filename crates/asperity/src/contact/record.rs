//! What a contact did in a step, in full: for tables that people look at.

use asperity_friction::{ContactFrame, ContactLaw, Tangential};
use glam::{DVec2, DVec3};

use super::{Contact, ContactName, Grip, SpanSum};

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
    /// Name of the pair's friction law.
    pub law: &'static str,
    /// Coefficients of the law against sliding along t and along b.
    pub mu: [f64; 2],
}

impl ContactRecord {
    /// Of the impulses `r` at a contact with a friction law, with relative velocities `u` at the end, row by row.
    pub(crate) fn new(contact: &Contact, law: LawView, r: &[f64], u: &[f64]) -> Self {
        let axial = |k: usize| contact.axis(k) * r.get(k).copied().unwrap_or(0.0);
        let at = |k: usize| u.get(k).copied().unwrap_or(0.0);
        let slip = Tangential { plane: DVec2::new(at(1), at(2)), spin: at(3), roll: DVec2::new(at(4), at(5)) };
        Self {
            name: contact.name(),
            point: contact.point,
            frame: contact.frame,
            gap: contact.gap,
            impulse: axial(0) + axial(1) + axial(2),
            angular_impulse: axial(3) + axial(4) + axial(5),
            slip,
            law: law.name,
            mu: [law.law.coefficient(DVec2::X), law.law.coefficient(DVec2::Y)],
        }
    }
}

impl ContactRecord {
    /// Whether it sticks, slides or is open.
    pub fn grip(&self) -> Grip {
        Grip::of(self.impulse.dot(self.frame.normal()), self.slip.plane.length())
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

    /// All but the sums and the gap is that of the later span.
    fn after(self, earlier: &Self) -> Self {
        Self {
            gap: earlier.gap,
            impulse: earlier.impulse + self.impulse,
            angular_impulse: earlier.angular_impulse + self.angular_impulse,
            ..self
        }
    }
}
