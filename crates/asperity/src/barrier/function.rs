//! Barriers: functions b of a distance s that are zero from ŝ on and grow without bound (or steeply) towards zero.
//!
//! s is a SQUARED distance where potentials of collisions use them. With ρ = s/ŝ, for s < ŝ:
//!
//! | barrier | b(s) |
//! | --- | --- |
//! | clamped log (Li et al. 2020) | −(s − ŝ)² ln ρ |
//! | normalised clamped log | −(ρ − 1)² ln ρ |
//! | clamped log squared (Huang et al. 2024) | (s − ŝ)² ln² ρ |
//! | cubic (Ando 2024) | ⅔ (ŝ − s)³/ŝ: finite at zero, so that it needs a stiffness that grows |
//! | two stage (Chen et al. 2025) | ½ (s − ŝ)² above ŝ/2, −¼ ŝ² (ln 2ρ − ½) below |

use serde::{Deserialize, Serialize};

/// Which function keeps surfaces apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Barrier {
    /// −(s − ŝ)² ln(s/ŝ).
    #[default]
    ClampedLog,
    /// −(s/ŝ − 1)² ln(s/ŝ).
    NormalisedLog,
    /// (s − ŝ)² ln²(s/ŝ).
    LogSquared,
    /// ⅔ (ŝ − s)³/ŝ.
    Cubic,
    /// A parabola, then a logarithm.
    TwoStage,
}

/// b, b' and b'' at one place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BarrierValue {
    /// b; infinite where s ≤ 0.
    pub value: f64,
    /// db/ds.
    pub slope: f64,
    /// d²b/ds².
    pub bend: f64,
}

impl Barrier {
    /// Every barrier.
    pub const ALL: [Self; 5] = [Self::ClampedLog, Self::NormalisedLog, Self::LogSquared, Self::Cubic, Self::TwoStage];

    /// b and its derivatives at s, for a barrier that ends at `end`.
    #[inline(always)]
    pub fn at(self, s: f64, end: f64) -> BarrierValue {
        if s >= end {
            return BarrierValue::default();
        }
        // Also where s is not a number: no distance there is an allowed one.
        let positive = s.partial_cmp(&0.0).is_some_and(|order| order.is_gt());
        if !positive && self != Self::Cubic {
            return BarrierValue { value: f64::INFINITY, slope: f64::NEG_INFINITY, bend: f64::INFINITY };
        }
        let (ratio, gap) = (s / end, s - end);
        match self {
            Self::ClampedLog => clamped_log(ratio, gap, end),
            Self::NormalisedLog => {
                let own = clamped_log(ratio, gap, end);
                let scale = 1.0 / (end * end);
                BarrierValue { value: own.value * scale, slope: own.slope * scale, bend: own.bend * scale }
            }
            Self::LogSquared => {
                let (log, lack) = (ratio.ln(), 1.0 - 1.0 / ratio);
                BarrierValue {
                    value: gap * gap * log * log,
                    slope: 2.0 * log * gap * (log + lack),
                    bend: 2.0 * (log * log + 4.0 * lack * log + lack * lack * (1.0 - log)),
                }
            }
            Self::Cubic => BarrierValue {
                value: -2.0 / 3.0 * gap * gap * gap / end,
                slope: -2.0 * gap * gap / end,
                bend: -4.0 * gap / end,
            },
            Self::TwoStage if ratio >= 0.5 => BarrierValue { value: 0.5 * gap * gap, slope: gap, bend: 1.0 },
            Self::TwoStage => BarrierValue {
                value: -0.25 * end * end * ((2.0 * ratio).ln() - 0.5),
                slope: -0.25 * end / ratio,
                bend: 0.25 / (ratio * ratio),
            },
        }
    }
}

#[inline(always)]
fn clamped_log(ratio: f64, gap: f64, end: f64) -> BarrierValue {
    let (log, lack) = (ratio.ln(), 1.0 - 1.0 / ratio);
    BarrierValue {
        value: -gap * gap * log,
        slope: -gap * (2.0 * log) - gap * gap / (ratio * end),
        bend: -2.0 * log - 4.0 * lack + lack * lack,
    }
}
