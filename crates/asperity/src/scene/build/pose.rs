//! Places and turns.

use glam::{DQuat, DVec3};

use super::view::{Fault, View};
use crate::geometry::Pose;

/// Quaternions in files are rounded to six digits or so.
const UNIT: f64 = 1e-6;

/// `position` with `turn` or `rotation`; what is not given is that of `otherwise`.
pub(super) fn pose(view: &View, otherwise: Pose) -> Result<Pose, Fault> {
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
pub(super) fn axis(view: &View) -> DVec3 {
    view.vector("axis").unwrap_or(DVec3::Y).normalize_or(DVec3::Y)
}
