//! What an engine made of a scene.

use serde::Serialize;

use crate::measure::Errors;

/// The outcome of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Outcome {
    /// Wall-clock time of each step.
    pub seconds: Vec<f64>,
    /// Poses as [`crate::measure`] reads them.
    #[serde(skip)]
    pub frames: Vec<Vec<[f64; 7]>>,
    /// What they are worth.
    pub errors: Errors,
    /// Why it ended early, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What only Asperity tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<Solver>,
}

/// What Asperity's steps report, summed over all or the worst of all.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Solver {
    /// Seconds by phase.
    pub detect: f64,
    pub law: f64,
    pub solve: f64,
    pub integrate: f64,
    /// Contacts and iterations of each step, and how many steps needed none.
    pub contacts: Vec<usize>,
    pub iterations: Vec<usize>,
    pub idle_steps: usize,
    /// Steps that were not solved to the tolerance.
    pub unsolved: usize,
    /// The worst residual.
    pub residual: f64,
    /// The largest power of friction at one contact, W: positive would be friction that drives.
    pub friction_power: f64,
}
