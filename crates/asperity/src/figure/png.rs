//! SVG to PNG, with an embedded font: no system fonts, so the same picture everywhere.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use super::error::FigureError;

/// Longest side of a picture, in pixels; a guard against a mistyped scale, at up to 1 GiB of memory.
const LARGEST_SIDE: u32 = 16_384;

/// The embedded fonts, parsed once.
fn fonts() -> Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    let load = || {
        let mut fonts = fontdb::Database::new();
        for face in [dejavu::sans::regular(), dejavu::sans::bold()] {
            fonts.load_font_source(fontdb::Source::Binary(Arc::new(face)));
        }
        Arc::new(fonts)
    };
    FONTS.get_or_init(load).clone()
}

/// The drawing as a PNG picture, `scale` pixels per drawing unit.
pub(super) fn rasterize(svg: &str, scale: f32) -> Result<Vec<u8>, FigureError> {
    render(svg, scale)?.encode_png().map_err(|error| FigureError::Raster(error.to_string()))
}

fn render(svg: &str, scale: f32) -> Result<Pixmap, FigureError> {
    let options = Options { fontdb: fonts(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| FigureError::Raster(error.to_string()))?;
    let size = tree.size();
    let out_of_range = || FigureError::Scale { scale, size: (size.width(), size.height()), limit: LARGEST_SIDE };
    // A cast from f32 saturates, and NaN gives 0: both are caught below.
    let pixels = |length: f32| (length * scale).ceil() as u32;
    let (width, height) = (pixels(size.width()), pixels(size.height()));
    if width > LARGEST_SIDE || height > LARGEST_SIDE {
        return Err(out_of_range());
    }
    let mut pixmap = Pixmap::new(width, height).ok_or_else(out_of_range)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    Ok(pixmap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Figure;

    fn titled(title: &str) -> Pixmap {
        render(&Figure { title: title.into(), ..Figure::default() }.to_svg(), 1.0).unwrap()
    }

    #[test]
    fn text_appears_in_the_picture() {
        let dark = titled("MMMM").pixels().iter().filter(|p| p.red() < 100).count();
        // Four bold capitals of 16 units cover well over a hundred pixels.
        assert!(dark > 150, "{dark} dark pixels");
    }

    #[test]
    fn symbols_have_glyphs() {
        let missing = titled("\u{e000}");
        for symbol in ["μ", "λ", "°", "∫", "×", "⁻", "⁶", "\u{2212}", "≤", "→"] {
            let drawn = titled(symbol);
            assert!(drawn.pixels().iter().any(|p| p.red() < 200), "{symbol} is not drawn");
            assert_ne!(drawn.data(), missing.data(), "{symbol} is drawn as a missing glyph");
        }
    }

    #[test]
    fn the_scale_sets_the_size_in_pixels() {
        let svg = Figure::default().to_svg();
        let (one, two) = (render(&svg, 1.0).unwrap(), render(&svg, 2.0).unwrap());
        assert_eq!((two.width(), two.height()), (2 * one.width(), 2 * one.height()));
    }

    #[test]
    fn a_bad_scale_is_refused() {
        for scale in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e6] {
            let error = rasterize(&Figure::default().to_svg(), scale).unwrap_err();
            assert!(matches!(error, FigureError::Scale { .. }), "{scale}: {error}");
        }
    }
}
