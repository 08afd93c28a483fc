//! What can be wrong with a recording or its files.

use std::path::PathBuf;

use asperity_friction::number::Written;
use thiserror::Error;

/// Why a recording was refused or a file not written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// A list is longer or shorter than what it belongs to.
    #[error("{place}: {found} {what} where {expected} are needed")]
    Length {
        /// Body, frame or image.
        place: String,
        /// What is counted.
        what: &'static str,
        /// How many there must be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A number is infinite or not a number.
    #[error("{place}: {what} is {}, not a finite number", Written(*value))]
    NotFinite {
        /// Body or frame.
        place: String,
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A rotation is no unit quaternion.
    #[error("{place}: the rotation has length {}, not 1", Written(*length))]
    NotUnit {
        /// Frame and body.
        place: String,
        /// |q|.
        length: f64,
    },
    /// A triangle names a corner that the skin does not have.
    #[error("body '{body}', triangle {triangle}: corner {corner}, but there are only {corners}")]
    Corner {
        /// Its name.
        body: String,
        /// Number of the triangle.
        triangle: usize,
        /// The corner it names.
        corner: u32,
        /// How many there are.
        corners: usize,
    },
    /// A list names something that is not there.
    #[error("{place}: {what} {number}, but there are only {count}")]
    Number {
        /// Body or frame.
        place: String,
        /// What is named.
        what: &'static str,
        /// Its number.
        number: u32,
        /// How many there are.
        count: usize,
    },
    /// Times of frames must increase.
    #[error("frame {frame}: t = {}, not after {}, the frame before", Written(*t), Written(*previous))]
    Time {
        /// Number of the frame.
        frame: usize,
        /// Its time.
        t: f64,
        /// The time before.
        previous: f64,
    },
    /// A name is needed twice or empty: rows of tables and nodes of scenes are told apart by it.
    #[error("body {body}: the name '{name}' is {reason}")]
    Name {
        /// Number of the body.
        body: usize,
        /// Its name.
        name: String,
        /// What is wrong.
        reason: &'static str,
    },
    /// A setting makes no sense.
    #[error("{setting} = {}: {reason}", Written(*value))]
    Setting {
        /// Which.
        setting: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        reason: &'static str,
    },
    /// There is no frame to show.
    #[error("the recording has no frame")]
    NoFrame,
    /// A picture or model could not be encoded.
    #[error("cannot encode {what}: {reason}")]
    Encode {
        /// The format.
        what: &'static str,
        /// As the encoder said.
        reason: String,
    },
    /// A file that the recording was streamed to could not be read.
    #[error("cannot read '{}': {source}", path.display())]
    Read {
        /// Where from.
        path: PathBuf,
        /// As the system said.
        source: std::io::Error,
    },
    /// A file could not be written.
    #[error("cannot write '{}': {source}", path.display())]
    Write {
        /// Where to.
        path: PathBuf,
        /// As the system said.
        source: std::io::Error,
    },
}

/// Refuses a number that is not finite; the place is only named when it is.
pub(super) fn finite(value: f64, what: &'static str, place: impl Fn() -> String) -> Result<(), RecordError> {
    if value.is_finite() { Ok(()) } else { Err(RecordError::NotFinite { place: place(), what, value }) }
}

/// The same for the components of a vector.
pub(super) fn finite_all<const N: usize>(
    values: [f64; N],
    what: &'static str,
    place: impl Fn() -> String,
) -> Result<(), RecordError> {
    values.into_iter().try_for_each(|value| finite(value, what, &place))
}
