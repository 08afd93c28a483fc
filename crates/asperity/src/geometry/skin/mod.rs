//! The surface of a shape as triangles: what friction fields, pictures and exports use.
//!
//! Texture coordinates lie in [0, 1]², u along the tangent and v along normal × tangent:
//! - sphere and capsule: u is the longitude around y (0 at +z, to +x), v the length along the meridian from −y to +y;
//! - cylinder: the side like a capsule; each end is the disc around (½, ½) of radius ½;
//! - box: each of the six faces is the whole square; half-space: the square;
//! - hulls have none; meshes have their own or none; a compound has them if all its parts have.

mod deformed;
mod lookup;
pub(super) mod mesh;
pub(super) mod primitive;

use glam::{DVec2, DVec3};

pub use deformed::DeformedSkin;
pub use lookup::{FlatPiece, Outline, Piece, RoundPiece, SkinLookup};
pub(super) use lookup::{PartSkin, SkinForm};

use super::Pose;

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
    /// Of a mesh: the number of the vertex that each corner is at. Corners at creases share a vertex. Empty for all other shapes.
    pub vertex_of: Vec<u32>,
}

/// Side of the square that stands for a half-space, if none is given; metres.
pub const HALF_SPACE_SIDE: f64 = 20.0;

/// How fine a skin is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SkinDetail {
    /// Segments around a full circle.
    pub(super) resolution: u32,
    /// Side of the square that stands for a half-space, m.
    pub(super) side: f64,
}

impl Default for SkinDetail {
    fn default() -> Self {
        Self { resolution: 64, side: HALF_SPACE_SIDE }
    }
}

impl SkinDetail {
    /// Segments around a full circle: 3 at least.
    pub(super) fn round(&self) -> u32 {
        self.resolution.clamp(3, 4096)
    }

    /// Squares along the side of a flat face: an eighth of the segments of a circle.
    pub(super) fn flat(&self) -> u32 {
        (self.round() / 8).max(1)
    }
}

impl SkinMesh {
    /// Adds another skin, moved. Texture coordinates stay only if both have them.
    pub(super) fn append(&mut self, other: &Self, pose: &Pose, first: bool) {
        let offset = self.positions.len() as u32;
        let textured = !other.uvs.is_empty() && (first || !self.uvs.is_empty());
        self.positions.extend(other.positions.iter().map(|&p| pose.apply(p)));
        self.normals.extend(other.normals.iter().map(|&n| pose.rotation * n));
        if textured {
            self.uvs.extend(&other.uvs);
            self.tangents.extend(other.tangents.iter().map(|&t| pose.rotation * t));
        } else {
            self.uvs.clear();
            self.tangents.clear();
        }
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|i| i + offset)));
    }

    /// Adds a corner; answers with its number.
    fn corner(&mut self, position: DVec3, normal: DVec3, uv: DVec2, tangent: DVec3) -> u32 {
        self.positions.push(position);
        self.normals.push(normal);
        self.uvs.push(uv);
        self.tangents.push(tangent);
        self.positions.len() as u32 - 1
    }

    /// Sum of the triangles' areas.
    pub fn area(&self) -> f64 {
        self.triangles.iter().map(|t| self.area_vector(t).length()).sum()
    }

    /// The volume inside, if the skin is closed.
    pub fn volume(&self) -> f64 {
        let sixth = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| self.positions[i as usize]);
            a.dot(b.cross(c)) / 6.0
        };
        self.triangles.iter().map(sixth).sum()
    }

    /// ∇λ of the three corners' barycentric weights on a triangle, and ∇u, ∇v (zero without texture coordinates), 1/m. None if it has no
    /// area: a height below 10⁻¹² of its longest side.
    pub fn gradients(&self, triangle: usize) -> Option<([DVec3; 3], [DVec3; 2])> {
        let corners = self.triangles[triangle].map(|k| k as usize);
        let [a, b, c] = corners.map(|k| self.positions[k]);
        let across = (b - a).cross(c - a);
        let area = across.length_squared();
        let side = (b - a).length_squared().max((c - a).length_squared()).max((c - b).length_squared());
        if area.partial_cmp(&(1e-24 * side * side)) != Some(std::cmp::Ordering::Greater) {
            return None;
        }
        // Across the opposite side, one at the corner.
        let weights = [c - b, a - c, b - a].map(|side| across.cross(side) / area);
        let mut gradients = [DVec3::ZERO; 2];
        if !self.uvs.is_empty() {
            for (weight, uv) in weights.iter().zip(corners.map(|k| self.uvs[k])) {
                gradients[0] += *weight * uv.x;
                gradients[1] += *weight * uv.y;
            }
        }
        Some((weights, gradients))
    }

    fn area_vector(&self, triangle: &[u32; 3]) -> DVec3 {
        let [a, b, c] = triangle.map(|i| self.positions[i as usize]);
        (b - a).cross(c - a) * 0.5
    }
}
