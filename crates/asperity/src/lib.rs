//! The simulator: shapes and their contacts, bodies, time stepping, scenes, recordings.

pub mod body;
pub mod contact;
pub mod expression;
pub mod figure;
pub mod geometry;
pub mod input_file;
pub mod joint;
pub mod material;
pub mod measure;
pub mod nearest;
pub mod patch;
pub mod record;
pub mod run;
pub mod scene;
pub mod step;
pub mod table;
pub mod world;
