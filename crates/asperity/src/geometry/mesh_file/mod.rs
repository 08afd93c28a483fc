//! Meshes from files: surfaces and volumes.
//!
//! | ending | format | surfaces | tetrahedra |
//! | --- | --- | --- | --- |
//! | .obj | Wavefront | yes | |
//! | .stl | ASCII or binary | yes | |
//! | .ply | ASCII or binary | yes | |
//! | .gltf, .glb | glTF 2.0 | yes | |
//! | .vtk | legacy VTK, ASCII: polygonal data, unstructured grids | yes | linear and quadratic |
//! | .msh | Gmsh 2.2 and 4.1, ASCII | yes | linear and quadratic |

mod content;
mod gltf;
mod gmsh;
mod ply;
mod surface;
#[cfg(test)]
mod tests;
mod volume;
mod vtk;
mod words;
