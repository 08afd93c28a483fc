//! Joints: what ties two bodies, or a body and the world, to each other.
//!
//! A joint has a frame on each of its bodies: a point p and axes (x, y, z), x the axis of hinges and sliders. Both frames are the same in the
//! world at the start: the start is the reference. All that a joint speaks of are [`Coordinate`]s of the two frames, such as p_A − p_B along x:
//!
//! - *held* coordinates have a given value, mostly zero: rows of the step with u = 0 and any impulse;
//! - one coordinate may be *driven* ([`Drive`]): stops, motor, brake, spring. Each is a row with bounds for its impulse, or a soft one.
//!
//! | kind | held | driven |
//! | --- | --- | --- |
//! | ball | p_A − p_B | |
//! | hinge | p_A − p_B; x_A·y_B, x_A·z_B | the angle of A about x_B |
//! | slider | (p_A − p_B)·y_B, ·z_B; x_A·y_B, y_A·z_B, z_A·x_B | (p_A − p_B)·x_B |
//! | fixed | p_A − p_B; x_A·y_B, y_A·z_B, z_A·x_B | |
//! | distance | \|p_A − p_B\| = ℓ(t) | |
//! | spring | | \|p_A − p_B\|, by its spring |
//!
//! `step/impulse/joints.rs` makes the rows of a step from this, and says how they keep joints closed and energy.
//!
//! To add a kind: one file in this folder with [`JointRule`] (what it holds) and `SceneJoint` (its keys, and how it is made from a table), and its
//! two lines below: `mod`, and its name in `joint_kinds!`.
//!
//! ```
//! use asperity::joint;
//! use asperity::scene::Document;
//!
//! let text = r#"
//!     title = "A pendulum"
//!     time = { dt = 0.01, end = 1.0 }
//!     [body.bob]
//!     shape = { kind = "sphere", radius = 0.1 }
//!     position = [1, 0, 0]
//!     [joint.pin]
//!     kind = "hinge"
//!     a = "bob"
//!     anchor = [0, 0, 0]
//!     axis = [0, 0, 1]
//! "#;
//! let scene = Document::parse(text, "pendulum.toml")?.scene(None, &[])?;
//! let pin = &scene.model.joints[0];
//! assert_eq!((pin.kind.name(), pin.kind.held().len()), ("hinge", 5));
//! assert_eq!(joint::drift(&scene.model.joints, &scene.state.bodies, 0.0), 0.0);
//! # Ok::<(), asperity::scene::SceneError>(())
//! ```

mod ball;
mod coordinate;
mod distance;
mod drive;
mod fitting;
mod fixed;
mod hinge;
mod redundant;
mod sketch;
mod slider;
mod spring;

use glam::{DQuat, DVec3};

pub use ball::Ball;
pub use coordinate::{Coordinate, Move, Row};
pub use distance::Distance;
pub use drive::{Drive, Driven, Motor, SpringDamper};
use fitting::SceneJoint;
pub(crate) use fitting::{FittedJoint, JointSite};
pub use fixed::Fixed;
pub use hinge::Hinge;
pub use redundant::{Redundant, redundant};
pub use sketch::Sketch;
pub use slider::Slider;
pub use spring::Spring;

use crate::body::{Body, BodyState, RigidState};
use crate::table::{Fault, Key, Tagged, ValueKind, View};

/// What a kind of joint does.
pub trait JointRule {
    /// The coordinates that have a given value.
    fn held(&self) -> &'static [Coordinate];

    /// Their value at time t; the same for all.
    fn target(&self, _t: f64) -> f64 {
        0.0
    }

    /// The coordinate that is driven, and how.
    fn driven(&self) -> Option<Driven<'_>> {
        None
    }

    /// How it is drawn.
    fn sketch(&self) -> Sketch;
}

macro_rules! joint_kinds {
    ($($kind:ident),+ $(,)?) => {
        /// Any kind of joint.
        #[derive(Clone, Debug, PartialEq)]
        pub enum JointKind {
            $(#[doc = concat!("See [`", stringify!($kind), "`].")] $kind($kind),)+
        }

        impl JointKind {
            /// As scenes name it.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$kind(_) => <$kind as SceneJoint>::TABLE.name),+ }
            }

            /// The coordinates that have a given value.
            pub fn held(&self) -> &'static [Coordinate] {
                match self { $(Self::$kind(own) => own.held()),+ }
            }

            /// Their value at time t.
            pub fn target(&self, t: f64) -> f64 {
                match self { $(Self::$kind(own) => own.target(t)),+ }
            }

            /// The coordinate that is driven, and how.
            pub fn driven(&self) -> Option<Driven<'_>> {
                match self { $(Self::$kind(own) => own.driven()),+ }
            }

            /// How it is drawn.
            pub fn sketch(&self) -> Sketch {
                match self { $(Self::$kind(own) => own.sketch()),+ }
            }

            /// The joint of a table with a `kind`.
            pub(crate) fn read(view: &View, site: &JointSite) -> Result<FittedJoint, Fault> {
                let kind = view.text("kind").unwrap_or_default();
                $(if kind == <$kind as SceneJoint>::TABLE.name {
                    return <$kind as SceneJoint>::read(view, site);
                })+
                Err(view.fault("kind", format!("\"{kind}\" is not a kind of joint")))
            }
        }

        /// Joints of scenes, by `kind`.
        pub static JOINTS: Tagged = Tagged {
            name: "joint",
            heading: "[joint.NAME]",
            tag: "kind",
            common: COMMON,
            variants: &[$(<$kind as SceneJoint>::TABLE),+],
        };

        $(impl From<$kind> for JointKind {
            fn from(kind: $kind) -> Self {
                Self::$kind(kind)
            }
        })+
    };
}

joint_kinds!(Ball, Hinge, Slider, Fixed, Distance, Spring);

/// Keys that all joints have.
const COMMON: &[Key] = &[
    Key::new("a", ValueKind::Text, "Name of a body.").or("required, but in a chain"),
    Key::new("b", ValueKind::Text, "Name of another, or \"world\".").or("\"world\""),
    Key::new(
        "chain",
        ValueKind::Text,
        "Instead of a and b: name of an array of bodies. Each is tied to the next one: NAME[0], NAME[1], …",
    ),
    Key::new("collide", ValueKind::Truth, "Its two bodies touch each other all the same.").or("false"),
];

/// Point and axes of a joint on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointFrame {
    /// From the centre of mass (of a body without mass: its origin), in the body's axes. For the world: the point itself.
    pub point: DVec3,
    /// The joint's axes in the body's axes.
    pub axes: DQuat,
}

impl JointFrame {
    /// At a point of the world, with these axes, on a body that is there; `None` for the world.
    pub fn at(point: DVec3, axes: DQuat, body: Option<&RigidState>) -> Self {
        match body {
            None => Self { point, axes },
            Some(body) => {
                let back = body.rotation.conjugate();
                Self { point: back * (point - body.centre), axes: (back * axes).normalize() }
            }
        }
    }

    /// Where its point is, with the body there.
    pub fn placed(&self, spot: Spot) -> DVec3 {
        spot.centre + spot.rotation * self.point
    }
}

/// Axes whose x is this direction.
pub fn axes_along(x: DVec3) -> DQuat {
    DQuat::from_rotation_arc(DVec3::X, x.normalize_or(DVec3::X))
}

/// Where a body is: its centre of mass and its orientation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Centre of mass.
    pub centre: DVec3,
    /// Orientation.
    pub rotation: DQuat,
}

impl Spot {
    /// The world: where it always is.
    pub const WORLD: Self = Self { centre: DVec3::ZERO, rotation: DQuat::IDENTITY };
}

impl From<&RigidState> for Spot {
    fn from(body: &RigidState) -> Self {
        Self { centre: body.centre, rotation: body.rotation }
    }
}

/// A joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Unlike that of any other joint.
    pub name: String,
    /// Body A, by its number.
    pub a: u32,
    /// Body B; none for the world.
    pub b: Option<u32>,
    /// Its frames on A and B.
    pub frames: [JointFrame; 2],
    /// What it does.
    pub kind: JointKind,
    /// Whether its two bodies touch each other all the same.
    pub collide: bool,
}

impl Joint {
    /// Its bodies.
    pub fn bodies(&self) -> [Option<u32>; 2] {
        [Some(self.a), self.b]
    }

    /// Where its two bodies are.
    pub fn spots(&self, bodies: &[BodyState]) -> [Spot; 2] {
        self.bodies().map(|body| body.map_or(Spot::WORLD, |i| Spot::from(bodies[i as usize].frame())))
    }

    /// Where its two points are.
    pub fn points(&self, spots: [Spot; 2]) -> [DVec3; 2] {
        [0, 1].map(|i| self.frames[i].placed(spots[i]))
    }

    /// How far it is from what it holds: the largest error of a held length, in m, and of a held direction, in rad.
    pub fn drift(&self, bodies: &[BodyState], t: f64) -> [f64; 2] {
        let (spots, target) = (self.spots(bodies), self.kind.target(t));
        let mut worst = [0.0f64; 2];
        for coordinate in self.kind.held() {
            let error = (coordinate.value(&self.frames, spots) - target).abs();
            let place = usize::from(!coordinate.is_length());
            worst[place] = worst[place].max(error);
        }
        worst
    }

    /// How fast the value that it holds changes, by a central difference over a time in which little turns.
    pub fn target_rate(&self, t: f64) -> f64 {
        let small = 1e-6;
        (self.kind.target(t + small) - self.kind.target(t - small)) / (2.0 * small)
    }

    /// Its driven coordinate: the angle of a hinge (rad, −π to π), how far a slider is out, the length of a spring; the length of a
    /// distance.
    pub fn position(&self, spots: [Spot; 2]) -> Option<f64> {
        let coordinate = match (self.kind.driven(), self.kind.held()) {
            (Some(driven), _) => driven.coordinate,
            (None, [only]) => *only,
            (None, _) => return None,
        };
        Some(coordinate.value(&self.frames, spots))
    }

    /// Energy of its spring.
    pub fn elastic_energy(&self, bodies: &[BodyState]) -> f64 {
        let Some(Driven { coordinate, drive }) = self.kind.driven() else { return 0.0 };
        let Some(spring) = &drive.spring else { return 0.0 };
        let stretch = coordinate.difference(coordinate.value(&self.frames, self.spots(bodies)), spring.rest);
        0.5 * spring.stiffness * stretch * stretch
    }

    /// Force (N) and torque (N m) that it transmits, from the mean forces of its rows over a step.
    pub fn load(&self, rows: &[f64]) -> [f64; 2] {
        let held = self.kind.held();
        let mut squares = [0.0; 2];
        let mut add = |coordinate: Coordinate, force: f64| {
            squares[usize::from(!coordinate.is_length())] += force * force;
        };
        held.iter().zip(rows).for_each(|(coordinate, force)| add(*coordinate, *force));
        if let Some(Driven { coordinate, drive }) = self.kind.driven() {
            // The stop of the largest value pushes back.
            let sign = |k: usize| if drive.limits.is_some() && k == 1 { -1.0 } else { 1.0 };
            add(coordinate, rows.iter().skip(held.len()).enumerate().map(|(k, force)| sign(k) * force).sum());
        }
        squares.map(f64::sqrt)
    }

    /// How many rows it has in a step, and so how many numbers are remembered of it.
    pub fn rows(&self) -> usize {
        let driven = self.kind.driven().map_or(0, |driven| driven.drive.rows());
        self.kind.held().len() + driven
    }
}

/// Force (N) and torque (N m) that each joint transmits; `rows` has the mean forces of the rows of all joints over a step, in their order.
pub fn loads(joints: &[Joint], rows: &[f64]) -> Vec<[f64; 2]> {
    let mut left = rows;
    let load = |joint: &Joint| {
        let (own, rest) = left.split_at(joint.rows().min(left.len()));
        left = rest;
        joint.load(own)
    };
    joints.iter().map(load).collect()
}

/// Largest drift of all joints at time t: of lengths, in m.
pub fn drift(joints: &[Joint], bodies: &[BodyState], t: f64) -> f64 {
    joints.iter().map(|joint| joint.drift(bodies, t)[0]).fold(0.0, f64::max)
}

/// Pairs of bodies that joints keep from touching each other, the smaller number first, sorted.
pub fn apart(joints: &[Joint]) -> Vec<[u32; 2]> {
    let pair = |joint: &Joint| joint.b.filter(|_| !joint.collide).map(|b| [joint.a.min(b), joint.a.max(b)]);
    let mut pairs: Vec<[u32; 2]> = joints.iter().filter_map(pair).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Why a joint cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum JointError {
    /// Both ends are on one body.
    #[error("it ties `{body}` to itself")]
    SameBody {
        /// The body.
        body: String,
    },
    /// A body has no pose to be tied by.
    #[error("`{body}` deforms: joints tie rigid bodies")]
    Deforms {
        /// The body.
        body: String,
    },
    /// Neither body can move.
    #[error("neither `{a}` nor `{b}` is moved by forces, so there is nothing to tie")]
    Immovable {
        /// The first.
        a: String,
        /// The second.
        b: String,
    },
}

/// Refuses bodies that cannot be tied.
pub fn check_bodies(bodies: &[Body], a: u32, b: Option<u32>) -> Result<(), JointError> {
    let name = |i: u32| bodies[i as usize].name.clone();
    if b == Some(a) {
        return Err(JointError::SameBody { body: name(a) });
    }
    if let Some(soft) = [Some(a), b].into_iter().flatten().find(|i| bodies[*i as usize].mesh().is_some()) {
        return Err(JointError::Deforms { body: name(soft) });
    }
    let moves = |i: u32| bodies[i as usize].is_dynamic();
    if !moves(a) && !b.is_some_and(moves) {
        return Err(JointError::Immovable { a: name(a), b: b.map_or_else(|| "world".to_owned(), name) });
    }
    Ok(())
}
