//! All bodies as one list of triangles, and what each looks like.

use std::ops::Range;
use std::sync::Arc;

use glam::{DMat3, DVec2, DVec3, Vec3};

use super::camera::View;
use super::color::{linear_rgb, luminance};
use super::fill::{Layer, Planes};
use super::texture::{Texture, squares};
use crate::geometry::DeformedSkin;
use crate::record::{Frame, Image, Paint, Recording};

/// The darker squares have this part of the light of the lighter ones.
pub(in crate::record) const DARKER: f32 = 0.74;

/// What a surface looks like, in linear light.
#[derive(Clone, Debug)]
enum Finish {
    Plain(Vec3),
    Textured(usize),
    Squares { color: Vec3, cell: f64 },
}

/// A body among the triangles.
#[derive(Clone, Debug)]
struct Part {
    corners: Range<usize>,
    finish: Finish,
    /// Its skin, if it deforms.
    deformed: Option<DeformedSkin>,
    /// Whether the current frame has its vertices.
    follows: bool,
}

/// Triangles with all that does not change from frame to frame, and where they are in the current one.
#[derive(Clone, Debug)]
pub(super) struct Surface {
    parts: Vec<Part>,
    textures: Vec<Texture>,
    /// Body coordinates.
    positions: Vec<DVec3>,
    normals: Vec<DVec3>,
    uvs: Vec<DVec2>,
    triangles: Vec<[u32; 3]>,
    /// Number of the body of each triangle.
    owners: Vec<u32>,
    /// World coordinates, in the current frame.
    world: Vec<DVec3>,
    world_normals: Vec<Vec3>,
    /// View coordinates, in the current frame.
    seen: Vec<DVec3>,
}

/// The point of a triangle that a ray meets.
#[derive(Clone, Copy, Debug)]
pub(super) struct SurfacePoint {
    /// In the world.
    pub(super) position: DVec3,
    /// Unit normal in the world, toward the viewer.
    pub(super) normal: Vec3,
    /// Linear colour.
    pub(super) color: Vec3,
    /// Whether it is a checkered one, which fades out far away.
    pub(super) ground: bool,
}

impl Surface {
    pub(super) fn of(recording: &Recording) -> Self {
        let mut surface = Self {
            parts: Vec::new(),
            textures: Vec::new(),
            positions: Vec::new(),
            normals: Vec::new(),
            uvs: Vec::new(),
            triangles: Vec::new(),
            owners: Vec::new(),
            world: Vec::new(),
            world_normals: Vec::new(),
            seen: Vec::new(),
        };
        let mut images: Vec<Arc<Image>> = Vec::new();
        for (number, body) in recording.bodies().iter().enumerate() {
            let skin = &*body.skin;
            let first = surface.positions.len();
            surface.positions.extend(&skin.positions);
            surface.normals.extend(&skin.normals);
            surface.uvs.extend(&skin.uvs);
            surface.uvs.resize(surface.positions.len(), DVec2::ZERO);
            surface.triangles.extend(skin.triangles.iter().map(|t| t.map(|c| c + first as u32)));
            surface.owners.resize(surface.triangles.len(), number as u32);
            let finish = match &body.paint {
                Paint::Color(color) => Finish::Plain(linear_rgb(*color)),
                Paint::Checker { color, cell } => Finish::Squares { color: linear_rgb(*color), cell: *cell },
                Paint::Texture(image) => {
                    let known = images.iter().position(|other| Arc::ptr_eq(other, image));
                    Finish::Textured(known.unwrap_or_else(|| {
                        images.push(image.clone());
                        surface.textures.push(Texture::of(image));
                        images.len() - 1
                    }))
                }
            };
            let deformed = body.deforming.is_some().then(|| DeformedSkin::new(Arc::clone(&body.skin)));
            surface.parts.push(Part { corners: first..surface.positions.len(), finish, deformed, follows: false });
        }
        let corners = surface.positions.len();
        surface.world.resize(corners, DVec3::ZERO);
        surface.seen.resize(corners, DVec3::ZERO);
        surface.world_normals.resize(corners, Vec3::ZERO);
        surface
    }

    /// How many triangles there are.
    pub(super) fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Luminance of the paint of a body, on the whole.
    pub(super) fn luminance(&self, body: usize) -> f32 {
        luminance(match &self.parts[body].finish {
            Finish::Plain(color) => *color,
            Finish::Textured(texture) => self.textures[*texture].average(),
            Finish::Squares { color, .. } => 0.5 * (1.0 + DARKER) * *color,
        })
    }

    /// Puts the bodies where they are in a frame. A body whose vertices the frame does not have is shown at rest, in its pose.
    pub(super) fn place(&mut self, frame: &Frame, view: &View) {
        let to_view = view.axes.transpose();
        let mut meshes = frame.meshes.iter().peekable();
        for (number, (part, state)) in self.parts.iter_mut().zip(&frame.states).enumerate() {
            let first = part.corners.start;
            let mesh = meshes.next_if(|mesh| mesh.body == number);
            part.follows = mesh.is_some();
            if let (Some(skin), Some(mesh)) = (&mut part.deformed, mesh) {
                skin.follow(&mesh.positions);
                self.world[part.corners.clone()].copy_from_slice(skin.positions());
                let normals = self.world_normals[part.corners.clone()].iter_mut().zip(skin.normals());
                normals.for_each(|(to, from)| *to = from.as_vec3());
            } else {
                let turn = DMat3::from_quat(state.pose.rotation);
                for i in part.corners.clone() {
                    self.world[i] = turn * self.positions[i] + state.pose.position;
                    self.world_normals[i] = (turn * self.normals[i]).as_vec3();
                }
            }
            let seen = self.seen[part.corners.clone()].iter_mut().zip(&self.world[first..]);
            seen.for_each(|(to, x)| *to = to_view * (*x - view.eye));
        }
    }

    /// Where a point of a body that lies beside a triangle of its skin is in the current frame; `None` if it moves with the body's pose.
    pub(super) fn carried(&self, body: usize, triangle: u32, point: DVec3) -> Option<DVec3> {
        let part = &self.parts[body];
        part.deformed.as_ref().filter(|_| part.follows).map(|skin| skin.carried(triangle as usize, point))
    }

    /// The corners of all triangles in the world.
    pub(super) fn world_triangles(&self) -> impl Iterator<Item = [DVec3; 3]> {
        self.triangles.iter().map(|triangle| triangle.map(|c| self.world[c as usize]))
    }

    /// Fills all triangles into the layer, each with its number.
    pub(super) fn fill(&self, view: &View, layer: &mut Layer) {
        let nearest = (1.0 / view.near) as f32;
        for (number, triangle) in self.triangles.iter().enumerate() {
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
        let ray = view.ray(x, y);
        let w = weights(ray);
        let mixed = |of: &[DVec3]| w.x * of[corners[0]] + w.y * of[corners[1]] + w.z * of[corners[2]];
        let position = mixed(&self.world);
        let across = view.axes * (v[1] - v[0]).cross(v[2] - v[0]);
        let to_eye = view.eye - position;
        let towards = if across.dot(to_eye) < 0.0 { -1.0 } else { 1.0 };
        let n = [0, 1, 2].map(|i| self.world_normals[corners[i]]);
        let smooth = (w.x as f32 * n[0] + w.y as f32 * n[1] + w.z as f32 * n[2]) * towards as f32;
        let flat = (across * towards).normalize_or_zero().as_vec3();
        // Skins with normals against their winding would be black: they are turned like the triangle.
        let smooth = if smooth.dot(flat) < 0.0 { -smooth } else { smooth };
        let normal = smooth.try_normalize().unwrap_or(flat);

        let step = side / view.focal;
        let beside = || [weights(ray + DVec3::X * step) - w, weights(ray + DVec3::Y * step) - w];
        let part = &self.parts[self.owners[number] as usize];
        let (color, ground) = match &part.finish {
            Finish::Plain(color) => (*color, false),
            Finish::Textured(texture) => {
                let uv =
                    |w: DVec3| w.x * self.uvs[corners[0]] + w.y * self.uvs[corners[1]] + w.z * self.uvs[corners[2]];
                let [right, down] = beside().map(uv);
                (self.textures[*texture].sample(uv(w), right.abs().max(down.abs())), false)
            }
            Finish::Squares { color, cell } => {
                let [a, b] = plane_axes(mixed(&self.normals));
                let x = |w: DVec3| {
                    let p = w.x * self.positions[corners[0]]
                        + w.y * self.positions[corners[1]]
                        + w.z * self.positions[corners[2]];
                    DVec2::new(p[a], p[b]) / *cell
                };
                let [right, down] = beside().map(x);
                let light = squares(x(w), right.abs().max(down.abs())) as f32;
                (*color * (DARKER + (1.0 - DARKER) * light), true)
            }
        };
        SurfacePoint { position, normal, color, ground }
    }
}

/// The two coordinates that squares are laid out in on a surface with this normal: not the one it looks along most.
pub(in crate::record) fn plane_axes(normal: DVec3) -> [usize; 2] {
    let n = normal.abs();
    if n.y >= n.x && n.y >= n.z {
        [2, 0]
    } else if n.x >= n.z {
        [1, 2]
    } else {
        [0, 1]
    }
}
