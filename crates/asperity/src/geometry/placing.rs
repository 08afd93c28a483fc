//! Places and turns as scenes write them.

use glam::{DQuat, DVec3};

use super::Pose;
use crate::table::{Fault, Group, Key, Range, ValueKind, View};

/// A turn or several.
pub(crate) const TURN: ValueKind =
    ValueKind::Either(&[ValueKind::Table(&TURN_GROUP), ValueKind::List(&ValueKind::Table(&TURN_GROUP), 1)]);
/// The turn of a body or a part.
pub(crate) const TURN_KEY: Key =
    Key::new("turn", TURN, "How it is turned; several turns are applied in order, about world axes.");
/// The same as a quaternion.
pub(crate) const ROTATION_KEY: Key =
    Key::new("rotation", ValueKind::Numbers(4, Range::Any), "Instead of a turn: a unit quaternion [w, x, y, z].");

static TURN_GROUP: Group = Group {
    name: "turn",
    heading: "turn = { … }",
    keys: &[
        Key::new("axis", ValueKind::Direction, "Axis, in the world.").required(),
        Key::new("angle_deg", ValueKind::Number(Range::Any), "Angle, right-handed about the axis.")
            .unit("°")
            .required(),
    ],
};

/// Quaternions in files are rounded to six digits or so.
const UNIT: f64 = 1e-6;

/// `position` with `turn` or `rotation`; what is not given is that of `otherwise`.
pub(crate) fn read(view: &View, otherwise: Pose) -> Result<Pose, Fault> {
    let position = view.vector("position").unwrap_or(otherwise.position);
    view.at_most_one(&["turn", "rotation"])?;
    if let Some(node) = view.node("rotation") {
        let [w, x, y, z] = node.numbers::<4>().unwrap_or([1.0, 0.0, 0.0, 0.0]);
        let rotation = DQuat::from_xyzw(x, y, z, w);
        let length = rotation.length();
        if (length - 1.0).abs() > UNIT {
            return Err(view.fault("rotation", format!("must be a unit quaternion, its length is {length}")));
        }
        return Ok(Pose { position, rotation: rotation.normalize() });
    }
    let turns = match view.view("turn") {
        Some(one) => vec![one],
        None => view.views("turn"),
    };
    if turns.is_empty() {
        return Ok(Pose { position, rotation: otherwise.rotation });
    }
    // The first turn acts first: q = q_n … q_1.
    let rotation = turns.iter().fold(DQuat::IDENTITY, |before, turn| {
        let (axis, angle) = (axis(turn), turn.number("angle_deg").unwrap_or(0.0));
        DQuat::from_axis_angle(axis, angle.to_radians()) * before
    });
    Ok(Pose { position, rotation: rotation.normalize() })
}

/// The unit vector of `axis`.
pub(crate) fn axis(view: &View) -> DVec3 {
    view.vector("axis").unwrap_or(DVec3::Y).normalize_or(DVec3::Y)
}
