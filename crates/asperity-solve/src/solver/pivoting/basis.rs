//! The basis of a linear complementarity problem w = M z + q + d z₀ while it is pivoted on.
//!
//! Of the pairs (w_i, z_i) and the cover z₀, n variables are basic, the others zero. With α the basic ones among z and
//! z₀, and ρ the rows whose w is not basic, C = (M, d)_ρα is square, and
//!
//!   z_α = −C⁻¹ q_ρ,   w_i = q_i + (M, d)_iα z_α for i ∉ ρ.
//!
//! C⁻¹ is kept and changed by a rank-one update with each pivot: k² operations for k basic z, of which there are far
//! fewer than rows. Round-off is removed by making it anew now and then.

use faer::Mat;
use faer::linalg::solvers::DenseSolveCore;

use super::square::Square;

/// Marks a row or variable that is not in the basis.
const NONE: usize = usize::MAX;

/// A variable: slack w_i, its partner z_i, or the cover z₀.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    W(usize),
    Z(usize),
    Cover,
}

impl Variable {
    /// The other one of the pair.
    pub(super) fn partner(self) -> Self {
        match self {
            Self::W(i) => Self::Z(i),
            Self::Z(i) => Self::W(i),
            Self::Cover => Self::Cover,
        }
    }
}

/// A basic variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Basic {
    pub(super) variable: Variable,
    pub(super) value: f64,
    /// Change while the entering variable grows by one.
    pub(super) change: f64,
}

/// α, ρ, C⁻¹ and the values of the basic variables.
pub(super) struct Basis<'a> {
    m: &'a Square,
    /// Added to the diagonal of M.
    shift: f64,
    q: &'a [f64],
    /// d.
    pub(super) cover: Vec<f64>,
    /// α: numbers of z, n for z₀.
    pub(super) alpha: Vec<usize>,
    rho: Vec<usize>,
    /// Place of each row in ρ.
    row_of: Vec<usize>,
    /// C⁻¹, column by column: one column for each of ρ.
    inverse: Vec<Vec<f64>>,
    /// z_α.
    pub(super) z: Vec<f64>,
    /// w, zero in ρ.
    pub(super) w: Vec<f64>,
    /// Changes of z_α and w while the entering variable grows by one.
    pub(super) dz: Vec<f64>,
    pub(super) dw: Vec<f64>,
}

impl<'a> Basis<'a> {
    /// With these z basic instead of their w; `None` if C is singular.
    pub(super) fn new(m: &'a Square, shift: f64, q: &'a [f64], active: &[usize]) -> Option<Self> {
        let n = m.n;
        let mut basis = Self {
            m,
            shift,
            q,
            cover: vec![0.0; n],
            alpha: active.to_vec(),
            rho: active.to_vec(),
            row_of: vec![NONE; n],
            inverse: Vec::new(),
            z: Vec::new(),
            w: vec![0.0; n],
            dz: Vec::new(),
            dw: vec![0.0; n],
        };
        active.iter().enumerate().for_each(|(a, i)| basis.row_of[*i] = a);
        basis.refresh().then_some(basis)
    }

    #[inline]
    fn entry(&self, i: usize, j: usize) -> f64 {
        if j == self.m.n {
            return self.cover[i];
        }
        let shift = if i == j { self.shift } else { 0.0 };
        self.m.get(i, j) + shift
    }

    /// out += (M, d)_j times x, over all rows.
    #[inline]
    fn add_column(&self, j: usize, x: f64, out: &mut [f64]) {
        let column = if j == self.m.n { &self.cover[..] } else { self.m.column(j) };
        out.iter_mut().zip(column).for_each(|(out, m)| *out += m * x);
        if j < self.m.n {
            out[j] += self.shift * x;
        }
    }

    /// C⁻¹ and all values anew; false if C is singular.
    pub(super) fn refresh(&mut self) -> bool {
        let k = self.alpha.len();
        let c = Mat::from_fn(k, k, |a, b| self.entry(self.rho[a], self.alpha[b]));
        let inverse = c.partial_piv_lu().inverse();
        self.inverse = (0..k).map(|a| inverse.col_as_slice(a).to_vec()).collect();
        self.z = vec![0.0; k];
        for (column, row) in self.inverse.iter().zip(&self.rho) {
            self.z.iter_mut().zip(column).for_each(|(z, c)| *z -= c * self.q[*row]);
        }
        let finite = self.z.iter().all(|z| z.is_finite());
        if finite {
            self.slacks();
            self.refine();
        }
        finite
    }

    /// w from z: in ρ what is left there is the error of z.
    fn slacks(&mut self) {
        let mut w = std::mem::take(&mut self.w);
        w.copy_from_slice(self.q);
        for (j, z) in self.alpha.iter().zip(&self.z) {
            self.add_column(*j, *z, &mut w);
        }
        self.w = w;
    }

    /// One step of refinement of z, then w with zeros in ρ.
    fn refine(&mut self) {
        for (column, row) in self.inverse.iter().zip(&self.rho) {
            let error = self.w[*row];
            self.z.iter_mut().zip(column).for_each(|(z, c)| *z -= c * error);
        }
        self.slacks();
        for row in &self.rho {
            self.w[*row] = 0.0;
        }
    }

    /// Chooses d such that every basic variable grows by one with z₀.
    pub(super) fn cover_all(&mut self) {
        let mut cover = vec![1.0; self.m.n];
        self.rho.iter().for_each(|i| cover[*i] = 0.0);
        for j in &self.alpha {
            self.add_column(*j, -1.0, &mut cover);
        }
        self.cover = cover;
    }

    /// Sets dz and dw for a variable that enters, refined once; answers with the relative error before that.
    pub(super) fn direction(&mut self, entering: Variable) -> f64 {
        let mut dw = std::mem::take(&mut self.dw);
        let mut dz = std::mem::take(&mut self.dz);
        dz.clear();
        dz.resize(self.alpha.len(), 0.0);
        // C dz must make up for this in ρ: the entering column, or −1 in the row of the entering slack.
        let start = |dw: &mut [f64]| {
            dw.fill(0.0);
            match entering {
                Variable::W(i) => dw[i] = -1.0,
                Variable::Z(j) => self.add_column(j, 1.0, dw),
                Variable::Cover => self.add_column(self.m.n, 1.0, dw),
            }
        };
        start(&mut dw);
        let mut drift = 0.0f64;
        for pass in 0..2 {
            for (column, row) in self.inverse.iter().zip(&self.rho) {
                let error = dw[*row];
                if error != 0.0 {
                    dz.iter_mut().zip(column).for_each(|(dz, c)| *dz -= c * error);
                }
            }
            start(&mut dw);
            for (j, dz) in self.alpha.iter().zip(&dz) {
                if *dz != 0.0 {
                    self.add_column(*j, *dz, &mut dw);
                }
            }
            if pass == 0 {
                let largest = dz.iter().chain(&dw).fold(1.0f64, |m, d| m.max(d.abs()));
                drift = self.rho.iter().fold(0.0, |m: f64, row| m.max(dw[*row].abs())) / largest;
                // Round-off of the sums: nothing to refine.
                if drift <= 1e-14 {
                    break;
                }
            }
        }
        self.rho.iter().for_each(|row| dw[*row] = 0.0);
        (self.dw, self.dz) = (dw, dz);
        drift
    }

    /// How a basic variable changes with q_i: an entry of the inverse of the whole basis.
    pub(super) fn sensitivity(&self, variable: Variable, i: usize) -> f64 {
        let Some(column) = self.inverse.get(self.row_of[i]) else {
            return f64::from(u8::from(variable == Variable::W(i)));
        };
        match variable {
            Variable::W(k) => -self.alpha.iter().zip(column).map(|(j, c)| self.entry(k, *j) * c).sum::<f64>(),
            _ => -column[self.place(variable)],
        }
    }

    fn number(&self, variable: Variable) -> usize {
        match variable {
            Variable::W(i) | Variable::Z(i) => i,
            Variable::Cover => self.m.n,
        }
    }

    /// Basic variables with their values and changes.
    pub(super) fn basic(&self) -> impl Iterator<Item = Basic> + '_ {
        let n = self.m.n;
        let name = move |j: usize| if j == n { Variable::Cover } else { Variable::Z(j) };
        let z = self.alpha.iter().zip(self.z.iter().zip(&self.dz)).map(move |(j, (z, dz))| Basic {
            variable: name(*j),
            value: *z,
            change: *dz,
        });
        let w = (0..n).filter(|i| self.row_of[*i] == NONE).map(|i| Basic {
            variable: Variable::W(i),
            value: self.w[i],
            change: self.dw[i],
        });
        z.chain(w)
    }

    /// `entering` becomes basic with the value `step`, `leaving` becomes zero; dz and dw are those of `entering`.
    pub(super) fn exchange(&mut self, entering: Variable, leaving: Variable, step: f64) {
        self.z.iter_mut().zip(&self.dz).for_each(|(z, dz)| *z += step * dz);
        self.w.iter_mut().zip(&self.dw).for_each(|(w, dw)| *w += step * dw);
        match (entering, leaving) {
            (Variable::W(a), Variable::W(i)) => self.replace_row(self.row_of[a], i),
            (Variable::W(a), _) => self.remove(self.row_of[a], self.place(leaving)),
            (_, Variable::W(i)) => self.border(i, self.number(entering)),
            (_, _) => self.replace_column(self.place(leaving), self.number(entering)),
        }
        match entering {
            Variable::W(a) => self.w[a] = step,
            _ => {
                let place = self.place(entering);
                self.z[place] = step;
            }
        }
        if let Variable::W(i) = leaving {
            self.w[i] = 0.0;
        }
    }

    fn place(&self, variable: Variable) -> usize {
        let number = self.number(variable);
        self.alpha.iter().position(|j| *j == number).unwrap_or(NONE)
    }

    /// Row i of (M, d)_α times C⁻¹.
    fn row_times_inverse(&self, i: usize) -> Vec<f64> {
        let row: Vec<f64> = self.alpha.iter().map(|j| self.entry(i, *j)).collect();
        self.inverse.iter().map(|column| column.iter().zip(&row).map(|(c, m)| c * m).sum()).collect()
    }

    /// ρ gains i and α gains j: with p = C⁻¹ c = −dz and t = row C⁻¹, the pivot is σ = M_ij − row p = dw_i.
    fn border(&mut self, i: usize, j: usize) {
        let t = self.row_times_inverse(i);
        let sigma = self.dw[i];
        for (column, t) in self.inverse.iter_mut().zip(&t) {
            let factor = t / sigma;
            column.iter_mut().zip(&self.dz).for_each(|(c, dz)| *c -= dz * factor);
            column.push(-factor);
        }
        let mut last: Vec<f64> = self.dz.iter().map(|dz| dz / sigma).collect();
        last.push(1.0 / sigma);
        self.inverse.push(last);
        self.row_of[i] = self.rho.len();
        self.rho.push(i);
        self.alpha.push(j);
        self.z.push(0.0);
    }

    /// The variable at this place of α becomes j.
    fn replace_column(&mut self, place: usize, j: usize) {
        let pivot = -self.dz[place];
        for column in &mut self.inverse {
            let head = column[place] / pivot;
            column.iter_mut().zip(&self.dz).for_each(|(c, dz)| *c += dz * head);
            column[place] = head;
        }
        self.alpha[place] = j;
    }

    /// The row at this place of ρ becomes i: its own column of C⁻¹ is dz.
    fn replace_row(&mut self, place: usize, i: usize) {
        let t = self.row_times_inverse(i);
        let pivot = t[place];
        for (b, (column, t)) in self.inverse.iter_mut().zip(&t).enumerate() {
            if b == place {
                column.iter_mut().for_each(|c| *c /= pivot);
            } else if *t != 0.0 {
                column.iter_mut().zip(&self.dz).for_each(|(c, dz)| *c -= dz * (t / pivot));
            }
        }
        self.row_of[self.rho[place]] = NONE;
        self.row_of[i] = place;
        self.rho[place] = i;
    }

    /// The row at one place of ρ and the variable at one of α leave: the column of C⁻¹ is dz.
    fn remove(&mut self, row: usize, place: usize) {
        let pivot = self.dz[place];
        for (b, column) in self.inverse.iter_mut().enumerate() {
            if b != row {
                let factor = column[place] / pivot;
                column.iter_mut().zip(&self.dz).for_each(|(c, dz)| *c -= dz * factor);
            }
            column.swap_remove(place);
        }
        self.inverse.swap_remove(row);
        self.row_of[self.rho[row]] = NONE;
        self.rho.swap_remove(row);
        if let Some(moved) = self.rho.get(row) {
            self.row_of[*moved] = row;
        }
        self.alpha.swap_remove(place);
        self.z.swap_remove(place);
    }
}
