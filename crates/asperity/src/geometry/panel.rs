//! Triangle surfaces made from numbers, for cloth and shells: grids, discs, tubes, half-pipes, spheres.
//!
//! Triangles are anticlockwise seen from above (grids, discs) or from outside. Squares are cut along alternating
//! diagonals, so that no direction is preferred. Texture coordinates run from 0 to 1; u gives the warp of a woven
//! sheet. Vertices are shared everywhere, also where a tube closes: in the last strip v runs from (n − 1)/n back to 0,
//! and u, along the axis, is as everywhere. Spheres have no texture coordinates.
//!
//! ```
//! use asperity::geometry::MeshData;
//!
//! let cloth = MeshData::grid([2.0, 1.0], [20, 10])?;
//! assert_eq!((cloth.vertices.len(), cloth.triangles.len()), (21 * 11, 400));
//! # Ok::<(), asperity::geometry::ShapeError>(())
//! ```

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3};

use super::error::{ShapeError, positive};
use super::icosahedron::IcosahedronPoints;
use super::mesh::MeshData;
use super::volume::disc_of_rings;

/// Most cells that are made: some 2 GB of mesh.
const MOST_CELLS: u64 = 20_000_000;

/// Numbers of cells are at least these, and not too many in all.
fn check_cells(name: &'static str, cells: [u32; 2], least: [u32; 2]) -> Result<(), ShapeError> {
    let expected = if cells[0] < least[0] || cells[1] < least[1] {
        format!("at least {} by {}", least[0], least[1])
    } else if u64::from(cells[0]) * u64::from(cells[1]) > MOST_CELLS {
        format!("at most {MOST_CELLS} in all")
    } else {
        return Ok(());
    };
    let count = (cells[0] as usize).saturating_mul(cells[1] as usize);
    Err(ShapeError::Count { name, count, expected })
}

/// The two triangles of each square of a grid; `vertex(i, j)` at column i and row j.
fn squares([n, m]: [u32; 2], vertex: impl Fn(u32, u32) -> u32) -> Vec<[u32; 3]> {
    let mut triangles = Vec::with_capacity(2 * n as usize * m as usize);
    for j in 0..m {
        for i in 0..n {
            let [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
            triangles.extend(if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
        }
    }
    triangles
}

impl MeshData {
    /// A rectangle in the x-z plane about the origin, with its normal along y; u runs along x and v along −z.
    pub fn grid(size: [f64; 2], cells: [u32; 2]) -> Result<Self, ShapeError> {
        let [length, width] = [positive("size", size[0])?, positive("size", size[1])?];
        Self::swept(cells, cells[0].saturating_add(1), |u, v| DVec3::new(length * (u - 0.5), 0.0, width * (0.5 - v)))
    }

    /// Half of a tube about the z axis that is open above: cells around it (u, from −x to x) and along it (v, along
    /// −z).
    pub fn half_pipe(radius: f64, length: f64, cells: [u32; 2]) -> Result<Self, ShapeError> {
        let (radius, length) = (positive("radius", radius)?, positive("length", length)?);
        let place = |u: f64, v: f64| {
            let angle = PI * (1.0 + u);
            DVec3::new(radius * angle.cos(), radius * angle.sin(), length * (0.5 - v))
        };
        Self::swept(cells, cells[0].saturating_add(1), place)
    }

    /// A tube about the y axis without ends: cells along it (u, along y) and around it (v).
    pub fn tube(radius: f64, length: f64, cells: [u32; 2]) -> Result<Self, ShapeError> {
        let (radius, length) = (positive("radius", radius)?, positive("length", length)?);
        let [along, around] = cells;
        check_cells("cells", cells, [1, 3])?;
        // Columns around, so that the last one is the first.
        let place = |v: f64, u: f64| {
            let (sin, cos) = (TAU * v).sin_cos();
            DVec3::new(radius * sin, length * (u - 0.5), radius * cos)
        };
        let mut tube = Self::swept([around, along], around, place)?;
        tube.uvs.iter_mut().for_each(|uv| *uv = DVec2::new(uv.y, uv.x));
        Ok(tube)
    }

    /// Columns and rows of vertices at `place(u, v)`; with as many columns as cells the last one is joined to the
    /// first.
    fn swept(cells: [u32; 2], columns: u32, place: impl Fn(f64, f64) -> DVec3) -> Result<Self, ShapeError> {
        check_cells("cells", cells, [1, 1])?;
        let mut data = Self::default();
        for j in 0..=cells[1] {
            for i in 0..columns {
                let uv = DVec2::new(f64::from(i) / f64::from(cells[0]), f64::from(j) / f64::from(cells[1]));
                data.uvs.push(uv);
                data.vertices.push(place(uv.x, uv.y));
            }
        }
        data.triangles = squares(cells, |i, j| j * columns + i % columns);
        Ok(data)
    }

    /// A disc in the x-z plane about the origin, of rings of triangles, with its normal along y; u runs along x and v
    /// along −z.
    pub fn disc(radius: f64, rings: u32) -> Result<Self, ShapeError> {
        positive("radius", radius)?;
        check_cells("rings", [rings, rings.saturating_mul(6)], [1, 1])?;
        let flat = disc_of_rings(radius, rings);
        Ok(Self {
            vertices: flat.vertices.iter().map(|p| DVec3::new(p.x, 0.0, -p.y)).collect(),
            uvs: flat.vertices.iter().map(|p| 0.5 * (*p / radius + DVec2::ONE)).collect(),
            triangles: flat.triangles,
            ..Self::default()
        })
    }

    /// A sphere about the origin: an icosahedron whose edges are cut into this many parts.
    pub fn sphere(radius: f64, parts: u32) -> Result<Self, ShapeError> {
        positive("radius", radius)?;
        check_cells("parts", [parts, parts.saturating_mul(20)], [1, 1])?;
        let (mut points, mut data) = (IcosahedronPoints::default(), Self::default());
        for face in IcosahedronPoints::faces() {
            for i in 0..parts {
                for j in 0..parts - i {
                    let left = parts - i - j;
                    let mut vertex = |a: u32, b: u32| {
                        let weights = [left - a - b, i + a, j + b];
                        points.vertex(face, weights, |direction| data.vertices.push(radius * direction))
                    };
                    data.triangles.push([vertex(0, 0), vertex(1, 0), vertex(0, 1)]);
                    if left > 1 {
                        data.triangles.push([vertex(1, 0), vertex(1, 1), vertex(0, 1)]);
                    }
                }
            }
        }
        Ok(data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normals(data: &MeshData) -> impl Iterator<Item = (DVec3, DVec3)> {
        data.triangles.iter().map(|t| {
            let [a, b, c] = t.map(|v| data.vertices[v as usize]);
            ((a + b + c) / 3.0, 0.5 * (b - a).cross(c - a))
        })
    }

    fn area(data: &MeshData) -> f64 {
        normals(data).map(|(_, normal)| normal.length()).sum()
    }

    /// How many edges have a triangle on one side only; an edge that is used twice in one direction fails.
    fn open_edges(data: &MeshData) -> usize {
        let mut edges: Vec<[u32; 2]> =
            data.triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]).collect();
        edges.sort_unstable();
        assert!(edges.windows(2).all(|pair| pair[0] != pair[1]));
        edges.iter().filter(|[a, b]| edges.binary_search(&[*b, *a]).is_err()).count()
    }

    #[test]
    fn grids_and_discs_are_flat_and_face_up() {
        let grid = MeshData::grid([2.0, 3.0], [4, 6]).unwrap();
        let disc = MeshData::disc(0.5, 4).unwrap();
        for data in [&grid, &disc] {
            assert!(normals(data).all(|(_, normal)| normal.y > 0.0 && normal.x == 0.0 && normal.z == 0.0));
            assert_eq!(data.uvs.len(), data.vertices.len());
        }
        assert!((area(&grid) - 6.0).abs() < 1e-13);
        assert_eq!((open_edges(&grid), open_edges(&disc)), (20, 24));
        assert_eq!((grid.uvs[4], grid.vertices[4]), (DVec2::X, DVec3::new(1.0, 0.0, 1.5)));
        // A regular polygon of 24 corners.
        assert!((area(&disc) - 12.0 * 0.25 * (TAU / 24.0).sin()).abs() < 1e-13);
    }

    #[test]
    fn tubes_and_pipes_face_outward_and_close() {
        let tube = MeshData::tube(0.5, 2.0, [3, 8]).unwrap();
        assert_eq!((tube.vertices.len(), tube.triangles.len(), open_edges(&tube)), (4 * 8, 48, 16));
        assert!(normals(&tube).all(|(place, normal)| normal.dot(DVec3::new(place.x, 0.0, place.z)) > 0.0));
        assert!((area(&tube) - 2.0 * 8.0 * (PI / 8.0).sin()).abs() < 1e-13);
        assert!(tube.uvs.iter().zip(&tube.vertices).all(|(uv, place)| (uv.x - 0.5 - place.y / 2.0).abs() < 1e-15));
        let pipe = MeshData::half_pipe(0.5, 2.0, [6, 3]).unwrap();
        assert_eq!(open_edges(&pipe), 18);
        // The inner side is above, where things lie.
        assert!(normals(&pipe).all(|(place, normal)| normal.dot(DVec3::new(place.x, place.y, 0.0)) < 0.0));
        assert!(pipe.vertices.iter().all(|place| place.y < 1e-15));
    }

    #[test]
    fn spheres_are_closed_and_face_outward() {
        for parts in [1, 2, 5] {
            let sphere = MeshData::sphere(2.0, parts).unwrap();
            assert_eq!(sphere.triangles.len() as u32, 20 * parts * parts);
            assert_eq!(sphere.vertices.len() as u32, 10 * parts * parts + 2);
            assert_eq!(open_edges(&sphere), 0);
            assert!(sphere.vertices.iter().all(|place| (place.length() - 2.0).abs() < 1e-14));
            assert!(normals(&sphere).all(|(place, normal)| normal.dot(place) > 0.0));
        }
    }

    #[test]
    fn bad_numbers_are_named() {
        let text = |result: Result<MeshData, ShapeError>| result.unwrap_err().to_string();
        assert_eq!(text(MeshData::grid([1.0, 0.0], [1, 1])), "size = 0: must be finite and positive");
        assert_eq!(text(MeshData::grid([1.0; 2], [0, 1])), "cells has 0 entries: must have at least 1 by 1");
        assert!(text(MeshData::grid([1.0; 2], [u32::MAX; 2])).ends_with("at most 20000000 in all"));
        assert!(text(MeshData::tube(1.0, 1.0, [1, 2])).starts_with("cells"));
        assert!(text(MeshData::sphere(1.0, 0)).starts_with("parts"));
    }
}
