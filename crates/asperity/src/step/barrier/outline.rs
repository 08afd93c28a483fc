//! The triangles that a body is seen through, and which of them are one flat face.

use glam::DVec3;

use crate::barrier::CollisionMesh;
use crate::body::Body;
use crate::geometry::Shape;

/// Segments around round shapes.
const ROUND: u32 = 48;

/// Segments for boxes: one for each side.
const FLAT: u32 = 8;

/// Corners of a skin that are nearer than this, relative to its reach, are one vertex.
const WELD: f64 = 1e-9;

/// Vertices (from the centre of mass, for rigid bodies) and triangles of a body.
pub(super) fn outline(body: &Body) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    if let Some(mesh) = body.mesh() {
        return (mesh.data().vertices.clone(), mesh.data().triangles.clone());
    }
    let Some(shape) = body.shape() else { return (Vec::new(), Vec::new()) };
    let skin = shape.skin(if matches!(shape, Shape::Box(_)) { FLAT } else { ROUND });
    let cell = WELD * shape.reach();
    let key = |p: &DVec3| (*p / cell).round().to_array().map(|x| x as i64);
    let mut order: Vec<usize> = (0..skin.positions.len()).collect();
    order.sort_by_key(|i| (key(&skin.positions[*i]), *i));
    let (mut number, mut rest): (Vec<u32>, Vec<DVec3>) = (vec![0; order.len()], Vec::new());
    let mut last = None;
    for i in order {
        let own = key(&skin.positions[i]);
        if last != Some(own) {
            rest.push(skin.positions[i] - body.centre());
            last = Some(own);
        }
        number[i] = rest.len() as u32 - 1;
    }
    let triangles = skin.triangles.iter().map(|corners| corners.map(|i| number[i as usize]));
    (rest, triangles.filter(|[a, b, c]| a != b && b != c && c != a).collect())
}

/// The number of the face that each triangle belongs to: that of its first triangle. `flat` says which edges lie inside a face.
pub(super) fn faces(mesh: &CollisionMesh, flat: &[bool]) -> Vec<u32> {
    let mut face: Vec<u32> = (0..mesh.faces().len() as u32).collect();
    let mut first: Vec<Option<u32>> = vec![None; flat.len()];
    for (number, corners) in mesh.faces().iter().enumerate() {
        for k in 0..3 {
            let Some(edge) = mesh.edge(corners[k], corners[(k + 1) % 3]).filter(|edge| flat[*edge as usize]) else {
                continue;
            };
            match first[edge as usize] {
                None => first[edge as usize] = Some(number as u32),
                Some(other) => unite(&mut face, other, number as u32),
            }
        }
    }
    (0..face.len() as u32).map(|triangle| root(&face, triangle)).collect()
}

fn root(face: &[u32], mut triangle: u32) -> u32 {
    while face[triangle as usize] != triangle {
        triangle = face[triangle as usize];
    }
    triangle
}

fn unite(face: &mut [u32], a: u32, b: u32) {
    let [a, b] = [root(face, a), root(face, b)];
    face[a.max(b) as usize] = a.min(b);
}
