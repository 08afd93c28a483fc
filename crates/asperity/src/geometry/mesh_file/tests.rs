//! Every format with a mesh written by hand, and files with mistakes, each named by its line or element.

use std::fs;
use std::path::PathBuf;

use glam::{DVec2, DVec3};

use crate::geometry::volume::VolumeMesh;
use crate::geometry::{MeshData, TriangleMesh};

/// A folder of files that is removed at the end.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn surface(&self, name: &str, bytes: impl AsRef<[u8]>) -> MeshData {
        TriangleMesh::read(&self.write(name, bytes)).unwrap().into()
    }

    /// Why a surface is refused, without the name of the file.
    fn bad_surface(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.write(name, bytes);
        let text = TriangleMesh::read(&path).unwrap_err().to_string();
        text.strip_prefix(&format!("{}: ", path.display())).unwrap().to_owned()
    }

    fn volume(&self, name: &str, bytes: impl AsRef<[u8]>) -> VolumeMesh {
        VolumeMesh::read(&self.write(name, bytes)).unwrap()
    }

    fn bad_volume(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.write(name, bytes);
        let text = VolumeMesh::read(&path).unwrap_err().to_string();
        text.strip_prefix(&format!("{}: ", path.display())).unwrap().to_owned()
    }
}

const CORNERS: [DVec3; 4] = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];

// Node 7 belongs to a line only; tags have gaps.
const GMSH_2: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n7 9 9 9\n10 0 0 0\n20 1 0 0\n30 0 1 0\n40 0 0 1\n$EndNodes\n\
    $Elements\n3\n1 1 2 0 1 7 10\n2 2 2 0 1 10 30 20\n3 4 2 0 1 10 20 30 40\n$EndElements\n";

const GMSH_4: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n\
    $Nodes\n2 4 10 40\n0 1 0 1\n10\n0 0 0\n2 1 1 3\n20\n30\n40\n1 0 0 0.5 0.5\n0 1 0 0.5 0.5\n0 0 1 0.5 0.5\n$EndNodes\n\
    $Elements\n2 2 1 2\n2 1 2 1\n1 10 30 20\n3 1 4 1\n2 10 20 30 40\n$EndElements\n";

const VTK_2: &str = "# vtk DataFile Version 2.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n9 9 9 0 0 0 1 0 0\n0 1 0 0 0 1\n\
    CELLS 2 9\n4 1 2 3 4\n3 1 3 2\nCELL_TYPES 2\n10\n5\nPOINT_DATA 5\nSCALARS POINTS double\nLOOKUP_TABLE default\n1 2 3 4 5\n";

const VTK_5: &str = "# vtk DataFile Version 5.1\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0 0 1 0 0 0 1\nMETADATA\nINFORMATION 0\n\n\
    CELLS 3 7\nOFFSETS vtktypeint64\n0 4 7\nCONNECTIVITY vtktypeint64\n0 1 2 3\n0 2 1\nCELL_TYPES 2\n10 5\n";

#[test]
fn tetrahedra_and_triangles_of_gmsh_and_vtk() {
    let folder = Folder::new();
    for (name, text) in [("a.msh", GMSH_2), ("b.msh", GMSH_4), ("a.vtk", VTK_2), ("b.vtk", VTK_5)] {
        let VolumeMesh::Linear(mesh) = folder.volume(name, text) else { panic!("{name} is not linear") };
        assert_eq!((&mesh.vertices[..], &mesh.tets[..]), (&CORNERS[..], &[[0, 1, 2, 3]][..]), "{name}");
        let surface = folder.surface(name, text);
        assert_eq!(surface.vertices, CORNERS[..3], "{name}");
        assert_eq!(surface.triangles, [[0, 2, 1]], "{name}");
    }
    let polygons = "# vtk DataFile Version 3.0\nsquare\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n0 0 0 1 0 0 1 1 0 0 1 0\nPOLYGONS 1 5\n4 0 1 2 3\n";
    assert_eq!(folder.surface("p.vtk", polygons).triangles, [[0, 1, 2], [0, 2, 3]]);
}

#[test]
fn quadratic_tetrahedra_have_the_order_of_vtk() {
    let folder = Folder::new();
    let middle = |a: usize, b: usize| 0.5 * (CORNERS[a] + CORNERS[b]);
    let in_order = |edges: [[usize; 2]; 6]| CORNERS.into_iter().chain(edges.map(|[a, b]| middle(a, b)));
    let vtk = [[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]];
    let gmsh = [[0, 1], [1, 2], [2, 0], [0, 3], [2, 3], [1, 3]];
    let points = |edges| in_order(edges).map(|p| format!("{} {} {}\n", p.x, p.y, p.z)).collect::<String>();
    let text = format!(
        "# vtk DataFile Version 2.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 10 double\n{}CELLS 1 11\n10 0 1 2 3 4 5 6 7 8 9\nCELL_TYPES 1\n24\n",
        points(vtk)
    );
    let tagged: String = points(gmsh).lines().zip(1..).map(|(line, tag)| format!("{tag} {line}\n")).collect();
    let other = format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n{tagged}$EndNodes\n$Elements\n1\n1 11 0 1 2 3 4 5 6 7 8 9 10\n$EndElements\n"
    );
    for (name, text) in [("q.vtk", text), ("q.msh", other)] {
        let VolumeMesh::Quadratic(mesh) = folder.volume(name, text) else { panic!("{name} is not quadratic") };
        let places = mesh.tets[0].map(|node| mesh.vertices[node as usize]);
        assert_eq!(places.to_vec(), in_order(vtk).collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn mistakes_are_named_by_line_and_element() {
    let folder = Folder::new();
    let gmsh = |from: &str, to: &str| {
        assert!(GMSH_2.contains(from));
        folder.bad_volume("bad.msh", GMSH_2.replace(from, to))
    };
    assert_eq!(gmsh("10 20 30 40\n", "10 20 30 41\n"), "line 16: element 3 names node 41, which is not there");
    assert_eq!(gmsh("2.2 0", "2.2 1"), "it is binary: write it as ASCII");
    assert_eq!(gmsh("2.2 0", "3.0 0"), "version 3.0 of Gmsh's format: 2.2 and 4.1 are read");
    assert_eq!(gmsh("20 1 0 0", "20 x 0 0"), "line 8: expected a coordinate, found `x`");
    assert_eq!(gmsh("20 1 0 0", "10 1 0 0"), "line 8: there are two nodes with the tag 10");
    assert_eq!(gmsh("3 4 2 0", "3 5 2 0").split(':').nth(1), Some(" element 3 is a hexahedron"));
    assert_eq!(gmsh("20 30 40\n$EndElements\n", "20 30"), "it ends where the tag of a node should follow");
    assert!(
        gmsh("10 20 30 40\n", "10 30 20 40\n")
            .starts_with("tets[0] = [0, 2, 1, 3] has the volume -1.6666666666666666e-1")
    );
    assert_eq!(gmsh("3 4 2 0 1 10 20 30 40", "3 15 2 0 1 10"), "it has no tetrahedra");
    let vtk = |from: &str, to: &str| {
        assert!(VTK_2.contains(from));
        folder.bad_volume("bad.vtk", VTK_2.replace(from, to))
    };
    assert_eq!(vtk("4 1 2 3 4", "4 1 2 3 5"), "tets[0] names vertex 5: there are 5");
    assert_eq!(vtk("ASCII", "BINARY"), "it is binary: write it as ASCII");
    assert!(vtk("\n10\n5\n", "\n10\n12\n").starts_with("line 13: cell 1 is of VTK's type 12"));
    assert_eq!(vtk("\n10\n5\n", "\n5\n10\n"), "line 13: cell 1 has 3 points, but is a tetrahedron");
    assert_eq!(vtk("CELL_TYPES 2", "CELL_TYPES 3"), "line 11: 3 types for 2 cells");
    assert!(folder.bad_volume("bad.stl", "").ends_with("the name must end in .msh or .vtk"));
}

#[test]
fn ply_in_all_encodings() {
    let folder = Folder::new();
    let header = |format: &str| {
        format!(
            "ply\nformat {format} 1.0\ncomment a square\nelement vertex 4\nproperty float x\nproperty double y\nproperty float z\nproperty uchar red\n\
             property float s\nproperty float t\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
        )
    };
    let corners = [[0.0_f32, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let ascii: String = corners.iter().map(|[x, y]| format!("{x} {y} 0.5 255 {x} {y}\n")).collect();
    let binary = |big: bool| {
        let mut bytes = Vec::new();
        let put = |bytes: &mut Vec<u8>, mut value: Vec<u8>| {
            if big {
                value.reverse();
            }
            bytes.extend(value);
        };
        for [x, y] in corners {
            put(&mut bytes, x.to_le_bytes().to_vec());
            put(&mut bytes, f64::from(y).to_le_bytes().to_vec());
            put(&mut bytes, 0.5_f32.to_le_bytes().to_vec());
            put(&mut bytes, vec![255]);
            put(&mut bytes, x.to_le_bytes().to_vec());
            put(&mut bytes, y.to_le_bytes().to_vec());
        }
        put(&mut bytes, vec![4]);
        (0..4_i32).for_each(|k| put(&mut bytes, k.to_le_bytes().to_vec()));
        bytes
    };
    let with = |format: &str, body: &[u8]| [header(format).as_bytes(), body].concat();
    let files = [
        with("ascii", format!("{ascii}4 0 1 2 3\n").as_bytes()),
        with("binary_little_endian", &binary(false)),
        with("binary_big_endian", &binary(true)),
    ];
    for bytes in &files {
        let data = folder.surface("square.ply", bytes);
        assert_eq!(data.vertices[2], DVec3::new(1.0, 1.0, 0.5));
        assert_eq!(data.uvs[1], DVec2::X);
        assert_eq!(data.triangles, [[0, 1, 2], [0, 2, 3]]);
    }
    let bad = |bytes: Vec<u8>| folder.bad_surface("bad.ply", bytes);
    assert_eq!(bad(files[1][..files[1].len() - 1].to_vec()), "not a mesh: face[0]: no value for `vertex_indices`");
    assert_eq!(bad(with("ascii", format!("{ascii}2 0 1\n").as_bytes())), "not a mesh: face[0]: it has 2 corners");
    assert_eq!(
        bad(with("ascii", format!("{ascii}3 0 1 -2\n").as_bytes())),
        "not a mesh: face[0]: -2 is no number of a vertex"
    );
    assert_eq!(bad(with("ascii", format!("{ascii}3 0 1 9\n").as_bytes())), "triangles[0] names vertex 9: there are 4");
    assert_eq!(bad(b"stl\n".to_vec()), "not a mesh: it does not begin with `ply`");
}

/// A triangle in a node that is moved by (0, 0, 2) under one that is mirrored in x.
fn triangle_gltf(uri: &str, length: usize, count: usize) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"scale":[-1,1,1],"children":[1]}},{{"translation":[0,0,2],"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "buffers":[{{"uri":"{uri}","byteLength":{length}}}],
        "bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":6}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{count},"type":"VEC3","min":[0,0,0],"max":[1,1,0]}},
        {{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}}]}}"#
    )
}

#[test]
fn gltf_nodes_are_placed_and_bad_buffers_named() {
    let folder = Folder::new();
    let floats = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let mut buffer: Vec<u8> = floats.iter().flat_map(|x| x.to_le_bytes()).collect();
    buffer.extend([0_u16, 1, 2].iter().flat_map(|k| k.to_le_bytes()));
    folder.write("triangle.bin", &buffer);
    // The same 42 bytes in base64, by the program of that name.
    let inline = "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIA";
    for uri in ["triangle.bin", inline] {
        let data = folder.surface("a.gltf", triangle_gltf(uri, 42, 3));
        assert_eq!(data.vertices, [DVec3::new(0.0, 0.0, 2.0), DVec3::new(-1.0, 0.0, 2.0), DVec3::new(0.0, 1.0, 2.0)]);
        // Turned over, so that the mirrored triangle still faces +z.
        assert_eq!(data.triangles, [[0, 2, 1]]);
    }
    let bad = |text: String| folder.bad_surface("bad.gltf", text);
    assert_eq!(bad(triangle_gltf("none.bin", 42, 3)), "not a mesh: none.bin: there is no such file");
    assert_eq!(bad(triangle_gltf("triangle.bin", 50, 3)), "not a mesh: buffer 0 has 42 bytes instead of 50");
    assert_eq!(
        bad(triangle_gltf("triangle.bin", 42, 4)),
        "not a mesh: accessor 0: its values do not lie in its view of a buffer"
    );
    let circle = triangle_gltf("triangle.bin", 42, 3).replace(r#""mesh":0"#, r#""mesh":0,"children":[0]"#);
    assert_eq!(bad(circle), "not a mesh: a node is its own ancestor, or has two parents");
}
