//! Random numbers that are counted: number k of a seed is always the same.

/// A sequence of random numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noise {
    state: u64,
}

impl Noise {
    /// `stream` tells sequences of one seed apart.
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        let mut noise = Self { state: seed ^ stream.wrapping_mul(0xd1b5_4a32_d192_ed03) };
        noise.next();
        noise
    }

    /// SplitMix64 (Steele, Lea and Flood 2014).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 to 1, without 1.
    pub(super) fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Normal, with deviation 1 (Box and Muller 1958).
    pub(super) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

/// Heights of normal noise with deviation 1 before it is blurred by Gaussian kernels of these deviations, in texels, along u and v, in an
/// image that repeats.
pub(super) fn field(width: u32, height: u32, blur: [f64; 2], seed: u64, stream: u64) -> Vec<f64> {
    let mut noise = Noise::new(seed, stream);
    let mut values: Vec<f64> = (0..width * height).map(|_| noise.normal()).collect();
    let (w, h) = (width as usize, height as usize);
    for (axis, deviation) in blur.into_iter().enumerate() {
        if deviation <= 0.0 {
            continue;
        }
        // Beyond four deviations less than 1e-4 of the kernel is left.
        let reach = ((4.0 * deviation).ceil() as usize).min(if axis == 0 { w } else { h });
        let kernel: Vec<f64> = (0..=reach).map(|k| (-0.5 * (k as f64 / deviation).powi(2)).exp()).collect();
        let sum = kernel[0] + 2.0 * kernel[1..].iter().sum::<f64>();
        let source = values.clone();
        for (k, value) in values.iter_mut().enumerate() {
            let (i, j) = (k % w, k / w);
            let at = |shift: usize, back: bool| {
                let moved = |at: usize, n: usize| if back { (at + n - shift % n) % n } else { (at + shift) % n };
                if axis == 0 { source[j * w + moved(i, w)] } else { source[moved(j, h) * w + i] }
            };
            let beside = (1..=reach).map(|s| kernel[s] * (at(s, false) + at(s, true))).sum::<f64>();
            *value = (kernel[0] * source[k] + beside) / sum;
        }
    }
    values
}

/// Moves and scales heights so that their mean is 0 and the mean of their sizes, Ra, is `ra`.
pub(super) fn to_roughness(heights: &mut [f64], ra: f64) {
    let mean = heights.iter().sum::<f64>() / heights.len() as f64;
    let found = heights.iter().map(|h| (h - mean).abs()).sum::<f64>() / heights.len() as f64;
    let scale = if found > 0.0 { ra / found } else { 0.0 };
    heights.iter_mut().for_each(|h| *h = (*h - mean) * scale);
}
