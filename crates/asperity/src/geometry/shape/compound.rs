//! Compound: several shapes as one rigid body. Volumes and first moments add up; second moments add up about the common centre
//! (parallel axes).

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::ContactBody;
use super::mesh::POINT;
use super::{Part, SHAPES, SceneShape, Shape, ShapeKind, unit};
use crate::geometry::error::{ShapeError, finite};
use crate::geometry::mass::Moments;
use crate::geometry::placing::{self, ROTATION_KEY, TURN_KEY};
use crate::geometry::skin::{PartSkin, SkinDetail, SkinForm, SkinMesh};
use crate::geometry::{Aabb, Pose};
use crate::table::{Fault, Group, Key, ValueKind, Variant, View};

/// Several shapes as one rigid body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compound {
    /// The parts; no half-spaces and no compounds.
    pub parts: Vec<Part>,
}

impl Shape {
    /// A checked compound.
    pub fn compound(parts: Vec<Part>) -> Result<Self, ShapeError> {
        Self::Compound(Compound { parts }).checked()
    }

    /// Whether a compound can hold it.
    fn can_be_part(&self) -> bool {
        !matches!(self.contact_body(), ContactBody::HalfSpace { .. } | ContactBody::Union(_))
    }
}

impl Part {
    fn validate(&self) -> Result<(), ShapeError> {
        self.shape.validate()?;
        finite("pose.position", &[self.pose.position])?;
        unit("pose.rotation", self.pose.rotation.length())
    }
}

impl ShapeKind for Compound {
    fn validate(&self) -> Result<(), ShapeError> {
        if self.parts.is_empty() {
            return Err(ShapeError::Count { name: "parts", count: 0, expected: "at least 1".into() });
        }
        for (index, part) in self.parts.iter().enumerate() {
            if !part.shape.can_be_part() {
                return Err(ShapeError::Part { index, shape: part.shape.name() });
            }
            part.validate().map_err(|error| ShapeError::InPart { index, error: Box::new(error) })?;
        }
        Ok(())
    }

    fn aabb(&self, pose: &Pose) -> Aabb {
        let boxes = self.parts.iter().map(|part| part.shape.aabb(&pose.then(&part.pose)));
        boxes.fold(Aabb::EMPTY, |a, b| a.union(&b))
    }

    fn bounds(&self) -> Aabb {
        let boxes = self.parts.iter().map(|part| part.shape.bounds().turned(&part.pose));
        boxes.fold(Aabb::EMPTY, |whole, own| whole.union(&own))
    }

    fn reach(&self) -> f64 {
        self.parts.iter().map(|part| part.pose.position.length() + part.shape.reach()).fold(0.0, f64::max)
    }

    fn moments(&self) -> Result<Moments, ShapeError> {
        let mut all = Vec::with_capacity(self.parts.len());
        for (index, part) in self.parts.iter().enumerate() {
            let own = part.shape.moments().map_err(|error| ShapeError::InPart { index, error: Box::new(error) })?;
            all.push(own.posed(&part.pose));
        }
        Ok(Moments::sum(&all))
    }

    #[inline]
    fn contact_body(&self) -> ContactBody<'_> {
        ContactBody::Union(&self.parts)
    }

    fn skin(&self, detail: &SkinDetail) -> SkinMesh {
        let mut all = SkinMesh::default();
        for (i, part) in self.parts.iter().enumerate() {
            all.append(&part.shape.skin_with(detail), &part.pose, i == 0);
        }
        all
    }

    fn skin_form(&self) -> SkinForm {
        let own = |part: &Part| PartSkin { pose: part.pose, form: part.shape.skin_form(), reach: part.shape.reach() };
        SkinForm::compound(self.parts.iter().map(own).collect())
    }

    fn is_textured(&self) -> bool {
        self.parts.iter().all(|part| part.shape.is_textured())
    }

    fn has_surface(&self) -> bool {
        self.parts.iter().any(|part| part.shape.has_surface())
    }
}

const PARTS: ValueKind = ValueKind::List(&ValueKind::Table(&PART), 1);

static PART: Group = Group {
    name: "part",
    heading: "parts = [{ … }]",
    keys: &[
        Key::new("shape", ValueKind::Tagged(|| &SHAPES), "Its form.").required(),
        Key::new("position", POINT, "Place of its origin, in the body's frame.").unit("m").or("[0, 0, 0]"),
        TURN_KEY,
        ROTATION_KEY,
    ],
};

impl SceneShape for Compound {
    const TABLE: Variant = Variant {
        name: "compound",
        doc: "Several shapes as one rigid body.",
        keys: &[Key::new("parts", PARTS, "The parts; no half-spaces and no compounds.").required()],
    };

    fn read(view: &View, folder: &Path) -> Result<Shape, Fault> {
        let mut parts = Vec::new();
        for part in view.views("parts") {
            let Some(inner) = part.view("shape") else { continue };
            let shape = Shape::read(&inner, folder)?;
            if !shape.can_be_part() {
                return Err(inner.fault("kind", format!("a {} cannot be part of a compound", shape.name())));
            }
            parts.push(Part { pose: placing::read(&part, Pose::IDENTITY)?, shape });
        }
        Shape::compound(parts).map_err(|error| view.own_fault(error))
    }
}
