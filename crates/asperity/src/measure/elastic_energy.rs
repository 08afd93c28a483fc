//! The elastic energy E(x) that a cloth or a solid stores at a moment.

use super::VertexMeasure;
use super::question::{AT, BODY, Question, vertices_at};
use crate::record::{RecordError, Recording};
use crate::table::{Fault, Variant};
use crate::world::Model;

/// Elastic energy of a cloth or a solid, J.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticEnergy {
    /// Number of the body.
    body: usize,
    /// When, s.
    at: f64,
}

impl VertexMeasure for ElasticEnergy {
    const TABLE: Variant = Variant {
        name: "elastic_energy",
        doc: "Elastic energy that a cloth or a solid stores, in J.",
        keys: &[BODY, AT],
    };

    fn read(question: &Question) -> Result<Self, Fault> {
        let (at, body) = (question.at()?, question.body()?);
        let made = &question.bodies[body];
        if made.elastic().is_none() {
            let reason = format!("`{}` is no cloth or solid: it stores no elastic energy", made.name);
            return Err(question.view.fault(BODY.name, reason));
        }
        Ok(Self { body, at })
    }

    fn value(&self, model: &Model, recording: &Recording) -> Result<Option<f64>, RecordError> {
        let Some(now) = vertices_at(recording, self.body, self.at)? else { return Ok(None) };
        let elastic = model.bodies.get(self.body).and_then(|body| body.elastic());
        Ok(elastic.map(|elastic| elastic.elasticity().energy(&now.positions)))
    }

    fn moment(&self) -> f64 {
        self.at
    }
}
