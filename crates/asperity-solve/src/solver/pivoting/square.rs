//! The dense matrix of a linear complementarity problem.

/// A dense square matrix, column by column.
#[derive(Clone, Debug, Default)]
pub(super) struct Square {
    pub(super) n: usize,
    values: Vec<f64>,
}

impl Square {
    pub(super) fn zeros(n: usize) -> Self {
        Self { n, values: vec![0.0; n * n] }
    }

    #[inline]
    pub(super) fn get(&self, i: usize, j: usize) -> f64 {
        self.values[j * self.n + i]
    }

    #[inline]
    pub(super) fn add(&mut self, i: usize, j: usize, value: f64) {
        self.values[j * self.n + i] += value;
    }

    #[inline]
    pub(super) fn column(&self, j: usize) -> &[f64] {
        &self.values[j * self.n..(j + 1) * self.n]
    }

    /// Row i and column j multiplied by d_i and d_j.
    pub(super) fn scale(&mut self, d: &[f64]) {
        for (column, dj) in self.values.chunks_exact_mut(self.n.max(1)).zip(d) {
            column.iter_mut().zip(d).for_each(|(value, di)| *value *= di * dj);
        }
    }

    /// out += M z.
    pub(super) fn add_times(&self, z: &[f64], out: &mut [f64]) {
        for (j, zj) in z.iter().enumerate().filter(|(_, z)| **z != 0.0) {
            out.iter_mut().zip(self.column(j)).for_each(|(out, m)| *out += m * zj);
        }
    }
}
