//! Potentials against finite differences, closed forms and the surfaces that they stand for.

mod derivatives;
mod meshes;
mod surfaces;
mod wrong;
