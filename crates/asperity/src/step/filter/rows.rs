//! The contact problem over the masses: v⁺ = v* + M⁻¹ Jᵀ r, u = J v⁺ + what is given.
//!
//! The normal row demands u_n ≥ β, the bound of the contact; β is taken off the bias, so that the problem has u_n ≥ 0.

use asperity_solve::problem::{Bodies, ContactProblem, Link, ProblemError, RowKind};
use glam::DVec3;

use super::Trial;
use super::contacts::FilterContact;
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

/// The problem of these contacts, with so many rows each.
pub(super) fn problem(
    free: &FreeStep,
    trial: &Trial,
    placed: &[PlacedBody],
    contacts: &[FilterContact],
    rows_of: impl Fn(usize) -> usize,
) -> Result<ContactProblem, ProblemError> {
    let mut bodies = Bodies::new(trial.masses.list.clone())?;
    let (mut bias, mut block) = (Vec::new(), Block::default());
    for (i, own) in contacts.iter().enumerate() {
        let rows = rows_of(i);
        block.links.clear();
        for k in 0..rows {
            let mut given = if k == 0 { -own.bound } else { 0.0 };
            for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
                given += sign * block.add(free, placed, &own.contact, side, k, sign);
            }
            bias.push(given);
        }
        let first = bias.len() - rows;
        let links: Vec<Link> = block
            .links
            .iter()
            .map(|own| Link { body: trial.masses.number(own.dof), jacobian: &own.values[..rows * own.columns] })
            .collect();
        for own in &block.links {
            for (k, row) in own.values[..rows * own.columns].chunks_exact(own.columns).enumerate() {
                let v = &trial.free[own.dof..own.dof + own.columns];
                bias[first + k] += row.iter().zip(v).map(|(j, v)| j * v).sum::<f64>();
            }
        }
        bodies.push(rows, &links)?;
    }
    let kinds = vec![RowKind::Contact; contacts.len()];
    Ok(ContactProblem::new(bodies, bias, kinds)?.with_local_scales())
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
