//! Triangle meshes: the surface of a static body, or a solid to be split into convex parts.
//!
//! Triangles are anticlockwise seen from outside and stop bodies from outside only. Vertices at the same place count as one
//! when neighbours are looked for, so that seams of texture coordinates do not open the surface. Triangles without area touch nothing and are left out; they
//! still count when the mesh is asked whether it is closed.

use std::sync::Arc;

use glam::{DVec2, DVec3};
use parry3d_f64::bounding_volume::Aabb as Bounds;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhNode, BvhWorkspace};
use parry3d_f64::query::PointQueryWithLocation;
use parry3d_f64::shape::Triangle;
use serde::{Deserialize, Serialize};

use super::aabb::Aabb;
use super::error::{ShapeError, finite};
use super::neighbours::{Facet, join, places, spokes};

/// A triangle whose height is below this part of its longest side has no area: its normal would be noise.
const SLIVER: f64 = 1e-12;

/// A triangle surface, shared between the bodies that use it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "MeshData", into = "MeshData")]
pub struct TriangleMesh(Arc<MeshSurface>);

/// What a mesh is made of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeshData {
    /// Corners.
    pub vertices: Vec<DVec3>,
    /// Corner numbers, anticlockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Unit normals, one a vertex; empty: computed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub normals: Vec<DVec3>,
    /// Texture coordinates, one a vertex; empty: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uvs: Vec<DVec2>,
}

#[derive(Debug)]
struct MeshSurface {
    data: MeshData,
    facets: Vec<Facet>,
    tree: Bvh,
    /// The places that edges join each place with.
    spokes: Vec<Vec<u32>>,
    /// The first open edge, if there is one.
    border: Option<ShapeError>,
    /// Triangles that were left out because they have no area, by their numbers in what was given.
    flat: Vec<u32>,
    /// The first of them as an error, for what needs them all.
    first_flat: Option<ShapeError>,
    reach: f64,
    mean_edge: f64,
    bounds: Aabb,
}

impl PartialEq for TriangleMesh {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.data == other.0.data
    }
}

impl From<TriangleMesh> for MeshData {
    fn from(mesh: TriangleMesh) -> Self {
        mesh.0.data.clone()
    }
}

impl TryFrom<MeshData> for TriangleMesh {
    type Error = ShapeError;
    fn try_from(data: MeshData) -> Result<Self, ShapeError> {
        Self::new(data)
    }
}

impl TriangleMesh {
    /// Checks `data` and prepares it for contacts.
    pub fn new(data: MeshData) -> Result<Self, ShapeError> {
        check(&data)?;
        let mut data = data;
        let mut facets = facets(&data);
        let border = join(&mut facets);
        let flat: Vec<u32> = (0..facets.len()).filter(|i| facets[*i].normal == DVec3::ZERO).map(|i| i as u32).collect();
        let no_area = |i: &u32| ShapeError::NoArea { triangle: *i as usize, corners: data.triangles[*i as usize] };
        let first_flat = flat.first().map(no_area);
        if let Some(error) = first_flat.clone().filter(|_| flat.len() == facets.len()) {
            return Err(error);
        }
        let mut kept = facets.iter().map(|facet| facet.normal != DVec3::ZERO);
        data.triangles.retain(|_| kept.next().unwrap_or(true));
        facets.retain(|facet| facet.normal != DVec3::ZERO);
        let spokes = spokes(data.vertices.len(), &facets);
        let tree = Bvh::from_iter(
            BvhBuildStrategy::Binned,
            data.triangles.iter().enumerate().map(|(i, t)| {
                let [a, b, c] = t.map(|v| data.vertices[v as usize]);
                (i, bounds(&Aabb { min: a.min(b).min(c), max: a.max(b).max(c) }))
            }),
        );
        let reach = data.vertices.iter().map(|v| v.length()).fold(0.0, f64::max);
        let mean_edge = mean_edge(&data);
        let bounds = Aabb::of(data.vertices.iter().copied());
        Ok(Self(Arc::new(MeshSurface {
            data,
            facets,
            tree,
            spokes,
            border,
            flat,
            first_flat,
            reach,
            mean_edge,
            bounds,
        })))
    }

    /// The same triangles with their vertices elsewhere. Which triangles are neighbours stays as it was; a triangle that has lost its area has the normal zero,
    /// and touches nothing. Refuses another number of vertices, and positions that are not finite.
    pub fn moved(&self, vertices: Vec<DVec3>) -> Result<Self, ShapeError> {
        let count = self.0.data.vertices.len();
        if vertices.len() != count {
            return Err(ShapeError::Count { name: "vertices", count: vertices.len(), expected: format!("{count}") });
        }
        finite("vertices", &vertices)?;
        let data = MeshData { vertices, normals: Vec::new(), ..self.0.data.clone() };
        let mut facets = self.0.facets.clone();
        let mut tree = self.0.tree.clone();
        for (i, (facet, corners)) in facets.iter_mut().zip(&data.triangles).enumerate() {
            let [a, b, c] = corners.map(|v| data.vertices[v as usize]);
            facet.normal = (b - a).cross(c - a).normalize_or_zero();
            tree.insert_or_update_partially(bounds(&Aabb::of([a, b, c].into_iter())), i as u32, 0.0);
        }
        tree.refit(&mut BvhWorkspace::default());
        let reach = data.vertices.iter().map(|v| v.length()).fold(0.0, f64::max);
        let mean_edge = mean_edge(&data);
        let around = Aabb::of(data.vertices.iter().copied());
        let (spokes, border) = (self.0.spokes.clone(), self.0.border.clone());
        let (flat, first_flat, bounds) = (self.0.flat.clone(), self.0.first_flat.clone(), around);
        let surface = MeshSurface { data, facets, tree, spokes, border, flat, first_flat, reach, mean_edge, bounds };
        Ok(Self(Arc::new(surface)))
    }

    /// What the mesh is made of.
    pub fn data(&self) -> &MeshData {
        &self.0.data
    }

    /// The corners of a triangle.
    #[inline]
    pub fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.0.data.triangles[triangle].map(|i| self.0.data.vertices[i as usize])
    }

    /// Does every edge have one triangle on each side? An error names one that has not.
    pub fn closed(&self) -> Result<(), ShapeError> {
        self.0.border.clone().map_or(Ok(()), Err)
    }

    /// Has every triangle that the mesh was made from an area? An error names the first that has none.
    pub fn whole(&self) -> Result<(), ShapeError> {
        self.0.first_flat.clone().map_or(Ok(()), Err)
    }

    /// Triangles that were left out because they have no area, by their numbers in what the mesh was made from.
    pub fn without_area(&self) -> &[u32] {
        &self.0.flat
    }

    /// Mean length of the sides of its triangles, m.
    pub(crate) fn mean_edge(&self) -> f64 {
        self.0.mean_edge
    }

    /// Largest distance of a vertex from the origin.
    pub(crate) fn reach(&self) -> f64 {
        self.0.reach
    }

    /// The box around it.
    pub(crate) fn bounds(&self) -> Aabb {
        self.0.bounds
    }

    #[inline]
    pub(crate) fn facet(&self, triangle: usize) -> &Facet {
        &self.0.facets[triangle]
    }

    /// Where a place is.
    pub(crate) fn place(&self, place: u32) -> DVec3 {
        self.0.data.vertices[place as usize]
    }

    /// The places that edges join a place with.
    pub(crate) fn spokes(&self, place: u32) -> &[u32] {
        &self.0.spokes[place as usize]
    }

    /// The point of the mesh that is nearest to p; `None` if p is not finite.
    pub(crate) fn nearest(&self, p: DVec3) -> Option<MeshPoint> {
        let vector = |v: DVec3| Vector::new(v.x, v.y, v.z);
        let node = |node: &BvhNode, _best: f64| {
            let (low, high) = (node.mins(), node.maxs());
            p.clamp(DVec3::new(low.x, low.y, low.z), DVec3::new(high.x, high.y, high.z)).distance_squared(p)
        };
        let leaf = |triangle: u32, _best: f64| {
            let [a, b, c] = self.corners(triangle as usize).map(vector);
            let (near, location) = Triangle::new(a, b, c).project_local_point_and_get_location(vector(p), true);
            let weights = location.barycentric_coordinates()?;
            Some(((near.point - vector(p)).length_squared(), weights))
        };
        let (triangle, (_, weights)) = self.0.tree.find_best(f64::MAX, node, leaf)?;
        Some(MeshPoint { triangle, weights })
    }

    /// The triangles whose boxes meet `region`, in the order of the tree.
    pub(crate) fn near(&self, region: &Aabb, mut visit: impl FnMut(usize)) {
        let region = bounds(region);
        for triangle in self.0.tree.intersect_aabb(&region) {
            visit(triangle as usize);
        }
    }
}

/// Mean length of the sides of all triangles.
fn mean_edge(data: &MeshData) -> f64 {
    let sides = data.triangles.iter().flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
    let length = |[a, b]: [&u32; 2]| (data.vertices[*a as usize] - data.vertices[*b as usize]).length();
    sides.map(length).sum::<f64>() / (3 * data.triangles.len()).max(1) as f64
}

/// A point of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MeshPoint {
    /// Number of the triangle.
    pub(crate) triangle: u32,
    /// Barycentric weights of its vertices.
    pub(crate) weights: [f64; 3],
}

fn bounds(aabb: &Aabb) -> Bounds {
    let vector = |v: DVec3| Vector::new(v.x, v.y, v.z);
    Bounds::new(vector(aabb.min), vector(aabb.max))
}

/// What contacts want to know of each triangle, but for what is beyond its edges. Triangles without area have the normal zero.
fn facets(data: &MeshData) -> Vec<Facet> {
    let places = places(&data.vertices);
    let facet = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|i| data.vertices[i as usize]);
        let area = (b - a).cross(c - a);
        let side = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
        let flat = area.length() <= SLIVER * side;
        let normal = if flat { DVec3::ZERO } else { area.normalize_or_zero() };
        Facet { normal, apex: [None; 3], places: corners.map(|i| places[i as usize]) }
    };
    data.triangles.iter().map(facet).collect()
}

fn check(data: &MeshData) -> Result<(), ShapeError> {
    let count = data.vertices.len();
    finite("vertices", &data.vertices)?;
    finite("normals", &data.normals)?;
    if data.triangles.is_empty() {
        return Err(ShapeError::Count { name: "triangles", count: 0, expected: "at least 1".into() });
    }
    for (triangle, corners) in data.triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= count) {
            return Err(ShapeError::VertexOutOfRange { triangle, vertex, count });
        }
    }
    let matches = |name, length: usize| {
        let fits = length == 0 || length == count;
        let expected = || format!("{count}, one a vertex, or none");
        if fits { Ok(()) } else { Err(ShapeError::Count { name, count: length, expected: expected() }) }
    };
    matches("normals", data.normals.len())?;
    matches("uvs", data.uvs.len())?;
    if let Some(index) = data.uvs.iter().position(|uv| !uv.is_finite()) {
        return Err(ShapeError::NotFinite { name: "uvs", index, value: data.uvs[index].extend(0.0) });
    }
    if let Some(bad) = data.normals.iter().find(|n| (n.length() - 1.0).abs() > 1e-3) {
        return Err(ShapeError::NotUnit { name: "normals", length: bad.length() });
    }
    Ok(())
}
