//! Stored problems with closed forms.

use asperity_friction::model::{FrictionModel, TensorRule};
use asperity_friction::tensor::SurfaceTensor;
use asperity_friction::{ContactFrame, ContactLaw, ContactState, SurfaceSample};
use asperity_solve::problem::files::{Csc, LocalProblem, Snapshot, write_siconos_text};
use asperity_solve::problem::{BlockMatrix, ContactProblem, RowKind};
use glam::DVec3;

use super::Bench;

/// The last column of a table of impulses.
pub(crate) fn impulses(bench: &Bench, name: &str) -> Vec<f64> {
    let text = String::from_utf8(bench.read(name)).unwrap();
    text.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().parse().unwrap()).collect()
}

/// Contacts that do not act on each other, each a unit mass that arrives with 1 m/s and slides with 2 m/s: r = (1, -0.3, 0).
pub(crate) fn sliding(contacts: usize) -> String {
    text(contacts, &[-1.0, 2.0, 0.0].repeat(contacts), 0.0)
}

/// A problem as Siconos text: W = 1 on the diagonal, `coupling` elsewhere.
pub(crate) fn text(contacts: usize, q: &[f64], coupling: f64) -> String {
    let rows = 3 * contacts;
    let value = |i: usize, j: usize| if i == j { 1.0 } else { coupling };
    let entries: Vec<_> = (0..rows * rows).map(|k| (k / rows, k % rows, value(k / rows, k % rows))).collect();
    let w = Csc::from_triplets(rows, rows, &entries).unwrap();
    let problem = LocalProblem { w, q: q.to_vec(), mu: vec![0.3; contacts], guesses: Vec::new() };
    let mut text = Vec::new();
    write_siconos_text(&problem, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// The problem of [`sliding`] with one contact, this law and this start, as a snapshot.
pub(crate) fn snapshot(law: ContactLaw, start: &[f64]) -> String {
    let w = BlockMatrix::from_entries(&[0, 3], (0..3).map(|i| (i, i, 1.0)));
    let problem = ContactProblem::new(w, vec![-1.0, 2.0, 0.0], vec![RowKind::Contact]).unwrap();
    Snapshot::new(&problem, &[law], start).to_json()
}

/// A slip rule: no set, so that half of the solvers refuse it. Both surfaces resist alike in every direction.
pub(crate) fn slip_rule(mu: f64) -> ContactLaw {
    let tensor = SurfaceTensor::orthotropic(mu, mu, 0.0).unwrap();
    let surface = SurfaceSample { tensor, tangent: DVec3::X, ..SurfaceSample::default() };
    let state = ContactState::new(ContactFrame::new(DVec3::Y, DVec3::X).unwrap(), surface, surface);
    FrictionModel::from(TensorRule::default()).law(&state).unwrap()
}
