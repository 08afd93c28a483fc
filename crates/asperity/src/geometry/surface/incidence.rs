//! Which triangles of a surface meet at its vertices.

use crate::geometry::MeshData;

/// Which triangles meet at each vertex of a surface.
#[derive(Clone, Debug)]
pub struct Incidence {
    /// First entry of each vertex in `triangles`, and their number at the end.
    first: Vec<u32>,
    triangles: Vec<u32>,
}

impl Incidence {
    /// Of the triangles of a mesh.
    pub fn new(data: &MeshData) -> Self {
        let mut first = vec![0u32; data.vertices.len() + 1];
        data.triangles.iter().flatten().for_each(|vertex| first[*vertex as usize + 1] += 1);
        (1..first.len()).for_each(|i| first[i] += first[i - 1]);
        let mut next = first.clone();
        let mut triangles = vec![0; 3 * data.triangles.len()];
        for (triangle, corners) in data.triangles.iter().enumerate() {
            for vertex in corners {
                let place = &mut next[*vertex as usize];
                triangles[*place as usize] = triangle as u32;
                *place += 1;
            }
        }
        Self { first, triangles }
    }

    /// The triangles at a vertex, increasing; none for a vertex inside a solid.
    #[inline]
    pub fn of(&self, vertex: usize) -> &[u32] {
        &self.triangles[self.first[vertex] as usize..self.first[vertex + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn a_vertex_knows_its_triangles() {
        let vertices = vec![DVec3::ZERO; 5];
        let data = MeshData { vertices, triangles: vec![[0, 1, 2], [2, 1, 3]], ..MeshData::default() };
        let incidence = Incidence::new(&data);
        let of: Vec<&[u32]> = (0..5).map(|vertex| incidence.of(vertex)).collect();
        assert_eq!(of, [&[0][..], &[0, 1], &[0, 1], &[1], &[]]);
    }
}
