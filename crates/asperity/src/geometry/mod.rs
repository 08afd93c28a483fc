//! Where things are and where they touch.

mod aabb;
mod broad;
mod contact;
mod decompose;
mod error;
mod hull;
mod mass;
mod mesh;
mod mesh_file;
pub(crate) mod placing;
mod pose;
mod shape;
mod skin;
#[cfg(test)]
mod tests;
mod version;

pub use aabb::Aabb;
pub use broad::{BroadPhase, Proxy};
pub use contact::{ContactPoint, Element, Feature, contacts};
pub use decompose::Decomposition;
pub use error::ShapeError;
pub use hull::Hull;
pub use mass::MassProperties;
pub(crate) use mesh::MeshPoint;
pub use mesh::{MeshData, TriangleMesh};
pub use pose::Pose;
pub use shape::{Capsule, Compound, Cuboid, Cylinder, HalfSpace, Part, SHAPES, Shape, Sphere, turn_y_to};
pub use skin::{DeformedSkin, FlatPiece, HALF_SPACE_SIDE, Outline, Piece, RoundPiece, SkinLookup, SkinMesh};
pub use version::Version;
