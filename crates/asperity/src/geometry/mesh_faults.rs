//! What may be wrong with a triangle surface that can still be used.
//!
//! Two triangles without a common corner cross if an edge of one goes through the inside of the other. The edge pq goes through the
//! triangle abc if p and q are on different sides of its plane and the tetrahedra (p, q, a, b), (p, q, b, c), (p, q, c, a)
//! have volumes of one sign. Triangles that lie in one plane, or that only touch, do not cross.

use glam::DVec3;
use rayon::prelude::*;

use super::Shape;
use super::aabb::Aabb;
use super::mesh::TriangleMesh;

/// Volumes below this fraction of the cube of the lengths are rounding.
const ROUNDING: f64 = 1e-12;

/// What may be wrong with a surface.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshFault {
    /// Triangles without area were left out.
    WithoutArea {
        /// How many.
        count: usize,
        /// The number of the first one.
        first: u32,
    },
    /// The surface is closed, and its triangles are clockwise seen from outside: it stops bodies from inside.
    Inward {
        /// The volume that it encloses, m³, negative.
        volume: f64,
    },
    /// Two triangles cross, by their numbers; the first such pair.
    Crossing {
        /// The two triangles.
        triangles: [usize; 2],
    },
}

impl Shape {
    /// The triangle surfaces that it is made of.
    pub fn surfaces(&self) -> Vec<&TriangleMesh> {
        match self {
            Self::Mesh(mesh) => vec![mesh],
            Self::Compound(compound) => compound.parts.iter().flat_map(|part| part.shape.surfaces()).collect(),
            _ => Vec::new(),
        }
    }
}

impl TriangleMesh {
    /// All that may be wrong with it. Numbers of triangles are those among the ones with an area.
    pub fn faults(&self) -> Vec<MeshFault> {
        let mut faults = Vec::new();
        if let [first, ..] = *self.without_area() {
            faults.push(MeshFault::WithoutArea { count: self.without_area().len(), first });
        }
        let volume = self.volume();
        if self.closed().is_ok() && volume < 0.0 {
            faults.push(MeshFault::Inward { volume });
        }
        faults.extend(self.crossing().map(|triangles| MeshFault::Crossing { triangles }));
        faults
    }

    /// The volume between the surface and the first corner, with a sign: what a closed surface encloses.
    fn volume(&self) -> f64 {
        let origin = self.data().vertices[0];
        let one = |[a, b, c]: [DVec3; 3]| (a - origin).dot((b - origin).cross(c - origin)) / 6.0;
        (0..self.data().triangles.len()).map(|i| one(self.corners(i))).sum()
    }

    /// The first two triangles that cross.
    fn crossing(&self) -> Option<[usize; 2]> {
        (0..self.data().triangles.len()).into_par_iter().find_map_first(|i| {
            let (own, places) = (self.corners(i), self.facet(i).places);
            let mut found: Option<usize> = None;
            self.near(&Aabb::of(own.into_iter()), |k| {
                let beside = self.facet(k).places.iter().any(|place| places.contains(place));
                if k > i && !beside && found.is_none_or(|known| k < known) && cross(own, self.corners(k)) {
                    found = Some(k);
                }
            });
            found.map(|k| [i, k])
        })
    }
}

/// Whether two triangles cross.
fn cross(a: [DVec3; 3], b: [DVec3; 3]) -> bool {
    let through = |from: [DVec3; 3], to: [DVec3; 3]| (0..3).any(|k| pierces(from[k], from[(k + 1) % 3], to));
    through(a, b) || through(b, a)
}

/// Whether the segment pq goes through the inside of a triangle.
fn pierces(p: DVec3, q: DVec3, [a, b, c]: [DVec3; 3]) -> bool {
    let size = p.distance(q).max(a.distance(b)).max(b.distance(c));
    let room = ROUNDING * size.powi(3);
    let volume = |w: DVec3, x: DVec3, y: DVec3, z: DVec3| (x - w).dot((y - w).cross(z - w));
    let (above, below) = (volume(p, a, b, c), volume(q, a, b, c));
    if above.abs() <= room || below.abs() <= room || (above > 0.0) == (below > 0.0) {
        return false;
    }
    let around = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
    around.iter().all(|v| *v > room) || around.iter().all(|v| *v < -room)
}

#[cfg(test)]
mod tests {
    use super::super::MeshData;
    use super::*;

    /// A tetrahedron with its first corner at `at`; outward, or inward if `turned`.
    fn tetrahedron(at: DVec3, turned: bool) -> MeshData {
        let vertices = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|p| p + at).to_vec();
        let triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let triangles = triangles.map(|[a, b, c]| if turned { [a, c, b] } else { [a, b, c] }).to_vec();
        MeshData { vertices, triangles, ..MeshData::default() }
    }

    fn two(second: MeshData) -> MeshData {
        let mut data = tetrahedron(DVec3::ZERO, false);
        let shift = data.vertices.len() as u32;
        data.vertices.extend(second.vertices);
        data.triangles.extend(second.triangles.iter().map(|corners| corners.map(|i| i + shift)));
        data
    }

    fn faults(data: MeshData) -> Vec<MeshFault> {
        TriangleMesh::new(data).unwrap().faults()
    }

    #[test]
    fn a_sound_surface_has_no_fault() {
        assert_eq!(faults(tetrahedron(DVec3::splat(3.0), false)), []);
        // Side by side, and touching with a corner in a face.
        assert_eq!(faults(two(tetrahedron(DVec3::new(2.0, 0.0, 0.0), false))), []);
        assert_eq!(faults(two(tetrahedron(DVec3::new(0.3, 0.3, -1.0), false))), []);
    }

    #[test]
    fn surfaces_that_face_inwards_or_cross_are_found() {
        let inward = faults(tetrahedron(DVec3::splat(3.0), true));
        assert!(
            matches!(inward[..], [MeshFault::Inward { volume }] if (volume + 1.0 / 6.0).abs() < 1e-15),
            "{inward:?}"
        );
        let crossing = faults(two(tetrahedron(DVec3::splat(0.2), false)));
        assert!(matches!(crossing[..], [MeshFault::Crossing { triangles: [a, b] }] if a < 4 && b >= 4), "{crossing:?}");
    }

    #[test]
    fn triangles_without_area_are_left_out_and_leave_the_surface_closed() {
        let mut data = tetrahedron(DVec3::ZERO, false);
        // The edge from 1 to 2 gets a point in its middle on one side only, with a flat triangle between; and one corner is named twice.
        data.vertices.push(DVec3::new(0.5, 0.5, 0.0));
        data.triangles[3] = [1, 4, 3];
        data.triangles.extend([[4, 2, 3], [1, 2, 4], [0, 0, 1]]);
        let mesh = TriangleMesh::new(data).unwrap();
        assert_eq!(mesh.without_area(), [5, 6]);
        assert_eq!(mesh.data().triangles.len(), 5);
        assert_eq!(mesh.closed(), Ok(()));
        assert_eq!(mesh.faults(), [MeshFault::WithoutArea { count: 2, first: 5 }]);
        // Beyond the edge of the flat triangle is what lies beside it, not a border.
        assert!((0..5).all(|t| mesh.facet(t).apex.iter().all(Option::is_some)));
        let apex = mesh.facet(0).apex[1].unwrap();
        assert_eq!(apex, 3, "beyond the edge from 2 to 1");
    }
}
