//! Smoothed dissipation of a set: a potential of the slip whose negative gradient is the friction force.
//!
//! Sliding with slip v dissipates λn h(−v), h the support function of the set. A barrier method minimises energies, and
//! h has a kink at rest; so it is smoothed below the speed ε_v. With w = −v:
//!
//! * disks and ellipses ([`curved`] takes any set with a curved boundary): D(v) = λn m φ(h(w)/m), with φ a [`Profile`] (the
//!   mollifier f0, or a static/kinetic curve) and m the coefficient at which h/m is the slip speed. With p the point of the
//!   boundary with normal w and ρ the radius of curvature there, ∇h = p and ∇²h = (ρ/|w|) t tᵀ (t ⟂ w), hence
//!
//!     ∇D = −λn φ' p,   ∇²D = λn [ (φ''/m) p pᵀ + (φ'/|w|) ρ t tᵀ ].
//!
//!   Near rest φ ~ y² and h² is smooth for disks and ellipses: D is twice differentiable everywhere.
//! * all others: h² is not smooth at rest, and polygons, boxes and zonotopes have kinks in h for every |w|. The Moreau
//!   envelope with parameter s = ε_v/R, R the radius of the set,
//!
//!     D(v) = λn max { f·w − (s/2)|f|² : f ∈ F },   ∇D = −λn P_F(w/s),   ∇²D = (λn/s) ∂P_F(w/s),
//!
//!   whose gradient is a projection onto F: exact as soon as w/s is far enough outside.
//!
//! **Velocity scaling** (`mu_aniso` of the IPC Toolkit) scales the slip by diag(a₀, a₁) before it enters f0. That is
//! the ellipse with semi-axes a₀, a₁ and m = 1 here. In the Toolkit its force is not minus the gradient of its
//! potential; ours is.
//!
//! ```
//! use asperity_friction::dissipation::smoothed;
//! use asperity_friction::set::{Disk, FrictionSet};
//! use glam::DVec2;
//! # fn main() -> Result<(), asperity_friction::FrictionError> {
//! // Sliding along x at 2 m/s under 10 N with coefficient 0.5: the force is 5 N along -x, minus the gradient.
//! let set = FrictionSet::from(Disk::new(0.5)?);
//! let dissipated = smoothed(&set, 1e-3, 10.0, DVec2::new(2.0, 0.0))?;
//! assert!((dissipated.gradient - DVec2::new(5.0, 0.0)).length() < 1e-9);
//! # Ok(())
//! # }
//! ```

use glam::{DMat2, DVec2};

use crate::curve::Profile;
use crate::error::{FrictionError, positive};
use crate::set::{ConvexSet, FrictionSet, PlanarSet};
use crate::tangential::Tangential;

/// A potential of the slip and its derivatives; the friction force is −gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dissipated {
    /// D(v).
    pub value: f64,
    /// ∂D/∂v.
    pub gradient: DVec2,
    /// ∂²D/∂v².
    pub hessian: DMat2,
}

/// D(v) for a set with a curved boundary. `reference` is m: the coefficient at which h/m is the slip speed; the set's
/// least coefficient makes friction fully developed at ε in every direction.
pub fn curved<P: Profile>(
    set: &FrictionSet,
    profile: &P,
    reference: f64,
    load: f64,
    slip: DVec2,
) -> Result<Dissipated, FrictionError> {
    let m = positive("reference coefficient", reference)?;
    let planar = planar(set)?;
    let length = slip.length();
    // At rest the direction does not matter for disks and ellipses: p pᵀ + h ρ t tᵀ is their shape matrix.
    let w = if length > 0.0 { -slip / length } else { set.axis() };
    let Some(curvature) = planar.curvature_radius(w) else {
        return Err(FrictionError::Unsupported {
            name: set.name(),
            reason: "its boundary has straight edges: smooth it with the Moreau envelope",
        });
    };
    let p = set.support_point(Tangential::planar(w)).plane;
    let h = p.dot(w);
    let y = h * length / m;
    let t = w.perp();
    // φ'/|w| = (φ'/y)(h/m) for a unit normal, finite at rest.
    let across = load * profile.slope_over_speed(y) * (h / m) * curvature;
    let outer = |a: DVec2| DMat2::from_cols(a * a.x, a * a.y);
    Ok(Dissipated {
        value: load * m * profile.value(y),
        gradient: -p * (load * profile.slope(y)),
        hessian: outer(p) * (load * profile.bend(y) / m) + outer(t) * across,
    })
}

/// D(v) for any planar set, by the Moreau envelope. Above `eps_v` the force is on the boundary of the set.
pub fn moreau(set: &FrictionSet, eps_v: f64, load: f64, slip: DVec2) -> Result<Dissipated, FrictionError> {
    positive("eps_v", eps_v)?;
    let planar = planar(set)?;
    let radius = set.radius();
    if radius == 0.0 {
        return Ok(Dissipated { value: 0.0, gradient: DVec2::ZERO, hessian: DMat2::ZERO });
    }
    let s = eps_v / radius;
    let w = -slip;
    let p = set.project(1.0, Tangential::planar(w / s)).plane;
    Ok(Dissipated {
        value: load * (p.dot(w) - 0.5 * s * p.length_squared()),
        gradient: -p * load,
        hessian: planar.project_derivative(1.0, w / s).by_force * (load / s),
    })
}

/// D(v) with the smoothing that suits the set: f0 for disks and ellipses, the Moreau envelope for all others. Above
/// `eps_v` the force is on the boundary of the set, whatever the direction: it does not creep. The constant in D is
/// that of the smoothing and has no meaning.
pub fn smoothed(set: &FrictionSet, eps_v: f64, load: f64, slip: DVec2) -> Result<Dissipated, FrictionError> {
    if planar(set)?.curvature_radius(set.axis()).is_some() && set.implicit().is_some() {
        let bounds = set.bounds();
        let least = bounds.upper.plane.min_element();
        curved(set, &crate::curve::Mollifier::new(eps_v)?, least, load, slip)
    } else {
        moreau(set, eps_v, load, slip)
    }
}

fn planar(set: &FrictionSet) -> Result<&dyn PlanarSet, FrictionError> {
    set.planar().ok_or(FrictionError::Unsupported {
        name: set.name(),
        reason: "a dissipation potential of the slip needs a set of the contact plane",
    })
}
