//! The equations of one contact as a nonsmooth Newton method wants them: F(r, u) = 0 exactly at a solution, and blocks
//! A, B of an element of its generalised Jacobian, dF = A dr + B du.
//!
//! A contact has 1, 3, 4 (spin) or 6 (rolling) rows. Impulses r and velocities u are in the problem's own units, and so
//! are A and B; F is an impulse in every row, moments being measured as forces at an arm ([`Weights`]), so that norms
//! of F do not depend on the unit of length. Nothing here allocates.
//!
//! ```
//! use asperity_friction::ContactLaw;
//! use asperity_friction::set::Disk;
//! use asperity_solve::solver::forms::{Form, Weights};
//!
//! let law = ContactLaw::from(Disk::new(0.3)?);
//! let weights = Weights { normal: 1.0, tangential: 1.0, inverse_arm: 1.0 };
//! // Pressed with 1 N s and sliding along t: friction is 0.3 N s against it, in every form of the equations.
//! let (r, u) = ([1.0, -0.3, 0.0], [0.0, 2.0, 0.0]);
//! for form in Form::ALL {
//!     let f = form.value(&law, &weights, &r, &u).expect("every form takes disks");
//!     assert!(f.iter().all(|f| f.abs() < 1e-12), "{}", form.name());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alart_curnier;
mod ellipsoids;
mod fischer_burmeister;
mod implicit;
mod response;

use asperity_friction::set::{ConvexSet, Ellipse, Ellipsoid, FrictionSet, TangentialDerivative};
use asperity_friction::{ContactLaw, Tangential};

use super::prox::{factor, tangential_factor};
use ellipsoids::Ellipsoids;

/// Most rows of a contact.
const ROWS: usize = 6;

/// F and its derivatives; rows and columns beyond those of the contact are zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormRows {
    /// F.
    pub f: [f64; ROWS],
    /// A = ∂F/∂r, row by row.
    pub a: [[f64; ROWS]; ROWS],
    /// B = ∂F/∂u, row by row.
    pub b: [[f64; ROWS]; ROWS],
}

impl FormRows {
    /// All zero.
    pub const ZERO: Self = Self { f: [0.0; ROWS], a: [[0.0; ROWS]; ROWS], b: [[0.0; ROWS]; ROWS] };

    /// Makes the first n rows zero; those of A and B only where they will be written.
    #[inline]
    fn clear(&mut self, n: usize, jacobian: bool) {
        self.f[..n].fill(0.0);
        if jacobian {
            self.a[..n].fill([0.0; ROWS]);
            self.b[..n].fill([0.0; ROWS]);
        }
    }
}

/// What brings velocities and moments of a contact to impulses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// ρ_N: times a normal velocity it is an impulse. 1/W_NN of the contact's diagonal block is a good choice.
    pub normal: f64,
    /// ρ_T: the same for tangential rows, moments measured as forces.
    pub tangential: f64,
    /// One over the arm: times a moment it is a force. One where there are no moments.
    pub inverse_arm: f64,
}

impl Weights {
    /// From the diagonal block of W of a contact, row by row: the arm is that at which the block resists forces and
    /// moments alike; ρ_N and ρ_T are one over (a bound of) the largest eigenvalue of the normal and of the tangential
    /// part; zero where nothing moves along the normal, and ρ_N for ρ_T where nothing moves across it.
    pub fn of_block(block: &[f64], n: usize) -> Self {
        let entry = |i: usize, j: usize| block[i * n + j];
        let mut weights = Self { normal: factor(entry(0, 0)), tangential: 0.0, inverse_arm: 1.0 };
        if n > 3 {
            let moments = (3..n).map(|k| entry(k, k)).sum::<f64>() / (n - 3) as f64;
            let ratio = (moments / (0.5 * (entry(1, 1) + entry(2, 2)))).sqrt();
            if ratio.is_finite() && ratio > 0.0 {
                weights.inverse_arm = ratio;
            }
        }
        if n > 1 {
            // The 2-norm is at most the largest row sum, and at most the Frobenius norm.
            let (mut row_sum, mut squares) = (0.0f64, 0.0);
            for i in 1..n {
                let row = (1..n).map(|j| entry(i, j) / (weights.unit(i) * weights.unit(j)));
                row_sum = row_sum.max(row.clone().map(f64::abs).sum());
                squares += row.map(|w| w * w).sum::<f64>();
            }
            weights.tangential = tangential_factor(row_sum.min(squares.sqrt()), weights.normal);
        }
        weights
    }

    /// Row k of an impulse times this is a force.
    #[inline]
    pub(super) fn unit(&self, k: usize) -> f64 {
        if k < 3 { 1.0 } else { self.inverse_arm }
    }

    /// r_T − factor ρ_T u_T, in forces.
    #[inline]
    pub(super) fn trial(&self, factor: f64, r: &[f64], u: &[f64]) -> Tangential {
        let mut trial = [0.0; 5];
        for k in 1..r.len() {
            let unit = self.unit(k);
            trial[k - 1] = r[k] * unit - factor * self.tangential * (u[k] / unit);
        }
        Tangential::from_array(trial)
    }
}

/// A set with its moments measured as forces: projections onto it do not depend on the unit of length. Only what has
/// moments is copied.
pub(super) struct ForceSet<'a> {
    sliding: Sliding<'a>,
    rolling: Option<Ellipse>,
}

enum Sliding<'a> {
    Planar(&'a FrictionSet),
    Spin(Ellipsoid),
    /// A set with moments that is not known here.
    Other(Box<FrictionSet>),
}

impl<'a> ForceSet<'a> {
    #[inline]
    pub(super) fn new(set: &'a FrictionSet, inverse_arm: f64) -> Self {
        let (sliding, rolling) = match set {
            FrictionSet::Rolling(both) => (both.sliding(), Some(*both.rolling())),
            other => (other, None),
        };
        let sliding = match sliding {
            planar if planar.rows() == 2 => Sliding::Planar(planar),
            FrictionSet::Ellipsoid(set) => Sliding::Spin(scaled(*set, inverse_arm)),
            other => Sliding::Other(Box::new(scaled(other.clone(), inverse_arm))),
        };
        // All of its components are moments.
        let rolling = rolling.map(|mut moments| {
            moments.scale(inverse_arm);
            moments
        });
        Self { sliding, rolling }
    }

    /// The point of load·F nearest to `f`.
    #[inline]
    pub(super) fn project(&self, load: f64, f: Tangential) -> Tangential {
        let mut p = match &self.sliding {
            Sliding::Planar(set) => set.project(load, f),
            Sliding::Spin(set) => set.project(load, f),
            Sliding::Other(set) => set.project(load, f),
        };
        if let Some(rolling) = &self.rolling {
            p.roll = rolling.project(load, Tangential::planar(f.roll)).plane;
        }
        p
    }

    /// Its derivatives.
    #[inline]
    fn derivative(&self, load: f64, f: Tangential) -> TangentialDerivative {
        let mut d = match &self.sliding {
            Sliding::Planar(set) => set.derivative(load, f),
            Sliding::Spin(set) => set.derivative(load, f),
            Sliding::Other(set) => set.derivative(load, f),
        };
        if let Some(rolling) = &self.rolling {
            let moments = rolling.derivative(load, Tangential::planar(f.roll));
            for i in 0..2 {
                d.by_force[3 + i][3..].copy_from_slice(&moments.by_force[i][..2]);
                d.by_load[3 + i] = moments.by_load[i];
            }
        }
        d
    }
}

#[inline]
fn scaled<S: ConvexSet>(mut set: S, inverse_arm: f64) -> S {
    set.scale_moments(inverse_arm);
    set
}

/// Which equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Projections onto the load's half-line and onto load·F, or the answer of a law that is not a set. Takes every
    /// law.
    AlartCurnier,
    /// Fischer and Burmeister's function over the second-order cone. Takes disks, ellipses and ellipsoids, with rolling
    /// or without.
    FischerBurmeister,
    /// The sets' implicit functions, with a multiplier that is eliminated. Takes disks, ellipses and ellipsoids, with
    /// rolling or without.
    Implicit,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::AlartCurnier, Self::FischerBurmeister, Self::Implicit];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::AlartCurnier => "alart_curnier",
            Self::FischerBurmeister => "fischer_burmeister",
            Self::Implicit => "implicit",
        }
    }

    /// What of a law the form does not take; `None` if it takes it. A contact with one row has no tangential law, and
    /// any will do.
    pub fn refuses(self, law: &ContactLaw) -> Option<&'static str> {
        match law {
            _ if self == Self::AlartCurnier => None,
            ContactLaw::Set(set) if Ellipsoids::of(set).is_some() => None,
            ContactLaw::Set(_) => Some("a set that is not made of ellipsoids"),
            ContactLaw::TwoSet(_) => Some("a two-set law"),
            ContactLaw::Slip(_) => Some("a slip rule"),
        }
    }

    /// F of a contact with impulses `r` and velocities `u`, as many as it has rows; `None` if the form does not take
    /// the law, or the law needs more rows.
    pub fn value(self, law: &ContactLaw, weights: &Weights, r: &[f64], u: &[f64]) -> Option<[f64; ROWS]> {
        let mut rows = FormRows::ZERO;
        self.write(law, weights, r, u, false, &mut rows).then_some(rows.f)
    }

    /// F and its derivatives; `None` if the form does not take the law.
    pub fn rows(self, law: &ContactLaw, weights: &Weights, r: &[f64], u: &[f64]) -> Option<FormRows> {
        let mut rows = FormRows::ZERO;
        self.write(law, weights, r, u, true, &mut rows).then_some(rows)
    }

    /// Writes F, and with `jacobian` A and B too, over what was there; whether the form takes the law.
    #[inline]
    pub(super) fn write(
        self,
        law: &ContactLaw,
        weights: &Weights,
        r: &[f64],
        u: &[f64],
        jacobian: bool,
        rows: &mut FormRows,
    ) -> bool {
        let set = match law {
            _ if r.len() == 1 => None,
            ContactLaw::Set(set) if set.rows() < r.len() => Some(set),
            ContactLaw::Slip(_) | ContactLaw::TwoSet(_) if self == Self::AlartCurnier => {
                rows.clear(r.len(), jacobian);
                response::write(law, weights, r, u, jacobian, rows);
                return true;
            }
            _ => return false,
        };
        rows.clear(r.len(), jacobian);
        if self == Self::AlartCurnier {
            let set = set.map(|set| ForceSet::new(set, weights.inverse_arm));
            alart_curnier::write(set.as_ref(), weights, r, u, jacobian, rows);
            return true;
        }
        let set = match set.map(Ellipsoids::of) {
            Some(None) => return false,
            Some(known) => known,
            None => None,
        };
        match self {
            Self::FischerBurmeister => fischer_burmeister::write(set.as_ref(), weights, r, u, jacobian, rows),
            _ => implicit::write(set.as_ref(), weights, r, u, jacobian, rows),
        }
        true
    }
}

pub(super) use alart_curnier::write as alart_curnier_rows;
