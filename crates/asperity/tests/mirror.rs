//! A world and its mirror image: what one does, the other does mirrored. Where friction at a slender body has several solutions
//! (Painlevé's paradoxes) this says that the choice between them does not depend on the order of contacts or on the axes of their frames.

mod common;

use asperity::body::BodyState;
use asperity::geometry::{Pose, Shape};
use asperity::step::{Impulse, ImpulseSettings};
use asperity_solve::solver::{Auto, ContactSolver, Proximal};
use common::World;
use glam::{DQuat, DVec3};

/// A rod that slides over the floor on its end and leans back by `lean`, rad.
#[derive(Clone, Copy, Debug)]
struct Rod {
    lean: f64,
    mu: f64,
    /// Along the floor and down, m/s.
    speed: f64,
    sink: f64,
    /// Its velocity in the plane of the mirror, m/s.
    aside: f64,
}

/// Half its length and half its width, m.
const HALF: [f64; 2] = [0.5, 0.01];

impl Rod {
    /// Along +x, or along -x as its mirror image.
    fn world(self, side: f64, solver: Box<dyn ContactSolver>) -> World {
        let mut world = World::coulomb(self.mu);
        world.stepper = Impulse::new(solver, ImpulseSettings::default());
        world.floor();
        let shape = Shape::cuboid(DVec3::new(HALF[1], HALF[0], HALF[1])).unwrap();
        let height = HALF[0] * self.lean.cos() + HALF[1] * self.lean.sin();
        let pose = Pose { position: DVec3::Y * height, rotation: DQuat::from_rotation_z(side * self.lean) };
        let body = world.dynamic(shape, 1000.0, pose);
        if let BodyState::Rigid(at) = &mut world.state.bodies[body] {
            at.velocity = DVec3::new(side * self.speed, -self.sink, self.aside);
        }
        world
    }

    /// How far the velocities of the motions along +x and along -x are from being mirror images, m/s and rad/s.
    fn unlike(self, solver: fn() -> Box<dyn ContactSolver>) -> f64 {
        let mut worlds = [1.0, -1.0].map(|side| self.world(side, solver()));
        let mut worst = 0.0f64;
        for _ in 0..10 {
            worlds.iter_mut().for_each(|world| _ = world.step(0.005));
            let [one, other] = [worlds[0].at(1), worlds[1].at(1)];
            let (across, about) = (DVec3::new(-1.0, 1.0, 1.0), DVec3::new(1.0, -1.0, -1.0));
            worst = worst.max((one.velocity - across * other.velocity).length());
            worst = worst.max((one.angular_velocity - about * other.angular_velocity).length());
        }
        worst
    }
}

/// Rods from steep to flat, below and beyond the limit of the paradox: mu = (1 + 3 sin²) / (3 sin cos) of the lean, 4/3 at
/// the least, for those that lean back as they slide.
fn rods() -> impl Iterator<Item = Rod> {
    let leans = (1..=14).map(|k| 0.1 * f64::from(k));
    let pairs = leans.flat_map(|lean| [0.5, 1.5, 2.5].map(|mu| (lean, mu)));
    pairs.flat_map(|(lean, mu)| {
        [[1.0, 0.0, 0.0], [4.0, 0.5, 0.0], [-2.0, 0.5, 0.3]].map(|[speed, sink, aside]| Rod {
            lean,
            mu,
            speed,
            sink,
            aside,
        })
    })
}

#[test]
fn rods_that_jam_do_so_alike_on_both_sides() {
    let solvers: [fn() -> Box<dyn ContactSolver>; 2] = [|| Box::new(Auto::default()), || Box::new(Proximal::default())];
    for solver in solvers {
        let (mut worst, mut beyond) = (0.0f64, 0);
        for rod in rods() {
            let unlike = rod.unlike(solver);
            assert!(unlike < 1e-6, "{} {rod:?}: {unlike:e}", solver().name());
            worst = worst.max(unlike);
            let (sin, cos) = rod.lean.sin_cos();
            beyond += usize::from(rod.speed > 0.0 && rod.mu * 3.0 * sin * cos > 1.0 + 3.0 * sin * sin);
        }
        println!("{}: {worst:e}", solver().name());
        // The paradox is among them.
        assert!(beyond > 20, "{beyond}");
    }
}
