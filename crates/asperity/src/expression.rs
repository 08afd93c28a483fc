//! Small formulas of named variables, as scenes write them: `"0.3*sin(4*t)"`.
//!
//! Numbers (also 1e-6), + - * / ^, brackets, the usual functions (sin, cos, exp, ln, sqrt, abs, …), `PI` and `E`. What does not parse and names
//! that are not known are refused when the formula is made; evaluating one cannot fail.

use exmex::{Express, FlatEx, FloatOpsFactory, MatchLiteral, NumberMatcher};

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
        let formula = FlatEx::parse(text).map_err(|error| syntax(error.to_string()))?;
        let place = |name: &String| {
            names.iter().position(|known| known == name).ok_or_else(|| ExpressionError::Unknown {
                text: text.to_owned(),
                name: name.clone(),
                known: names.join(", "),
            })
        };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_have_the_values_of_the_standard_library() {
        let f = Expression::parse("0.3*sin(4*t) + x^2/2 - -1", &["t", "x", "unused"]).unwrap();
        for (t, x) in [(0.0, 1.0), (0.7, -3.0), (1e3, 0.5)] {
            let expected = 0.3 * f64::sin(4.0 * t) + x * x / 2.0 + 1.0;
            assert!((f.value(&[t, x, f64::NAN]) - expected).abs() < 1e-14);
        }
        assert_eq!(Expression::parse("2", &[]).unwrap().value(&[]), 2.0);
        assert!((Expression::parse("cos(PI)", &["t"]).unwrap().value(&[0.0]) + 1.0).abs() < 1e-15);
    }

    #[test]
    fn numbers_may_have_exponents() {
        for (text, expected) in [
            ("1e-6", 1e-6),
            ("-2.5E+3*t", -5000.0),
            ("1+4e2-t", 399.0),
            ("3*E", 3.0 * std::f64::consts::E),
            ("1e2^2", 1e4),
        ] {
            let found = Expression::parse(text, &["t"]).unwrap().value(&[2.0]);
            assert!((found - expected).abs() <= 1e-12 * expected.abs(), "{text}: {found}");
        }
        for text in ["1e", "1e+", "2e-t", "1.5.2e3"] {
            assert!(Expression::parse(text, &["t"]).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_no_formula_is_refused() {
        for text in ["", "  ", "1 +", "sin(", "3 $ 4", "(t", "t)"] {
            assert!(matches!(Expression::parse(text, &["t"]), Err(ExpressionError::Syntax { .. })), "{text}");
        }
        let error = Expression::parse("tt + 1", &["t", "x"]).unwrap_err().to_string();
        assert!(error.contains("`tt`") && error.contains("t, x"), "{error}");
        // Constants are written in capitals: who writes them otherwise is told.
        let error = Expression::parse("cos(pi*t)", &["t"]).unwrap_err().to_string();
        assert!(error.contains("`pi`") && error.contains("t, PI and E"), "{error}");
    }
}
