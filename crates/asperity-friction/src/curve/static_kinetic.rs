//! Static and kinetic friction: the coefficient falls from μ_s to μ_k as slip sets in.
//!
//! Two transitions, both with a force μ(y) f1(y) that is continuously differentiable; x = y/ε, Δ = μ_k − μ_s:
//!
//! * [`Transition::Ipc`], the IPC Toolkit's law (its documentation, "Smooth μ"): μ falls while f1 still rises,
//!   μ = μ_s + 2Δx² for x ≤ ½, μ_k − 2Δ(1 − x)² for x ≤ 1, then μ_k. The force never reaches μ_s: its peak is 0.306
//!   for (0.5, 0.3). Kept for comparison.
//! * [`Transition::Peak`], ours: first f1 rises at the full μ_s, to reach it at y = ε with zero slope; then μ falls
//!   along a cubic step, μ = μ_s + Δ t²(3 − 2t), t = (y − ε)/(ε_k − ε), to μ_k at y = ε_k. The peak is μ_s exactly, the
//!   force is a quadratic and a cubic piece, and for μ_s = μ_k it is μ f1 itself.
//!
//! The potential ∫ μ f1 is normalised to μ_k y at high speed, as the Toolkit's is. Where μ_k < μ_s it is not convex,
//! so a minimiser may have several solutions: that is the physics of stick and slip, not an artefact.

use serde::{Deserialize, Serialize};

use super::Profile;
use crate::error::{FrictionError, non_negative, positive};

/// How the coefficient goes from static to kinetic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transition {
    /// Falls between rest and ε, while the mollifier rises (IPC Toolkit).
    Ipc,
    /// Falls between ε and 2ε, after the mollifier reached one: the force peaks at μ_s.
    #[default]
    Peak,
}

/// μ(y), the force μ f1 and its potential.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StaticKineticCurve {
    mu_s: f64,
    mu_k: f64,
    eps: f64,
    transition: Transition,
}

/// ε_k/ε of [`Transition::Peak`].
const PEAK_END: f64 = 2.0;

impl StaticKineticCurve {
    /// From the two coefficients and the slip speed ε at which friction is fully developed.
    pub fn new(mu_s: f64, mu_k: f64, eps: f64, transition: Transition) -> Result<Self, FrictionError> {
        Ok(Self {
            mu_s: non_negative("mu_s", mu_s)?,
            mu_k: non_negative("mu_k", mu_k)?,
            eps: positive("eps_v", eps)?,
            transition,
        })
    }

    /// The coefficient at slip speed y.
    #[inline]
    pub fn mu(&self, y: f64) -> f64 {
        let x = y / self.eps;
        let drop = self.mu_k - self.mu_s;
        match self.transition {
            Transition::Ipc if x <= 0.5 => self.mu_s + 2.0 * drop * x * x,
            Transition::Ipc if x <= 1.0 => self.mu_k - 2.0 * drop * (1.0 - x) * (1.0 - x),
            Transition::Peak if x <= 1.0 => self.mu_s,
            Transition::Peak if x < PEAK_END => {
                let t = (x - 1.0) / (PEAK_END - 1.0);
                self.mu_s + drop * t * t * (3.0 - 2.0 * t)
            }
            _ => self.mu_k,
        }
    }

    /// dμ/dy.
    #[inline]
    pub fn mu_slope(&self, y: f64) -> f64 {
        let x = y / self.eps;
        let drop = self.mu_k - self.mu_s;
        match self.transition {
            Transition::Ipc if x <= 0.5 => 4.0 * drop * x / self.eps,
            Transition::Ipc if x <= 1.0 => 4.0 * drop * (1.0 - x) / self.eps,
            Transition::Peak if x > 1.0 && x < PEAK_END => {
                let t = (x - 1.0) / (PEAK_END - 1.0);
                6.0 * drop * t * (1.0 - t) / (self.eps * (PEAK_END - 1.0))
            }
            _ => 0.0,
        }
    }

    /// (1/ε) ∫₀^y μ f1 for the Toolkit's law, x = y/ε ≤ 1.
    fn ipc_integral(&self, x: f64) -> f64 {
        let (s, k) = (self.mu_s, self.mu_k);
        let d = k - s;
        if x <= 0.5 {
            x * x * (s + x * (-s / 3.0 + x * (d - 0.4 * d * x)))
        } else {
            3.0 * d / 80.0 + x * x * (2.0 * s - k + x * ((9.0 * k - 10.0 * s) / 3.0 + x * (-2.0 * d + 0.4 * d * x)))
        }
    }
}

impl Profile for StaticKineticCurve {
    fn value(&self, y: f64) -> f64 {
        let x = y / self.eps;
        let (s, k) = (self.mu_s, self.mu_k);
        match self.transition {
            Transition::Ipc if x < 1.0 => self.eps * (self.ipc_integral(x) + (27.0 * k - 11.0 * s) / 48.0),
            Transition::Peak if x < PEAK_END => {
                // Backwards from mu_k y at the end of the step: half of the drop is made up over its width.
                let width = PEAK_END - 1.0;
                let offset = (k - s) * (PEAK_END - 0.5 * width);
                if x <= 1.0 {
                    self.eps * (offset + s * (1.0 / 3.0 + x * x * (1.0 - x / 3.0)))
                } else {
                    let t = (x - 1.0) / width;
                    self.eps * (offset + s * x + (k - s) * width * t * t * t * (1.0 - 0.5 * t))
                }
            }
            _ => k * y,
        }
    }

    #[inline]
    fn slope(&self, y: f64) -> f64 {
        let x = y / self.eps;
        let rise = if x < 1.0 { x * (2.0 - x) } else { 1.0 };
        self.mu(y) * rise
    }

    fn bend(&self, y: f64) -> f64 {
        let x = y / self.eps;
        let (rise, steep) = if x < 1.0 { (x * (2.0 - x), 2.0 * (1.0 - x) / self.eps) } else { (1.0, 0.0) };
        self.mu_slope(y) * rise + self.mu(y) * steep
    }

    #[inline]
    fn slope_over_speed(&self, y: f64) -> f64 {
        let x = y / self.eps;
        if x < 1.0 { self.mu(y) * (2.0 - x) / self.eps } else { self.mu(y) / y }
    }

    /// Expanded below ε, where the difference would cancel.
    fn bend_excess(&self, y: f64) -> f64 {
        let x = y / self.eps;
        let (s, k, e3) = (self.mu_s, self.mu_k, self.eps * self.eps * self.eps);
        let d = k - s;
        // Diverges at rest, unless there is no static friction.
        let s_over_x = if s == 0.0 { 0.0 } else { s / x };
        match self.transition {
            Transition::Ipc if x <= 0.5 => (8.0 * d - 6.0 * d * x - s_over_x) / e3,
            Transition::Ipc if x < 1.0 => (d * (1.0 - x) * (10.0 - 6.0 * x) - k) / (e3 * x),
            Transition::Peak if x < 1.0 => -s_over_x / e3,
            _ => (self.bend(y) * y - self.slope(y)) / (y * y * y),
        }
    }
}

/// The Toolkit's tangential adhesion with static and kinetic coefficients: like friction, but it ends at y = 2ε.
///
/// a1 = x(2 − x) for x < 2 and 0 beyond; a0 its integral from 0. At y = 0 the limits are given (the Toolkit returns 0
/// for a2 and a1/y there).
impl StaticKineticCurve {
    /// ∫₀^y μ a1.
    pub fn adhesion_value(&self, y: f64) -> f64 {
        let x = y / self.eps;
        let (s, k) = (self.mu_s, self.mu_k);
        match self.transition {
            Transition::Ipc if x <= 1.0 => self.eps * self.ipc_integral(x),
            Transition::Ipc => {
                let x = x.min(2.0);
                self.eps * (11.0 * (s - k) / 48.0 + k * x * x * (1.0 - x / 3.0))
            }
            Transition::Peak => {
                let x = x.min(2.0);
                let t = (x - 1.0).max(0.0);
                // ∫ t²(3 − 2t)(1 − t²) dt, the cubic step times a1 = 1 − t².
                let step = t * t * t * (1.0 + t * (-0.5 + t * (-0.6 + t / 3.0)));
                self.eps * (s * x * x * (1.0 - x / 3.0) + (k - s) * step)
            }
        }
    }

    /// μ a1.
    pub fn adhesion_slope(&self, y: f64) -> f64 {
        let x = y / self.eps;
        if x < 2.0 { self.mu(y) * x * (2.0 - x) } else { 0.0 }
    }

    /// (μ a1)'.
    pub fn adhesion_bend(&self, y: f64) -> f64 {
        let x = y / self.eps;
        if x < 2.0 { self.mu_slope(y) * x * (2.0 - x) + 2.0 * self.mu(y) * (1.0 - x) / self.eps } else { 0.0 }
    }

    /// μ a1/y, with its limit at 0.
    pub fn adhesion_slope_over_speed(&self, y: f64) -> f64 {
        let x = y / self.eps;
        if x < 2.0 { self.mu(y) * (2.0 - x) / self.eps } else { 0.0 }
    }

    /// ((μ a1)' y − μ a1)/y³.
    pub fn adhesion_bend_excess(&self, y: f64) -> f64 {
        let x = y / self.eps;
        if x < 1.0 {
            self.bend_excess(y)
        } else if x < 2.0 {
            // μ' x(2 − x)/y² − μ/(ε² y).
            (self.mu_slope(y) * x * (2.0 - x) - self.mu(y) * x / self.eps) / (y * y)
        } else {
            0.0
        }
    }
}
