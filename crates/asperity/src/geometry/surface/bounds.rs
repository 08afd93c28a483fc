//! Boxes of the broad phase, in single precision: half as large as [`crate::geometry::Aabb`], and compared four numbers at a time. They
//! are rounded outward, so that boxes that meet in double precision meet here.

use glam::{DVec3, Vec3A};

/// A box around the points between two corners.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    min: Vec3A,
    max: Vec3A,
}

/// What is moved outward to make up for rounding, more than that of a number of single precision.
#[inline]
fn rounding(x: Vec3A) -> Vec3A {
    x.abs() * f32::EPSILON + Vec3A::splat(f32::MIN_POSITIVE)
}

impl Bounds {
    /// Holds nothing.
    pub(super) const EMPTY: Self = Self { min: Vec3A::INFINITY, max: Vec3A::NEG_INFINITY };

    /// Around the points between two corners.
    #[inline]
    pub(super) fn new(min: DVec3, max: DVec3) -> Self {
        // Farther than single precision reaches is at its end.
        let largest = Vec3A::splat(f32::MAX);
        let [min, max] = [min, max].map(|x| x.as_vec3a().clamp(-largest, largest));
        Self { min: min - rounding(min), max: max + rounding(max) }
    }

    /// The box of both.
    #[inline]
    pub(super) fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Do they share a point?
    #[inline]
    pub(super) fn meets(&self, other: &Self) -> bool {
        (self.min.cmple(other.max) & other.min.cmple(self.max)).all()
    }

    #[inline]
    pub(super) fn centre(&self) -> Vec3A {
        self.min * 0.5 + self.max * 0.5
    }
}

#[cfg(test)]
mod tests {
    use super::Bounds;
    use crate::geometry::Aabb;
    use glam::DVec3;
    use proptest::prelude::*;

    proptest! {
        /// Whatever meets in double precision meets in single precision too: also where corners touch.
        #[test]
        fn what_meets_is_seen(a in prop::array::uniform3(-1.0..1.0f64), size in prop::array::uniform3(0.0..1.0f64), scale in -30..30i32) {
            let unit = 10f64.powi(scale);
            let [low, side] = [a, size].map(|x| DVec3::from(x) * unit);
            let own = Aabb { min: low, max: low + side };
            for touching in [
                Aabb { min: own.max, max: own.max + side },
                Aabb { min: own.min - side, max: own.min },
                Aabb { min: 0.5 * (own.min + own.max), max: own.max },
            ] {
                prop_assert!(own.meets(&touching));
                let [one, two] = [own, touching].map(|own| Bounds::new(own.min, own.max));
                prop_assert!(one.meets(&two), "{own:?} {touching:?}");
            }
        }
    }
}
