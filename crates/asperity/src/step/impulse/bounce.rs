//! Impacts: contacts that are closed, solved without time passing.
//!
//! **Newton's law** demands u_n⁺ ≥ −e u_n⁻ at every contact that approaches, with the friction law at u_T⁺. On slender
//! bodies, or at several contacts, it can create energy: friction turns a body while it is pressed, and the speed that the
//! normal is to part with is no longer what the compression had stored.
//!
//! **The energetic law**, the default, is Newton's with a bound in the spirit of Stronge (1990): what comes back is at
//! most the share e² of the work that normal impulses did in compression. Compression is the impact with e = 0, with
//! impulses r and velocities w: it changes the kinetic energy by ΔT₀ ≤ 0, and its normal work is −½ r_n u_n⁻ at each
//! contact, since w_n = 0 there. So
//!
//!   ΔT ≤ ΔT₀ + min(Σ e² ½ r_n |u_n⁻|, e² |ΔT₀|),   e the largest of the island in the second term.
//!
//! A ball, with or without friction, and bodies without friction that all keep touching reach that bound exactly and
//! bounce by Newton's law. Where Newton's law exceeds it, the restitution of the island is scaled by the largest
//! s ∈ [0, 1] that obeys it. s = 0 always does, and the bound is not positive: no impact creates energy. (The second term
//! is the smaller one where friction turned a slip round in compression, so that its work ½ r_T·(u_T⁻ + w_T) is positive.)
//!
//! **In turn.** Solving all contacts at once spreads a blow over a row of touching balls. By option the pairs of bodies are
//! solved one after the other, the fastest approach first, until none approaches: then momentum and energy go through a
//! row of balls one by one, as in Newton's cradle, each exchange exact.

use asperity_solve::problem::Groups;

use super::carriers::Carriers;
use super::exchange::{ContactExchange, Exchange};
use super::span::Span;
use super::spring::spring_energy;
use super::trial::{Outcome, Trial};
use super::{CLOSED, Impulse};
use crate::contact::Contact;
use crate::step::report::StepLog;
use crate::step::{ImpactLaw, ImpactOrder, StepError};
use crate::world::{Model, State};

/// Energy above the bound, as a fraction of the energies that the impact moves about, that solvers leave over.
const LEFT: f64 = 1e-11;
/// Most solves for the scale of the restitution. Between two of them the bracket at least halves.
const SOLVES: usize = 40;
/// Most impacts of pairs in turn at one moment; then all contacts are solved together.
const TURNS: usize = 2000;

/// Bodies that the contacts of an impact tie together.
struct Islands {
    /// The island of each body of the model.
    of: Vec<usize>,
}

impl Islands {
    fn new(model: &Model, contacts: &[Contact]) -> Self {
        let mut joined = Groups::new(model.bodies.len());
        let free = |body: &u32| model.bodies[*body as usize].is_dynamic();
        for contact in contacts.iter().filter(|contact| contact.pair.iter().all(free)) {
            joined.join(contact.pair[0] as usize, contact.pair[1] as usize);
        }
        for [a, b] in model.joints.iter().filter_map(|joint| match joint.bodies() {
            [Some(a), Some(b)] if free(&a) && free(&b) => Some([a, b]),
            _ => None,
        }) {
            joined.join(a as usize, b as usize);
        }
        Self { of: (0..model.bodies.len()).map(|body| joined.of(body)).collect() }
    }

    /// What the contacts of an outcome did.
    fn exchanges(&self, model: &Model, outcome: &Outcome) -> Vec<Exchange> {
        let mut sums = vec![Exchange::default(); self.of.len()];
        for ContactExchange { pair, exchange: own } in &outcome.exchanges {
            let Some(body) = pair.iter().find(|body| model.bodies[**body as usize].is_dynamic()) else { continue };
            let sum = &mut sums[self.of[*body as usize]];
            sum.change += own.change;
            sum.returnable += own.returnable;
            sum.share = sum.share.max(own.share);
            sum.size += own.size;
        }
        sums
    }
}

/// The scale of an island's restitution: obeyed at `low`, not at `high`.
#[derive(Clone, Copy, Debug)]
struct Bracket {
    low: f64,
    high: f64,
    /// Energy above the bound at both, J.
    errors: [f64; 2],
}

impl Bracket {
    /// The next scale to try: where a straight line crosses zero, kept off the ends so that the bracket shrinks.
    fn next(&self) -> f64 {
        let [low, high] = self.errors;
        let share = (low / (low - high)).clamp(0.05, 0.95);
        self.low + share * (self.high - self.low)
    }

    fn narrow(&mut self, scale: f64, error: f64) {
        if error <= 0.0 {
            (self.low, self.errors[0]) = (scale, error);
        } else {
            (self.high, self.errors[1]) = (scale, error);
        }
    }
}

impl Impulse {
    /// Solves an impact of the contacts that are closed, after which a time `look_ahead` is stepped over.
    pub(super) fn impact(
        &mut self,
        model: &Model,
        state: &mut State,
        bounce_speed: f64,
        look_ahead: f64,
        log: &mut StepLog,
    ) -> Result<(), StepError> {
        if self.settings.order == ImpactOrder::InTurn {
            for _ in 0..TURNS {
                let closed = self.detector.contacts().iter().filter(|contact| strikes(model, contact));
                let fastest = closed.min_by(|a, b| a.before.x.total_cmp(&b.before.x));
                let Some(pair) = fastest.filter(|own| own.approaches_faster_than(bounce_speed)).map(|own| own.pair)
                else {
                    // Velocities that contradict a joint are left: they are stopped with all contacts at once.
                    if model.joints.is_empty() {
                        return Ok(());
                    }
                    break;
                };
                self.strike(model, state, bounce_speed, look_ahead, &|contact| contact.pair == pair, log)?;
            }
        }
        self.strike(model, state, bounce_speed, look_ahead, &|_| true, log)
    }

    /// Solves an impact of those closed contacts that `keep` lets through, by the law of the settings.
    fn strike(
        &mut self,
        model: &Model,
        state: &mut State,
        bounce_speed: f64,
        look_ahead: f64,
        keep: &dyn Fn(&Contact) -> bool,
        log: &mut StepLog,
    ) -> Result<(), StepError> {
        let span = Span::Impact { bounce_speed };
        let closed = self.detector.contacts().iter().filter(|contact| strikes(model, contact) && keep(contact));
        let contacts = closed.copied().collect();
        let carriers = Carriers::new(model, state, span, look_ahead);
        let mut trial = Trial::new(model, state, span, self.placed.clone(), contacts);
        trial.meet(&carriers);
        let newton = self.attempt(model, state, &mut trial, &carriers, &mut log.effort)?;
        let mut outcome = match self.settings.impact {
            ImpactLaw::Energetic if asks(model, &trial, &newton) => {
                self.bounded(model, state, &mut trial, &carriers, newton, log)?
            }
            _ => newton,
        };
        self.find(model, &outcome.next, look_ahead, log);
        outcome.report.stored = spring_energy(model, self.detector.contacts(), &outcome.next.contacts);
        *state = outcome.next;
        log.accept(outcome.report);
        Ok(())
    }

    /// The impact by the energetic law; `newton` is the one by Newton's.
    fn bounded(
        &mut self,
        model: &Model,
        state: &State,
        trial: &mut Trial,
        carriers: &Carriers,
        newton: Outcome,
        log: &mut StepLog,
    ) -> Result<Outcome, StepError> {
        let islands = Islands::new(model, &trial.contacts);
        let full = islands.exchanges(model, &newton);
        trial.returned.fill(0.0);
        let dead = self.attempt(model, state, trial, carriers, &mut log.effort)?;
        let bounds = islands.exchanges(model, &dead);
        let error = |island: usize, own: &Exchange| own.change - bounds[island].bound() - LEFT * bounds[island].size;
        let bracket = |island: usize| {
            let errors = [error(island, &bounds[island]), error(island, &full[island])];
            (errors[1] > 0.0).then_some(Bracket { low: 0.0, high: 1.0, errors })
        };
        let mut brackets: Vec<Option<Bracket>> = (0..full.len()).map(bracket).collect();
        if brackets.iter().all(Option::is_none) {
            return Ok(newton);
        }
        let mut last = dead;
        for solve in 0..SOLVES {
            // The last solve is at scales that are known to obey.
            let scale =
                |own: &Option<Bracket>| own.map_or(1.0, |own| if solve + 1 < SOLVES { own.next() } else { own.low });
            let scales: Vec<f64> = brackets.iter().map(scale).collect();
            for (body, returned) in trial.returned.iter_mut().enumerate() {
                *returned = scales[islands.of[body]];
            }
            last = self.attempt(model, state, trial, carriers, &mut log.effort)?;
            let sums = islands.exchanges(model, &last);
            let mut done = true;
            for (island, own) in brackets.iter_mut().enumerate() {
                let Some(own) = own else { continue };
                let error = error(island, &sums[island]);
                own.narrow(scales[island], error);
                done &= error <= 0.0 && -error <= 1e-9 * bounds[island].size + LEFT * bounds[island].size;
            }
            if done {
                break;
            }
        }
        Ok(last)
    }
}

/// Whether a contact is closed and rigid: springs do nothing in an instant.
fn strikes(model: &Model, contact: &Contact) -> bool {
    contact.gap <= CLOSED && model.interaction(contact.pair).spring.is_none()
}

/// Whether there is anything to bound: impulses, and a contact that bounces.
fn asks(model: &Model, trial: &Trial, newton: &Outcome) -> bool {
    let bouncing = |contact: &Contact| model.interaction(contact.pair).restitution > 0.0;
    let acts = |own: &ContactExchange| own.exchange.size > 0.0;
    trial.contacts.iter().any(bouncing) && newton.exchanges.iter().any(acts)
}
