//! What the problem of a span is made from.

use crate::body::Twist;
use crate::contact::PlacedBody;
use crate::world::{ContactMemory, Model};

use super::free::FreeBodies;
use super::span::Span;

/// What the rows, laws and joints of a span are made from.
#[derive(Clone, Copy)]
pub(super) struct Setup<'a> {
    pub(super) model: &'a Model,
    pub(super) span: Span,
    /// Where the bodies are at the start, and how they move.
    pub(super) placed: &'a [PlacedBody],
    pub(super) free: &'a FreeBodies,
    /// Forces of the step before.
    pub(super) memory: &'a [ContactMemory],
    /// Forces that the solver starts from: of contacts, and of joints row by row (empty if there are none).
    pub(super) start: StartForces<'a>,
    /// ε: compliance of the normal rows relative to their diagonal of W.
    pub(super) compliance: f64,
    /// Time at the start.
    pub(super) time: f64,
    /// In an impact: which fraction of the restitution contacts of each body have.
    pub(super) returned: &'a [f64],
}

/// Forces that a solver starts from.
#[derive(Clone, Copy)]
pub(super) struct StartForces<'a> {
    pub(super) contacts: &'a [ContactMemory],
    pub(super) joints: &'a [f64],
}

impl Setup<'_> {
    /// How a body moves at the end of the span if no impulse acts on it.
    #[inline]
    pub(super) fn unforced(&self, body: u32) -> Twist {
        self.free.get(body).map_or_else(|| self.start_twist(body), |own| own.twist)
    }

    /// How a body moves at the start.
    #[inline]
    pub(super) fn start_twist(&self, body: u32) -> Twist {
        let at = &self.placed[body as usize];
        Twist { velocity: at.velocity, angular_velocity: at.angular_velocity }
    }
}
