//! Coordinates of two frames, and their discrete gradients.
//!
//! Over a step a body moves by Δx and turns by the rotation vector φ, |φ| = θ. A vector a that is fixed to it becomes a⁺ with
//!
//!   Δa = a⁺ − a = φ × κ ā,   ā = (a + a⁺)/2,   κ = tan(θ/2)/(θ/2)   (Cayley's form of a rotation, exact).
//!
//! Products obey Δ(p·q) = p̄·Δq + q̄·Δp, exactly. So each coordinate q below has a row J̄ with Δq = J̄ (Δx_A, φ_A, Δx_B, φ_B), exact for a
//! step of any size: a discrete gradient (Gonzalez 1999). It depends on where the step ends.
//!
//! With arms a from the centres to the points, d = p_A − p_B and an axis e of B:
//!
//! | coordinate | on Δx_A | on φ_A | on φ_B |
//! | --- | --- | --- | --- |
//! | d·e, e of the world | e | κ_A ā_A × e | −κ_B ā_B × e |
//! | d·e_B | ē | κ_A ā_A × ē | −κ_B (ā_B + d̄) × ē |
//! | \|d\| | n = d̄/mean(\|d\|) | κ_A ā_A × n | −κ_B ā_B × n |
//! | e_A·e_B | 0 | κ_A ē_A × ē_B | −κ_B ē_A × ē_B |
//! | angle about x_B | 0 | x̄_B | −x̄_B |
//!
//! What acts on Δx_B is the negative of what acts on Δx_A. The row of the angle is exact where both bodies turn about that axis.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use super::{JointFrame, Spot};

/// A coordinate of the frames of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinate {
    /// p_A − p_B along an axis of the world.
    World(usize),
    /// p_A − p_B along an axis of B's frame.
    Along(usize),
    /// |p_A − p_B|.
    Distance,
    /// An axis of A's frame times one of B's: zero if they are at right angles.
    Cosine(usize, usize),
    /// Angle by which A's frame is turned about B's x, −π to π.
    Angle,
}

/// Where a body is at both ends of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// At the start.
    pub from: Spot,
    /// At the end.
    pub to: Spot,
}

/// What a coordinate's rate takes of the velocities: linear of A (the negative of B), angular of each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Row {
    /// On the velocity of A's centre of mass; B's is the negative.
    pub linear: DVec3,
    /// On the angular velocities of A and B.
    pub angular: [DVec3; 2],
}

const AXES: [DVec3; 3] = [DVec3::X, DVec3::Y, DVec3::Z];

/// Largest half angle of a turn in a step that counts: at a right angle the tangent has no value. Bodies that turn faster are
/// not resolved by the step anyway.
const HALF_TURN: f64 = 1.3;

/// The mean of a vector that a body carries, times κ.
struct Carried {
    mean: DVec3,
    scaled: DVec3,
}

impl Move {
    /// κ of the turn.
    fn kappa(&self) -> f64 {
        let turn = self.to.rotation * self.from.rotation.conjugate();
        let half = DVec3::new(turn.x, turn.y, turn.z).length().atan2(turn.w.abs()).min(HALF_TURN);
        if half < 1e-4 { 1.0 + half * half / 3.0 } else { half.tan() / half }
    }

    fn carried(&self, local: DVec3) -> Carried {
        let mean = 0.5 * (self.from.rotation * local + self.to.rotation * local);
        Carried { mean, scaled: mean * self.kappa() }
    }
}

impl Coordinate {
    /// Whether it is a length; else an angle, or nearly one.
    pub fn is_length(self) -> bool {
        !matches!(self, Self::Cosine(..) | Self::Angle)
    }

    /// Its value.
    pub fn value(self, frames: &[JointFrame; 2], spots: [Spot; 2]) -> f64 {
        let point = |i: usize| frames[i].placed(spots[i]);
        let axis = |i: usize, k: usize| spots[i].rotation * (frames[i].axes * AXES[k]);
        match self {
            Self::World(k) => (point(0) - point(1)).dot(AXES[k]),
            Self::Along(k) => (point(0) - point(1)).dot(axis(1, k)),
            Self::Distance => point(0).distance(point(1)),
            Self::Cosine(i, k) => axis(0, i).dot(axis(1, k)),
            Self::Angle => {
                let own = axis(0, 1);
                own.dot(axis(1, 2)).atan2(own.dot(axis(1, 1)))
            }
        }
    }

    /// The difference of two values: the short way round, for angles.
    pub fn difference(self, value: f64, from: f64) -> f64 {
        let difference = value - from;
        match self {
            Self::Angle => difference - TAU * ((difference + PI) / TAU).floor(),
            _ => difference,
        }
    }

    /// Its discrete gradient over a step.
    pub fn row(self, frames: &[JointFrame; 2], moves: &[Move; 2]) -> Row {
        let arm = |i: usize| moves[i].carried(frames[i].point);
        let axis = |i: usize, k: usize| moves[i].carried(frames[i].axes * AXES[k]);
        let gap = |to: bool| {
            let point = |i: usize| frames[i].placed(if to { moves[i].to } else { moves[i].from });
            point(0) - point(1)
        };
        let along = |e: DVec3| Row { linear: e, angular: [arm(0).scaled.cross(e), -arm(1).scaled.cross(e)] };
        match self {
            Self::World(k) => along(AXES[k]),
            Self::Along(k) => {
                let (e, between) = (axis(1, k).mean, 0.5 * (gap(false) + gap(true)));
                let row = along(e);
                let lever = moves[1].kappa() * between.cross(e);
                Row { angular: [row.angular[0], row.angular[1] - lever], ..row }
            }
            Self::Distance => {
                let (first, last) = (gap(false), gap(true));
                let length = 0.5 * (first.length() + last.length());
                along(if length > 0.0 { 0.5 * (first + last) / length } else { DVec3::ZERO })
            }
            Self::Cosine(i, k) => {
                let (own, other) = (axis(0, i), axis(1, k));
                let turn = own.mean.cross(other.mean);
                Row { linear: DVec3::ZERO, angular: [turn * moves[0].kappa(), -turn * moves[1].kappa()] }
            }
            Self::Angle => {
                let e = axis(1, 0).mean.normalize_or_zero();
                Row { linear: DVec3::ZERO, angular: [e, -e] }
            }
        }
    }
}

impl Row {
    /// Times −1.
    pub fn reversed(self) -> Self {
        Self { linear: -self.linear, angular: self.angular.map(|x| -x) }
    }

    /// Its rate, if A and B move like this: (velocity, angular velocity).
    pub fn rate(&self, [a, b]: [(DVec3, DVec3); 2]) -> f64 {
        self.linear.dot(a.0 - b.0) + self.angular[0].dot(a.1) + self.angular[1].dot(b.1)
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;

    const ALL: [Coordinate; 7] = [
        Coordinate::World(0),
        Coordinate::World(2),
        Coordinate::Along(0),
        Coordinate::Along(1),
        Coordinate::Distance,
        Coordinate::Cosine(0, 1),
        Coordinate::Cosine(2, 0),
    ];

    fn frames() -> [JointFrame; 2] {
        [
            JointFrame { point: DVec3::new(0.3, -0.2, 0.5), axes: DQuat::from_rotation_z(0.4) },
            JointFrame { point: DVec3::new(-0.7, 0.1, 0.2), axes: DQuat::from_rotation_x(-1.1) },
        ]
    }

    fn moves(turns: [DVec3; 2], shifts: [DVec3; 2]) -> [Move; 2] {
        let from = [
            Spot { centre: DVec3::new(1.0, 0.2, -0.4), rotation: DQuat::from_rotation_y(0.8) },
            Spot { centre: DVec3::new(-0.5, 0.9, 0.3), rotation: DQuat::from_rotation_x(0.3) },
        ];
        [0, 1].map(|i| Move {
            from: from[i],
            to: Spot {
                centre: from[i].centre + shifts[i],
                rotation: DQuat::from_scaled_axis(turns[i]) * from[i].rotation,
            },
        })
    }

    #[test]
    fn rows_give_the_change_over_steps_of_any_size() {
        for scale in [1e-3, 0.1, 1.0] {
            let turns = [DVec3::new(0.7, -1.1, 0.4), DVec3::new(-0.3, 0.9, 1.2)].map(|x| x * scale);
            let shifts = [DVec3::new(0.2, 1.0, -0.6), DVec3::new(0.4, 0.1, 0.3)].map(|x| x * scale);
            let moves = moves(turns, shifts);
            for coordinate in ALL {
                let row = coordinate.row(&frames(), &moves);
                let change = row.rate([(shifts[0], turns[0]), (shifts[1], turns[1])]);
                let [from, to] = [[moves[0].from, moves[1].from], [moves[0].to, moves[1].to]]
                    .map(|s| coordinate.value(&frames(), s));
                assert!((change - (to - from)).abs() < 1e-14 * (1.0 + scale), "{coordinate:?} at {scale}");
            }
        }
    }

    #[test]
    fn the_angle_counts_turns_about_the_axis() {
        let axes = DQuat::from_rotation_y(0.7);
        let frame = JointFrame { point: DVec3::ZERO, axes };
        let frames = [frame; 2];
        let x = axes * DVec3::X;
        let spot = |angle: f64| Spot { centre: DVec3::ZERO, rotation: DQuat::from_axis_angle(x, angle) };
        let value = |a: f64, b: f64| Coordinate::Angle.value(&frames, [spot(a), spot(b)]);
        assert!((value(0.9, 0.2) - 0.7).abs() < 1e-15 && (value(-3.0, 0.0) + 3.0).abs() < 1e-14);
        assert!((Coordinate::Angle.difference(3.0, -3.0) - (6.0 - TAU)).abs() < 1e-15);
        let moves = [Move { from: spot(0.2), to: spot(0.5) }, Move { from: spot(0.1), to: spot(0.2) }];
        let row = Coordinate::Angle.row(&frames, &moves);
        assert!((row.rate([(DVec3::ZERO, x * 0.3), (DVec3::ZERO, x * 0.1)]) - 0.2).abs() < 1e-15);
    }
}
