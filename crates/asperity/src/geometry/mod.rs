//! Where things are and where they touch.
//!
//! A ball that overlaps a plane by 10 mm:
//!
//! ```
//! use asperity::geometry::{Pose, Shape, contacts};
//! use glam::DVec3;
//!
//! let (ball, ground) = (Shape::sphere(0.1)?, Shape::half_space(DVec3::Y)?);
//! let place = Pose { position: DVec3::new(0.0, 0.09, 0.0), ..Pose::IDENTITY };
//! let mut found = Vec::new();
//! contacts(&ball, &place, &ground, &Pose::IDENTITY, 0.0, &mut found);
//! assert_eq!(found.len(), 1);
//! assert!((found[0].gap + 0.01).abs() < 1e-12 && found[0].normal == DVec3::Y);
//! # Ok::<(), asperity::geometry::ShapeError>(())
//! ```

mod aabb;
mod broad;
pub mod ccd;
mod contact;
mod decompose;
mod error;
mod hull;
mod icosahedron;
mod mass;
mod mesh;
mod mesh_faults;
mod mesh_file;
mod neighbours;
mod panel;
pub(crate) mod placing;
mod pose;
pub mod potential;
pub mod proximity;
mod shape;
mod skin;
pub mod surface;
#[cfg(test)]
mod tests;
mod version;
pub mod volume;
mod weld;

pub use aabb::Aabb;
pub use broad::{BroadPhase, Proxy};
pub use contact::{ContactPoint, Element, Feature, contacts};
pub(crate) use contact::{
    PlacedBall, ShapeCorner, ShapeEdge, contacts_beside, corners, has_rim, is_convex, point_contacts, presses_evenly,
    sharp_edges,
};
pub use decompose::Decomposition;
pub use error::ShapeError;
pub use hull::{Hull, HullFace};
pub use mass::MassProperties;
pub(crate) use mesh::MeshPoint;
pub use mesh::{MeshData, TriangleMesh};
pub use mesh_faults::MeshFault;
pub use pose::Pose;
pub use shape::{Capsule, Compound, Cuboid, Cylinder, EndPressure, HalfSpace, Part, SHAPES, Shape, Sphere, turn_y_to};
pub use skin::{DeformedSkin, FlatPiece, HALF_SPACE_SIDE, Outline, Piece, RoundPiece, SkinLookup, SkinMesh};
pub use version::Version;
