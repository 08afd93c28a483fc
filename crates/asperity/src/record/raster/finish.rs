//! What a body looks like at a point: the colour of its paint, fibres, facets.
//!
//! Colours are linear light. A fibre takes its part of the paint's light ([`fibre_light`]). A facet of a map turns the normal n of the skin to m = n + a c_u + b c_v, with the columns that
//! [`crate::patch::FacetMap`] has: tangent and bitangent for slopes, ∇u and ∇v for heights.

use std::sync::Arc;

use asperity_friction::SurfaceSample;
use asperity_friction::field::SurfacePoint;
use glam::{DVec2, DVec3, Vec3};

use super::color::{linear_rgb, luminance};
use super::ramp;
use super::texture::{Texture, squares};
use crate::patch::{FacetMap, Relief};
use crate::record::appearance::{Appearance, Grain, fibre_light};
use crate::record::{Image, Paint, RecordedBody, Recording, Tint};

/// The darker squares have this part of the light of the lighter ones.
pub(in crate::record) const DARKER: f32 = 0.74;
/// How fast highlights vanish with the steepness of the facets.
const MATTE: f64 = 12.0;

/// The paint of a body, in linear light.
#[derive(Clone, Debug)]
enum Coat {
    Plain(Vec3),
    Textured(Arc<Texture>),
    Squares {
        color: Vec3,
        cell: f64,
    },
    /// The salience, of the body and of each texel of its map.
    Salience {
        strength: f64,
        largest: f64,
    },
}

/// What a body looks like.
#[derive(Clone, Debug)]
pub(super) struct Finish {
    coat: Coat,
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
pub(super) fn finishes(recording: &Recording, appearances: &[Option<Arc<Appearance>>], tint: Tint) -> Vec<Finish> {
    let mut images: Vec<(Arc<Image>, Arc<Texture>)> = Vec::new();
    let mut maps: Vec<(Arc<FacetMap>, Arc<Texture>)> = Vec::new();
    let largest = largest_tint(recording, tint);
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
        let coat = match (tint, &body.paint) {
            (Tint::Mu, _) => Coat::Plain(ramp::color(coefficients(body).mu, largest)),
            (Tint::Salience, _) => Coat::Salience { strength: salience(body), largest },
            (Tint::Paint, Paint::Color(color)) => Coat::Plain(linear_rgb(*color)),
            (Tint::Paint, Paint::Checker { color, cell }) => Coat::Squares { color: linear_rgb(*color), cell: *cell },
            (Tint::Paint, Paint::Texture(image)) => {
                let known = images.iter().find(|(other, _)| Arc::ptr_eq(other, image));
                Coat::Textured(known.map(|(_, texture)| Arc::clone(texture)).unwrap_or_else(|| {
                    let texture = Arc::new(Texture::of(image));
                    images.push((Arc::clone(image), Arc::clone(&texture)));
                    texture
                }))
            }
        };
        let whole = match &coat {
            Coat::Plain(color) => *color,
            Coat::Textured(texture) => texture.average(),
            Coat::Squares { color, .. } => 0.5 * (1.0 + DARKER) * *color,
            Coat::Salience { strength, largest } => ramp::color(*strength, *largest),
        };
        let bumps = appearance.as_ref().and_then(|appearance| appearance.bumps.as_ref());
        let steepness = bumps.map_or(0.0, |bumps| bumps.steepness());
        let gloss = (1.0 / (1.0 + MATTE * steepness)) as f32;
        Finish { coat, luminance: luminance(whole), gloss, appearance: appearance.clone(), map, now: None }
    };
    recording.bodies().iter().zip(appearances).map(&mut finish).collect()
}

/// The largest of the numbers that the colours of bodies stand for.
pub(super) fn largest_tint(recording: &Recording, tint: Tint) -> f64 {
    let value = |body: &RecordedBody| match tint {
        Tint::Paint => 0.0,
        Tint::Mu => coefficients(body).mu,
        Tint::Salience => salience(body),
    };
    recording.bodies().iter().map(value).fold(0.0, f64::max)
}

/// The salience of a body at the start; zero without facets.
fn salience(body: &RecordedBody) -> f64 {
    if body.surface.facets.is_some() { coefficients(body).salience } else { 0.0 }
}

/// The coefficients of a body at its origin at the start, as far as they vary there.
fn coefficients(body: &RecordedBody) -> SurfaceSample<'static> {
    let surface = &body.surface;
    surface.coefficients_at(&SurfacePoint::default(), 0.0).unwrap_or_else(|_| surface.anywhere())
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
        matches!(self.coat, Coat::Plain(_)) && self.appearance.is_none()
    }

    /// Whether it needs tangents.
    pub(super) fn has_bumps(&self) -> bool {
        self.map.is_some()
    }

    /// The colour at a point.
    pub(super) fn color(&self, at: &TrianglePoint, corners: &TriangleCorners) -> Vec3 {
        let paint = match &self.coat {
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
            Coat::Salience { strength, largest } => {
                let weight = self.map_at(at).map_or(1.0, |texel| f64::from(texel.z));
                ramp::color(strength * weight, *largest)
            }
        };
        match self.now.as_deref().or(self.grain()) {
            Some(grain) => {
                let texels = grain.atlas.corners[at.triangle];
                let value = grain.sample(at.mixed(texels), at.footprint(texels).max_element());
                paint * fibre_light(value, self.luminance)
            }
            None => paint,
        }
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
