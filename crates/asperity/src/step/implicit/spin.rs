//! Angular momentum of elastic bodies in free flight.
//!
//! Backward Euler loses it: L⁺ = Σ x⁺ × m v⁺ = L + h Σ v⁺ × m v, since the elastic forces have no torque where they are
//! evaluated, at x⁺. A body that turns with ω loses a fraction of about (h ω)² in every step. Nothing acts on a body
//! that touches nothing and is not pinned, so its angular momentum about its centre of mass is given back to it, as a
//! rigid spin: v_i += δ × (x_i − c), I δ = L − L⁺. What the step lost of the energy of the rotation comes back with it;
//! what it takes from the vibrations does not.

use glam::{DMat3, DVec3};

use super::guess::Guess;
use super::rows::StepContact;
use crate::body::{BodyState, Elastic, MeshState};
use crate::step::rotation::point_inertia;
use crate::world::{Model, State};

/// Gives the bodies of a guess that are in free flight the angular momentum of `state` back.
pub(super) fn restore(model: &Model, state: &State, contacts: &[StepContact], guess: &mut Guess) {
    let pressed = |i: usize| contacts.iter().any(|own| own.r[0] > 0.0 && own.contact.pair.contains(&(i as u32)));
    for (i, body) in model.bodies.iter().enumerate() {
        let Some(elastic) = body.elastic() else { continue };
        let damped = model.damping > 0.0 || elastic.damping().mass > 0.0;
        let (BodyState::Mesh(before), BodyState::Mesh(after)) = (&state.bodies[i], &mut guess.bodies[i]) else {
            continue;
        };
        if damped || elastic.has_pins() || pressed(i) {
            continue;
        }
        let (was, is) = (Rotation::of(elastic, before), Rotation::of(elastic, after));
        let lost = was.momentum - is.momentum;
        // Points on a line have no inverse; their spin about it has no momentum either.
        if lost == DVec3::ZERO || is.inertia.determinant() <= 0.0 {
            continue;
        }
        let spin = is.inertia.inverse() * lost;
        let turned = |(x, v): (&DVec3, &DVec3)| *v + spin.cross(*x - is.centre);
        let velocities = after.positions.iter().zip(&after.velocities).map(turned).collect();
        *after = MeshState { frame: after.frame, positions: after.positions.clone(), velocities }.into();
    }
}

/// How a body turns about its centre of mass.
struct Rotation {
    centre: DVec3,
    /// Angular momentum, kg m²/s.
    momentum: DVec3,
    /// Inertia, kg m².
    inertia: DMat3,
}

impl Rotation {
    fn of(elastic: &Elastic, at: &MeshState) -> Self {
        let centre = elastic.centre_of_mass(at);
        let mut own = Self { centre, momentum: DVec3::ZERO, inertia: DMat3::ZERO };
        for (mass, (x, v)) in elastic.masses().iter().zip(at.positions.iter().zip(&at.velocities)) {
            let arm = *x - centre;
            own.momentum += arm.cross(*v) * *mass;
            own.inertia += point_inertia(*mass, arm);
        }
        own
    }
}
