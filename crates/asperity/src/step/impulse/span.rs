//! What a contact problem is about: a span of time, or an instant.

/// A span of time, or an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Span {
    /// A step of this length, or a fraction of one.
    Step(f64),
    /// An impact; approach speeds below `bounce_speed` do not bounce.
    Impact {
        /// That speed, m/s.
        bounce_speed: f64,
    },
}

impl Span {
    /// The time that passes.
    pub(super) fn length(self) -> f64 {
        if let Self::Step(h) = self { h } else { 0.0 }
    }

    /// Whether no time passes.
    pub(super) fn is_impact(self) -> bool {
        matches!(self, Self::Impact { .. })
    }

    /// What an impulse is divided by to be a force, s. An impact has no duration: its impulse is divided by 1 s, so
    /// that laws that depend on the load get a number.
    pub(super) fn duration(self) -> f64 {
        if let Self::Step(h) = self { h } else { 1.0 }
    }

    /// The speed that gravity adds; in an impact, that of the step it happens in.
    pub(super) fn gained(self, gravity: f64) -> f64 {
        match self {
            Self::Step(h) => h * gravity,
            Self::Impact { bounce_speed } => bounce_speed,
        }
    }
}
