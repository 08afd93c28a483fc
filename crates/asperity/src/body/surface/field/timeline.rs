//! Fields that follow each other in time.
//!
//! Keys (t_k, field k) in the order of time. Switched: from t_k until t_{k+1} the field is that of key k; before the first key it is the
//! first one. Blended: between two keys the direction is the mean of both lines with the weights 1 − s and s, s = (t − t_k)/(t_{k+1} − t_k):
//! the main axis of (1 − s) d dᵀ + s e eᵀ, which lies in the plane of d and e ([`mod@line`]). Where one of the two has no direction, it is that
//! of the nearer key.

use asperity_friction::FrictionError;
use asperity_friction::field::{SurfacePoint, line};
use glam::{DVec2, DVec3};

use super::SurfaceField;
use crate::body::surface::Needs;

/// A field and when it begins.
#[derive(Clone, Debug, PartialEq)]
pub struct TimelineKey {
    /// From when on, s.
    pub t: f64,
    /// The field; `None` is a surface without directions.
    pub field: Option<SurfaceField>,
}

/// Fields and when they begin.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    keys: Vec<TimelineKey>,
    blend: bool,
}

impl Timeline {
    /// From keys whose times are finite and grow; at least one.
    pub fn new(keys: Vec<TimelineKey>, blend: bool) -> Result<Self, FrictionError> {
        if keys.is_empty() {
            return Err(FrictionError::Count { name: "keys", count: 0, expected: "at least 1" });
        }
        if let Some(key) = keys.iter().find(|key| !key.t.is_finite()) {
            return Err(FrictionError::Range { name: "t", value: key.t, expected: "finite" });
        }
        let late = keys.windows(2).find(|pair| pair[1].t <= pair[0].t);
        match late {
            Some(pair) => {
                Err(FrictionError::Range { name: "t", value: pair[1].t, expected: "later than that of the key before" })
            }
            None => Ok(Self { keys, blend }),
        }
    }

    /// When its fields begin.
    pub fn times(&self) -> impl Iterator<Item = f64> {
        self.keys.iter().map(|key| key.t)
    }

    /// The direction at a point and a time.
    pub fn direction(&self, at: &SurfacePoint, time: f64) -> Result<DVec3, FrictionError> {
        let of = |key: &TimelineKey| key.field.as_ref().map_or(Ok(DVec3::ZERO), |field| field.direction(at, time));
        let next = self.keys.partition_point(|key| key.t <= time);
        let now = &self.keys[next.saturating_sub(1)];
        match self.keys.get(next) {
            Some(later) if self.blend && next > 0 => Ok(mean(of(now)?, of(later)?, (time - now.t) / (later.t - now.t))),
            _ => of(now),
        }
    }

    /// What its fields must be told.
    pub fn needs(&self) -> Needs {
        let needs = self.keys.iter().filter_map(|key| key.field.as_ref()).map(SurfaceField::needs);
        needs.max().unwrap_or(Needs::Place)
    }
}

/// The mean of two lines with weights 1 − s and s.
fn mean(d: DVec3, e: DVec3, s: f64) -> DVec3 {
    let (d, e) = (d.normalize_or_zero(), e.normalize_or_zero());
    if d == DVec3::ZERO || e == DVec3::ZERO {
        return if s < 0.5 { d } else { e };
    }
    // In the plane of both: d along the first axis.
    let Some(across) = (e - d * e.dot(d)).try_normalize() else { return d };
    let q = line::doubled(DVec2::X) * (1.0 - s) + line::doubled(DVec2::new(e.dot(d), e.dot(across))) * s;
    let middle = line::halved(q);
    d * middle.x + across * middle.y
}

#[cfg(test)]
mod tests {
    use super::*;
    use asperity_friction::field::{Constant, Field};

    fn constant(t: f64, direction: DVec3) -> TimelineKey {
        TimelineKey { t, field: Some(Field::Constant(Constant { direction }).into()) }
    }

    fn absent(t: f64) -> TimelineKey {
        TimelineKey { t, field: None }
    }

    fn apart(a: DVec3, b: DVec3) -> f64 {
        a.cross(b).length().atan2(a.dot(b).abs())
    }

    #[test]
    fn fields_are_switched() {
        let keys = vec![constant(0.0, DVec3::X), absent(1.0), constant(2.0, DVec3::Z)];
        let timeline = Timeline::new(keys, false).unwrap();
        let at = |t| timeline.direction(&SurfacePoint::default(), t).unwrap();
        assert_eq!(
            [at(-1.0), at(0.0), at(0.999), at(1.0), at(1.5), at(2.0), at(9.0)],
            [DVec3::X, DVec3::X, DVec3::X, DVec3::ZERO, DVec3::ZERO, DVec3::Z, DVec3::Z]
        );
    }

    #[test]
    fn fields_are_blended_as_lines() {
        let turned = DVec3::new(1.2f64.cos(), 0.0, 1.2f64.sin());
        for sign in [1.0, -1.0] {
            let timeline = Timeline::new(vec![constant(1.0, DVec3::X * 3.0), constant(3.0, turned * sign)], true);
            let timeline = timeline.unwrap();
            let at = |t| timeline.direction(&SurfacePoint::default(), t).unwrap();
            assert!(apart(at(0.0), DVec3::X) < 1e-12 && apart(at(1.0), DVec3::X) < 1e-12);
            assert!(apart(at(3.0), turned) < 1e-12 && apart(at(5.0), turned) < 1e-12);
            // Half way, with equal weights, is the bisector; it turns steadily.
            assert!(apart(at(2.0), DVec3::X + turned) < 1e-12);
            let angles: Vec<f64> = (0..=20).map(|i| apart(at(1.0 + 0.1 * f64::from(i)), DVec3::X)).collect();
            assert!(angles.windows(2).all(|pair| pair[1] > pair[0]), "{angles:?}");
        }
    }

    #[test]
    fn keys_must_be_in_order() {
        let error = Timeline::new(vec![absent(1.0), absent(1.0)], false).unwrap_err().to_string();
        assert!(error.contains("t = 1") && error.contains("later"), "{error}");
        assert!(Timeline::new(Vec::new(), true).is_err());
        for t in [f64::NAN, f64::NEG_INFINITY] {
            assert!(Timeline::new(vec![absent(t), absent(1.0)], true).is_err(), "{t}");
        }
    }
}
