//! Stiff bodies: impulses that act through the elastic dynamics.
//!
//! The sweeps act on masses alone: v = w + M⁻¹ p, with w the candidate and p = Jᵀ r. That leaves R = F(v) − p in the
//! dynamics ([`FreeStep::unanswered`]), which elastic forces answer in the next step. In a stiff solid the vertices that touch
//! are held and all others move on; undoing this in the next step throws the body off the ground.
//!
//! What elastic forces would change is |A⁻¹ R| over |M⁻¹ p| in the norm of the masses, on the solid where that is largest: 0.7 to 1
//! for stiff ones. Above [`STIFF`] the contacts are solved with v = w + A⁻¹ p instead, w = v_k − A⁻¹ F(v_k): Newton's method for
//! F(v) = p together with the law of each contact, the fully implicit step. It begins with the candidate, and ends when the same
//! measure is below [`ENOUGH`].
//!
//! Cloth is left to the next step. It gives way by bending, all of its vertices touch where it lies, and where it buckles under a
//! blow this iteration, which is not damped, leads nowhere.

use std::time::Instant;

use asperity_solve::problem::ProblemError;
use asperity_solve::solver::{Auto, LawSource, Solution, Status};

use super::contacts::FilterContact;
use super::momentum::without_spin;
use super::report::Acted;
use super::rows::Rows;
use super::sweeps::{Solved, brake};
use super::{Filter, Trial};
use crate::body::{Elastic, ElasticKind};
use crate::contact::MOST_ROWS;
use crate::step::StepError;
use crate::step::implicit::{FreeStep, Freedom, LinearStep, Unanswered};
use crate::step::report::StepLog;
use crate::step::solving::{Answer, Solving};

/// |R| that needs no answer, relative to the impulses on a body.
const SMALL: f64 = 1e-3;

/// Change above which a body is stiff: below it the next step makes up for what this one leaves.
const STIFF: f64 = 0.5;

/// Change that Newton's method ends with.
const ENOUGH: f64 = 0.02;

/// Most iterations of it.
const ITERATIONS: usize = 10;

/// Elastic dynamics that are linear.
pub(super) struct Linear {
    /// Velocities where they are.
    at: Vec<f64>,
    /// Velocities without contacts, with the angular momentum that bodies have.
    candidate: Vec<f64>,
    /// M⁻¹ p of the last solve.
    pushed: Vec<f64>,
}

/// What elastic forces would still change.
struct Change {
    /// Its size, relative to what the impulses change.
    size: f64,
    /// The body where it is largest.
    body: usize,
}

/// What the sweeps over masses came to.
struct OverMasses {
    w: Vec<f64>,
    v: Vec<f64>,
    impulses: Vec<[f64; MOST_ROWS]>,
    acted: Acted,
    change: Change,
}

impl Filter {
    /// Lets the impulses act through the elastic dynamics, if a solid is stiff. Where Newton's method does not get there,
    /// those over masses hold, if elastic forces would change less than they do; the step is not a solved one then.
    pub(super) fn answer(
        &mut self,
        trial: &mut Trial,
        list: &mut [FilterContact],
        remembered: &[[f64; MOST_ROWS]],
        mut acted: Acted,
        log: &mut StepLog,
    ) -> Result<Acted, StepError> {
        let change = self.change(trial, log)?;
        if change.size <= STIFF {
            acted.splitting = change.size;
            return Ok(acted);
        }
        let impulses = list.iter().map(|own| own.r).collect();
        let masses = OverMasses { w: trial.free.clone(), v: trial.v.clone(), impulses, acted, change };
        // It begins with the impulses of the last step: those over masses are spread over the contacts in another way, from which a
        // solver takes long.
        list.iter_mut().zip(remembered).for_each(|(own, r)| own.r = *r);
        match self.newton(trial, list, log) {
            Ok(acted) if acted.splitting <= STIFF => Ok(acted),
            Err(error) if !is_astray(&error) => Err(error),
            _ => masses.restore(trial, list),
        }
    }

    /// Newton's method for the fully implicit step.
    fn newton(&mut self, trial: &mut Trial, list: &mut [FilterContact], log: &mut StepLog) -> Result<Acted, StepError> {
        let candidate = trial.free.clone();
        trial.linear = Some(Linear { at: candidate.clone(), candidate, pushed: Vec::new() });
        let mut iterations = 0;
        loop {
            let mut acted = self.sweep(trial, list, log)?;
            acted.splitting = self.change(trial, log)?.size;
            iterations += 1;
            if acted.splitting <= ENOUGH || iterations == ITERATIONS {
                return Ok(acted);
            }
            if let Some(linear) = &mut trial.linear {
                linear.at.clone_from(&trial.v);
            }
        }
    }

    /// All contacts together, with impulses that act through the elastic dynamics; velocities after them. The angular momentum
    /// that these lose is given back.
    pub(super) fn over_elastic(
        &mut self,
        trial: &mut Trial,
        linear: &mut Linear,
        rows: &Rows,
        laws: &mut dyn LawSource,
        start: Solution,
        log: &mut StepLog,
    ) -> Result<Solved, StepError> {
        let Trial { span, free, v, .. } = trial;
        let (t, began) = (span.state.time, Instant::now());
        let failed = |error: ProblemError| StepError::Problem { t, error: Box::new(error) };
        let LinearStep { factor, velocities } =
            self.free.linear_step(*span, &linear.at, &rows.jacobian(), self.settings.tolerance).map_err(failed)?;
        *free = velocities;
        let problem = rows.over_elastic(factor, free).map_err(failed)?;
        log.effort.seconds.integrate += began.elapsed().as_secs_f64();
        let settings = &self.settings;
        let solver = Auto::default();
        let solving =
            Solving { solver: &solver, tolerance: settings.tolerance, limit: settings.limit, time: settings.time };
        let Answer { mut solution, residual, status } = solving.solve(&problem, laws, start, t, &mut log.effort)?;
        brake(&problem, &mut solution);
        *v = problem.dynamics().velocities(free, &solution.r).map_err(failed)?;
        linear.pushed = rows.pushed(&solution.r);
        let known = |i: usize| linear.candidate[i] + linear.pushed[i];
        let mut elastic: Vec<f64> = v.iter().enumerate().map(|(i, v)| v - known(i)).collect();
        without_spin(&self.free, *span, &mut elastic);
        v.iter_mut().enumerate().for_each(|(i, v)| *v = known(i) + elastic[i]);
        Ok(Solved { problem, solution, residual, solved: status == Status::Solved })
    }

    /// What elastic forces would still change.
    fn change(&mut self, trial: &Trial, log: &mut StepLog) -> Result<Change, StepError> {
        let began = Instant::now();
        let points = points(&self.free, trial);
        if points.is_empty() {
            return Ok(Change { size: 0.0, body: 0 });
        }
        let pushed = match &trial.linear {
            Some(linear) => linear.pushed.clone(),
            None => trial.v.iter().zip(&trial.free).map(|(v, w)| v - w).collect(),
        };
        let mut push = pushed.clone();
        points.iter().for_each(|own| own.scale(own.mass, &mut push));
        let Unanswered { mut left, sizes } = self.free.unanswered(trial.span, &trial.v, &push);
        points.iter().for_each(|own| own.scale(1.0 / own.mass, &mut left));
        without_spin(&self.free, trial.span, &mut left);
        points.iter().for_each(|own| own.scale(own.mass, &mut left));
        let impulses = Sums::new(&points, sizes.len(), |own| own.square(&left));
        let mut change = impulses.largest(|body| sizes[body] * sizes[body]);
        if change.size > SMALL {
            self.free.soften(trial.span, &mut left)?;
            without_spin(&self.free, trial.span, &mut left);
            let changed = Sums::new(&points, sizes.len(), |own| own.mass * own.square(&left));
            let by = Sums::new(&points, sizes.len(), |own| own.mass * own.square(&pushed));
            change = changed.largest(|body| by.0[body]);
        } else {
            change.size = 0.0;
        }
        log.effort.seconds.integrate += began.elapsed().as_secs_f64();
        Ok(change)
    }
}

impl OverMasses {
    /// Goes back to them; an error if elastic forces would change more than they do.
    fn restore(self, trial: &mut Trial, list: &mut [FilterContact]) -> Result<Acted, StepError> {
        let Self { w, v, impulses, mut acted, change: Change { size, body } } = self;
        let beyond = size.partial_cmp(&1.0).is_none_or(|order| order.is_gt());
        if beyond {
            let (t, body) = (trial.span.state.time, trial.span.model.bodies[body].name.clone());
            return Err(StepError::Stiff { t, body, left: size });
        }
        (trial.free, trial.v, trial.linear) = (w, v, None);
        list.iter_mut().zip(impulses).for_each(|(own, r)| own.r = r);
        (acted.splitting, acted.solved) = (size, false);
        Ok(acted)
    }
}

/// Whether an error is one of iterations that lead nowhere.
fn is_astray(error: &StepError) -> bool {
    match error {
        StepError::Unconverged { .. } => true,
        StepError::Problem { error, .. } => {
            matches!(**error, ProblemError::NotPositive { .. } | ProblemError::SingularMass)
        }
        _ => false,
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

/// The vertices of solids that are not pinned.
fn points(free: &FreeStep, trial: &Trial) -> Vec<Point> {
    let mut all = Vec::new();
    for (body, own) in trial.span.model.bodies.iter().enumerate() {
        if let (Freedom::Vertices(dofs), Some(elastic)) =
            (free.freedom(body), own.elastic().filter(|own| is_solid(own)))
        {
            let vertices = dofs.iter().zip(elastic.masses());
            all.extend(vertices.filter_map(|(dof, mass)| Some(Point { body, dof: (*dof)? as usize, mass: *mass })));
        }
    }
    all
}

/// Whether a body is a solid: cloth is never stiff in the sense of this module.
fn is_solid(elastic: &Elastic) -> bool {
    elastic.kind() == ElasticKind::Solid
}

/// Sums over the vertices of each body.
struct Sums(Vec<f64>);

impl Sums {
    fn new(points: &[Point], bodies: usize, of: impl Fn(&Point) -> f64) -> Self {
        let mut sums = vec![0.0; bodies];
        points.iter().for_each(|own| sums[own.body] += of(own));
        Self(sums)
    }

    /// The largest root of a body's sum over that of another sum; NaN is larger than anything.
    fn largest(&self, other: impl Fn(usize) -> f64) -> Change {
        let each = self.0.iter().enumerate().filter(|(body, _)| other(*body) > 0.0);
        let each = each.map(|(body, sum)| Change { size: (sum / other(body)).sqrt(), body });
        each.fold(Change { size: 0.0, body: 0 }, |most, own| if own.size <= most.size { most } else { own })
    }
}
