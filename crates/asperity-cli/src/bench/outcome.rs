//! What a run with one solver came to, and how far it is from that of the reference.
//!
//! **Distance.** d = max_i |x_i − y_i| / L over the bodies i that forces move, x_i and y_i the places of their origins at the end of the two runs. L is the longest path
//! of a body in the run of the reference, or the radius of the largest moving body if that is longer: what stays is measured by its size.
//! The component of x_i − y_i along the straight line from start to end of y_i, divided by L, is reported as well. Polygons with n corners in the place of
//! smooth sets have an error of O(1/n) across the motion, since the force jumps from corner to corner, and of O(1/n²) along it, where the dissipation decides.

use std::time::{Duration, Instant};

use asperity::run::Run;
use asperity::scene::Scene;
use glam::DVec3;
use serde::Serialize;

/// A run of one scene with one solver.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Outcome {
    pub(super) scene: String,
    pub(super) solver: String,
    /// From the run of the reference; `None` if one of the two was stopped.
    pub(super) distance: Option<f64>,
    /// Its component along the motion.
    pub(super) along: Option<f64>,
    /// Expectations that hold, and how many there are.
    pub(super) held: usize,
    pub(super) expected: usize,
    /// Names of those that do not.
    pub(super) missed: Vec<String>,
    /// Milliseconds a step.
    pub(super) milliseconds: f64,
    pub(super) steps: usize,
    pub(super) worst_residual: f64,
    /// Steps that were not solved to the tolerance.
    pub(super) unsolved: usize,
    /// When and why it was stopped before its end.
    pub(super) stopped: Option<String>,
}

/// Where the bodies of a run ended, and the length that distances are divided by.
pub(super) struct Ends {
    /// First and last place of each moving body.
    places: Vec<[DVec3; 2]>,
    length: f64,
}

impl Ends {
    fn of(run: &Run) -> Self {
        let (bodies, frames) = (run.recording().bodies(), run.recording().frames());
        let model = &run.scene().model;
        let moving = || bodies.iter().enumerate().filter(|(i, _)| model.bodies[*i].is_dynamic());
        let place = |frame: &asperity::record::Frame, i: usize| frame.states[i].pose.position;
        let path = |i: usize| frames.windows(2).map(|w| place(&w[0], i).distance(place(&w[1], i))).sum::<f64>();
        let radius =
            |skin: &asperity::geometry::SkinMesh| skin.positions.iter().map(|p| p.length()).fold(0.0, f64::max);
        let length = moving().map(|(i, body)| path(i).max(radius(&body.skin))).fold(f64::MIN_POSITIVE, f64::max);
        let ends = frames.first().zip(frames.last());
        let places = ends.map_or_else(Vec::new, |(a, b)| moving().map(|(i, _)| [place(a, i), place(b, i)]).collect());
        Self { places, length }
    }

    /// d of another run, and its component along the motion of this one.
    fn distance(&self, other: &Self) -> [f64; 2] {
        let mut worst = [0.0f64; 2];
        for ([start, end], [_, there]) in self.places.iter().zip(&other.places) {
            let (way, off) = ((*end - *start).normalize_or_zero(), *there - *end);
            worst = [worst[0].max(off.length()), worst[1].max(off.dot(way).abs())];
        }
        worst.map(|d| d / self.length)
    }
}

/// A run to make, and what to compare it with.
pub(super) struct Task<'a> {
    pub(super) title: &'a str,
    pub(super) solver: &'a str,
    /// Longest time that it may take.
    pub(super) limit: Duration,
    /// Where the bodies of the reference ended; `None` if this is the reference.
    pub(super) reference: Option<&'a Ends>,
}

/// A run that was made.
pub(super) struct Made {
    pub(super) outcome: Outcome,
    /// `None` if it was stopped before its end.
    pub(super) ends: Option<Ends>,
}

impl Task<'_> {
    /// Runs a scene to its end, or as far as it goes. `step` is told after each step, and answers whether to go on.
    pub(super) fn run(&self, scene: Scene, mut step: impl FnMut(&Run) -> bool) -> Made {
        let mut outcome = Outcome {
            scene: self.title.into(),
            solver: self.solver.into(),
            distance: None,
            along: None,
            held: 0,
            expected: scene.expect.len(),
            missed: Vec::new(),
            milliseconds: 0.0,
            steps: 0,
            worst_residual: 0.0,
            unsolved: 0,
            stopped: None,
        };
        let mut run = match Run::new(scene) {
            Ok(run) => run,
            Err(error) => {
                outcome.stopped = Some(format!("before its first step: {error}"));
                return Made { outcome, ends: None };
            }
        };
        let began = Instant::now();
        while !run.is_done() && outcome.stopped.is_none() {
            if let Err(error) = run.step() {
                outcome.stopped = Some(error.to_string());
            } else if began.elapsed() > self.limit && !run.is_done() {
                outcome.stopped =
                    Some(format!("at t = {:.4} s: it took more than {} s", run.state().time, self.limit.as_secs_f64()));
            }
            if !step(&run) {
                outcome.stopped = Some(format!("at t = {:.4} s: by a signal", run.state().time));
            }
        }
        let summary = match run.summary() {
            Ok(summary) => summary,
            Err(error) => {
                outcome.stopped = Some(error.to_string());
                return Made { outcome, ends: None };
            }
        };
        outcome.steps = summary.totals.steps;
        outcome.unsolved = summary.totals.unconverged;
        outcome.milliseconds = 1e3 * summary.timings.total / outcome.steps.max(1) as f64;
        outcome.worst_residual = run.rows().iter().map(|row| row.residual).fold(0.0, f64::max);
        if outcome.stopped.is_some() {
            return Made { outcome, ends: None };
        }
        outcome.held = summary.expectations.iter().filter(|e| e.pass).count();
        outcome.missed = summary.expectations.iter().filter(|e| !e.pass).map(|e| e.name.clone()).collect();
        let ends = Ends::of(&run);
        let off = self.reference.map(|reference| reference.distance(&ends));
        [outcome.distance, outcome.along] = [off.map(|d| d[0]), off.map(|d| d[1])];
        Made { outcome, ends: Some(ends) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_is_the_worst_body_over_the_length() {
        let ends = |places: &[[f64; 3]]| Ends {
            places: places.iter().map(|p| [DVec3::ZERO, DVec3::from_array(*p)]).collect(),
            length: 2.0,
        };
        let (a, b) = (ends(&[[0.0; 3], [1.0, 0.0, 0.0]]), ends(&[[0.0, 0.1, 0.0], [1.3, 0.0, 0.4]]));
        let [all, along] = a.distance(&b);
        assert!((all - 0.25).abs() < 1e-15 && (along - 0.15).abs() < 1e-15, "{all} {along}");
        assert_eq!(a.distance(&a), [0.0; 2]);
    }
}
