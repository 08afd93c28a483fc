//! Directions as formulas: `"[1, 0, 0.3*sin(4*x)]"`.
//!
//! Three formulas are the components in the body's frame; two are those along the skin's tangent and bitangent. They may speak of the
//! place x, y, z in the body's frame (metres), the texture coordinates u, v, and the time t (seconds).

use asperity_friction::FrictionError;
use asperity_friction::field::SurfacePoint;
use glam::DVec3;

use super::Needs;
use crate::expression::{Expression, ExpressionError};

/// The names that a formula may use.
pub const FIELD_NAMES: &[&str] = &["x", "y", "z", "u", "v", "t"];
/// Numbers and names in one component, at most: as many as are evaluated without asking for memory.
const MOST_TERMS: usize = 32;

/// A text that is no direction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormulaError {
    /// Not of the form [a, b, c].
    #[error(
        "\"{text}\": expected \"[a, b, c]\" with formulas along x, y, z, or \"[a, b]\" along tangent and bitangent"
    )]
    Form {
        /// The text.
        text: String,
    },
    /// One of the components is no formula.
    #[error(transparent)]
    Component(#[from] ExpressionError),
    /// One of the components is too long.
    #[error("\"{text}\" has {terms} numbers and names: at most {MOST_TERMS}")]
    Long {
        /// The component.
        text: String,
        /// How many it has.
        terms: usize,
    },
}

/// A direction whose components are formulas.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    components: Vec<Expression>,
}

impl Formula {
    /// Reads `"[a, b, c]"` or `"[a, b]"`.
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        let form = || FormulaError::Form { text: text.to_owned() };
        let inner = text.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).ok_or_else(form)?;
        let parts = split(inner);
        if !(2..=3).contains(&parts.len()) || parts.iter().any(|part| part.trim().is_empty()) {
            return Err(form());
        }
        let mut components = Vec::with_capacity(parts.len());
        for part in parts {
            components.push(component(part)?);
        }
        Ok(Self { components })
    }

    /// The direction; an error where it is no number.
    pub fn direction(&self, at: &SurfacePoint, time: f64) -> Result<DVec3, FrictionError> {
        let values = values(at, time);
        let of = |i: usize| self.components[i].value(&values);
        let direction = match self.components.len() {
            2 => at.tangent * of(0) + at.normal.cross(at.tangent) * of(1),
            _ => DVec3::new(of(0), of(1), of(2)),
        };
        if direction.is_finite() {
            Ok(direction)
        } else {
            Err(FrictionError::NotFinite { name: "direction of a formula", value: direction })
        }
    }

    /// What it must be told.
    pub fn needs(&self) -> Needs {
        let coordinates = self.components.len() == 2 || self.uses("u") || self.uses("v");
        if coordinates { Needs::Coordinates } else { Needs::Place }
    }

    /// Whether it speaks of the time.
    pub fn changes(&self) -> bool {
        self.uses("t")
    }

    fn uses(&self, name: &str) -> bool {
        self.components.iter().any(|component| component.uses(name))
    }
}

/// A formula of the names of a field.
pub(super) fn component(text: &str) -> Result<Expression, FormulaError> {
    let terms = terms(text);
    if terms > MOST_TERMS {
        return Err(FormulaError::Long { text: text.trim().to_owned(), terms });
    }
    Ok(Expression::parse(text.trim(), FIELD_NAMES)?)
}

/// The values of [`FIELD_NAMES`].
#[inline]
pub(super) fn values(at: &SurfacePoint, time: f64) -> [f64; 6] {
    let p = at.position;
    [p.x, p.y, p.z, at.uv.x, at.uv.y, time]
}

/// Parts between commas that are in no brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

/// How many numbers and names there are, or a few more: functions are none, and a number with a signed exponent counts twice.
fn terms(text: &str) -> usize {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let (mut count, mut inside) = (0, false);
    for c in text.chars() {
        if word(c) && !inside {
            count += 1;
        }
        if c == '(' && inside {
            count -= 1;
        }
        inside = word(c);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec2;

    fn at() -> SurfacePoint {
        SurfacePoint {
            position: DVec3::new(0.3, -1.2, 2.0),
            normal: DVec3::Y,
            tangent: DVec3::X,
            uv: DVec2::new(0.25, 0.75),
            ..SurfacePoint::default()
        }
    }

    #[test]
    fn formulas_have_the_values_of_the_standard_library() {
        let field = Formula::parse("[1, 0, 0.3*sin(4*x)]").unwrap();
        let d = field.direction(&at(), 7.0).unwrap();
        assert!((d - DVec3::new(1.0, 0.0, 0.3 * f64::sin(1.2))).length() < 1e-15);
        assert_eq!((field.needs(), field.changes()), (Needs::Place, false));
        let field = Formula::parse(" [ cos(t*u), sin(t*v) ] ").unwrap();
        let d = field.direction(&at(), 2.0).unwrap();
        // The bitangent of y and x is −z.
        assert!((d - DVec3::new(0.5f64.cos(), 0.0, -(1.5f64.sin()))).length() < 1e-15);
        assert_eq!((field.needs(), field.changes()), (Needs::Coordinates, true));
        let field = Formula::parse("[x^2, atan2(y, z), -z/2]").unwrap();
        let d = field.direction(&at(), 0.0).unwrap();
        assert!((d - DVec3::new(0.09, f64::atan2(-1.2, 2.0), -1.0)).length() < 1e-15, "{d}");
    }

    #[test]
    fn what_is_no_direction_is_refused_with_the_reason() {
        for text in ["", "1", "[]", "[1]", "[1, 2, 3, 4]", "[1, , 2]", "1, 2, 3", "[1, 2, 3", "(1, 2, 3)"] {
            assert!(matches!(Formula::parse(text), Err(FormulaError::Form { .. })), "{text}");
        }
        let error = Formula::parse("[1, 0, sin(4*x]").unwrap_err().to_string();
        assert!(error.contains("sin(4*x"), "{error}");
        let error = Formula::parse("[1, 0, sin(4*w)]").unwrap_err().to_string();
        assert!(error.contains("`w`") && error.contains("x, y, z, u, v, t"), "{error}");
        let long = format!("[1, 0, {}]", vec!["x"; 40].join("+"));
        assert!(Formula::parse(&long).unwrap_err().to_string().contains("40 numbers and names"));
        let fits = format!("[1, 0, {}]", vec!["sin(x)"; 32].join("+"));
        assert!(Formula::parse(&fits).is_ok());
    }

    #[test]
    fn what_has_no_value_is_an_error_and_no_nan() {
        let field = Formula::parse("[1, 0, ln(x)]").unwrap();
        let below = SurfacePoint { position: DVec3::NEG_X, ..at() };
        let error = field.direction(&below, 0.0).unwrap_err().to_string();
        assert!(error.contains("formula") && error.contains("NaN"), "{error}");
    }
}
