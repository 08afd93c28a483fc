//! The facets of a surface as an image: normal maps and height maps.
//!
//! A texel holds two numbers (a, b), in the frame of the skin, such that the facet's normal is
//!
//!   m = n + a c_u + b c_v,
//!
//! n the skin's unit normal. Of a **normal map**, c_u and c_v are the skin's unit tangent t and bitangent n × t, and (a, b) =
//! (m_u, m_v)/m_n: the length of a normal does not matter. Of a **height map** h, c_u = ∇u and c_v = ∇v are the gradients of the texture
//! coordinates on the skin and (a, b) = −(∂h/∂u, ∂h/∂v), so that m = n − ∇h whatever the skin stretches or shears. Between texels the two
//! numbers are interpolated bilinearly: those of a height map are linear in the heights, and those of a normal map agree with
//! interpolated normals to second order in what neighbours differ by.
//!
//! Each texel can have a weight, its part of the surface's salience k ([`Salience`]).
//!
//! Texel (i, j) of width × height, j from the upper row, lies at u = (i + ½)/width, v = 1 − (j + ½)/height, as in all textures.

mod height;
mod normal;
mod palette;
mod places;
mod salience;

use std::sync::Arc;

use asperity_friction::field::{Neighbours, Wrap, neighbours};
use glam::{DVec2, DVec3, Vec4, Vec4Swizzles};

pub use height::differences;
pub(super) use normal::facet_slope;
pub use normal::{Green, NormalMapError};
use palette::Palette;
use places::{BATCH, HALF_BATCH, Places};

use crate::geometry::Version;
pub use salience::Salience;

/// Steepest facet that a map holds, |p|: about 84°, as the law of facets has it unless told otherwise. What is steeper, also normals that
/// point into the surface, is clamped to it.
pub const STEEPEST: f64 = 10.0;

/// What the two numbers of a texel refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relief {
    /// Tangent and bitangent.
    Normals,
    /// Gradients of the texture coordinates.
    Heights,
}

/// How a map is looked up between texels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// Bilinearly.
    #[default]
    Linear,
    /// The nearest texel: facets with sharp edges.
    Nearest,
}

/// Why numbers make no map.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MapError {
    /// Not a whole image.
    #[error("{count} texels are not {width} times {height}")]
    Count {
        /// Given.
        count: usize,
        /// Texels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// A number that is none.
    #[error("texel ({column}, {row}) is not a finite number")]
    NotFinite {
        /// From the left.
        column: u32,
        /// From the top.
        row: u32,
    },
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
    /// An image that is no normal map.
    #[error(transparent)]
    Normal(#[from] NormalMapError),
}

/// Facets of a surface. Copies share the texels.
#[derive(Clone, Debug)]
pub struct FacetMap {
    width: u32,
    height: u32,
    /// Both numbers of each texel. Rows from below, so that v grows with them; each ends with its first texel again, and after the last
    /// comes the first row again, so that the neighbours of a texel are always beside it.
    texels: Arc<[f32]>,
    /// Parts of the salience, in the same order.
    weights: Option<Arc<[f32]>>,
    /// Its different texels, if they are few.
    palette: Option<Arc<Palette>>,
    relief: Relief,
    /// Largest length of a texel's two numbers, and so of what is between texels.
    steepest: f64,
    filter: Filter,
    wrap: [Wrap; 2],
    tiling: Tiling,
    /// Names all of the above.
    version: Version,
}

/// Equal content, whatever the versions.
impl PartialEq for FacetMap {
    fn eq(&self, other: &Self) -> bool {
        let Self { width, height, texels, weights, palette, relief, steepest, filter, wrap, tiling, version: _ } = self;
        [width, height] == [&other.width, &other.height]
            && texels == &other.texels
            && weights == &other.weights
            && palette == &other.palette
            && relief == &other.relief
            && steepest == &other.steepest
            && filter == &other.filter
            && wrap == &other.wrap
            && tiling == &other.tiling
    }
}

/// What a map says at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FacetTexel {
    /// (a, b): see the module.
    pub numbers: DVec2,
    /// Its part of the surface's salience.
    pub weight: f64,
}

/// Points of an image in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ImageRow {
    /// The first of them, in images.
    pub(super) start: DVec2,
    /// How many there are.
    pub(super) count: usize,
}

/// How large an image is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tiling {
    /// So many along a unit of u and v.
    Tiles(DVec2),
    /// So many metres along u and v, wherever the skin's texture coordinates grow alike. Where they do not (round skins, uneven meshes) each
    /// piece has its own scale, and images end at its edges.
    Size(DVec2),
}

impl FacetMap {
    /// From the slopes (a, b) of a normal map, rows from the top. It repeats, and covers the unit square.
    pub fn from_slopes(width: u32, height: u32, slopes: &[DVec2]) -> Result<Self, MapError> {
        let steep = |p: &DVec2| p.clamp_length_max(STEEPEST);
        Self::new(width, height, slopes.iter().map(steep), Relief::Normals)
    }

    fn new(
        width: u32,
        height: u32,
        texels: impl ExactSizeIterator<Item = DVec2>,
        relief: Relief,
    ) -> Result<Self, MapError> {
        let count = texels.len();
        if count == 0 || count as u64 != u64::from(width) * u64::from(height) {
            return Err(MapError::Count { count, width, height });
        }
        let (w, h) = (width as usize, height as usize);
        let mut all = vec![[0.0f32; 2]; count];
        let mut steepest = 0.0f64;
        for (k, p) in texels.enumerate() {
            let (row, column) = (k as u32 / width, k as u32 % width);
            if !p.is_finite() {
                return Err(MapError::NotFinite { column, row });
            }
            // A little more than the rounding of a texel.
            steepest = steepest.max(p.length() * (1.0 + 1e-6));
            all[((height - 1 - row) * width + column) as usize] = [p.x as f32, p.y as f32];
        }
        let (filter, wrap, tiling) = (Filter::Linear, [Wrap::Repeat; 2], Tiling::Tiles(DVec2::ONE));
        let texels = padded(w, h, |k| all[k]).concat().into();
        let palette = Palette::new(width, height, |i, j| (all[j * w + i], 1.0));
        let version = Version::fresh();
        Ok(Self { width, height, texels, weights: None, palette, relief, steepest, filter, wrap, tiling, version })
    }

    /// What names its content.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Between texels.
    pub fn filter(&self) -> Filter {
        self.filter
    }

    /// Along u and v.
    pub fn wrap(&self) -> [Wrap; 2] {
        self.wrap
    }

    /// Changes what is between texels.
    pub fn set_filter(&mut self, filter: Filter) {
        (self.filter, self.version) = (filter, Version::fresh());
    }

    /// Changes what is beyond the edges, along u and v.
    pub fn set_wrap(&mut self, wrap: [Wrap; 2]) {
        (self.wrap, self.version) = (wrap, Version::fresh());
    }

    /// Texels along u and v.
    pub fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// What its numbers refer to.
    pub fn relief(&self) -> Relief {
        self.relief
    }

    /// How large an image is.
    pub fn tiling(&self) -> Tiling {
        self.tiling
    }

    /// Repeats the image so often along a unit of u and v: not zero, and at most 10⁶.
    pub fn tiled(mut self, tiles: DVec2) -> Result<Self, MapError> {
        for value in tiles.to_array() {
            // Coordinates are reduced to one image: more would not leave enough of their digits.
            if !(value.abs() >= 1e-12 && value.abs() <= 1e6) {
                return Err(MapError::Parameter { name: "tiles", value, expected: "from 1e-12 to 1e6 in size" });
            }
        }
        (self.tiling, self.version) = (Tiling::Tiles(tiles), Version::fresh());
        Ok(self)
    }

    /// Makes the image so many metres large.
    pub fn sized(mut self, size: DVec2) -> Result<Self, MapError> {
        for value in size.to_array() {
            if !(1e-6..=1e6).contains(&value) {
                return Err(MapError::Parameter { name: "size", value, expected: "from 1e-6 to 1e6 m" });
            }
        }
        (self.tiling, self.version) = (Tiling::Size(size), Version::fresh());
        Ok(self)
    }

    /// Images along a unit of u and v, where these grow by so much along a metre.
    #[inline]
    pub(crate) fn images(&self, growth: DVec2) -> DVec2 {
        match self.tiling {
            Tiling::Tiles(tiles) => tiles,
            // A skin whose coordinates do not grow shows one point.
            Tiling::Size(size) => DVec2::select(growth.cmpgt(DVec2::splat(1e-12)), (size * growth).recip(), DVec2::ONE),
        }
    }

    /// The columns c_u, c_v for a skin with this tangent, bitangent and gradients of u and v in images.
    #[inline]
    pub(super) fn columns(&self, axes: [DVec3; 2], gradients: [DVec3; 2]) -> [DVec3; 2] {
        match self.relief {
            Relief::Normals => axes,
            Relief::Heights => gradients,
        }
    }

    /// Largest length of the two numbers, anywhere.
    #[inline]
    pub(super) fn steepest(&self) -> f64 {
        self.steepest
    }

    /// The two numbers and the weight at a point of the image, which is the unit square, or beyond.
    pub fn at(&self, uv: DVec2) -> FacetTexel {
        let mut found = FacetTexel { numbers: DVec2::ZERO, weight: 1.0 };
        self.walk(uv, DVec2::ZERO, 1, |_, texel, weight| {
            let numbers = DVec2::new(f64::from(texel[0]), f64::from(texel[1]));
            found = FacetTexel { numbers, weight: f64::from(weight) };
        });
        found
    }

    /// Visits the points uv + k step, in images, for k = 0 … count − 1.
    #[inline]
    pub(super) fn walk(&self, uv: DVec2, step: DVec2, count: usize, mut visit: impl FnMut(usize, [f32; 2], f32)) {
        if !self.repeats() {
            return self.walk_bounded(uv, step, count, visit);
        }
        let mut places = Places::default();
        for first in (0..count).step_by(BATCH) {
            let (uv, here) = (uv + step * first as f64, BATCH.min(count - first));
            self.places(uv, step, here, &mut places);
            for k in 0..here {
                let (corner, s, t) = (places.corners[k] as usize, places.s[k], places.t[k]);
                visit(first + k, self.mixed(corner, s, t), self.weight(corner, s, t));
            }
        }
    }

    /// Writes base + a c_u + b c_v along rows of points start + k step, in images. That is [`Self::walk`] where
    /// facets need no more than that. None of it if that is not so simple: there are weights, or the image does not repeat.
    #[inline]
    pub(super) fn write_rows(
        &self,
        rows: impl Iterator<Item = ImageRow>,
        step: DVec2,
        [base, c_u, c_v]: [DVec2; 3],
        mut out: &mut [DVec2],
    ) -> bool {
        if !self.repeats() || self.weights.is_some() {
            return false;
        }
        let mut places = Places::default();
        let (texels, above) = (&self.texels[..], 2 * (self.width as usize + 1));
        for ImageRow { start, count } in rows {
            let (row, rest) = out.split_at_mut(count.min(out.len()));
            out = rest;
            for (number, out) in row.chunks_mut(BATCH).enumerate() {
                self.places(start + step * (number * BATCH) as f64, step, out.len(), &mut places);
                let Places { corners, s, t } = &places;
                for (((out, corner), s), t) in out.iter_mut().zip(corners).zip(s).zip(t) {
                    let [a, b] = mix(texels, 2 * *corner as usize, above, *s, *t);
                    *out = base + c_u * f64::from(a) + c_v * f64::from(b);
                }
            }
        }
        true
    }

    #[inline]
    fn repeats(&self) -> bool {
        self.wrap == [Wrap::Repeat; 2]
    }

    /// Where the points uv + k step lie among the texels of an image that repeats.
    #[inline]
    fn places(&self, uv: DVec2, step: DVec2, count: usize, places: &mut Places) {
        let size = DVec2::new(f64::from(self.width), f64::from(self.height));
        let (first, step_texels) = (places::fraction(uv) * size - 1.0, step * size);
        let last = first + step_texels * (count - 1) as f64;
        let inside = first.min(last).cmpge(DVec2::splat(-0.5)).all() && first.max(last).cmple(size - 0.501 - 1.0).all();
        if inside {
            match count {
                0 | 1 => places.within::<1>(first, step_texels, self.width),
                2..=HALF_BATCH => places.within::<HALF_BATCH>(first, step_texels, self.width),
                _ => places.within::<BATCH>(first, step_texels, self.width),
            }
        } else {
            places.wrapped(uv, step, [self.width, self.height], count);
        }
        if self.filter == Filter::Nearest {
            places.round();
        }
    }

    fn walk_bounded(&self, uv: DVec2, step: DVec2, count: usize, mut visit: impl FnMut(usize, [f32; 2], f32)) {
        for k in 0..count {
            let at = uv + step * k as f64;
            let Neighbours { texels: [i, next], fraction: s } = neighbours(at.x, self.width, self.wrap[0]);
            let Neighbours { texels: [j, above], fraction: t } = neighbours(at.y, self.height, self.wrap[1]);
            // At an edge that does not repeat there is one texel twice.
            let (s, t) = (if next == i { 0.0 } else { s }, if above == j { 0.0 } else { t });
            let corner = j * (self.width as usize + 1) + i;
            let (s, t) = match self.filter {
                Filter::Linear => (s as f32, t as f32),
                Filter::Nearest => (f32::from(u8::from(s >= 0.5)), f32::from(u8::from(t >= 0.5))),
            };
            visit(k, self.mixed(corner, s, t), self.weight(corner, s, t));
        }
    }

    /// Between a texel, those to its right and above it, and the one beyond.
    #[inline]
    fn mixed(&self, corner: usize, s: f32, t: f32) -> [f32; 2] {
        mix(&self.texels, 2 * corner, 2 * (self.width as usize + 1), s, t)
    }

    #[inline]
    fn weight(&self, corner: usize, s: f32, t: f32) -> f32 {
        let Some(weights) = &self.weights else { return 1.0 };
        let above = corner + self.width as usize + 1;
        let low = weights[corner] + s * (weights[corner + 1] - weights[corner]);
        let high = weights[above] + s * (weights[above + 1] - weights[above]);
        low + t * (high - low)
    }
}

/// Between the texel that starts at `first`, the one to its right, and those `above` later.
#[inline]
fn mix(texels: &[f32], first: usize, above: usize, s: f32, t: f32) -> [f32; 2] {
    let low = Vec4::from_slice(&texels[first..first + 4]);
    let high = Vec4::from_slice(&texels[first + above..first + above + 4]);
    let column = low + (high - low) * t;
    let mixed = column + (column.zwxy() - column) * s;
    [mixed.x, mixed.y]
}

/// Rows of a repeating image with the first column and the first row once more.
fn padded<T: Copy>(w: usize, h: usize, texel: impl Fn(usize) -> T) -> Vec<T> {
    (0..=h).flat_map(|j| (0..=w).map(move |i| (j % h) * w + i % w)).map(texel).collect()
}
