//! Scenes: a TOML file that says which bodies there are, what they are made of, how long to run, and what must come out.
//!
//! [`Document`] parses a file; [`Document::scene`] picks a variant, applies overrides, checks every key against the one list of them
//! ([`keys`]) and builds a [`Scene`]. Lengths, times and masses are in SI units; angles are in degrees in keys that end in `_deg` and in
//! radians elsewhere. docs/scenes.md describes the format.
//!
//! ```
//! use asperity::scene::Document;
//!
//! let text = r#"
//!     title = "A ball falls"
//!     time = { dt = 0.01, end = 0.5 }
//!     [body.ball]
//!     shape = { kind = "sphere", radius = 0.1 }
//!     [variant.large]
//!     body.ball.shape.radius = 1.0
//! "#;
//! let document = Document::parse(text, "fall.toml")?;
//! assert_eq!(document.variants(), ["large"]);
//! let scene = document.scene(Some("large"), &[("time.dt".into(), "0.005".into())])?;
//! assert_eq!((scene.model.bodies[0].reach(), scene.time.steps()), (1.0, 100));
//!
//! let wrong = Document::parse(&text.replace("0.1", "-1"), "fall.toml")?.scene(None, &[]).unwrap_err();
//! assert!(wrong.to_string().starts_with("fall.toml:5:"));
//! # Ok::<(), asperity::scene::SceneError>(())
//! ```

mod build;
mod document;
mod error;
mod expect;
pub mod keys;
pub mod plain;
#[cfg(test)]
mod tests;

pub use crate::measure::{Measure, RunFigures};
pub use crate::table::{Entry, Node, Place, Source, Table, Value};
pub use build::DEFAULT_MU;
pub use document::Document;
pub use error::{Location, Problem, SceneError};
pub use expect::Expect;
pub use keys::{SOLVERS, reference, schema};

use crate::geometry::Shape;
use crate::record::raster::Camera;
use crate::record::{Paint, Show};
use crate::step::{BarrierSettings, ImpactLaw, ImpactOrder, SmoothSettings};
use crate::world::{Model, State};

impl Document {
    /// The scene, or one of its variants, with overrides: dotted keys and TOML values. A word that is no TOML value is text.
    pub fn scene(&self, variant: Option<&str>, set: &[(String, String)]) -> Result<Scene, SceneError> {
        build::scene(&self.tree(variant, set)?, variant)
    }
}

/// A scene, ready to run.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Name of the file, without its ending.
    pub name: String,
    /// Which variant; none if it is the document itself.
    pub variant: Option<String>,
    /// What it is, in one line.
    pub title: String,
    /// What it shows.
    pub about: String,
    /// Bodies and what happens between them.
    pub model: Model,
    /// Where they start.
    pub state: State,
    /// Steps.
    pub time: Time,
    /// Time stepper.
    pub stepper: StepperChoice,
    /// Solver.
    pub solver: SolverChoice,
    /// How the bodies look, one a body.
    pub looks: Vec<Look>,
    /// What is recorded and drawn.
    pub output: Output,
    /// What must come out.
    pub expect: Vec<Expect>,
}

/// Length of steps and of the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    /// Seconds a step.
    pub dt: f64,
    /// Seconds of the run.
    pub end: f64,
}

impl Time {
    /// Steps of the run: as many as it takes to reach `end`.
    pub fn steps(&self) -> u64 {
        // 1/0.01 is a rounding more or less than 100.
        ((self.end / self.dt * (1.0 - 1e-12)).ceil() as u64).max(1)
    }
}

/// Which time stepper.
#[derive(Clone, Debug, PartialEq)]
pub struct StepperChoice {
    /// The name of one of [`crate::step::STEPPERS`].
    pub kind: String,
    /// Most iterations of Newton's method of an implicit step.
    pub iterations: usize,
    /// Of the smooth stepper.
    pub smooth: SmoothSettings,
    /// Of the barrier stepper.
    pub barrier: BarrierSettings,
    /// What impacts give back.
    pub impact: ImpactLaw,
    /// How contacts that close at one moment are solved.
    pub order: ImpactOrder,
}

/// Which solver, and how exact.
#[derive(Clone, Debug, PartialEq)]
pub struct SolverChoice {
    /// One of [`SOLVERS`].
    pub kind: String,
    /// Residual that contact problems are solved to.
    pub tolerance: f64,
    /// Largest residual that a step may end with; `None` for the usual one.
    pub limit: Option<f64>,
    /// Longest time for one contact problem, s.
    pub time_limit: f64,
    /// Most iterations a solve; `None` for the solver's own limit.
    pub iterations: Option<usize>,
    /// How often a step is solved again for contacts that it missed.
    pub passes: usize,
    /// Corners of the polygons of `pivoting`.
    pub facets: usize,
}

/// How a body looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Colour.
    pub paint: Paint,
    /// Segments of a full circle.
    pub resolution: u32,
    /// What is drawn. It need not be what touches others: a mesh that was split into convex parts is drawn as it was.
    pub shape: Shape,
}

/// What is recorded and drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Frames for each second of the run.
    pub fps: f64,
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Where pictures are taken from; none for a view of all that moves.
    pub camera: Option<Camera>,
    /// What is drawn beside the bodies.
    pub show: Show,
    /// Makes an animated GIF.
    pub gif: bool,
    /// Makes a film in an MP4 file.
    pub mp4: bool,
    /// Makes an animated PNG.
    pub apng: bool,
    /// Writes every picture of the animation as a PNG file.
    pub frames: bool,
    /// Seconds of the run in a second of the animation.
    pub speed: f64,
    /// Makes a glTF file.
    pub glb: bool,
    /// Pictures of the filmstrip; 0 for none.
    pub filmstrip: u32,
    /// Writes what every contact does in every step.
    pub contacts: bool,
}
