//! What a measure is asked of: bodies and joints by their names, vertices by their numbers or places, a direction, a time.

use glam::DVec3;

use crate::body::Body;
use crate::joint::Joint;
use crate::nearest::did_you_mean;
use crate::record::{Frame, MeshFrame, RecordError, Recording, between};
use crate::table::{Fault, Key, Range, ValueKind, View};

/// The one body of a measure.
pub(super) const BODY: Key = Key::new("body", ValueKind::Text, "Name of the body.").required();
/// All bodies that fit a pattern.
pub(super) const BODIES: Key =
    Key::new("body", ValueKind::Text, "Name of the body, or a pattern with * for any text: \"capsules[*\".").required();
/// The joint of a measure.
pub(super) const JOINT: Key = Key::new("joint", ValueKind::Text, "Name of the joint.").required();
/// The direction of a measure of a vector.
pub(super) const ALONG: Key =
    Key::new("along", ValueKind::Direction, "The component along this, made a unit vector.").or("the length");
/// The time of a measure of a moment.
pub(super) const AT: Key = Key::new("at", ValueKind::Number(Range::NotNegative), "When.").unit("s").or("the end");

/// The time that a displacement is measured from.
pub(super) const SINCE: Key =
    Key::new("since", ValueKind::Number(Range::NotNegative), "From where it was then.").unit("s").or("the start");

/// The end of a run may be a rounding away from the last frame, relative.
const ROUNDING: f64 = 1e-9;

/// A table of an expectation, and the scene that it is about.
pub(crate) struct Question<'a> {
    pub(crate) view: &'a View<'a>,
    /// The bodies.
    pub(crate) bodies: &'a [Body],
    /// The joints; `None` if the scene is wrong already, so that nothing can be said about them.
    pub(crate) joints: Option<&'a [Joint]>,
    /// Length of the run, s.
    pub(crate) end: f64,
}

impl Question<'_> {
    /// Unit; `None` asks for the length.
    pub(super) fn along(&self) -> Option<DVec3> {
        self.view.vector(ALONG.name).and_then(|v| v.try_normalize())
    }

    /// When, s.
    pub(super) fn at(&self) -> Result<f64, Fault> {
        let at = self.view.number(AT.name).unwrap_or(self.end);
        if at > self.end {
            return Err(self.view.fault(AT.name, format!("{at} is after the end of the run, at {}", self.end)));
        }
        Ok(at)
    }

    /// The time that a displacement is measured from, s; not after `at`.
    pub(super) fn since(&self, at: f64) -> Result<f64, Fault> {
        let since = self.view.number(SINCE.name).unwrap_or(0.0);
        if since > at {
            return Err(self.view.fault(SINCE.name, format!("{since} is after the moment of the measure, at {at}")));
        }
        Ok(since)
    }

    /// Number of the one body.
    pub(super) fn body(&self) -> Result<usize, Fault> {
        match self.bodies()?[..] {
            [body] => Ok(body),
            ref many => Err(self.view.fault(BODY.name, format!("expected one body, found {} that match", many.len()))),
        }
    }

    /// Numbers of the bodies that a name or pattern stands for.
    pub(super) fn bodies(&self) -> Result<Vec<usize>, Fault> {
        let pattern = self.view.text(BODY.name).unwrap_or_default();
        let found: Vec<usize> = (0..self.bodies.len()).filter(|&i| matches(pattern, &self.bodies[i].name)).collect();
        if found.is_empty() {
            let hint = did_you_mean(pattern, self.bodies.iter().map(|body| body.name.as_str()));
            let what = if pattern.contains('*') { "matches the pattern" } else { "has the name" };
            return Err(self.view.fault(BODY.name, format!("no body {what} `{pattern}`{hint}")));
        }
        Ok(found)
    }

    /// Number of the one body, which has vertices, and their places at rest in its frame.
    pub(super) fn body_of_vertices(&self) -> Result<VertexBody<'_>, Fault> {
        let body = self.body()?;
        let made = &self.bodies[body];
        let mesh = made.mesh().ok_or_else(|| {
            self.view.fault(BODY.name, format!("`{}` is rigid: it has no vertices that move on their own", made.name))
        })?;
        Ok(VertexBody { body, name: &made.name, rest: &mesh.data().vertices })
    }

    /// Number of the joint.
    pub(super) fn joint(&self) -> Result<usize, Fault> {
        let (name, Some(joints)) = (self.view.text(JOINT.name).unwrap_or_default(), self.joints) else { return Ok(0) };
        joints.iter().position(|joint| joint.name == name).ok_or_else(|| {
            let hint = did_you_mean(name, joints.iter().map(|joint| joint.name.as_str()));
            self.view.fault(JOINT.name, format!("no joint has the name `{name}`{hint}"))
        })
    }
}

/// A body with vertices, when an expectation is read.
pub(super) struct VertexBody<'a> {
    /// Number of the body.
    pub(super) body: usize,
    pub(super) name: &'a str,
    /// Places of the vertices at rest, in the body's frame, m.
    pub(super) rest: &'a [DVec3],
}

impl VertexBody<'_> {
    /// The vertex of this number; `Err` says that there is none.
    pub(super) fn numbered(&self, number: u64) -> Result<usize, String> {
        let (name, count) = (self.name, self.rest.len());
        let found = usize::try_from(number).ok().filter(|vertex| *vertex < count);
        found.ok_or_else(|| format!("`{name}` has no vertex {number}: it has {count}, counted from 0"))
    }

    /// The vertex that is nearest to a place at rest; of several the first.
    pub(super) fn nearest(&self, place: DVec3) -> usize {
        let squared = |vertex: &usize| self.rest[*vertex].distance_squared(place);
        (0..self.rest.len()).min_by(|a, b| squared(a).total_cmp(&squared(b))).unwrap_or(0)
    }
}

/// The vertices of a body that deforms at t; `None` if the run ended before.
pub(super) fn vertices_at(recording: &Recording, body: usize, t: f64) -> Result<Option<MeshFrame>, RecordError> {
    if !reached(recording.frames(), t) {
        return Ok(None);
    }
    Ok(recording.at(t)?.meshes.into_iter().find(|mesh| mesh.body == body))
}

/// Whether the frames go on to t.
fn reached(frames: &[Frame], t: f64) -> bool {
    frames.last().is_some_and(|last| t <= last.t + ROUNDING * t.abs().max(1.0))
}

/// The frame at t; `None` if the run ended before.
pub(super) fn frame_at(frames: &[Frame], t: f64) -> Option<Frame> {
    reached(frames, t).then(|| between(frames, t)).flatten()
}

/// Whether a name fits a pattern: `*` stands for any text.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    let mut rest = rest;
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}
