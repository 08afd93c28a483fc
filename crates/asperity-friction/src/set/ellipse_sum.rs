//! Disk plus ellipses: the limit surface of facets whose slopes are Gaussian, without sampling them.
//!
//! h(d) = r|d| + Σ h_i(d), and so the boundary point with outward normal d is the sum of the parts' and the radius of
//! curvature there the sum of theirs: ρ(d) = r + Σ (a_i b_i)²/h_i(d)³ for unit d and semi-axes a_i, b_i.
//!
//! **Projection.** The distance of x from λF is the maximum over unit d of D(d) = x·d − λ h(d), if positive, and the
//! nearest point is x − D d. D is concave; on the line x̂ + t x̂⊥ its derivative decreases, which tells the side of
//! the maximum wherever D ≤ 0; and where D > 0, D/|d| has one maximum, whose side its derivative tells. So a
//! bracket on the angle of d always shrinks, and Newton's method (slope −(D + λρ)) ends the search.

use std::f64::consts::FRAC_PI_2;

use glam::{DMat2, DVec2};
use serde::{Deserialize, Serialize};

use super::derivative::ProjectionDerivative;
use super::polygon::PlanarSet;
use super::{Catalogued, ConvexSet, Ellipse, TangentialDerivative};
use crate::error::{FrictionError, non_negative};
use crate::tangential::Tangential;

/// disk(radius) + ellipse + ellipse.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "EllipseSumData")]
pub struct EllipseSum {
    pub(crate) radius: f64,
    pub(crate) ellipses: [Ellipse; 2],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EllipseSumData {
    radius: f64,
    ellipses: [Ellipse; 2],
}

impl TryFrom<EllipseSumData> for EllipseSum {
    type Error = FrictionError;
    fn try_from(data: EllipseSumData) -> Result<Self, FrictionError> {
        Self::new(data.radius, data.ellipses)
    }
}

/// A place of the boundary.
struct Boundary {
    /// h(d).
    h: f64,
    /// ∇h(d), the point itself.
    point: DVec2,
    /// Radius of curvature.
    curve: f64,
}

/// Where a point outside lies, seen from the nearest point of the set.
#[derive(Clone, Copy)]
struct Separation {
    /// The unit outward normal at the nearest point.
    d: DVec2,
    /// The distance.
    gap: f64,
}

impl EllipseSum {
    /// From the disk's radius and the ellipses.
    pub fn new(radius: f64, ellipses: [Ellipse; 2]) -> Result<Self, FrictionError> {
        Ok(Self { radius: non_negative("radius", radius)?, ellipses })
    }

    /// The boundary where its outward normal is the unit vector `d`.
    #[inline]
    fn boundary(&self, d: DVec2) -> Boundary {
        let (mut h, mut point, mut curve) = (self.radius, d * self.radius, self.radius);
        for e in &self.ellipses {
            let s = e.support(Tangential::planar(d));
            if s > 0.0 {
                let area = e.mu[0] * e.mu[1] / s;
                h += s;
                point += e.support_point(Tangential::planar(d)).plane;
                curve += area * area / s;
            }
        }
        Boundary { h, point, curve }
    }

    /// The nearest point to `x`, given the normal there and the distance: the boundary point with that normal; where
    /// the boundary is straight, the point of the edge at the level of `x`; where it is nearly so and `x` close, back
    /// from `x` by the distance. Whichever suffers least from round-off in the normal.
    fn nearest(&self, load: f64, x: DVec2, Separation { d, gap }: Separation) -> DVec2 {
        let (mut point, mut half_edge) = (d * self.radius, 0.0);
        for e in &self.ellipses {
            if is_edge(e, d) {
                half_edge += e.radius();
            } else {
                point += e.support_point(Tangential::planar(d)).plane;
            }
        }
        if half_edge == 0.0 {
            return if load * self.boundary(d).curve < gap { point * load } else { x - d * gap };
        }
        let t = d.perp();
        let along = (x - point * load).dot(t);
        point * load + t * along.clamp(-half_edge * load, half_edge * load)
    }

    /// The direction of the set if it is a segment (zero if it is a point); `None` if it has an inside.
    fn line(&self) -> Option<DVec2> {
        if self.radius > 0.0 || self.ellipses.iter().any(|e| e.mu[0] > 0.0 && e.mu[1] > 0.0) {
            return None;
        }
        let [p, q] = self.ellipses.map(|e| if e.mu[0] > 0.0 { e.axis * e.mu[0] } else { e.axis.perp() * e.mu[1] });
        let crossed = p.perp_dot(q).abs() > 4.0 * f64::EPSILON * p.length() * q.length();
        (!crossed).then(|| if p == DVec2::ZERO { q } else { p }.normalize_or_zero())
    }

    /// Where x lies, seen from the nearest point of load·F; `None` inside.
    fn separation(&self, load: f64, x: DVec2) -> Option<Separation> {
        let ahead = x.normalize_or_zero();
        if ahead == DVec2::ZERO {
            return None;
        }
        let (mut low, mut high) = (-FRAC_PI_2, FRAC_PI_2);
        let mut last_width = high - low;
        let mut angle: f64 = 0.0;
        let mut best = None;
        for iteration in 0..200 {
            let (sin, cos) = angle.sin_cos();
            let d = ahead * cos + ahead.perp() * sin;
            let Boundary { h, point, curve } = self.boundary(d);
            let gap = x.dot(d) - load * h;
            let rest = x - point * load;
            let side = if gap > 0.0 { d.perp().dot(rest) } else { ahead.perp().dot(rest) };
            if side > 0.0 {
                low = angle;
            } else {
                high = angle;
            }
            let width = high - low;
            // Where the boundary is flat the derivative jumps and Newton's method alone would not close the bracket.
            let bisect = iteration % 3 == 2 && width > 0.5 * last_width;
            if iteration % 3 == 2 {
                last_width = width;
            }
            let mut next = 0.5 * (low + high);
            if gap > 0.0 {
                best = Some(Separation { d, gap });
                let newton = angle + side / (gap + load * curve);
                if (newton - angle).abs() <= 2.0 * f64::EPSILON || side == 0.0 {
                    return best;
                }
                if !bisect && newton > low && newton < high {
                    next = newton;
                }
            } else {
                // Concave in t = tan(angle): the tangent bounds D/cos from above over the whole bracket.
                let slope = side;
                let t = angle.tan();
                let reach = if slope > 0.0 { high.tan() - t } else { low.tan() - t };
                if gap / cos + slope * reach <= 0.0 {
                    return None;
                }
            }
            if width <= 2.0 * f64::EPSILON {
                break;
            }
            angle = next;
        }
        best
    }
}

/// Whether an ellipse is a segment across `d`: it adds a straight edge to the boundary there.
fn is_edge(e: &Ellipse, d: DVec2) -> bool {
    e.mu[0] * e.mu[1] == 0.0 && e.radius() > 0.0 && e.support(Tangential::planar(d)) <= 1e-9 * e.radius()
}

impl ConvexSet for EllipseSum {
    fn rows(&self) -> usize {
        2
    }

    fn support_point(&self, d: Tangential) -> Tangential {
        let unit = d.plane.normalize_or_zero();
        if unit == DVec2::ZERO {
            return Tangential::ZERO;
        }
        // On a straight edge, the point nearest to the origin.
        Tangential::planar(self.nearest(1.0, DVec2::ZERO, Separation { d: unit, gap: f64::INFINITY }))
    }

    fn support(&self, d: Tangential) -> f64 {
        self.radius * d.plane.length() + self.ellipses[0].support(d) + self.ellipses[1].support(d)
    }

    fn project(&self, load: f64, f: Tangential) -> Tangential {
        if load * self.radius() == 0.0 {
            return Tangential::ZERO;
        }
        match self.separation(load, f.plane) {
            Some(separation) => Tangential::planar(self.nearest(load, f.plane, separation)),
            None => Tangential::planar(f.plane),
        }
    }

    fn derivative(&self, load: f64, f: Tangential) -> TangentialDerivative {
        self.project_derivative(load, f.plane).into()
    }

    fn radius(&self) -> f64 {
        self.radius + self.ellipses[0].radius() + self.ellipses[1].radius()
    }

    fn scale(&mut self, k: f64) {
        self.radius *= k;
        self.ellipses.iter_mut().for_each(|e| e.scale(k));
    }

    fn scale_moments(&mut self, _k: f64) {}

    fn planar(&self) -> Option<&dyn PlanarSet> {
        Some(self)
    }
}

impl PlanarSet for EllipseSum {
    /// Along the boundary, x = p + D d and dp = ρ dθ, dx_t = (ρ + D) dθ.
    fn loaded_derivative(&self, load: f64, f: DVec2) -> ProjectionDerivative {
        let Some(separation) = self.separation(load, f) else {
            let along = |t: DVec2| DMat2::from_cols(t * t.x, t * t.y);
            return self.line().map_or(ProjectionDerivative::INSIDE, |t| ProjectionDerivative {
                by_force: along(t),
                by_load: DVec2::ZERO,
            });
        };
        let Separation { d, gap } = separation;
        let curve = load * self.boundary(d).curve;
        let keep = if self.ellipses.iter().any(|e| is_edge(e, d)) { 1.0 } else { curve / (curve + gap) };
        let t = d.perp();
        let by_force = DMat2::from_cols(t * t.x, t * t.y) * keep;
        ProjectionDerivative::homogeneous(load, f, self.nearest(load, f, separation), by_force)
    }

    fn curvature_radius(&self, d: DVec2) -> Option<f64> {
        let segment = |e: &Ellipse| e.radius() > 0.0 && e.mu[0] * e.mu[1] == 0.0;
        (!self.ellipses.iter().any(segment)).then(|| self.boundary(d).curve)
    }
}

impl Catalogued for EllipseSum {
    const NAME: &'static str = "ellipse_sum";
    const SUMMARY: &'static str = "disk plus two ellipses: facets with Gaussian slopes, without samples";

    fn examples() -> Vec<Self> {
        let turned = |a: f64, b: f64, angle: f64| Ellipse { mu: [a, b], axis: DVec2::from_angle(angle) };
        let none = turned(0.0, 0.0, 0.0);
        vec![
            Self { radius: 0.1, ellipses: [turned(0.4, 0.1, 0.3), turned(0.2, 0.5, 1.0)] },
            Self { radius: 0.0, ellipses: [turned(1.0, 1e-4, 0.5), turned(1e-3, 0.2, 0.2)] },
            Self { radius: 0.2, ellipses: [turned(0.3, 0.1, 0.0), none] },
            Self { radius: 0.3, ellipses: [none, none] },
            Self { radius: 0.0, ellipses: [turned(0.3, 0.0, 0.4), turned(0.2, 0.0, 2.0)] },
            Self { radius: 0.0, ellipses: [turned(0.0, 0.3, 0.4), none] },
            Self { radius: 0.0, ellipses: [none, none] },
        ]
    }
}
