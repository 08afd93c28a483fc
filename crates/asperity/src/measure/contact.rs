//! The contacts of a body at a moment: the force that they add up to, how many of those that press slide, how fast.
//!
//! For a cloth or a solid a contact is one vertex (or one corner of the other body on a face), so that the fraction of contacts that slide is that of the vertices.
//! Forces are means over the step that ends at the moment; between two frames they are those of the nearer one.

use glam::DVec3;

use super::FrameMeasure;
use super::body::component;
use super::question::{ALONG, AT, BODY, Question, frame_at};
use crate::nearest::did_you_mean;
use crate::record::Frame;
use crate::table::{Fault, Key, Range, ValueKind, Variant};
use crate::world::Model;

const OTHER: Key = Key::new("other", ValueKind::Text, "Only contacts with this body.").or("contacts with all bodies");
const FASTER: Key =
    Key::new("faster", ValueKind::Number(Range::NotNegative), "Slip speed above which a contact slides.")
        .unit("m/s")
        .or("1e-4");

/// The contacts of a body, with all others or with one, at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Touching {
    /// Number of the body.
    body: u32,
    /// Number of the other one.
    other: Option<u32>,
    /// When, s.
    at: f64,
}

/// A contact that presses.
struct Pressing {
    /// Force on the body, N.
    force: DVec3,
    /// Length of its slip velocity, m/s.
    speed: f64,
}

impl Touching {
    fn read(question: &Question) -> Result<Self, Fault> {
        let (at, body) = (question.at()?, question.body()? as u32);
        let names = || question.bodies.iter().map(|body| body.name.as_str());
        let other = match question.view.text(OTHER.name) {
            None => None,
            Some(name) => {
                let found = names().position(|known| known == name).ok_or_else(|| {
                    let hint = did_you_mean(name, names());
                    question.view.fault(OTHER.name, format!("no body has the name `{name}`{hint}"))
                })?;
                Some(found as u32)
            }
        };
        Ok(Self { body, other, at })
    }

    /// The contacts that press; `None` if the run did not get that far.
    fn pressing(&self, frames: &[Frame]) -> Option<Vec<Pressing>> {
        let now = frame_at(frames, self.at)?;
        let wanted = |other: u32| self.other.is_none_or(|only| only == other);
        let of = |own: &crate::contact::ContactForce| {
            let sign = match own.pair {
                [a, b] if a == self.body && wanted(b) => 1.0,
                [a, b] if b == self.body && wanted(a) => -1.0,
                _ => return None,
            };
            let presses = own.force.dot(own.normal) > 0.0;
            presses.then(|| Pressing { force: sign * own.force, speed: own.slip.length() })
        };
        Some(now.forces.iter().filter_map(of).collect())
    }
}

/// Force that contacts exert on a body, N.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce {
    contacts: Touching,
    /// Unit: the component along this; `None`: the length.
    along: Option<DVec3>,
}

impl FrameMeasure for ContactForce {
    const TABLE: Variant = Variant {
        name: "contact_force",
        doc: "Sum of the forces of its contacts on it, mean over the last step, in N.",
        keys: &[BODY, OTHER, ALONG, AT],
    };

    fn read(question: &Question) -> Result<Self, Fault> {
        Ok(Self { contacts: Touching::read(question)?, along: question.along() })
    }

    fn value(&self, _: &Model, frames: &[Frame]) -> Option<f64> {
        let sum = self.contacts.pressing(frames)?.iter().map(|own| own.force).sum();
        Some(component(sum, self.along))
    }

    fn moment(&self) -> Option<f64> {
        Some(self.contacts.at)
    }
}

/// Which fraction of the contacts of a body that press slide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sliding {
    contacts: Touching,
    /// Slip speed above which a contact slides, m/s.
    faster: f64,
}

impl FrameMeasure for Sliding {
    const TABLE: Variant = Variant {
        name: "sliding",
        doc: "Which fraction of its contacts that press slide: of an elastic body, of its vertices in contact.",
        keys: &[BODY, OTHER, FASTER, AT],
    };

    fn read(question: &Question) -> Result<Self, Fault> {
        Ok(Self { contacts: Touching::read(question)?, faster: question.view.number_of(&FASTER) })
    }

    fn value(&self, _: &Model, frames: &[Frame]) -> Option<f64> {
        let all = self.contacts.pressing(frames)?;
        let sliding = all.iter().filter(|own| own.speed > self.faster).count();
        (!all.is_empty()).then(|| sliding as f64 / all.len() as f64)
    }

    fn moment(&self) -> Option<f64> {
        Some(self.contacts.at)
    }
}

/// Largest slip speed of the contacts of a body that press, m/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlipSpeed(Touching);

impl FrameMeasure for SlipSpeed {
    const TABLE: Variant = Variant {
        name: "slip_speed",
        doc: "Largest slip speed of its contacts that press, in m/s.",
        keys: &[BODY, OTHER, AT],
    };

    fn read(question: &Question) -> Result<Self, Fault> {
        Touching::read(question).map(Self)
    }

    fn value(&self, _: &Model, frames: &[Frame]) -> Option<f64> {
        self.0.pressing(frames)?.iter().map(|own| own.speed).reduce(f64::max)
    }

    fn moment(&self) -> Option<f64> {
        Some(self.0.at)
    }
}
