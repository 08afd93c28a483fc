//! The simulator: shapes and their contacts, bodies, time stepping, scenes, recordings.

pub mod geometry;
pub mod record;
