//! Angular momentum, kept.
//!
//! At the end of a step L = Σ m x⁺ × v⁺ = Σ m x × v⁺, since x⁺ = x + h v⁺: it can be measured with the positions of the
//! start. Two things change that of bodies which nothing outside touches: backward Euler, which turns them with too
//! little spin, and impulses between points that are apart. Both are given back by a rigid spin about the centre of
//! mass, v_i ← v_i + I⁻¹ ΔL × (x_i − c): linear momentum stays.

use glam::{DMat3, DVec3};

use super::masses::velocity;
use crate::step::implicit::{FreeStep, Freedom, Span};
use crate::step::rotation::point_inertia;

/// A vertex with a mass that moves.
struct Moving {
    dof: u32,
    mass: f64,
    at: DVec3,
    /// Its velocity at the start of the step.
    before: DVec3,
}

/// The vertices of some elastic bodies; `None` if one of them has pins, which take up momentum.
fn vertices(free: &FreeStep, Span { model, state, .. }: Span, bodies: &[usize]) -> Option<Vec<Moving>> {
    let mut all = Vec::new();
    for i in bodies {
        let (Some(elastic), Some(at), Freedom::Vertices(own)) =
            (model.bodies[*i].elastic(), state.bodies[*i].mesh(), free.freedom(*i))
        else {
            return None;
        };
        for (k, dof) in own.iter().enumerate() {
            all.push(Moving { dof: (*dof)?, mass: elastic.masses()[k], at: at.positions[k], before: at.velocities[k] });
        }
    }
    Some(all)
}

fn centre(list: &[Moving]) -> DVec3 {
    list.iter().map(|own| own.at * own.mass).sum::<DVec3>() / list.iter().map(|own| own.mass).sum::<f64>()
}

/// Adds the rigid spin with this angular momentum about the centre of mass.
fn add_spin(list: &[Moving], momentum: DVec3, v: &mut [f64]) {
    let centre = centre(list);
    let mut inertia = DMat3::ZERO;
    for own in list {
        inertia += point_inertia(own.mass, own.at - centre);
    }
    // Points on a line have no inverse.
    if momentum == DVec3::ZERO || inertia.determinant() <= 0.0 {
        return;
    }
    let spin = inertia.inverse() * momentum;
    for own in list {
        let moved = velocity(v, own.dof) + spin.cross(own.at - centre);
        moved.write_to_slice(&mut v[own.dof as usize..]);
    }
}

/// Gives each free elastic body the angular momentum about its centre of mass that it starts with: gravity does not
/// change it. Bodies with pins, and those whose motion through space is damped, have another one.
pub(super) fn keep_spin(free: &FreeStep, span: Span, v: &mut [f64]) {
    for body in 0..span.model.bodies.len() {
        let Some(list) = turning(free, span, body) else { continue };
        let centre = centre(&list);
        let lost = list.iter().map(|own| (own.at - centre).cross((own.before - velocity(v, own.dof)) * own.mass)).sum();
        add_spin(&list, lost, v);
    }
}

/// Takes the rigid spin out of changes of velocities, of all bodies that [`keep_spin`] gives their angular momentum back.
pub(super) fn without_spin(free: &FreeStep, span: Span, change: &mut [f64]) {
    for body in 0..span.model.bodies.len() {
        let Some(list) = turning(free, span, body) else { continue };
        let centre = centre(&list);
        let spin = list.iter().map(|own| (own.at - centre).cross(velocity(change, own.dof) * own.mass)).sum::<DVec3>();
        add_spin(&list, -spin, change);
    }
}

/// The vertices of a free elastic body; `None` if it has pins, or if its motion through space is damped.
fn turning(free: &FreeStep, span: Span, body: usize) -> Option<Vec<Moving>> {
    let damped = span.model.bodies[body].elastic().is_some_and(|elastic| elastic.damping().mass > 0.0);
    vertices(free, span, &[body]).filter(|_| !damped)
}

/// A torque that impulses between two elastic bodies (or within one) have made out of nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Torque {
    pub(super) bodies: [usize; 2],
    pub(super) torque: DVec3,
}

/// Elastic bodies that torques link, and the sum of these.
struct Group {
    /// Numbers of the bodies, sorted.
    bodies: Vec<usize>,
    torque: DVec3,
}

/// Takes torques that were made out of nothing back from the bodies that are linked by them. If one of these has pins,
/// they hold it.
pub(super) fn take_back(free: &FreeStep, span: Span, torques: &[Torque], v: &mut [f64]) {
    let mut groups: Vec<Group> = Vec::new();
    for Torque { bodies, torque } in torques {
        let mut joined = Group { bodies: bodies.to_vec(), torque: *torque };
        groups.retain(|group| {
            let linked = group.bodies.iter().any(|body| bodies.contains(body));
            if linked {
                joined.bodies.extend(&group.bodies);
                joined.torque += group.torque;
            }
            !linked
        });
        joined.bodies.sort_unstable();
        joined.bodies.dedup();
        groups.push(joined);
    }
    for Group { bodies, torque } in groups {
        if let Some(list) = vertices(free, span, &bodies) {
            add_spin(&list, -torque, v);
        }
    }
}
