//! A step of rigid and elastic bodies with gaps that stay open, without friction: what the smooth stepper begins with.
//!
//! It asks for velocities v and impulses r ≥ 0 with F(v) = p + Jᵀ r ([`super::dynamics`]), p impulses that are given, and
//! J v ≥ β, one of r and J v − β zero in each row: the minimum of a potential under linear constraints (Larionov et al. 2021,
//! equation 23). J and β do not change in the step. Newton's method solves A (v − v_k) = p + Jᵀ r − F(v_k) with these
//! conditions in each iteration, over the degrees of freedom, and is shortened where the imbalance |F − p − Jᵀ r| grows: what
//! lies between two velocities that obey linear constraints obeys them too.

use std::time::Instant;

use asperity_solve::problem::{ContactProblem, DofRows, Factor, ProblemError, RowKind};
use asperity_solve::solver::{ContactSolver as _, Frozen, Hybrid, Solution, Status, Stop};

use super::answered::{Answered, Asked};
use super::dynamics::{Plan, Start};
use super::free::{FreeStep, Span, moving_on};
use super::guess::{Guess, bodies_after, first_bodies};
use super::kept::Kept;
use crate::body::BodyState;
use crate::step::StepError;
use crate::step::report::Effort;
use crate::world::Model;

/// How often a step of the iteration is halved.
const HALVINGS: usize = 8;

/// Accuracy of the problem of an iteration, relative to the tolerance of the whole.
const INNER: f64 = 0.1;

/// Velocities that count as large enough to be compared with, times the length of the step and over the size of the bodies:
/// where all is at rest, rounding of elastic forces is all that is left.
const ROUNDING: f64 = 1e-8;

/// What a step must obey, and what pushes beside.
pub(in crate::step) struct Constraints {
    /// J: one row for each gap.
    pub(in crate::step) rows: DofRows,
    /// β: least rates of the gaps, m/s; motions that are given are taken off.
    pub(in crate::step) bounds: Vec<f64>,
    /// p: impulses over the degrees of freedom, N s.
    pub(in crate::step) push: Vec<f64>,
}

/// Where the iteration begins.
pub(in crate::step) struct Begin {
    /// Impulse of each gap, N s.
    pub(in crate::step) impulses: Vec<f64>,
    /// Velocities of the degrees of freedom; `None`: bodies go on as they move, and fall.
    pub(in crate::step) velocities: Option<Vec<f64>>,
}

/// How exact a step is, and how long it may take.
#[derive(Clone, Copy)]
pub(in crate::step) struct Accuracy {
    pub(in crate::step) tolerance: f64,
    pub(in crate::step) iterations: usize,
    /// Longest time for one problem.
    pub(in crate::step) time: std::time::Duration,
}

/// Where a step with gaps leads.
pub(in crate::step) struct Constrained {
    /// Velocities of the degrees of freedom.
    pub(in crate::step) v: Vec<f64>,
    /// The bodies there. Angular velocities are those of their inertias.
    pub(in crate::step) bodies: Vec<BodyState>,
    /// Impulse of each gap, N s.
    pub(in crate::step) r: Vec<f64>,
    /// |F − p − Jᵀ r|, relative to the size of its terms.
    pub(in crate::step) error: f64,
}

/// An iterate, with what is left of the dynamics there.
struct Point {
    guess: Guess,
    r: Vec<f64>,
    /// F − p − Jᵀ r.
    left: Vec<f64>,
    /// The size of its terms.
    size: Vec<f64>,
}

impl Point {
    fn new(start: &Start, constraints: &Constraints, guess: Guess, r: Vec<f64>) -> Self {
        let imbalance = start.imbalance(&guess);
        let (mut left, mut size) = (imbalance.force, imbalance.size);
        let mut pushed = constraints.push.clone();
        constraints.rows.add_response(&r, &mut pushed);
        for (dof, push) in pushed.iter().enumerate() {
            left[dof] -= push;
            size[dof] = size[dof].max(push.abs());
        }
        Self { guess, r, left, size }
    }

    /// |F − p − Jᵀ r| in units of √A, relative to the size of its terms; `units` is the diagonal of A.
    fn error(&self, start: &Start, units: &[f64]) -> f64 {
        let moving = start.model.bodies.iter().filter(|body| body.is_dynamic());
        let least = ROUNDING * moving.map(|body| body.reach()).fold(0.0, f64::max) / start.h;
        let (mut error, mut terms) = (0.0, 0.0);
        for (dof, (left, size)) in self.left.iter().zip(&self.size).enumerate() {
            // Without projection a diagonal entry may be negative.
            let unit = units[dof].abs().max(f64::MIN_POSITIVE);
            let size = size.max(least * unit);
            error += left * left / unit;
            terms += size * size / unit;
        }
        if terms > 0.0 { (error / terms).sqrt() } else { 0.0 }
    }
}

impl FreeStep {
    /// Begins a step: numbers the degrees of freedom of a model, if that has not been done.
    pub(in crate::step) fn prepare(&mut self, model: &Model) {
        self.plan = Some(self.plan_of(model));
        self.damping = None;
        self.kept.forget();
    }

    /// What the step that was begun starts from. The damping is that of its start, and made once.
    pub(super) fn start<'a>(&mut self, Span { model, state, h }: Span<'a>, plan: &'a Plan) -> Start<'a> {
        if let Some(damping) = &self.damping {
            return Start::with_damping(model, state, plan, h, damping.clone());
        }
        let start = Start::new(model, state, plan, h);
        self.damping = Some(start.damping().to_vec());
        start
    }

    /// The velocities at the end of a step with gaps that stay open.
    pub(in crate::step) fn constrained(
        &mut self,
        span: Span,
        constraints: &Constraints,
        begin: Begin,
        wanted: Accuracy,
        effort: &mut Effort,
    ) -> Result<Constrained, StepError> {
        let plan = self.plan_of(span.model);
        let start = self.start(span, &plan);
        let t = span.state.time;
        let failed = |error: ProblemError| StepError::Problem { t, error: Box::new(error) };
        let v = begin.velocities.unwrap_or_else(|| moving_on(start.setting()));
        let guess = Guess::unplaced(bodies_after(start.setting(), &first_bodies(start.setting()), &v), v);
        let mut at = Point::new(&start, constraints, guess, begin.impulses);
        let (mut error, mut first) = (f64::INFINITY, true);
        for _ in 0..wanted.iterations.max(1) {
            let began = Instant::now();
            let asked = Asked { start: &start, guess: &at.guess, rows: &constraints.rows, tolerance: wanted.tolerance };
            let Answered { factor, x: free } =
                self.answered(asked, |matrix| without_rows(&start, constraints, &at, matrix)).map_err(failed)?;
            effort.seconds.integrate += began.elapsed().as_secs_f64();
            let began = Instant::now();
            let Solution { r, u: v } = solve(constraints, &at, factor, free, wanted)
                .map_err(failed)?
                .ok_or(StepError::OutOfTime { t, limit: wanted.time.as_secs_f64() })?;
            effort.seconds.solve += began.elapsed().as_secs_f64();
            effort.iterations += 1;
            let before = if first { f64::INFINITY } else { error };
            (at, error) = shortened(&start, constraints, at, Solution { r, u: v }, before, &self.units);
            first = false;
            if error <= wanted.tolerance {
                break;
            }
        }
        let Point { guess, r, .. } = at;
        self.plan = Some(plan);
        Ok(Constrained { v: guess.v, bodies: guess.bodies, r, error })
    }

    /// What the dynamics lack at these velocities, found with the inertias of the bodies `last`, with these impulses over the
    /// degrees of freedom: |F − p|, relative to the size of its terms, in units of √A, A the last matrix that was factored.
    pub(in crate::step) fn imbalance_left(&mut self, span: Span, last: &[BodyState], v: &[f64], push: Vec<f64>) -> f64 {
        let plan = self.plan_of(span.model);
        let start = self.start(span, &plan);
        let guess = Guess::unplaced(bodies_after(start.setting(), last, v), v.to_vec());
        let none = Constraints { rows: DofRows::empty(), bounds: Vec::new(), push };
        let error = Point::new(&start, &none, guess, Vec::new()).error(&start, &self.units);
        self.plan = Some(plan);
        error
    }

    /// The plan of a model; it is put back after use.
    pub(super) fn plan_of(&mut self, model: &Model) -> Plan {
        self.plan.take().filter(|plan| plan.fits(model)).unwrap_or_else(|| {
            (self.chord, self.kept, self.damping) = (None, Kept::default(), None);
            Plan::new(model)
        })
    }
}

/// A v_k + p − F(v_k): what is left at a point, without the impulses of the rows. A⁻¹ of it are the velocities without these.
fn without_rows(start: &Start, constraints: &Constraints, at: &Point, matrix: &[f64]) -> Vec<f64> {
    let mut right = start.plan.times(matrix, &at.guess.v);
    let mut rows = vec![0.0; right.len()];
    constraints.rows.add_response(&at.r, &mut rows);
    for (dof, right) in right.iter_mut().enumerate() {
        *right -= at.left[dof] + rows[dof];
    }
    right
}

/// The problem that is linear at a point, with the velocities without the rows: impulses, and velocities of the degrees of freedom.
/// `None` if time is up.
fn solve(
    constraints: &Constraints,
    at: &Point,
    factor: Factor,
    free: Vec<f64>,
    wanted: Accuracy,
) -> Result<Option<Solution>, ProblemError> {
    let rows = constraints.bounds.len();
    if rows == 0 {
        return Ok(Some(Solution { r: Vec::new(), u: free }));
    }
    let mut bias = vec![0.0; rows];
    constraints.rows.velocities(&free, &mut bias);
    bias.iter_mut().zip(&constraints.bounds).for_each(|(rate, bound)| *rate -= bound);
    let kind = RowKind::Bounded { lower: vec![0.0], upper: vec![f64::INFINITY] };
    let problem = ContactProblem::new(factor, bias, vec![kind; rows])?.with_local_scales();
    let mut solution = Solution { r: at.r.clone(), u: Vec::new() };
    let stop = Stop { tolerance: INNER * wanted.tolerance, time: wanted.time, ..Stop::default() };
    let report = Hybrid::default().solve(&problem, &mut Frozen(Vec::new()), stop, &mut solution)?;
    if report.status == Status::Time {
        return Ok(None);
    }
    // Rounding may leave a hair below zero.
    solution.r.iter_mut().for_each(|r| *r = r.max(0.0));
    solution.u = problem.dynamics().velocities(&free, &solution.r)?;
    Ok(Some(solution))
}

/// The point that a solution leads to (velocities in `u`), halved until the error is below `before`; as it is after
/// [`HALVINGS`].
fn shortened(
    start: &Start,
    constraints: &Constraints,
    from: Point,
    to: Solution,
    before: f64,
    units: &[f64],
) -> (Point, f64) {
    let Solution { mut r, u: mut v } = to;
    for halving in 0..=HALVINGS {
        let guess = Guess::unplaced(bodies_after(start.setting(), &from.guess.bodies, &v), v);
        let point = Point::new(start, constraints, guess, r);
        let error = point.error(start, units);
        if error < before || halving == HALVINGS {
            return (point, error);
        }
        let halved = |to: &[f64], from: &[f64]| to.iter().zip(from).map(|(to, from)| 0.5 * (to + from)).collect();
        (v, r) = (halved(&point.guess.v, &from.guess.v), halved(&point.r, &from.r));
    }
    (from, before)
}
