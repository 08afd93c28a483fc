//! Elements whose energy is a density over the deformation gradient, integrated by quadrature.
//!
//! F = Σ_a x_a ⊗ ∇N_a maps directions of the rest shape to where they are now: 3 × 3 for solids, 3 × 2 for sheets, with
//! the gradients ∇N_a of the shape functions at rest. With quadrature points q of weight w_q (m³ or m²),
//!
//! ```text
//! E = Σ_q w_q ψ(F_q),   ∂E/∂x_a = Σ_q w_q P ∇N_a,   ∂²E/∂x_a∂x_b = Σ_q w_q Σ_jl (∇N_a)_j T_jl (∇N_b)_l
//! ```
//!
//! with the first Piola-Kirchhoff stress P = ∂ψ/∂F and its derivative T_jl = ∂P_j/∂F_l, a 3 × 3 matrix for each pair of
//! columns. Where T is made positive semidefinite, so is the Hessian of the element.

use glam::{DMat3, DVec3};

use super::elements::{Elements, set_block, stencil_range};

/// Deformation gradient or stress, by its D columns.
pub(super) type Columns<const D: usize> = [DVec3; D];

/// Derivative of the stress: entry (i, k) of block [j][l] is ∂P_ij/∂F_kl. Symmetric as a 3D × 3D matrix.
pub(super) type Tangent<const D: usize> = [[DMat3; D]; D];

/// Energy per volume (D = 3) or per area (D = 2) at rest, over the deformation gradient.
pub(super) trait Density<const D: usize>: std::fmt::Debug + Send + Sync {
    /// ψ(F).
    fn density(&self, f: &Columns<D>) -> f64;

    /// ∂ψ/∂F, the first Piola-Kirchhoff stress.
    fn stress(&self, f: &Columns<D>) -> Columns<D>;

    /// ∂²ψ/∂F².
    fn tangent(&self, f: &Columns<D>) -> Tangent<D>;

    /// ∂²ψ/∂F² with its negative eigenvalues replaced by zero.
    fn projected_tangent(&self, f: &Columns<D>) -> Tangent<D>;
}

/// A quadrature point of an element with K nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point<const K: usize, const D: usize> {
    /// Rest volume or area that it stands for.
    pub(super) weight: f64,
    /// Gradients of the shape functions at rest; their sum is zero.
    pub(super) gradients: [[f64; D]; K],
}

/// Elements with K nodes and Q quadrature points, made of one material.
#[derive(Clone, Debug)]
pub(super) struct Continuum<const K: usize, const D: usize, const Q: usize, M> {
    stencils: Vec<u32>,
    points: Vec<[Point<K, D>; Q]>,
    material: M,
}

impl<const K: usize, const D: usize, const Q: usize, M: Density<D>> Continuum<K, D, Q, M> {
    pub(super) fn new(elements: &[[u32; K]], points: Vec<[Point<K, D>; Q]>, material: M) -> Self {
        Self { stencils: elements.as_flattened().to_vec(), points, material }
    }

    /// Places of the nodes, from the first one: a mesh far from the origin loses no digits.
    #[inline]
    fn places(&self, e: usize, x: &[DVec3]) -> [DVec3; K] {
        let stencil = &self.stencils[stencil_range(K, e)];
        let first = x[stencil[0] as usize];
        std::array::from_fn(|a| x[stencil[a] as usize] - first)
    }
}

impl<const K: usize, const D: usize> Point<K, D> {
    #[inline]
    fn deformation(&self, places: &[DVec3; K]) -> Columns<D> {
        let mut f = [DVec3::ZERO; D];
        // The first place is the origin.
        for (place, gradient) in places.iter().zip(&self.gradients).skip(1) {
            for (column, g) in f.iter_mut().zip(gradient) {
                *column += *place * *g;
            }
        }
        f
    }
}

impl<const K: usize, const D: usize, const Q: usize, M: Density<D>> Elements for Continuum<K, D, Q, M> {
    fn nodes(&self) -> usize {
        K
    }

    fn stencils(&self) -> &[u32] {
        &self.stencils
    }

    fn energy(&self, e: usize, x: &[DVec3]) -> f64 {
        let places = self.places(e, x);
        self.points[e].iter().map(|point| point.weight * self.material.density(&point.deformation(&places))).sum()
    }

    fn gradient(&self, e: usize, x: &[DVec3], out: &mut [DVec3]) {
        let places = self.places(e, x);
        out.fill(DVec3::ZERO);
        for point in &self.points[e] {
            let stress = self.material.stress(&point.deformation(&places)).map(|column| point.weight * column);
            for (out, gradient) in out.iter_mut().zip(&point.gradients) {
                for (column, g) in stress.iter().zip(gradient) {
                    *out += *column * *g;
                }
            }
        }
    }

    fn hessian(&self, e: usize, x: &[DVec3], project: bool, out: &mut [f64]) {
        let places = self.places(e, x);
        let mut blocks = [[DMat3::ZERO; K]; K];
        for point in &self.points[e] {
            let f = point.deformation(&places);
            let tangent = if project { self.material.projected_tangent(&f) } else { self.material.tangent(&f) };
            add_blocks(point, &tangent, &mut blocks);
        }
        // A translation of all nodes changes nothing: rows and columns of the first node are minus the sums of the
        // others.
        let mut first = [DMat3::ZERO; K];
        for (b, column) in blocks.iter().enumerate().skip(1) {
            for (a, block) in column[..=b].iter().enumerate().skip(1) {
                set_block(out, K, a, b, block);
                first[b] -= *block;
                if a < b {
                    first[a] -= block.transpose();
                }
            }
        }
        let mut corner = DMat3::ZERO;
        for (b, block) in first.iter().enumerate().skip(1) {
            set_block(out, K, 0, b, block);
            corner -= *block;
        }
        set_block(out, K, 0, 0, &corner);
    }
}

/// blocks[b][a] += w Σ_jl (∇N_a)_j T_jl (∇N_b)_l for 1 ≤ a ≤ b.
#[inline]
fn add_blocks<const K: usize, const D: usize>(point: &Point<K, D>, tangent: &Tangent<D>, blocks: &mut [[DMat3; K]; K]) {
    for (b, column) in blocks.iter_mut().enumerate().skip(1) {
        // T ∇N_b, for each column j of the stress.
        let weighted = point.gradients[b].map(|g| point.weight * g);
        let by_column = tangent.map(|row| row.iter().zip(weighted).fold(DMat3::ZERO, |sum, (t, g)| sum + *t * g));
        for (block, gradient) in column[..=b].iter_mut().zip(&point.gradients).skip(1) {
            for (stress, g) in by_column.iter().zip(gradient) {
                *block += *stress * *g;
            }
        }
    }
}
