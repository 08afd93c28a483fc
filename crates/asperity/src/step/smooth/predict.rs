//! The elastic step with gaps that stay open, under the friction of the step before, and which contacts take part in friction
//! after it.

use asperity_solve::solver::Status;

use super::Smooth;
use super::contacts::SmoothContact;
use super::fields::Fields;
use super::friction::takes_part;
use super::rows::Rows;
use crate::body::BodyState;
use crate::contact::MOST_ROWS;
use crate::step::implicit::{Accuracy, Begin, Constrained, Constraints, Span};
use crate::step::report::StepLog;
use crate::step::{StepError, StepperSettings};

/// The elastic step of a step.
pub(super) struct Predicted {
    /// The contacts that take part in friction, with the impulses that the velocities are made with.
    pub(super) contacts: Vec<SmoothContact>,
    /// How many there were.
    pub(super) count: usize,
    pub(super) v: Vec<f64>,
    /// The bodies there, with the inertias that the velocities are of.
    pub(super) bodies: Vec<BodyState>,
    /// What is left of the dynamics.
    pub(super) error: f64,
}

/// One solve of a step.
pub(super) struct Solve<'a> {
    /// The contacts, linear where the step begins or where the solve before ended.
    pub(super) found: Vec<SmoothContact>,
    /// Velocities that the solve before ended with.
    pub(super) before: Option<&'a [f64]>,
    /// Residual to solve to.
    pub(super) tolerance: f64,
}

impl Smooth {
    /// The elastic step with gaps that stay open, under the friction of the step before, or of the last solve of this one.
    pub(super) fn predict(
        &mut self,
        span: Span,
        fields: &Fields,
        Solve { found: mut contacts, before, tolerance }: Solve,
        log: &mut StepLog,
    ) -> Result<Predicted, StepError> {
        let Span { model, h, .. } = span;
        if !self.settings.smooth.forwarding {
            contacts.iter_mut().for_each(|own| own.r[1..].fill(0.0));
        }
        // Spin and rolling impulses of the step before, where there were any.
        let width = |own: &SmoothContact| if own.r[3..].iter().any(|r| *r != 0.0) { MOST_ROWS } else { 3 };
        let mut rows = Rows::new(&self.row_source(fields), &contacts, |i| width(&contacts[i]));
        // Nothing moves a contact of vertices that are all pinned.
        let count = contacts.len();
        let mut moves = (0..count).map(|i| !rows.jacobian.block(i).dofs.is_empty());
        contacts.retain(|_| moves.next().unwrap_or(true));
        if contacts.len() < count {
            rows = Rows::new(&self.row_source(fields), &contacts, |i| width(&contacts[i]));
        }
        if let Some(before) = before {
            let rates = rows.velocities(before);
            contacts.iter_mut().enumerate().for_each(|(i, own)| own.bound += rates[rows.range(i).start]);
        }
        let constraints = self.constraints(&contacts, &rows);
        let impulses = contacts.iter().map(|own| own.r[0]).collect();
        let velocities = before.map(<[f64]>::to_vec);
        let begin = Begin { impulses, velocities };
        let StepperSettings { iterations, time, limit, .. } = self.settings;
        let wanted = Accuracy { tolerance, iterations, time };
        let Constrained { v, bodies, r, error } =
            self.free.constrained(span, &constraints, begin, wanted, &mut log.effort)?;
        if error.is_nan() || error > limit {
            let status = Status::Iterations;
            return Err(StepError::Unconverged { t: span.state.time, residual: error, status, limit });
        }
        contacts.iter_mut().zip(&r).for_each(|(own, r)| own.r[0] = *r);
        let u = rows.velocities(&v);
        let size = model.bodies.iter().filter(|body| body.is_dynamic()).map(|body| body.reach()).fold(0.0, f64::max);
        let nearest = 2.0 * size * self.settings.smooth.prune;
        let mut rates = (0..contacts.len()).map(|i| u[rows.range(i).start]).collect::<Vec<_>>().into_iter();
        let count = contacts.len();
        contacts.retain(|own| takes_part(own, rates.next().unwrap_or(0.0), h, nearest));
        Ok(Predicted { contacts, count, v, bodies, error })
    }

    /// What the elastic step must obey: gaps that stay open, under the friction of the step before.
    fn constraints(&self, contacts: &[SmoothContact], rows: &Rows) -> Constraints {
        let mut friction: Vec<f64> = Vec::with_capacity(rows.given.len());
        for (i, own) in contacts.iter().enumerate() {
            friction.extend_from_slice(&own.r[..rows.range(i).len()]);
            friction[rows.range(i).start] = 0.0;
        }
        let mut push = vec![0.0; self.free.dofs()];
        rows.jacobian.add_response(&friction, &mut push);
        let bound = |(i, own): (usize, &SmoothContact)| own.bound - rows.given[rows.range(i).start];
        Constraints { rows: rows.normals(), bounds: contacts.iter().enumerate().map(bound).collect(), push }
    }
}
