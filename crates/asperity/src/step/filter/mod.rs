//! A velocity filter for cloth and solids: an elastic step as if nothing touched, and then impulses that correct it
//! (Bridson, Fedkiw and Anderson 2002; Harmon et al. 2008; friction as in Pabst, Thomaszewski and Straßer 2009).
//!
//! A step of length h from positions x and velocities v:
//!
//! 1. *Candidate* ([`FreeStep`]): backward Euler without contacts gives v*. Strain limits are an energy, so they act
//!    here.
//! 2. *Repulsions and friction* ([`sweeps`]): all contacts of the start (vertices against shapes, corners against
//!    faces, vertices against triangles, edges against edges, within and between bodies) are one contact problem over
//!    the MASSES, v⁺ = v* + M⁻¹ Jᵀ r, solved by sweeps from contact to contact: gaps stay open, u_n ≥ −g/h, and
//!    friction is the law of each contact, whatever it is, at the load and slip that come out. M is diagonal, so that
//!    elastic forces answer in the next step. Where a solid is too stiff for that, impulses act through its elastic
//!    dynamics instead ([`stiff`]).
//! 3. *Impacts* ([`impacts`]): continuous detection on the way x → x + h v⁺. Pairs that come too near become contacts
//!    of the problem, with normal and weights of the moment of impact, and it is solved again; some rounds of it.
//! 4. *Impact zones* ([`zones`]): what still meets moves as one rigid piece. An affine motion lets nothing pass through
//!    anything.
//!
//! A step ends only when continuous detection has proved that no two elements of elastic surfaces meet on the way. All
//! impulses are internal and come in pairs, so that linear momentum is kept; what they do to angular momentum, since
//! the two points of a contact are apart, is given back as a spin ([`momentum`]): L = Σ m x⁺ × v⁺ = Σ m x × v⁺, and all
//! of it can be measured at the start.
//!
//! Coefficients that vary over a surface are averaged along the path that a contact slides in the step.

mod contacts;
mod impacts;
mod masses;
mod momentum;
mod report;
mod rows;
mod stiff;
mod sweeps;
mod zones;

use std::time::Instant;

use asperity_solve::problem::files::Snapshot;
use asperity_solve::solver::ContactSolver;

use self::contacts::Contacts;
pub(super) use self::masses::Masses;
use super::arrival::arrived;
use super::implicit::{FreeStep, Span};
use super::report::StepLog;
use super::start::{crossing, touchable, without_joints_and_bounces};
use super::{Refusal, StepError, StepReport, Stepper, StepperEntry, StepperSettings};
use crate::body::BodyState;
use crate::contact::{Contact, ElasticSurfaces, LawStore};
use crate::patch::PatchStore;
use crate::world::{Model, State};

/// How scenes ask for it.
pub(super) const ENTRY: StepperEntry = StepperEntry {
    name: "filter",
    summary: "velocity filter for cloth and solids: an elastic step, then repulsions, friction and impacts by sweeps, any law; no surface passes through another",
    make: |settings, solver| Box::new(Filter::new(solver, settings)),
};

/// An elastic step, and impulses that correct it.
pub struct Filter {
    settings: StepperSettings,
    free: FreeStep,
    contacts: Contacts,
    surfaces: Option<ElasticSurfaces>,
    patches: PatchStore,
    laws: LawStore,
    /// Storage of the list of contacts that laws are made for.
    bare: Vec<Contact>,
    keep_contacts: bool,
}

/// A step on its way.
struct Trial<'a> {
    span: Span<'a>,
    masses: Masses,
    /// Velocities of the degrees of freedom without contacts.
    free: Vec<f64>,
    /// Velocities now.
    v: Vec<f64>,
    /// The elastic dynamics that impulses act through, where a solid is stiff; else they act on masses.
    linear: Option<stiff::Linear>,
}

impl Filter {
    /// Contacts are solved by sweeps, not by a solver: it is not used.
    pub fn new(_solver: Box<dyn ContactSolver>, settings: StepperSettings) -> Self {
        Self {
            settings,
            free: FreeStep::default(),
            contacts: Contacts::default(),
            surfaces: None,
            patches: PatchStore::default(),
            laws: LawStore::default(),
            bare: Vec::new(),
            keep_contacts: false,
        }
    }

    fn advance(&mut self, span: Span, log: &mut StepLog) -> Result<Moved, StepError> {
        let began = Instant::now();
        let mut free = self.free.solve(span, self.settings.iterations)?;
        momentum::keep_spin(&self.free, span, &mut free);
        log.effort.seconds.integrate += began.elapsed().as_secs_f64();
        let masses = Masses::new(&self.free, span);
        let mut trial = Trial { span, masses, v: free.clone(), free, linear: None };
        let began = Instant::now();
        let mut list = self.contacts.find(&self.free, &trial, self.surfaces.as_mut());
        log.penetration = list.iter().map(|own| -own.contact.gap).fold(0.0, f64::max);
        log.effort.seconds.detect += began.elapsed().as_secs_f64();
        let remembered: Vec<_> = list.iter().map(|own| own.r).collect();
        let mut acted = self.sweep(&mut trial, &mut list, log)?;
        if !list.is_empty() {
            acted = self.answer(&mut trial, &mut list, &remembered, acted, log)?;
        }
        if self.surfaces.is_some() {
            acted = self.resolve(&mut trial, &mut list, acted, log)?;
        }
        self.contacts.list = list;
        let began = Instant::now();
        let bodies = self.free.end(span, &trial.v);
        log.effort.seconds.integrate += began.elapsed().as_secs_f64();
        Ok(Moved { bodies, acted })
    }
}

/// Where a step leads to, and what the contacts did.
struct Moved {
    bodies: Vec<BodyState>,
    acted: report::Acted,
}

impl Stepper for Filter {
    fn accepts(&self, model: &Model) -> Result<(), Refusal> {
        touchable(model)?;
        without_joints_and_bounces(model)?;
        crossing(model).map_or(Ok(()), Err)
    }

    fn step(&mut self, model: &Model, state: &mut State, dt: f64) -> Result<StepReport, StepError> {
        if !self.surfaces.as_ref().is_some_and(|surfaces| surfaces.fits(model)) {
            self.surfaces = ElasticSurfaces::new(model);
        }
        let mut log = StepLog::default();
        let Moved { bodies, acted } = self.advance(Span { model, state, h: dt }, &mut log)?;
        let bodies = arrived(model, state.time, bodies)?;
        let contacts = acted.memory(dt);
        log.accept(acted.report());
        let (time, step, linearised) = (state.time + dt, state.step + 1, self.free.linearised());
        *state = State { time, step, bodies, contacts, linearised, ..State::default() };
        Ok(log.finish(dt, 0.0))
    }

    /// There is no problem that a solver could be given: the sweeps are part of the method.
    fn keep_problems(&mut self, _keep: bool) {}

    fn keep_contacts(&mut self, keep: bool) {
        self.keep_contacts = keep;
    }

    fn problem(&self) -> Option<&Snapshot> {
        None
    }
}
