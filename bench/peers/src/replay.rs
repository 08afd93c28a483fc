//! Stored contact problems of a run, solved with disks and with ellipses in their place.
//!
//! The disk of radius μ becomes the ellipse with semi-axes μ √r along the contact's first tangent and μ / √r across it: the same
//! area, the same geometric mean. Both start from r = 0, since what the run started from is a good guess for disks alone, and are solved to the
//! same tolerance. Disk and ellipse take turns, short solves more often; of all turns the shortest time counts. Times and iterations are
//! those of the problems that both solved; the others are counted.

use std::time::{Duration, Instant};

use asperity_friction::ContactLaw;
use asperity_friction::set::{Ellipse, FrictionSet};
use asperity_solve::problem::files::Snapshot;
use asperity_solve::problem::{ContactProblem, Posed};
use asperity_solve::solver::{ContactSolver, Frozen, Solution, Status, Stop};
use glam::DVec2;
use serde::Serialize;

use crate::ours;

/// r of the header.
const RATIO: f64 = 2.0;
const LONGEST: Duration = Duration::from_secs(20);
/// Each problem is solved for at least so many seconds, with each kind of law, but no more often than this: a clock does not tell microseconds well.
const AT_LEAST: f64 = 0.02;
const MOST: usize = 200;

/// What one kind of law cost on all problems.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Cost {
    pub seconds: f64,
    pub iterations: usize,
    /// Problems that were not solved to the tolerance, and the worst residual.
    pub unsolved: usize,
    pub residual: f64,
}

/// Disks beside ellipses.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Replay {
    pub problems: usize,
    pub contacts: usize,
    pub tolerance: f64,
    /// Problems that both solved.
    pub compared: usize,
    pub disks: Cost,
    pub ellipses: Cost,
    /// Time with ellipses over time with disks, all problems together that both solved, and problem by problem.
    pub ratio: f64,
    pub ratios: Vec<f64>,
}

/// Solves all problems in so many turns.
pub fn replay(snapshots: Vec<Snapshot>, turns: usize, tolerance: f64) -> Result<Replay, String> {
    let mut replay = Replay { tolerance, ..Replay::default() };
    for snapshot in snapshots {
        let Posed { problem, laws: disks, .. } = snapshot.into_problem().map_err(|error| error.to_string())?;
        if disks.is_empty() {
            continue;
        }
        let ellipses = disks.iter().map(ellipse).collect::<Result<Vec<_>, _>>()?;
        replay.problems += 1;
        replay.contacts += disks.len();
        replay.add(&problem, [&disks, &ellipses], turns)?;
    }
    Ok(replay)
}

impl Replay {
    fn add(&mut self, problem: &ContactProblem, laws: [&Vec<ContactLaw>; 2], turns: usize) -> Result<(), String> {
        let mut found = [Cost { seconds: f64::INFINITY, ..Cost::default() }; 2];
        let (mut turn, mut spent) = (0, 0.0);
        while turn < turns.max(1) || turn < MOST && spent < 2.0 * AT_LEAST {
            for (laws, cost) in laws.into_iter().zip(&mut found) {
                let own = once(problem, laws, self.tolerance)?;
                spent += own.seconds;
                *cost = Cost { seconds: cost.seconds.min(own.seconds), ..own };
            }
            turn += 1;
            if found.iter().any(|cost| cost.unsolved > 0) {
                break;
            }
        }
        let both = found.iter().all(|cost| cost.unsolved == 0);
        for (total, own) in [&mut self.disks, &mut self.ellipses].into_iter().zip(found) {
            total.unsolved += own.unsolved;
            total.residual = total.residual.max(own.residual);
            if both {
                total.seconds += own.seconds;
                total.iterations += own.iterations;
            }
        }
        if both {
            self.compared += 1;
            self.ratios.push(found[1].seconds / found[0].seconds);
            self.ratio = self.ellipses.seconds / self.disks.seconds;
        }
        Ok(())
    }
}

fn ellipse(law: &ContactLaw) -> Result<ContactLaw, String> {
    match law {
        ContactLaw::Set(FrictionSet::Disk(disk)) => {
            let mu = disk.mu();
            let set =
                Ellipse::new([mu * RATIO.sqrt(), mu / RATIO.sqrt()], DVec2::X).map_err(|error| error.to_string())?;
            Ok(ContactLaw::Set(set.into()))
        }
        other => Err(format!("not a disk: {other:?}")),
    }
}

fn once(problem: &ContactProblem, laws: &[ContactLaw], tolerance: f64) -> Result<Cost, String> {
    let stop = Stop { tolerance, time: LONGEST, ..Stop::default() };
    let mut laws = Frozen(laws.to_vec());
    let mut solution = Solution::default();
    let began = Instant::now();
    let report = ours::solver().solve(problem, &mut laws, stop, &mut solution).map_err(|error| error.to_string())?;
    let seconds = began.elapsed().as_secs_f64();
    let unsolved = usize::from(report.status != Status::Solved);
    Ok(Cost { seconds, iterations: report.iterations, unsolved, residual: report.residual.worst() })
}
