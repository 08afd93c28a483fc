//! A palette of at most 255 colours for many pictures, and the nearest of them for a colour.
//!
//! Colours are counted in 64³ boxes. The set with the largest sum of squared distances to its mean is cut at the mean across the
//! axis that it is longest along, until there are enough sets (Wan, Prusinkiewicz and Wong's variance-based cut); a few rounds of
//! k-means move the means to where they fit best. Distances are in sRGB values, weighted like the eye weighs the channels.

use crate::record::Image;

/// Bits of a channel that are told apart.
const BITS: u32 = 6;
const SIDE: usize = 1 << BITS;
/// Rounds of k-means.
const ROUNDS: usize = 3;
/// Weights of squared differences of red, green and blue.
const WEIGHTS: [f32; 3] = [2.0, 4.0, 1.5];
/// Steps between neighbouring colours are broken up by a fixed pattern with this amplitude.
const DITHER: f32 = 3.0;

/// Colours that fell into one box.
#[derive(Clone, Copy, Debug, Default)]
struct Bin {
    count: f32,
    mean: [f32; 3],
}

/// Counts of colours.
pub(super) struct Histogram {
    counts: Vec<u32>,
    sums: Vec<[u32; 3]>,
}

impl Histogram {
    pub(super) fn new() -> Self {
        Self { counts: vec![0; SIDE * SIDE * SIDE], sums: vec![[0; 3]; SIDE * SIDE * SIDE] }
    }

    /// Counts every second pixel in both directions, in a pattern that has all columns.
    pub(super) fn add(&mut self, image: &Image) {
        let width = image.width() as usize;
        for (row, pixels) in image.pixels().chunks_exact(width).enumerate().step_by(2) {
            for pixel in pixels.iter().skip(row / 2 % 2).step_by(2) {
                let i = index([pixel[0], pixel[1], pixel[2]]);
                // Sums stay below 2³²: 255 times 16 million pixels of one colour.
                if self.counts[i] < 1 << 24 {
                    self.counts[i] += 1;
                    (0..3).for_each(|c| self.sums[i][c] += u32::from(pixel[c]));
                }
            }
        }
    }

    fn bins(&self) -> Vec<Bin> {
        let bin = |(&count, sum): (&u32, &[u32; 3])| Bin {
            // The square root: large even areas must not take all colours from small bodies.
            count: (count as f32).sqrt(),
            mean: sum.map(|s| s as f32 / count as f32),
        };
        self.counts.iter().zip(&self.sums).filter(|(count, _)| **count > 0).map(bin).collect()
    }
}

/// Box of a colour.
fn index(rgb: [u8; 3]) -> usize {
    let [r, g, b] = rgb.map(|c| usize::from(c >> (8 - BITS)));
    (r * SIDE + g) * SIDE + b
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|c| WEIGHTS[c] * (a[c] - b[c]) * (a[c] - b[c])).sum()
}

/// Mean of a set, weighted squared deviation along each axis.
fn moments(bins: &[Bin]) -> ([f32; 3], [f32; 3]) {
    let count: f32 = bins.iter().map(|bin| bin.count).sum();
    let mean = [0, 1, 2].map(|c| bins.iter().map(|bin| bin.count * bin.mean[c]).sum::<f32>() / count);
    // A single one has none, whatever rounding says.
    let spread = [0, 1, 2].map(|c| {
        if bins.len() < 2 {
            return 0.0;
        }
        bins.iter().map(|bin| bin.count * WEIGHTS[c] * (bin.mean[c] - mean[c]) * (bin.mean[c] - mean[c])).sum()
    });
    (mean, spread)
}

/// Colours, and the nearest one for each box.
pub(super) struct Palette {
    colors: Vec<[u8; 3]>,
    nearest: Vec<u8>,
}

impl Palette {
    /// At most `size` (up to 255) colours for what was counted.
    pub(super) fn new(histogram: &Histogram, size: usize) -> Self {
        let mut bins = histogram.bins();
        let means = cut(&mut bins, size.clamp(1, 255));
        let means = refined(&bins, means);
        let mut colors: Vec<[u8; 3]> = means.iter().map(|mean| mean.map(|c| c.round() as u8)).collect();
        colors.sort_unstable();
        colors.dedup();
        let means: Vec<[f32; 3]> = colors.iter().map(|color| color.map(f32::from)).collect();
        let step = (1 << (8 - BITS)) as f32;
        let nearest = (0..SIDE * SIDE * SIDE)
            .map(|i| {
                let cell = [i / SIDE / SIDE, i / SIDE % SIDE, i % SIDE];
                closest(&means, cell.map(|c| c as f32 * step + 0.5 * (step - 1.0))) as u8
            })
            .collect();
        Self { colors, nearest }
    }

    /// The colours as bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        self.colors.as_flattened()
    }

    /// Numbers of the colours for a picture, with a pattern that depends on the place alone: what rests does not flicker.
    pub(super) fn numbers(&self, image: &Image) -> Vec<u8> {
        let width = image.width() as usize;
        let number = |(i, pixel): (usize, &[u8; 4])| {
            let shift = DITHER * threshold(i % width, i / width);
            let rgb = [0, 1, 2].map(|c| (f32::from(pixel[c]) + shift).round().clamp(0.0, 255.0) as u8);
            self.nearest[index(rgb)]
        };
        image.pixels().iter().enumerate().map(number).collect()
    }
}

/// Bayer's pattern of 4×4 thresholds, from -1/2 to 1/2.
fn threshold(x: usize, y: usize) -> f32 {
    // Bits of x xor y and of y, interleaved from the lowest one, give the order in which the cells are switched on.
    let (a, b) = ((x ^ y) & 3, y & 3);
    let order = (a & 1) << 3 | (b & 1) << 2 | (a & 2) | (b & 2) >> 1;
    (order as f32 + 0.5) / 16.0 - 0.5
}

/// Means of sets that the bins are cut into.
fn cut(bins: &mut [Bin], size: usize) -> Vec<[f32; 3]> {
    let mut sets = vec![(0..bins.len(), moments(bins))];
    while sets.len() < size {
        let total = |spread: &[f32; 3]| spread.iter().sum::<f32>();
        let widest = sets.iter().enumerate().max_by(|a, b| total(&a.1.1.1).total_cmp(&total(&b.1.1.1)));
        let Some((i, (range, (mean, spread)))) = widest.map(|(i, set)| (i, set.clone())) else { break };
        if total(&spread) <= 0.0 {
            break;
        }
        let axis = (0..3).max_by(|&a, &b| spread[a].total_cmp(&spread[b])).unwrap_or(0);
        let part = &mut bins[range.clone()];
        part.sort_by(|a, b| a.mean[axis].total_cmp(&b.mean[axis]));
        let middle = part.partition_point(|bin| bin.mean[axis] <= mean[axis]).clamp(1, part.len() - 1);
        let (low, high) = (moments(&part[..middle]), moments(&part[middle..]));
        let split = range.start + middle;
        sets[i] = (range.start..split, low);
        sets.push((split..range.end, high));
    }
    sets.into_iter().filter(|(range, _)| !range.is_empty()).map(|(_, (mean, _))| mean).collect()
}

/// Means after a few rounds of k-means.
fn refined(bins: &[Bin], mut means: Vec<[f32; 3]>) -> Vec<[f32; 3]> {
    for _ in 0..ROUNDS {
        let mut sums = vec![[0.0f32; 4]; means.len()];
        for bin in bins {
            let sum = &mut sums[closest(&means, bin.mean)];
            (0..3).for_each(|c| sum[c] += bin.count * bin.mean[c]);
            sum[3] += bin.count;
        }
        for (mean, sum) in means.iter_mut().zip(&sums).filter(|(_, sum)| sum[3] > 0.0) {
            *mean = [0, 1, 2].map(|c| sum[c] / sum[3]);
        }
    }
    means
}

/// Number of the nearest colour; 0 if there is none.
fn closest(colors: &[[f32; 3]], color: [f32; 3]) -> usize {
    let mut best = (f32::INFINITY, 0);
    for (i, &candidate) in colors.iter().enumerate() {
        let d = distance(candidate, color);
        if d < best.0 {
            best = (d, i);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_as_they_are() {
        let colors = [[200, 10, 10], [12, 200, 14], [0, 0, 0], [250, 250, 255]];
        let pixels = (0..64)
            .map(|i| {
                let [r, g, b] = colors[(i / 16) % 4];
                [r, g, b, 255]
            })
            .collect();
        let image = Image::new(16, 4, pixels).unwrap();
        let mut histogram = Histogram::new();
        histogram.add(&image);
        histogram.add(&Image::new(16, 4, image.pixels().iter().rev().copied().collect()).unwrap());
        let palette = Palette::new(&histogram, 255);
        assert_eq!(palette.colors.len(), 4);
        for (pixel, number) in image.pixels().iter().zip(palette.numbers(&image)) {
            assert_eq!(palette.bytes()[3 * number as usize..][..3], pixel[..3]);
        }
    }

    #[test]
    fn a_gradient_is_met_within_the_spacing_of_its_colours() {
        let pixels = (0..256 * 64).map(|i| [(i % 256) as u8, 128, (i / 256 * 4) as u8, 255]).collect();
        let image = Image::new(256, 64, pixels).unwrap();
        let mut histogram = Histogram::new();
        histogram.add(&image);
        let palette = Palette::new(&histogram, 255);
        assert!(palette.colors.len() > 200);
        let error: f64 = image
            .pixels()
            .iter()
            .zip(palette.numbers(&image))
            .map(|(pixel, number)| {
                let found = &palette.bytes()[3 * number as usize..];
                (0..3).map(|c| f64::from(pixel[c].abs_diff(found[c]))).fold(0.0, f64::max)
            })
            .sum::<f64>()
            / (256.0 * 64.0);
        // 255 colours on 256 by 64·4 values: cells of 16 by 16, so a mean error of the larger one of 5.3, and the pattern.
        assert!(error < 7.5, "{error}");
    }

    #[test]
    fn the_pattern_has_every_threshold_once() {
        let mut all: Vec<i32> = (0..16).map(|i| ((threshold(i % 4, i / 4) + 0.5) * 16.0) as i32).collect();
        all.sort_unstable();
        assert_eq!(all, (0..16).collect::<Vec<_>>());
    }

    #[test]
    fn nothing_counted_gives_no_colour_and_no_panic() {
        assert_eq!(Palette::new(&Histogram::new(), 255).colors.len(), 0);
    }
}
