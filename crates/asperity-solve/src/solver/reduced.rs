//! A contact problem without its free rows: u = W r + b with the rows that demand u = 0 and leave r free solved for.
//!
//! With J the free rows (bilateral ones, and bounded ones without bounds) and C the others,
//!
//!   r_J = −W_JJ⁻¹ (b_J + W_JC r_C),   W' = W_CC − W_CJ W_JJ⁻¹ W_JC,   b' = b_C − W_CJ W_JJ⁻¹ b_J.
//!
//! Free rows that depend on others (redundant joints) are left out of J: their impulse is zero, and they hold because
//! the others do.

use faer::linalg::solvers::PartialPivLu;
use faer::prelude::Solve;
use faer::{Mat, MatMut};

use crate::problem::{ContactProblem, MatrixEntry, RowKind};

/// A sparse matrix by rows.
#[derive(Clone, Debug, Default)]
pub(super) struct SparseRows {
    pointers: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}

impl SparseRows {
    /// From entries; those of the same place are added.
    pub(super) fn new(rows: usize, mut entries: Vec<MatrixEntry>) -> Self {
        // Stable: equal places are added in the order in which they came.
        entries.sort_by_key(|e| (e.row, e.column));
        let mut matrix = Self { pointers: vec![0; rows + 1], ..Self::default() };
        let mut last = None;
        for MatrixEntry { row, column, value } in entries {
            if last == Some([row, column]) {
                if let Some(sum) = matrix.values.last_mut() {
                    *sum += value;
                }
                continue;
            }
            last = Some([row, column]);
            matrix.pointers[row + 1] += 1;
            matrix.columns.push(column);
            matrix.values.push(value);
        }
        for i in 0..rows {
            matrix.pointers[i + 1] += matrix.pointers[i];
        }
        matrix
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.pointers.len() - 1
    }

    /// The entries of row i, by increasing column.
    #[inline]
    pub(super) fn row(&self, i: usize) -> impl Iterator<Item = MatrixEntry> + '_ {
        let range = self.pointers[i]..self.pointers[i + 1];
        let (columns, values) = (&self.columns[range.clone()], &self.values[range]);
        columns.iter().zip(values).map(move |(column, value)| MatrixEntry { row: i, column: *column, value: *value })
    }

    /// Row i times x.
    #[inline]
    pub(super) fn dot(&self, i: usize, x: &[f64]) -> f64 {
        self.row(i).map(|e| e.value * x[e.column]).sum()
    }

    /// The entry (i, j).
    pub(super) fn get(&self, i: usize, j: usize) -> f64 {
        let range = self.pointers[i]..self.pointers[i + 1];
        self.columns[range.clone()].binary_search(&j).map_or(0.0, |k| self.values[range.start + k])
    }

    /// The rows and columns of these numbers (increasing), with entry (a, b) multiplied by factor(a, b).
    pub(super) fn part(&self, kept: &[usize], factor: impl Fn(usize, usize) -> f64) -> Self {
        let mut place = vec![usize::MAX; self.rows()];
        kept.iter().enumerate().for_each(|(k, i)| place[*i] = k);
        let mut part = Self { pointers: vec![0], ..Self::default() };
        for (a, i) in kept.iter().enumerate() {
            for entry in self.row(*i).filter(|e| place[e.column] != usize::MAX) {
                let b = place[entry.column];
                part.columns.push(b);
                part.values.push(entry.value * factor(a, b));
            }
            part.pointers.push(part.columns.len());
        }
        part
    }

    /// out = A x + b.
    pub(super) fn times_add(&self, x: &[f64], b: &[f64], out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.dot(i, x) + b[i];
        }
    }
}

/// What is left of a problem, and how the rest follows from it.
pub(super) struct Reduced<'a> {
    problem: &'a ContactProblem,
    /// Row of the problem of each row that is left, increasing.
    pub(super) rows: Vec<usize>,
    /// First row that is left of each block (and of the end).
    pub(super) starts: Vec<usize>,
    /// W'.
    pub(super) w: SparseRows,
    /// b'.
    pub(super) bias: Vec<f64>,
    /// J: independent free rows of the problem.
    free: Vec<usize>,
    factor: Option<PartialPivLu<f64>>,
}

/// Whether row k of a block demands u = 0 whatever its impulse.
fn is_free(kind: &RowKind, k: usize) -> bool {
    match kind {
        RowKind::Bilateral => true,
        RowKind::Bounded { lower, upper } => lower[k] == f64::NEG_INFINITY && upper[k] == f64::INFINITY,
        RowKind::Contact => false,
    }
}

/// Fraction of its diagonal entry below which what elimination leaves of a free row counts as zero: round-off of ten
/// thousand times the machine's, well below what the stiffest joints of one body leave of each other.
const DEPENDENT: f64 = 1e-12;

impl<'a> Reduced<'a> {
    pub(super) fn new(problem: &'a ContactProblem) -> Self {
        let w = problem.w();
        let (mut rows, mut free, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..problem.blocks() {
            starts.push(rows.len());
            for (k, row) in w.range(i).enumerate() {
                if is_free(problem.kind(i), k) { free.push(row) } else { rows.push(row) }
            }
        }
        starts.push(rows.len());
        let mut all = Vec::new();
        for i in 0..problem.blocks() {
            for block in w.row(i) {
                let width = block.values.len() / w.range(i).len();
                let entry = |(n, value): (usize, &f64)| {
                    let (row, column) = (w.start(i) + n / width, block.start + n % width);
                    let soft = if row == column { problem.compliance()[row] } else { 0.0 };
                    MatrixEntry { row, column, value: value + soft }
                };
                let entries = block.values.iter().enumerate().map(entry);
                all.extend(entries.filter(|e| e.value != 0.0));
            }
        }
        let all = SparseRows::new(w.rows(), all);
        let free = independent(&all, &free);
        let mut reduced =
            Self { problem, rows, starts, w: SparseRows::default(), bias: Vec::new(), free, factor: None };
        reduced.eliminate(&all);
        reduced
    }

    fn eliminate(&mut self, all: &SparseRows) {
        let bias = self.problem.bias();
        let mut place = vec![usize::MAX; all.rows()];
        self.rows.iter().enumerate().for_each(|(k, row)| place[*row] = k);
        let mut entries = Vec::new();
        for (k, row) in self.rows.iter().enumerate() {
            let kept = all.row(*row).filter(|e| place[e.column] != usize::MAX);
            entries.extend(kept.map(|e| MatrixEntry { row: k, column: place[e.column], value: e.value }));
        }
        self.bias = self.rows.iter().map(|row| bias[*row]).collect();
        if !self.free.is_empty() {
            let count = self.free.len();
            let factor = Mat::from_fn(count, count, |a, b| all.get(self.free[a], self.free[b])).partial_piv_lu();
            // Columns that the free rows act on, and W_JJ⁻¹ (W_JC, b_J).
            let mut touched: Vec<usize> = self.free.iter().flat_map(|i| all.row(*i).map(|e| place[e.column])).collect();
            touched.retain(|k| *k != usize::MAX);
            touched.sort_unstable();
            touched.dedup();
            let mut response = Mat::from_fn(count, touched.len() + 1, |a, c| match touched.get(c) {
                Some(k) => all.get(self.free[a], self.rows[*k]),
                None => bias[self.free[a]],
            });
            factor.solve_in_place(response.as_mut());
            let mut inverse_place = vec![usize::MAX; all.rows()];
            self.free.iter().enumerate().for_each(|(a, row)| inverse_place[*row] = a);
            for k in &touched {
                let coupling: Vec<MatrixEntry> =
                    all.row(self.rows[*k]).filter(|e| inverse_place[e.column] != usize::MAX).collect();
                let product = |e: &MatrixEntry, c: usize| e.value * response[(inverse_place[e.column], c)];
                let through = |c: usize| coupling.iter().map(|e| product(e, c)).sum::<f64>();
                for (c, column) in touched.iter().enumerate() {
                    let value = through(c);
                    if value != 0.0 {
                        entries.push(MatrixEntry { row: *k, column: *column, value: -value });
                    }
                }
                self.bias[*k] -= through(touched.len());
            }
            self.factor = Some(factor);
        }
        self.w = SparseRows::new(self.rows.len(), entries);
    }

    /// What is left of the impulses `r` of the problem.
    pub(super) fn restrict(&self, r: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|row| r[*row]).collect()
    }

    /// The impulses of the whole problem from those that are left; free rows are solved for and refined once.
    pub(super) fn recover(&self, x: &[f64], r: &mut [f64]) {
        r.fill(0.0);
        self.rows.iter().zip(x).for_each(|(row, x)| r[*row] = *x);
        let Some(factor) = &self.factor else { return };
        let mut u = vec![0.0; r.len()];
        for _ in 0..2 {
            self.problem.velocities(r, &mut u);
            let mut change: Vec<f64> = self.free.iter().map(|row| u[*row]).collect();
            let count = change.len();
            factor.solve_in_place(MatMut::from_column_major_slice_mut(&mut change, count, 1));
            self.free.iter().zip(&change).for_each(|(row, change)| r[*row] -= change);
        }
    }
}

/// A largest set J of free rows with W_JJ regular: Gauss elimination with the largest diagonal entry, relative to
/// what it was, as pivot.
fn independent(all: &SparseRows, free: &[usize]) -> Vec<usize> {
    let count = free.len();
    let mut a = Mat::from_fn(count, count, |i, j| all.get(free[i], free[j]));
    let before: Vec<f64> = (0..count).map(|i| a[(i, i)]).collect();
    let mut left: Vec<usize> = (0..count).collect();
    let mut chosen = Vec::new();
    loop {
        let relative = |i: usize| if before[i] > 0.0 { a[(i, i)] / before[i] } else { 0.0 };
        let Some(at) = (0..left.len()).reduce(|x, y| if relative(left[y]) > relative(left[x]) { y } else { x }) else {
            break;
        };
        let p = left[at];
        if relative(p) <= DEPENDENT {
            break;
        }
        left.swap_remove(at);
        chosen.push(free[p]);
        for &j in &left {
            let factor = a[(p, j)] / a[(p, p)];
            if factor != 0.0 {
                for &i in &left {
                    let value = a[(i, p)] * factor;
                    a[(i, j)] -= value;
                }
            }
        }
    }
    chosen.sort_unstable();
    chosen
}
