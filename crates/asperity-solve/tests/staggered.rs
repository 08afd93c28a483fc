//! Staggered projections: closed forms, both forms of the friction step, agreement with the other solvers, and turns that do
//! not converge.

mod common;

use asperity_friction::ContactLaw;
use asperity_friction::set::{AsymmetricBox, ConvexSet, Disk, Ellipse, Ellipsoid, Rolling, SETS};
use asperity_solve::problem::{ContactProblem, ProblemError, RowKind, residual};
use asperity_solve::solver::{Auto, ContactSolver, Frozen, Solution, Staggered, Status, Stop};
use common::scenes::{
    DT, FOUR, G, Softening, THREE, beside_fixed, box_on_incline, clamped, empty, leaning_pile, puck, rod, slip_rule,
    softened,
};
use common::{Body, Rows, problem, solve, velocities};
use glam::{DVec2, DVec3};

fn both() -> [Staggered; 2] {
    [Staggered::default(), Staggered::polar()]
}

fn disk(mu: f64) -> ContactLaw {
    Disk::new(mu).unwrap().into()
}

#[test]
fn a_block_sticks_or_slides_where_it_should() {
    let tilt = 10f64.to_radians();
    for mu in [0.1, 0.17, 0.18, 0.6] {
        let (bodies, rows) = box_on_incline(tilt);
        let p = problem(&bodies, &rows);
        for solver in both() {
            let (report, s) = solve(&solver, &p, &vec![disk(mu); 4], 1e-11);
            assert_eq!(report.status, Status::Solved, "{} {mu}: {report:?}", solver.name());
            let (v, w) = velocities(&bodies, &rows, &s.r)[0];
            let expected = -(G * DT * (tilt.sin() - mu * tilt.cos())).max(0.0);
            assert!((v - DVec3::X * expected).length() < 1e-9 && w.length() < 1e-9, "{} {mu}: {v}", solver.name());
        }
    }
}

#[test]
fn a_puck_is_braked_along_its_way_at_any_angle() {
    // Friction is exactly opposite to the slip: no facets.
    for k in 0..12 {
        let (d, mu) = (DVec2::from_angle(0.3 + 0.5 * f64::from(k)), 0.4);
        let (bodies, rows) = puck(DVec3::new(d.x, 0.0, -d.y), 3);
        for solver in both() {
            let (report, s) = solve(&solver, &problem(&bodies, &rows), &[disk(mu)], 1e-12);
            assert_eq!(report.status, Status::Solved);
            let impulse = DVec2::new(s.r[1], s.r[2]);
            assert!((impulse + d * (mu * G * DT)).length() < 1e-13, "{}: {impulse}", solver.name());
        }
    }
}

#[test]
fn forward_is_not_backward() {
    let law = ContactLaw::from(AsymmetricBox::new(DVec2::new(0.6, 0.2), DVec2::new(0.1, 0.3), DVec2::X).unwrap());
    for (velocity, brake) in [(DVec3::X, DVec3::X * -0.1), (DVec3::NEG_X, DVec3::X * 0.6)] {
        let (bodies, rows) = puck(velocity, 3);
        let (report, s) = solve(&Staggered::default(), &problem(&bodies, &rows), std::slice::from_ref(&law), 1e-12);
        assert_eq!(report.status, Status::Solved);
        let v = velocities(&bodies, &rows, &s.r)[0].0;
        assert!((v - velocity - brake * (G * DT)).length() < 1e-12, "{v}");
    }
}

#[test]
fn spin_and_rolling_have_their_closed_forms() {
    // A ball that spins about the normal is braked by the drilling torque.
    let mut ball = Body::ball(2.0, 0.1, DVec3::Y * 0.1);
    ball.velocity = DVec3::NEG_Y * (G * DT);
    ball.spin = DVec3::Y * 5.0;
    let rows = [Rows::contact(0, None, DVec3::ZERO, DVec3::Y, DVec3::X, 4)];
    let law = ContactLaw::from(Ellipsoid::new([0.5, 0.5, 0.01], DVec2::X).unwrap());
    let (report, s) = solve(&Staggered::default(), &problem(&[ball], &rows), &[law], 1e-11);
    assert_eq!(report.status, Status::Solved);
    let after = velocities(&[ball], &rows, &s.r)[0].1.y;
    assert!((after - (5.0 - 0.01 * 2.0 * G * DT / (0.4 * 2.0 * 0.01))).abs() < 1e-9, "{after}");
    // A ball on a slope is held by rolling resistance, or rolls with what is left: a = (g sin - g cos rho/R) / 1.4.
    let (radius, rho) = (0.1, 0.005);
    for (slope, rolls) in [(0.9 * rho / radius, 0.0), (1.5 * rho / radius, 1.0)] {
        let tilt = f64::atan(slope);
        let mut ball = Body::ball(1.0, radius, DVec3::Y * radius);
        ball.velocity = DVec3::new(-tilt.sin(), -tilt.cos(), 0.0) * (G * DT);
        let rows = [Rows::contact(0, None, DVec3::ZERO, DVec3::Y, DVec3::X, 6)];
        let set = Rolling::new(Disk::new(0.6).unwrap().into(), Ellipse::new([rho; 2], DVec2::X).unwrap()).unwrap();
        let (report, s) = solve(&Staggered::default(), &problem(&[ball], &rows), &[set.into()], 1e-11);
        assert_eq!(report.status, Status::Solved);
        let v = velocities(&[ball], &rows, &s.r)[0].0;
        let expected = -rolls * G * DT * (tilt.sin() - tilt.cos() * rho / radius) / 1.4;
        assert!((v.x - expected).abs() < 1e-9, "{v} {expected}");
    }
}

#[test]
fn a_redundant_joint_and_a_contact_in_one_solve() {
    let mut bodies = vec![Body::ball(1.0, 0.5, DVec3::Y * 0.5), Body::ball(3.0, 0.5, DVec3::Y * 1.5)];
    bodies.iter_mut().for_each(|b| b.velocity = DVec3::NEG_Y);
    let joint = Rows::ball_joint(1, Some(0), DVec3::Y);
    let rows = vec![joint.clone(), Rows::contact(0, None, DVec3::ZERO, DVec3::Y, DVec3::X, 3), joint];
    let p = problem(&bodies, &rows);
    for solver in both() {
        let (report, s) = solve(&solver, &p, &[disk(0.3)], 1e-12);
        assert_eq!(report.status, Status::Solved, "{}: {report:?}", solver.name());
        let after = velocities(&bodies, &rows, &s.r);
        assert!(after.iter().all(|(v, w)| v.length() < 1e-11 && w.length() < 1e-11), "{after:?}");
        assert!((s.r[3] - 4.0).abs() < 1e-11, "the ground stops both: {}", s.r[3]);
    }
}

#[test]
fn a_motor_presses_a_block_that_slides() {
    // A bounded row pushes the puck down with its bound: the load, and with it friction, grows by so much.
    let (mut bodies, mut rows) = puck(DVec3::X, 3);
    bodies[0].velocity = DVec3::new(1.0, -G * DT, 0.0);
    let kind = RowKind::Bounded { lower: vec![0.0], upper: vec![0.2] };
    // The row asks for a speed of 1 m/s downwards, which the ground forbids: it pushes along -y as hard as it may.
    rows.push(Rows { kind, a: 0, b: None, point: DVec3::ZERO, directions: vec![(DVec3::NEG_Y, DVec3::ZERO)] });
    let base = problem(&bodies, &rows);
    let mut bias = base.bias().to_vec();
    bias[3] -= 1.0;
    let kinds = (0..2).map(|i| base.kind(i).clone()).collect();
    let p = ContactProblem::new(base.w().clone(), bias, kinds).unwrap();
    for solver in both() {
        let (report, s) = solve(&solver, &p, &[disk(0.5)], 1e-12);
        assert_eq!(report.status, Status::Solved, "{report:?}");
        let load = G * DT + 0.2;
        let expected = [load, -0.5 * load, 0.0, 0.2];
        assert!(s.r.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{:?}", s.r);
    }
}

#[test]
fn a_contact_without_friction_rows() {
    let (bodies, rows) = puck(DVec3::X, 1);
    for solver in both() {
        let (report, s) = solve(&solver, &problem(&bodies, &rows), &[disk(0.5)], 1e-12);
        assert!(report.status == Status::Solved && (s.r[0] - G * DT).abs() < 1e-15, "{report:?}");
    }
}

#[test]
fn every_set_agrees_with_the_default_solver_on_piles() {
    let (mut agreed, mut others, mut open) = (0, 0, 0);
    for (feet, (height, ratio)) in
        [(2, 1.0), (3, 100.0), (4, 1e4), (4, 1e-4)].into_iter().flat_map(|pile| [(THREE, pile), (FOUR, pile)])
    {
        for set in SETS.iter().flat_map(|e| (e.examples)()) {
            // Spin and rolling are swept by the default solver: to less accuracy, on low piles.
            let planar = set.rows() == 2;
            if set.radius() > 5.0 || (!planar && height > 2) {
                continue;
            }
            let (bodies, rows) = leaning_pile(height, ratio, feet, set.rows() + 1);
            let p = problem(&bodies, &rows);
            let laws = vec![ContactLaw::Set(set.clone()); p.contacts()];
            let tolerance = if planar { 1e-9 } else { 1e-7 };
            let (report, mine) = solve(&Staggered::default(), &p, &laws, tolerance);
            if report.status != Status::Solved {
                // Turns are not guaranteed to converge; the best iterate is near.
                assert!(report.residual.worst() < 1e-4, "{set:?} {height} {ratio}: {report:?}");
                open += 1;
                continue;
            }
            let (status, peer) = solve(&Auto::default(), &p, &laws, tolerance);
            assert_eq!(status.status, Status::Solved, "{set:?} {height} {ratio}");
            let apart = velocities(&bodies, &rows, &mine.r).into_iter().zip(velocities(&bodies, &rows, &peer.r));
            let apart = apart.map(|(a, b)| (a.0 - b.0).length().max((a.1 - b.1).length())).fold(0.0, f64::max);
            if apart < if planar { 1e-5 } else { 1e-4 } {
                agreed += 1;
            } else {
                // Loads of four corners can be shared in many ways: another solution, as good.
                let found = residual(&p, &laws, p.scales(), &mine.r, &mine.u).worst();
                assert!(feet == FOUR && found <= tolerance, "{apart:e} {set:?} {height} {ratio}");
                others += 1;
            }
        }
    }
    println!("{agreed} agreed, {others} other solutions, {open} not converged");
    assert!(agreed > 250 && others < 20 && open < 10, "{agreed} {others} {open}");
}

#[test]
fn both_forms_take_the_same_turns() {
    // The friction problem of a turn has one set of velocities: plain turns from the same start go the same way.
    for (height, ratio) in [(2, 1.0), (3, 10.0)] {
        let (bodies, rows) = leaning_pile(height, ratio, THREE, 3);
        let p = problem(&bodies, &rows);
        let laws = vec![disk(0.05); p.contacts()];
        for rounds in [1, 2, 5] {
            let run = |solver: Staggered| {
                let solver = Staggered { memory: 0, rounds, ..solver };
                velocities(&bodies, &rows, &solve(&solver, &p, &laws, 1e-12).1.r)
            };
            let [a, b] = both().map(run);
            let apart =
                a.iter().zip(&b).map(|(a, b)| (a.0 - b.0).length().max((a.1 - b.1).length())).fold(0.0, f64::max);
            assert!(apart < 1e-9, "{height} {rounds}: {apart:e}");
        }
    }
}

#[test]
fn foresight_saves_turns() {
    let (bodies, rows) = leaning_pile(3, 10.0, THREE, 3);
    let p = problem(&bodies, &rows);
    let laws = vec![disk(0.3); p.contacts()];
    let run = |memory: usize| solve(&Staggered { memory, rounds: 20_000, ..Staggered::default() }, &p, &laws, 1e-9);
    let ((plain, a), (foreseen, b)) = (run(0), run(10));
    assert!(plain.status == Status::Solved && foreseen.status == Status::Solved, "{plain:?} {foreseen:?}");
    assert!(foreseen.iterations * 2 < plain.iterations, "{plain:?} {foreseen:?}");
    let (a, b) = (velocities(&bodies, &rows, &a.r), velocities(&bodies, &rows, &b.r));
    assert!(a.iter().zip(&b).all(|(a, b)| (a.0 - b.0).length() < 1e-6), "{a:?} {b:?}");
}

#[test]
fn turns_that_cannot_converge_end_and_say_so() {
    // A rod of unit mass that slides on one end so that friction presses it into the ground, mu beyond Painlevé's: each turn
    // asks for more load than the last. With slip away from the upper end,
    // load ← (sink + mu |W_nt| load)/W_nn: a factor of mu |W_nt|/W_nn > 1 a turn, until it jams.
    let (tilt, mu) = (1.0f64, 3.0);
    let (bodies, rows) = rod(tilt, -2.0, G * DT);
    let p = problem(&bodies, &rows);
    let w = p.w().diagonal(0);
    assert!(mu * w[1].abs() / w[0] > 1.0);
    for solver in both() {
        for memory in [0, 10] {
            let solver = Staggered { memory, ..solver };
            let (report, s) = solve(&solver, &p, &[disk(mu)], 1e-10);
            assert!((report.status == Status::Solved) == (report.residual.worst() <= 1e-10), "{report:?}");
            assert!(s.r.iter().all(|r| r.is_finite()));
            // If it says solved it is jammed, which is the one solution.
            assert!(report.status != Status::Solved || s.u[0].abs() + s.u[1].abs() < 1e-8, "{:?}", s.u);
        }
    }
    // Two turns are not enough for anything, and are not called a solution.
    let few = Staggered { rounds: 2, ..Staggered::default() };
    assert_eq!(solve(&few, &p, &[disk(mu)], 1e-10).0.status, Status::Iterations);
}

#[test]
fn a_problem_without_a_solution_ends_and_says_so() {
    for (p, solvable) in [(clamped(), false), (beside_fixed(-0.1), false), (beside_fixed(0.1), true)] {
        for solver in both() {
            let (report, s) = solve(&solver, &p, &[disk(0.5), disk(0.5)], 1e-10);
            assert_eq!(report.status == Status::Solved, solvable, "{}: {report:?} {s:?}", solver.name());
            assert!(s.r.iter().all(|r| r.is_finite()));
            assert!(!solvable || (s.r[1] + 0.5).abs() < 1e-12, "{s:?}");
        }
    }
    assert!(both().iter().all(|solver| solve(solver, &empty(), &[], 1e-8).0.status == Status::Solved));
}

#[test]
fn the_papers_stopping_rule_is_honest_about_the_residual() {
    let (bodies, rows) = leaning_pile(3, 10.0, FOUR, 3);
    let p = problem(&bodies, &rows);
    let laws = vec![disk(0.3); p.contacts()];
    let paper = Staggered { epsilon: 1e-2, memory: 0, ..Staggered::polar() };
    let (report, _) = solve(&paper, &p, &laws, 1e-12);
    assert!(report.status == Status::Stalled && report.residual.worst() > 1e-12, "{report:?}");
    assert!(report.iterations < 1000, "{report:?}");
}

#[test]
fn a_warm_start_is_used() {
    let (bodies, rows) = leaning_pile(3, 1.0, THREE, 3);
    let p = problem(&bodies, &rows);
    let laws = vec![disk(0.3); p.contacts()];
    for solver in both() {
        let mut s = Solution::zero(&p);
        let cold = solver.solve(&p, &mut Frozen(laws.clone()), Stop::default(), &mut s).unwrap();
        let again = solver.solve(&p, &mut Frozen(laws.clone()), Stop::default(), &mut s.clone()).unwrap();
        assert!(cold.iterations > 2 && again.iterations == 0, "{cold:?} {again:?}");
        // The friction of the last step is the start of the next.
        let bias = p.bias().iter().map(|b| b * 1.000_001).collect();
        let next = ContactProblem::new(p.w().clone(), bias, vec![RowKind::Contact; p.contacts()]).unwrap();
        let warm = solver.solve(&next, &mut Frozen(laws.clone()), Stop::default(), &mut s).unwrap();
        assert!(warm.iterations < cold.iterations, "{}: {cold:?} {warm:?}", solver.name());
    }
}

#[test]
fn laws_that_depend_on_the_solution_are_asked_again() {
    let (bodies, rows) = puck(DVec3::X, 3);
    let p = problem(&bodies, &rows);
    for solver in both() {
        let mut s = Solution::zero(&p);
        let stop = Stop { tolerance: 1e-12, ..Stop::default() };
        let report = solver.solve(&p, &mut Softening::new(1, disk), stop, &mut s).unwrap();
        assert_eq!(report.status, Status::Solved);
        let load = G * DT;
        assert!((s.r[1] + load * softened(load)).abs() < 1e-13, "{}: {:?}", solver.name(), s.r);
    }
}

#[test]
fn the_same_bytes_every_time() {
    let (bodies, rows) = leaning_pile(4, 100.0, FOUR, 3);
    let p = problem(&bodies, &rows);
    let laws = vec![disk(0.4); p.contacts()];
    for solver in both() {
        let run = || solve(&solver, &p, &laws, 1e-8).1.r;
        assert_eq!(run(), run());
    }
}

#[test]
fn what_is_not_taken_is_refused() {
    let (bodies, rows) = puck(DVec3::X, 3);
    let p = problem(&bodies, &rows);
    let attempt = |solver: Staggered, law: ContactLaw| {
        solver.solve(&p, &mut Frozen(vec![law]), Stop::default(), &mut Solution::zero(&p))
    };
    let ellipse = ContactLaw::from(Ellipse::new([0.2, 0.5], DVec2::X).unwrap());
    let refused = attempt(Staggered::polar(), ellipse.clone()).unwrap_err();
    assert_eq!(
        refused,
        ProblemError::Refused { contact: 0, solver: "staggered_polar", law: "a set that is not a disk" }
    );
    assert_eq!(attempt(Staggered::default(), ellipse).unwrap().status, Status::Solved);
    for solver in both() {
        assert!(attempt(solver, slip_rule()).unwrap_err().to_string().contains("slip rule"));
    }
    let none = Staggered { epsilon: f64::NAN, ..Staggered::default() };
    assert!(matches!(attempt(none, disk(0.1)), Err(ProblemError::Setting { name: "epsilon", .. })));
}
