use std::fs;
use std::path::PathBuf;

use glam::{DMat3, DQuat, DVec3};

use super::Draw;
use crate::geometry::{Hull, HullFace, MassProperties, MeshData, Part, Pose, Shape, ShapeError, Sphere, TriangleMesh};

/// A cuboid as a mesh of n × n squares a face.
pub(super) fn box_mesh(half: DVec3, n: u32) -> MeshData {
    let mut data = MeshData::default();
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let offset = data.vertices.len() as u32;
            for i in 0..=n {
                for j in 0..=n {
                    let mut p = DVec3::ZERO;
                    p[axis] = sign * half[axis];
                    p[u] = (2.0 * f64::from(i) / f64::from(n) - 1.0) * half[u];
                    p[v] = (2.0 * f64::from(j) / f64::from(n) - 1.0) * half[v];
                    data.vertices.push(p);
                }
            }
            for i in 0..n {
                for j in 0..n {
                    let at = |i, j| offset + i * (n + 1) + j;
                    let quad = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                    let [a, b, c, d] = if sign > 0.0 { quad } else { [quad[3], quad[2], quad[1], quad[0]] };
                    data.triangles.extend([[a, b, c], [a, c, d]]);
                }
            }
        }
    }
    data
}

fn close(a: &MassProperties, b: &MassProperties, tolerance: f64) {
    assert!((a.mass - b.mass).abs() <= tolerance * b.mass, "{a:?} {b:?}");
    let size = (b.inertia.x_axis.x / b.mass).sqrt();
    assert!(a.centre.distance(b.centre) <= tolerance * size.max(b.centre.length()), "{a:?} {b:?}");
    assert!(a.inertia.abs_diff_eq(b.inertia, tolerance * b.inertia.x_axis.x), "{a:?} {b:?}");
}

/// ∫ over the shape by a fine grid of points, with membership written out here.
fn by_grid(half: DVec3, n: usize, inside: impl Fn(DVec3) -> bool) -> MassProperties {
    let cell = half * 2.0 / n as f64;
    let volume = cell.x * cell.y * cell.z;
    let (mut mass, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                let p = (DVec3::new(i as f64, j as f64, k as f64) + 0.5) * cell - half;
                if inside(p) {
                    mass += volume;
                    first += p * volume;
                    second += (DMat3::from_diagonal(DVec3::splat(p.length_squared()))
                        - DMat3::from_cols(p * p.x, p * p.y, p * p.z))
                        * volume;
                }
            }
        }
    }
    let centre = first / mass;
    let shift = DMat3::from_diagonal(DVec3::splat(centre.length_squared()))
        - DMat3::from_cols(centre * centre.x, centre * centre.y, centre * centre.z);
    MassProperties { mass, centre, inertia: second - shift * mass }
}

#[test]
fn primitives_weigh_what_a_grid_of_points_says() {
    let (h, r) = (0.7, 0.4);
    type Inside<'a> = &'a dyn Fn(DVec3) -> bool;
    let cases: [(Shape, DVec3, Inside); 3] = [
        (Shape::sphere(0.6).unwrap(), DVec3::splat(0.6), &|p| p.length() <= 0.6),
        (Shape::cylinder(h, r).unwrap(), DVec3::new(r, h, r), &|p| p.x.hypot(p.z) <= r && p.y.abs() <= h),
        (Shape::capsule(h, r).unwrap(), DVec3::new(r, h + r, r), &|p| p.distance(DVec3::Y * p.y.clamp(-h, h)) <= r),
    ];
    for (shape, half, inside) in cases {
        let exact = MassProperties::of(&shape, 1.0).unwrap();
        close(&by_grid(half, 160, inside), &exact, 2e-3);
    }
}

#[test]
fn textbook_inertias() {
    let ball = MassProperties::of(&Shape::sphere(0.5).unwrap(), 3.0).unwrap();
    assert!((ball.inertia.x_axis.x - 0.4 * ball.mass * 0.25).abs() < 1e-15);
    let block = MassProperties::of(&Shape::cuboid(DVec3::new(0.5, 1.0, 1.5)).unwrap(), 2.0).unwrap();
    assert_eq!(block.mass, 12.0);
    // m/12 (4 + 9) about x.
    assert!((block.inertia.x_axis.x - 13.0).abs() < 1e-13);
    let rod = MassProperties::of(&Shape::cylinder(1.0, 0.1).unwrap(), 1.0).unwrap();
    assert!((rod.inertia.y_axis.y - 0.5 * rod.mass * 0.01).abs() < 1e-15);
    assert!((rod.inertia.x_axis.x - rod.mass / 12.0 * (3.0 * 0.01 + 4.0)).abs() < 1e-15);
}

#[test]
fn box_as_mesh_and_hull_weighs_like_the_box() {
    let half = DVec3::new(0.3, 0.5, 0.9);
    let exact = MassProperties::of(&Shape::cuboid(half).unwrap(), 7.0).unwrap();
    let mesh = Shape::Mesh(TriangleMesh::new(box_mesh(half, 9)).unwrap());
    close(&MassProperties::of(&mesh, 7.0).unwrap(), &exact, 1e-13);
    let hull = Shape::hull(&box_mesh(half, 4).vertices).unwrap();
    close(&MassProperties::of(&hull, 7.0).unwrap(), &exact, 1e-13);
    // Far away and turned: the tensor turns, the centre moves.
    let mut draw = Draw(5);
    let pose = draw.pose(100.0);
    let moved: Vec<DVec3> = box_mesh(half, 1).vertices.iter().map(|&p| pose.apply(p)).collect();
    close(&MassProperties::of(&Shape::hull(&moved).unwrap(), 7.0).unwrap(), &exact.posed(&pose), 1e-11);
}

#[test]
fn box_cut_in_two_weighs_like_the_box() {
    let half = DVec3::new(0.4, 0.6, 0.2);
    let mut draw = Draw(11);
    let turn = draw.rotation();
    let part = |y: f64, half: DVec3| Part {
        pose: Pose { position: turn * DVec3::new(0.0, y, 0.0), rotation: turn },
        shape: Shape::cuboid(half).unwrap(),
    };
    let parts = vec![part(-0.4, DVec3::new(0.4, 0.2, 0.2)), part(0.2, DVec3::new(0.4, 0.4, 0.2))];
    let whole = MassProperties::of(&Shape::cuboid(half).unwrap(), 2.0).unwrap();
    let pose = Pose { position: DVec3::ZERO, rotation: turn };
    close(&MassProperties::of(&Shape::compound(parts).unwrap(), 2.0).unwrap(), &whole.posed(&pose), 1e-14);
    // Parallel axes: a cuboid about its corner, m/3 (b² + c²).
    let corner = whole.inertia_about(half);
    let (b, c) = (2.0 * half.y, 2.0 * half.z);
    assert!((corner.x_axis.x - whole.mass / 3.0 * (b * b + c * c)).abs() < 1e-14);
}

#[test]
fn hull_keeps_corners_faces_and_edges_only() {
    let mut draw = Draw(3);
    let turn = draw.rotation();
    let mut points: Vec<DVec3> = box_mesh(DVec3::new(1.0, 2.0, 3.0), 5).vertices.iter().map(|&p| turn * p).collect();
    points.push(DVec3::ZERO);
    let hull = Hull::new(&points).unwrap();
    assert_eq!((hull.points().len(), hull.faces().count(), hull.polyhedron().edges.len()), (8, 6, 12));
    for _ in 0..20 {
        let cloud: Vec<DVec3> = (0..40).map(|_| draw.vector(1.0)).collect();
        let hull = Hull::new(&cloud).unwrap();
        for HullFace { normal, corners } in hull.faces() {
            let height = normal.dot(hull.points()[corners[0] as usize]);
            assert!(cloud.iter().all(|p| normal.dot(*p) <= height + 1e-7));
        }
    }
}

#[test]
fn bad_shapes_are_refused_with_the_reason() {
    let text = |result: Result<Shape, ShapeError>| result.unwrap_err().to_string();
    assert_eq!(text(Shape::sphere(0.0)), "radius = 0: must be finite and positive");
    assert_eq!(text(Shape::cuboid(DVec3::new(1.0, -2.0, 1.0))), "half.y = -2: must be finite and positive");
    assert_eq!(text(Shape::capsule(f64::NAN, 1.0)), "half_length = NaN: must be finite and positive");
    assert!(text(Shape::half_space(DVec3::ZERO)).contains("length one"));
    assert!(text(Shape::hull(&[DVec3::X; 3])).contains("3 entries"));
    assert!(text(Shape::hull(&[DVec3::X, DVec3::Y, DVec3::ZERO, DVec3::X + DVec3::Y])).contains("no volume"));
    assert!(text(Shape::hull(&[DVec3::ZERO; 9])).contains("no volume"));
    assert!(text(Shape::compound(vec![])).contains("0 entries"));
    let plane = Part { pose: Pose::IDENTITY, shape: Shape::half_space(DVec3::Y).unwrap() };
    assert_eq!(text(Shape::compound(vec![plane])), "parts[0]: a half_space cannot be part of a compound");
    let ball = Part { pose: Pose::IDENTITY, shape: Shape::Sphere(Sphere { radius: -1.0 }) };
    assert_eq!(text(Shape::compound(vec![ball])), "parts[0]: radius = -1: must be finite and positive");
}

#[test]
fn bad_meshes_are_refused_with_the_reason() {
    let good = box_mesh(DVec3::ONE, 1);
    let text = |data: MeshData| TriangleMesh::new(data).unwrap_err().to_string();
    let mut bad = good.clone();
    bad.triangles[3][1] = 99;
    assert_eq!(text(bad), "triangles[3] names vertex 99: there are 24");
    let mut bad = good.clone();
    bad.triangles[2] = [0, 0, 1];
    let left_out = TriangleMesh::new(bad.clone()).unwrap();
    assert_eq!(left_out.without_area(), [2]);
    assert!(left_out.whole().unwrap_err().to_string().contains("triangles[2]"));
    bad.triangles = vec![[0, 0, 1]; 2];
    assert!(text(bad).contains("triangles[0]") && text(MeshData::default()).contains("at least 1"));
    let mut bad = good.clone();
    bad.vertices[4].y = f64::INFINITY;
    assert!(text(bad).contains("vertices[4]"));
    let mut open = good.clone();
    open.triangles.pop();
    let open = Shape::Mesh(TriangleMesh::new(open).unwrap());
    assert!(MassProperties::of(&open, 1.0).unwrap_err().to_string().contains("not closed"));
    let mut inside_out = good;
    inside_out.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    let inside_out = Shape::Mesh(TriangleMesh::new(inside_out).unwrap());
    assert!(MassProperties::of(&inside_out, 1.0).unwrap_err().to_string().contains("anticlockwise"));
    assert!(MassProperties::of(&Shape::half_space(DVec3::Y).unwrap(), 1.0).is_err());
}

#[test]
fn meshes_are_read_from_files() {
    let folder = std::env::temp_dir().join(format!("asperity-mesh-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, bytes: &[u8]| -> PathBuf {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let data = box_mesh(DVec3::new(0.25, 0.5, 1.0), 1);
    let mut obj = String::new();
    data.vertices.iter().for_each(|v| obj += &format!("v {} {} {}\n", v.x, v.y, v.z));
    data.vertices.iter().for_each(|v| obj += &format!("vt {} {}\n", v.x, v.y));
    data.triangles.iter().for_each(|t| obj += &format!("f {0}/{0} {1}/{1} {2}/{2}\n", t[0] + 1, t[1] + 1, t[2] + 1));
    let mesh = TriangleMesh::read(&write("box.obj", obj.as_bytes())).unwrap();
    assert_eq!(mesh.data().uvs.len(), mesh.data().vertices.len());
    assert!((MassProperties::of(&Shape::Mesh(mesh), 1.0).unwrap().mass - 1.0).abs() < 1e-15);

    let mut stl = vec![0u8; 80];
    stl.extend((data.triangles.len() as u32).to_le_bytes());
    for t in &data.triangles {
        stl.extend([0u8; 12]);
        for v in t.map(|i| data.vertices[i as usize]) {
            v.to_array().iter().for_each(|x| stl.extend((*x as f32).to_le_bytes()));
        }
        stl.extend([0u8; 2]);
    }
    let mesh = TriangleMesh::read(&write("box.stl", &stl)).unwrap();
    assert!((MassProperties::of(&Shape::Mesh(mesh), 1.0).unwrap().mass - 1.0).abs() < 1e-15);

    let text = |path: PathBuf| TriangleMesh::read(&path).unwrap_err().to_string();
    assert!(text(folder.join("none.obj")).ends_with("none.obj: there is no such file"));
    assert!(text(folder.join("a.png")).contains(".vtk or .msh"));
    assert!(text(write("short.stl", &stl[..300])).contains("announces 12 triangles but has room for 4"));
    assert!(text(write("rubbish.stl", b"solid nonsense")).contains("not a mesh"));
    assert!(text(write("empty.obj", b"# nothing\n")).contains("no faces"));
    assert!(text(write("range.obj", b"v 0 0 0\nf 1 2 3\n")).contains("not a mesh"));
    assert!(text(write("flat.obj", b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n")).contains("no area"));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn shapes_survive_files() {
    let shape = Shape::compound(vec![
        Part { pose: Pose::IDENTITY, shape: Shape::sphere(0.1).unwrap() },
        Part {
            pose: Pose { position: DVec3::X, rotation: DQuat::from_rotation_x(0.5) },
            shape: Shape::hull(&box_mesh(DVec3::ONE, 1).vertices).unwrap(),
        },
        Part { pose: Pose::IDENTITY, shape: Shape::Mesh(TriangleMesh::new(box_mesh(DVec3::ONE, 2)).unwrap()) },
    ])
    .unwrap();
    let text = serde_json::to_string(&shape).unwrap();
    let back: Shape = serde_json::from_str(&text).unwrap();
    let again = MassProperties::of(&back, 1.0).unwrap();
    close(&again, &MassProperties::of(&shape, 1.0).unwrap(), 1e-12);
    let ball: Shape = serde_json::from_str(r#"{"shape": "sphere", "radius": 0.5}"#).unwrap();
    assert_eq!(ball, Shape::Sphere(Sphere { radius: 0.5 }));
    assert!(serde_json::from_str::<Shape>(r#"{"shape": "hull", "points": [[0,0,0]]}"#).is_err());
}

#[test]
fn boxes_along_the_axes_are_tight() {
    let mut draw = Draw(17);
    let shapes = [
        Shape::sphere(0.4).unwrap(),
        Shape::cuboid(DVec3::new(0.2, 0.5, 0.7)).unwrap(),
        Shape::capsule(0.5, 0.2).unwrap(),
        Shape::cylinder(0.5, 0.3).unwrap(),
        Shape::hull(&(0..30).map(|_| draw.vector(1.0)).collect::<Vec<_>>()).unwrap(),
    ];
    for shape in &shapes {
        let pose = draw.pose(3.0);
        let aabb = shape.aabb(&pose);
        let skin = shape.skin(200);
        let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &p in &skin.positions {
            min = min.min(pose.apply(p));
            max = max.max(pose.apply(p));
            assert!(p.length() <= shape.reach() + 1e-12);
        }
        assert!(aabb.min.cmple(min + 1e-12).all() && aabb.max.cmpge(max - 1e-12).all());
        assert!(aabb.min.abs_diff_eq(min, 1e-3) && aabb.max.abs_diff_eq(max, 1e-3), "{}", shape.name());
    }
}
