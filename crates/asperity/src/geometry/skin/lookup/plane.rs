//! The plane of a half-space. u and v run along the tangent and the bitangent, over the square of side [`HALF_SPACE_SIDE`] around the origin.

use asperity_friction::field::SurfacePoint;
use glam::{DVec2, DVec3};

use super::{FlatPiece, HALF_SPACE_SIDE, LookupSurface, Outline, Piece, PieceRegion, SkinAnswer, SkinQuestion, along};
use crate::geometry::Pose;

/// A plane through the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneSkin {
    normal: DVec3,
    tangent: DVec3,
}

impl PlaneSkin {
    pub(super) fn new(normal: DVec3) -> Self {
        Self { normal, tangent: normal.any_orthonormal_pair().0 }
    }
}

impl LookupSurface for PlaneSkin {
    #[inline]
    fn nearest(&self, question: &SkinQuestion) -> SkinAnswer {
        let (normal, tangent, p) = (self.normal, self.tangent, question.point);
        let height = p.dot(normal);
        let uv = DVec2::splat(0.5) + DVec2::new(p.dot(tangent), p.dot(normal.cross(tangent))) / HALF_SPACE_SIDE;
        let at = SurfacePoint { position: p - normal * height, normal, tangent, uv, ..SurfacePoint::default() };
        SkinAnswer { cost: question.cost(height.abs(), normal), at }
    }

    fn gradients(&self, at: &SurfacePoint) -> [DVec3; 2] {
        along(at, DVec2::splat(1.0 / HALF_SPACE_SIDE))
    }

    fn pieces<'a>(&'a self, pose: &Pose, _region: &PieceRegion, visit: &mut dyn FnMut(&Pose, Piece<'a>)) {
        let growth = DVec2::splat(1.0 / HALF_SPACE_SIDE);
        let (centre, uv, outline) = (DVec3::ZERO, DVec2::splat(0.5), Outline::Endless);
        visit(pose, Piece::Flat(FlatPiece { centre, normal: self.normal, tangent: self.tangent, uv, growth, outline }));
    }
}
