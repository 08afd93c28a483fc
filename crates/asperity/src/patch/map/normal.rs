//! Normal maps, and images that are taken for one.
//!
//! Red, green and blue in 0 … 1 are a normal m = 2 c − 1 in the skin's (tangent, bitangent, normal). Its length does not matter. An image that
//! holds something else would still give numbers, so it is looked at first:
//! - *inside out*: most normals point into the surface (blue below the middle);
//! - *object space*: normals point everywhere, more than a fiftieth of them into the surface;
//! - *sRGB*: lengths are wrong, and those of the image turned from sRGB to linear values are right;
//! - *no normals*: lengths are wrong: a photograph, a height map saved in colour.
//!
//! Lengths are wrong if those of more than a tenth of the texels are not within 0.2 of 1. An image of 8 bits has them within 0.01, and one
//! that was made smaller by averaging loses as much only at creases sharper than 70°.

use glam::{DVec2, DVec3};

use super::{FacetMap, MapError, Relief, STEEPEST};

/// How far a length may be from 1.
const LENGTH: f64 = 0.2;
/// Part of the texels that may have a wrong length.
const WRONG: f64 = 0.1;
/// Part of the texels that may point into the surface.
const INWARD: f64 = 0.02;

/// Which way green is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Green {
    /// Along +v, as OpenGL, glTF and Blender have it.
    #[default]
    Up,
    /// Along −v, as DirectX has it.
    Down,
}

/// An image that is no normal map.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NormalMapError {
    /// Most normals point into the surface.
    #[error(
        "the normals point into the surface ({percent:.0} % have blue below the middle): the map is inside out; invert blue"
    )]
    Inverted {
        /// Of the texels.
        percent: f64,
    },
    /// Normals of a body, not of its skin.
    #[error(
        "the normals point everywhere ({percent:.0} % into the surface): this looks like a map in object space; bake it in tangent space"
    )]
    ObjectSpace {
        /// Of the texels.
        percent: f64,
    },
    /// Encoded as a colour.
    #[error(
        "the numbers look encoded as sRGB colours (a flat surface must be 128, 128, 255): export the map as linear data (non-color)"
    )]
    Srgb,
    /// Something else.
    #[error("{percent:.0} % of the texels are no unit normals: this is no normal map (of heights, use height_map)")]
    Lengths {
        /// Of the texels.
        percent: f64,
    },
}

fn linear(c: f64) -> f64 {
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// Part of the texels whose normals have a wrong length, for a decoding of the channels.
fn wrong_lengths(colors: &[[f64; 3]], decode: impl Fn(f64) -> f64) -> f64 {
    let wrong = |c: &&[f64; 3]| (DVec3::from_array(c.map(|x| 2.0 * decode(x) - 1.0)).length() - 1.0).abs() > LENGTH;
    colors.iter().filter(wrong).count() as f64 / colors.len().max(1) as f64
}

fn check(colors: &[[f64; 3]]) -> Result<(), NormalMapError> {
    let wrong = wrong_lengths(colors, |c| c);
    if wrong > WRONG {
        let encoded = wrong_lengths(colors, linear) <= WRONG;
        return Err(if encoded { NormalMapError::Srgb } else { NormalMapError::Lengths { percent: 100.0 * wrong } });
    }
    let inward = colors.iter().filter(|c| c[2] < 0.5).count() as f64 / colors.len().max(1) as f64;
    let percent = 100.0 * inward;
    match inward {
        i if i > 0.9 => Err(NormalMapError::Inverted { percent }),
        i if i > INWARD => Err(NormalMapError::ObjectSpace { percent }),
        _ => Ok(()),
    }
}

impl FacetMap {
    /// From the colours of a normal map, 0 … 1, rows from the top. Slopes are multiplied with `strength`.
    pub fn from_normals(
        width: u32,
        height: u32,
        colors: &[[f64; 3]],
        green: Green,
        strength: f64,
    ) -> Result<Self, MapError> {
        if !(strength.is_finite() && strength.abs() <= 1e6) {
            let expected = "finite, and at most 1e6 in size";
            return Err(MapError::Parameter { name: "strength", value: strength, expected });
        }
        if let Some(k) = colors.iter().position(|c| !c.iter().all(|x| x.is_finite())) {
            let (column, row) = (k as u32 % width.max(1), k as u32 / width.max(1));
            return Err(MapError::NotFinite { column, row });
        }
        check(colors)?;
        let slope = |c: &[f64; 3]| {
            let m = DVec3::from_array(c.map(|x| 2.0 * x - 1.0));
            let up = if green == Green::Down { -m.y } else { m.y };
            facet_slope(DVec2::new(m.x, up), m.z) * strength
        };
        let steep = |p: DVec2| p.clamp_length_max(STEEPEST);
        Self::new(width, height, colors.iter().map(slope).map(steep), Relief::Normals)
    }
}

/// p = (m_t, m_b)/m_n, clamped to [`STEEPEST`]: also for normals along the surface, or into it.
#[inline]
pub(in crate::patch) fn facet_slope(plane: DVec2, out: f64) -> DVec2 {
    let steep = plane.length_squared();
    if out > 0.0 && steep <= STEEPEST * STEEPEST * out * out {
        return plane / out;
    }
    if steep > 0.0 { plane * (STEEPEST / steep.sqrt()) } else { DVec2::ZERO }
}
