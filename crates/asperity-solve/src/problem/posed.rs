//! A contact problem together with what a solver needs besides: its laws and a start.

use asperity_friction::ContactLaw;

use super::contact_problem::ContactProblem;

/// A problem that can be solved.
#[derive(Clone, Debug)]
pub struct Posed {
    /// The problem.
    pub problem: ContactProblem,
    /// The laws of its contacts.
    pub laws: Vec<ContactLaw>,
    /// The impulses to start from.
    pub start: Vec<f64>,
}
