//! A tree of boxes around the triangles of surfaces, made once and refitted as they deform.
//!
//! Nodes are stored depth first: the first child of a node follows it. A refit goes through them backwards, so that children come before
//! their parents. The triangles of a node were near to each other when the tree was made, and stay so on a surface that deforms.

use glam::Vec3A;

use super::bounds::Bounds;

/// Most triangles of a leaf.
const LEAF: usize = 8;

/// A tree over triangles.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    around: Bounds,
    /// The second child; 0 for a leaf.
    second: u32,
    /// The triangles below it: a range of places.
    first: u32,
    count: u32,
    /// Whether a vertex below it can move.
    mobile: bool,
}

impl Node {
    #[inline]
    fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// A triangle while a tree is made.
struct Entry {
    centre: Vec3A,
    triangle: u32,
}

/// A node by its number.
pub(super) type NodeId = u32;

impl Tree {
    /// Over triangles with these boxes and whether they can move; and the triangles in the order of their leaves. From then on a triangle is
    /// known by its place in that order, so that what is near in space is near in memory.
    pub(super) fn new(boxes: &[Bounds], mobile: &[bool]) -> (Self, Vec<u32>) {
        let mut tree = Self { nodes: Vec::with_capacity(2 * boxes.len()) };
        let entry = |(own, triangle): (&Bounds, u32)| Entry { centre: own.centre(), triangle };
        let mut entries: Vec<Entry> = boxes.iter().zip(0..).map(entry).collect();
        if !entries.is_empty() {
            tree.split(0, &mut entries);
        }
        let order: Vec<u32> = entries.iter().map(|own| own.triangle).collect();
        for node in &mut tree.nodes {
            node.mobile = order[node.range()].iter().any(|triangle| mobile[*triangle as usize]);
        }
        (tree, order)
    }

    fn split(&mut self, first: u32, entries: &mut [Entry]) {
        let number = self.nodes.len();
        let count = entries.len() as u32;
        self.nodes.push(Node { around: Bounds::EMPTY, second: 0, first, count, mobile: true });
        if entries.len() <= LEAF {
            return;
        }
        let low = entries.iter().fold(Vec3A::INFINITY, |low, own| low.min(own.centre));
        let size = entries.iter().fold(Vec3A::NEG_INFINITY, |high, own| high.max(own.centre)) - low;
        let axis = (0..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
        let half = entries.len() / 2;
        // Ties are broken by number: the same tree on every machine.
        entries.select_nth_unstable_by(half, |a, b| {
            a.centre[axis].total_cmp(&b.centre[axis]).then(a.triangle.cmp(&b.triangle))
        });
        let (left, right) = entries.split_at_mut(half);
        self.split(first, left);
        self.nodes[number].second = self.nodes.len() as u32;
        self.split(first + half as u32, right);
    }

    /// Fits the boxes of the nodes to those of the triangles, which are in the order of the leaves.
    pub(super) fn refit(&mut self, boxes: &[Bounds]) {
        for number in (0..self.nodes.len()).rev() {
            let node = self.nodes[number];
            self.nodes[number].around = if node.second == 0 {
                boxes[node.range()].iter().fold(Bounds::EMPTY, |sum, own| sum.union(own))
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

    /// Whether something below two nodes can meet.
    #[inline]
    fn meet(&self, [a, b]: [NodeId; 2]) -> bool {
        let [own, other] = [a, b].map(|number| &self.nodes[number as usize]);
        (own.mobile || other.mobile) && own.around.meets(&other.around)
    }

    /// The pairs of nodes one level below a pair that can meet; the pair itself if it is one of leaves.
    #[inline]
    fn children(&self, [a, b]: [NodeId; 2], visit: &mut impl FnMut([NodeId; 2])) {
        let [own, other] = [a, b].map(|number| &self.nodes[number as usize]);
        let mut see = |pair: [NodeId; 2]| {
            if self.meet(pair) {
                visit(pair);
            }
        };
        if a == b {
            if own.second == 0 {
                return see([a, b]);
            }
            let [left, right] = [a + 1, own.second];
            [[left, left], [right, right], [left, right]].into_iter().for_each(see);
        } else if own.second == 0 && other.second == 0 {
            see([a, b]);
        } else if other.second == 0 || (own.second != 0 && own.count >= other.count) {
            [[a + 1, b], [own.second, b]].into_iter().for_each(see);
        } else {
            [[a, b + 1], [a, other.second]].into_iter().for_each(see);
        }
    }

    /// Visits the pairs of triangles, by their places, below a pair of nodes whose boxes meet. A triangle is not paired with itself.
    pub(super) fn descend(&self, pair: [NodeId; 2], stack: &mut Vec<[NodeId; 2]>, mut visit: impl FnMut([usize; 2])) {
        stack.clear();
        if self.meet(pair) {
            stack.push(pair);
        }
        while let Some(pair) = stack.pop() {
            let [own, other] = pair.map(|number| &self.nodes[number as usize]);
            if own.second != 0 || other.second != 0 {
                self.children(pair, &mut |below| stack.push(below));
                continue;
            }
            for s in own.range() {
                let first = if pair[0] == pair[1] { s + 1 } else { other.range().start };
                (first..other.range().end).for_each(|t| visit([s, t]));
            }
        }
    }
}
