//! The surfaces of the parts of a compound: the part with the least cost answers.

use asperity_friction::field::SurfacePoint;
use glam::DVec3;

use super::{LookupSurface, Piece, PieceRegion, SkinAnswer, SkinForm, SkinQuestion};
use crate::geometry::{Aabb, Pose};

/// β where the point is known to lie on the surface already, m: any small length that tells parts in one place apart.
const ON_SURFACE: f64 = 1e-9;

/// All parts.
#[derive(Clone, Debug)]
pub(super) struct CompoundSkin(pub(super) Vec<PartSkin>);

/// A part of a compound.
#[derive(Clone, Debug)]
pub(in crate::geometry) struct PartSkin {
    /// Its pose in the compound.
    pub(in crate::geometry) pose: Pose,
    pub(in crate::geometry) form: SkinForm,
    /// How far it reaches from its origin.
    pub(in crate::geometry) reach: f64,
}

impl PartSkin {
    /// The same question in the coordinates of the part.
    fn turned(&self, question: &SkinQuestion) -> SkinQuestion {
        let (point, outward) = (self.pose.unapply(question.point), self.pose.rotation.conjugate() * question.outward);
        SkinQuestion { point, outward, facing: question.facing }
    }
}

impl LookupSurface for CompoundSkin {
    fn nearest(&self, question: &SkinQuestion) -> SkinAnswer {
        let mut best = SkinAnswer { cost: f64::INFINITY, at: SurfacePoint::default() };
        for part in &self.0 {
            let pose = &part.pose;
            // Too far away to cost less, however it faces the contact.
            if pose.position.distance(question.point) - part.reach - question.facing > best.cost {
                continue;
            }
            let SkinAnswer { cost, at } = part.form.nearest(&part.turned(question));
            if cost < best.cost {
                let (normal, tangent) = (pose.rotation * at.normal, pose.rotation * at.tangent);
                best =
                    SkinAnswer { cost, at: SurfacePoint { position: pose.apply(at.position), normal, tangent, ..at } };
            }
        }
        best
    }

    /// Those of the part that answers for this point.
    fn gradients(&self, at: &SurfacePoint) -> [DVec3; 2] {
        let question = SkinQuestion { point: at.position, outward: at.normal, facing: ON_SURFACE };
        let (mut least, mut gradients) = (f64::INFINITY, [DVec3::ZERO; 2]);
        for part in &self.0 {
            let own = part.form.nearest(&part.turned(&question));
            if own.cost < least {
                least = own.cost;
                gradients = part.form.gradients(&own.at).map(|g| part.pose.rotation * g);
            }
        }
        gradients
    }

    fn pieces<'a>(&'a self, pose: &Pose, region: &PieceRegion, visit: &mut dyn FnMut(&Pose, Piece<'a>)) {
        let within = &region.within;
        for PartSkin { pose: own, form, reach } in &self.0 {
            let nearest = own.position.clamp(within.min, within.max);
            if nearest.distance_squared(own.position) > reach * reach {
                continue;
            }
            let back = own.rotation.conjugate();
            let (centre, half) = (own.unapply(0.5 * (within.min + within.max)), 0.5 * (within.max - within.min));
            // The box around the turned box.
            let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| (back * axis).abs());
            let half = x * half.x + y * half.y + z * half.z;
            let turned =
                PieceRegion { within: Aabb { min: centre - half, max: centre + half }, outward: back * region.outward };
            form.pieces(&pose.then(own), &turned, visit);
        }
    }

    fn is_textured(&self) -> bool {
        self.0.iter().all(|part| part.form.is_textured())
    }
}
