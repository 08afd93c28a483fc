//! The scenes, as plain data: one definition for all engines. Lengths in metres, y up, densities in kg/m³.
//!
//! - *tower*: ten unit boxes, one on the other, faces touching;
//! - *wall*: 200 bricks of 1 × 0.5 × 0.5 in 16 courses, each across the joint of the two below; joints of 0.05. Courses of twelve
//!   take turns with courses of eleven and half a brick at each end;
//! - *hopper*: 500 capsules of radius 0.2 and length 0.3 between the centres of their caps, in a lattice of 10 × 5 × 10 above a funnel
//!   (a cone from radius 4 at y = 6.72 to 1.28 at y = 3.29, of 32 flat sides with two triangles each) that stands over the ground.
//!   Each is tilted a little, no two in the same direction, since upright ones would stand on each other;
//! - *pile-N*: N balls of radius 0.1 in a lattice with gaps of 0.04, each a little off its place, which fall into a square bin of four walls.

use std::f64::consts::{PI, TAU};

use asperity::geometry::{MassProperties, MeshData, Pose, Shape, ShapeError};
use glam::{DQuat, DVec3};
use serde::Serialize;

/// Names of the scenes.
pub const NAMES: [&str; 3] = ["tower", "wall", "hopper"];

const DENSITY: f64 = 1000.0;
/// Side of the tower's boxes.
const BOX: f64 = 1.0;
const BRICK: DVec3 = DVec3::new(1.0, 0.5, 0.5);
const JOINT: f64 = 0.05;
const COURSES: usize = 16;
const COURSE: usize = 12;
const RADIUS: f64 = 0.2;
const HALF_LENGTH: f64 = 0.15;
const SPACING: f64 = 0.1;
const LATTICE: [usize; 3] = [10, 5, 10];
const LOWEST: f64 = 7.2;
const TILT: f64 = 0.2;
const SIDES: usize = 32;
const BALL: f64 = 0.1;
const BALL_PITCH: f64 = 0.24;
const BALL_OFF: f64 = 0.015;

/// The piles: number of balls along a side of the bin, and layers.
const PILES: [(&str, usize, usize); 5] =
    [("pile-32", 4, 2), ("pile-112", 4, 7), ("pile-300", 5, 12), ("pile-1024", 8, 16), ("pile-3025", 11, 25)];

/// The hopper: radius and height of its rim and of its throat.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Funnel {
    pub rim: [f64; 2],
    pub throat: [f64; 2],
}

const FUNNEL: Funnel = Funnel { rim: [4.0, 6.72], throat: [1.28, 3.29] };

/// A body that forces move, with its centre of mass at its origin and its axes as principal axes.
#[derive(Clone, Debug, Serialize)]
pub struct Item {
    pub shape: Shape,
    pub pose: Pose,
    pub mass: f64,
    /// About the axes, kg m².
    pub inertia: DVec3,
}

/// A scene. There is always a ground: everything below y = 0.
#[derive(Clone, Debug, Serialize)]
pub struct Scene {
    pub name: &'static str,
    pub gravity: f64,
    pub mu: f64,
    pub dt: f64,
    pub steps: usize,
    /// Poses are kept after so many steps.
    pub every: usize,
    pub items: Vec<Item>,
    pub funnel: Option<Funnel>,
    /// Half the width of a square bin with vertical walls about the y axis.
    pub bin: Option<f64>,
    /// The funnel's inner side; triangles are anticlockwise seen from the axis.
    pub mesh: Option<MeshData>,
}

/// The scene of this name.
pub fn scene(name: &str) -> Result<Scene, String> {
    let pile = PILES.into_iter().find(|(known, ..)| *known == name);
    let known = NAMES.into_iter().chain(PILES.map(|(name, ..)| name)).find(|known| *known == name);
    let name = known.ok_or(format!("no scene '{name}'; there are {NAMES:?} and {:?}", PILES.map(|(name, ..)| name)))?;
    let items = match (name, pile) {
        (_, Some((_, side, layers))) => balls(side, layers),
        ("tower", _) => tower(),
        ("wall", _) => wall(),
        _ => hopper(),
    };
    let hopper = name == "hopper";
    Ok(Scene {
        name,
        gravity: 9.81,
        mu: 0.5,
        dt: 0.01,
        steps: if pile.is_some() { 200 } else { 300 },
        every: 5,
        items: items.map_err(|error| error.to_string())?,
        funnel: hopper.then_some(FUNNEL),
        bin: pile.map(|(_, side, _)| 0.5 * side as f64 * BALL_PITCH + 0.02),
        mesh: hopper.then(|| mesh(&FUNNEL)),
    })
}

fn item(shape: &Shape, position: DVec3, rotation: DQuat) -> Result<Item, ShapeError> {
    let MassProperties { mass, inertia, .. } = MassProperties::of(shape, DENSITY)?;
    let inertia = DVec3::new(inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z);
    Ok(Item { shape: shape.clone(), pose: Pose { position, rotation }, mass, inertia })
}

fn tower() -> Result<Vec<Item>, ShapeError> {
    let shape = Shape::cuboid(DVec3::splat(0.5 * BOX))?;
    (0..10).map(|i| item(&shape, DVec3::Y * (BOX * (i as f64 + 0.5)), DQuat::IDENTITY)).collect()
}

fn wall() -> Result<Vec<Item>, ShapeError> {
    let pitch = BRICK.x + JOINT;
    // Two of them and a joint are as long as a brick.
    let half = 0.5 * (BRICK.x - JOINT);
    let mut items = Vec::new();
    for course in 0..COURSES {
        let y = (course as f64 + 0.5) * BRICK.y;
        let mut lay = |length: f64, x: f64| {
            let shape = Shape::cuboid(0.5 * DVec3::new(length, BRICK.y, BRICK.z))?;
            item(&shape, DVec3::new(x, y, 0.0), DQuat::IDENTITY).map(|item| items.push(item))
        };
        let bricks = COURSE - course % 2;
        let end = 0.5 * (bricks - 1) as f64 * pitch;
        for i in 0..bricks {
            lay(BRICK.x, i as f64 * pitch - end)?;
        }
        if course % 2 == 1 {
            let beside = end + 0.5 * BRICK.x + JOINT + 0.5 * half;
            lay(half, -beside)?;
            lay(half, beside)?;
        }
    }
    Ok(items)
}

fn hopper() -> Result<Vec<Item>, ShapeError> {
    let shape = Shape::capsule(HALF_LENGTH, RADIUS)?;
    let pitch = DVec3::new(2.0 * RADIUS, 2.0 * (RADIUS + HALF_LENGTH), 2.0 * RADIUS) + SPACING;
    // The golden angle: directions spread evenly and never come back.
    let golden = PI * (3.0 - 5f64.sqrt());
    let mut items = Vec::new();
    for j in 0..LATTICE[1] {
        for i in 0..LATTICE[0] {
            for k in 0..LATTICE[2] {
                let place = |n: usize, of: usize| n as f64 - 0.5 * (of - 1) as f64;
                let at = DVec3::new(place(i, LATTICE[0]), j as f64, place(k, LATTICE[2])) * pitch + LOWEST * DVec3::Y;
                let (sin, cos) = (golden * items.len() as f64).sin_cos();
                items.push(item(&shape, at, DQuat::from_axis_angle(DVec3::new(cos, 0.0, sin), TILT))?);
            }
        }
    }
    Ok(items)
}

fn balls(side: usize, layers: usize) -> Result<Vec<Item>, ShapeError> {
    let shape = Shape::sphere(BALL)?;
    let mut items = Vec::new();
    for j in 0..layers {
        for i in 0..side {
            for k in 0..side {
                let place = |n: usize| (n as f64 - 0.5 * (side - 1) as f64) * BALL_PITCH;
                // Multiples of square roots, modulo one: spread evenly, and never the same.
                let off = |root: f64| BALL_OFF * (2.0 * (items.len() as f64 * root.sqrt()).fract() - 1.0);
                let at = DVec3::new(place(i), BALL_PITCH * j as f64 + 0.12, place(k));
                items.push(item(&shape, at + DVec3::new(off(2.0), off(3.0), off(5.0)), DQuat::IDENTITY)?);
            }
        }
    }
    Ok(items)
}

fn mesh(funnel: &Funnel) -> MeshData {
    let ring = |[radius, y]: [f64; 2]| {
        (0..SIDES).map(move |i| {
            let (sin, cos) = (TAU * i as f64 / SIDES as f64).sin_cos();
            DVec3::new(radius * cos, y, radius * sin)
        })
    };
    let n = SIDES as u32;
    let triangles = (0..n).flat_map(|i| {
        let next = (i + 1) % n;
        [[i, n + next, next], [i, n + i, n + next]]
    });
    MeshData {
        vertices: ring(funnel.rim).chain(ring(funnel.throat)).collect(),
        triangles: triangles.collect(),
        ..MeshData::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_look_at_the_axis_and_above() {
        let mesh = mesh(&FUNNEL);
        for [a, b, c] in mesh.triangles.iter().map(|t| t.map(|i| mesh.vertices[i as usize])) {
            let normal = (b - a).cross(c - a);
            let middle = (a + b + c) / 3.0;
            assert!(normal.dot(DVec3::new(-middle.x, 0.0, -middle.z)) > 0.0 && normal.y > 0.0, "{normal}");
        }
    }

    #[test]
    fn scenes_have_the_bodies_they_promise_and_none_overlap() {
        let piles = PILES.map(|(name, side, layers)| (name, side * side * layers));
        for (name, bodies) in NAMES.into_iter().zip([10, 200, 500]).chain(piles) {
            let scene = scene(name).unwrap();
            assert_eq!(scene.items.len(), bodies);
            let poses: Vec<Pose> = scene.items.iter().map(|item| item.pose).collect();
            let deepest = crate::measure::deepest(&scene, &poses);
            assert!(deepest < 1e-12, "{name}: {deepest}");
        }
    }
}
