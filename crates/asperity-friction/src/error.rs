//! What can be wrong with a friction law: the parameter, its value and the reason.
//!
//! ```
//! use asperity_friction::model::Matchstick;
//! let error = Matchstick::new(-0.2, 0.2, 3.0).unwrap_err();
//! assert!(error.to_string().contains("-0.2"));
//! ```

use glam::{DVec2, DVec3};

use crate::number::Written;

/// Invalid input to a set, a model or a field.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FrictionError {
    /// A coefficient, length, speed or load that is negative, NaN or infinite.
    #[error("{name} = {}: must be finite and not negative", Written(*value))]
    Negative {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A coefficient of a surface that is negative, NaN or infinite somewhere.
    #[error(
        "{name} = {} at [{}, {}, {}] in the body's frame: must be finite and not negative",
        Written(*value), Written(place.x), Written(place.y), Written(place.z)
    )]
    Coefficient {
        /// The coefficient.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Where.
        place: DVec3,
    },
    /// A number outside its range.
    #[error("{name} = {}: must be {expected}", Written(*value))]
    Range {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What was expected.
        expected: &'static str,
    },
    /// A vector with a NaN or infinite component.
    #[error("{name} = [{}, {}, {}]: must be finite", Written(value.x), Written(value.y), Written(value.z))]
    NotFinite {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: DVec3,
    },
    /// A direction that is not of length one (zero included).
    #[error(
        "{name} = [{}, {}, {}]: must be a unit vector, its length is {}",
        Written(value.x), Written(value.y), Written(value.z), Written(value.length())
    )]
    NotUnit {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: DVec3,
    },
    /// A direction that must lie in the plane of another and does not, or two that must be orthogonal.
    #[error("{name} = [{}, {}, {}]: must be orthogonal to {other}, their cosine is {cosine}", Written(value.x), Written(value.y), Written(value.z))]
    NotOrthogonal {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: DVec3,
        /// What it must be orthogonal to.
        other: &'static str,
        /// The cosine between them.
        cosine: f64,
    },
    /// A law needs an axis of a surface, and the surface does not have it.
    #[error("surface {side} has no tangent in the contact plane, and {needed_by} needs its axes")]
    NoAxis {
        /// "A" or "B".
        side: &'static str,
        /// What needs it.
        needed_by: &'static str,
    },
    /// A set that does not hold the origin would drive: it forbids the absence of a force.
    #[error("{name}: the set does not contain the origin, so friction would drive a slip along [{}, {}]", direction.x, direction.y)]
    NoOrigin {
        /// The set.
        name: &'static str,
        /// The slip that would be driven.
        direction: DVec2,
    },
    /// A polygon that is not convex and counter-clockwise.
    #[error("{name}: vertex {vertex} [{}, {}] is not convex (vertices go counter-clockwise)", Written(at.x), Written(at.y))]
    NotConvex {
        /// The set.
        name: &'static str,
        /// Index of the vertex.
        vertex: usize,
        /// Its position.
        at: DVec2,
    },
    /// A curve about the origin whose angles do not increase.
    #[error("{name}: vertex {vertex} [{}, {}] is not seen counter-clockwise from the origin", Written(at.x), Written(at.y))]
    NotStarShaped {
        /// The set.
        name: &'static str,
        /// Index of the vertex.
        vertex: usize,
        /// Its position.
        at: DVec2,
    },
    /// A friction tensor that does work on the slip instead of braking it.
    #[error(
        "friction tensor drives instead of braking: sliding along [{:.4}, {:.4}] gains {gain:.3e} of the load \
         (the symmetric part must be positive semidefinite)", direction.x + 0.0, direction.y + 0.0
    )]
    Drives {
        /// The slip direction with the largest gain.
        direction: DVec2,
        /// Power gained there per unit load and speed.
        gain: f64,
    },
    /// A tensor that the chosen composition or cone cannot use.
    #[error("friction tensor: {reason}")]
    Tensor {
        /// Why.
        reason: &'static str,
    },
    /// Too few or too many elements.
    #[error("{name} has {count} elements: {expected}")]
    Count {
        /// The list.
        name: &'static str,
        /// Its length.
        count: usize,
        /// What was expected.
        expected: &'static str,
    },
    /// A face or vertex index outside a mesh.
    #[error("{name} {index}: there are {count}")]
    Index {
        /// What is indexed.
        name: &'static str,
        /// The index.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A material that the pair table does not know and no rule covers.
    #[error("no friction is defined between materials {a} and {b}, and the table has no fallback rule")]
    Pair {
        /// One material.
        a: u32,
        /// The other.
        b: u32,
    },
    /// A set that cannot be combined in the way that was asked for.
    #[error("{name}: {reason}")]
    Unsupported {
        /// The set or model.
        name: &'static str,
        /// Why.
        reason: &'static str,
    },
}

/// `value`, when it is finite and not negative.
pub(crate) fn non_negative(name: &'static str, value: f64) -> Result<f64, FrictionError> {
    if value.is_finite() && value >= 0.0 { Ok(value) } else { Err(FrictionError::Negative { name, value }) }
}

/// `value`, when it is finite and positive.
pub(crate) fn positive(name: &'static str, value: f64) -> Result<f64, FrictionError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(FrictionError::Range { name, value, expected: "finite and positive" })
    }
}

/// `value`, when it is finite.
pub(crate) fn finite2(name: &'static str, value: DVec2) -> Result<DVec2, FrictionError> {
    if value.is_finite() { Ok(value) } else { Err(FrictionError::NotFinite { name, value: value.extend(0.0) }) }
}

/// How far a direction's squared length may be from one: round-off of a few operations, no more.
const UNIT_TOLERANCE: f64 = 1e-9;

/// `value`, when it is a unit vector.
pub(crate) fn unit(name: &'static str, value: DVec3) -> Result<DVec3, FrictionError> {
    if !value.is_finite() {
        return Err(FrictionError::NotFinite { name, value });
    }
    if (value.length_squared() - 1.0).abs() > UNIT_TOLERANCE {
        return Err(FrictionError::NotUnit { name, value });
    }
    Ok(value)
}

/// `value`, when it is a unit vector of the plane.
pub(crate) fn unit2(name: &'static str, value: DVec2) -> Result<DVec2, FrictionError> {
    unit(name, value.extend(0.0)).map(|v| v.truncate())
}

/// Checks that two unit vectors are orthogonal.
pub(crate) fn orthogonal(
    name: &'static str,
    value: DVec3,
    other: &'static str,
    reference: DVec3,
) -> Result<(), FrictionError> {
    let cosine = value.dot(reference);
    if cosine.abs() > UNIT_TOLERANCE {
        return Err(FrictionError::NotOrthogonal { name, value, other, cosine });
    }
    Ok(())
}
