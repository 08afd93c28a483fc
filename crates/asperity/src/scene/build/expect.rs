//! Expectations.

use super::view::{Fault, View};
use crate::joint::{Joint, Spot};
use crate::nearest::did_you_mean;
use crate::scene::expect::{Expect, JointQuantity, Measure, Quantity, RunMeasure, matches};
use crate::scene::keys::Problems;

/// All expectations of a scene whose bodies have these names; the joints are none if the scene is wrong already.
pub(super) fn read(
    scene: &View,
    names: &[&str],
    joints: Option<&[Joint]>,
    end: f64,
    problems: &mut Problems,
) -> Vec<Expect> {
    let mut all = Vec::new();
    for entry in scene.names("expect") {
        // "none": switched off by a variant.
        let Some(view) = View::of(format!("expect.{}", entry.name), &entry.key, &entry.node) else { continue };
        let made = measure(&view, names, joints, end).and_then(|measure| {
            let (lower, upper) = bounds(&view)?;
            Ok(Expect { name: entry.name.clone(), measure, lower, upper })
        });
        match made {
            Ok(expect) => all.push(expect),
            Err((place, message)) => problems.push(&place, message),
        }
    }
    all
}

fn measure(view: &View, names: &[&str], joints: Option<&[Joint]>, end: f64) -> Result<Measure, Fault> {
    let along = view.vector("along").and_then(|v| v.try_normalize());
    let at = view.number("at").unwrap_or(end);
    if at > end {
        return Err(view.fault("at", format!("{at} is after the end of the run, at {end}")));
    }
    let body = || -> Result<usize, Fault> {
        match bodies(view, names)?[..] {
            [body] => Ok(body),
            ref many => Err(view.fault("body", format!("expected one body, found {} that match", many.len()))),
        }
    };
    let quantity = |quantity| Ok(Measure::Body { body: body()?, quantity, along, at });
    let beyond = |fraction| -> Result<Measure, Fault> {
        Ok(Measure::Beyond {
            bodies: bodies(view, names)?,
            along: along.unwrap_or(glam::DVec3::Y),
            beyond: view.number("beyond").unwrap_or(0.0),
            at,
            fraction,
        })
    };
    let of_joint =
        |quantity| -> Result<Measure, Fault> { Ok(Measure::Joint { joint: joint(view, joints)?, quantity, at }) };
    match view.text("measure").unwrap_or_default() {
        "position" => quantity(Quantity::Position),
        "displacement" => quantity(Quantity::Displacement),
        "velocity" | "speed" => quantity(Quantity::Velocity),
        "angular_velocity" => quantity(Quantity::AngularVelocity),
        "angle" => quantity(Quantity::Angle),
        "time_when" => Ok(Measure::TimeWhen { body: body()?, along, reach: view.number("reach").unwrap_or(0.0) }),
        "rest" => Ok(Measure::Rest { bodies: bodies(view, names)? }),
        "count" => beyond(false),
        "fraction" => beyond(true),
        "joint_position" => {
            let found = of_joint(JointQuantity::Position)?;
            if let Measure::Joint { joint, .. } = found
                && let Some(joint) = joints.and_then(|all| all.get(joint))
                && joint.position([Spot::WORLD; 2]).is_none()
            {
                let reason =
                    format!("a {} joint has no position: nothing of it is free, or too much", joint.kind.name());
                return Err(view.fault("joint", reason));
            }
            Ok(found)
        }
        "joint_force" => of_joint(JointQuantity::Force),
        "joint_torque" => of_joint(JointQuantity::Torque),
        other => match RunMeasure::ALL.into_iter().find(|measure| measure.name() == other) {
            Some(measure) => Ok(Measure::Run(measure)),
            None => Err(view.fault("measure", format!("\"{other}\" is no measure"))),
        },
    }
}

/// The joint of the name that is given.
fn joint(view: &View, joints: Option<&[Joint]>) -> Result<usize, Fault> {
    let (name, Some(joints)) = (view.text("joint").unwrap_or_default(), joints) else { return Ok(0) };
    joints.iter().position(|joint| joint.name == name).ok_or_else(|| {
        let hint = did_you_mean(name, joints.iter().map(|joint| joint.name.as_str()));
        view.fault("joint", format!("no joint has the name `{name}`{hint}"))
    })
}

/// The bodies that a name or pattern stands for.
fn bodies(view: &View, names: &[&str]) -> Result<Vec<usize>, Fault> {
    let pattern = view.text("body").unwrap_or_default();
    let found: Vec<usize> = (0..names.len()).filter(|&i| matches(pattern, names[i])).collect();
    if found.is_empty() {
        let hint = did_you_mean(pattern, names.iter().copied());
        let what = if pattern.contains('*') { "matches the pattern" } else { "has the name" };
        return Err(view.fault("body", format!("no body {what} `{pattern}`{hint}")));
    }
    Ok(found)
}

/// The smallest and the largest value that are right.
fn bounds(view: &View) -> Result<(Option<f64>, Option<f64>), Fault> {
    let Some(value) = view.number("value") else {
        if view.has("within") {
            return Err(view.fault("within", "needs a `value`"));
        }
        let (lower, upper) = (view.number("min"), view.number("max"));
        return match (lower, upper) {
            (None, None) => Err(view.own_fault("`value` and `within`, or `min` or `max`, are missing")),
            (Some(low), Some(high)) if low > high => {
                Err(view.fault("max", format!("{high} is less than min, which is {low}")))
            }
            bounds => Ok(bounds),
        };
    };
    view.at_most_one(&["value", "min"])?;
    view.at_most_one(&["value", "max"])?;
    let within = match (view.number("within"), view.text("within")) {
        (Some(number), _) => number,
        (None, Some(text)) => {
            let part = text.trim().strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
            let part = part.filter(|part| part.is_finite() && *part > 0.0).ok_or_else(|| {
                view.fault("within", format!("\"{text}\": expected a number, or a part such as \"0.5%\""))
            })?;
            if value == 0.0 {
                return Err(view.fault("within", "a part of 0 is 0: give a number"));
            }
            part / 100.0 * value.abs()
        }
        (None, None) => return Err(view.own_fault("`within` is missing: how far from the value the measure may be")),
    };
    Ok((Some(value - within), Some(value + within)))
}
