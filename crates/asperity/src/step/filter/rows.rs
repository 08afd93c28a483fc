//! The rows of contacts, and their problem: v⁺ = w + M⁻¹ Jᵀ r over the masses, or v⁺ = w + A⁻¹ Jᵀ r over the elastic dynamics;
//! u = J v⁺ + what is given.
//!
//! The normal row demands u_n ≥ β, the bound of the contact; β is taken off the bias, so that the problem has u_n ≥ 0.

use asperity_solve::problem::{Bodies, ContactProblem, DofRows, Dynamics, Factor, Link, ProblemError, RowKind};
use glam::DVec3;

use super::contacts::FilterContact;
use super::masses::Masses;
use crate::contact::{Contact, MOST_ROWS, PlacedBody, VertexRow};
use crate::step::implicit::{FreeStep, Freedom};

/// What a contact does to one mass: as many columns as that has degrees of freedom.
struct Linked {
    dof: usize,
    columns: usize,
    values: [f64; 6 * MOST_ROWS],
}

/// The rows of one contact.
#[derive(Default)]
struct Block {
    links: Vec<Linked>,
    vertices: Vec<VertexRow>,
}

/// The rows of the contacts of a step.
pub(super) struct Rows {
    bodies: Bodies,
    /// What motions that are given contribute to the rates, without the bounds.
    given: Vec<f64>,
}

impl Rows {
    /// Those of these contacts, with so many rows each.
    pub(super) fn new(
        free: &FreeStep,
        masses: &Masses,
        placed: &[PlacedBody],
        contacts: &[FilterContact],
        rows_of: impl Fn(usize) -> usize,
    ) -> Result<Self, ProblemError> {
        let mut bodies = Bodies::new(masses.list.clone())?;
        let (mut given, mut block) = (Vec::new(), Block::default());
        for (i, own) in contacts.iter().enumerate() {
            let rows = rows_of(i);
            block.links.clear();
            for k in 0..rows {
                let mut rate = if k == 0 { -own.bound } else { 0.0 };
                for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
                    rate += sign * block.add(free, placed, &own.contact, side, k, sign);
                }
                given.push(rate);
            }
            let links: Vec<Link> = block
                .links
                .iter()
                .map(|own| Link { body: masses.number(own.dof), jacobian: &own.values[..rows * own.columns] })
                .collect();
            bodies.push(rows, &links)?;
        }
        Ok(Self { bodies, given })
    }

    /// J over the degrees of freedom.
    pub(super) fn jacobian(&self) -> DofRows {
        DofRows::from_bodies(&self.bodies)
    }

    /// M⁻¹ Jᵀ r.
    pub(super) fn pushed(&self, r: &[f64]) -> Vec<f64> {
        self.bodies.response(r)
    }

    /// The problem over the masses, with velocities w where no impulse acts.
    pub(super) fn over_masses(self, w: &[f64]) -> Result<ContactProblem, ProblemError> {
        let Self { bodies, given: mut bias } = self;
        for i in 0..bodies.blocks() {
            let first = bodies.starts()[i];
            for Link { body, jacobian } in bodies.links(i) {
                let v = &w[bodies.dofs(body)];
                for (k, row) in jacobian.chunks_exact(v.len()).enumerate() {
                    bias[first + k] += row.iter().zip(v).map(|(j, v)| j * v).sum::<f64>();
                }
            }
        }
        problem(bodies, bias)
    }

    /// The problem over elastic dynamics that are linear.
    pub(super) fn over_elastic(&self, factor: Factor, w: &[f64]) -> Result<ContactProblem, ProblemError> {
        let mut bias = vec![0.0; self.given.len()];
        factor.rows().velocities(w, &mut bias);
        bias.iter_mut().zip(&self.given).for_each(|(bias, given)| *bias += given);
        problem(factor, bias)
    }
}

impl Block {
    /// Adds row k of one side; what motions that are given contribute to its rate.
    fn add(
        &mut self,
        free: &FreeStep,
        placed: &[PlacedBody],
        contact: &Contact,
        side: usize,
        k: usize,
        sign: f64,
    ) -> f64 {
        let number = contact.pair[side] as usize;
        let body = &placed[number];
        match free.freedom(number) {
            Freedom::Given => contact.rate(side, k, body),
            Freedom::Rigid(first) => {
                if let Some(row) = contact.rigid_row(side, k) {
                    let values = row.linear.to_array().into_iter().chain(row.angular.to_array());
                    let out = self.values(first, 6, k);
                    out.iter_mut().zip(values).for_each(|(out, value)| *out += sign * value);
                }
                0.0
            }
            Freedom::Vertices(own) => {
                let mut vertices = std::mem::take(&mut self.vertices);
                vertices.clear();
                contact.anchors[side].vertex_rows(contact.axis(k), k, body, &mut vertices);
                let mut given = 0.0;
                for VertexRow { vertex, factor } in &vertices {
                    match own[*vertex as usize] {
                        Some(dof) => {
                            let out = self.values(dof as usize, 3, k);
                            out.iter_mut().zip(factor.to_array()).for_each(|(out, value)| *out += sign * value);
                        }
                        None => {
                            let velocity = body.mesh.as_ref().map_or(DVec3::ZERO, |mesh| mesh.vertex_velocity(*vertex));
                            given += factor.dot(velocity);
                        }
                    }
                }
                self.vertices = vertices;
                given
            }
        }
    }

    /// The columns of row k of what begins with a degree of freedom.
    fn values(&mut self, dof: usize, columns: usize, k: usize) -> &mut [f64] {
        let known = self.links.iter().position(|link| link.dof == dof);
        let number = known.unwrap_or_else(|| {
            self.links.push(Linked { dof, columns, values: [0.0; 6 * MOST_ROWS] });
            self.links.len() - 1
        });
        &mut self.links[number].values[k * columns..(k + 1) * columns]
    }
}

/// All blocks of rows are contacts. Each has its own scale of velocities: vertices are small beside the bodies they touch.
fn problem(dynamics: impl Into<Dynamics>, bias: Vec<f64>) -> Result<ContactProblem, ProblemError> {
    let dynamics = dynamics.into();
    let kinds = vec![RowKind::Contact; dynamics.starts().len() - 1];
    Ok(ContactProblem::new(dynamics, bias, kinds)?.with_local_scales())
}
