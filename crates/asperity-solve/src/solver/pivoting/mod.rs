//! Pivoting: polygonal friction as a linear complementarity problem, or boxes with limits that are refined.
//!
//! Two variants. **Facets** ([`lcp`]): each set is a polygon, its own if it has corners, otherwise one with `facets`
//! corners around or inside it; the problem is then a linear complementarity problem, solved by Lemke's method
//! ([`lemke`]) to 1e-10 of its data, whatever the masses and however redundant the contacts. **Boxes** ([`block`]): the
//! smallest box around the set along its axis, with limits fixed from an estimate of the normal impulses and refined
//! until they settle (Erleben et al. 2020, 4.3; Andrews et al. 2021, 4.4).
//!
//! Each island is solved on its own; bilateral rows are solved for first ([`super::reduced`]). Matrices are dense: an
//! island with more complementarity rows than `rows` is refused. Laws that depend on the solution are asked again after
//! each solve.
//!
//! The residual is that of the laws themselves. Where a round set was replaced, it stays at the polygon's error: the
//! status is then [`Status::Approximated`], and the solution that of the polygons.
//!
//! Facets take planar sets, and those with rolling; boxes take every set. Slip rules and two-set laws are refused.

mod basis;
mod block;
mod corners;
mod lcp;
mod lemke;
#[cfg(test)]
mod oracle;
mod square;

use asperity_friction::ContactLaw;

use self::block::BoxProblem;
use self::lcp::FacetProblem;
use self::lemke::{Ending, PivotBudget};
use super::reduced::Reduced;
use super::{Capabilities, ContactSolver, LawSource, Progress, Solution, SolveReport, Status, Stop, check_sets};
use crate::problem::{ContactProblem, ProblemError, RowKind};

/// What takes the place of a round set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FacetSide {
    /// A polygon around the set: friction is never weaker than the law's.
    Outer,
    /// A polygon with its corners on the set: friction is never stronger.
    Inner,
}

/// How friction is made linear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PivotingVariant {
    /// Polygons; one complementarity problem for normal and tangential impulses.
    Facets,
    /// Boxes along the sets' axes; limits fixed from the last normal impulses, and refined.
    Boxes,
}

/// Pivoting on complementarity problems: friction by polygons or boxes, whatever the masses and however redundant the
/// contacts. The linear problems are solved to 1e-10 of their data; where a round set was replaced the status is
/// [`Status::Approximated`] and the residual that of the law itself.
///
/// Facets take planar sets, also with rolling; boxes take every set. Slip rules and two-set laws are refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pivoting {
    /// Facets or boxes.
    pub variant: PivotingVariant,
    /// Corners of the polygon in place of a round set; at least 3.
    pub facets: usize,
    /// Whether that polygon is around the set or inside.
    pub side: FacetSide,
    /// Most corners of a set that are taken as they are; at least 3. Polygons with more are cut down to as many.
    pub corners: usize,
    /// Most complementarity rows of an island.
    pub rows: usize,
    /// Most pivots of an island.
    pub pivots: usize,
    /// Most refinements: of the limits of boxes, and of laws that depend on the solution.
    pub rounds: usize,
}

impl Default for Pivoting {
    fn default() -> Self {
        Self {
            variant: PivotingVariant::Facets,
            facets: 8,
            side: FacetSide::Outer,
            corners: 64,
            rows: 2000,
            pivots: 100_000,
            rounds: 100,
        }
    }
}

impl Pivoting {
    /// With boxes.
    pub fn boxes() -> Self {
        Self { variant: PivotingVariant::Boxes, ..Self::default() }
    }

    fn validate(&self) -> Result<(), ProblemError> {
        for (name, value, least) in
            [("facets", self.facets, 3), ("corners", self.corners, 3), ("rounds", self.rounds, 1)]
        {
            if value < least {
                let expected = if least == 3 { "at least 3" } else { "at least 1" };
                return Err(ProblemError::Setting { name, value: value as f64, expected });
            }
        }
        Ok(())
    }

    /// Refuses laws that are not sets, and with facets sets with spin.
    fn check(&self, problem: &ContactProblem, laws: &[ContactLaw]) -> Result<(), ProblemError> {
        problem.check_laws(laws)?;
        check_sets(self.name(), laws, |set| {
            let taken = self.variant == PivotingVariant::Boxes || corners::parts(set, self).is_some();
            (!taken).then_some("a set with spin")
        })
    }

    /// One solve of an island with the laws as they are; `r` are the impulses of the island.
    fn solve_island(
        &self,
        part: &ContactProblem,
        laws: &[&ContactLaw],
        tolerance: f64,
        r: &mut [f64],
        time_is_up: &dyn Fn() -> bool,
    ) -> PivotedIsland {
        let reduced = Reduced::new(part);
        let mut x = reduced.restrict(r);
        let outcome = match self.variant {
            PivotingVariant::Facets => {
                let facets = FacetProblem::new(part, &reduced, laws, self);
                let mut z = vec![0.0; facets.lcp.q.len()];
                let cold = x.iter().all(|x| *x == 0.0);
                let mut active = if cold { Vec::new() } else { facets.guess(&x) };
                let mut budget = PivotBudget { pivots: 0, most: self.pivots, time_is_up };
                let ending = facets.lcp.solve(&mut active, &mut z, &mut budget);
                x = facets.impulses(&z);
                PivotedIsland { ending, iterations: budget.pivots, exact: facets.exact }
            }
            PivotingVariant::Boxes => {
                let mut boxes = BoxProblem::new(part, &reduced, laws);
                let settled = boxes.solve(self, tolerance, &mut x, time_is_up);
                PivotedIsland { ending: settled.ending, iterations: settled.rounds, exact: boxes_are_exact(part, laws) }
            }
        };
        reduced.recover(&x, r);
        outcome
    }

    /// One solve of every island, with these laws; `r` are the impulses of the whole problem.
    fn solve_round(
        &self,
        problem: &ContactProblem,
        parts: &[IslandPart],
        laws: &[ContactLaw],
        progress: &Progress<'_>,
        r: &mut [f64],
    ) -> Result<PivotedIsland, ProblemError> {
        let own_laws = |island: &[usize]| -> Vec<&ContactLaw> {
            let contacts = island.iter().filter(|i| *problem.kind(**i) == RowKind::Contact);
            contacts.map(|i| &laws[problem.law_of(*i)]).collect()
        };
        for IslandPart { blocks: island, part } in parts {
            self.check_rows(part, &own_laws(island))?;
        }
        let mut whole = PivotedIsland { ending: Ending::Solved, iterations: 0, exact: true };
        for IslandPart { blocks: island, part } in parts {
            let own = own_laws(island);
            let mut local: Vec<f64> = island.iter().flat_map(|i| r[problem.range(*i)].to_vec()).collect();
            let time_is_up = || progress.out_of_time();
            let one = self.solve_island(part, &own, progress.stop.tolerance, &mut local, &time_is_up);
            for (k, i) in island.iter().enumerate() {
                r[problem.range(*i)].copy_from_slice(&local[part.range(k)]);
            }
            whole.iterations += one.iterations;
            whole.exact &= one.exact;
            if one.ending != Ending::Solved {
                whole.ending = one.ending;
            }
        }
        Ok(whole)
    }

    /// Refuses an island whose dense matrix would be too large.
    fn check_rows(&self, part: &ContactProblem, laws: &[&ContactLaw]) -> Result<(), ProblemError> {
        let facets = self.variant == PivotingVariant::Facets;
        let count = |i: usize| match part.kind(i) {
            RowKind::Bilateral => 0,
            RowKind::Bounded { .. } => part.w().range(i).len() * if facets { 2 } else { 1 },
            RowKind::Contact if facets && part.w().range(i).len() > 1 => {
                let parts = laws[part.law_of(i)].set().and_then(|set| corners::parts(set, self));
                1 + parts.into_iter().flatten().map(|part| part.corners.len() + 1).sum::<usize>()
            }
            RowKind::Contact => part.w().range(i).len(),
        };
        let rows = (0..part.blocks()).map(count).sum::<usize>();
        if rows <= self.rows {
            return Ok(());
        }
        Err(ProblemError::TooLarge { solver: self.name(), rows, most: self.rows })
    }
}

/// Whether impulses changed by no more than the tolerance allows. Laws that depend smoothly on the slip change for
/// ever, by less and less.
fn settled(before: &[f64], after: &[f64], tolerance: f64) -> bool {
    let size = after.iter().fold(0.0f64, |size, r| size.max(r.abs()));
    before.iter().zip(after).all(|(a, b)| (a - b).abs() <= 0.1 * tolerance * size)
}

/// Whether the box around each set is the set.
fn boxes_are_exact(part: &ContactProblem, laws: &[&ContactLaw]) -> bool {
    use asperity_friction::set::{ConvexSet, FrictionSet};
    let contacts = (0..part.blocks()).filter(|i| *part.kind(*i) == RowKind::Contact && part.w().range(*i).len() > 1);
    contacts.map(|i| laws[part.law_of(i)].set()).all(|set| match set {
        Some(FrictionSet::AsymmetricBox(_)) => true,
        Some(FrictionSet::Ellipse(ellipse)) => ellipse.mu().contains(&0.0),
        Some(set) => set.radius() == 0.0,
        None => false,
    })
}

/// An island: its blocks in the whole problem, and the problem of them alone.
struct IslandPart {
    blocks: Vec<usize>,
    part: ContactProblem,
}

/// How an island ended, or all of them.
#[derive(Clone, Copy)]
struct PivotedIsland {
    ending: Ending,
    iterations: usize,
    exact: bool,
}

impl ContactSolver for Pivoting {
    fn name(&self) -> &'static str {
        match self.variant {
            PivotingVariant::Facets => "pivoting",
            PivotingVariant::Boxes => "pivoting_boxes",
        }
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { facets: self.variant == PivotingVariant::Facets, ..Capabilities::default() }
    }

    fn solve(
        &self,
        problem: &ContactProblem,
        laws: &mut dyn LawSource,
        stop: Stop,
        solution: &mut Solution,
    ) -> Result<SolveReport, ProblemError> {
        self.validate()?;
        self.check(problem, laws.laws())?;
        let mut progress = Progress::begin(problem, laws, stop, solution)?;
        let part = |blocks: Vec<usize>| IslandPart { part: problem.part(&blocks), blocks };
        let mut parts: Vec<IslandPart> = problem.islands().into_iter().map(part).collect();
        // Small ones first: a large one that takes all the time must not leave them unsolved.
        parts.sort_by_key(|island| island.blocks.len());
        let mut r = progress.solution.r.clone();
        let mut iterations = 0;
        let mut status = Status::Iterations;
        for _ in 0..self.rounds {
            if progress.solved() {
                break;
            }
            // A law that was refreshed may have become one that is not taken.
            self.check(problem, laws.laws())?;
            let before = laws.laws().to_vec();
            let last = r.clone();
            let whole = self.solve_round(problem, &parts, &before, &progress, &mut r)?;
            iterations += whole.iterations;
            if whole.ending == Ending::Solved {
                // The solution asked for is this one, even if the start was nearer to a law that was replaced.
                progress.forget();
            }
            progress.offer(laws, &r);
            status = match whole.ending {
                Ending::Solved if whole.exact => Status::Stalled,
                Ending::Solved => Status::Approximated,
                Ending::Ray => Status::Stalled,
                Ending::Pivots => Status::Iterations,
                Ending::Time => Status::Time,
            };
            if whole.ending != Ending::Solved || laws.laws() == before || settled(&last, &r, stop.tolerance) {
                break;
            }
            status = Status::Iterations;
            if progress.out_of_time() {
                break;
            }
        }
        Ok(progress.finish(status, iterations, solution))
    }
}
