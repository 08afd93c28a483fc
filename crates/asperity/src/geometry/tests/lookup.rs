//! Points of skins, against the skins themselves and against brute force.

use glam::{DVec2, DVec3};

use super::Draw;
use super::shapes::box_mesh;
use crate::geometry::{MeshData, Part, Pose, Shape, SkinLookup, SkinMesh, TriangleMesh};

fn primitives() -> Vec<Shape> {
    vec![
        Shape::sphere(0.4).unwrap(),
        Shape::capsule(0.5, 0.2).unwrap(),
        Shape::cylinder(0.3, 0.7).unwrap(),
        Shape::cuboid(DVec3::new(0.2, 0.5, 0.9)).unwrap(),
        Shape::half_space(DVec3::Y).unwrap(),
        Shape::half_space(DVec3::new(0.3, 0.8, -0.4)).unwrap(),
    ]
}

/// A texture coordinate on a circle: 0 and 1 are the same.
fn circular(a: f64, b: f64) -> f64 {
    let d = (a - b).abs();
    d.min((1.0 - d).abs())
}

#[test]
fn primitives_have_the_coordinates_and_frames_of_their_skins() {
    for shape in primitives() {
        let lookup = SkinLookup::new(&shape);
        assert!(lookup.textured());
        let skin = shape.skin(64);
        let poles = |n: DVec3| matches!(shape, Shape::Sphere(_) | Shape::Capsule(_)) && n.y.abs() == 1.0;
        for (i, &position) in skin.positions.iter().enumerate() {
            let normal = skin.normals[i];
            if poles(normal) {
                continue;
            }
            let at = lookup.at(position, normal);
            assert!(at.position.distance(position) < 1e-12 && at.normal.distance(normal) < 1e-12, "{shape:?}");
            assert!((at.uv.y - skin.uvs[i].y).abs() < 1e-12, "{shape:?} {} {}", at.uv, skin.uvs[i]);
            assert!(circular(at.uv.x, skin.uvs[i].x) < 1e-12, "{shape:?} {} {}", at.uv, skin.uvs[i]);
            assert!(at.tangent.distance(skin.tangents[i]) < 1e-9, "{shape:?} {} {}", at.tangent, skin.tangents[i]);
        }
    }
}

#[test]
fn coordinates_grow_along_the_frame() {
    // Finite differences along the surface: ∂u > 0 along t alone, ∂v > 0 along n × t alone.
    let mut draw = Draw(7);
    for shape in primitives() {
        let lookup = SkinLookup::new(&shape);
        for _ in 0..200 {
            let p = lookup.at(draw.vector(1.0), DVec3::ZERO);
            let h = 1e-6;
            let moved = |d: DVec3| lookup.at(p.position + d * h, p.normal).uv - p.uv;
            let (along, across) = (moved(p.tangent), moved(p.normal.cross(p.tangent)));
            // On an edge, at the seam and near the poles a step leads to another face or far in u.
            let edge = p.uv.min(DVec2::ONE - p.uv).min_element() < 1e-4;
            let round = !matches!(shape, Shape::Box(_) | Shape::HalfSpace(_));
            if edge || round && p.normal.y.abs() > 0.999 {
                continue;
            }
            assert!(along.x > 0.0 && along.y.abs() < 1e-4 * along.x, "{shape:?} {p:?}: {along}");
            assert!(across.y > 0.0 && across.x.abs() < 1e-4 * across.y, "{shape:?} {p:?}: {across}");
        }
    }
}

#[test]
fn the_nearest_point_is_no_farther_than_any_point_of_the_skin() {
    let mut draw = Draw(3);
    for shape in primitives() {
        let lookup = SkinLookup::new(&shape);
        let skin = shape.skin(96);
        for _ in 0..100 {
            let p = draw.vector(1.5);
            let at = lookup.at(p, DVec3::ZERO);
            let least = skin.positions.iter().map(|x| x.distance(p)).fold(f64::INFINITY, f64::min);
            assert!(at.position.distance(p) <= least + 1e-12, "{shape:?} {p}");
            // And it is a point of the surface: no corner is much nearer to it than the length of a triangle.
            let near = skin.positions.iter().map(|x| x.distance(at.position)).fold(f64::INFINITY, f64::min);
            assert!(near < 1.3, "{shape:?} {near}");
        }
    }
}

#[test]
fn the_normal_says_which_face_a_corner_is_of() {
    let half = DVec3::new(0.2, 0.3, 0.4);
    let shapes = [Shape::cuboid(half).unwrap(), Shape::Mesh(TriangleMesh::new(box_mesh(half, 3)).unwrap())];
    for shape in shapes {
        let lookup = SkinLookup::new(&shape);
        for normal in [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z] {
            for corner in 0..8 {
                let sign = |bit: i32| if corner >> bit & 1 == 1 { 1.0 } else { -1.0 };
                let p = half * DVec3::new(sign(0), sign(1), sign(2));
                if p.dot(normal) < 0.0 {
                    continue;
                }
                // With the overlaps and gaps of contacts, and a normal that is a little off.
                for gap in [-1e-5, -1e-8, 0.0, 1e-8, 1e-4] {
                    let outward = (normal + DVec3::new(0.01, 0.02, -0.03)).normalize();
                    let at = lookup.at(p + normal * gap, outward);
                    assert_eq!(at.normal, normal, "{} {p} {gap}", shape.name());
                }
            }
        }
    }
    // The rim of a cylinder.
    let lookup = SkinLookup::new(&Shape::cylinder(0.5, 0.2).unwrap());
    let rim = DVec3::new(0.2, 0.5, 0.0);
    assert_eq!(lookup.at(rim, DVec3::Y).normal, DVec3::Y);
    assert_eq!(lookup.at(rim, DVec3::X).normal, DVec3::X);
}

/// A bumpy sheet with texture coordinates.
fn sheet(n: u32) -> MeshData {
    let mut data = MeshData::default();
    for j in 0..=n {
        for i in 0..=n {
            let (u, v) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
            data.vertices.push(DVec3::new(u, 0.1 * (7.0 * u).sin() * (5.0 * v).cos(), -v));
            data.uvs.push(DVec2::new(u, v));
        }
    }
    for j in 0..n {
        for i in 0..n {
            let a = j * (n + 1) + i;
            data.triangles.extend([[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]);
        }
    }
    data
}

/// Least |p − x| − β m·n over all triangles, x found by descending on barycentric weights: shares nothing with the code.
fn brute(skin: &SkinMesh, p: DVec3, m: DVec3, facing: f64) -> f64 {
    let mut best = f64::INFINITY;
    for t in &skin.triangles {
        let [a, b, c] = t.map(|i| skin.positions[i as usize]);
        let n = (b - a).cross(c - a).normalize();
        let inside = p - n * (p - a).dot(n);
        let edge = |from: DVec3, to: DVec3| {
            let s = ((inside - from).dot(to - from) / (to - from).length_squared()).clamp(0.0, 1.0);
            from + (to - from) * s
        };
        let within = [(a, b), (b, c), (c, a)].iter().all(|(f, g)| (*g - *f).cross(inside - *f).dot(n) >= 0.0);
        let x = if within {
            inside
        } else {
            let points = [edge(a, b), edge(b, c), edge(c, a)];
            points.into_iter().min_by(|x, y| x.distance(p).total_cmp(&y.distance(p))).unwrap()
        };
        best = best.min(x.distance(p) - facing * m.dot(n));
    }
    best
}

#[test]
fn the_tree_finds_what_brute_force_finds() {
    let mesh = TriangleMesh::new(sheet(12)).unwrap();
    let shape = Shape::Mesh(mesh);
    let lookup = SkinLookup::new(&shape);
    let skin = lookup.triangles().unwrap().clone();
    let facing = 1e-3 * shape.reach();
    let mut draw = Draw(11);
    for _ in 0..400 {
        let (p, m) = (draw.vector(1.2), draw.direction());
        let at = lookup.at(p, m);
        let flat = {
            let [a, b, c] = skin.triangles[at.triangle].map(|i| skin.positions[i as usize]);
            (b - a).cross(c - a).normalize()
        };
        let cost = at.position.distance(p) - facing * m.dot(flat);
        assert!((cost - brute(&skin, p, m, facing)).abs() < 1e-12);
        assert!((at.barycentric.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        // u = x and v = −z on this sheet, and the frame is orthonormal.
        assert!((at.uv - DVec2::new(at.position.x, -at.position.z)).length() < 1e-12);
        assert!(at.tangent.dot(at.normal).abs() < 1e-12 && (at.tangent.length() - 1.0).abs() < 1e-12);
        assert!(at.tangent.x > 0.7, "{}", at.tangent);
    }
}

#[test]
fn hulls_have_normals_but_no_coordinates_and_compounds_what_their_parts_have() {
    let corners: Vec<DVec3> = box_mesh(DVec3::splat(0.5), 1).vertices;
    let hull = Shape::hull(&corners).unwrap();
    let lookup = SkinLookup::new(&hull);
    assert!(!lookup.textured());
    let at = lookup.at(DVec3::new(0.5, 0.5, 0.1), DVec3::Y);
    assert!((at.normal - DVec3::Y).length() < 1e-12 && at.tangent == DVec3::ZERO);
    let mut draw = Draw(5);
    let pose = draw.pose(2.0);
    let ball = Shape::sphere(0.3).unwrap();
    let parts = vec![Part { pose, shape: ball.clone() }, Part { pose: Pose::IDENTITY, shape: hull }];
    let lookup = SkinLookup::new(&Shape::compound(parts).unwrap());
    assert!(!lookup.textured(), "a part has none");
    let (own, direction) = (SkinLookup::new(&ball), draw.direction());
    let (inner, outer) =
        (own.at(direction * 0.3, direction), lookup.at(pose.apply(direction * 0.3), pose.rotation * direction));
    assert!((outer.uv - inner.uv).length() < 1e-9);
    assert!((outer.tangent - pose.rotation * inner.tangent).length() < 1e-9);
    assert!((outer.position - pose.apply(inner.position)).length() < 1e-9);
}

#[test]
fn no_number_makes_it_panic() {
    for shape in primitives() {
        let lookup = SkinLookup::new(&shape);
        for x in [f64::NAN, f64::INFINITY, -1e300, 0.0] {
            let _ = lookup.at(DVec3::splat(x), DVec3::splat(x));
        }
    }
    let lookup = SkinLookup::new(&Shape::Mesh(TriangleMesh::new(sheet(2)).unwrap()));
    let _ = lookup.at(DVec3::NAN, DVec3::Y);
}
