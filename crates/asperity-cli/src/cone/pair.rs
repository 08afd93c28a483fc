//! A material pair: a law, two surfaces, and how they slide.
//!
//! The contact frame is n = +z (from B to A), t = +x, b = +y. Forces act on A; the slip is the velocity of A over B.

use asperity_friction::model::{FrictionModel, Model};
use asperity_friction::tensor::SurfaceTensor;
use asperity_friction::{
    ContactFrame, ContactLaw, ContactState, FacetSlopes, FrictionError, Side, SurfaceSample, Symmetric2, Tangential,
};
use glam::{DMat2, DVec2, DVec3};

/// Facets of a surface, with their storage.
#[derive(Clone, Debug, Default)]
pub(crate) enum SurfaceFacets {
    /// A smooth surface.
    #[default]
    Flat,
    /// Slopes in the contact plane (t, b).
    Patch(Vec<DVec2>),
    /// Covariance of normally distributed slopes in the surface's (tangent, bitangent).
    Gaussian(Symmetric2),
}

/// One of the two surfaces.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    pub(crate) material: u32,
    /// First axis of the surface's own frame.
    pub(crate) tangent: DVec3,
    /// Grain; zero for none.
    pub(crate) structure: DVec3,
    pub(crate) mu: f64,
    /// Along the structure and across it; `None`: `mu`.
    pub(crate) mu_t: Option<f64>,
    pub(crate) mu_b: Option<f64>,
    /// Of the drilling torque, m.
    pub(crate) mu_tau: f64,
    pub(crate) salience: f64,
    pub(crate) tensor: SurfaceTensor,
    pub(crate) facets: SurfaceFacets,
    /// What was said of the surface, as keys of a file: what is read of it by no law is worth a warning.
    pub(crate) given: Vec<&'static str>,
}

impl Default for Surface {
    fn default() -> Self {
        Self {
            material: 0,
            tangent: DVec3::X,
            structure: DVec3::ZERO,
            mu: 0.0,
            mu_t: None,
            mu_b: None,
            mu_tau: 0.0,
            salience: 1.0,
            tensor: SurfaceTensor::ZERO,
            facets: SurfaceFacets::Flat,
            given: Vec::new(),
        }
    }
}

impl Surface {
    /// Whether one of these keys was given.
    pub(crate) fn has(&self, keys: &[&str]) -> bool {
        self.given.iter().any(|key| keys.contains(key))
    }

    /// E: components along the surface's (tangent, bitangent) to those along (t, b).
    pub(crate) fn axes(&self, side: Side) -> Result<DMat2, FrictionError> {
        ContactState::new(contact_frame()?, self.sample(), self.sample()).surface_to_contact(side, "normals")
    }

    /// Grain at this angle in the contact plane.
    pub(crate) fn set_structure(&mut self, angle_deg: f64) {
        self.structure = direction(angle_deg).extend(0.0);
        self.given.retain(|key| *key != "structure");
        self.given.push("structure_deg");
    }

    /// As a friction model sees it.
    fn sample(&self) -> SurfaceSample<'_> {
        SurfaceSample {
            material: self.material,
            tangent: self.tangent,
            structure: self.structure,
            mu: self.mu,
            mu_t: self.mu_t,
            mu_b: self.mu_b,
            mu_tau: self.mu_tau,
            salience: self.salience,
            tensor: self.tensor,
            facets: match &self.facets {
                SurfaceFacets::Flat => FacetSlopes::Flat,
                SurfaceFacets::Patch(slopes) => FacetSlopes::Patch(slopes),
                SurfaceFacets::Gaussian(covariance) => FacetSlopes::Gaussian(*covariance),
            },
            ..SurfaceSample::default()
        }
    }
}

/// n = +z, t = +x.
pub(crate) fn contact_frame() -> Result<ContactFrame, FrictionError> {
    ContactFrame::new(DVec3::Z, DVec3::X)
}

/// The direction at this angle in the contact plane, from t towards b.
pub(crate) fn direction(degrees: f64) -> DVec2 {
    // Exact along the axes, where people look first.
    match degrees.rem_euclid(360.0) {
        0.0 => DVec2::X,
        90.0 => DVec2::Y,
        180.0 => DVec2::NEG_X,
        270.0 => DVec2::NEG_Y,
        other => DVec2::from_angle(other.to_radians()),
    }
}

/// The angle of a vector of the contact plane, in degrees from 0 to 360.
pub(crate) fn degrees(v: DVec2) -> f64 {
    let angle = v.to_angle().to_degrees().rem_euclid(360.0);
    if angle >= 360.0 { 0.0 } else { angle }
}

/// A law, two surfaces and how they slide.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// What the figure and the tables call it.
    pub(crate) name: String,
    pub(crate) model: FrictionModel,
    pub(crate) a: Surface,
    pub(crate) b: Surface,
    /// The slip whose force is asked for (m/s, rad/s).
    pub(crate) slip: Option<Tangential>,
    /// Slip speed (m/s) at which the coefficients are told, for laws that depend on it.
    pub(crate) speed: f64,
    /// Normal force (N).
    pub(crate) load: f64,
}

impl Pair {
    /// Smooth surfaces without structure, 1 m/s and 1 N.
    pub(crate) fn new(name: impl Into<String>, model: impl Into<FrictionModel>) -> Self {
        Self {
            name: name.into(),
            model: model.into(),
            a: Surface::default(),
            b: Surface::default(),
            slip: None,
            speed: 1.0,
            load: 1.0,
        }
    }

    /// The law while A slides over B like this.
    pub(crate) fn law_at(&self, slip: Tangential) -> Result<ContactLaw, FrictionError> {
        self.law_under(slip, self.load)
    }

    /// The same at another load.
    pub(crate) fn law_under(&self, slip: Tangential, load: f64) -> Result<ContactLaw, FrictionError> {
        let mut state = ContactState::new(contact_frame()?, self.a.sample(), self.b.sample());
        state.slip = slip;
        state.normal_force = load;
        state.validate()?;
        self.model.law(&state)
    }

    /// Refuses a pair that has no law.
    pub(crate) fn check(&self) -> Result<(), FrictionError> {
        self.model.validate()?;
        self.law_at(Tangential::ZERO)?;
        self.law_at(Tangential::planar(DVec2::X * self.speed))?;
        self.slip.map_or(Ok(()), |slip| self.law_at(slip).map(|_| ()))
    }
}
