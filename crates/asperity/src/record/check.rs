//! What is checked before bodies and frames are taken into a recording or written: lists that fit together, numbers that are finite.

use super::error::{RecordError, finite, finite_all};
use super::frame::{Deforming, Frame, Paint, RecordedBody};

/// Rounding over a run leaves quaternions a little off the unit sphere; more than this is an error of the caller.
const UNIT_SLACK: f64 = 1e-6;

/// Refuses a skin whose lists do not fit together, and numbers that are not finite.
pub(super) fn check_body(body: &RecordedBody) -> Result<(), RecordError> {
    let place = || format!("body '{}'", body.name);
    let skin = &*body.skin;
    let corners = skin.positions.len();
    let fits = |what, found: usize, optional: bool| match (found, optional) {
        (0, true) => Ok(()),
        _ if found == corners => Ok(()),
        _ => Err(RecordError::Length { place: place(), what, expected: corners, found }),
    };
    fits("normals", skin.normals.len(), false)?;
    fits("texture coordinates", skin.uvs.len(), !matches!(body.paint, Paint::Texture(_)))?;
    fits("tangents", skin.tangents.len(), true)?;
    for (triangle, numbers) in skin.triangles.iter().enumerate() {
        if let Some(&corner) = numbers.iter().find(|&&c| c as usize >= corners) {
            return Err(RecordError::Corner { body: body.name.clone(), triangle, corner, corners });
        }
    }
    skin.positions.iter().try_for_each(|x| finite_all(x.to_array(), "a corner", place))?;
    skin.normals.iter().try_for_each(|n| finite_all(n.to_array(), "a normal", place))?;
    skin.uvs.iter().try_for_each(|uv| finite_all(uv.to_array(), "a texture coordinate", place))?;
    body.structure.iter().flatten().try_for_each(|x| finite_all(x.to_array(), "a structure line", place))?;
    if let Some(deforming) = &body.deforming {
        check_deforming(body, deforming)?;
    }
    match body.paint {
        Paint::Checker { cell, .. } if !(cell > 0.0 && cell.is_finite()) => {
            Err(RecordError::Setting { setting: "cell", value: cell, reason: "the side of a square must be positive" })
        }
        _ => Ok(()),
    }
}

/// Refuses a skin that cannot follow its mesh.
fn check_deforming(body: &RecordedBody, deforming: &Deforming) -> Result<(), RecordError> {
    let (skin, place) = (&*body.skin, || format!("body '{}'", body.name));
    let fits = |what, expected: usize, found: usize| {
        if expected == found { Ok(()) } else { Err(RecordError::Length { place: place(), what, expected, found }) }
    };
    fits("vertices of corners", skin.positions.len(), skin.vertex_of.len())?;
    fits("triangles of structure lines", body.structure.len(), deforming.line_triangles.len())?;
    let within = |what, numbers: &[u32], count: usize| match numbers.iter().find(|&&n| n as usize >= count) {
        Some(&number) => Err(RecordError::Number { place: place(), what, number, count }),
        None => Ok(()),
    };
    within("vertex", &skin.vertex_of, deforming.vertices)?;
    within("triangle", &deforming.line_triangles, skin.triangles.len())
}

/// Refuses a frame with another number of states than bodies, and numbers that are not finite.
pub(super) fn check_frame(number: usize, frame: &Frame, bodies: usize) -> Result<(), RecordError> {
    let place = || format!("frame {number}");
    finite(frame.t, "t", place)?;
    if frame.states.len() != bodies {
        return Err(RecordError::Length {
            place: place(),
            what: "states",
            expected: bodies,
            found: frame.states.len(),
        });
    }
    for (i, state) in frame.states.iter().enumerate() {
        let place = || format!("frame {number}, body {i}");
        finite_all(state.pose.position.to_array(), "the position", place)?;
        finite_all(state.pose.rotation.to_array(), "the rotation", place)?;
        finite_all(state.velocity.to_array(), "the velocity", place)?;
        finite_all(state.angular_velocity.to_array(), "the angular velocity", place)?;
        let length = state.pose.rotation.length();
        if (length - 1.0).abs() > UNIT_SLACK {
            return Err(RecordError::NotUnit { place: place(), length });
        }
    }
    frame.forces.iter().try_for_each(|contact| {
        finite_all(contact.point.to_array(), "a contact point", place)?;
        finite_all(contact.force.to_array(), "a contact force", place)
    })
}
