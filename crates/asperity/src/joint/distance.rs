//! Distance joint: two points keep a distance, constant or a formula of t. A rod without mass.

use super::fitting::{ANCHOR_A, ANCHOR_B, FittedJoint, IN_TIME, JointSite, SceneJoint};
use super::{Coordinate, JointRule, Sketch};
use crate::expression::Expression;
use crate::table::{Fault, Key, Variant, View, formula, probes};

/// How far the length may be from that at the start, relative: numbers in files have six digits or more.
const FITS: f64 = 1e-6;

/// |p_A − p_B| = ℓ(t).
#[derive(Clone, Debug, PartialEq)]
pub struct Distance {
    /// ℓ, a formula of t. Above zero.
    pub length: Expression,
}

impl JointRule for Distance {
    fn held(&self) -> &'static [Coordinate] {
        &[Coordinate::Distance]
    }

    fn target(&self, t: f64) -> f64 {
        self.length.value(&[t])
    }

    fn sketch(&self) -> Sketch {
        Sketch::Rod
    }
}

impl SceneJoint for Distance {
    const TABLE: Variant = Variant {
        name: "distance",
        doc: "Two points keep a distance.",
        keys: &[
            ANCHOR_A,
            ANCHOR_B,
            Key::new("length", IN_TIME, "The distance: a number or a formula of t.").unit("m").or("that at the start"),
        ],
    };

    fn read(view: &View, site: &JointSite) -> Result<FittedJoint, Fault> {
        let points = site.ends(view)?;
        let length = length(view, points[0].distance(points[1]), site.end)?;
        Ok(FittedJoint { kind: Self { length }.into(), points })
    }
}

/// The length of a distance whose ends are `start` from each other at the start.
fn length(view: &View, start: f64, end: f64) -> Result<Expression, Fault> {
    if start == 0.0 {
        return Err(view.own_fault("both ends are at the same place: a distance of 0 has no direction; use a ball"));
    }
    let Some(node) = view.node("length") else {
        return Expression::parse(&format!("({start})"), &["t"]).map_err(|error| view.own_fault(error));
    };
    let length = formula(node, &view.path_of("length"), "", end)?;
    let first = length.value(&[0.0]);
    if (first - start).abs() > FITS * start {
        let reason = format!("is {first} m at t = 0, but its ends are {start} m from each other");
        return Err(view.fault("length", reason));
    }
    for t in probes(end) {
        if length.value(&[t]) <= 0.0 {
            return Err(view.fault("length", format!("{} m at t = {t} must be above zero", length.value(&[t]))));
        }
    }
    Ok(length)
}
