//! What a law depends on besides the direction: slip speed and load; and the torques it limits.

use asperity_friction::set::ConvexSet;
use asperity_friction::{ContactLaw, FrictionError, Tangential};
use glam::DVec2;

use super::law_text::layers;
use super::line::Line;
use super::number::short;
use super::pair::Pair;

/// What the strength of a law varies with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// Slip speed, m/s.
    Speed,
    /// Normal force, N.
    Load,
}

/// The coefficient along one direction, over a quantity.
#[derive(Clone, Debug)]
pub(crate) struct Dependence {
    pub(crate) on: Quantity,
    pub(crate) along: DVec2,
    pub(crate) curve: Vec<[f64; 2]>,
    /// The value at which everything else is told, and the coefficient there.
    pub(crate) here: [f64; 2],
}

/// Points of a curve.
const POINTS: usize = 240;

impl Dependence {
    /// All that the law of a pair has, while A slides along `along`.
    pub(crate) fn all(pair: &Pair, along: DVec2) -> Result<Vec<Self>, FrictionError> {
        let mut found = Vec::new();
        for (on, here) in [(Quantity::Speed, pair.speed), (Quantity::Load, pair.load)] {
            let Some(scale) = scale(pair, on) else { continue };
            let end = match on {
                // Beyond a few times the speed of the transition nothing more happens, or it grows in proportion.
                Quantity::Speed => 4.0 * scale,
                Quantity::Load => (2.0 * scale).max(1.25 * here),
            };
            let coefficient = |x: f64| {
                let (speed, load) = if on == Quantity::Speed { (x, pair.load) } else { (pair.speed, x) };
                pair.law_under(Tangential::planar(along * speed), load).map(|law| law.coefficient(along))
            };
            let at = |i: usize| end * i as f64 / POINTS as f64;
            // The coefficient under no load at all may be very large, and no contact has it.
            let first = usize::from(on == Quantity::Load);
            let curve =
                (first..=POINTS).map(|i| Ok([at(i), coefficient(at(i))?])).collect::<Result<_, FrictionError>>()?;
            found.push(Self { on, along, curve, here: [here, coefficient(here)?] });
        }
        Ok(found)
    }
}

/// The value around which the strength of the law varies with the quantity; none if it does not.
fn scale(pair: &Pair, on: Quantity) -> Option<f64> {
    let layers = layers(&pair.model, [pair.a.material, pair.b.material]);
    let of = |kind: &str, key: &str| layers.iter().filter(|l| l.kind == kind).filter_map(|l| l.number(key)).next();
    match on {
        Quantity::Speed => {
            let both = [of("static_kinetic", "eps_v"), of("stribeck", "speed")];
            both.into_iter().flatten().reduce(f64::max)
        }
        Quantity::Load => of("load_power", "reference"),
    }
}

/// Largest torques per load, in metres.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moments {
    /// About the normal.
    pub(crate) drilling: Option<f64>,
    /// About an axis in the contact plane: smallest and largest.
    pub(crate) rolling: Option<[f64; 2]>,
}

impl Moments {
    /// Those of a law.
    pub(crate) fn of(law: &ContactLaw) -> Self {
        let Some(set) = law.set() else { return Self::default() };
        let bounds = set.bounds();
        let rows = set.rows();
        let drilling = bounds.upper.spin;
        let (t, b) = (bounds.upper.roll.x, bounds.upper.roll.y);
        Self {
            // A set with rolling rows has one for drilling even if its sliding part has none.
            drilling: (rows == 3 || rows > 3 && drilling > 0.0).then_some(drilling),
            rolling: (rows > 3).then_some([t.min(b), t.max(b)]),
        }
    }

    /// "drilling 0.1 m, rolling 0.012 m": torque per load; empty without any.
    pub(crate) fn lines(&self) -> Vec<Line> {
        let drilling =
            self.drilling.map(|m| Line::new("drilling coefficient", format!("{} m (torque per load)", short(m))));
        let rolling = self.rolling.map(|[low, high]| {
            let range = if low == high { short(high) } else { format!("{} to {}", short(low), short(high)) };
            Line::new("rolling coefficient", format!("{range} m (torque per load)"))
        });
        drilling.into_iter().chain(rolling).collect()
    }
}
