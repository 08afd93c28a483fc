use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::sync::Arc;

use glam::{DMat3, DVec2, DVec3};

use super::Draw;
use super::shapes::box_mesh;
use crate::geometry::{DeformedSkin, MeshData, Part, Pose, Shape, SkinMesh, TriangleMesh};

/// Every edge is used once in each direction, and V − E + F = 2, with corners at equal places joined.
fn is_sphere_like(skin: &SkinMesh) -> bool {
    let mut places: BTreeMap<[u64; 3], usize> = BTreeMap::new();
    let mut place = |p: DVec3| {
        let next = places.len();
        *places.entry(p.to_array().map(|x| (x + 0.0).to_bits())).or_insert(next)
    };
    let mut edges: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for t in &skin.triangles {
        let [a, b, c] = t.map(|i| place(skin.positions[i as usize]));
        [(a, b), (b, c), (c, a)].into_iter().for_each(|e| *edges.entry(e).or_default() += 1);
    }
    let closed = edges.iter().all(|(&(a, b), &n)| n == 1 && edges.contains_key(&(b, a)) && a != b);
    closed && places.len() + skin.triangles.len() == edges.len() / 2 + 2
}

fn sound(skin: &SkinMesh) {
    for t in &skin.triangles {
        let [a, b, c] = t.map(|i| skin.positions[i as usize]);
        let flat = (b - a).cross(c - a).normalize();
        t.iter().for_each(|&i| assert!(skin.normals[i as usize].dot(flat) > 0.5));
    }
    assert!(skin.normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-12));
    assert_eq!(skin.normals.len(), skin.positions.len());
    assert_eq!(skin.tangents.len(), skin.uvs.len());
    for (i, t) in skin.tangents.iter().enumerate() {
        assert!((t.length() - 1.0).abs() < 1e-12 && t.dot(skin.normals[i]).abs() < 1e-12, "{t} {}", skin.normals[i]);
    }
    assert!(skin.uvs.iter().all(|uv| uv.cmpge(DVec2::ZERO).all() && uv.cmple(DVec2::ONE).all()));
    // u grows along the tangent and v along normal × tangent.
    if !skin.uvs.is_empty() {
        for t in &skin.triangles {
            let [p, q, r] = t.map(|i| skin.uvs[i as usize]);
            assert!((q - p).perp_dot(r - p) > 0.0);
            let [a, b, c] = t.map(|i| skin.positions[i as usize]);
            let (d1, d2) = (q - p, r - p);
            let along_u = ((b - a) * d2.y - (c - a) * d1.y).normalize();
            t.iter().for_each(|&i| assert!(along_u.dot(skin.tangents[i as usize]) > 0.5));
        }
    }
}

#[test]
fn skins_close_and_converge() {
    let (r, h) = (0.4, 0.7);
    let half = DVec3::new(0.2, 0.3, 0.5);
    let cases = [
        (Shape::sphere(r).unwrap(), 4.0 * PI * r * r, 4.0 / 3.0 * PI * r.powi(3)),
        (
            Shape::capsule(h, r).unwrap(),
            4.0 * PI * r * r + 4.0 * PI * r * h,
            4.0 / 3.0 * PI * r.powi(3) + 2.0 * PI * r * r * h,
        ),
        (Shape::cylinder(h, r).unwrap(), 2.0 * PI * r * r + 4.0 * PI * r * h, 2.0 * PI * r * r * h),
        (
            Shape::cuboid(half).unwrap(),
            8.0 * (half.x * half.y + half.y * half.z + half.z * half.x),
            8.0 * half.x * half.y * half.z,
        ),
    ];
    for (shape, area, volume) in cases {
        let mut last = [f64::INFINITY; 2];
        for resolution in [16, 32, 64, 128] {
            let skin = shape.skin(resolution);
            assert!(is_sphere_like(&skin), "{}", shape.name());
            sound(&skin);
            let errors = [(skin.area() / area - 1.0).abs(), (skin.volume() / volume - 1.0).abs()];
            // Second order: a quarter of the error each time.
            assert!(errors.iter().zip(last).all(|(e, l)| *e < 0.26 * l || *e < 1e-12), "{} {errors:?}", shape.name());
            last = errors;
        }
        for coarse in [0, 3, 5] {
            assert!(is_sphere_like(&shape.skin(coarse)));
        }
    }
}

#[test]
fn normals_of_round_skins_are_the_surfaces() {
    for (i, p) in Shape::sphere(0.3).unwrap().skin(24).positions.iter().enumerate() {
        assert!(Shape::sphere(0.3).unwrap().skin(24).normals[i].distance(*p / 0.3) < 1e-12);
    }
}

#[test]
fn skins_of_planes_hulls_meshes_and_compounds() {
    let normal = DVec3::new(1.0, 2.0, -0.5).normalize();
    let plane = Shape::half_space(normal).unwrap().skin_sized(16, 3.0);
    sound(&plane);
    assert!((plane.area() - 9.0).abs() < 1e-12 && plane.positions.iter().all(|p| p.dot(normal).abs() < 1e-14));

    let mut draw = Draw(23);
    let cloud: Vec<DVec3> = (0..50).map(|_| draw.direction()).collect();
    let hull = Shape::hull(&cloud).unwrap().skin(16);
    sound(&hull);
    assert!(is_sphere_like(&hull) && hull.uvs.is_empty() && hull.tangents.is_empty());

    // A box as a mesh keeps sharp edges, though its corners are shared.
    let fine = box_mesh(DVec3::new(0.5, 0.6, 0.7), 2);
    let shared = Shape::Mesh(TriangleMesh::new(joined(&fine)).unwrap()).skin(8);
    assert!(is_sphere_like(&shared) && shared.uvs.is_empty());
    assert!(shared.normals.iter().all(|n| n.abs().max_element() > 1.0 - 1e-12));
    sound(&shared);

    let mut textured = box_mesh(DVec3::splat(0.5), 1);
    textured.uvs = (0..6).flat_map(|_| [DVec2::ZERO, DVec2::Y, DVec2::X, DVec2::ONE]).collect();
    let skin = Shape::Mesh(TriangleMesh::new(textured).unwrap()).skin(8);
    assert_eq!(skin.tangents.len(), skin.positions.len());
    assert!(skin.tangents.iter().zip(&skin.normals).all(|(t, n)| t.dot(*n).abs() < 1e-12 && t.is_normalized()));

    let part = |shape| Part { pose: draw.pose(2.0), shape };
    let both: Vec<Part> = [Shape::sphere(0.3).unwrap(), Shape::cylinder(0.2, 0.1).unwrap()].map(part).into();
    let expected: f64 = both.iter().map(|p| p.shape.skin(16).volume()).sum();
    let skin = Shape::compound(both).unwrap().skin(16);
    sound(&skin);
    assert!((skin.volume() - expected).abs() < 1e-12 && !skin.uvs.is_empty());
    let mixed = [Shape::sphere(0.3).unwrap(), Shape::hull(&cloud).unwrap()];
    let mixed = mixed.map(|shape| Part { pose: Pose::IDENTITY, shape }).into();
    assert!(Shape::compound(mixed).unwrap().skin(16).uvs.is_empty());
}

/// The same mesh with one vertex a place.
fn joined(data: &MeshData) -> MeshData {
    let mut vertices: Vec<DVec3> = Vec::new();
    let mut place = |p: DVec3| {
        let known = vertices.iter().position(|v| *v == p);
        known.unwrap_or_else(|| {
            vertices.push(p);
            vertices.len() - 1
        }) as u32
    };
    let triangles = data.triangles.iter().map(|t| t.map(|i| place(data.vertices[i as usize]))).collect();
    MeshData { vertices, triangles, ..MeshData::default() }
}

/// A cube as a mesh with eight vertices: each has three corners of the skin, one for each face.
fn cube() -> Arc<SkinMesh> {
    let corner = |i: u32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) - DVec3::splat(0.5);
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let data = MeshData { vertices: (0..8).map(corner).collect(), triangles, ..MeshData::default() };
    Arc::new(Shape::Mesh(TriangleMesh::new(data).unwrap()).skin(8))
}

#[test]
fn a_skin_follows_its_mesh_and_keeps_its_creases() {
    let rest = cube();
    assert_eq!((rest.positions.len(), rest.vertex_of.len()), (24, 24));
    let vertices: Vec<DVec3> = {
        let mut places = vec![DVec3::ZERO; 8];
        rest.vertex_of.iter().zip(&rest.positions).for_each(|(&v, x)| places[v as usize] = *x);
        places
    };
    let mut skin = DeformedSkin::new(rest.clone());
    skin.follow(&vertices);
    assert_eq!(skin.positions(), rest.positions);
    assert!(skin.normals().iter().zip(&rest.normals).all(|(a, b)| a.distance(*b) < 1e-15));
    // Sheared, turned and moved: normals of faces are those of the affine map, n' ∝ A⁻ᵀ n.
    let shear = DMat3::from_cols(DVec3::X, DVec3::new(0.7, 1.0, 0.2), DVec3::Z);
    let map = DMat3::from_rotation_y(0.8) * shear;
    let moved: Vec<DVec3> = vertices.iter().map(|x| map * *x + DVec3::new(3.0, -1.0, 2.0)).collect();
    skin.follow(&moved);
    for (n, now) in rest.normals.iter().zip(skin.normals()) {
        let expected = (map.inverse().transpose() * *n).normalize();
        assert!(now.distance(expected) < 1e-14, "{now} instead of {expected}");
    }
    // A point a little above a face is carried by the affine map in the plane, and keeps its height above it.
    let triangle = 5;
    let [a, b, c] = rest.triangles[triangle].map(|i| rest.positions[i as usize]);
    let (inside, n) = (0.2 * a + 0.5 * b + 0.3 * c, (b - a).cross(c - a).normalize());
    let height = (map.inverse().transpose() * n).normalize();
    let expected = map * inside + DVec3::new(3.0, -1.0, 2.0) + 0.01 * height;
    assert!(skin.carried(triangle, inside + 0.01 * n).distance(expected) < 1e-14);
    // What has collapsed keeps the normals it had.
    let before = skin.normals().to_vec();
    skin.follow(&[DVec3::X; 8]);
    assert_eq!(skin.normals(), before);
}
