//! Projected Gauss-Seidel: exact on boxes, however they are turned; honest about what it replaces.

mod common;

use asperity_friction::ContactLaw;
use asperity_friction::set::{AsymmetricBox, Disk, Ellipsoid};
use asperity_solve::solver::{Auto, ProjectedGaussSeidel, Status};
use common::scenes::FOUR;
use common::{Body, Rows, matrix_free, problem, solve, velocities};
use glam::{DVec2, DVec3};

/// A cube on four corners that falls and slides along `velocity`.
fn cube(velocity: DVec3, rows_each: usize) -> (Vec<Body>, Vec<Rows>) {
    let mut body = Body::cuboid(2.0, DVec3::ONE, DVec3::Y * 0.5);
    body.velocity = velocity;
    let corner = |(x, z): &(f64, f64)| Rows::contact(0, None, DVec3::new(*x, 0.0, *z), DVec3::Y, DVec3::X, rows_each);
    (vec![body], FOUR.iter().map(corner).collect())
}

#[test]
fn a_turned_box_is_solved_exactly() {
    // Frame (t, b) = (x, -z). The cube slides along the axis of its boxes: the lower bound there brakes, the other does
    // nothing, and nothing turns. Dropped with 1 m/s, it loses 0.2 m/s.
    let axis = DVec2::from_angle(0.6);
    let law = AsymmetricBox::new(DVec2::new(0.5, 0.9), DVec2::new(0.2, 0.7), axis).unwrap();
    let along = DVec3::new(axis.x, 0.0, -axis.y);
    let (bodies, rows) = cube(along * 3.0 - DVec3::Y, 3);
    for p in [problem(&bodies, &rows), matrix_free(&bodies, &rows)] {
        let laws = vec![ContactLaw::from(law); 4];
        let (report, s) = solve(&ProjectedGaussSeidel::default(), &p, &laws, 1e-10);
        assert_eq!(report.status, Status::Solved, "{report:?}");
        let (v, spin) = velocities(&bodies, &rows, &s.r)[0];
        assert!((v - along * 2.8).length() < 1e-9, "{v}");
        assert!(spin.length() < 1e-8, "{spin}");
    }
}

#[test]
fn a_tower_of_boxes_agrees_with_auto() {
    let mut bodies = Vec::new();
    let mut rows = Vec::new();
    for k in 0..4usize {
        let mut body = Body::cuboid(1.0 + k as f64, DVec3::ONE, DVec3::Y * (k as f64 + 0.5));
        body.velocity = DVec3::new(0.4 * (k as f64 - 1.0), -0.2, 0.1);
        bodies.push(body);
        // Three: with four the normal impulses would not be unique, and with them the torque of friction.
        for (x, z) in [(-0.5, -0.5), (0.5, -0.5), (0.0, 0.5)] {
            let point = DVec3::new(x, k as f64, z);
            rows.push(Rows::contact(k, k.checked_sub(1), point, DVec3::Y, DVec3::X, 3));
        }
    }
    let p = matrix_free(&bodies, &rows);
    let law = AsymmetricBox::new(DVec2::new(0.4, 0.2), DVec2::new(0.1, 0.3), DVec2::from_angle(0.3)).unwrap();
    let laws = vec![ContactLaw::from(law); p.contacts()];
    let (report, s) = solve(&ProjectedGaussSeidel::default(), &p, &laws, 1e-9);
    let (reference, best) = solve(&Auto::default(), &p, &laws, 1e-10);
    assert_eq!((report.status, reference.status), (Status::Solved, Status::Solved), "{report:?} {reference:?}");
    let (a, b) = (velocities(&bodies, &rows, &s.r), velocities(&bodies, &rows, &best.r));
    assert!(a.iter().zip(&b).all(|(a, b)| (a.0 - b.0).length().max((a.1 - b.1).length()) < 1e-6));
}

#[test]
fn a_replaced_set_is_said_to_be_so() {
    // A disk becomes the square around it: sliding along its diagonal is braked √2 times too much.
    let diagonal = DVec3::new(1.0, 0.0, 1.0).normalize();
    let (bodies, rows) = cube(diagonal * 3.0 - DVec3::Y, 3);
    let p = problem(&bodies, &rows);
    let (report, s) =
        solve(&ProjectedGaussSeidel::default(), &p, &[Disk::new(0.3).unwrap(); 4].map(ContactLaw::from), 1e-10);
    assert_eq!(report.status, Status::Approximated, "{report:?}");
    assert!(report.residual.worst() > 1e-3);
    let v = velocities(&bodies, &rows, &s.r)[0].0;
    assert!((v - diagonal * (3.0 - 0.3 * 2f64.sqrt())).length() < 1e-8, "{v}");
}

#[test]
fn spin_is_clamped_too() {
    // A ball of radius 0.5 that spins about the normal on one contact: torque μ_τ N brakes it.
    let mut ball = Body::ball(2.0, 0.5, DVec3::Y * 0.5);
    ball.velocity = -DVec3::Y;
    ball.spin = DVec3::Y * 10.0;
    let rows = [Rows::contact(0, None, DVec3::ZERO, DVec3::Y, DVec3::X, 4)];
    let p = problem(&[ball], &rows);
    let law = Ellipsoid::new([0.4, 0.4, 0.01], DVec2::X).unwrap();
    let (_, s) = solve(&ProjectedGaussSeidel::default(), &p, &[law.into()], 1e-10);
    let spin = velocities(&[ball], &rows, &s.r)[0].1;
    let inertia = 0.4 * 2.0 * 0.25;
    assert!((spin.y - (10.0 - 0.01 * 2.0 / inertia)).abs() < 1e-9, "{spin}");
}
