//! The surface of a shape as triangles: what friction fields, pictures and exports use.

use glam::{DVec2, DVec3};

/// Triangles with normals, texture coordinates and tangents at their corners.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinMesh {
    /// Corners, in the body's coordinates.
    pub positions: Vec<DVec3>,
    /// Outward unit normals, one a corner.
    pub normals: Vec<DVec3>,
    /// Texture coordinates, one a corner; empty if there are none.
    pub uvs: Vec<DVec2>,
    /// Unit tangents along u, one a corner; empty if there are no texture coordinates. The bitangent is normal × tangent.
    pub tangents: Vec<DVec3>,
    /// Corner numbers, anticlockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}
