//! Whole pictures.

use std::sync::Arc;

use super::*;
use crate::contact::ContactForce;
use crate::record::test_bodies::{body, frame, square};
use crate::record::{JointLine, LineEnd, LineKind, Paint, RecordedBody};

/// A white square over a larger floor, seen straight from above.
fn scene(paint: Paint) -> (Recording, RenderSettings) {
    let plate = RecordedBody { paint, structure: vec![[-0.4 * DVec3::X, 0.4 * DVec3::X]], ..body("plate") };
    let floor = RecordedBody {
        moving: false,
        skin: Arc::new(square(50.0)),
        paint: Paint::Color([120, 160, 120]),
        ..body("floor")
    };
    let mut recording = Recording::new(vec![plate, floor]).unwrap();
    recording.push(frame(0.0, &[0.5 * DVec3::Y, DVec3::ZERO])).unwrap();
    let camera = Camera { eye: 3.0 * DVec3::Y, target: DVec3::ZERO, up: -DVec3::Z, fov: 0.8 };
    (recording, RenderSettings { width: 80, height: 60, camera: Some(camera), ..RenderSettings::default() })
}

/// A contact whose force is friction alone.
fn contact(pair: [u32; 2], x: f64) -> ContactForce {
    ContactForce { pair, point: DVec3::ZERO, force: x * DVec3::X, normal: DVec3::Y, slip: DVec3::ZERO }
}

/// Settings that show a little more.
fn showing(settings: &RenderSettings, words: &[&str]) -> RenderSettings {
    let mut show = Show::NOTHING;
    words.iter().for_each(|word| show.add(word));
    RenderSettings { show, ..settings.clone() }
}

fn draw(recording: &Recording, settings: &RenderSettings) -> Image {
    let mut renderer = Renderer::new(recording, settings.clone()).unwrap();
    renderer.draw(&recording.frames()[0])
}

#[test]
fn a_texture_lies_the_right_way_round() {
    let pixels = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]];
    let (recording, settings) = scene(Paint::Texture(Arc::new(Image::new(2, 2, pixels.to_vec()).unwrap())));
    let image = draw(&recording, &settings);
    // The camera's up is -z, where v = 1: the picture looks like the image itself. The plate covers about 28 pixels.
    let strongest = |x: u32, y: u32| {
        let [r, g, b, _] = image.pixel(x, y).map(u32::from);
        [r > 2 * g.max(b) && r > 60, g > 2 * r.max(b) && g > 60, b > 2 * r.max(g) && b > 60]
    };
    assert_eq!(strongest(32, 22), [true, false, false]);
    assert_eq!(strongest(48, 22), [false, true, false]);
    assert_eq!(strongest(32, 38), [false, false, true]);
    let [r, g, b, _] = image.pixel(48, 38);
    assert!(r > 150 && g > 150 && b > 150);
}

#[test]
fn edges_are_smooth_and_the_silhouette_is_where_it_should_be() {
    let (recording, settings) = scene(Paint::Color([255; 3]));
    let image = draw(&recording, &settings);
    // Half the side is 0.5 at depth 2.5; f = 30/tan(0.4).
    let half = 0.5 / 2.5 * 30.0 / 0.4f64.tan();
    let row: Vec<f64> = (0..80).map(|x| f64::from(image.pixel(x, 30)[0]) / 255.0).collect();
    let white = row[40];
    // The right side: the sun shines from the left, so the shadow is on the right and dark.
    let covered = row[40..].iter().filter(|&&value| value > 0.9 * white).count() as f64;
    assert!((covered - half).abs() <= 1.0, "{covered} {half}");
    assert_eq!(image, draw(&recording, &settings), "the same bytes");
}

#[test]
fn the_plate_throws_a_shadow_away_from_the_sun() {
    let (recording, settings) = scene(Paint::Color([255; 3]));
    let image = draw(&recording, &settings);
    let (left, right) = (image.pixel(20, 34)[1], image.pixel(58, 34)[1]);
    assert!(f64::from(right) < 0.85 * f64::from(left), "{left} {right}");
}

#[test]
fn lines_and_arrows_come_on_request_only() {
    let (mut recording, settings) = scene(Paint::Color([255; 3]));
    let plain = draw(&recording, &settings);
    let lines = draw(&recording, &showing(&settings, &["lines"]));
    // The line runs between two rows and is one pixel wide: it takes half of the light of both.
    let (dark, bright) = (f64::from(lines.pixel(40, 30)[0]), f64::from(plain.pixel(40, 30)[0]));
    assert!(bright > 200.0 && dark < 0.85 * bright, "{dark} {bright}");
    assert_eq!(lines.pixel(40, 25), plain.pixel(40, 25));
    let mut second = frame(1.0, &[0.5 * DVec3::Y, DVec3::ZERO]);
    second.forces.push(contact([0, 1], 8.0));
    recording.push(second).unwrap();
    let settings = RenderSettings { metres_per_newton: Some(0.1), ..showing(&settings, &["forces"]) };
    let mut renderer = Renderer::new(&recording, settings).unwrap();
    assert_eq!(renderer.draw(&recording.frames()[0]), plain);
    let arrows = renderer.draw(&recording.frames()[1]);
    let [r, g, b, _] = arrows.pixel(55, 30);
    assert!(f64::from(r) > 1.5 * f64::from(g.max(b)), "red beside the plate: {r} {g} {b}");
    let [r, g, ..] = arrows.pixel(45, 30);
    assert!(r > g && g > 90, "faint under it: {r} {g}");
}

#[test]
fn forces_are_drawn_on_the_body_that_moves_whichever_is_a() {
    // The plate moves and the floor does not.
    let picture = |pair: [u32; 2], x: f64| {
        let (mut recording, settings) = scene(Paint::Color([255; 3]));
        let mut second = frame(1.0, &[0.5 * DVec3::Y, DVec3::ZERO]);
        second.forces.push(contact(pair, x));
        recording.push(second).unwrap();
        let settings = RenderSettings { metres_per_newton: Some(0.1), ..showing(&settings, &["forces"]) };
        Renderer::new(&recording, settings).unwrap().draw(&recording.frames()[1])
    };
    assert_eq!(picture([0, 1], 8.0), picture([1, 0], -8.0));
    assert_ne!(picture([0, 1], 8.0), picture([0, 1], -8.0));
    assert_eq!(ContactForce::shares([true; 2]).collect::<Vec<_>>(), [0.5, -0.5]);
}

#[test]
fn joints_go_with_their_bodies_and_are_faint_behind_them() {
    let (recording, settings) = scene(Paint::Color([255; 3]));
    let plain = draw(&recording, &settings);
    // A rod from above the middle of the plate, which is at y = 0.5, to beside it: in body coordinates and in those of the world. And a spring
    // below the plate and the floor.
    let end = |body, x, y, z| LineEnd { body, point: DVec3::new(x, y, z) };
    let line = |ends, kind| JointLine { ends, kind };
    let rod = line([end(Some(0), 0.0, 0.1, 0.0), end(None, 1.2, 0.6, 0.0)], LineKind::Rigid);
    let spring = line([end(None, -0.3, 0.2, -1.0), end(None, -0.3, 0.2, 0.3)], LineKind::Spring);
    let recording = recording.with_joints(vec![rod, spring]).unwrap();
    assert_eq!(draw(&recording, &settings), plain);
    let image = draw(&recording, &showing(&settings, &["joints"]));
    // f = 30/tan(0.4) pixels; at depth 2.4 the rod runs from column 40 to 40 + 35, in the middle row.
    for column in [45, 60, 70] {
        // It is 1.4 pixels wide and runs between two rows: it has most of the light of both.
        let ([r, _, b, _], [bare, ..]) = (image.pixel(column, 30), plain.pixel(column, 30));
        assert!(b > r + 25 && f64::from(r) < 0.85 * f64::from(bare), "column {column}: {r} {b}, without it {bare}");
    }
    assert_eq!(image.pixel(78, 30), plain.pixel(78, 30), "beyond its end");
    // At depth 2.8 the spring is in column 40 - 0.3 f/2.8, in rows 30 - f/2.8 to 30 + 0.3 f/2.8; the plate hides it within 0.5 f/2.5.
    let f = 30.0 / 0.4f64.tan();
    let column = (40.0 - 0.3 * f / 2.8) as u32;
    let ([r, g, b, _], [.., under, _]) = (image.pixel(column, 10), image.pixel(column, 32));
    assert!(r > g && g > b, "{r} {g} {b}");
    assert!(under > b + 30, "faint through the white plate: {under} {b}");
    assert!(under < plain.pixel(column, 32)[2], "but there");
}

#[test]
fn joints_of_bodies_that_are_not_there_are_refused() {
    let (recording, _) = scene(Paint::Color([255; 3]));
    let at = |body, x| LineEnd { body, point: DVec3::new(x, 0.0, 0.0) };
    for end in [at(Some(2), 0.0), at(Some(1), f64::NAN)] {
        let line = JointLine { ends: [at(None, 0.0), end], kind: LineKind::Rigid };
        assert!(recording.emptied().with_joints(vec![line]).is_err());
    }
}

#[test]
fn sides_that_no_picture_has_are_refused() {
    let (recording, settings) = scene(Paint::Color([255; 3]));
    for width in [0, 100_000] {
        assert!(Renderer::new(&recording, RenderSettings { width, ..settings.clone() }).is_err());
    }
    let scaled = |scale| RenderSettings { metres_per_newton: Some(scale), ..settings.clone() };
    assert!(Renderer::new(&recording, scaled(0.0)).is_err() && Renderer::new(&recording, scaled(f64::NAN)).is_err());
}

#[test]
fn an_empty_recording_is_a_background() {
    let settings = RenderSettings { width: 4, height: 4, ..RenderSettings::default() };
    let image = Renderer::new(&Recording::default(), settings).unwrap().draw(&Frame::default());
    assert!(image.pixels().iter().all(|p| p[0] > 180 && p[3] == 255));
}
