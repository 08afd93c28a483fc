//! The patches of many contacts, on threads.
//!
//! The slopes of a contact are a function of both poses, the contact's place and frame, its gap, the window, the skins and the maps. A contact
//! for which all of that is what it was when its slopes were last sampled, to the last bit, keeps them: in the passes of one step, and where bodies rest.
//! Skins and maps are compared by their versions ([`Version`]): content that changes takes a new one.

use asperity_friction::model::PatchWindow;
use rayon::prelude::*;

use super::sampler::{PatchContact, PatchSampler};
use super::{PatchSide, PatchSlopes};
use crate::geometry::Version;

/// Contacts that a thread takes at a time.
const CHUNK: usize = 16;
/// Fewer chunks than this are not worth waking threads for, which takes as long as ten to fifty contacts.
const WORTH_THREADS: usize = 8;

/// A contact whose patches are wanted, and the window around it.
#[derive(Clone, Copy, Debug)]
pub struct WantedPatch<'a> {
    /// How large the patches are, and how fine.
    pub window: PatchWindow,
    /// The contact.
    pub contact: PatchContact<'a>,
}

/// Slopes of the patches of a list of contacts. Keeps its storage from step to step.
#[derive(Clone, Debug, Default)]
pub struct PatchStore {
    chunks: Vec<Chunk>,
}

#[derive(Clone, Debug, Default)]
struct Chunk {
    sampler: PatchSampler,
    patches: Vec<Patch>,
}

/// What is known of a contact.
#[derive(Clone, Debug, Default)]
struct Patch {
    /// Of A and of B.
    slopes: [PatchSlopes; 2],
    /// What they were sampled from; none if they were not.
    key: Option<PatchKey>,
    /// Whether the last [`PatchStore::fill`] found them as they were.
    same: bool,
}

/// All that slopes depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PatchKey {
    resolution: u32,
    numbers: [u64; 28],
    /// Of A and of B.
    surfaces: [SurfaceVersion; 2],
}

/// Which content a surface had.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SurfaceVersion {
    skin: Version,
    map: Option<Version>,
}

impl SurfaceVersion {
    fn of(side: &PatchSide) -> Self {
        Self { skin: side.skin.version(), map: side.map.map(|map| map.version()) }
    }
}

/// The numbers of a contact, bit by bit: zeros of both signs are different.
fn numbers(window: PatchWindow, contact: &PatchContact) -> [u64; 28] {
    let (p, frame, [a, b]) = (contact.point, &contact.frame, [&contact.a.pose, &contact.b.pose]);
    let ([n, t, s], [i, j]) = ([frame.normal(), frame.t(), frame.b()], [a.position, b.position]);
    let [q, r] = [a.rotation, b.rotation];
    let (width, gap) = (window.width, contact.gap);
    let all = [
        width, gap, p.x, p.y, p.z, n.x, n.y, n.z, t.x, t.y, t.z, s.x, s.y, s.z, i.x, i.y, i.z, q.x, q.y, q.z, q.w, j.x,
        j.y, j.z, r.x, r.y, r.z, r.w,
    ];
    all.map(f64::to_bits)
}

impl PatchKey {
    fn new(window: PatchWindow, contact: &PatchContact) -> Self {
        let surfaces = [SurfaceVersion::of(&contact.a), SurfaceVersion::of(&contact.b)];
        Self { resolution: window.resolution, numbers: numbers(window, contact), surfaces }
    }
}

impl Patch {
    /// Samples the slopes, if they are not there already.
    fn update(&mut self, sampler: &mut PatchSampler, window: PatchWindow, contact: &PatchContact) {
        let key = PatchKey::new(window, contact);
        self.same = self.key == Some(key);
        if !self.same {
            let [a, b] = &mut self.slopes;
            sampler.sample(window, contact, a, b);
            self.key = Some(key);
        }
    }

    fn clear(&mut self) {
        self.slopes.iter_mut().for_each(PatchSlopes::clear);
        (self.key, self.same) = (None, false);
    }
}

impl PatchStore {
    /// Samples the patches of `count` contacts; `contact` says what a contact is made of, or that it has none.
    pub fn fill<'c>(&mut self, count: usize, contact: impl Fn(usize) -> Option<WantedPatch<'c>> + Sync) {
        let needed = count.div_ceil(CHUNK);
        if self.chunks.len() < needed {
            self.chunks.resize_with(needed, Chunk::default);
        }
        let one = |(number, chunk): (usize, &mut Chunk)| {
            let first = number * CHUNK;
            let here = CHUNK.min(count - first);
            if chunk.patches.len() < here {
                chunk.patches.resize_with(here, Patch::default);
            }
            for (k, patch) in chunk.patches[..here].iter_mut().enumerate() {
                match contact(first + k) {
                    Some(WantedPatch { window, contact }) => patch.update(&mut chunk.sampler, window, &contact),
                    None => patch.clear(),
                }
            }
        };
        let chunks = &mut self.chunks[..needed];
        if needed < WORTH_THREADS {
            chunks.iter_mut().enumerate().for_each(one);
        } else {
            chunks.par_iter_mut().enumerate().for_each(one);
        }
    }

    /// No contact has a patch.
    pub fn clear(&mut self) {
        self.chunks.clear();
    }

    /// Slopes of A and B at a contact, if it has a patch.
    pub fn slopes(&self, contact: usize) -> Option<&[PatchSlopes; 2]> {
        self.patch(contact).map(|patch| &patch.slopes).filter(|slopes| !slopes[0].is_empty())
    }

    /// Whether the slopes of a contact are those that this number had before the last [`Self::fill`], to the last bit.
    pub fn is_same(&self, contact: usize) -> bool {
        self.patch(contact).is_some_and(|patch| patch.same)
    }

    fn patch(&self, contact: usize) -> Option<&Patch> {
        self.chunks.get(contact / CHUNK).and_then(|chunk| chunk.patches.get(contact % CHUNK))
    }
}
