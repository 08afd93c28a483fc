//! Measures: numbers that come out of a run, which scenes state expectations about.
//!
//! Positions and velocities are those of the centre of mass c: x = p + R c, v = v_p + ω × R c.
//!
//! A measure of *frames* is read off the recorded frames of a run when it is over (`FrameMeasure`). A measure of *vertices* reads the vertices of a body that
//! deforms, which are on disk, at one moment (`VertexMeasure`). A measure of *steps* is a figure that is carried along from step to step, and is part of a
//! checkpoint (`StepMeasure`).
//!
//! To add a measure: one file in this folder with one of the three traits (keys, what it means, how it is evaluated), and its two lines below: `mod`, and
//! its name in `measures!`. Several that differ in one respect only share a file.
//!
//! ```
//! use asperity::run::Run;
//! use asperity::scene::Document;
//!
//! let text = r#"
//!     title = "A ball falls"
//!     time = { dt = 0.01, end = 0.2 }
//!     [body.ball]
//!     shape = { kind = "sphere", radius = 0.1 }
//!     [expect.drop]
//!     measure = "displacement"
//!     body = "ball"
//!     along = [0, -1, 0]
//!     value = 0.1962
//!     within = 1e-9
//! "#;
//! let mut run = Run::new(Document::parse(text, "fall.toml")?.scene(None, &[])?)?;
//! while !run.is_done() {
//!     run.step()?;
//! }
//! let drop = &run.summary()?.expectations[0];
//! assert!(drop.pass && (drop.value.unwrap() - 0.1962).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod angle;
mod beyond;
mod body;
mod contact;
mod displacement;
mod elastic_energy;
mod elongation;
mod energy_growth;
mod extent;
mod friction_power;
mod joint;
mod joint_drift;
mod mirror_difference;
mod momentum_drift;
mod penetration;
mod question;
mod residual;
mod unconverged;
mod vertex;
mod vertex_distance;
mod winding;

use serde::{Deserialize, Serialize};

pub use angle::Angle;
pub use beyond::{Count, Fraction};
pub use body::{AngularVelocity, Position, Speed, Velocity};
pub use contact::{ContactForce, Sliding, SlipSpeed};
pub use displacement::{Displacement, Rest, TimeWhen};
pub use elastic_energy::ElasticEnergy;
pub use elongation::Elongation;
pub use energy_growth::EnergyGrowth;
pub use extent::{Extent, Highest, Lowest};
pub use friction_power::FrictionPower;
pub use joint::{JointForce, JointPosition, JointTorque};
pub use joint_drift::JointDrift;
pub use mirror_difference::MirrorDifference;
pub use momentum_drift::MomentumDrift;
pub use penetration::Penetration;
pub(crate) use question::Question;
#[cfg(test)]
pub(crate) use question::matches;
pub use residual::WorstResidual;
pub use unconverged::Unconverged;
pub use vertex::{VertexDisplacement, VertexPosition, VertexVelocity};
pub use vertex_distance::VertexDistance;
pub use winding::Winding;

use crate::record::{Energy, Frame, RecordError, Recording};
use crate::step::StepReport;
use crate::table::{Fault, Key, Range, Tagged, ValueKind, Variant};
use crate::world::{Model, State};

/// A measure that is read off the frames of a run.
trait FrameMeasure: Sized {
    /// Its name, what it is, and its keys.
    const TABLE: Variant;

    /// The measure of a table that was checked against the keys.
    fn read(question: &Question) -> Result<Self, Fault>;

    /// Its value; `None` if the run did not get that far, or if it never happens.
    fn value(&self, model: &Model, frames: &[Frame]) -> Option<f64>;

    /// The one time that it is measured at, s; `None` if it is a measure of the whole run.
    fn moment(&self) -> Option<f64> {
        None
    }
}

/// A measure of the vertices of a body that deforms, at one moment.
trait VertexMeasure: Sized {
    /// Its name, what it is, and its keys.
    const TABLE: Variant;

    /// The measure of a table that was checked against the keys.
    fn read(question: &Question) -> Result<Self, Fault>;

    /// Its value; `None` if the run did not get that far. Fails if the recorded vertices cannot be read.
    fn value(&self, model: &Model, recording: &Recording) -> Result<Option<f64>, RecordError>;

    /// The time that it is measured at, s.
    fn moment(&self) -> f64;
}

/// A measure that every step adds to.
trait StepMeasure: Sized {
    /// Its name and what it is. It has no keys of its own.
    const TABLE: Variant;

    /// Before the first step.
    fn start(moment: &Moment) -> Self;

    /// Takes a step in.
    fn add(&mut self, moment: &Moment, report: &StepReport);

    /// Its value so far.
    fn value(&self) -> f64;
}

/// A world between two steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment<'a> {
    /// What does not change.
    pub(crate) model: &'a Model,
    /// What does.
    pub(crate) state: &'a State,
    /// Its energies.
    pub(crate) energy: Energy,
}

impl<'a> Moment<'a> {
    /// With its energies; `stored` is what contacts store, J.
    pub(crate) fn new(model: &'a Model, state: &'a State, stored: f64) -> Self {
        let energy = Energy {
            kinetic: model.kinetic_energy(state),
            potential: model.potential_energy(state),
            elastic: model.elastic_energy(state) + stored,
        };
        Self { model, state, energy }
    }
}

macro_rules! measures {
    (of frames: $($frame:ident),+; of vertices: $($vertex:ident),+; of steps: $($field:ident($step:ident)),+ $(;)?) => {
        /// What can be measured.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Measure {
            $(#[doc = concat!("See [`", stringify!($frame), "`].")] $frame($frame),)+
            $(#[doc = concat!("See [`", stringify!($vertex), "`].")] $vertex($vertex),)+
            $(#[doc = concat!("See [`", stringify!($step), "`].")] $step,)+
        }

        /// Figures of a run that only its steps know.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct RunFigures {
            $(#[doc = concat!("See [`", stringify!($step), "`].")] pub $field: $step,)+
        }

        impl RunFigures {
            /// Before the first step.
            pub(crate) fn start(moment: &Moment) -> Self {
                Self { $($field: $step::start(moment)),+ }
            }

            /// Takes a step in.
            pub(crate) fn add(&mut self, moment: &Moment, report: &StepReport) {
                $(self.$field.add(moment, report);)+
            }
        }

        impl Measure {
            /// As scenes name it.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$frame(_) => <$frame as FrameMeasure>::TABLE.name,)+
                    $(Self::$vertex(_) => <$vertex as VertexMeasure>::TABLE.name,)+
                    $(Self::$step => <$step as StepMeasure>::TABLE.name),+
                }
            }

            /// Its value in a run; `None` if the run did not get that far, or if it never happens. Fails if the recorded vertices cannot be read.
            pub fn of(
                &self,
                model: &Model,
                recording: &Recording,
                figures: &RunFigures,
            ) -> Result<Option<f64>, RecordError> {
                match self {
                    $(Self::$frame(own) => Ok(own.value(model, recording.frames())),)+
                    $(Self::$vertex(own) => own.value(model, recording),)+
                    $(Self::$step => Ok(Some(figures.$field.value()))),+
                }
            }

            /// The one time that it is measured at, s; `None` if it is a measure of the whole run.
            pub(crate) fn moment(&self) -> Option<f64> {
                match self {
                    $(Self::$frame(own) => own.moment(),)+
                    $(Self::$vertex(own) => Some(own.moment()),)+
                    $(Self::$step => None),+
                }
            }

            /// The measure of a table with the key `measure`.
            pub(crate) fn read(question: &Question) -> Result<Self, Fault> {
                let name = question.view.text("measure").unwrap_or_default();
                $(if name == <$frame as FrameMeasure>::TABLE.name {
                    return $frame::read(question).map(Self::$frame);
                })+
                $(if name == <$vertex as VertexMeasure>::TABLE.name {
                    return $vertex::read(question).map(Self::$vertex);
                })+
                $(if name == <$step as StepMeasure>::TABLE.name {
                    return Ok(Self::$step);
                })+
                Err(question.view.fault("measure", format!("\"{name}\" is no measure")))
            }
        }

        /// Expectations of scenes, by `measure`.
        pub static MEASURES: Tagged = Tagged {
            name: "expect",
            heading: "[expect.NAME]",
            tag: "measure",
            common: BOUNDS,
            variants: &[$(<$frame as FrameMeasure>::TABLE,)+ $(<$vertex as VertexMeasure>::TABLE,)+ $(<$step as StepMeasure>::TABLE),+],
        };
    };
}

measures! {
    of frames: Position, Displacement, Velocity, Speed, AngularVelocity, Angle, TimeWhen, Rest, Count, Fraction, Winding, JointPosition, JointForce, JointTorque,
        ContactForce, Sliding, SlipSpeed;
    of vertices: VertexPosition, VertexDisplacement, VertexVelocity, VertexDistance, Highest, Lowest, Extent, Elongation, MirrorDifference,
        ElasticEnergy;
    of steps: energy_growth(EnergyGrowth), penetration(Penetration), residual(WorstResidual), friction_power(FrictionPower),
        momentum_drift(MomentumDrift), joint_drift(JointDrift), unconverged(Unconverged);
}

/// What every expectation has: the values that are right.
const BOUNDS: &[Key] = &[
    Key::new("value", ValueKind::Number(Range::Any), "The value that is right."),
    Key::new(
        "within",
        ValueKind::Either(&[ValueKind::Number(Range::Positive), ValueKind::Text]),
        "How far from it the measure may be: a number, or a part of the value such as \"0.5%\".",
    ),
    Key::new("min", ValueKind::Number(Range::Any), "Smallest value that is right; instead of value."),
    Key::new("max", ValueKind::Number(Range::Any), "Largest value that is right; instead of value."),
];

/// A value as a fraction of a scale; zero if it is not positive.
fn relative(value: f64, scale: f64) -> f64 {
    if value > 0.0 { value / scale.max(f64::MIN_POSITIVE) } else { 0.0 }
}
