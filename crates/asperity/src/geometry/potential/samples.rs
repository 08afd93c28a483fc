//! Samples of a surface: points with outward normals, at the centroids of triangles.
//!
//! With p₁, p₂, p₃ the corners of a triangle, e₁ = p₂ − p₁, e₂ = p₃ − p₁ and c = e₁ × e₂, the sample is s = (p₁ + p₂ + p₃)/3
//! with the normal n = c/|c|. Of a function of s and n with the derivatives a by s and b by n, those by the corners are,
//! with g = (b − n (n·b))/|c|,
//!
//!   a/3 + e₂ × g by p₂,     a/3 + g × e₁ by p₃,     a/3 − e₂ × g − g × e₁ by p₁.

use glam::DVec3;

/// Points of a surface with outward normals and radii of influence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// Where they are, m.
    pub points: Vec<DVec3>,
    /// Unit, outward; zero for a triangle that has lost its area.
    pub normals: Vec<DVec3>,
    /// Radius of influence of each, m.
    pub radii: Vec<f64>,
}

/// A sample at a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The centroid.
    pub point: DVec3,
    /// Unit, outward; zero for a triangle that has lost its area.
    pub normal: DVec3,
}

impl Sample {
    /// Of a triangle with these corners, anticlockwise seen from outside.
    #[inline]
    pub fn of_triangle([a, b, c]: [DVec3; 3]) -> Self {
        Self { point: (a + b + c) / 3.0, normal: (b - a).cross(c - a).normalize_or_zero() }
    }
}

/// The derivatives of a function of a triangle's sample by its corners, from those by the sample's point and normal.
#[inline]
pub fn by_corners([p1, p2, p3]: [DVec3; 3], by_point: DVec3, by_normal: DVec3) -> [DVec3; 3] {
    let (e1, e2, third) = (p2 - p1, p3 - p1, by_point / 3.0);
    let cross = e1.cross(e2);
    let length = cross.length();
    if length == 0.0 {
        return [third; 3];
    }
    let normal = cross / length;
    let g = (by_normal - normal * normal.dot(by_normal)) / length;
    let [second, last] = [e2.cross(g), g.cross(e1)];
    [third - second - last, third + second, third + last]
}

impl Samples {
    /// Whether a sample counts at a place. One of a triangle that has lost its area has no tangent plane, and counts nowhere.
    #[inline]
    pub fn reaches(&self, sample: usize, at: DVec3) -> bool {
        let radius = self.radii[sample];
        self.points[sample].distance_squared(at) < radius * radius && self.normals[sample] != DVec3::ZERO
    }

    /// Of the triangles of a surface, without radii.
    pub fn of_triangles(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Self {
        let mut own = Self::default();
        own.place(vertices, triangles);
        own
    }

    /// Writes points and normals of the triangles over the old ones.
    pub fn place(&mut self, vertices: &[DVec3], triangles: &[[u32; 3]]) {
        self.points.clear();
        self.normals.clear();
        for corners in triangles {
            let Sample { point, normal } = Sample::of_triangle(corners.map(|i| vertices[i as usize]));
            self.points.push(point);
            self.normals.push(normal);
        }
    }
}
