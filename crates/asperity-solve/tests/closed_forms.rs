//! Contacts whose solution is known in closed form, for every solver that takes them.

mod common;

use asperity_friction::model::{FrictionModel, Matchstick};
use asperity_friction::set::{Disk, Ellipse, Ellipsoid, Rolling};
use asperity_friction::tensor::SurfaceTensor;
use asperity_friction::{ContactFrame, ContactLaw, ContactState, SurfaceSample};
use asperity_solve::problem::{ContactProblem, ProblemError, RowKind, residual};
use asperity_solve::solver::{
    AdaptiveFactor, Auto, ContactSolver, Frozen, Local, Newton, ProjectedGaussSeidel, ProxGaussSeidel, Proximal,
    Solution, Status, Stop,
};
use common::scenes::{DT, G, box_on_incline};
use common::{Body, Rows, problem, scenes, solve, velocities};
use glam::{DVec2, DVec3};

fn solvers() -> Vec<Box<dyn ContactSolver>> {
    let sweeps = ProxGaussSeidel { sweeps: 100_000, measure_every: 10, ..ProxGaussSeidel::default() };
    vec![Box::new(sweeps), Box::new(Newton::default()), Box::new(Proximal::default()), Box::new(Auto::default())]
}

/// Sweeps with every way to relax a contact, and what uses them.
fn sweeps() -> Vec<(String, Box<dyn ContactSolver>)> {
    let ways = [Local::Exact, Local::Prox { steps: 1 }, Local::AdaptiveProx(AdaptiveFactor::default())];
    let mut all: Vec<(String, Box<dyn ContactSolver>)> = Vec::new();
    for local in ways {
        all.push((format!("{local:?}"), Box::new(ProxGaussSeidel { local, ..ProxGaussSeidel::default() })));
    }
    all.push(("auto".to_string(), Box::new(Auto::default())));
    all
}

#[test]
fn a_block_sticks_or_slides_where_it_should() {
    for mu in [0.1, 0.17, 0.18, 0.6] {
        let tilt = 10f64.to_radians();
        let (bodies, rows) = box_on_incline(tilt);
        let p = problem(&bodies, &rows);
        let laws = vec![ContactLaw::from(Disk::new(mu).unwrap()); 4];
        for solver in solvers() {
            let (report, s) = solve(&*solver, &p, &laws, 1e-11);
            if solver.name() == "newton" && report.residual.worst() > 1e-11 {
                // Four corners of one box are redundant: plain Newton may meet a singular matrix and says so.
                assert_ne!(report.status, asperity_solve::solver::Status::Solved);
                continue;
            }
            assert!(report.residual.worst() <= 1e-11, "{} {mu}: {report:?}", solver.name());
            let (v, w) = velocities(&bodies, &rows, &s.r)[0];
            let expected = -(G * DT * (tilt.sin() - mu * tilt.cos())).max(0.0);
            assert!((v - DVec3::new(expected, 0.0, 0.0)).length() < 1e-9, "{} {mu}: {v}", solver.name());
            assert!(w.length() < 1e-9, "{}: {w}", solver.name());
        }
    }
}

#[test]
fn one_step_of_the_box_table() {
    // 45 degrees, g 9.82, mu 0.2 | 0.2, 3: the first step moves along the direction of the closed form, whose displacement
    // after one second is half the acceleration (peers' table; x is uphill, z lateral).
    let tilt = std::f64::consts::FRAC_PI_4;
    for (plane, cube, downhill, lateral) in [
        ([1., 0., 0.], [1., 0., 0.], 2.7775, 0.0),
        ([1., 0., 1.], [1., 0., 1.], 1.2786, -1.2384),
        ([1., 0., 0.], [1., 0., 1.], 2.3666, -0.9008),
        ([1., 0., 1.], [0., 0., 1.], 0.3492, -0.6737),
        ([0., 0., 1.], [0., 0., 1.], 0.0, 0.0),
        ([1., 0., 0.], [0., 0., 1.], 2.7775, 0.0),
    ] {
        let (mut bodies, rows) = box_on_incline(tilt);
        bodies[0].velocity *= 9.82 / G;
        let grain = |s: [f64; 3]| SurfaceSample { structure: DVec3::from_array(s), ..SurfaceSample::default() };
        let state = ContactState::new(ContactFrame::new(DVec3::Y, DVec3::X).unwrap(), grain(cube), grain(plane));
        let law = FrictionModel::from(Matchstick::new(0.2, 0.2, 3.0).unwrap()).law(&state).unwrap();
        let p = problem(&bodies, &rows);
        for solver in [&Auto::default() as &dyn ContactSolver, &Proximal::default()] {
            let (report, s) = solve(solver, &p, &vec![law.clone(); 4], 1e-11);
            assert!(report.residual.worst() <= 1e-11, "{}: {report:?}", solver.name());
            // Four contacts slide alike, so the body does not turn; what remains is half an acceleration times a second².
            let moved = velocities(&bodies, &rows, &s.r)[0].0 * (0.5 / DT);
            assert!(
                (-moved.x - downhill).abs() < 6e-5 && (moved.z - lateral).abs() < 6e-5,
                "{}: {moved}",
                solver.name()
            );
        }
    }
}

#[test]
fn a_spinning_disk_slows_by_its_drilling_torque() {
    let mut ball = Body::ball(2.0, 0.1, DVec3::new(0.0, 0.1, 0.0));
    ball.velocity = DVec3::NEG_Y * (G * DT);
    ball.spin = DVec3::Y * 5.0;
    let rows = [Rows::contact(0, None, DVec3::ZERO, DVec3::Y, DVec3::X, 4)];
    let p = problem(&[ball], &rows);
    let law = ContactLaw::from(Ellipsoid::new([0.5, 0.5, 0.01], DVec2::X).unwrap());
    for (name, solver) in sweeps() {
        let (report, s) = solve(&*solver, &p, std::slice::from_ref(&law), 1e-10);
        assert!(report.residual.worst() <= 1e-10, "{name}: {report:?}");
        let after = velocities(&[ball], &rows, &s.r)[0].1.y;
        let inertia = 0.4 * 2.0 * 0.01;
        let expected = 5.0 - 0.01 * 2.0 * G * DT / inertia;
        assert!((after - expected).abs() < 1e-9, "{name}: {after} {expected}");
    }
}

#[test]
fn sliding_and_spinning_share_one_friction() {
    // A ball that slides and spins: its block is diagonal, W_tt = 1/m + R²/I and W_ss = 1/I. With μ_spin = μ √(W_tt/W_ss) the
    // ellipsoid is a ball in units of energy, where friction acts straight against (u/√W_tt, ω/√W_ss): it takes the same part
    // off every component, whatever the unit of length.
    let (mass, mu) = (2.0, 0.3);
    for radius in [1e-3, 0.1, 50.0] {
        let mut ball = Body::ball(mass, radius, DVec3::new(0.0, radius, 0.0));
        ball.velocity = DVec3::new(0.4, -G * DT, -0.3);
        ball.spin = DVec3::Y * (0.6 / radius);
        let rows = [Rows::contact(0, None, DVec3::ZERO, DVec3::Y, DVec3::X, 4)];
        let p = problem(&[ball], &rows);
        let (w_slide, w_spin) = (3.5 / mass, 2.5 / (mass * radius * radius));
        let law = Ellipsoid::new([mu, mu, mu * f64::sqrt(w_slide / w_spin)], DVec2::X).unwrap();
        let before = [0.4 / w_slide.sqrt(), 0.3 / w_slide.sqrt(), 0.6 / radius / w_spin.sqrt()];
        let length = before.iter().map(|x| x * x).sum::<f64>().sqrt();
        let left = 1.0 - mu * mass * G * DT * w_slide.sqrt() / length;
        assert!(left > 0.1, "it goes on sliding: {left}");
        for (name, solver) in sweeps() {
            let (report, s) = solve(&*solver, &p, &[law.into()], 1e-11);
            assert!(report.residual.scaled <= 1e-11, "{name}: {report:?}");
            // Rows (t, b) are along x and −z.
            for (found, before) in s.u[1..].iter().zip([0.4, 0.3, 0.6 / radius]) {
                assert!((found - left * before).abs() < 1e-9 * before, "{name} {radius}: {:?}", s.u);
            }
        }
    }
}

#[test]
fn a_ball_that_slides_and_rolls_is_braked_twice() {
    // Sliding friction μN at the surface and a rolling torque ρN, both at their limits: m Δv = −μN dt and
    // I Δω = (ρN − μN R) dt about the axis it rolls on, until one of them stops.
    let (mass, radius, mu, rho) = (1.5, 0.2, 0.25, 0.004);
    let inertia = 0.4 * mass * radius * radius;
    let mut ball = Body::ball(mass, radius, DVec3::new(0.0, radius, 0.0));
    ball.velocity = DVec3::new(3.0, -G * DT, 0.0);
    ball.spin = DVec3::Z * -4.0;
    let rows = [Rows::contact(0, None, DVec3::ZERO, DVec3::Y, DVec3::X, 6)];
    let p = problem(&[ball], &rows);
    let rolling = Ellipse::new([rho, 2.0 * rho], DVec2::Y).unwrap();
    let law: ContactLaw = Rolling::new(Disk::new(mu).unwrap().into(), rolling).unwrap().into();
    let push = mass * G * DT;
    for (name, solver) in sweeps() {
        let (report, s) = solve(&*solver, &p, std::slice::from_ref(&law), 1e-11);
        assert!(report.residual.worst() <= 1e-11, "{name}: {report:?}");
        let (v, w) = velocities(&[ball], &rows, &s.r)[0];
        let expected = (3.0 - mu * push / mass, -4.0 + (rho * push - mu * push * radius) / inertia);
        assert!((v - DVec3::X * expected.0).length() < 1e-9, "{name}: {v} {expected:?}");
        assert!((w - DVec3::Z * expected.1).length() < 1e-8, "{name}: {w} {expected:?}");
    }
}

#[test]
fn ways_to_relax_that_make_no_sense_are_refused() {
    let (bodies, rows) = box_on_incline(0.1);
    let p = problem(&bodies, &rows);
    let fine = AdaptiveFactor::default();
    for (local, name) in [
        (Local::Prox { steps: 0 }, "steps"),
        (Local::AdaptiveProx(AdaptiveFactor { visits: 0, ..fine }), "visits"),
        (Local::AdaptiveProx(AdaptiveFactor { shrink: 1.0, ..fine }), "shrink"),
        (Local::AdaptiveProx(AdaptiveFactor { grow: f64::NAN, ..fine }), "grow"),
        (Local::AdaptiveProx(AdaptiveFactor { least: 0.0, ..fine }), "least"),
        (Local::AdaptiveProx(AdaptiveFactor { most: 2.0, ..fine }), "most"),
    ] {
        let solver = ProxGaussSeidel { local, ..ProxGaussSeidel::default() };
        let laws = vec![ContactLaw::from(Disk::new(0.5).unwrap()); 4];
        let refused = solver.solve(&p, &mut Frozen(laws), Stop::default(), &mut Solution::zero(&p)).unwrap_err();
        assert!(matches!(refused, ProblemError::Setting { name: found, .. } if found == name), "{refused}");
    }
}

#[test]
fn rolling_resistance_holds_a_ball_on_a_gentle_slope() {
    let (radius, rho) = (0.1, 0.005);
    for (slope, rolls) in [(0.9 * rho / radius, false), (1.5 * rho / radius, true)] {
        let tilt = f64::atan(slope);
        let mut ball = Body::ball(1.0, radius, DVec3::new(0.0, radius, 0.0));
        ball.velocity = DVec3::new(-tilt.sin(), -tilt.cos(), 0.0) * (G * DT);
        let rows = [Rows::contact(0, None, DVec3::ZERO, DVec3::Y, DVec3::X, 6)];
        let p = problem(&[ball], &rows);
        let set = Rolling::new(Disk::new(0.6).unwrap().into(), Ellipse::new([rho; 2], DVec2::X).unwrap()).unwrap();
        // Rolling without slip with a resisting torque: a = (g sin - g cos rho/R) / (1 + 2/5).
        let drive = G * DT * (tilt.sin() - tilt.cos() * rho / radius) / 1.4;
        let expected = if rolls { -drive } else { 0.0 };
        for (name, solver) in sweeps() {
            let (report, s) = solve(&*solver, &p, &[set.clone().into()], 1e-10);
            assert!(report.residual.worst() <= 1e-10, "{name}: {report:?}");
            let v = velocities(&[ball], &rows, &s.r)[0].0;
            assert!((v.x - expected).abs() < 1e-8, "{name}: {v} {expected}");
        }
    }
}

#[test]
fn a_joint_and_a_contact_in_one_solve() {
    // Two balls on a rod-like ball joint between them, one falling onto the ground: the joint holds exactly, and momentum
    // goes through it.
    let mut bodies =
        vec![Body::ball(1.0, 0.5, DVec3::new(0.0, 0.5, 0.0)), Body::ball(3.0, 0.5, DVec3::new(0.0, 1.5, 0.0))];
    for b in &mut bodies {
        b.velocity = DVec3::NEG_Y;
    }
    let rows = [
        Rows::contact(0, None, DVec3::ZERO, DVec3::Y, DVec3::X, 3),
        Rows::ball_joint(1, Some(0), DVec3::new(0.0, 1.0, 0.0)),
    ];
    let p = problem(&bodies, &rows);
    let laws = vec![ContactLaw::from(Disk::new(0.3).unwrap())];
    for solver in solvers() {
        let (report, s) = solve(&*solver, &p, &laws, 1e-11);
        assert!(report.residual.worst() <= 1e-11, "{}: {report:?}", solver.name());
        let after = velocities(&bodies, &rows, &s.r);
        assert!(after.iter().all(|(v, _)| v.length() < 1e-9), "{}: {after:?}", solver.name());
        assert!((s.r[0] - 4.0).abs() < 1e-9, "{}: the ground stops both: {}", solver.name(), s.r[0]);
    }
}

#[test]
fn a_motor_pushes_up_to_its_bound() {
    let mut body = Body::cuboid(2.0, DVec3::ONE, DVec3::ZERO);
    body.velocity = DVec3::X * 3.0;
    for (bound, expected) in [(4.0, 1.0), (10.0, 0.0)] {
        let kind = RowKind::Bounded { lower: vec![-bound], upper: vec![bound] };
        let rows = [Rows { kind, a: 0, b: None, point: DVec3::ZERO, directions: vec![(DVec3::X, DVec3::ZERO)] }];
        let p = problem(&[body], &rows);
        for solver in solvers() {
            let (report, s) = solve(&*solver, &p, &[], 1e-12);
            assert!(report.residual.worst() <= 1e-12, "{}: {report:?}", solver.name());
            // The residual is relative to impulses of 6 Ns and speeds of 3 m/s.
            assert!((velocities(&[body], &rows, &s.r)[0].0.x - expected).abs() < 1e-11, "{}", solver.name());
        }
    }
}

#[test]
fn a_tensor_rule_brakes_a_block_as_it_says() {
    let q = SurfaceTensor::orthotropic(0.2, 0.6, 0.0).unwrap();
    let surface = SurfaceSample { tensor: q, tangent: DVec3::X, ..SurfaceSample::default() };
    let state = ContactState::new(ContactFrame::new(DVec3::Y, DVec3::X).unwrap(), surface, surface);
    let rule = asperity_friction::model::TensorRule::default();
    let law = FrictionModel::from(rule).law(&state).unwrap();
    // One contact under the centre: no torque. The slip left after the step is along the direction of the rule's force.
    let mut body = Body::cuboid(1.0, DVec3::ONE, DVec3::ZERO);
    body.velocity = DVec3::new(1.0, -G * DT, 1.0);
    let rows = [Rows::contact(0, None, DVec3::ZERO, DVec3::Y, DVec3::X, 3)];
    let p = problem(&[body], &rows);
    for solver in [&ProxGaussSeidel::default() as &dyn ContactSolver, &Newton::default(), &Auto::default()] {
        let (report, s) = solve(solver, &p, std::slice::from_ref(&law), 1e-11);
        assert!(report.residual.worst() <= 1e-11, "{}: {report:?}", solver.name());
        let left = DVec2::new(s.u[1], s.u[2]);
        let expected = law.force(s.r[0], left.into()).plane;
        assert!((DVec2::new(s.r[1], s.r[2]) - expected).length() < 1e-12 && s.u[0].abs() < 1e-12);
        assert!((s.r[0] - G * DT).abs() < 1e-12);
    }
    // A solver that needs sets refuses, and says what it was given.
    let refused =
        ProjectedGaussSeidel::default().solve(&p, &mut Frozen(vec![law]), Default::default(), &mut Solution::zero(&p));
    assert!(refused.unwrap_err().to_string().contains("slip rule"));
}

/// Painlevé's rod ([`scenes::rod`]). The impulse (r_N, r_T) at the end gives u_N = (1 + 3 cos²φ) r_N − 3 sin φ cos φ r_T + b_N. While
/// the end slides backward friction is r_T = μ r_N, and pressing harder does not stop the end from going down once the
/// slope of u_N over r_N, returned last, is negative: with continuous forces there is no solution, or there are two.
fn rod(angle: f64, speed: f64, mu: f64) -> (ContactProblem, ContactLaw, f64) {
    let (bodies, rows) = scenes::rod(angle, speed, G * DT);
    let p = problem(&bodies, &rows);
    let (own, coupled) = (1.0 + 3.0 * angle.cos().powi(2), 3.0 * angle.sin() * angle.cos());
    (p, Disk::new(mu).unwrap().into(), own + mu * coupled * speed.signum())
}

#[test]
fn painleves_rod_gets_a_solution_or_an_honest_status() {
    let (mut solved, mut indeterminate) = (0, 0);
    for angle in [0.3, 0.7, 1.0, 1.3] {
        for mu in [0.3, 1.0, 2.0, 4.0] {
            for speed in [-5.0, -0.01, 0.01, 5.0] {
                let (p, law, slope) = rod(angle, speed, mu);
                indeterminate += usize::from(slope <= 0.0);
                for solver in [
                    &ProxGaussSeidel { sweeps: 2000, ..ProxGaussSeidel::default() } as &dyn ContactSolver,
                    &Newton::default(),
                    &Auto::default(),
                ] {
                    let mut s = Solution::zero(&p);
                    let stop =
                        Stop { tolerance: 1e-10, time: std::time::Duration::from_millis(200), ..Stop::default() };
                    let mut laws = Frozen(vec![law.clone()]);
                    let report = solver.solve(&p, &mut laws, stop, &mut s).unwrap();
                    let name = solver.name();
                    assert!(s.r.iter().chain(&s.u).all(|x| x.is_finite()), "{name}");
                    // The status says what the residual, measured anew, is.
                    let found = residual(&p, std::slice::from_ref(&law), p.scales(), &s.r, &s.u);
                    assert_eq!(report.status == Status::Solved, found.worst() <= 1e-10, "{name}: {report:?}");
                    if slope > 0.0 || name == "auto" {
                        // Impulses always have a solution: the rod may stop at once (a tangential impact).
                        assert_eq!(
                            report.status,
                            Status::Solved,
                            "{name}: angle {angle}, mu {mu}, speed {speed}: {report:?}"
                        );
                    }
                    solved += usize::from(report.status == Status::Solved);
                }
            }
        }
    }
    assert!(solved > 150 && indeterminate > 0, "{solved} solved, {indeterminate} beyond Painleve's limit");
}

#[test]
fn the_residual_exposes_a_step_that_clamps_after_a_coupled_solve() {
    // Solving the tangent block and then clamping radially pushes along -K⁻¹v, not -v: with a block that resists unevenly
    // the force is not opposite to the slip. The residual must not take that for a solution.
    let mut body = Body::cuboid(1.0, DVec3::new(1.0, 0.2, 0.3), DVec3::new(0.3, 0.1, 0.4));
    body.velocity = DVec3::new(0.5, -0.1, 0.3);
    let rows = [Rows::contact(0, None, DVec3::ZERO, DVec3::Y, DVec3::X, 3)];
    let p = problem(&[body], &rows);
    let (mu, laws) = (0.3, vec![ContactLaw::from(Disk::new(0.3).unwrap())]);
    let (report, exact) = solve(&Auto::default(), &p, &laws, 1e-12);
    assert!(report.residual.worst() <= 1e-12);
    let mut r = exact.r.clone();
    for _ in 0..1000 {
        // Normal row, then the coupled tangent block, then a radial clamp.
        let mut u = vec![0.0; 3];
        p.velocities(&r, &mut u);
        let w = p.diagonal(0);
        r[0] = (r[0] - u[0] / w[0]).max(0.0);
        p.velocities(&r, &mut u);
        let (a, b, c, d) = (w[4], w[5], w[7], w[8]);
        let determinant = a * d - b * c;
        let step = DVec2::new(d * u[1] - b * u[2], a * u[2] - c * u[1]) / determinant;
        let t = (DVec2::new(r[1], r[2]) - step).clamp_length_max(mu * r[0]);
        (r[1], r[2]) = (t.x, t.y);
    }
    let mut u = vec![0.0; 3];
    p.velocities(&r, &mut u);
    let found = residual(&p, &laws, p.scales(), &r, &u);
    assert!(found.worst() > 1e-3, "{found:?}");
    // It slides with a force that is not opposite to the slip.
    let (force, slip) = (DVec2::new(r[1], r[2]), DVec2::new(u[1], u[2]));
    assert!(force.perp_dot(slip).abs() > 1e-3 * force.length() * slip.length());
}
