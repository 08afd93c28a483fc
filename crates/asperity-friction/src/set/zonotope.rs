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
    /// Angular bin of each generator, while they are merged. Kept for its storage.
    bins: Vec<u16>,
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
            core: Polygon { vertices: vec![DVec2::ZERO] },
            edges: Vec::new(),
            bins: Vec::new(),
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
        let vertices = &mut self.core.vertices;
        vertices.clear();
        if self.edges.is_empty() {
            vertices.push(DVec2::ZERO);
            return;
        }
        for (_, edge) in &self.edges {
            vertices.push(at);
            at += *edge;
        }
        if self.edges.len() == 1 {
            vertices.push(at);
            return;
        }
        for (_, edge) in &self.edges {
            vertices.push(at);
            at -= *edge;
        }
    }

    /// Merges generators whose directions are close: the coefficient drops by at most the bound that is returned, which
    /// is at most `relative` times the largest coefficient, or what the finest sectors cost if that is more.
    ///
    /// Sectors are cut at the axes and grown away from ±t in each quadrant, so that a contact seen from the other body,
    /// mirrored, is cut in the same way.
    pub fn merge(&mut self, relative: f64) -> Merged {
        let mut sums = [DVec2::ZERO; BINS];
        self.bins.clear();
        self.bins.extend(self.generators.iter().map(|p| bin(*p)));
        for (p, i) in self.generators.iter().zip(&self.bins) {
            sums[*i as usize] += *p;
        }
        // The largest coefficient is at least the mean over directions, r + Σ|p|/π.
        let lengths: f64 = sums.iter().map(|p| p.length()).sum();
        let sector_tolerance = 0.5 * relative * (self.radius + lengths / std::f64::consts::PI);
        let mut sector_of = [0u16; BINS];
        let mut sectors = [DVec2::ZERO; BINS];
        let mut count = 0usize;
        let mut first = 0;
        for (i, sum) in sums.iter().enumerate() {
            if *sum == DVec2::ZERO {
                continue;
            }
            // A chain with total turning δ and chord |P| stays within (|P|/2) tan(δ/2) of its chord. δ/2 is at most the
            // step x in the measure of the bins, and tan x < x + x³/2 for x < 1/2.
            let fits = count > 0 && i < AXES && i / QUADRANT == first / QUADRANT && {
                let chord_squared = (sectors[count - 1] + *sum).length_squared();
                let x = (i + 1 - first) as f64 / QUADRANT as f64;
                let height = 0.5 * x * (1.0 + 0.5 * x * x);
                x < 0.5 && height * height * chord_squared <= sector_tolerance * sector_tolerance
            };
            if !fits {
                count += 1;
                first = i;
            }
            sectors[count - 1] += *sum;
            sector_of[i] = (count - 1) as u16;
        }
        let mut error = [0.0f64; BINS];
        for (p, i) in self.generators.iter().zip(&self.bins) {
            let s = sector_of[*i as usize] as usize;
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

/// Angular resolution of merging, per quadrant: finer than any sector that a useful tolerance leaves.
const QUADRANT: usize = 128;
/// First of the bins for directions exactly along an axis.
const AXES: usize = 4 * QUADRANT;
const BINS: usize = AXES + 4;

/// The bin of a direction: by quadrant, then by |y|/(|x|+|y|), which grows with the angle from the t axis; exact
/// axis directions have bins of their own.
#[inline]
fn bin(p: DVec2) -> u16 {
    let quadrant = usize::from(p.x < 0.0) + 2 * usize::from(p.y < 0.0);
    if p.x == 0.0 || p.y == 0.0 {
        let along_b = usize::from(p.x == 0.0);
        return (AXES + 2 * along_b + usize::from(p.x + p.y < 0.0)) as u16;
    }
    let from_t = p.y.abs() / (p.x.abs() + p.y.abs());
    (quadrant * QUADRANT + ((from_t * QUADRANT as f64) as usize).min(QUADRANT - 1)) as u16
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
