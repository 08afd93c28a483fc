//! Names of contacts: which corner, edge or face of A touches which of B.
//!
//! What a step remembers of a contact (its force, its rows) is found again by the contact's name, so two contacts of one pair of bodies must
//! never share a name. A name is therefore plain data, a kind and indices, not a hash:
//!
//! | element | indices |
//! | --- | --- |
//! | corner, face | its number |
//! | edge | the numbers of its two ends, the larger one first |
//! | crossing | those of the edge or rim: the second of the two points where another border crosses it |
//!
//! and, for an element of a compound, the number of the part that it belongs to.
//!
//! **Order.** Contacts of a pair are sorted by name. Their order decides how sums are rounded, and so the last digits of a run. It is the
//! order of a 32-bit number ([`Element::rank`]), and of the indices themselves where two ranks are equal. The rank scatters the parts of a
//! compound over the list, so that a sweep over the contacts does not run along the body from one end to the other.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The kinds of elements. Their numbers are written to checkpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum ElementKind {
    Corner = 0,
    Edge = 1,
    Face = 2,
    Crossing = 3,
}

/// A corner, an edge or a face of a body, or a crossing on one of its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "[u32; 4]", try_from = "[u32; 4]")]
pub struct Element {
    kind: ElementKind,
    /// See the table in the header; the second one is 0 for corners and faces.
    indices: [u32; 2],
    /// 0 for a body that is not a compound, else the number of the part plus one.
    part: u32,
}

impl Element {
    /// A corner, by its number.
    #[inline]
    pub(crate) fn corner(index: u32) -> Self {
        Self { kind: ElementKind::Corner, indices: [index, 0], part: 0 }
    }

    /// An edge, by the numbers of its ends, in any order.
    #[inline]
    pub(crate) fn edge(from: u32, to: u32) -> Self {
        Self { kind: ElementKind::Edge, indices: [from.max(to), from.min(to)], part: 0 }
    }

    /// A face, by its number.
    #[inline]
    pub(crate) fn face(index: u32) -> Self {
        Self { kind: ElementKind::Face, indices: [index, 0], part: 0 }
    }

    /// One of the two points where another border crosses this edge: the first has the name of the edge itself.
    #[inline]
    pub(super) fn crossing(self, second: bool) -> Self {
        Self { kind: if second { ElementKind::Crossing } else { self.kind }, ..self }
    }

    /// The same element of a body that is part `part` of a compound.
    #[inline]
    pub(crate) fn of_part(self, part: usize) -> Self {
        Self { part: part as u32 + 1, ..self }
    }

    /// Whether it is a corner.
    #[inline]
    pub(crate) fn is_corner(self) -> bool {
        self.kind == ElementKind::Corner
    }

    /// What elements are ordered by first. Two elements may have the same rank: it is never used to tell them apart.
    #[inline]
    pub(super) fn rank(self) -> u32 {
        let [first, second] = self.indices;
        let number = match self.kind {
            ElementKind::Corner | ElementKind::Face => first,
            ElementKind::Edge | ElementKind::Crossing => first << 15 ^ second,
        };
        // The golden ratio times 2³²: multiples of it are spread evenly.
        (number << 2 | self.kind as u32) ^ self.part.wrapping_mul(0x9e37_79b1)
    }
}

impl fmt::Display for Element {
    /// A letter and the indices: c5 for a corner, e7.2 for an edge, f0 for a face, x7.2 for a second crossing; p3.c5 is that of part 3 of a compound.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.part > 0 {
            write!(f, "p{}.", self.part - 1)?;
        }
        let [first, second] = self.indices;
        match self.kind {
            ElementKind::Corner => write!(f, "c{first}"),
            ElementKind::Face => write!(f, "f{first}"),
            ElementKind::Edge => write!(f, "e{first}.{second}"),
            ElementKind::Crossing => write!(f, "x{first}.{second}"),
        }
    }
}

impl From<Element> for [u32; 4] {
    fn from(element: Element) -> Self {
        [element.kind as u32, element.indices[0], element.indices[1], element.part]
    }
}

impl TryFrom<[u32; 4]> for Element {
    type Error = String;

    fn try_from([kind, first, second, part]: [u32; 4]) -> Result<Self, String> {
        let kind = match kind {
            0 => ElementKind::Corner,
            1 => ElementKind::Edge,
            2 => ElementKind::Face,
            3 => ElementKind::Crossing,
            _ => return Err(format!("{kind} is not the number of a kind of element: 0 to 3 are")),
        };
        Ok(Self { kind, indices: [first, second], part })
    }
}

/// The name of a contact of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Feature {
    /// What touches on A.
    pub a: Element,
    /// What touches on B.
    pub b: Element,
}

impl Feature {
    /// The same contact with A and B exchanged.
    #[inline]
    pub fn swapped(self) -> Self {
        Self { a: self.b, b: self.a }
    }
}

impl Ord for Feature {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let ranks = |name: &Self| u64::from(name.a.rank()) << 32 | u64::from(name.b.rank());
        ranks(self).cmp(&ranks(other)).then_with(|| (self.a, self.b).cmp(&(other.a, other.b)))
    }
}

impl PartialOrd for Feature {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
