//! Tetrahedra that fill a shape: isosurface stuffing (Labelle and Shewchuk 2007).
//!
//! The shape is where a function is positive. A body-centred cubic lattice, which is made of congruent, well-shaped
//! tetrahedra, covers it. Where an edge of the lattice leaves the shape it has a cut point. Lattice points that are too
//! near to a cut point are moved there; tetrahedra that still cross the surface are replaced by the pieces of them that
//! lie inside, of which there are few kinds. With the distances of their table 1, all dihedral angles are between 10.7
//! and 164.8 degrees, whatever the shape.
//!
//! Vertices of the boundary lie on the surface; sharp edges and features smaller than a cell are cut off. Where two
//! parts of a shape come nearer to each other than a cell (between two fingers), their meshes may touch along an edge,
//! which then has four triangles of the boundary on it.

mod lattice;
mod solid;
mod stencil;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use glam::DVec3;
use rayon::prelude::*;

use super::error::{VolumeError, not_too_many, positive};
use super::mesh::TetMesh;
use crate::geometry::aabb::Aabb;
use lattice::Lattice;
pub use solid::RoundBar;
use stencil::Stencils;

/// Cut points nearer to a lattice point than this fraction of the edge take the place of the lattice point: on edges of
/// length one cell, and on the shorter ones between the two kinds of points.
const SNAP_LONG: f64 = 0.24999;
const SNAP_SHORT: f64 = 0.41189;

/// Evaluations that find a cut point; the false position with Illinois' correction needs less than ten for smooth
/// shapes.
const ROOT_STEPS: usize = 40;
/// A cut point is found to this fraction of its edge.
const ROOT_TOLERANCE: f64 = 1e-10;

/// A lattice edge that leaves the shape.
#[derive(Clone, Copy, Debug)]
struct Cut {
    /// Where, as a fraction of the way from the end with the lower number.
    fraction: f64,
    place: DVec3,
}

/// The edges that leave the shape, by the numbers of their ends.
type Cuts = BTreeMap<[u32; 2], Cut>;

impl TetMesh {
    /// Fills the region where `depth` is positive; it must not be positive outside `bounds`. `cell` is the edge of the
    /// lattice's cubes, each of which has twelve tetrahedra.
    pub fn fill(bounds: &Aabb, cell: f64, depth: &(dyn Fn(DVec3) -> f64 + Sync)) -> Result<Self, VolumeError> {
        positive("cell", cell)?;
        let size = bounds.max - bounds.min;
        for (name, value) in [("bounds.x", size.x), ("bounds.y", size.y), ("bounds.z", size.z)] {
            positive(name, value)?;
        }
        let cells = (size / cell).ceil();
        let cells = [cells.x, cells.y, cells.z].map(|n| n.min(f64::from(u32::MAX / 2)) as u32 + 2);
        not_too_many(&[cells[0], cells[1], cells[2], 12])?;
        let mut lattice = Lattice::new(bounds.min + 0.5 * size, cell, cells);
        // Nothing is inside on the outermost layer, so that the boundary closes.
        let value = |id: u32| if lattice.is_outermost(id) { -cell } else { depth(lattice.place(id)) };
        let mut values: Vec<f64> = (0..lattice.len()).into_par_iter().map(value).collect();
        if let Some(k) = values.iter().position(|value| value.is_nan()) {
            return Err(VolumeError::NoDepth { place: lattice.place(k as u32) });
        }
        let cuts = find_cuts(&lattice, &values, depth);
        snap(&mut lattice, &mut values, &cuts);
        let mut stencils = Stencils::new(&lattice, &values, &cuts);
        for tet in lattice.tets() {
            stencils.add(tet);
        }
        let mesh = stencils.finish();
        if mesh.tets.is_empty() { Err(VolumeError::Empty) } else { Ok(mesh) }
    }
}

/// All edges with one end inside and one outside.
fn find_cuts(lattice: &Lattice, values: &[f64], depth: &(dyn Fn(DVec3) -> f64 + Sync)) -> Cuts {
    let crossing = |id: &u32| {
        let own = values[*id as usize];
        let others = lattice.neighbours(*id).filter(move |other| other > id && own * values[*other as usize] < 0.0);
        others.map(|other| [*id, other]).collect::<Vec<_>>()
    };
    let edges: Vec<[u32; 2]> =
        (0..lattice.len()).filter(|id| values[*id as usize] != 0.0).flat_map(|id| crossing(&id)).collect();
    let cut = |edge: &[u32; 2]| {
        let ends = edge.map(|id| lattice.place(id));
        let at = |fraction: f64| depth(ends[0].lerp(ends[1], fraction));
        let fraction = root(edge.map(|id| values[id as usize]), at);
        (*edge, Cut { fraction, place: ends[0].lerp(ends[1], fraction) })
    };
    edges.par_iter().map(cut).collect::<Vec<_>>().into_iter().collect()
}

/// Where a function with these values of opposite sign at 0 and 1 is zero.
fn root([mut at_low, mut at_high]: [f64; 2], value: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let mut last = 0.0_f64;
    for _ in 0..ROOT_STEPS {
        if high - low < ROOT_TOLERANCE {
            break;
        }
        let middle = (low * at_high - high * at_low) / (at_high - at_low);
        let here = value(middle);
        if here == 0.0 || here.is_nan() {
            return middle;
        }
        if here * at_high > 0.0 {
            (high, at_high) = (middle, here);
            // Twice on the same side: halve the value at the other end.
            at_low *= if last > 0.0 { 0.5 } else { 1.0 };
            last = 1.0;
        } else {
            (low, at_low) = (middle, here);
            at_high *= if last < 0.0 { 0.5 } else { 1.0 };
            last = -1.0;
        }
    }
    0.5 * (low + high)
}

/// Moves lattice points to cut points that are too near, the nearest first; their value is then zero. Points are taken
/// in the order of their numbers.
fn snap(lattice: &mut Lattice, values: &mut [f64], cuts: &Cuts) {
    struct Candidate {
        point: u32,
        other: u32,
        distance: f64,
        place: DVec3,
    }
    let mut candidates = Vec::new();
    for (&[a, b], cut) in cuts {
        let limit = if lattice.is_long([a, b]) { SNAP_LONG } else { SNAP_SHORT };
        for (point, other, distance) in [(a, b, cut.fraction), (b, a, 1.0 - cut.fraction)] {
            if distance < limit {
                candidates.push(Candidate { point, other, distance, place: cut.place });
            }
        }
    }
    candidates.sort_by(|a, b| a.point.cmp(&b.point).then(a.distance.total_cmp(&b.distance)));
    for candidate in candidates {
        // A point that was moved has taken the cut points of its edges with it.
        if values[candidate.point as usize] != 0.0 && values[candidate.other as usize] != 0.0 {
            values[candidate.point as usize] = 0.0;
            lattice.move_to(candidate.point, candidate.place);
        }
    }
}
