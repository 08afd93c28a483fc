//! Ridges from an embossed mask: what is white in an image stands out, with sloping edges.

use asperity_friction::field::Wrap;
use glam::DVec2;

use super::{MaterialError, Relief, length, within};

/// Embosses a mask of numbers from 0 to 1, rows from the top: heights are `height` times the mask, blurred over `edge`
/// metres so that its edges have the slope height/edge, nearly. The image is `size` metres large; `wrap` is what is beyond it.
pub fn ridges(
    width: u32,
    height: u32,
    mask: &[f64],
    size: DVec2,
    raised: f64,
    edge: f64,
    wrap: Wrap,
) -> Result<Relief, MaterialError> {
    let (x, y) = (length("size", size.x)?, length("size", size.y)?);
    within("height", raised, -1.0, 1.0, "from -1 to 1 m")?;
    let edge = within("edge", edge, 0.0, x.min(y), "from 0 to the size of the image")?;
    if let Some(value) = mask.iter().copied().find(|v| !(0.0..=1.0).contains(v)) {
        return Err(MaterialError::Parameter { name: "mask", value, expected: "from 0 to 1" });
    }
    let (w, h) = (width as usize, height as usize);
    if mask.is_empty() || mask.len() != w * h {
        return Err(crate::patch::MapError::Count { count: mask.len(), width, height }.into());
    }
    // The mean over a box of the width of the edge turns a step into a ramp of that width, exactly.
    let mut values = mask.to_vec();
    for (axis, texel) in [x / w as f64, y / h as f64].into_iter().enumerate() {
        let reach = (0.5 * edge / texel).round() as usize;
        let (count, source) = (if axis == 0 { w } else { h }, values.clone());
        for (k, value) in values.iter_mut().enumerate() {
            let (i, j) = (k % w, k / w);
            let sum: f64 = (0..=2 * reach)
                .map(|s| {
                    let moved = |at: usize| match wrap {
                        Wrap::Repeat => (at + count * (reach / count + 1) + s - reach) % count,
                        Wrap::Clamp => (at + s).saturating_sub(reach).min(count - 1),
                    };
                    if axis == 0 { source[j * w + moved(i)] } else { source[moved(j) * w + i] }
                })
                .sum();
            *value = sum / (2 * reach + 1) as f64;
        }
    }
    values.iter_mut().for_each(|v| *v *= raised);
    Ok(Relief::from_heights_beyond(width, height, size, values, wrap))
}
