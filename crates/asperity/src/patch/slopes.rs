//! The slopes of one surface in a patch.

use asperity_friction::{CountedSlope, FacetSlopes};
use glam::DVec2;

/// Slopes of the pixels of a patch: each by itself, or where there are few different ones, each of these with how many pixels have it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PatchSlopes {
    each: Vec<DVec2>,
    /// Empty, or the other list is.
    counted: Vec<CountedSlope>,
}

impl PatchSlopes {
    /// As laws see them.
    pub fn facets(&self) -> FacetSlopes<'_> {
        match (&self.each[..], &self.counted[..]) {
            ([], []) => FacetSlopes::Flat,
            (each, []) => FacetSlopes::Patch(each),
            (_, counted) => FacetSlopes::Counted(counted),
        }
    }

    /// One a pixel. Where they were counted, in another order than those of the pixels.
    pub fn iter(&self) -> impl Iterator<Item = DVec2> + '_ {
        let counted = self.counted.iter().flat_map(|p| std::iter::repeat_n(p.slope, p.texels as usize));
        self.each.iter().copied().chain(counted)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.each.is_empty() && self.counted.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.each.clear();
        self.counted.clear();
    }

    /// Room for so many, one a pixel, to be written over.
    pub(super) fn each(&mut self, count: usize) -> &mut [DVec2] {
        self.counted.clear();
        // What is left over from the last patch stays, so that nothing must be cleared.
        self.each.resize(count, DVec2::ZERO);
        &mut self.each
    }

    /// These slopes, each with how many pixels have it.
    pub(super) fn count(&mut self, slopes: impl Iterator<Item = CountedSlope>) {
        self.clear();
        self.counted.extend(slopes.filter(|p| p.texels > 0));
    }
}
