//! What a run with bodies that deform leaves behind: the same bytes however it was run, vertices on disk, files that other programs read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use asperity::record::raster::{RenderSettings, Renderer};
use asperity::record::{GltfSettings, ShapeFrames, Show, shape_frames, to_glb};
use asperity::run::{Checkpoint, CheckpointError, FileSettings, Resumed, Run, write};
use asperity::scene::{Document, Scene};
use glam::{DVec3, Quat, Vec3};

/// Two sheets that wave, one with grain (structure), and balls that they strike.
const TEXT: &str = r#"
title = "Two flags and three balls"

[time]
dt = 0.01
end = 0.6

[pair_default]
law = { kind = "matchstick", mu = 0.2, mu_t = 0.2, mu_b = 1 }

[body.floor]
shape = { kind = "box", size = [4, 0.2, 4] }
position = [0, -0.6, 0]
motion = "static"

[body.flag]
shape = { kind = "sheet", size = [1.2, 0.8], cells = [12, 8], thickness = 0.05 }
motion = { vertices = ["x", "y + 0.1*sin(5*x - 9*t)", "z"] }
structure = [1, 0, 0]

[body.ball]
shape = { kind = "sphere", radius = 0.1 }
position = [-0.3, 0.3, 0]
array = { count = [3, 1, 1], spacing = [0.3, 0, 0] }

[body.pennant]
shape = { kind = "sheet", size = [0.5, 0.3], cells = [5, 3], thickness = 0.03 }
position = [1.2, 0, 0]
motion = { vertices = ["x + 0.4*t", "y*(1 + 0.5*t)", "z + 0.05*sin(20*t)*x"] }

[output]
fps = 50
"#;

fn scene() -> Scene {
    let document = Document::parse(TEXT, "flags.toml").unwrap_or_else(|error| panic!("{error}"));
    document.scene(None, &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// An empty folder of this test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("deforming").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn steps(run: &mut Run, until: u64) {
    while run.progress().0 < until {
        run.step().unwrap();
    }
}

fn finished() -> Run {
    let mut run = Run::new(scene()).unwrap();
    let end = run.progress().1;
    steps(&mut run, end);
    run
}

/// All files of a run but those with seconds on the clock.
fn files(run: &Run, name: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let place = folder(name);
    write(run, &place, FileSettings { pictures: false, glb: true, vtk: true }, &mut |_| {}).unwrap();
    let list = |folder: &Path| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    let mut found: Vec<PathBuf> = list(&place.join("vtk"));
    found.extend([place.join("trajectory.csv"), place.join("scene.glb")]);
    let file = |path: PathBuf| (path.strip_prefix(&place).unwrap().to_owned(), fs::read(&path).unwrap());
    found.into_iter().map(file).collect()
}

#[test]
fn a_run_gives_the_same_bytes_on_any_number_of_threads_and_through_a_resume() {
    let on_threads = |count: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap();
        pool.install(|| files(&finished(), &format!("threads-{count}")))
    };
    let whole = on_threads(1);
    // A file for the floor, five other bodies in 31 frames, the list; the table and the glTF file.
    assert_eq!(whole.len(), 1 + 5 * 31 + 1 + 2);
    assert!(whole == on_threads(2), "two threads, and not the same bytes");

    let place = folder("stopped");
    let mut run = Run::new(scene()).unwrap();
    let mut checkpoint = Checkpoint::begin(&place, TEXT, &mut run).unwrap();
    steps(&mut run, 17);
    checkpoint.write(&run).unwrap();
    steps(&mut run, 25);
    // Killed here: frames after the checkpoint are in the vertex log already.
    drop(run);
    let Resumed { mut run, mut checkpoint } = Checkpoint::resume(&place, TEXT, scene()).unwrap();
    assert_eq!(run.progress().0, 17);
    steps(&mut run, 40);
    checkpoint.write(&run).unwrap();
    let state = run.state().clone();
    drop(run);
    let Resumed { mut run, checkpoint } = Checkpoint::resume(&place, TEXT, scene()).unwrap();
    assert_eq!(*run.state(), state, "vertices are exact");
    let end = run.progress().1;
    steps(&mut run, end);
    assert!(files(&run, "resumed") == whole, "resumed, and not the same bytes");
    checkpoint.remove().unwrap();
    assert_eq!(fs::read_dir(&place).unwrap().count(), 0, "nothing is left of a checkpoint");
}

#[test]
fn checkpoints_hold_vertices_in_binary_and_are_refused_by_name_if_cut_short() {
    let place = folder("refused");
    let mut run = Run::new(scene()).unwrap();
    let mut checkpoint = Checkpoint::begin(&place, TEXT, &mut run).unwrap();
    steps(&mut run, 10);
    checkpoint.write(&run).unwrap();
    steps(&mut run, 12);
    checkpoint.write(&run).unwrap();
    let text = fs::read_to_string(place.join("checkpoint.json")).unwrap();
    let vertices = (13 * 9 + 6 * 4) * 2;
    assert!(!text.contains("positions") && text.len() < 60 * vertices, "{} bytes of text", text.len());
    // The second checkpoint is in the second file; 8 bytes of name, 4 of number, 12 a mesh, 48 a vertex.
    assert_eq!(fs::metadata(place.join("vertices-1.bin")).unwrap().len(), (12 + 2 * 12 + 48 * vertices) as u64);
    for name in ["vertices-1.bin", "vertices.log", "run.log"] {
        let path = place.join(name);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let message = Checkpoint::resume(&place, TEXT, scene()).map(|_| ()).unwrap_err().to_string();
        assert!(message.contains(name) && message.contains("bytes instead of"), "{message}");
        fs::write(&path, &bytes).unwrap();
    }
    let path = place.join("vertices-1.bin");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, vec![7; bytes.len()]).unwrap();
    assert!(matches!(Checkpoint::resume(&place, TEXT, scene()), Err(CheckpointError::Format { .. })));
    fs::remove_file(&path).unwrap();
    assert!(matches!(Checkpoint::resume(&place, TEXT, scene()), Err(CheckpointError::Io { .. })));
    fs::write(&path, bytes).unwrap();
    assert_eq!(Checkpoint::resume(&place, TEXT, scene()).unwrap().run.progress().0, 12);
}

/// The corners of the flag as a viewer puts them together, against the recorded vertices.
#[test]
fn shapes_in_gltf_are_those_of_the_frames() {
    let run = finished();
    let recording = run.recording();
    assert_eq!(shape_frames(recording), Some(ShapeFrames { kept: 31, of: 31 }));
    let bytes = to_glb(recording, GltfSettings { lines: true, ..GltfSettings::default() }).unwrap();
    let file = gltf::Gltf::from_slice(&bytes).unwrap();
    let blob = file.blob.clone().unwrap();
    let node = file.nodes().find(|node| node.name() == Some("flag")).unwrap();
    let mesh = node.mesh().unwrap();
    assert_eq!(mesh.weights().unwrap()[..2], [1.0, 0.0]);
    let primitives: Vec<_> = mesh.primitives().collect();
    assert!(primitives.len() == 2 && primitives.iter().all(|p| p.morph_targets().len() == 31), "with its lines");
    let animation = file.animations().next().unwrap();
    let weights = animation.channels().find(|channel| {
        channel.target().node().index() == node.index()
            && channel.target().property() == gltf::animation::Property::MorphTargetWeights
    });
    let read = weights.unwrap();
    let read = read.reader(|_| Some(&blob));
    let times: Vec<f32> = read.read_inputs().unwrap().collect();
    let Some(gltf::animation::util::ReadOutputs::MorphTargetWeights(outputs)) = read.read_outputs() else { panic!() };
    let outputs: Vec<f32> = outputs.into_f32().collect();
    assert_eq!((times.len(), outputs.len()), (31, 31 * 31));
    let body = run.scene().model.bodies.iter().position(|body| body.name == "flag").unwrap();
    let skin = &recording.bodies()[body].skin;
    let triangles = primitives[0].reader(|_| Some(&blob));
    let rest: Vec<Vec3> = triangles.read_positions().unwrap().map(Vec3::from).collect();
    let targets: Vec<Vec<Vec3>> =
        triangles.read_morph_targets().map(|(p, ..)| p.unwrap().map(Vec3::from).collect()).collect();
    for number in [0, 13, 30] {
        let frame = recording.frame(number).unwrap();
        let mix = &outputs[31 * number..31 * (number + 1)];
        assert_eq!((mix[number], mix.iter().sum::<f32>()), (1.0, 1.0));
        let pose = frame.states[body].pose;
        let (turn, place): (Quat, Vec3) = (pose.rotation.as_quat(), pose.position.as_vec3());
        let seen = |corner: usize| turn * (rest[corner] + targets[number][corner]) + place;
        let worst = (0..rest.len()).map(|corner| {
            let vertex = skin.vertex_of[corner] as usize;
            (seen(corner).as_dvec3() - frame.meshes[0].positions[vertex]).length()
        });
        let worst = worst.fold(0.0, f64::max);
        assert!(worst < 1e-6, "frame {number}: {worst} m");
    }
}

/// A long series keeps the first and the last shape, and as many as the file may have.
#[test]
fn long_series_of_shapes_are_thinned() {
    let mut long = scene();
    long.time.end = 6.0;
    long.time.dt = 0.02;
    let mut run = Run::new(long).unwrap();
    let end = run.progress().1;
    steps(&mut run, end);
    assert_eq!(shape_frames(run.recording()), Some(ShapeFrames { kept: 256, of: 301 }));
    let file = gltf::Gltf::from_slice(&to_glb(run.recording(), GltfSettings::default()).unwrap()).unwrap();
    let flag = file.meshes().find(|mesh| mesh.name() == Some("flag")).unwrap();
    assert_eq!(flag.primitives().next().unwrap().morph_targets().len(), 256);
    let blob = file.blob.clone().unwrap();
    for channel in file.animations().next().unwrap().channels() {
        let last = channel.reader(|_| Some(&blob)).read_inputs().unwrap().last().unwrap();
        assert_eq!(last, 6.0);
    }
}

/// Pictures show the deformed mesh: where the flag bulges, it is in front of the background.
#[test]
fn pictures_show_the_shapes_of_the_frames() {
    let run = finished();
    let recording = run.recording();
    let show = Show { lines: true, ..Show::default() };
    let settings = RenderSettings { width: 320, height: 200, show, ..RenderSettings::default() };
    let mut renderer = Renderer::new(recording, settings).unwrap();
    let [first, later] = [0, 9].map(|i| renderer.draw(&recording.frame(i).unwrap()));
    let mut flat = recording.frame(9).unwrap();
    // The same frame, with the flag at rest in its pose.
    let pose = flat.states[1].pose;
    let rest = &run.scene().model.bodies[1].animated().unwrap().mesh().data().vertices;
    flat.meshes[0].positions = rest.iter().map(|x| pose.apply(*x)).collect();
    let unbent = renderer.draw(&flat);
    let differing = |a: &asperity::record::Image, b: &asperity::record::Image| {
        a.pixels().iter().zip(b.pixels()).filter(|(a, b)| a != b).count()
    };
    let (moved, bent) = (differing(&first, &later), differing(&later, &unbent));
    assert!(moved > 500 && bent > 500, "{moved} and {bent} pixels");
    // A picture of a frame whose vertices were left out is that of the body at rest.
    let bare = renderer.draw(&recording.frames()[9]);
    flat.meshes.remove(1);
    assert!(differing(&bare, &renderer.draw(&flat)) < 50, "{}", differing(&bare, &renderer.draw(&flat)));
    // Everything that moves is inside of the picture: the camera sees the deformed boxes.
    let camera = renderer.camera();
    for number in 0..recording.frames().len() {
        for x in recording.frame(number).unwrap().meshes.iter().flat_map(|mesh| &mesh.positions) {
            let along = (camera.target - camera.eye).normalize();
            let side = along.cross(DVec3::Y).normalize();
            let (depth, across, up) =
                ((*x - camera.eye).dot(along), (*x - camera.eye).dot(side), (*x - camera.eye).dot(side.cross(along)));
            let reach = (0.5 * camera.fov).tan() * depth;
            assert!(across.abs() < 1.6 * reach && up.abs() < reach, "{x} is outside of the picture");
        }
    }
}

#[test]
fn rigid_worlds_write_no_vertices() {
    let text =
        "title = \"rigid\"\n[time]\ndt = 0.01\nend = 0.1\n[body.a]\nshape = { kind = \"sphere\", radius = 0.1 }\n";
    let scene = || Document::parse(text, "rigid.toml").unwrap().scene(None, &[]).unwrap();
    let place = folder("rigid");
    let mut run = Run::new(scene()).unwrap();
    let mut checkpoint = Checkpoint::begin(&place, text, &mut run).unwrap();
    assert_eq!(fs::read_dir(&place).unwrap().count(), 0);
    steps(&mut run, 5);
    checkpoint.write(&run).unwrap();
    let mut names: Vec<_> = fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["checkpoint.json", "run.log"]);
    assert_eq!(shape_frames(run.recording()), None);
}
