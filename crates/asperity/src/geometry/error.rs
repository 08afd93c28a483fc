//! What can be wrong with a shape, said with the place, the value and the reason.

use std::path::PathBuf;

use asperity_friction::number::Written;
use glam::DVec3;

/// Invalid input to a shape.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A length, density or scale that is not a positive finite number.
    #[error("{name} = {}: must be finite and positive", Written(*value))]
    NotPositive {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// Moments of inertia that no body has.
    #[error(
        "{moments:?} is the inertia of no body: no principal moment may be larger than the sum of the two others, and all must be positive"
    )]
    Inertia {
        /// xx, yy, zz, xy, xz, yz.
        moments: [f64; 6],
    },
    /// A vector with a NaN or infinite component.
    #[error("{name}[{index}] = [{}, {}, {}]: must be finite", Written(value.x), Written(value.y), Written(value.z))]
    NotFinite {
        /// The list.
        name: &'static str,
        /// The place in it.
        index: usize,
        /// The value.
        value: DVec3,
    },
    /// A direction or quaternion that is not of length one.
    #[error("{name}: must be of length one, its length is {}", Written(*length))]
    NotUnit {
        /// The parameter.
        name: &'static str,
        /// Its length.
        length: f64,
    },
    /// A list of the wrong length.
    #[error("{name} has {count} entries: must have {expected}")]
    Count {
        /// The list.
        name: &'static str,
        /// How many it has.
        count: usize,
        /// What was expected.
        expected: String,
    },
    /// A triangle that names a vertex that is not there.
    #[error("triangles[{triangle}] names vertex {vertex}: there are {count}")]
    VertexOutOfRange {
        /// The triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// A triangle without area.
    #[error("triangles[{triangle}] = {corners:?}: has no area")]
    NoArea {
        /// The triangle.
        triangle: usize,
        /// Its corners.
        corners: [u32; 3],
    },
    /// Points that lie in a plane, on a line or in one place.
    #[error("points: their hull has no volume (extent {thickness:e} across, {size:e} along)")]
    FlatHull {
        /// The smallest extent found.
        thickness: f64,
        /// The largest extent.
        size: f64,
    },
    /// A surface with a border where a solid is needed.
    #[error(
        "the mesh is not closed: the edge from vertex {from} to vertex {to} has {uses} triangles on it instead of one on each side"
    )]
    Open {
        /// One end of the edge.
        from: u32,
        /// The other end.
        to: u32,
        /// How many triangles use it in this direction.
        uses: usize,
    },
    /// A closed surface that is inside out, or folded so that its volume is not positive.
    #[error("the mesh encloses the volume {volume:e}: its triangles must be anticlockwise seen from outside")]
    InsideOut {
        /// The signed volume.
        volume: f64,
    },
    /// A shape that has no finite mass.
    #[error("a {shape} has no mass: it can only be part of a static body")]
    NoMass {
        /// The kind of shape.
        shape: &'static str,
    },
    /// A shape that a compound cannot hold.
    #[error("parts[{index}]: a {shape} cannot be part of a compound")]
    Part {
        /// The part.
        index: usize,
        /// The kind of shape.
        shape: &'static str,
    },
    /// An error in a part of a compound.
    #[error("parts[{index}]: {error}")]
    InPart {
        /// The part.
        index: usize,
        /// What is wrong with it.
        error: Box<ShapeError>,
    },
    /// A file that cannot be read.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A file whose mesh is invalid.
    #[error("{}: {error}", path.display())]
    InFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with the mesh.
        error: Box<ShapeError>,
    },
    /// A mesh that could not be split into convex parts.
    #[error("the mesh cannot be split into convex parts: {reason}")]
    Decomposition {
        /// Why.
        reason: String,
    },
}

/// `value` if it is finite and positive.
pub(crate) fn positive(name: &'static str, value: f64) -> Result<f64, ShapeError> {
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err(ShapeError::NotPositive { name, value }) }
}

/// All of `values` are finite.
pub(crate) fn finite(name: &'static str, values: &[DVec3]) -> Result<(), ShapeError> {
    match values.iter().position(|v| !v.is_finite()) {
        Some(index) => Err(ShapeError::NotFinite { name, index, value: values[index] }),
        None => Ok(()),
    }
}
