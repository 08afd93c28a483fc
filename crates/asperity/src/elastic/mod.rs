//! Elastic bodies: energies of solids, sheets and springs over the places of vertices, and the matrices of their second
//! derivatives.
//!
//! An [`Elasticity`] holds the elements of one body. It gives the energy, its gradient (minus the force), and the
//! Hessian of each element, as it is or positive semidefinite; [`Assembly`] gathers these into a sparse matrix whose
//! pattern never changes. One file has one energy, with its equations.
//!
//! ```
//! use asperity::elastic::{Elasticity, Lame, SolidEnergy, masses_of_tets};
//! use glam::DVec3;
//!
//! let rest = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
//! let mut elasticity = Elasticity::new(4);
//! elasticity.add_solid(&rest, &[[0, 1, 2, 3]], SolidEnergy::StableNeoHookean, Lame::from_young(1e5, 0.3)?)?;
//! assert_eq!(elasticity.energy(&rest), 0.0);
//! let masses = masses_of_tets(&rest, &[[0, 1, 2, 3]], 1200.0)?;
//! assert!((masses.iter().sum::<f64>() - 200.0).abs() < 1e-12);
//!
//! // A corner that is pulled is pulled back.
//! let mut x = rest;
//! x[3].z = 1.1;
//! let mut gradient = [DVec3::ZERO; 4];
//! elasticity.add_gradient(&x, &mut gradient);
//! assert!(gradient[3].z > 0.0);
//! # Ok::<(), asperity::elastic::ElasticError>(())
//! ```

mod assembly;
mod continuum;
pub(crate) mod eigen;
mod elasticity;
mod elements;
mod error;
mod lame;
mod mass;
mod matrix;
mod principal;
mod rest;
mod sheet;
mod solid;
mod spring;
mod svd;

pub use assembly::{Assembly, places};
pub use elasticity::Elasticity;
pub use error::ElasticError;
pub use lame::Lame;
pub use mass::{masses_of_quadratic_tets, masses_of_tets, masses_of_triangles};
pub use sheet::bending::{Bending, RestAngles};
pub use sheet::membrane::Membrane;
pub use sheet::strain_limit::StrainLimit;
pub use solid::{SOLID_ENERGIES, SolidEnergy, SolidEnergyEntry};
pub use spring::Springs;
