//! Box: |x| ≤ h_x, |y| ≤ h_y, |z| ≤ h_z. V = 8 h_x h_y h_z, ∫ x² dV = V h_x²/3.

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

/// A cuboid around the origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cuboid {
    /// Half of its lengths along x, y, z.
    pub half: DVec3,
}

impl Shape {
    /// A checked cuboid.
    pub fn cuboid(half: DVec3) -> Result<Self, ShapeError> {
        Self::Box(Cuboid { half }).checked()
    }
}

impl ShapeKind for Cuboid {
    fn validate(&self) -> Result<(), ShapeError> {
        positive("half.x", self.half.x)?;
        positive("half.y", self.half.y)?;
        positive("half.z", self.half.z).map(drop)
    }

    #[inline]
    fn aabb(&self, pose: &Pose) -> Aabb {
        let axes = DMat3::from_quat(pose.rotation);
        let half = self.half;
        let extent = axes.x_axis.abs() * half.x + axes.y_axis.abs() * half.y + axes.z_axis.abs() * half.z;
        Aabb::around(pose.position, extent)
    }

    #[inline]
    fn reach(&self) -> f64 {
        self.half.length()
    }

    fn moments(&self) -> Result<Moments, ShapeError> {
        let half = self.half;
        let volume = 8.0 * half.x * half.y * half.z;
        Ok(Moments::centred(volume, half * half * (volume / 3.0)))
    }

    #[inline]
    fn contact_body(&self) -> ContactBody<'_> {
        ContactBody::Rounded { core: Polytope::Box(self.half), radius: 0.0 }
    }

    fn skin(&self, detail: &SkinDetail) -> SkinMesh {
        primitive::cuboid(self.half, detail.flat())
    }

    fn skin_form(&self) -> SkinForm {
        SkinForm::cuboid(self.half)
    }
}

impl SceneShape for Cuboid {
    const TABLE: Variant = Variant {
        name: "box",
        doc: "A cuboid around the origin.",
        keys: &[Key::new("size", ValueKind::Numbers(3, Range::Positive), "Lengths along x, y, z.")
            .unit("m")
            .required()],
    };

    fn read(view: &View, _folder: &Path) -> Result<Shape, Fault> {
        checked(view, Shape::cuboid(view.vector("size").unwrap_or_default() * 0.5))
    }
}
