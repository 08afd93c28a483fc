//! Friction tensors of both surfaces, composed (Pabst, Thomaszewski and Straßer 2009), as two laws:
//!
//! * [`TensorRule`], the paper's: the force is a direct function of the slip direction, f = −λn L v̂ (eq. 3);
//! * [`TensorCone`]: the elliptic cone that L spans (Erleben et al. 2020, A.10 and A.11), with maximum dissipation. It is a
//!   different law: diag(0.2, 1) at 45° resists with 0.60 by the rule and 0.72 by the cone.
//!
//! Q_A and Q_B are in the frames of their surfaces, which face each other: Q_B' = E Q_B Eᵀ, with det E = −1 for one of
//! them. Compositions, all symmetric in A and B:
//!
//! * additive: L = κ (Q_A' + Q_B');
//! * product, for symmetric positive tensors: exp(log Q_A' + log Q_B'), which is zero when either is; a tensor of rank one
//!   confines the product to its line;
//! * minimum: in each direction the rule with the smaller resistance.

use glam::{DMat2, DVec2};
use serde::{Deserialize, Serialize};

use super::Model;
use crate::error::{FrictionError, non_negative};
use crate::law::ContactLaw;
use crate::set::{Catalogued, Ellipse};
use crate::slip_rule::{Composition, SlipRule};
use crate::state::{ContactState, Side};
use crate::symmetric::{Eigen2, Symmetric2};
use crate::tensor::{QuadrantTensor, SurfaceTensor};

/// How the tensors of two surfaces become one law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TensorComposition {
    /// κ times the sum.
    Additive {
        /// κ, one half in the paper.
        kappa: f64,
    },
    /// Product of symmetric positive tensors.
    Product,
    /// The smaller resistance in each direction.
    Minimum,
}

impl Default for TensorComposition {
    fn default() -> Self {
        Self::Additive { kappa: 0.5 }
    }
}

impl TensorComposition {
    fn validate(&self) -> Result<(), FrictionError> {
        match self {
            Self::Additive { kappa } => non_negative("kappa", *kappa).map(|_| ()),
            Self::Product | Self::Minimum => Ok(()),
        }
    }

    /// The slip rule of a contact; refused if it drives.
    fn rule(&self, state: &ContactState) -> Result<SlipRule, FrictionError> {
        let mut parts = [in_contact(state, Side::A)?, in_contact(state, Side::B)?];
        let composition = match self {
            Self::Additive { kappa } => {
                parts.iter_mut().for_each(|p| p.scale(*kappa));
                Composition::Sum
            }
            Self::Minimum => Composition::Smaller,
            Self::Product => {
                let [a, b] = [Side::A, Side::B].map(|side| symmetric(state, side));
                let product = product(a?, b?).to_matrix();
                parts =
                    [QuadrantTensor { frame: DMat2::IDENTITY, plus: product, minus: product }, QuadrantTensor::ZERO];
                Composition::Sum
            }
        };
        let rule = SlipRule { parts, composition };
        if !(state.a.tensor.brakes && state.b.tensor.brakes) {
            rule.check()?;
        }
        Ok(rule)
    }
}

/// The tensor of one side in the contact plane, acting on the slip of A over B. For A the other surface slides the
/// other way, which exchanges Q⁺ and Q⁻.
fn in_contact(state: &ContactState, side: Side) -> Result<QuadrantTensor, FrictionError> {
    let SurfaceTensor { plus, minus, .. } = state.surface(side).tensor;
    let frame = frame_of(state, side)?;
    Ok(match side {
        Side::A => QuadrantTensor { frame, plus: minus, minus: plus },
        Side::B => QuadrantTensor { frame, plus, minus },
    })
}

/// E of one side; a tensor that is the same in every direction needs no axes.
fn frame_of(state: &ContactState, side: Side) -> Result<DMat2, FrictionError> {
    let SurfaceTensor { plus, minus, .. } = state.surface(side).tensor;
    if plus == minus && plus == DMat2::IDENTITY * plus.x_axis.x {
        return Ok(DMat2::IDENTITY);
    }
    state.surface_to_contact(side, "a friction tensor")
}

/// E Q Eᵀ of one side, if Q is symmetric, positive and the same in both senses.
fn symmetric(state: &ContactState, side: Side) -> Result<Symmetric2, FrictionError> {
    let tensor = state.surface(side).tensor;
    let q = tensor.plus;
    let size = q.to_cols_array().iter().fold(0.0f64, |m, v| m.max(v.abs()));
    if !tensor.is_symmetric_in_sense() || (q.x_axis.y - q.y_axis.x).abs() > 1e-12 * size {
        return Err(FrictionError::Tensor {
            reason: "a product needs symmetric tensors that are the same in both senses",
        });
    }
    let symmetric = Symmetric2::part_of(q);
    if symmetric.eigen().values[0] < -1e-12 * size {
        return Err(FrictionError::Tensor { reason: "a product needs positive tensors" });
    }
    Ok(symmetric.congruent(frame_of(state, side)?))
}

/// exp(log P + log Q), and its limit where one of them is singular.
fn product(p: Symmetric2, q: Symmetric2) -> Symmetric2 {
    let line = |m: &Symmetric2| {
        let Eigen2 { values, axis } = m.eigen();
        (values[0] <= 1e-14 * values[1]).then_some((values[1].max(0.0), axis.perp()))
    };
    let along = |(value, axis): (f64, DVec2), log: Symmetric2| {
        Symmetric2::from_eigen([value * axis.dot(log.apply(axis)).exp(), 0.0], axis)
    };
    match (line(&p), line(&q)) {
        (None, None) => (p.map(f64::ln) + q.map(f64::ln)).map(f64::exp),
        (Some((0.0, _)), _) | (_, Some((0.0, _))) => Symmetric2::ZERO,
        (Some(l), None) => along(l, q.map(f64::ln)),
        (None, Some(l)) => along(l, p.map(f64::ln)),
        (Some((a, u)), Some((b, v))) => {
            if u.perp_dot(v).abs() <= 1e-12 {
                Symmetric2::from_eigen([a * b, 0.0], u)
            } else {
                Symmetric2::ZERO
            }
        }
    }
}

/// The force as a direct function of the slip direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TensorRule {
    /// How the surfaces' tensors compose.
    #[serde(default)]
    pub composition: TensorComposition,
}

impl Model for TensorRule {
    fn validate(&self) -> Result<(), FrictionError> {
        self.composition.validate()
    }

    fn evaluate(&self, state: &ContactState, law: &mut ContactLaw) -> Result<(), FrictionError> {
        *law = ContactLaw::Slip(self.composition.rule(state)?);
        Ok(())
    }
}

impl Catalogued for TensorRule {
    const NAME: &'static str = "tensor_rule";
    const SUMMARY: &'static str = "friction tensors of both surfaces: the force as a direct function of the slip";

    fn examples() -> Vec<Self> {
        [TensorComposition::default(), TensorComposition::Minimum, TensorComposition::Product]
            .map(|composition| Self { composition })
            .to_vec()
    }
}

/// The elliptic cone spanned by the composed tensor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TensorCone {
    /// How the surfaces' tensors compose: additive or product.
    #[serde(default)]
    pub composition: TensorComposition,
}

impl Model for TensorCone {
    fn validate(&self) -> Result<(), FrictionError> {
        if self.composition == TensorComposition::Minimum {
            return Err(FrictionError::Tensor {
                reason: "the minimum of two tensors is no tensor and has no elliptic cone",
            });
        }
        self.composition.validate()
    }

    fn evaluate(&self, state: &ContactState, law: &mut ContactLaw) -> Result<(), FrictionError> {
        self.validate()?;
        let same = |side: Side| state.surface(side).tensor.is_symmetric_in_sense();
        if !(same(Side::A) && same(Side::B)) {
            return Err(FrictionError::Tensor {
                reason: "asymmetric tensors (Q+ differs from Q-) have no elliptic cone",
            });
        }
        let rule = self.composition.rule(state)?;
        let linear = DMat2::from_cols(rule.resist(DVec2::X), rule.resist(DVec2::Y));
        // L Lᵀ = U diag(σ²) Uᵀ: the image of the unit circle is the ellipse with semi-axes σ along U.
        let Eigen2 { values, axis } = Symmetric2::part_of(linear * linear.transpose()).eigen();
        // The small singular value by the determinant, which keeps its digits.
        let large = values[1].max(0.0).sqrt();
        let small = if large > 0.0 { linear.determinant().abs() / large } else { 0.0 };
        *law = Ellipse { mu: [small, large], axis }.into();
        Ok(())
    }
}

impl Catalogued for TensorCone {
    const NAME: &'static str = "tensor_cone";
    const SUMMARY: &'static str =
        "friction tensors of both surfaces: the elliptic cone they span, with maximum dissipation";

    fn examples() -> Vec<Self> {
        [TensorComposition::default(), TensorComposition::Product].map(|composition| Self { composition }).to_vec()
    }
}
