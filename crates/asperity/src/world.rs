//! A world: what does not change during a run ([`Model`]) and what does ([`State`]).
//!
//! ```
//! use asperity::scene::Document;
//!
//! let text = r#"
//!     title = "A ball falls"
//!     time = { dt = 0.01, end = 0.5 }
//!     [body.ball]
//!     shape = { kind = "sphere", radius = 0.1 }
//! "#;
//! let scene = Document::parse(text, "fall.toml")?.scene(None, &[("body.ball.velocity".into(), "[2, 0, 0]".into())])?;
//! let mass = scene.model.bodies[0].inertia().expect("dynamic").mass();
//! assert!((scene.model.kinetic_energy(&scene.state) - 0.5 * mass * 4.0).abs() < 1e-12);
//! # Ok::<(), asperity::scene::SceneError>(())
//! ```

use asperity_friction::model::{FrictionModel, Model as _};
use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::body::{Body, BodyState, Elastic, Inertia, MeshState, RigidState};
use crate::geometry::Feature;
use crate::joint::Joint;

/// What happens between two materials.
#[derive(Clone, Debug, PartialEq)]
pub struct Interaction {
    /// Their friction; the first of the two is A, where the law names a side.
    pub law: FrictionModel,
    /// Part of the approach speed with which they part again, 0 to 1.
    pub restitution: f64,
    /// How their contacts give way; `None` for rigid ones.
    pub spring: Option<ContactSpring>,
}

/// How a contact of two materials gives way: each of its points is a spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSpring {
    /// k: normal force for each metre of overlap, N/m.
    pub stiffness: f64,
    /// What it loses.
    pub loss: SpringLoss,
    /// Friction force for each metre that the contact is sheared before it slides, N/m; `None`: what sticks does not move.
    pub shear_stiffness: Option<f64>,
}

/// What a spring of a contact loses, with δ the overlap. Contacts never pull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpringLoss {
    /// f = k δ + d dδ/dt, with d in N s/m.
    Linear(f64),
    /// f = k δ (1 + d dδ/dt), with d in s/m (Hunt and Crossley 1975): no jump of the force where bodies touch.
    HuntCrossley(f64),
}

/// An interaction for each ordered pair of materials.
#[derive(Clone, Debug, PartialEq)]
pub struct Interactions {
    materials: usize,
    table: Vec<Interaction>,
}

impl Interactions {
    /// `otherwise` for all pairs of this many materials.
    pub fn new(materials: usize, otherwise: Interaction) -> Self {
        let materials = materials.max(1);
        Self { materials, table: vec![otherwise; materials * materials] }
    }

    /// Sets the interaction of a pair, in both orders.
    pub fn set(&mut self, [a, b]: [u32; 2], interaction: Interaction) {
        let (a, b) = (a as usize, b as usize);
        if a != b {
            let law = interaction.law.swapped();
            self.table[b * self.materials + a] = Interaction { law, ..interaction };
        }
        self.table[a * self.materials + b] = interaction;
    }

    /// The interaction of A's material with B's.
    #[inline]
    pub fn of(&self, a: u32, b: u32) -> &Interaction {
        &self.table[a as usize * self.materials + b as usize]
    }
}

/// What stays the same during a run.
#[derive(Clone, Debug)]
pub struct Model {
    /// The bodies.
    pub bodies: Vec<Body>,
    /// What ties them to each other.
    pub joints: Vec<Joint>,
    /// What happens between their materials.
    pub interactions: Interactions,
    /// Acceleration of everything, m/s².
    pub gravity: DVec3,
    /// Damping force −c v (N s/m) on every dynamic body.
    pub damping: f64,
    /// Damping torque −c ω (N m s) on every dynamic body.
    pub angular_damping: f64,
}

/// What is remembered of a contact from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactMemory {
    /// The bodies, the smaller number first.
    pub pair: [u32; 2],
    /// Which corners, edges or faces touch.
    pub feature: Feature,
    /// Unit normal, towards the first body; zero if it is not known.
    #[serde(default)]
    pub normal: DVec3,
    /// Mean force on the first body over the last step, in the world.
    pub force: DVec3,
    /// Mean torque on it about the contact point (spin and rolling), in the world.
    pub torque: DVec3,
}

/// What changes during a run: all that a checkpoint holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Seconds since the start.
    pub time: f64,
    /// Steps since the start.
    pub step: u64,
    /// The bodies, in the order of the model.
    pub bodies: Vec<BodyState>,
    /// The contacts of the last step, sorted by pair and feature.
    pub contacts: Vec<ContactMemory>,
    /// Mean force of each row of each joint over the last step, in the order of the model; empty before the first.
    #[serde(default)]
    pub joints: Vec<f64>,
    /// What the elastic matrix that the last step used was made for, if the next one may use it again.
    #[serde(default)]
    pub linearised: Option<Linearised>,
    /// What the barrier stepper knows of the step before, if it needs that.
    #[serde(default)]
    pub barrier: Option<BarrierMemory>,
}

/// What the barrier stepper knows of the step before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BarrierMemory {
    /// Its length, s.
    pub h: f64,
    /// Where it began: the bodies, in the order of the model; empty for rules that look at one step.
    pub bodies: Vec<BodyState>,
    /// How stiff the barrier is, if that is adapted.
    pub stiffness: Option<Stiffness>,
}

/// A barrier that is adapted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stiffness {
    /// Factor of the barrier.
    pub factor: f64,
    /// Least distance of two surfaces at the end of the last step, less their thickness, m.
    pub least: f64,
}

/// What the matrix of elastic forces was made for. Steppers that use one matrix in many steps keep this with the state:
/// a run that is resumed makes the same matrix again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Linearised {
    /// Length of the step, s.
    pub h: f64,
    /// The bodies, in the order of the model.
    pub bodies: Vec<BodyState>,
    /// Whether it has been factored; else systems with it are solved by conjugate gradients.
    pub factored: bool,
}

/// Momentum of a world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Momentum {
    /// Σ m v, kg m/s.
    pub linear: DVec3,
    /// About the origin, kg m²/s.
    pub angular: DVec3,
}

impl Model {
    /// What happens between two bodies, by their numbers.
    #[inline]
    pub fn interaction(&self, pair: [u32; 2]) -> &Interaction {
        let [a, b] = pair.map(|i| self.bodies[i as usize].surface.material);
        self.interactions.of(a, b)
    }

    /// Two bodies whose contacts would bounce, of which forces move one.
    pub(crate) fn bouncing(&self) -> Option<[&Body; 2]> {
        self.pair_with(|interaction| interaction.restitution > 0.0)
    }

    /// Two bodies whose contacts have springs, of which forces move one.
    pub(crate) fn sprung(&self) -> Option<[&Body; 2]> {
        self.pair_with(|interaction| interaction.spring.is_some())
    }

    /// The first two bodies with such an interaction, of which forces move one.
    fn pair_with(&self, fits: impl Fn(&Interaction) -> bool) -> Option<[&Body; 2]> {
        let mut pairs = (0..self.bodies.len()).flat_map(|i| (i + 1..self.bodies.len()).map(move |j| [i, j]));
        let found = |[i, j]: &[usize; 2]| {
            let moves = self.bodies[*i].is_dynamic() || self.bodies[*j].is_dynamic();
            moves && fits(self.interaction([*i as u32, *j as u32]))
        };
        pairs.find(found).map(|pair| pair.map(|i| &self.bodies[i]))
    }

    /// Kinetic energy of the bodies that forces move.
    pub fn kinetic_energy(&self, state: &State) -> f64 {
        let elastic: f64 = self.elastic(state).map(|own| own.elastic.kinetic_energy(own.at)).sum();
        let rigid: f64 = self
            .dynamic(state)
            .map(|Moving { inertia, at }| {
                let spin = inertia.momentum(at.rotation, at.angular_velocity).dot(at.angular_velocity);
                0.5 * (inertia.mass() * at.velocity.length_squared() + spin)
            })
            .sum();
        rigid + elastic
    }

    /// Potential energy of the bodies that forces move in the field of gravity, zero at the origin.
    pub fn potential_energy(&self, state: &State) -> f64 {
        let rigid: f64 = self.dynamic(state).map(|own| -own.inertia.mass() * self.gravity.dot(own.at.centre)).sum();
        let fallen = |own: Deforming| -own.elastic.mass() * self.gravity.dot(own.elastic.centre_of_mass(own.at));
        rigid + self.elastic(state).map(fallen).sum::<f64>()
    }

    /// Energy of the springs of joints and of the strain of cloth and solids. What contacts store is known to their stepper.
    pub fn elastic_energy(&self, state: &State) -> f64 {
        let joints: f64 = self.joints.iter().map(|joint| joint.elastic_energy(&state.bodies)).sum();
        let strain: f64 = self.elastic(state).map(|own| own.elastic.elasticity().energy(&own.at.positions)).sum();
        joints + strain
    }

    /// Energy that lifts every rigid body by its radius of gyration, J ([`Inertia::lift`]), and every elastic one by
    /// its reach.
    pub fn lift(&self, state: &State) -> f64 {
        let rigid: f64 = self.dynamic(state).map(|own| own.inertia.lift(self.gravity)).sum();
        let lift = |own: Deforming| own.elastic.mass() * self.gravity.length() * own.elastic.mesh().reach();
        rigid + self.elastic(state).map(lift).sum::<f64>()
    }

    /// Momentum of the bodies that forces move.
    pub fn momentum(&self, state: &State) -> Momentum {
        let mut sum = Momentum::default();
        for Moving { inertia, at } in self.dynamic(state) {
            let own = at.velocity * inertia.mass();
            sum.linear += own;
            sum.angular = sum.angular + at.centre.cross(own) + inertia.momentum(at.rotation, at.angular_velocity);
        }
        for Deforming { elastic, at } in self.elastic(state) {
            for (mass, (x, v)) in elastic.masses().iter().zip(at.positions.iter().zip(&at.velocities)) {
                sum.linear += *v * *mass;
                sum.angular += x.cross(*v * *mass);
            }
        }
        sum
    }

    /// Sum of the sizes of the bodies' momenta: what a change of the whole is compared with.
    pub fn momentum_scale(&self, state: &State) -> f64 {
        let rigid: f64 = self.dynamic(state).map(|own| own.inertia.mass() * own.at.velocity.length()).sum();
        let moving = |own: Deforming| -> f64 {
            own.elastic.masses().iter().zip(&own.at.velocities).map(|(mass, v)| mass * v.length()).sum()
        };
        rigid + self.elastic(state).map(moving).sum::<f64>()
    }

    /// The rigid bodies that forces move.
    fn dynamic<'a>(&'a self, state: &'a State) -> impl Iterator<Item = Moving<'a>> {
        self.bodies.iter().zip(&state.bodies).filter_map(|(body, state)| match state {
            BodyState::Rigid(at) => Some(Moving { inertia: body.inertia()?, at }),
            BodyState::Mesh(_) => None,
        })
    }

    /// Cloth and solids.
    fn elastic<'a>(&'a self, state: &'a State) -> impl Iterator<Item = Deforming<'a>> {
        self.bodies.iter().zip(&state.bodies).filter_map(|(body, state)| match state {
            BodyState::Mesh(at) => Some(Deforming { elastic: body.elastic()?, at }),
            BodyState::Rigid(_) => None,
        })
    }
}

/// A cloth or a solid.
struct Deforming<'a> {
    elastic: &'a Elastic,
    at: &'a MeshState,
}

/// A rigid body that forces move.
struct Moving<'a> {
    inertia: &'a Inertia,
    at: &'a RigidState,
}
