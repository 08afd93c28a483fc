//! What a body looks like at a point: the colour of its paint, fibres, facets.
//!
//! Colours are linear light. A fibre takes its part of the paint's light ([`fibre_light`]). A facet of a map turns the normal n of the skin to m = n + a c_u + b c_v, with the columns that
//! [`crate::patch::FacetMap`] has: tangent and bitangent for slopes, ∇u and ∇v for heights.

use std::sync::Arc;

use glam::{DVec2, DVec3, Vec3};

use super::color::{linear_rgb, luminance};
use super::ramp;
use super::texture::{Texture, squares};
use crate::patch::{FacetMap, Relief};
use crate::record::appearance::{Appearance, Grain, Tone, Toning, fibre_light};
use crate::record::{Image, Paint, RecordedBody, Recording};

/// The darker squares have this part of the light of the lighter ones.
pub(in crate::record) const DARKER: f32 = 0.74;
/// How fast highlights vanish with the steepness of the facets.
const MATTE: f64 = 12.0;
/// Places of a pixel at which a coefficient is looked up, in pixels from its middle.
const PLACES: [[f64; 2]; 4] = [[-0.25, -0.25], [0.25, -0.25], [-0.25, 0.25], [0.25, 0.25]];

/// The paint of a body, in linear light.
#[derive(Clone, Debug)]
enum Coat {
    Plain(Vec3),
    Textured(Arc<Texture>),
    Squares { color: Vec3, cell: f64 },
}

/// What a body looks like.
#[derive(Clone, Debug)]
pub(super) struct Finish {
    coat: Coat,
    /// The coefficient that its colours stand for, instead of the paint.
    pub(super) tone: Option<Tone>,
    /// The time of the current frame, for coefficients that change.
    pub(super) time: f64,
    /// Luminance of the paint, on the whole.
    pub(super) luminance: f32,
    /// Strength of highlights: 1 on smooth surfaces, less on rough ones.
    pub(super) gloss: f32,
    appearance: Option<Arc<Appearance>>,
    /// (a, b, weight) of the texels of the map.
    map: Option<Arc<Texture>>,
    /// The fibres of the current frame, if they change.
    pub(super) now: Option<Arc<Grain>>,
}

/// A point of a triangle: weights of its corners, and how they change to the next pixel on the right and below.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrianglePoint {
    /// Number among the triangles of the body.
    pub(super) triangle: usize,
    pub(super) weights: DVec3,
    pub(super) beside: [DVec3; 2],
}

impl TrianglePoint {
    /// A value that is given at the corners, here.
    #[inline]
    pub(super) fn mixed(&self, corners: [DVec2; 3]) -> DVec2 {
        mixed(self.weights, corners)
    }

    /// How far it changes to the next pixels, along each of its axes.
    #[inline]
    pub(super) fn footprint(&self, corners: [DVec2; 3]) -> DVec2 {
        let [right, down] = self.beside.map(|w| mixed(w, corners));
        right.abs().max(down.abs())
    }
}

#[inline]
fn mixed(w: DVec3, corners: [DVec2; 3]) -> DVec2 {
    w.x * corners[0] + w.y * corners[1] + w.z * corners[2]
}

/// The corners of a triangle: what its finish looks at.
#[derive(Clone, Copy, Debug)]
pub(super) struct TriangleCorners {
    pub(super) uvs: [DVec2; 3],
    /// In the body's coordinates.
    pub(super) positions: [DVec3; 3],
    pub(super) normals: [DVec3; 3],
    /// In the world.
    pub(super) world: [DVec3; 3],
    /// Tangents in the world; zero where they are to be those of the triangle.
    pub(super) tangents: [Vec3; 3],
}

/// Looks of all bodies; bodies that look alike share their images.
pub(super) fn finishes(
    recording: &Recording,
    appearances: &[Option<Arc<Appearance>>],
    toning: Option<Toning>,
) -> Vec<Finish> {
    let mut images: Vec<(Arc<Image>, Arc<Texture>)> = Vec::new();
    let mut maps: Vec<(Arc<FacetMap>, Arc<Texture>)> = Vec::new();
    let mut finish = |(body, appearance): (&RecordedBody, &Option<Arc<Appearance>>)| {
        let map = appearance.as_ref().and_then(|appearance| {
            let bumps = appearance.bumps.as_ref()?;
            let known = maps.iter().find(|(other, _)| Arc::ptr_eq(other, &bumps.map));
            Some(known.map(|(_, texture)| Arc::clone(texture)).unwrap_or_else(|| {
                let texture = Arc::new(Texture::of_map(bumps));
                maps.push((Arc::clone(&bumps.map), Arc::clone(&texture)));
                texture
            }))
        });
        let tone = toning.and_then(|toning| toning.tone(body));
        let coat = match &body.paint {
            Paint::Color(color) => Coat::Plain(linear_rgb(*color)),
            Paint::Checker { color, cell } => Coat::Squares { color: linear_rgb(*color), cell: *cell },
            Paint::Texture(image) => {
                let known = images.iter().find(|(other, _)| Arc::ptr_eq(other, image));
                Coat::Textured(known.map(|(_, texture)| Arc::clone(texture)).unwrap_or_else(|| {
                    let texture = Arc::new(Texture::of(image));
                    images.push((Arc::clone(image), Arc::clone(&texture)));
                    texture
                }))
            }
        };
        let whole = match (&coat, &tone) {
            // Fibres are dark lines on all colours of the ramp.
            (_, Some(_)) => Vec3::ONE,
            (Coat::Plain(color), None) => *color,
            (Coat::Textured(texture), None) => texture.average(),
            (Coat::Squares { color, .. }, None) => 0.5 * (1.0 + DARKER) * *color,
        };
        let bumps = appearance.as_ref().and_then(|appearance| appearance.bumps.as_ref());
        let steepness = bumps.map_or(0.0, |bumps| bumps.steepness());
        let gloss = (1.0 / (1.0 + MATTE * steepness)) as f32;
        let luminance = luminance(whole);
        Finish { coat, tone, time: 0.0, luminance, gloss, appearance: appearance.clone(), map, now: None }
    };
    recording.bodies().iter().zip(appearances).map(&mut finish).collect()
}

impl Finish {
    /// The fibres as they were made, if the body has any.
    pub(super) fn grain(&self) -> Option<&Grain> {
        self.appearance.as_ref().and_then(|appearance| appearance.grain.as_ref())
    }

    /// What names the appearance: bodies that share it have the same.
    pub(super) fn shared(&self) -> Option<*const Appearance> {
        self.appearance.as_ref().map(Arc::as_ptr)
    }

    /// Whether it is a checkered one, which fades out far away.
    pub(super) fn is_ground(&self) -> bool {
        matches!(self.coat, Coat::Squares { .. })
    }

    /// Whether it is one colour everywhere.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.coat, Coat::Plain(_)) && self.tone.is_none() && self.appearance.is_none()
    }

    /// Whether it needs tangents.
    pub(super) fn has_bumps(&self) -> bool {
        self.map.is_some()
    }

    /// The colour at a point.
    pub(super) fn color(&self, at: &TrianglePoint, corners: &TriangleCorners) -> Vec3 {
        let paint = self.toned(at, corners).unwrap_or_else(|| self.painted(at, corners));
        match self.now.as_deref().or(self.grain()) {
            Some(grain) => {
                let texels = grain.atlas.corners[at.triangle];
                let value = grain.sample(at.mixed(texels), at.footprint(texels).max_element());
                paint * fibre_light(value, self.luminance)
            }
            None => paint,
        }
    }

    /// The colour of the paint at a point.
    fn painted(&self, at: &TrianglePoint, corners: &TriangleCorners) -> Vec3 {
        match &self.coat {
            Coat::Plain(color) => *color,
            Coat::Textured(texture) => texture.sample(at.mixed(corners.uvs), at.footprint(corners.uvs)),
            Coat::Squares { color, cell } => {
                let n = at.weights.x * corners.normals[0]
                    + at.weights.y * corners.normals[1]
                    + at.weights.z * corners.normals[2];
                let [a, b] = plane_axes(n);
                let flat = corners.positions.map(|p| DVec2::new(p[a], p[b]) / *cell);
                let light = squares(at.mixed(flat), at.footprint(flat)) as f32;
                *color * (DARKER + (1.0 - DARKER) * light)
            }
        }
    }

    /// The colour of the coefficient at a point, if colours stand for one: that of its mean over four places of the pixel.
    fn toned(&self, at: &TrianglePoint, corners: &TriangleCorners) -> Option<Vec3> {
        let tone = self.tone.as_ref()?;
        let [a, b, c] = corners.positions;
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let mut mean = 0.0;
        for sides in PLACES {
            let w = at.weights + sides[0] * at.beside[0] + sides[1] * at.beside[1];
            mean += tone.value(w.x * a + w.y * b + w.z * c, normal, self.time)? / PLACES.len() as f64;
        }
        let texel = if tone.is_salience() { self.map_at(at) } else { None };
        Some(ramp::color(mean * texel.map_or(1.0, |texel| f64::from(texel.z)), tone.largest))
    }

    /// (a, b, weight) of the map at a point.
    fn map_at(&self, at: &TrianglePoint) -> Option<Vec3> {
        let bumps = self.appearance.as_ref()?.bumps.as_ref()?;
        let images = bumps.coordinates[at.triangle];
        Some(self.map.as_ref()?.sample(at.mixed(images), at.footprint(images)))
    }

    /// The normal of the facet at a point whose skin has the unit normal n, both in the world.
    pub(super) fn facet(&self, at: &TrianglePoint, corners: &TriangleCorners, n: Vec3) -> Vec3 {
        let (Some(texel), Some(bumps)) = (self.map_at(at), self.appearance.as_ref().and_then(|a| a.bumps.as_ref()))
        else {
            return n;
        };
        let [u, v] = match bumps.map.relief() {
            Relief::Normals => {
                let w = at.weights.as_vec3();
                let t = corners.tangents;
                let given = w.x * t[0] + w.y * t[1] + w.z * t[2];
                let t = if given == Vec3::ZERO { along_u(corners) } else { given };
                let t = t.reject_from_normalized(n).normalize_or_zero();
                [t, n.cross(t)]
            }
            Relief::Heights => gradients(corners.world, bumps.coordinates[at.triangle]),
        };
        (n + texel.x * u + texel.y * v).try_normalize().unwrap_or(n)
    }
}

/// The direction of growing u on a triangle.
fn along_u(corners: &TriangleCorners) -> Vec3 {
    gradients(corners.world, corners.uvs)[0].normalize_or_zero()
}

/// ∇u and ∇v on a triangle in the world.
fn gradients(x: [DVec3; 3], uv: [DVec2; 3]) -> [Vec3; 2] {
    let across = (x[1] - x[0]).cross(x[2] - x[0]);
    let area = across.length_squared();
    if area == 0.0 {
        return [Vec3::ZERO; 2];
    }
    let weights = [x[2] - x[1], x[0] - x[2], x[1] - x[0]].map(|side| across.cross(side) / area);
    let sum = |axis: usize| (0..3).map(|k| weights[k] * uv[k][axis]).sum::<DVec3>().as_vec3();
    [sum(0), sum(1)]
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
