//! Files as an independent reader (the crate `gltf`) sees them.

use std::f64::consts::TAU;
use std::sync::Arc;

use ::gltf as reader;
use glam::{DVec3, Quat};
use reader::animation::util::ReadOutputs;
use reader::mesh::Mode;

use super::*;
use crate::record::Image;
use crate::record::test_bodies::{body, frame};

fn open(recording: &Recording, settings: GltfSettings) -> reader::Gltf {
    // Reading validates the document: numbers of lists, required keys, bounds of positions.
    reader::Gltf::from_slice(&to_glb(recording, settings).unwrap()).unwrap()
}

fn texture() -> Arc<Image> {
    Arc::new(Image::new(2, 1, vec![[255, 0, 0, 255], [0, 0, 255, 255]]).unwrap())
}

/// A static floor, a turning plate, two alike ones with a texture.
fn recording(frames: usize) -> Recording {
    let plate = body("plate");
    let textured = RecordedBody { paint: Paint::Texture(texture()), ..body("left") };
    let bodies = vec![
        RecordedBody { moving: false, paint: Paint::Checker { color: [200; 3], cell: 0.5 }, ..body("floor") },
        RecordedBody { structure: vec![[DVec3::ZERO, DVec3::X], [DVec3::Y, DVec3::Z]], ..plate },
        textured.clone(),
        RecordedBody { name: "right".into(), ..textured },
    ];
    let mut recording = Recording::new(bodies).unwrap();
    for i in 0..frames {
        let s = i as f64;
        let mut frame = frame(3.0 + 0.1 * s, &[-DVec3::Y, DVec3::new(s, s * s, 1.0 / 3.0), DVec3::X, DVec3::Z]);
        // Three turns: the quaternion of an angle in 0..2π jumps back each time.
        frame.states[1].pose.rotation = DQuat::from_rotation_x((0.9 * s) % TAU);
        recording.push(frame).unwrap();
    }
    recording
}

#[test]
fn nodes_meshes_and_materials_are_those_of_the_bodies() {
    let file = open(&recording(3), GltfSettings::default());
    let names: Vec<_> = file.nodes().map(|node| node.name().unwrap().to_owned()).collect();
    assert_eq!(names, ["floor", "plate", "left", "right", "camera", "sun", "sky", "fill"]);
    assert_eq!(file.default_scene().unwrap().nodes().count(), 8);
    let meshes: Vec<usize> = file.nodes().take(4).map(|node| node.mesh().unwrap().index()).collect();
    assert_eq!(meshes, [0, 1, 2, 2], "alike bodies share a mesh");
    let textured = file.nodes().nth(2).unwrap().mesh().unwrap().primitives().next().unwrap();
    let paint = textured.material().pbr_metallic_roughness();
    assert!(paint.base_color_texture().is_some() && paint.metallic_factor() == 0.0);
    let plain = file.nodes().nth(1).unwrap().mesh().unwrap().primitives().next().unwrap();
    // sRGB 200 is 0.577580 in linear light.
    let red = plain.material().pbr_metallic_roughness().base_color_factor()[0];
    assert!((red - 0.57758).abs() < 1e-5, "{red}");
}

#[test]
fn corners_survive_and_v_is_turned() {
    let recording = recording(1);
    let file = open(&recording, GltfSettings::default());
    let primitive = file.nodes().nth(2).unwrap().mesh().unwrap().primitives().next().unwrap();
    let blob = file.blob.clone().unwrap();
    let read = primitive.reader(|_| Some(&blob));
    let skin = &recording.bodies()[2].skin;
    let positions: Vec<[f32; 3]> = read.read_positions().unwrap().collect();
    let normals: Vec<[f32; 3]> = read.read_normals().unwrap().collect();
    assert_eq!(positions, skin.positions.iter().map(|x| x.as_vec3().to_array()).collect::<Vec<_>>());
    assert_eq!(normals, vec![[0.0, 1.0, 0.0]; 4]);
    let uvs: Vec<[f32; 2]> = read.read_tex_coords(0).unwrap().into_f32().collect();
    assert_eq!(uvs, skin.uvs.iter().map(|uv| [uv.x as f32, 1.0 - uv.y as f32]).collect::<Vec<_>>());
    let indices: Vec<u32> = read.read_indices().unwrap().into_u32().collect();
    assert_eq!(indices, skin.triangles.as_flattened());
    let bounds = primitive.bounding_box();
    assert_eq!((bounds.min, bounds.max), ([-0.5, 0.0, -0.5], [0.5, 0.0, 0.5]));
}

#[test]
fn lists_are_aligned_and_inside_of_the_file() {
    let recording = recording(4);
    let bytes = to_glb(&recording, GltfSettings { lines: true, ..GltfSettings::default() }).unwrap();
    assert_eq!(bytes.len() % 4, 0);
    assert_eq!(u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize, bytes.len());
    let file = open(&recording, GltfSettings { lines: true, ..GltfSettings::default() });
    let length = file.blob.as_ref().unwrap().len();
    let mut end = 0;
    for view in file.views() {
        assert!(view.offset() % 4 == 0 && view.offset() >= end && view.offset() + view.length() <= length);
        end = view.offset() + view.length();
    }
    for accessor in file.accessors() {
        let view = accessor.view().unwrap();
        assert!(accessor.offset() + accessor.count() * accessor.size() <= view.length());
    }
}

#[test]
fn the_animation_repeats_the_frames() {
    let recording = recording(21);
    let file = open(&recording, GltfSettings::default());
    assert_eq!(file.animations().count(), 1);
    let animation = file.animations().next().unwrap();
    let blob = file.blob.clone().unwrap();
    let mut seen = Vec::new();
    for channel in animation.channels() {
        let node = channel.target().node().index();
        let read = channel.reader(|_| Some(&blob));
        let times: Vec<f32> = read.read_inputs().unwrap().collect();
        assert_eq!(times.len(), 21);
        for (time, frame) in times.iter().zip(recording.frames()) {
            assert_eq!(*time, (frame.t - 3.0) as f32);
        }
        let states = recording.frames().iter().map(|frame| frame.states[node].pose);
        match read.read_outputs().unwrap() {
            ReadOutputs::Translations(places) => {
                for (place, pose) in places.zip(states) {
                    assert_eq!(place, pose.position.as_vec3().to_array());
                }
                seen.push((node, "translation"));
            }
            ReadOutputs::Rotations(rotations) => {
                let rotations: Vec<Quat> = rotations.into_f32().map(Quat::from_array).collect();
                for (rotation, pose) in rotations.iter().zip(states) {
                    assert!((rotation.dot(pose.rotation.as_quat()).abs() - 1.0).abs() < 1e-6);
                    assert!((rotation.length() - 1.0).abs() < 1e-6);
                }
                // Steps are 0.9 rad: cos(0.45) between neighbours, and never on the other side.
                assert!(rotations.windows(2).all(|w| w[0].dot(w[1]) > 0.45f32.cos() - 1e-5));
                seen.push((node, "rotation"));
            }
            _ => panic!("no other channel"),
        }
    }
    let both = |node| [(node, "translation"), (node, "rotation")];
    assert_eq!(seen, [both(1), both(2), both(3)].concat(), "and the floor has none");
}

#[test]
fn structure_comes_on_request_as_lines() {
    let recording = recording(2);
    assert!(open(&recording, GltfSettings::default()).meshes().all(|mesh| mesh.primitives().count() == 1));
    let file = open(&recording, GltfSettings { lines: true, ..GltfSettings::default() });
    let lines = file.meshes().nth(1).unwrap().primitives().nth(1).unwrap();
    assert_eq!(lines.mode(), Mode::Lines);
    let blob = file.blob.clone().unwrap();
    let points: Vec<[f32; 3]> = lines.reader(|_| Some(&blob)).read_positions().unwrap().collect();
    assert_eq!(points, [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
}

#[test]
fn little_is_enough() {
    assert_eq!(open(&Recording::default(), GltfSettings::default()).nodes().count(), 0);
    assert_eq!(open(&recording(0), GltfSettings::default()).animations().count(), 0);
    assert_eq!(open(&recording(1), GltfSettings::default()).animations().count(), 0);
    let bare = RecordedBody { skin: Arc::default(), ..body("bare") };
    assert!(open(&Recording::new(vec![bare]).unwrap(), GltfSettings::default()).nodes().all(|n| n.mesh().is_none()));
}

#[test]
fn frames_that_f32_cannot_tell_apart_are_left_out() {
    let mut recording = Recording::new(vec![body("a")]).unwrap();
    for t in [0.0, 1.0, 1.0 + 1e-12, 2.0] {
        recording.push(frame(t, &[t * DVec3::X])).unwrap();
    }
    let file = open(&recording, GltfSettings::default());
    let blob = file.blob.clone().unwrap();
    let channel = file.animations().next().unwrap().channels().next().unwrap();
    let times: Vec<f32> = channel.reader(|_| Some(&blob)).read_inputs().unwrap().collect();
    assert_eq!(times, [0.0, 1.0, 2.0]);
}

#[test]
fn many_corners_need_long_numbers() {
    let mut buffer = Buffer::default();
    buffer.indices(&[0, 0xfffe]);
    buffer.indices(&[0, 0xffff]);
    let (bytes, _, accessors) = buffer.finish();
    assert_eq!(bytes.len(), 4 + 8);
    assert_eq!(accessors[0]["componentType"], 5123);
    assert_eq!(accessors[1]["componentType"], 5125);
}
