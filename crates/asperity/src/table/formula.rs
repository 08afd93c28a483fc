//! Formulas of the time t as values of a table.

use super::{Fault, Node};
use crate::expression::Expression;

/// Moments at which formulas must have a value.
const PROBES: usize = 256;

/// Times of a run at which formulas are tried.
pub(crate) fn probes(end: f64) -> impl Iterator<Item = f64> {
    (0..=PROBES).map(move |i| end * i as f64 / PROBES as f64)
}

/// A formula of t, times a factor; refused if it has no value somewhere in the run.
pub(crate) fn formula(node: &Node, path: &str, factor: &str, end: f64) -> Result<Expression, Fault> {
    let text = match (node.text(), node.number()) {
        (Some(text), _) => text.to_owned(),
        (None, Some(number)) => format!("({number})"),
        (None, None) => "0".to_owned(),
    };
    let refuse = |reason: String| Fault { place: node.place.clone(), message: format!("{path}: {reason}") };
    let text = if factor.is_empty() { text } else { format!("({text}){factor}") };
    let formula = Expression::parse(&text, &["t"]).map_err(|error| refuse(error.to_string()))?;
    for t in probes(end) {
        if !formula.value(&[t]).is_finite() {
            return Err(refuse(format!("\"{}\" has no finite value at t = {t}", node.text().unwrap_or(&text))));
        }
    }
    Ok(formula)
}
