//! Performance profiles of solvers (Dolan and Moré 2002).
//!
//! Solver s takes the time t(p, s) for problem p; infinite if it does not solve it. Its ratio is
//! ϱ(p, s) = t(p, s) / min over s' of t(p, s'), and its profile the share of all problems with ϱ(p, s) ≤ τ, a function of
//! τ ≥ 1. At τ = 1 it is how often the solver is the fastest (ties count for all), at large τ how many problems it
//! solves. Problems that no solver solves count too: no profile reaches 1 then.

use asperity_solve::solver::SolverEntry;

use super::record::Record;

/// Shorter times are taken for this one: no clock tells them apart, and zero has no ratio.
const SHORTEST: f64 = 1e-9;

/// The profile of one solver.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Profile {
    /// ϱ of the problems it solves, sorted.
    ratios: Vec<f64>,
    /// All problems, solved or not.
    problems: usize,
}

impl Profile {
    /// The profiles of all solvers; `times` has a row for each problem, with the seconds of each solver or `None` where it
    /// did not solve it.
    pub(crate) fn of_times(times: &[Vec<Option<f64>>], solvers: usize) -> Vec<Self> {
        let mut profiles = vec![Self { ratios: Vec::new(), problems: times.len() }; solvers];
        for row in times {
            // A time that is no number is none.
            let seconds = |time: Option<f64>| time.filter(|t| t.is_finite()).map(|t| t.max(SHORTEST));
            let best = row.iter().filter_map(|t| seconds(*t)).fold(f64::INFINITY, f64::min);
            for (profile, time) in profiles.iter_mut().zip(row) {
                profile.ratios.extend(seconds(*time).map(|t| t / best));
            }
        }
        profiles.iter_mut().for_each(|profile| profile.ratios.sort_by(f64::total_cmp));
        profiles
    }

    /// The profiles of `solvers`, from records that list them in this order for one problem after the other.
    pub(crate) fn of_records(records: &[Record], solvers: &[&SolverEntry]) -> Vec<Self> {
        let time = |record: &Record| record.solved.then_some(record.seconds);
        let times: Vec<_> = records.chunks(solvers.len().max(1)).map(|row| row.iter().map(time).collect()).collect();
        Self::of_times(&times, solvers.len())
    }

    /// The share of problems solved within `tau` times the time of the fastest solver.
    pub(crate) fn share(&self, tau: f64) -> f64 {
        self.count(tau) as f64 / self.problems.max(1) as f64
    }

    /// How many problems these are.
    pub(crate) fn count(&self, tau: f64) -> usize {
        self.ratios.partition_point(|ratio| *ratio <= tau)
    }

    /// How many problems it solves.
    pub(crate) fn solved(&self) -> usize {
        self.ratios.len()
    }

    /// The largest ratio of a problem that it solves.
    pub(crate) fn largest(&self) -> Option<f64> {
        self.ratios.last().copied()
    }

    /// The corners of its graph from τ = 1 to `end`: (τ, share), two where it jumps.
    pub(crate) fn corners(&self, end: f64) -> Vec<[f64; 2]> {
        let mut corners = vec![[1.0, self.share(1.0)]];
        let mut jumps: Vec<f64> = self.ratios.iter().copied().filter(|ratio| *ratio > 1.0 && *ratio <= end).collect();
        jumps.dedup();
        for tau in jumps {
            let before = corners[corners.len() - 1][1];
            corners.extend([[tau, before], [tau, self.share(tau)]]);
        }
        corners.push([end, self.share(end)]);
        corners
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three solvers on four problems; the last solves nothing, nobody solves the fourth problem.
    fn profiles() -> Vec<Profile> {
        let none = None;
        let times = [
            vec![Some(1.0), Some(2.0), none],
            vec![Some(6.0), Some(2.0), none],
            vec![Some(5.0), none, none],
            vec![none, none, none],
        ];
        Profile::of_times(&times, 3)
    }

    #[test]
    fn shares_are_those_counted_by_hand() {
        let [first, second, third] = &profiles()[..] else { panic!("three solvers") };
        // Ratios: 1, 3, 1, inf and 2, 1, inf, inf.
        let taus = [1.0, 1.5, 2.0, 2.99, 3.0, 1e300];
        assert_eq!(taus.map(|tau| first.share(tau)), [0.5, 0.5, 0.5, 0.5, 0.75, 0.75]);
        assert_eq!(taus.map(|tau| second.share(tau)), [0.25, 0.25, 0.5, 0.5, 0.5, 0.5]);
        assert_eq!(taus.map(|tau| third.share(tau)), [0.0; 6]);
        assert_eq!([first.solved(), second.solved(), third.solved()], [3, 2, 0]);
        assert_eq!([first.largest(), second.largest(), third.largest()], [Some(3.0), Some(2.0), None]);
    }

    #[test]
    fn the_graph_jumps_at_the_ratios() {
        let [first, second, third] = &profiles()[..] else { panic!("three solvers") };
        assert_eq!(first.corners(8.0), [[1.0, 0.5], [3.0, 0.5], [3.0, 0.75], [8.0, 0.75]]);
        assert_eq!(second.corners(8.0), [[1.0, 0.25], [2.0, 0.25], [2.0, 0.5], [8.0, 0.5]]);
        assert_eq!(third.corners(8.0), [[1.0, 0.0], [8.0, 0.0]]);
    }

    #[test]
    fn ties_count_for_all() {
        let times = [vec![Some(0.1), Some(0.1)], vec![Some(0.3), Some(0.3)], vec![Some(0.1), Some(0.7)]];
        let found = Profile::of_times(&times, 2);
        assert_eq!([found[0].share(1.0), found[1].count(1.0) as f64], [1.0, 2.0]);
        // Two equal ratios are one jump.
        let twice = Profile::of_times(&[vec![Some(1.0), Some(2.0)], vec![Some(2.0), Some(4.0)]], 2);
        assert_eq!(twice[1].corners(4.0), [[1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [4.0, 1.0]]);
    }

    #[test]
    fn times_without_a_ratio_are_no_trouble() {
        let times = [vec![Some(0.0), Some(0.0)], vec![Some(f64::NAN), Some(1.0)], vec![Some(f64::INFINITY), None]];
        let found = Profile::of_times(&times, 2);
        assert_eq!([found[0].solved(), found[1].solved()], [1, 2]);
        assert_eq!(found[1].largest(), Some(1.0));
        assert_eq!(Profile::of_times(&[], 1)[0].share(1.0), 0.0);
    }
}
