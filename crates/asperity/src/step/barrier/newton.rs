//! Projected Newton's method on the incremental potential, with steps that continuous detection bounds.
//!
//! An iteration solves H p = −∇E and goes along p as far as nothing meets on the straight ways of all vertices, and as far as E falls. Where
//! H is not positive definite, the Hessians of collisions and elements are replaced by their positive semidefinite parts.
//!
//! What is given (scripts, pins, moving meshes) goes on towards where it must be at the end of the step in every iteration, as far as
//! nothing meets. Until it has arrived E need not fall, and the other bodies are moved out of its way by −H⁻¹ H_g δ_g as well, δ_g the
//! displacement that is left. H_g holds collisions, and friction where nothing rolls; elastic forces of pinned vertices are left to the
//! iterations after the arrival.
//!
//! Rigid bodies turn, so that their vertices do not move along straight ways. The straight ways from where the vertices are to where they
//! would be are tested: whatever path a step is thought to take, surfaces that pass through nothing on ONE path do not cross at its end.

use asperity_solve::problem::CholeskyError;
use glam::DVec3;

use super::derivatives::Derivatives;
use super::energy::{Energy, Sum};
use super::friction::Rubbing;
use super::iterate::Iterate;
use super::matrix::Matrix;
use super::place::Here;
use super::surfaces::{Coordinates, Surfaces};
use crate::barrier::{Projection, StencilKind};
use crate::contact::{Contact, LawFault};
use crate::step::StepError;
use crate::step::implicit::{Freedom, Span};

/// Halvings of a step before the iteration gives up on it.
const HALVINGS: usize = 20;

/// What rounding may add to E, relative to the size of its terms.
const ROUNDING: f64 = 1e-14;

/// Of what continuous detection allows, so much is taken: the ways of a shorter step are others where bodies turn.
const TAKEN: f64 = 0.95;

/// A fall of E that is not seen in it, relative to the size of its terms.
const UNSEEN: f64 = 1e-14;

/// What rounding of its terms may make of E where it is added up, relative to their size: inertia and elasticity are small differences of large
/// numbers. A fall that is larger than that must be seen.
const NOISE: f64 = 1e-9;

/// δ of Armijo's rule.
const ARMIJO: f64 = 0.1;

/// By what a decrement that is not seen in E falls at least from step to step, unless it is rounding.
const FALLS: f64 = 0.5;
/// How often a decrement may fall by less.
const STALLS: usize = 6;

/// Fractions by which the diagonal is enlarged, one after the other, where rounding makes a semidefinite matrix indefinite.
const LARGER: [f64; 4] = [0.0, 1e-12, 1e-10, 1e-8];

/// Newton's direction.
struct Direction {
    p: Vec<f64>,
    /// By how much E would fall along it, if it were quadratic.
    decrement: f64,
}

/// A direction that is gone along, and how far at most.
#[derive(Clone, Copy)]
struct Way<'a> {
    p: &'a [f64],
    decrement: f64,
    most: f64,
}

/// How exact, and for how long.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// Speed of the last Newton step at which the iteration ends, m/s.
    pub(super) speed: f64,
    pub(super) iterations: usize,
}

/// Where the iteration ended.
pub(super) struct Minimum {
    pub(super) here: Here,
    pub(super) iterations: usize,
    /// Speed of the last Newton step, m/s.
    pub(super) speed: f64,
    /// Whether all that is given has arrived.
    pub(super) arrived: bool,
}

/// Why there is no minimum.
#[derive(Debug)]
pub(super) enum NewtonError {
    Law(LawFault),
    Matrix(CholeskyError),
}

impl NewtonError {
    /// What a step says of it.
    pub(super) fn of_step(self, Span { model, state, .. }: Span, rubbing: &[Rubbing]) -> StepError {
        match self {
            Self::Matrix(error) => StepError::Problem { t: state.time, error: Box::new(error.into()) },
            Self::Law(fault) => {
                let contacts: Vec<Contact> = rubbing.iter().map(|own| own.contact).collect();
                StepError::of_law(fault, model, &contacts, state.time)
            }
        }
    }
}

impl From<LawFault> for NewtonError {
    fn from(error: LawFault) -> Self {
        Self::Law(error)
    }
}

/// What the iteration works with.
pub(super) struct Newton<'a> {
    pub(super) energy: &'a Energy<'a>,
    pub(super) surfaces: &'a mut Surfaces,
    pub(super) matrix: &'a mut Matrix,
}

impl Newton<'_> {
    /// Goes along displacements from a place as far as nothing meets, and no farther than `fraction`.
    pub(super) fn bounded(&mut self, from: &Iterate, p: &[f64], most: f64) -> f64 {
        let (free, goal) = (self.energy.free, self.energy.ends.goal);
        let mut fraction = most;
        // A way that is short enough is free: halving ends.
        for _ in 0..200 {
            let to = from.moved(free, p, goal, fraction);
            let allowed = self.surfaces.free_fraction(from, &to);
            if allowed >= 1.0 {
                return fraction;
            }
            fraction *= TAKEN * allowed;
        }
        0.0
    }

    /// The place that minimises E, from a place where nothing crosses. `arrived`: what is given is where it must be.
    pub(super) fn minimise(&mut self, start: Here, wanted: Wanted, arrived: bool) -> Result<Minimum, NewtonError> {
        let mut now = Minimum { here: start, iterations: 0, speed: f64::INFINITY, arrived };
        // The decrement of the last step that E did not show.
        let (mut unseen, mut stalls) = (f64::INFINITY, 0);
        while now.iterations < wanted.iterations {
            let Direction { p, decrement } = self.direction(&now.here, now.arrived)?;
            now.iterations += 1;
            now.speed = self.speed(&p);
            // A step that is not finite leads nowhere: its speed says so to the caller.
            if now.speed.is_nan() || now.arrived && now.speed <= wanted.speed {
                break;
            }
            let fraction = self.bounded(&now.here.at, &p, 1.0);
            if !now.arrived {
                now.here = self.at(&now.here.at, &p, fraction);
                now.arrived = fraction == 1.0;
                continue;
            }
            let before = self.energy.value(&now.here, self.surfaces)?;
            let seen = decrement > UNSEEN * before.size;
            let lower = if seen { self.lower(&now.here, before, &p, fraction)? } else { None };
            if let Some(lower) = lower {
                now.here = lower;
                continue;
            }
            // E does not show whether a step leads down any more, but its slope does, and the decrement falls until it is rounding, but for
            // a few iterations in which collisions come and go.
            stalls += usize::from(decrement > FALLS * unseen);
            if stalls > STALLS {
                break;
            }
            unseen = unseen.min(decrement);
            let way = Way { p: &p, decrement, most: fraction };
            match self.level(&now.here, before, way)? {
                Some(level) => now.here = level,
                None => break,
            }
        }
        Ok(now)
    }

    /// The place that a fraction of displacements leads to.
    pub(super) fn at(&mut self, from: &Iterate, p: &[f64], fraction: f64) -> Here {
        Here::new(from.moved(self.energy.free, p, self.energy.ends.goal, fraction), self.surfaces)
    }

    /// The first place along p, by halves, with less energy.
    fn lower(&mut self, from: &Here, before: Sum, p: &[f64], most: f64) -> Result<Option<Here>, NewtonError> {
        let mut fraction = most;
        for _ in 0..HALVINGS {
            let next = self.at(&from.at, p, fraction);
            let after = self.energy.value(&next, self.surfaces)?;
            if after.value <= before.value + ROUNDING * before.size {
                return Ok(Some(next));
            }
            fraction *= 0.5;
        }
        Ok(None)
    }

    /// The first place along p, by halves, that E does not tell from the start and whose slope along p says that it is not beyond the least:
    /// E'(α) ≤ −(1 − 2δ) E'(0) with δ = 0.1, which is Armijo's rule for a parabola (the approximate Wolfe condition of Hager and Zhang 2005).
    fn level(&mut self, from: &Here, before: Sum, way: Way) -> Result<Option<Here>, NewtonError> {
        let mut fraction = way.most;
        for _ in 0..HALVINGS {
            let next = self.at(&from.at, way.p, fraction);
            let after = self.energy.value(&next, self.surfaces)?;
            if after.value <= before.value + NOISE * before.size {
                let own = self.energy.derivatives(&next, self.surfaces, self.matrix, Projection::Whole)?;
                let slope: f64 = own.gradient.iter().zip(way.p).map(|(g, p)| g * p).sum();
                if slope <= 2.0 * (1.0 - 2.0 * ARMIJO) * way.decrement {
                    return Ok(Some(next));
                }
            }
            fraction *= 0.5;
        }
        Ok(None)
    }

    /// Newton's direction.
    fn direction(&mut self, here: &Here, arrived: bool) -> Result<Direction, NewtonError> {
        let whole = self.energy.derivatives(here, self.surfaces, self.matrix, Projection::Whole)?;
        let own = self.factored(here, whole)?;
        let mut p: Vec<f64> = own.gradient.iter().map(|g| -g).collect();
        if !arrived {
            self.add_given(here, &own, &mut p);
        }
        self.matrix.solve(&mut p);
        let decrement = -0.5 * p.iter().zip(&own.gradient).map(|(p, g)| p * g).sum::<f64>();
        Ok(Direction { p, decrement })
    }

    /// Factors H, and gives back its terms. Where H is not positive definite, it is made of the positive semidefinite parts of its terms; where
    /// rounding of large terms (a barrier far stiffer than masses) hides the small ones, with a diagonal that is larger by more than that rounding.
    pub(super) fn factored(&mut self, here: &Here, whole: Derivatives) -> Result<Derivatives, NewtonError> {
        self.matrix.fill(&whole.base, &whole.stencils);
        let Err(mut last) = self.matrix.factorise() else { return Ok(whole) };
        let own = self.energy.derivatives(here, self.surfaces, self.matrix, Projection::Positive)?;
        self.matrix.fill(&own.base, &own.stencils);
        for fraction in LARGER {
            self.matrix.enlarge_diagonal(fraction);
            match self.matrix.factorise() {
                Ok(()) => return Ok(own),
                Err(error) => last = error,
            }
        }
        Err(NewtonError::Matrix(last))
    }

    /// p −= H_g δ_g: what the way that is left of what is given does to the gradient.
    fn add_given(&self, here: &Here, own: &Derivatives, p: &mut [f64]) {
        let ends = &self.energy.ends;
        let goal = self.surfaces.positions(ends.goal);
        let collisions = here.collisions.iter().map(|own| (own.kind, own.list(), own.plane));
        let rubbing = self.energy.rubbing.iter().filter(|own| !own.rolls());
        let rubbing = rubbing.map(|own| (own.lagged.kind, own.lagged.list(), u32::MAX));
        let rolls = self.energy.rubbing.iter().any(|own| own.rolls());
        // Stencils of rolling stand between those of sliding: friction is left out then.
        let lists = collisions.chain(rubbing.filter(|_| !rolls));
        for ((kind, list, plane), stencil) in lists.zip(&own.stencils) {
            let mut left = [DVec3::ZERO; 4];
            for (k, vertex) in list.iter().enumerate() {
                let i = *vertex as usize;
                if self.surfaces.vertices[i].moves == Coordinates::Given {
                    left[k] = goal[i] - here.positions[i];
                }
            }
            if kind == StencilKind::PlaneVertex && plane != u32::MAX {
                let [now, then] = [&here.at, ends.goal].map(|at| self.surfaces.planes(at)[plane as usize]);
                let x = here.positions[list[0] as usize];
                let sunk = (then.normal.dot(x) - then.offset) - (now.normal.dot(x) - now.offset);
                left[0] = now.normal * sunk;
            }
            if left == [DVec3::ZERO; 4] {
                continue;
            }
            for (i, point) in stencil.points.iter().enumerate() {
                let block = |j: usize| {
                    if j <= i { *stencil.hessian.block(i, j) } else { stencil.hessian.block(j, i).transpose() }
                };
                let g: DVec3 = (0..4).map(|j| block(j) * left[j]).sum();
                match point.moves {
                    Coordinates::Given => (),
                    Coordinates::Free(dof) => take(p, dof, g),
                    Coordinates::Rigid(dof) => {
                        take(p, dof, g);
                        take(p, dof + 3, point.arm.cross(g));
                    }
                }
            }
        }
    }

    /// The largest speed that displacements are in a step, m/s; NaN if one of them is not finite.
    pub(super) fn speed(&self, p: &[f64]) -> f64 {
        if !p.iter().all(|p| p.is_finite()) {
            return f64::NAN;
        }
        let size = |dof: usize| DVec3::from_slice(&p[dof..]).length();
        let own = |(number, body): (usize, &crate::body::Body)| match self.energy.free.freedom(number) {
            Freedom::Given => 0.0,
            Freedom::Rigid(dof) => size(dof) + size(dof + 3) * body.reach(),
            Freedom::Vertices(dofs) => dofs.iter().flatten().map(|dof| size(*dof as usize)).fold(0.0, f64::max),
        };
        let bodies = self.energy.span.model.bodies.iter().enumerate();
        let most = bodies.map(own).fold(0.0, f64::max);
        most / self.energy.ends.h
    }
}

fn take(p: &mut [f64], dof: usize, g: DVec3) {
    (0..3).for_each(|k| p[dof + k] -= g[k]);
}
