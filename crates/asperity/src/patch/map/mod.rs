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
mod salience;

use std::sync::Arc;

use asperity_friction::field::{Wrap, neighbours};
use glam::{DVec2, DVec3};

pub use height::differences;
pub(super) use normal::facet_slope;
pub use normal::{Green, NormalMapError};
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
#[derive(Clone, Debug, PartialEq)]
pub struct FacetMap {
    width: u32,
    height: u32,
    /// Rows from below, so that v grows with them.
    texels: Arc<[[f32; 2]]>,
    /// Parts of the salience, in the same order.
    weights: Option<Arc<[f32]>>,
    relief: Relief,
    /// Between texels.
    pub filter: Filter,
    /// Along u and v.
    pub wrap: [Wrap; 2],
    /// How many images there are along a unit of u and v.
    tiles: DVec2,
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
        let mut all = vec![[0.0f32; 2]; count];
        for (k, p) in texels.enumerate() {
            let (row, column) = (k as u32 / width, k as u32 % width);
            if !p.is_finite() {
                return Err(MapError::NotFinite { column, row });
            }
            all[((height - 1 - row) * width + column) as usize] = [p.x as f32, p.y as f32];
        }
        let (filter, wrap, tiles) = (Filter::Linear, [Wrap::Repeat; 2], DVec2::ONE);
        Ok(Self { width, height, texels: all.into(), weights: None, relief, filter, wrap, tiles })
    }

    /// Texels along u and v.
    pub fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// What its numbers refer to.
    pub fn relief(&self) -> Relief {
        self.relief
    }

    /// Images along a unit of u and v.
    pub fn tiles(&self) -> DVec2 {
        self.tiles
    }

    /// Repeats the image so often along a unit of u and v: not zero, and at most 10⁶.
    pub fn tiled(mut self, tiles: DVec2) -> Result<Self, MapError> {
        for value in tiles.to_array() {
            // Coordinates are reduced to one image with a fixed point of 48 bits: more would not leave enough of them.
            if !(value.abs() >= 1e-12 && value.abs() <= 1e6) {
                return Err(MapError::Parameter { name: "tiles", value, expected: "from 1e-12 to 1e6 in size" });
            }
        }
        self.tiles = tiles;
        Ok(self)
    }

    /// The columns c_u, c_v for a skin with this tangent, bitangent and gradients of u and v. What it tiles is taken into account.
    #[inline]
    pub(super) fn columns(&self, axes: [DVec3; 2], gradients: [DVec3; 2]) -> [DVec3; 2] {
        match self.relief {
            Relief::Normals => axes,
            Relief::Heights => [gradients[0] * self.tiles.x, gradients[1] * self.tiles.y],
        }
    }

    /// The two numbers and the weight at a point of the unit square or beyond.
    pub fn at(&self, uv: DVec2) -> (DVec2, f64) {
        let mut found = (DVec2::ZERO, 1.0);
        self.walk(uv, DVec2::ZERO, 1, |_, texel, weight| {
            found = (DVec2::new(f64::from(texel[0]), f64::from(texel[1])), f64::from(weight));
        });
        found
    }

    /// Visits the texture coordinates uv + k step for k = 0 … count − 1.
    #[inline]
    pub(super) fn walk(&self, uv: DVec2, step: DVec2, count: usize, visit: impl FnMut(usize, [f32; 2], f32)) {
        let (uv, step) = (uv * self.tiles, step * self.tiles);
        if self.filter == Filter::Linear && self.wrap == [Wrap::Repeat; 2] {
            self.walk_repeated(uv, step, count, visit);
        } else {
            self.walk_bounded(uv, step, count, visit);
        }
    }

    /// Coordinates as fractions of the image with 48 bits: they wrap by themselves, and a step is one addition. The position among
    /// w < 2¹³ texels is then the upper part of a product.
    #[inline]
    fn walk_repeated(&self, uv: DVec2, step: DVec2, count: usize, mut visit: impl FnMut(usize, [f32; 2], f32)) {
        let [w, h] = [self.width, self.height].map(u64::from);
        let fixed = |x: f64| ((x - x.floor()) * ONE) as u64;
        let mut x = fixed(uv.x).wrapping_sub((1 << (BITS - 1)) / w);
        let mut y = fixed(uv.y).wrapping_sub((1 << (BITS - 1)) / h);
        let (dx, dy) = (fixed(step.x), fixed(step.y));
        let fraction = |x: u64| ((x >> (BITS - 24)) & 0xff_ffff) as f32 * (1.0 / 16_777_216.0);
        for k in 0..count {
            let (across, up) = ((x & MASK) * w, (y & MASK) * h);
            let (i, j) = ((across >> BITS) as usize, (up >> BITS) as usize);
            let (next, above) =
                (if i + 1 == w as usize { 0 } else { i + 1 }, if j + 1 == h as usize { 0 } else { j + 1 });
            let corners =
                [j * w as usize + i, j * w as usize + next, above * w as usize + i, above * w as usize + next];
            let (s, t) = (fraction(across), fraction(up));
            let texel = mixed(corners.map(|c| self.texels[c]), s, t);
            visit(k, texel, self.weight(corners, s, t));
            (x, y) = (x.wrapping_add(dx), y.wrapping_add(dy));
        }
    }

    fn walk_bounded(&self, uv: DVec2, step: DVec2, count: usize, mut visit: impl FnMut(usize, [f32; 2], f32)) {
        for k in 0..count {
            let at = uv + step * k as f64;
            let ([i, next], s) = neighbours(at.x, self.width, self.wrap[0]);
            let ([j, above], t) = neighbours(at.y, self.height, self.wrap[1]);
            let w = self.width as usize;
            let corners = [j * w + i, j * w + next, above * w + i, above * w + next];
            let (s, t) = match self.filter {
                Filter::Linear => (s as f32, t as f32),
                Filter::Nearest => (f32::from(u8::from(s >= 0.5)), f32::from(u8::from(t >= 0.5))),
            };
            visit(k, mixed(corners.map(|c| self.texels[c]), s, t), self.weight(corners, s, t));
        }
    }

    #[inline]
    fn weight(&self, corners: [usize; 4], s: f32, t: f32) -> f32 {
        match &self.weights {
            None => 1.0,
            Some(weights) => mixed(corners.map(|c| [weights[c]]), s, t)[0],
        }
    }
}

/// Bits of the fraction of an image.
const BITS: u32 = 48;
const ONE: f64 = (1u64 << BITS) as f64;
const MASK: u64 = (1 << BITS) - 1;

/// Bilinear, between lower left, lower right, upper left and upper right.
#[inline]
fn mixed<const N: usize>([a, b, c, d]: [[f32; N]; 4], s: f32, t: f32) -> [f32; N] {
    std::array::from_fn(|k| {
        let (low, high) = (a[k] + s * (b[k] - a[k]), c[k] + s * (d[k] - c[k]));
        low + t * (high - low)
    })
}
