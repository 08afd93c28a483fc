//! Zonotope plus disk: F = Σ [0, p_i] + disk(r), the exact limit surface of friction from surface facets.
//!
//! h(d) = r|d| + Σ max(0, p_i·d). The sum of segments is a polygon with two edges for each direction: sorted by angle
//! and laid end to end, the generators are its boundary. Projection: nearest point of the polygon, then a step of at
//! most r towards the point.
//!
//! **Merging.** Replacing the generators of an angular sector by their sum P makes the set smaller (segments of a
//! sum lie in the sum of segments), so h drops by at most e(d) = min(Σ⁺, Σ⁻), the sums of positive and negative
//! p_i·d: zero unless d is across the sector, and largest for d ⟂ P, where it is ½ Σ |p_i × P|/|P|. Sectors do not
//! overlap, so at most two of them (opposite ones) err at the same d: the stated bound is the sum of the two largest e.

use glam::{DMat2, DVec2};
use serde::{Deserialize, Serialize};

use super::planar::{PlanarSet, ProjectionDerivative};
use super::polygon::{Feature, Polygon, feature_derivative};
use super::{Catalogued, ConvexSet};
use crate::error::{FrictionError, finite2, non_negative};
use crate::tangential::Tangential;

/// Σ [0, p_i] + disk(radius).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "ZonotopeData", into = "ZonotopeData")]
pub struct Zonotope {
    pub(crate) generators: Vec<DVec2>,
    pub(crate) radius: f64,
    /// The zonotope without the disk.
    core: Polygon,
    /// Generators turned into the upper half-plane, by angle: edges of `core`. Kept for its storage.
    edges: Vec<DVec2>,
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

/// What merging did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Merged {
    /// How many generators are left.
    pub generators: usize,
    /// How much the coefficient dropped at most, in any direction. It never rises.
    pub bound: f64,
}

/// Angular resolution of merging: finer than any sector that a useful tolerance leaves.
const BINS: usize = 512;

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
        Self { generators: Vec::new(), radius: 0.0, core: Polygon { vertices: vec![DVec2::ZERO] }, edges: Vec::new() }
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
            if p.y < 0.0 || (p.y == 0.0 && p.x < 0.0) {
                at += *p;
                self.edges.push(-*p);
            } else if *p != DVec2::ZERO {
                self.edges.push(*p);
            }
        }
        self.edges.sort_unstable_by(|a, b| b.perp_dot(*a).total_cmp(&0.0));
        // Parallel ones are one edge.
        self.edges.dedup_by(|next, kept| {
            let parallel = kept.perp_dot(*next) == 0.0;
            if parallel {
                *kept += *next;
            }
            parallel
        });
        let vertices = &mut self.core.vertices;
        vertices.clear();
        if self.edges.is_empty() {
            vertices.push(DVec2::ZERO);
            return;
        }
        for edge in &self.edges {
            vertices.push(at);
            at += *edge;
        }
        if self.edges.len() == 1 {
            vertices.push(at);
            return;
        }
        for edge in &self.edges {
            vertices.push(at);
            at -= *edge;
        }
    }

    /// Merges generators whose directions are close, as long as no sector errs by more than `tolerance`/2: the
    /// coefficient drops by at most the bound that is returned, which is at most `tolerance`, or what a sector of
    /// 2π/512 costs if that is more.
    pub fn merge(&mut self, tolerance: f64) -> Merged {
        let mut sums = [DVec2::ZERO; BINS];
        for p in &self.generators {
            sums[bin(*p)] += *p;
        }
        // A chain with total turning δ and chord |P| stays within (|P|/2) tan(δ/2) of its chord.
        let mut sector_of = [0u16; BINS];
        let mut sectors = [DVec2::ZERO; BINS];
        let mut count = 0usize;
        let mut first = 0;
        for (i, sum) in sums.iter().enumerate() {
            if *sum == DVec2::ZERO {
                continue;
            }
            let fits = count > 0 && i - first < BINS / 8 && {
                let chord = (sectors[count - 1] + *sum).length();
                let turning = (i + 1 - first) as f64 * (std::f64::consts::TAU / BINS as f64);
                0.5 * chord * (0.5 * turning).tan() <= 0.5 * tolerance
            };
            if !fits {
                count += 1;
                first = i;
            }
            sectors[count - 1] += *sum;
            sector_of[i] = (count - 1) as u16;
        }
        let mut error = [0.0f64; BINS];
        for p in &self.generators {
            let s = sector_of[bin(*p)] as usize;
            error[s] += p.perp_dot(sectors[s]).abs();
        }
        let (mut largest, mut second) = (0.0f64, 0.0f64);
        for s in 0..count {
            let length = sectors[s].length();
            let e = if length > 0.0 { 0.5 * error[s] / length } else { 0.0 };
            if e > largest {
                (largest, second) = (e, largest);
            } else {
                second = second.max(e);
            }
        }
        self.generators.clear();
        self.generators.extend_from_slice(&sectors[..count]);
        self.rebuild();
        Merged { generators: count, bound: largest + second }
    }
}

/// The bin of a direction: angle by the diamond measure y/(|x|+|y|), which increases with the angle.
#[inline]
fn bin(p: DVec2) -> usize {
    let size = p.x.abs() + p.y.abs();
    if size == 0.0 {
        return 0;
    }
    let y = p.y / size;
    let turn = if p.x >= 0.0 { if y >= 0.0 { y } else { 4.0 + y } } else { 2.0 - y };
    ((turn * (BINS / 4) as f64) as usize).min(BINS - 1)
}

impl ConvexSet for Zonotope {
    fn rows(&self) -> usize {
        2
    }

    #[inline]
    fn support_point(&self, d: Tangential) -> Tangential {
        let mut sum = d.plane.normalize_or_zero() * self.radius;
        for p in &self.generators {
            if p.dot(d.plane) > 0.0 {
                sum += *p;
            }
        }
        Tangential::planar(sum)
    }

    #[inline]
    fn support(&self, d: Tangential) -> f64 {
        self.generators.iter().fold(self.radius * d.plane.length(), |h, p| h + p.dot(d.plane).max(0.0))
    }

    #[inline]
    fn project(&self, load: f64, f: Tangential) -> Tangential {
        let (p, feature) = self.core.nearest(load, f.plane);
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

    fn radius(&self) -> f64 {
        self.radius + self.core.radius()
    }

    fn scale(&mut self, k: f64) {
        self.radius *= k;
        self.core.scale(k);
        for p in self.generators.iter_mut().chain(&mut self.edges) {
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
    fn project_derivative(&self, load: f64, f: DVec2) -> ProjectionDerivative {
        let (q, feature) = self.core.nearest(load, f);
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
