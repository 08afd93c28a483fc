//! Bodies that are given as meshes, on meshes.

mod common;

use asperity::geometry::{Decomposition, MeshData, Pose, Shape, TriangleMesh};
use asperity::step::{Refusal, Stepper};
use common::{World, at};
use glam::{DQuat, DVec3};

/// The surface of a box.
fn block(half: DVec3) -> TriangleMesh {
    let corner = |i: u32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) * 2.0 - 1.0;
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let data = MeshData {
        vertices: (0..8).map(|i| corner(i) * half).collect(),
        triangles: quads.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
        ..MeshData::default()
    };
    TriangleMesh::new(data).unwrap()
}

/// A sheet of n × n squares in y = 0, facing up, of this width.
fn sheet(n: u32, width: f64) -> Shape {
    let place = |k: u32| width * (f64::from(k) / f64::from(n) - 0.5);
    let mut data = MeshData::default();
    for (i, j) in (0..=n).flat_map(|i| (0..=n).map(move |j| (i, j))) {
        data.vertices.push(DVec3::new(place(i), 0.0, place(j)));
    }
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let a = i * (n + 1) + j;
        data.triangles.extend([[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]);
    }
    Shape::Mesh(TriangleMesh::new(data).unwrap())
}

#[test]
fn a_split_block_slides_down_a_sheet_as_a_box_does() {
    let (tilt, mu) = (30f64.to_radians(), 0.2);
    let rotation = DQuat::from_rotation_z(-tilt) * DQuat::from_rotation_y(0.3);
    for cells in [1, 7] {
        let mut world = World::coulomb(mu);
        world.fixed(sheet(cells, 12.0), Pose { position: DVec3::ZERO, rotation });
        let half = DVec3::new(0.2, 0.1, 0.15);
        let solid = Shape::decompose(&block(half), &Decomposition::default()).unwrap();
        let start = DQuat::from_rotation_z(-tilt) * DVec3::new(-2.0, 0.1, 0.0);
        let body = world.dynamic(solid, 1000.0, Pose { position: start, rotation });
        world.run(0.01, 100);
        let moved = world.at(body).centre - start;
        // g (sin − μ cos)/2 down the slope.
        let far = 0.5 * 9.81 * (tilt.sin() - mu * tilt.cos());
        let expected = DQuat::from_rotation_z(-tilt) * DVec3::X * far;
        assert!(moved.distance(expected) < 1e-5, "{cells}: {moved} {expected}");
        assert!(world.at(body).rotation.angle_between(rotation) < 1e-5, "{cells}");
    }
}

#[test]
fn split_blocks_stand_on_each_other_on_a_sheet() {
    let half = DVec3::new(0.2, 0.1, 0.15);
    let solid = Shape::decompose(&block(half), &Decomposition::default()).unwrap();
    let mut world = World::coulomb(0.5);
    world.fixed(sheet(5, 3.0), Pose::IDENTITY);
    let places = [at(0.0, 0.1, 0.0), at(0.05, 0.3, 0.02), at(-0.05, 0.5, 0.0)];
    let bodies = places.map(|pose| world.dynamic(solid.clone(), 1000.0, pose));
    world.run(0.01, 100);
    for (body, pose) in bodies.into_iter().zip(places) {
        assert!(world.at(body).centre.distance(pose.position) < 1e-6, "{body}: {}", world.at(body).centre);
    }
}

#[test]
fn a_mesh_that_moves_is_refused_where_there_is_another_one() {
    let half = DVec3::splat(0.1);
    let mut world = World::coulomb(0.5);
    world.fixed(sheet(2, 2.0), Pose::IDENTITY);
    world.dynamic(Shape::Mesh(block(half)), 1000.0, at(0.0, 0.1, 0.0));
    let error = world.stepper.accepts(&world.model).unwrap_err();
    assert!(matches!(&error, Refusal::Meshes { a, b } if a == "body 1" && b == "body 0"), "{error}");
    assert!(error.to_string().contains("split 'body 1' into convex parts"), "{error}");
    // On a plane it stands by its corners.
    let mut world = World::coulomb(0.5);
    world.floor();
    let body = world.dynamic(Shape::Mesh(block(half)), 1000.0, at(0.0, 0.1, 0.0));
    world.run(0.01, 20);
    assert!(world.at(body).centre.distance(DVec3::Y * 0.1) < 1e-6);
}
