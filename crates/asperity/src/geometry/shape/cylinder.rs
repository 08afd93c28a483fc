//! Cylinder: x² + z² ≤ r², |y| ≤ h. V = 2 π r² h, ∫ x² dV = V r²/4, ∫ y² dV = V h²/3.
//!
//! Two rigid faces do not say where between them the load acts, and friction that brakes a slide and a spin at once depends on it: the friction torque of a pure spin is μ N r for a load on
//! the rim, and (2/3) μ N r for an even pressure over the disc. So a cylinder says how its ends press: [`EndPressure`].

use std::f64::consts::PI;
use std::path::Path;

use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

use super::contact_body::{ContactBody, EndPressure};
use super::{SceneShape, Shape, ShapeKind, checked};
use crate::geometry::error::{ShapeError, positive};
use crate::geometry::mass::Moments;
use crate::geometry::skin::{SkinDetail, SkinForm, SkinMesh, primitive};
use crate::geometry::{Aabb, Pose};
use crate::table::{Fault, Key, Range, ValueKind, Variant, View};

/// A solid circular cylinder around the y axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cylinder {
    /// Half of its length.
    pub half_length: f64,
    /// Its radius.
    pub radius: f64,
    /// Where its ends press.
    #[serde(default)]
    pub pressure: EndPressure,
}

impl Shape {
    /// A checked cylinder whose ends press on their rims.
    pub fn cylinder(half_length: f64, radius: f64) -> Result<Self, ShapeError> {
        Self::cylinder_that_presses(half_length, radius, EndPressure::Rim)
    }

    /// A checked cylinder.
    pub fn cylinder_that_presses(half_length: f64, radius: f64, pressure: EndPressure) -> Result<Self, ShapeError> {
        Self::Cylinder(Cylinder { half_length, radius, pressure }).checked()
    }
}

impl ShapeKind for Cylinder {
    fn validate(&self) -> Result<(), ShapeError> {
        positive("half_length", self.half_length)?;
        positive("radius", self.radius).map(drop)
    }

    #[inline]
    fn aabb(&self, pose: &Pose) -> Aabb {
        let y = DMat3::from_quat(pose.rotation).y_axis;
        // A disc across the unit vector y reaches r √(1 − y_i²) along axis i.
        let disc = (DVec3::ONE - y * y).max(DVec3::ZERO).map(f64::sqrt);
        Aabb::around(pose.position, y.abs() * self.half_length + disc * self.radius)
    }

    #[inline]
    fn reach(&self) -> f64 {
        self.half_length.hypot(self.radius)
    }

    fn moments(&self) -> Result<Moments, ShapeError> {
        let (h, r) = (self.half_length, self.radius);
        let volume = 2.0 * PI * r * r * h;
        Ok(Moments::centred(volume, DVec3::new(r * r / 4.0, h * h / 3.0, r * r / 4.0) * volume))
    }

    #[inline]
    fn contact_body(&self) -> ContactBody<'_> {
        ContactBody::Cylinder { half_length: self.half_length, radius: self.radius, pressure: self.pressure }
    }

    fn skin(&self, detail: &SkinDetail) -> SkinMesh {
        primitive::cylinder(self.half_length, self.radius, detail.round())
    }

    fn skin_form(&self) -> SkinForm {
        SkinForm::cylinder(self.half_length, self.radius)
    }
}

impl SceneShape for Cylinder {
    const TABLE: Variant = Variant {
        name: "cylinder",
        doc: "A solid circular cylinder along y.",
        keys: &[
            Key::new("radius", ValueKind::Number(Range::Positive), "Its radius.").unit("m").required(),
            Key::new("length", ValueKind::Number(Range::Positive), "Its length.").unit("m").required(),
            Key::new(
                "pressure",
                ValueKind::Word(&["rim", "even"]),
                "Where an end that lies flat presses: on its rim (8 points), or evenly over the disc (24 points, friction to 1.4 %). Spin and slide are braked accordingly.",
            )
            .or("\"rim\""),
        ],
    };

    fn read(view: &View, _folder: &Path) -> Result<Shape, Fault> {
        let number = |key: &str| view.number(key).unwrap_or(0.0);
        let pressure = if view.text("pressure") == Some("even") { EndPressure::Even } else { EndPressure::Rim };
        checked(view, Shape::cylinder_that_presses(0.5 * number("length"), number("radius"), pressure))
    }
}
