//! Skins of hulls and meshes.

use std::collections::BTreeMap;

use glam::DVec3;

use super::SkinMesh;
use crate::geometry::{Hull, HullFace, TriangleMesh};

/// Triangles that meet at less than this angle (40°) share a computed normal; others make a sharp edge. As a cosine.
const CREASE: f64 = 0.766;

/// Flat faces with sharp edges.
pub(in crate::geometry) fn hull(hull: &Hull) -> SkinMesh {
    let mut skin = SkinMesh::default();
    for HullFace { normal, corners } in hull.faces() {
        let first = skin.positions.len() as u32;
        skin.positions.extend(corners.iter().map(|&i| hull.points()[i as usize]));
        skin.normals.extend(corners.iter().map(|_| normal));
        skin.triangles.extend((2..corners.len() as u32).map(|i| [first, first + i - 1, first + i]));
    }
    skin
}

/// The mesh, with its normals or computed ones, and tangents if it has texture coordinates.
pub(in crate::geometry) fn mesh(mesh: &TriangleMesh) -> SkinMesh {
    let data = mesh.data();
    let mut skin = if data.normals.is_empty() {
        with_normals(mesh)
    } else {
        SkinMesh {
            positions: data.vertices.clone(),
            normals: data.normals.iter().map(|n| n.normalize()).collect(),
            uvs: data.uvs.clone(),
            tangents: Vec::new(),
            triangles: data.triangles.clone(),
            vertex_of: (0..data.vertices.len() as u32).collect(),
        }
    };
    if !skin.uvs.is_empty() {
        skin.tangents = tangents(&skin);
    }
    skin
}

/// Normals at corners: the neighbours' at the same place, weighted with their angles there, without those beyond a crease.
fn with_normals(mesh: &TriangleMesh) -> SkinMesh {
    let data = mesh.data();
    let mut around: BTreeMap<u32, Vec<(DVec3, f64)>> = BTreeMap::new();
    for t in 0..data.triangles.len() {
        let corners = mesh.corners(t);
        let facet = mesh.facet(t);
        for k in 0..3 {
            let (next, last) = (corners[(k + 1) % 3] - corners[k], corners[(k + 2) % 3] - corners[k]);
            around.entry(facet.places[k]).or_default().push((facet.normal, next.angle_between(last)));
        }
    }
    let mut skin = SkinMesh::default();
    let mut known: BTreeMap<(u32, [u64; 3]), u32> = BTreeMap::new();
    for (t, triangle) in data.triangles.iter().enumerate() {
        let facet = mesh.facet(t);
        let mut corner = |k: usize| {
            let near = around[&facet.places[k]].iter().filter(|(n, _)| n.dot(facet.normal) >= CREASE);
            let normal = near.map(|(n, angle)| *n * *angle).sum::<DVec3>().normalize_or(facet.normal);
            let vertex = triangle[k];
            *known.entry((vertex, normal.to_array().map(f64::to_bits))).or_insert_with(|| {
                skin.positions.push(data.vertices[vertex as usize]);
                skin.normals.push(normal);
                skin.uvs.extend(data.uvs.get(vertex as usize));
                skin.vertex_of.push(vertex);
                skin.positions.len() as u32 - 1
            })
        };
        let corners = [corner(0), corner(1), corner(2)];
        skin.triangles.push(corners);
    }
    skin
}

/// Directions of growing u at the corners: solves e₁ = Δu₁ t + Δv₁ b, e₂ = Δu₂ t + Δv₂ b for t in each triangle, adds them
/// up at the corners, weighted with the triangle's area, and makes them unit and perpendicular to the normals.
fn tangents(skin: &SkinMesh) -> Vec<DVec3> {
    let mut sums = vec![DVec3::ZERO; skin.positions.len()];
    for triangle in &skin.triangles {
        let [a, b, c] = triangle.map(|i| skin.positions[i as usize]);
        let [p, q, r] = triangle.map(|i| skin.uvs[i as usize]);
        let (d1, d2) = (q - p, r - p);
        let det = d1.perp_dot(d2);
        let direction = ((b - a) * d2.y - (c - a) * d1.y) * det.signum();
        if det != 0.0 {
            let weighted = direction.normalize_or_zero() * (b - a).cross(c - a).length();
            triangle.iter().for_each(|&i| sums[i as usize] += weighted);
        }
    }
    let orthogonal = |(sum, &normal): (DVec3, &DVec3)| {
        sum.reject_from_normalized(normal).try_normalize().unwrap_or_else(|| normal.any_orthonormal_vector())
    };
    sums.into_iter().zip(&skin.normals).map(orthogonal).collect()
}
