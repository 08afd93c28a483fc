//! Half-space: x·n ≤ 0. It has no finite mass, and its skin is a square that stands for the plane.

use std::path::Path;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::ContactBody;
use super::{SceneShape, Shape, ShapeKind, checked, unit};
use crate::geometry::error::{ShapeError, finite};
use crate::geometry::mass::Moments;
use crate::geometry::skin::{SkinDetail, SkinForm, SkinMesh, primitive};
use crate::geometry::{Aabb, Pose};
use crate::table::{Fault, Key, ValueKind, Variant, View};

/// Everything below a plane through the origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HalfSpace {
    /// Unit, out of the solid.
    pub normal: DVec3,
}

impl Shape {
    /// A half-space; the normal is made a unit vector.
    pub fn half_space(normal: DVec3) -> Result<Self, ShapeError> {
        Self::HalfSpace(HalfSpace { normal: normal.try_normalize().unwrap_or(normal) }).checked()
    }
}

impl ShapeKind for HalfSpace {
    fn validate(&self) -> Result<(), ShapeError> {
        finite("normal", &[self.normal])?;
        unit("normal", self.normal.length())
    }

    fn aabb(&self, _pose: &Pose) -> Aabb {
        Aabb::ALL
    }

    fn reach(&self) -> f64 {
        f64::INFINITY
    }

    fn moments(&self) -> Result<Moments, ShapeError> {
        Err(ShapeError::NoMass { shape: Self::TABLE.name })
    }

    #[inline]
    fn contact_body(&self) -> ContactBody<'_> {
        ContactBody::HalfSpace { normal: self.normal }
    }

    fn skin(&self, detail: &SkinDetail) -> SkinMesh {
        primitive::square(self.normal, detail.side, detail.flat())
    }

    fn skin_form(&self) -> SkinForm {
        SkinForm::plane(self.normal)
    }

    fn least_width(&self) -> f64 {
        f64::INFINITY
    }
}

impl SceneShape for HalfSpace {
    const TABLE: Variant = Variant {
        name: "half_space",
        doc: "All below a plane through the origin; static bodies only.",
        keys: &[Key::new("normal", ValueKind::Direction, "Out of the solid.").or("[0, 1, 0]")],
    };

    fn read(view: &View, _folder: &Path) -> Result<Shape, Fault> {
        checked(view, Shape::half_space(view.vector("normal").unwrap_or(DVec3::Y)))
    }
}
