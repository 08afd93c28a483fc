//! Rounds in which elastic forces answer the impulses.
//!
//! The sweeps act on masses alone: v = w + M⁻¹ p, with w the candidate and p = Jᵀ r. In a stiff body that leaves R = F(v) − p
//! in the dynamics ([`FreeStep::unanswered`]): the vertices that touch are held, and the others move on as if they were
//! not. What a stiff body does in the next step to undo this can throw it off the ground. A round takes w ← w − A⁻¹ R and
//! sweeps again. Its fixed point has F(v) = Jᵀ r together with the law of each contact: the fully implicit step. It is a gradient
//! method over the impulses with the metric of the masses. Since A ≥ M, J M⁻¹ Jᵀ bounds the matrix J A⁻¹ Jᵀ of that step
//! from above; motions of the whole body, which carry its weight, converge by about the fraction of its mass that touches.
//!
//! What is left is measured by the change of velocities that the next round would make, |A⁻¹ R| over |M⁻¹ p| in the norm of
//! the masses, on the body where that is largest. It is 0.7 to 1 for stiff solids, 0.1 to 0.4 for cloth that drapes, and zero for
//! cloth that lies flat: most cloth needs no round.

use std::time::Instant;

use super::contacts::FilterContact;
use super::momentum::without_spin;
use super::report::Acted;
use super::{Filter, Trial};
use crate::step::StepError;
use crate::step::implicit::{FreeStep, Freedom, Unanswered};
use crate::step::report::StepLog;

/// |R| that needs no answer, relative to the impulses on a body.
const SMALL: f64 = 1e-3;

/// Change that rounds begin with: below it the next step makes up for what this one leaves.
const STIFF: f64 = 0.5;

/// Change that they end with.
const ENOUGH: f64 = 0.1;

/// Most rounds.
const ROUNDS: usize = 20;

/// What the next round would change.
struct Change {
    /// A⁻¹ R, m/s.
    velocities: Vec<f64>,
    /// Its size, relative to what the impulses change.
    size: f64,
}

impl Filter {
    /// Lets elastic forces answer the impulses, until little is left, or more after a round than before it.
    pub(super) fn answer(
        &mut self,
        trial: &mut Trial,
        list: &mut Vec<FilterContact>,
        mut acted: Acted,
        log: &mut StepLog,
    ) -> Result<Acted, StepError> {
        let mut change = self.change(trial, log);
        let rounds = if change.size > STIFF { ROUNDS } else { 0 };
        for _ in 0..rounds {
            if change.size <= ENOUGH {
                break;
            }
            let before = (trial.free.clone(), trial.v.clone(), list.clone());
            trial.free.iter_mut().zip(&change.velocities).for_each(|(w, change)| *w -= change);
            let next = self.sweep(trial, list, log)?;
            let following = self.change(trial, log);
            if following.size.is_nan() || following.size >= change.size {
                (trial.free, trial.v, *list) = before;
                break;
            }
            (acted, change) = (next, following);
        }
        acted.splitting = change.size;
        Ok(acted)
    }

    /// What the next round would change.
    fn change(&mut self, trial: &Trial, log: &mut StepLog) -> Change {
        let began = Instant::now();
        let points = points(&self.free, trial);
        let pushed: Vec<f64> = trial.v.iter().zip(&trial.free).map(|(v, w)| v - w).collect();
        let mut push = pushed.clone();
        points.iter().for_each(|own| own.scale(own.mass, &mut push));
        let Unanswered { mut left, sizes } = self.free.unanswered(trial.span, &trial.v, &push);
        points.iter().for_each(|own| own.scale(1.0 / own.mass, &mut left));
        without_spin(&self.free, trial.span, &mut left);
        points.iter().for_each(|own| own.scale(own.mass, &mut left));
        let impulses = Sums::new(&points, sizes.len(), |own| own.square(&left));
        let mut size = 0.0;
        if impulses.ratio(|body| sizes[body] * sizes[body]) > SMALL {
            self.free.soften(&mut left);
            without_spin(&self.free, trial.span, &mut left);
            let changed = Sums::new(&points, sizes.len(), |own| own.mass * own.square(&left));
            let by = Sums::new(&points, sizes.len(), |own| own.mass * own.square(&pushed));
            size = changed.ratio(|body| by.0[body]);
        }
        log.effort.seconds.integrate += began.elapsed().as_secs_f64();
        Change { velocities: left, size }
    }
}

/// A vertex that moves.
struct Point {
    body: usize,
    dof: usize,
    mass: f64,
}

impl Point {
    fn scale(&self, factor: f64, x: &mut [f64]) {
        x[self.dof..self.dof + 3].iter_mut().for_each(|x| *x *= factor);
    }

    fn square(&self, x: &[f64]) -> f64 {
        x[self.dof..self.dof + 3].iter().map(|x| x * x).sum()
    }
}

/// The vertices of all elastic bodies that are not pinned.
fn points(free: &FreeStep, trial: &Trial) -> Vec<Point> {
    let mut all = Vec::new();
    for (body, own) in trial.span.model.bodies.iter().enumerate() {
        if let (Freedom::Vertices(dofs), Some(elastic)) = (free.freedom(body), own.elastic()) {
            let vertices = dofs.iter().zip(elastic.masses());
            all.extend(vertices.filter_map(|(dof, mass)| Some(Point { body, dof: (*dof)? as usize, mass: *mass })));
        }
    }
    all
}

/// Sums over the vertices of each body.
struct Sums(Vec<f64>);

impl Sums {
    fn new(points: &[Point], bodies: usize, of: impl Fn(&Point) -> f64) -> Self {
        let mut sums = vec![0.0; bodies];
        points.iter().for_each(|own| sums[own.body] += of(own));
        Self(sums)
    }

    /// The largest root of a body's sum over that of another sum.
    fn ratio(&self, other: impl Fn(usize) -> f64) -> f64 {
        let each = self.0.iter().enumerate().filter(|(body, _)| other(*body) > 0.0);
        each.map(|(body, sum)| (sum / other(body)).sqrt()).fold(0.0, f64::max)
    }
}
