//! Bending of a sheet by the angles of its hinges (discrete shells, Grinspun et al. 2003).
//!
//! Each inner edge with rest length l and triangles of rest areas A₁, A₂ has the energy
//!
//! ```text
//! E = ½ k (θ − θ₀)²,   k = D l²/(A₁ + A₂)
//! ```
//!
//! with the angle θ between the triangles (see [`super::hinge`]), the angle θ₀ at rest, and the bending stiffness D in
//! N m (of an isotropic plate of thickness t: Yt³/(12(1 − ν²))). With this factor a sheet bent to a cylinder of
//! curvature κ stores ½ D κ² per area: on equilateral triangles for every direction of the cylinder, on grids for
//! cylinders along a grid line. Angles of hinges are not all there is to curvature, and so the stiffness depends on the
//! mesh otherwise. Equilateral triangles are a plate with ν = −1/3: a narrow strip, whose sides curl, has the stiffness
//! 8/9 D. On squares with alternating diagonals a cylinder at 45 degrees stores 3/2 as much, and a narrow strip along a
//! grid line is about a fifth softer.
//!
//! Woven sheets have D = D_w c² + D_f s², with c and s the cosine and sine of the angle between the warp and the
//! direction across the edge, in which the edge bends.
//!
//! The Hessian is k (g gᵀ + (θ − θ₀) ∂²θ); its positive semidefinite part is taken to be k g gᵀ (Gauss-Newton), exact
//! at rest.

use std::collections::BTreeMap;

use glam::{DMat3, DVec2, DVec3};

use super::hinge::Hinge;
use super::membrane::check_uvs;
use crate::elastic::elements::{Elements, set_block, stencil_range};
use crate::elastic::error::{ElasticError, positive};
use crate::elastic::matrix::outer;
use crate::elastic::rest::{self, RestTriangle};

/// A triangle with less than this fraction of its area at rest, squared, has no better defined normal.
const LEAST_AREA: f64 = 1e-12;

/// Bending stiffness of a sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bending {
    warp: f64,
    weft: f64,
    rest: RestAngles,
}

/// The angles at which a sheet is not bent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestAngles {
    /// Those of the rest shape.
    Shape,
    /// Zero: the sheet is flat without load, whatever its rest shape.
    Flat,
}

impl Bending {
    /// The same in all directions, in N m.
    pub fn isotropic(stiffness: f64, rest: RestAngles) -> Result<Self, ElasticError> {
        positive("bending", stiffness)?;
        Ok(Self { warp: stiffness, weft: stiffness, rest })
    }

    /// Stiffness of strips cut along the warp and along the weft, in N m; the directions come from texture coordinates.
    pub fn woven(warp: f64, weft: f64, rest: RestAngles) -> Result<Self, ElasticError> {
        Ok(Self { warp: positive("bending_warp", warp)?, weft: positive("bending_weft", weft)?, rest })
    }
}

/// The inner edges of a sheet.
#[derive(Clone, Debug, Default)]
pub(in crate::elastic) struct Hinges {
    stencils: Vec<u32>,
    hinges: Vec<RestHinge>,
}

/// One of them at rest.
#[derive(Clone, Copy, Debug)]
struct RestHinge {
    /// k in N m.
    stiffness: f64,
    /// θ₀.
    angle: f64,
    /// Smallest |N|² that is divided by.
    least: f64,
}

/// The hinges of a sheet; `uvs` may be absent if the stiffness is the same in all directions.
pub(in crate::elastic) fn elements(
    rest: &[DVec3],
    uvs: &[DVec2],
    triangles: &[[u32; 3]],
    bending: Bending,
) -> Result<Hinges, ElasticError> {
    let shapes = rest::triangles(rest, triangles)?;
    check_uvs(uvs, rest.len())?;
    if uvs.is_empty() && bending.warp != bending.weft {
        return Err(ElasticError::Count { name: "uvs", count: 0, expected: rest.len() });
    }
    let mut hinges = Hinges::default();
    for pair in pairs(triangles)? {
        let stencil = pair.stencil(triangles);
        let [x0, x1, ..] = stencil.map(|vertex| rest[vertex as usize]);
        let (first, second) = (&shapes[pair.first], &shapes[pair.second]);
        let stiffness = if uvs.is_empty() {
            bending.warp
        } else {
            let warp = |element: usize| warp_of(&shapes[element], triangles[element], uvs, element);
            0.5 * (across(first, x1 - x0, warp(pair.first)?, bending)
                + across(second, x1 - x0, warp(pair.second)?, bending))
        };
        let least = LEAST_AREA * (2.0 * first.area.min(second.area)).powi(2);
        let angle = match bending.rest {
            RestAngles::Flat => 0.0,
            RestAngles::Shape => Hinge::new(stencil.map(|vertex| rest[vertex as usize]), least).angle(),
        };
        let stiffness = stiffness * x0.distance_squared(x1) / (first.area + second.area);
        hinges.stencils.extend(stencil);
        hinges.hinges.push(RestHinge { stiffness, angle, least });
    }
    Ok(hinges)
}

fn warp_of(shape: &RestTriangle, corners: [u32; 3], uvs: &[DVec2], element: usize) -> Result<DVec3, ElasticError> {
    shape.warp(corners.map(|vertex| uvs[vertex as usize])).ok_or(ElasticError::NoWarp { element })
}

/// D = D_w c² + D_f s² for bending across this edge.
fn across(shape: &RestTriangle, edge: DVec3, warp: DVec3, bending: Bending) -> f64 {
    let cosine = shape.normal.cross(edge).normalize().dot(warp);
    let square = cosine * cosine;
    bending.warp * square + bending.weft * (1.0 - square)
}

/// Two triangles on one edge.
struct Pair {
    edge: [u32; 2],
    /// The triangle that uses the edge in this direction.
    first: usize,
    /// The one that uses it the other way.
    second: usize,
}

impl Pair {
    /// The ends of the edge and the two vertices opposite.
    fn stencil(&self, triangles: &[[u32; 3]]) -> [u32; 4] {
        let opposite = |triangle: usize| {
            let corners = triangles[triangle];
            corners.into_iter().find(|vertex| !self.edge.contains(vertex)).unwrap_or(corners[0])
        };
        [self.edge[0], self.edge[1], opposite(self.first), opposite(self.second)]
    }
}

/// Inner edges, sorted by their vertices.
fn pairs(triangles: &[[u32; 3]]) -> Result<Vec<Pair>, ElasticError> {
    let mut edges: BTreeMap<[u32; 2], usize> = BTreeMap::new();
    for (second, corners) in triangles.iter().enumerate() {
        for k in 0..3 {
            let [from, to] = [corners[k], corners[(k + 1) % 3]];
            if let Some(first) = edges.insert([from, to], second) {
                return Err(ElasticError::Edge { from, to, first, second });
            }
        }
    }
    let inner = edges.iter().filter(|([from, to], _)| from < to);
    let pair = |(&[from, to], &first): (&[u32; 2], &usize)| {
        edges.get(&[to, from]).map(|&second| Pair { edge: [from, to], first, second })
    };
    Ok(inner.filter_map(pair).collect())
}

impl Hinges {
    fn now(&self, e: usize, x: &[DVec3]) -> Hinge {
        let stencil = &self.stencils[stencil_range(4, e)];
        Hinge::new(std::array::from_fn(|a| x[stencil[a] as usize]), self.hinges[e].least)
    }

    /// θ − θ₀, by whole turns nearest to zero: a hinge with θ₀ near π may open either way.
    fn bent(&self, e: usize, hinge: &Hinge) -> f64 {
        let bent = hinge.angle() - self.hinges[e].angle;
        bent - std::f64::consts::TAU * (bent / std::f64::consts::TAU).round()
    }
}

impl Elements for Hinges {
    fn nodes(&self) -> usize {
        4
    }

    fn stencils(&self) -> &[u32] {
        &self.stencils
    }

    fn energy(&self, e: usize, x: &[DVec3]) -> f64 {
        0.5 * self.hinges[e].stiffness * self.bent(e, &self.now(e, x)).powi(2)
    }

    fn gradient(&self, e: usize, x: &[DVec3], out: &mut [DVec3]) {
        let hinge = self.now(e, x);
        let moment = self.hinges[e].stiffness * self.bent(e, &hinge);
        for (out, slope) in out.iter_mut().zip(hinge.gradient()) {
            *out = moment * slope;
        }
    }

    fn hessian(&self, e: usize, x: &[DVec3], project: bool, out: &mut [f64]) {
        let hinge = self.now(e, x);
        let stiffness = self.hinges[e].stiffness;
        let slope = hinge.gradient();
        for b in 0..4 {
            for a in 0..=b {
                set_block(out, 4, a, b, &outer(stiffness * slope[a], slope[b]));
            }
        }
        if !project {
            add_curvature(stiffness * self.bent(e, &hinge), &hinge, out);
        }
    }
}

/// Adds the moment times ∂²θ.
fn add_curvature(moment: f64, hinge: &Hinge, out: &mut [f64]) {
    let inner = hinge.hessian();
    // Rows and columns of x₀ are minus the sums of the others.
    let rows: [DMat3; 3] = std::array::from_fn(|r| -(inner[r][0] + inner[r][1] + inner[r][2]));
    let corner = -(rows[0] + rows[1] + rows[2]);
    for (b, column) in out.chunks_exact_mut(12).enumerate() {
        for (a, value) in column.iter_mut().enumerate() {
            let (row, col) = (a % 3, b % 3);
            *value += moment
                * match (a / 3, b / 3) {
                    (0, 0) => corner.col(col)[row],
                    (0, b) => rows[b - 1].col(row)[col],
                    (a, 0) => rows[a - 1].col(col)[row],
                    (a, b) => inner[a - 1][b - 1].col(col)[row],
                };
        }
    }
}
