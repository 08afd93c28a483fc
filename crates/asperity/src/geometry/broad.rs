//! Which bodies may touch: pairs whose boxes overlap.
//!
//! Sweep and prune along one axis: bodies sorted by the lower end of their boxes, each compared with those after it that begin before it ends.
//! The order of the last step is kept, so that sorting again is almost free; the axis is the one along which the centres spread most.
//! Boxes that are unbounded (half-spaces) are not swept: they are compared with all others.

use glam::DVec3;

use super::aabb::Aabb;

/// A body as the broad phase sees it.
#[derive(Clone, Copy, Debug)]
pub struct Proxy {
    /// The box around the body, without margin.
    pub aabb: Aabb,
    /// Pairs of two fixed bodies are left out.
    pub fixed: bool,
}

/// A box in the order of the sweep.
#[derive(Clone, Copy, Debug)]
struct Sorted {
    aabb: Aabb,
    number: u32,
}

/// Finds pairs of bodies; keeps its storage from step to step.
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    order: Vec<u32>,
    sorted: Vec<Sorted>,
    pairs: Vec<(u32, u32)>,
}

impl BroadPhase {
    /// Nothing found yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The pairs (i, j), i < j, in ascending order, whose boxes overlap when each is enlarged by half the `margin`: all pairs that are
    /// no farther apart than `margin`. The answer depends on the proxies alone, not on earlier calls.
    pub fn pairs(&mut self, proxies: &[Proxy], margin: f64) -> &[(u32, u32)] {
        self.pairs.clear();
        let half = 0.5 * margin.max(0.0);
        let axis = widest(proxies);
        let bounded = |proxy: &Proxy| proxy.aabb.min.is_finite() && proxy.aabb.max.is_finite();
        self.order.retain(|&i| proxies.get(i as usize).is_some_and(bounded));
        if self.order.len() != proxies.iter().filter(|proxy| bounded(proxy)).count() {
            self.order.clear();
            self.order.extend((0..proxies.len() as u32).filter(|&i| bounded(&proxies[i as usize])));
        }
        let low = |i: u32| proxies[i as usize].aabb.min[axis];
        self.order.sort_by(|&i, &j| low(i).total_cmp(&low(j)).then(i.cmp(&j)));
        // The boxes in that order, one after the other in memory.
        self.sorted.clear();
        let enlarged = |&i: &u32| Sorted { aabb: proxies[i as usize].aabb.enlarged(half), number: i };
        self.sorted.extend(self.order.iter().map(enlarged));
        for (k, own) in self.sorted.iter().enumerate() {
            let end = own.aabb.max[axis];
            for other in self.sorted[k + 1..].iter().take_while(|other| other.aabb.min[axis] <= end) {
                if own.aabb.meets(&other.aabb) {
                    add(proxies, own.number, other.number, &mut self.pairs);
                }
            }
        }
        for (i, _) in proxies.iter().enumerate().filter(|(_, proxy)| !bounded(proxy)) {
            for j in 0..proxies.len() {
                // Two unbounded ones are met once.
                if j > i || (j < i && bounded(&proxies[j])) {
                    meet(proxies, i as u32, j as u32, half, &mut self.pairs);
                }
            }
        }
        self.pairs.sort_unstable();
        &self.pairs
    }
}

fn meet(proxies: &[Proxy], i: u32, j: u32, half: f64, pairs: &mut Vec<(u32, u32)>) {
    let (a, b) = (&proxies[i as usize], &proxies[j as usize]);
    if a.aabb.enlarged(half).meets(&b.aabb.enlarged(half)) {
        add(proxies, i, j, pairs);
    }
}

fn add(proxies: &[Proxy], i: u32, j: u32, pairs: &mut Vec<(u32, u32)>) {
    if !(proxies[i as usize].fixed && proxies[j as usize].fixed) {
        pairs.push((i.min(j), i.max(j)));
    }
}

/// The axis along which the centres of the bounded boxes vary most.
fn widest(proxies: &[Proxy]) -> usize {
    let centres = || proxies.iter().map(|p| (p.aabb.min + p.aabb.max) * 0.5).filter(|c| c.is_finite());
    let (sum, count) = centres().fold((DVec3::ZERO, 0.0), |(s, n), c| (s + c, n + 1.0));
    let mean = sum / f64::max(count, 1.0);
    let spread: DVec3 = centres().map(|c| (c - mean) * (c - mean)).sum();
    (0..3).fold(0, |best, k| if spread[k] > spread[best] { k } else { best })
}
