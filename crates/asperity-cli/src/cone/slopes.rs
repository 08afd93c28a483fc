//! Facet slopes of synthetic patches and of files.

use std::f64::consts::TAU;
use std::path::Path;

use glam::{DMat2, DVec2};

use crate::error::CliError;

/// Texels along a side of a synthetic patch, as in the sub-textures of Andrews et al. 2021.
pub(crate) const PATCH: usize = 16;

/// A stream of numbers that depends on the seed alone (splitmix64, Steele et al. 2014).
struct Stream(u64);

impl Stream {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in (0, 1].
    fn uniform(&mut self) -> f64 {
        ((self.next() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }

    /// Two independent numbers with the standard normal distribution (Box and Muller 1958).
    fn normal(&mut self) -> DVec2 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        DVec2::from_angle(TAU * self.uniform()) * radius
    }
}

/// A patch of normals along (σ_x g, σ_y g, 1): slopes with a normal distribution.
pub(crate) fn gaussian(sigma: [f64; 2], seed: u64) -> Vec<DVec2> {
    let mut stream = Stream(seed);
    (0..PATCH * PATCH).map(|_| stream.normal() * DVec2::from_array(sigma)).collect()
}

/// A patch of a sawtooth along b: of each four rows of texels three rise gently, one falls steeply.
pub(crate) fn sawtooth(gentle: f64, steep: f64) -> Vec<DVec2> {
    let row = |y: usize| DVec2::new(0.0, if y % 4 == 3 { -steep } else { gentle });
    (0..PATCH * PATCH).map(|i| row(i / PATCH)).collect()
}

/// Reads points from text: N numbers a line, separated by a comma or blanks; a first line of names and lines that are
/// empty or start with `#` are skipped.
pub(crate) fn read<const N: usize>(path: &Path) -> Result<Vec<[f64; N]>, CliError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| CliError::Input(format!("cannot read '{}': {error}", path.display())))?;
    let refused = |LineFault { line, reason }| CliError::Input(format!("{}:{line}: {reason}", path.display()));
    parse(&text).map_err(refused)
}

/// What is wrong with a line of a file.
#[derive(Debug)]
struct LineFault {
    /// Its number, from 1.
    line: usize,
    reason: String,
}

fn parse<const N: usize>(text: &str) -> Result<Vec<[f64; N]>, LineFault> {
    let mut rows = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> =
            line.split(|c: char| c == ',' || c == ';' || c.is_whitespace()).filter(|f| !f.is_empty()).collect();
        let numbers: Result<Vec<f64>, _> = fields.iter().map(|f| f.parse::<f64>()).collect();
        match numbers.as_deref().map(<[f64; N]>::try_from) {
            Ok(Ok(row)) if row.iter().all(|x| x.is_finite()) => rows.push(row),
            Err(_) if i == 0 => {}
            _ => {
                let reason = format!("`{line}`: expected {N} finite numbers");
                return Err(LineFault { line: i + 1, reason });
            }
        }
    }
    if rows.is_empty() {
        return Err(LineFault { line: 1, reason: format!("nothing to read: expected {N} numbers a line") });
    }
    Ok(rows)
}

/// Slopes in the contact plane of facets with the outward normals m, given along the tangent, bitangent and normal of a
/// surface: p = E (m_t, m_b)/m_n, where E brings the surface's axes to the contact's. Err holds a normal that points in.
pub(crate) fn of_normals(normals: &[[f64; 3]], axes: DMat2) -> Result<Vec<DVec2>, [f64; 3]> {
    let slope = |m: &[f64; 3]| match m {
        [t, b, n] if *n > 0.0 => Ok(axes * (DVec2::new(*t, *b) / *n)),
        _ => Err(*m),
    };
    normals.iter().map(slope).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaussian_slopes_have_the_deviation_that_was_asked_for_and_do_not_change() {
        let slopes = gaussian([0.1, 1.0], 7);
        assert_eq!(slopes, gaussian([0.1, 1.0], 7));
        assert_ne!(slopes, gaussian([0.1, 1.0], 8));
        let n = slopes.len() as f64;
        let deviation = (slopes.iter().map(|p| *p * *p).sum::<DVec2>() / n).map(f64::sqrt);
        assert!((deviation.x / 0.1 - 1.0).abs() < 0.15 && (deviation.y - 1.0).abs() < 0.15, "{deviation}");
    }

    #[test]
    fn slopes_are_read_with_or_without_names() {
        let expected = [[0.5, -0.25], [1.0, 2.0]];
        assert_eq!(parse("p_t,p_b\n0.5,-0.25\n\n# comment\n1 2\n").unwrap(), expected);
        assert_eq!(parse("0.5, -0.25\n1;2").unwrap(), expected);
    }

    #[test]
    fn normals_of_any_length_become_slopes_in_the_contact_plane() {
        let mirrored = DMat2::from_cols(DVec2::X, DVec2::NEG_Y);
        assert_eq!(of_normals(&[[1.0, 2.0, 4.0]], mirrored), Ok(vec![DVec2::new(0.25, -0.5)]));
        assert_eq!(of_normals(&[[1.0, 0.0, 0.0]], mirrored), Err([1.0, 0.0, 0.0]));
    }

    #[test]
    fn bad_slopes_are_refused_with_the_line() {
        assert_eq!(parse::<2>("0.5,1\n0.5\n").unwrap_err().line, 2);
        assert_eq!(parse::<2>("1,2\nnan,0").unwrap_err().line, 2);
        assert_eq!(parse::<2>("1,2\nx,0").unwrap_err().line, 2);
        assert_eq!(parse::<3>("1,2\n").unwrap_err().line, 1);
        assert!(parse::<2>("t,b\n").unwrap_err().reason.contains("nothing to read"));
    }
}
