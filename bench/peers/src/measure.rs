//! How good a motion is, by one formula for all engines: from the poses that they came to.

use asperity::geometry::{Aabb, BroadPhase, HalfSpace, Pose, Proxy, Shape, TriangleMesh, contacts};
use glam::{DQuat, DVec3};
use serde::Serialize;

use crate::scene::{Funnel, Scene};

/// Errors of a motion. Lengths in metres.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Errors {
    /// Deepest overlap of two bodies in any frame.
    pub overlap: f64,
    /// The same in the last frame.
    pub last_overlap: f64,
    /// How far the last body (the top of the tower) is below where it began.
    pub sink: f64,
    /// The largest way of a body from its start to the last frame.
    pub moved: f64,
    /// Bodies that were outside the funnel's wall or below the ground in some frame.
    pub leaked: usize,
    /// Bodies below the throat in the last frame.
    pub passed: usize,
    /// Whether all poses are numbers.
    pub finite: bool,
}

/// Frames are lists of seven numbers a body: position, then the quaternion x, y, z, w.
pub fn measure(scene: &Scene, frames: &[Vec<[f64; 7]>]) -> Result<Errors, String> {
    let mut errors = Errors { finite: true, ..Errors::default() };
    let mut leaked = vec![false; scene.items.len()];
    for (n, frame) in frames.iter().enumerate() {
        if frame.len() != scene.items.len() {
            return Err(format!("frame {n} has {} bodies and the scene {}", frame.len(), scene.items.len()));
        }
        if frame.iter().flatten().any(|x| !x.is_finite()) {
            errors.finite = false;
            break;
        }
        let poses: Vec<Pose> = frame.iter().map(pose).collect();
        errors.last_overlap = deepest(scene, &poses);
        errors.overlap = errors.overlap.max(errors.last_overlap);
        let moved = scene.items.iter().zip(&poses).map(|(item, pose)| item.pose.position.distance(pose.position));
        errors.moved = moved.fold(0.0, f64::max);
        if let (Some(item), Some(pose)) = (scene.items.last(), poses.last()) {
            errors.sink = item.pose.position.y - pose.position.y;
        }
        errors.passed = 0;
        for (pose, leaked) in poses.iter().zip(&mut leaked) {
            *leaked |= pose.position.y < 0.0 || scene.funnel.is_some_and(|funnel| outside(&funnel, pose.position));
            errors.passed += usize::from(scene.funnel.is_some_and(|funnel| pose.position.y < funnel.throat[1]));
        }
    }
    errors.leaked = leaked.into_iter().filter(|leaked| *leaked).count();
    Ok(errors)
}

fn pose(at: &[f64; 7]) -> Pose {
    Pose { position: DVec3::from_slice(&at[..3]), rotation: DQuat::from_slice(&at[3..]).normalize() }
}

/// Whether a centre is at the height of the funnel, and not within its cone.
fn outside(funnel: &Funnel, at: DVec3) -> bool {
    let ([rim, top], [throat, bottom]) = (funnel.rim, funnel.throat);
    let radius = throat + (rim - throat) * (at.y - bottom) / (top - bottom);
    (bottom..top).contains(&at.y) && at.x.hypot(at.z) > radius
}

/// The deepest overlap of any two bodies of the scene.
pub fn deepest(scene: &Scene, poses: &[Pose]) -> f64 {
    let mut bodies: Vec<(&Shape, Pose)> =
        scene.items.iter().map(|item| &item.shape).zip(poses.iter().copied()).collect();
    let fixed = fixed(scene);
    bodies.extend(fixed.iter().map(|(shape, pose)| (shape, *pose)));
    let proxies: Vec<Proxy> = bodies
        .iter()
        .enumerate()
        .map(|(i, (shape, pose))| {
            let Aabb { min, max } = shape.aabb(pose);
            Proxy { aabb: Aabb { min, max }, fixed: i >= poses.len() }
        })
        .collect();
    let (mut points, mut deepest) = (Vec::new(), 0f64);
    for &(i, j) in BroadPhase::default().pairs(&proxies, 0.0) {
        let ((a, at), (b, bt)) = (&bodies[i as usize], &bodies[j as usize]);
        points.clear();
        contacts(a, at, b, bt, 0.0, &mut points);
        deepest = points.iter().map(|point| -point.gap).fold(deepest, f64::max);
    }
    deepest
}

/// Bodies that do not move: the ground, the funnel if there is one, and the walls of the bin.
pub fn fixed(scene: &Scene) -> Vec<(Shape, Pose)> {
    let ground = (Shape::HalfSpace(HalfSpace { normal: DVec3::Y }), Pose::IDENTITY);
    let funnel = scene.mesh.clone().and_then(|data| TriangleMesh::new(data).ok()).map(Shape::Mesh);
    let walls = scene.bin.into_iter().flat_map(|half| {
        WALLS.map(|normal| {
            let pose = Pose { position: -half * normal, rotation: DQuat::IDENTITY };
            (Shape::HalfSpace(HalfSpace { normal }), pose)
        })
    });
    std::iter::once(ground).chain(funnel.map(|mesh| (mesh, Pose::IDENTITY))).chain(walls).collect()
}

/// Inward normals of the walls of a bin.
pub const WALLS: [DVec3; 4] = [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z];
