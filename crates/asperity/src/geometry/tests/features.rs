//! Names of contacts never collide, however large a mesh is and however many parts a compound has.

use std::cmp::Ordering;
use std::collections::HashSet;

use glam::DVec3;

use super::Draw;
use crate::geometry::{ContactPoint, Element, Feature, Hull, MeshData, Part, Pose, Shape, TriangleMesh, contacts};

/// A flat grid of n × n vertices, two triangles a cell.
fn grid(n: u32) -> TriangleMesh {
    let vertex = |i: u32| DVec3::new(f64::from(i % n), 0.0, f64::from(i / n));
    let cell = |i: u32| {
        let a = i / (n - 1) * n + i % (n - 1);
        [[a, a + n, a + 1], [a + 1, a + n, a + n + 1]]
    };
    let triangles = (0..(n - 1) * (n - 1)).flat_map(cell).collect();
    TriangleMesh::new(MeshData { vertices: (0..n * n).map(vertex).collect(), triangles, ..MeshData::default() })
        .unwrap()
}

/// How a name was a number of 32 bits once: what the test shows to collide.
mod hashed {
    pub(super) fn edge(from: u32, to: u32) -> u32 {
        ((from.max(to) << 15) ^ from.min(to)) << 2 | 1
    }

    pub(super) fn of_part(name: u32, part: u32) -> u32 {
        name ^ (part + 1).wrapping_mul(0x9e37_79b1)
    }
}

#[test]
fn elements_of_a_mesh_with_more_than_40000_corners_all_have_names_of_their_own() {
    let n = 210u32;
    let mesh = grid(n);
    let (mut names, mut ends, mut numbers) = (HashSet::new(), HashSet::new(), HashSet::new());
    for t in 0..mesh.data().triangles.len() {
        let places = mesh.facet(t).places;
        names.insert(Element::face(t as u32));
        for k in 0..3 {
            let (from, to) = (places[k], places[(k + 1) % 3]);
            names.extend([Element::corner(from), Element::edge(from, to)]);
            ends.insert([from.max(to), from.min(to)]);
            numbers.insert(hashed::edge(from, to));
        }
    }
    // A grid of n × n corners has 2 n (n − 1) straight edges, a diagonal in each cell, and two triangles in each cell.
    let [corners, edges, faces] = [n * n, 2 * n * (n - 1) + (n - 1) * (n - 1), 2 * (n - 1) * (n - 1)];
    assert!(corners > 40_000);
    assert_eq!(ends.len(), edges as usize);
    assert_eq!(names.len(), (corners + edges + faces) as usize);
    assert!(numbers.len() < ends.len(), "names of 32 bits were no problem here");
}

#[test]
fn elements_of_many_parts_all_have_names_of_their_own() {
    let mut draw = Draw(61);
    let points: Vec<DVec3> = (0..3000).map(|_| draw.direction()).collect();
    let hull = Hull::new(&points).unwrap();
    let edges: Vec<[u32; 2]> = hull.polyhedron().edges.iter().map(|edge| edge.ends).collect();
    let (mut names, mut numbers) = (HashSet::new(), HashSet::new());
    for part in 0..200 {
        for &[from, to] in &edges {
            names.insert(Element::edge(from, to).of_part(part));
            numbers.insert(hashed::of_part(hashed::edge(from, to), part as u32));
        }
    }
    assert_eq!(names.len(), 200 * edges.len());
    assert!(numbers.len() < names.len(), "names of 32 bits were no problem here");
}

#[test]
fn contacts_of_a_compound_with_many_parts_all_have_names_of_their_own() {
    let shape = Shape::cuboid(DVec3::splat(0.4)).unwrap();
    let part = |i: u32| Part {
        pose: Pose { position: DVec3::new(f64::from(i % 50), 0.0, f64::from(i / 50)), ..Pose::IDENTITY },
        shape: shape.clone(),
    };
    let compound = Shape::compound((0..2500).map(part).collect()).unwrap();
    let pose = Pose { position: DVec3::new(0.0, 0.4, 0.0), ..Pose::IDENTITY };
    let ground = Shape::half_space(DVec3::Y).unwrap();
    let mut found: Vec<ContactPoint> = Vec::new();
    contacts(&compound, &pose, &ground, &Pose::IDENTITY, 1e-6, &mut found);
    assert_eq!(found.len(), 4 * 2500);
    let names: HashSet<Feature> = found.iter().map(|point| point.feature).collect();
    assert_eq!(names.len(), found.len());
}

#[test]
fn names_are_ordered_and_come_back_from_a_file() {
    let mut names = Vec::new();
    for part in 0..40 {
        for i in 0..40 {
            let ends = [Element::corner(i), Element::face(i), Element::edge(i, i + 70_000)];
            names.extend(ends.map(|a| Feature { a: a.of_part(part), b: Element::edge(70_000, i) }));
        }
    }
    names.sort_unstable();
    // Every pair, both ways round: the order is strict, and equal names alone are equal.
    for (i, low) in names.iter().enumerate() {
        for high in &names[i + 1..] {
            assert_eq!([low.cmp(high), high.cmp(low)], [Ordering::Less, Ordering::Greater], "{low:?} {high:?}");
            assert_ne!(low, high);
        }
        let text = serde_json::to_string(low).unwrap();
        assert_eq!(serde_json::from_str::<Feature>(&text).unwrap(), *low);
        assert_eq!(low.swapped().swapped(), *low);
    }
    let wrong = serde_json::from_str::<Feature>(r#"{ "a": [4, 0, 0, 0], "b": [0, 0, 0, 0] }"#).unwrap_err();
    assert!(wrong.to_string().contains("4 is not the number of a kind of element"), "{wrong}");
}
