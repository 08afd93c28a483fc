//! The three forms of the dynamics are the same operator: formed by brute force, over bodies, through a sparse factor.

mod common;

use asperity_friction::set::Disk;
use asperity_solve::problem::{Bodies, ContactProblem, Csc, Factor, InverseMass, Link, ProblemError, RowKind};
use asperity_solve::solver::{Auto, ProxGaussSeidel, Status};
use common::{Body, Rows, matrix_free, problem, solve};
use glam::{DMat3, DVec3};

/// Two stacks side by side, one with a joint and a row block of one row.
fn bodies_and_rows() -> (Vec<Body>, Vec<Rows>) {
    let mut bodies = Vec::new();
    let mut rows = Vec::new();
    for k in 0..6 {
        let (x, y) = ((k / 3) as f64 * 5.0, (k % 3) as f64 + 0.5);
        let mut body = Body::cuboid(1.0 + k as f64, DVec3::new(1.0, 1.0, 1.2), DVec3::new(x, y, 0.0));
        body.velocity = DVec3::new(0.3 - 0.1 * k as f64, -0.2, 0.05);
        body.spin = DVec3::new(0.0, 0.4, 0.1);
        bodies.push(body);
        let below = (k % 3 > 0).then(|| k - 1);
        for (dx, dz) in [(-0.5, -0.5), (0.5, -0.4), (0.5, 0.5), (-0.4, 0.5)] {
            let point = DVec3::new(x + dx, y - 0.5, dz);
            rows.push(Rows::contact(k, below, point, DVec3::Y, DVec3::X, [3, 1, 4, 6][k % 4]));
        }
    }
    rows.push(Rows::ball_joint(3, Some(4), DVec3::new(5.0, 1.0, 0.6)));
    (bodies, rows)
}

/// M and H of the same problem as sparse matrices, with a mass matrix that couples nothing but is stored as a whole.
fn factored(bodies: &[Body], rows: &[Rows]) -> ContactProblem {
    let free = matrix_free(bodies, rows);
    let dynamics = free.dynamics().bodies().unwrap();
    let (mut mass, mut h) = (Vec::new(), Vec::new());
    for (i, body) in bodies.iter().enumerate() {
        let inertia = body.inverse_inertia.inverse();
        for k in 0..3 {
            mass.push((6 * i + k, 6 * i + k, 1.0 / body.inverse_mass));
            for l in 0..3 {
                mass.push((6 * i + 3 + k, 6 * i + 3 + l, inertia.col(l)[k]));
            }
        }
    }
    for block in 0..dynamics.blocks() {
        let first = dynamics.starts()[block];
        for link in dynamics.links(block) {
            for (n, value) in link.jacobian.iter().enumerate() {
                h.push((6 * link.body + n % 6, first + n / 6, *value));
            }
        }
    }
    let dofs = 6 * bodies.len();
    let mass = Csc::from_triplets(dofs, dofs, &mass).unwrap();
    let h = Csc::from_triplets(dofs, dynamics.rows(), &h).unwrap();
    let factor = Factor::new(mass, h, dynamics.starts().to_vec()).unwrap();
    let kinds = (0..free.blocks()).map(|i| free.kind(i).clone()).collect();
    ContactProblem::new(factor, free.bias().to_vec(), kinds).unwrap()
}

#[test]
fn three_forms_are_one_operator() {
    let (bodies, rows) = bodies_and_rows();
    let explicit = problem(&bodies, &rows);
    let compliance: Vec<f64> = (0..explicit.rows()).map(|k| 0.01 * (k % 5) as f64).collect();
    let r: Vec<f64> = (0..explicit.rows()).map(|k| (k as f64 * 0.7).sin()).collect();
    let explicit = explicit.with_compliance(compliance.clone()).unwrap();
    let mut u = vec![0.0; r.len()];
    explicit.velocities(&r, &mut u);
    for other in [matrix_free(&bodies, &rows), factored(&bodies, &rows)] {
        let other = other.with_compliance(compliance.clone()).unwrap();
        assert!(!other.is_formed(), "nothing has asked for the blocks of W yet");
        let mut v = vec![0.0; r.len()];
        other.velocities(&r, &mut v);
        assert!(u.iter().zip(&v).all(|(a, b)| (a - b).abs() < 1e-12));
        assert_eq!(other.islands(), explicit.islands());
        for i in 0..explicit.blocks() {
            let pairs = explicit.diagonal(i).iter().zip(other.diagonal(i));
            assert!(pairs.clone().count() == explicit.range(i).len().pow(2));
            assert!(pairs.clone().all(|(a, b)| (a - b).abs() < 1e-12));
            let mut sums = (0.0, 0.0);
            explicit.w().row(i).for_each(|b| sums.0 += b.values.iter().map(|x| x.abs()).sum::<f64>());
            other.w().row(i).for_each(|b| sums.1 += b.values.iter().map(|x| x.abs()).sum::<f64>());
            assert!((sums.0 - sums.1).abs() < 1e-11 * sums.0);
        }
        let dv = other.dynamics().response(&r).unwrap();
        let after = common::velocities(&bodies, &rows, &r);
        for (i, (v, w)) in after.iter().enumerate() {
            let change = [(*v - bodies[i].velocity).to_array(), (*w - bodies[i].spin).to_array()].concat();
            assert!(change.iter().zip(&dv[6 * i..6 * i + 6]).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }
}

#[test]
fn velocities_after_impulses_are_the_same_in_every_form_with_degrees_of_freedom() {
    let (bodies, rows) = bodies_and_rows();
    let free: Vec<f64> = bodies.iter().flat_map(|b| [b.velocity.to_array(), b.spin.to_array()].concat()).collect();
    let explicit = problem(&bodies, &rows);
    let r: Vec<f64> = (0..explicit.rows()).map(|k| (k as f64 * 0.7).sin()).collect();
    let expected: Vec<f64> = common::velocities(&bodies, &rows, &r)
        .iter()
        .flat_map(|(v, w)| [v.to_array(), w.to_array()].concat())
        .collect();
    assert!(free.iter().zip(&expected).any(|(a, b)| (a - b).abs() > 0.1), "impulses that change nothing");
    for other in [matrix_free(&bodies, &rows), factored(&bodies, &rows)] {
        let v = other.dynamics().velocities(&free, &r).unwrap();
        assert_eq!((v.len(), other.dynamics().dofs()), (free.len(), Some(free.len())));
        assert!(v.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12));
        let short = other.dynamics().velocities(&free[1..], &r);
        assert!(matches!(short, Err(ProblemError::Freedoms { free: 35, dofs: 36, .. })), "{short:?}");
    }
    assert_eq!(explicit.dynamics().dofs(), None);
    assert_eq!(explicit.dynamics().velocities(&free, &r), Err(ProblemError::NoFreedoms));
}

#[test]
fn solvers_find_the_same_velocities_in_every_form() {
    let (bodies, mut rows) = bodies_and_rows();
    rows.retain(|r| r.directions.len() == 3);
    let explicit = problem(&bodies, &rows);
    let laws = vec![Disk::new(0.4).unwrap().into(); explicit.contacts()];
    let reference = {
        let (report, s) = solve(&Auto::default(), &explicit, &laws, 1e-11);
        assert_eq!(report.status, Status::Solved);
        s.u
    };
    for p in [matrix_free(&bodies, &rows), factored(&bodies, &rows)] {
        let sweeps = ProxGaussSeidel { sweeps: 200_000, ..ProxGaussSeidel::default() };
        for (name, (report, s)) in
            [("sweeps", solve(&sweeps, &p, &laws, 1e-10)), ("auto", solve(&Auto::default(), &p, &laws, 1e-10))]
        {
            assert_eq!(report.status, Status::Solved, "{name}: {report:?}");
            assert!(s.u.iter().zip(&reference).all(|(a, b)| (a - b).abs() < 1e-7), "{name}");
        }
    }
}

#[test]
fn compliance_lets_a_loaded_contact_give_way() {
    // A mass m pressed down with speed v: (1/m + c) r = v.
    let (m, v, c) = (2.0, 3.0, 0.25);
    let mut bodies = Bodies::new(vec![InverseMass::Point(1.0 / m)]).unwrap();
    bodies.push(1, &[Link { body: 0, jacobian: &[0.0, 1.0, 0.0] }]).unwrap();
    let p = ContactProblem::new(bodies, vec![-v], vec![RowKind::Contact]).unwrap().with_compliance(vec![c]).unwrap();
    let (report, s) = solve(&Auto::default(), &p, &[Disk::new(0.0).unwrap().into()], 1e-12);
    assert_eq!(report.status, Status::Solved);
    assert!((s.r[0] - v / (1.0 / m + c)).abs() < 1e-12);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let rigid = |m: f64| InverseMass::Rigid(m, DMat3::IDENTITY);
    for bad in [rigid(-1.0), rigid(f64::NAN), InverseMass::Point(f64::INFINITY), InverseMass::Dense(2, vec![1.0; 3])] {
        assert!(matches!(Bodies::new(vec![rigid(1.0), bad]), Err(ProblemError::InverseMass { body: 1 })));
    }
    let mut bodies = Bodies::new(vec![rigid(1.0)]).unwrap();
    let wrong_body = bodies.push(1, &[Link { body: 1, jacobian: &[0.0; 6] }]);
    assert!(matches!(wrong_body, Err(ProblemError::Link { block: 0, body: 1, .. })));
    let wrong_size = bodies.push(3, &[Link { body: 0, jacobian: &[0.0; 6] }]);
    assert!(matches!(wrong_size, Err(ProblemError::Link { block: 0, body: 0, values: 6 })));
    let nan = bodies.push(1, &[Link { body: 0, jacobian: &[f64::NAN; 6] }]);
    assert!(matches!(nan, Err(ProblemError::NotFinite { what: "J", .. })));
    assert_eq!(bodies.blocks(), 0, "nothing half-added");
    bodies.push(1, &[Link { body: 0, jacobian: &[1.0; 6] }]).unwrap();
    let infinity = f64::INFINITY;
    for (lower, upper) in [(1.0, 0.0), (f64::NAN, 1.0), (infinity, infinity), (-infinity, -infinity)] {
        let kinds = vec![RowKind::Bounded { lower: vec![lower], upper: vec![upper] }];
        let refused = ContactProblem::new(bodies.clone(), vec![0.0], kinds);
        assert!(matches!(refused, Err(ProblemError::Bounds { block: 0 })), "{lower} {upper}");
    }
    let p = ContactProblem::new(bodies, vec![0.0], vec![RowKind::Bilateral]).unwrap();
    assert!(matches!(p.clone().with_compliance(vec![-1.0]), Err(ProblemError::Compliance { row: 0, .. })));
    assert!(matches!(p.with_compliance(vec![0.0; 2]), Err(ProblemError::Size { .. })));
    let square = |n: usize, x: f64| Csc::from_triplets(n, n, &(0..n).map(|i| (i, i, x)).collect::<Vec<_>>()).unwrap();
    assert!(matches!(Factor::new(square(3, 0.0), square(3, 1.0), vec![0, 3]), Err(ProblemError::NotPositive { .. })));
    assert!(matches!(Factor::new(square(3, 1.0), square(2, 1.0), vec![0, 2]), Err(ProblemError::Shapes { .. })));
}
