//! Surfaces from files.

use std::io::Cursor;
use std::path::Path;

use glam::{DVec2, DVec3};

use super::content::{Content, compact};
use super::{gltf, gmsh, ply, vtk};
use crate::geometry::error::ShapeError;
use crate::geometry::mesh::{MeshData, TriangleMesh};
use crate::geometry::volume::TetMesh;
use crate::input_file::read_regular;

/// Largest file that is read, in bytes: some five million triangles as text.
const LARGEST_FILE: u64 = 512 << 20;

impl TriangleMesh {
    /// Reads a surface of at most 512 MiB: `.obj`, `.stl`, `.ply` (ASCII or binary), `.gltf`, `.glb`, `.vtk` (legacy,
    /// ASCII), `.msh` (Gmsh 2.2 or 4.1, ASCII). Polygons are split into triangles; all objects of a file become one
    /// mesh. Texture coordinates are kept, and normals of OBJ files.
    pub fn read(path: &Path) -> Result<Self, ShapeError> {
        let fail = |reason: String| ShapeError::File { path: path.to_owned(), reason };
        let kind = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
        let folder = path.parent().unwrap_or(Path::new(""));
        let parse: &dyn Fn(&[u8]) -> Result<MeshData, String> = match kind.as_deref() {
            Some("obj") => &obj,
            Some("stl") => &stl,
            Some("ply") => &ply::parse,
            Some("gltf" | "glb") => &|bytes| gltf::parse(bytes, folder),
            Some("vtk") => &|bytes| triangles(bytes, vtk::parse),
            Some("msh") => &|bytes| triangles(bytes, gmsh::parse),
            _ => {
                let endings = ".obj, .stl, .ply, .gltf, .glb, .vtk or .msh";
                return Err(fail(format!("not a mesh: the name must end in {endings}")));
            }
        };
        let bytes = read_regular(path, LARGEST_FILE).map_err(fail)?;
        let data = parse(&bytes).map_err(|reason| fail(format!("not a mesh: {reason}")))?;
        Self::new(data).map_err(|error| ShapeError::InFile { path: path.to_owned(), error: Box::new(error) })
    }
}

/// The triangles of a text file, without vertices that none of them uses.
fn triangles(bytes: &[u8], parse: fn(&str) -> Result<Content, String>) -> Result<MeshData, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not a text file")?;
    let Content { vertices, mut triangles, tets, quadratic_tets } = parse(text)?;
    if triangles.is_empty() {
        // A volume without its surface: the boundary of its tetrahedra.
        let corners = quadratic_tets.iter().map(|[a, b, c, d, ..]| [*a, *b, *c, *d]);
        let tets = tets.into_iter().chain(corners).collect();
        triangles = TetMesh { vertices: Vec::new(), tets }.boundary().map_err(|error| error.to_string())?;
    }
    if triangles.is_empty() {
        return Err("it has no triangles and no tetrahedra".into());
    }
    let count = vertices.len();
    for (k, corners) in triangles.iter().enumerate() {
        if let Some(vertex) = corners.iter().find(|vertex| **vertex as usize >= count) {
            return Err(format!("triangles[{k}] names vertex {vertex}: there are {count}"));
        }
    }
    let vertices = compact(&vertices, &mut triangles);
    Ok(MeshData { vertices, triangles, ..MeshData::default() })
}

fn obj(bytes: &[u8]) -> Result<MeshData, String> {
    let options = tobj::LoadOptions { triangulate: true, single_index: true, ignore_points: true, ignore_lines: true };
    // Materials do not matter here, so that a missing .mtl file is no error.
    let (models, _) = tobj::load_obj_buf(&mut Cursor::new(bytes), &options, |_| Ok(Default::default()))
        .map_err(|error| error.to_string())?;
    let mut data = MeshData::default();
    let meshes: Vec<_> = models.iter().map(|model| &model.mesh).filter(|mesh| !mesh.indices.is_empty()).collect();
    if meshes.is_empty() {
        return Err("it has no faces".into());
    }
    let complete = |list: fn(&tobj::Mesh) -> &Vec<f64>| meshes.iter().all(|mesh| !list(mesh).is_empty());
    let (normals, uvs) = (complete(|m| &m.normals), complete(|m| &m.texcoords));
    for mesh in meshes {
        let offset = u32::try_from(data.vertices.len()).map_err(|_| "too many vertices".to_owned())?;
        data.vertices.extend(mesh.positions.as_chunks::<3>().0.iter().map(|&p| DVec3::from_array(p)));
        data.triangles.extend(mesh.indices.as_chunks::<3>().0.iter().map(|t| t.map(|i| i.saturating_add(offset))));
        if normals {
            let unit = |&n: &[f64; 3]| DVec3::from_array(n).normalize_or(DVec3::NAN);
            data.normals.extend(mesh.normals.as_chunks::<3>().0.iter().map(unit));
        }
        if uvs {
            data.uvs.extend(mesh.texcoords.as_chunks::<2>().0.iter().map(|&uv| DVec2::from_array(uv)));
        }
    }
    Ok(data)
}

fn stl(bytes: &[u8]) -> Result<MeshData, String> {
    // A binary file states how many triangles follow; the claim is checked before anything is made for it.
    if !bytes.starts_with(b"solid") {
        let count = bytes.get(80..84).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
        let Some(count) = count else { return Err("too short for a binary STL file".into()) };
        if (bytes.len() as u64) < 84 + 50 * u64::from(count) {
            return Err(format!("it announces {count} triangles but has room for {}", (bytes.len() - 84) / 50));
        }
    }
    let mesh = stl_io::read_stl(&mut Cursor::new(bytes)).map_err(|error| error.to_string())?;
    let vertices = mesh.vertices.iter().map(|v| DVec3::from_array(v.0.map(f64::from))).collect();
    let triangles = mesh.faces.iter().map(|face| face.vertices.map(|i| i as u32)).collect();
    Ok(MeshData { vertices, triangles, ..MeshData::default() })
}
