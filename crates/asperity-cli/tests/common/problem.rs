//! Stored problems with closed forms.

use asperity_solve::problem::files::{Csc, LocalProblem, write_siconos_text};

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
