//! Friction from grain inside Rapier: a slab on a slope, with Rapier's own friction and with a Matchstick law put in by a hook, beside the closed form.
//!
//! ```sh
//! cargo run --release --manifest-path examples/rapier/Cargo.toml
//! ```
//!
//! From rest, a slab on a slope whose friction does not change goes along a straight line: of all forces that the law allows, friction is the one that leaves the least acceleration (maximum dissipation), the projection of
//! gravity's pull onto the law's set ([`closed_form`]).

mod hook;

use std::error::Error;

use asperity_friction::model::{FrictionModel, Matchstick};
use asperity_friction::set::ConvexSet;
use asperity_friction::{ContactFrame, ContactState, SurfaceSample, Tangential};
use glam::{DQuat, DVec2, DVec3};
use hook::LawHook;
use rapier3d_f64::prelude::{
    ActiveHooks, ColliderBuilder, PhysicsHooks, PhysicsWorld, Pose, RigidBodyBuilder, Rotation, Vector,
};

const GRAVITY: f64 = 9.81;
const SLOPE_DEG: f64 = 25.0;
/// Half sides of the slab.
const HALF: DVec3 = DVec3::new(0.2, 0.02, 0.2);
/// Steps in the second that is simulated.
const STEPS: usize = 240;

/// A way along the slope: downhill, and to the side.
type Way = DVec2;

fn main() -> Result<(), Box<dyn Error>> {
    let law = Matchstick::new(0.3, 0.1, 0.4)?.into();
    println!("A slab from rest on a slope of {SLOPE_DEG} degrees, 1 s. Friction 0.1 along the grain, 0.4 across it.");
    println!("grain at     closed form          Rapier with the law  Rapier alone (mu = 0.1)");
    for angle in [0.0, 20.0, 45.0, 70.0, 90.0f64] {
        let direction = DVec2::from_angle(angle.to_radians());
        let exact = closed_form(&law, direction)?;
        let hook = LawHook {
            law: law.clone(),
            grain: DVec3::new(-direction.x, 0.0, direction.y),
            gravity: GRAVITY * DVec3::NEG_Y,
        };
        let (ours, alone) = (slide(&hook, STEPS), slide(&(), STEPS));
        let cell = |way: Way| format!("{:6.3} {:6.3} m", way.x, way.y);
        println!("{angle:4} degrees   {:18}   {:18}   {}", cell(exact), cell(ours), cell(alone));
    }
    Ok(())
}

/// How far a slab slides in a second: downhill and to the side.
fn slide(hooks: &dyn PhysicsHooks, steps: usize) -> Way {
    let turn = DQuat::from_rotation_z(SLOPE_DEG.to_radians());
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(0.0, -GRAVITY, 0.0);
    world.integration_parameters.dt = 1.0 / steps as f64;
    let pose = |x: DVec3| Pose::from_parts(vector(turn * x), Rotation::from_array(turn.to_array()));
    let surface = |collider: ColliderBuilder| collider.friction(0.1).active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS);
    let plane = surface(ColliderBuilder::cuboid(20.0, 0.5, 20.0));
    world.insert(RigidBodyBuilder::fixed().pose(pose(DVec3::new(0.0, -0.5, 0.0))), plane);
    let slab = surface(ColliderBuilder::cuboid(HALF.x, HALF.y, HALF.z));
    let start = DVec3::new(0.0, HALF.y, 0.0);
    let (slab, _) = world.insert(RigidBodyBuilder::dynamic().pose(pose(start)).can_sleep(false), slab);
    for _ in 0..steps {
        world.step_with_events(hooks, &());
    }
    let at = DVec3::from_array(world.bodies[slab].position().translation.to_array());
    let way = turn.conjugate() * at - start;
    // The slope rises along x.
    DVec2::new(-way.x, way.z)
}

/// The way in a second by the closed form, with the grain of both surfaces along `grain`.
fn closed_form(law: &FrictionModel, grain: DVec2) -> Result<Way, Box<dyn Error>> {
    // Tangents downhill and to the side.
    let frame = ContactFrame::new(DVec3::Y, DVec3::NEG_X)?;
    let structure = grain.x * frame.t() + grain.y * frame.b();
    let surface = SurfaceSample { structure, ..SurfaceSample::default() };
    let law = law.law(&ContactState::new(frame, surface, surface))?;
    let (sin, cos) = SLOPE_DEG.to_radians().sin_cos();
    let pull = GRAVITY * sin * DVec2::X;
    let set = law.set().ok_or("the law is no set")?;
    let acceleration = pull + set.project(GRAVITY * cos, Tangential::planar(-pull)).plane;
    let b = frame.b().z;
    Ok(0.5 * DVec2::new(acceleration.x, acceleration.y * b))
}

fn vector(v: DVec3) -> Vector {
    Vector::from_array(v.to_array())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slab goes where the closed form says. The law is asked with the slip of the start of a step: a quarter of the step, about a quarter of the error.
    #[test]
    fn rapier_with_the_law_follows_the_closed_form() {
        let law: FrictionModel = Matchstick::new(0.3, 0.1, 0.4).unwrap().into();
        for angle in [0.0, 20.0, 45.0, 70.0, 90.0f64] {
            let direction = DVec2::from_angle(angle.to_radians());
            let exact = closed_form(&law, direction).unwrap();
            let grain = DVec3::new(-direction.x, 0.0, direction.y);
            let hook = LawHook { law: law.clone(), grain, gravity: GRAVITY * DVec3::NEG_Y };
            let error = |steps: usize| slide(&hook, steps).distance(exact) / exact.length();
            let (coarse, fine) = (error(240), error(960));
            assert!(coarse < 0.05 && fine < 0.015 && fine < 0.4 * coarse + 1e-3, "{angle} degrees: {coarse}, {fine}");
        }
    }

    /// Across the grain 0.6 is more than tan 25 degrees: it stays.
    #[test]
    fn what_the_law_holds_stays() {
        let law: FrictionModel = Matchstick::new(0.3, 0.1, 0.6).unwrap().into();
        let found = slide(&LawHook { law, grain: DVec3::Z, gravity: GRAVITY * DVec3::NEG_Y }, STEPS);
        assert!(found.length() < 1e-3, "{found}");
    }
}
