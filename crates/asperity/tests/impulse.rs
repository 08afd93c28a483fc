//! The impulse stepper against closed forms.

mod common;

use std::time::Duration;

use asperity::geometry::{Pose, Shape};
use asperity::step::{Impulse, ImpulseSettings, StepError, Stepper};
use asperity::world::Momentum;
use asperity_friction::model::{FrictionModel, Matchstick};
use asperity_solve::solver::Auto;
use common::{World, at, cube};
use glam::{DQuat, DVec3};

/// Rows of the box table: grain of the plane, grain of the box, displacement downhill and lateral after 1 s. Closed form: constant
/// acceleration along the direction in which drive minus maximum-dissipation friction is parallel to the motion.
const BOX_TABLE: [([f64; 3], [f64; 3], f64, f64); 6] = [
    ([1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 2.7775, 0.0),
    ([1.0, 0.0, 1.0], [1.0, 0.0, 1.0], 1.2786, -1.2384),
    ([1.0, 0.0, 0.0], [1.0, 0.0, 1.0], 2.3666, -0.9008),
    ([1.0, 0.0, 1.0], [0.0, 0.0, 1.0], 0.3492, -0.6737),
    ([0.0, 0.0, 1.0], [0.0, 0.0, 1.0], 0.0, 0.0),
    ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0], 2.7775, 0.0),
];

/// A box of the Matchstick authors on their plane at 45 degrees; x of the plane points uphill.
fn box_on_incline(law: impl Into<FrictionModel>, tilt: f64) -> (World, DVec3) {
    let mut world = World::new(law, 0.0);
    world.model.gravity = DVec3::new(0.0, -9.82, 0.0);
    let rotation = DQuat::from_rotation_z(tilt);
    world.fixed(Shape::cuboid(DVec3::new(8.0, 0.25, 1.0)).unwrap(), Pose { position: DVec3::ZERO, rotation });
    let position = rotation * DVec3::new(7.0, 0.25 + 1.0 / 3.0, 0.0);
    let half = DVec3::new(0.5, 1.0 / 3.0, 0.5);
    world.dynamic(Shape::cuboid(half).unwrap(), 2000.0, Pose { position, rotation });
    (world, rotation * -DVec3::X)
}

#[test]
fn the_box_table_of_the_matchstick_authors() {
    for (plane, own, down, lateral) in BOX_TABLE {
        for (dt, within) in [(0.01, 0.005), (0.001, 0.0005)] {
            let (mut world, downhill) = box_on_incline(Matchstick::new(0.2, 0.2, 3.0).unwrap(), 45f64.to_radians());
            world.structure(0, DVec3::from(plane));
            world.structure(1, DVec3::from(own));
            let start = world.at(1).centre;
            world.run(dt, (1.0 / dt).round() as usize);
            let moved = world.at(1).centre - start;
            let found = (moved.dot(downhill), moved.z);
            let error = f64::hypot(found.0 - down, found.1 - lateral);
            // The table has four digits.
            let size = f64::hypot(down, lateral).max(1e-3);
            assert!(error <= within * size + 1e-4, "{plane:?} {own:?} dt {dt}: {found:?}, {down} {lateral}");
        }
    }
}

#[test]
fn a_box_on_an_incline_sticks_or_slides_as_it_should() {
    let tilt = 10f64.to_radians();
    for dt in [0.01, 0.001] {
        for above in [5.5e-5, 1e-3, 1e-1] {
            for (mu, sticks) in [(tilt.tan() + above, true), (tilt.tan() - above, false)] {
                let mut world = World::coulomb(mu);
                let rotation = DQuat::from_rotation_z(tilt);
                world.fixed(Shape::half_space(DVec3::Y).unwrap(), Pose { position: DVec3::ZERO, rotation });
                let position = rotation * DVec3::new(0.0, 0.25, 0.0);
                world.dynamic(cube(0.25), 1000.0, Pose { position, rotation });
                let start = world.at(1).centre;
                let time = if sticks && above == 5.5e-5 { 10.0 } else { 2.0 };
                world.run(dt, (time / dt) as usize);
                let moved = (world.at(1).centre - start).dot(rotation * -DVec3::X);
                if sticks {
                    assert!(moved.abs() < 1e-8, "dt {dt} mu {mu}: moved {moved:e}");
                } else {
                    let exact = 0.5 * 9.81 * (tilt.sin() - mu * tilt.cos()) * 4.0;
                    assert!((moved - exact).abs() < 1e-6 + 1e-6 * exact, "dt {dt} mu {mu}: {moved:e} not {exact:e}");
                }
            }
        }
    }
}

#[test]
fn a_tower_of_ten_boxes_stands() {
    let mut world = World::coulomb(0.5);
    world.floor();
    for i in 0..10 {
        world.dynamic(cube(0.5), 1000.0, at(0.0, 0.5 + f64::from(i), 0.0));
    }
    world.run(0.01, 6000);
    let top = world.at(10).centre;
    assert!((top - DVec3::new(0.0, 9.5, 0.0)).length() < 1e-4, "{top}");
}

#[test]
fn a_heavy_box_rests_on_a_light_one() {
    let mut world = World::coulomb(0.5);
    world.floor();
    world.dynamic(cube(0.5), 1.0, at(0.0, 0.5, 0.0));
    world.dynamic(cube(0.5), 1000.0, at(0.1, 1.5, 0.1));
    world.run(0.01, 1000);
    assert!((world.at(2).centre - DVec3::new(0.1, 1.5, 0.1)).length() < 1e-4, "{}", world.at(2).centre);
}

#[test]
fn a_cylinder_rolls_or_skids_as_in_the_closed_form() {
    // Radius r on an incline: rolls with 2/3 g sin if mu >= tan/3, else slides with g (sin − mu cos) and spins up with
    // 2 mu g cos / r.
    let (tilt, radius) = (20f64.to_radians(), 0.5);
    for (mu, rolls) in [(0.3, true), (0.05, false)] {
        let mut world = World::coulomb(mu);
        let rotation = DQuat::from_rotation_z(tilt);
        world.fixed(Shape::half_space(DVec3::Y).unwrap(), Pose { position: DVec3::ZERO, rotation });
        let upright = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
        let position = rotation * DVec3::new(0.0, radius, 0.0);
        let shape = Shape::cylinder(0.5, radius).unwrap();
        world.dynamic(shape, 1000.0, Pose { position, rotation: rotation * upright });
        let start = world.at(1).centre;
        world.run(0.01, 100);
        let moved = (world.at(1).centre - start).dot(rotation * -DVec3::X);
        let (g, spin) = (9.81, world.at(1).angular_velocity.z);
        let (down, turning) = if rolls {
            (g * tilt.sin() / 3.0, 2.0 / 3.0 * g * tilt.sin() / radius)
        } else {
            (0.5 * g * (tilt.sin() - mu * tilt.cos()), 2.0 * mu * g * tilt.cos() / radius)
        };
        assert!((moved - down).abs() < 1e-6 * down, "mu {mu}: {moved} {down}");
        assert!((spin - turning).abs() < 1e-6 * turning, "mu {mu}: {spin} {turning}");
    }
}

#[test]
fn a_ball_bounces_to_the_height_that_restitution_gives() {
    // From h0: the k-th apex is e^2k h0, at the time t0 (1 + 2 (e + e² + … + e^k)), t0 = √(2 h0/g).
    let (e, height, radius): (f64, f64, f64) = (0.8, 1.0, 0.1);
    let mut world = World::new(asperity_friction::model::Coulomb::new(0.3).unwrap(), e);
    world.floor();
    world.dynamic(Shape::sphere(radius).unwrap(), 1000.0, at(0.0, radius + height, 0.0));
    let first = (2.0 * height / 9.81).sqrt();
    let dt = 0.01;
    let mut apexes = Vec::new();
    let mut last = 0.0;
    for _ in 0..(first * (1.0 + 2.0 * (e + e * e + e.powi(3))) / dt) as usize {
        world.step(dt);
        let v = world.at(1).velocity.y;
        if last > 0.0 && v <= 0.0 {
            // Between steps the ball is in free flight: the apex is y + v²/2g.
            apexes.push((world.state.time + v / 9.81, world.at(1).centre.y - radius + v * v / (2.0 * 9.81)));
        }
        last = v;
    }
    assert_eq!(apexes.len(), 3);
    for (k, (time, apex)) in apexes.into_iter().enumerate() {
        let k = k as i32 + 1;
        let exact = e.powi(2 * k) * height;
        let when = first * (1.0 + 2.0 * (1..k).map(|i| e.powi(i)).sum::<f64>() + e.powi(k));
        assert!((apex - exact).abs() < 1e-7, "{apex} {exact}");
        assert!((time - when).abs() < 1e-7, "{time} {when}");
    }
}

#[test]
fn momentum_is_kept_when_nothing_acts_from_outside() {
    let mut world = World::new(asperity_friction::model::Coulomb::new(0.4).unwrap(), 0.3);
    world.model.gravity = DVec3::ZERO;
    for i in 0..8 {
        let (x, y, z) = (f64::from(i % 2), f64::from(i / 2 % 2), f64::from(i / 4));
        let tilt = DQuat::from_scaled_axis(DVec3::new(x, y - 0.4, z + 0.2));
        let position = 1.3 * DVec3::new(x, y, z) - DVec3::splat(0.65);
        let body =
            world.dynamic(Shape::cuboid(DVec3::new(0.3, 0.4, 0.25)).unwrap(), 500.0, Pose { position, rotation: tilt });
        world.state.bodies[body].frame_mut().velocity = -2.0 * position;
        world.state.bodies[body].frame_mut().angular_velocity = DVec3::new(y, z - 0.3, x);
    }
    let Momentum { linear: p, angular: l } = world.model.momentum(&world.state);
    let scale: f64 = world.state.bodies.iter().map(|b| 500.0 * 0.24 * b.frame().velocity.length()).sum();
    let mut touched = 0;
    let mut energy = world.energy();
    let first = energy;
    for _ in 0..300 {
        let report = world.step(0.01);
        touched += report.impacts + report.forces.len();
        let now = world.energy();
        assert!(now <= energy + 1e-9 * first, "{now} {energy}");
        energy = now;
        let Momentum { linear: p1, angular: l1 } = world.model.momentum(&world.state);
        assert!((p1 - p).length() < 1e-10 * scale, "{:e}", (p1 - p).length() / scale);
        assert!((l1 - l).length() < 1e-10 * scale, "{:e}", (l1 - l).length() / scale);
    }
    assert!(touched > 20, "they collide: {touched}");
}

#[test]
fn energy_never_grows_and_friction_never_drives() {
    // A heap of boxes, balls, capsules and cylinders falls and comes to rest.
    let mut world = World::coulomb(0.5);
    world.floor();
    for i in 0..24 {
        let shape = match i % 4 {
            0 => cube(0.2),
            1 => Shape::sphere(0.22).unwrap(),
            2 => Shape::capsule(0.2, 0.15).unwrap(),
            _ => Shape::cylinder(0.2, 0.18).unwrap(),
        };
        let (x, y, z) = (f64::from(i % 2) * 0.75, 0.4 + 0.75 * f64::from(i / 4), f64::from(i / 2 % 2) * 0.75);
        let rotation = DQuat::from_scaled_axis(DVec3::new(0.3 * f64::from(i), 0.7, 0.1 * f64::from(i)));
        world.dynamic(shape, 800.0, Pose { position: DVec3::new(x, y, z), rotation });
    }
    let scale = world.energy();
    let mut lowest = world.energy();
    for _ in 0..400 {
        let report = world.step(0.005);
        let now = world.energy();
        assert!(now <= lowest + 1e-6 * scale, "t {}: grows by {:e}", world.state.time, (now - lowest) / scale);
        lowest = lowest.min(now);
        assert!(report.largest_friction_power <= 1e-6 * scale, "{:e}", report.largest_friction_power);
        assert!(report.penetration < 2e-3, "t {}: {}", world.state.time, report.penetration);
    }
}

/// A coin of 0.1 m × 0.01 m that is dropped by a little onto its rim, leaning, and rolls and wobbles.
#[test]
fn a_coin_that_rolls_and_wobbles_gains_no_energy() {
    for (mu, dt) in [(0.0, 0.004), (0.0, 0.001), (0.8, 0.004), (0.8, 0.001)] {
        let mut world = World::coulomb(mu);
        world.fixed(Shape::half_space(DVec3::Y).unwrap(), Pose { position: DVec3::ZERO, rotation: DQuat::IDENTITY });
        let rotation = DQuat::from_rotation_x(75f64.to_radians());
        let coin = Shape::cylinder(0.1, 0.005).unwrap();
        world.dynamic(coin, 1000.0, Pose { position: DVec3::Y * 0.101, rotation });
        let at = world.state.bodies[1].frame_mut();
        (at.velocity, at.angular_velocity) = (DVec3::X * 1.5, DVec3::Z * -15.0);
        let first = world.energy();
        let mut least = first;
        for step in 0..(1.0 / dt) as usize {
            world.run(dt, 1);
            let now = world.energy();
            assert!(now - least <= 1e-9 * first, "mu {mu}, dt {dt}, step {step}: grown by {:e}", (now - least) / first);
            least = least.min(now);
        }
        // It still rolls.
        assert!(world.at(1).velocity.length() > 0.5, "mu {mu}, dt {dt}: {}", world.at(1).velocity);
    }
}

#[test]
fn a_problem_that_takes_too_long_fails_the_step() {
    let mut world = World::coulomb(0.5);
    world.fixed(Shape::cuboid(DVec3::new(5.0, 0.5, 5.0)).unwrap(), at(0.0, -0.5, 0.0));
    for k in 0..6 {
        world.dynamic(cube(0.5), 1000.0, at(0.1 * f64::from(k), 0.5 + f64::from(k), 0.0));
    }
    let settings = ImpulseSettings { time: Duration::ZERO, ..ImpulseSettings::default() };
    let mut impatient = Impulse::new(Box::new(Auto::of_steps()), settings);
    let before = world.state.clone();
    let error = impatient.step(&world.model, &mut world.state, 0.01).unwrap_err();
    assert!(matches!(error, StepError::OutOfTime { limit: 0.0, .. }), "{error}");
    assert!(error.to_string().contains("not solved after 0 s, the longest time that a problem may take"), "{error}");
    assert_eq!(world.state.bodies, before.bodies);
    assert!(world.stepper.step(&world.model, &mut world.state, 0.01).is_ok());
}
