//! Small worlds, made by hand.
#![allow(dead_code, unreachable_pub)]

use asperity::body::{Body, BodyState, Inertia, Motion, RigidState, Surface};
use asperity::geometry::{MassProperties, Pose, Shape};
use asperity::step::{Impulse, ImpulseSettings, StepReport, Stepper};
use asperity::world::{Interaction, Interactions, Model, State};
use asperity_friction::field::{Constant, Field};
use asperity_friction::model::{Coulomb, FrictionModel};
use asperity_solve::solver::Auto;
use glam::{DQuat, DVec3};

pub struct World {
    pub model: Model,
    pub state: State,
    pub stepper: Impulse,
}

impl World {
    pub fn new(law: impl Into<FrictionModel>, restitution: f64) -> Self {
        let interactions = Interactions::new(1, Interaction { law: law.into(), restitution, spring: None });
        let gravity = DVec3::new(0.0, -9.81, 0.0);
        Self {
            model: Model {
                bodies: Vec::new(),
                joints: Vec::new(),
                interactions,
                gravity,
                damping: 0.0,
                angular_damping: 0.0,
            },
            state: State::default(),
            stepper: Impulse::new(
                Box::new(Auto { newton_steps: 60, last_sweeps: 300, ..Auto::default() }),
                ImpulseSettings::default(),
            ),
        }
    }

    pub fn coulomb(mu: f64) -> Self {
        Self::new(Coulomb::new(mu).unwrap(), 0.0)
    }

    fn add(&mut self, shape: Shape, motion: Motion, pose: Pose) -> usize {
        let name = format!("body {}", self.model.bodies.len());
        let body = Body::rigid(name, shape, Surface::default(), motion);
        self.state.bodies.push(BodyState::rigid(&body, pose, DVec3::ZERO, DVec3::ZERO));
        self.model.bodies.push(body);
        self.model.bodies.len() - 1
    }

    pub fn fixed(&mut self, shape: Shape, pose: Pose) -> usize {
        self.add(shape, Motion::Static, pose)
    }

    pub fn dynamic(&mut self, shape: Shape, density: f64, pose: Pose) -> usize {
        let inertia = Inertia::new(&MassProperties::of(&shape, density).unwrap()).unwrap();
        self.add(shape, Motion::Dynamic(inertia), pose)
    }

    pub fn floor(&mut self) -> usize {
        self.fixed(Shape::half_space(DVec3::Y).unwrap(), Pose::IDENTITY)
    }

    pub fn structure(&mut self, body: usize, direction: DVec3) {
        self.model.bodies[body].surface.structure = Some(Field::Constant(Constant { direction }).into());
    }

    pub fn step(&mut self, dt: f64) -> StepReport {
        self.stepper.step(&self.model, &mut self.state, dt).unwrap()
    }

    pub fn run(&mut self, dt: f64, steps: usize) {
        for _ in 0..steps {
            self.step(dt);
        }
    }

    pub fn energy(&self) -> f64 {
        self.model.kinetic_energy(&self.state) + self.model.potential_energy(&self.state)
    }

    pub fn at(&self, body: usize) -> &RigidState {
        self.state.bodies[body].frame()
    }
}

pub fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose { position: DVec3::new(x, y, z), rotation: DQuat::IDENTITY }
}

pub fn cube(half: f64) -> Shape {
    Shape::cuboid(DVec3::splat(half)).unwrap()
}
