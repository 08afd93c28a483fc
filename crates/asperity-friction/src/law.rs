//! The law of one contact: what a friction model answers with, and all that a solver sees.

use glam::DVec2;
use serde::{Deserialize, Serialize};

use crate::set::{ConvexSet, Disk, FrictionSet, Zonotope};
use crate::slip_rule::SlipRule;
use crate::tangential::Tangential;
use crate::two_set::TwoSet;

/// A set with maximum dissipation, or one of the few laws that are not sets: a pair of sets, a slip rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ContactLaw {
    /// The impulse lies in λn·F and brakes the slip most.
    Set(FrictionSet),
    /// A convex set for the direction, a star-shaped one for the magnitude.
    TwoSet(TwoSet),
    /// A direct map of the slip direction.
    Slip(SlipRule),
}

impl Default for ContactLaw {
    /// No friction.
    fn default() -> Self {
        Self::Set(Disk { mu: 0.0 }.into())
    }
}

impl ContactLaw {
    /// How many tangential rows the contact needs.
    pub fn rows(&self) -> usize {
        match self {
            Self::Set(set) => set.rows(),
            Self::TwoSet(_) | Self::Slip(_) => 2,
        }
    }

    /// The impulse on A while it slides with `slip`. At rest it is zero, or some point of the set.
    pub fn force(&self, load: f64, slip: Tangential) -> Tangential {
        match self {
            Self::Set(set) => set.max_dissipation(load, slip),
            Self::TwoSet(two) => Tangential::planar(two.force(load, slip.plane)),
            Self::Slip(rule) => Tangential::planar(rule.force(load, slip.plane)),
        }
    }

    /// Coefficient against sliding along the unit direction `d`: dissipation per load and speed.
    pub fn coefficient(&self, d: DVec2) -> f64 {
        match self {
            Self::Set(set) => set.coefficient(d),
            Self::TwoSet(two) => -two.force(1.0, d).dot(d),
            Self::Slip(rule) => rule.coefficient(d),
        }
    }

    /// Whether the contact can stick with the impulse `f`, give or take `tolerance`.
    pub fn reaches(&self, load: f64, f: Tangential, tolerance: f64) -> bool {
        match self {
            Self::Set(set) => set.contains(load, f, tolerance),
            Self::TwoSet(two) => two.reaches(load, f.plane, tolerance),
            Self::Slip(rule) => {
                rule.reaches(load, f.plane) || (f.plane - rule.resolve(load, f.plane)).length() <= tolerance
            }
        }
    }

    /// The set, when the law is one.
    pub fn set(&self) -> Option<&FrictionSet> {
        match self {
            Self::Set(set) => Some(set),
            _ => None,
        }
    }

    /// k times as strong, in place.
    pub(crate) fn scale(&mut self, k: f64) {
        match self {
            Self::Set(set) => set.scale(k),
            Self::TwoSet(two) => two.scale(k),
            Self::Slip(rule) => rule.parts.iter_mut().for_each(|p| p.scale(k)),
        }
    }

    /// A zonotope to fill, with the storage of the last one if there was one.
    pub(crate) fn zonotope(&mut self) -> &mut Zonotope {
        if !matches!(self, Self::Set(FrictionSet::Zonotope(_))) {
            *self = Self::Set(Zonotope::empty().into());
        }
        match self {
            Self::Set(FrictionSet::Zonotope(set)) => set,
            _ => unreachable!("made one above"),
        }
    }

    /// A two-set law to fill, with the storage of the last one if there was one.
    pub(crate) fn two_set(&mut self) -> &mut TwoSet {
        if !matches!(self, Self::TwoSet(_)) {
            *self = Self::TwoSet(TwoSet::empty());
        }
        match self {
            Self::TwoSet(two) => two,
            _ => unreachable!("made one above"),
        }
    }
}

impl<S: Into<FrictionSet>> From<S> for ContactLaw {
    fn from(set: S) -> Self {
        Self::Set(set.into())
    }
}
