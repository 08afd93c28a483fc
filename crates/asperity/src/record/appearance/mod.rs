//! What surfaces look like, from the data that make their friction: fibres along the structure, or along the direction that a friction tensor resists least ([`Grain`]), facets of normal and height maps ([`Bumps`]), coefficients as colours ([`Tone`]).
//!
//! Pictures and glTF files use the same images, so that they show the same. Bodies with the same skin and the same surface share them.

mod atlas;
mod bumps;
mod chart;
mod grain;
#[cfg(test)]
mod tests;
mod tone;

use std::sync::Arc;

use super::RecordedBody;
pub(in crate::record) use atlas::{Atlas, SkinTexel};
pub(in crate::record) use bumps::{Bumps, MapTexel};
pub(in crate::record) use grain::Grain;
pub(in crate::record) use tone::{Tone, Toning};

/// Width of a texel of the grain in pixels of a picture 400 high, at the distance of what is looked at. A fibre is two to three texels wide.
const TEXEL: f64 = 1.25;
/// Fewest texels along the side of a square with the area of the skin, so that small bodies show their grain near by, too.
const FEWEST: f64 = 48.0;
/// How much of its paint's light a surface has between fibres, and on them: of light paints, and of dark ones.
const ON_LIGHT: [f32; 2] = [0.40, 1.0];
const ON_DARK: [f32; 2] = [1.0, 3.0];
/// Luminance of a paint from which on it is light.
const LIGHT_PAINT: f32 = 0.12;

/// What is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wanted {
    pub(super) grain: bool,
    pub(super) relief: bool,
    /// Metres of a pixel of a picture 400 high, at the distance of what is looked at.
    pub(super) pixel: f64,
}

/// What a surface looks like beside its paint.
#[derive(Clone, Debug, Default)]
pub(super) struct Appearance {
    pub(super) grain: Option<Grain>,
    pub(super) bumps: Option<Bumps>,
}

/// The appearances of all bodies, in their order; `None` for those that are nothing but painted.
pub(super) type Appearances = Arc<[Option<Arc<Appearance>>]>;

/// The appearances of bodies as they are at a time.
pub(super) fn appearances(bodies: &[RecordedBody], time: f64, wanted: &Wanted) -> Appearances {
    let mut made: Vec<(usize, Option<Arc<Appearance>>)> = Vec::new();
    let mut all = Vec::with_capacity(bodies.len());
    for (number, body) in bodies.iter().enumerate() {
        let known = made.iter().rev().find(|(other, _)| looks_like(&bodies[*other], body));
        let own = match known {
            Some((_, appearance)) => appearance.clone(),
            None => {
                let appearance = Appearance::of(body, wanted, time).map(Arc::new);
                made.push((number, appearance.clone()));
                appearance
            }
        };
        all.push(own);
    }
    all.into()
}

/// Whether two bodies have the same skin and the same surface.
pub(super) fn looks_like(a: &RecordedBody, b: &RecordedBody) -> bool {
    let (s, t) = (&a.surface, &b.surface);
    let same_map = match (&s.facets, &t.facets) {
        (Some(s), Some(t)) => Arc::ptr_eq(s, t) || s == t,
        (None, None) => true,
        _ => false,
    };
    let same_numbers = s.coefficients == t.coefficients && s.varying == t.varying;
    let same_directions = s.structure == t.structure && s.tangent == t.tangent;
    Arc::ptr_eq(&a.skin, &b.skin) && (Arc::ptr_eq(s, t) || (same_directions && same_map && same_numbers))
}

/// Charts for a body that is coloured by a coefficient and has no fibres; `None` for skins of too many charts.
pub(super) fn charts(body: &RecordedBody, pixel: f64) -> Option<Atlas> {
    Atlas::new(&body.skin, texel(body.skin.area(), pixel), grain::MOST_TEXELS[0])
}

/// Length of a texel on a skin with this area.
fn texel(area: f64, pixel: f64) -> f64 {
    (TEXEL * pixel).min(area.sqrt() / FEWEST)
}

impl Appearance {
    fn of(body: &RecordedBody, wanted: &Wanted, time: f64) -> Option<Self> {
        let (skin, surface) = (&*body.skin, &*body.surface);
        let area = skin.area();
        let grained = wanted.grain && surface.has_fibres() && area > 0.0;
        let grain = if grained { Grain::new(surface, skin, texel(area, wanted.pixel), time) } else { None };
        let bumps =
            surface.facets.as_ref().filter(|_| wanted.relief).and_then(|map| Bumps::new(map, skin, wanted.pixel));
        (grain.is_some() || bumps.is_some()).then_some(Self { grain, bumps })
    }
}

/// The part of its paint's light that a surface throws back where the grain has this value, from 0 to 1. `luminance` is that of the paint.
pub(super) fn fibre_light(value: f32, luminance: f32) -> f32 {
    let [between, on] = if luminance < LIGHT_PAINT { ON_DARK } else { ON_LIGHT };
    between + value * (on - between)
}
