//! Things that belong together: disjoint sets, the smallest member of each its representative.

/// Disjoint sets over 0..n.
#[derive(Clone, Debug)]
pub struct Groups {
    root: Vec<usize>,
}

impl Groups {
    /// Each alone.
    pub fn new(n: usize) -> Self {
        Self { root: (0..n).collect() }
    }

    /// The smallest member of the group of i.
    pub fn of(&mut self, mut i: usize) -> usize {
        while self.root[i] != i {
            self.root[i] = self.root[self.root[i]];
            i = self.root[i];
        }
        i
    }

    /// Makes two groups one.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.of(a), self.of(b));
        self.root[a.max(b)] = a.min(b);
    }
}
