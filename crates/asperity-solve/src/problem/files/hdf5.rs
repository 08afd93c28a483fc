//! Checked access to the datasets of an HDF5 file.
//!
//! The reader crate checks what it parses, but believes the sizes and the types a dataset declares: a dataset of a few
//! bytes may claim gigabytes of fill values. So nothing is read before its declared size was compared with the length
//! of the file.

use std::cell::Cell;

use hdf5_pure::{DType, Dataset, Error, File, FormatError, Layout};

use super::error::{Fault, Reason};

/// How much smaller than its data a dataset may be that is compressed, or that has no storage because it was never
/// written (every value is then the fill value). Contact data seldom shrinks more than tenfold; deflate could reach
/// 1000 and a dataset without storage any ratio, which would let a small file fill the memory.
const COMPRESSION: u64 = 32;

/// An HDF5 file in memory.
pub(super) struct Archive {
    file: File,
    /// Bytes of storage that may still be read: together, the datasets cost no more than the length of the file. What
    /// is compressed or was never written costs its size divided by [`COMPRESSION`].
    room: Cell<u64>,
}

impl Archive {
    pub(super) fn open(bytes: &[u8]) -> Result<Self, Box<Fault>> {
        let damaged = |error: Error| Fault::whole(Reason::Hdf5(error.to_string()));
        let file = File::from_bytes(bytes.to_vec()).map_err(damaged)?;
        Ok(Self { file, room: Cell::new(bytes.len() as u64) })
    }

    /// Whether there is a group at `path`.
    pub(super) fn has_group(&self, path: &str) -> Result<bool, Box<Fault>> {
        present(path, self.file.group(path)).map(|group| group.is_some())
    }

    /// The names of the groups in a group.
    pub(super) fn groups(&self, path: &str) -> Result<Vec<String>, Box<Fault>> {
        let group = required(path, self.file.group(path))?;
        group.groups().map_err(|error| damaged(path, &error))
    }

    /// The values of a dataset of finite reals.
    pub(super) fn reals(&self, path: &str) -> Result<Vec<f64>, Box<Fault>> {
        self.optional_reals(path)?.ok_or_else(|| Fault::hdf5(path, None, Reason::Missing))
    }

    /// As [`Self::reals`], but `None` if there is no such dataset.
    pub(super) fn optional_reals(&self, path: &str) -> Result<Option<Vec<f64>>, Box<Fault>> {
        let Some(dataset) = present(path, self.file.dataset(path))? else { return Ok(None) };
        self.check(path, &dataset, "64-bit reals", |found| *found == DType::F64)?;
        let values = dataset.read_f64().map_err(|error| damaged(path, &error))?;
        match values.iter().position(|value| !value.is_finite()) {
            Some(k) => Err(Fault::hdf5(path, Some(k), Reason::NotFinite(values[k]))),
            None => Ok(Some(values)),
        }
    }

    /// The values of a dataset of whole numbers.
    pub(super) fn integers(&self, path: &str) -> Result<Vec<i64>, Box<Fault>> {
        self.optional_integers(path)?.ok_or_else(|| Fault::hdf5(path, None, Reason::Missing))
    }

    /// The only value of a dataset of whole numbers.
    pub(super) fn integer(&self, path: &str) -> Result<i64, Box<Fault>> {
        self.optional_integer(path)?.ok_or_else(|| Fault::hdf5(path, None, Reason::Missing))
    }

    /// As [`Self::integer`], but `None` if there is no such dataset.
    pub(super) fn optional_integer(&self, path: &str) -> Result<Option<i64>, Box<Fault>> {
        match self.optional_integers(path)?.as_deref() {
            None => Ok(None),
            Some([value]) => Ok(Some(*value)),
            Some(values) => Err(length_mismatch(path, values.len(), 1, "value is expected")),
        }
    }

    fn optional_integers(&self, path: &str) -> Result<Option<Vec<i64>>, Box<Fault>> {
        let Some(dataset) = present(path, self.file.dataset(path))? else { return Ok(None) };
        // FCLIB writes 32 bits; 64 are as good.
        self.check(path, &dataset, "whole numbers of 32 or 64 bits", |found| matches!(found, DType::I32 | DType::I64))?;
        dataset.read_i64().map(Some).map_err(|error| damaged(path, &error))
    }

    /// Refuses a dataset of the wrong type, and one whose declared size the file cannot justify.
    fn check(
        &self,
        path: &str,
        dataset: &Dataset,
        expected: &'static str,
        fits: impl Fn(&DType) -> bool,
    ) -> Result<(), Box<Fault>> {
        let damaged = |error: Error| damaged(path, &error);
        let found = dataset.dtype().map_err(damaged)?;
        if !fits(&found) {
            return Err(Fault::hdf5(path, None, Reason::Type { found: found.to_string(), expected }));
        }
        // The type is one of 4 or 8 bytes by now, so the element size cannot be absurd.
        let width = dataset.element_size().map_err(damaged)?;
        let bytes = |shape: &[u64]| shape.iter().fold(width, |product, &extent| product.saturating_mul(extent));
        let declared = bytes(&dataset.shape().map_err(damaged)?);
        let cost = match dataset.layout().map_err(damaged)? {
            Layout::Compact { .. } | Layout::Contiguous { address: Some(_), .. } => declared,
            Layout::Contiguous { address: None, .. } => declared / COMPRESSION,
            Layout::Chunked { chunk_shape, .. } => declared.max(bytes(&chunk_shape)) / COMPRESSION,
            _ => return Err(Fault::hdf5(path, None, Reason::Unsupported("virtual datasets".to_owned()))),
        };
        let room = self.room.get();
        if cost > room {
            return Err(Fault::hdf5(path, None, Reason::TooLarge { declared, room, unit: "bytes" }));
        }
        self.room.set(room - cost);
        Ok(())
    }
}

/// A dataset whose length the rest of the file contradicts.
pub(super) fn length_mismatch(path: &str, found: usize, expected: usize, why: &'static str) -> Box<Fault> {
    Fault::hdf5(path, None, Reason::Mismatch { found: found as i64, expected: expected.to_string(), why })
}

/// `None` if nothing is there; damage on the way is an error.
fn present<T>(path: &str, found: Result<T, Error>) -> Result<Option<T>, Box<Fault>> {
    match found {
        Ok(object) => Ok(Some(object)),
        Err(Error::Format(FormatError::PathNotFound(_))) => Ok(None),
        Err(error) => Err(damaged(path, &error)),
    }
}

fn required<T>(path: &str, found: Result<T, Error>) -> Result<T, Box<Fault>> {
    present(path, found)?.ok_or_else(|| Fault::hdf5(path, None, Reason::Missing))
}

fn damaged(path: &str, error: &Error) -> Box<Fault> {
    Fault::hdf5(path, None, Reason::Hdf5(error.to_string()))
}
