//! Zonotope plus disk: F = Σ [0, p_i] + disk(r), the exact limit surface of friction from surface facets.
//!
//! h(d) = r|d| + Σ max(0, p_i·d). The sum of segments is a polygon with two edges for each direction: sorted by angle
//! and laid end to end, the generators are its boundary. Projection: nearest point of the polygon, then a step of at
//! most r towards the point.
//!
//! Generators of similar direction can be merged, within a stated bound: see `merge`.

mod bins;
mod merge;

use glam::{DMat2, DVec2};
use serde::{Deserialize, Serialize};

use merge::Scratch;

use super::derivative::ProjectionDerivative;
use super::polygon::{Feature, Nearest, PlanarSet, Polygon, feature_derivative, load_of_cone};
use super::{Catalogued, ConePoint, ConvexSet, TangentialDerivative, cone};
use crate::error::{FrictionError, finite2, non_negative};
use crate::tangential::Tangential;

/// Σ [0, p_i] + disk(radius).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "ZonotopeData", into = "ZonotopeData")]
pub struct Zonotope {
    pub(crate) generators: Vec<DVec2>,
    pub(crate) radius: f64,
    /// The zonotope without the disk.
    core: Polygon,
    /// Generators turned into the upper half-plane with a measure of their angle, sorted by it: edges of `core`. Kept
    /// for its storage.
    edges: Vec<(f64, DVec2)>,
    /// While generators are merged. Kept for its storage.
    scratch: Scratch,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ZonotopeData {
    generators: Vec<DVec2>,
    #[serde(default)]
    radius: f64,
}

impl TryFrom<ZonotopeData> for Zonotope {
    type Error = FrictionError;
    fn try_from(data: ZonotopeData) -> Result<Self, FrictionError> {
        Self::new(data.generators, data.radius)
    }
}

impl From<Zonotope> for ZonotopeData {
    fn from(set: Zonotope) -> Self {
        Self { generators: set.generators, radius: set.radius }
    }
}

/// The same generators and disk; storage that is kept for reuse does not count.
impl PartialEq for Zonotope {
    fn eq(&self, other: &Self) -> bool {
        self.generators == other.generators && self.radius == other.radius
    }
}

/// What merging did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Merged {
    /// How many generators are left.
    pub generators: usize,
    /// How much the coefficient dropped at most, in any direction. It never rises.
    pub bound: f64,
}

impl Zonotope {
    /// From the segments' ends `generators` and the radius of the disk.
    pub fn new(generators: Vec<DVec2>, radius: f64) -> Result<Self, FrictionError> {
        for p in &generators {
            finite2("generator", *p)?;
        }
        let mut set = Self::empty();
        set.generators = generators;
        set.radius = non_negative("radius", radius)?;
        set.rebuild();
        Ok(set)
    }

    /// The point set {0}, to be filled.
    pub(crate) fn empty() -> Self {
        Self {
            generators: Vec::new(),
            radius: 0.0,
            core: Polygon::of(vec![DVec2::ZERO]),
            edges: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// The generators.
    pub fn generators(&self) -> &[DVec2] {
        &self.generators
    }

    /// Radius of the disk.
    pub fn disk_radius(&self) -> f64 {
        self.radius
    }

    /// The polygon without the disk.
    pub fn core(&self) -> &Polygon {
        &self.core
    }

    /// Makes the polygon anew after the generators changed. Allocates only to grow.
    pub(crate) fn rebuild(&mut self) {
        self.edges.clear();
        // The vertex that is furthest down (and left): the sum of the generators that point there.
        let mut at = DVec2::ZERO;
        for p in &self.generators {
            let down = p.y < 0.0 || (p.y == 0.0 && p.x < 0.0);
            let edge = if down { -*p } else { *p };
            if down {
                at += *p;
            }
            // Grows with the angle from 0 to 180 degrees; a total order even of numbers that make no sense.
            let angle = -edge.x / (edge.x.abs() + edge.y);
            if edge != DVec2::ZERO {
                self.edges.push((angle, edge));
            }
        }
        self.edges.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        // Parallel ones are one edge.
        self.edges.dedup_by(|next, kept| {
            let parallel = kept.1.perp_dot(next.1) == 0.0;
            if parallel {
                kept.1 += next.1;
            }
            parallel
        });
        self.core.lay(at, self.edges.iter().map(|(_, edge)| *edge));
    }
}

impl ConvexSet for Zonotope {
    fn rows(&self) -> usize {
        2
    }

    #[inline]
    fn support_point(&self, d: Tangential) -> Tangential {
        let d = d.plane;
        let mut sum = d.normalize_or_zero() * self.radius;
        // Generators across d make an edge, of which every point is as far: the one that does not push aside is taken.
        let across = d.perp();
        let (mut low, mut high) = (0.0, 0.0);
        for p in &self.generators {
            let along = p.dot(d);
            if along.abs() <= 4.0 * f64::EPSILON * (p.abs() * d.abs()).element_sum() {
                let aside = p.dot(across);
                low += aside.min(0.0);
                high += aside.max(0.0);
            } else if along > 0.0 {
                sum += *p;
            }
        }
        if low < high {
            let aside = sum.dot(across);
            sum += across * ((-aside).clamp(low, high) / d.length_squared());
        }
        Tangential::planar(sum)
    }

    #[inline]
    fn support(&self, d: Tangential) -> f64 {
        self.generators.iter().fold(self.radius * d.plane.length(), |h, p| h + p.dot(d.plane).max(0.0))
    }

    #[inline]
    fn project(&self, load: f64, f: Tangential) -> Tangential {
        let Nearest { point: p, feature } = self.core.nearest(load, f.plane);
        if feature == Feature::Inside {
            return Tangential::planar(f.plane);
        }
        let out = f.plane - p;
        let distance = out.length();
        let reach = self.radius * load;
        if distance <= reach {
            return Tangential::planar(f.plane);
        }
        Tangential::planar(p + out * (reach / distance))
    }

    fn project_cone(&self, n: f64, f: Tangential) -> ConePoint {
        cone::project_with(self, n, f, |most| load_of_cone(&self.core, self.radius, n, f.plane, most))
    }

    fn derivative(&self, load: f64, f: Tangential) -> TangentialDerivative {
        self.project_derivative(load, f.plane).into()
    }

    fn radius(&self) -> f64 {
        self.radius + self.core.radius()
    }

    fn scale(&mut self, k: f64) {
        self.radius *= k;
        self.core.scale(k);
        for p in &mut self.generators {
            *p *= k;
        }
    }

    fn scale_moments(&mut self, _k: f64) {}

    fn planar(&self) -> Option<&dyn PlanarSet> {
        Some(self)
    }
}

impl PlanarSet for Zonotope {
    /// p = q + r λ o, with q on the polygon and o the unit vector from q to x: dp = dq + (rλ/|x − q|)(dx − dq)_⟂o.
    fn loaded_derivative(&self, load: f64, f: DVec2) -> ProjectionDerivative {
        let Nearest { point: q, feature } = self.core.nearest(load, f);
        let out = f - q;
        let distance = out.length();
        let reach = self.radius * load;
        if feature == Feature::Inside || distance < reach {
            return ProjectionDerivative::INSIDE;
        }
        if distance == 0.0 {
            return ProjectionDerivative::homogeneous(load, f, q, feature_derivative(feature));
        }
        let o = out / distance;
        let across = o.perp();
        let dq = feature_derivative(feature);
        let turn = DMat2::from_cols(across * across.x, across * across.y) * (reach / distance);
        let p = q + o * reach;
        ProjectionDerivative::homogeneous(load, f, p, dq + turn * (DMat2::IDENTITY - dq))
    }

    fn curvature_radius(&self, _d: DVec2) -> Option<f64> {
        self.generators.is_empty().then_some(self.radius)
    }
}

impl Catalogued for Zonotope {
    const NAME: &'static str = "zonotope";
    const SUMMARY: &'static str = "sum of segments plus a disk: exactly what surface facets (normal maps) resist with";

    fn examples() -> Vec<Self> {
        let make = |generators: &[[f64; 2]], radius: f64| {
            let mut set = Self::empty();
            set.generators = generators.iter().map(|p| DVec2::from_array(*p)).collect();
            set.radius = radius;
            set.rebuild();
            set
        };
        let spread: Vec<[f64; 2]> = (0..40)
            .map(|i| (DVec2::from_angle(2.4 * f64::from(i)) * (0.01 + 0.001 * f64::from(i))).to_array())
            .collect();
        vec![
            make(&[[0.4, 0.1], [-0.1, 0.3], [0.05, -0.2]], 0.2),
            make(&[[0.3, 0.0], [-0.05, 0.0]], 0.0),
            make(&[[0.3, 0.0], [0.1, 0.0], [0.0, 1e-5]], 1e-5),
            make(&spread, 0.05),
            make(&spread, 0.0),
            make(&[], 0.3),
            make(&[], 0.0),
        ]
    }
}
