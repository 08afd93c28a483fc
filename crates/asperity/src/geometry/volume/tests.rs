//! Meshes that are made: valid, closed, of the right size and quality, and refused where the numbers are bad.

use std::f64::consts::PI;

use glam::DVec3;

use super::{TetMesh, VolumeError};

/// The volume enclosed by the boundary triangles, and whether every edge has one triangle on each side.
fn enclosed(vertices: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
    let mut edges: Vec<[u32; 2]> = triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]).collect();
    edges.sort_unstable();
    assert!(edges.windows(2).all(|pair| pair[0] != pair[1]), "an edge is used twice in one direction");
    assert!(edges.iter().all(|[a, b]| edges.binary_search(&[*b, *a]).is_ok()), "an edge is open");
    let volume = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|vertex| vertices[vertex as usize]);
        a.dot(b.cross(c)) / 6.0
    };
    triangles.iter().map(volume).sum()
}

fn assert_valid(mesh: &TetMesh) {
    mesh.check().unwrap();
    let triangles = mesh.boundary().unwrap();
    let volume = mesh.volume();
    assert!((enclosed(&mesh.vertices, &triangles) - volume).abs() < 1e-12 * volume);
    let quadratic = mesh.quadratic();
    let triangles = quadratic.boundary_triangles().unwrap();
    assert!((enclosed(&quadratic.vertices, &triangles) - volume).abs() < 1e-12 * volume);
    // Euler's formula for a solid without hollows: V − E + F − T = 1, or 0 for one with a hole through it.
    let edges = quadratic.vertices.len() - mesh.vertices.len();
    let faces = (4 * mesh.tets.len() + mesh.boundary().unwrap().len()) / 2;
    let euler = mesh.vertices.len() + faces - edges - mesh.tets.len();
    assert!(euler <= 1, "{euler}");
}

fn degrees(mesh: &TetMesh) -> [f64; 2] {
    let quality = mesh.quality().unwrap();
    [quality.least.angle.to_degrees(), quality.greatest.angle.to_degrees()]
}

#[test]
fn boxes_are_exact_and_symmetric() {
    let mesh = TetMesh::cuboid(DVec3::new(2.0, 1.0, 1.0), [4, 2, 2]).unwrap();
    assert_valid(&mesh);
    assert!((mesh.volume() - 2.0).abs() < 1e-14);
    assert_eq!(mesh.tets.len(), 5 * 16);
    let [least, greatest] = degrees(&mesh);
    assert!((least - 54.7356).abs() < 1e-4 && (greatest - 90.0).abs() < 1e-9, "{least} {greatest}");
    // Mirrored in x, the mesh has the same tetrahedra.
    let corner_sums = |sign: f64| {
        let mut sums: Vec<[i64; 3]> = (0..mesh.tets.len())
            .map(|tet| mesh.corners(tet).iter().sum::<DVec3>() * DVec3::new(sign, 1.0, 1.0))
            .map(|sum| (1e6 * sum).round().to_array().map(|x| x as i64))
            .collect();
        sums.sort_unstable();
        sums
    };
    assert_eq!(corner_sums(1.0), corner_sums(-1.0));
    assert_valid(&TetMesh::cuboid(DVec3::ONE, [3, 1, 2]).unwrap());
}

#[test]
fn balls_approach_the_sphere_with_bounded_angles() {
    let mut last = f64::INFINITY;
    for layers in [1, 2, 4, 8] {
        let mesh = TetMesh::ball(0.5, layers).unwrap();
        assert_valid(&mesh);
        assert_eq!(mesh.tets.len() as u32, 20 * layers.pow(3));
        let missing = 1.0 - mesh.volume() / (4.0 / 3.0 * PI * 0.125);
        assert!(missing > 0.0 && missing < 0.33 * last, "{layers}: {missing}");
        last = missing;
        let [least, greatest] = degrees(&mesh);
        assert!(least > 30.0 && greatest < 130.0, "{layers}: {least} {greatest}");
    }
}

#[test]
fn cylinders_and_tubes_have_the_volume_of_their_polygons() {
    let mesh = TetMesh::cylinder(0.5, 2.0, 3, 12).unwrap();
    assert_valid(&mesh);
    let polygon = |corners: f64, radius: f64| 0.5 * corners * radius * radius * (2.0 * PI / corners).sin();
    assert!((mesh.volume() - 2.0 * polygon(18.0, 0.5)).abs() < 1e-12);
    let [least, greatest] = degrees(&mesh);
    assert!(least > 25.0 && greatest < 140.0, "{least} {greatest}");
    for around in [7, 12] {
        let mesh = TetMesh::tube([0.4, 0.5], 1.0, [around, 2, 5]).unwrap();
        assert_valid(&mesh);
        let area = polygon(f64::from(around), 0.5) - polygon(f64::from(around), 0.4);
        assert!((mesh.volume() - area).abs() < 1e-12);
    }
}

#[test]
fn bad_numbers_and_bad_meshes_are_named() {
    let text = |result: Result<TetMesh, VolumeError>| result.unwrap_err().to_string();
    assert_eq!(text(TetMesh::cuboid(DVec3::new(1.0, 0.0, 1.0), [1; 3])), "size.y = 0: must be finite and positive");
    assert_eq!(text(TetMesh::cuboid(DVec3::ONE, [1, 1, 0])), "cells.z = 0: must be at least 1");
    assert_eq!(text(TetMesh::cuboid(DVec3::ONE, [u32::MAX; 3])), "the mesh would have more than 50000000 tetrahedra");
    assert_eq!(text(TetMesh::ball(f64::NAN, 1)), "radius = NaN: must be finite and positive");
    assert!(text(TetMesh::tube([0.5, 0.4], 1.0, [8, 1, 1])).starts_with("inner radius 0.5 and outer radius 0.4"));
    assert_eq!(text(TetMesh::tube([0.3, 0.4], 1.0, [2, 1, 1])), "cells around = 2: must be at least 3");

    let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let mesh = |tets: &[[u32; 4]]| TetMesh { vertices: vertices.clone(), tets: tets.to_vec() };
    assert_eq!(mesh(&[]).check(), Err(VolumeError::Empty));
    assert_eq!(mesh(&[[0, 1, 2, 4]]).check(), Err(VolumeError::VertexOutOfRange { tet: 0, vertex: 4, count: 4 }));
    assert!(matches!(mesh(&[[0, 1, 2, 3], [0, 2, 1, 3]]).check(), Err(VolumeError::Inverted { tet: 1, .. })));
    let twice = mesh(&[[0, 1, 2, 3], [1, 2, 0, 3]]).boundary();
    assert_eq!(twice, Err(VolumeError::Overlap { first: 0, second: 1, face: [0, 1, 2] }));
}
