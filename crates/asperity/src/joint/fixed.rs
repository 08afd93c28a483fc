//! Fixed joint: two bodies keep the pose that they have to each other at the start.

use super::fitting::{AT_A, FittedJoint, JointSite, SceneJoint};
use super::{Coordinate, JointRule, Sketch};
use crate::table::{Fault, Variant, View};

/// The bodies move as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fixed;

impl JointRule for Fixed {
    fn held(&self) -> &'static [Coordinate] {
        use Coordinate::{Cosine, World};
        &[World(0), World(1), World(2), Cosine(0, 1), Cosine(1, 2), Cosine(2, 0)]
    }

    fn sketch(&self) -> Sketch {
        Sketch::Cross
    }
}

impl SceneJoint for Fixed {
    const TABLE: Variant = Variant {
        name: "fixed",
        doc: "The bodies keep the pose that they have to each other at the start.",
        keys: &[AT_A],
    };

    fn read(view: &View, site: &JointSite) -> Result<FittedJoint, Fault> {
        site.together(view, Self, Some(site.a))
    }
}
