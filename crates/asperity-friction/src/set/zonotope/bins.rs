//! Bins by direction for the generators of a zonotope: their sums, and what it costs to take neighbouring bins
//! together. See [`super::merge`] for how they are used.
//!
//! **Without angles.** Inside a quadrant let s = |x| + |y|, which adds up exactly, and t = |y|/s. With q(t) = t² + (1 −
//! t)², from ½ to 1,
//! |p| = s √q and dθ = dt/q, so that |p| dθ = s dt/√q ≤ √2 s dt: a sector of width x in t errs by at most
//!
//!   s g(x),   g(x) = (√2/4) x (1 + 5 x²)   for x ≤ ¼;
//!
//! the cubic term is for q changing inside the sector and for the tangent, and a test compares with the exact worst
//! case.
//!
//! **Bins.** A quadrant has 61 bins of the same width in t; what lies along an axis has a bin of its own.

use glam::DVec2;

/// Bins inside a quadrant. Odd: see [`bin`].
pub(super) const INSIDE: usize = 61;
/// Those of a quadrant: 0 along ±t, 1 … 61 inside, 62 along ±b, and one that stays empty.
pub(super) const QUADRANT: usize = 64;
const ALONG_B: usize = INSIDE + 1;
pub(super) const BINS: usize = 4 * QUADRANT;
/// Most bins in a sector: a quarter of a quadrant.
pub(super) const WIDEST: usize = INSIDE / 4;

/// 2⁵²: what is added to it is rounded to an integer, ties to even, which its lowest bits then are.
const ROUND: f64 = 4_503_599_627_370_496.0;

/// t = |y|/(|x| + |y|).
#[inline]
pub(super) fn from_t(p: DVec2) -> f64 {
    p.y.abs() / (p.x.abs() + p.y.abs())
}

/// g(x): the most that a sector of width x can err by, of |x| + |y| of its sum.
#[inline]
pub(super) const fn sector_cost(x: f64) -> f64 {
    0.5 * std::f64::consts::FRAC_1_SQRT_2 * x * (1.0 + 5.0 * x * x)
}

/// g of so many bins.
pub(super) const COSTS: [f64; WIDEST + 1] = {
    let mut costs = [0.0; WIDEST + 1];
    let mut k = 1;
    while k <= WIDEST {
        costs[k] = sector_cost(k as f64 / INSIDE as f64);
        k += 1;
    }
    costs
};

/// The bin of a direction, by quadrant and t: 61 t + ½ rounded, with ties to even, so that t = 0 exactly gives 0 and
/// t = 1 exactly gives 62. There are no branches, so that the compiler can find several bins at a time. A generator that
/// is zero gets one of the bins, where it adds zero.
#[inline]
pub(super) fn bin(p: DVec2) -> u8 {
    // Signs are the uppermost bits; those of a zero only decide which of two bins along the same axis it is.
    let quadrant = ((p.x.to_bits() >> 57) & 64) | ((p.y.to_bits() >> 56) & 128);
    (((from_t(p) * INSIDE as f64 + 0.5) + ROUND).to_bits() | quadrant) as u8
}

/// |x| + |y|.
#[inline]
fn size(p: DVec2) -> f64 {
    p.x.abs() + p.y.abs()
}

/// Opposite sectors: sums of the generators that point up and down.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sector {
    pub(super) up: DVec2,
    pub(super) down: DVec2,
}

impl Sector {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.up == DVec2::ZERO && self.down == DVec2::ZERO
    }

    #[inline]
    pub(super) fn size(&self) -> f64 {
        size(self.up) + size(self.down)
    }

    #[inline]
    pub(super) fn add(&mut self, generator: DVec2, is_up: bool) {
        *(if is_up { &mut self.up } else { &mut self.down }) += generator;
    }

    #[inline]
    pub(super) fn with(&self, other: &Self) -> Self {
        Self { up: self.up + other.up, down: self.down + other.down }
    }
}

/// Sums of the generators of each bin.
pub(super) struct BinSums(pub(super) [DVec2; BINS]);

impl BinSums {
    #[inline]
    pub(super) fn at(&self, quadrant: usize, k: usize) -> DVec2 {
        self.0[quadrant * QUADRANT + k]
    }

    /// The bins of one quadrant.
    #[inline]
    pub(super) fn quadrant(&self, quadrant: usize) -> &[DVec2; QUADRANT] {
        &self.0.as_chunks().0[quadrant]
    }

    /// What points along ±t. The sign of a zero may put it into either of two quadrants.
    pub(super) fn along_t(&self) -> Sector {
        Sector { up: self.at(0, 0) + self.at(2, 0), down: self.at(1, 0) + self.at(3, 0) }
    }

    /// What points along ±b, likewise.
    pub(super) fn along_b(&self) -> Sector {
        Sector { up: self.at(0, ALONG_B) + self.at(1, ALONG_B), down: self.at(2, ALONG_B) + self.at(3, ALONG_B) }
    }

    /// The largest of h along ±t and ±b, without the disk.
    #[inline]
    pub(super) fn largest_along_axes(&self) -> f64 {
        let [a, b, c, d] = quadrants(&self.0);
        [a.x + c.x, -b.x - d.x, a.y + b.y, -c.y - d.y].into_iter().fold(0.0, f64::max)
    }
}

/// Sums over the bins of each quadrant.
#[inline]
fn quadrants(sums: &[DVec2; BINS]) -> [DVec2; 4] {
    let mut all = [DVec2::ZERO; 4];
    for k in 0..QUADRANT {
        for (i, all) in all.iter_mut().enumerate() {
            *all += sums[i * QUADRANT + k];
        }
    }
    all
}

/// Puts generators in the order of their bins, and says where each bin ends.
pub(super) fn order(generators: &[DVec2], bins: &[u8], ordered: &mut Vec<DVec2>) -> [u32; BINS] {
    let mut ends = [0; BINS];
    for bin in bins {
        ends[usize::from(*bin)] += 1;
    }
    let mut start = 0;
    for end in ends.iter_mut() {
        // Where it starts, for now.
        (*end, start) = (start, start + *end);
    }
    ordered.clear();
    ordered.resize(generators.len(), DVec2::ZERO);
    for (p, bin) in generators.iter().zip(bins) {
        let place = &mut ends[usize::from(*bin)];
        ordered[*place as usize] = *p;
        *place += 1;
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    /// s g(x) against (|P|/2) tan(δ/2) with the longest P of the sector, for sectors everywhere in a quadrant.
    #[test]
    fn a_sector_costs_no_more_than_stated() {
        let unit = |t: f64| DVec2::new(1.0 - t, t);
        let mut tightest = f64::INFINITY;
        for i in 0..2000 {
            let from = f64::from(i) / 2000.0;
            for j in 1..=250 {
                let x = f64::from(j) / 1000.0;
                if from + x > 1.0 {
                    break;
                }
                let angle = unit(from).angle_to(unit(from + x));
                let longest = unit(from).length().max(unit(from + x).length());
                let worst = 0.5 * longest * (0.5 * angle).tan();
                tightest = tightest.min(sector_cost(x) / worst);
            }
        }
        assert!(tightest >= 1.0, "{tightest}");
        assert!(tightest < 1.01, "the bound is nearly reached: {tightest}");
    }

    #[test]
    fn bins_are_where_they_say() {
        let t = |k: usize| DVec2::new(INSIDE as f64 - k as f64, k as f64);
        for (signs, first) in [([1.0, 1.0], 0), ([-1.0, 1.0], 64), ([1.0, -1.0], 128), ([-1.0, -1.0], 192)] {
            let sign = DVec2::from_array(signs);
            for k in 0..INSIDE {
                let middle = (t(k) + t(k + 1)) * sign;
                assert_eq!(usize::from(bin(middle)), first + k + 1, "{middle}");
            }
        }
        for (axis, expected) in [
            (DVec2::X, 0),
            (DVec2::Y, ALONG_B),
            (DVec2::NEG_X, QUADRANT),
            (DVec2::NEG_Y, 2 * QUADRANT + ALONG_B),
            (DVec2::new(2.0, -0.0), 2 * QUADRANT),
            (DVec2::new(-0.0, 3.0), QUADRANT + ALONG_B),
        ] {
            assert_eq!(usize::from(bin(axis)), expected, "{axis}");
        }
        // Nearly along an axis is inside.
        assert_eq!(bin(DVec2::new(1.0, 1e-12)), 1);
        assert_eq!(usize::from(bin(DVec2::new(1e-12, 1.0))), INSIDE);
    }
}
