//! Contacts that give way: springs with losses, implicit in the step.
//!
//! With δ the overlap at the end of a step, w the speed at which it shrinks and k the stiffness, a contact pushes with
//!
//!   linear              f = k δ − d w,
//!   Hunt and Crossley   f = k δ (1 − d w),
//!
//! and never pulls. Bodies with springs move by the rule "end", so δ = −g − h u for the normal velocity u at the end. Where
//! they touched at the start (g ≤ 0), w = u; where they were apart, only the way after the touch counts, w = u + g/h: so
//! no force acts before bodies touch.
//!
//! The row of a contact is u + c r ≥ β (`rows.rs`). With s = −d(h f)/du at a guess u₀, and r₀ = h f(u₀), Newton's method
//! has c = 1/s and β = u₀ + r₀/s. The linear force needs one solve. That of Hunt and Crossley is convex and falls with u
//! where it is positive; it is linearised first about the speed at the start, then about that of the last solve, until the
//! impulse is that of the force.
//!
//! **Shear.** Before a contact slides it is sheared: its friction impulse is that of the last step, r', and less h² k_T u_T.
//! So the tangential rows are u_T + c_T (r_T − r') with c_T = 1/(h² k_T): what the law sees as the slip is what exceeds
//! the shear. Nothing creeps: at rest r_T = r', and u_T = 0. The friction of the last step turns with the contact: as the
//! normal turned since then, and about the normal by the mean spin of the bodies.

use glam::{DQuat, DVec3};

use super::bound::{NormalBound, Shear};
use super::setup::Setup;
use super::solved::Solved;
use crate::contact::{Contact, recall};
use crate::world::{ContactMemory, ContactSpring, Model, SpringLoss};

/// A spring's impulse is found if it is off by less than this fraction of itself.
const FOUND: f64 = 1e-7;
/// Impulses below this fraction of the largest are compared with that: solvers do not see them better.
const SMALL: f64 = 1e-2;

/// The force of a spring for an overlap that shrinks with the speed w.
fn force(spring: &ContactSpring, overlap: f64, w: f64) -> f64 {
    let k = spring.stiffness;
    match spring.loss {
        _ if overlap <= 0.0 => 0.0,
        SpringLoss::Linear(d) => (k * overlap - d * w).max(0.0),
        SpringLoss::HuntCrossley(d) => k * overlap * (1.0 - d * w).max(0.0),
    }
}

/// A contact with a spring in a step of length h.
#[derive(Clone, Copy)]
struct Sprung {
    spring: ContactSpring,
    h: f64,
    gap: f64,
}

impl Sprung {
    /// The speed at which the overlap shrinks, for a normal velocity u at the end.
    fn shrinks(&self, u: f64) -> f64 {
        u + self.gap.max(0.0) / self.h
    }

    /// The overlap at the end, negative where bodies are apart.
    fn overlap(&self, u: f64) -> f64 {
        -self.gap - self.h * u
    }

    /// h f at a normal velocity.
    fn impulse(&self, u: f64) -> f64 {
        self.h * force(&self.spring, self.overlap(u), self.shrinks(u))
    }

    /// The row, with the force linear about the normal velocity `guess`.
    fn row(&self, guess: f64) -> NormalBound {
        let Self { spring, h, gap } = *self;
        let k = spring.stiffness;
        match spring.loss {
            SpringLoss::Linear(d) => {
                let slope = h * (k * h + d);
                // Apart: r = s (−g/h − u). Touching: r = −h k g − s u.
                let beta = if gap > 0.0 { -gap / h } else { -h * k * gap / slope };
                NormalBound { beta, compliance: 1.0 / slope }
            }
            SpringLoss::HuntCrossley(d) => {
                let (overlap, share) = (self.overlap(guess), 1.0 - d * self.shrinks(guess));
                let slope = h * k * (h * share.max(0.0) + d * overlap.max(0.0));
                if slope > 0.0 {
                    let beta = guess + h * k * overlap * share / slope;
                    return NormalBound { beta, compliance: 1.0 / slope };
                }
                // Apart, and parting faster than 1/d: the force begins where both have changed.
                let beta = (-gap / h).min(1.0 / d - gap.max(0.0) / h);
                NormalBound { beta, compliance: 1.0 / (h * h * k) }
            }
        }
    }
}

impl Setup<'_> {
    /// The spring of a contact; `None` for rigid ones. An impact has no duration, and springs do nothing in it.
    fn sprung(&self, contact: &Contact) -> Option<Sprung> {
        let h = self.span.length();
        let spring = self.model.interaction(contact.pair).spring.filter(|_| h > 0.0)?;
        Some(Sprung { spring, h, gap: contact.gap })
    }

    /// c and β of a contact with a spring.
    pub(super) fn spring_bound(&self, contact: &Contact) -> Option<NormalBound> {
        self.sprung(contact).map(|own| own.row(contact.spring_rate.unwrap_or(contact.before.x)))
    }

    /// The shear of a contact, whose force in the last step is `memory`.
    pub(super) fn shear(&self, contact: &Contact, memory: Option<&ContactMemory>) -> Shear {
        let Some(Sprung { spring, h, .. }) = self.sprung(contact) else { return Shear::default() };
        let Some(stiffness) = spring.shear_stiffness else { return Shear::default() };
        let force = memory.map_or(DVec3::ZERO, |own| {
            let [a, b] = contact.pair.map(|body| self.placed[body as usize].angular_velocity);
            turned_friction(own, contact.frame.normal(), 0.5 * h * (a + b))
        });
        let last = [contact.frame.t(), contact.frame.b()].map(|axis| h * force.dot(axis));
        Shear { compliance: 1.0 / (h * h * stiffness), last }
    }
}

/// Friction that is remembered, for a contact whose normal is `normal` now and whose bodies have turned by `turn` (rad).
fn turned_friction(memory: &ContactMemory, normal: DVec3, turn: DVec3) -> DVec3 {
    let before = if memory.normal == DVec3::ZERO { normal } else { memory.normal };
    let friction = memory.force.reject_from_normalized(before);
    let spin = DQuat::from_axis_angle(normal, turn.dot(normal));
    spin * (DQuat::from_rotation_arc(before, normal) * friction)
}

/// Energy in the springs of contacts, J: ½ k δ², and ½ f_T²/k_T where forces are remembered. Contacts and memory are sorted
/// by name.
pub(super) fn spring_energy(model: &Model, contacts: &[Contact], memory: &[ContactMemory]) -> f64 {
    if contacts.iter().all(|contact| model.interaction(contact.pair).spring.is_none()) {
        return 0.0;
    }
    let remembered = recall(contacts, memory);
    let energy = |(contact, known): (&Contact, &Option<&ContactMemory>)| {
        let Some(spring) = model.interaction(contact.pair).spring else { return 0.0 };
        let pressed = 0.5 * spring.stiffness * contact.gap.min(0.0).powi(2);
        let (Some(stiffness), Some(known)) = (spring.shear_stiffness, known) else { return pressed };
        let friction = turned_friction(known, contact.frame.normal(), DVec3::ZERO);
        pressed + 0.5 * friction.length_squared() / stiffness
    };
    contacts.iter().zip(&remembered).map(energy).sum()
}

/// Marks contacts whose impulse differs from the force of their spring, so that the span is solved again with the force linear
/// about the velocity that came out; whether there are any.
pub(super) fn note(setup: &Setup, solved: &Solved, contacts: &mut [Contact]) -> bool {
    let largest = solved.pressed().map(|i| solved.impulse(i)[0]).fold(0.0, f64::max);
    solved.mark(contacts, |i, contact| {
        let Some(sprung) = setup.sprung(contact) else { return false };
        let (u, r) = (solved.after(i)[0], solved.impulse(i)[0]);
        let exact = sprung.impulse(u);
        let off = matches!(sprung.spring.loss, SpringLoss::HuntCrossley(_))
            && (exact - r).abs() > FOUND * exact.max(r).max(SMALL * largest);
        if off {
            contact.spring_rate = Some(u);
        }
        off
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Element, Feature};

    fn sprung(loss: SpringLoss, gap: f64) -> Sprung {
        Sprung { spring: ContactSpring { stiffness: 2e4, loss, shear_stiffness: None }, h: 1e-3, gap }
    }

    /// The row is the tangent of the impulse, wherever that is positive: r = (β − u)/c has its value and its slope.
    #[test]
    fn rows_are_tangents() {
        for loss in [SpringLoss::Linear(30.0), SpringLoss::HuntCrossley(0.7)] {
            for gap in [-2e-3, -1e-4, 0.0, 1e-4] {
                let own = sprung(loss, gap);
                for u in [-3.0, -0.5, -0.2, 0.05, 0.3] {
                    if own.impulse(u) == 0.0 {
                        continue;
                    }
                    let NormalBound { beta, compliance } = own.row(u);
                    assert!(((beta - u) / compliance - own.impulse(u)).abs() < 1e-12 * own.impulse(u));
                    let e = 1e-6;
                    let slope = (own.impulse(u + e) - own.impulse(u - e)) / (2.0 * e);
                    assert!((slope + 1.0 / compliance).abs() < 1e-5 / compliance, "{loss:?} {gap} {u}");
                }
            }
        }
    }

    /// A row about a speed at which no force acts lets none act there, and begins where the force does.
    #[test]
    fn rows_of_open_contacts_do_not_push() {
        for loss in [SpringLoss::Linear(30.0), SpringLoss::HuntCrossley(0.7)] {
            for gap in [-2e-3, 0.0, 1e-3] {
                let own = sprung(loss, gap);
                for u in [2.5, 5.0, 50.0] {
                    let NormalBound { beta, compliance } = own.row(u);
                    assert!(own.impulse(u) == 0.0 && beta <= u + 1e-12 && compliance > 0.0 && compliance.is_finite());
                }
            }
        }
    }

    /// Friction that is remembered stays tangential and keeps its size, however the contact turns; under a ball that rolls
    /// over a floor it stays as it is.
    #[test]
    fn remembered_friction_turns_with_its_contact() {
        let corner = Element::try_from([0; 4]).unwrap();
        let feature = Feature { a: corner, b: corner };
        let memory = ContactMemory {
            pair: [0, 1],
            feature,
            normal: DVec3::Y,
            force: DVec3::new(3.0, 50.0, 0.0),
            torque: DVec3::ZERO,
        };
        let rolled = turned_friction(&memory, DVec3::Y, DVec3::new(0.0, 0.0, -0.3));
        assert!((rolled - DVec3::X * 3.0).length() < 1e-14, "{rolled}");
        let tilt = DQuat::from_rotation_z(0.4);
        let tilted = turned_friction(&memory, tilt * DVec3::Y, DVec3::new(0.0, 0.0, 0.4));
        assert!((tilted - tilt * DVec3::X * 3.0).length() < 1e-14, "{tilted}");
        let spun = turned_friction(&memory, DVec3::Y, DVec3::Y * 0.2);
        assert!((spun - DQuat::from_rotation_y(0.2) * DVec3::X * 3.0).length() < 1e-14, "{spun}");
    }

    /// Contacts never pull, and do not push before bodies touch.
    #[test]
    fn springs_only_push() {
        for loss in [SpringLoss::Linear(30.0), SpringLoss::HuntCrossley(0.7)] {
            assert_eq!(sprung(loss, 1e-3).impulse(-0.9), 0.0);
            assert_eq!(sprung(loss, -1e-5).impulse(5.0), 0.0);
            assert!(sprung(loss, 1e-3).impulse(-1.1) > 0.0);
        }
    }
}
