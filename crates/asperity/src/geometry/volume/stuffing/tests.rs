//! Shapes that are filled: angles within the bounds of the paper, boundaries that are closed and lie on the surface,
//! volumes that converge.

use std::f64::consts::PI;

use glam::DVec3;

use super::RoundBar;
use crate::geometry::aabb::Aabb;
use crate::geometry::volume::{TetMesh, VolumeError};
use crate::geometry::{MeshData, TriangleMesh};

/// Bounds of all dihedral angles, in degrees, after table 1 of Labelle and Shewchuk (2007).
const LEAST: f64 = 10.7;
const GREATEST: f64 = 164.8;

fn assert_good(mesh: &TetMesh, what: &str) {
    mesh.check().unwrap();
    let quality = mesh.quality().unwrap();
    let [least, greatest] = [quality.least.angle, quality.greatest.angle].map(f64::to_degrees);
    assert!(least > LEAST && greatest < GREATEST, "{what}: {least} to {greatest}");
    let triangles = mesh.boundary().unwrap();
    let data = MeshData { vertices: mesh.vertices.clone(), triangles, ..MeshData::default() };
    let volume: f64 = data
        .triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|v| data.vertices[v as usize]);
            a.dot(b.cross(c)) / 6.0
        })
        .sum();
    assert!((volume - mesh.volume()).abs() < 1e-12 * volume, "{what}");
}

/// Every edge of the boundary has one triangle on each side.
fn assert_closed(mesh: &TetMesh) {
    let triangles = mesh.boundary().unwrap();
    let data = MeshData { vertices: mesh.vertices.clone(), triangles, ..MeshData::default() };
    TriangleMesh::new(data).unwrap().closed().unwrap();
}

#[test]
fn balls_anywhere_in_the_lattice_have_bounded_angles() {
    for k in 0..40 {
        let step = f64::from(k);
        let centre = DVec3::new((0.37 * step).sin(), (0.73 * step).cos(), (1.1 * step).sin());
        let radius = 0.5 + 0.02 * step;
        // The lattice is centred on the bounds: they are not on the ball, so that it lies anywhere.
        let bounds = Aabb { min: centre - 1.1 * radius, max: centre + radius * DVec3::new(1.0, 1.3, 1.6) };
        let mesh = TetMesh::fill(&bounds, 0.2, &|p| radius - p.distance(centre)).unwrap();
        assert_good(&mesh, &format!("ball {k}"));
        assert_closed(&mesh);
    }
}

#[test]
fn volumes_converge_with_the_square_of_the_cell() {
    let bar = RoundBar { ends: [DVec3::new(-0.3, 0.1, 0.0), DVec3::new(0.4, 0.2, 0.3)], radius: 0.2 };
    let exact = PI * 0.04 * bar.ends[0].distance(bar.ends[1]) + 4.0 / 3.0 * PI * 0.008;
    let errors = [0.1, 0.05, 0.025].map(|cell| {
        let mesh = TetMesh::fill_bars(&[bar], cell).unwrap();
        assert_good(&mesh, "capsule");
        assert_closed(&mesh);
        let on_surface =
            mesh.boundary().unwrap().as_flattened().iter().all(|v| bar.depth(mesh.vertices[*v as usize]).abs() < 1e-9);
        assert!(on_surface);
        1.0 - mesh.volume() / exact
    });
    assert!(errors.iter().all(|error| *error > 0.0), "{errors:?}");
    let orders = [errors[0] / errors[1], errors[1] / errors[2]].map(f64::log2);
    assert!(orders.iter().all(|order| (1.6..2.4).contains(order)), "{errors:?}");
}

#[test]
fn a_hand_of_bars_is_one_piece() {
    let finger = |k: i32| RoundBar { ends: [DVec3::ZERO, DVec3::new(0.1 * f64::from(k), 0.3, 0.02)], radius: 0.03 };
    let mesh = TetMesh::fill_bars(&[finger(-2), finger(-1), finger(0), finger(1)], 0.015).unwrap();
    assert_good(&mesh, "hand");
    // Every vertex is reached from the first one.
    let mut group: Vec<u32> = (0..mesh.vertices.len() as u32).collect();
    fn root(group: &mut [u32], mut v: u32) -> u32 {
        while group[v as usize] != v {
            group[v as usize] = group[group[v as usize] as usize];
            v = group[v as usize];
        }
        v
    }
    for [a, rest @ ..] in &mesh.tets {
        for b in rest {
            let (a, b) = (root(&mut group, *a), root(&mut group, *b));
            group[a as usize] = b;
        }
    }
    let first = root(&mut group, 0);
    assert!((0..mesh.vertices.len() as u32).all(|v| root(&mut group, v) == first));
}

#[test]
fn closed_surfaces_are_filled_and_open_ones_refused() {
    let sphere = TriangleMesh::new(MeshData::sphere(0.5, 6).unwrap()).unwrap();
    let mesh = TetMesh::fill_surface(&sphere, 0.1).unwrap();
    assert_good(&mesh, "sphere");
    assert_closed(&mesh);
    let ball = TetMesh::ball(0.5, 6).unwrap().volume();
    assert!((mesh.volume() / ball - 1.0).abs() < 0.02, "{}", mesh.volume() / ball);

    // A box, with sharp edges that the cells cut off.
    let solid = TetMesh::cuboid(DVec3::new(1.0, 0.6, 0.4), [1, 1, 1]).unwrap();
    let data = MeshData { triangles: solid.boundary().unwrap(), vertices: solid.vertices, ..MeshData::default() };
    let mesh = TetMesh::fill_surface(&TriangleMesh::new(data).unwrap(), 0.05).unwrap();
    assert_good(&mesh, "box");
    assert_closed(&mesh);
    assert!((0.97..1.0 + 1e-9).contains(&(mesh.volume() / 0.24)), "{}", mesh.volume());

    let open = TriangleMesh::new(MeshData::disc(0.5, 3).unwrap()).unwrap();
    let error = TetMesh::fill_surface(&open, 0.1).unwrap_err();
    assert!(error.to_string().starts_with("the surface cannot be filled: the mesh is not closed"), "{error}");
    assert_eq!(TetMesh::fill_surface(&sphere, 0.0), Err(VolumeError::NotPositive { name: "cell", value: 0.0 }));
    assert!(matches!(TetMesh::fill_surface(&sphere, 1e-9), Err(VolumeError::TooMany { .. })));
    let bar = RoundBar { ends: [DVec3::ZERO; 2], radius: 0.01 };
    let off = RoundBar { ends: [DVec3::splat(0.3); 2], radius: 0.01 };
    assert_eq!(TetMesh::fill_bars(&[bar, off], 0.4), Err(VolumeError::Empty));
    let nan = TetMesh::fill(&Aabb::around(DVec3::ZERO, DVec3::ONE), 0.5, &|_| f64::NAN);
    assert!(matches!(nan, Err(VolumeError::NoDepth { .. })));
}
