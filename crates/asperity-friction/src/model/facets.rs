//! Friction from facets (Andrews, Nassif, Erleben and Kry 2021): from the slopes of both surfaces around the contact.
//!
//! A facet with slope p in the contact plane resists a force on A along d with (2/π) max(0, ±p·d): minus for A's
//! facets, plus for B's. Averaged over the patches,
//!
//!   μ(d) = μ0 + (2/π) [ k_A mean max(0, −p_A·d) + k_B mean max(0, p_B·d) ]    (eqs. 6 to 8),
//!
//! which is the support function of disk(μ0) plus a zonotope with the generators −(2/π)(k_A/N_A) p_A and (2/π)(k_B/N_B)
//! p_B. With that set as the limit surface, maximum dissipation resists with exactly μ in every direction. The paper's
//! box is the axis-aligned box around it. A polygon of n directions can be the *outer* one (tangent in n directions;
//! tends to the set) or the *polar* one (hull of the points μ(d_i) d_i, as the paper's figures draw it), which may
//! resist where the exact set does not.
//!
//! For slopes with a centred normal distribution, mean max(0, p·d) = √(d·C d)/√(2π): an ellipse, without samples.

use std::f64::consts::{FRAC_2_PI, PI, TAU};

use glam::{DMat2, DVec2};
use serde::{Deserialize, Serialize};

use super::{Coefficient, Depends, Model};
use crate::error::{FrictionError, non_negative, positive};
use crate::law::ContactLaw;
use crate::set::{AsymmetricBox, Catalogued, ConvexSet, Ellipse, EllipseSum, Polygon, Zonotope};
use crate::state::{ContactState, CountedSlope, FacetSlopes, Side};
use crate::symmetric::{Eigen2, Symmetric2};
use crate::tangential::Tangential;

/// Which set stands for the exact one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum FacetForm {
    /// Zonotope plus disk. Generators are merged so that no coefficient drops by more than `merge` times the largest; 0
    /// keeps every facet.
    Exact {
        /// Relative tolerance of merging.
        merge: f64,
    },
    /// The paper's box along (t, b) of the contact.
    Box,
    /// Tangent polygon with n facets.
    Outer {
        /// How many.
        n: usize,
    },
    /// Hull of μ(d) d in n directions.
    Polar {
        /// How many.
        n: usize,
    },
}

impl Default for FacetForm {
    fn default() -> Self {
        Self::Exact { merge: 1e-3 }
    }
}

/// The window around a contact that slopes are sampled from. Whoever makes the contact states samples it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PatchWindow {
    /// Side of the square in the contact plane, metres; 0: the contact point alone.
    pub width: f64,
    /// Pixels along a side.
    pub resolution: u32,
}

impl Default for PatchWindow {
    /// That of most of the paper's scenes.
    fn default() -> Self {
        Self { width: 0.02, resolution: 16 }
    }
}

/// Most pixels along a side of a patch.
const FINEST: u32 = 1024;

/// Along what the box of [`FacetForm::Box`] lies. Where there is no such direction it lies along the world's axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoxAxes {
    /// The contact's t and b, whatever they are.
    #[default]
    Contact,
    /// The world's x in the contact plane; its z where the normal is within 37° of x.
    World,
    /// The structure directions of the surfaces: that of one of them, or the line between both.
    Structure,
    /// The slip; while a solver iterates, the slip that it has found so far.
    Slip,
    /// The slip that a short solve without friction finds before the step is solved (section 5.5 of the paper). It
    /// stays while the solver iterates.
    Frictionless,
}

/// Friction from the facets of both surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facets {
    /// Friction of smooth surfaces; a rule combines `mu` of the surfaces.
    pub mu0: Coefficient,
    /// Slopes are clamped to this length: a normal map can hold facets that are nearly vertical.
    #[serde(default = "steep")]
    pub slope_max: f64,
    /// Which set stands for the exact one.
    #[serde(default)]
    pub form: FacetForm,
    /// Along what a box lies.
    #[serde(default)]
    pub axes: BoxAxes,
    /// Where slopes are sampled.
    #[serde(default)]
    pub patch: PatchWindow,
}

impl Default for Facets {
    /// No friction of smooth surfaces; else what a file has that says no more.
    fn default() -> Self {
        Self {
            mu0: Coefficient::Fixed(0.0),
            slope_max: steep(),
            form: FacetForm::default(),
            axes: BoxAxes::default(),
            patch: PatchWindow::default(),
        }
    }
}

fn steep() -> f64 {
    // About 84 degrees.
    10.0
}

impl Facets {
    /// μ0 at a contact.
    fn smooth(&self, state: &ContactState) -> f64 {
        self.mu0.between(state.a.mu, state.b.mu)
    }

    /// The factor in front of the sum over a side's facets: (2/π) k/N, negative for A.
    fn weight(state: &ContactState, side: Side, count: usize) -> f64 {
        let k = FRAC_2_PI * state.surface(side).salience / count.max(1) as f64;
        match side {
            Side::A => -k,
            Side::B => k,
        }
    }

    /// Whether a slope needs no clamping.
    #[inline]
    fn is_gentle(&self, p: DVec2) -> bool {
        p.length_squared() <= self.slope_max * self.slope_max
    }

    #[inline]
    fn clamp(&self, p: DVec2) -> DVec2 {
        // Almost all slopes are shorter: one comparison then.
        if self.is_gentle(p) { p } else { p.clamp_length_max(self.slope_max) }
    }

    /// Ellipse of a Gaussian side: (2/π) k √(d·C d)/√(2π).
    fn ellipse(state: &ContactState, side: Side, covariance: Symmetric2) -> Result<Ellipse, FrictionError> {
        let isotropic = covariance.xy == 0.0 && covariance.xx == covariance.yy;
        let frame = if isotropic { DMat2::IDENTITY } else { state.surface_to_contact(side, "a slope covariance")? };
        let Eigen2 { values, axis } = covariance.congruent(frame).eigen();
        let k = FRAC_2_PI * state.surface(side).salience / TAU.sqrt();
        Ok(Ellipse { mu: values.map(|v| k * v.max(0.0).sqrt()), axis })
    }

    /// Whether no slope of a patch needs clamping. Steep slopes are counted without a branch for each: almost all
    /// patches have no steep slope.
    #[inline]
    fn all_gentle(&self, slopes: &[DVec2]) -> bool {
        slopes.iter().filter(|p| !self.is_gentle(**p)).count() == 0
    }

    /// μ(d) and μ(−d) for forces on A along the unit vector d and along the one at a right angle to it: equation 8,
    /// facet by facet.
    fn mu(&self, state: &ContactState, d: DVec2) -> Result<[DVec2; 2], FrictionError> {
        let along = |p: DVec2| DVec2::new(p.dot(d), p.dot(d.perp()));
        let mut mu = [DVec2::splat(self.smooth(state)); 2];
        for side in [Side::A, Side::B] {
            // From sums of p·d where that is positive, and of −p·d where it is negative.
            let mean = |count: usize, [up, down]: [DVec2; 2]| {
                let k = Self::weight(state, side, count);
                if k < 0.0 { [down * -k, up * -k] } else { [up * k, down * k] }
            };
            let more = match state.surface(side).facets {
                FacetSlopes::Flat => continue,
                FacetSlopes::Patch(slopes) if self.all_gentle(slopes) => mean(slopes.len(), signed_sums(slopes, along)),
                FacetSlopes::Patch(slopes) => mean(slopes.len(), signed_sums(slopes, |p| along(self.clamp(p)))),
                FacetSlopes::Counted(slopes) => {
                    let mut sums = [DVec2::ZERO; 2];
                    for counted in slopes {
                        let p = along(self.clamp(counted.slope)) * f64::from(counted.texels);
                        sums = [sums[0] + p.max(DVec2::ZERO), sums[1] + (-p).max(DVec2::ZERO)];
                    }
                    mean(texels(slopes), sums)
                }
                FacetSlopes::Gaussian(covariance) => {
                    let ellipse = Self::ellipse(state, side, covariance)?;
                    [DVec2::from_array([d, d.perp()].map(|d| ellipse.support(Tangential::planar(d)))); 2]
                }
            };
            mu = [mu[0] + more[0], mu[1] + more[1]];
        }
        Ok(mu)
    }

    /// The first axis of the box, a unit vector.
    fn axis(&self, state: &ContactState) -> DVec2 {
        let world = || state.frame.to_plane(state.frame.along_world()).normalize_or(DVec2::X);
        match self.axes {
            BoxAxes::Contact => DVec2::X,
            BoxAxes::World => world(),
            BoxAxes::Slip => state.slip.plane.try_normalize().unwrap_or_else(world),
            BoxAxes::Frictionless => state.frictionless_slip.try_normalize().unwrap_or_else(world),
            BoxAxes::Structure => {
                let line = |side| state.structure(side).and_then(DVec2::try_normalize);
                match (line(Side::A), line(Side::B)) {
                    (Some(a), Some(b)) => {
                        // Lines have no sense: the one between them that is nearer to both.
                        let sum = if a.dot(b) < 0.0 { a - b } else { a + b };
                        sum.try_normalize().unwrap_or_else(world)
                    }
                    (Some(one), None) | (None, Some(one)) => one,
                    (None, None) => world(),
                }
            }
        }
    }

    /// Writes the exact set, every facet a generator.
    fn exact(&self, state: &ContactState, law: &mut ContactLaw) -> Result<(), FrictionError> {
        let sides = [Side::A, Side::B].map(|side| (side, state.surface(side).facets));
        if !sides.iter().any(|(_, facets)| matches!(facets, FacetSlopes::Patch(_) | FacetSlopes::Counted(_))) {
            let [a, b] = sides.map(|(side, facets)| match facets {
                FacetSlopes::Gaussian(covariance) => Self::ellipse(state, side, covariance),
                _ => Ok(Ellipse { mu: [0.0; 2], axis: DVec2::X }),
            });
            *law = EllipseSum { radius: self.smooth(state), ellipses: [a?, b?] }.into();
            return Ok(());
        }
        let set = law.zonotope();
        set.generators.clear();
        set.radius = self.smooth(state);
        for (side, facets) in sides {
            match facets {
                FacetSlopes::Flat => {}
                FacetSlopes::Patch(slopes) => {
                    let weight = Self::weight(state, side, slopes.len());
                    if self.all_gentle(slopes) {
                        set.generators.extend(slopes.iter().map(|p| *p * weight));
                    } else {
                        set.generators.extend(slopes.iter().map(|p| self.clamp(*p) * weight));
                    }
                }
                FacetSlopes::Counted(slopes) => {
                    let weight = Self::weight(state, side, texels(slopes));
                    let all = slopes.iter().map(|p| self.clamp(p.slope) * (weight * f64::from(p.texels)));
                    set.generators.extend(all);
                }
                FacetSlopes::Gaussian(covariance) => add_ellipse(set, Self::ellipse(state, side, covariance)?),
            }
        }
        match self.form {
            FacetForm::Exact { merge } if merge > 0.0 => {
                set.merge(merge);
            }
            _ => set.rebuild(),
        }
        Ok(())
    }
}

/// How many texels these are.
fn texels(slopes: &[CountedSlope]) -> usize {
    slopes.iter().map(|p| p.texels as usize).sum()
}

/// Sums of max(0, v) and of max(0, −v), component by component, over v = `of`(p). Four at a time: each sum would wait
/// for the last one.
#[inline]
fn signed_sums(slopes: &[DVec2], of: impl Fn(DVec2) -> DVec2) -> [DVec2; 2] {
    let mut sums = [[DVec2::ZERO; 2]; 4];
    let (fours, rest) = slopes.as_chunks::<4>();
    let mut add = |k: usize, p: DVec2| {
        let v = of(p);
        sums[k] = [sums[k][0] + v.max(DVec2::ZERO), sums[k][1] + (-v).max(DVec2::ZERO)];
    };
    for four in fours {
        for (k, p) in four.iter().enumerate() {
            add(k, *p);
        }
    }
    rest.iter().enumerate().for_each(|(k, p)| add(k, *p));
    sums.iter().fold([DVec2::ZERO; 2], |all, sums| [all[0] + sums[0], all[1] + sums[1]])
}

/// How many segments stand for an ellipse beside a patch: the support errs by less than 2e-4 of it.
const ELLIPSE_SEGMENTS: usize = 64;

/// Segments whose sum is the ellipse, nearly: those of a regular polygon with 2n sides, mapped; its size is between the
/// inscribed and the circumscribed one.
fn add_ellipse(set: &mut Zonotope, e: Ellipse) {
    let half = PI / (2.0 * ELLIPSE_SEGMENTS as f64);
    let side = half.tan() * (1.0 + half.cos());
    for i in 0..2 * ELLIPSE_SEGMENTS {
        let u = DVec2::from_angle(PI * i as f64 / ELLIPSE_SEGMENTS as f64) * (0.5 * side);
        set.generators.push(e.axis * (u.x * e.mu[0]) + e.axis.perp() * (u.y * e.mu[1]));
    }
}

impl Model for Facets {
    fn validate(&self) -> Result<(), FrictionError> {
        self.mu0.validate("mu0")?;
        positive("slope_max", self.slope_max)?;
        non_negative("patch.width", self.patch.width)?;
        let count = self.patch.resolution as usize;
        if !(1..=FINEST as usize).contains(&count) {
            return Err(FrictionError::Count {
                name: "pixels along a side of a patch",
                count,
                expected: "from 1 to 1024",
            });
        }
        match self.form {
            FacetForm::Exact { merge } => non_negative("merge", merge).map(|_| ()),
            FacetForm::Box => Ok(()),
            FacetForm::Outer { n } | FacetForm::Polar { n } if n < 3 => {
                Err(FrictionError::Count { name: "facets of the polygon", count: n, expected: "at least 3" })
            }
            FacetForm::Outer { .. } | FacetForm::Polar { .. } => Ok(()),
        }
    }

    fn depends(&self) -> Depends {
        match (self.form, self.axes) {
            (FacetForm::Box, BoxAxes::Slip) => Depends::SLIP,
            (FacetForm::Box, BoxAxes::Frictionless) => Depends::FRICTIONLESS,
            _ => Depends::default(),
        }
    }

    fn patch(&self) -> Option<PatchWindow> {
        Some(self.patch)
    }

    fn evaluate(&self, state: &ContactState, law: &mut ContactLaw) -> Result<(), FrictionError> {
        match self.form {
            FacetForm::Exact { .. } => self.exact(state, law)?,
            FacetForm::Box => {
                let axis = self.axis(state);
                let [ahead, back] = self.mu(state, axis)?;
                *law = AsymmetricBox { ahead, back, axis }.into();
            }
            FacetForm::Outer { n } => {
                self.exact(state, law)?;
                if let Some(planar) = law.set().and_then(|set| set.planar()) {
                    *law = planar.outer_polygon(n)?.into();
                }
            }
            FacetForm::Polar { n } => {
                let mut corners = vec![DVec2::ZERO];
                for i in 0..n {
                    let d = DVec2::from_angle(TAU * i as f64 / n as f64);
                    corners.push(d * self.mu(state, d)?[0].x);
                }
                *law = Polygon::hull(corners).into();
            }
        }
        Ok(())
    }
}

impl Catalogued for Facets {
    const NAME: &'static str = "facets";
    const SUMMARY: &'static str = "friction from the facets of both surfaces (normal maps): anisotropic and asymmetric";

    fn examples() -> Vec<Self> {
        let forms = [
            FacetForm::Exact { merge: 0.0 },
            FacetForm::Exact { merge: 1e-3 },
            FacetForm::Box,
            FacetForm::Outer { n: 16 },
            FacetForm::Polar { n: 16 },
        ];
        let axes = [BoxAxes::World, BoxAxes::Structure, BoxAxes::Slip, BoxAxes::Frictionless];
        let boxed = axes.map(|axes| Self { mu0: 0.1.into(), form: FacetForm::Box, axes, ..Self::default() });
        forms.map(|form| Self { mu0: 0.1.into(), form, ..Self::default() }).into_iter().chain(boxed).collect()
    }
}
