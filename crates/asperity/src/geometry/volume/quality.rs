//! Dihedral angles: the angles between the faces of tetrahedra. Small ones make a stiffness matrix badly conditioned,
//! large ones make the interpolation of gradients inaccurate (Shewchuk 2002); a regular tetrahedron has arccos(1/3) =
//! 70.5 degrees at all six edges.

use glam::DVec3;

use super::mesh::TetMesh;
use super::quadratic::TET_EDGES;

/// A dihedral angle of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DihedralAngle {
    /// The angle in radians.
    pub angle: f64,
    /// The tetrahedron that has it.
    pub tet: usize,
}

/// The extremes of the dihedral angles of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TetQuality {
    /// The smallest angle.
    pub least: DihedralAngle,
    /// The largest angle.
    pub greatest: DihedralAngle,
}

/// The angle inside a tetrahedron at the edge from a to b, between the faces to c and to d.
fn dihedral(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let (edge, first, second) = (b - a, (b - a).cross(c - a), (b - a).cross(d - a));
    (edge.dot(first.cross(second)).abs() / edge.length()).atan2(first.dot(second))
}

/// The six dihedral angles of a tetrahedron, in the order of [`TET_EDGES`].
pub(super) fn dihedral_angles(corners: [DVec3; 4]) -> [f64; 6] {
    TET_EDGES.map(|[a, b]| {
        let mut others = (0..4).filter(|corner| *corner != a && *corner != b).map(|corner| corners[corner]);
        match (others.next(), others.next()) {
            (Some(c), Some(d)) => dihedral(corners[a], corners[b], c, d),
            _ => f64::NAN,
        }
    })
}

impl TetMesh {
    /// The extremes of its dihedral angles; `None` if there are no tetrahedra.
    pub fn quality(&self) -> Option<TetQuality> {
        let angles = (0..self.tets.len())
            .flat_map(|tet| dihedral_angles(self.corners(tet)).map(|angle| DihedralAngle { angle, tet }));
        let least = angles.clone().min_by(|a, b| a.angle.total_cmp(&b.angle))?;
        let greatest = angles.max_by(|a, b| a.angle.total_cmp(&b.angle))?;
        Some(TetQuality { least, greatest })
    }
}
