//! What can be wrong with a tetrahedral mesh, said with the element, the value and the reason.

use std::path::PathBuf;

use asperity_friction::number::Written;

/// Invalid input to a mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VolumeError {
    /// A length that is not a positive finite number.
    #[error("{name} = {}: must be finite and positive", Written(*value))]
    NotPositive {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A number of cells that is too small.
    #[error("{name} = {value}: must be at least {least}")]
    TooFew {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: u32,
        /// The least that is taken.
        least: u32,
    },
    /// A mesh that would not fit into memory.
    #[error("the mesh would have more than {most} tetrahedra")]
    TooMany {
        /// The most that is made.
        most: usize,
    },
    /// Two lengths in the wrong order.
    #[error("inner radius {} and outer radius {}: the inner one must be smaller", Written(*inner), Written(*outer))]
    Radii {
        /// Inner radius.
        inner: f64,
        /// Outer radius.
        outer: f64,
    },
    /// A surface that encloses nothing.
    #[error("the surface cannot be filled: {reason}")]
    Surface {
        /// Why.
        reason: String,
    },
    /// A shape whose depth is NaN somewhere.
    #[error("the shape has no depth at [{}, {}, {}]", Written(place.x), Written(place.y), Written(place.z))]
    NoDepth {
        /// Where.
        place: glam::DVec3,
    },
    /// A mesh without elements.
    #[error("the mesh has no tetrahedra: if it was filled into a shape, its cells are too large")]
    Empty,
    /// A vertex with a NaN or infinite coordinate.
    #[error("vertices[{vertex}]: its place must be finite")]
    NotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// A tetrahedron that names a vertex that is not there.
    #[error("tets[{tet}] names vertex {vertex}: there are {count}")]
    VertexOutOfRange {
        /// The tetrahedron.
        tet: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// A tetrahedron without positive volume.
    #[error("tets[{tet}] = {corners:?} has the volume {volume:e}: it must be positive")]
    Inverted {
        /// The tetrahedron.
        tet: usize,
        /// Its corners.
        corners: [u32; 4],
        /// Its signed volume.
        volume: f64,
    },
    /// A triangle with more than one tetrahedron on a side.
    #[error("tets[{first}] and tets[{second}] lie on the same side of the face {face:?}")]
    Overlap {
        /// A tetrahedron.
        first: usize,
        /// The other one.
        second: usize,
        /// The corners of the face.
        face: [u32; 3],
    },
    /// A file that cannot be read.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A file without tetrahedra.
    #[error("{}: it has no tetrahedra", path.display())]
    NoTets {
        /// The file.
        path: PathBuf,
    },
    /// A file whose mesh is invalid.
    #[error("{}: {error}", path.display())]
    InFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with the mesh.
        error: Box<VolumeError>,
    },
}

/// `value` if it is finite and positive.
pub(super) fn positive(name: &'static str, value: f64) -> Result<f64, VolumeError> {
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err(VolumeError::NotPositive { name, value }) }
}

/// `value` if it is not below `least`.
pub(super) fn at_least(name: &'static str, value: u32, least: u32) -> Result<u32, VolumeError> {
    if value >= least { Ok(value) } else { Err(VolumeError::TooFew { name, value, least }) }
}

/// Most tetrahedra that a maker makes: some 2 GB of mesh.
pub(super) const MOST_TETS: usize = 50_000_000;

/// Refuses meshes with more tetrahedra than [`MOST_TETS`]; the number as a product of counts, which may overflow.
pub(super) fn not_too_many(factors: &[u32]) -> Result<(), VolumeError> {
    let product = factors.iter().try_fold(1_usize, |product, factor| product.checked_mul(*factor as usize));
    if product.is_some_and(|product| product <= MOST_TETS) {
        Ok(())
    } else {
        Err(VolumeError::TooMany { most: MOST_TETS })
    }
}
