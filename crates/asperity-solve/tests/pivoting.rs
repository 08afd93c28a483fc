//! Pivoting: closed forms, facets and their error, agreement with the other solvers, problems without a solution.

mod common;

use asperity_friction::ContactLaw;
use asperity_friction::set::{AsymmetricBox, Disk, Ellipse, Ellipsoid, Polygon, Rolling, SETS};
use asperity_solve::problem::{ContactProblem, ProblemError, RowKind, residual};
use asperity_solve::solver::{Auto, ContactSolver, FacetSide, Frozen, Pivoting, Solution, SolveReport, Status, Stop};
use common::scenes::{
    DT, FOUR, G, Softening, THREE, beside_fixed, box_on_incline, clamped, empty, leaning_pile, puck, rod, slip_rule,
    softened,
};
use common::{Body, Rows, problem, solve, velocities};
use glam::{DVec2, DVec3};

fn both() -> [Pivoting; 2] {
    [Pivoting::default(), Pivoting::boxes()]
}

fn box_of(mu: f64) -> ContactLaw {
    AsymmetricBox::new(DVec2::splat(mu), DVec2::splat(mu), DVec2::X).unwrap().into()
}

#[test]
fn a_block_sticks_or_slides_where_it_should() {
    let tilt = 10f64.to_radians();
    for mu in [0.1, 0.17, 0.18, 0.6] {
        let (bodies, rows) = box_on_incline(tilt);
        let p = problem(&bodies, &rows);
        let diamond = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y].map(|c| c * mu).to_vec();
        let diamond = ContactLaw::from(Polygon::new(diamond).unwrap());
        // Along a facet's normal the polygon around a disk resists like the disk.
        let disk = ContactLaw::from(Disk::new(mu).unwrap());
        for (solver, law) in [(0, &diamond), (0, &box_of(mu)), (1, &box_of(mu)), (0, &disk), (1, &disk)] {
            let solver = both()[solver];
            let (report, s) = solve(&solver, &p, &vec![law.clone(); 4], 1e-11);
            let round = law == &disk;
            assert!(round || report.status == Status::Solved, "{} {mu}: {report:?}", solver.name());
            let (v, w) = velocities(&bodies, &rows, &s.r)[0];
            let expected = -(G * DT * (tilt.sin() - mu * tilt.cos())).max(0.0);
            assert!((v - DVec3::X * expected).length() < 1e-10 && w.length() < 1e-10, "{} {mu}: {v}", solver.name());
            let load: f64 = s.r.iter().step_by(3).sum();
            assert!((load - 1333.0 * G * DT * tilt.cos()).abs() < 1e-7, "{load}");
        }
    }
}

#[test]
fn forward_is_not_backward() {
    let law = ContactLaw::from(AsymmetricBox::new(DVec2::new(0.6, 0.2), DVec2::new(0.1, 0.3), DVec2::X).unwrap());
    // The impulse on A is at most 0.6 ahead, 0.1 back along t = x, and 0.2, 0.3 along b = -z.
    for (velocity, brake) in [
        (DVec3::X, DVec3::X * -0.1),
        (DVec3::NEG_X, DVec3::X * 0.6),
        (DVec3::Z, DVec3::Z * -0.2),
        (DVec3::NEG_Z, DVec3::Z * 0.3),
    ] {
        let (bodies, rows) = puck(velocity, 3);
        for solver in both() {
            let (report, s) = solve(&solver, &problem(&bodies, &rows), std::slice::from_ref(&law), 1e-12);
            assert_eq!(report.status, Status::Solved);
            let v = velocities(&bodies, &rows, &s.r)[0].0;
            assert!((v - velocity - brake * (G * DT)).length() < 1e-13, "{}: {v}", solver.name());
        }
    }
}

#[test]
fn the_error_of_facets_falls_with_their_square() {
    let (mu, speed, load) = (0.5, 3.0, G * DT);
    for side in [FacetSide::Outer, FacetSide::Inner] {
        let mut last = f64::NAN;
        for facets in [8, 16, 32, 64, 128] {
            let half = std::f64::consts::PI / facets as f64;
            // Sliding towards -d; the polygon around has a corner along d, the one inside the middle of a facet.
            let d = DVec2::from_angle(half);
            let reach = if side == FacetSide::Outer { mu / half.cos() } else { mu * half.cos() };
            let (bodies, rows) = puck(DVec3::new(-d.x, 0.0, d.y) * speed, 3);
            let p = problem(&bodies, &rows);
            let solver = Pivoting { facets, side, ..Pivoting::default() };
            let law = ContactLaw::from(Disk::new(mu).unwrap());
            let (report, s) = solve(&solver, &p, &[law], 1e-8);
            let impulse = DVec2::new(s.r[1], s.r[2]);
            assert!((impulse - d * (reach * load)).length() < 1e-14, "{facets}: {impulse}");
            assert_eq!(report.status, Status::Approximated);
            let error = (impulse.length() - mu * load).abs() / load;
            assert!(last.is_nan() || (last / error - 4.0).abs() < 0.25, "{facets}: {last} {error}");
            // The residual is that of the disk: the impulse that its cone would project to is off by so much.
            assert!(report.residual.worst() > 0.01 * error && report.residual.worst() < error, "{report:?}");
            last = error;
        }
    }
}

#[test]
fn between_corners_the_force_turns_by_up_to_half_a_facet() {
    // What falls with the square is how much friction takes away. Its direction is that of the corner while the slip is
    // within half a facet of it: to first order, a push aside of sin(angle).
    let (mu, facets) = (0.5, 8);
    let half = std::f64::consts::PI / facets as f64;
    for off in [0.3, 0.9] {
        let d = DVec2::from_angle(half + off * half);
        let (bodies, rows) = puck(DVec3::new(-d.x, 0.0, d.y) * 100.0, 3);
        let law = ContactLaw::from(Disk::new(mu).unwrap());
        let (_, s) = solve(&Pivoting::default(), &problem(&bodies, &rows), &[law], 1e-8);
        let impulse = DVec2::new(s.r[1], s.r[2]) / (G * DT);
        let corner = mu / half.cos();
        assert!((impulse.dot(d) - corner * (off * half).cos()).abs() < 1e-12, "{impulse}");
        assert!((impulse.perp_dot(d) - corner * (off * half).sin()).abs() < 1e-12, "{impulse}");
    }
}

#[test]
fn a_redundant_joint_and_a_contact_in_one_solve() {
    // A ball on the ground carries another by a ball joint; the joint is there twice.
    let mut bodies = vec![Body::ball(1.0, 0.5, DVec3::Y * 0.5), Body::ball(3.0, 0.5, DVec3::Y * 1.5)];
    bodies.iter_mut().for_each(|b| b.velocity = DVec3::NEG_Y);
    let joint = Rows::ball_joint(1, Some(0), DVec3::Y);
    let contact = Rows::contact(0, None, DVec3::ZERO, DVec3::Y, DVec3::X, 3);
    for rows in [vec![contact.clone(), joint.clone()], vec![joint.clone(), contact, joint]] {
        let p = problem(&bodies, &rows);
        for solver in both() {
            let (report, s) = solve(&solver, &p, &[box_of(0.3)], 1e-12);
            assert_eq!(report.status, Status::Solved, "{}: {report:?}", solver.name());
            let after = velocities(&bodies, &rows, &s.r);
            assert!(after.iter().all(|(v, w)| v.length() < 1e-12 && w.length() < 1e-12), "{after:?}");
            let normal = if rows.len() == 2 { s.r[0] } else { s.r[3] };
            assert!((normal - 4.0).abs() < 1e-12, "the ground stops both: {normal}");
        }
    }
}

#[test]
fn bounded_rows_of_every_kind() {
    // Two kilograms at 3 m/s: a motor brakes up to its bound, from either side, from one side only, or with a fixed impulse.
    let mut body = Body::cuboid(2.0, DVec3::ONE, DVec3::ZERO);
    body.velocity = DVec3::X * 3.0;
    let infinity = f64::INFINITY;
    for (lower, upper, expected) in [
        (-4.0, 4.0, 1.0),
        (-10.0, 10.0, 0.0),
        (-4.0, infinity, 1.0),
        (-infinity, -8.0, -1.0),
        (-infinity, 5.0, 0.0),
        (-infinity, infinity, 0.0),
        (-1.0, -1.0, 2.5),
        (1.0, 2.0, 3.5),
    ] {
        let kind = RowKind::Bounded { lower: vec![lower], upper: vec![upper] };
        let rows = [Rows { kind, a: 0, b: None, point: DVec3::ZERO, directions: vec![(DVec3::X, DVec3::ZERO)] }];
        let p = problem(&[body], &rows);
        for solver in both() {
            let (report, s) = solve(&solver, &p, &[], 1e-12);
            let v = velocities(&[body], &rows, &s.r)[0].0.x;
            assert!(report.status == Status::Solved && (v - expected).abs() < 1e-12, "{lower} {upper}: {v} {report:?}");
        }
    }
}

#[test]
fn a_contact_without_friction_rows() {
    let (bodies, rows) = puck(DVec3::X, 1);
    for solver in both() {
        let (report, s) = solve(&solver, &problem(&bodies, &rows), &[box_of(0.5)], 1e-12);
        assert!(report.status == Status::Solved && (s.r[0] - G * DT).abs() < 1e-15, "{report:?}");
        // And one that takes off.
        let (up, up_rows) = puck(DVec3::Y, 1);
        let (report, s) = solve(&solver, &problem(&up, &up_rows), &[box_of(0.5)], 1e-12);
        assert!(report.status == Status::Solved && s.r == [0.0], "{report:?}");
    }
}

#[test]
fn rolling_resistance_has_facets_of_its_own() {
    let (radius, rho) = (0.1, 0.005);
    for (slope, rolls) in [(0.9 * rho / radius, false), (1.5 * rho / radius, true)] {
        let tilt = f64::atan(slope);
        let mut ball = Body::ball(1.0, radius, DVec3::Y * radius);
        ball.velocity = DVec3::new(-tilt.sin(), -tilt.cos(), 0.0) * (G * DT);
        let rows = [Rows::contact(0, None, DVec3::ZERO, DVec3::Y, DVec3::X, 6)];
        let set = Rolling::new(Disk::new(0.6).unwrap().into(), Ellipse::new([rho; 2], DVec2::X).unwrap()).unwrap();
        for solver in both() {
            let (_, s) = solve(&solver, &problem(&[ball], &rows), &[set.clone().into()], 1e-10);
            let v = velocities(&[ball], &rows, &s.r)[0].0;
            // Rolling without slip with a resisting torque along an axis of the polygon: a = (g sin - g cos rho/R) / 1.4.
            let drive = G * DT * (tilt.sin() - tilt.cos() * rho / radius) / 1.4;
            let expected = if rolls { -drive } else { 0.0 };
            assert!((v.x - expected).abs() < 1e-10, "{}: {v} {expected}", solver.name());
        }
    }
}

#[test]
fn polygons_agree_with_the_other_solvers_on_piles() {
    let (mut agreed, mut boxes, mut others) = (0, 0, 0);
    let piles = [(2, 1.0), (4, 100.0), (6, 1e4), (4, 1e-4)];
    for (feet, (height, ratio)) in piles.iter().flat_map(|pile| [(THREE, *pile), (FOUR, *pile)]) {
        let (bodies, rows) = leaning_pile(height, ratio, feet, 3);
        let p = problem(&bodies, &rows);
        for set in SETS.iter().flat_map(|e| (e.examples)()) {
            if !matches!(set.name(), "asymmetric_box" | "polygon" | "zonotope") {
                continue;
            }
            let laws = vec![ContactLaw::Set(set.clone()); p.contacts()];
            let (report, mine) = solve(&Pivoting::default(), &p, &laws, 1e-10);
            if report.status == Status::Approximated {
                // A zonotope with a disk is round.
                assert_eq!(set.name(), "zonotope");
                continue;
            }
            assert_eq!(report.status, Status::Solved, "{set:?} {height} {ratio}");
            let mut peers = vec![("auto", solve(&Auto::default(), &p, &laws, 1e-10))];
            if set.name() == "asymmetric_box" {
                peers.push(("boxes", solve(&Pivoting::boxes(), &p, &laws, 1e-10)));
                boxes += 1;
            }
            for (name, (report, peer)) in peers {
                assert_eq!(report.status, Status::Solved, "{name} {set:?} {height} {ratio}");
                let velocities = |s: &Solution| velocities(&bodies, &rows, &s.r);
                let apart = velocities(&mine).into_iter().zip(velocities(&peer));
                let apart = apart.map(|(a, b)| (a.0 - b.0).length().max((a.1 - b.1).length())).fold(0.0, f64::max);
                if apart < 1e-6 {
                    agreed += 1;
                } else {
                    // Loads of four corners can be shared in many ways, and then the friction torque is not unique: two
                    // solutions to rounding, both.
                    assert_eq!(feet, FOUR, "{name} {apart:e} {set:?} {height} {ratio}");
                    let size = |s: &Solution| residual(&p, &laws, p.scales(), &s.r, &s.u).worst();
                    assert!(size(&mine) < 1e-11 && size(&peer) < 1e-10, "{name} {apart:e} {set:?} {height} {ratio}");
                    others += 1;
                }
            }
        }
    }
    println!("{agreed} agreed, {others} other solutions");
    assert!(agreed > 100 && boxes > 30 && others < 10, "{agreed} {boxes} {others}");
}

#[test]
fn disks_agree_to_the_error_of_their_facets() {
    for (height, ratio) in [(3, 1.0), (4, 0.01)] {
        let (bodies, rows) = leaning_pile(height, ratio, THREE, 3);
        let p = problem(&bodies, &rows);
        let laws = vec![ContactLaw::from(Disk::new(0.05).unwrap()); p.contacts()];
        let exact = velocities(&bodies, &rows, &solve(&Auto::default(), &p, &laws, 1e-11).1.r);
        let mut last = (f64::INFINITY, f64::INFINITY);
        for facets in [8, 32, 128] {
            let solver = Pivoting { facets, rows: 3000, ..Pivoting::default() };
            let (report, s) = solve(&solver, &p, &laws, 1e-8);
            assert_eq!(report.status, Status::Approximated);
            let found = velocities(&bodies, &rows, &s.r);
            let apart = found.iter().zip(&exact).fold(0.0f64, |m, (a, b)| m.max((a.0 - b.0).length()));
            println!("{height} {ratio} {facets}: {apart:e} {:e}", report.residual.worst());
            // At least to first order, that of the direction.
            let now = (apart, report.residual.worst());
            assert!(now.0 < last.0 / 2.5 && now.1 < last.1 / 2.5, "{facets}: {now:?} {last:?}");
            last = now;
        }
    }
}

#[test]
fn painleves_rod_jams() {
    // With mu 3 the normal
    // response to sliding friction, 1 + 3x² - 3 mu x y, is negative: no impulse lets it slide and keeps it out of the ground.
    let (tilt, slip, sink, mu) = (1.0f64, -2.0, G * DT, 3.0);
    let (x, y) = (-tilt.cos(), -tilt.sin());
    let (nn, nt, tt) = (1.0 + 3.0 * x * x, -3.0 * x * y, 1.0 + 3.0 * y * y);
    assert!(nn + mu * nt < 0.0 && slip < 0.0);
    let (bodies, rows) = rod(tilt, slip, sink);
    let p = problem(&bodies, &rows);
    assert!((p.w().diagonal(0)[1] - nt).abs() < 1e-15, "{:?}", p.w().diagonal(0));
    // What remains is to stick at once, an impact without a collision: r = -W⁻¹ b.
    let determinant = nn * tt - nt * nt;
    let jam = [(tt * sink + nt * slip) / determinant, -(nt * sink + nn * slip) / determinant];
    assert!(jam[0] > 0.0 && jam[1].abs() < mu * jam[0], "{jam:?}");
    let (report, s) = solve(&Pivoting::default(), &p, &[box_of(mu)], 1e-11);
    assert_eq!(report.status, Status::Solved);
    assert!((s.r[0] - jam[0]).abs() < 1e-11 && (s.r[1] - jam[1]).abs() < 1e-11, "{:?} {jam:?}", s.r);
    // Refining limits has no reason to get there; whatever it says must be true.
    let (report, _) = solve(&Pivoting::boxes(), &p, &[box_of(mu)], 1e-11);
    assert!((report.status == Status::Solved) == (report.residual.worst() <= 1e-11), "{report:?}");
}

#[test]
fn a_rod_with_two_solutions_gets_one_of_them() {
    // The same rod, just taking off: to let go (r = 0) and to jam are both solutions.
    let (bodies, rows) = rod(1.0, -2.0, -0.05);
    let p = problem(&bodies, &rows);
    for solver in both() {
        // From rest, and from a guess that presses.
        for start in [[0.0; 3], [1.0, 0.5, 0.0]] {
            let mut s = Solution { r: start.to_vec(), u: vec![0.0; 3] };
            let stop = Stop { tolerance: 1e-11, ..Stop::default() };
            let report = solver.solve(&p, &mut Frozen(vec![box_of(3.0)]), stop, &mut s).unwrap();
            assert_eq!(report.status, Status::Solved, "{}: {report:?}", solver.name());
            let (lets_go, jams) = (s.r[0] == 0.0, s.u[0].abs() + s.u[1].abs() < 1e-10);
            assert!(lets_go != jams, "{:?} {:?}", s.r, s.u);
        }
    }
}

#[test]
fn a_problem_without_a_solution_ends_and_says_so() {
    let p = clamped();
    for solver in both() {
        let (report, s) = solve(&solver, &p, &[box_of(0.5), box_of(0.5)], 1e-8);
        assert!(matches!(report.status, Status::Stalled | Status::Iterations), "{}: {report:?}", solver.name());
        assert!(report.residual.worst() > 1e-3 && s.r.iter().all(|r| r.is_finite()), "{report:?} {s:?}");
        assert!(report.iterations < 10_000, "{report:?}");
    }
}

#[test]
fn a_contact_that_nothing_can_move_is_no_reason_to_panic() {
    for solver in both() {
        let (report, s) = solve(&solver, &beside_fixed(0.1), &[box_of(0.5), box_of(0.5)], 1e-10);
        assert!(report.status == Status::Solved && (s.r[1] + 0.5).abs() < 1e-12, "{}: {report:?}", solver.name());
        let (report, s) = solve(&solver, &beside_fixed(-0.1), &[box_of(0.5), box_of(0.5)], 1e-10);
        assert!(report.status != Status::Solved && s.r.iter().all(|r| r.is_finite()), "{}: {report:?}", solver.name());
    }
    assert!(both().iter().all(|solver| solve(solver, &empty(), &[], 1e-8).0.status == Status::Solved));
}

#[test]
fn a_start_near_the_solution_saves_pivots() {
    let (bodies, rows) = leaning_pile(4, 10.0, FOUR, 3);
    let p = problem(&bodies, &rows);
    let disks = vec![ContactLaw::from(Disk::new(0.3).unwrap()); p.contacts()];
    let run = |p: &ContactProblem, s: &mut Solution| -> SolveReport {
        Pivoting::default().solve(p, &mut Frozen(disks.clone()), Stop::default(), s).unwrap()
    };
    let mut s = Solution::zero(&p);
    let cold = run(&p, &mut s);
    let again = run(&p, &mut s.clone());
    assert!(cold.iterations > 50 && again.iterations == 0, "{cold:?} {again:?}");
    assert_eq!(again.status, Status::Approximated);
    // The next step is a little different: the same labels, or almost.
    let bias = p.bias().iter().map(|b| b * 1.001).collect();
    let next = ContactProblem::new(p.w().clone(), bias, vec![RowKind::Contact; p.contacts()]).unwrap();
    let warm = run(&next, &mut s);
    assert!(warm.iterations * 5 < cold.iterations && warm.status == Status::Approximated, "{cold:?} {warm:?}");
}

#[test]
fn islands_are_solved_one_by_one() {
    let (mut bodies, mut rows) = leaning_pile(3, 1.0, FOUR, 3);
    let (more, mut other) = leaning_pile(2, 5.0, FOUR, 3);
    let first = bodies.len();
    bodies.extend(more.clone());
    let alone = problem(&more, &other);
    other.iter_mut().for_each(|r| (r.a, r.b) = (r.a + first, r.b.map(|b| b + first)));
    rows.extend(other);
    let p = problem(&bodies, &rows);
    for solver in both() {
        let (_, whole) = solve(&solver, &p, &vec![box_of(0.2); 20], 1e-9);
        let (_, part) = solve(&solver, &alone, &vec![box_of(0.2); 8], 1e-9);
        assert_eq!(whole.r[36..], part.r[..], "{}", solver.name());
    }
    // A limit of rows that one island keeps and both together would not.
    let tight = Pivoting { rows: 12 * 6, ..Pivoting::default() };
    assert_eq!(solve(&tight, &p, &vec![box_of(0.2); 20], 1e-9).0.status, Status::Solved);
}

#[test]
fn laws_that_depend_on_the_solution_are_asked_again() {
    let (bodies, rows) = puck(DVec3::X, 3);
    let p = problem(&bodies, &rows);
    for solver in both() {
        let mut s = Solution::zero(&p);
        let stop = Stop { tolerance: 1e-12, ..Stop::default() };
        let report = solver.solve(&p, &mut Softening::new(1, box_of), stop, &mut s).unwrap();
        assert_eq!(report.status, Status::Solved);
        let load = G * DT;
        assert!((s.r[1] + load * softened(load)).abs() < 1e-13, "{}: {:?}", solver.name(), s.r);
    }
}

#[test]
fn the_same_bytes_every_time() {
    let (bodies, rows) = leaning_pile(4, 100.0, FOUR, 3);
    let p = problem(&bodies, &rows);
    let laws = vec![ContactLaw::from(Disk::new(0.4).unwrap()); p.contacts()];
    for solver in both() {
        let run = || solve(&solver, &p, &laws, 1e-8).1.r;
        assert_eq!(run(), run());
    }
}

#[test]
fn what_is_not_taken_is_refused() {
    let (bodies, rows) = puck(DVec3::new(1.0, 0.0, 0.5), 4);
    let p = problem(&bodies, &rows);
    let attempt = |solver: Pivoting, law: ContactLaw| {
        solver.solve(&p, &mut Frozen(vec![law]), Stop::default(), &mut Solution::zero(&p))
    };
    let spin = || ContactLaw::from(Ellipsoid::new([0.3, 0.3, 0.01], DVec2::X).unwrap());
    let refused = attempt(Pivoting::default(), spin()).unwrap_err();
    assert_eq!(refused, ProblemError::Refused { contact: 0, solver: "pivoting", law: "a set with spin" });
    assert_eq!(attempt(Pivoting::boxes(), spin()).unwrap().status, Status::Approximated);
    // Spin rows with a planar set are rows without friction.
    assert_eq!(attempt(Pivoting::default(), box_of(0.2)).unwrap().status, Status::Solved);
    let few = Pivoting { facets: 2, ..Pivoting::default() };
    assert!(matches!(attempt(few, box_of(0.2)), Err(ProblemError::Setting { name: "facets", .. })));
    let small = Pivoting { rows: 5, ..Pivoting::default() };
    assert!(matches!(attempt(small, box_of(0.2)), Err(ProblemError::TooLarge { rows: 6, most: 5, .. })));
    for solver in both() {
        assert!(attempt(solver, slip_rule()).unwrap_err().to_string().contains("slip rule"));
    }
}
