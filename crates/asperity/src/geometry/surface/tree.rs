//! A tree of boxes around the triangles of surfaces, made once and refitted as they deform.
//!
//! Nodes are stored depth first: the first child of a node follows it. A refit goes through them backwards, so that children come before
//! their parents. The triangles of a node were near to each other when the tree was made, and stay so on a surface that deforms.

use glam::DVec3;

use crate::geometry::Aabb;

/// Most triangles of a leaf.
const LEAF: usize = 2;

/// A tree over triangles.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The triangles, leaf by leaf.
    order: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    around: Aabb,
    /// The second child; 0 for a leaf.
    second: u32,
    /// The triangles below it, a range of `order`.
    first: u32,
    count: u32,
    /// Whether a vertex below it can move.
    mobile: bool,
}

/// A node by its number.
pub(super) type NodeId = u32;

impl Tree {
    /// Over triangles with these boxes and whether they can move.
    pub(super) fn new(boxes: &[Aabb], mobile: &[bool]) -> Self {
        let mut tree = Self { nodes: Vec::with_capacity(2 * boxes.len()), order: (0..boxes.len() as u32).collect() };
        if !boxes.is_empty() {
            let centres: Vec<DVec3> = boxes.iter().map(|own| 0.5 * (own.min + own.max)).collect();
            tree.split(0..boxes.len(), &centres);
            for node in &mut tree.nodes {
                let below = &tree.order[node.first as usize..(node.first + node.count) as usize];
                node.mobile = below.iter().any(|triangle| mobile[*triangle as usize]);
            }
        }
        tree
    }

    fn split(&mut self, range: std::ops::Range<usize>, centres: &[DVec3]) {
        let number = self.nodes.len();
        let (first, count) = (range.start as u32, range.len() as u32);
        self.nodes.push(Node { around: Aabb::EMPTY, second: 0, first, count, mobile: true });
        if range.len() <= LEAF {
            return;
        }
        let own = &mut self.order[range.clone()];
        let Aabb { min, max } = Aabb::of(own.iter().map(|triangle| centres[*triangle as usize]));
        let size = max - min;
        let axis = (0..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
        let half = own.len() / 2;
        // Ties are broken by number: the same tree on every machine.
        own.select_nth_unstable_by(half, |a, b| {
            let [x, y] = [a, b].map(|triangle| centres[*triangle as usize][axis]);
            x.total_cmp(&y).then(a.cmp(b))
        });
        self.split(range.start..range.start + half, centres);
        self.nodes[number].second = self.nodes.len() as u32;
        self.split(range.start + half..range.end, centres);
    }

    /// Fits the boxes of the nodes to those of the triangles.
    pub(super) fn refit(&mut self, boxes: &[Aabb]) {
        for number in (0..self.nodes.len()).rev() {
            let node = self.nodes[number];
            self.nodes[number].around = if node.second == 0 {
                let below = &self.order[node.first as usize..(node.first + node.count) as usize];
                below.iter().fold(Aabb::EMPTY, |sum, triangle| sum.union(&boxes[*triangle as usize]))
            } else {
                self.nodes[number + 1].around.union(&self.nodes[node.second as usize].around)
            };
        }
    }

    /// The pairs of nodes below the root that have to be looked at, at least `many` of them if there are so many, in a fixed order.
    pub(super) fn spread(&self, many: usize, out: &mut Vec<[NodeId; 2]>, room: &mut Vec<[NodeId; 2]>) {
        out.clear();
        if self.nodes.is_empty() {
            return;
        }
        out.push([0, 0]);
        loop {
            room.clear();
            out.iter().for_each(|pair| self.children(*pair, &mut |below| room.push(below)));
            std::mem::swap(out, room);
            if out.len() >= many || out == room {
                return;
            }
        }
    }

    /// The pairs of nodes one level below a pair that meets; the pair itself if it is one of leaves.
    fn children(&self, [a, b]: [NodeId; 2], visit: &mut impl FnMut([NodeId; 2])) {
        let [own, other] = [a, b].map(|number| &self.nodes[number as usize]);
        if !(own.mobile || other.mobile) || !own.around.meets(&other.around) {
            return;
        }
        if a == b {
            if own.second == 0 {
                return visit([a, b]);
            }
            let [left, right] = [a + 1, own.second];
            [[left, left], [right, right], [left, right]].into_iter().for_each(visit);
        } else if own.second == 0 && other.second == 0 {
            visit([a, b]);
        } else if other.second == 0 || (own.second != 0 && own.count >= other.count) {
            [[a + 1, b], [own.second, b]].into_iter().for_each(visit);
        } else {
            [[a, b + 1], [a, other.second]].into_iter().for_each(visit);
        }
    }

    /// Visits the pairs of triangles below a pair of nodes whose boxes meet. A triangle is not paired with itself.
    pub(super) fn descend(&self, pair: [NodeId; 2], stack: &mut Vec<[NodeId; 2]>, mut visit: impl FnMut([u32; 2])) {
        stack.clear();
        stack.push(pair);
        while let Some(pair) = stack.pop() {
            let [own, other] = pair.map(|number| &self.nodes[number as usize]);
            if own.second != 0 || other.second != 0 {
                self.children(pair, &mut |below| stack.push(below));
                continue;
            }
            if !(own.mobile || other.mobile) || !own.around.meets(&other.around) {
                continue;
            }
            let range = |node: &Node| &self.order[node.first as usize..(node.first + node.count) as usize];
            for (i, s) in range(own).iter().enumerate() {
                let skip = if pair[0] == pair[1] { i + 1 } else { 0 };
                range(other)[skip..].iter().for_each(|t| visit([*s, *t]));
            }
        }
    }
}
