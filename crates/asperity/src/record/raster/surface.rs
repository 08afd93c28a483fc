//! All bodies as one list of triangles, and what each looks like.

use std::ops::Range;
use std::sync::Arc;

use glam::{DMat3, DVec2, DVec3, Vec3};

use super::camera::View;
use super::fill::{Layer, Planes};
use super::finish::{Finish, TriangleCorners, TrianglePoint, finishes};
use super::shadow::Shadow;
use crate::geometry::DeformedSkin;
use crate::record::appearance::{Appearance, Grain, Tone, Toning};
use crate::record::{Frame, RecordedBody, Recording};

/// Cosine of the largest angle between the normals of two triangles that are shaded as one surface (18°).
const SMOOTH: f32 = 0.95;

/// A body among the triangles.
#[derive(Clone, Debug)]
struct Part {
    corners: Range<usize>,
    /// Its first triangle, and how many there are.
    first: usize,
    count: usize,
    /// Middle and radius of a ball around it, in the body's coordinates.
    ball: (DVec3, f64),
    /// Whether the camera can see it in the current frame, and whether the sun's map shows it.
    seen: bool,
    casts: bool,
    finish: Finish,
    /// Its skin, if it deforms.
    deformed: Option<DeformedSkin>,
    /// Whether the current frame has its vertices.
    follows: bool,
    /// Whether it never moves or changes.
    still: bool,
}

/// Triangles with all that does not change from frame to frame, and where they are in the current one.
#[derive(Clone, Debug)]
pub(super) struct Surface {
    parts: Vec<Part>,
    /// Body coordinates.
    positions: Vec<DVec3>,
    normals: Vec<DVec3>,
    tangents: Vec<DVec3>,
    uvs: Vec<DVec2>,
    triangles: Vec<[u32; 3]>,
    /// Number of the body of each triangle.
    owners: Vec<u32>,
    /// World coordinates, in the current frame.
    world: Vec<DVec3>,
    world_normals: Vec<Vec3>,
    world_tangents: Vec<Vec3>,
    /// View coordinates, in the current frame.
    seen: Vec<DVec3>,
    /// Bodies whose fibres change in time, with what these are made of.
    changing: Vec<(usize, RecordedBody)>,
}

/// The point of a triangle that a ray meets.
#[derive(Clone, Copy, Debug)]
pub(super) struct SurfacePoint {
    /// In the world.
    pub(super) position: DVec3,
    /// Unit normal of the skin in the world, toward the viewer.
    pub(super) normal: Vec3,
    /// Unit normal of the facet there: what light sees.
    pub(super) facet: Vec3,
    /// Linear colour.
    pub(super) color: Vec3,
    /// Strength of highlights.
    pub(super) gloss: f32,
    /// Whether it is a checkered one, which fades out far away.
    pub(super) ground: bool,
}

/// Middle and radius of a ball around points.
fn ball(points: &[DVec3]) -> (DVec3, f64) {
    let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    if points.is_empty() { (DVec3::ZERO, 0.0) } else { (0.5 * (low + high), 0.5 * (high - low).length()) }
}

impl Surface {
    pub(super) fn of(recording: &Recording, appearances: &[Option<Arc<Appearance>>], toning: Option<Toning>) -> Self {
        let mut surface = Self {
            parts: Vec::new(),
            positions: Vec::new(),
            normals: Vec::new(),
            tangents: Vec::new(),
            uvs: Vec::new(),
            triangles: Vec::new(),
            owners: Vec::new(),
            world: Vec::new(),
            world_normals: Vec::new(),
            world_tangents: Vec::new(),
            seen: Vec::new(),
            changing: Vec::new(),
        };
        for (body, finish) in recording.bodies().iter().zip(finishes(recording, appearances, toning)) {
            surface.add(body, finish);
        }
        let corners = surface.positions.len();
        surface.world.resize(corners, DVec3::ZERO);
        surface.seen.resize(corners, DVec3::ZERO);
        surface.world_normals.resize(corners, Vec3::ZERO);
        surface.world_tangents.resize(corners, Vec3::ZERO);
        surface
    }

    fn add(&mut self, body: &RecordedBody, finish: Finish) {
        let (skin, number) = (&*body.skin, self.parts.len());
        let (first, triangles) = (self.positions.len(), self.triangles.len());
        self.positions.extend(&skin.positions);
        self.normals.extend(&skin.normals);
        self.tangents.extend(&skin.tangents);
        self.uvs.extend(&skin.uvs);
        self.tangents.resize(self.positions.len(), DVec3::ZERO);
        self.uvs.resize(self.positions.len(), DVec2::ZERO);
        self.triangles.extend(skin.triangles.iter().map(|t| t.map(|c| c + first as u32)));
        self.owners.resize(self.triangles.len(), number as u32);
        if finish.grain().is_some_and(|grain| grain.changes) {
            self.changing.push((number, body.clone()));
        }
        let deformed = body.deforming.is_some().then(|| DeformedSkin::new(Arc::clone(&body.skin)));
        let corners = first..self.positions.len();
        let changes =
            finish.grain().is_some_and(|grain| grain.changes) || finish.tone.as_ref().is_some_and(Tone::changes);
        let still = !body.moving && deformed.is_none() && !changes;
        let (count, ball) = (skin.triangles.len(), ball(&skin.positions));
        let first = triangles;
        let (seen, casts, follows) = (true, true, false);
        self.parts.push(Part { corners, first, count, ball, seen, casts, finish, deformed, follows, still });
    }

    /// How many triangles there are.
    pub(super) fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Whether two triangles belong to one body and meet without a crease, or nearly so.
    #[inline]
    pub(super) fn goes_on(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        if a >= self.triangles.len() || b >= self.triangles.len() || self.owners[a] != self.owners[b] {
            return false;
        }
        let normal = |t: usize| self.world_normals[self.triangles[t][0] as usize];
        normal(a).dot(normal(b)) > SMOOTH
    }

    /// Whether a body never moves or changes.
    pub(super) fn is_still(&self, body: usize) -> bool {
        self.parts[body].still
    }

    /// The triangles of some bodies, with their numbers.
    fn chosen(&self, chosen: impl Fn(&Part) -> bool) -> impl Iterator<Item = (usize, &[u32; 3])> {
        let parts = self.parts.iter().filter(move |part| chosen(part));
        parts.flat_map(|part| (part.first..part.first + part.count).map(|number| (number, &self.triangles[number])))
    }

    /// Luminance of the paint of a body, on the whole.
    pub(super) fn luminance(&self, body: usize) -> f32 {
        self.parts[body].finish.luminance
    }

    /// Puts the bodies where they are in a frame, but for those that neither the camera nor the sun's map can see. A body whose vertices the frame does not have is
    /// shown at rest, in its pose.
    pub(super) fn place(&mut self, frame: &Frame, view: &View, shadow: &Shadow) {
        let to_view = view.axes.transpose();
        let mut meshes = frame.meshes.iter().peekable();
        for (number, (part, state)) in self.parts.iter_mut().zip(&frame.states).enumerate() {
            let first = part.corners.start;
            part.finish.time = frame.t;
            let mesh = meshes.next_if(|mesh| mesh.body == number);
            part.follows = mesh.is_some();
            let (middle, radius) = (state.pose.apply(part.ball.0), part.ball.1);
            // A ball around a mesh at rest says nothing about one that deforms.
            part.seen = part.follows || view.sees(middle, radius);
            part.casts = part.follows || shadow.sees(middle, radius);
            if !part.seen && !part.casts {
                continue;
            }
            if let (Some(skin), Some(mesh)) = (&mut part.deformed, mesh) {
                skin.follow(&mesh.positions);
                self.world[part.corners.clone()].copy_from_slice(skin.positions());
                let normals = self.world_normals[part.corners.clone()].iter_mut().zip(skin.normals());
                normals.for_each(|(to, from)| *to = from.as_vec3());
                // Zero: tangents are those of the deformed triangles.
                self.world_tangents[part.corners.clone()].fill(Vec3::ZERO);
            } else {
                let turn = DMat3::from_quat(state.pose.rotation);
                for i in part.corners.clone() {
                    self.world[i] = turn * self.positions[i] + state.pose.position;
                    self.world_normals[i] = (turn * self.normals[i]).as_vec3();
                }
                if part.finish.has_bumps() {
                    for i in part.corners.clone() {
                        self.world_tangents[i] = (turn * self.tangents[i]).as_vec3();
                    }
                }
            }
            let seen = self.seen[part.corners.clone()].iter_mut().zip(&self.world[first..]);
            seen.for_each(|(to, x)| *to = to_view * (*x - view.eye));
        }
        self.change(frame.t);
    }

    /// Makes the fibres that change as they are at a time; bodies that share theirs share the new ones.
    fn change(&mut self, time: f64) {
        let mut made: Vec<(*const Appearance, Arc<Grain>)> = Vec::new();
        for (number, body) in &self.changing {
            let finish = &mut self.parts[*number].finish;
            let (Some(shared), Some(grain)) = (finish.shared(), finish.grain()) else { continue };
            let known = made.iter().find(|(other, _)| *other == shared).map(|(_, grain)| Arc::clone(grain));
            let now = known.unwrap_or_else(|| Arc::new(grain.at(&body.surface, &body.skin, time)));
            made.push((shared, Arc::clone(&now)));
            finish.now = Some(now);
        }
    }

    /// Where a point of a body that lies beside a triangle of its skin is in the current frame; `None` if it moves with the body's pose.
    pub(super) fn carried(&self, body: usize, triangle: u32, point: DVec3) -> Option<DVec3> {
        let part = &self.parts[body];
        part.deformed.as_ref().filter(|_| part.follows).map(|skin| skin.carried(triangle as usize, point))
    }

    /// The corners of triangles in the world: of bodies that never move, or of all others.
    pub(super) fn world_triangles(&self, still: bool) -> impl Iterator<Item = [DVec3; 3]> {
        self.chosen(move |part| part.casts && part.still == still)
            .map(|(_, triangle)| triangle.map(|c| self.world[c as usize]))
    }

    /// Fills triangles into the layer, each with its number: those of bodies that never move, or all others.
    pub(super) fn fill(&self, view: &View, layer: &mut Layer, still: bool) {
        let nearest = (1.0 / view.near) as f32;
        for (number, triangle) in self.chosen(move |part| part.seen && part.still == still) {
            if let Some(planes) = Planes::seen(triangle.map(|c| self.seen[c as usize]), view, layer.size()) {
                layer.fill(&planes, number as u32, nearest);
            }
        }
    }

    /// The point of a triangle behind the picture point (x, y) of a pixel of `side` samples.
    pub(super) fn point(&self, number: usize, [x, y]: [f64; 2], side: f64, view: &View) -> SurfacePoint {
        let corners = self.triangles[number].map(|c| c as usize);
        let v = corners.map(|c| self.seen[c]);
        let edges = [v[1].cross(v[2]), v[2].cross(v[0]), v[0].cross(v[1])];
        let weights = |d: DVec3| {
            let w = DVec3::from_array(edges.map(|g| d.dot(g)));
            w / w.element_sum()
        };
        let (ray, step) = (view.ray(x, y), side / view.focal);
        let w = weights(ray);
        let position = w.x * self.world[corners[0]] + w.y * self.world[corners[1]] + w.z * self.world[corners[2]];
        let across = view.axes * (v[1] - v[0]).cross(v[2] - v[0]);
        let n = [0, 1, 2].map(|i| self.world_normals[corners[i]]);
        let smooth = w.x as f32 * n[0] + w.y as f32 * n[1] + w.z as f32 * n[2];
        let flat = across.normalize_or_zero().as_vec3();
        // Skins with normals against their winding would be black: they are turned like the triangle.
        let smooth = if smooth.dot(flat) < 0.0 { -smooth } else { smooth };
        let normal = smooth.try_normalize().unwrap_or(flat);

        let part = &self.parts[self.owners[number] as usize];
        let at = TrianglePoint {
            triangle: number - part.first,
            weights: w,
            beside: if part.finish.is_plain() {
                [DVec3::ZERO; 2]
            } else {
                [weights(ray + DVec3::X * step) - w, weights(ray + DVec3::Y * step) - w]
            },
        };
        let around = TriangleCorners {
            uvs: corners.map(|c| self.uvs[c]),
            positions: corners.map(|c| self.positions[c]),
            normals: corners.map(|c| self.normals[c]),
            world: corners.map(|c| self.world[c]),
            tangents: corners.map(|c| self.world_tangents[c]),
        };
        let facet = part.finish.facet(&at, &around, normal);
        // What is seen from inside shows the other side.
        let towards = if across.dot(view.eye - position) < 0.0 { -1.0 } else { 1.0 };
        SurfacePoint {
            position,
            normal: normal * towards,
            facet: facet * towards,
            color: part.finish.color(&at, &around),
            gloss: part.finish.gloss,
            ground: part.finish.is_ground(),
        }
    }
}
