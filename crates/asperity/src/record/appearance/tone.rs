//! Coefficients as colours: which one is shown, on which bodies, and what it is at a point.
//!
//! The colour of a value c ≥ 0 is that of c/c_max on the ramp, where c_max is the largest value on the skins of all bodies that are coloured, at nine moments of the run. A place whose field has no value
//! (a formula that is negative there) keeps its paint: a contact there is an error, and the law says so.

use std::sync::Arc;

use asperity_friction::SurfaceSample;
use glam::DVec3;

use crate::body::Surface;
use crate::body::surface::{CoefficientName, ScalarField};
use crate::record::{RecordedBody, Tint};

/// Coefficients that vary are looked for in this order: one of them is shown.
const ORDER: [CoefficientName; 9] = [
    CoefficientName::Mu,
    CoefficientName::MuT,
    CoefficientName::MuB,
    CoefficientName::TensorScale(0),
    CoefficientName::TensorScale(1),
    CoefficientName::TensorScale(2),
    CoefficientName::TensorScale(3),
    CoefficientName::Salience,
    CoefficientName::MuTau,
];
/// Moments at which the largest value is looked for.
const MOMENTS: usize = 9;
/// Points of a skin at which it is looked for, beside its corners.
const POINTS: usize = 4096;

/// What colours stand for in the pictures of a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::record) struct Toning {
    pub(in crate::record) name: CoefficientName,
    /// Whether bodies on which it does not vary are coloured, too.
    everywhere: bool,
    /// The value of the brightest colour.
    pub(in crate::record) largest: f64,
}

/// The coefficient of a body that is coloured by it.
#[derive(Clone, Debug)]
pub(in crate::record) struct Tone {
    surface: Arc<Surface>,
    name: CoefficientName,
    pub(in crate::record) largest: f64,
}

impl Toning {
    /// What a tint comes to for these bodies from the start to the end of a run; `None` where all bodies keep their paint.
    pub(in crate::record) fn of(bodies: &[RecordedBody], tint: Tint, (start, end): (f64, f64)) -> Option<Self> {
        let found = |name: &CoefficientName| bodies.iter().any(|body| varies(&body.surface, *name));
        let (name, everywhere) = match tint {
            Tint::Paint => return None,
            Tint::Varying => (ORDER.into_iter().find(|name| found(name))?, false),
            Tint::Mu => (CoefficientName::Mu, true),
            Tint::Salience => (CoefficientName::Salience, true),
        };
        let times = std::array::from_fn(|k| start + (end - start) * k as f64 / (MOMENTS - 1) as f64);
        let mut toning = Self { name, everywhere, largest: 0.0 };
        toning.largest = bodies.iter().map(|body| toning.largest_on(body, &times)).fold(0.0, f64::max);
        Some(toning)
    }

    /// The name of the coefficient, and what the numbers stand for.
    pub(in crate::record) fn label(&self) -> &'static str {
        match self.name {
            CoefficientName::Mu => "friction \u{3bc}",
            CoefficientName::MuT => "friction along the grain",
            CoefficientName::MuB => "friction across the grain",
            CoefficientName::MuTau => "drilling \u{3bc}, m",
            CoefficientName::Salience => "salience of facets",
            CoefficientName::TensorScale(_) => "scale of the friction tensor",
        }
    }

    /// The coefficient of a body; `None` if the body keeps its paint.
    pub(in crate::record) fn tone(&self, body: &RecordedBody) -> Option<Tone> {
        let coloured = self.everywhere || varies(&body.surface, self.name);
        let surface = || Arc::clone(&body.surface);
        coloured.then(|| Tone { surface: surface(), name: self.name, largest: self.largest })
    }

    /// The largest value on the skin of a body; zero if it is not coloured.
    fn largest_on(&self, body: &RecordedBody, times: &[f64; MOMENTS]) -> f64 {
        let Some(tone) = self.tone(body) else { return 0.0 };
        if field(&body.surface, self.name).is_none() {
            return tone.value(DVec3::ZERO, DVec3::Y, 0.0).unwrap_or(0.0);
        }
        let times = if tone.changes() { &times[..] } else { &times[..1] };
        let skin = &*body.skin;
        let cuts = ((POINTS as f64 / skin.triangles.len().max(1) as f64).sqrt().ceil() as usize).max(1);
        let mut largest: f64 = 0.0;
        for triangle in &skin.triangles {
            let [a, b, c] = triangle.map(|k| skin.positions[k as usize]);
            let normal = (b - a).cross(c - a).normalize_or_zero();
            for (i, j) in (0..=cuts).flat_map(|i| (0..=cuts - i).map(move |j| (i, j))) {
                let [s, t] = [i, j].map(|k| k as f64 / cuts as f64);
                let place = a + (b - a) * s + (c - a) * t;
                let at = |time: &f64| tone.value(place, normal, *time).unwrap_or(0.0);
                largest = times.iter().map(at).fold(largest, f64::max);
            }
        }
        largest
    }
}

impl Tone {
    /// The value at a place of the skin with this outward unit normal, in the body's frame; `None` where there is none.
    pub(in crate::record) fn value(&self, position: DVec3, normal: DVec3, time: f64) -> Option<f64> {
        let surface = &*self.surface;
        if self.name == CoefficientName::Salience && surface.facets.is_none() {
            return Some(0.0);
        }
        match field(surface, self.name) {
            Some(field) => Some(field.value(&surface.point(position, normal), time)),
            None => Some(constant(&surface.anywhere(), self.name)),
        }
        .filter(|value| value.is_finite() && *value >= 0.0)
    }

    /// Whether it is the same everywhere.
    pub(in crate::record) fn is_constant(&self) -> bool {
        field(&self.surface, self.name).is_none()
    }

    /// Whether it changes in time.
    pub(in crate::record) fn changes(&self) -> bool {
        field(&self.surface, self.name).is_some_and(ScalarField::changes)
    }

    /// Whether it is the strength of facets, of which each texel of a map has a fraction.
    pub(in crate::record) fn is_salience(&self) -> bool {
        self.name == CoefficientName::Salience
    }
}

/// The field of a coefficient, if it has one.
fn field(surface: &Surface, name: CoefficientName) -> Option<&ScalarField> {
    surface.varying.iter().find(|varying| varying.name == name).map(|varying| &varying.field)
}

/// Whether a coefficient differs from place to place.
fn varies(surface: &Surface, name: CoefficientName) -> bool {
    field(surface, name).is_some_and(|field| !field.is_everywhere_alike())
}

/// A coefficient where none varies.
fn constant(sample: &SurfaceSample, name: CoefficientName) -> f64 {
    match name {
        CoefficientName::Mu => sample.mu,
        CoefficientName::MuT => sample.mu_t.unwrap_or(sample.mu),
        CoefficientName::MuB => sample.mu_b.unwrap_or(sample.mu),
        CoefficientName::MuTau => sample.mu_tau,
        CoefficientName::Salience => sample.salience,
        CoefficientName::TensorScale(_) => 1.0,
    }
}
