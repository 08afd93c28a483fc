//! Where to look: the region in which something happens, and a camera that shows all of it.
//!
//! A body that nothing holds any more has left: it flies or falls for ever, and does not count any more [`GONE`] later. A body is held that touches one that does not move, or one that is held.
//! Bodies of joints always count. Bodies that are never held count as far as they are within [`NEAR_BY`] sizes of the region in which others are held, and everywhere if none is.
//!
//! For a fixed direction the nearest camera that sees all points is exact: with view axes (x, y, z) and k = tan(half angle),
//! a point is inside of the right side plane if x + k z ≤ e_x + k e_z, of the left one if −x + k z ≤ −e_x + k e_z. So only the
//! largest values of ±x + k z (and ±y + k z) matter. With A and B for margins k and l, the two planes ask for
//! e_x + k e_z ≥ A and −e_x + l e_z ≥ B: so e_z ≥ (A + B)/(k + l), and e_x = (A − k e_z − B + l e_z)/2 is in the middle.

use glam::{DQuat, DVec2, DVec3};

use super::camera::{Camera, axes_along};
use crate::contact::ContactForce;
use crate::geometry::Pose;
use crate::record::{RecordedBody, Recording};

/// Vertical field of view of the automatic camera: slightly wide.
const FOV: f64 = 0.66;
/// Part of the picture that stays free at the left and right, at the top and at the bottom, where labels are.
const MARGIN: f64 = 0.07;
const TOP_MARGIN: f64 = 0.09;
const BOTTOM_MARGIN: f64 = 0.13;
/// A static body larger than this many times the region of motion is scenery and does not count.
const SCENERY: f64 = 3.0;
/// Seconds after the last contact of a body from which on it does not count.
const GONE: f64 = 0.1;
/// How far from the region of bodies that are held others count, in sizes of that region.
const NEAR_BY: f64 = 0.5;
/// Room for the moving bodies in every direction, in parts of the size of the region of motion, at least.
const THINNEST: f64 = 1e-3;

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::record) struct Bounds {
    pub(super) low: DVec3,
    pub(super) high: DVec3,
}

impl Bounds {
    const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    fn add(&mut self, x: DVec3) {
        self.low = self.low.min(x);
        self.high = self.high.max(x);
    }

    fn of(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |mut bounds, x| {
            bounds.add(x);
            bounds
        })
    }

    fn is_empty(&self) -> bool {
        self.low.x > self.high.x
    }

    fn diagonal(&self) -> f64 {
        if self.is_empty() { 0.0 } else { (self.high - self.low).length() }
    }

    /// Distance of a point from the box; zero inside.
    fn distance(&self, x: DVec3) -> f64 {
        (self.low - x).max(x - self.high).max(DVec3::ZERO).length()
    }

    fn corners(&self) -> [DVec3; 8] {
        std::array::from_fn(|i| {
            let pick = |axis: usize| if i >> axis & 1 == 0 { self.low[axis] } else { self.high[axis] };
            DVec3::new(pick(0), pick(1), pick(2))
        })
    }
}

/// The region in which something happens.
#[derive(Clone, Debug)]
pub(in crate::record) struct Focus {
    pub(super) bounds: Bounds,
    /// Where bodies are held; the whole region if none is.
    action: Bounds,
    /// Corners of the boxes of all bodies in it, in all frames.
    points: Vec<DVec3>,
}

impl Focus {
    /// The moving bodies in all frames, and the static ones that are not mere scenery.
    pub(in crate::record) fn of(recording: &Recording) -> Self {
        let boxes: Vec<Bounds> =
            recording.bodies().iter().map(|body| Bounds::of(body.skin.positions.iter().copied())).collect();
        let mut points = Vec::new();
        let place = |i: usize, pose: &Pose, points: &mut Vec<DVec3>| {
            let inner: &Bounds = &boxes[i];
            if !inner.is_empty() {
                points.extend(inner.corners().map(|x| pose.apply(x)));
            }
        };
        let chosen = |moving: bool| {
            let wanted = move |(_, body): &(usize, &RecordedBody)| body.moving == moving;
            recording.bodies().iter().enumerate().filter(wanted).map(|(i, _)| i).collect::<Vec<_>>()
        };
        let (moving, fixed) = (chosen(true), chosen(false));
        let (deforming, moving): (Vec<usize>, Vec<usize>) =
            moving.into_iter().partition(|&i| recording.bodies()[i].deforming.is_some());
        let gone = departures(recording);
        let (mut loose, mut settled) = (Vec::new(), false);
        for (number, frame) in recording.frames().iter().enumerate() {
            for &i in &moving {
                match gone[i] {
                    Departure::At(t) if frame.t > t => {}
                    Departure::At(_) => {
                        place(i, &frame.states[i].pose, &mut points);
                        settled = true;
                    }
                    Departure::Never => place(i, &frame.states[i].pose, &mut points),
                    Departure::Unheld => place(i, &frame.states[i].pose, &mut loose),
                }
            }
            if !deforming.is_empty() {
                let around = recording.boxes(number).iter().filter(|around| around.min.x <= around.max.x);
                points.extend(around.flat_map(|around| Bounds { low: around.min, high: around.max }.corners()));
            }
        }
        let region = Bounds::of(points.iter().copied());
        let near_by = |x: &DVec3| !settled || region.distance(*x) <= NEAR_BY * region.diagonal();
        points.extend(loose.into_iter().filter(near_by));
        let reach = Bounds::of(points.iter().copied()).diagonal();
        let first = |i: usize| recording.frames().first().map_or(Pose::IDENTITY, |frame| frame.states[i].pose);
        for i in fixed {
            if reach == 0.0 || boxes[i].diagonal() <= SCENERY * reach {
                place(i, &first(i), &mut points);
            }
        }
        if points.is_empty() {
            points.push(DVec3::ZERO);
        }
        let bounds = Bounds::of(points.iter().copied());
        // A region without size would put the camera into the object.
        let room = DVec3::splat(if bounds.diagonal() > 0.0 { THINNEST * bounds.diagonal() } else { 1.0 });
        let bounds = Bounds { low: bounds.low - room, high: bounds.high + room };
        Self { bounds, action: if settled { region } else { bounds }, points }
    }

    pub(super) fn center(&self) -> DVec3 {
        0.5 * (self.bounds.low + self.bounds.high)
    }

    pub(in crate::record) fn radius(&self) -> f64 {
        0.5 * self.bounds.diagonal()
    }

    /// Whether a point lies where bodies are held.
    pub(in crate::record) fn holds(&self, x: DVec3) -> bool {
        self.action.distance(x) == 0.0
    }

    /// A three-quarter view from above that shows the whole region, with `up` upward; its longer side runs across the picture.
    pub(in crate::record) fn camera(&self, aspect: f64, up: DVec3) -> Camera {
        let size = self.bounds.high - self.bounds.low;
        let backward = if size.x >= size.z { DVec3::new(0.5, 0.58, 1.0) } else { DVec3::new(1.0, 0.58, 0.5) };
        let backward = DQuat::from_rotation_arc(DVec3::Y, up) * backward;
        let axes = axes_along(backward.normalize(), up);
        let tangent = (0.5 * FOV).tan();
        let upper = tangent * DVec2::new((1.0 - 2.0 * MARGIN) * aspect, 1.0 - 2.0 * TOP_MARGIN);
        let lower = tangent * DVec2::new((1.0 - 2.0 * MARGIN) * aspect, 1.0 - 2.0 * BOTTOM_MARGIN);
        let (mut high, mut low) = (DVec2::NEG_INFINITY, DVec2::NEG_INFINITY);
        for &point in self.points.iter().chain(&self.bounds_of_a_point()) {
            let p = axes.transpose() * point;
            high = high.max(p.truncate() + upper * p.z);
            low = low.max(-p.truncate() + lower * p.z);
        }
        let distance = ((high + low) / (upper + lower)).max_element();
        let across = 0.5 * (high - low + (lower - upper) * distance);
        let eye = axes * across.extend(distance);
        // Any point straight ahead will do as target; this one is the nearest to the middle of the region.
        let ahead = (eye - self.center()).dot(axes.z_axis);
        Camera { eye, target: eye - ahead * axes.z_axis, up, fov: FOV }
    }

    /// The corners of the region where the points have none.
    fn bounds_of_a_point(&self) -> Vec<DVec3> {
        if self.points.len() < 8 { self.bounds.corners().to_vec() } else { Vec::new() }
    }
}

/// The moving bodies that touch a fixed one, directly or through others.
fn held(recording: &Recording, forces: &[ContactForce]) -> Vec<usize> {
    let bodies = recording.bodies();
    let mut beside = vec![Vec::new(); bodies.len()];
    for contact in forces.iter().filter(|contact| contact.force != DVec3::ZERO) {
        let [a, b] = contact.pair.map(|body| body as usize);
        if a < bodies.len() && b < bodies.len() {
            beside[a].push(b);
            beside[b].push(a);
        }
    }
    let mut reached: Vec<bool> = bodies.iter().map(|body| !body.moving).collect();
    let mut next: Vec<usize> = (0..bodies.len()).filter(|&body| reached[body]).collect();
    let mut found = Vec::new();
    while let Some(body) = next.pop() {
        for &other in &beside[body] {
            if !std::mem::replace(&mut reached[other], true) {
                next.push(other);
                found.push(other);
            }
        }
    }
    found
}

/// Until when a body counts.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Departure {
    /// Until then: nothing holds it any more.
    At(f64),
    /// It belongs to a joint, and stays.
    Never,
    /// Nothing ever holds it.
    Unheld,
}

/// Until when each body counts.
fn departures(recording: &Recording) -> Vec<Departure> {
    let bodies = recording.bodies().len();
    let (mut last, mut stays) = (vec![None; bodies], vec![false; bodies]);
    let ends = recording.joints().iter().flat_map(|line| line.ends).filter_map(|end| end.body);
    ends.for_each(|body| stays[body] = true);
    for frame in recording.frames() {
        for body in held(recording, &frame.forces) {
            last[body] = Some(frame.t);
        }
    }
    let until = |(last, stays): (Option<f64>, bool)| match last {
        _ if stays => Departure::Never,
        Some(t) => Departure::At(t + GONE),
        None => Departure::Unheld,
    };
    last.into_iter().zip(stays).map(until).collect()
}

#[cfg(test)]
mod tests {
    use super::super::camera::View;
    use super::*;
    use crate::record::test_bodies::{body, frame, square};
    use std::sync::Arc;

    fn recording(places: &[DVec3], ground: f64) -> Recording {
        let floor = RecordedBody { moving: false, skin: Arc::new(square(ground)), ..body("floor") };
        let mut recording = Recording::new(vec![body("a"), floor]).unwrap();
        for (i, &place) in places.iter().enumerate() {
            recording.push(frame(i as f64, &[place, DVec3::ZERO])).unwrap();
        }
        recording
    }

    #[test]
    fn everything_that_moves_is_in_the_picture_and_fills_it() {
        let cases: [&[DVec3]; 3] =
            [&[DVec3::Y], &[DVec3::ZERO, 9.0 * DVec3::X, DVec3::new(4.0, 7.0, 1.0)], &[DVec3::ZERO, 20.0 * DVec3::Z]];
        for places in cases {
            let focus = Focus::of(&recording(places, 1e3));
            for size in [[640, 360], [300, 300], [200, 500]] {
                let camera = focus.camera(size[0] as f64 / size[1] as f64, DVec3::Y);
                let view = View::new(&camera, size, 1e-3).unwrap();
                let seen: Vec<[f64; 2]> = focus.points.iter().map(|&x| view.project(view.of_world(x))).collect();
                let range = |axis: usize| {
                    let values = seen.iter().map(|p| p[axis] / size[axis] as f64);
                    (values.clone().fold(1.0, f64::min), values.fold(0.0, f64::max))
                };
                let (x, y) = (range(0), range(1));
                assert!(x.0 > MARGIN - 1e-9 && x.1 < 1.0 - MARGIN + 1e-9, "{places:?} {size:?} {x:?}");
                let (top, bottom) = (TOP_MARGIN, 1.0 - BOTTOM_MARGIN);
                assert!(y.0 > top - 1e-9 && y.1 < bottom + 1e-9, "{places:?} {size:?} {y:?}");
                let filled = f64::max((x.1 - x.0) / (1.0 - 2.0 * MARGIN), (y.1 - y.0) / (bottom - top));
                assert!((filled - 1.0).abs() < 1e-9, "{places:?} {size:?} {filled}");
            }
        }
    }

    #[test]
    fn scenery_does_not_count_but_a_ramp_does() {
        let far = Focus::of(&recording(&[DVec3::ZERO, DVec3::X], 1e3));
        assert!(far.radius() < 2.0);
        let near = Focus::of(&recording(&[DVec3::ZERO, DVec3::X], 2.0));
        assert!(near.bounds.high.z > 1.9);
    }

    #[test]
    fn a_body_in_free_fall_has_left_and_one_that_never_touched_anything_has_not() {
        let places: Vec<DVec3> = (0..20).map(|i| DVec3::new(0.0, -(i as f64 - 3.0).max(0.0).powi(2), 0.0)).collect();
        let falls = Focus::of(&recording(&places, 1e3));
        assert!(falls.bounds.low.y < -200.0, "it is all that happens");
        let mut touched = Recording::new(recording(&places, 1e3).bodies().to_vec()).unwrap();
        for (i, &place) in places.iter().enumerate() {
            let mut frame = frame(0.05 * i as f64, &[place, DVec3::ZERO]);
            if i <= 3 {
                let (force, normal) = (DVec3::Y, DVec3::Y);
                frame.forces.push(ContactForce { pair: [0, 1], point: place, force, normal, slip: DVec3::ZERO });
            }
            touched.push(frame).unwrap();
        }
        let left = Focus::of(&touched);
        // Two more frames: 1 and 4 m down.
        assert!(left.bounds.low.y > -4.1 && left.bounds.low.y < -3.9, "{}", left.bounds.low);
        assert!(left.holds(DVec3::ZERO) && !left.holds(DVec3::new(0.0, -9.0, 0.0)));
    }

    #[test]
    fn a_body_that_falls_past_all_others_counts_while_it_is_near_them() {
        let floor = RecordedBody { moving: false, skin: Arc::new(square(2.0)), ..body("floor") };
        let mut recording = Recording::new(vec![body("rests"), body("falls"), floor]).unwrap();
        for i in 0..20 {
            let mut frame =
                frame(0.05 * f64::from(i), &[DVec3::ZERO, DVec3::new(3.0, f64::from(-i), 0.0), DVec3::ZERO]);
            let (force, normal) = (DVec3::Y, DVec3::Y);
            frame.forces.push(ContactForce { pair: [0, 2], point: DVec3::ZERO, force, normal, slip: DVec3::ZERO });
            recording.push(frame).unwrap();
        }
        let focus = Focus::of(&recording);
        assert!(focus.bounds.low.y > -3.1, "{}", focus.bounds.low);
    }

    #[test]
    fn the_camera_stands_on_the_side_that_is_up() {
        let focus = Focus::of(&recording(&[DVec3::ZERO, DVec3::X], 2.0));
        let up = DVec3::new(-0.34, 0.94, 0.0).normalize();
        let camera = focus.camera(1.5, up);
        assert!(camera.up == up && (camera.eye - camera.target).dot(up) > 0.0);
    }

    #[test]
    fn nothing_at_all_still_has_a_camera() {
        for focus in [Focus::of(&Recording::default()), Focus::of(&recording(&[], 1.0))] {
            assert!(focus.camera(1.5, DVec3::Y).axes().is_ok() && focus.radius() > 0.0);
        }
    }
}
