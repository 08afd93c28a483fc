//! Meshes whose vertices move by formulas, against rigid bodies that make the same motion.

use std::path::PathBuf;
use std::sync::OnceLock;

use asperity::run::Run;
use asperity::scene::Document;
use glam::DVec3;

/// A box of 2 × 0.2 × 2 m as a mesh file, faces outward.
const SLAB: &str = "v -1 -0.1 -1\nv 1 -0.1 -1\nv 1 -0.1 1\nv -1 -0.1 1\nv -1 0.1 -1\nv 1 0.1 -1\nv 1 0.1 1\nv -1 0.1 1\n\
f 1 2 3\nf 1 3 4\nf 5 7 6\nf 5 8 7\nf 1 6 2\nf 1 5 6\nf 2 7 3\nf 2 6 7\nf 3 8 4\nf 3 7 8\nf 4 5 1\nf 4 8 5\n";

/// A folder with the mesh in it.
fn folder() -> PathBuf {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    let make = || {
        let folder = std::env::temp_dir().join(format!("asperity-animated-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("slab.obj"), SLAB).unwrap();
        folder
    };
    MADE.get_or_init(make).clone()
}

/// A box on a carrier with this shape and motion.
fn ride(carrier: &str, friction: &str, seconds: f64) -> Run {
    let folder = folder();
    let text = format!(
        "title = \"ride\"\n[time]\ndt = 0.01\nend = {seconds}\n[pair_default]\nlaw = {friction}\n\
         [body.carrier]\n{carrier}\n\
         [body.rider]\nshape = {{ kind = \"box\", size = [0.3, 0.2, 0.4] }}\nposition = [0.4, 0.2, 0.1]\n"
    );
    let document = Document::parse(&text, folder.join("ride.toml")).unwrap();
    let scene = document.scene(None, &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut run = Run::new(scene).unwrap();
    while !run.is_done() {
        run.step().unwrap();
    }
    run
}

const MESH: &str = "shape = { kind = \"mesh\", file = \"slab.obj\" }";
const BOX: &str = "shape = { kind = \"box\", size = [2, 0.2, 2] }";

/// The place and orientation of the rider relative to those in another run.
fn apart(a: &Run, b: &Run) -> (f64, f64) {
    let [a, b] = [a, b].map(|run| *run.state().bodies[1].frame());
    (a.centre.distance(b.centre), (a.rotation * DVec3::X).distance(b.rotation * DVec3::X))
}

#[test]
fn a_mesh_that_is_moved_as_a_whole_carries_a_box_like_a_scripted_body() {
    let coulomb = "{ kind = \"coulomb\", mu = 0.4 }";
    // Starts with a jerk, so that the box slides first and sticks then; rises and turns.
    let motions = [
        ("[\"0.8*t\", \"0\", \"0\"]", "[\"x + 0.8*t\", \"y\", \"z\"]"),
        ("[\"0.1*sin(3*t)\", \"0.05*t^2\", \"0.2*t\"]", "[\"x + 0.1*sin(3*t)\", \"y + 0.05*t^2\", \"z + 0.2*t\"]"),
    ];
    for (script, vertices) in motions {
        let rigid = ride(&format!("{BOX}\nmotion = {{ position = {script} }}"), coulomb, 1.0);
        let mesh = ride(&format!("{MESH}\nmotion = {{ vertices = {vertices} }}"), coulomb, 1.0);
        let (place, turn) = apart(&rigid, &mesh);
        // What sticks to a scripted body goes where that goes; on a mesh it lags by up to half a step of 0.01 s.
        let fastest = if script.contains("sin") { 0.38 } else { 0.0 };
        assert!(place < 0.5 * 0.01 * fastest + 1e-7 && turn < 1e-7, "{script}: {place:e} m, {turn:e}");
        assert!(rigid.state().bodies[1].frame().centre.distance(DVec3::new(0.4, 0.2, 0.1)) > 0.05, "it was carried");
    }
}

/// A turntable: scripted bodies turn about an axis by an angle θ a step, vertices go along chords, which lie at θ/2 to the velocity at the start.
#[test]
fn a_mesh_that_turns_carries_a_box_like_a_turntable() {
    let coulomb = "{ kind = \"coulomb\", mu = 0.6 }";
    let rigid =
        ride(&format!("{BOX}\nmotion = {{ turn = {{ axis = [0, 1, 0], angle_deg = \"60*t\" }} }}"), coulomb, 1.0);
    let turned = "[\"x*cos(PI/3*t) + z*sin(PI/3*t)\", \"y\", \"z*cos(PI/3*t) - x*sin(PI/3*t)\"]";
    let mesh = ride(&format!("{MESH}\nmotion = {{ vertices = {turned} }}"), coulomb, 1.0);
    let (place, turn) = apart(&rigid, &mesh);
    let angle = std::f64::consts::PI / 300.0;
    let way = 0.4123 * std::f64::consts::PI / 3.0;
    // What sticks to a scripted body keeps its place on it; on a mesh it creeps, to first order in the step.
    assert!(place < angle * way && turn < 0.5 * angle, "{place:e} m, {turn:e}");
    let fitted = mesh.state().bodies[0].frame();
    assert!((fitted.angular_velocity - DVec3::Y * std::f64::consts::PI / 3.0).length() < 1e-3);
}

/// Grain (structure) is carried by the deformation: a mesh sheared by 45 degrees carries lines along z to lines along (1, 0, 1)/√2, and a box feels the same
/// friction on it as on a rigid body with that grain.
#[test]
fn grain_on_a_sheared_mesh_lies_along_the_deformed_lines() {
    let matchstick = "{ kind = \"matchstick\", mu = 0.3, mu_t = 0.1, mu_b = 0.6 }\n[world]\ngravity = [4, -9, 1]";
    let rigid = ride(&format!("{BOX}\nmotion = \"static\"\nstructure = [1, 0, 1]"), matchstick, 0.3);
    let sheared = "motion = { vertices = [\"x + z\", \"y\", \"z\"] }\nstructure = [0, 0, 1]";
    let mesh = ride(&format!("{MESH}\n{sheared}"), matchstick, 0.3);
    let (place, turn) = apart(&rigid, &mesh);
    // Contacts of a mesh come in another order: the two agree to the tolerance of the solver.
    assert!(place < 1e-7 && turn < 1e-7, "{place:e} m, {turn:e}");
    // Not so with the grain that the mesh has at rest.
    let other = ride(&format!("{BOX}\nmotion = \"static\"\nstructure = [0, 0, 1]"), matchstick, 0.3);
    assert!(apart(&rigid, &other).0 > 1e-3);
}

#[test]
fn formulas_without_a_value_and_shapes_without_vertices_are_refused_by_name() {
    let scene = |carrier: &str| {
        let text = format!(
            "title = \"bad\"\n[time]\ndt = 0.01\nend = 1\n[body.carrier]\n{carrier}\n[body.a]\nshape = {{ kind = \"sphere\", radius = 0.1 }}\nposition = [0, 5, 0]\n"
        );
        Document::parse(&text, folder().join("bad.toml")).and_then(|document| document.scene(None, &[]))
    };
    let refused = |carrier: &str| scene(carrier).map(|_| ()).unwrap_err().to_string();
    let message = refused(&format!("{MESH}\nmotion = {{ vertices = [\"x\", \"sqrt(0.5 - t)\", \"z\"] }}"));
    assert!(message.contains("vertex 0") && message.contains("has no finite position"), "{message}");
    let message = refused(&format!("{BOX}\nmotion = {{ vertices = [\"x\", \"y\", \"z\"] }}"));
    assert!(message.contains("has no vertices to move"), "{message}");
    let message = refused(&format!("{MESH}\nmotion = {{ vertices = [\"x\", \"y\", \"q\"] }}"));
    assert!(message.contains("uses `q`"), "{message}");
    let message = refused(&format!("{MESH}\nmass = 3\nmotion = {{ vertices = [\"x\", \"y\", \"z\"] }}"));
    assert!(message.contains("forces do not move"), "{message}");
}
