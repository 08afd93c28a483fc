//! What a measure is asked of: bodies and joints by their names, a direction, a time.

use glam::DVec3;

use crate::joint::Joint;
use crate::nearest::did_you_mean;
use crate::record::{Frame, between};
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

/// The end of a run may be a rounding away from the last frame, relative.
const ROUNDING: f64 = 1e-9;

/// A table of an expectation, and the scene that it is about.
pub(crate) struct Question<'a> {
    pub(crate) view: &'a View<'a>,
    /// Names of the bodies.
    pub(crate) bodies: &'a [&'a str],
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
        let found: Vec<usize> = (0..self.bodies.len()).filter(|&i| matches(pattern, self.bodies[i])).collect();
        if found.is_empty() {
            let hint = did_you_mean(pattern, self.bodies.iter().copied());
            let what = if pattern.contains('*') { "matches the pattern" } else { "has the name" };
            return Err(self.view.fault(BODY.name, format!("no body {what} `{pattern}`{hint}")));
        }
        Ok(found)
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

/// The frame at t; `None` if the run ended before.
pub(super) fn frame_at(frames: &[Frame], t: f64) -> Option<Frame> {
    let last = frames.last()?;
    (t <= last.t + ROUNDING * t.abs().max(1.0)).then(|| between(frames, t)).flatten()
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
