//! A number at each vertex of a mesh, linear over its triangles: Σ w_i c_i with the barycentric coordinates w of the point.

use asperity_friction::field::SurfacePoint;

/// Numbers at the vertices of a mesh, and its triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexScalars {
    numbers: Vec<f64>,
    triangles: Vec<[u32; 3]>,
}

impl VertexScalars {
    /// `None` if a triangle has a vertex that has no number.
    pub fn new(numbers: Vec<f64>, triangles: Vec<[u32; 3]>) -> Option<Self> {
        let known = triangles.iter().flatten().all(|vertex| (*vertex as usize) < numbers.len());
        known.then_some(Self { numbers, triangles })
    }

    /// The number at a point of the mesh; NaN if the point names a triangle that there is not.
    #[inline]
    pub fn value(&self, at: &SurfacePoint) -> f64 {
        let Some(corners) = self.triangles.get(at.triangle) else { return f64::NAN };
        corners.iter().zip(at.barycentric).map(|(vertex, weight)| self.numbers[*vertex as usize] * weight).sum()
    }
}
