//! Mass, centre and inertia of a solid of constant density.
//!
//! Inertia is the tensor I = ∫ ρ (|x|² 1 − x xᵀ) dV about the centre of mass, in the body's axes. Primitives have closed forms.
//! Polyhedra are sums over the signed tetrahedra between a reference point and each surface triangle: a tetrahedron with corners
//! 0, a, b, c has volume V = a·(b × c)/6, centre (a + b + c)/4 and second moment ∫ x xᵀ = V/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ) with
//! s = a + b + c, exactly. Compounds add the second moments of their parts (parallel axes).

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::error::{ShapeError, positive};
use super::{Pose, Shape};

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
    /// Of a shape filled with material of `density` (kg/m³).
    pub fn of(shape: &Shape, density: f64) -> Result<Self, ShapeError> {
        positive("density", density)?;
        shape.validate()?;
        let moments = moments(shape)?;
        Ok(moments.properties(density))
    }

    /// As seen in the coordinates that `pose` leads to.
    pub fn posed(&self, pose: &Pose) -> Self {
        let axes = DMat3::from_quat(pose.rotation);
        Self {
            mass: self.mass,
            centre: pose.apply(self.centre),
            inertia: symmetric(axes * self.inertia * axes.transpose()),
        }
    }

    /// Inertia about another point: I + m (|d|² 1 − d dᵀ).
    pub fn inertia_about(&self, point: DVec3) -> DMat3 {
        self.inertia + inertia(outer(self.centre - point)) * self.mass
    }
}

/// Volume, centre, and ∫ (x − centre)(x − centre)ᵀ dV.
#[derive(Clone, Copy, Debug)]
struct Moments {
    volume: f64,
    centre: DVec3,
    second: DMat3,
}

impl Moments {
    /// Of a body that is its own mirror image in the three planes.
    fn centred(volume: f64, second: DVec3) -> Self {
        Self { volume, centre: DVec3::ZERO, second: DMat3::from_diagonal(second) }
    }

    fn properties(&self, density: f64) -> MassProperties {
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

fn moments(shape: &Shape) -> Result<Moments, ShapeError> {
    Ok(match shape {
        Shape::Sphere { radius: r } => {
            let volume = 4.0 / 3.0 * PI * r.powi(3);
            Moments::centred(volume, DVec3::splat(volume * r * r / 5.0))
        }
        Shape::Box { half } => {
            let volume = 8.0 * half.x * half.y * half.z;
            Moments::centred(volume, *half * *half * (volume / 3.0))
        }
        Shape::Cylinder { half_length: h, radius: r } => {
            let volume = 2.0 * PI * r * r * h;
            Moments::centred(volume, DVec3::new(r * r / 4.0, h * h / 3.0, r * r / 4.0) * volume)
        }
        Shape::Capsule { half_length: h, radius: r } => {
            let tube = 2.0 * PI * r * r * h;
            let ball = 4.0 / 3.0 * PI * r.powi(3);
            // Two half balls: ∫ y² = V (r²/5 + h² + 2 h · 3r/8), their centres are 3r/8 beyond the ends.
            let along = tube * h * h / 3.0 + ball * (r * r / 5.0 + h * h + 0.75 * h * r);
            let across = tube * r * r / 4.0 + ball * r * r / 5.0;
            Moments::centred(tube + ball, DVec3::new(across, along, across))
        }
        Shape::Hull(hull) => solid(hull.triangles().map(|t| t.map(|i| hull.points()[i as usize])))?,
        Shape::Mesh(mesh) => {
            mesh.closed()?;
            solid((0..mesh.data().triangles.len()).map(|i| mesh.corners(i)))?
        }
        Shape::HalfSpace { .. } => return Err(ShapeError::NoMass { shape: shape.name() }),
        Shape::Compound { parts } => {
            let mut all = Vec::with_capacity(parts.len());
            for (index, part) in parts.iter().enumerate() {
                let own = moments(&part.shape).map_err(|error| ShapeError::InPart { index, error: Box::new(error) })?;
                let axes = DMat3::from_quat(part.pose.rotation);
                all.push(Moments {
                    volume: own.volume,
                    centre: part.pose.apply(own.centre),
                    second: axes * own.second * axes.transpose(),
                });
            }
            let volume: f64 = all.iter().map(|m| m.volume).sum();
            let centre = all.iter().map(|m| m.centre * m.volume).sum::<DVec3>() / volume;
            let parallel = |m: &Moments| m.second + outer(m.centre - centre) * m.volume;
            Moments { volume, centre, second: all.iter().map(parallel).fold(DMat3::ZERO, |a, b| a + b) }
        }
    })
}

/// The solid inside closed triangles. The sums run about the mean corner, so that a far origin loses no digits.
fn solid(triangles: impl Iterator<Item = [DVec3; 3]> + Clone) -> Result<Moments, ShapeError> {
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
    Ok(Moments { volume, centre: origin + centre, second: second - outer(centre) * volume })
}
