//! Shading of facets against an evaluation that shares nothing with the rasteriser: rays meet a plane, texels are read from the list that the map was made of, light is added up here.

use std::sync::Arc;

use glam::{DVec2, DVec3};

use super::*;
use crate::body::Surface as BodySurface;
use crate::patch::FacetMap;
use crate::record::test_bodies::{body, frame};
use crate::record::{Paint, RecordedBody};

const TEXELS: usize = 16;
const PAINT: [u8; 3] = [150, 170, 120];
const WIDTH: u32 = 320;
const HEIGHT: u32 = 240;

/// Slopes of a wavy surface, rows from the top.
fn slopes() -> Vec<DVec2> {
    let at = |i: usize| {
        let (x, y) = ((i % TEXELS) as f64, (i / TEXELS) as f64);
        DVec2::new(0.6 * (0.9 * x + 0.3 * y).sin(), 0.5 * (0.4 * x - 0.8 * y).cos())
    };
    (0..TEXELS * TEXELS).map(at).collect()
}

fn plate(map: FacetMap) -> Recording {
    let surface = BodySurface { facets: Some(Arc::new(map)), ..BodySurface::default() };
    let plate = RecordedBody { paint: Paint::Color(PAINT), surface: Arc::new(surface), ..body("plate") };
    let mut recording = Recording::new(vec![plate]).unwrap();
    recording.push(frame(0.0, &[DVec3::ZERO])).unwrap();
    recording
}

fn picture(recording: &Recording, camera: Camera) -> Image {
    let settings = RenderSettings { width: WIDTH, height: HEIGHT, camera: Some(camera), ..RenderSettings::default() };
    Renderer::new(recording, settings).unwrap().draw(&recording.frames()[0])
}

/// The two numbers of the map at texture coordinates, between texels that repeat.
fn slope_at(slopes: &[DVec2], uv: DVec2) -> DVec2 {
    let n = TEXELS as f64;
    let (x, y) = (uv.x * n - 0.5, (1.0 - uv.y) * n - 0.5);
    let texel = |i: f64, j: f64| {
        let wrap = |k: f64| k.rem_euclid(n) as usize;
        slopes[wrap(j) * TEXELS + wrap(i)]
    };
    let (i, j) = (x.floor(), y.floor());
    let (s, t) = (x - i, y - j);
    texel(i, j) * (1.0 - s) * (1.0 - t)
        + texel(i + 1.0, j) * s * (1.0 - t)
        + texel(i, j + 1.0) * (1.0 - s) * t
        + texel(i + 1.0, j + 1.0) * s * t
}

/// sRGB to linear light and back, as IEC 61966-2-1 has it.
fn decoded(code: u8) -> f64 {
    let c = f64::from(code) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

fn encoded(c: f64) -> f64 {
    255.0 * if c <= 0.0031308 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 }
}

#[test]
fn a_hundred_pixels_are_as_bright_as_lamberts_law_makes_the_normals_of_the_map() {
    let slopes = slopes();
    let recording = plate(FacetMap::from_slopes(TEXELS as u32, TEXELS as u32, &slopes).unwrap());
    let camera = Camera { eye: DVec3::new(0.3, 1.0, 0.6), target: DVec3::ZERO, up: DVec3::Y, fov: 0.7 };
    let image = picture(&recording, camera);
    let back = (camera.eye - camera.target).normalize();
    let right = DVec3::Y.cross(back).normalize();
    let up = back.cross(right);
    // The sun: above, to the left and on the side of the viewer.
    let level = |v: DVec3| DVec3::new(v.x, 0.0, v.z);
    let sun = (0.9 * DVec3::Y - 0.55 * level(right) + 0.45 * level(back).normalize()).normalize();
    let steep = (slopes.iter().map(|p| p.length_squared()).sum::<f64>() / slopes.len() as f64).sqrt();
    let gloss = 1.0 / (1.0 + 12.0 * steep);
    let mut tested = 0;
    for k in 0..400u32 {
        let (column, row) = (7 + (k * 37) % (WIDTH - 14), 5 + (k * 53) % (HEIGHT - 10));
        let f = 0.5 * f64::from(HEIGHT) / (0.5 * camera.fov).tan();
        let (x, y) = (f64::from(column) + 0.5 - 0.5 * f64::from(WIDTH), 0.5 * f64::from(HEIGHT) - f64::from(row) - 0.5);
        let ray = right * (x / f) + up * (y / f) - back;
        let place = camera.eye - ray * (camera.eye.y / ray.y);
        if place.x.abs() > 0.48 || place.z.abs() > 0.48 {
            continue;
        }
        // The square has u along x and v along −z, so that the bitangent n × t is −z.
        let slope = slope_at(&slopes, DVec2::new(place.x + 0.5, 0.5 - place.z));
        let normal = DVec3::new(slope.x, 1.0, -slope.y).normalize();
        let eye = (camera.eye - place).normalize();
        let shine = 0.16 * gloss * normal.dot((sun + eye).normalize()).max(0.0).powi(40);
        let edge = 1.0 - 0.35 * (1.0 - eye.y).powi(4);
        let found = image.pixel(column, row);
        for c in 0..3 {
            let (sky, ground) = (f64::from(SKY[c]), f64::from(GROUND[c]));
            let lambert = f64::from(SUN[c]) * normal.dot(sun).max(0.0);
            let around = ground + (sky - ground) * (0.5 + 0.5 * normal.y);
            let light = decoded(PAINT[c]) * (around + lambert) * edge + f64::from(SUN[c]) * shine;
            let expected = encoded(light.clamp(0.0, 1.0));
            // Half a code for rounding, and as much for numbers with 24 bits.
            assert!((f64::from(found[c]) - expected).abs() <= 1.0, "({column}, {row}) {c}: {} {expected}", found[c]);
        }
        tested += 1;
    }
    assert!(tested >= 100, "{tested}");
}

/// Heights of a round bump in the middle, rows from the top.
fn bump() -> Vec<f64> {
    let height = |i: usize| {
        let n = TEXELS as f64;
        let (x, y) = (((i % TEXELS) as f64 + 0.5) / n - 0.5, ((i / TEXELS) as f64 + 0.5) / n - 0.5);
        0.1 * (1.0 - (x * x + y * y) / 0.09).max(0.0)
    };
    (0..TEXELS * TEXELS).map(height).collect()
}

#[test]
fn a_bump_is_bright_on_the_side_of_the_sun() {
    let repeat = [asperity_friction::field::Wrap::Repeat; 2];
    let heights = FacetMap::from_heights(TEXELS as u32, TEXELS as u32, &bump(), repeat).unwrap();
    // The same bump as normals: m = (−∂h/∂x, −∂h/∂y) with y upward.
    let slope = |i: usize| {
        let n = TEXELS as f64;
        let (x, y) = (((i % TEXELS) as f64 + 0.5) / n - 0.5, 0.5 - ((i / TEXELS) as f64 + 0.5) / n);
        if x * x + y * y < 0.09 { 0.1 * 2.0 / 0.09 * DVec2::new(x, y) } else { DVec2::ZERO }
    };
    let slopes: Vec<DVec2> = (0..TEXELS * TEXELS).map(slope).collect();
    let normals = FacetMap::from_slopes(TEXELS as u32, TEXELS as u32, &slopes).unwrap();
    // Straight from above: up in the picture is −z, and the sun shines from the left and from below, where the viewer stands.
    let camera = Camera { eye: 1.6 * DVec3::Y, target: DVec3::ZERO, up: -DVec3::Z, fov: 0.8 };
    for map in [heights, normals] {
        let image = picture(&plate(map), camera);
        let f = 0.5 * f64::from(HEIGHT) / 0.4f64.tan();
        let at = |x: f64, z: f64| {
            let (column, row) = (0.5 * f64::from(WIDTH) + x * f / 1.6, 0.5 * f64::from(HEIGHT) + z * f / 1.6);
            image.pixel(column as u32, row as u32)[1]
        };
        let flat = at(0.42, 0.42);
        // n·s is 0.785 on the flat, 0.91 and 0.53 on the two sides: 9 % more light and 20 % less, of which sRGB makes 4 % and 9 %.
        assert!(at(-0.2, 0.0) > flat + 3 && at(0.2, 0.0) < flat - 8, "left {} right {}", at(-0.2, 0.0), at(0.2, 0.0));
        assert!(at(0.0, 0.2) > flat + 3 && at(0.0, -0.2) < flat - 8, "near {} far {}", at(0.0, 0.2), at(0.0, -0.2));
    }
}

#[test]
fn the_number_of_threads_changes_no_pixel() {
    let recording = plate(FacetMap::from_slopes(TEXELS as u32, TEXELS as u32, &slopes()).unwrap());
    let camera = Camera { eye: DVec3::new(0.3, 1.0, 0.6), target: DVec3::ZERO, up: DVec3::Y, fov: 0.7 };
    let drawn = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| picture(&recording, camera))
    };
    assert_eq!(drawn(1), drawn(2));
}

#[test]
fn what_stands_still_is_drawn_as_if_it_were_drawn_again() {
    // A plate moves over a still floor: with the floor kept from frame to frame, and without.
    let floor = RecordedBody { moving: false, paint: Paint::Color([120, 160, 120]), ..body("floor") };
    let mut recording = Recording::new(vec![body("plate"), floor]).unwrap();
    for i in 0..4 {
        let t = f64::from(i);
        recording.push(frame(t, &[DVec3::new(0.1 * t, 0.3, 0.0), DVec3::ZERO])).unwrap();
    }
    let settings = RenderSettings { width: 160, height: 120, ..RenderSettings::default() };
    let mut kept = Renderer::new(&recording, settings).unwrap();
    let mut fresh = kept.clone();
    for frame in recording.frames() {
        fresh.scenery = None;
        assert!(kept.scenery.is_some());
        assert_eq!(kept.draw(frame), fresh.draw(frame), "t = {}", frame.t);
    }
    // A frame in which the floor is elsewhere is drawn as it says.
    let mut moved = recording.frames()[0].clone();
    moved.states[1].pose.position.y = -0.1;
    assert_eq!(kept.draw(&moved), fresh.draw(&moved));
}
