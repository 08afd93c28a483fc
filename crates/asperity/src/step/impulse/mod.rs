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
//! end, and the step is solved again ([`missed`]). No overlap is ever pushed out by a velocity, so none adds energy. What
//! still overlaps is moved apart at the cost of energy that the step has lost ([`parting`]).
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
//! impact problem is solved, u_n⁺ ≥ e |u_n|, without time passing, and with a bound on the energy ([`bounce`]); then the
//! rest of the step goes on. Bounces slower than |g| dt are not resolved: they count as contact. Where a corner swings into a body that it bounces from, the way to
//! the bounce is halved until its moment is found.
//!
//! **Springs.** Contacts of materials with a stiffness give way ([`spring`]). Their bodies move by the rule "end", which takes
//! energy from springs that swing, of first order in h. A point of contact that is found with an overlap, where a body has
//! turned, brings the energy of that overlap with it.

mod acting;
mod advance;
mod attempt;
mod bounce;
mod bound;
mod carriers;
mod carry;
mod closure;
mod exchange;
mod finish;
mod free;
mod frictionless;
mod groups;
mod joints;
mod laws;
mod loaded;
mod midway;
mod missed;
mod parting;
mod recoil;
mod rolling;
mod rows;
mod setup;
mod solve;
mod solved;
mod span;
mod spring;
mod trial;
mod turning;

use std::time::{Duration, Instant};

use asperity_solve::problem::files::Snapshot;
use asperity_solve::solver::ContactSolver;
use glam::DVec3;

use self::advance::{Advanced, Plan};
use self::span::Span;
use self::spring::spring_energy;
use super::report::StepLog;
use super::start::touchable;
use super::{ImpactLaw, ImpactOrder, Refusal, StepError, StepReport, Stepper, StepperEntry, StepperSettings};
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
    /// What impacts give back.
    pub impact: ImpactLaw,
    /// Whether contacts that close at one moment are solved together or pair by pair.
    pub order: ImpactOrder,
}

impl Default for ImpulseSettings {
    fn default() -> Self {
        StepperSettings::default().into()
    }
}

impl From<StepperSettings> for ImpulseSettings {
    fn from(settings: StepperSettings) -> Self {
        let StepperSettings { tolerance, limit, time, passes, impact, order, .. } = settings;
        Self { tolerance, limit, time, passes, compliance: 1e-5, bounces: 16, impact, order }
    }
}

/// Gaps up to this count as closed when a bounce is looked for, m.
const CLOSED: f64 = 1e-9;

/// How often a span whose joints do not close is cut in two.
const CUTS: usize = 8;
/// How often a step is shortened because bodies that bounce overlap at its end.
const SHORTENED: usize = 24;

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
    ) -> Result<Walked, StepError> {
        let Leg { h, look_ahead, cuts, bounce_speed } = leg;
        let plan = Plan { span: Span::Step(h), look_ahead, cuts, bounce_speed };
        let (gap, residual) = match self.advance(model, state, plan, keep, log)? {
            Advanced::Done => return Ok(Walked::There),
            Advanced::Missed => return Ok(Walked::Missed),
            Advanced::Open { gap, residual } => (gap, residual),
        };
        if cuts == 0 {
            let joint = model.joints.get(gap.joint).map_or_else(String::new, |joint| joint.name.clone());
            return Err(StepError::Open { t: state.time, joint, drift: gap.size, residual });
        }
        for look_ahead in [0.5 * h, look_ahead] {
            self.find(model, state, 0.5 * h, log);
            let half = Leg { h: 0.5 * h, look_ahead, cuts: cuts - 1, bounce_speed: None };
            self.walk(model, state, half, keep, log)?;
        }
        Ok(Walked::There)
    }

    /// Moves over a step of length dt, from bounce to bounce.
    fn cross(&mut self, model: &Model, state: &mut State, dt: f64, log: &mut StepLog) -> Result<(), StepError> {
        let bounce_speed = model.gravity.length() * dt;
        let (mut left, mut longest, mut shortened) = (dt, f64::INFINITY, 0);
        // Every span ends with contacts found for the time that is left, so that the next bounce is known.
        loop {
            let may_bounce = log.impacts < self.settings.bounces;
            let bounce = self.next_bounce(model, bounce_speed, left).filter(|_| may_bounce);
            let way = bounce.unwrap_or(left);
            let h = way.min(longest);
            if h > 0.0 {
                let waits = bounce.is_some() || h < way;
                let keep = |contact: &Contact| !(waits && bounces(model, contact, bounce_speed));
                let look_ahead = if h < left { left - h } else { dt };
                let bounce_speed = (may_bounce && shortened < SHORTENED).then_some(bounce_speed);
                let leg = Leg { h, look_ahead, cuts: CUTS, bounce_speed };
                if let Walked::Missed = self.walk(model, state, leg, &keep, log)? {
                    (longest, shortened) = (0.5 * h, shortened + 1);
                    self.find(model, state, left, log);
                    continue;
                }
                left -= h;
            }
            longest = f64::INFINITY;
            if h == way && bounce.is_some() {
                log.impacts += 1;
                self.impact(model, state, bounce_speed, left, log)?;
            }
            if left <= 0.0 {
                return Ok(());
            }
        }
    }
}

/// How a stretch of time went.
enum Walked {
    /// The state is the one at its end.
    There,
    /// Bodies that bounce overlap at its end; the state is as it was.
    Missed,
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
    /// Whether a bounce that was missed ends it, and approach speeds from which on contacts bounce.
    bounce_speed: Option<f64>,
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
        self.find(model, &next, dt, &mut log);
        log.penetration = self.detector.contacts().iter().map(|contact| -contact.gap).fold(0.0, f64::max);
        // Velocities that contradict a joint, after a blow or at the start of a run, are stopped first.
        if closure::unfit(model, &self.placed, next.time, dt) {
            self.impact(model, &mut next, bounce_speed, dt, &mut log)?;
        }
        self.cross(model, &mut next, dt, &mut log)?;
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

    fn stored_energy(&mut self, model: &Model, state: &State, dt: f64) -> f64 {
        self.find(model, state, dt, &mut StepLog::default());
        spring_energy(model, self.detector.contacts(), &state.contacts)
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
