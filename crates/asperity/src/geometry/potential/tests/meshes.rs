//! Triangulated spheres, cylinders and tori with known surfaces.

use std::f64::consts::TAU;

use glam::DVec3;

use crate::geometry::MeshData;

/// A sphere of radius 1: each face of an octahedron cut into f² triangles, whose corners are moved to the sphere.
pub(super) fn sphere(f: u32) -> MeshData {
    let mut data = MeshData::default();
    for octant in 0..8u32 {
        let sign = |bit: u32| if octant >> bit & 1 == 0 { 1.0 } else { -1.0 };
        let axes = [DVec3::X * sign(0), DVec3::Y * sign(1), DVec3::Z * sign(2)];
        let at = |i: u32, j: u32| {
            // Even angles instead of even lengths keep the triangles alike.
            let [u, v] = [i, j].map(|k| f64::from(k) / f64::from(f));
            let sines = [1.0 - u - v, u, v].map(|share| (share * TAU / 4.0).sin());
            (axes[0] * sines[0] + axes[1] * sines[1] + axes[2] * sines[2]).normalize()
        };
        for i in 0..f {
            for j in 0..f - i {
                push(&mut data, [at(i, j), at(i + 1, j), at(i, j + 1)]);
                if i + j + 1 < f {
                    push(&mut data, [at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
                }
            }
        }
    }
    data.triangles.iter_mut().for_each(|corners| outward(&data.vertices, corners, |x| x));
    data
}

/// The side of a cylinder of radius 1 about z, of `length`: n triangles around, all of them equilateral but for the bend.
pub(super) fn cylinder(n: u32, length: f64) -> MeshData {
    let side = TAU / f64::from(n);
    let rings = (length / (side * 0.75f64.sqrt())).round() as u32;
    let at = |i: u32, j: u32| {
        let angle = side * (f64::from(i) + 0.5 * f64::from(j % 2));
        DVec3::new(angle.cos(), angle.sin(), length * (f64::from(j) / f64::from(rings) - 0.5))
    };
    let mut data = grid(n, rings, at);
    data.triangles.iter_mut().for_each(|corners| outward(&data.vertices, corners, |x| DVec3::new(x.x, x.y, 0.0)));
    data
}

/// A torus about z with the radii 1 and `tube`.
pub(super) fn torus(n: u32, m: u32, tube: f64) -> MeshData {
    let at = |i: u32, j: u32| {
        let a = TAU * (f64::from(i) + 0.5 * f64::from(j % 2)) / f64::from(n);
        let b = TAU * f64::from(j) / f64::from(m);
        let ring = DVec3::new(a.cos(), a.sin(), 0.0);
        ring * (1.0 + tube * b.cos()) + DVec3::Z * (tube * b.sin())
    };
    let mut data = grid(n, m, at);
    let core = |x: DVec3| x - DVec3::new(x.x, x.y, 0.0).normalize();
    data.triangles.iter_mut().for_each(|corners| outward(&data.vertices, corners, core));
    data
}

/// Rows of triangles, each shifted by half of a triangle against the one before.
fn grid(n: u32, rows: u32, at: impl Fn(u32, u32) -> DVec3) -> MeshData {
    let mut data = MeshData::default();
    for j in 0..rows {
        for i in 0..n {
            let even = j % 2 == 0;
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
            let pair = if even { [[a, b, c], [b, d, c]] } else { [[a, b, d], [a, d, c]] };
            pair.into_iter().for_each(|corners| push(&mut data, corners));
        }
    }
    data
}

fn push(data: &mut MeshData, corners: [DVec3; 3]) {
    let first = data.vertices.len() as u32;
    data.vertices.extend(corners);
    data.triangles.push([first, first + 1, first + 2]);
}

/// Turns a triangle so that its normal is along the outward direction at its centroid.
fn outward(vertices: &[DVec3], corners: &mut [u32; 3], direction: impl Fn(DVec3) -> DVec3) {
    let [a, b, c] = corners.map(|i| vertices[i as usize]);
    if (b - a).cross(c - a).dot(direction((a + b + c) / 3.0)) < 0.0 {
        corners.swap(1, 2);
    }
}
