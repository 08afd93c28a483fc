//! Points on the faces of an icosahedron and between them and its centre, for meshes of spheres and balls.
//!
//! A point is a sum of three corners of a face with whole weights. Points on an edge or a corner are found from every
//! face that has it: they have one name, whatever the face.

use std::collections::BTreeMap;

use glam::DVec3;

/// Corners with their weights, sorted by corner; weights that are zero are left out.
type PointName = Vec<(usize, u32)>;

/// The points that were asked for, numbered in the order in which that happened.
#[derive(Debug, Default)]
pub(super) struct IcosahedronPoints {
    ids: BTreeMap<PointName, u32>,
}

impl IcosahedronPoints {
    /// The number of a point; a new one is given to `make` as a unit vector (zero for the centre).
    pub(super) fn vertex(&mut self, face: [usize; 3], weights: [u32; 3], make: impl FnOnce(DVec3)) -> u32 {
        let mut name: PointName = face.into_iter().zip(weights).filter(|(_, weight)| *weight > 0).collect();
        name.sort_unstable();
        let next = self.ids.len() as u32;
        let corners = corners();
        let direction: DVec3 = name.iter().map(|(corner, weight)| corners[*corner] * f64::from(*weight)).sum();
        *self.ids.entry(name).or_insert_with(|| {
            make(direction.normalize_or_zero());
            next
        })
    }

    /// The 20 faces, anticlockwise seen from outside: triples of neighbours.
    pub(super) fn faces() -> Vec<[usize; 3]> {
        let corners = corners();
        // Neighbours enclose arccos(1/√5), all others more than a right angle.
        let near = |a: usize, b: usize| corners[a].dot(corners[b]) > 0.2;
        let mut faces = Vec::with_capacity(20);
        for a in 0..12 {
            for b in a + 1..12 {
                for c in b + 1..12 {
                    if near(a, b) && near(b, c) && near(a, c) {
                        let outward = corners[a].dot(corners[b].cross(corners[c])) > 0.0;
                        faces.push(if outward { [a, b, c] } else { [a, c, b] });
                    }
                }
            }
        }
        faces
    }
}

/// Unit vectors to the corners: cyclic permutations of (0, ±1, ±φ), φ the golden ratio.
fn corners() -> [DVec3; 12] {
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    std::array::from_fn(|k| {
        let sign = |bit: usize| if ((k / 3) >> bit) & 1 == 0 { 1.0 } else { -1.0 };
        let (a, b) = (sign(0), sign(1) * golden);
        match k % 3 {
            0 => DVec3::new(0.0, a, b),
            1 => DVec3::new(a, b, 0.0),
            _ => DVec3::new(b, 0.0, a),
        }
        .normalize()
    })
}
