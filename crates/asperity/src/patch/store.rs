//! The patches of many contacts, on threads.

use asperity_friction::model::PatchWindow;
use glam::DVec2;
use rayon::prelude::*;

use super::{PatchContact, PatchSampler};

/// Contacts that a thread takes at a time: about 50 microseconds.
const CHUNK: usize = 16;

/// Slopes of the patches of a list of contacts. Keeps its storage from step to step.
#[derive(Clone, Debug, Default)]
pub struct PatchStore {
    chunks: Vec<Chunk>,
}

#[derive(Clone, Debug, Default)]
struct Chunk {
    sampler: PatchSampler,
    /// Of A and of B, for each contact.
    slopes: Vec<[Vec<DVec2>; 2]>,
}

impl PatchStore {
    /// Samples the patches of `count` contacts; `contact` says what a contact is made of, or that it has none.
    pub fn fill<'c>(
        &mut self,
        count: usize,
        contact: impl Fn(usize) -> Option<(PatchWindow, PatchContact<'c>)> + Sync,
    ) {
        let needed = count.div_ceil(CHUNK);
        if self.chunks.len() < needed {
            self.chunks.resize_with(needed, Chunk::default);
        }
        let one = |(number, chunk): (usize, &mut Chunk)| {
            let first = number * CHUNK;
            let here = CHUNK.min(count - first);
            if chunk.slopes.len() < here {
                chunk.slopes.resize_with(here, Default::default);
            }
            for (k, [a, b]) in chunk.slopes[..here].iter_mut().enumerate() {
                match contact(first + k) {
                    Some((window, contact)) => {
                        chunk.sampler.sample(window, &contact, a, b);
                    }
                    None => {
                        a.clear();
                        b.clear();
                    }
                }
            }
        };
        let chunks = &mut self.chunks[..needed];
        if needed < 2 {
            chunks.iter_mut().enumerate().for_each(one);
        } else {
            chunks.par_iter_mut().enumerate().for_each(one);
        }
    }

    /// No contact has a patch.
    pub fn clear(&mut self) {
        self.chunks.clear();
    }

    /// Slopes of A and B at a contact; empty if it has no patch.
    pub fn slopes(&self, contact: usize) -> [&[DVec2]; 2] {
        match self.chunks.get(contact / CHUNK).and_then(|chunk| chunk.slopes.get(contact % CHUNK)) {
            Some([a, b]) => [a, b],
            None => [&[], &[]],
        }
    }
}
