//! Capsule: all points within a radius r of a segment from −h to h on the y axis.
//!
//! It is a tube of volume V_t = 2 π r² h and two half balls of V_b = 4/3 π r³ together, whose centres of mass are 3r/8 beyond the ends:
//! ∫ y² dV = V_t h²/3 + V_b (r²/5 + h² + 2 h · 3r/8), ∫ x² dV = V_t r²/4 + V_b r²/5.

use std::f64::consts::PI;
use std::path::Path;

use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

use super::{ContactBody, Polytope};
use super::{SceneShape, Shape, ShapeKind, checked};
use crate::geometry::error::{ShapeError, positive};
use crate::geometry::mass::Moments;
use crate::geometry::skin::{SkinDetail, SkinForm, SkinMesh, primitive};
use crate::geometry::{Aabb, Pose};
use crate::table::{Fault, Key, Range, ValueKind, Variant, View};

/// All points within `radius` of a segment on the y axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capsule {
    /// Half of the segment's length.
    pub half_length: f64,
    /// The radius.
    pub radius: f64,
}

impl Shape {
    /// A checked capsule.
    pub fn capsule(half_length: f64, radius: f64) -> Result<Self, ShapeError> {
        Self::Capsule(Capsule { half_length, radius }).checked()
    }
}

impl ShapeKind for Capsule {
    fn validate(&self) -> Result<(), ShapeError> {
        positive("half_length", self.half_length)?;
        positive("radius", self.radius).map(drop)
    }

    #[inline]
    fn aabb(&self, pose: &Pose) -> Aabb {
        let y = DMat3::from_quat(pose.rotation).y_axis;
        Aabb::around(pose.position, y.abs() * self.half_length + DVec3::splat(self.radius))
    }

    #[inline]
    fn reach(&self) -> f64 {
        self.half_length + self.radius
    }

    fn moments(&self) -> Result<Moments, ShapeError> {
        let (h, r) = (self.half_length, self.radius);
        let tube = 2.0 * PI * r * r * h;
        let ball = 4.0 / 3.0 * PI * r.powi(3);
        let along = tube * h * h / 3.0 + ball * (r * r / 5.0 + h * h + 0.75 * h * r);
        let across = tube * r * r / 4.0 + ball * r * r / 5.0;
        Ok(Moments::centred(tube + ball, DVec3::new(across, along, across)))
    }

    #[inline]
    fn contact_body(&self) -> ContactBody<'_> {
        ContactBody::Rounded { core: Polytope::Segment(self.half_length), radius: self.radius }
    }

    fn skin(&self, detail: &SkinDetail) -> SkinMesh {
        primitive::capsule(self.half_length, self.radius, detail.round())
    }

    fn skin_form(&self) -> SkinForm {
        SkinForm::capsule(self.half_length, self.radius)
    }
}

impl SceneShape for Capsule {
    const TABLE: Variant = Variant {
        name: "capsule",
        doc: "A cylinder along y with round ends.",
        keys: &[
            Key::new("radius", ValueKind::Number(Range::Positive), "Its radius.").unit("m").required(),
            Key::new("length", ValueKind::Number(Range::Positive), "Length of the straight part.").unit("m").required(),
        ],
    };

    fn read(view: &View, _folder: &Path) -> Result<Shape, Fault> {
        let number = |key: &str| view.number(key).unwrap_or(0.0);
        checked(view, Shape::capsule(0.5 * number("length"), number("radius")))
    }
}
