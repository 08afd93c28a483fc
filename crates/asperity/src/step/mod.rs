//! Time stepping: from the state at t to the state at t + dt.
//!
//! To add a stepper: one file or folder, and its two lines below.

mod impulse;

use asperity_friction::FrictionError;
use asperity_solve::problem::ProblemError;
use asperity_solve::solver::Status;

pub use impulse::{Impulse, ImpulseSettings};

use crate::record::{ContactForce, PhaseSeconds};
use crate::world::{Model, State};

/// What a step came to.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// Contacts, touching or about to.
    pub contacts: usize,
    /// Iterations of the solver.
    pub iterations: usize,
    /// Residual of the contact problem; the worst, if there were several.
    pub residual: f64,
    /// How the solver ended; the worst, if there were several problems.
    pub status: Status,
    /// Deepest overlap at the start of the step, m.
    pub penetration: f64,
    /// Mean power of friction over the step, at the slip at its end, W.
    pub friction_power: f64,
    /// The largest power of friction of a single contact, W: not positive but for the solver's tolerance.
    pub largest_friction_power: f64,
    /// Impacts with a bounce within the step.
    pub impacts: usize,
    /// Where the time went.
    pub seconds: PhaseSeconds,
    /// Largest error of a length that a joint holds, at the end of the step, m.
    pub joint_drift: f64,
    /// Mean contact forces over the step.
    pub forces: Vec<ContactForce>,
}

impl Default for StepReport {
    fn default() -> Self {
        Self {
            contacts: 0,
            iterations: 0,
            residual: 0.0,
            status: Status::Solved,
            penetration: 0.0,
            friction_power: 0.0,
            largest_friction_power: 0.0,
            impacts: 0,
            seconds: PhaseSeconds::default(),
            joint_drift: 0.0,
            forces: Vec::new(),
        }
    }
}

/// Why a step could not be made. The state is as it was before.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StepError {
    /// A friction model has no answer for a contact.
    #[error("at t = {t} s, between '{a}' and '{b}': {error}")]
    Law {
        /// Time.
        t: f64,
        /// The first body.
        a: String,
        /// The second body.
        b: String,
        /// What the model says.
        error: Box<FrictionError>,
    },
    /// The contact problem makes no sense, or the solver does not take one of its laws.
    #[error("at t = {t} s: {error}")]
    Problem {
        /// Time.
        t: f64,
        /// What the solver says.
        error: Box<ProblemError>,
    },
    /// A mesh moves, and there is another one: meshes do not stop each other.
    #[error(
        "at t = {t} s: '{a}' moves and is a mesh, and so is '{b}', and two meshes do not stop each other: split '{a}' into convex parts"
    )]
    Meshes {
        /// Time.
        t: f64,
        /// The body that moves.
        a: String,
        /// The other body.
        b: String,
    },
    /// A body's position or velocity is not a number.
    #[error("at t = {t} s: the motion of '{body}' is no longer finite")]
    NotFinite {
        /// Time.
        t: f64,
        /// The body.
        body: String,
    },
    /// A joint asks for what has no value.
    #[error("at t = {t} s, joint '{joint}': {reason}")]
    Joint {
        /// Time.
        t: f64,
        /// The joint.
        joint: String,
        /// What is wrong.
        reason: String,
    },
    /// A joint does not close, however short the step: it contradicts others, or a motion that is given, or the solver does not get there.
    #[error(
        "at t = {t} s: joint '{joint}' cannot be closed, it is off by {drift:e} (m, or rad): it contradicts others or a scripted motion, \
         or the solver is not exact enough (residual {residual:e})"
    )]
    Open {
        /// Time.
        t: f64,
        /// The joint.
        joint: String,
        /// By how much.
        drift: f64,
        /// Worst residual of the attempts.
        residual: f64,
    },
    /// A contact problem took longer than allowed. Where the time is up depends on the machine, so what was found by then is not used.
    #[error(
        "at t = {t} s: the contact problem is not solved after {limit} s, the longest time that a problem may take (setting `time` of the \
         impulse stepper); a solver with fewer iterations or a shorter step may help"
    )]
    OutOfTime {
        /// Time.
        t: f64,
        /// Longest time for a problem, s.
        limit: f64,
    },
    /// The solver is farther from a solution than allowed.
    #[error("at t = {t} s: the contact solver got to a residual of {residual:e} ({status}); {limit:e} is allowed")]
    Unconverged {
        /// Time.
        t: f64,
        /// What it reached.
        residual: f64,
        /// How it ended.
        status: Status,
        /// What is allowed.
        limit: f64,
    },
}

/// Moves a world on in time.
pub trait Stepper {
    /// From the state at its time to dt later. If it fails, the state is as before.
    fn step(&mut self, model: &Model, state: &mut State, dt: f64) -> Result<StepReport, StepError>;
}
