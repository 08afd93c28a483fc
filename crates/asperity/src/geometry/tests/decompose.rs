use glam::DVec3;

use super::shapes::box_mesh;
use crate::geometry::{Compound, Decomposition, MassProperties, MeshData, Shape, TriangleMesh};

/// An L: three unit cubes in a row with a corner, as a closed prism of height one.
fn angle() -> MeshData {
    let outline = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)];
    let n = outline.len() as u32;
    let level = |z: f64| outline.iter().map(move |&(x, y)| DVec3::new(x, y, z));
    let mut triangles = Vec::new();
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 5], [3, 4, 5]] {
        triangles.extend([[c, b, a], [a + n, b + n, c + n]]);
    }
    for i in 0..n {
        let j = (i + 1) % n;
        triangles.extend([[i, j, j + n], [i, j + n, i + n]]);
    }
    MeshData { vertices: level(0.0).chain(level(1.0)).collect(), triangles, ..MeshData::default() }
}

#[test]
fn an_angle_becomes_two_convex_parts_of_its_volume() {
    let mesh = TriangleMesh::new(angle()).unwrap();
    let exact = MassProperties::of(&Shape::Mesh(mesh.clone()), 1.0).unwrap();
    assert!((exact.mass - 3.0).abs() < 1e-12);
    let shape = Shape::decompose(&mesh, &Decomposition::default()).unwrap();
    assert_eq!(shape, Shape::decompose(&mesh, &Decomposition::default()).unwrap());
    let Shape::Compound(Compound { parts }) = &shape else { panic!("a compound") };
    assert!(parts.len() >= 2 && parts.len() <= 32);
    // The parts cover the angle and little more: one voxel is 2/64 wide.
    let mass = MassProperties::of(&shape, 1.0).unwrap().mass;
    assert!(mass > 3.0 - 0.2 && mass < 3.0 + 0.4, "{mass} in {}", parts.len());
}

#[test]
fn a_box_stays_one_part_and_open_meshes_are_refused() {
    let half = DVec3::new(0.3, 0.5, 0.4);
    let mesh = TriangleMesh::new(box_mesh(half, 2)).unwrap();
    let shape = Shape::decompose(&mesh, &Decomposition::default()).unwrap();
    let mass = MassProperties::of(&shape, 1.0).unwrap().mass;
    assert!((mass - 0.48).abs() < 1e-9, "{mass}");
    let mut open = box_mesh(half, 2);
    open.triangles.pop();
    let open = TriangleMesh::new(open).unwrap();
    assert!(Shape::decompose(&open, &Decomposition::default()).is_err());
    let none = Decomposition { resolution: 0, ..Decomposition::default() };
    assert!(Shape::decompose(&mesh, &none).unwrap_err().to_string().contains("voxels"));
}

#[test]
fn a_box_of_many_triangles_keeps_its_corners() {
    // 6 · 2 · 60² = 43,200 triangles: the outermost points stand for all. The corners of the box are among them.
    let half = DVec3::new(0.3, 0.5, 0.4);
    let mesh = TriangleMesh::new(box_mesh(half, 60)).unwrap();
    assert!(mesh.data().triangles.len() > 20_000);
    let shape = Shape::decompose(&mesh, &Decomposition::default()).unwrap();
    let mass = MassProperties::of(&shape, 1.0).unwrap().mass;
    assert!((mass - 0.48).abs() < 1e-9, "{mass}");
}
