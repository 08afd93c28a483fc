//! What a pair does in every direction: the limit curve, the coefficient, the force.
//!
//! | quantity | meaning, per unit load |
//! | --- | --- |
//! | outline | boundary of the forces on A at which the contact sticks (law at rest) |
//! | limit(d) | the largest of them that points along d |
//! | coefficient(d) | dissipation while A slides along d, per speed |
//! | force(d) | friction force on A while it slides along d |

use asperity_friction::set::FrictionSet;
use asperity_friction::{ContactLaw, FrictionError, Tangential};
use glam::DVec2;

use super::dependence::{Dependence, Moments};
use super::law_text::{describe, layers};
use super::outline::{limit_along, outline, set_outline};
use super::pair::{Pair, degrees, direction};

/// One direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) angle_deg: f64,
    pub(crate) limit: DVec2,
    pub(crate) coefficient: f64,
    pub(crate) force: DVec2,
}

/// A value and the direction in which it occurs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extreme {
    pub(crate) value: f64,
    pub(crate) angle_deg: f64,
}

/// The force for one slip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlipForce {
    pub(crate) slip: Tangential,
    /// N, and N m about the normal.
    pub(crate) force: Tangential,
    /// Between the force in the plane and minus the slip in the plane; counter-clockwise is positive.
    pub(crate) turn_deg: f64,
    /// W; negative, since friction brakes.
    pub(crate) power: f64,
}

/// All directions of a pair.
#[derive(Clone, Debug)]
pub(crate) struct Survey {
    pub(crate) name: String,
    /// What the law is: the name of the set, or what it is instead.
    pub(crate) kind: String,
    /// The law and its parameters.
    pub(crate) law: String,
    /// Grain of A and B in the contact plane.
    pub(crate) structure: [Option<DVec2>; 2],
    /// Torques at unit load.
    pub(crate) moments: Moments,
    /// Over what the strength varies, along the direction of the largest coefficient.
    pub(crate) dependences: Vec<Dependence>,
    pub(crate) is_set: bool,
    pub(crate) outline: Vec<DVec2>,
    /// The direction set of a two-set law.
    pub(crate) hull: Option<Vec<DVec2>>,
    /// The outline while sliding, when the law depends on the slip.
    pub(crate) sliding: Option<Vec<DVec2>>,
    pub(crate) readings: Vec<Reading>,
    pub(crate) least: Extreme,
    pub(crate) largest: Extreme,
    /// Coefficients along t, b, −t, −b.
    pub(crate) axes: [f64; 4],
    /// Largest difference between sliding along d and along −d.
    pub(crate) asymmetry: Extreme,
    /// Largest angle (degrees) between the force and minus the slip.
    pub(crate) turn: Extreme,
    pub(crate) slip: Option<SlipForce>,
    pub(crate) load: f64,
    pub(crate) speed: f64,
}

impl Survey {
    /// Asks the law of `pair` in `samples` directions.
    pub(crate) fn of(pair: &Pair, samples: usize) -> Result<Self, FrictionError> {
        let rest = pair.law_at(Tangential::ZERO)?;
        let moving = Moving::of(pair, &rest)?;
        let outline = outline(&rest, samples);
        let reach = outline.iter().map(|f| f.length()).fold(0.0, f64::max);
        let mut readings = Vec::with_capacity(samples);
        for i in 0..samples {
            let angle_deg = 360.0 * i as f64 / samples as f64;
            let d = direction(angle_deg);
            let Resistance { coefficient, force } = moving.along(d)?;
            if !(coefficient.is_finite() && force.is_finite()) {
                let (name, expected) = ("coefficient", "finite: the parameters of the law are too large");
                return Err(FrictionError::Range { name, value: coefficient, expected });
            }
            readings.push(Reading { angle_deg, limit: limit_along(&rest, d, reach), coefficient, force });
        }
        let coefficient = |angle: f64| moving.along(direction(angle)).map_or(f64::NAN, |found| found.coefficient);
        let step = 360.0 / samples as f64;
        let least = refine(readings.iter().map(|r| (r.angle_deg, -r.coefficient)), step, |a| -coefficient(a));
        let back = |angle: f64| (coefficient(angle) - coefficient(angle + 180.0)).abs();
        let turned = |r: &Reading| (r.angle_deg, turn_deg(r.force, direction(r.angle_deg)).abs());
        let sliding = match moving.fixed {
            Some(_) => None,
            None => Some(readings.iter().map(|r| r.force).collect()),
        };
        let strongest = refine(readings.iter().map(|r| (r.angle_deg, r.coefficient)), step, coefficient);
        Ok(Self {
            name: pair.name.clone(),
            kind: kind(&rest),
            law: describe(&layers(&pair.model, [pair.a.material, pair.b.material])),
            structure: [&pair.a, &pair.b].map(|s| s.structure.truncate().try_normalize()),
            moments: Moments::of(&rest),
            dependences: Dependence::all(pair, direction(strongest.angle_deg))?,
            is_set: rest.set().is_some(),
            hull: match &rest {
                ContactLaw::TwoSet(two) => Some(set_outline(two.direction(), samples)),
                _ => None,
            },
            least: Extreme { value: -least.value, ..least },
            largest: strongest,
            axes: [0.0, 90.0, 180.0, 270.0].map(coefficient),
            asymmetry: largest(readings.iter().map(|r| (r.angle_deg, back(r.angle_deg)))),
            turn: largest(readings.iter().map(turned)),
            slip: pair.slip.map(|slip| slip_force(pair, slip)).transpose()?,
            outline,
            sliding,
            readings,
            load: pair.load,
            speed: pair.speed,
        })
    }

    /// Whether the coefficient is the same in every direction, but for round-off.
    pub(crate) fn is_isotropic(&self) -> bool {
        self.largest.value - self.least.value <= ROUND_OFF * self.largest.value
    }

    /// Whether sliding back is resisted like sliding forth, but for round-off.
    pub(crate) fn is_symmetric(&self) -> bool {
        self.asymmetry.value <= ROUND_OFF * self.largest.value
    }
}

/// Relative differences below this are no property of the law.
const ROUND_OFF: f64 = 1e-9;

/// The law while sliding: the same for every slip, or asked for each.
struct Moving<'a> {
    pair: &'a Pair,
    fixed: Option<&'a ContactLaw>,
}

/// What a law does against sliding along a direction.
struct Resistance {
    coefficient: f64,
    /// Per unit load.
    force: DVec2,
}

impl<'a> Moving<'a> {
    fn of(pair: &'a Pair, rest: &'a ContactLaw) -> Result<Self, FrictionError> {
        // Any dependence on the slip shows in directions that no symmetry of an axis or a diagonal hides.
        for angle in [17.0, 101.0, 222.0, 307.0] {
            if pair.law_at(Tangential::planar(direction(angle) * pair.speed))? != *rest {
                return Ok(Self { pair, fixed: None });
            }
        }
        Ok(Self { pair, fixed: Some(rest) })
    }

    /// What it does while sliding along `d`.
    fn along(&self, d: DVec2) -> Result<Resistance, FrictionError> {
        let slip = Tangential::planar(d);
        let told = |law: &ContactLaw| Resistance { coefficient: law.coefficient(d), force: law.force(1.0, slip).plane };
        match self.fixed {
            Some(law) => Ok(told(law)),
            None => Ok(told(&self.pair.law_at(slip * self.pair.speed)?)),
        }
    }
}

fn kind(law: &ContactLaw) -> String {
    match law {
        ContactLaw::Set(FrictionSet::Rolling(rolling)) => format!("rolling over {}", rolling.sliding().name()),
        ContactLaw::Set(set) => set.name().to_owned(),
        ContactLaw::TwoSet(_) => "two sets".to_owned(),
        ContactLaw::Slip(_) => "slip rule".to_owned(),
    }
}

/// The signed angle from minus the slip to the force, in degrees; zero without a force.
fn turn_deg(force: DVec2, slip: DVec2) -> f64 {
    if force.length_squared() == 0.0 { 0.0 } else { (-slip).angle_to(force).to_degrees() }
}

fn slip_force(pair: &Pair, slip: Tangential) -> Result<SlipForce, FrictionError> {
    let force = pair.law_at(slip)?.force(pair.load, slip);
    Ok(SlipForce { slip, force, turn_deg: turn_deg(force.plane, slip.plane), power: force.dot(slip) })
}

/// The largest value; the first of those that are equal but for round-off.
fn largest(values: impl Iterator<Item = (f64, f64)>) -> Extreme {
    let mut best: Option<Extreme> = None;
    for (angle_deg, value) in values {
        if best.is_none_or(|b| value > b.value + 1e-12 * b.value.abs()) {
            best = Some(Extreme { value, angle_deg });
        }
    }
    best.unwrap_or(Extreme { value: 0.0, angle_deg: 0.0 })
}

/// The largest value near the best of the samples: golden-section search between its neighbours.
fn refine(values: impl Iterator<Item = (f64, f64)>, step: f64, f: impl Fn(f64) -> f64) -> Extreme {
    let sampled = largest(values);
    let golden = 0.5 * (5f64.sqrt() - 1.0);
    let (mut a, mut b) = (sampled.angle_deg - step, sampled.angle_deg + step);
    for _ in 0..40 {
        let (p, q) = (b - golden * (b - a), a + golden * (b - a));
        if f(p) >= f(q) {
            b = q;
        } else {
            a = p;
        }
    }
    let angle = 0.5 * (a + b);
    let found = Extreme { value: f(angle), angle_deg: degrees(direction(angle)) };
    // Where a symmetric pair has its extremes; the last digits are those of merged facets and of the search.
    let round = (angle / 15.0).round() * 15.0;
    let there = Extreme { value: f(round), angle_deg: degrees(direction(round)) };
    if (angle - round).abs() <= 0.15 && there.value >= found.value - 1e-4 * found.value.abs() {
        return there;
    }
    // A gain that is round-off would only trade a round angle for a crooked one.
    if found.value > sampled.value + 1e-9 * sampled.value.abs() { found } else { sampled }
}
