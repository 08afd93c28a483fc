//! Files as an independent reader (the crate `gltf`) sees them.

use std::f64::consts::TAU;
use std::sync::Arc;

use ::gltf as reader;
use asperity_friction::field::{Constant, Field};
use glam::{DVec2, DVec3, Quat, Vec3};
use reader::animation::util::ReadOutputs;
use reader::mesh::Mode;

use super::*;
use crate::body::Surface;
use crate::body::surface::{CoefficientName, Coefficients, ScalarField, VaryingCoefficient};
use crate::patch::FacetMap;
use crate::record::Image;
use crate::record::raster::color::srgb;
use crate::record::raster::ramp;
use crate::record::test_bodies::{body, frame, square};

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
    let Buffer { bytes, accessors, .. } = buffer;
    assert_eq!(bytes.len(), 4 + 8);
    assert_eq!(accessors[0]["componentType"], 5123);
    assert_eq!(accessors[1]["componentType"], 5125);
}

/// A plate with a bump in a normal map, and grain.
fn bumpy() -> RecordedBody {
    let slope = |i: i32| {
        let (x, y) = (f64::from(i % 8) - 3.5, 3.5 - f64::from(i / 8));
        0.2 * DVec2::new(x, y)
    };
    let slopes: Vec<DVec2> = (0..64).map(slope).collect();
    let map = FacetMap::from_slopes(8, 8, &slopes).unwrap();
    let structure = Some(Field::Constant(Constant { direction: DVec3::X }).into());
    let surface = Surface { facets: Some(Arc::new(map)), structure, ..Surface::default() };
    RecordedBody { surface: Arc::new(surface), ..body("bumpy") }
}

/// The bytes of an image of the file.
fn image(file: &reader::Gltf, texture: &reader::Texture) -> (u32, u32, Vec<u8>) {
    let reader::image::Source::View { view, mime_type } = texture.source().source() else { panic!() };
    assert_eq!(mime_type, "image/png");
    let bytes = file.blob.as_ref().unwrap()[view.offset()..view.offset() + view.length()].to_vec();
    let mut png = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; png.output_buffer_size().unwrap()];
    let info = png.next_frame(&mut pixels).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgba);
    (info.width, info.height, pixels)
}

/// A bump that is lit from the left is bright on its left: normals, put together as the format says, lean away from its middle.
#[test]
fn normal_textures_have_the_right_handedness() {
    let mut recording = Recording::new(vec![bumpy()]).unwrap();
    recording.push(frame(0.0, &[DVec3::ZERO])).unwrap();
    let file = open(&recording, GltfSettings::default());
    let blob = file.blob.clone().unwrap();
    let primitive = file.nodes().next().unwrap().mesh().unwrap().primitives().next().unwrap();
    let material = primitive.material();
    assert_eq!(material.name(), Some("bumpy"));
    let normal = material.normal_texture().unwrap();
    assert_eq!((normal.tex_coord(), normal.scale()), (1, 1.0));
    let (width, height, pixels) = image(&file, &normal.texture());
    let read = primitive.reader(|_| Some(&blob));
    let positions: Vec<Vec3> = read.read_positions().unwrap().map(Vec3::from).collect();
    let normals: Vec<Vec3> = read.read_normals().unwrap().map(Vec3::from).collect();
    let tangents: Vec<[f32; 4]> = read.read_tangents().unwrap().collect();
    let uvs: Vec<[f32; 2]> = read.read_tex_coords(1).unwrap().into_f32().collect();
    let indices: Vec<usize> = read.read_indices().unwrap().into_u32().map(|i| i as usize).collect();
    let mut tested = 0;
    for triangle in indices.chunks_exact(3) {
        for w in [[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6], [0.1, 0.1, 0.8]] {
            let mixed = |of: &dyn Fn(usize) -> Vec3| (0..3).map(|k| of(triangle[k]) * w[k]).sum::<Vec3>();
            let place = mixed(&|i| positions[i]);
            let uv = mixed(&|i| Vec3::new(uvs[i][0], uvs[i][1], 0.0));
            let (n, t) = (normals[triangle[0]], Vec3::from_slice(&tangents[triangle[0]][..3]));
            let b = n.cross(t) * tangents[triangle[0]][3];
            let texel = (uv.y * height as f32) as usize * width as usize + (uv.x * width as f32) as usize;
            let color = &pixels[4 * texel..4 * texel + 3];
            let [x, y, z] = [0, 1, 2].map(|c| f32::from(color[c]) / 127.5 - 1.0);
            let m = t * x + b * y + n * z;
            // The plate lies in the plane y = 0 around the origin, where the top of the bump is.
            assert!(m.y > 0.5 && (m.length() - 1.0).abs() < 0.02, "{m}");
            for axis in [0, 2] {
                if place[axis].abs() > 0.08 {
                    assert!(m[axis] * place[axis].signum() > 0.02, "at {place} the normal is {m}");
                    tested += 1;
                }
            }
        }
    }
    assert!(tested >= 12, "{tested}");
}

/// Fibres are the base colour: the image has the light of the paint on them and less between them, along the grain the same.
#[test]
fn grain_is_the_base_colour() {
    let mut recording = Recording::new(vec![bumpy()]).unwrap();
    recording.push(frame(0.0, &[DVec3::ZERO])).unwrap();
    let file = open(&recording, GltfSettings::default());
    let blob = file.blob.clone().unwrap();
    let primitive = file.nodes().next().unwrap().mesh().unwrap().primitives().next().unwrap();
    let base = primitive.material().pbr_metallic_roughness().base_color_texture().unwrap();
    let (width, height, pixels) = image(&file, &base.texture());
    let read = primitive.reader(|_| Some(&blob));
    let positions: Vec<Vec3> = read.read_positions().unwrap().map(Vec3::from).collect();
    let uvs: Vec<[f32; 2]> = read.read_tex_coords(0).unwrap().into_f32().collect();
    // Texture coordinates of a place: the plate is one chart, so that they are linear in x and z.
    let corner = |x: f32, z: f32| positions.iter().position(|p| p.x == x && p.z == z).map(|i| uvs[i]).unwrap();
    let (a, b, c) = (corner(-0.5, -0.5), corner(0.5, -0.5), corner(-0.5, 0.5));
    let red = |x: f32, z: f32| {
        let uv = [0, 1].map(|k| a[k] + (b[k] - a[k]) * (x + 0.5) + (c[k] - a[k]) * (z + 0.5));
        let texel = (uv[1] * height as f32) as usize * width as usize + (uv[0] * width as f32) as usize;
        f64::from(pixels[4 * texel])
    };
    let step = 0.01;
    let change = |dx: f32, dz: f32| {
        let at = |i: i32| (-0.4 + 0.02 * (i % 40) as f32, -0.4 + 0.02 * (i / 40) as f32);
        (0..1600).map(|i| (red(at(i).0 + dx, at(i).1 + dz) - red(at(i).0, at(i).1)).abs()).sum::<f64>()
    };
    let (along, across) = (change(step, 0.0), change(0.0, step));
    assert!(across > 3.0 * along, "along the grain {along}, across it {across}");
    let most = pixels.chunks_exact(4).map(|p| p[0]).max();
    assert!(most <= Some(200), "no brighter than the paint: {most:?}");
}

#[test]
fn the_camera_and_the_sun_are_those_of_our_pictures() {
    let camera = Camera { eye: DVec3::new(1.0, 2.0, 3.0), target: DVec3::ZERO, up: DVec3::Y, fov: 0.7 };
    let file = open(&recording(2), GltfSettings { camera: Some(camera), aspect: 1.5, ..GltfSettings::default() });
    let node = file.nodes().find(|node| node.camera().is_some()).unwrap();
    let (place, turn, _) = node.transform().decomposed();
    assert_eq!(place, [1.0, 2.0, 3.0]);
    let ahead = Quat::from_array(turn) * -Vec3::Z;
    assert!(ahead.abs_diff_eq(-Vec3::new(1.0, 2.0, 3.0).normalize(), 1e-6));
    let up = Quat::from_array(turn) * Vec3::Y;
    assert!(up.y > 0.7 && up.dot(ahead).abs() < 1e-6);
    let seen = node.camera().unwrap();
    let reader::camera::Projection::Perspective(lens) = seen.projection() else { panic!() };
    assert!((lens.yfov() - 0.7).abs() < 1e-6 && lens.aspect_ratio() == Some(1.5));
    let sun = file.nodes().find(|node| node.name() == Some("sun")).unwrap();
    let (_, turn, _) = sun.transform().decomposed();
    // It shines along −z of its node: downward, to the right and away from the viewer.
    let rays = Quat::from_array(turn) * -Vec3::Z;
    let right = Vec3::Y.cross(-ahead).normalize();
    assert!(rays.y < -0.5 && rays.dot(right) > 0.2 && rays.dot(ahead.with_y(0.0)) > 0.1, "{rays}");
}

/// Coefficients that vary are the base colour: the image has, where the triangles say, the colour of the number there.
#[test]
fn coefficients_are_the_base_colour() {
    let field = ScalarField::parse("0.5 + 0.8*x").unwrap();
    let varying = vec![VaryingCoefficient { name: CoefficientName::Mu, field }];
    let surface = Arc::new(Surface { varying, ..Surface::default() });
    let coefficients = Coefficients { mu: 0.45, ..Coefficients::default() };
    let plain = RecordedBody {
        surface: Arc::new(Surface { coefficients, ..Surface::default() }),
        skin: Arc::new(square(0.25)),
        ..body("plain")
    };
    let mut recording = Recording::new(vec![RecordedBody { surface, ..body("varied") }, plain]).unwrap();
    recording.push(frame(0.0, &[DVec3::ZERO, DVec3::Y])).unwrap();
    let file = open(&recording, GltfSettings { tint: Tint::Mu, ..GltfSettings::default() });
    let blob = file.blob.clone().unwrap();
    let primitive = |i: usize| file.meshes().nth(i).unwrap().primitives().next().unwrap();
    // The largest number is 0.9, at the edge x = 0.5; the other body has half of it.
    let half = ramp::color(0.5, 1.0).extend(1.0).to_array();
    assert_eq!(primitive(1).material().pbr_metallic_roughness().base_color_factor(), half);

    let varied = primitive(0);
    let base = varied.material().pbr_metallic_roughness().base_color_texture().unwrap();
    let (width, height, pixels) = image(&file, &base.texture());
    let read = varied.reader(|_| Some(&blob));
    let positions: Vec<Vec3> = read.read_positions().unwrap().map(Vec3::from).collect();
    let uvs: Vec<[f32; 2]> = read.read_tex_coords(base.tex_coord()).unwrap().into_f32().collect();
    let indices: Vec<usize> = read.read_indices().unwrap().into_u32().map(|i| i as usize).collect();
    let mut tested = 0;
    for triangle in indices.chunks_exact(3) {
        for w in [[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6]] {
            let x: f32 = (0..3).map(|k| w[k] * positions[triangle[k]].x).sum();
            let [u, v] = [0, 1].map(|axis| (0..3).map(|k| w[k] * uvs[triangle[k]][axis]).sum::<f32>());
            let texel = (v * height as f32) as usize * width as usize + (u * width as f32) as usize;
            let should = srgb(ramp::color(0.5 + 0.8 * f64::from(x), 0.9));
            let is = &pixels[4 * texel..4 * texel + 3];
            // A texel is about 1/48 of the side wide.
            assert!((0..3).all(|c| is[c].abs_diff(should[c]) <= 8), "at x = {x}: {is:?}, not {should:?}");
            tested += 1;
        }
    }
    assert_eq!(tested, 6);
}
