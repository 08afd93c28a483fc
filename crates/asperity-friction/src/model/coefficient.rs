//! A coefficient of a law: a number of the pair, or the coefficients of both surfaces, combined.
//!
//! In a file it is a number, or the name of a rule: `mu = 0.4`, `mu = "geometric_mean"`. With a rule ∘ the coefficient at a contact is
//! μ = μ_A ∘ μ_B, where μ_A and μ_B are what the surfaces say at the contact ([`SurfaceSample`](crate::SurfaceSample)), which may vary along
//! them. Every rule is symmetric, so that swapping A and B changes nothing.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::Combine;
use crate::error::{FrictionError, non_negative};

/// A number, or the rule that combines those of the surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Coefficient {
    /// The same at every contact of the pair.
    Fixed(f64),
    /// From the coefficients of both surfaces.
    Combined(Combine),
}

impl Coefficient {
    /// The coefficient between surfaces that have `a` and `b`.
    #[inline]
    pub fn between(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Fixed(value) => value,
            Self::Combined(rule) => rule.apply(a, b),
        }
    }

    /// Refuses a number that is negative, NaN or infinite.
    pub(super) fn validate(self, name: &'static str) -> Result<(), FrictionError> {
        match self {
            Self::Fixed(value) => non_negative(name, value).map(|_| ()),
            Self::Combined(_) => Ok(()),
        }
    }
}

impl From<f64> for Coefficient {
    fn from(value: f64) -> Self {
        Self::Fixed(value)
    }
}

impl From<Combine> for Coefficient {
    fn from(rule: Combine) -> Self {
        Self::Combined(rule)
    }
}

/// Not by the derived way for untagged enums, whose errors say neither what was found nor what is expected.
impl<'de> Deserialize<'de> for Coefficient {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl Visitor<'_> for Reader {
            type Value = Coefficient;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("a number or a rule")
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Coefficient, E> {
                Ok(Coefficient::Fixed(value))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Coefficient, E> {
                Ok(Coefficient::Fixed(value as f64))
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<Coefficient, E> {
                Ok(Coefficient::Fixed(value as f64))
            }
            fn visit_str<E: Error>(self, name: &str) -> Result<Coefficient, E> {
                let rule = serde::de::value::StrDeserializer::<E>::new(name);
                Combine::deserialize(rule).map(Coefficient::Combined)
            }
        }

        deserializer.deserialize_any(Reader)
    }
}
