//! One contact at a time, with any number of rows: spin (four), rolling (six), and three where
//! [`super::local::Contact3`] does not settle. See there for the equations.
//!
//! Moments are measured as forces at the arm at which the contact's block resists both alike, so that neither the steps
//! nor what counts as settled depend on the unit of length. Newton's method takes the rows of Alart and Curnier's form,
//! and its steps are halved while they do not help. It starts from the guess, then from the impulse that would stop the
//! contact, cut to the cone; then PROX steps with ever smaller r-factors bring it closer.

use asperity_friction::set::FrictionSet;
use asperity_friction::{ContactLaw, Tangential};

use super::forms::{ForceSet, FormRows, Weights, alart_curnier_rows};
use super::gauss;
use super::prox::{LocalContact, ProxSteps, STILL, Settled, respond};

/// Most rows.
const ROWS: usize = 6;

type Vector = [f64; ROWS];
type Matrix = [Vector; ROWS];

/// Error of a solution relative to the impulses: a few round-offs.
const EXACT: f64 = 1e-14;

/// Error that will do where round-off ends the descent earlier.
const ENOUGH: f64 = 1e-12;

/// The operator of one contact, ready for repeated solves.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactN {
    n: usize,
    w: Matrix,
    weights: Weights,
    /// W⁻¹, if there is one.
    inverse: Option<Matrix>,
}

/// Where Newton's method got to.
#[derive(Clone, Copy)]
struct Slid {
    r: Vector,
    /// ‖F‖ relative to the impulses.
    error: f64,
}

impl ContactN {
    /// From the diagonal block, row by row.
    pub(super) fn new(block: &[f64], n: usize) -> Self {
        let mut w = [[0.0; ROWS]; ROWS];
        for (row, values) in w.iter_mut().zip(block.chunks_exact(n)) {
            row[..n].copy_from_slice(values);
        }
        Self { n, w, weights: Weights::of_block(block, n), inverse: inverse(&w, n) }
    }

    /// The impulse that solves the contact with velocities W r + q, from the guess `r`.
    pub(super) fn solve_at(&self, law: &ContactLaw, set: &FrictionSet, r: &Vector, q: &Vector) -> Vector {
        if q[0] >= 0.0 || self.weights.normal == 0.0 {
            return [0.0; ROWS];
        }
        let set = ForceSet::new(set, self.weights.inverse_arm);
        let stop = self.inverse.as_ref().map(|inverse| times(inverse, q, self.n).map(|x| -x));
        if let Some(stop) = stop.filter(|stop| stop[0] >= 0.0 && self.holds(&set, stop)) {
            return stop;
        }
        let alone = -q[0] * self.weights.normal;
        let mut start = *r;
        if r[0] <= 0.0 {
            start = [0.0; ROWS];
            start[0] = alone;
        }
        let mut best = self.slide(&set, q, start);
        if best.error <= ENOUGH {
            return best.r;
        }
        if let Some(stop) = stop {
            let load = stop[0].max(alone);
            start = self.at_load(load, set.project(load, self.forces(&stop)));
            best = self.slide(&set, q, start).or(best);
        }
        let mut factor = 1.0;
        for _ in 0..6 {
            if best.error <= ENOUGH {
                break;
            }
            let how = ProxSteps { factor, ..ProxSteps::LAST_RESORT };
            start = self.prox(law, how, &start, &self.velocities(&start, q)).r;
            best = self.slide(&set, q, start).or(best);
            factor *= 0.3;
        }
        best.r
    }

    /// W r + q.
    fn velocities(&self, r: &Vector, q: &Vector) -> Vector {
        let mut u = times(&self.w, r, self.n);
        for (u, q) in u.iter_mut().zip(q) {
            *u += q;
        }
        u
    }

    /// The tangential part, in forces.
    fn forces(&self, r: &Vector) -> Tangential {
        self.weights.trial(0.0, &r[..self.n], &[0.0; ROWS][..self.n])
    }

    /// The impulse with this load and these forces.
    fn at_load(&self, load: f64, forces: Tangential) -> Vector {
        let forces = forces.to_array();
        let mut r = [0.0; ROWS];
        r[0] = load;
        for (k, r) in r.iter_mut().enumerate().take(self.n).skip(1) {
            *r = forces[k - 1] / self.weights.unit(k);
        }
        r
    }

    /// Whether the law allows this impulse, to the last bit.
    fn holds(&self, set: &ForceSet<'_>, r: &Vector) -> bool {
        let forces = self.forces(r);
        set.project(r[0], forces) == forces
    }

    /// Newton's method for a sliding contact.
    fn slide(&self, set: &ForceSet<'_>, q: &Vector, start: Vector) -> Slid {
        let n = self.n;
        let evaluate = |r: &Vector, jacobian: bool| {
            let u = self.velocities(r, q);
            let mut rows = FormRows::ZERO;
            alart_curnier_rows(Some(set), &self.weights, &r[..n], &u[..n], jacobian, &mut rows);
            let error = rows.f.iter().map(|f| f * f).sum::<f64>().sqrt();
            (rows, error)
        };
        let size = |r: &Vector| self.forces(r).length() + r[0].abs() - q[0] * self.weights.normal;
        let mut r = start;
        let (_, mut error) = evaluate(&r, false);
        for _ in 0..40 {
            if error <= EXACT * size(&r) {
                break;
            }
            let (rows, _) = evaluate(&r, true);
            let mut step = rows.f;
            let mut jacobian = rows.a;
            for (row, b) in jacobian.iter_mut().zip(&rows.b).take(n) {
                for (entry, j) in row.iter_mut().zip(0..n) {
                    *entry += (0..n).map(|k| b[k] * self.w[k][j]).sum::<f64>();
                }
            }
            if !gauss::solve(n, &mut jacobian, &mut step) {
                break;
            }
            // Halved while it does not help: the equations have kinks.
            let shortened = (0..6).find_map(|halvings| {
                let length = 0.5f64.powi(halvings);
                let mut next = r;
                for (next, step) in next.iter_mut().zip(&step).take(n) {
                    *next -= length * step;
                }
                let (_, found) = evaluate(&next, false);
                (found < error).then_some((next, found))
            });
            let Some(better) = shortened else { break };
            (r, error) = better;
        }
        Slid { r, error: error / size(&r) }
    }
}

impl Slid {
    /// The better of the two.
    fn or(self, other: Self) -> Self {
        if self.error < other.error || other.error.is_nan() { self } else { other }
    }
}

impl LocalContact for ContactN {
    type Vector = Vector;

    fn solve(&self, law: &ContactLaw, set: &FrictionSet, r: &Vector, u: &Vector) -> Vector {
        let mut q = *u;
        for (q, own) in q.iter_mut().zip(times(&self.w, r, self.n)) {
            *q -= own;
        }
        self.solve_at(law, set, r, &q)
    }

    fn prox(&self, law: &ContactLaw, how: ProxSteps, r: &Vector, u: &Vector) -> Settled<Vector> {
        let set = law.set().map(|set| ForceSet::new(set, self.weights.inverse_arm));
        let (n, mut r, mut u) = (self.n, *r, *u);
        let mut moved = 0.0;
        for step in 1..=how.steps {
            let load = (r[0] - how.factor * self.weights.normal * u[0]).max(0.0);
            moved = (load - r[0]).abs();
            for (u, row) in u.iter_mut().zip(&self.w).take(n) {
                *u += row[0] * (load - r[0]);
            }
            let trial = self.weights.trial(how.factor, &r[..n], &u[..n]);
            let answer = match &set {
                Some(set) => set.project(load, trial),
                // Laws that are not sets act in the plane, where there are no moments to scale.
                None => respond(law, load, trial),
            };
            let new = self.at_load(load, answer);
            let mut change = [0.0; ROWS];
            for k in 1..n {
                change[k] = new[k] - r[k];
                moved = moved.max((change[k] * self.weights.unit(k)).abs());
            }
            r = new;
            if step == how.steps || moved <= STILL * load {
                break;
            }
            u = self.velocities(&change, &u);
        }
        Settled { r, moved }
    }
}

/// The leading n × n part times a vector.
#[inline]
fn times(a: &Matrix, x: &Vector, n: usize) -> Vector {
    let mut y = [0.0; ROWS];
    for (y, row) in y.iter_mut().zip(a).take(n) {
        *y = row.iter().zip(x).map(|(a, x)| a * x).sum();
    }
    y
}

/// The inverse of the leading n × n part, column by column, if there is one.
fn inverse(w: &Matrix, n: usize) -> Option<Matrix> {
    let mut inverse = [[0.0; ROWS]; ROWS];
    for j in 0..n {
        let (mut a, mut column) = (*w, [0.0; ROWS]);
        column[j] = 1.0;
        if !gauss::solve(n, &mut a, &mut column) {
            return None;
        }
        for i in 0..n {
            inverse[i][j] = column[i];
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use asperity_friction::set::{ConePoint, ConvexSet, SETS};
    use glam::DVec3;

    use super::super::local::Contact3;
    use super::*;

    struct Random(u64);

    impl Random {
        /// Between −1 and 1.
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }
    }

    /// A block J M⁻¹ Jᵀ with forces and moments of random size against each other.
    fn block(random: &mut Random, n: usize) -> Vec<f64> {
        let (mut j, unit) = ([[0.0; 8]; ROWS], 10f64.powf(2.0 * random.next()));
        for (i, row) in j.iter_mut().enumerate() {
            for x in row.iter_mut() {
                *x = random.next() * if i < 3 { 1.0 } else { unit };
            }
        }
        (0..n * n).map(|e| (0..8).map(|k| j[e / n][k] * j[e % n][k]).sum()).collect()
    }

    /// How far an impulse is from a solution, as the natural map on the cone sees it: another equation than the one
    /// solved.
    fn error(block: &[f64], n: usize, set: &FrictionSet, r: &[f64], q: &[f64]) -> f64 {
        let weights = Weights::of_block(block, n);
        let mut u = q.to_vec();
        for i in 0..n {
            u[i] += (0..n).map(|j| block[i * n + j] * r[j]).sum::<f64>();
        }
        let rho = weights.normal.min(weights.tangential);
        let mut scaled = set.clone();
        scaled.scale_moments(weights.inverse_arm);
        let (mut rt, mut ut) = ([0.0; 5], [0.0; 5]);
        for k in 1..n {
            let unit = if k < 3 { 1.0 } else { weights.inverse_arm };
            (rt[k - 1], ut[k - 1]) = (r[k] * unit, rho * u[k] / unit);
        }
        let (rt, ut) = (Tangential::from_array(rt), Tangential::from_array(ut));
        let ConePoint { load, force: p } = scaled.project_cone(r[0] - rho * u[0] - scaled.support(-ut), rt - ut);
        (r[0] - load).hypot((rt - p).length()) / (r[0] + rt.length() + rho * q[0].abs())
    }

    #[test]
    fn every_contact_is_solved_whatever_its_law_and_its_guess() {
        let mut random = Random(3);
        let (mut worst, mut sliding) = (0.0f64, 0);
        for set in SETS.iter().flat_map(|e| (e.examples)()) {
            let law = ContactLaw::Set(set.clone());
            for n in [3, 4, 6].into_iter().filter(|n| set.rows() < *n) {
                for _ in 0..150 {
                    let w = block(&mut random, n);
                    let contact = ContactN::new(&w, n);
                    let (mut q, mut guess) = ([0.0; ROWS], [0.0; ROWS]);
                    for k in 0..n {
                        q[k] = random.next() * if k < 3 { 1.0 } else { contact.weights.inverse_arm };
                        guess[k] = random.next() / if k < 3 { 1.0 } else { contact.weights.inverse_arm };
                    }
                    let u = contact.velocities(&guess, &q);
                    let mut found = contact.solve(&law, &set, &guess, &u);
                    if n == 3 {
                        let [guess, u] = [guess, u].map(|v| DVec3::from_slice(&v));
                        Contact3::new(&w).solve(&law, &set, &guess, &u).write_to_slice(&mut found);
                    }
                    let e = error(&w, n, &set, &found[..n], &q[..n]);
                    worst = worst.max(e);
                    sliding += usize::from(found[0] > 0.0);
                    assert!(e <= 1e-9, "{e} with {n} rows of {set:?}\n{w:?}\n{q:?}\n{guess:?}");
                }
            }
        }
        println!("{sliding} pressed, worst error {worst:.1e}");
        assert!(sliding > 5000, "{sliding}");
    }

    #[test]
    fn a_contact_that_nothing_moves_is_left_alone() {
        let contact = ContactN::new(&[0.0; 36], 6);
        let set = (SETS[7].examples)().swap_remove(1);
        let law = ContactLaw::Set(set.clone());
        for q in [[-1.0; ROWS], [1.0; ROWS], [0.0; ROWS]] {
            let r = contact.solve(&law, &set, &[0.0; ROWS], &q);
            assert_eq!(r, [0.0; ROWS], "{q:?}");
            assert_eq!(contact.prox(&law, ProxSteps::SETTLE, &[0.0; ROWS], &q).r, [0.0; ROWS], "{q:?}");
        }
    }
}
