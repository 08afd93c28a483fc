//! Materials: reliefs that are made by a generator, from a seed and a few lengths.
//!
//! A generator answers with a [`Relief`]: an image of slopes that repeats, how large it is in metres, and its heights where it has any.
//! Slopes are those of facet normals in (u, v): p = −(∂h/∂u, ∂h/∂v) in metres per metre. The same parameters give the same bytes: random
//! numbers are counted, not drawn (`noise.rs`).
//!
//! To add one: a file with its parameters and `make`, its two lines below, and its keys in `scene/keys/reliefs.rs`.
//!
//! ```
//! use asperity::material::{Material, Statistics};
//!
//! let sawtooth = Material::named("sawtooth").expect("in the list").make()?;
//! let statistics = Statistics::new(&sawtooth);
//! // Ridges resist across them, along u, and not along them.
//! assert!(statistics.coefficient(glam::DVec2::X) > 0.1 && statistics.coefficient(glam::DVec2::Y) < 1e-12);
//! # Ok::<(), asperity::material::MaterialError>(())
//! ```

mod acrylic;
mod cut_pvc;
mod gaussian;
mod image;
mod noise;
mod oak;
mod plaster;
mod ridges;
mod sawtooth;
mod statistics;
mod threads;

use asperity_friction::field::Wrap;
use glam::DVec2;
use serde::{Deserialize, Serialize};

pub use acrylic::Acrylic;
pub use cut_pvc::CutPvc;
pub use gaussian::Gaussian;
pub use image::HeightImage;
pub use oak::Oak;
pub use plaster::Plaster;
pub use ridges::ridges;
pub use sawtooth::Sawtooth;
pub use statistics::Statistics;
pub use threads::Threads;

use crate::patch::{FacetMap, Filter, MapError, differences};

/// Why a material cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MaterialError {
    /// A parameter that is out of range.
    #[error("{name} = {value}: must be {expected}")]
    Parameter {
        /// Which.
        name: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        expected: &'static str,
    },
    /// What came out makes no map.
    #[error(transparent)]
    Map(#[from] MapError),
}

/// A relief that repeats.
#[derive(Clone, Debug, PartialEq)]
pub struct Relief {
    /// Texels along u.
    pub width: u32,
    /// Texels along v.
    pub height: u32,
    /// Metres along u and v.
    pub size: DVec2,
    /// Slopes of the facets, rows from the top.
    pub slopes: Vec<DVec2>,
    /// Heights in metres, in the same order, where there are any.
    pub heights: Option<Vec<f64>>,
    /// Whether facets end sharply.
    pub sharp: bool,
}

impl Relief {
    /// From heights of an image that repeats; slopes are their central differences.
    pub fn from_heights(width: u32, height: u32, size: DVec2, heights: Vec<f64>) -> Self {
        Self::from_heights_beyond(width, height, size, heights, Wrap::Repeat)
    }

    /// The same, where `wrap` is what is beyond the image.
    fn from_heights_beyond(width: u32, height: u32, size: DVec2, heights: Vec<f64>, wrap: Wrap) -> Self {
        let slopes = differences(width, height, &heights, [wrap; 2]).into_iter().map(|d| d / size).collect();
        Self { width, height, size, slopes, heights: Some(heights), sharp: false }
    }

    /// As a map of its own size. Slopes are multiplied with `strength`.
    pub fn map(&self, strength: f64) -> Result<FacetMap, MapError> {
        let slopes: Vec<DVec2> = self.slopes.iter().map(|p| *p * strength).collect();
        let mut map = FacetMap::from_slopes(self.width, self.height, &slopes)?.sized(self.size)?;
        map.set_filter(if self.sharp { Filter::Nearest } else { Filter::Linear });
        Ok(map)
    }
}

macro_rules! materials {
    ($($name:literal, $material:ident, $doc:literal;)*) => {
        /// Any of the materials, as plain data.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "material", rename_all = "snake_case")]
        pub enum Material {
            $(#[doc = $doc] $material($material),)*
        }

        /// Name and one line of each.
        pub const MATERIALS: &[(&str, &str)] = &[$(($name, $doc)),*];

        impl Material {
            /// The relief.
            pub fn make(&self) -> Result<Relief, MaterialError> {
                match self { $(Self::$material(material) => material.make(),)* }
            }

            /// The one of that name with its own parameters.
            pub fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$material($material::default())),)* _ => None }
            }

            /// Name in files and on the command line.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$material(_) => $name,)* }
            }
        }
    };
}

materials!(
    "gaussian", Gaussian, "Random heights with a roughness Ra, alike in all directions or stretched along one.";
    "sawtooth", Sawtooth, "Ridges along v with a gentle and a steep side.";
    "threads", Threads, "The thread of a bolt around a cylinder.";
    "plaster", Plaster, "Smooth plaster: shallow, rounded bumps.";
    "oak", Oak, "Oak: fibres and pores along u.";
    "acrylic", Acrylic, "Cast acrylic: almost smooth, a few fine scratches.";
    "cut_pvc", CutPvc, "PVC cut with a tool: curved grooves and burrs.";
);

/// A number that must be in a range.
fn within(name: &'static str, value: f64, least: f64, most: f64, expected: &'static str) -> Result<f64, MaterialError> {
    if value >= least && value <= most { Ok(value) } else { Err(MaterialError::Parameter { name, value, expected }) }
}

/// A length.
fn length(name: &'static str, value: f64) -> Result<f64, MaterialError> {
    within(name, value, 1e-7, 1e3, "from 1e-7 to 1e3 m")
}

/// A number of texels.
fn texels(value: u32) -> Result<u32, MaterialError> {
    within("texels", f64::from(value), 4.0, 2048.0, "from 4 to 2048").map(|_| value)
}
