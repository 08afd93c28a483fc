//! What can be wrong with elastic bodies, said with the element, the value and the reason.

use asperity_friction::number::Written;

/// Invalid input to an elastic body.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ElasticError {
    /// A stiffness, thickness or density that is not a positive finite number.
    #[error("{name} = {}: must be finite and positive", Written(*value))]
    NotPositive {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A Poisson's ratio that no stable isotropic solid has.
    #[error("poisson = {}: must be greater than -1 and less than 0.5", Written(*value))]
    Poisson {
        /// Its value.
        value: f64,
    },
    /// Lamé constants whose bulk modulus is not positive.
    #[error("lambda = {}, mu = {}: the bulk modulus lambda + 2/3 mu must be finite and positive", Written(*lambda), Written(*mu))]
    Bulk {
        /// First Lamé constant.
        lambda: f64,
        /// Shear modulus.
        mu: f64,
    },
    /// A Poisson's ratio that makes the energy of a woven sheet negative for some strains.
    #[error(
        "poisson = {}: its square times weft / warp must be less than 1, and it is {}",
        Written(*value),
        Written(*product)
    )]
    WovenPoisson {
        /// Its value.
        value: f64,
        /// poisson² weft / warp.
        product: f64,
    },
    /// A largest stretch that is not greater than one.
    #[error("stretch = {}: the largest stretch without resistance must be finite and at least 1", Written(*value))]
    Stretch {
        /// Its value.
        value: f64,
    },
    /// A list of the wrong length.
    #[error("{name} has {count} entries: must have {expected}")]
    Count {
        /// The list.
        name: &'static str,
        /// How many it has.
        count: usize,
        /// How many it must have.
        expected: usize,
    },
    /// A vertex with a NaN or infinite coordinate.
    #[error("vertices[{vertex}]: its place must be finite")]
    NotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// An element that names a vertex that is not there.
    #[error("{list}[{element}] names vertex {vertex}: there are {count}")]
    VertexOutOfRange {
        /// The list of elements.
        list: &'static str,
        /// The element.
        element: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// An element that names a vertex twice.
    #[error("{list}[{element}] names vertex {vertex} twice")]
    RepeatedVertex {
        /// The list of elements.
        list: &'static str,
        /// The element.
        element: usize,
        /// The vertex it names twice.
        vertex: u32,
    },
    /// An element without length, area or volume at rest.
    #[error("{list}[{element}] is degenerate at rest: its {measure} is {size:e}, for a longest edge of {edge:e}")]
    Degenerate {
        /// The list of elements.
        list: &'static str,
        /// The element.
        element: usize,
        /// Length, area or volume.
        measure: &'static str,
        /// Its value.
        size: f64,
        /// The longest edge.
        edge: f64,
    },
    /// A tetrahedron whose corners are in the wrong order.
    #[error(
        "{list}[{element}] is inverted at rest: its volume is {volume:e}; seen from its fourth corner, the first three must be anticlockwise"
    )]
    Inverted {
        /// The list of elements.
        list: &'static str,
        /// The element.
        element: usize,
        /// The signed volume at rest, at the worst point of the element.
        volume: f64,
    },
    /// A triangle whose texture coordinates have no direction of the warp.
    #[error("triangles[{element}] has texture coordinates without area: they give no warp direction")]
    NoWarp {
        /// The triangle.
        element: usize,
    },
    /// An edge with more than two triangles, or with two that face opposite sides.
    #[error(
        "the edge from vertex {from} to vertex {to} has triangles[{first}] and triangles[{second}] on the same side: a sheet has at most one triangle on each side of an edge"
    )]
    Edge {
        /// One end.
        from: u32,
        /// The other end.
        to: u32,
        /// A triangle.
        first: usize,
        /// Another triangle that uses the edge in the same direction.
        second: usize,
    },
    /// A vertex that no element uses: it would have no mass.
    #[error("vertices[{vertex}] is not used by any element: it would have no mass")]
    Unreferenced {
        /// The vertex.
        vertex: usize,
    },
    /// A matrix pattern that lacks an entry.
    #[error("the pattern of the matrix has no entry at row {row}, column {column}")]
    NotInPattern {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
}

/// `value` if it is finite and positive.
pub(super) fn positive(name: &'static str, value: f64) -> Result<f64, ElasticError> {
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err(ElasticError::NotPositive { name, value }) }
}
