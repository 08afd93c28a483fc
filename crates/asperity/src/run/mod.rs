//! Running a scene: steps, frames, figures, checkpoints; then the files that a run leaves behind.
//!
//! A [`Run`] is driven step by step, so that whoever drives it can show progress or stop. What it holds after k steps depends on the scene
//! and k alone: not on threads, the clock, or on having been stopped and resumed in between.
//!
//! ```
//! use asperity::run::Run;
//! use asperity::scene::Document;
//!
//! let text = r#"
//!     title = "A ball falls"
//!     time = { dt = 0.01, end = 0.5 }
//!     [body.ball]
//!     shape = { kind = "sphere", radius = 0.1 }
//! "#;
//! let mut run = Run::new(Document::parse(text, "fall.toml")?.scene(None, &[])?)?;
//! while !run.is_done() {
//!     run.step()?;
//! }
//! assert_eq!(run.progress(), (50, 50));
//! assert!((run.state().bodies[0].frame().centre.y + 0.5 * 9.81 * 0.25).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checkpoint;
mod departures;
mod figures;
mod files;
mod finished;
mod joint_lines;
mod notes;
mod relief_notes;
mod solver;
mod structure;

use std::sync::Arc;
use std::time::Instant;

pub use checkpoint::{Checkpoint, CheckpointError, Resumed};
pub use departures::{DepartedBody, departures};
pub use files::{FileSettings, write};
pub use finished::{Finished, finished};
pub use joint_lines::joint_lines;
pub use structure::{StructureLines, structure_lines};

use crate::body::{Body, BodyState};
use crate::joint;
use crate::record::{
    Accuracy, ContactTable, Deforming, Frame, FrameState, MeshFrame, RecordError, RecordedBody, Recording, StepRow,
    Summary, Timings, Totals,
};
use crate::scene::{Expect, Scene};
use crate::step::{self, Refusal, StepError, StepReport, Stepper, StepperSettings};
use crate::world::State;
use figures::Figures;

/// Structure lines of a body.
const LINES: usize = 400;

/// Why a run ended before its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A step failed; the run is as it was before it.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The stepper cannot move this world.
    #[error("the stepper `{stepper}` cannot run this scene: {reason}")]
    Refused {
        /// Its name.
        stepper: &'static str,
        /// Why not.
        reason: Refusal,
    },
    /// A state cannot be recorded.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// A scene that is being run.
pub struct Run {
    scene: Scene,
    state: State,
    stepper: Box<dyn Stepper>,
    settings: StepperSettings,
    recording: Recording,
    /// What contacts did, if the scene asks for it.
    contacts: Option<ContactTable>,
    rows: Vec<StepRow>,
    totals: Totals,
    figures: Figures,
    /// Steps of the run, and between frames.
    steps: u64,
    every: u64,
    /// Steps at which something is measured, and so recorded whatever the frame rate.
    moments: Vec<u64>,
    seconds: f64,
    last: StepReport,
    /// What the summary knows the scene by, if it was told.
    fingerprint: Option<String>,
}

impl Run {
    /// Ready for the first step; the start is the first frame.
    pub fn new(scene: Scene) -> Result<Self, RunError> {
        let settings = solver::settings(&scene.solver, &scene.stepper);
        let mut stepper = stepper(&scene)?;
        stepper.keep_contacts(scene.output.contacts);
        let names = scene.model.bodies.iter().map(|body| body.name.as_str());
        let contacts = scene.output.contacts.then(|| ContactTable::temporary(names)).transpose()?;
        let recording = Recording::new(bodies(&scene))?.with_joints(joint_lines(&scene.model, &scene.state))?;
        let steps = scene.time.steps();
        let every = ((1.0 / (scene.output.fps * scene.time.dt)).round() as u64).max(1);
        let stored = stepper.stored_energy(&scene.model, &scene.state, scene.time.dt);
        let figures = Figures::new(&scene.model, &scene.state, stored);
        let mut run = Self {
            state: scene.state.clone(),
            stepper,
            settings,
            recording,
            contacts,
            rows: Vec::new(),
            totals: Totals::default(),
            figures,
            steps,
            every,
            moments: moments(&scene.expect, scene.time.dt),
            seconds: 0.0,
            last: StepReport::default(),
            fingerprint: None,
            scene,
        };
        run.record()?;
        Ok(run)
    }

    /// Lets the summary say which scene it is of. `text` is what the scene was read from, as for a [`Checkpoint`].
    pub fn identify(&mut self, text: &str) {
        self.fingerprint = Some(checkpoint::fingerprint(text));
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Where it is.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Steps done, and of the whole run.
    pub fn progress(&self) -> (u64, u64) {
        (self.state.step, self.steps)
    }

    /// Whether all steps are done.
    pub fn is_done(&self) -> bool {
        self.state.step >= self.steps
    }

    /// What the last step came to.
    pub fn last(&self) -> &StepReport {
        &self.last
    }

    /// What was recorded so far.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// One row a step.
    pub fn rows(&self) -> &[StepRow] {
        &self.rows
    }

    /// The stepper: for keeping contact problems.
    pub fn stepper(&mut self) -> &mut dyn Stepper {
        &mut *self.stepper
    }

    /// One step. If it fails the run is as before, and what was recorded so far can be written.
    pub fn step(&mut self) -> Result<(), RunError> {
        let began = Instant::now();
        let model = &self.scene.model;
        let report = self.stepper.step(model, &mut self.state, self.scene.time.dt)?;
        // Sums of rounded steps drift; the number of the step does not.
        self.state.time = self.state.step as f64 * self.scene.time.dt;
        let mut row = self.figures.row(model, &self.state, &report);
        self.totals.add(&report);
        self.last = report;
        let recording = Instant::now();
        if let Some(table) = &mut self.contacts {
            table.write(self.state.time, self.scene.time.dt, &self.last.records)?;
        }
        if self.state.step.is_multiple_of(self.every)
            || self.is_done()
            || self.moments.binary_search(&self.state.step).is_ok()
        {
            self.record()?;
        }
        row.record_s = recording.elapsed().as_secs_f64();
        self.rows.push(row);
        self.seconds += began.elapsed().as_secs_f64();
        Ok(())
    }

    fn record(&mut self) -> Result<(), RunError> {
        let of = |(body, at): (&Body, &BodyState)| {
            let (at, pose) = (at.frame(), at.frame().pose(body));
            // Recordings speak of the body's origin.
            FrameState { pose, velocity: at.velocity_at(pose.position), angular_velocity: at.angular_velocity }
        };
        let states = self.scene.model.bodies.iter().zip(&self.state.bodies).map(of).collect();
        let joints = joint::loads(&self.scene.model.joints, &self.state.joints);
        let mesh = |(body, at): (usize, &BodyState)| {
            at.mesh().map(|mesh| MeshFrame {
                body,
                positions: mesh.positions.clone(),
                velocities: mesh.velocities.clone(),
            })
        };
        let meshes = self.state.bodies.iter().enumerate().filter_map(mesh).collect();
        let frame = Frame { t: self.state.time, states, forces: self.last.forces.clone(), joints, meshes };
        Ok(self.recording.push(frame)?)
    }

    /// What came out, against what was expected. Fails if the recorded vertices, which are on disk, cannot be read.
    pub fn summary(&self) -> Result<Summary, RecordError> {
        let figures = self.figures.of_run();
        let judge = |e: &Expect| e.judge(&self.scene.model, &self.recording, &figures);
        let judged = self.scene.expect.iter().map(judge).collect::<Result<_, _>>()?;
        let mut summary = Summary::new(self.scene.name.clone(), self.scene.variant.clone(), judged);
        summary.fingerprint.clone_from(&self.fingerprint);
        summary.accuracy = Accuracy {
            tolerance: self.settings.tolerance,
            limit: self.settings.limit,
            worst_residual: figures.residual.0,
            steps_above_tolerance: self.totals.unconverged,
        };
        summary.totals = Totals { time: self.state.time, frames: self.recording.frames().len(), ..self.totals };
        let mut timings = Timings { total: self.seconds, ..Timings::default() };
        for row in &self.rows {
            timings.phases.add(&row.seconds());
        }
        summary.timings = timings;
        Ok(summary)
    }
}

/// Whether the stepper that a scene asks for can move its world: what [`Run::new`] finds out, without beginning a run.
pub fn accepts(scene: &Scene) -> Result<(), RunError> {
    stepper(scene).map(|_| ())
}

/// The stepper that a scene asks for, which has accepted its world.
fn stepper(scene: &Scene) -> Result<Box<dyn Stepper>, RunError> {
    let entry = step::stepper(&scene.stepper.kind).unwrap_or(&step::STEPPERS[0]);
    let stepper = (entry.make)(solver::settings(&scene.solver, &scene.stepper), solver::chosen(&scene.solver));
    stepper.accepts(&scene.model).map_err(|reason| RunError::Refused { stepper: entry.name, reason })?;
    Ok(stepper)
}

/// The bodies as they are shown; equal shapes share a skin.
fn bodies(scene: &Scene) -> Vec<RecordedBody> {
    let mut skins: Vec<(usize, u32, Arc<crate::geometry::SkinMesh>)> = Vec::new();
    let shown = |i: usize| &scene.looks[i].shape;
    let (acts, tensors) = (notes::grain_acts(&scene.model), notes::tensors_act(&scene.model));
    (0..scene.model.bodies.len())
        .map(|i| {
            let (body, look) = (&scene.model.bodies[i], &scene.looks[i]);
            let known = skins.iter().rev().find(|(j, n, _)| *n == look.resolution && shown(*j) == shown(i));
            let skin = known.map(|(_, _, skin)| Arc::clone(skin)).unwrap_or_else(|| {
                let skin = Arc::new(shown(i).skin(look.resolution));
                skins.push((i, look.resolution, Arc::clone(&skin)));
                skin
            });
            let mut surface = body.surface.clone();
            // Pictures show what acts.
            surface.structure = surface.structure.filter(|_| acts[i]);
            surface.tangent = surface.tangent.filter(|_| tensors[i]);
            let StructureLines { lines: structure, triangles, .. } = structure_lines(&surface, &skin, 0.0, LINES);
            let moving = !body.is_static();
            let deforming =
                body.mesh().map(|mesh| Deforming { vertices: mesh.data().vertices.len(), line_triangles: triangles });
            let (name, paint, surface) = (body.name.clone(), look.paint.clone(), Arc::new(surface));
            RecordedBody { name, skin, paint, surface, structure, moving, deforming }
        })
        .collect()
}

/// The steps around the moments of measurements, sorted: a moment that is a step is that one; any other is measured on the line between the two
/// around it, which are one step apart whatever the frame rate.
fn moments(expect: &[Expect], dt: f64) -> Vec<u64> {
    let at = |e: &Expect| e.measure.moment().map(|at| at / dt);
    let around = |step: f64| {
        // at/dt is rounded twice: a moment that is meant to be a step is one.
        let near = (step - step.round()).abs() <= 1e-9 * step.abs().max(1.0);
        if near { [step.round() as u64; 2] } else { [step.floor() as u64, step.ceil() as u64] }
    };
    let mut steps: Vec<u64> = expect.iter().filter_map(at).flat_map(around).collect();
    steps.sort_unstable();
    steps.dedup();
    steps
}

impl Totals {
    fn add(&mut self, report: &StepReport) {
        self.steps += 1;
        self.contacts += report.contacts;
        self.most_contacts = self.most_contacts.max(report.contacts);
        self.iterations += report.iterations;
        self.unconverged += usize::from(report.status != asperity_solve::solver::Status::Solved);
    }
}
