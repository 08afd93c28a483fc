//! How scenes write a joint: keys that several kinds share, and where its two points are at the start.

use glam::DVec3;

use super::JointKind;
use crate::table::{Fault, Key, Range, ValueKind, Variant, View};

const VECTOR: ValueKind = ValueKind::Numbers(3, Range::Any);

const ANCHOR: Key =
    Key::new("anchor", VECTOR, "Where it is at the start, in the world; in a chain, the first one.").unit("m");
/// The anchor of joints that are at the centre of a, if the scene does not say where.
pub(super) const AT_A: Key = ANCHOR.or("the centre of mass of a");
/// The anchor of joints that have no place of their own.
pub(super) const BETWEEN: Key = ANCHOR.or("in a chain, midway between the bodies; else required");
/// The axis of hinges and sliders.
pub(super) const AXIS: Key = Key::new("axis", ValueKind::Direction, "Its axis at the start, in the world.").required();
/// One end of a joint between two points.
pub(super) const ANCHOR_A: Key =
    Key::new("anchor_a", VECTOR, "Its end on a, at the start, in the world; not in a chain.")
        .unit("m")
        .or("the centre of mass of a");
/// The other end.
pub(super) const ANCHOR_B: Key = Key::new("anchor_b", VECTOR, "Its end on b; not in a chain.")
    .unit("m")
    .or("the centre of mass of b; required for the world");
/// A number or a formula of t.
pub(super) const IN_TIME: ValueKind = ValueKind::Either(&[ValueKind::Formula(&["t"]), ValueKind::Number(Range::Any)]);

/// How scenes write a kind of joint.
pub(super) trait SceneJoint {
    /// Its name, what it is, and its keys.
    const TABLE: Variant;

    /// The joint of a table that was checked against the keys.
    fn read(view: &View, site: &JointSite) -> Result<FittedJoint, Fault>;
}

/// Where a joint is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointSite {
    /// Centre of mass of A, at the start.
    pub(crate) a: DVec3,
    /// That of B; `None` for the world.
    pub(crate) b: Option<DVec3>,
    /// Where it is, if the scene says so.
    pub(crate) anchor: Option<DVec3>,
    /// Length of the run, s: formulas of t must have values until then.
    pub(crate) end: f64,
}

/// A joint that fits its bodies.
#[derive(Clone, Debug)]
pub(crate) struct FittedJoint {
    /// What it does.
    pub(crate) kind: JointKind,
    /// Its points on A and on B at the start, in the world.
    pub(crate) points: [DVec3; 2],
}

impl JointSite {
    /// A joint whose two points are in one place: the anchor, or `otherwise`.
    pub(super) fn together(
        &self,
        view: &View,
        kind: impl Into<JointKind>,
        otherwise: Option<DVec3>,
    ) -> Result<FittedJoint, Fault> {
        match self.anchor.or(otherwise) {
            Some(point) => Ok(FittedJoint { kind: kind.into(), points: [point; 2] }),
            None => Err(view.own_fault("`anchor` is missing: where the bodies are tied, at the start")),
        }
    }

    /// The two ends of a joint between two points.
    pub(super) fn ends(&self, view: &View) -> Result<[DVec3; 2], Fault> {
        let p = view.vector("anchor_a").unwrap_or(self.a);
        match view.vector("anchor_b").or(self.b) {
            Some(q) => Ok([p, q]),
            None => Err(view.own_fault("`anchor_b` is missing: where it holds on to the world")),
        }
    }
}
