//! Slider: one body moves along an axis of the other, without turning.

use super::drive::DriveKeys;
use super::fitting::{AT_A, AXIS, FittedJoint, IN_TIME, JointSite, SceneJoint};
use super::{Coordinate, Drive, Driven, JointRule, Sketch};
use crate::table::{Fault, Group, Key, Range, ValueKind, Variant, View};

/// A moves along B's axis only. Stops, motor, brake and spring act on how far it is out (m, N).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slider(pub Drive);

impl JointRule for Slider {
    fn held(&self) -> &'static [Coordinate] {
        use Coordinate::{Along, Cosine};
        &[Along(1), Along(2), Cosine(0, 1), Cosine(1, 2), Cosine(2, 0)]
    }

    fn driven(&self) -> Option<Driven<'_>> {
        Some(Driven { coordinate: Coordinate::Along(0), drive: &self.0 })
    }

    fn sketch(&self) -> Sketch {
        Sketch::Rail { limits: self.0.limits, spring: self.0.spring.is_some() }
    }
}

const LIMITS: Key =
    Key::new("limits", ValueKind::Numbers(2, Range::Any), "Smallest and largest way.").unit("m").or("none");
const STRONGEST: Key =
    Key::new("force", ValueKind::Number(Range::Positive), "The strongest that it has.").unit("N").or("1e12");
const BRAKE: Key =
    Key::new("force", IN_TIME, "The strongest that it has: a number or a formula of t.").unit("N").required();
const STIFFNESS: Key =
    Key::new("stiffness", ValueKind::Number(Range::NotNegative), "Of a spring along it.").unit("N/m").or("0");
const DAMPING: Key =
    Key::new("damping", ValueKind::Number(Range::NotNegative), "Force against the motion.").unit("N s/m").or("0");
const REST: Key =
    Key::new("rest", ValueKind::Number(Range::Any), "Way at which the spring is at rest.").unit("m").or("0");

const KEYS: DriveKeys = DriveKeys {
    limits: LIMITS,
    strongest: STRONGEST,
    brake: BRAKE,
    stiffness: STIFFNESS,
    damping: DAMPING,
    rest: REST,
    unit: 1.0,
    range: None,
};

static MOTOR_GROUP: Group = Group {
    name: "slider_motor",
    heading: "motor = { … } (slider)",
    keys: &[Key::new("speed", IN_TIME, "What it wants: a number or a formula of t.").unit("m/s").required(), STRONGEST],
};

static BRAKE_GROUP: Group = Group { name: "slider_brake", heading: "brake = { … } (slider)", keys: &[BRAKE] };

impl SceneJoint for Slider {
    const TABLE: Variant = Variant {
        name: "slider",
        doc: "A moves along an axis of b only, without turning. The travel is 0 at the start.",
        keys: &[
            AT_A,
            AXIS,
            LIMITS,
            Key::new("motor", ValueKind::Table(&MOTOR_GROUP), "A motor.").or("none"),
            Key::new("brake", ValueKind::Table(&BRAKE_GROUP), "A brake: dry friction.").or("none"),
            STIFFNESS,
            DAMPING,
            REST,
        ],
    };

    fn read(view: &View, site: &JointSite) -> Result<FittedJoint, Fault> {
        site.together(view, Self(KEYS.read(view, site.end)?), Some(site.a))
    }
}
