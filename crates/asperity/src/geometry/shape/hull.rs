//! Hull: the convex hull of points, a polyhedron with flat faces ([`Hull`] has the polyhedron itself).

use std::path::Path;

use glam::DVec3;

use super::mesh::{FILE, POINT, SCALE, file, one_source, points, scale, scaled};
use super::{ContactBody, Polytope};
use super::{SceneShape, Shape, ShapeKind, around, checked};
use crate::geometry::error::ShapeError;
use crate::geometry::mass::Moments;
use crate::geometry::skin::{SkinDetail, SkinMesh, mesh};
use crate::geometry::{Aabb, Hull, Pose};
use crate::table::{Fault, Key, ValueKind, Variant, View};

impl Shape {
    /// The hull of points.
    pub fn hull(points: &[DVec3]) -> Result<Self, ShapeError> {
        Hull::new(points).map(Self::Hull)
    }
}

impl ShapeKind for Hull {
    fn aabb(&self, pose: &Pose) -> Aabb {
        around(self.points(), pose)
    }

    #[inline]
    fn bounds(&self) -> Aabb {
        self.polyhedron().bounds
    }

    #[inline]
    fn reach(&self) -> f64 {
        self.polyhedron().reach
    }

    fn moments(&self) -> Result<Moments, ShapeError> {
        Moments::inside(self.triangles().map(|t| t.map(|i| self.points()[i as usize])))
    }

    #[inline]
    fn contact_body(&self) -> ContactBody<'_> {
        ContactBody::Rounded { core: Polytope::Hull(self.polyhedron()), radius: 0.0 }
    }

    fn skin(&self, _detail: &SkinDetail) -> SkinMesh {
        mesh::hull(self)
    }

    fn is_textured(&self) -> bool {
        false
    }
}

impl SceneShape for Hull {
    const TABLE: Variant = Variant {
        name: "hull",
        doc: "The convex hull of points.",
        keys: &[Key::new("points", ValueKind::List(&POINT, 4), "The points.").unit("m"), FILE, SCALE],
    };

    fn read(view: &View, folder: &Path) -> Result<Shape, Fault> {
        one_source(view, &["points", "file"])?;
        let points = match view.has("file") {
            true => file(view, folder)?.data().vertices.clone(),
            false => points(view, "points"),
        };
        checked(view, Shape::hull(&scaled(points, scale(view))))
    }
}
