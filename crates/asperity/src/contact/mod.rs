//! Contacts between bodies, from detection to the report: what all time steppers share.
//!
//! A [`Contact`] names two bodies A and B, a frame with its normal from B to A, a gap, and an [`Anchor`] on each side. It does not know what it
//! touches: an anchor answers with the velocity of its point and with the rows of the Jacobian there. With n, t, b the axes of the frame, the
//! relative velocity is u = (n·(v_A − v_B), t·(v_A − v_B), b·(v_A − v_B)); u_n > 0 parts the bodies. Impulses act on A, their negatives on B.
//!
//! A point of a rigid body, 0.1 m from its centre of mass, that moves along the axis of a row:
//!
//! ```
//! use asperity::contact::Anchor;
//! use glam::{DVec2, DVec3};
//!
//! let anchor = Anchor::Rigid { arm: DVec3::new(0.1, 0.0, 0.0) };
//! let row = anchor.rigid_row(DVec3::Y, 0).expect("a rigid body");
//! // v + ω × arm along y.
//! assert_eq!(row.rate(DVec3::Y, DVec3::Z), 1.0 + 0.1);
//! ```

mod anchor;
mod beside;
mod detect;
mod edges;
mod elastic;
mod force;
mod law_store;
mod laws;
mod memory;
mod patches;
mod placed;
mod record;
mod share;
mod surface_pairs;
mod surfaces;

use std::fmt;

use asperity_friction::ContactFrame;
use glam::{DVec2, DVec3};

pub use anchor::{Anchor, RigidRow, VertexRow};
pub(crate) use detect::{Detector, anchored, travel, unstoppable};
pub(crate) use edges::find_edges;
pub(crate) use elastic::{find_elastic, find_elastic_where, follow};
pub use force::{ContactForce, ForceParts, Grip};
pub(crate) use force::{ContactImpulse, SpanSum, add_all, merge};
pub(crate) use law_store::{KeyedLaws, LawKey, LawStore};
pub(crate) use laws::{LawFault, LawSite};
pub(crate) use memory::{carried, recall};
pub(crate) use patches::{sample_patches, unsampled};
pub(crate) use placed::{PlacedBody, PlacedMesh, place};
pub use record::ContactRecord;
pub(crate) use record::LawView;
pub(crate) use share::FLAT;
pub(crate) use surface_pairs::{Near, SurfaceStep};
pub(crate) use surfaces::ElasticSurfaces;

use crate::geometry::Feature;

/// Most rows of a contact: normal, two tangents, spin, two rolling axes.
pub const MOST_ROWS: usize = 6;

/// The name of a contact: contacts are sorted by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactName {
    /// The numbers of A and B.
    pub pair: [u32; 2],
    /// Which corners, edges or faces touch.
    pub feature: Feature,
}

impl fmt::Display for ContactName {
    /// "0-3:f2-c5".
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [a, b] = self.pair;
        write!(f, "{a}-{b}:{}-{}", self.feature.a, self.feature.b)
    }
}

/// A place where two bodies touch, or can touch before a step ends.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// The numbers of A and B.
    pub pair: [u32; 2],
    /// Which corners, edges or faces touch: with the pair, the name of the contact.
    pub feature: Feature,
    /// The middle between the two surfaces, in the world.
    pub point: DVec3,
    /// The point as one of A and as one of B.
    pub anchors: [Anchor; 2],
    /// Distance of the surfaces along the normal, m; negative where they overlap.
    pub gap: f64,
    /// Normal from B to A, and two tangents.
    pub frame: ContactFrame,
    /// v_A − v_B at the start of the step, along the axes of the frame.
    pub before: DVec3,
    /// The speeds at the start of the step, m/s: |u|, and on a rim |ω| |arm| of both sides besides, which cancel where it rolls.
    pub speed: f64,
    /// Whether one of the bodies has a rim, round which the contact can move.
    pub rim: bool,
    /// Least normal velocity at the end of the step, where it is not the one that the gap gives.
    pub bound: Option<f64>,
    /// What is added to J v⁺, row by row. Where rows turn within the step it is (J⁺ − J) v⁺, with J the rows of this contact and J⁺
    /// those at the end of the step, and gives the velocity along J⁺. Where the other body carries this one it is the difference of the
    /// carrier's mean velocity over the step and its velocity at the end. Otherwise zero.
    pub shift: [f64; MOST_ROWS],
    /// Which fraction of an open gap may close in the step: 1, but less for a contact that has pressed before and is open because it turns.
    pub closing: f64,
    /// By how much the trapezoid opens the gap in a step because a motion that is given is not even, divided by the length of the step, m/s.
    pub defect: f64,
    /// Normal impulse of a solve before this one, N s, if it was so large that the spring of the contact must be stiffer; else zero.
    pub load: f64,
    /// Largest impulse of the last step, N s, whose compression of an overlap may push the bodies apart; infinite
    /// unless a solve before this one has shown that they would be thrown apart.
    pub recoil: f64,
    /// Normal velocity of a solve before this one, m/s, about which the force of the contact's spring is linear; `None` for `before`.
    pub spring_rate: Option<f64>,
    /// Which fraction of a flat contact it stands for (`contact/share.rs`), where its law depends on the load; `None` elsewhere.
    pub share: Option<f64>,
    /// Whether it is in the problem that the step solves. Other contacts are checked at the solution.
    pub in_problem: bool,
}

impl Contact {
    /// Pair and feature: no two contacts that are found at one moment share it. A contact that a step has missed has the name of where it was found, at the end
    /// of the step.
    #[inline]
    pub fn name(&self) -> ContactName {
        ContactName { pair: self.pair, feature: self.feature }
    }

    /// Direction of row k: n, t, b for velocities, then n, t, b for angular velocities.
    #[inline]
    pub fn axis(&self, k: usize) -> DVec3 {
        match k % 3 {
            0 => self.frame.normal(),
            1 => self.frame.t(),
            _ => self.frame.b(),
        }
    }

    /// Row k on one side, 0 for A and 1 for B, if that side is rigid: what it takes of the body's velocities.
    #[inline]
    pub fn rigid_row(&self, side: usize, k: usize) -> Option<RigidRow> {
        self.anchors[side].rigid_row(self.axis(k), k)
    }

    /// How far the contact moves over the surface of one side, 0 for A and 1 for B, in half of a step of length h, in the world. A corner takes the
    /// contact along: it moves over the other body by the slip v_A − v_B. Where edges cross, each has half of it.
    #[inline]
    pub(crate) fn way_over(&self, side: usize, h: f64) -> DVec3 {
        let slip = self.frame.to_world(DVec2::new(self.before.y, self.before.z));
        let over_b = match (self.feature.a.is_corner(), self.feature.b.is_corner()) {
            (true, false) => 1.0,
            (false, true) => 0.0,
            _ => 0.5,
        };
        slip * (0.5 * h * if side == 0 { over_b - 1.0 } else { over_b })
    }

    /// Whether the bodies approached each other faster than this at the start of the step, m/s.
    #[inline]
    pub fn approaches_faster_than(&self, speed: f64) -> bool {
        self.before.x < -speed
    }

    /// v_A − v_B of bodies that move like this.
    #[inline]
    fn relative_velocity(&self, [a, b]: [&PlacedBody; 2]) -> DVec3 {
        self.anchors[0].velocity(a) - self.anchors[1].velocity(b)
    }

    /// Rate along row k on one side, for a body that moves like this.
    #[inline]
    pub(crate) fn rate(&self, side: usize, k: usize, body: &PlacedBody) -> f64 {
        let (anchor, axis) = (&self.anchors[side], self.axis(k));
        match anchor.rigid_row(axis, k) {
            Some(row) => row.rate(body.velocity, body.angular_velocity),
            None if k < 3 => axis.dot(anchor.velocity(body)),
            None => axis.dot(anchor.angular_velocity(body)),
        }
    }

    /// The normal component of v_A − v_B, for bodies that move like this.
    #[inline]
    pub(crate) fn normal_velocity(&self, bodies: [&PlacedBody; 2]) -> f64 {
        self.relative_velocity(bodies).dot(self.frame.normal())
    }

    /// |ω| |arm| of both sides that are rigid, for bodies that move like this.
    #[inline]
    pub(crate) fn turning_speed(&self, bodies: [&PlacedBody; 2]) -> f64 {
        let one = |(anchor, body): (&Anchor, &PlacedBody)| match anchor {
            Anchor::Rigid { arm } => body.angular_velocity.length() * arm.length(),
            Anchor::Triangle { .. } | Anchor::Vertex { .. } | Anchor::Edge { .. } => 0.0,
        };
        self.anchors.iter().zip(bodies).map(one).sum()
    }

    /// v_A − v_B along the axes of the frame, for bodies that move like this.
    #[inline]
    pub(crate) fn velocity(&self, bodies: [&PlacedBody; 2]) -> DVec3 {
        let slip = self.relative_velocity(bodies);
        DVec3::new(slip.dot(self.frame.normal()), slip.dot(self.frame.t()), slip.dot(self.frame.b()))
    }
}
