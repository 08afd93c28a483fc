//! Merging the generators of a zonotope whose directions are close, without sorting them.
//!
//! **Cost of a sector.** Replacing the generators p_i of an angular sector by their sum P makes the set smaller
//! (segments of a sum lie in the sum of segments), so h drops by at most e(d) = min(Σ⁺, Σ⁻), the sums of positive and
//! negative p_i·d: zero unless d is across the sector, and largest for d ⟂ P, where it is e = ½ Σ |p_i × P|/|P|. That
//! is the largest distance of the chain of the p_i from its chord P, at most (|P|/2) tan(δ/2) for a sector of angle δ.
//!
//! **Sectors.** Generators are added up in 61 bins a quadrant, equally wide in t ([`super::bins`]); what lies along an
//! axis has a bin of its own. Neighbouring bins are then taken together, in opposite quadrants at once, from ±t towards
//! ±b, as long as (s_U + s_D) g(x) is within the tolerance, U and D the sums of the opposite sectors. Only these two
//! err at the same d. A bin that costs too much by itself is cut at the angles of its generators instead. So the
//! boundary comes out sorted, and a contact seen from the other body, mirrored, is cut in the same way.
//!
//! **Tolerance.** h along ±t and ±b is not changed by any of this; the largest of the four, with the disk, is a lower
//! bound of the largest coefficient.
//!
//! **Few** generators are left as they are: bins would cost more than they save.

use glam::DVec2;

use super::bins::{BINS, BinSums, COSTS, INSIDE, QUADRANT, Sector, WIDEST, bin, from_t, order, sector_cost};
use super::{Merged, Zonotope};

/// So many generators are not merged.
const FEW: usize = 16;

/// Storage for merging, kept.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The bin of each generator.
    bins: Vec<u8>,
    /// Generators in the order of their bins, if some bin must be cut.
    ordered: Vec<DVec2>,
    /// Those of a bin that is cut.
    cut: Vec<Directed>,
    /// Sums of the sectors.
    merged: Vec<DVec2>,
    /// Edges of the boundary, from 0 to 180 degrees.
    edges: Vec<DVec2>,
}

/// A generator of a bin that is cut.
#[derive(Clone, Copy, Debug)]
struct Directed {
    /// Its direction within the quadrant: |y|/(|x| + |y|).
    t: f64,
    generator: DVec2,
    /// Whether it points up, along +b; the generators of the opposite quadrant point down.
    is_up: bool,
}

/// A copy starts with empty storage: solvers copy sets and never merge the copies.
impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The result of merging, as it grows.
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
    /// Adds parallel generators, which merge without an error.
    fn push_exact(&mut self, sector: &Sector) {
        if !sector.is_empty() {
            self.push(sector, 0.0);
        }
    }

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

/// Neighbouring bins that are taken together as one sector and may still grow.
#[derive(Default)]
struct Open {
    sector: Sector,
    /// |x| + |y| of both of its sums.
    size: f64,
    /// First and last bin; zero, which is a bin along an axis, while no sector is open.
    from: usize,
    to: usize,
}

impl Open {
    /// Adds bin k unless the sector would become too wide or cost more than the tolerance; whether it was added.
    #[inline]
    fn takes(&mut self, next: &Sector, size: f64, k: usize, tolerance: f64) -> bool {
        let width = k + 1 - self.from;
        let fits = self.is_open() && width <= WIDEST && (self.size + size) * COSTS[width] <= tolerance;
        if fits {
            self.sector = self.sector.with(next);
            self.size += size;
            self.to = k;
        }
        fits
    }

    #[inline]
    fn is_open(&self) -> bool {
        self.from > 0
    }

    /// Hands the sector over, if there is one, with the most that merging its bins can lower h by.
    #[inline]
    fn close(&self, left: &mut Left) {
        if self.is_open() {
            left.push(&self.sector, self.size * COSTS[self.to + 1 - self.from]);
        }
    }
}

/// What merging reads: sums of bins and, for bins that must be cut, their generators.
struct Binned<'a> {
    sums: &'a BinSums,
    generators: &'a [DVec2],
    bins: &'a [u8],
    /// Storage for the generators in the order of their bins.
    ordered: &'a mut Vec<DVec2>,
    /// Where each bin ends in that order; `None` until a bin must be cut.
    ends: Option<[u32; BINS]>,
    /// Storage for the generators of one bin.
    cut: &'a mut Vec<Directed>,
    tolerance: f64,
}

impl Binned<'_> {
    /// Merges the bins inside the quadrant `above` and the opposite one `below`, from ±t towards ±b.
    #[inline]
    fn merge_quadrant(&mut self, above: usize, below: usize, left: &mut Left) {
        // Local copies, which the compiler can keep in registers.
        let (ups, downs, tolerance) = (self.sums.quadrant(above), self.sums.quadrant(below), self.tolerance);
        let mut open = Open::default();
        for k in 1..=INSIDE {
            let next = Sector { up: ups[k], down: downs[k] };
            let size = next.size();
            if size == 0.0 || open.takes(&next, size, k, tolerance) {
                continue;
            }
            open.close(left);
            if size * COSTS[1] > tolerance {
                self.cut_bin(&next, [above, below].map(|quadrant| quadrant * QUADRANT + k), left);
                open = Open::default();
            } else {
                open = Open { sector: next, size, from: k, to: k };
            }
        }
        open.close(left);
    }

    /// Cuts a bin that costs too much as a whole, together with the opposite one.
    fn cut_bin(&mut self, whole: &Sector, opposite: [usize; 2], left: &mut Left) {
        let ends = self.ends.get_or_insert_with(|| order(self.generators, self.bins, self.ordered));
        let [up, down] = opposite.map(|bin| &self.ordered[ends[bin - 1] as usize..ends[bin] as usize]);
        cut_bin(whole, up, down, self.tolerance, self.cut, left);
    }
}

impl Zonotope {
    /// Merges generators whose directions are close: the coefficient drops by at most the bound that is returned, which
    /// is at most `relative` times the largest coefficient.
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
        let mut sums = BinSums([DVec2::ZERO; BINS]);
        for (p, bin) in self.generators.iter().zip(&*bins) {
            sums.0[usize::from(*bin)] += *p;
        }
        let tolerance = relative * (self.radius + sums.largest_along_axes());

        merged.clear();
        edges.clear();
        let mut left = Left { generators: merged, edges, lowest: DVec2::ZERO, bound: 0.0, rising: true };
        let mut binned =
            Binned { sums: &sums, generators: &self.generators, bins, ordered, ends: None, cut, tolerance };
        left.push_exact(&sums.along_t());
        binned.merge_quadrant(0, 3, &mut left);
        left.push_exact(&sums.along_b());
        let middle = left.edges.len();
        left.rising = false;
        binned.merge_quadrant(1, 2, &mut left);

        let Left { lowest, bound, .. } = left;
        // The second half was gathered from −t towards b: angles must grow.
        edges[middle..].reverse();
        self.core.lay(lowest, edges.iter().copied());
        std::mem::swap(&mut self.generators, merged);
        Merged { generators: self.generators.len(), bound }
    }
}

/// A bin of two opposite quadrants that may cost too much: what its generators really cost, and if that is too much,
/// sectors between their angles.
fn cut_bin(whole: &Sector, up: &[DVec2], down: &[DVec2], tolerance: f64, cut: &mut Vec<Directed>, left: &mut Left) {
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
    let directed = |is_up: bool| move |p: &DVec2| Directed { t: from_t(*p), generator: *p, is_up };
    cut.extend(up.iter().map(directed(true)));
    cut.extend(down.iter().map(directed(false)));
    cut.sort_unstable_by(|a, b| a.t.total_cmp(&b.t));
    let (mut open, mut from, mut to) = (Sector::default(), 0.0, 0.0);
    for Directed { t, generator, is_up } in cut.iter().copied() {
        let mut together = open;
        together.add(generator, is_up);
        let fits = together.size() * sector_cost(t - from) <= tolerance;
        if fits || open.is_empty() {
            if open.is_empty() {
                from = t;
            }
            (open, to) = (together, t);
            continue;
        }
        left.push(&open, open.size() * sector_cost(to - from));
        open = Sector::default();
        open.add(generator, is_up);
        (from, to) = (t, t);
    }
    left.push(&open, open.size() * sector_cost(to - from));
}

#[cfg(test)]
mod tests {
    use super::*;

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
                let off = (fresh.core.nearest(1.0, v).point - v).length();
                assert!(off < 1e-13 * size, "{round}: a corner is {off} outside of {size}");
            }
            for v in corners(&fresh) {
                let off = (set.core.nearest(1.0, v).point - v).length();
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
