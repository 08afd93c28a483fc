//! Tetrahedral meshes: made from numbers, read from files, or filled into a closed surface; their boundary and their
//! quality.
//!
//! A tetrahedron (0, 1, 2, 3) has positive volume: seen from corner 3, the corners 0, 1, 2 are anticlockwise.
//!
//! ```
//! use asperity::geometry::volume::TetMesh;
//! use glam::DVec3;
//!
//! let block = TetMesh::cuboid(DVec3::new(0.2, 0.1, 0.2), [4, 2, 4])?;
//! assert!((block.volume() - 0.004).abs() < 1e-15);
//! assert_eq!(block.boundary()?.len(), 2 * (2 * 4 * 4 + 4 * 2 * 4));
//! # Ok::<(), asperity::geometry::volume::VolumeError>(())
//! ```

mod cuboid;
mod error;
mod extrude;
mod mesh;
mod quadratic;
mod quality;
mod round;
mod stuffing;
#[cfg(test)]
mod tests;

pub use error::VolumeError;
pub use mesh::TetMesh;
pub use quadratic::{QuadraticTetMesh, TET_EDGES, VolumeMesh};
pub use quality::{DihedralAngle, TetQuality};
pub(super) use round::disc_of_rings;
pub use stuffing::RoundBar;
