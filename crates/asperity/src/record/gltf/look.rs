//! What a body looks like in a file: its charts as an image, where its paint alone is not all.
//!
//! A texel of a chart has the colour of the coefficient there if colours stand for one ([`Tone`]), else that of the paint; fibres ([`Grain`]) take their part of its light.

use glam::{DVec2, DVec3, Vec3};

use crate::record::appearance::{
    Appearance, Atlas, Bumps, Grain, SkinTexel, Tone, Toning, Wanted, charts, fibre_light,
};
use crate::record::raster::color::{linear_rgb, luminance, srgb};
use crate::record::raster::{DARKER, Texture, plane_axes, ramp, squares};
use crate::record::{Image, Paint, RecordError, RecordedBody};

/// What a body looks like.
pub(super) struct Look<'a> {
    appearance: Option<&'a Appearance>,
    tone: Option<Tone>,
    /// The charts of a body without fibres whose colours stand for a coefficient.
    own: Option<Atlas>,
    /// The moment that is shown.
    time: f64,
}

impl<'a> Look<'a> {
    /// The look of a body at a time.
    pub(super) fn new(
        body: &RecordedBody,
        appearance: Option<&'a Appearance>,
        toning: Option<Toning>,
        wanted: &Wanted,
        time: f64,
    ) -> Self {
        let tone = toning.and_then(|toning| toning.tone(body));
        let grained = appearance.is_some_and(|own| own.grain.is_some());
        let mut look = Self { appearance, tone, own: None, time };
        if !grained && look.tone.is_some() && look.one_color().is_none() {
            look.own = charts(body, wanted.pixel);
            // Too many charts for an image: the paint is all that can be shown.
            look.tone = look.tone.filter(|_| look.own.is_some());
        }
        look
    }

    fn grain(&self) -> Option<&'a Grain> {
        self.appearance.and_then(|own| own.grain.as_ref())
    }

    /// Its facets.
    pub(super) fn bumps(&self) -> Option<&'a Bumps> {
        self.appearance.and_then(|own| own.bumps.as_ref())
    }

    /// The charts that its base colour is an image of, if it is.
    pub(super) fn charts(&self) -> Option<&Atlas> {
        self.grain().map(|grain| &grain.atlas).or(self.own.as_ref())
    }

    /// Whether nothing but its paint is shown.
    pub(super) fn is_paint_alone(&self) -> bool {
        self.appearance.is_none() && self.tone.is_none()
    }

    /// What the image of the base colour shows beside paint.
    pub(super) fn kind(&self) -> Option<&'static str> {
        self.grain().map(|_| "fibres").or(self.tone.as_ref().map(|_| "friction"))
    }

    /// Its colour, if that stands for a coefficient that is the same everywhere.
    pub(super) fn one_color(&self) -> Option<Vec3> {
        let tone = self.tone.as_ref().filter(|tone| tone.is_constant() && self.grain().is_none())?;
        // The strength of facets is a fraction at each texel of the map.
        let everywhere = !(tone.is_salience() && self.bumps().is_some());
        let value = tone.value(DVec3::ZERO, DVec3::Y, self.time).filter(|_| everywhere)?;
        Some(ramp::color(value, tone.largest))
    }

    /// The image of its charts.
    pub(super) fn image(&self, body: &RecordedBody, charts: &Atlas) -> Result<Image, RecordError> {
        let paint = PaintedSkin::new(body, charts.texel);
        let map = self.bumps().filter(|_| self.tone.as_ref().is_some_and(Tone::is_salience)).map(Texture::of_map);
        let light = if self.tone.is_some() { 1.0 } else { luminance(paint.whole) };
        let pixel = |(i, texel): (usize, Option<SkinTexel>)| {
            let toned = texel.and_then(|texel| self.toned(body, &texel, map.as_ref()));
            let color = toned.unwrap_or_else(|| texel.map_or(paint.whole, |texel| paint.color(&texel)));
            let fibres = self.grain().map_or(1.0, |grain| fibre_light(f32::from(grain.values()[i]) / 255.0, light));
            let [r, g, b] = srgb(color * fibres);
            [r, g, b, 255]
        };
        let [width, height] = charts.size;
        Image::new(width as u32, height as u32, charts.texels().enumerate().map(pixel).collect())
    }

    /// The colour of the coefficient at a texel.
    fn toned(&self, body: &RecordedBody, texel: &SkinTexel, map: Option<&Texture>) -> Option<Vec3> {
        let (tone, w) = (self.tone.as_ref()?, texel.weights);
        let [a, b, c] = body.skin.triangles[texel.triangle as usize].map(|k| body.skin.positions[k as usize]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let value = tone.value(w[0] * a + w[1] * b + w[2] * c, normal, self.time)?;
        let weight = match (map, self.bumps()) {
            (Some(map), Some(bumps)) => {
                let uv = bumps.coordinates[texel.triangle as usize];
                f64::from(map.sample(mixed(w, uv), DVec2::ZERO).z)
            }
            _ => 1.0,
        };
        Some(ramp::color(value * weight, tone.largest))
    }
}

/// The paint of a body, place by place.
struct PaintedSkin<'a> {
    body: &'a RecordedBody,
    image: Option<Texture>,
    /// Its colour, on the whole.
    whole: Vec3,
    /// Length of a texel, m.
    texel: f64,
}

impl<'a> PaintedSkin<'a> {
    fn new(body: &'a RecordedBody, texel: f64) -> Self {
        let image = match &body.paint {
            Paint::Texture(image) if !body.skin.uvs.is_empty() => Some(Texture::of(image)),
            _ => None,
        };
        let whole = match &body.paint {
            Paint::Color(rgb) => linear_rgb(*rgb),
            Paint::Checker { color, .. } => 0.5 * (1.0 + DARKER) * linear_rgb(*color),
            Paint::Texture(_) => image.as_ref().map_or(Vec3::ONE, Texture::average),
        };
        Self { body, image, whole, texel }
    }

    fn color(&self, texel: &SkinTexel) -> Vec3 {
        let (skin, w) = (&*self.body.skin, texel.weights);
        let corners = skin.triangles[texel.triangle as usize].map(|c| c as usize);
        match (&self.body.paint, &self.image) {
            (Paint::Checker { color, cell }, _) => {
                let [a, b] = plane_axes(skin.normals[corners[0]]);
                let at = mixed(w, corners.map(|c| DVec2::new(skin.positions[c][a], skin.positions[c][b]) / *cell));
                let light = squares(at, DVec2::splat(self.texel / cell)) as f32;
                linear_rgb(*color) * (DARKER + (1.0 - DARKER) * light)
            }
            (_, Some(image)) => image.sample(mixed(w, corners.map(|c| skin.uvs[c])), DVec2::ZERO),
            _ => self.whole,
        }
    }
}

/// A value that is given at the corners of a triangle, at a point of it.
fn mixed(w: [f64; 3], of: [DVec2; 3]) -> DVec2 {
    of[0] * w[0] + of[1] * w[1] + of[2] * w[2]
}
