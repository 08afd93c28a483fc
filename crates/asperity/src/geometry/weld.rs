//! Welding: vertices of a surface that are nearer to each other than a distance become one.
//!
//! Vertices are taken in their order. One that is near to a vertex that was kept before becomes that one (of several the first); any other is kept. Cubes with the
//! distance as their edge hold the kept ones, so that only 27 cubes are looked into.

use std::collections::BTreeMap;

use glam::{DVec3, I64Vec3};

use super::mesh::MeshData;

impl MeshData {
    /// The same triangles between welded vertices; `distance` is positive. Texture coordinates are those of the vertex that is kept, normals are left out: they are
    /// computed anew. Triangles may have lost their area.
    pub fn welded(&self, distance: f64) -> Self {
        let cube = |x: DVec3| (x / distance).floor().as_i64vec3();
        let mut cubes: BTreeMap<[i64; 3], Vec<u32>> = BTreeMap::new();
        let mut data = Self::default();
        let mut renamed = Vec::with_capacity(self.vertices.len());
        for (i, x) in self.vertices.iter().enumerate() {
            let own = cube(*x);
            let near = |kept: &&u32| data.vertices[**kept as usize].distance(*x) < distance;
            let around = neighbours(own).filter_map(|key| cubes.get(&key.to_array())).flatten();
            let kept = around.filter(near).min().copied();
            renamed.push(kept.unwrap_or_else(|| {
                let number = data.vertices.len() as u32;
                data.vertices.push(*x);
                data.uvs.extend(self.uvs.get(i));
                cubes.entry(own.to_array()).or_default().push(number);
                number
            }));
        }
        data.triangles = self.triangles.iter().map(|corners| corners.map(|i| renamed[i as usize])).collect();
        data
    }
}

/// A cube and the 26 around it.
fn neighbours(cube: I64Vec3) -> impl Iterator<Item = I64Vec3> {
    let steps = [-1_i64, 0, 1];
    steps.into_iter().flat_map(move |x| {
        steps.into_iter().flat_map(move |y| steps.into_iter().map(move |z| cube.saturating_add(I64Vec3::new(x, y, z))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rolled_grid_becomes_a_tube() {
        let mut data = MeshData::grid([1.0, 1.0], [8, 2]).unwrap();
        let turn = |x: f64| std::f64::consts::TAU * (x + 0.5);
        // The last column comes to lie on the first, up to rounding.
        data.vertices.iter_mut().for_each(|p| *p = DVec3::new(turn(p.x).cos(), turn(p.x).sin(), p.z));
        data.normals.clear();
        let tube = data.welded(1e-9);
        assert_eq!((data.vertices.len(), tube.vertices.len()), (27, 24));
        assert_eq!((tube.triangles.len(), tube.uvs.len()), (32, 24));
        assert_eq!(tube.welded(1e-9).vertices, tube.vertices);
        // Each ring has 8 vertices and 8 edges, one on the border at each end: Euler's number of a tube is 0.
        let mut edges = std::collections::BTreeSet::new();
        for [a, b, c] in tube.triangles {
            edges.extend([[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]));
        }
        assert_eq!(24 + 32 - edges.len(), 0);
    }

    #[test]
    fn only_what_is_nearer_is_welded() {
        let vertices = [0.0, 0.9, 1.7, 2.7, -0.99].map(|x| DVec3::new(x, 0.0, 0.0)).to_vec();
        let welded = MeshData { vertices, triangles: vec![[0, 1, 2], [2, 3, 4]], ..MeshData::default() }.welded(1.0);
        // 0.9 becomes 0; 1.7 is near to 0.9 only, which was not kept; 2.7 is not nearer than 1 to 1.7; −0.99 becomes 0.
        assert_eq!(welded.vertices.iter().map(|p| p.x).collect::<Vec<_>>(), [0.0, 1.7, 2.7]);
        assert_eq!(welded.triangles, [[0, 0, 1], [1, 2, 0]]);
    }
}
