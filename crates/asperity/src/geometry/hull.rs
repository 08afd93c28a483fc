//! Convex hulls: corners, flat faces as polygons, and edges with the two faces beside them.
//!
//! The hull of the points is computed once; neighbouring triangles whose normals agree to [`FLAT`] become one polygon, so
//! that a face contact has the face's own corners. Points that are no corners are dropped.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DVec3;
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;
use serde::{Deserialize, Serialize};

use super::aabb::Aabb;
use super::error::{ShapeError, finite};

/// Sine of the angle below which two triangles of a hull are one face: far above rounding, far below any modelled angle.
const FLAT: f64 = 1e-7;
/// A hull thinner than this part of its length is refused: its face normals would be noise.
const THIN: f64 = 1e-9;

/// A face of a hull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HullFace<'a> {
    /// Its outward normal.
    pub normal: DVec3,
    /// The numbers of its corners, anticlockwise seen from outside.
    pub corners: &'a [u32],
}

/// A convex polyhedron, shared between the bodies that use it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "HullData", into = "HullData")]
pub struct Hull(Arc<Polyhedron>);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HullData {
    points: Vec<DVec3>,
}

/// Corners, faces and edges.
#[derive(Debug)]
pub(crate) struct Polyhedron {
    pub(crate) points: Vec<DVec3>,
    pub(crate) faces: Vec<Face>,
    pub(crate) edges: Vec<Edge>,
    /// The height m·x of each face along its normal m.
    pub(crate) heights: Vec<f64>,
    /// The faces at each corner.
    pub(crate) point_faces: Vec<Vec<u32>>,
    /// Largest distance of a corner from the origin.
    pub(crate) reach: f64,
    /// The box around it.
    pub(crate) bounds: Aabb,
}

/// A flat polygon, its corners anticlockwise seen from outside.
#[derive(Debug)]
pub(crate) struct Face {
    pub(crate) normal: DVec3,
    pub(crate) corners: Vec<u32>,
}

/// An edge, and for each face beside it its number and the unit direction in that face away from the edge.
#[derive(Debug)]
pub(crate) struct Edge {
    pub(crate) ends: [u32; 2],
    pub(crate) inward: [DVec3; 2],
    pub(crate) faces: [u32; 2],
    /// Cosine and sine of the angle between the normals of the faces.
    pub(crate) turn: [f64; 2],
}

impl PartialEq for Hull {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.points == other.0.points
    }
}

impl From<Hull> for HullData {
    fn from(hull: Hull) -> Self {
        Self { points: hull.0.points.clone() }
    }
}

impl TryFrom<HullData> for Hull {
    type Error = ShapeError;
    fn try_from(data: HullData) -> Result<Self, ShapeError> {
        Self::new(&data.points)
    }
}

impl Hull {
    /// The hull of `points`: at least four, not in one plane.
    pub fn new(points: &[DVec3]) -> Result<Self, ShapeError> {
        if points.len() < 4 {
            return Err(ShapeError::Count { name: "points", count: points.len(), expected: "at least 4".into() });
        }
        finite("points", points)?;
        flatness(points)?;
        let cloud: Vec<Vector> = points.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
        let (corners, triangles) = try_convex_hull(&cloud)
            .map_err(|error| ShapeError::Decomposition { reason: format!("no convex hull: {error}") })?;
        let corners: Vec<DVec3> = corners.iter().map(|p| DVec3::new(p.x, p.y, p.z)).collect();
        Polyhedron::new(&corners, &triangles).map(|hull| Self(Arc::new(hull)))
    }

    /// The corners.
    pub fn points(&self) -> &[DVec3] {
        &self.0.points
    }

    /// The faces.
    pub fn faces(&self) -> impl Iterator<Item = HullFace<'_>> {
        self.0.faces.iter().map(|face| HullFace { normal: face.normal, corners: &face.corners })
    }

    /// Triangles of the faces.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + Clone + '_ {
        self.0
            .faces
            .iter()
            .flat_map(|face| (2..face.corners.len()).map(|i| [face.corners[0], face.corners[i - 1], face.corners[i]]))
    }

    pub(crate) fn polyhedron(&self) -> &Polyhedron {
        &self.0
    }
}

/// Refuses points without volume: extent along the longest chord, across it, and across the plane of both.
fn flatness(points: &[DVec3]) -> Result<(), ShapeError> {
    let farthest = |measure: &dyn Fn(DVec3) -> f64| {
        points
            .iter()
            .map(|&p| (measure(p), p))
            .fold((0.0, points[0]), |best, next| if next.0 > best.0 { next } else { best })
    };
    let (size, end) = farthest(&|p| p.distance(points[0]));
    let along = (end - points[0]).normalize_or_zero();
    let (width, side) = farthest(&|p| (p - points[0]).reject_from_normalized(along).length());
    let normal = along.cross(side - points[0]).normalize_or_zero();
    let (height, _) = farthest(&|p| (p - points[0]).dot(normal).abs());
    let thickness = width.min(height);
    if thickness > THIN * size && size > 0.0 { Ok(()) } else { Err(ShapeError::FlatHull { thickness, size }) }
}

impl Polyhedron {
    fn new(points: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, ShapeError> {
        let normal = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| points[i as usize]);
            (b - a).cross(c - a)
        };
        // The largest triangles found their faces first, so that slivers join a face with a sound normal.
        let mut order: Vec<usize> = (0..triangles.len()).collect();
        order.sort_by(|&i, &j| {
            normal(&triangles[j]).length_squared().total_cmp(&normal(&triangles[i]).length_squared()).then(i.cmp(&j))
        });
        let mut neighbours: BTreeMap<(u32, u32), usize> = BTreeMap::new();
        for (i, &[a, b, c]) in triangles.iter().enumerate() {
            for edge in [(a, b), (b, c), (c, a)] {
                neighbours.insert(edge, i);
            }
        }
        let size = points.iter().map(|p| p.distance(points[0])).fold(0.0, f64::max);
        let mut face_of = vec![usize::MAX; triangles.len()];
        let mut normals: Vec<DVec3> = Vec::new();
        for &seed in &order {
            if face_of[seed] != usize::MAX {
                continue;
            }
            let face = normals.len();
            let plane = normal(&triangles[seed]).normalize_or_zero();
            if plane == DVec3::ZERO {
                return Err(ShapeError::FlatHull { thickness: 0.0, size });
            }
            let height = plane.dot(points[triangles[seed][0] as usize]);
            normals.push(plane);
            let mut front = vec![seed];
            face_of[seed] = face;
            while let Some(i) = front.pop() {
                let [a, b, c] = triangles[i];
                for (from, to) in [(a, b), (b, c), (c, a)] {
                    let Some(&j) = neighbours.get(&(to, from)) else { continue };
                    let flat =
                        triangles[j].iter().all(|&v| (plane.dot(points[v as usize]) - height).abs() <= FLAT * size);
                    if face_of[j] == usize::MAX && flat && normal(&triangles[j]).dot(plane) >= 0.0 {
                        face_of[j] = face;
                        front.push(j);
                    }
                }
            }
        }
        let faces = outlines(triangles, &face_of, normals, &neighbours);
        Self::assemble(points, faces).ok_or(ShapeError::FlatHull { thickness: 0.0, size })
    }

    /// Numbers the corners that are left, and finds edges and neighbours. None if the faces do not close.
    fn assemble(points: &[DVec3], mut faces: Vec<Face>) -> Option<Self> {
        let mut number = vec![u32::MAX; points.len()];
        let mut kept = Vec::new();
        for corner in faces.iter_mut().flat_map(|face| &mut face.corners) {
            let old = *corner as usize;
            if number[old] == u32::MAX {
                number[old] = kept.len() as u32;
                kept.push(points[old]);
            }
            *corner = number[old];
        }
        let mut point_faces = vec![Vec::new(); kept.len()];
        let mut sides: BTreeMap<(u32, u32), (DVec3, u32)> = BTreeMap::new();
        for (index, face) in faces.iter().enumerate() {
            for (i, &from) in face.corners.iter().enumerate() {
                let to = face.corners[(i + 1) % face.corners.len()];
                let along = (kept[to as usize] - kept[from as usize]).normalize_or_zero();
                point_faces[from as usize].push(index as u32);
                sides.insert((from, to), (face.normal.cross(along).normalize_or_zero(), index as u32));
            }
        }
        let mut edges = Vec::with_capacity(sides.len() / 2);
        for (&(from, to), &(inward, face)) in sides.iter().filter(|((from, to), _)| from < to) {
            let &(beyond, other) = sides.get(&(to, from))?;
            let (m, k) = (faces[face as usize].normal, faces[other as usize].normal);
            let turn = [m.dot(k), m.cross(k).length()];
            edges.push(Edge { ends: [from, to], inward: [inward, beyond], faces: [face, other], turn });
        }
        let closed = kept.len() + faces.len() == edges.len() + 2 && edges.len() * 2 == sides.len();
        let reach = kept.iter().map(|p| p.length()).fold(0.0, f64::max);
        let heights = faces.iter().map(|face| face.normal.dot(kept[face.corners[0] as usize])).collect();
        let bounds = Aabb::of(kept.iter().copied());
        closed.then_some(Self { points: kept, faces, edges, heights, point_faces, reach, bounds })
    }
}

/// The outline of each face: border edges chained, corners in the middle of a straight side left out.
fn outlines(
    triangles: &[[u32; 3]],
    face_of: &[usize],
    normals: Vec<DVec3>,
    neighbours: &BTreeMap<(u32, u32), usize>,
) -> Vec<Face> {
    let mut next: Vec<BTreeMap<u32, u32>> = vec![BTreeMap::new(); normals.len()];
    let mut uses: BTreeMap<u32, usize> = BTreeMap::new();
    for (i, &[a, b, c]) in triangles.iter().enumerate() {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            if neighbours.get(&(to, from)).is_none_or(|&j| face_of[j] != face_of[i]) {
                next[face_of[i]].insert(from, to);
                *uses.entry(from).or_default() += 1;
            }
        }
    }
    let mut faces = Vec::new();
    for (normal, next) in normals.into_iter().zip(next) {
        let Some((&start, _)) = next.iter().next() else { continue };
        let mut corners = Vec::new();
        let mut at = start;
        loop {
            // A corner of a solid touches three faces; one with two lies inside a straight edge.
            if uses[&at] > 2 {
                corners.push(at);
            }
            match next.get(&at) {
                Some(&to) if to != start && corners.len() <= next.len() => at = to,
                _ => break,
            }
        }
        if corners.len() >= 3 {
            faces.push(Face { normal, corners });
        }
    }
    faces
}
