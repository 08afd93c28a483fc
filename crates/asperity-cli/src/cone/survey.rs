//! What a pair does in every direction: the limit curve, the coefficient, the force.
//!
//! | quantity | meaning, per unit load |
//! | --- | --- |
//! | outline | boundary of the forces on A at which the contact sticks (law at rest) |
//! | limit(d) | the largest of them that points along d |
//! | coefficient(d) | dissipation while A slides along d, per speed |
//! | force(d) | friction force on A while it slides along d |

use asperity_friction::set::{ConvexSet, FrictionSet};
use asperity_friction::{ContactLaw, FrictionError, Tangential};
use glam::DVec2;

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
            let (coefficient, force) = moving.along(d)?;
            if !(coefficient.is_finite() && force.is_finite()) {
                let (name, expected) = ("coefficient", "finite: the parameters of the law are too large");
                return Err(FrictionError::Range { name, value: coefficient, expected });
            }
            readings.push(Reading { angle_deg, limit: limit_along(&rest, d, reach), coefficient, force });
        }
        let coefficient = |angle: f64| moving.along(direction(angle)).map_or(f64::NAN, |(c, _)| c);
        let step = 360.0 / samples as f64;
        let least = refine(readings.iter().map(|r| (r.angle_deg, -r.coefficient)), step, |a| -coefficient(a));
        let back = |angle: f64| (coefficient(angle) - coefficient(angle + 180.0)).abs();
        let turned = |r: &Reading| (r.angle_deg, turn_deg(r.force, direction(r.angle_deg)).abs());
        let sliding = match moving.fixed {
            Some(_) => None,
            None => Some(readings.iter().map(|r| r.force).collect()),
        };
        Ok(Self {
            name: pair.name.clone(),
            kind: kind(&rest),
            is_set: rest.set().is_some(),
            hull: match &rest {
                ContactLaw::TwoSet(two) => Some(set_outline(two.direction(), samples)),
                _ => None,
            },
            least: Extreme { value: -least.value, ..least },
            largest: refine(readings.iter().map(|r| (r.angle_deg, r.coefficient)), step, coefficient),
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

    /// Coefficient and force while sliding along `d`.
    fn along(&self, d: DVec2) -> Result<(f64, DVec2), FrictionError> {
        let slip = Tangential::planar(d);
        let told = |law: &ContactLaw| (law.coefficient(d), law.force(1.0, slip).plane);
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

/// The boundary of the forces that stick.
fn outline(law: &ContactLaw, samples: usize) -> Vec<DVec2> {
    match law {
        ContactLaw::Set(set) => set_outline(set, samples),
        ContactLaw::TwoSet(two) => two.magnitude().vertices().to_vec(),
        ContactLaw::Slip(rule) => {
            let n = samples.max(720);
            (0..n).map(|i| rule.force(1.0, direction(360.0 * i as f64 / n as f64))).collect()
        }
    }
}

/// Support points all the way round, denser where they are far apart: along the flat sides of a thin ellipse.
fn set_outline(set: &FrictionSet, samples: usize) -> Vec<DVec2> {
    let at = |angle: f64| set.support_point(Tangential::planar(direction(angle))).plane;
    let n = samples.max(360);
    let start: Vec<DVec2> = (0..=n).map(|i| at(360.0 * i as f64 / n as f64)).collect();
    let size = start.iter().map(|f| f.length()).fold(0.0, f64::max);
    let mut points = Vec::with_capacity(n);
    for (i, two) in start.windows(2).enumerate() {
        points.push(two[0]);
        let angle = |i: usize| 360.0 * i as f64 / n as f64;
        subdivide(&at, (angle(i), two[0]), (angle(i + 1), two[1]), 0.02 * size, 10, &mut points);
    }
    points.dedup();
    points
}

/// Adds points between two directions until neighbours are close; a straight edge ends at `depth`.
fn subdivide(
    at: &impl Fn(f64) -> DVec2,
    from: (f64, DVec2),
    to: (f64, DVec2),
    gap: f64,
    depth: usize,
    points: &mut Vec<DVec2>,
) {
    if depth == 0 || from.1.distance(to.1) <= gap {
        return;
    }
    let angle = 0.5 * (from.0 + to.0);
    let middle = (angle, at(angle));
    subdivide(at, from, middle, gap, depth - 1, points);
    points.push(middle.1);
    subdivide(at, middle, to, gap, depth - 1, points);
}

/// The largest force along `d` at which the contact sticks. `reach` bounds all of them.
fn limit_along(law: &ContactLaw, d: DVec2, reach: f64) -> DVec2 {
    let sticks = |s: f64| law.reaches(1.0, Tangential::planar(d * s), 1e-15 * reach);
    let (mut low, mut high) = (0.0, reach * (1.0 + 1e-9));
    // The forces that stick are star-shaped about zero; 50 halvings leave 1e-15 of the reach.
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if sticks(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    d * low
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
    // A gain that is round-off would only trade a round angle for a crooked one.
    if found.value > sampled.value + 1e-9 * sampled.value.abs() { found } else { sampled }
}
