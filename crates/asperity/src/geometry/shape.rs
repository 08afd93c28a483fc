//! Shapes: plain data, checked once.
//!
//! Capsules and cylinders have their axis along y. A half-space is solid below the plane through the body's origin with the
//! given outward normal. Lengths are in metres, in the body's coordinates.

use glam::{DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::aabb::Aabb;
use super::error::{ShapeError, finite, positive};
use super::{Hull, Pose, TriangleMesh};

/// The form of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "shape", rename_all = "snake_case", deny_unknown_fields)]
pub enum Shape {
    /// A ball around the origin.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// A cuboid around the origin.
    Box {
        /// Half of its lengths along x, y, z.
        half: DVec3,
    },
    /// All points within `radius` of a segment on the y axis.
    Capsule {
        /// Half of the segment's length.
        half_length: f64,
        /// The radius.
        radius: f64,
    },
    /// A solid circular cylinder around the y axis.
    Cylinder {
        /// Half of its length.
        half_length: f64,
        /// Its radius.
        radius: f64,
    },
    /// The convex hull of points.
    Hull(Hull),
    /// Everything below a plane through the origin.
    HalfSpace {
        /// Unit, out of the solid.
        normal: DVec3,
    },
    /// A triangle surface, for static bodies.
    Mesh(TriangleMesh),
    /// Several shapes as one rigid body.
    Compound {
        /// The parts; no half-spaces and no compounds.
        parts: Vec<Part>,
    },
}

/// A shape in a compound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// From the part's coordinates to the compound's.
    #[serde(default)]
    pub pose: Pose,
    /// The part's shape.
    #[serde(flatten)]
    pub shape: Shape,
}

impl Shape {
    /// A checked ball.
    pub fn sphere(radius: f64) -> Result<Self, ShapeError> {
        Self::Sphere { radius }.checked()
    }

    /// A checked cuboid.
    pub fn cuboid(half: DVec3) -> Result<Self, ShapeError> {
        Self::Box { half }.checked()
    }

    /// A checked capsule.
    pub fn capsule(half_length: f64, radius: f64) -> Result<Self, ShapeError> {
        Self::Capsule { half_length, radius }.checked()
    }

    /// A checked cylinder.
    pub fn cylinder(half_length: f64, radius: f64) -> Result<Self, ShapeError> {
        Self::Cylinder { half_length, radius }.checked()
    }

    /// The hull of points.
    pub fn hull(points: &[DVec3]) -> Result<Self, ShapeError> {
        Hull::new(points).map(Self::Hull)
    }

    /// A half-space; the normal is made a unit vector.
    pub fn half_space(normal: DVec3) -> Result<Self, ShapeError> {
        Self::HalfSpace { normal: normal.try_normalize().unwrap_or(normal) }.checked()
    }

    /// A checked compound.
    pub fn compound(parts: Vec<Part>) -> Result<Self, ShapeError> {
        Self::Compound { parts }.checked()
    }

    /// Itself, if it is valid.
    pub fn checked(self) -> Result<Self, ShapeError> {
        self.validate()?;
        Ok(self)
    }

    /// What is wrong with it. Hulls and meshes are checked when they are made.
    pub fn validate(&self) -> Result<(), ShapeError> {
        match self {
            Self::Sphere { radius } => positive("radius", *radius).map(drop),
            Self::Box { half } => {
                positive("half.x", half.x)?;
                positive("half.y", half.y)?;
                positive("half.z", half.z).map(drop)
            }
            Self::Capsule { half_length, radius } | Self::Cylinder { half_length, radius } => {
                positive("half_length", *half_length)?;
                positive("radius", *radius).map(drop)
            }
            Self::Hull(_) | Self::Mesh(_) => Ok(()),
            Self::HalfSpace { normal } => {
                finite("normal", &[*normal])?;
                unit("normal", normal.length())
            }
            Self::Compound { parts } => {
                if parts.is_empty() {
                    return Err(ShapeError::Count { name: "parts", count: 0, expected: "at least 1".into() });
                }
                for (index, part) in parts.iter().enumerate() {
                    if matches!(part.shape, Self::HalfSpace { .. } | Self::Compound { .. }) {
                        return Err(ShapeError::Part { index, shape: part.shape.name() });
                    }
                    let check = || {
                        part.shape.validate()?;
                        finite("pose.position", &[part.pose.position])?;
                        unit("pose.rotation", part.pose.rotation.length())
                    };
                    check().map_err(|error| ShapeError::InPart { index, error: Box::new(error) })?;
                }
                Ok(())
            }
        }
    }

    /// The kind of shape, as scenes name it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sphere { .. } => "sphere",
            Self::Box { .. } => "box",
            Self::Capsule { .. } => "capsule",
            Self::Cylinder { .. } => "cylinder",
            Self::Hull(_) => "hull",
            Self::HalfSpace { .. } => "half_space",
            Self::Mesh(_) => "mesh",
            Self::Compound { .. } => "compound",
        }
    }

    /// The smallest box along the axes around the shape.
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        let axes = DMat3::from_quat(pose.rotation);
        let y = axes.y_axis;
        match self {
            Self::Sphere { radius } => Aabb::around(pose.position, DVec3::splat(*radius)),
            Self::Box { half } => {
                let extent = axes.x_axis.abs() * half.x + y.abs() * half.y + axes.z_axis.abs() * half.z;
                Aabb::around(pose.position, extent)
            }
            Self::Capsule { half_length, radius } => {
                Aabb::around(pose.position, y.abs() * *half_length + DVec3::splat(*radius))
            }
            Self::Cylinder { half_length, radius } => {
                // A disc across the unit vector y reaches r √(1 − y_i²) along axis i.
                let disc = (DVec3::ONE - y * y).max(DVec3::ZERO).map(f64::sqrt);
                Aabb::around(pose.position, y.abs() * *half_length + disc * *radius)
            }
            Self::Hull(hull) => points(hull.points(), pose),
            Self::HalfSpace { .. } => Aabb::ALL,
            Self::Mesh(mesh) => points(&mesh.data().vertices, pose),
            Self::Compound { parts } => {
                parts.iter().map(|part| part.shape.aabb(&pose.then(&part.pose))).fold(Aabb::EMPTY, |a, b| a.union(&b))
            }
        }
    }

    /// A box along the body's own axes around the shape; for a compound not the smallest one.
    pub fn bounds(&self) -> Aabb {
        match self {
            Self::Hull(hull) => hull.polyhedron().bounds,
            Self::Mesh(mesh) => mesh.bounds(),
            Self::Compound { parts } => parts
                .iter()
                .map(|part| part.shape.bounds().turned(&part.pose))
                .fold(Aabb::EMPTY, |whole, own| whole.union(&own)),
            _ => self.aabb(&Pose::IDENTITY),
        }
    }

    /// Radius of a ball around the body's origin that holds the shape.
    pub fn reach(&self) -> f64 {
        match self {
            Self::Sphere { radius } => *radius,
            Self::Box { half } => half.length(),
            Self::Capsule { half_length, radius } => half_length + radius,
            Self::Cylinder { half_length, radius } => half_length.hypot(*radius),
            Self::Hull(hull) => hull.polyhedron().reach,
            Self::HalfSpace { .. } => f64::INFINITY,
            Self::Mesh(mesh) => mesh.reach(),
            Self::Compound { parts } => {
                parts.iter().map(|part| part.pose.position.length() + part.shape.reach()).fold(0.0, f64::max)
            }
        }
    }
}

/// The rotation that takes y to a unit vector: turns capsules and cylinders.
pub fn turn_y_to(direction: DVec3) -> DQuat {
    DQuat::from_rotation_arc(DVec3::Y, direction)
}

fn points(points: &[DVec3], pose: &Pose) -> Aabb {
    let axes = DMat3::from_quat(pose.rotation);
    Aabb::of(points.iter().map(|&p| axes * p + pose.position))
}

fn unit(name: &'static str, length: f64) -> Result<(), ShapeError> {
    // Quaternions and normals that come from files are rounded to six digits or so.
    if (length - 1.0).abs() <= 1e-6 { Ok(()) } else { Err(ShapeError::NotUnit { name, length }) }
}
