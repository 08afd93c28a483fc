//! Tetrahedral meshes from files.

use std::path::Path;

use super::content::compact;
use super::{gmsh, vtk};
use crate::geometry::volume::{QuadraticTetMesh, TetMesh, VolumeError, VolumeMesh};
use crate::input_file::read_regular;

/// Largest file that is read, in bytes: some ten million tetrahedra as text.
const LARGEST_FILE: u64 = 1 << 30;

impl VolumeMesh {
    /// Reads the tetrahedra of a `.msh` file (Gmsh 2.2 or 4.1, ASCII) or a `.vtk` file (legacy, ASCII) of at most 1
    /// GiB. Points and faces without a tetrahedron are left out; tetrahedra must be all linear or all quadratic, and of
    /// positive volume.
    pub fn read(path: &Path) -> Result<Self, VolumeError> {
        let fail = |reason: String| VolumeError::File { path: path.to_owned(), reason };
        let kind = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
        let parse = match kind.as_deref() {
            Some("msh") => gmsh::parse,
            Some("vtk") => vtk::parse,
            _ => return Err(fail("not a mesh of tetrahedra: the name must end in .msh or .vtk".into())),
        };
        let bytes = read_regular(path, LARGEST_FILE).map_err(fail)?;
        let text = String::from_utf8(bytes).map_err(|_| fail("it is not a text file".into()))?;
        let mut content = parse(&text).map_err(fail)?;
        let count = content.vertices.len();
        let in_file = |error: VolumeError| VolumeError::InFile { path: path.to_owned(), error: Box::new(error) };
        let named = content.tets.iter().map(<[u32; 4]>::as_slice);
        let named = named.chain(content.quadratic_tets.iter().map(<[u32; 10]>::as_slice)).enumerate();
        for (tet, nodes) in named {
            if let Some(&vertex) = nodes.iter().find(|vertex| **vertex as usize >= count) {
                return Err(in_file(VolumeError::VertexOutOfRange { tet, vertex, count }));
            }
        }
        match (content.tets.len(), content.quadratic_tets.len()) {
            (0, 0) => Err(VolumeError::NoTets { path: path.to_owned() }),
            (_, 0) => {
                let vertices = compact(&content.vertices, &mut content.tets);
                let mesh = TetMesh { vertices, tets: content.tets };
                mesh.check().map_err(in_file)?;
                Ok(Self::Linear(mesh))
            }
            (0, _) => {
                let vertices = compact(&content.vertices, &mut content.quadratic_tets);
                let mesh = QuadraticTetMesh { vertices, tets: content.quadratic_tets };
                let corners = TetMesh { vertices: mesh.vertices.clone(), tets: mesh.corner_tets() };
                corners.check().map_err(in_file)?;
                Ok(Self::Quadratic(mesh))
            }
            (linear, quadratic) => {
                Err(fail(format!("it has {linear} linear and {quadratic} quadratic tetrahedra: only one kind is read")))
            }
        }
    }
}
