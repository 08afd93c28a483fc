//! The boundary of the forces at which a contact sticks.

use asperity_friction::set::{ConvexSet, FrictionSet};
use asperity_friction::{ContactLaw, Tangential};
use glam::DVec2;

use super::pair::direction;

/// The boundary of the forces that stick.
pub(super) fn outline(law: &ContactLaw, samples: usize) -> Vec<DVec2> {
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
pub(super) fn set_outline(set: &FrictionSet, samples: usize) -> Vec<DVec2> {
    let at = |angle: f64| set.support_point(Tangential::planar(direction(angle))).plane;
    let n = samples.max(360);
    let start: Vec<DVec2> = (0..=n).map(|i| at(360.0 * i as f64 / n as f64)).collect();
    let size = start.iter().map(|f| f.length()).fold(0.0, f64::max);
    let mut points = Vec::with_capacity(n);
    for (i, two) in start.windows(2).enumerate() {
        points.push(two[0]);
        let angle = |i: usize| 360.0 * i as f64 / n as f64;
        let ends = [Support { angle: angle(i), point: two[0] }, Support { angle: angle(i + 1), point: two[1] }];
        subdivide(&at, ends, 0.02 * size, 10, &mut points);
    }
    points.dedup();
    points
}

/// The point of a set that is farthest in a direction.
#[derive(Clone, Copy)]
struct Support {
    /// Of the direction, in degrees.
    angle: f64,
    point: DVec2,
}

/// Adds points between two directions until neighbours are close; a straight edge ends at `depth`.
fn subdivide(at: &impl Fn(f64) -> DVec2, [from, to]: [Support; 2], gap: f64, depth: usize, points: &mut Vec<DVec2>) {
    if depth == 0 || from.point.distance(to.point) <= gap {
        return;
    }
    let angle = 0.5 * (from.angle + to.angle);
    let middle = Support { angle, point: at(angle) };
    subdivide(at, [from, middle], gap, depth - 1, points);
    points.push(middle.point);
    subdivide(at, [middle, to], gap, depth - 1, points);
}

/// The largest force along `d` at which the contact sticks. `reach` bounds all of them.
pub(super) fn limit_along(law: &ContactLaw, d: DVec2, reach: f64) -> DVec2 {
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
