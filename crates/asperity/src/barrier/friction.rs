//! Friction as a potential of the slip, with what is lagged held fixed: D = Σ λ φ(τ), τ = Bᵀ Σ w_i v_i.
//!
//! With the derivatives of φ in the plane ([`Dissipated`]) the gradient by the velocity of vertex i is w_i B ∇φ, and the Hessian is
//! (w wᵀ) ⊗ (B ∇²φ Bᵀ). B is orthonormal, so that the positive semidefinite part of it is that of the 2 × 2 matrix ∇²φ.
//!
//! [`ToolkitLaw`] is the law of the IPC Toolkit 1.6.1: static and kinetic coefficients with its smooth transition, coefficients on two
//! axes of the stencil's own basis (lagged: fixed while the potential is minimised), and a scaling of the slip. Laws of this program's
//! own are sets with smoothed supports ([`asperity_friction::dissipation`]).

use asperity_friction::FrictionError;
use asperity_friction::curve::{Profile, StaticKineticCurve, Transition};
use asperity_friction::dissipation::{Dissipated, curved};
use asperity_friction::model::effective_coefficient;
use asperity_friction::set::{Disk, Ellipse, FrictionSet};
use glam::{DMat2, DMat3, DVec2, DVec3};

use super::jacobian::SlipForce;
use super::local::Local;
use super::potential::Projection;
use super::tangent::Lagged;

/// The law of the IPC Toolkit for one collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToolkitLaw {
    /// Static and kinetic coefficient.
    pub mu: [f64; 2],
    /// Static coefficients along the two axes of the basis, instead of the one above.
    pub static_axes: Option<[f64; 2]>,
    /// Kinetic coefficients along the axes; they count only beside static ones.
    pub kinetic_axes: Option<[f64; 2]>,
    /// Factors of the slip along the axes (`mu_aniso`).
    pub scaling: Option<[f64; 2]>,
    /// Slip speed from which on friction is fully developed, m/s.
    pub eps_v: f64,
}

/// Static and kinetic coefficients for one direction of slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effective {
    /// Static.
    pub mu_s: f64,
    /// Kinetic.
    pub mu_k: f64,
}

impl ToolkitLaw {
    fn scaled(&self, slip: DVec2) -> DVec2 {
        slip * self.scaling.map_or(DVec2::ONE, DVec2::from_array)
    }

    /// The coefficients that are lagged with this slip.
    pub fn effective(&self, slip: DVec2) -> Effective {
        let [mu_s, mu_k] = self.mu;
        let Some(axes) = self.static_axes else { return Effective { mu_s, mu_k } };
        let direction = self.scaled(slip).try_normalize().unwrap_or(DVec2::X);
        let own = |axes: [f64; 2]| effective_coefficient(axes, direction);
        Effective { mu_s: own(axes), mu_k: self.kinetic_axes.map_or(mu_k, own) }
    }

    fn curve(&self, Effective { mu_s, mu_k }: Effective) -> Result<StaticKineticCurve, FrictionError> {
        StaticKineticCurve::new(mu_s, mu_k, self.eps_v, Transition::Ipc)
    }

    /// The potential at a slip, with coefficients that were lagged.
    pub fn dissipated(&self, lagged: Effective, load: f64, slip: DVec2) -> Result<Dissipated, FrictionError> {
        let set: FrictionSet = match self.scaling {
            Some(axes) => Ellipse::new(axes, DVec2::X)?.into(),
            None => Disk::new(1.0)?.into(),
        };
        curved(&set, &self.curve(lagged)?, 1.0, load, slip)
    }

    /// The force that the Toolkit answers with: with a scaling of the slip it is NOT minus the gradient of the potential. For comparison only.
    pub fn toolkit_force(&self, lagged: Effective, load: f64, slip: DVec2) -> Result<DVec2, FrictionError> {
        let scaled = self.scaled(slip);
        Ok(scaled * (-load * self.curve(lagged)?.slope_over_speed(scaled.length())))
    }
}

impl ToolkitLaw {
    /// The positive semidefinite Hessian that the Toolkit has with a scaling S of the slip: S P(H) S, H by the scaled slip s = S τ and P its
    /// positive semidefinite part. Ours is P(S H S), which is nearer to S H S. For comparison only.
    pub fn toolkit_positive(&self, lagged: Effective, load: f64, slip: DVec2) -> Result<DMat2, FrictionError> {
        let scaling = DMat2::from_diagonal(self.scaled(DVec2::ONE));
        let by_scaled = self.by_scaled(lagged, self.scaled(slip))? * load;
        Ok(scaling * positive(by_scaled) * scaling)
    }

    /// The change of the gradient with the scaled slip, for a load of 1: g 1 + g' ŝ sᵀ, g = f/|s|.
    fn by_scaled(&self, lagged: Effective, scaled: DVec2) -> Result<DMat2, FrictionError> {
        let (curve, speed) = (self.curve(lagged)?, scaled.length());
        let along = DMat2::from_cols(scaled * scaled.x, scaled * scaled.y);
        // g'/|s| diverges at rest, but its product with s sᵀ is zero there.
        let bend = if speed > 0.0 { along * curve.bend_excess(speed) } else { DMat2::ZERO };
        Ok(bend + DMat2::from_diagonal(DVec2::splat(curve.slope_over_speed(speed))))
    }

    /// The Toolkit's force for a load of 1 with its derivative by the slip: with s = S τ and g = f/|s|, −(g 1 + g' ŝ sᵀ) S.
    pub fn toolkit_slip_force(&self, lagged: Effective, slip: DVec2) -> Result<SlipForce, FrictionError> {
        let whole = self.by_scaled(lagged, self.scaled(slip))?;
        let scaling = DMat2::from_diagonal(self.scaled(DVec2::ONE));
        Ok(SlipForce { force: self.toolkit_force(lagged, 1.0, slip)?, slope: whole * scaling * -1.0 })
    }
}

impl Lagged {
    /// Derivative of a potential of the slip by the velocities of the vertices.
    pub fn gradient(&self, by_slip: DVec2) -> [DVec3; 4] {
        let force = self.world(by_slip);
        self.weights.map(|weight| force * weight)
    }

    /// Second derivatives of a potential of the slip by the velocities of the vertices.
    pub fn hessian(&self, by_slip: DMat2, projection: Projection) -> Local {
        let inner = match projection {
            Projection::Whole => by_slip,
            Projection::Positive => positive(by_slip),
        };
        let [b0, b1] = self.basis;
        let rows = [b0 * inner.x_axis.x + b1 * inner.x_axis.y, b0 * inner.y_axis.x + b1 * inner.y_axis.y];
        let outer = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
        let block = outer(rows[0], b0) + outer(rows[1], b1);
        Local::symmetric(|i, j| block * (self.weights[i] * self.weights[j]))
    }
}

/// The positive semidefinite part of a symmetric 2 × 2 matrix.
pub fn positive(m: DMat2) -> DMat2 {
    let (mean, half, off) = (0.5 * (m.x_axis.x + m.y_axis.y), 0.5 * (m.x_axis.x - m.y_axis.y), m.y_axis.x);
    let radius = half.hypot(off);
    let [low, high] = [mean - radius, mean + radius];
    if low >= 0.0 {
        return m;
    }
    if high <= 0.0 {
        return DMat2::ZERO;
    }
    // high v vᵀ with v the unit eigenvector: v vᵀ = (m − low I)/(high − low).
    (m - DMat2::from_diagonal(DVec2::splat(low))) * (high / (2.0 * radius))
}
