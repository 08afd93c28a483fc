//! Points of hulls and meshes: a tree finds the triangle, barycentric weights the rest.

use asperity_friction::field::SurfacePoint;
use glam::{DVec2, DVec3};
use parry3d_f64::bounding_volume::Aabb as Bounds;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhNode};

use super::{LookupSurface, Piece, PieceRegion, SkinAnswer, SkinMesh, SkinQuestion};
use crate::geometry::Pose;

/// A skin and a tree of its triangles.
#[derive(Clone, Debug)]
pub(super) struct Triangles {
    skin: SkinMesh,
    tree: Bvh,
    /// Flat normals.
    normals: Vec<DVec3>,
}

impl Triangles {
    pub(super) fn new(skin: SkinMesh) -> Self {
        let corners = |t: &[u32; 3]| t.map(|i| skin.positions[i as usize]);
        let vector = |v: DVec3| Vector::new(v.x, v.y, v.z);
        let bounds = skin.triangles.iter().map(corners).map(|[a, b, c]| {
            let (low, high) = (a.min(b).min(c), a.max(b).max(c));
            Bounds::new(vector(low), vector(high))
        });
        let tree = Bvh::from_iter(BvhBuildStrategy::Binned, bounds.enumerate());
        let flat = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a).normalize_or_zero();
        let normals = skin.triangles.iter().map(corners).map(flat).collect();
        Self { skin, tree, normals }
    }

    pub(super) fn skin(&self) -> &SkinMesh {
        &self.skin
    }

    /// What the skin says at a point of a triangle.
    fn point(&self, triangle: usize, barycentric: [f64; 3]) -> SurfacePoint {
        let skin = &self.skin;
        let corners = skin.triangles[triangle].map(|i| i as usize);
        let of = |list: &[DVec3]| mixed(&corners.map(|i| list[i]), barycentric);
        let normal = of(&skin.normals).try_normalize().unwrap_or(self.normals[triangle]);
        let (mut uv, mut tangent) = (DVec2::ZERO, DVec3::ZERO);
        if !skin.uvs.is_empty() {
            uv = corners.iter().zip(barycentric).map(|(&i, w)| skin.uvs[i] * w).sum();
            let along = of(&skin.tangents).reject_from_normalized(normal);
            tangent = along.try_normalize().unwrap_or_else(|| normal.any_orthonormal_vector());
        }
        SurfacePoint { position: of(&skin.positions), normal, tangent, uv, triangle, barycentric }
    }
}

impl LookupSurface for Triangles {
    fn nearest(&self, question: &SkinQuestion) -> SkinAnswer {
        let p = question.point;
        let node = |node: &BvhNode, _best: f64| {
            let (low, high) = (node.mins(), node.maxs());
            let inside = p.clamp(DVec3::new(low.x, low.y, low.z), DVec3::new(high.x, high.y, high.z));
            // No triangle faces the contact more than fully.
            inside.distance(p) - question.facing
        };
        let leaf = |triangle: u32, _best: f64| {
            let corners = self.skin.triangles[triangle as usize].map(|i| self.skin.positions[i as usize]);
            let weights = barycentric(corners, p);
            let x = mixed(&corners, weights);
            Some((question.cost(x.distance(p), self.normals[triangle as usize]), weights))
        };
        match self.tree.find_best(f64::MAX, node, leaf) {
            Some((triangle, (cost, weights))) => SkinAnswer { cost, at: self.point(triangle as usize, weights) },
            // Only for a point with a NaN.
            None => SkinAnswer { cost: f64::INFINITY, at: SurfacePoint::default() },
        }
    }

    /// Zero if the triangle has no area or no texture coordinates.
    fn gradients(&self, at: &SurfacePoint) -> [DVec3; 2] {
        self.skin.gradients(at.triangle).map_or([DVec3::ZERO; 2], |(_, gradients)| gradients)
    }

    fn pieces<'a>(&'a self, pose: &Pose, region: &PieceRegion, visit: &mut dyn FnMut(&Pose, Piece<'a>)) {
        let (low, high) = (region.within.min, region.within.max);
        let near = |node: &BvhNode| {
            let (min, max) = (node.mins(), node.maxs());
            min.x <= high.x && min.y <= high.y && min.z <= high.z && max.x >= low.x && max.y >= low.y && max.z >= low.z
        };
        for triangle in self.tree.leaves(near) {
            if self.normals[triangle as usize].dot(region.outward) > 0.0 {
                visit(pose, Piece::Triangle(&self.skin, triangle));
            }
        }
    }

    fn is_textured(&self) -> bool {
        !self.skin.uvs.is_empty()
    }
}

#[inline]
fn mixed(of: &[DVec3; 3], [u, v, w]: [f64; 3]) -> DVec3 {
    of[0] * u + of[1] * v + of[2] * w
}

/// Weights of the point of a triangle that is nearest to p.
///
/// With e₁ = b − a, e₂ = c − a, the corners and edges own the regions where the projections on the edges say so (Ericson 2005, 5.1.5);
/// in the rest the weights are those of the projection into the plane.
fn barycentric([a, b, c]: [DVec3; 3], p: DVec3) -> [f64; 3] {
    let (e1, e2, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (e1.dot(ap), e2.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let (d3, d4) = (e1.dot(p - b), e2.dot(p - b));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let (d5, d6) = (e1.dot(p - c), e2.dot(p - c));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let over_c = d1 * d4 - d3 * d2;
    if over_c <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let s = d1 / (d1 - d3);
        return [1.0 - s, s, 0.0];
    }
    let over_b = d5 * d2 - d1 * d6;
    if over_b <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let s = d2 / (d2 - d6);
        return [1.0 - s, 0.0, s];
    }
    let over_a = d3 * d6 - d5 * d4;
    if over_a <= 0.0 && d4 >= d3 && d5 >= d6 {
        let s = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - s, s];
    }
    let all = over_a + over_b + over_c;
    let (v, w) = (over_b / all, over_c / all);
    [1.0 - v - w, v, w]
}
