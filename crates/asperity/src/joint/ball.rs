//! Ball joint: two points stay together.

use super::fitting::{BETWEEN, FittedJoint, JointSite, SceneJoint};
use super::{Coordinate, JointRule, Sketch};
use crate::table::{Fault, Variant, View};

/// Two points stay together; the bodies turn as they like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ball;

impl JointRule for Ball {
    fn held(&self) -> &'static [Coordinate] {
        use Coordinate::World;
        &[World(0), World(1), World(2)]
    }

    fn sketch(&self) -> Sketch {
        Sketch::Cross
    }
}

impl SceneJoint for Ball {
    const TABLE: Variant = Variant { name: "ball", doc: "Two points stay together.", keys: &[BETWEEN] };

    fn read(view: &View, site: &JointSite) -> Result<FittedJoint, Fault> {
        site.together(view, Self, None)
    }
}
