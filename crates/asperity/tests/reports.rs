//! The report of a step describes the step that was made: its forces change the momentum, and its powers are means over the whole step.

mod common;

use asperity::geometry::{Pose, Shape};
use asperity_friction::model::Coulomb;
use common::{World, at, cube};
use glam::{DQuat, DVec3};

/// Relative change of a contact's force while its spring, whose compliance is 1e-5 of W, is pressed in during the first steps.
const SPRING: f64 = 1e-4;

/// Σ F dt + m g dt = m Δv in every step, to 1e-9 of m g dt, for a coin that rolls and wobbles: its steps are solved several times with rows that
/// turn, and what they gain is taken back from the velocities.
#[test]
fn reported_forces_change_the_momentum() {
    for (mu, dt) in [(0.0, 0.004), (0.8, 0.004), (0.8, 0.001)] {
        let mut world = World::coulomb(mu);
        world.floor();
        let rotation = DQuat::from_rotation_x(75f64.to_radians());
        let coin = Shape::cylinder(0.1, 0.005).unwrap();
        world.dynamic(coin, 1000.0, Pose { position: DVec3::Y * 0.101, rotation });
        let at = world.state.bodies[1].frame_mut();
        (at.velocity, at.angular_velocity) = (DVec3::X * 1.5, DVec3::Z * -15.0);
        let mass = world.model.bodies[1].inertia().unwrap().mass();
        let mut worst = 0.0;
        for _ in 0..(1.0 / dt) as usize {
            let before = world.at(1).velocity;
            let report = world.step(dt);
            // The coin is the second body, and forces act on the first.
            let force: DVec3 = report.forces.iter().map(|contact| -contact.force).sum();
            let change = (world.at(1).velocity - before) * mass;
            let off = (change - (force + world.model.gravity * mass) * dt).length();
            worst = f64::max(worst, off / (mass * 9.81 * dt));
        }
        assert!(worst <= 1e-9, "mu {mu}, dt {dt}: off by {worst:e} of m g dt");
    }
}

/// A box slides while a ball bounces far away. A step in which the ball bounces is cut there, but the box has the same friction and load in it as in
/// any other step: −μ m g v and m g.
#[test]
fn a_step_that_is_cut_at_a_bounce_reports_means_over_the_step() {
    let (mu, speed, dt) = (0.3, 2.0, 0.01);
    let mut world = World::new(Coulomb::new(mu).unwrap(), 0.5);
    world.floor();
    let slider = world.dynamic(cube(0.1), 1000.0, at(0.0, 0.1, 0.0));
    world.state.bodies[slider].frame_mut().velocity = DVec3::X * speed;
    let ball = world.dynamic(Shape::sphere(0.1).unwrap(), 1000.0, at(0.0, 0.4, 5.0));
    let weight = |body: usize| world.model.bodies[body].inertia().unwrap().mass() * 9.81;
    let (weight, weight_of_ball) = (weight(slider), weight(ball));
    let mut cut = 0;
    for _ in 0..40 {
        let (slow, before) = (world.at(slider).velocity.x, world.at(ball).velocity.y);
        let report = world.step(dt);
        cut += report.impacts;
        let sum = |body: usize| {
            let own = report.forces.iter().filter(|contact| contact.pair == [0, body as u32]);
            own.map(|contact| -contact.force).sum::<DVec3>()
        };
        let force = sum(slider);
        assert!((force.y / weight - 1.0).abs() < SPRING, "{} impacts: {force}", report.impacts);
        assert!((force.x / (mu * weight) + 1.0).abs() < SPRING, "{} impacts: {force}", report.impacts);
        // The slip at the end of each span: between those at the start and the end of the step.
        let (least, most) = (world.at(slider).velocity.x, slow);
        let power = -report.friction_power / (mu * weight);
        assert!(
            power >= least * (1.0 - SPRING) && power <= most * (1.0 + SPRING),
            "{} impacts: {power} of {least} to {most}",
            report.impacts
        );
        // The blow is part of the mean force on the ball.
        let blow = (world.at(ball).velocity.y - before) / dt * weight_of_ball / 9.81 + weight_of_ball;
        assert!((sum(ball).y - blow).abs() < 1e-6 * weight_of_ball, "{} impacts", report.impacts);
    }
    assert!(cut > 0, "the ball bounces");
}
