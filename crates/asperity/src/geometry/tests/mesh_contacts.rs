//! Bodies on triangle meshes: the same as on the solid the mesh is the surface of.

use glam::{DQuat, DVec3};

use super::Draw;
use super::contact_pairs::{convex, find};
use super::oracle::deepest;
use super::shapes::box_mesh;
use crate::geometry::{ContactPoint, Feature, MeshData, Pose, Shape, TriangleMesh};

fn mesh(data: MeshData) -> Shape {
    Shape::Mesh(TriangleMesh::new(data).unwrap())
}

/// A flat grid in y = 0, from −1 to 1.
fn floor(n: u32) -> Shape {
    let mut data = MeshData::default();
    for i in 0..=n {
        for j in 0..=n {
            let s = |k: u32| 2.0 * f64::from(k) / f64::from(n) - 1.0;
            data.vertices.push(DVec3::new(s(i), 0.0, s(j)));
        }
    }
    for i in 0..n {
        for j in 0..n {
            let a = i * (n + 1) + j;
            data.triangles.extend([[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]);
        }
    }
    mesh(data)
}

#[test]
fn flat_meshes_are_planes() {
    let mut draw = Draw(83);
    let plane = Shape::half_space(DVec3::Y).unwrap();
    for case in 0..1500 {
        let shape = convex(&mut draw, case % 5);
        let ground = floor(1 + case as u32 % 7);
        let base = draw.pose(1.0);
        let up = base.rotation * DVec3::Y;
        let mut pose = draw.pose(0.0);
        pose.position = base.position + base.rotation * DVec3::new(draw.range(-0.2, 0.2), 0.0, draw.range(-0.2, 0.2));
        // Onto the plane, not deeper than a tenth.
        let high = find((&shape, &pose), (&plane, &base), f64::INFINITY);
        pose.position += up * (draw.range(-0.1, 0.02) - deepest(&high).unwrap().gap);
        let exact = find((&shape, &pose), (&plane, &base), 0.03);
        let found = find((&shape, &pose), (&ground, &base), 0.03);
        let (least, expected) = (deepest(&found).unwrap(), deepest(&exact).unwrap());
        let what = format!("{} case {case}", shape.name());
        assert!((least.gap - expected.gap).abs() < 1e-11, "{what}: {least:?} {expected:?}");
        assert!(
            found.iter().all(|c| c.normal.distance(up) < 1e-9),
            "{what}: no edge inside the floor shows: {found:?}"
        );
        assert!(found.len() <= 8, "{what}");
        let mut names: Vec<Feature> = found.iter().map(|c| c.feature).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), found.len());
        let mirrored: Vec<ContactPoint> =
            find((&ground, &base), (&shape, &pose), 0.03).iter().map(ContactPoint::swapped).collect();
        assert_eq!(found, mirrored);
    }
}

#[test]
fn box_on_a_fine_floor_keeps_its_corners() {
    let block = Shape::cuboid(DVec3::new(0.4, 0.2, 0.3)).unwrap();
    for n in [1, 4, 16] {
        let pose = Pose { position: DVec3::new(0.03, 0.199, -0.05), rotation: DQuat::from_rotation_y(0.7) };
        let found = find((&block, &pose), (&floor(n), &Pose::IDENTITY), 0.01);
        for corner in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let p = pose.apply(DVec3::new(0.4 * corner.0, -0.2, 0.3 * corner.1));
            assert!(found.iter().any(|c| c.a.distance(p) < 1e-12), "{n} {corner:?}");
        }
        assert!(found.iter().all(|c| (c.gap + 0.001).abs() < 1e-14));
    }
}

#[test]
fn closed_mesh_of_a_box_is_the_box() {
    let mut draw = Draw(97);
    let half = DVec3::new(0.5, 0.6, 0.4);
    let solid = Shape::cuboid(half).unwrap();
    let mut seen = 0;
    for case in 0..3000 {
        let surface = mesh(box_mesh(half, 1 + case as u32 % 3));
        let shape = convex(&mut draw, case / 3 % 5);
        let base = draw.pose(1.0);
        let mut pose = draw.pose(0.0);
        pose.position = base.position + draw.direction() * draw.range(0.5, 1.4);
        let exact = find((&shape, &pose), (&solid, &base), 0.05);
        let Some(expected) = deepest(&exact).filter(|c| c.gap > 0.0) else { continue };
        seen += 1;
        let found = find((&shape, &pose), (&surface, &base), 0.05);
        let what = format!("{} case {case}", shape.name());
        let least = deepest(&found).unwrap_or_else(|| panic!("{what}: nothing, {expected:?}"));
        assert!((least.gap - expected.gap).abs() < 1e-9, "{what}: {least:?} {expected:?}");
        assert!(least.normal.distance(expected.normal) < 1e-6, "{what}: {least:?} {expected:?}");
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn bodies_near_a_ridge_of_a_mesh_stand_on_its_top() {
    // A box overlapping the top of a mesh box a little, near its border: up is the only normal.
    let surface = mesh(box_mesh(DVec3::splat(0.5), 2));
    let block = Shape::cuboid(DVec3::splat(0.2)).unwrap();
    for x in [0.0, 0.2, 0.4, 0.6] {
        let pose = Pose { position: DVec3::new(x, 0.699, 0.1), rotation: DQuat::from_rotation_y(0.2) };
        let found = find((&block, &pose), (&surface, &Pose::IDENTITY), 0.005);
        assert!(found.len() >= 3, "{x}");
        assert!(
            found.iter().all(|c| c.normal.distance(DVec3::Y) < 1e-9 && (c.gap + 0.001).abs() < 1e-9),
            "{x} {found:?}"
        );
    }
}
