//! Small formulas of named variables, as scenes write them: `"0.3*sin(4*t)"`.
//!
//! Numbers (also 1e-6), + - * / ^, brackets, the usual functions (sin, cos, exp, ln, sqrt, abs, …), `PI` and `E`. From the tightest: functions
//! and brackets; `^`, right associative; signs; `*` and `/`; `+` and `-` (`precedence` has the grammar). What does not parse and names that are
//! not known are refused when the formula is made; evaluating one cannot fail.
//!
//! ```
//! use asperity::expression::Expression;
//!
//! let swing = Expression::parse("-0.5*t^2", &["t"])?;
//! assert_eq!(swing.value(&[2.0]), -2.0);
//! assert!(Expression::parse("2*q", &["t"]).unwrap_err().to_string().contains("`q`"));
//! # Ok::<(), asperity::expression::ExpressionError>(())
//! ```

mod precedence;
#[cfg(test)]
mod tests;

use exmex::{Express, FlatEx, FloatOpsFactory, MatchLiteral, NumberMatcher};

use precedence::Flaw;

/// A formula that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExpressionError {
    /// It does not parse.
    #[error("\"{text}\" is not a formula: {reason}")]
    Syntax {
        /// The formula.
        text: String,
        /// What the parser says.
        reason: String,
    },
    /// It uses a name that means nothing here.
    #[error("\"{text}\" uses `{name}`: known here are {known}, PI and E")]
    Unknown {
        /// The formula.
        text: String,
        /// The name.
        name: String,
        /// The names that can be used.
        known: String,
    },
}

/// Most variables that a formula may have.
const MOST: usize = 8;

/// Numbers as TOML and Rust have them, with an exponent; those of the parser itself have none.
#[derive(Clone, Debug)]
struct Numbers;

impl MatchLiteral for Numbers {
    fn is_literal(text: &str) -> Option<&str> {
        let mantissa = NumberMatcher::is_literal(text)?;
        let Some(rest) = text[mantissa.len()..].strip_prefix(['e', 'E']) else { return Some(mantissa) };
        let digits = rest.strip_prefix(['+', '-']).unwrap_or(rest);
        let count = digits.bytes().take_while(u8::is_ascii_digit).count();
        let end = mantissa.len() + 1 + (rest.len() - digits.len()) + count;
        Some(if count > 0 { &text[..end] } else { mantissa })
    }
}

/// A formula.
#[derive(Clone, Debug)]
pub struct Expression {
    text: String,
    formula: FlatEx<f64, FloatOpsFactory<f64>, Numbers>,
    /// Which of the known names each variable of the formula is.
    places: Vec<usize>,
}

impl Expression {
    /// Reads a formula of these names (at most 8).
    pub fn parse(text: &str, names: &[&str]) -> Result<Self, ExpressionError> {
        debug_assert!(names.len() <= MOST);
        let syntax = |reason: String| ExpressionError::Syntax { text: text.to_owned(), reason };
        if text.trim().is_empty() {
            return Err(syntax("it is empty".into()));
        }
        let unknown = |name: String| ExpressionError::Unknown { text: text.to_owned(), name, known: names.join(", ") };
        let bracketed = precedence::bracketed(text, names).map_err(|flaw| match flaw {
            Flaw::Syntax(reason) => syntax(reason),
            Flaw::Name(name) => unknown(name),
        })?;
        let formula = FlatEx::parse(&bracketed).map_err(|error| syntax(error.to_string()))?;
        let place = |name: &String| names.iter().position(|known| known == name).ok_or_else(|| unknown(name.clone()));
        let places = formula.var_names().iter().map(place).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { text: text.to_owned(), formula, places })
    }

    /// The formula as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it speaks of that name.
    pub fn uses(&self, name: &str) -> bool {
        self.formula.var_names().iter().any(|own| own == name)
    }

    /// Its value, with values for the names in the order given to [`Self::parse`]. NaN where the formula has none.
    pub fn value(&self, values: &[f64]) -> f64 {
        let mut own = [0.0; MOST];
        for (own, place) in own.iter_mut().zip(&self.places) {
            *own = values[*place];
        }
        self.formula.eval(&own[..self.places.len()]).unwrap_or(f64::NAN)
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.places == other.places
    }
}
