//! The linear systems of Newton's method and of alternating directions: (A + B (W + C)) x = f, A and B block diagonal.
//!
//! Three ways to solve them:
//!
//! * over the rows: the matrix has the pattern of W ([`BlockLu`]). Works for all dynamics and any C;
//! * over the bodies, if C is positive: with K = (A + B C)⁻¹ and y = M⁻¹ Jᵀ x, x = K (f − B J y), so that
//!   (M + Jᵀ K B J) y = Jᵀ K f. There are as many unknowns as degrees of freedom, however many contacts a body has; W is not
//!   formed. For C close to zero K is large, and digits are lost: half of them at C = 1e-8 W;
//! * over the degrees of freedom of elastic bodies, likewise ([`DofLu`]).
//!
//! [`DofSystem`] is the symmetric system over degrees of freedom that methods without B have.

mod dof_lu;
mod dofs;

pub(super) use dofs::{BlockDiagonal, DofSystem};

use dof_lu::DofLu;

use super::block_lu::BlockLu;
use super::forms::FormRows;
use super::gauss;
use crate::problem::{BlockMatrix, Bodies, ContactProblem, InverseMass, RowKind};

/// A small matrix.
type SmallMatrix<const N: usize> = [[f64; N]; N];

/// Blocks have up to six rows here.
type Small = SmallMatrix<6>;

/// A and B, both block diagonal.
pub(super) struct Terms {
    /// Of contacts.
    pub(super) contacts: Vec<FormRows>,
    /// Of the rows of other blocks, which may be longer: diagonals.
    pub(super) rows: Vec<[f64; 2]>,
}

impl Terms {
    /// Zero.
    pub(super) fn new(problem: &ContactProblem) -> Self {
        Self { contacts: vec![FormRows::ZERO; problem.blocks()], rows: vec![[0.0; 2]; problem.rows()] }
    }

    /// A and B of a block of up to N rows.
    #[inline]
    fn of<const N: usize>(&self, problem: &ContactProblem, i: usize) -> (SmallMatrix<N>, SmallMatrix<N>) {
        let (mut a, mut b) = ([[0.0; N]; N], [[0.0; N]; N]);
        if *problem.kind(i) == RowKind::Contact {
            let rows = &self.contacts[i];
            for k in 0..N {
                a[k].copy_from_slice(&rows.a[k][..N]);
                b[k].copy_from_slice(&rows.b[k][..N]);
            }
        } else {
            for (k, row) in problem.range(i).enumerate() {
                [a[k][k], b[k][k]] = self.rows[row];
            }
        }
        (a, b)
    }
}

/// A factored system.
pub(super) enum System {
    /// Over the rows.
    Rows(Box<BlockLu>),
    /// Over the bodies.
    Bodies(Box<BodySystem>),
    /// Over the degrees of freedom.
    Dofs(Box<DofLu>),
}

impl System {
    /// For systems of this problem. If they will all have a positive C, they may be solved over the bodies or over the degrees
    /// of freedom.
    pub(super) fn new(problem: &ContactProblem, compliant: bool) -> Option<Self> {
        if compliant
            && let Some(bodies) = problem.dynamics().few_bodies()
            && let Some(system) = BodySystem::new(bodies)
        {
            return Some(Self::Bodies(Box::new(system)));
        }
        if compliant
            && let Some(factor) = problem.sparse_dynamics()
            && let Some(system) = DofLu::new(factor)
        {
            return Some(Self::Dofs(Box::new(system)));
        }
        BlockLu::new(problem.w()).map(|lu| Self::Rows(Box::new(lu)))
    }

    /// Factors the system with these A and B; whether it could.
    pub(super) fn factor(&mut self, problem: &ContactProblem, terms: &Terms) -> bool {
        match self {
            Self::Rows(lu) => factor_rows(lu, problem, terms),
            Self::Bodies(system) => system.factor(problem, terms),
            Self::Dofs(system) => system.factor(problem, terms),
        }
    }

    /// f becomes x.
    pub(super) fn solve(&mut self, problem: &ContactProblem, f: &mut [f64]) {
        match self {
            Self::Rows(lu) => lu.solve(f),
            Self::Bodies(system) => system.solve(problem, f),
            Self::Dofs(system) => system.solve(problem, f),
        }
    }
}

fn factor_rows(lu: &mut BlockLu, problem: &ContactProblem, terms: &Terms) -> bool {
    let compliance = problem.compliance();
    lu.set(problem.w(), |i, block, out| {
        let range = problem.range(i);
        let n = range.len();
        let width = block.values.len() / n;
        if *problem.kind(i) != RowKind::Contact {
            for (k, (row, out)) in range.zip(out.chunks_exact_mut(width)).enumerate() {
                let [a, b] = terms.rows[row];
                let values = &block.values[k * width..(k + 1) * width];
                out.iter_mut().zip(values).for_each(|(o, w)| *o = b * w);
                if block.column == i {
                    out[k] += a + b * compliance[row];
                }
            }
            return;
        }
        let FormRows { a, b, .. } = &terms.contacts[i];
        for (row, out) in out.chunks_exact_mut(width).enumerate() {
            for (k, factor) in b[row].iter().enumerate().take(n).filter(|(_, f)| **f != 0.0) {
                let values = &block.values[k * width..(k + 1) * width];
                out.iter_mut().zip(values).for_each(|(o, w)| *o += factor * w);
            }
            if block.column == i {
                for (k, o) in out.iter_mut().enumerate() {
                    *o += a[row][k] + b[row][k] * compliance[range.start + k];
                }
            }
        }
    });
    lu.factor()
}

/// The system over the bodies.
pub(super) struct BodySystem {
    matrix: BlockMatrix,
    lu: BlockLu,
    masses: Vec<Small>,
    /// K and K B of each block.
    k: Vec<Small>,
    kb: Vec<Small>,
    y: Vec<f64>,
}

impl BodySystem {
    /// `None` if the inverse mass of a body cannot be inverted, or has more than six degrees of freedom.
    fn new(bodies: &Bodies) -> Option<Self> {
        let masses = bodies.masses().iter().map(mass_matrix).collect::<Option<Vec<_>>>()?;
        let starts: Vec<usize> =
            (0..bodies.bodies()).map(|i| bodies.dofs(i).start).chain([bodies.dofs_in_all()]).collect();
        let mut pairs: Vec<(u32, u32)> = (0..bodies.bodies() as u32).map(|i| (i, i)).collect();
        for i in 0..bodies.blocks() {
            for p in bodies.links(i) {
                pairs.extend(bodies.links(i).map(|q| (p.body as u32, q.body as u32)));
            }
        }
        let matrix = BlockMatrix::with_pattern(&starts, pairs);
        let lu = BlockLu::new(&matrix)?;
        let y = vec![0.0; bodies.dofs_in_all()];
        let none = vec![[[0.0; 6]; 6]; bodies.blocks()];
        Some(Self { matrix, lu, masses, k: none.clone(), kb: none, y })
    }

    fn factor(&mut self, problem: &ContactProblem, terms: &Terms) -> bool {
        let Some(bodies) = problem.dynamics().bodies() else { return false };
        self.matrix.clear();
        for (i, mass) in self.masses.iter().enumerate() {
            let n = bodies.dofs(i).len();
            for (out, row) in self.matrix.block_mut(i, i).chunks_exact_mut(n).zip(mass) {
                out.copy_from_slice(&row[..n]);
            }
        }
        for i in 0..problem.blocks() {
            // Most blocks are contacts with three rows.
            let regular = match problem.range(i).len() {
                0..=3 => self.add::<3>(bodies, problem, terms, i),
                _ => self.add::<6>(bodies, problem, terms, i),
            };
            if !regular {
                return false;
            }
        }
        self.lu.set(&self.matrix, |_, block, out| out.copy_from_slice(block.values));
        self.lu.factor()
    }

    /// Jᵀ K B J of block i, which has at most N rows; whether there is a K.
    #[inline]
    fn add<const N: usize>(&mut self, bodies: &Bodies, problem: &ContactProblem, terms: &Terms, i: usize) -> bool {
        let range = problem.range(i);
        let n = range.len();
        let (mut inner, b) = terms.of::<N>(problem, i);
        for (inner, b) in inner.iter_mut().zip(&b).take(n) {
            for (k, c) in problem.compliance()[range.clone()].iter().enumerate() {
                inner[k] += b[k] * c;
            }
        }
        let Some(k) = inverse(&inner, n) else { return false };
        let kb = product(&k, &b);
        for p in bodies.links(i) {
            let np = p.jacobian.len() / n;
            // Jᵀ K B, a row for each degree of freedom.
            let mut left = [[0.0; N]; 6];
            for (kb, row) in kb.iter().zip(p.jacobian.chunks_exact(np)) {
                for (left, j) in left.iter_mut().zip(row) {
                    left.iter_mut().zip(kb).for_each(|(l, kb)| *l += j * kb);
                }
            }
            for q in bodies.links(i) {
                let nq = q.jacobian.len() / n;
                let out = self.matrix.block_mut(p.body, q.body);
                if let (6, 6, ([rows], [])) = (np, nq, q.jacobian.as_chunks::<6>().0.as_chunks::<N>()) {
                    for (out, left) in out.as_chunks_mut::<6>().0.iter_mut().zip(&left) {
                        for (l, row) in left.iter().zip(rows) {
                            out.iter_mut().zip(row).for_each(|(o, j)| *o += l * j);
                        }
                    }
                    continue;
                }
                for (out, left) in out.chunks_exact_mut(nq).zip(&left) {
                    for (l, row) in left.iter().zip(q.jacobian.chunks_exact(nq)) {
                        out.iter_mut().zip(row).for_each(|(o, j)| *o += l * j);
                    }
                }
            }
        }
        for row in 0..N {
            self.k[i][row][..N].copy_from_slice(&k[row]);
            self.kb[i][row][..N].copy_from_slice(&kb[row]);
        }
        true
    }

    fn solve(&mut self, problem: &ContactProblem, f: &mut [f64]) {
        let Some(bodies) = problem.dynamics().bodies() else { return };
        self.y.fill(0.0);
        for i in 0..problem.blocks() {
            let n = problem.range(i).len();
            let own = &mut f[problem.range(i)];
            let z = times(&self.k[i], own);
            own.copy_from_slice(&z[..n]);
            for link in bodies.links(i) {
                let dofs = bodies.dofs(link.body);
                let y = &mut self.y[dofs.clone()];
                for (z, row) in z.iter().zip(link.jacobian.chunks_exact(dofs.len())) {
                    y.iter_mut().zip(row).for_each(|(y, j)| *y += z * j);
                }
            }
        }
        self.lu.solve(&mut self.y);
        for i in 0..problem.blocks() {
            let mut u = [0.0; 6];
            let n = problem.range(i).len();
            for link in bodies.links(i) {
                let dofs = bodies.dofs(link.body);
                let y = &self.y[dofs.clone()];
                for (u, row) in u.iter_mut().zip(link.jacobian.chunks_exact(dofs.len())) {
                    *u += row.iter().zip(y).map(|(j, y)| j * y).sum::<f64>();
                }
            }
            let back = times(&self.kb[i], &u[..n]);
            f[problem.range(i)].iter_mut().zip(back).for_each(|(x, back)| *x -= back);
        }
    }
}

/// M from M⁻¹; `None` if it is singular or large.
fn mass_matrix(inverse_mass: &InverseMass) -> Option<Small> {
    let n = inverse_mass.dofs();
    let mut small = [[0.0; 6]; 6];
    match inverse_mass {
        InverseMass::Point(m) => (0..3).for_each(|k| small[k][k] = *m),
        InverseMass::Rigid(m, inertia) => {
            for k in 0..3 {
                small[k][k] = *m;
                for j in 0..3 {
                    small[3 + k][3 + j] = inertia.col(j)[k];
                }
            }
        }
        InverseMass::Dense(n, values) if *n <= 6 => {
            values.chunks_exact(*n).zip(&mut small).for_each(|(row, small)| small[..*n].copy_from_slice(row));
        }
        InverseMass::Dense(..) => return None,
    }
    inverse(&small, n)
}

fn times(a: &Small, x: &[f64]) -> [f64; 6] {
    let mut out = [0.0; 6];
    for (o, row) in out.iter_mut().zip(a).take(x.len()) {
        *o = row.iter().zip(x).map(|(a, x)| a * x).sum();
    }
    out
}

fn product<const N: usize>(a: &SmallMatrix<N>, b: &SmallMatrix<N>) -> SmallMatrix<N> {
    let mut out = [[0.0; N]; N];
    for (out, a) in out.iter_mut().zip(a) {
        for (a, b) in a.iter().zip(b) {
            out.iter_mut().zip(b).for_each(|(o, b)| *o += a * b);
        }
    }
    out
}

/// The inverse of the first n rows and columns; `None` if they are singular.
fn inverse<const N: usize>(a: &SmallMatrix<N>, n: usize) -> Option<SmallMatrix<N>> {
    let (mut a, mut inverse) = (*a, [[0.0; N]; N]);
    gauss::invert(n, N, &gauss::Regular, a.as_flattened_mut(), inverse.as_flattened_mut()).then_some(inverse)
}
