//! Mass, centre and inertia of a solid of constant density.
//!
//! Inertia is the tensor I = ∫ ρ (|x|² 1 − x xᵀ) dV about the centre of mass, in the body's axes. Primitives have closed forms.
//! Polyhedra are sums over the signed tetrahedra between a reference point and each surface triangle: a tetrahedron with corners
//! 0, a, b, c has volume V = a·(b × c)/6, centre (a + b + c)/4 and second moment ∫ x xᵀ = V/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ) with
//! s = a + b + c, exactly. Compounds add the second moments of their parts (parallel axes).

use glam::{DMat3, DVec3};

use super::Pose;
use super::error::ShapeError;

/// How a rigid body resists being moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// kg.
    pub mass: f64,
    /// Centre of mass, in the body's coordinates.
    pub centre: DVec3,
    /// Inertia about the centre, in the body's axes; kg m².
    pub inertia: DMat3,
}

impl MassProperties {
    /// As seen in the coordinates that `pose` leads to.
    pub fn posed(&self, pose: &Pose) -> Self {
        let axes = DMat3::from_quat(pose.rotation);
        Self {
            mass: self.mass,
            centre: pose.apply(self.centre),
            inertia: symmetric(axes * self.inertia * axes.transpose()),
        }
    }

    /// The tensor with these moments and products of inertia, [xx, yy, zz, xy, xz, yz], where xy is −∫ x y dm. Refused if no body has it: the second
    /// moments ∫ x xᵀ dm = ½ tr(I) 1 − I must not be negative in any direction, or one principal moment would be larger than the sum of the others.
    pub fn tensor([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> Result<DMat3, ShapeError> {
        let tensor = DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
        let half = 0.5 * (xx + yy + zz);
        let [a, b, c] = [xx, yy, zz].map(|moment| half - moment);
        let minors = [a, b, c, a * b - xy * xy, a * c - xz * xz, b * c - yz * yz];
        let second = DMat3::from_diagonal(DVec3::splat(half)) - tensor;
        let scales = [half, half, half, half * half, half * half, half * half];
        // Rounding of a body that is flat or thin, whose smallest second moment is zero.
        let least = |(minor, scale): (f64, f64)| minor >= -1e-12 * scale.abs();
        let cube = half.powi(3).abs();
        if half > 0.0 && minors.into_iter().zip(scales).all(least) && second.determinant() >= -1e-12 * cube {
            return Ok(tensor);
        }
        Err(ShapeError::Inertia { moments: [xx, yy, zz, xy, xz, yz] })
    }

    /// Inertia about another point: I + m (|d|² 1 − d dᵀ).
    pub fn inertia_about(&self, point: DVec3) -> DMat3 {
        self.inertia + inertia(outer(self.centre - point)) * self.mass
    }
}

/// Volume, centre, and ∫ (x − centre)(x − centre)ᵀ dV.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    volume: f64,
    centre: DVec3,
    second: DMat3,
}

impl Moments {
    /// Of a body that is its own mirror image in the three planes.
    pub(super) fn centred(volume: f64, second: DVec3) -> Self {
        Self { volume, centre: DVec3::ZERO, second: DMat3::from_diagonal(second) }
    }

    /// Of the solid inside closed triangles. The sums run about the mean corner, so that a far origin loses no digits.
    pub(super) fn inside(triangles: impl Iterator<Item = [DVec3; 3]> + Clone) -> Result<Self, ShapeError> {
        let (sum, count) = triangles.clone().fold((DVec3::ZERO, 0.0), |(s, n), [a, b, c]| (s + a + b + c, n + 3.0));
        let origin = sum / count;
        let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for corners in triangles {
            let [a, b, c] = corners.map(|p| p - origin);
            let v = a.dot(b.cross(c)) / 6.0;
            let s = a + b + c;
            volume += v;
            first += s * (v / 4.0);
            second += (outer(a) + outer(b) + outer(c) + outer(s)) * (v / 20.0);
        }
        if volume.is_nan() || volume <= 0.0 {
            return Err(ShapeError::InsideOut { volume });
        }
        let centre = first / volume;
        Ok(Self { volume, centre: origin + centre, second: second - outer(centre) * volume })
    }

    /// As seen in the coordinates that `pose` leads to.
    pub(super) fn posed(&self, pose: &Pose) -> Self {
        let axes = DMat3::from_quat(pose.rotation);
        Self { volume: self.volume, centre: pose.apply(self.centre), second: axes * self.second * axes.transpose() }
    }

    /// Of several solids together: second moments about the common centre (parallel axes).
    pub(super) fn sum(all: &[Self]) -> Self {
        let volume: f64 = all.iter().map(|m| m.volume).sum();
        let centre = all.iter().map(|m| m.centre * m.volume).sum::<DVec3>() / volume;
        let parallel = |m: &Self| m.second + outer(m.centre - centre) * m.volume;
        Self { volume, centre, second: all.iter().map(parallel).fold(DMat3::ZERO, |a, b| a + b) }
    }

    pub(super) fn properties(&self, density: f64) -> MassProperties {
        MassProperties {
            mass: self.volume * density,
            centre: self.centre,
            inertia: symmetric(inertia(self.second) * density),
        }
    }
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// tr(S) 1 − S.
fn inertia(second: DMat3) -> DMat3 {
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    DMat3::from_diagonal(DVec3::splat(trace)) - second
}

fn symmetric(m: DMat3) -> DMat3 {
    (m + m.transpose()) * 0.5
}
