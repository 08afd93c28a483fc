//! Lumped masses: the mass of each element is shared among its vertices, and the mass matrix is diagonal.
//!
//! A quarter of a linear tetrahedron and a third of a triangle go to each corner. Sharing a quadratic tetrahedron by
//! its shape functions would make the masses of corners negative. It is shared by the diagonal of its consistent mass
//! matrix instead, ∫N_a² (Hinton, Rock and Zienkiewicz 1976): 1/36 to each corner and 4/27 to each edge. The sum is the
//! mass of the body in all cases.

use glam::DVec3;

use super::error::{ElasticError, positive};
use super::rest;

/// Shares of a quadratic tetrahedron: its corners, then its edges.
const CORNER: f64 = 1.0 / 36.0;
const EDGE: f64 = 4.0 / 27.0;

/// Adds the shares of elements of these masses, and checks that every vertex has a share.
fn lumped<const K: usize>(
    vertices: usize,
    elements: &[[u32; K]],
    shares: [f64; K],
    masses: impl Iterator<Item = f64>,
) -> Result<Vec<f64>, ElasticError> {
    let mut lumped = vec![0.0; vertices];
    for (element, mass) in elements.iter().zip(masses) {
        for (vertex, share) in element.iter().zip(shares) {
            lumped[*vertex as usize] += share * mass;
        }
    }
    match lumped.iter().position(|mass| *mass == 0.0) {
        Some(vertex) => Err(ElasticError::Unreferenced { vertex }),
        None => Ok(lumped),
    }
}

/// Masses of the vertices of linear tetrahedra in kg; the density is in kg/m³.
pub fn masses_of_tets(rest: &[DVec3], tets: &[[u32; 4]], density: f64) -> Result<Vec<f64>, ElasticError> {
    positive("density", density)?;
    let points = rest::linear_tets(rest, tets)?;
    lumped(rest.len(), tets, [0.25; 4], points.iter().map(|[point]| density * point.weight))
}

/// Masses of the vertices of quadratic tetrahedra in kg; the density is in kg/m³.
pub fn masses_of_quadratic_tets(rest: &[DVec3], tets: &[[u32; 10]], density: f64) -> Result<Vec<f64>, ElasticError> {
    positive("density", density)?;
    let points = rest::quadratic_tets(rest, tets)?;
    let shares = std::array::from_fn(|node| if node < 4 { CORNER } else { EDGE });
    let volume =
        |points: &[_; 4]| points.iter().map(|point: &super::continuum::Point<10, 3>| point.weight).sum::<f64>();
    lumped(rest.len(), tets, shares, points.iter().map(|points| density * volume(points)))
}

/// Masses of the vertices of a sheet in kg; the density is per area, in kg/m².
pub fn masses_of_triangles(
    rest: &[DVec3],
    triangles: &[[u32; 3]],
    area_density: f64,
) -> Result<Vec<f64>, ElasticError> {
    positive("area_density", area_density)?;
    let shapes = rest::triangles(rest, triangles)?;
    lumped(rest.len(), triangles, [1.0 / 3.0; 3], shapes.iter().map(|shape| area_density * shape.area))
}
