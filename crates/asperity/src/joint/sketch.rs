//! How a joint is drawn.

/// The lines that stand for a joint in pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sketch {
    /// A cross of three lines.
    Cross,
    /// A pin along the axis, and a small cross on it.
    Pin,
    /// A rail along the axis from stop to stop on B, a small cross on A, and a line from B to A.
    Rail {
        /// The stops, m; `None` for a rail without.
        limits: Option<[f64; 2]>,
        /// Whether the line is a spring.
        spring: bool,
    },
    /// A line from point to point.
    Rod,
    /// A spring from point to point.
    Spring,
}
