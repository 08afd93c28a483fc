//! How animations run: which moments they show, and for how long each.

use crate::record::{RecordError, Recording};

/// GIF counts time in hundredths of a second, and browsers show nothing faster than two of them.
const FASTEST: f64 = 50.0;

/// How an animation runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnimationSettings {
    /// Pictures a second, up to 50.
    pub fps: f64,
    /// Seconds of the run in a second of the animation.
    pub speed: f64,
    /// Seconds that the last picture stays before all begins again.
    pub hold: f64,
    /// Writes the time into a corner.
    pub label: bool,
}

impl Default for AnimationSettings {
    fn default() -> Self {
        Self { fps: 25.0, speed: 1.0, hold: 0.8, label: true }
    }
}

impl AnimationSettings {
    /// The moments that are shown.
    pub(super) fn moments(&self, recording: &Recording) -> Result<Vec<f64>, RecordError> {
        let positive = [("fps", self.fps), ("speed", self.speed)];
        if let Some((setting, value)) = positive.into_iter().find(|(_, value)| !(*value > 0.0 && value.is_finite())) {
            return Err(RecordError::Setting { setting, value, reason: "must be positive" });
        }
        if self.fps > FASTEST {
            return Err(RecordError::Setting { setting: "fps", value: self.fps, reason: "GIF shows at most 50" });
        }
        if !(0.0..=600.0).contains(&self.hold) {
            let reason = "must be between 0 and 600 seconds";
            return Err(RecordError::Setting { setting: "hold", value: self.hold, reason });
        }
        let (first, last) = recording.span()?;
        let step = self.step();
        // A hair of slack: the last moment must not be lost to rounding.
        let count = ((last - first) / step + 1e-9).floor() as usize + 1;
        Ok((0..count).map(|i| first + step * i as f64).collect())
    }

    /// How many pictures there are.
    pub fn pictures(&self, recording: &Recording) -> Result<usize, RecordError> {
        self.moments(recording).map(|moments| moments.len())
    }

    /// Seconds of the run between two pictures.
    pub(super) fn step(&self) -> f64 {
        self.speed / self.fps
    }

    /// Hundredths of a second for a picture of so many: rounded so that errors do not add up.
    pub(super) fn delay(&self, i: usize, count: usize) -> u16 {
        let at = |i: usize| (100.0 * i as f64 / self.fps).round();
        let hold = if i + 1 == count { self.hold } else { 0.0 };
        (at(i + 1) - at(i) + (100.0 * hold).round()) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::slide;
    use super::*;

    #[test]
    fn times_add_up_and_the_last_picture_stays() {
        let settings = AnimationSettings { fps: 30.0, speed: 0.5, hold: 1.0, label: false };
        // 0.6 s at half speed: 1.2 s, 36 pictures and the first one.
        let moments = settings.moments(&slide(7)).unwrap();
        assert_eq!(moments.len(), 37);
        let total: u32 = (0..37).map(|i| u32::from(settings.delay(i, 37))).sum();
        assert_eq!(total, 123 + 100, "37/30 s and the hold");
    }

    #[test]
    fn settings_that_make_no_sense_are_refused() {
        let plain = AnimationSettings::default();
        for settings in [
            AnimationSettings { fps: 0.0, ..plain },
            AnimationSettings { fps: 60.0, ..plain },
            AnimationSettings { speed: f64::NAN, ..plain },
            AnimationSettings { hold: -1.0, ..plain },
        ] {
            assert!(settings.moments(&slide(3)).is_err(), "{settings:?}");
        }
        assert!(matches!(plain.moments(&slide(0)), Err(RecordError::NoFrame)));
    }
}
