//! `summary.json`: what a run was expected to show, what it showed, and what it cost.

use serde::{Deserialize, Serialize};

use super::error::{RecordError, finite};
use crate::step::PhaseSeconds;

/// Something that a scene says must hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Expectation {
    /// What is measured.
    pub name: String,
    /// What was measured; none if the run did not get that far.
    pub value: Option<f64>,
    /// Smallest value that is right; any if none.
    pub lower: Option<f64>,
    /// Largest value that is right; any if none.
    pub upper: Option<f64>,
    /// Whether the value is within its bounds. A figure, which has none, always is.
    pub pass: bool,
}

impl Expectation {
    /// Judges a value. One that is missing or not a number does not pass, unless nothing is expected of it.
    pub fn new(name: impl Into<String>, value: Option<f64>, lower: Option<f64>, upper: Option<f64>) -> Self {
        let value = value.filter(|value| value.is_finite());
        let within = |value: f64| lower.is_none_or(|lower| value >= lower) && upper.is_none_or(|upper| value <= upper);
        let figure = lower.is_none() && upper.is_none();
        Self { name: name.into(), value, lower, upper, pass: figure || value.is_some_and(within) }
    }
}

/// Sums over a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Simulated seconds.
    pub time: f64,
    /// Steps.
    pub steps: usize,
    /// Frames that were recorded.
    pub frames: usize,
    /// Contacts in all steps.
    pub contacts: usize,
    /// Most contacts in a step.
    pub most_contacts: usize,
    /// Iterations in all steps.
    pub iterations: usize,
    /// Steps that the solver did not converge in.
    pub unconverged: usize,
}

/// Seconds on the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Timings {
    /// From the start to the end.
    pub total: f64,
    /// Phases, summed over all steps.
    #[serde(flatten)]
    pub phases: PhaseSeconds,
}

/// How exactly the contact problems of a run were solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Accuracy {
    /// Residual that was asked for.
    pub tolerance: f64,
    /// Largest residual that a step was allowed to end with.
    pub limit: f64,
    /// Largest residual of a step.
    pub worst_residual: f64,
    /// Steps that ended above the tolerance, and were accepted.
    pub steps_above_tolerance: usize,
}

/// All about a run. Keys are written in the order of the fields.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Name of the scene.
    pub scene: String,
    /// Which of its variants; none if it has none.
    pub variant: Option<String>,
    /// Version of the program.
    pub version: String,
    /// What tells the scene, its variant and its overrides from others; `None` if the run was not told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// Whether all expectations are met.
    pub pass: bool,
    /// Each of them.
    pub expectations: Vec<Expectation>,
    /// What the solver was asked for and what it reached.
    pub accuracy: Accuracy,
    /// Sums.
    pub totals: Totals,
    /// Costs.
    pub timings: Timings,
}

impl Summary {
    /// A summary by this version of the program.
    pub fn new(scene: impl Into<String>, variant: Option<String>, expectations: Vec<Expectation>) -> Self {
        Self {
            scene: scene.into(),
            variant,
            version: env!("CARGO_PKG_VERSION").into(),
            fingerprint: None,
            pass: expectations.iter().all(|expectation| expectation.pass),
            expectations,
            accuracy: Accuracy::default(),
            totals: Totals::default(),
            timings: Timings::default(),
        }
    }

    /// The summary as JSON text. JSON has no infinity: bounds that are not finite are refused.
    pub fn to_json(&self) -> Result<String, RecordError> {
        for expectation in &self.expectations {
            let place = || format!("expectation '{}'", expectation.name);
            for (what, bound) in [("the lower bound", expectation.lower), ("the upper bound", expectation.upper)] {
                bound.map_or(Ok(()), |value| finite(value, what, place))?;
            }
        }
        let place = || "summary".to_owned();
        finite(self.totals.time, "the time", place)?;
        let s = &self.timings.phases;
        for seconds in [self.timings.total, s.detect, s.law, s.solve, s.integrate, s.record] {
            finite(seconds, "a timing", place)?;
        }
        let text = serde_json::to_string_pretty(self);
        text.map(|text| text + "\n").map_err(|error| RecordError::Encode { what: "JSON", reason: error.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn bounds_belong_to_the_range() {
        let pass = |value, lower, upper| Expectation::new("x", value, lower, upper).pass;
        assert!(pass(Some(1.0), Some(1.0), Some(1.0)) && pass(Some(1.0), None, None));
        assert!(!pass(Some(1.1), None, Some(1.0)) && !pass(Some(0.9), Some(1.0), None));
        assert!(!pass(None, Some(1.0), None) && !pass(Some(f64::NAN), None, Some(1.0)), "nothing was measured");
        assert!(pass(None, None, None) && pass(Some(f64::NAN), None, None), "nothing is expected");
    }

    #[test]
    fn keys_have_one_order_and_values_their_place() {
        let expectations = vec![
            Expectation::new("distance", Some(0.25), Some(0.2), None),
            Expectation::new("angle", None, None, Some(1.0)),
        ];
        let mut summary = Summary::new("slope", Some("steep".into()), expectations);
        summary.totals = Totals { steps: 7, time: 0.5, ..Totals::default() };
        summary.timings.phases.solve = 0.125;
        let text = summary.to_json().unwrap();
        let keys = ["scene", "variant", "version", "pass", "expectations", "lower", "totals", "timings", "detect"];
        let places: Vec<_> = keys.iter().map(|key| text.find(&format!("\"{key}\":")).unwrap()).collect();
        // The first "pass" is that of the whole.
        assert!(places.is_sorted(), "{places:?}");
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["pass"], false);
        assert_eq!(value["expectations"][0]["pass"], true);
        assert_eq!(value["expectations"][1]["value"], Value::Null);
        assert_eq!(value["totals"]["steps"], 7);
        assert_eq!(value["timings"]["solve"], 0.125);
        assert_eq!(value["variant"], "steep");
    }

    #[test]
    fn numbers_that_json_lacks_are_refused() {
        let endless = Expectation::new("x", Some(1.0), None, Some(f64::INFINITY));
        let error = Summary::new("s", None, vec![endless]).to_json().unwrap_err().to_string();
        assert!(error.contains("'x'") && error.contains("upper"), "{error}");
        let mut summary = Summary::new("s", None, vec![]);
        summary.timings.total = f64::NAN;
        assert!(summary.to_json().is_err());
    }
}
