//! What a field must be told about the point of a surface.

/// What a field must be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// The place alone.
    Place,
    /// The triangle of the skin.
    Triangle,
    /// The texture coordinates and the tangent of the skin.
    Coordinates,
}
