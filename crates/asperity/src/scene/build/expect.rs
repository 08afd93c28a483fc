//! Expectations.

use crate::body::Body;
use crate::joint::Joint;
use crate::measure::{Measure, Question};
use crate::scene::expect::Expect;
use crate::scene::keys::Problems;
use crate::table::{Fault, View};

/// All expectations of a scene with these bodies; the joints are `None` if the scene is wrong already.
pub(super) fn read(
    scene: &View,
    bodies: &[Body],
    joints: Option<&[Joint]>,
    end: f64,
    problems: &mut Problems,
) -> Vec<Expect> {
    let mut all = Vec::new();
    for entry in scene.names("expect") {
        // "none": switched off by a variant.
        let Some(view) = View::of(format!("expect.{}", entry.name), &entry.key, &entry.node) else { continue };
        let question = Question { view: &view, bodies, joints, end };
        let made = Measure::read(&question).and_then(|measure| {
            let Bounds { lower, upper } = bounds(&view)?;
            Ok(Expect { name: entry.name.clone(), measure, lower, upper })
        });
        match made {
            Ok(expect) => all.push(expect),
            Err(Fault { place, message }) => problems.push(&place, message),
        }
    }
    all
}

/// The smallest and the largest value that are right; `None` where there is no limit.
struct Bounds {
    lower: Option<f64>,
    upper: Option<f64>,
}

fn bounds(view: &View) -> Result<Bounds, Fault> {
    let Some(value) = view.number("value") else { return limits(view) };
    view.at_most_one(&["value", "min"])?;
    view.at_most_one(&["value", "max"])?;
    let within = within(view, value)?;
    Ok(Bounds { lower: Some(value - within), upper: Some(value + within) })
}

/// By `min` and `max`; without both the measure is a figure, which nothing is expected of.
fn limits(view: &View) -> Result<Bounds, Fault> {
    if view.has("within") {
        return Err(view.fault("within", "needs a `value`"));
    }
    let (lower, upper) = (view.number("min"), view.number("max"));
    match (lower, upper) {
        (Some(low), Some(high)) if low > high => {
            Err(view.fault("max", format!("{high} is less than min, which is {low}")))
        }
        _ => Ok(Bounds { lower, upper }),
    }
}

/// How far from the value a measure may be.
fn within(view: &View, value: f64) -> Result<f64, Fault> {
    if let Some(number) = view.number("within") {
        return Ok(number);
    }
    let Some(text) = view.text("within") else {
        return Err(view.own_fault("`within` is missing: how far from the value the measure may be"));
    };
    let percent = text.trim().strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    let Some(percent) = percent.filter(|percent| percent.is_finite() && *percent > 0.0) else {
        return Err(view.fault("within", format!("\"{text}\": expected a number, or a part such as \"0.5%\"")));
    };
    if value == 0.0 {
        return Err(view.fault("within", "a part of 0 is 0: give a number"));
    }
    Ok(percent / 100.0 * value.abs())
}
