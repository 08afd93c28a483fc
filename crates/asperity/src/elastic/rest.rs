//! Elements at rest: checks, volumes, gradients of the shape functions.
//!
//! Linear tetrahedra: N_a is the barycentric coordinate of corner a. Quadratic tetrahedra (ten nodes) have nodes in the
//! middle of the edges too, in the order of VTK: corners 0 to 3, then edges 01, 12, 20, 03, 13, 23. With barycentric
//! coordinates L, N_a = L_a (2L_a − 1) at corners and N_ab = 4 L_a L_b on edges; the edges may be curved at rest. Four
//! quadrature points, exact for polynomials of second degree: the energy of linear elasticity is integrated exactly
//! where edges are straight. Linear elements bend too little (they *lock*): in bending they must shear, and near ν =
//! 1/2 they must keep the volume of each; quadratic ones do neither.

use glam::{DMat3, DVec2, DVec3};

use super::continuum::Point;
use super::error::ElasticError;
use crate::geometry::volume::TET_EDGES;

/// An element counts as degenerate if its volume (area, length) is below this fraction of that of a cube (square, line)
/// over its longest edge.
const FLAT: f64 = 1e-12;

/// All places are finite and every element names vertices that are there, none of them twice.
pub(super) fn check<const K: usize>(
    rest: &[DVec3],
    list: &'static str,
    elements: &[[u32; K]],
) -> Result<(), ElasticError> {
    if let Some(vertex) = rest.iter().position(|place| !place.is_finite()) {
        return Err(ElasticError::NotFinite { vertex });
    }
    for (element, corners) in elements.iter().enumerate() {
        for (k, &vertex) in corners.iter().enumerate() {
            if vertex as usize >= rest.len() {
                return Err(ElasticError::VertexOutOfRange { list, element, vertex, count: rest.len() });
            }
            if corners[..k].contains(&vertex) {
                return Err(ElasticError::RepeatedVertex { list, element, vertex });
            }
        }
    }
    Ok(())
}

/// The places of the nodes of an element.
pub(super) fn nodes_of<const K: usize>(rest: &[DVec3], element: &[u32; K]) -> [DVec3; K] {
    element.map(|vertex| rest[vertex as usize])
}

/// The longest distance between two corners.
fn longest(places: &[DVec3]) -> f64 {
    let pairs = places.iter().enumerate().flat_map(|(k, a)| places[..k].iter().map(move |b| a.distance(*b)));
    pairs.fold(0.0, f64::max)
}

/// What is wrong with a tetrahedron of this signed volume, if anything.
fn check_volume(list: &'static str, element: usize, volume: f64, corners: &[DVec3]) -> Result<(), ElasticError> {
    let edge = longest(corners);
    // False for NaN too, from places so far apart that products overflow.
    let solid = volume.abs() > FLAT * edge.powi(3);
    if !solid {
        Err(ElasticError::Degenerate { list, element, measure: "volume", size: volume.abs(), edge })
    } else if volume < 0.0 {
        Err(ElasticError::Inverted { list, element, volume })
    } else {
        Ok(())
    }
}

/// Gradients of the barycentric coordinates, and the signed volume.
fn barycentric(corners: &[DVec3; 4]) -> ([DVec3; 4], f64) {
    let edges = DMat3::from_cols(corners[1] - corners[0], corners[2] - corners[0], corners[3] - corners[0]);
    let inverse = edges.inverse().transpose();
    let [a, b, c] = [inverse.x_axis, inverse.y_axis, inverse.z_axis];
    ([-(a + b + c), a, b, c], edges.determinant() / 6.0)
}

/// The quadrature points of linear tetrahedra: one each.
pub(super) fn linear_tets(rest: &[DVec3], tets: &[[u32; 4]]) -> Result<Vec<[Point<4, 3>; 1]>, ElasticError> {
    check(rest, "tets", tets)?;
    let point = |(element, tet): (usize, &[u32; 4])| {
        let corners = nodes_of(rest, tet);
        let (gradients, volume) = barycentric(&corners);
        check_volume("tets", element, volume, &corners)?;
        Ok([Point { weight: volume, gradients: gradients.map(|g| g.to_array()) }])
    };
    tets.iter().enumerate().map(point).collect()
}

/// Barycentric coordinates of the four quadrature points: (5 ± 3√5)/20 and (5 − √5)/20, a quarter of the volume each.
fn quadrature() -> [[f64; 4]; 4] {
    let root = 5.0_f64.sqrt();
    std::array::from_fn(|q| std::array::from_fn(|a| if a == q { 5.0 + 3.0 * root } else { 5.0 - root } / 20.0))
}

/// Derivatives of the ten shape functions by the barycentric coordinates 1, 2, 3 (the first one is 1 minus their sum).
fn quadratic_slopes(l: [f64; 4]) -> [DVec3; 10] {
    const BY: [DVec3; 4] = [DVec3::NEG_ONE, DVec3::X, DVec3::Y, DVec3::Z];
    std::array::from_fn(|a| match a {
        0..4 => (4.0 * l[a] - 1.0) * BY[a],
        _ => {
            let [i, j] = TET_EDGES[a - 4];
            4.0 * (l[i] * BY[j] + l[j] * BY[i])
        }
    })
}

/// The point of a quadratic tetrahedron at these barycentric coordinates; its weight is the volume of the whole element
/// if it were everywhere as it is there.
fn quadratic_point(nodes: &[DVec3; 10], l: [f64; 4]) -> Point<10, 3> {
    let slopes = quadratic_slopes(l);
    let mut jacobian = DMat3::ZERO;
    for (node, slope) in nodes.iter().zip(&slopes) {
        let place = *node - nodes[0];
        jacobian += DMat3::from_cols(place * slope.x, place * slope.y, place * slope.z);
    }
    let inverse = jacobian.inverse().transpose();
    Point { weight: jacobian.determinant() / 6.0, gradients: slopes.map(|slope| (inverse * slope).to_array()) }
}

/// The quadrature points of quadratic tetrahedra: four each. The corners are looked at too: an element may be inverted
/// there alone.
pub(super) fn quadratic_tets(rest: &[DVec3], tets: &[[u32; 10]]) -> Result<Vec<[Point<10, 3>; 4]>, ElasticError> {
    check(rest, "tets", tets)?;
    let inside = quadrature();
    let points = |(element, tet): (usize, &[u32; 10])| {
        let nodes = nodes_of(rest, tet);
        for corner in 0..4 {
            let l = std::array::from_fn(|a| if a == corner { 1.0 } else { 0.0 });
            check_volume("tets", element, quadratic_point(&nodes, l).weight, &nodes[..4])?;
        }
        let mut points = inside.map(|l| quadratic_point(&nodes, l));
        for point in &mut points {
            check_volume("tets", element, point.weight, &nodes[..4])?;
            point.weight *= 0.25;
        }
        Ok(points)
    };
    tets.iter().enumerate().map(points).collect()
}

/// A triangle at rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct RestTriangle {
    /// Its corners.
    pub(super) corners: [DVec3; 3],
    /// Its area.
    pub(super) area: f64,
    /// Its unit normal.
    pub(super) normal: DVec3,
}

/// The triangles of a sheet at rest, checked.
pub(super) fn triangles(rest: &[DVec3], triangles: &[[u32; 3]]) -> Result<Vec<RestTriangle>, ElasticError> {
    check(rest, "triangles", triangles)?;
    let triangle = |(element, triangle): (usize, &[u32; 3])| {
        let corners = nodes_of(rest, triangle);
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let (size, edge) = (0.5 * normal.length(), longest(&corners));
        let wide = size > FLAT * edge * edge;
        if !wide {
            return Err(ElasticError::Degenerate { list: "triangles", element, measure: "area", size, edge });
        }
        Ok(RestTriangle { corners, area: size, normal: normal.normalize() })
    };
    triangles.iter().enumerate().map(triangle).collect()
}

impl RestTriangle {
    /// Unit vector along its first edge.
    pub(super) fn first_edge(&self) -> DVec3 {
        (self.corners[1] - self.corners[0]).normalize()
    }

    /// Unit vector in its plane along which u grows and v does not: ∂x/∂u. `None` if the texture coordinates have no
    /// area.
    pub(super) fn warp(&self, uvs: [DVec2; 3]) -> Option<DVec3> {
        let (a, b) = (uvs[1] - uvs[0], uvs[2] - uvs[0]);
        let area = a.perp_dot(b);
        let (along, across) = (self.corners[1] - self.corners[0], self.corners[2] - self.corners[0]);
        let direction = (along * b.y - across * a.y) * area.signum();
        let wide = area.abs() > FLAT * a.length_squared().max(b.length_squared());
        if wide { direction.try_normalize() } else { None }
    }

    /// Its one quadrature point, with the first axis of F along `warp` and the second across it.
    pub(super) fn point(&self, warp: DVec3) -> Point<3, 2> {
        let weft = self.normal.cross(warp);
        let [p, q, r] = self.corners;
        // ∇L_a = n × (opposite edge) / (2 A).
        let gradients = [r - q, p - r, q - p].map(|opposite| {
            let slope = self.normal.cross(opposite) / (2.0 * self.area);
            [slope.dot(warp), slope.dot(weft)]
        });
        Point { weight: self.area, gradients }
    }
}
