//! Sector: a stone of an arch. It is the hull of (r cos φ, r sin φ, ±depth/2) for both radii and both angles, so that its joints lie in
//! planes through the z axis.

use std::path::Path;

use glam::DVec3;

use super::{SceneShape, Shape, checked};
use crate::table::{Fault, Key, Range, ValueKind, Variant, View};

const POSITIVE: ValueKind = ValueKind::Number(Range::Positive);
const NUMBER: ValueKind = ValueKind::Number(Range::Any);

/// A recipe for a hull.
pub(super) struct Sector;

impl SceneShape for Sector {
    const TABLE: Variant = Variant {
        name: "sector",
        doc: "A stone of an arch about z: the hull of the eight corners between two radii and two angles.",
        keys: &[
            Key::new("inner", POSITIVE, "Radius of the inner corners.").unit("m").required(),
            Key::new("outer", POSITIVE, "Radius of the outer corners.").unit("m").required(),
            Key::new("depth", POSITIVE, "Length along z, half of it on each side.").unit("m").required(),
            Key::new("from_deg", NUMBER, "First angle, from x towards y.").unit("°").required(),
            Key::new("to_deg", NUMBER, "Second angle, less than 180° more.").unit("°").required(),
        ],
    };

    fn read(view: &View, _folder: &Path) -> Result<Shape, Fault> {
        let number = |key: &str| view.number(key).unwrap_or(0.0);
        let (inner, outer) = (number("inner"), number("outer"));
        if inner >= outer {
            return Err(view.fault("outer", format!("must be larger than inner, which is {inner}")));
        }
        let (from, to) = (number("from_deg"), number("to_deg"));
        if !(to > from && to - from < 180.0) {
            return Err(view.fault("to_deg", format!("must be more than from_deg = {from}, by less than 180")));
        }
        let mut corners = Vec::with_capacity(8);
        for angle in [from, to].map(f64::to_radians) {
            for radius in [inner, outer] {
                for z in [-0.5, 0.5] {
                    corners.push(DVec3::new(radius * angle.cos(), radius * angle.sin(), z * number("depth")));
                }
            }
        }
        checked(view, Shape::hull(&corners))
    }
}
