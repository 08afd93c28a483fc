//! Rapier (f64) on a scene: with its own settings, or with its per-point friction and many iterations.
//!
//! Bodies never sleep: a step of a sleeping world is no step. Everything else is as Rapier has it by default, one thread.

use std::time::Instant;

use asperity::geometry::{Capsule, Cuboid, Shape};
use glam::DVec3;
use rapier3d_f64::prelude::{
    ColliderBuilder, FrictionModel, MassProperties, PhysicsWorld, Pose, RigidBodyBuilder, RigidBodyHandle, Rotation,
    SharedShape, Vector,
};

use crate::measure;
use crate::outcome::Outcome;
use crate::scene::Scene;

/// How Rapier is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// As it comes.
    Default,
    /// A friction constraint at each point; 16 solver iterations with 4 sweeps each.
    Coulomb,
}

/// Runs the scene.
pub fn run(scene: &Scene, setting: Setting) -> Result<Outcome, String> {
    let mut world = PhysicsWorld::new();
    world.gravity = vector(DVec3::NEG_Y * scene.gravity);
    let parameters = &mut world.integration_parameters;
    parameters.dt = scene.dt;
    if setting == Setting::Coulomb {
        parameters.friction_model = FrictionModel::Coulomb;
        parameters.num_solver_iterations = 16;
        parameters.num_internal_pgs_iterations = 4;
    }
    // Rapier takes the mean of two coefficients, and of two restitutions (0 by default).
    let surface = |collider: ColliderBuilder| collider.friction(scene.mu);
    let ground = ColliderBuilder::new(SharedShape::halfspace(Vector::Y));
    world.insert(RigidBodyBuilder::fixed(), surface(ground));
    if let Some(mesh) = &scene.mesh {
        let vertices = mesh.vertices.iter().copied().map(vector).collect();
        let funnel = ColliderBuilder::trimesh(vertices, mesh.triangles.clone()).map_err(|error| error.to_string())?;
        world.insert(RigidBodyBuilder::fixed(), surface(funnel));
    }
    for normal in scene.bin.iter().flat_map(|_| measure::WALLS) {
        let wall = ColliderBuilder::new(SharedShape::halfspace(vector(normal)));
        let at = RigidBodyBuilder::fixed().translation(vector(-scene.bin.unwrap_or(0.0) * normal));
        world.insert(at, surface(wall));
    }
    let mut handles = Vec::with_capacity(scene.items.len());
    for item in &scene.items {
        let collider = match &item.shape {
            Shape::Box(Cuboid { half }) => ColliderBuilder::cuboid(half.x, half.y, half.z),
            Shape::Capsule(Capsule { half_length, radius }) => ColliderBuilder::capsule_y(*half_length, *radius),
            Shape::Sphere(ball) => ColliderBuilder::ball(ball.radius),
            other => return Err(format!("no {} in these scenes", other.name())),
        };
        let mass = MassProperties::new(Vector::ZERO, item.mass, vector(item.inertia));
        let rotation = Rotation::from_array(item.pose.rotation.to_array());
        let body =
            RigidBodyBuilder::dynamic().pose(Pose::from_parts(vector(item.pose.position), rotation)).can_sleep(false);
        handles.push(world.insert(body, surface(collider).mass_properties(mass)).0);
    }
    let mut outcome = Outcome::default();
    for step in 1..=scene.steps {
        let began = Instant::now();
        world.step();
        outcome.seconds.push(began.elapsed().as_secs_f64());
        if step % scene.every == 0 {
            let row = |handle: RigidBodyHandle| {
                let pose = world.bodies[handle].position();
                let ([x, y, z], [i, j, k, w]) = (pose.translation.to_array(), pose.rotation.to_array());
                [x, y, z, i, j, k, w]
            };
            outcome.frames.push(handles.iter().copied().map(row).collect());
        }
    }
    Ok(outcome)
}

fn vector(v: DVec3) -> Vector {
    Vector::from_array(v.to_array())
}
