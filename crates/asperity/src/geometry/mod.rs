//! Where things are and where they touch.

mod aabb;
mod error;
#[allow(dead_code, reason = "contacts will read edges and neighbours")]
mod hull;
mod mass;
#[allow(dead_code, reason = "contacts will search the tree")]
mod mesh;
mod mesh_file;
mod pose;
mod shape;
mod skin;
#[cfg(test)]
mod tests;

pub use aabb::Aabb;
pub use error::ShapeError;
pub use hull::Hull;
pub use mass::MassProperties;
pub use mesh::{MeshData, TriangleMesh};
pub use pose::Pose;
pub use shape::{Part, Shape, turn_y_to};
pub use skin::{HALF_SPACE_SIDE, SkinMesh};
