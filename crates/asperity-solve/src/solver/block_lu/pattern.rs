//! The symbolic factorisation: what is eliminated together, in which order, and where the fill goes. Found once for a
//! pattern.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;

use crate::problem::BlockMatrix;

/// Most rows of a pivot that is made of several blocks.
const LARGEST_PIVOT: usize = 24;

/// Place of a block of the matrix in the factors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) triangle: Triangle,
    /// First value, and values from one row to the next.
    pub(super) at: usize,
    pub(super) stride: usize,
}

/// Which of the factors holds a block.
#[derive(Clone, Copy, Debug)]
pub(super) enum Triangle {
    Pivot,
    Lower,
    Upper,
}

/// Pattern and order of the factors; see [`super::BlockLu`] for the fields of the same name.
pub(super) struct Pattern {
    pub(super) starts: Vec<usize>,
    pub(super) rows_of: Vec<u32>,
    pub(super) pointers: Vec<usize>,
    pub(super) rows: Vec<u32>,
    pub(super) offsets: Vec<usize>,
    pub(super) pivot_offsets: Vec<usize>,
    pub(super) targets: Vec<Target>,
    /// Values of L, and as many of U.
    pub(super) values: usize,
    /// Values of the pivots.
    pub(super) pivot_values: usize,
    /// Rows of the largest pivot.
    pub(super) largest_pivot: usize,
}

/// The pivots: groups of blocks in the order of elimination.
struct PivotGroups {
    groups: Vec<Vec<usize>>,
    /// Group of each block.
    group_of: Vec<usize>,
    /// Groups in the order of elimination, and the position of each.
    order: Vec<usize>,
    place: Vec<usize>,
    /// First row of each block inside its pivot.
    inside: Vec<usize>,
}

impl Pattern {
    /// Of a matrix with the blocks of `w`; `None` if it has too many for the indices.
    pub(super) fn new(w: &BlockMatrix) -> Option<Self> {
        let groups = twins(w);
        let mut group_of = vec![0; w.blocks()];
        groups.iter().enumerate().for_each(|(k, group)| group.iter().for_each(|i| group_of[*i] = k));
        let graph = graph(w, &groups, &group_of);
        let order = elimination_order(&graph)?;
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(k, i)| place[*i] = k);
        let columns = fill(&graph, &order, &place);
        let mut pivots = PivotGroups { groups, group_of, order, place, inside: vec![0; w.blocks()] };
        let mut pattern = Self::lay_out(w, &mut pivots, &columns);
        let blocks = (0..w.blocks()).flat_map(|i| w.row(i).map(move |b| (i, b.column)));
        pattern.targets = blocks.map(|(i, j)| pattern.target(&pivots, i, j)).collect::<Option<Vec<_>>>()?;
        Some(pattern)
    }

    /// Rows, pivots and entries one after the other; without the targets.
    fn lay_out(w: &BlockMatrix, pivots: &mut PivotGroups, columns: &[Vec<u32>]) -> Self {
        let (mut starts, mut rows_of) = (vec![0], Vec::with_capacity(w.rows()));
        for k in &pivots.order {
            let first = rows_of.len();
            for i in &pivots.groups[*k] {
                pivots.inside[*i] = rows_of.len() - first;
                rows_of.extend(w.range(*i).map(|row| row as u32));
            }
            starts.push(rows_of.len());
        }
        let size = |k: usize| starts[k + 1] - starts[k];
        let (mut pointers, mut rows, mut offsets, mut pivot_offsets) = (vec![0], Vec::new(), Vec::new(), Vec::new());
        let (mut values, mut pivot_values, mut largest_pivot) = (0, 0, 0);
        for (k, column) in columns.iter().enumerate() {
            for i in column {
                rows.push(*i);
                offsets.push(values);
                values += size(k) * size(*i as usize);
            }
            pointers.push(rows.len());
            pivot_offsets.push(pivot_values);
            pivot_values += size(k) * size(k);
            largest_pivot = largest_pivot.max(size(k));
        }
        let targets = Vec::new();
        Self { starts, rows_of, pointers, rows, offsets, pivot_offsets, targets, values, pivot_values, largest_pivot }
    }

    /// Where block (i, j) of the matrix goes.
    fn target(&self, pivots: &PivotGroups, i: usize, j: usize) -> Option<Target> {
        let [a, b] = [i, j].map(|block| pivots.place[pivots.group_of[block]]);
        let stride = self.starts[b + 1] - self.starts[b];
        let inner = pivots.inside[i] * stride + pivots.inside[j];
        if a == b {
            return Some(Target { triangle: Triangle::Pivot, at: self.pivot_offsets[a] + inner, stride });
        }
        let (column, row) = (a.min(b), a.max(b) as u32);
        let range = self.pointers[column]..self.pointers[column + 1];
        let at = self.offsets[range.start + self.rows[range].binary_search(&row).ok()?];
        let triangle = if a > b { Triangle::Lower } else { Triangle::Upper };
        Some(Target { triangle, at: at + inner, stride })
    }
}

/// The groups that each group is coupled to, itself included, sorted.
fn graph(w: &BlockMatrix, groups: &[Vec<usize>], group_of: &[usize]) -> Vec<Vec<usize>> {
    let neighbours = |group: &Vec<usize>| {
        let mut adjacent: Vec<usize> = w.row(group[0]).map(|b| group_of[b.column]).collect();
        adjacent.sort_unstable();
        adjacent.dedup();
        adjacent
    };
    groups.iter().map(neighbours).collect()
}

/// Groups of blocks with the same neighbours, themselves included: contacts of the same two bodies. They are eliminated
/// at once.
fn twins(w: &BlockMatrix) -> Vec<Vec<usize>> {
    let mut blocks: Vec<usize> = (0..w.blocks()).collect();
    let columns = |i: usize| w.row(i).map(|b| b.column);
    blocks.sort_by(|a, b| columns(*a).cmp(columns(*b)).then(a.cmp(b)));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut rows = 0;
    for i in blocks {
        let own = w.range(i).len();
        match groups.last_mut() {
            Some(group) if rows + own <= LARGEST_PIVOT && columns(group[0]).eq(columns(i)) => {
                group.push(i);
                rows += own;
            }
            _ => {
                groups.push(vec![i]);
                rows = own;
            }
        }
    }
    groups
}

/// The order of elimination that keeps factors small.
fn elimination_order(graph: &[Vec<usize>]) -> Option<Vec<usize>> {
    let n = graph.len();
    let (mut pointers, mut indices) = (vec![0], Vec::new());
    for adjacent in graph {
        indices.extend_from_slice(adjacent);
        pointers.push(indices.len());
    }
    let pattern = SymbolicSparseColMatRef::<usize>::new_checked(n, n, &pointers, None, &indices);
    let mut memory = MemBuffer::try_new(amd::order_scratch::<usize>(n, indices.len())).ok()?;
    let (mut order, mut inverse) = (vec![0; n], vec![0; n]);
    amd::order(&mut order, &mut inverse, pattern, amd::Control::default(), MemStack::new(&mut memory)).ok()?;
    Some(order)
}

/// The rows below the diagonal of each column of L, by position, sorted.
fn fill(graph: &[Vec<usize>], order: &[usize], place: &[usize]) -> Vec<Vec<u32>> {
    let n = order.len();
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); n];
    // The pattern of the matrix and its transpose, below the diagonal.
    for (i, adjacent) in graph.iter().enumerate() {
        for j in adjacent.iter().filter(|j| **j != i) {
            let (a, b) = (place[i], place[*j]);
            columns[a.min(b)].push(a.max(b) as u32);
        }
    }
    for k in 0..n {
        columns[k].sort_unstable();
        columns[k].dedup();
        // What is eliminated with k is handed to the first row below it.
        if let Some((parent, rest)) = columns[k].split_first() {
            let (parent, rest) = (*parent as usize, rest.to_vec());
            columns[parent].extend(rest);
        }
    }
    columns
}
