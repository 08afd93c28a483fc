//! The faces of a box. Each is the unit square of texture coordinates, u along its tangent.

use asperity_friction::field::SurfacePoint;
use glam::{DVec2, DVec3};

use super::{FlatPiece, LookupSurface, Outline, Piece, PieceRegion, SkinAnswer, SkinQuestion, along};
use crate::geometry::Pose;

/// A face of a box.
struct BoxFace {
    normal: DVec3,
    tangent: DVec3,
}

const fn face(normal: DVec3, tangent: DVec3) -> BoxFace {
    BoxFace { normal, tangent }
}

/// The faces. Up is y on the sides, −z on top and z below.
const FACES: [BoxFace; 6] = [
    face(DVec3::X, DVec3::NEG_Z),
    face(DVec3::NEG_X, DVec3::Z),
    face(DVec3::Y, DVec3::X),
    face(DVec3::NEG_Y, DVec3::X),
    face(DVec3::Z, DVec3::X),
    face(DVec3::NEG_Z, DVec3::NEG_X),
];

/// A box around the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct CuboidSkin {
    /// Half of its lengths.
    pub(super) half: DVec3,
}

impl CuboidSkin {
    /// Half of its length along an axis.
    #[inline]
    fn length(&self, axis: DVec3) -> f64 {
        (self.half * axis).abs().element_sum()
    }
}

impl LookupSurface for CuboidSkin {
    #[inline]
    fn nearest(&self, question: &SkinQuestion) -> SkinAnswer {
        let (half, p) = (self.half, question.point);
        let inside = p.clamp(-half, half);
        let (mut least, mut nearest, mut position) = (f64::INFINITY, 0, inside);
        for (i, BoxFace { normal, .. }) in FACES.iter().enumerate() {
            // Of the face: the clamped point, moved along the normal.
            let x = inside + *normal * ((half - *normal * inside) * normal.abs()).element_sum();
            let cost = question.cost(x.distance(p), *normal);
            if cost < least {
                (least, nearest, position) = (cost, i, x);
            }
        }
        let BoxFace { normal, tangent } = FACES[nearest];
        let up = normal.cross(tangent);
        let fraction = |axis: DVec3| 0.5 + 0.5 * position.dot(axis) / self.length(axis);
        let uv = DVec2::new(fraction(tangent), fraction(up));
        SkinAnswer { cost: least, at: SurfacePoint { position, normal, tangent, uv, ..SurfacePoint::default() } }
    }

    fn gradients(&self, at: &SurfacePoint) -> [DVec3; 2] {
        along(at, DVec2::new(0.5 / self.length(at.tangent), 0.5 / self.length(at.normal.cross(at.tangent))))
    }

    fn pieces<'a>(&'a self, pose: &Pose, region: &PieceRegion, visit: &mut dyn FnMut(&Pose, Piece<'a>)) {
        let (half, within) = (self.half, &region.within);
        // Beside the box.
        if (within.min.cmpgt(half) | within.max.cmplt(-half)).any() {
            return;
        }
        for BoxFace { normal, tangent } in FACES {
            let reach = (half * normal).element_sum();
            let inside = if reach > 0.0 { within.max.dot(normal) } else { within.min.dot(normal) };
            // Turned away, or the volume is all below the face.
            if normal.dot(region.outward) <= 0.0 || inside < reach.abs() {
                continue;
            }
            let sides = DVec2::new(self.length(tangent), self.length(normal.cross(tangent)));
            let (uv, outline) = (DVec2::splat(0.5), Outline::Rectangle(sides));
            let face = FlatPiece { centre: half * normal, normal, tangent, uv, growth: 0.5 / sides, outline };
            visit(pose, Piece::Flat(face));
        }
    }
}
