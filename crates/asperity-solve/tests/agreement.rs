//! Every law with every solver that takes it, on stacks with redundant contacts: each reaches its accuracy or refuses by its
//! declaration, and velocities agree where several apply (impulses of redundant contacts need not).

mod common;

use asperity_friction::ContactLaw;
use asperity_friction::set::{ConvexSet, SETS};
use asperity_solve::problem::ProblemError;
use asperity_solve::solver::{Admm, Auto, ContactSolver, Frozen, ProxGaussSeidel, Proximal, Solution, Status, Stop};
use common::scenes::{FOUR, pile};
use common::{Body, Rows, problem, velocities};
use glam::DVec3;

/// A tower of cubes, each on four corners of the one below.
fn tower(height: usize, ratio: f64, rows_each: usize) -> (Vec<Body>, Vec<Rows>) {
    pile(height, ratio, FOUR, rows_each, 0.0)
}

fn solvers() -> Vec<Box<dyn ContactSolver>> {
    let sweeps = ProxGaussSeidel { measure_every: 20, ..ProxGaussSeidel::default() };
    vec![Box::new(sweeps), Box::new(Proximal::default()), Box::new(Auto::default())]
}

#[test]
fn every_set_with_every_solver() {
    let (mut solved, mut slow_ones) = (0, 0);
    for set in SETS.iter().flat_map(|e| (e.examples)()) {
        // Coefficients of 1e4 on one axis need more sweeps than a test has time for; they have their own tests.
        if set.radius() > 5.0 {
            continue;
        }
        let (bodies, rows) = tower(3, 10.0, set.rows() + 1);
        let p = problem(&bodies, &rows);
        let laws = vec![ContactLaw::Set(set.clone()); p.contacts()];
        let mut found: Vec<(&str, Vec<(DVec3, DVec3)>)> = Vec::new();
        for solver in solvers() {
            let mut s = Solution::zero(&p);
            let stop = Stop { tolerance: 1e-9, ..Stop::default() };
            match solver.solve(&p, &mut Frozen(laws.clone()), stop, &mut s) {
                Ok(report) if report.status != Status::Solved => {
                    // Sweeps converge linearly, and slowly on thin cones: an honest status with the best iterate.
                    let slow = solver.name() == "prox_gauss_seidel" && report.residual.worst() < 1e-4;
                    assert!(slow, "{} on {set:?}: {report:?}", solver.name());
                    slow_ones += 1;
                }
                Ok(_) => {
                    found.push((solver.name(), velocities(&bodies, &rows, &s.r)));
                    solved += 1;
                }
                Err(other) => panic!("{} on {set:?}: {other}", solver.name()),
            }
        }
        for (name, v) in found.iter().skip(1) {
            for (a, b) in v.iter().zip(&found[0].1) {
                let apart = (a.0 - b.0).length().max((a.1 - b.1).length());
                assert!(apart < 1e-5, "{name} and {} differ by {apart} on {set:?}", found[0].0);
            }
        }
    }
    assert!(solved > 100 && slow_ones < 8, "{solved} solved, {slow_ones} too slow");
}

#[test]
fn tall_towers_and_mass_ratios() {
    for (height, ratio) in [(10, 1.0), (10, 1e4), (6, 1e-4), (30, 1.0)] {
        let (bodies, rows) = tower(height, ratio, 3);
        let p = problem(&bodies, &rows);
        let laws = vec![ContactLaw::from(asperity_friction::set::Disk::new(0.5).unwrap()); p.contacts()];
        let mut s = Solution::zero(&p);
        let report = Auto::default().solve(&p, &mut Frozen(laws), Stop::default(), &mut s).unwrap();
        println!("{height} cubes, mass ratio {ratio}: {report:?}");
        assert_eq!(report.status, Status::Solved, "{height} {ratio}: {report:?}");
    }
}

#[test]
fn a_warm_start_is_used() {
    let (bodies, rows) = tower(5, 1.0, 3);
    let p = problem(&bodies, &rows);
    let laws = vec![ContactLaw::from(asperity_friction::set::Disk::new(0.5).unwrap()); p.contacts()];
    for solver in solvers() {
        let mut s = Solution::zero(&p);
        let cold = solver.solve(&p, &mut Frozen(laws.clone()), Stop::default(), &mut s).unwrap();
        let warm = solver.solve(&p, &mut Frozen(laws.clone()), Stop::default(), &mut s).unwrap();
        assert!(warm.iterations == 0 && cold.iterations > 0, "{}: {cold:?} {warm:?}", solver.name());
    }
}

#[test]
fn islands_are_independent() {
    let (mut bodies, mut rows) = tower(3, 1.0, 3);
    let (more, mut other) = tower(2, 1.0, 3);
    let first = bodies.len();
    bodies.extend(more);
    for r in &mut other {
        r.a += first;
        r.b = r.b.map(|b| b + first);
    }
    rows.extend(other);
    let p = problem(&bodies, &rows);
    let islands = p.islands();
    assert_eq!(islands, vec![(0..12).collect::<Vec<_>>(), (12..20).collect()]);
    let part = p.part(&islands[1]);
    let (alone_bodies, alone_rows) = tower(2, 1.0, 3);
    let alone = problem(&alone_bodies, &alone_rows);
    assert_eq!(part.bias(), alone.bias());
    assert_eq!(part.w(), alone.w());
}

#[test]
fn alternating_directions_stand_on_their_own() {
    // A settled pile: from nothing, a handful of iterations, and the velocities that sweeps find.
    let (mut bodies, rows) = tower(4, 1.0, 3);
    bodies.iter_mut().for_each(|b| b.velocity = DVec3::NEG_Y * 0.0981);
    let p = problem(&bodies, &rows);
    let laws = vec![ContactLaw::from(asperity_friction::set::Disk::new(0.5).unwrap()); p.contacts()];
    let (report, s) = common::solve(&Admm::default(), &p, &laws, 1e-9);
    assert_eq!(report.status, Status::Solved, "{report:?}");
    assert!(report.iterations < 30, "{report:?}");
    let still = velocities(&bodies, &rows, &s.r).iter().all(|(v, w)| v.length().max(w.length()) < 1e-8);
    assert!(still, "a pile that is heavy alone must stay where it is");
}

#[test]
fn the_same_bytes_every_time() {
    let (bodies, rows) = tower(6, 100.0, 3);
    let p = problem(&bodies, &rows);
    let laws = vec![ContactLaw::from(asperity_friction::set::Disk::new(0.4).unwrap()); p.contacts()];
    let run = || common::solve(&Auto::default(), &p, &laws, 1e-8).1.r;
    assert_eq!(run(), run());
}

#[test]
fn nonsense_is_refused() {
    let (bodies, rows) = tower(2, 1.0, 3);
    let p = problem(&bodies, &rows);
    let disk = || ContactLaw::from(asperity_friction::set::Disk::new(0.4).unwrap());
    let attempt = |laws: Vec<ContactLaw>, tolerance: f64| {
        let stop = Stop { tolerance, ..Stop::default() };
        Auto::default().solve(&p, &mut Frozen(laws), stop, &mut Solution::zero(&p))
    };
    assert!(matches!(attempt(vec![disk(); 3], 1e-8), Err(ProblemError::Laws { laws: 3, contacts: 8 })));
    assert!(matches!(attempt(vec![disk(); 8], -1.0), Err(ProblemError::Setting { name: "tolerance", .. })));
    let spin = asperity_friction::set::Ellipsoid::new([0.1; 3], glam::DVec2::X).unwrap();
    assert!(matches!(attempt(vec![spin.into(); 8], 1e-8), Err(ProblemError::LawRows { block: 0, rows: 3, needed: 4 })));
    let from = |r: Vec<f64>| {
        let mut start = Solution { r, u: Vec::new() };
        Auto::default().solve(&p, &mut Frozen(vec![disk(); 8]), Stop::default(), &mut start)
    };
    assert!(from(Vec::new()).is_ok());
    assert!(matches!(from(vec![0.0; 3]), Err(ProblemError::Start { given: 3, rows: 24 })));
    assert!(matches!(from(vec![f64::NAN; 24]), Err(ProblemError::NotFinite { row: 0, .. })));
}
