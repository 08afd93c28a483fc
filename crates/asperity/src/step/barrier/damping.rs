//! Rayleigh damping of a step: D = α M + β K(x(t)).

use asperity_solve::problem::SymmetricPattern;
use glam::{DMat3, DVec3};

use super::matrix::Matrix;
use crate::body::Elastic;
use crate::step::implicit::{FreeStep, Freedom, Span};

/// D = α M + β K(x(t)) of elastic bodies, and the damping of rigid ones.
pub(super) struct Damping {
    pattern: SymmetricPattern,
    /// In the slots of the base; empty without damping.
    pub(super) values: Vec<f64>,
}

impl Damping {
    /// At the start of a step.
    pub(super) fn new(Span { model, state, .. }: Span, free: &FreeStep, matrix: &Matrix) -> Self {
        let material = |own: &Elastic| own.damping().mass > 0.0 || own.damping().stiffness > 0.0;
        let any = model.bodies.iter().filter_map(|body| body.elastic()).any(material);
        let pattern = matrix.base().clone();
        if !any && model.damping == 0.0 && model.angular_damping == 0.0 {
            return Self { pattern, values: Vec::new() };
        }
        let (mut values, mut hessians) = (matrix.base_values(), Vec::new());
        let diagonal = |x: f64| DMat3::from_diagonal(DVec3::splat(x));
        for (number, (body, at)) in model.bodies.iter().zip(&state.bodies).enumerate() {
            match (free.freedom(number), body.elastic(), at.mesh()) {
                (Freedom::Rigid(dof), ..) => {
                    matrix.add_diagonal(dof, &diagonal(model.damping), &mut values);
                    matrix.add_diagonal(dof + 3, &diagonal(model.angular_damping), &mut values);
                }
                (Freedom::Vertices(dofs), Some(elastic), Some(at)) => {
                    let rate = elastic.damping().mass + model.damping / elastic.mass();
                    for (mass, dof) in elastic.masses().iter().zip(dofs).filter_map(|(m, dof)| Some((m, (*dof)?))) {
                        matrix.add_diagonal(dof as usize, &diagonal(rate * mass), &mut values);
                    }
                    // Projected: damping must not drive.
                    elastic.elasticity().hessians(&at.positions, true, &mut hessians);
                    matrix.add_elastic(number, &hessians, elastic.damping().stiffness, &mut values);
                }
                _ => (),
            }
        }
        Self { pattern, values }
    }

    /// D x.
    pub(super) fn times(&self, way: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; way.len()];
        self.pattern.multiply(&self.values, way, &mut out);
        out
    }
}
