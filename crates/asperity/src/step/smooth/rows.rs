//! The rows of the contacts over the degrees of freedom.
//!
//! The normal row is the rate of the gap: n·v of the point, and on a surface that deforms the derivative of Ψ/|∇Ψ| by its
//! vertices. So an impulse along it leaves momentum and angular momentum of the world as they are.
//!
//! Tangential rows carry the velocities of the samples to the contact (Larionov et al. 2021, section 4.1.3): with Q_s the
//! smallest rotation that takes the normal n_s of a sample to ∇Ψ/|∇Ψ| = m,
//!
//!   v_x = Σ w_s Q_s v_s,     Q_s = 1 + [z] + [z]²/(1 + n_s·m),     z = n_s × m,
//!
//! v_s the mean velocity of the corners of the sample's triangle. What is tangential there is tangential here. Q_s turns
//! impulses as well: where the normals of the samples around a contact differ by α, a fraction of the order α² of a tangential
//! impulse is not given back to the other body. Without rotations ([`Transport::Weights`]) all of it is.

use asperity_solve::problem::DofRows;
use glam::DVec3;

use super::contacts::{Blend, SmoothContact};
use super::fields::Fields;
use crate::contact::{PlacedBody, VertexRow};
use crate::geometry::potential::by_corners;
use crate::step::Transport;
use crate::step::implicit::{FreeStep, Freedom};

/// Cosine between the normal of a sample and that of a contact below which there is no smallest rotation.
const OPPOSITE: f64 = -0.99;

/// The rows of all contacts.
pub(super) struct Rows {
    /// J, contact by contact.
    pub(super) jacobian: DofRows,
    /// What motions that are given add to J v.
    pub(super) given: Vec<f64>,
}

/// What rows are made from.
pub(super) struct RowSource<'a> {
    pub(super) free: &'a FreeStep,
    pub(super) placed: &'a [PlacedBody],
    pub(super) fields: &'a Fields,
    pub(super) transport: Transport,
}

/// An entry of the rows of one contact.
struct Entry {
    row: usize,
    dof: usize,
    value: f64,
}

impl Rows {
    /// Of contacts with this many rows each.
    pub(super) fn new(source: &RowSource, contacts: &[SmoothContact], rows_of: impl Fn(usize) -> usize) -> Self {
        let mut all = Self { jacobian: DofRows::empty(), given: Vec::new() };
        let (mut entries, mut vertices, mut touched, mut block) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (i, own) in contacts.iter().enumerate() {
            entries.clear();
            for row in 0..rows_of(i) {
                let mut known = 0.0;
                for side in 0..2 {
                    known += source.side_row(own, side, row, &mut vertices, &mut entries);
                }
                all.given.push(known);
            }
            touched.clear();
            touched.extend(entries.iter().map(|entry: &Entry| entry.dof));
            touched.sort_unstable();
            touched.dedup();
            block.clear();
            block.resize(rows_of(i) * touched.len(), 0.0);
            for Entry { row, dof, value } in &entries {
                block[row * touched.len() + touched.partition_point(|other| other < dof)] += value;
            }
            all.jacobian.push(rows_of(i), &touched, |row, k| block[row * touched.len() + k]);
        }
        all
    }

    /// The rows of a contact.
    pub(super) fn range(&self, contact: usize) -> std::ops::Range<usize> {
        self.jacobian.starts()[contact]..self.jacobian.starts()[contact + 1]
    }

    /// The normal rows alone.
    pub(super) fn normals(&self) -> DofRows {
        let mut normals = DofRows::empty();
        for i in 0..self.jacobian.blocks() {
            let block = self.jacobian.block(i);
            normals.push(1, block.dofs, |_, k| block.values[k]);
        }
        normals
    }

    /// u = J v + what is given.
    pub(super) fn velocities(&self, v: &[f64]) -> Vec<f64> {
        let mut u = vec![0.0; self.given.len()];
        self.jacobian.velocities(v, &mut u);
        u.iter_mut().zip(&self.given).for_each(|(u, given)| *u += given);
        u
    }
}

impl RowSource<'_> {
    /// Row k on one side of a contact: its entries, and the rate that motions which are given contribute.
    fn side_row(
        &self,
        own: &SmoothContact,
        side: usize,
        k: usize,
        vertices: &mut Vec<VertexRow>,
        entries: &mut Vec<Entry>,
    ) -> f64 {
        let (contact, sign) = (&own.contact, if side == 0 { 1.0 } else { -1.0 });
        let body = contact.pair[side] as usize;
        let at = &self.placed[body];
        vertices.clear();
        match &own.blend {
            Some(blend) if blend.side == side && k < 3 => self.blend_row(own, blend, k, vertices),
            _ => {
                if let Some(row) = contact.rigid_row(side, k) {
                    let Freedom::Rigid(first) = self.free.freedom(body) else {
                        return sign * contact.rate(side, k, at);
                    };
                    let values = row.linear.to_array().into_iter().chain(row.angular.to_array());
                    entries.extend(values.enumerate().map(|(i, value)| Entry {
                        row: k,
                        dof: first + i,
                        value: sign * value,
                    }));
                    return 0.0;
                }
                contact.anchors[side].vertex_rows(contact.axis(k), k, at, vertices);
                vertices.iter_mut().for_each(|row| row.factor *= sign);
            }
        }
        let dofs = match self.free.freedom(body) {
            Freedom::Vertices(own) => own,
            _ => &[],
        };
        let mut known = 0.0;
        for VertexRow { vertex, factor } in vertices.iter() {
            match dofs.get(*vertex as usize).copied().flatten() {
                Some(dof) => {
                    let values = factor.to_array().into_iter().enumerate();
                    entries.extend(values.map(|(i, value)| Entry { row: k, dof: dof as usize + i, value }));
                }
                None => known += factor.dot(at.mesh.as_ref().map_or(DVec3::ZERO, |mesh| mesh.vertex_velocity(*vertex))),
            }
        }
        known
    }

    /// Row k on the side of a potential that deforms, with its sign: vertex by vertex.
    fn blend_row(&self, own: &SmoothContact, blend: &Blend, k: usize, out: &mut Vec<VertexRow>) {
        let body = own.contact.pair[blend.side];
        let Some(mesh) = &self.placed[body as usize].mesh else { return };
        let Some(field) = self.fields.list.iter().find(|field| field.body == body) else { return };
        let normals = &field.potential.samples().normals;
        let sign = if blend.side == 0 { 1.0 } else { -1.0 };
        for influence in &blend.influences {
            let corners = mesh.triangles()[influence.sample as usize];
            let factors = if k == 0 {
                let places = mesh.corners(influence.sample);
                by_corners(places, influence.by_point * blend.scale, influence.by_normal * blend.scale)
            } else {
                let axis = own.contact.axis(k);
                let carried = match self.transport {
                    Transport::Rotations => carried_back(axis, normals[influence.sample as usize], blend.outward),
                    Transport::Weights => axis,
                };
                [carried * (sign * influence.weight / 3.0); 3]
            };
            let rows = corners.into_iter().zip(factors);
            out.extend(rows.map(|(vertex, factor)| VertexRow { vertex, factor }));
        }
    }
}

/// Qᵀ d: a direction at a contact with the normal m, carried to a sample with the normal n by the smallest rotation.
pub(super) fn carried_back(direction: DVec3, n: DVec3, m: DVec3) -> DVec3 {
    let cosine = n.dot(m);
    if cosine < OPPOSITE {
        return direction;
    }
    // The rotation from m to n: z changes its sign.
    let z = m.cross(n);
    direction + z.cross(direction) + z.cross(z.cross(direction)) / (1.0 + cosine)
}
