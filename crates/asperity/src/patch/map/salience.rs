//! The part of the salience that each texel has (Andrews et al. 2021, section 3.4): from an image, or from the edges of the map itself.

use std::sync::Arc;

use asperity_friction::field::{Neighbours, Wrap, neighbours};

use super::palette::Palette;
use super::{FacetMap, MapError, padded};
use crate::geometry::Version;

/// Where weights come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Salience {
    /// An image of numbers from 0 to 1, rows from the top, of any size.
    Image {
        /// Texels in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// The numbers.
        values: Vec<f64>,
    },
    /// An edge filter of the map: 1 at its strongest edge, 0 where slopes are constant.
    Edges,
}

impl FacetMap {
    /// Gives each texel its part of the salience.
    pub fn with_salience(mut self, salience: &Salience) -> Result<Self, MapError> {
        let weights = match salience {
            Salience::Image { width, height, values } => self.resampled(*width, *height, values)?,
            Salience::Edges => self.edges(),
        };
        let row = self.width as usize + 1;
        self.palette = Palette::new(self.width, self.height, |i, j| {
            let k = j * row + i;
            ([self.texels[2 * k], self.texels[2 * k + 1]], weights[k])
        });
        (self.weights, self.version) = (Some(weights), Version::fresh());
        Ok(self)
    }

    /// The image at the centres of the map's texels, bilinearly.
    fn resampled(&self, width: u32, height: u32, values: &[f64]) -> Result<Arc<[f32]>, MapError> {
        let count = values.len();
        if count == 0 || count as u64 != u64::from(width) * u64::from(height) {
            return Err(MapError::Count { count, width, height });
        }
        if let Some(value) = values.iter().copied().find(|value| !(0.0..=1.0).contains(value)) {
            return Err(MapError::Parameter { name: "salience", value, expected: "from 0 to 1" });
        }
        let mut all = Vec::with_capacity((self.width * self.height) as usize);
        for row in 0..self.height {
            // The map's rows go up, the image's down.
            let v = 1.0 - (f64::from(row) + 0.5) / f64::from(self.height);
            let Neighbours { texels: rows, fraction: t } = neighbours(v, height, Wrap::Clamp);
            for column in 0..self.width {
                let u = (f64::from(column) + 0.5) / f64::from(self.width);
                let Neighbours { texels: columns, fraction: s } = neighbours(u, width, Wrap::Clamp);
                let at = |row: usize, column: usize| values[row * width as usize + column];
                let mix = |row| at(row, columns[0]) * (1.0 - s) + at(row, columns[1]) * s;
                all.push((mix(rows[0]) * (1.0 - t) + mix(rows[1]) * t) as f32);
            }
        }
        Ok(padded(self.width as usize, self.height as usize, |k| all[k]).into())
    }

    /// Sobel's filter on both numbers of the texels, as a part of the largest.
    fn edges(&self) -> Arc<[f32]> {
        let (w, h) = (self.width as usize, self.height as usize);
        let strength = |k: usize| {
            let (i, j) = (k % w, k / w);
            let columns = [(i + w - 1) % w, i, (i + 1) % w];
            let rows = [(j + h - 1) % h, j, (j + 1) % h];
            let mut sum = 0.0f32;
            for channel in 0..2 {
                let at = |row: usize, column: usize| self.texels[2 * (rows[row] * (w + 1) + columns[column]) + channel];
                let across = |row| at(row, 2) - at(row, 0);
                let along = |column| at(2, column) - at(0, column);
                let (x, y) = (across(0) + 2.0 * across(1) + across(2), along(0) + 2.0 * along(1) + along(2));
                sum += x * x + y * y;
            }
            sum.sqrt()
        };
        let all: Vec<f32> = (0..w * h).map(strength).collect();
        let most = all.iter().copied().fold(0.0f32, f32::max);
        padded(w, h, |k| if most > 0.0 { all[k] / most } else { 0.0 }).into()
    }
}
