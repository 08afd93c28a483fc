//! Balls, cylinders and tubes.
//!
//! - A ball is an icosahedron whose 20 tetrahedra with the centre are cut into n³ each, on a lattice; the points of
//!   layer i are then moved to radius i/n of the ball.
//! - A cylinder is a disc of rings, 6i triangles' corners on ring i, in layers of prisms.
//! - A tube is an annulus of squares with alternating diagonals, in layers of prisms.
//!
//! Vertices lie on the curved surface, so that the volume is a little less than that of the shape; the difference falls
//! with the square of the number of cells.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};

use super::error::{VolumeError, at_least, not_too_many, positive};
use super::extrude::{Flat, extrude};
use super::mesh::{TetMesh, determinant};
use crate::geometry::icosahedron::IcosahedronPoints;

impl TetMesh {
    /// A ball about the origin, with this many layers of tetrahedra between its centre and its surface: 20 n³ of them.
    pub fn ball(radius: f64, layers: u32) -> Result<Self, VolumeError> {
        positive("radius", radius)?;
        at_least("layers", layers, 1)?;
        not_too_many(&[layers, layers, layers, 20])?;
        let points = IcosahedronPoints::default();
        let mut lattice = Lattice { radius, layers, points, tets: Vec::new(), vertices: Vec::new() };
        for face in IcosahedronPoints::faces() {
            lattice.fill(face);
        }
        Ok(Self { vertices: lattice.vertices, tets: lattice.tets })
    }

    /// A cylinder about the y axis, with this many rings of triangles in its cross-section and this many layers along
    /// it.
    pub fn cylinder(radius: f64, height: f64, rings: u32, layers: u32) -> Result<Self, VolumeError> {
        positive("radius", radius)?;
        positive("height", height)?;
        at_least("rings", rings, 1)?;
        at_least("layers", layers, 1)?;
        not_too_many(&[rings, rings, layers, 18])?;
        Ok(extrude(&disc_of_rings(radius, rings), height, layers))
    }

    /// A tube about the y axis, with cells around it, through its wall and along it; six tetrahedra a cell.
    pub fn tube(radii: [f64; 2], height: f64, cells: [u32; 3]) -> Result<Self, VolumeError> {
        let ([inner, outer], [around, through, along]) = (radii, cells);
        positive("inner radius", inner)?;
        positive("outer radius", outer)?;
        positive("height", height)?;
        if inner >= outer {
            return Err(VolumeError::Radii { inner, outer });
        }
        at_least("cells around", around, 3)?;
        at_least("cells through the wall", through, 1)?;
        at_least("cells along", along, 1)?;
        not_too_many(&[around, through, along, 6])?;
        Ok(extrude(&annulus(radii, around, through), height, along))
    }
}

/// A disc of rings; ring i has 6i corners.
pub(in crate::geometry) fn disc_of_rings(radius: f64, rings: u32) -> Flat {
    let mut flat = Flat { vertices: vec![DVec2::ZERO], triangles: Vec::new() };
    let first = |ring: u32| if ring == 0 { 0 } else { 1 + 3 * ring * (ring - 1) };
    let corner = |ring: u32, k: u32| first(ring) + if ring == 0 { 0 } else { k % (6 * ring) };
    for ring in 1..=rings {
        let size = radius * f64::from(ring) / f64::from(rings);
        let turn = |k: u32| TAU * f64::from(k) / f64::from(6 * ring);
        flat.vertices.extend((0..6 * ring).map(|k| size * DVec2::from_angle(turn(k))));
        for sector in 0..6 {
            for k in 0..ring {
                let (outer, inner) = (sector * ring + k, sector * (ring - 1) + k);
                flat.triangles.push([corner(ring, outer), corner(ring, outer + 1), corner(ring - 1, inner)]);
                if k + 1 < ring {
                    let last = corner(ring - 1, inner + 1);
                    flat.triangles.push([corner(ring, outer + 1), last, corner(ring - 1, inner)]);
                }
            }
        }
    }
    flat
}

/// An annulus of squares with alternating diagonals.
fn annulus(radii: [f64; 2], around: u32, through: u32) -> Flat {
    let mut flat = Flat::default();
    for ring in 0..=through {
        let radius = radii[0] + (radii[1] - radii[0]) * f64::from(ring) / f64::from(through);
        let turn = |k: u32| TAU * f64::from(k) / f64::from(around);
        flat.vertices.extend((0..around).map(|k| radius * DVec2::from_angle(turn(k))));
    }
    for ring in 0..through {
        for k in 0..around {
            let next = (k + 1) % around;
            // Anticlockwise: inner, outer, outer next, inner next.
            let [a, b] = [ring * around + k, (ring + 1) * around + k];
            let [c, d] = [(ring + 1) * around + next, ring * around + next];
            let halves = if (ring + k) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
            flat.triangles.extend(halves);
        }
    }
    flat
}

/// The tetrahedra of a ball while they are made.
struct Lattice {
    radius: f64,
    layers: u32,
    points: IcosahedronPoints,
    tets: Vec<[u32; 4]>,
    vertices: Vec<DVec3>,
}

impl Lattice {
    /// The vertex with these weights of three corners: in the direction of their weighted sum, at the radius of its
    /// layer.
    fn vertex(&mut self, face: [usize; 3], weights: [u32; 3]) -> u32 {
        let radius = self.radius * f64::from(weights.iter().sum::<u32>()) / f64::from(self.layers);
        self.points.vertex(face, weights, |direction| self.vertices.push(radius * direction))
    }

    /// Fills the tetrahedron between the centre and a face: lattice tetrahedra, and octahedra between them that are cut
    /// into four.
    fn fill(&mut self, face: [usize; 3]) {
        let n = self.layers;
        for i in 0..n {
            for j in 0..n - i {
                for k in 0..n - i - j {
                    let left = n - i - j - k;
                    // The corners of the lattice cube at (i, j, k); bit a set: one more along axis a.
                    let mut corner =
                        |bits: u32| self.vertex(face, [i + (bits & 1), j + (bits >> 1 & 1), k + (bits >> 2 & 1)]);
                    let upright = [0, 1, 2, 4].map(&mut corner);
                    let octahedron = (left > 1).then(|| [1, 2, 4, 3, 5, 6].map(&mut corner));
                    let inverted = (left > 2).then(|| [3, 5, 6, 7].map(&mut corner));
                    self.push(upright);
                    if let Some(octahedron) = octahedron {
                        self.push_octahedron(octahedron);
                    }
                    if let Some(inverted) = inverted {
                        self.push(inverted);
                    }
                }
            }
        }
    }

    /// Cuts an octahedron along its shortest diagonal. Opposite corners: 0 and 5, 1 and 4, 2 and 3.
    fn push_octahedron(&mut self, o: [u32; 6]) {
        let length = |[a, b]: [usize; 2]| self.vertices[o[a] as usize].distance_squared(self.vertices[o[b] as usize]);
        let mut diagonals = [[0, 5], [1, 4], [2, 3]];
        diagonals.sort_by(|a, b| length(*a).total_cmp(&length(*b)));
        let [axis, first, second] = diagonals;
        let around = [first[0], second[0], first[1], second[1]];
        for k in 0..4 {
            self.push([o[axis[0]], o[axis[1]], o[around[k]], o[around[(k + 1) % 4]]]);
        }
    }

    /// Adds a tetrahedron, its corners in the right order.
    fn push(&mut self, tet: [u32; 4]) {
        let [a, b, c, d] = tet;
        let positive = determinant(tet.map(|vertex| self.vertices[vertex as usize])) > 0.0;
        self.tets.push(if positive { tet } else { [a, c, b, d] });
    }
}
