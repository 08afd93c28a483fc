//! Stored contact problems of a run, solved with disks and with ellipses in their place.
//!
//! The disk of radius μ becomes the ellipse with semi-axes μ √r along the contact's first tangent and μ / √r across it: the same
//! area, the same geometric mean. Both start from r = 0, since what the run started from is a good guess for disks alone. Disk and
//! ellipse take turns; of all turns the shortest time counts.

use std::time::{Duration, Instant};

use asperity::step::ImpulseSettings;
use asperity_friction::ContactLaw;
use asperity_friction::set::{Ellipse, FrictionSet};
use asperity_solve::problem::ContactProblem;
use asperity_solve::problem::files::Snapshot;
use asperity_solve::solver::{ContactSolver, Frozen, Solution, Status, Stop};
use glam::DVec2;
use serde::Serialize;

use crate::ours;

/// r of the header.
const RATIO: f64 = 2.0;
/// The stepper solves further than its tolerance; so does this.
const MARGIN: f64 = 0.1;
const LONGEST: Duration = Duration::from_secs(60);

/// What one kind of law cost on all problems.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Cost {
    pub seconds: f64,
    pub iterations: usize,
    pub unsolved: usize,
    pub residual: f64,
}

/// Disks beside ellipses.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Replay {
    pub problems: usize,
    pub contacts: usize,
    pub disks: Cost,
    pub ellipses: Cost,
    /// Time with ellipses over time with disks, all problems together, and problem by problem.
    pub ratio: f64,
    pub ratios: Vec<f64>,
}

/// Solves all problems in so many turns.
pub fn replay(snapshots: Vec<Snapshot>, turns: usize) -> Result<Replay, String> {
    let mut replay = Replay::default();
    for snapshot in snapshots {
        let (problem, disks, _) = snapshot.into_problem().map_err(|error| error.to_string())?;
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
        let mut shortest = [f64::INFINITY; 2];
        for turn in 0..turns.max(1) {
            for ((laws, cost), shortest) in
                laws.into_iter().zip([&mut self.disks, &mut self.ellipses]).zip(&mut shortest)
            {
                let own = once(problem, laws)?;
                *shortest = shortest.min(own.seconds);
                if turn == 0 {
                    cost.iterations += own.iterations;
                    cost.unsolved += own.unsolved;
                    cost.residual = cost.residual.max(own.residual);
                }
            }
        }
        self.disks.seconds += shortest[0];
        self.ellipses.seconds += shortest[1];
        self.ratios.push(shortest[1] / shortest[0]);
        self.ratio = self.ellipses.seconds / self.disks.seconds;
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

fn once(problem: &ContactProblem, laws: &[ContactLaw]) -> Result<Cost, String> {
    let stop = Stop { tolerance: MARGIN * ImpulseSettings::default().tolerance, time: LONGEST, ..Stop::default() };
    let mut laws = Frozen(laws.to_vec());
    let mut solution = Solution::default();
    let began = Instant::now();
    let report = ours::solver().solve(problem, &mut laws, stop, &mut solution).map_err(|error| error.to_string())?;
    let seconds = began.elapsed().as_secs_f64();
    let unsolved = usize::from(report.status != Status::Solved);
    Ok(Cost { seconds, iterations: report.iterations, unsolved, residual: report.residual.worst() })
}
