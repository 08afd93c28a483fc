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
use super::{Catalogued, ConvexSet, TangentialDerivative};
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
    /// Angular bin of each generator, and what is merged already, while they are merged. Kept for their storage.
    bins: Vec<u16>,
    pieces: Vec<Piece>,
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
            pieces: Vec::new(),
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
    /// is at most `relative` times the largest coefficient.
    ///
    /// Directions are sorted into narrow bins first; a bin that would cost too much by itself is taken apart again. Sectors
    /// are cut at the axes and grown away from ±t in each quadrant, so that a contact seen from the other body, mirrored, is
    /// cut in the same way.
    pub fn merge(&mut self, relative: f64) -> Merged {
        let mut sums = [DVec2::ZERO; BINS];
        self.bins.clear();
        self.bins.extend(self.generators.iter().map(|p| {
            let i = bin(*p);
            sums[i as usize] += *p;
            i
        }));
        let lengths: f64 = sums.iter().filter(|sum| **sum != DVec2::ZERO).map(|sum| sum.length()).sum();
        // The largest coefficient is at least the mean over directions, r + Σ|p|/π. At most two sectors err at once.
        let tolerance = 0.5 * relative * (self.radius + lengths / std::f64::consts::PI);
        self.pieces.clear();
        let mut wide = false;
        for (i, sum) in sums.iter().enumerate().filter(|(_, sum)| **sum != DVec2::ZERO) {
            let from = (i % QUADRANT) as f64 / QUADRANT as f64;
            // The turning within a bin is a bound already; what lies along an axis does not turn.
            let error = if i < AXES { chord_height(sum.length(), 1.0 / QUADRANT as f64) } else { 0.0 };
            wide |= error > tolerance;
            // Each axis has a bin of its own, and so a quadrant.
            let quadrant = if i < AXES { i / QUADRANT } else { i };
            self.pieces.push(Piece { quadrant, from, to: from + 1.0 / QUADRANT as f64, sum: *sum, error });
        }
        if wide {
            self.part_wide_bins(&sums, tolerance);
        }
        self.generators.clear();
        let (mut largest, mut second) = (0.0f64, 0.0f64);
        let mut start = 0;
        while start < self.pieces.len() {
            let first = self.pieces[start];
            let (mut sum, mut end) = (first.sum, start + 1);
            while let Some(next) = self.pieces.get(end) {
                let x = next.to - first.from;
                let height = chord_height(1.0, x);
                let together = sum + next.sum;
                let fits = next.quadrant == first.quadrant && first.quadrant < 4 && x < 0.5;
                if !fits || height * height * together.length_squared() > tolerance * tolerance {
                    break;
                }
                sum = together;
                end += 1;
            }
            let error = sector_error(&self.pieces[start..end], sum);
            if error > largest {
                (largest, second) = (error, largest);
            } else {
                second = second.max(error);
            }
            self.generators.push(sum);
            start = end;
        }
        self.rebuild();
        Merged { generators: self.generators.len(), bound: largest + second }
    }

    /// Looks at the bins whose turning alone would allow too much: what their generators really cost, and takes those apart
    /// that cost too much.
    fn part_wide_bins(&mut self, sums: &[DVec2; BINS], tolerance: f64) {
        let mut errors = [0.0f64; BINS];
        for (p, i) in self.generators.iter().zip(&self.bins) {
            errors[*i as usize] += p.perp_dot(sums[*i as usize]).abs();
        }
        for (error, sum) in errors.iter_mut().zip(sums) {
            let length = sum.length();
            *error = if length > 0.0 { 0.5 * *error / length } else { 0.0 };
        }
        let place = |piece: &Piece| {
            if piece.quadrant < 4 {
                piece.quadrant * QUADRANT + (piece.from * QUADRANT as f64) as usize
            } else {
                piece.quadrant
            }
        };
        for piece in &mut self.pieces {
            piece.error = piece.error.min(errors[place(piece)]);
        }
        self.pieces.retain(|piece| piece.error <= tolerance);
        let whole = self.pieces.len();
        for (p, i) in self.generators.iter().zip(&self.bins) {
            let length = sums[*i as usize].length();
            let error = errors[*i as usize].min(chord_height(length, 1.0 / QUADRANT as f64));
            if (*i as usize) < AXES && error > tolerance {
                let at = from_t(*p);
                self.pieces.push(Piece { quadrant: *i as usize / QUADRANT, from: at, to: at, sum: *p, error: 0.0 });
            }
        }
        if self.pieces.len() > whole {
            self.pieces.sort_unstable_by(|a, b| a.quadrant.cmp(&b.quadrant).then(a.from.total_cmp(&b.from)));
        }
    }
}

/// A chain with total turning δ and chord |P| stays within (|P|/2) tan(δ/2) of its chord. δ/2 is at most the step x in the measure of
/// the angle, and tan x < x + x³/2 for x < 1/2.
#[inline]
fn chord_height(length: f64, x: f64) -> f64 {
    0.5 * length * x * (1.0 + 0.5 * x * x)
}

/// Generators that are merged already, between two angles of a quadrant.
#[derive(Clone, Copy, Debug)]
struct Piece {
    quadrant: usize,
    from: f64,
    to: f64,
    sum: DVec2,
    /// How much merging them cost.
    error: f64,
}

/// How much it costs to replace the pieces of a sector by their sum: what they cost by themselves (one of them at a time),
/// and the distance of their chain from its chord.
fn sector_error(pieces: &[Piece], sum: DVec2) -> f64 {
    let length = sum.length();
    let own = pieces.iter().fold(0.0f64, |m, p| m.max(p.error));
    if pieces.len() < 2 || length == 0.0 {
        return own;
    }
    let apart: f64 = pieces.iter().map(|p| p.sum.perp_dot(sum).abs()).sum();
    let x = pieces[pieces.len() - 1].to - pieces[0].from;
    // The chain of all generators is bounded by its turning, too.
    (own + 0.5 * apart / length).min(chord_height(length, x))
}

/// Bins per quadrant.
const QUADRANT: usize = 64;
/// First of the bins for directions exactly along an axis.
const AXES: usize = 4 * QUADRANT;
const BINS: usize = AXES + 4;

/// |y|/(|x|+|y|): grows with the angle from the t axis, by at most half of it.
#[inline]
fn from_t(p: DVec2) -> f64 {
    p.y.abs() / (p.x.abs() + p.y.abs())
}

/// The bin of a direction: by quadrant, then by the angle from the t axis; exact axis directions have bins of their own.
#[inline]
fn bin(p: DVec2) -> u16 {
    let quadrant = usize::from(p.x < 0.0) + 2 * usize::from(p.y < 0.0);
    if p.x == 0.0 || p.y == 0.0 {
        let along_b = usize::from(p.x == 0.0);
        return (AXES + 2 * along_b + usize::from(p.x + p.y < 0.0)) as u16;
    }
    (quadrant * QUADRANT + ((from_t(p) * QUADRANT as f64) as i32).min(QUADRANT as i32 - 1) as usize) as u16
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
