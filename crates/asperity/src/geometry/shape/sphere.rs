//! Sphere: all points within a radius of the origin. V = 4/3 π r³, ∫ x² dV = V r²/5.

use std::f64::consts::PI;
use std::path::Path;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::{ContactBody, Polytope};
use super::{SceneShape, Shape, ShapeKind, checked};
use crate::geometry::error::{ShapeError, positive};
use crate::geometry::mass::Moments;
use crate::geometry::skin::{SkinDetail, SkinForm, SkinMesh, primitive};
use crate::geometry::{Aabb, Pose};
use crate::table::{Fault, Key, Range, ValueKind, Variant, View};

/// A ball around the origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sphere {
    /// Its radius.
    pub radius: f64,
}

impl Shape {
    /// A checked ball.
    pub fn sphere(radius: f64) -> Result<Self, ShapeError> {
        Self::Sphere(Sphere { radius }).checked()
    }
}

impl ShapeKind for Sphere {
    fn validate(&self) -> Result<(), ShapeError> {
        positive("radius", self.radius).map(drop)
    }

    #[inline]
    fn aabb(&self, pose: &Pose) -> Aabb {
        Aabb::around(pose.position, DVec3::splat(self.radius))
    }

    #[inline]
    fn reach(&self) -> f64 {
        self.radius
    }

    fn moments(&self) -> Result<Moments, ShapeError> {
        let r = self.radius;
        let volume = 4.0 / 3.0 * PI * r.powi(3);
        Ok(Moments::centred(volume, DVec3::splat(volume * r * r / 5.0)))
    }

    #[inline]
    fn contact_body(&self) -> ContactBody<'_> {
        ContactBody::Rounded { core: Polytope::Point, radius: self.radius }
    }

    fn skin(&self, detail: &SkinDetail) -> SkinMesh {
        primitive::capsule(0.0, self.radius, detail.round())
    }

    fn skin_form(&self) -> SkinForm {
        SkinForm::capsule(0.0, self.radius)
    }
}

impl SceneShape for Sphere {
    const TABLE: Variant = Variant {
        name: "sphere",
        doc: "A ball around the origin.",
        keys: &[Key::new("radius", ValueKind::Number(Range::Positive), "Its radius.").unit("m").required()],
    };

    fn read(view: &View, _folder: &Path) -> Result<Shape, Fault> {
        checked(view, Shape::sphere(view.number("radius").unwrap_or(0.0)))
    }
}
