//! Time stepping: from the state at t to the state at t + dt.
//!
//! To add a stepper: one file or folder with a type that implements [`Stepper`], its `mod` line, and its entry in [`STEPPERS`].
//!
//! A step of a scene's world, with a stepper and a contact solver by name:
//!
//! ```
//! use asperity::scene::Document;
//! use asperity::step::{StepperSettings, stepper};
//! use asperity_solve::solver::{SOLVERS, SolverOptions};
//!
//! let text = r#"
//!     title = "A ball falls"
//!     time = { dt = 0.01, end = 0.5 }
//!     [body.ball]
//!     shape = { kind = "sphere", radius = 0.1 }
//! "#;
//! let scene = Document::parse(text, "fall.toml")?.scene(None, &[])?;
//! let settings = StepperSettings::default();
//! let solver = (SOLVERS[0].make)(&SolverOptions::default());
//! let mut stepper = (stepper("impulse").expect("in the list").make)(settings, solver);
//! stepper.accepts(&scene.model)?;
//! let mut state = scene.state.clone();
//! let report = stepper.step(&scene.model, &mut state, scene.time.dt)?;
//! assert_eq!((report.contacts, state.step), (0, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arrival;
mod barrier;
mod error;
mod filter;
mod implicit;
mod impulse;
mod joint_rows;
mod overlap;
mod report;
mod rotation;
mod smooth;
mod solving;
mod start;

use std::time::Duration;

use asperity_solve::problem::files::Snapshot;
use asperity_solve::solver::ContactSolver;

pub use barrier::{BarrierStepper, Loads, SlipPotential, TimeRule};
pub use error::{Refusal, StepError};
pub use filter::Filter;
pub use implicit::Implicit;
pub use impulse::{Impulse, ImpulseSettings};
pub use report::{PhaseSeconds, StepReport};
pub use smooth::Smooth;

use crate::world::{Model, State};

/// Moves a world on in time.
pub trait Stepper: Send {
    /// Refuses worlds that it cannot move. Asked once, before the first step, so that no run ends with a surprise.
    fn accepts(&self, model: &Model) -> Result<(), Refusal>;

    /// From the state at its time to dt later. If it fails, the state is as before.
    fn step(&mut self, model: &Model, state: &mut State, dt: f64) -> Result<StepReport, StepError>;

    /// Energy that contacts store in a state, with steps of the length dt, J: that of the barrier, for the stepper that has one.
    fn stored_energy(&mut self, _model: &Model, _state: &State, _dt: f64) -> f64 {
        0.0
    }

    /// Whether to keep a copy of each step's last contact problem.
    fn keep_problems(&mut self, keep: bool);

    /// Whether reports hold what each contact did, in full.
    fn keep_contacts(&mut self, keep: bool);

    /// The last contact problem, as it was before it was solved, if they are kept.
    fn problem(&self) -> Option<&Snapshot>;
}

/// What every stepper is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepperSettings {
    /// Residual to solve contact problems to.
    pub tolerance: f64,
    /// Largest residual that a step may have; above it the step fails.
    pub limit: f64,
    /// Longest time for one contact problem, on the clock. A problem that takes longer fails the step: time never changes a result.
    pub time: Duration,
    /// How often a step is solved again for contacts that were missed.
    pub passes: usize,
    /// Most iterations of Newton's method of an implicit step; 1: the step is linearised once, where it begins.
    pub iterations: usize,
    /// What the smooth stepper is told.
    pub smooth: SmoothSettings,
    /// What the barrier stepper is told.
    pub barrier: BarrierSettings,
    /// What impacts give back.
    pub impact: ImpactLaw,
    /// Whether contacts that close at one moment are solved together or pair by pair.
    pub order: ImpactOrder,
}

/// How the barrier stepper keeps bodies apart, and smooths friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BarrierSettings {
    /// Distance at which the barrier begins to act, m; `None`: a thousandth of the size of the largest body that moves.
    pub dhat: Option<f64>,
    /// Factor of the barrier; `None`: at half of the range it carries the heaviest vertex and stops it within a step.
    pub stiffness: Option<f64>,
    /// Slip speed from which on friction is fully developed, m/s: what sticks creeps with less.
    pub eps_v: f64,
    /// How often a step is solved with friction that is lagged, at most.
    pub lags: usize,
    /// Whether friction is lagged, or follows the loads within Newton's method.
    pub loads: Loads,
    /// How steps are taken in time.
    pub rule: TimeRule,
    /// Whether the stiffness follows the rule of Li et al. (2020) instead.
    pub adaptive: bool,
    /// Whose potential of the slip friction has.
    pub friction: SlipPotential,
}

impl Default for BarrierSettings {
    fn default() -> Self {
        Self {
            dhat: None,
            stiffness: None,
            eps_v: 1e-4,
            lags: 20,
            loads: Loads::Auto,
            rule: TimeRule::Euler,
            adaptive: false,
            friction: SlipPotential::Sets,
        }
    }
}

/// What an impact gives back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImpactLaw {
    /// Newton's law, as far as no more than e² of the work of the compression comes back: no impact creates energy.
    #[default]
    Energetic,
    /// Newton's law alone, u_n⁺ ≥ e |u_n⁻|: with friction it can create energy.
    Newton,
}

/// How contacts that close at one moment are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImpactOrder {
    /// All at once.
    #[default]
    Together,
    /// Pair by pair, the fastest approach first, until none approaches: a blow goes through a row of balls one by one.
    InTurn,
}

/// How the smooth stepper treats friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothSettings {
    /// Whether the friction of a step acts in the elastic step of the next one.
    pub forwarding: bool,
    /// Widest gap of a contact that takes part in friction, relative to the size of the largest body that moves.
    pub prune: f64,
    /// How velocities of samples are carried to a contact.
    pub transport: Transport,
    /// What answers to the friction that is left after the elastic step.
    pub corrector: Corrector,
    /// How often a step is solved again with contacts that are linear where it ended; 0: they are linear where it begins.
    pub relinearise: usize,
}

impl Default for SmoothSettings {
    fn default() -> Self {
        let (transport, corrector) = (Transport::Rotations, Corrector::Elastic);
        Self { forwarding: true, prune: 1e-4, transport, corrector, relinearise: 1 }
    }
}

/// What answers to the friction that is left after the elastic step of the smooth stepper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corrector {
    /// The masses alone, as in the paper: elastic forces answer in the next step.
    Masses,
    /// The masses and the elastic forces, linear at the velocities of the elastic step.
    Elastic,
}

/// How velocities and impulses are carried between a contact and the samples of a surface that deforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// By the smallest rotation between their normals: what is tangential stays tangential.
    Rotations,
    /// As they are: what one body gets the other loses.
    Weights,
}

impl Default for StepperSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            limit: 3e-2,
            time: Duration::from_secs(60),
            passes: 2,
            iterations: 20,
            smooth: SmoothSettings::default(),
            barrier: BarrierSettings::default(),
            impact: ImpactLaw::default(),
            order: ImpactOrder::default(),
        }
    }
}

/// A stepper that scenes can ask for by name.
#[derive(Clone, Copy, Debug)]
pub struct StepperEntry {
    /// As scenes and the command line name it.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Makes one that solves its contact problems with a solver.
    pub make: fn(StepperSettings, Box<dyn ContactSolver>) -> Box<dyn Stepper>,
}

/// All steppers; the first is the default.
pub const STEPPERS: &[StepperEntry] = &[impulse::ENTRY, implicit::ENTRY, filter::ENTRY, smooth::ENTRY, barrier::ENTRY];

/// The stepper of this name.
pub fn stepper(name: &str) -> Option<&'static StepperEntry> {
    STEPPERS.iter().find(|entry| entry.name == name)
}
