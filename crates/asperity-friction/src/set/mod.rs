//! Friction sets: the convex set F that holds the tangential impulse of a contact with unit normal impulse.
//!
//! With normal impulse λn (the *load*) the tangential impulse on A lies in λn·F. Everything a solver or a person asks
//! of a law follows from two operations:
//!
//! * the support function h_F(d) = max { f·d : f ∈ F }: sliding with slip v dissipates λn h_F(−v);
//! * the projection onto λn·F: the nearest admissible impulse.
//!
//! The cone is K = { (s, f) : s ≥ 0, f ∈ s F }, its polar K° = { (n, f) : h_F(f) ≤ −n }.
//! All sets are compact and contain the origin, so that friction never drives: h_F ≥ 0.
//!
//! ```
//! use asperity_friction::Tangential;
//! use asperity_friction::set::{ConvexSet, Disk};
//! use glam::DVec2;
//! # fn main() -> Result<(), asperity_friction::FrictionError> {
//! let disk = Disk::new(0.5)?;
//! // Under load 10 the impulse is at most 5: one of 8 is brought back to the edge.
//! let nearest = disk.project(10.0, Tangential::planar(DVec2::new(8.0, 0.0)));
//! assert_eq!(nearest.plane, DVec2::new(5.0, 0.0));
//! # Ok(())
//! # }
//! ```
//!
//! To add a set: one file that implements [`ConvexSet`] and [`Catalogued`], and its two lines below.

mod asymmetric_box;
mod cone;
mod derivative;
mod disk;
mod ellipse;
mod ellipse_sum;
mod ellipsoid;
mod polygon;
mod quadric;
mod rolling;
mod rotation;
mod zonotope;

use glam::{DMat2, DMat3, DVec2, DVec3};
use serde::{Deserialize, Serialize};

pub use asymmetric_box::AsymmetricBox;
pub use cone::{CONE_ROWS, ConePlace, ConeProjection};
pub use derivative::{ProjectionDerivative, TangentialDerivative};
pub use disk::Disk;
pub use ellipse::Ellipse;
pub use ellipse_sum::EllipseSum;
pub use ellipsoid::Ellipsoid;
pub use polygon::{PlanarSet, Polygon};
pub use rolling::Rolling;
pub use zonotope::{Merged, Zonotope};

pub(crate) use rotation::rotate;

use crate::tangential::Tangential;

/// A compact convex set that contains the origin, in the space of [`Tangential`].
pub trait ConvexSet {
    /// How many tangential rows the set needs: 2 (t, b), 3 (+ spin) or 5 (+ rolling). Zero elsewhere.
    fn rows(&self) -> usize;

    /// A point of the set that is furthest along `d`; any point of the set for d = 0.
    fn support_point(&self, d: Tangential) -> Tangential;

    /// The point of load·F nearest to `f`. The load is not negative.
    fn project(&self, load: f64, f: Tangential) -> Tangential;

    /// Derivatives of the projection of `f` onto load·F. Without load the set is a point, which grows towards the
    /// support point of `f`.
    fn derivative(&self, load: f64, f: Tangential) -> TangentialDerivative;

    /// Projection and derivatives in the contact plane together, which cost less than one after the other. Without spin
    /// and rolling.
    #[inline]
    fn planar_projection(&self, load: f64, f: DVec2) -> PlanarProjection {
        let f = Tangential::planar(f);
        let d = self.derivative(load, f);
        let column = |k: usize| DVec2::new(d.by_force[0][k], d.by_force[1][k]);
        let by_force = DMat2::from_cols(column(0), column(1));
        let by_load = DVec2::new(d.by_load[0], d.by_load[1]);
        let derivative = ProjectionDerivative { by_force, by_load };
        PlanarProjection { point: self.project(load, f).plane, derivative }
    }

    /// h_F(d), the largest inner product of `d` with a point of the set.
    #[inline]
    fn support(&self, d: Tangential) -> f64 {
        self.support_point(d).dot(d)
    }

    /// The point of the cone K nearest to (n, f).
    fn project_cone(&self, n: f64, f: Tangential) -> ConePoint {
        cone::project_by_load(self, n, f)
    }

    /// The same with its derivative, an element of the generalised Jacobian.
    fn cone_projection(&self, n: f64, f: Tangential) -> ConeProjection {
        cone::differentiate(self, n, f)
    }

    /// Coefficient of friction against sliding along the unit direction `d`: h_F(−d).
    #[inline]
    fn coefficient(&self, d: DVec2) -> f64 {
        self.support(Tangential::planar(-d))
    }

    /// The impulse that brakes `slip` most, at this load.
    #[inline]
    fn max_dissipation(&self, load: f64, slip: Tangential) -> Tangential {
        self.support_point(-slip) * load
    }

    /// Whether `f` lies in load·F, give or take `tolerance`.
    fn contains(&self, load: f64, f: Tangential, tolerance: f64) -> bool {
        (f - self.project(load, f)).length() <= tolerance
    }

    /// A radius of a ball about the origin that holds the set.
    fn radius(&self) -> f64 {
        let b = self.bounds();
        let reach = |i: usize| b.lower.to_array()[i].abs().max(b.upper.to_array()[i]);
        (0..self.rows()).map(|i| reach(i) * reach(i)).sum::<f64>().sqrt()
    }

    /// The unit direction of the contact plane that the set calls its first axis.
    fn axis(&self) -> DVec2 {
        DVec2::X
    }

    /// The smallest box around the set that is aligned with [`ConvexSet::axis`]: what a box solver clamps to.
    fn bounds(&self) -> AxisBounds {
        let axis = self.axis();
        let mut lower = [0.0; 5];
        let mut upper = [0.0; 5];
        for i in 0..self.rows() {
            let mut e = [0.0; 5];
            e[i] = 1.0;
            let mut d = Tangential::from_array(e);
            d.plane = rotate(axis, d.plane);
            d.roll = rotate(axis, d.roll);
            upper[i] = self.support(d);
            lower[i] = -self.support(-d);
        }
        AxisBounds { axis, lower: Tangential::from_array(lower), upper: Tangential::from_array(upper) }
    }

    /// The same set k times as large (k ≥ 0), in place.
    fn scale(&mut self, k: f64);

    /// Moments (spin and rolling) multiplied by k: with k = 1/L they are measured in forces at the arm L, so that
    /// distances, and with them projections, do not depend on the unit of length.
    fn scale_moments(&mut self, k: f64);

    /// The implicit function, when the set has a smooth one.
    fn implicit(&self) -> Option<&dyn ImplicitSet> {
        None
    }

    /// What only sets of the plane can do: polygons around and inside, derivative of the projection.
    fn planar(&self) -> Option<&dyn PlanarSet> {
        None
    }
}

/// A point (s, f) of the cone K.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConePoint {
    /// The normal impulse s.
    pub load: f64,
    /// The tangential impulse f, in s·F.
    pub force: Tangential,
}

/// A projection in the contact plane, and its derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarProjection {
    /// The nearest point p.
    pub point: DVec2,
    /// ∂p/∂x and ∂p/∂λ.
    pub derivative: ProjectionDerivative,
}

/// An axis-aligned box: bounds of the components in the frame (axis, axis turned by 90°).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisBounds {
    /// First axis of the box in the contact plane.
    pub axis: DVec2,
    /// Lower bounds for unit load, at most zero.
    pub lower: Tangential,
    /// Upper bounds for unit load, at least zero.
    pub upper: Tangential,
}

/// φ(f, λn) and its derivatives, over (t, b, spin); φ ≤ 0 inside the cone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Implicit {
    /// φ.
    pub value: f64,
    /// ∂φ/∂f.
    pub gradient: DVec3,
    /// ∂φ/∂λn.
    pub by_load: f64,
    /// ∂²φ/∂f².
    pub hessian: DMat3,
    /// ∂²φ/∂λn².
    pub by_load_twice: f64,
}

/// A set whose boundary is the zero level of a smooth function: what a Newton solver differentiates.
pub trait ImplicitSet {
    /// φ(f, λn) = Σ (f_i / μ_i)² − λn² and its derivatives (Erleben et al. 2020, eq. 16).
    fn implicit_at(&self, load: f64, f: Tangential) -> Implicit;
}

/// What the catalogue says of a set or a model; the conformance tests run over its examples.
pub trait Catalogued: Sized {
    /// Name in files and on the command line.
    const NAME: &'static str;
    /// One line that says what it is.
    const SUMMARY: &'static str;
    /// Instances that the conformance tests try: ordinary, extreme and degenerate.
    fn examples() -> Vec<Self>;
}

/// One line of a catalogue.
#[derive(Clone, Copy, Debug)]
pub struct CatalogueEntry<T> {
    /// Name in files and on the command line.
    pub name: &'static str,
    /// One line that says what it is.
    pub summary: &'static str,
    /// Instances that the conformance tests try.
    pub examples: fn() -> Vec<T>,
}

macro_rules! friction_sets {
    ($($set:ident),* $(,)?) => {
        /// Any of the sets, as plain data.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "set", rename_all = "snake_case")]
        pub enum FrictionSet {
            $(#[doc = "See the type of the same name."] $set($set),)*
        }

        /// Every set there is.
        pub const SETS: &[CatalogueEntry<FrictionSet>] = &[
            $(CatalogueEntry {
                name: $set::NAME,
                summary: $set::SUMMARY,
                examples: || $set::examples().into_iter().map(FrictionSet::$set).collect(),
            },)*
        ];

        impl FrictionSet {
            /// Name in files and on the command line.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$set(_) => $set::NAME,)* }
            }
        }

        impl ConvexSet for FrictionSet {
            #[inline]
            fn rows(&self) -> usize {
                match self { $(Self::$set(s) => s.rows(),)* }
            }
            #[inline]
            fn support_point(&self, d: Tangential) -> Tangential {
                match self { $(Self::$set(s) => s.support_point(d),)* }
            }
            #[inline]
            fn project(&self, load: f64, f: Tangential) -> Tangential {
                match self { $(Self::$set(s) => s.project(load, f),)* }
            }
            #[inline]
            fn derivative(&self, load: f64, f: Tangential) -> TangentialDerivative {
                match self { $(Self::$set(s) => s.derivative(load, f),)* }
            }
            #[inline]
            fn planar_projection(&self, load: f64, f: DVec2) -> PlanarProjection {
                match self { $(Self::$set(s) => s.planar_projection(load, f),)* }
            }
            #[inline]
            fn contains(&self, load: f64, f: Tangential, tolerance: f64) -> bool {
                match self { $(Self::$set(s) => s.contains(load, f, tolerance),)* }
            }
            #[inline]
            fn support(&self, d: Tangential) -> f64 {
                match self { $(Self::$set(s) => s.support(d),)* }
            }
            fn project_cone(&self, n: f64, f: Tangential) -> ConePoint {
                match self { $(Self::$set(s) => s.project_cone(n, f),)* }
            }
            fn cone_projection(&self, n: f64, f: Tangential) -> ConeProjection {
                match self { $(Self::$set(s) => s.cone_projection(n, f),)* }
            }
            fn radius(&self) -> f64 {
                match self { $(Self::$set(s) => s.radius(),)* }
            }
            fn axis(&self) -> DVec2 {
                match self { $(Self::$set(s) => s.axis(),)* }
            }
            fn bounds(&self) -> AxisBounds {
                match self { $(Self::$set(s) => s.bounds(),)* }
            }
            fn scale(&mut self, k: f64) {
                match self { $(Self::$set(s) => s.scale(k),)* }
            }
            fn scale_moments(&mut self, k: f64) {
                match self { $(Self::$set(s) => s.scale_moments(k),)* }
            }
            fn implicit(&self) -> Option<&dyn ImplicitSet> {
                match self { $(Self::$set(s) => s.implicit(),)* }
            }
            fn planar(&self) -> Option<&dyn PlanarSet> {
                match self { $(Self::$set(s) => s.planar(),)* }
            }
        }

        $(impl From<$set> for FrictionSet {
            fn from(set: $set) -> Self {
                Self::$set(set)
            }
        })*
    };
}

friction_sets!(Disk, Ellipse, Ellipsoid, AsymmetricBox, Polygon, Zonotope, EllipseSum, Rolling);
