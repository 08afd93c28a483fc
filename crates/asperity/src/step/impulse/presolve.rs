//! Islands with joints are solved by Newton's method first, from the impulses of the step before.
//!
//! Joints alone, without stops and motors, are one linear system; sweeps would take as many rounds as a chain has links, squared. With
//! contacts, those that acted in the step before are taken to act, and the others to be open; the ones that would then close are added, and
//! it is solved again. In most steps nothing changes and that is all. Contacts that stick and say the same twice, such as the two ends of a wheel's width,
//! make the system singular, and Newton's method slow: after a few steps the proximal-point iteration goes on. What does not get through is left to the
//! solver as it was.

use asperity_solve::problem::{ContactProblem, ProblemError, RowKind};
use asperity_solve::solver::{ContactSolver, LawSource, ModelLaws, Newton, Proximal, Solution, Status, Stop};

/// How much further than the solver joints are solved: it costs nothing, and what is left over opens them.
const MARGIN: f64 = 1e-2;
/// Residuals that are not worth going below: rounding is near.
const LEAST: f64 = 1e-11;
/// Most steps of Newton's method at a time: without contacts, with them, and of the iteration around it; and how often contacts are added.
const STEPS: usize = 30;
const CONTACT_STEPS: usize = 5;
const PROXIMAL_STEPS: usize = 30;
const ROUNDS: usize = 8;

/// Solves the islands with joints; those with contacts too only if `contacts_too`. Answers with the steps it took.
pub(super) fn joints(
    problem: &ContactProblem,
    laws: &ModelLaws,
    stop: Stop,
    contacts_too: bool,
    solution: &mut Solution,
) -> Result<usize, ProblemError> {
    let is_contact = |i: &usize| *problem.kind(*i) == RowKind::Contact;
    let proximal = Proximal { iterations: PROXIMAL_STEPS, ..Proximal::default() };
    let (accepted, stop) =
        (stop.tolerance, Stop { tolerance: (MARGIN * stop.tolerance).max(LEAST), start: None, ..stop });
    let mut iterations = 0;
    let mut u = vec![0.0; problem.rows()];
    for blocks in problem.islands() {
        let count = blocks.iter().filter(|i| is_contact(i)).count();
        if count == blocks.len() || count > 0 && !contacts_too {
            continue;
        }
        let steps = if count > 0 { CONTACT_STEPS } else { STEPS };
        let newton = Newton { iterations: steps, ..Newton::default() };
        let normal = |i: usize| problem.range(i).start;
        let mut r = solution.r.clone();
        let mut acts: Vec<bool> = blocks.iter().map(|i| !is_contact(i) || r[normal(*i)] > 0.0).collect();
        for _ in 0..ROUNDS {
            let chosen: Vec<usize> = blocks.iter().zip(&acts).filter(|(_, acts)| **acts).map(|(i, _)| *i).collect();
            let numbers: Vec<usize> = chosen.iter().filter(|i| is_contact(i)).map(|i| problem.law_of(*i)).collect();
            let part = problem.part(&chosen);
            let mut own = Solution::zero(&part);
            for (k, i) in chosen.iter().enumerate() {
                own.r[part.range(k)].copy_from_slice(&r[problem.range(*i)]);
            }
            let mut report = newton.solve(&part, &mut *laws.part(&numbers), stop, &mut own)?;
            iterations += report.iterations;
            if count > 0 && report.status != Status::Solved {
                report = proximal.solve(&part, &mut *laws.part(&numbers), stop, &mut own)?;
                iterations += report.iterations;
            }
            // Further than the tolerance is more than can be asked of every problem.
            if report.status != Status::Solved && report.residual.worst() > accepted {
                break;
            }
            blocks.iter().for_each(|i| r[problem.range(*i)].fill(0.0));
            for (k, i) in chosen.iter().enumerate() {
                r[problem.range(*i)].copy_from_slice(&own.r[part.range(k)]);
            }
            problem.velocities(&r, &mut u);
            let mut closed = false;
            for (i, acts) in blocks.iter().zip(&mut acts).filter(|(_, acts)| !**acts) {
                *acts = u[normal(*i)] < 0.0;
                closed |= *acts;
            }
            if !closed {
                solution.r.copy_from_slice(&r);
                break;
            }
        }
    }
    Ok(iterations)
}
