//! The degrees of freedom as small bodies with inverse masses: vertices are points, rigid bodies rigid. And where their
//! velocities lead.

use asperity_solve::problem::InverseMass;
use glam::DVec3;

use crate::step::implicit::{FreeStep, Freedom, Span};

/// Inverse masses in the order of the degrees of freedom.
pub(in crate::step) struct Masses {
    pub(in crate::step) list: Vec<InverseMass>,
    /// Number in the list of what begins with each degree of freedom.
    numbers: Vec<u32>,
}

impl Masses {
    pub(in crate::step) fn new(free: &FreeStep, Span { model, state, .. }: Span) -> Self {
        let mut own = Self { list: Vec::new(), numbers: Vec::new() };
        for (i, (body, at)) in model.bodies.iter().zip(&state.bodies).enumerate() {
            match free.freedom(i) {
                Freedom::Given => (),
                Freedom::Rigid(_) => {
                    let Some(inertia) = body.inertia() else { continue };
                    let inverse = inertia.inverse_in_world(at.frame().rotation);
                    own.push(InverseMass::Rigid(1.0 / inertia.mass(), inverse));
                }
                Freedom::Vertices(vertices) => {
                    let Some(elastic) = body.elastic() else { continue };
                    for (mass, _) in elastic.masses().iter().zip(vertices).filter(|(_, dof)| dof.is_some()) {
                        own.push(InverseMass::Point(1.0 / mass));
                    }
                }
            }
        }
        own
    }

    fn push(&mut self, mass: InverseMass) {
        let number = self.list.len() as u32;
        self.numbers.resize(self.numbers.len() + mass.dofs(), number);
        self.list.push(mass);
    }

    /// Number in the list of what has this degree of freedom.
    pub(in crate::step) fn number(&self, dof: usize) -> usize {
        self.numbers[dof] as usize
    }
}

/// The three velocities that begin at a degree of freedom.
#[inline]
pub(super) fn velocity(v: &[f64], dof: u32) -> DVec3 {
    DVec3::from_slice(&v[dof as usize..])
}

/// Where the vertices of elastic bodies end with these velocities, body after body.
pub(super) fn ends(free: &FreeStep, Span { model, state, h }: Span, bodies: &[u32], v: &[f64]) -> Vec<DVec3> {
    let mut ends = Vec::new();
    for number in bodies.iter().map(|body| *body as usize) {
        let (Some(elastic), Some(at), Freedom::Vertices(own)) =
            (model.bodies[number].elastic(), state.bodies[number].mesh(), free.freedom(number))
        else {
            continue;
        };
        ends.extend(at.positions.iter().zip(own).enumerate().map(|(vertex, (x, dof))| match dof {
            Some(dof) => *x + velocity(v, *dof) * h,
            None => elastic.pinned_position(vertex, state.time + h).unwrap_or(*x),
        }));
    }
    ends
}
