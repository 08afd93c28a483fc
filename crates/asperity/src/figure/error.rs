//! What can go wrong with a figure: the file name, the size of the picture.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

/// Why a figure could not be made.
#[derive(Debug)]
pub enum FigureError {
    /// The file name asks for a format that is not written here.
    Extension {
        /// The path as given.
        path: PathBuf,
    },
    /// The scale is not a positive number, or the picture would be too large.
    Scale {
        /// Pixels per drawing unit, as asked for.
        scale: f32,
        /// Width and height of the drawing, in drawing units.
        size: (f32, f32),
        /// Largest width or height of a picture, in pixels.
        limit: u32,
    },
    /// The rasteriser refused the drawing: a fault of this module.
    Raster(String),
}

impl fmt::Display for FigureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Extension { path } => {
                write!(f, "cannot write a figure to '{}': expected a file name ending in .svg or .png", path.display())
            }
            Self::Scale { scale, size: (width, height), limit } => write!(
                f,
                "cannot draw a figure of {width} x {height} units at {scale} pixels per unit: \
                 expected a positive scale and at most {limit} pixels a side"
            ),
            Self::Raster(reason) => write!(f, "cannot rasterise the figure: {reason}"),
        }
    }
}

impl Error for FigureError {}
