//! What is read.

use glam::{DQuat, DVec3};

use super::{EXAMPLE, read, with};
use crate::geometry::{MassProperties, Shape};
use crate::scene::Document;

fn close(a: DVec3, b: DVec3) {
    assert!((a - b).length() < 1e-12, "{a} instead of {b}");
}

#[test]
fn the_example_is_read() {
    let scene = read(EXAMPLE, None, &[]).unwrap();
    assert_eq!((scene.name.as_str(), scene.time.steps()), ("test", 200));
    let names: Vec<&str> = scene.model.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["slope", "block", "ball"]);
    let inertia = scene.model.bodies[1].inertia().expect("it is dynamic");
    assert!((inertia.mass() - 0.4 * 0.2 * 0.4 * 700.0).abs() < 1e-12);
    assert_eq!(scene.expect.len(), 2);
    let document = Document::parse(EXAMPLE, "a.toml").unwrap();
    assert_eq!(document.variants(), ["across"]);
    let across = read(EXAMPLE, Some("across"), &[]).unwrap();
    assert!(across.about.contains("across the slope"));
    assert!((across.expect[0].upper.unwrap() - 0.32857 * 1.01).abs() < 1e-12);
    // Restitution and friction of pairs that are not listed.
    let mixed = scene.model.interactions.of(0, 1);
    assert_eq!(mixed.restitution, 0.0);
}

#[test]
fn turns_are_applied_in_order_about_world_axes() {
    let text = with(
        "[body.a]\nshape = { kind = \"sphere\", radius = 0.1 }\nposition = [0, 1, 0]\nturn = [{ axis = [0, 0, 2], angle_deg = 90 }, { axis = [1, 0, 0], angle_deg = 90 }]",
    );
    let scene = read(&text, None, &[]).unwrap();
    // x goes to y by the first turn, and y to z by the second.
    close(scene.state.bodies[1].frame().rotation * DVec3::X, DVec3::Z);
    let text = text.replace(
        "turn = [{ axis = [0, 0, 2], angle_deg = 90 }, { axis = [1, 0, 0], angle_deg = 90 }]",
        "rotation = [0.8, 0, 0.6, 0]",
    );
    let rotation = read(&text, None, &[]).unwrap().state.bodies[1].frame().rotation;
    assert!(rotation.angle_between(DQuat::from_rotation_y(2.0 * 0.6f64.asin())) < 1e-7);
}

#[test]
fn sectors_and_revolutions_have_the_volumes_of_prisms() {
    let volume = |shape: &str| {
        let text = with(&format!("[body.a]\nshape = {shape}\nposition = [0, 9, 0]\nmass = 2\n"));
        let scene = read(&text, None, &[]).unwrap();
        let drawn = scene.looks[1].shape.clone();
        let inertia = scene.model.bodies[1].inertia().expect("it is dynamic");
        assert!((inertia.mass() - 2.0).abs() < 1e-15);
        MassProperties::of(&drawn, 1.0).unwrap().mass
    };
    // A trapezium between two radii: (R² − r²) sin(α)/2, times the depth.
    let stone = volume("{ kind = \"sector\", inner = 1, outer = 2, depth = 0.5, from_deg = 80, to_deg = 110 }");
    assert!((stone - 0.5 * 3.0 * 0.5 * 0.5).abs() < 1e-12, "{stone}");
    // A ring of n sides: n/2 sin(2π/n) (R² − r²) times its height; in both directions of the profile.
    let ring = 12.0 / 2.0 * (std::f64::consts::TAU / 12.0).sin() * (4.0 - 1.0) * 0.5;
    for profile in ["[[1, 0], [2, 0], [2, 0.5], [1, 0.5], [1, 0]]", "[[1, 0], [1, 0.5], [2, 0.5], [2, 0], [1, 0]]"] {
        let found = volume(&format!("{{ kind = \"revolution\", segments = 12, profile = {profile} }}"));
        assert!((found - ring).abs() < 1e-12, "{found} instead of {ring}");
    }
    // A cone that ends on the axis: a third of the prism.
    let cone = volume("{ kind = \"revolution\", segments = 12, profile = [[0, 0], [1, 0], [0, 3]] }");
    assert!((cone - 12.0 / 2.0 * (std::f64::consts::TAU / 12.0).sin()).abs() < 1e-12, "{cone}");
}

#[test]
fn terrain_has_its_height_and_looks_up() {
    let text = with(
        "[body.a]\nmotion = \"static\"\nshape = { kind = \"terrain\", size = [4, 2], cells = [8, 4], height = \"1 + x*z\" }\n",
    );
    let scene = read(&text, None, &[]).unwrap();
    let Some(crate::geometry::Shape::Mesh(mesh)) = scene.model.bodies[1].shape() else { panic!("no mesh") };
    let data = mesh.data();
    assert_eq!((data.vertices.len(), data.triangles.len()), (45, 64));
    for (vertex, uv) in data.vertices.iter().zip(&data.uvs) {
        assert!((vertex.y - 1.0 - vertex.x * vertex.z).abs() < 1e-15);
        assert!((uv.x - (vertex.x / 4.0 + 0.5)).abs() < 1e-15 && (uv.y - (0.5 - vertex.z / 2.0)).abs() < 1e-15);
    }
    for t in 0..data.triangles.len() {
        let [a, b, c] = mesh.corners(t);
        assert!((b - a).cross(c - a).y > 0.0);
    }
}

#[test]
fn an_open_revolution_faces_to_the_right() {
    let text = with(
        "[body.a]\nmotion = \"static\"\nshape = { kind = \"revolution\", segments = 8, profile = [[1, 0], [1, 2]] }\n",
    );
    let scene = read(&text, None, &[]).unwrap();
    let Some(Shape::Mesh(mesh)) = scene.model.bodies[1].shape() else { panic!("no mesh") };
    for i in 0..mesh.data().triangles.len() {
        let [a, b, c] = mesh.corners(i);
        let out = (a + b + c) * DVec3::new(1.0, 0.0, 1.0);
        assert!((b - a).cross(c - a).dot(out) > 0.0);
    }
}

#[test]
fn arrays_are_grids_that_begin_at_the_position() {
    let text = with(
        "[body.a]\nshape = { kind = \"box\", size = [0.5, 0.5, 0.5] }\nposition = [1, 2, 3]\narray = { count = [2, 3, 4], spacing = [1, 2, 3] }",
    );
    let scene = read(&text, None, &[]).unwrap();
    assert_eq!(scene.model.bodies.len(), 25);
    let place = |name: &str| {
        let index = scene.model.bodies.iter().position(|body| body.name == name).unwrap();
        scene.state.bodies[index].frame().centre
    };
    close(place("a[0,0,0]"), DVec3::new(1.0, 2.0, 3.0));
    close(place("a[1,2,3]"), DVec3::new(2.0, 6.0, 12.0));
    let jittered = text.replace("spacing", "jitter = 0.1, jitter_deg = 20, seed = 7, spacing");
    let (one, two) = (read(&jittered, None, &[]).unwrap(), read(&jittered, None, &[]).unwrap());
    assert_eq!(one.state, two.state);
    for (a, b) in one.state.bodies.iter().zip(&scene.state.bodies).skip(1) {
        let moved = a.frame().centre - b.frame().centre;
        assert!(moved.abs().max_element() <= 0.1 && moved != DVec3::ZERO);
        assert!(a.frame().rotation.angle_between(b.frame().rotation) <= 20f64.to_radians() + 1e-9);
    }
}

#[test]
fn motions_are_scripts() {
    let text = with(
        "[body.a]\nshape = { kind = \"sphere\", radius = 0.1 }\nposition = [0, 5, 0]\nmotion = { position = [\"2*t\", \"0\", 0], turn = { axis = [0, 3, 0], angle_deg = \"90*t\" } }\n\
         [body.b]\nshape = { kind = \"sphere\", radius = 0.1 }\nposition = [0, 9, 0]\nmotion = { keyframes = [{ t = 0 }, { t = 2, position = [4, 9, 0] }] }",
    );
    let scene = read(&text, None, &[]).unwrap();
    let script = scene.model.bodies[1].script().expect("it has a script");
    let pose = script.pose(1.0);
    close(pose.position, DVec3::new(2.0, 5.0, 0.0));
    close(pose.rotation * DVec3::Z, DVec3::X);
    close(scene.state.bodies[1].frame().velocity, DVec3::X * 2.0);
    close(scene.state.bodies[2].frame().velocity, DVec3::X * 2.0);
}

#[test]
fn overrides_go_before_everything() {
    let scene = read(EXAMPLE, Some("across"), &[("time.dt", "0.02"), ("body.ball", "none"), ("solver.kind", "newton")]);
    let scene = scene.unwrap();
    assert_eq!((scene.time.dt, scene.solver.kind.as_str(), scene.model.bodies.len()), (0.02, "newton", 2));
    let scene = read(EXAMPLE, None, &[("pair.0.law.mu_t", "0.7"), ("expect.downhill", "none")]).unwrap();
    assert_eq!(scene.expect.len(), 1);
    let law = serde_json::to_value(&scene.model.interactions.of(0, 0).law).unwrap();
    assert_eq!(law["mu_t"], 0.7);
}

#[test]
fn pairs_of_variants_replace_those_of_the_same_materials() {
    let text = format!(
        "{EXAMPLE}\n[[variant.rough.pair]]\nmaterials = [\"rubber\", \"wood\"]\nrestitution = 0.5\n[[variant.rough.pair]]\nmaterials = [\"wood\", \"wood\"]\nlaw = {{ kind = \"coulomb\", mu = 0.8 }}\n"
    );
    let scene = read(&text, Some("rough"), &[]).unwrap();
    let law = serde_json::to_value(&scene.model.interactions.of(0, 0).law).unwrap();
    assert_eq!((law["kind"].as_str(), law["mu"].as_f64()), (Some("coulomb"), Some(0.8)));
    assert_eq!(scene.model.interactions.of(0, 1).restitution, 0.5);
    assert_eq!(scene.model.interactions.of(1, 0).restitution, 0.5);
}

#[test]
fn dynamic_meshes_are_split_and_keep_their_mass() {
    // An L of two boxes as a mesh would be long; a box is enough to see that the parts have the mesh's mass.
    let text = with(
        "[body.a]\nposition = [0, 5, 0]\nshape = { kind = \"revolution\", segments = 16, profile = [[0.5, 0], [1, 0], [1, 0.5], [0.5, 0.5], [0.5, 0]] }\ndecompose = { resolution = 32, parts = 16 }",
    );
    let scene = read(&text, None, &[]).unwrap();
    let body = &scene.model.bodies[1];
    assert!(matches!(body.shape(), Some(Shape::Compound { parts }) if parts.len() > 1), "{:?}", body.shape());
    let inertia = body.inertia().expect("it is dynamic");
    let volume = 16.0 / 2.0 * (std::f64::consts::TAU / 16.0).sin() * 0.75 * 0.5;
    assert!((inertia.mass() - 1000.0 * volume).abs() < 1e-9);
}

#[test]
fn steps_reach_the_end() {
    let steps = |dt: f64, end: f64| crate::scene::Time { dt, end }.steps();
    assert_eq!((steps(0.01, 1.0), steps(0.1, 0.3), steps(0.3, 1.0), steps(1.0, 1.0)), (100, 3, 4, 1));
}

#[test]
fn files_beside_the_scene_are_read_and_scaled() {
    let folder = std::env::temp_dir().join(format!("asperity-scene-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // The corner of a cube: a tetrahedron of volume 1/6.
    let corner = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    std::fs::write(folder.join("corner.obj"), corner).unwrap();
    let text = with(
        "[body.a]\nposition = [0, 1, 0]\nshape = { kind = \"hull\", file = \"corner.obj\", scale = 2 }\n\
         [body.b]\nposition = [5, 1, 0]\nshape = { kind = \"mesh\", file = \"corner.obj\", scale = [1, 2, 3] }\ndensity = 6",
    );
    let document = Document::parse(&text, folder.join("test.toml")).unwrap();
    let scene = document.scene(None, &[]).unwrap_or_else(|error| panic!("{error}"));
    let mass = |i: usize| scene.model.bodies[i].inertia().expect("it is dynamic").mass();
    assert!((mass(1) - 1000.0 * 8.0 / 6.0).abs() < 1e-9, "{}", mass(1));
    assert!((mass(2) - 6.0).abs() < 1e-9, "{}", mass(2));
    std::fs::write(folder.join("corner.obj"), corner.replace("f 2 3 4", "f 2 4 3")).unwrap();
    let error = document.scene(None, &[("body.a".into(), "none".into())]).unwrap_err().to_string();
    assert!(error.contains("the mesh is not closed"), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}
