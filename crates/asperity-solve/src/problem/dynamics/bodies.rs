//! Matrix-free dynamics over small inverse masses: rigid bodies, vertices, anything with a few degrees of freedom.
//!
//! v = v₀ + M⁻¹ Jᵀ r, M⁻¹ block diagonal. A row block holds, for each body it acts on, its part J of the Jacobian (rows
//! × degrees of freedom, row by row) and R = J M⁻¹, the response of the body to each row. Then u_i += Σ J v, and an
//! impulse Δr changes v by Rᵀ Δr: a Gauss-Seidel visit costs two small products a body, whatever else touches that
//! body. Bodies that cannot move are left out.

use glam::DMat3;

use super::BlockMatrix;
use crate::problem::ProblemError;

/// The inverse mass of one body.
#[derive(Clone, Debug, PartialEq)]
pub enum InverseMass {
    /// A point: one over its mass.
    Point(f64),
    /// A rigid body: one over its mass, and the inverse of its inertia in world axes; velocities (v, ω).
    Rigid(f64, DMat3),
    /// Any other: as many degrees of freedom as rows, row by row, symmetric.
    Dense(usize, Vec<f64>),
}

impl InverseMass {
    /// Degrees of freedom.
    pub fn dofs(&self) -> usize {
        match self {
            Self::Point(_) => 3,
            Self::Rigid(..) => 6,
            Self::Dense(n, _) => *n,
        }
    }

    /// out = M⁻¹ x.
    fn apply(&self, x: &[f64], out: &mut [f64]) {
        match self {
            Self::Point(m) => out.iter_mut().zip(x).for_each(|(o, x)| *o = m * x),
            Self::Rigid(m, inertia) => {
                out[..3].iter_mut().zip(x).for_each(|(o, x)| *o = m * x);
                (*inertia * glam::DVec3::from_slice(&x[3..])).write_to_slice(&mut out[3..]);
            }
            Self::Dense(n, values) => {
                for (o, row) in out.iter_mut().zip(values.chunks_exact(*n)) {
                    *o = row.iter().zip(x).map(|(a, b)| a * b).sum();
                }
            }
        }
    }

    fn is_valid(&self) -> bool {
        let positive = |m: f64| m.is_finite() && m >= 0.0;
        match self {
            Self::Point(m) => positive(*m),
            Self::Rigid(m, inertia) => positive(*m) && inertia.is_finite(),
            Self::Dense(n, values) => {
                n.checked_mul(*n) == Some(values.len()) && *n > 0 && values.iter().all(|v| v.is_finite())
            }
        }
    }
}

/// What a row block does to one body.
#[derive(Clone, Copy, Debug)]
pub struct Link<'a> {
    /// The body.
    pub body: usize,
    /// The body's columns of the Jacobian: a row for each row of the block, row by row.
    pub jacobian: &'a [f64],
}

/// Where a link is stored.
#[derive(Clone, Copy, Debug)]
struct LinkPlace {
    body: u32,
    dof: u32,
    /// First value of J; R follows it.
    offset: usize,
}

/// Bodies and the rows that act on them.
#[derive(Clone, Debug)]
pub struct Bodies {
    masses: Vec<InverseMass>,
    /// First degree of freedom of each body, and their number at the end.
    dofs: Vec<usize>,
    starts: Vec<usize>,
    /// First link of each row block, and their number at the end.
    pointers: Vec<usize>,
    places: Vec<LinkPlace>,
    values: Vec<f64>,
}

impl Bodies {
    /// Bodies on which nothing acts yet.
    pub fn new(masses: Vec<InverseMass>) -> Result<Self, ProblemError> {
        if let Some(body) = masses.iter().position(|m| !m.is_valid()) {
            return Err(ProblemError::InverseMass { body });
        }
        let mut dofs = vec![0];
        dofs.extend(masses.iter().scan(0, |sum, mass| {
            *sum += mass.dofs();
            Some(*sum)
        }));
        Ok(Self { masses, dofs, starts: vec![0], pointers: vec![0], places: Vec::new(), values: Vec::new() })
    }

    /// Makes room for so many more row blocks with so many rows in all, each on two bodies.
    pub fn reserve(&mut self, blocks: usize, rows: usize) {
        let most = self.masses.iter().map(InverseMass::dofs).max().unwrap_or(0);
        self.starts.reserve(blocks);
        self.pointers.reserve(blocks);
        self.places.reserve(2 * blocks);
        self.values.reserve(4 * rows * most);
    }

    /// Adds a row block with this many rows.
    pub fn push(&mut self, rows: usize, links: &[Link]) -> Result<(), ProblemError> {
        let block = self.blocks();
        if rows == 0 {
            return Err(ProblemError::BlockRows { block, rows });
        }
        for link in links {
            let values = |m: &InverseMass| rows.checked_mul(m.dofs());
            let fits = self.masses.get(link.body).is_some_and(|m| values(m) == Some(link.jacobian.len()));
            if !fits {
                return Err(ProblemError::Link { block, body: link.body, values: link.jacobian.len() });
            }
            if let Some(value) = link.jacobian.iter().find(|v| !v.is_finite()) {
                return Err(ProblemError::NotFinite { what: "J", row: self.rows(), value: *value });
            }
        }
        let end = self.rows().checked_add(rows).ok_or(ProblemError::BlockRows { block, rows })?;
        for link in links {
            let mass = &self.masses[link.body];
            let n = mass.dofs();
            let offset = self.values.len();
            self.values.extend_from_slice(link.jacobian);
            self.values.resize(offset + 2 * rows * n, 0.0);
            let (_, response) = self.values[offset..].split_at_mut(rows * n);
            for (row, out) in link.jacobian.chunks_exact(n).zip(response.chunks_exact_mut(n)) {
                mass.apply(row, out);
            }
            self.places.push(LinkPlace { body: link.body as u32, dof: self.dofs[link.body] as u32, offset });
        }
        self.starts.push(end);
        self.pointers.push(self.places.len());
        Ok(())
    }

    /// First row of each row block, and the number of rows at the end.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        *self.starts.last().unwrap_or(&0)
    }

    /// How many row blocks there are.
    pub fn blocks(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many bodies there are.
    pub fn bodies(&self) -> usize {
        self.masses.len()
    }

    /// The inverse masses of the bodies.
    pub fn masses(&self) -> &[InverseMass] {
        &self.masses
    }

    /// The degrees of freedom of a body.
    pub fn dofs(&self, body: usize) -> std::ops::Range<usize> {
        self.dofs[body]..self.dofs[body + 1]
    }

    /// Degrees of freedom of all bodies.
    pub fn dofs_in_all(&self) -> usize {
        *self.dofs.last().unwrap_or(&0)
    }

    #[inline]
    pub(crate) fn range(&self, i: usize) -> std::ops::Range<usize> {
        self.starts[i]..self.starts[i + 1]
    }

    /// What row block i acts on.
    pub fn links(&self, i: usize) -> impl Iterator<Item = Link<'_>> {
        let rows = self.range(i).len();
        self.places[self.pointers[i]..self.pointers[i + 1]].iter().map(move |p| {
            let size = rows * self.masses[p.body as usize].dofs();
            Link { body: p.body as usize, jacobian: &self.values[p.offset..p.offset + size] }
        })
    }

    /// u += J_i v.
    #[inline]
    pub(crate) fn add_velocity(&self, i: usize, v: &[f64], u: &mut [f64]) {
        for place in &self.places[self.pointers[i]..self.pointers[i + 1]] {
            let n = self.masses[place.body as usize].dofs();
            let (v, values) = (&v[place.dof as usize..], &self.values[place.offset..]);
            if let (6, Ok(u)) = (n, <&mut [f64; 3]>::try_from(&mut *u)) {
                add_rigid_velocity(values, v, u);
            } else {
                for (u, row) in u.iter_mut().zip(values.chunks_exact(n)) {
                    *u += row.iter().zip(v).map(|(a, b)| a * b).sum::<f64>();
                }
            }
        }
    }

    /// v += R_iᵀ dr.
    #[inline]
    pub(crate) fn add_response(&self, i: usize, dr: &[f64], v: &mut [f64]) {
        for place in &self.places[self.pointers[i]..self.pointers[i + 1]] {
            let n = self.masses[place.body as usize].dofs();
            let (v, values) = (&mut v[place.dof as usize..], &self.values[place.offset + dr.len() * n..]);
            if let (6, Ok(dr)) = (n, <&[f64; 3]>::try_from(dr)) {
                add_rigid_response(values, dr, v);
            } else {
                for (dr, row) in dr.iter().zip(values.chunks_exact(n)) {
                    v[..n].iter_mut().zip(row).for_each(|(v, x)| *v += x * dr);
                }
            }
        }
    }

    /// M⁻¹ p, p an impulse on each degree of freedom.
    pub(crate) fn free_velocities(&self, p: &[f64]) -> Vec<f64> {
        let mut v = vec![0.0; p.len()];
        for (body, mass) in self.masses.iter().enumerate() {
            mass.apply(&p[self.dofs(body)], &mut v[self.dofs(body)]);
        }
        v
    }

    /// M⁻¹ Jᵀ r.
    pub fn response(&self, r: &[f64]) -> Vec<f64> {
        let mut v = vec![0.0; self.dofs_in_all()];
        (0..self.blocks()).for_each(|i| self.add_response(i, &r[self.range(i)], &mut v));
        v
    }

    /// Adds J_i M⁻¹ J_jᵀ over the body of two links to `out`, row by row; the links are of row blocks with so many
    /// rows.
    fn add_product(&self, rows_i: usize, a: &LinkPlace, rows_j: usize, b: &LinkPlace, out: &mut [f64]) {
        let n = self.masses[a.body as usize].dofs();
        let j = &self.values[a.offset..a.offset + rows_i * n];
        let response = &self.values[b.offset + rows_j * n..b.offset + 2 * rows_j * n];
        // Rigid bodies with a size that the compiler knows.
        if n == 6 { add_products(6, j, response, rows_j, out) } else { add_products(n, j, response, rows_j, out) }
    }

    /// The diagonal block of W of row block i, added to `out`.
    pub(crate) fn add_diagonal(&self, i: usize, out: &mut [f64]) {
        let rows = self.range(i).len();
        let places = &self.places[self.pointers[i]..self.pointers[i + 1]];
        for a in places {
            for b in places.iter().filter(|b| b.body == a.body) {
                self.add_product(rows, a, rows, b, out);
            }
        }
    }

    /// W, formed: blocks that share a body couple.
    pub(super) fn form(&self) -> BlockMatrix {
        let mut of_body: Vec<Vec<(u32, LinkPlace)>> = vec![Vec::new(); self.masses.len()];
        for i in 0..self.blocks() {
            for place in &self.places[self.pointers[i]..self.pointers[i + 1]] {
                of_body[place.body as usize].push((i as u32, *place));
            }
        }
        let pairs = of_body.iter().flat_map(|on| on.iter().flat_map(move |a| on.iter().map(move |b| (a.0, b.0))));
        let mut w = BlockMatrix::with_pattern(&self.starts, pairs.collect());
        let rows = |i: u32| self.range(i as usize).len();
        for on in &of_body {
            for (i, a) in on {
                for (j, b) in on {
                    self.add_product(rows(*i), a, rows(*j), b, w.block_mut(*i as usize, *j as usize));
                }
            }
        }
        w
    }

    /// The bodies that some row blocks act on, each once, in the order in which [`Bodies::part`] has them.
    pub(crate) fn bodies_of(&self, blocks: &[usize]) -> Vec<usize> {
        let mut seen = vec![false; self.masses.len()];
        let on = blocks.iter().flat_map(|i| &self.places[self.pointers[*i]..self.pointers[*i + 1]]);
        on.map(|place| place.body as usize).filter(|body| !std::mem::replace(&mut seen[*body], true)).collect()
    }

    /// Some row blocks and the bodies that they act on.
    pub(crate) fn part(&self, blocks: &[usize]) -> Self {
        let mut number = vec![u32::MAX; self.masses.len()];
        let mut part = Self { masses: Vec::new(), dofs: vec![0], starts: vec![0], pointers: vec![0], ..Self::empty() };
        for &i in blocks {
            let rows = self.range(i).len();
            for place in &self.places[self.pointers[i]..self.pointers[i + 1]] {
                let mass = &self.masses[place.body as usize];
                let new = &mut number[place.body as usize];
                if *new == u32::MAX {
                    *new = part.masses.len() as u32;
                    part.masses.push(mass.clone());
                    part.dofs.push(part.dofs[*new as usize] + mass.dofs());
                }
                let offset = part.values.len();
                let size = 2 * rows * mass.dofs();
                part.values.extend_from_slice(&self.values[place.offset..place.offset + size]);
                part.places.push(LinkPlace { body: *new, dof: part.dofs[*new as usize] as u32, offset });
            }
            part.starts.push(part.rows() + rows);
            part.pointers.push(part.places.len());
        }
        part
    }

    fn empty() -> Self {
        Self {
            masses: Vec::new(),
            dofs: Vec::new(),
            starts: Vec::new(),
            pointers: Vec::new(),
            places: Vec::new(),
            values: Vec::new(),
        }
    }
}

/// Adds J Rᵀ to `out`, all row by row: rows of n numbers in J and R, of `width` numbers in `out`.
#[inline(always)]
fn add_products(n: usize, j: &[f64], response: &[f64], width: usize, out: &mut [f64]) {
    for (out, j) in out.chunks_exact_mut(width).zip(j.chunks_exact(n)) {
        for (out, response) in out.iter_mut().zip(response.chunks_exact(n)) {
            *out += j.iter().zip(response).map(|(x, y)| x * y).sum::<f64>();
        }
    }
}

/// u += J v of three rows on a rigid body, with sizes that the compiler knows.
#[inline]
fn add_rigid_velocity(values: &[f64], v: &[f64], u: &mut [f64; 3]) {
    let (Some(j), Some(v)) = (values.first_chunk::<18>(), v.first_chunk::<6>()) else { return };
    for k in 0..3 {
        let even = j[6 * k] * v[0] + j[6 * k + 2] * v[2] + j[6 * k + 4] * v[4];
        let odd = j[6 * k + 1] * v[1] + j[6 * k + 3] * v[3] + j[6 * k + 5] * v[5];
        u[k] += even + odd;
    }
}

/// v += Rᵀ dr of three rows on a rigid body.
#[inline]
fn add_rigid_response(values: &[f64], dr: &[f64; 3], v: &mut [f64]) {
    let (Some(x), Some(v)) = (values.first_chunk::<18>(), v.first_chunk_mut::<6>()) else { return };
    for k in 0..6 {
        v[k] += x[k] * dr[0] + x[6 + k] * dr[1] + x[12 + k] * dr[2];
    }
}
