//! Barrier potentials between surfaces and lagged friction: the pieces of incremental potential contact, usable alone.
//!
//! Surfaces are kept apart by a potential of their distances that grows without bound as they come near (Li et al. 2020, "Incremental
//! potential contact"; Li et al. 2021 for a least distance). Friction is a potential of the slip, with normal forces, places and directions
//! of contacts held fixed while it is minimised. Value, gradient, Hessian and positive semidefinite Hessian of everything are small pure functions:
//!
//! | file | what |
//! | --- | --- |
//! | [`feet`](Feet), [`nearest`](Nearest), [`region`](FaceRegion) | nearest points, squared distances, and which parts of elements are nearest |
//! | [`function`](Barrier) | barriers |
//! | [`mollifier`] | nearly parallel edges |
//! | [`mesh`](CollisionMesh), [`candidates`](Candidates), [`build`](Builder) | collisions of surfaces, weights |
//! | [`potential`](BarrierPotential), [`spectrum`](composed_positive) | the potential, and the positive semidefinite part of its Hessian |
//! | [`tangent`](Lagged), [`friction`](ToolkitLaw) | lagged contacts and friction |
//! | [`jacobian`](SlipForce) | how friction changes with velocities and with the places that it is lagged at |
//! | [`stiffness`] | how stiff the barrier is |
//!
//! ```
//! use asperity::barrier::{Barrier, BarrierPotential, Builder, Candidates, CollisionMesh, Projection, Weighting};
//! use glam::DVec3;
//!
//! // A vertex 1 cm above a triangle; the barrier begins at 3 cm.
//! let points = vec![DVec3::new(0.3, 0.01, 0.3), DVec3::ZERO, DVec3::X, DVec3::Z];
//! let mesh = CollisionMesh::of_triangles(points.clone(), vec![[1, 2, 3]])?;
//! let builder = Builder { mesh: &mesh, positions: &points, reach: 0.03, weighting: Weighting::default() };
//! let collisions = builder.build(&Candidates::all(&mesh));
//! let potential = BarrierPotential { barrier: Barrier::ClampedLog, dhat: 0.03, dmin: 0.0, stiffness: 1e3 };
//! // −κ (d² − d̂²)² ln(d²/d̂²)
//! let closed = -1e3 * (1e-4_f64 - 9e-4).powi(2) * (1.0_f64 / 9.0).ln();
//! assert!((potential.total(&collisions, &points, &[]) - closed).abs() < 1e-12);
//! let gradient = potential.gradient(&collisions[0], &collisions[0].points(&points), &[]);
//! assert!(gradient[0].y < 0.0 && gradient[1].y > 0.0);
//! # Ok::<(), asperity::barrier::MeshError>(())
//! ```

mod blocks;
mod build;
mod candidates;
mod collision;
mod feet;
mod found;
mod friction;
mod function;
mod jacobian;
mod local;
mod mesh;
pub mod mollifier;
mod nearest;
mod potential;
mod region;
mod spectrum;
pub mod stiffness;
mod tangent;

pub use build::{Builder, Weighting};
pub use candidates::{Candidates, step_bound};
pub use collision::{Collision, Edges, Plane, StencilKind};
pub use feet::Feet;
pub use friction::{Effective, ToolkitLaw, positive};
pub use function::{Barrier, BarrierValue};
pub use jacobian::{Jacobian, LaggedAt, SlipForce};
pub use local::Local;
pub use mesh::{CollisionMesh, Incident, MeshError};
pub use nearest::{Nearest, line_line, point_line, point_plane, point_point};
pub use potential::{BarrierPotential, Projection};
pub use region::{
    EdgesRegion, FaceRegion, edge_region, edges_feet, edges_nearest, edges_region, edges_square, face_nearest,
    face_region, face_square,
};
pub use spectrum::composed_positive;
pub use tangent::{Lagged, ParallelEdges};
