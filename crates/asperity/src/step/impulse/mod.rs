//! Moreau time stepping: impulses over a step, found for all contacts and joints at once.
//!
//! **Velocities.** v⁺ = v + h M⁻¹ f + M⁻¹ Jᵀ r, J at the start of the step, r by a contact solver. Each contact
//! demands, at the end of the step, u_n⁺ ≥ −g/h (with the exceptions of [`rows`]), and its friction law at the slip
//! u_T⁺.
//!
//! **Positions.** There are two rules, and for both the demand above keeps the gap g⁺ from getting negative, to first
//! order in h:
//! - *trapezoid*, x⁺ = x + h (v + v⁺)/2: exact under constant acceleration. If u_n ≥ −g/h at the start too, then
//!   g⁺ = g + h (u_n + u_n⁺)/2 ≥ 0. The energy changes by the work of contacts Σ r·(u + u⁺)/2, exactly;
//! - *end*, x⁺ = x + h v⁺: g⁺ = g + h u_n⁺ ≥ 0. Kinetic plus potential energy never grows, whatever the contacts do,
//!   since r·u⁺ ≤ 0 and ΔT = v⁺·MΔv − ½ Δv·MΔv.
//!
//! A group of bodies in contact takes the first rule if it can be seen to be safe: no contact that acts began the step
//! too fast (an impact), and the work of its contacts is not positive. Otherwise the second. A group that touches
//! nothing fixed takes the second as well, with gravity exact (x⁺ = x + h v⁺ − h² g/2; relative motion does not see
//! gravity): then contact impulses act at points that both bodies share, and angular momentum is kept to rounding.
//!
//! **Acting contacts.** Of the contacts that are found, the problem holds those that can act ([`acting`]): what comes
//! out solves that of all.
//!
//! **Missed contacts.** Contacts are linear in the step; a corner that swings round, or a body that passes an edge, can
//! overlap at its end all the same. Where it does by more than a little, a row is added that was linearised at that
//! end, and the step is solved again ([`missed`]). No overlap is ever pushed out by a velocity, so none adds energy.
//!
//! **Joints** are rows of the same problem ([`joints`]): they demand to be closed where the step ends, and are
//! linearised so that they do no work, whichever rule a group takes. The group of a body is all that contacts and
//! joints tie it to. Since the rows depend on the end of the step and on the rule, a step with joints is solved a few
//! times; where they close slowly it is cut in two.
//!
//! **Rotations.** Angular momentum is the variable: L⁺ = L + h τ + arms × impulses. The orientation moves as that of a
//! free body (`step/rotation.rs`) with the mean momentum of the rule. During the solve the inertia is that of the orientation
//! which the free body would end with.
//!
//! The energy balance of both position rules is exact for velocities, and for bodies with the same inertia about every
//! axis. Where it is not for others, because a body turns under its contacts, the step is solved again ([`midway`]):
//! the energy of a spinning top then changes by 2e-10 at 1 ms, and that of a coin that rolls and wobbles does not grow.
//!
//! **Laws that weaken with the slip** (static and kinetic) may have two solutions in a step: one that sticks and one
//! that slides. The motion goes on as it was: the step is solved first with the laws of the slip that it begins with,
//! and the solver starts from that.
//!
//! **Bounces.** Contacts with restitution are events. A step is cut at the moment when such a contact closes; there an
//! impact problem is solved, u_n⁺ ≥ e |u_n|, without time passing; then the rest of the step goes on. Bounces slower
//! than |g| dt are not resolved: they count as contact.

mod acting;
mod advance;
mod attempt;
mod carriers;
mod carry;
mod closure;
mod finish;
mod free;
mod frictionless;
mod groups;
mod joints;
mod laws;
mod midway;
mod missed;
mod rows;
mod setup;
mod solve;
mod solved;
mod span;
mod trial;
mod turning;

use std::time::{Duration, Instant};

use asperity_solve::problem::files::Snapshot;
use asperity_solve::solver::ContactSolver;
use glam::DVec3;

use self::advance::{Advanced, Plan};
use self::span::Span;
use super::report::StepLog;
use super::start::touchable;
use super::{Refusal, StepError, StepReport, Stepper, StepperEntry, StepperSettings};
use crate::contact::{Contact, Detector, LawStore, PlacedBody, place};
use crate::joint;
use crate::patch::PatchStore;
use crate::world::{Model, State};

/// How scenes ask for it.
pub(super) const ENTRY: StepperEntry = StepperEntry {
    name: "impulse",
    summary: "Moreau time stepping of rigid bodies: one contact problem a step, any law and solver, bounces, joints",
    make: |settings, solver| Box::new(Impulse::new(solver, settings.into())),
};

/// Settings of the stepper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpulseSettings {
    /// Residual to solve contact problems to.
    pub tolerance: f64,
    /// Largest residual that a step may have; above it the step fails.
    pub limit: f64,
    /// Longest time for one contact problem; above it the step fails. It never changes a result.
    pub time: Duration,
    /// ε: compliance of the normal rows relative to their diagonal of W.
    pub compliance: f64,
    /// Most bounces that a step is cut for.
    pub bounces: usize,
    /// How often a step is solved again for contacts that were missed. With 0 it is not solved again for rows that
    /// turn, either.
    pub passes: usize,
}

impl Default for ImpulseSettings {
    fn default() -> Self {
        StepperSettings::default().into()
    }
}

impl From<StepperSettings> for ImpulseSettings {
    fn from(StepperSettings { tolerance, limit, time, passes, .. }: StepperSettings) -> Self {
        Self { tolerance, limit, time, passes, compliance: 1e-5, bounces: 16 }
    }
}

/// Gaps up to this count as closed when a bounce is looked for, m.
const CLOSED: f64 = 1e-9;

/// How often a span whose joints do not close is cut in two.
const CUTS: usize = 5;

/// Moreau time stepping with any contact solver.
pub struct Impulse {
    solver: Box<dyn ContactSolver>,
    settings: ImpulseSettings,
    detector: Detector,
    /// Where the bodies are for which contacts were found last.
    placed: Vec<PlacedBody>,
    patches: PatchStore,
    /// Laws of the last problem.
    laws: LawStore,
    keep_problem: bool,
    keep_contacts: bool,
    problem: Option<Snapshot>,
}

impl Impulse {
    /// With this solver.
    pub fn new(solver: Box<dyn ContactSolver>, settings: ImpulseSettings) -> Self {
        Self {
            solver,
            settings,
            detector: Detector::default(),
            placed: Vec::new(),
            patches: PatchStore::default(),
            laws: LawStore::default(),
            keep_problem: false,
            keep_contacts: false,
            problem: None,
        }
    }

    /// Finds the contacts at the start of a span of length h.
    fn find(&mut self, model: &Model, state: &State, h: f64, log: &mut StepLog) {
        let began = Instant::now();
        place(model, state, h, &mut self.placed);
        self.detector.find(model, &self.placed, h);
        log.effort.seconds.detect += began.elapsed().as_secs_f64();
    }

    /// The moment, at most h away, at which the next bounce happens; `None` if there is no bounce.
    fn next_bounce(&self, model: &Model, bounce_speed: f64, h: f64) -> Option<f64> {
        let acceleration =
            |body: u32| if model.bodies[body as usize].is_dynamic() { model.gravity } else { DVec3::ZERO };
        self.detector
            .contacts()
            .iter()
            .filter(|contact| bounces(model, contact, bounce_speed))
            .filter_map(|contact| {
                let [a, b] = contact.pair.map(acceleration);
                closing(contact.gap, contact.before.x, (a - b).dot(contact.frame.normal()))
            })
            .filter(|moment| *moment <= h)
            .min_by(f64::total_cmp)
    }

    /// Moves over a stretch of time; cut in two, and again, where joints do not close.
    fn walk(
        &mut self,
        model: &Model,
        state: &mut State,
        leg: Leg,
        keep: &dyn Fn(&Contact) -> bool,
        log: &mut StepLog,
    ) -> Result<(), StepError> {
        let Leg { h, look_ahead, cuts } = leg;
        let plan = Plan { span: Span::Step(h), look_ahead, may_cut: cuts > 0 };
        let Advanced::Open { gap, residual } = self.advance(model, state, plan, keep, log)? else { return Ok(()) };
        if cuts == 0 {
            let joint = model.joints.get(gap.joint).map_or_else(String::new, |joint| joint.name.clone());
            return Err(StepError::Open { t: state.time, joint, drift: gap.size, residual });
        }
        for look_ahead in [0.5 * h, look_ahead] {
            self.find(model, state, 0.5 * h, log);
            self.walk(model, state, Leg { h: 0.5 * h, look_ahead, cuts: cuts - 1 }, keep, log)?;
        }
        Ok(())
    }

    /// Solves an impact of the contacts that are closed, after which a time `look_ahead` is stepped over.
    fn impact(
        &mut self,
        model: &Model,
        state: &mut State,
        bounce_speed: f64,
        look_ahead: f64,
        log: &mut StepLog,
    ) -> Result<(), StepError> {
        let plan = Plan { span: Span::Impact { bounce_speed }, look_ahead, may_cut: false };
        self.advance(model, state, plan, |contact| contact.gap <= CLOSED, log).map(|_| ())
    }
}

/// A stretch of time without a bounce.
#[derive(Clone, Copy, Debug)]
struct Leg {
    /// Its length.
    h: f64,
    /// The time that is stepped over after it: contacts at its end are looked for that far ahead.
    look_ahead: f64,
    /// How often it may still be cut in two.
    cuts: usize,
}

impl Stepper for Impulse {
    fn accepts(&self, model: &Model) -> Result<(), Refusal> {
        if let Some(body) = model.bodies.iter().find(|body| body.elastic().is_some()) {
            return Err(Refusal::Elastic { body: body.name.clone() });
        }
        touchable(model)
    }

    fn step(&mut self, model: &Model, state: &mut State, dt: f64) -> Result<StepReport, StepError> {
        let mut log = StepLog::default();
        let mut next = state.clone();
        let bounce_speed = model.gravity.length() * dt;
        let mut left = dt;
        self.find(model, &next, left, &mut log);
        log.penetration = self.detector.contacts().iter().map(|contact| -contact.gap).fold(0.0, f64::max);
        // Velocities that contradict a joint, after a blow or at the start of a run, are stopped first.
        if closure::unfit(model, &self.placed, next.time, dt) {
            self.impact(model, &mut next, bounce_speed, left, &mut log)?;
        }
        // Every span ends with contacts found for the time that is left, so that the next bounce is known.
        while let Some(moment) = self.next_bounce(model, bounce_speed, left)
            && log.impacts < self.settings.bounces
        {
            log.impacts += 1;
            if moment > 0.0 {
                let calm = |contact: &Contact| !bounces(model, contact, bounce_speed);
                left -= moment;
                self.walk(model, &mut next, Leg { h: moment, look_ahead: left, cuts: CUTS }, &calm, &mut log)?;
            }
            self.impact(model, &mut next, bounce_speed, left, &mut log)?;
        }
        if left > 0.0 {
            self.walk(model, &mut next, Leg { h: left, look_ahead: dt, cuts: CUTS }, &|_| true, &mut log)?;
        }
        next.time = state.time + dt;
        next.step = state.step + 1;
        for (body, at) in model.bodies.iter().zip(&next.bodies) {
            if !at.is_finite() {
                return Err(StepError::NotFinite { t: state.time, body: body.name.clone() });
            }
        }
        let report = log.finish(dt, joint::drift(&model.joints, &next.bodies, next.time));
        *state = next;
        Ok(report)
    }

    fn keep_problems(&mut self, keep: bool) {
        self.keep_problem = keep;
    }

    fn keep_contacts(&mut self, keep: bool) {
        self.keep_contacts = keep;
    }

    fn problem(&self) -> Option<&Snapshot> {
        self.problem.as_ref()
    }
}

/// Whether a contact will bounce when it closes.
fn bounces(model: &Model, contact: &Contact, bounce_speed: f64) -> bool {
    contact.approaches_faster_than(bounce_speed) && model.interaction(contact.pair).restitution > 0.0
}

/// When g + u t + ½ a t² gets to zero, for u < 0; at once if it is below.
fn closing(gap: f64, u: f64, a: f64) -> Option<f64> {
    if gap <= CLOSED {
        return Some(0.0);
    }
    // The smaller root, written so that nothing cancels: u < 0.
    let discriminant = u * u - 2.0 * a * gap;
    (discriminant >= 0.0).then(|| 2.0 * gap / (-u + discriminant.sqrt()))
}
