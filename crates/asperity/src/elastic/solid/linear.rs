//! Linear elasticity: ψ = μ ε:ε + λ/2 (tr ε)², ε = (F + Fᵀ)/2 − 1.
//!
//! Exact for small displacements and the cheapest of all, since its Hessian is constant. It is the only one that is not
//! frame indifferent: a body that turns by an angle φ is strained by 1 − cos φ, and swells. Its Hessian is always
//! positive semidefinite.

use glam::{DMat3, DVec3};

use super::SolidDensity;
use crate::elastic::continuum::{Columns, Density, Tangent};
use crate::elastic::lame::Lame;
use crate::elastic::matrix::outer;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Linear {
    lame: Lame,
}

impl SolidDensity for Linear {
    const NAME: &'static str = "linear";
    const SUMMARY: &'static str = "small strains and small rotations: a constant stiffness matrix";

    fn new(lame: Lame) -> Self {
        Self { lame }
    }
}

const AXES: [DVec3; 3] = [DVec3::X, DVec3::Y, DVec3::Z];

fn strain(f: &Columns<3>) -> DMat3 {
    let f = DMat3::from_cols_array_2d(&f.map(|column| column.to_array()));
    0.5 * (f + f.transpose()) - DMat3::IDENTITY
}

fn trace(m: &DMat3) -> f64 {
    m.x_axis.x + m.y_axis.y + m.z_axis.z
}

impl Density<3> for Linear {
    fn density(&self, f: &Columns<3>) -> f64 {
        let strain = strain(f);
        let squares: f64 = strain.to_cols_array().iter().map(|e| e * e).sum();
        self.lame.mu() * squares + 0.5 * self.lame.lambda() * trace(&strain).powi(2)
    }

    fn stress(&self, f: &Columns<3>) -> Columns<3> {
        let strain = strain(f);
        let pressure = self.lame.lambda() * trace(&strain);
        std::array::from_fn(|j| 2.0 * self.lame.mu() * strain.col(j) + pressure * AXES[j])
    }

    fn tangent(&self, _: &Columns<3>) -> Tangent<3> {
        let Self { lame } = self;
        std::array::from_fn(|j| {
            std::array::from_fn(|l| {
                let same = if j == l { lame.mu() } else { 0.0 };
                DMat3::from_diagonal(DVec3::splat(same))
                    + outer(lame.mu() * AXES[l], AXES[j])
                    + outer(lame.lambda() * AXES[j], AXES[l])
            })
        })
    }

    fn projected_tangent(&self, f: &Columns<3>) -> Tangent<3> {
        self.tangent(f)
    }
}
