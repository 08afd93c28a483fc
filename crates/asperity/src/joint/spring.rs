//! Spring and damper between two points.

use super::fitting::{ANCHOR_A, ANCHOR_B, FittedJoint, JointSite, SceneJoint};
use super::{Coordinate, Drive, Driven, JointRule, Sketch, SpringDamper};
use crate::table::{Fault, Key, Range, ValueKind, Variant, View};

const NOT_NEGATIVE: ValueKind = ValueKind::Number(Range::NotNegative);
const STIFFNESS: Key = Key::new("stiffness", NOT_NEGATIVE, "Force for a length.").unit("N/m").required();
const DAMPING: Key = Key::new("damping", NOT_NEGATIVE, "Force against the motion.").unit("N s/m").or("0");

/// Force −k (ℓ − ℓ₀) − c ℓ̇ along the line between two points, ℓ their distance.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring(Drive);

impl Spring {
    /// With this stiffness (N/m), damping (N s/m) and length at rest (m).
    pub fn new(spring: SpringDamper) -> Self {
        Self(Drive { spring: Some(spring), ..Drive::default() })
    }
}

impl JointRule for Spring {
    fn held(&self) -> &'static [Coordinate] {
        &[]
    }

    fn driven(&self) -> Option<Driven<'_>> {
        Some(Driven { coordinate: Coordinate::Distance, drive: &self.0 })
    }

    fn sketch(&self) -> Sketch {
        Sketch::Spring
    }
}

impl SceneJoint for Spring {
    const TABLE: Variant = Variant {
        name: "spring",
        doc: "A spring and damper between two points.",
        keys: &[
            ANCHOR_A,
            ANCHOR_B,
            STIFFNESS,
            DAMPING,
            Key::new("rest", NOT_NEGATIVE, "Length at rest.").unit("m").or("that at the start"),
        ],
    };

    fn read(view: &View, site: &JointSite) -> Result<FittedJoint, Fault> {
        let points = site.ends(view)?;
        let spring = SpringDamper {
            stiffness: view.number_of(&STIFFNESS),
            damping: view.number_of(&DAMPING),
            rest: view.number("rest").unwrap_or(points[0].distance(points[1])),
        };
        Ok(FittedJoint { kind: Self::new(spring).into(), points })
    }
}
