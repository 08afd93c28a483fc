//! A step of rigid and elastic bodies as if nothing touched: what the filter stepper begins with.
//!
//! It is F(v⁺) = 0 ([`super::dynamics`]) by Newton's method with a matrix that is made anew only where the last one
//! serves badly ([`super::chord`]), brought up to date by what the iterations show ([`super::secants`]): A (v_{k+1} −
//! v_k) = −F(v_k). It begins with the motion that the bodies have and what gravity adds. Contacts come afterwards and
//! correct what is found here, so it is enough to get F below a thousandth of the size of the impulses: those of the
//! elastic forces, of gravity, and the changes of momentum.

use asperity_solve::problem::CholeskyError;
use glam::DVec3;

use super::chord::Chord;
use super::dofs::{BodyDofs, Dofs, Setting};
use super::dynamics::{Imbalance, Plan, Start};
use super::guess::{Guess, bodies_after, first_bodies};
use super::kept::Kept;
use super::secants::Secants;
use crate::body::{Body, BodyState};
use crate::contact::PlacedBody;
use crate::step::StepError;
use crate::step::rotation::turned;
use crate::world::{Linearised, Model, State};

/// Imbalance at which the iteration ends, relative to the size of the impulses.
const ENOUGH: f64 = 1e-3;

/// How often a step of the iteration is halved.
const HALVINGS: usize = 6;

/// Moves bodies without contacts, and keeps what is the same in all steps.
#[derive(Default)]
pub(in crate::step) struct FreeStep {
    pub(super) plan: Option<Plan>,
    pub(super) chord: Option<Chord>,
    /// The factors of the last problem with constraints of a step, and its order of elimination.
    pub(super) kept: Kept,
    pub(super) hessians: Vec<f64>,
    /// The damping of the step since [`Self::prepare`], if it has been asked for.
    pub(super) damping: Option<Vec<f64>>,
    /// The diagonal of the last matrix: units of the dynamics.
    pub(super) units: Vec<f64>,
}

/// A guess, and F there.
pub(super) struct Tried {
    pub(super) guess: Guess,
    pub(super) imbalance: Imbalance,
    /// |F|.
    error: f64,
}

/// How fast the iterations with a matrix have been.
struct Pace {
    /// Whether the matrix was made where the iteration is: a new one would be the same.
    fresh: bool,
    /// |F| before the first, and how many there were.
    from: f64,
    solves: usize,
}

impl Pace {
    /// Whether a new matrix would pay, |F| being `error` now, to get it down to `wanted`: with this one it takes more
    /// solves than `patience`.
    fn is_slow(&self, error: f64, wanted: f64, patience: f64) -> bool {
        if self.fresh || error <= wanted {
            return false;
        }
        let rate = (error / self.from).powf(1.0 / self.solves as f64);
        // NaN is as slow as can be.
        let converges = rate < 1.0 && (wanted / error).ln() / rate.ln() <= patience;
        !converges
    }
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// What moves, from where, and for how long.
#[derive(Clone, Copy)]
pub(in crate::step) struct Span<'a> {
    pub(in crate::step) model: &'a Model,
    pub(in crate::step) state: &'a State,
    pub(in crate::step) h: f64,
}

/// Where the degrees of freedom of a body are.
pub(in crate::step) enum Freedom<'a> {
    /// Its motion is given.
    Given,
    /// A rigid body: the first of its six.
    Rigid(usize),
    /// Vertex by vertex the first of three; `None` for a pinned one.
    Vertices(&'a [Option<u32>]),
}

impl FreeStep {
    /// Where the degrees of freedom of a body are, after the first [`Self::solve`].
    pub(in crate::step) fn freedom(&self, body: usize) -> Freedom<'_> {
        match self.plan.as_ref().map(|plan| &plan.dofs.bodies[body]) {
            Some(BodyDofs::Rigid(first)) => Freedom::Rigid(*first),
            Some(BodyDofs::Elastic(own)) => Freedom::Vertices(own),
            Some(BodyDofs::Given) | None => Freedom::Given,
        }
    }

    /// How many degrees of freedom there are, after they were numbered.
    pub(in crate::step) fn dofs(&self) -> usize {
        self.plan.as_ref().map_or(0, |plan| plan.dofs.count)
    }

    /// The velocities of the degrees of freedom at the end of a step without contacts, in no more than so many iterations.
    pub(in crate::step) fn solve(&mut self, span: Span, iterations: usize) -> Result<Vec<f64>, StepError> {
        let Span { model, state, h } = span;
        let plan = self.plan.take().filter(|plan| plan.fits(model)).unwrap_or_else(|| {
            self.chord = None;
            Plan::new(model)
        });
        if plan.dofs.count == 0 {
            self.plan = Some(plan);
            return Ok(Vec::new());
        }
        let failed = |error: CholeskyError| indefinite(span, &plan.dofs, error);
        let mut chord = self.chord.take().unwrap_or_else(|| Chord::new(&plan));
        self.damping = None;
        self.kept.forget();
        let start = self.start(span, &plan);
        let mut now = Tried::first(&start);
        let mut pace = Pace { fresh: false, from: now.error, solves: 0 };
        match state.linearised.as_ref().filter(|own| own.h == h) {
            Some(own) => chord.make(model, &plan, own).map_err(failed)?,
            None => pace.fresh = now.renew(&start, &mut chord).map(|()| true).map_err(failed)?,
        }
        let mut secants = Secants::default();
        for _ in 0..iterations.max(1) {
            let mut next = now.improved(&start, &secants, &mut chord).map_err(failed)?;
            pace.solves += 1;
            let slow = pace.is_slow(next.error, ENOUGH * next.size(&start), chord.patience());
            if slow {
                now.renew(&start, &mut chord).map_err(failed)?;
                pace = Pace { fresh: true, from: now.error, solves: 1 };
            }
            // What was learnt is of use as long as it helps, and with the matrix that it was learnt for.
            if slow || !next.error.is_finite() || next.error > now.error {
                secants.clear();
                next = now.improved(&start, &secants, &mut chord).map_err(failed)?;
            }
            next = now.shortened(&start, next);
            secants.learn(
                difference(&next.guess.v, &now.guess.v),
                difference(&next.imbalance.force, &now.imbalance.force),
            );
            now = next;
            pace.fresh = false;
            if now.is_small(&start) {
                break;
            }
        }
        (self.plan, self.chord) = (Some(plan), Some(chord));
        Ok(now.guess.v)
    }

    /// What the matrix of the last [`Self::solve`] was made for: with it in the state, the next one begins with that matrix.
    pub(in crate::step) fn linearised(&self) -> Option<Linearised> {
        self.chord.as_ref().and_then(Chord::made_for).cloned()
    }

    /// The bodies as contacts see them where these velocities lead; `last` are those whose inertias they were found with.
    pub(in crate::step) fn placed(
        &self,
        Span { model, state, h }: Span,
        last: &[BodyState],
        v: Vec<f64>,
    ) -> Vec<PlacedBody> {
        let Some(plan) = &self.plan else { return Vec::new() };
        let setting = Setting { model, state, dofs: &plan.dofs, h };
        Guess::after(setting, last, v).placed
    }

    /// Where the velocities of a step lead that was found with the inertias of its first guess.
    pub(in crate::step) fn end(&self, span: Span, v: &[f64]) -> Vec<BodyState> {
        let Span { model, state, h } = span;
        let Some(plan) = &self.plan else { return state.bodies.clone() };
        self.end_after(span, &first_bodies(Setting { model, state, dofs: &plan.dofs, h }), v)
    }

    /// Where these velocities lead; `last` are the bodies whose inertias they were found with.
    pub(in crate::step) fn end_after(
        &self,
        Span { model, state, h }: Span,
        last: &[BodyState],
        v: &[f64],
    ) -> Vec<BodyState> {
        let Some(plan) = &self.plan else { return state.bodies.clone() };
        bodies_after(Setting { model, state, dofs: &plan.dofs, h }, last, v)
    }
}

/// Why the matrix of an elastic step has no factors.
pub(super) fn indefinite(Span { model, state, .. }: Span, dofs: &Dofs, error: CholeskyError) -> StepError {
    let t = state.time;
    let owner = |row: usize| dofs.owner(row).map(|body| model.bodies[body].name.clone());
    match error {
        CholeskyError::NotPositive { row } if let Some(body) = owner(row) => StepError::Indefinite { t, body },
        _ => StepError::Problem { t, error: Box::new(error.into()) },
    }
}

/// Velocities of bodies that go on as they move, and fall.
pub(super) fn moving_on(Setting { model, state, dofs, h }: Setting) -> Vec<f64> {
    let mut v = vec![0.0; dofs.count];
    for (i, (body, at)) in model.bodies.iter().zip(&state.bodies).enumerate() {
        match (&dofs.bodies[i], at) {
            (BodyDofs::Rigid(first), BodyState::Rigid(at)) if let Some(inertia) = body.inertia() => {
                (at.velocity + model.gravity * h).write_to_slice(&mut v[*first..]);
                let momentum = inertia.momentum(at.rotation, at.angular_velocity);
                let end = turned(inertia, at.rotation, momentum, h);
                inertia.angular_velocity(end, momentum).write_to_slice(&mut v[first + 3..]);
            }
            (BodyDofs::Elastic(own), BodyState::Mesh(at)) => {
                for (dof, velocity) in own.iter().zip(&at.velocities).filter_map(|(dof, v)| Some(((*dof)?, v))) {
                    (*velocity + model.gravity * h).write_to_slice(&mut v[dof as usize..]);
                }
            }
            _ => (),
        }
    }
    v
}

impl Tried {
    /// The bodies go on as they move, and fall.
    fn first(start: &Start) -> Self {
        let setting = start.setting();
        Self::at(start, &first_bodies(setting), moving_on(setting))
    }

    pub(super) fn at(start: &Start, last: &[BodyState], v: Vec<f64>) -> Self {
        let guess = Guess::unplaced(bodies_after(start.setting(), last, &v), v);
        let imbalance = start.imbalance(&guess);
        let error = imbalance.force.iter().map(|x| x * x).sum::<f64>().sqrt();
        Self { guess, imbalance, error }
    }

    /// Makes the matrix here.
    fn renew(&self, start: &Start, chord: &mut Chord) -> Result<(), CholeskyError> {
        chord.make(
            start.model,
            start.plan,
            &Linearised { h: start.h, bodies: self.guess.bodies.clone(), factored: false },
        )
    }

    /// After one step of Newton's method with the matrix that there is, and what was learnt since.
    fn improved(&self, start: &Start, secants: &Secants, chord: &mut Chord) -> Result<Self, CholeskyError> {
        let mut to: Vec<f64> = self.imbalance.force.iter().map(|force| -force).collect();
        secants.solve(&mut to, |x| chord.solve(x))?;
        to.iter_mut().zip(&self.guess.v).for_each(|(change, v)| *change += v);
        Ok(Self::at(start, &self.guess.bodies, to))
    }

    /// The step to `next`, halved until F does not grow; as it is after [`HALVINGS`].
    fn shortened(&self, start: &Start, mut next: Self) -> Self {
        for _ in 0..HALVINGS {
            if next.error <= self.error || next.is_small(start) {
                break;
            }
            let half = next.guess.v.iter().zip(&self.guess.v).map(|(to, from)| 0.5 * (to + from)).collect();
            next = Self::at(start, &self.guess.bodies, half);
        }
        next
    }

    /// Whether F is small beside the impulses in the step.
    fn is_small(&self, start: &Start) -> bool {
        self.error <= ENOUGH * self.size(start)
    }

    /// Size of the impulses in the step.
    fn size(&self, start: &Start) -> f64 {
        self.sizes(start).iter().map(|size| size * size).sum::<f64>().sqrt()
    }

    /// Size of the impulses on each body in the step. Those of elastic forces and damping are what F has beside the change of
    /// momentum and gravity.
    pub(super) fn sizes(&self, start: &Start) -> Vec<f64> {
        let Setting { model, state, dofs, h } = start.setting();
        let size = |(i, (body, at)): (usize, (&Body, &BodyState))| match (&dofs.bodies[i], body.elastic(), at) {
            (BodyDofs::Rigid(first), ..) => {
                self.imbalance.size[*first..first + 6].iter().map(|x| x * x).sum::<f64>().sqrt()
            }
            (BodyDofs::Elastic(own), Some(elastic), BodyState::Mesh(at)) => {
                let each = own.iter().enumerate().filter_map(|(k, dof)| Some((k, (*dof)? as usize))).map(|(k, dof)| {
                    let mass = elastic.masses()[k];
                    let change = (DVec3::from_slice(&self.guess.v[dof..]) - at.velocities[k]) * mass;
                    let weight = model.gravity * (h * mass);
                    let inner = DVec3::from_slice(&self.imbalance.force[dof..]) - change + weight;
                    change.abs().max(weight.abs()).max(inner.abs()).length_squared()
                });
                each.sum::<f64>().sqrt()
            }
            _ => 0.0,
        };
        model.bodies.iter().zip(&state.bodies).enumerate().map(size).collect()
    }
}
