//! Any contact problem as a JSON document: dumped from a run, replayed later.
//!
//! FCLIB and Siconos files hold three-row contacts with disks alone. A snapshot holds everything: the dynamics in their
//! own form, every kind of row, the bias, the compliance, the laws, and where the solver started. Numbers are written
//! so that they are read back to the same bits. An unbounded bound is `null`.

use asperity_friction::ContactLaw;
use glam::DMat3;
use serde::{Deserialize, Serialize};

use super::Csc;
#[cfg(feature = "json")]
use super::{Fault, Place, Reason};
use crate::problem::{
    BlockMatrix, Bodies, ContactProblem, Dynamics, Factor, InverseMass, Link, MatrixEntry, Posed, ProblemError, RowKind,
};

/// A contact problem, its laws and its start, as plain data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// Version of the format: 1.
    asperity_problem: u32,
    dynamics: StoredDynamics,
    bias: Vec<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    compliance: Vec<f64>,
    kinds: Vec<StoredKind>,
    laws: Vec<ContactLaw>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    start: Vec<f64>,
    /// What whoever made the problem calls its contacts, if that is known. Solvers do not look at it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum StoredDynamics {
    /// First rows of the blocks; entries of W.
    Delassus {
        starts: Vec<usize>,
        w: Vec<MatrixEntry>,
    },
    Bodies {
        masses: Vec<StoredMass>,
        rows: Vec<StoredRows>,
    },
    Factor {
        dofs: usize,
        starts: Vec<usize>,
        mass: Vec<MatrixEntry>,
        h: Vec<MatrixEntry>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum StoredMass {
    Point(f64),
    Rigid { inverse_mass: f64, inverse_inertia: DMat3 },
    Dense { dofs: usize, inverse: Vec<f64> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredRows {
    rows: usize,
    /// Body and its Jacobian, row by row.
    links: Vec<(usize, Vec<f64>)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum StoredKind {
    Bilateral,
    Bounded { lower: Vec<Option<f64>>, upper: Vec<Option<f64>> },
    Contact,
}

impl Snapshot {
    /// Of a problem with its laws as they are, and the impulses from which a solver started.
    pub fn new(problem: &ContactProblem, laws: &[ContactLaw], start: &[f64]) -> Self {
        let compliance = problem.compliance();
        Self {
            asperity_problem: 1,
            dynamics: StoredDynamics::of(problem.dynamics()),
            bias: problem.bias().to_vec(),
            compliance: if compliance.iter().all(|c| *c == 0.0) { Vec::new() } else { compliance.to_vec() },
            kinds: (0..problem.blocks()).map(|i| StoredKind::of(problem.kind(i))).collect(),
            laws: laws.to_vec(),
            start: if start.iter().all(|r| *r == 0.0) { Vec::new() } else { start.to_vec() },
            names: Vec::new(),
        }
    }

    /// Says what the contacts are called, one name a contact.
    pub fn set_names(&mut self, names: Vec<String>) {
        self.names = names;
    }

    /// What the contacts are called; empty if that is not known.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// As a document.
    #[cfg(feature = "json")]
    pub fn to_json(&self) -> String {
        // Every number is finite and every key is text: there is nothing that could fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    #[cfg(feature = "json")]
    pub(super) fn from_json(bytes: &[u8]) -> Result<Self, Box<Fault>> {
        let snapshot: Self = serde_json::from_slice(bytes).map_err(|error| {
            let place = Place::Json { line: error.line(), column: error.column() };
            Box::new(Fault { place, reason: Reason::Json(error.to_string()) })
        })?;
        if snapshot.asperity_problem != 1 {
            let version = format!("version {} of a snapshot", snapshot.asperity_problem);
            return Err(Fault::whole(Reason::Unsupported(version)));
        }
        Ok(snapshot)
    }

    /// How many contacts there are.
    pub fn contacts(&self) -> usize {
        self.laws.len()
    }

    /// The problem, its laws, and the impulses to start from.
    pub fn into_problem(self) -> Result<Posed, ProblemError> {
        let kinds = self.kinds.into_iter().map(StoredKind::into_kind).collect();
        let mut problem = ContactProblem::new(self.dynamics.into_dynamics()?, self.bias, kinds)?;
        if !self.compliance.is_empty() {
            problem = problem.with_compliance(self.compliance)?;
        }
        problem.check_laws(&self.laws)?;
        let start = if self.start.is_empty() { vec![0.0; problem.rows()] } else { self.start };
        if start.len() != problem.rows() {
            return Err(ProblemError::Start { given: start.len(), rows: problem.rows() });
        }
        Ok(Posed { problem, laws: self.laws, start })
    }
}

impl StoredKind {
    fn of(kind: &RowKind) -> Self {
        let finite = |bounds: &[f64]| bounds.iter().map(|b| b.is_finite().then_some(*b)).collect();
        match kind {
            RowKind::Bilateral => Self::Bilateral,
            RowKind::Bounded { lower, upper } => Self::Bounded { lower: finite(lower), upper: finite(upper) },
            RowKind::Contact => Self::Contact,
        }
    }

    fn into_kind(self) -> RowKind {
        let or = |bounds: Vec<Option<f64>>, none: f64| bounds.into_iter().map(|b| b.unwrap_or(none)).collect();
        match self {
            Self::Bilateral => RowKind::Bilateral,
            Self::Bounded { lower, upper } => {
                RowKind::Bounded { lower: or(lower, f64::NEG_INFINITY), upper: or(upper, f64::INFINITY) }
            }
            Self::Contact => RowKind::Contact,
        }
    }
}

/// Most rows of a block. Its diagonal block of W is dense: without a limit a short file could ask for all the memory
/// there is.
const LARGEST_BLOCK: usize = 64;

impl StoredDynamics {
    fn check_blocks(&self) -> Result<(), ProblemError> {
        let check = |(block, rows): (usize, usize)| match rows {
            1..=LARGEST_BLOCK => Ok(()),
            _ => Err(ProblemError::BlockRows { block, rows }),
        };
        match self {
            Self::Bodies { rows, .. } => rows.iter().map(|r| r.rows).enumerate().try_for_each(check),
            Self::Delassus { starts, .. } | Self::Factor { starts, .. } => {
                starts.windows(2).map(|s| s[1].saturating_sub(s[0])).enumerate().try_for_each(check)
            }
        }
    }

    fn of(dynamics: &Dynamics) -> Self {
        match dynamics {
            Dynamics::Delassus(w) => {
                let mut entries = Vec::new();
                for i in 0..w.blocks() {
                    let (first, height) = (w.start(i), w.range(i).len());
                    for block in w.row(i) {
                        let width = block.values.len() / height;
                        let entry = |(n, value): (usize, &f64)| MatrixEntry {
                            row: first + n / width,
                            column: block.start + n % width,
                            value: *value,
                        };
                        entries.extend(block.values.iter().enumerate().map(entry));
                    }
                }
                Self::Delassus { starts: w.starts().to_vec(), w: entries }
            }
            Dynamics::Bodies(bodies) => {
                let mass = |m: &InverseMass| match m {
                    InverseMass::Point(m) => StoredMass::Point(*m),
                    InverseMass::Rigid(m, i) => StoredMass::Rigid { inverse_mass: *m, inverse_inertia: *i },
                    InverseMass::Dense(n, values) => StoredMass::Dense { dofs: *n, inverse: values.clone() },
                };
                let rows = |i: usize| StoredRows {
                    rows: bodies.starts()[i + 1] - bodies.starts()[i],
                    links: bodies.links(i).map(|l| (l.body, l.jacobian.to_vec())).collect(),
                };
                Self::Bodies {
                    masses: bodies.masses().iter().map(mass).collect(),
                    rows: (0..bodies.blocks()).map(rows).collect(),
                }
            }
            Dynamics::Factor(factor) => Self::Factor {
                dofs: factor.dofs(),
                starts: factor.starts().to_vec(),
                mass: factor.mass().iter().collect(),
                h: factor.directions().iter().collect(),
            },
        }
    }

    fn into_dynamics(self) -> Result<Dynamics, ProblemError> {
        self.check_blocks()?;
        let increasing = |starts: &[usize]| starts.first() == Some(&0) && starts.windows(2).all(|s| s[0] < s[1]);
        match self {
            Self::Delassus { starts, w } => {
                let rows = starts.last().copied().unwrap_or(0);
                // Each row has its diagonal entry stored: more rows than entries would be a size out of nowhere.
                if !increasing(&starts) || rows > w.len() || w.iter().any(|e| e.row >= rows || e.column >= rows) {
                    return Err(ProblemError::Layout { what: "W" });
                }
                Ok(BlockMatrix::from_entries(&starts, w.iter().copied()).into())
            }
            Self::Bodies { masses, rows } => {
                let mass = |m: StoredMass| match m {
                    StoredMass::Point(m) => InverseMass::Point(m),
                    StoredMass::Rigid { inverse_mass, inverse_inertia } => {
                        InverseMass::Rigid(inverse_mass, inverse_inertia)
                    }
                    StoredMass::Dense { dofs, inverse } => InverseMass::Dense(dofs, inverse),
                };
                let mut bodies = Bodies::new(masses.into_iter().map(mass).collect())?;
                for block in rows {
                    let links: Vec<Link> =
                        block.links.iter().map(|(body, jacobian)| Link { body: *body, jacobian }).collect();
                    bodies.push(block.rows, &links)?;
                }
                Ok(bodies.into())
            }
            Self::Factor { dofs, starts, mass, h } => {
                let rows = starts.last().copied().unwrap_or(0);
                if !increasing(&starts) || dofs > mass.len() || rows > h.len() {
                    return Err(ProblemError::Layout { what: "M or H" });
                }
                let mass = Csc::from_triplets(dofs, dofs, &mass).ok_or(ProblemError::Layout { what: "M" })?;
                let h = Csc::from_triplets(dofs, rows, &h).ok_or(ProblemError::Layout { what: "H" })?;
                Ok(Factor::new(mass, h, starts)?.into())
            }
        }
    }
}
