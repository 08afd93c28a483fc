//! Stretching and shearing of a woven sheet (orthotropic St. Venant-Kirchhoff), integrated over its thickness.
//!
//! F is 3 × 2, from the plane of the triangle at rest with its first axis along the warp and its second along the weft,
//! and E = (FᵀF − 1)/2. With the stiffness in tension k_w along the warp and k_f along the weft (N/m: Young's modulus
//! times thickness), the shear stiffness k_s (N/m) and Poisson's ratio ν (contraction along the weft for a unit stretch
//! along the warp, when the weft is free),
//!
//! ```text
//! ψ = ½ c_w E₁₁² + ½ c_f E₂₂² + c_x E₁₁E₂₂ + ½ k_s (2E₁₂)²
//! c_w = k_w/(1 − ν²k_f/k_w),   c_f = k_f/(1 − ν²k_f/k_w),   c_x = ν c_f
//! S = (c_w E₁₁ + c_x E₂₂, c_f E₂₂ + c_x E₁₁ on the diagonal; 2k_s E₁₂ beside it),   P = F S
//! ```
//!
//! which is positive for ν² k_f < k_w. An isotropic sheet of thickness t has k_w = k_f = Yt and k_s = Yt/(2(1 + ν)). A
//! flat sheet at rest resists no movement across its plane: its stiffness matrix has exact zeros there.

use glam::{DMat3, DVec2, DVec3};

use crate::elastic::continuum::{Columns, Continuum, Density, Tangent};
use crate::elastic::eigen::{Square, clamp};
use crate::elastic::error::{ElasticError, positive};
use crate::elastic::matrix::outer;
use crate::elastic::rest;

/// In-plane stiffness of a sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Membrane {
    warp: f64,
    weft: f64,
    shear: f64,
    poisson: f64,
}

impl Membrane {
    /// Of a woven sheet: stiffness in tension along warp and weft, stiffness in shear (N/m), and the contraction along
    /// the weft for a unit stretch along the warp.
    pub fn woven(warp: f64, weft: f64, shear: f64, poisson: f64) -> Result<Self, ElasticError> {
        positive("warp", warp)?;
        positive("weft", weft)?;
        positive("shear", shear)?;
        let product = poisson * poisson * weft / warp;
        if product < 1.0 {
            Ok(Self { warp, weft, shear, poisson })
        } else {
            Err(ElasticError::WovenPoisson { value: poisson, product })
        }
    }

    /// Of an isotropic sheet: Young's modulus in Pa, Poisson's ratio (greater than −1, less than 1/2), thickness in m.
    pub fn isotropic(young: f64, poisson: f64, thickness: f64) -> Result<Self, ElasticError> {
        positive("young", young)?;
        positive("thickness", thickness)?;
        if !(poisson > -1.0 && poisson < 0.5) {
            return Err(ElasticError::Poisson { value: poisson });
        }
        let stretch = young * thickness;
        Self::woven(stretch, stretch, stretch / (2.0 * (1.0 + poisson)), poisson)
    }
}

/// The triangles of a sheet with this stiffness; `uvs` (one for each vertex) give the warp, the first edge of each
/// triangle if there are none.
pub(in crate::elastic) fn elements(
    rest: &[DVec3],
    uvs: &[DVec2],
    triangles: &[[u32; 3]],
    membrane: Membrane,
) -> Result<Continuum<3, 2, 1, Woven>, ElasticError> {
    let shapes = rest::triangles(rest, triangles)?;
    check_uvs(uvs, rest.len())?;
    let mut points = Vec::with_capacity(shapes.len());
    for (element, (shape, corners)) in shapes.iter().zip(triangles).enumerate() {
        let warp = if uvs.is_empty() { Some(shape.first_edge()) } else { shape.warp(corners.map(|v| uvs[v as usize])) };
        points.push([shape.point(warp.ok_or(ElasticError::NoWarp { element })?)]);
    }
    Ok(Continuum::new(triangles, points, Woven::new(membrane)))
}

/// Texture coordinates are absent, or there is one for each vertex.
pub(super) fn check_uvs(uvs: &[DVec2], vertices: usize) -> Result<(), ElasticError> {
    if uvs.is_empty() || uvs.len() == vertices {
        Ok(())
    } else {
        Err(ElasticError::Count { name: "uvs", count: uvs.len(), expected: vertices })
    }
}

/// The energy density, with the constants of the header.
#[derive(Clone, Copy, Debug)]
pub(in crate::elastic) struct Woven {
    warp: f64,
    weft: f64,
    both: f64,
    shear: f64,
}

/// Green strain of a sheet.
#[derive(Clone, Copy)]
struct Strain {
    warp: f64,
    weft: f64,
    /// E₁₂.
    shear: f64,
}

impl Strain {
    fn of(f: &Columns<2>) -> Self {
        Self {
            warp: 0.5 * (f[0].length_squared() - 1.0),
            weft: 0.5 * (f[1].length_squared() - 1.0),
            shear: 0.5 * f[0].dot(f[1]),
        }
    }
}

impl Woven {
    fn new(membrane: Membrane) -> Self {
        let Membrane { warp, weft, shear, poisson } = membrane;
        let free = 1.0 - poisson * poisson * weft / warp;
        Self { warp: warp / free, weft: weft / free, both: poisson * weft / free, shear }
    }

    /// S = ∂ψ/∂E.
    fn second_stress(&self, strain: Strain) -> [[f64; 2]; 2] {
        let shear = 2.0 * self.shear * strain.shear;
        [
            [self.warp * strain.warp + self.both * strain.weft, shear],
            [shear, self.weft * strain.weft + self.both * strain.warp],
        ]
    }
}

impl Density<2> for Woven {
    fn density(&self, f: &Columns<2>) -> f64 {
        let e = Strain::of(f);
        let stretch = 0.5 * (self.warp * e.warp * e.warp + self.weft * e.weft * e.weft) + self.both * e.warp * e.weft;
        stretch + 2.0 * self.shear * e.shear * e.shear
    }

    fn stress(&self, f: &Columns<2>) -> Columns<2> {
        let s = self.second_stress(Strain::of(f));
        std::array::from_fn(|j| s[j][0] * f[0] + s[j][1] * f[1])
    }

    fn tangent(&self, f: &Columns<2>) -> Tangent<2> {
        let s = self.second_stress(Strain::of(f));
        let own = [outer(f[0], f[0]), outer(f[1], f[1])];
        let mixed = outer(f[0], f[1]);
        let stress = |j: usize, l: usize| DMat3::from_diagonal(DVec3::splat(s[j][l]));
        let corner = stress(0, 1) + self.both * mixed + self.shear * mixed.transpose();
        [
            [stress(0, 0) + self.warp * own[0] + self.shear * own[1], corner],
            [corner.transpose(), stress(1, 1) + self.weft * own[1] + self.shear * own[0]],
        ]
    }

    /// With stresses that only pull, all of it is positive. Otherwise the part across the plane of f, which is S itself,
    /// and the part in the plane do not know of each other: two small matrices are projected instead of a large one.
    fn projected_tangent(&self, f: &Columns<2>) -> Tangent<2> {
        let tangent = self.tangent(f);
        let s = self.second_stress(Strain::of(f));
        if s[0][0] >= 0.0 && s[1][1] >= 0.0 && s[0][0] * s[1][1] >= s[0][1] * s[0][1] {
            return tangent;
        }
        let axes = plane(f);
        let normal = axes[0].cross(axes[1]);
        let inside: Square<4> =
            std::array::from_fn(|r| std::array::from_fn(|c| axes[r % 2].dot(tangent[r / 2][c / 2] * axes[c % 2])));
        let (inside, across) = (clamp(inside), clamp(s));
        std::array::from_fn(|j| {
            std::array::from_fn(|l| {
                let mut block = outer(across[j][l] * normal, normal);
                for (a, row) in axes.iter().enumerate() {
                    let along: DVec3 = (0..2).map(|b| inside[2 * j + a][2 * l + b] * axes[b]).sum();
                    block += outer(*row, along);
                }
                block
            })
        })
    }
}

/// Two unit vectors at right angles whose plane has both columns of f.
fn plane(f: &Columns<2>) -> [DVec3; 2] {
    let (long, short) = if f[0].length_squared() >= f[1].length_squared() { (f[0], f[1]) } else { (f[1], f[0]) };
    let first = long.try_normalize().unwrap_or(DVec3::X);
    let rest = short - short.dot(first) * first;
    // Once more: what is left of columns that are nearly parallel has lost its digits.
    let rest = rest - rest.dot(first) * first;
    [first, rest.try_normalize().unwrap_or_else(|| first.any_orthonormal_vector())]
}
