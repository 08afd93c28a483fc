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

#[cfg(test)]
mod tests {
    use toml::de::DeTable;

    use super::*;
    use crate::joint::JOINTS;
    use crate::table::{Place, Source, Table};

    fn read(text: &str) -> Result<FittedJoint, Fault> {
        let parsed = DeTable::parse(text).unwrap();
        let table = Table::new(parsed.get_ref(), Source::File);
        let place = Place { source: Source::File, span: 0..0 };
        let view = View { path: "joint.j".into(), place: &place, table: &table };
        let site = JointSite { a: DVec3::ZERO, b: Some(DVec3::X), anchor: Some(DVec3::Y), end: 1.0 };
        JointKind::read(&view, &site)
    }

    /// An unknown kind was built as a distance once.
    #[test]
    fn every_kind_is_built_as_itself_and_an_unknown_one_not_at_all() {
        for variant in JOINTS.variants {
            let joint = read(&format!("kind = \"{}\"\naxis = [0, 1, 0]\nstiffness = 1\n", variant.name));
            assert_eq!(joint.unwrap().kind.name(), variant.name);
        }
        for text in ["kind = \"weld\"\n", "kind = \"Ball\"\n", "kind = 1\n", ""] {
            let fault = read(text).unwrap_err();
            assert!(fault.message.starts_with("joint.j.kind: ") && fault.message.contains("kind of joint"), "{text}");
        }
    }
}
