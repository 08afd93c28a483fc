//! The slip without friction, for boxes of friction that lie along it (Andrews, Nassif, Erleben and Kry 2021, section
//! 5.5).
//!
//! The problem of the step with μ = 0 at all contacts, its joints included, is relaxed by a few sweeps of
//! Gauss-Seidel's method; u_T at a contact is then where it would slide. Sweeps need not converge: of the slip only the
//! direction is used. A contact that is slower than [`RESTING`] |g| h slides nowhere: what is left of the sweeps must
//! not turn its box.

use asperity_friction::ContactLaw;
use asperity_friction::model::Model as _;
use asperity_solve::solver::{ContactSolver as _, Frozen, ProxGaussSeidel, Solution, Stop};
use glam::DVec2;

use super::rows::Assembled;
use super::setup::Setup;
use crate::contact::Contact;
use crate::step::StepError;
use crate::step::joint_rows::JointRow;
use crate::world::ContactMemory;

/// Sweeps of the solve.
const SWEEPS: usize = 10;
/// Slower than this part of what gravity adds in a step is at rest.
const RESTING: f64 = 1e-3;
/// The same where there is no gravity, m/s.
const SLOWEST: f64 = 1e-9;

impl Setup<'_> {
    /// The slip in (t, b) of each contact without friction; nothing if no law asks for it.
    pub(super) fn frictionless_slips(
        &self,
        contacts: &[Contact],
        remembered: &[Option<&ContactMemory>],
        joints: &[JointRow],
    ) -> Result<Vec<DVec2>, StepError> {
        if !contacts.iter().any(|contact| self.model.interaction(contact.pair).law.depends().frictionless) {
            return Ok(Vec::new());
        }
        let none = ContactLaw::default();
        let rows = none.rows() + 1;
        let Assembled { problem, mut start, .. } = self.assemble(contacts, remembered, joints, |_| rows)?;
        // Normal impulses of the last step are a start, friction is not.
        for contact in start.chunks_exact_mut(rows).take(contacts.len()) {
            contact[1..].fill(0.0);
        }
        let mut solution = Solution { r: start, u: Vec::new() };
        let solver = ProxGaussSeidel { sweeps: SWEEPS, ..ProxGaussSeidel::default() };
        let mut laws = Frozen(vec![none; contacts.len()]);
        solver.solve(&problem, &mut laws, Stop::default(), &mut solution).map_err(|error| self.failed(error))?;
        let slowest = SLOWEST.max(RESTING * self.span.gained(self.model.gravity.length()));
        let slip = |u: &[f64]| Some(DVec2::new(u[1], u[2])).filter(|u| u.length() > slowest).unwrap_or_default();
        Ok(solution.u.chunks_exact(rows).take(contacts.len()).map(slip).collect())
    }
}
