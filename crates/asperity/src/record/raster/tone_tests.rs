//! Coefficients as colours: a pixel has the colour that a body painted with the colour of its number would have there.

use std::sync::Arc;

use super::*;
use crate::body::Surface as BodySurface;
use crate::body::surface::{CoefficientName, Coefficients, ScalarField, VaryingCoefficient};
use crate::record::test_bodies::{body, frame};
use crate::record::{Paint, RecordedBody};

const WIDTH: u32 = 120;
const HEIGHT: u32 = 90;
/// Distance of the camera above the middle of a square of side 1 in the plane y = 0, and half of its field of view.
const DISTANCE: f64 = 1.6;
const HALF_VIEW: f64 = 0.3;

fn plate(paint: [u8; 3], surface: BodySurface) -> RecordedBody {
    RecordedBody { paint: Paint::Color(paint), surface: Arc::new(surface), ..body("plate") }
}

fn varying(name: CoefficientName, formula: &str) -> BodySurface {
    let field = ScalarField::parse(formula).unwrap();
    BodySurface { varying: vec![VaryingCoefficient { name, field }], ..BodySurface::default() }
}

/// The plate alone, straight from above, x to the right.
fn picture(plate: RecordedBody, words: &[&str], time: f64) -> Image {
    let mut recording = Recording::new(vec![plate]).unwrap();
    for t in [0.0, 1.0, 2.0] {
        recording.push(frame(t, &[DVec3::ZERO])).unwrap();
    }
    let mut show = Show::NOTHING;
    words.iter().for_each(|word| show.add(word));
    let camera = Camera { eye: DISTANCE * DVec3::Y, target: DVec3::ZERO, up: -DVec3::Z, fov: 2.0 * HALF_VIEW };
    let settings =
        RenderSettings { width: WIDTH, height: HEIGHT, camera: Some(camera), show, ..RenderSettings::default() };
    let moment = recording.at(time).unwrap();
    Renderer::new(&recording, settings).unwrap().draw(&moment)
}

/// x of the place that a column of pixels shows.
fn place(column: u32) -> f64 {
    let pixel = DISTANCE * HALF_VIEW.tan() / (0.5 * f64::from(HEIGHT));
    (f64::from(column) + 0.5 - 0.5 * f64::from(WIDTH)) * pixel
}

/// Compares a picture with plates of one colour each, at pixels along the middle row.
fn assert_like_paint(toned: &Image, number: impl Fn(f64) -> f64, largest: f64) {
    for column in (20..100).step_by(7) {
        let color = srgb(ramp::color(number(place(column)), largest));
        let painted = picture(plate(color, BodySurface::default()), &[], 0.0);
        let [is, should] = [toned, &painted].map(|image| image.pixel(column, HEIGHT / 2));
        // Paint is rounded to bytes before it is lit.
        let same = (0..3).all(|c| is[c].abs_diff(should[c]) <= 2);
        assert!(same, "column {column}: {is:?}, painted {should:?}");
    }
}

#[test]
fn every_point_has_the_colour_of_its_number() {
    let number = |x: f64| 0.5 + 0.8 * x;
    let surface = varying(CoefficientName::Mu, "0.5 + 0.8*x");
    for word in ["mu", "varying"] {
        assert_like_paint(&picture(plate([9, 9, 9], surface.clone()), &[word], 0.0), number, number(0.5));
    }
    let along = varying(CoefficientName::MuT, "0.5 + 0.8*x");
    assert_like_paint(&picture(plate([9, 9, 9], along), &["varying"], 0.0), number, number(0.5));
}

#[test]
fn what_changes_in_time_changes_in_the_picture() {
    // The largest is that of the whole run: 0.2 + 0.8 at t = 2 s and x = 0.5 m.
    let surface = varying(CoefficientName::Mu, "0.2 + 0.8*x*t");
    assert_like_paint(&picture(plate([9, 9, 9], surface), &["mu"], 0.5), |x| (0.2 + 0.4 * x).max(0.0), 1.0);
}

#[test]
fn a_place_without_a_number_keeps_its_paint() {
    let paint = [180, 60, 40];
    let toned = picture(plate(paint, varying(CoefficientName::Mu, "x")), &["mu"], 0.0);
    let painted = picture(plate(paint, BodySurface::default()), &[], 0.0);
    assert_eq!(toned.pixel(30, HEIGHT / 2), painted.pixel(30, HEIGHT / 2), "negative on the left");
    assert_ne!(toned.pixel(90, HEIGHT / 2), painted.pixel(90, HEIGHT / 2));
}

#[test]
fn bodies_whose_numbers_do_not_vary_are_coloured_on_request_only() {
    let paint = [180, 60, 40];
    let coefficients = Coefficients { mu: 0.7, ..Coefficients::default() };
    let constant = BodySurface { coefficients, ..BodySurface::default() };
    let painted = picture(plate(paint, BodySurface::default()), &[], 0.0);
    assert_eq!(picture(plate(paint, constant.clone()), &["varying"], 0.0), painted);
    assert_like_paint(&picture(plate(paint, constant), &["mu"], 0.0), |_| 0.7, 0.7);
}
