//! Measures against closed forms.

use std::f64::consts::PI;
use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::{read, with};
use crate::contact::ContactForce;
use crate::geometry::{Pose, TriangleMesh};
use crate::measure::{Unconverged, WorstResidual, matches};
use crate::record::{Deforming, Expectation, Frame, FrameState, MeshFrame, Paint, RecordedBody, Recording};
use crate::scene::{RunFigures, Scene};

/// Two equal spheres on a ground, and an arch stone whose centre is not its origin.
fn scene(expect: &str) -> Scene {
    let text = with(&format!(
        "[body.ball]\nshape = {{ kind = \"sphere\", radius = 0.1 }}\nposition = [0, 1, 0]\narray = {{ count = [2, 1, 1], spacing = [1, 0, 0] }}\n\
         [body.stone]\nposition = [0, 5, 0]\nshape = {{ kind = \"sector\", inner = 1, outer = 2, depth = 1, from_deg = 80, to_deg = 100 }}\n\
         [expect.e]\n{expect}\n"
    ));
    read(&text, None, &[]).unwrap()
}

/// The first ball flies along (1, 2t, 0), the stone turns about its origin with 3 rad/s; eleven frames in a second.
fn frames(scene: &Scene) -> Vec<Frame> {
    let frame = |i: usize| {
        let t = i as f64 / 10.0;
        let mut frame = Frame { t, ..Frame::default() };
        for (body, state) in scene.model.bodies.iter().zip(&scene.state.bodies) {
            frame.states.push(FrameState::resting(state.frame().pose(body)));
        }
        frame.states[1].pose.position += DVec3::new(t, t * t, 0.0);
        frame.states[1].velocity = DVec3::new(1.0, 2.0 * t, 0.0);
        frame.states[3].pose.rotation = DQuat::from_rotation_z(3.0 * t);
        frame.states[3].angular_velocity = DVec3::Z * 3.0;
        frame
    };
    (0..=10).map(frame).collect()
}

/// What is found of the first expectation of a scene in these frames.
fn judged(scene: &Scene, frames: &[Frame]) -> Expectation {
    let shown = |i: usize| {
        let (body, look) = (&scene.model.bodies[i], &scene.looks[i]);
        let deforming =
            |mesh: &TriangleMesh| Deforming { vertices: mesh.data().vertices.len(), ..Deforming::default() };
        RecordedBody {
            name: body.name.clone(),
            skin: Arc::new(look.shape.skin(8)),
            paint: Paint::Color([0; 3]),
            surface: Arc::default(),
            structure: Vec::new(),
            moving: true,
            deforming: body.mesh().map(deforming),
        }
    };
    let mut recording = Recording::new((0..scene.model.bodies.len()).map(shown).collect()).unwrap();
    frames.iter().for_each(|frame| recording.push(frame.clone()).unwrap());
    let figures = RunFigures { residual: WorstResidual(1e-7), unconverged: Unconverged(3), ..RunFigures::default() };
    scene.expect[0].judge(&scene.model, &recording, &figures).unwrap()
}

fn value(expect: &str) -> Option<f64> {
    let scene = scene(&format!("{expect}\nmin = -1e9"));
    judged(&scene, &frames(&scene)).value
}

#[track_caller]
fn is(expect: &str, expected: f64) {
    let found = value(expect).unwrap_or(f64::NAN);
    assert!((found - expected).abs() < 1e-12, "{expect}: {found} instead of {expected}");
}

#[test]
fn measures_of_a_body() {
    let ball = "body = \"ball[0,0,0]\"";
    is(&format!("measure = \"position\"\n{ball}\nalong = [0, 2, 0]"), 2.0);
    is(&format!("measure = \"displacement\"\n{ball}\nat = 0.5"), 0.5f64.hypot(0.25));
    is(&format!("measure = \"displacement\"\n{ball}\nalong = [-1, -1, 0]"), -(2f64.sqrt()));
    // Between two frames on a straight line.
    is(&format!("measure = \"displacement\"\n{ball}\nalong = [0, 1, 0]\nat = 0.45"), 0.5 * (0.16 + 0.25));
    is(&format!("measure = \"displacement\"\n{ball}\nalong = [0, 1, 0]\nsince = 0.5"), 0.75);
    is(&format!("measure = \"velocity\"\n{ball}\nalong = [0, 1, 0]\nat = 0.3"), 0.6);
    is(&format!("measure = \"speed\"\n{ball}"), 5f64.sqrt());
    is(&format!("measure = \"time_when\"\n{ball}\nalong = [1, 0, 0]\nreach = 0.63"), 0.63);
    assert_eq!(value(&format!("measure = \"time_when\"\n{ball}\nalong = [1, 0, 0]\nreach = 1.5")), None);
    is("measure = \"angular_velocity\"\nbody = \"stone\"\nalong = [0, 0, -1]", -3.0);
}

#[test]
fn turns_are_measured_about_the_axis_or_in_all() {
    is("measure = \"angle\"\nbody = \"stone\"", 3.0);
    is("measure = \"angle\"\nbody = \"stone\"\nalong = [0, 0, 1]", 3.0);
    is("measure = \"angle\"\nbody = \"stone\"\nalong = [0, 0, -1]\nat = 0.5", -1.5);
    is("measure = \"angle\"\nbody = \"stone\"\nalong = [1, 0, 0]", 0.0);
    is("measure = \"angle\"\nbody = \"stone\"\nalong = [0, 0, 1]\nsince = 0.2\nat = 0.5", 0.9);
    // Beyond half a turn the short way around is meant.
    let scene = scene("measure = \"angle\"\nbody = \"stone\"\nalong = [0, 0, 1]\nmin = -9");
    let mut frames = frames(&scene);
    frames[10].states[3].pose.rotation = -DQuat::from_rotation_z(3.5);
    let found = judged(&scene, &frames).value.unwrap();
    assert!((found - (3.5 - 2.0 * PI)).abs() < 1e-12, "{found}");
}

#[test]
fn places_are_those_of_the_centre_of_mass() {
    let scene = scene("measure = \"displacement\"\nbody = \"stone\"\nmin = 0");
    // A chord of the circle around the origin: 2 r sin(θ/2); the speed is ω r.
    let radius = scene.model.bodies[3].centre().length();
    assert!(radius > 1.0);
    is("measure = \"displacement\"\nbody = \"stone\"", 2.0 * radius * 1.5f64.sin());
    is("measure = \"speed\"\nbody = \"stone\"", 3.0 * radius);
    assert_eq!(
        scene.state.bodies[3].frame().pose(&scene.model.bodies[3]),
        Pose { position: DVec3::Y * 5.0, ..Pose::IDENTITY }
    );
}

#[test]
fn measures_of_many_bodies_and_of_the_run() {
    is("measure = \"rest\"\nbody = \"ball[*\"", 2f64.sqrt());
    is("measure = \"rest\"\nbody = \"ground\"", 0.0);
    is("measure = \"count\"\nbody = \"ball[*\"\nalong = [0, 1, 0]\nbeyond = 1.5", 1.0);
    is("measure = \"fraction\"\nbody = \"ball[*\"\nalong = [0, 1, 0]\nbeyond = 1.5", 0.5);
    is("measure = \"count\"\nbody = \"ball[*\"\nalong = [0, 1, 0]\nbeyond = 1.5\nat = 0.2", 0.0);
    is("measure = \"residual\"", 1e-7);
    is("measure = \"unconverged\"", 3.0);
}

#[test]
fn a_run_that_stopped_early_does_not_pass() {
    let scene = scene("measure = \"speed\"\nbody = \"ball[0,0,0]\"\nmin = 0");
    let mut frames = frames(&scene);
    assert!(judged(&scene, &frames).pass);
    frames.pop();
    let short = judged(&scene, &frames);
    assert!(!short.pass && short.value.is_none());
    assert!(!judged(&scene, &[]).pass);
}

#[test]
fn a_measure_without_bounds_is_a_figure() {
    let scene = scene("measure = \"time_when\"\nbody = \"ball[0,0,0]\"\nalong = [1, 0, 0]\nreach = 0.63");
    let measured = judged(&scene, &frames(&scene));
    assert!(measured.pass && (measured.value.unwrap() - 0.63).abs() < 1e-12);
    // It never happens, and nobody expected it to.
    let never = judged(&scene, &frames(&scene)[..3]);
    assert!(never.pass && never.value.is_none());
}

/// A cloth of four squares on the ground; from the start to t = 1 it is stretched to twice its length along x and moved by t along y.
fn cloth(expect: &str) -> (Scene, Vec<Frame>) {
    let text = with(&format!(
        "[stepper]\nkind = \"implicit\"\n[body.cloth]\nshape = {{ kind = \"grid\", size = [2, 2], cells = [2, 2] }}\nposition = [0, 1, 0]\n\
         matter = {{ kind = \"cloth\", stretch = 100, poisson = 0 }}\n[expect.e]\n{expect}\nmin = -1e9\n"
    ));
    let scene = read(&text, None, &[]).unwrap();
    let rest = &scene.model.bodies[1].mesh().unwrap().data().vertices;
    let frame = |i: usize| {
        let t = i as f64 / 4.0;
        let mut frame = Frame { t, ..Frame::default() };
        for (body, state) in scene.model.bodies.iter().zip(&scene.state.bodies) {
            frame.states.push(FrameState::resting(state.frame().pose(body)));
        }
        let positions = rest.iter().map(|x| DVec3::new((1.0 + t) * x.x, 1.0 + t, x.z)).collect();
        let velocities = rest.iter().map(|x| DVec3::new(x.x, 1.0, 0.0)).collect();
        frame.meshes.push(MeshFrame { body: 1, positions, velocities });
        let normal = DVec3::Y;
        let mut touch = |force: DVec3, slip: f64, pair| {
            let (point, slip) = (DVec3::ZERO, DVec3::X * slip);
            frame.forces.push(ContactForce { pair, point, force, normal, slip });
        };
        touch(DVec3::new(0.5, 2.0, 0.0), 0.25, [1, 0]);
        touch(DVec3::new(0.5, 1.0, 0.0), 1e-6, [1, 0]);
        touch(DVec3::new(0.0, 4.0, 0.0), 0.0, [0, 1]);
        frame
    };
    let frames = (0..=4).map(frame).collect();
    (scene, frames)
}

#[track_caller]
fn cloth_is(expect: &str, expected: f64) {
    let (scene, frames) = cloth(&format!("{expect}\nbody = \"cloth\""));
    let found = judged(&scene, &frames).value.unwrap_or(f64::NAN);
    assert!((found - expected).abs() < 1e-12, "{expect}: {found} instead of {expected}");
}

#[test]
fn measures_of_vertices() {
    // The vertex at the corner (1, 0, 1): x = (1 + t), y = 1 + t, v = (1, 1, 0).
    let corner = "near = [0.9, 0, 1.2]";
    cloth_is(&format!("measure = \"vertex_position\"\n{corner}\nalong = [1, 0, 0]\nat = 0.5"), 1.5);
    cloth_is(&format!("measure = \"vertex_displacement\"\n{corner}"), 2f64.sqrt());
    // Between two frames on a straight line.
    cloth_is(&format!("measure = \"vertex_displacement\"\n{corner}\nalong = [0, 1, 0]\nat = 0.3"), 0.3);
    cloth_is(&format!("measure = \"vertex_displacement\"\n{corner}\nsince = 0.25\nat = 0.5"), 0.25 * 2f64.sqrt());
    cloth_is(&format!("measure = \"vertex_velocity\"\n{corner}\nalong = [1, 0, 0]"), 1.0);
    cloth_is("measure = \"vertex_distance\"\nnear = [[-1, 0, 0], [1, 0, 0]]", 4.0);
    // From (-1 - t, 1 + t, 1) to (1 + t, 1 + t, -1).
    cloth_is("measure = \"vertex_distance\"\nnear = [[-1, 0, 1], [1, 0, -1]]\nalong = [0, 0, 2]", -2.0);
    cloth_is("measure = \"vertex_distance\"\nnear = [[1, 0, -1], [-1, 0, 1]]\nalong = [1, 0, 0]\nat = 0.5", -3.0);
    cloth_is("measure = \"highest\"\nalong = [1, 0, 0]\nat = 0.5", 1.5);
    cloth_is("measure = \"lowest\"\nalong = [0, 3, 0]\nat = 0.5", 1.5);
    cloth_is("measure = \"extent\"\nalong = [-1, 0, 0]", 4.0);
    // Three columns of vertices at −2, 0, 2 and three rows at −1, 0, 1; mirrored at x = 0, those of the sides move by 4.
    cloth_is("measure = \"elongation\"\nalong = [0, 1, 0]", 2.0);
    cloth_is("measure = \"elongation\"\nalong = [0, -2, 0]\nat = 0", 1.0);
    cloth_is("measure = \"mirror_difference\"\nother = \"cloth\"\nalong = [1, 0, 0]", 8.0 / 3.0);
    // Risen by 1 from where the mirror is.
    cloth_is("measure = \"mirror_difference\"\nother = \"cloth\"\nalong = [0, 1, 0]", 2.0);
    // ½ E h ε² A with the Green strain ε = (2² − 1)/2 and A = 4 m².
    cloth_is("measure = \"elastic_energy\"", 0.5 * 100.0 * 1.5 * 1.5 * 4.0);
    cloth_is("measure = \"elastic_energy\"\nat = 0", 0.0);
    // Numbers and places speak of the same vertex.
    let (scene, frames) = cloth("measure = \"vertex_position\"\nbody = \"cloth\"\nnear = [1, 0, 1]\nalong = [1, 0, 1]");
    let number =
        scene.model.bodies[1].mesh().unwrap().data().vertices.iter().position(|x| *x == DVec3::new(1.0, 0.0, 1.0));
    let by_place = judged(&scene, &frames).value.unwrap();
    cloth_is(&format!("measure = \"vertex_position\"\nvertex = {}\nalong = [1, 0, 1]", number.unwrap()), by_place);
    // A run that stopped early has no value.
    assert_eq!(judged(&scene, &frames[..3]).value, None);
}

#[test]
fn measures_of_contacts() {
    // The force of the third contact is on the ground: its opposite is on the cloth.
    cloth_is("measure = \"contact_force\"\nalong = [0, 1, 0]", 2.0 + 1.0 - 4.0);
    cloth_is("measure = \"contact_force\"\nother = \"ground\"", 2f64.sqrt());
    cloth_is("measure = \"sliding\"", 1.0 / 3.0);
    cloth_is("measure = \"sliding\"\nfaster = 1e-7", 2.0 / 3.0);
    cloth_is("measure = \"slip_speed\"", 0.25);
}

#[test]
fn patterns() {
    for (pattern, name, fits) in [
        ("a", "a", true),
        ("a", "ab", false),
        ("a*", "ab", true),
        ("*b", "ab", true),
        ("*", "", true),
        ("a*b*c", "a1b2c", true),
        ("a*b*c", "a1c2b", false),
        ("a*a", "a", false),
        ("x[*,0]", "x[3,0]", true),
    ] {
        assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
    }
}
