//! Contact patches: the facets of both surfaces around a contact (Andrews, Nassif, Erleben and Kry 2021, section 4).
//!
//! **Volume.** Around the contact point c, w × w in the contact plane and φ + 0.01 w deep, half of it on each side of the plane; φ is the
//! overlap, or the gap of a contact that is still open: both surfaces are φ/2 away from c. It is seen as a grid of N × N pixels.
//!
//! **Grid.** Its axes x, y depend on the line of the normal only, not on its sign, and x is along the world's x as far as the plane allows
//! (along z where the normal is within 37° of x). So both bodies see the same pixels, whichever is A.
//!
//! **Surfaces.** Through the centre of each pixel goes a line along the normal. A surface covers the pixel if the line meets it inside the
//! volume from outside; of several pieces the outermost counts. There the map ([`FacetMap`]) is sampled at the interpolated texture
//! coordinates, and its facet normal m, in the interpolated frame of the skin, has the slope
//!
//!   p = (m·t, m·b)/(m·o),   o the outward direction of that surface (−n for A, n for B),
//!
//! clamped to [`STEEPEST`]. A surface without a map, or without texture coordinates, has the slopes of its skin. Triangles without area cover
//! nothing. Weights of texels ([`Salience`]) multiply slopes: mean k p over the patch is what the law of facets averages.
//!
//! **Both.** Only pixels that both surfaces cover count. Where there are none (w = 0; a body much smaller than a pixel; a skin that is far
//! from the shape that collides) the patch is one pixel: the points of both skins that the contact is at ([`SkinLookup::at`]).
//!
//! Flat pieces and triangles have texture coordinates that are linear in the pixel, so that a row of pixels is one walk through the map. Flat
//! pieces without a map, or with one of few texels with sharp edges, have few different slopes: these are counted ([`PatchSlopes`]).
//! Nothing is allocated once storage has grown; contacts are independent of each other, so threads change no byte.
//!
//! A map of slopes, which is looked up at texture coordinates:
//!
//! ```
//! use asperity::patch::FacetMap;
//! use glam::DVec2;
//!
//! let map = FacetMap::from_slopes(1, 1, &[DVec2::new(0.5, 0.0)])?;
//! let slope = map.at(DVec2::new(0.3, 0.7)).numbers;
//! assert!((slope - DVec2::new(0.5, 0.0)).length() < 1e-3);
//! # Ok::<(), asperity::patch::MapError>(())
//! ```

mod grid;
mod map;
mod piece;
mod run;
mod sampler;
mod slopes;
mod store;

pub use asperity_friction::model::PatchWindow;
pub use map::{
    FacetMap, FacetTexel, Filter, Green, MapError, NormalMapError, Relief, STEEPEST, Salience, Tiling, differences,
};
pub use sampler::{PatchContact, PatchSampler, PatchSide};
pub use slopes::PatchSlopes;
pub use store::{PatchStore, WantedPatch};

#[cfg(doc)]
use crate::geometry::SkinLookup;
