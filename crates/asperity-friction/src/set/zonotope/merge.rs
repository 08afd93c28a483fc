//! Merging the generators of a zonotope whose directions are close, without sorting them.
//!
//! **Cost of a sector.** Replacing the generators p_i of an angular sector by their sum P makes the set smaller (segments of a sum lie in
//! the sum of segments), so h drops by at most e(d) = min(Σ⁺, Σ⁻), the sums of positive and negative p_i·d: zero unless d is across the
//! sector, and largest for d ⟂ P, where it is e = ½ Σ |p_i × P|/|P|. That is the largest distance of the chain of the p_i from its
//! chord P, at most (|P|/2) tan(δ/2) for a sector of angle δ.
//!
//! **Without angles.** Inside a quadrant let s = |x| + |y|, which adds up exactly, and t = |y|/s. With q(t) = t² + (1 − t)², from ½ to 1,
//! |p| = s √q and dθ = dt/q, so that |p| dθ = s dt/√q ≤ √2 s dt: a sector of width x in t errs by at most
//!
//!   s g(x),   g(x) = (√2/4) x (1 + 5 x²)   for x ≤ ¼;
//!
//! the cubic term is for q changing inside the sector and for the tangent, and a test compares with the exact worst case.
//!
//! **Sectors.** Generators are added up in 61 bins a quadrant, equally wide in t; what lies along an axis has a bin of its own. Neighbouring
//! bins are then taken together, in opposite quadrants at once, from ±t towards ±b, as long as (s_U + s_D) g(x) is within the
//! tolerance, U and D the sums of the opposite sectors. Only these two err at the same d. A bin that costs too much by itself is cut at the angles of its
//! generators instead. So the boundary comes out sorted, and a contact seen from the other body, mirrored, is cut in the same way.
//!
//! **Tolerance.** h along ±t and ±b is not changed by any of this; the largest of the four, with the disk, is a lower bound of the largest
//! coefficient.
//!
//! **Few** generators are left as they are: bins would cost more than they save.

use glam::DVec2;

use super::{Merged, Zonotope};

/// Bins inside a quadrant. Odd: see [`bin`].
const INSIDE: usize = 61;
/// Those of a quadrant: 0 along ±t, 1 … 61 inside, 62 along ±b, and one that stays empty.
const QUADRANT: usize = 64;
const ALONG_B: usize = INSIDE + 1;
const BINS: usize = 4 * QUADRANT;
/// Most bins in a sector: a quarter of a quadrant.
const WIDEST: usize = INSIDE / 4;

/// So many generators are not merged.
const FEW: usize = 16;

/// 2⁵²: what is added to it is rounded to an integer, ties to even, which its lowest bits then are.
const ROUND: f64 = 4_503_599_627_370_496.0;

/// t = |y|/(|x| + |y|).
#[inline]
fn from_t(p: DVec2) -> f64 {
    p.y.abs() / (p.x.abs() + p.y.abs())
}

/// g(x): the most that a sector of width x can err by, of |x| + |y| of its sum.
#[inline]
const fn sector_cost(x: f64) -> f64 {
    0.5 * std::f64::consts::FRAC_1_SQRT_2 * x * (1.0 + 5.0 * x * x)
}

/// g of so many bins.
const COSTS: [f64; WIDEST + 1] = {
    let mut costs = [0.0; WIDEST + 1];
    let mut k = 1;
    while k <= WIDEST {
        costs[k] = sector_cost(k as f64 / INSIDE as f64);
        k += 1;
    }
    costs
};

/// The bin of a direction, by quadrant and t: 61 t + ½ rounded, with ties to even, so that exactly t = 0 gives 0 and exactly t = 1 gives
/// 62. Without branches, so that bins are found several at a time. A generator that is zero gets one of the bins, where it adds nothing.
#[inline]
fn bin(p: DVec2) -> u8 {
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
struct Sector {
    up: DVec2,
    down: DVec2,
}

impl Sector {
    #[inline]
    fn is_empty(&self) -> bool {
        self.up == DVec2::ZERO && self.down == DVec2::ZERO
    }

    #[inline]
    fn size(&self) -> f64 {
        size(self.up) + size(self.down)
    }

    #[inline]
    fn with(&self, other: &Self) -> Self {
        Self { up: self.up + other.up, down: self.down + other.down }
    }
}

/// Storage for merging, kept.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The bin of each generator.
    bins: Vec<u8>,
    /// Generators in the order of their bins, if some bin must be cut.
    ordered: Vec<DVec2>,
    /// Those of a bin that is cut, with t and whether they point up.
    cut: Vec<(f64, DVec2, bool)>,
    /// Sums of the sectors.
    merged: Vec<DVec2>,
    /// Edges of the boundary, from 0 to 180 degrees.
    edges: Vec<DVec2>,
}

/// A copy has storage of its own once it needs it: solvers copy sets, and merge none.
impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// What is left.
struct Left<'a> {
    generators: &'a mut Vec<DVec2>,
    edges: &'a mut Vec<DVec2>,
    /// The lowest corner: the sum of what points down.
    lowest: DVec2,
    /// Largest cost of a sector.
    bound: f64,
    /// Whether angles grow: from t to b, to the right of b.
    rising: bool,
}

impl Left<'_> {
    #[inline]
    fn push(&mut self, sector: &Sector, cost: f64) {
        let (up, down) = (sector.up, sector.down);
        self.bound = self.bound.max(cost);
        self.lowest += down;
        if up != DVec2::ZERO {
            self.generators.push(up);
        }
        if down != DVec2::ZERO {
            self.generators.push(down);
        }
        // Parallel ones are one edge; so is one alone.
        let turn = down.perp_dot(up);
        if turn == 0.0 {
            self.edges.push(up - down);
        } else {
            let first_up = (turn > 0.0) == self.rising;
            self.edges.extend(if first_up { [up, -down] } else { [-down, up] });
        }
    }
}

impl Zonotope {
    /// Merges generators whose directions are close: the coefficient drops by at most the bound that is returned, which is at most
    /// `relative` times the largest coefficient.
    pub fn merge(&mut self, relative: f64) -> Merged {
        if self.generators.len() <= FEW {
            self.generators.retain(|p| *p != DVec2::ZERO);
            self.rebuild();
            return Merged { generators: self.generators.len(), bound: 0.0 };
        }
        let Scratch { bins, ordered, cut, merged, edges } = &mut self.scratch;
        bins.resize(self.generators.len(), 0);
        for (place, p) in bins.iter_mut().zip(&self.generators) {
            *place = bin(*p);
        }
        let mut sums = [DVec2::ZERO; BINS];
        for (p, bin) in self.generators.iter().zip(&*bins) {
            sums[usize::from(*bin)] += *p;
        }
        let [a, b, c, d] = quadrants(&sums);
        let along_axes = [a.x + c.x, -b.x - d.x, a.y + b.y, -c.y - d.y];
        let tolerance = relative * (self.radius + along_axes.into_iter().fold(0.0, f64::max));

        merged.clear();
        edges.clear();
        let mut left = Left { generators: merged, edges, lowest: DVec2::ZERO, bound: 0.0, rising: true };
        // ±t; what a zero's sign puts into another quadrant belongs to it.
        let at = |quadrant: usize, k: usize| sums[quadrant * QUADRANT + k];
        let along_t = Sector { up: at(0, 0) + at(2, 0), down: at(1, 0) + at(3, 0) };
        if !along_t.is_empty() {
            left.push(&along_t, 0.0);
        }
        // Where the generators of each bin end, if they are needed in that order.
        let mut ends = None;
        let mut middle = 0;
        for [above, below] in [[0, 3], [1, 2]] {
            left.rising = above == 0;
            let (mut open, mut open_size, mut from, mut to) = (Sector::default(), 0.0, 0, 0);
            for k in 1..=INSIDE {
                let next = Sector { up: at(above, k), down: at(below, k) };
                let size = next.size();
                if size == 0.0 {
                    continue;
                }
                let width = k + 1 - from;
                if from > 0 && width <= WIDEST && (open_size + size) * COSTS[width] <= tolerance {
                    (open, open_size, to) = (open.with(&next), open_size + size, k);
                    continue;
                }
                if from > 0 {
                    left.push(&open, open_size * COSTS[to + 1 - from]);
                }
                (open, open_size, from, to) = (next, size, k, k);
                if size * COSTS[1] > tolerance {
                    let ends = ends.get_or_insert_with(|| order(&self.generators, bins, ordered));
                    let [up, down] = [above, below].map(|quadrant| {
                        let place = quadrant * QUADRANT + k;
                        &ordered[ends[place - 1] as usize..ends[place] as usize]
                    });
                    cut_bin(&next, up, down, tolerance, cut, &mut left);
                    from = 0;
                }
            }
            if from > 0 {
                left.push(&open, open_size * COSTS[to + 1 - from]);
            }
            if left.rising {
                let along_b = Sector { up: at(0, ALONG_B) + at(1, ALONG_B), down: at(2, ALONG_B) + at(3, ALONG_B) };
                if !along_b.is_empty() {
                    left.push(&along_b, 0.0);
                }
                middle = left.edges.len();
            }
        }
        let Left { lowest, bound, .. } = left;
        edges[middle..].reverse();
        self.core.lay(lowest, edges.iter().copied());
        std::mem::swap(&mut self.generators, merged);
        Merged { generators: self.generators.len(), bound }
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
fn order(generators: &[DVec2], bins: &[u8], ordered: &mut Vec<DVec2>) -> [u32; BINS] {
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

/// A bin of two opposite quadrants that may cost too much: what its generators really cost, and if that is too much, sectors between
/// their angles.
fn cut_bin(
    whole: &Sector,
    up: &[DVec2],
    down: &[DVec2],
    tolerance: f64,
    cut: &mut Vec<(f64, DVec2, bool)>,
    left: &mut Left,
) {
    let apart = |list: &[DVec2], sum: DVec2| {
        let length = sum.length();
        let apart: f64 = list.iter().map(|p| p.perp_dot(sum).abs()).sum();
        if length > 0.0 { 0.5 * apart / length } else { 0.0 }
    };
    let cost = apart(up, whole.up) + apart(down, whole.down);
    if cost <= tolerance {
        left.push(whole, cost);
        return;
    }
    cut.clear();
    cut.extend(up.iter().map(|p| (from_t(*p), *p, true)));
    cut.extend(down.iter().map(|p| (from_t(*p), *p, false)));
    cut.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (mut open, mut from, mut to) = (Sector::default(), 0.0, 0.0);
    for (t, p, is_up) in cut.iter() {
        let mut together = open;
        *(if *is_up { &mut together.up } else { &mut together.down }) += *p;
        let fits = together.size() * sector_cost(*t - from) <= tolerance;
        if fits || open.is_empty() {
            if open.is_empty() {
                from = *t;
            }
            (open, to) = (together, *t);
            continue;
        }
        left.push(&open, open.size() * sector_cost(to - from));
        open = Sector::default();
        *(if *is_up { &mut open.up } else { &mut open.down }) += *p;
        (from, to) = (*t, *t);
    }
    left.push(&open, open.size() * sector_cost(to - from));
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

    /// The polygon that comes out of merging is that of the generators that are left.
    #[test]
    fn the_boundary_is_that_of_what_is_left() {
        let mut seed = 7u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        for round in 0..200 {
            let (count, stretch) = (1 + 7 * round % 600, [1.0, 0.1, 10.0, 1e-3][round % 4]);
            let mut generators: Vec<DVec2> = (0..count).map(|_| DVec2::new(random(), stretch * random())).collect();
            for (i, p) in generators.iter_mut().enumerate() {
                match i % 11 {
                    0 => p.x = 0.0,
                    1 => p.y = 0.0,
                    2 => *p = DVec2::new(0.3, 0.4 * stretch),
                    _ => {}
                }
            }
            let mut set = Zonotope::new(generators, 0.1).unwrap();
            set.merge([1e-4, 1e-3, 1e-2, 0.1][round / 4 % 4]);
            let fresh = Zonotope::new(set.generators.clone(), 0.1).unwrap();
            let size = set.core.vertices().iter().map(|v| v.length()).fold(0.0, f64::max);
            let corners = |set: &Zonotope| set.core.vertices().to_vec();
            for v in corners(&set) {
                let off = (fresh.core.nearest(1.0, v).0 - v).length();
                assert!(off < 1e-13 * size, "{round}: a corner is {off} outside of {size}");
            }
            for v in corners(&fresh) {
                let off = (set.core.nearest(1.0, v).0 - v).length();
                assert!(off < 1e-13 * size, "{round}: a corner is cut off by {off} of {size}");
            }
            let n = set.core.vertices().len();
            for k in 0..n {
                let [a, b, c] = [k, k + 1, k + 2].map(|i| set.core.vertices()[i % n]);
                assert!(n < 3 || (b - a).perp_dot(c - b) >= -1e-14 * size * size, "{round}: not convex at {k}");
            }
        }
    }
}
