//! The pattern of a symmetric sparse matrix: which entries of its lower triangle are stored, zero or not.
//!
//! Values are kept apart from the pattern, in the order of its slots: a pattern is made once, and every matrix that is
//! filled into it has the same symbolic factorisation, whichever of its values happen to be zero.

/// Stored entries of the lower triangle, by columns; the diagonal is always stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SymmetricPattern {
    /// The entries of column j are the slots `col_ptr[j]..col_ptr[j + 1]`; length n + 1.
    col_ptr: Vec<usize>,
    /// Row of each slot; rows increase strictly within a column, and the first is the diagonal.
    row_idx: Vec<usize>,
}

/// An entry of a symmetric matrix, by its row and its column; both triangles mean the same entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Row.
    pub row: usize,
    /// Column.
    pub column: usize,
}

impl Place {
    /// The same place in the lower triangle.
    fn lower(self) -> Self {
        Self { row: self.row.max(self.column), column: self.row.min(self.column) }
    }
}

impl SymmetricPattern {
    /// Of n rows, with these entries (in either triangle, in any order, repeated or not) and the diagonal.
    pub fn new(n: usize, places: impl Iterator<Item = Place> + Clone) -> Self {
        let mut next = vec![0; n + 1];
        for place in places.clone() {
            next[place.lower().column + 1] += 1;
        }
        for j in 0..n {
            // One more for the diagonal.
            next[j + 1] += next[j] + 1;
        }
        let starts = next.clone();
        let mut rows = vec![0; starts[n]];
        for j in 0..n {
            rows[next[j]] = j;
            next[j] += 1;
        }
        for place in places {
            let Place { row, column } = place.lower();
            rows[next[column]] = row;
            next[column] += 1;
        }
        let mut pattern = Self { col_ptr: Vec::with_capacity(n + 1), row_idx: Vec::new() };
        pattern.col_ptr.push(0);
        for j in 0..n {
            let column = &mut rows[starts[j]..starts[j + 1]];
            column.sort_unstable();
            let mut last = usize::MAX;
            for &row in column.iter().filter(|row| std::mem::replace(&mut last, **row) != **row) {
                pattern.row_idx.push(row);
            }
            pattern.col_ptr.push(pattern.row_idx.len());
        }
        pattern
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.col_ptr.len() - 1
    }

    /// Number of stored entries.
    pub fn slots(&self) -> usize {
        self.row_idx.len()
    }

    /// First slot of each column, and the number of slots at the end.
    pub fn col_ptr(&self) -> &[usize] {
        &self.col_ptr
    }

    /// Row of each slot.
    pub fn row_idx(&self) -> &[usize] {
        &self.row_idx
    }

    /// The stored entries of the lower triangle, slot by slot.
    pub fn places(&self) -> impl Iterator<Item = Place> + Clone + '_ {
        let column = |j: usize| self.col_ptr[j]..self.col_ptr[j + 1];
        (0..self.size()).flat_map(move |j| column(j).map(move |slot| Place { row: self.row_idx[slot], column: j }))
    }

    /// The slot of an entry, given in either triangle; `None` if it is not stored.
    pub fn slot(&self, place: Place) -> Option<usize> {
        let Place { row, column } = place.lower();
        let stored = *self.col_ptr.get(column)?..*self.col_ptr.get(column + 1)?;
        let k = self.row_idx[stored.clone()].binary_search(&row).ok()?;
        Some(stored.start + k)
    }

    /// The value on the diagonal of row j.
    pub fn diagonal(&self, values: &[f64], j: usize) -> f64 {
        values[self.col_ptr[j]]
    }

    /// out = A x, A the symmetric matrix with these values.
    pub fn multiply(&self, values: &[f64], x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for j in 0..self.size() {
            let (first, end) = (self.col_ptr[j], self.col_ptr[j + 1]);
            let xj = x[j];
            let mut sum = values[first] * xj;
            for (row, value) in self.row_idx[first + 1..end].iter().zip(&values[first + 1..end]) {
                out[*row] += value * xj;
                sum += value * x[*row];
            }
            out[j] += sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Place, SymmetricPattern};

    #[test]
    fn entries_of_either_triangle_are_stored_once_and_the_diagonal_always() {
        let places = [(0, 2), (2, 0), (1, 2), (1, 1)].map(|(row, column)| Place { row, column });
        let pattern = SymmetricPattern::new(4, places.into_iter());
        assert_eq!(pattern.col_ptr(), [0, 2, 4, 5, 6]);
        assert_eq!(pattern.row_idx(), [0, 2, 1, 2, 2, 3]);
        assert_eq!(pattern.slot(Place { row: 0, column: 2 }), Some(1));
        assert_eq!(pattern.slot(Place { row: 3, column: 0 }), None);
        assert_eq!(pattern.slot(Place { row: 9, column: 9 }), None);
    }

    #[test]
    fn products_use_both_triangles() {
        let pattern = SymmetricPattern::new(2, [Place { row: 1, column: 0 }].into_iter());
        let mut out = [0.0; 2];
        // [[1, 2], [2, 3]] (5, 7)
        pattern.multiply(&[1.0, 2.0, 3.0], &[5.0, 7.0], &mut out);
        assert_eq!(out, [19.0, 31.0]);
    }
}
