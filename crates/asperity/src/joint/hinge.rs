//! Hinge: two points stay together, and two axes.

use std::f64::consts::PI;

use super::drive::DriveKeys;
use super::fitting::{AXIS, BETWEEN, FittedJoint, IN_TIME, JointSite, SceneJoint};
use super::{Coordinate, Drive, Driven, JointRule, Sketch};
use crate::table::{Fault, Group, Key, Range, ValueKind, Variant, View};

/// The bodies turn about one axis only. Stops, motor, brake and spring act on the angle (rad, N m).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hinge(pub Drive);

impl JointRule for Hinge {
    fn held(&self) -> &'static [Coordinate] {
        use Coordinate::{Cosine, World};
        &[World(0), World(1), World(2), Cosine(0, 1), Cosine(0, 2)]
    }

    fn driven(&self) -> Option<Driven<'_>> {
        Some(Driven { coordinate: Coordinate::Angle, drive: &self.0 })
    }

    fn sketch(&self) -> Sketch {
        Sketch::Pin
    }
}

const LIMITS: Key =
    Key::new("limits_deg", ValueKind::Numbers(2, Range::Any), "Smallest and largest angle, -180 to 180.")
        .unit("°")
        .or("none");
const STRONGEST: Key =
    Key::new("torque", ValueKind::Number(Range::Positive), "The strongest that it has.").unit("N m").or("1e12");
const BRAKE: Key =
    Key::new("torque", IN_TIME, "The strongest that it has: a number or a formula of t.").unit("N m").required();
const STIFFNESS: Key =
    Key::new("stiffness", ValueKind::Number(Range::NotNegative), "Of a spring that turns it.").unit("N m/rad").or("0");
const DAMPING: Key =
    Key::new("damping", ValueKind::Number(Range::NotNegative), "Torque against the turning.").unit("N m s").or("0");
const REST: Key =
    Key::new("rest_deg", ValueKind::Number(Range::Any), "Angle at which the spring is at rest.").unit("°").or("0");

const KEYS: DriveKeys = DriveKeys {
    limits: LIMITS,
    strongest: STRONGEST,
    brake: BRAKE,
    stiffness: STIFFNESS,
    damping: DAMPING,
    rest: REST,
    unit: PI / 180.0,
    range: Some([-180.0, 180.0]),
};

static MOTOR_GROUP: Group = Group {
    name: "hinge_motor",
    heading: "motor = { … } (hinge)",
    keys: &[
        Key::new("speed", IN_TIME, "What it wants: a number or a formula of t.").unit("rad/s").required(),
        STRONGEST,
    ],
};

static BRAKE_GROUP: Group = Group { name: "hinge_brake", heading: "brake = { … } (hinge)", keys: &[BRAKE] };

impl SceneJoint for Hinge {
    const TABLE: Variant = Variant {
        name: "hinge",
        doc: "A turns about an axis of b only. The angle is 0 at the start.",
        keys: &[
            BETWEEN,
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
        site.together(view, Self(KEYS.read(view, site.end)?), None)
    }
}
