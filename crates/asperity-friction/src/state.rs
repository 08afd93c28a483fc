//! What a friction model looks at: one contact.
//!
//! The contact normal points from B to A; impulses act on A; the slip is v_A − v_B. The contact frame (t, b) with
//! b = n × t is fixed by geometry. A's outward normal is −n, B's is +n.

use glam::{DMat2, DVec2, DVec3};

use crate::error::{FrictionError, non_negative, orthogonal, unit};
use crate::symmetric::Symmetric2;
use crate::tangential::Tangential;
use crate::tensor::SurfaceTensor;

/// Orthonormal frame of a contact: n from B to A, t and b = n × t in the contact plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactFrame {
    normal: DVec3,
    t: DVec3,
    b: DVec3,
}

impl ContactFrame {
    /// From the normal and a tangent, unit vectors at a right angle.
    pub fn new(normal: DVec3, t: DVec3) -> Result<Self, FrictionError> {
        unit("normal", normal)?;
        unit("tangent", t)?;
        orthogonal("tangent", t, "the normal", normal)?;
        Ok(Self { normal, t, b: normal.cross(t) })
    }

    /// From the normal alone, with some tangent that depends on nothing else.
    pub fn from_normal(normal: DVec3) -> Result<Self, FrictionError> {
        unit("normal", normal)?;
        Self::new(normal, normal.any_orthonormal_vector())
    }

    /// The same normal, with the tangent nearest to this direction; as it is where that is along the normal.
    pub fn with_tangent_near(&self, direction: DVec3) -> Self {
        let t = (direction - self.normal * direction.dot(self.normal)).normalize_or(self.t);
        Self { normal: self.normal, t, b: self.normal.cross(t) }
    }

    /// The normal, from B to A.
    pub fn normal(&self) -> DVec3 {
        self.normal
    }

    /// The first tangent.
    pub fn t(&self) -> DVec3 {
        self.t
    }

    /// The second tangent, n × t.
    pub fn b(&self) -> DVec3 {
        self.b
    }

    /// The world's x in the contact plane, a unit vector; its z where the normal is within 37° of x. The same for a
    /// normal and its opposite.
    pub fn along_world(&self) -> DVec3 {
        let along = if self.normal.x.abs() > 0.8 { DVec3::Z } else { DVec3::X };
        (along - self.normal * along.dot(self.normal)).normalize_or(self.t)
    }

    /// The components of a world vector in the contact plane.
    #[inline]
    pub fn to_plane(&self, v: DVec3) -> DVec2 {
        DVec2::new(v.dot(self.t), v.dot(self.b))
    }

    /// A vector of the contact plane in the world.
    #[inline]
    pub fn to_world(&self, v: DVec2) -> DVec3 {
        self.t * v.x + self.b * v.y
    }
}

/// Which of the two surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The surface on which the impulses act.
    A,
    /// The other one.
    B,
}

impl Side {
    /// "A" or "B".
    pub fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }

    /// The other side.
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// Facets of a surface around the contact, as slopes p = (m_t, m_b)/|m_n| of the facet normals m in the contact frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum FacetSlopes<'a> {
    /// A smooth surface.
    #[default]
    Flat,
    /// One slope a texel of the contact patch, in the contact plane (t, b).
    Patch(&'a [DVec2]),
    /// The same for patches with few different slopes: each with how many texels have it.
    Counted(&'a [CountedSlope]),
    /// Slopes with a centred normal distribution, covariance in the surface's (tangent, bitangent).
    Gaussian(Symmetric2),
}

/// A slope that several texels of a contact patch have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CountedSlope {
    /// The slope, in the contact plane (t, b).
    pub slope: DVec2,
    /// How many texels have it.
    pub texels: u32,
}

/// What a surface says at the contact point. Vectors are in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceSample<'a> {
    /// Material, for the pair table.
    pub material: u32,
    /// Tangent of the surface's own frame (texture u); the bitangent is outward normal × tangent.
    pub tangent: DVec3,
    /// Texture coordinates.
    pub uv: DVec2,
    /// Structure (grain) direction; zero where the surface has no structure. Its sign and length do not matter.
    pub structure: DVec3,
    /// Coefficient of friction of the surface, for combination rules.
    pub mu: f64,
    /// The same along the structure, for laws with axes; `None`: `mu`.
    pub mu_t: Option<f64>,
    /// The same across the structure; `None`: `mu`.
    pub mu_b: Option<f64>,
    /// Coefficient of the drilling torque of the surface, in metres (torque per normal force), for combination rules.
    pub mu_tau: f64,
    /// Friction tensors in the surface's (tangent, bitangent).
    pub tensor: SurfaceTensor,
    /// Facets around the contact.
    pub facets: FacetSlopes<'a>,
    /// Strength of the facets, k.
    pub salience: f64,
}

impl Default for SurfaceSample<'_> {
    fn default() -> Self {
        Self {
            material: 0,
            tangent: DVec3::ZERO,
            uv: DVec2::ZERO,
            structure: DVec3::ZERO,
            mu: 0.0,
            mu_t: None,
            mu_b: None,
            mu_tau: 0.0,
            tensor: SurfaceTensor::ZERO,
            facets: FacetSlopes::Flat,
            salience: 1.0,
        }
    }
}

/// A projected direction shorter than this counts as absent: it points along the normal, and its direction in the plane
/// is round-off.
const NEAR_ZERO: f64 = 1e-6;

impl SurfaceSample<'_> {
    /// Coefficient of the surface along its structure.
    #[inline]
    pub fn along(&self) -> f64 {
        self.mu_t.unwrap_or(self.mu)
    }

    /// Coefficient of the surface across its structure.
    #[inline]
    pub fn across(&self) -> f64 {
        self.mu_b.unwrap_or(self.mu)
    }

    /// Refuses values that are NaN, infinite or out of range.
    pub fn validate(&self) -> Result<(), FrictionError> {
        non_negative("mu of a surface", self.mu)?;
        non_negative("mu_t of a surface", self.along())?;
        non_negative("mu_b of a surface", self.across())?;
        non_negative("mu_tau of a surface", self.mu_tau)?;
        non_negative("salience of a surface", self.salience)?;
        for (name, value) in [("structure", self.structure), ("tangent", self.tangent)] {
            if !value.is_finite() {
                return Err(FrictionError::NotFinite { name, value });
            }
        }
        match self.facets {
            FacetSlopes::Flat => {}
            FacetSlopes::Patch(slopes) => {
                // Counted first, which needs no branch for each.
                if slopes.iter().filter(|p| !p.is_finite()).count() > 0 {
                    return Err(not_finite(slopes.iter().copied()));
                }
            }
            FacetSlopes::Counted(slopes) => {
                if !slopes.iter().all(|p| p.slope.is_finite()) {
                    return Err(not_finite(slopes.iter().map(|p| p.slope)));
                }
            }
            FacetSlopes::Gaussian(c) => {
                let [smallest, largest] = c.eigen().values;
                if !(smallest.is_finite() && largest.is_finite() && smallest >= -1e-12 * largest.abs()) {
                    return Err(FrictionError::Range {
                        name: "smallest eigenvalue of a slope covariance",
                        value: smallest,
                        expected: "finite and not negative",
                    });
                }
            }
        }
        Ok(())
    }
}

/// The error for the first slope that is NaN or infinite.
#[cold]
fn not_finite(mut slopes: impl Iterator<Item = DVec2>) -> FrictionError {
    let bad = slopes.find(|p| !p.is_finite()).unwrap_or(DVec2::NAN);
    FrictionError::NotFinite { name: "facet slope", value: bad.extend(0.0) }
}

/// A contact, as a friction model sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactState<'a> {
    /// The contact frame.
    pub frame: ContactFrame,
    /// The surface on which the impulses act.
    pub a: SurfaceSample<'a>,
    /// The other surface.
    pub b: SurfaceSample<'a>,
    /// Relative velocity v_A − v_B: in the plane, about the normal, rolling.
    pub slip: Tangential,
    /// Normal force in newtons, for laws that depend on the load.
    pub normal_force: f64,
    /// Slip in the plane that the step would end with without friction, for laws that lie along it; zero where it is
    /// not known. Whoever makes the states finds it ([`crate::model::Depends::frictionless`]).
    pub frictionless_slip: DVec2,
}

impl<'a> ContactState<'a> {
    /// A contact at rest without load.
    pub fn new(frame: ContactFrame, a: SurfaceSample<'a>, b: SurfaceSample<'a>) -> Self {
        Self { frame, a, b, slip: Tangential::ZERO, normal_force: 0.0, frictionless_slip: DVec2::ZERO }
    }

    /// Refuses values that are NaN, infinite or out of range.
    pub fn validate(&self) -> Result<(), FrictionError> {
        self.a.validate()?;
        self.b.validate()?;
        non_negative("normal_force", self.normal_force)?;
        let (moving, rolling) = (self.slip.plane.extend(self.slip.spin), self.slip.roll.extend(0.0));
        let frictionless = self.frictionless_slip.extend(0.0);
        for (name, value) in [("slip", moving), ("rolling slip", rolling), ("frictionless slip", frictionless)] {
            if !value.is_finite() {
                return Err(FrictionError::NotFinite { name, value });
            }
        }
        Ok(())
    }

    /// The surface on that side.
    #[inline]
    pub fn surface(&self, side: Side) -> &SurfaceSample<'a> {
        match side {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }

    /// Structure direction in the contact plane, not normalised; `None` if it is zero or along the normal.
    #[inline]
    pub fn structure(&self, side: Side) -> Option<DVec2> {
        self.in_plane(self.surface(side).structure)
    }

    /// First axis of the surface's frame in the contact plane: its tangent. `None` if the tangent is zero or along the
    /// normal.
    #[inline]
    pub fn tangent(&self, side: Side) -> Option<DVec2> {
        self.in_plane(self.surface(side).tangent).map(|t| t.normalize())
    }

    /// The projection of a direction onto the contact plane, not normalised; `None` where it is round-off.
    #[inline]
    fn in_plane(&self, direction: DVec3) -> Option<DVec2> {
        let plane = self.frame.to_plane(direction);
        let (size, part) = (direction.length_squared(), plane.length_squared());
        if part > NEAR_ZERO * NEAR_ZERO * size && part > 1e-200 && size < 1e200 {
            return Some(plane);
        }
        // Of any length: where squares overflow or vanish, the direction is brought to size first.
        let size = direction.abs().max_element();
        let unit = direction * (1.0 / size);
        let extreme = size > 0.0 && !(1e-100..1e100).contains(&size) && unit.is_finite();
        if extreme { self.in_plane(unit) } else { None }
    }

    /// E: components in the surface's (tangent, bitangent) to components in the contact's (t, b).
    ///
    /// The surfaces face each other, so E turns for B and reflects for A.
    #[inline]
    pub fn surface_to_contact(&self, side: Side, needed_by: &'static str) -> Result<DMat2, FrictionError> {
        let tangent = self.tangent(side).ok_or(FrictionError::NoAxis { side: side.name(), needed_by })?;
        let bitangent = match side {
            Side::A => -tangent.perp(),
            Side::B => tangent.perp(),
        };
        Ok(DMat2::from_cols(tangent, bitangent))
    }
}
