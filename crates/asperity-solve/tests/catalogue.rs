//! Every solver of the list, with its default settings: a closed form that all of them must reach, warm starts, refusals.

mod common;

use asperity_friction::ContactLaw;
use asperity_friction::set::{AsymmetricBox, ConvexSet, Disk, SETS};
use asperity_solve::problem::{BlockMatrix, ContactProblem, ProblemError, Residual, RowKind};
use asperity_solve::solver::{Frozen, SOLVERS, Solution, SolverOptions, Status, Stop};
use common::scenes::{DT, G, beside_fixed, clamped, puck, slip_rule};
use common::{problem, solve, velocities};
use glam::{DVec2, DVec3};

fn disk() -> ContactLaw {
    Disk::new(0.3).unwrap().into()
}

/// A puck that slides along t: there a polygon or a box around a disk resists as the disk does.
fn sliding() -> ContactProblem {
    let (bodies, rows) = puck(DVec3::X, 3);
    problem(&bodies, &rows)
}

#[test]
fn names_are_those_of_the_solvers_and_each_is_there_once() {
    let names: Vec<&str> = SOLVERS.iter().map(|s| s.name).collect();
    assert!(SOLVERS.iter().all(|s| (s.make)(&SolverOptions::default()).name() == s.name && !s.summary.is_empty()));
    assert!(names.iter().all(|name| names.iter().filter(|n| n == &name).count() == 1), "{names:?}");
    assert_eq!(names[0], "auto");
}

#[test]
fn every_solver_brakes_a_sliding_puck() {
    let (bodies, rows) = puck(DVec3::X, 3);
    for entry in SOLVERS {
        let (report, s) = solve(&*(entry.make)(&SolverOptions::default()), &sliding(), &[disk()], 1e-9);
        assert_eq!(report.status, Status::Solved, "{}: {report:?}", entry.name);
        let v = velocities(&bodies, &rows, &s.r)[0].0;
        assert!((v - DVec3::X * (1.0 - 0.3 * G * DT)).length() < 1e-8, "{}: {v}", entry.name);
    }
}

#[test]
fn every_solver_starts_from_what_it_is_given() {
    let p = sliding();
    for entry in SOLVERS {
        let mut s = Solution { r: vec![G * DT, -0.3 * G * DT, 0.0], u: Vec::new() };
        let report = (entry.make)(&SolverOptions::default())
            .solve(&p, &mut Frozen(vec![disk()]), Stop::default(), &mut s)
            .unwrap();
        assert_eq!((report.status, report.iterations), (Status::Solved, 0), "{}", entry.name);
        assert!((s.u[1] - (1.0 - 0.3 * G * DT)).abs() < 1e-12, "{}: {:?}", entry.name, s.u);
    }
}

#[test]
fn a_contact_between_fixed_bodies_spoils_no_other() {
    for entry in SOLVERS {
        let (report, s) = solve(&*(entry.make)(&SolverOptions::default()), &beside_fixed(0.1), &[disk(), disk()], 1e-9);
        assert_eq!(report.status, Status::Solved, "{}: {report:?}", entry.name);
        let still = s.r[3..].iter().all(|r| r.abs() < 1e-15);
        assert!((s.r[1] + 0.3).abs() < 1e-8 && still, "{}: {:?}", entry.name, s.r);
    }
}

#[test]
fn a_residual_of_a_start_that_is_not_there_is_not_believed() {
    let p = sliding();
    for entry in SOLVERS {
        let mut s = Solution::default();
        let stop = Stop { start: Some(Residual { raw: 0.0, scaled: 0.0 }), ..Stop::default() };
        let report =
            (entry.make)(&SolverOptions::default()).solve(&p, &mut Frozen(vec![disk()]), stop, &mut s).unwrap();
        assert!(report.iterations > 0 && s.r[0] > 0.0, "{}: {report:?} {s:?}", entry.name);
    }
}

#[test]
fn what_has_no_solution_is_not_called_solved() {
    // Impulses that grow without bound make any error small beside them.
    for entry in SOLVERS {
        for p in [clamped(), beside_fixed(-0.1)] {
            let mut s = Solution::zero(&p);
            let stop = Stop { time: std::time::Duration::from_millis(300), ..Stop::default() };
            let report = (entry.make)(&SolverOptions::default())
                .solve(&p, &mut Frozen(vec![disk(), disk()]), stop, &mut s)
                .unwrap();
            let claimed = matches!(report.status, Status::Solved | Status::Approximated);
            assert!(!claimed, "{}: {report:?} {s:?}", entry.name);
            assert!(s.r.iter().chain(&s.u).all(|x| x.is_finite()), "{}: {s:?}", entry.name);
        }
    }
}

#[test]
fn a_ram_that_is_guided_still_rubs() {
    // A ram that moves along the normal alone, on a belt that moves: friction changes no velocity, but is there.
    let w = BlockMatrix::from_entries(&[0, 3], [(0, 0, 2.0)].into_iter());
    let p = ContactProblem::new(w, vec![-1.0, 0.4, 0.0], vec![RowKind::Contact]).unwrap();
    for entry in SOLVERS {
        // Boxes and polygons have a whole side to choose from where the belt moves straight at it.
        if entry.name.starts_with("pivoting") {
            continue;
        }
        let (report, s) = solve(&*(entry.make)(&SolverOptions::default()), &p, &[disk()], 1e-9);
        assert_eq!(report.status, Status::Solved, "{}: {report:?} {s:?}", entry.name);
        assert!((s.r[0] - 0.5).abs() < 1e-8 && (s.r[1] + 0.15).abs() < 1e-8, "{}: {:?}", entry.name, s.r);
    }
}

#[test]
fn laws_are_taken_or_refused_by_name() {
    let p = sliding();
    let turned = AsymmetricBox::new(DVec2::splat(0.4), DVec2::splat(0.4), DVec2::from_angle(0.4)).unwrap();
    let planar = SETS.iter().flat_map(|e| (e.examples)()).filter(|set| set.rows() == 2 && set.radius() < 5.0);
    for law in planar.map(ContactLaw::Set).chain([slip_rule(), turned.into()]) {
        for entry in SOLVERS {
            let mut s = Solution::zero(&p);
            match (entry.make)(&SolverOptions::default()).solve(
                &p,
                &mut Frozen(vec![law.clone()]),
                Stop::default(),
                &mut s,
            ) {
                Ok(report) => {
                    let solved = matches!(report.status, Status::Solved | Status::Approximated);
                    assert!(solved, "{} with {law:?}: {report:?}", entry.name);
                }
                Err(ProblemError::Refused { contact: 0, solver, .. }) => {
                    // Those that say so in the list.
                    assert_eq!(solver, entry.name);
                    let said = ["sets", "disks only"].iter().any(|part| entry.summary.contains(part));
                    assert!(said, "{} refuses {law:?}", entry.name);
                }
                Err(other) => panic!("{} with {law:?}: {other}", entry.name),
            }
        }
    }
}
