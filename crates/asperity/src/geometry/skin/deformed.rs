//! A skin that follows the vertices of a mesh that deforms.
//!
//! A corner is where its vertex is: x_c = x[vertex_of(c)]. Corners that have the same place and the same normal at rest share their normal when deformed, too: the
//! sum of the unit normals of the triangles around them, weighted with the triangles' angles there, made unit. So creases stay creases, and seams of texture
//! coordinates stay invisible. A point beside a triangle (a, b, c) with the unit normal n is carried by the affine map that carries the triangle and its normal:
//! a + s (b − a) + t (c − a) + d n goes to a' + s (b' − a') + t (c' − a') + d n'.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{DMat3, DVec3};

use super::SkinMesh;

/// A skin at rest, and where its corners are now.
#[derive(Clone, Debug)]
pub struct DeformedSkin {
    rest: Arc<SkinMesh>,
    /// For each corner the number of its normal.
    normal_of: Vec<u32>,
    /// The normals that corners share.
    shared: Vec<DVec3>,
    positions: Vec<DVec3>,
    normals: Vec<DVec3>,
}

impl DeformedSkin {
    /// The skin of a mesh, at rest. `vertex_of` must have the vertex of each corner.
    pub fn new(rest: Arc<SkinMesh>) -> Self {
        let mut known = BTreeMap::new();
        let bits = |v: &DVec3| v.to_array().map(f64::to_bits);
        let corners = rest.positions.iter().zip(&rest.normals);
        let numbered = corners.map(|(x, n)| {
            let next = known.len() as u32;
            *known.entry((bits(x), bits(n))).or_insert(next)
        });
        let normal_of = numbered.collect();
        let shared = vec![DVec3::ZERO; known.len()];
        let (positions, normals) = (rest.positions.clone(), rest.normals.clone());
        Self { rest, normal_of, shared, positions, normals }
    }

    /// The skin at rest.
    pub fn rest(&self) -> &SkinMesh {
        &self.rest
    }

    /// Where the corners are.
    pub fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// Their unit normals.
    pub fn normals(&self) -> &[DVec3] {
        &self.normals
    }

    /// Takes the skin to where the vertices of its mesh are. A corner whose triangles have lost their area keeps the normal it had before.
    pub fn follow(&mut self, vertices: &[DVec3]) {
        for (corner, &vertex) in self.positions.iter_mut().zip(&self.rest.vertex_of) {
            *corner = vertices[vertex as usize];
        }
        self.shared.fill(DVec3::ZERO);
        for triangle in &self.rest.triangles {
            let x = triangle.map(|c| self.positions[c as usize]);
            let normal = (x[1] - x[0]).cross(x[2] - x[0]).normalize_or_zero();
            if normal == DVec3::ZERO {
                continue;
            }
            for k in 0..3 {
                let angle = (x[(k + 1) % 3] - x[k]).angle_between(x[(k + 2) % 3] - x[k]);
                self.shared[self.normal_of[triangle[k] as usize] as usize] += normal * angle;
            }
        }
        for (normal, &number) in self.normals.iter_mut().zip(&self.normal_of) {
            *normal = self.shared[number as usize].normalize_or(*normal);
        }
    }

    /// Where a point beside a triangle goes to, that is at `point` at rest.
    pub fn carried(&self, triangle: usize, point: DVec3) -> DVec3 {
        let corners = self.rest.triangles[triangle].map(|c| c as usize);
        let axes = |of: &[DVec3]| {
            let [a, b, c] = corners.map(|corner| of[corner]);
            DMat3::from_cols(b - a, c - a, (b - a).cross(c - a).normalize_or_zero())
        };
        let (rest, now) = (axes(&self.rest.positions), axes(&self.positions));
        let origin = corners[0];
        // A triangle without area at rest has no affine map: what lies beside it goes along.
        let place = if rest.determinant() != 0.0 {
            rest.inverse() * (point - self.rest.positions[origin])
        } else {
            DVec3::ZERO
        };
        self.positions[origin] + now * place
    }
}
