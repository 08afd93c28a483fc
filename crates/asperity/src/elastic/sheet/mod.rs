//! Energies of sheets: stretching and shearing in the plane, bending, limits of the stretch.

pub(super) mod bending;
mod hinge;
pub(super) mod membrane;
pub(super) mod strain_limit;
