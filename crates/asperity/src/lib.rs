//! The simulator: shapes and their contacts, bodies, time stepping, scenes, recordings.
//!
//! A scene is read from TOML, run step by step, and compared with what it says must come out:
//!
//! ```
//! use asperity::run::Run;
//! use asperity::scene::Document;
//!
//! let text = r#"
//!     title = "A block slides until friction has stopped it"
//!     time = { dt = 0.01, end = 1.0 }
//!     pair_default = { law = { kind = "coulomb", mu = 0.5 } }
//!     [body.ground]
//!     shape = { kind = "half_space" }
//!     motion = "static"
//!     [body.block]
//!     shape = { kind = "box", size = [0.2, 0.1, 0.2] }
//!     position = [0, 0.05, 0]
//!     velocity = [1, 0, 0]
//!     [expect.distance] # v²/(2 μ g)
//!     measure = "displacement"
//!     body = "block"
//!     along = [1, 0, 0]
//!     value = 0.10194
//!     within = "1%"
//! "#;
//! let scene = Document::parse(text, "block.toml")?.scene(None, &[])?;
//! let mut run = Run::new(scene)?;
//! while !run.is_done() {
//!     run.step()?;
//! }
//! assert!(run.summary()?.pass);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what it is for |
//! | --- | --- |
//! | [`scene`], [`table`], [`expression`] | scenes: the document, its keys, its formulas |
//! | [`elastic`] | energies of elastic bodies, and their matrices |
//! | [`barrier`] | barrier potentials between surfaces and lagged friction, piece by piece |
//! | [`geometry`], [`body`], [`joint`], [`material`], [`patch`] | what a world is made of |
//! | [`world`], [`contact`], [`step`] | what moves, and how |
//! | [`run`], [`measure`], [`record`], [`figure`] | runs, what is measured, what they leave behind |
//! | [`input_file`], [`nearest`] | files that are read safely, names that were misspelt |

pub mod barrier;
pub mod body;
pub mod contact;
pub mod elastic;
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
