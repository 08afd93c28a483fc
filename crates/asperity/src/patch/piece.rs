//! Pieces of a skin as the grid sees them: which pixels they cover, and what slopes they have there.
//!
//! Coordinates are those of the grid: (x, y) in the contact plane, z along the outward direction o of the surface. A pixel is covered where the line
//! through its centre along o meets the piece inside the volume. On flat pieces and triangles the height z, the texture coordinates and the numbers that
//! bound the piece (not negative inside) are linear in the pixel, so that each row of pixels is covered from one pixel to another: a run.
//! Round pieces are met in closed form, pixel by pixel.
//!
//! With the skin's normal n and the columns u, v (the skin's tangents for a map of slopes), a texel (a, b) with the weight w has the facet normal
//! m = n + a u + b v, and the slope
//!
//!   p = w (m_x, m_y)/m_z,   |p| clamped to [`STEEPEST`].
//!
//! Where u and v lie in the contact plane (a skin that is parallel to it), m_z = n_z is constant and is divided out once.

use asperity_friction::CountedSlope;
use glam::{DVec2, DVec3};

use super::grid::{Coordinates, Grid, Linear};
use super::map::{FacetMap, FacetTexel, ImageRow, STEEPEST, facet_slope};
use super::run::{Cuts, Run};
use super::slopes::PatchSlopes;
use crate::geometry::{FlatPiece, Outline, Piece, Pose, RoundPiece};

/// The skin's frame, with the columns of the map: m = normal + a u + b v, along (t, b, outward).
#[derive(Clone, Copy, Debug, Default)]
struct SkinFrame {
    u: DVec3,
    v: DVec3,
    normal: DVec3,
}

/// Columns that leave the contact plane by less than this part of the normal lie in it: far below the rounding of a texel.
const IN_PLANE: f64 = 1e-12;
/// A normal of a skin that leans out of the contact plane by less than this stands up.
const UPRIGHT: f64 = 1e-6;

/// A frame whose columns lie in the contact plane, with the normal's part along `outward` made one: p = normal + a u + b v needs no division.
#[derive(Clone, Copy, Debug)]
struct PlaneFrame {
    /// Normal, u and v.
    columns: [DVec2; 3],
    /// Whether no facet of the map can be as steep as [`STEEPEST`].
    gentle: bool,
}

impl SkinFrame {
    /// The same as a frame in the plane, if it is one.
    fn in_plane(&self, map: Option<&FacetMap>) -> Option<PlaneFrame> {
        let out = self.normal.z;
        // A skin that stands up has slopes that must be clamped one by one.
        let lies = out > UPRIGHT && self.u.z.abs().max(self.v.z.abs()) <= IN_PLANE * out;
        lies.then(|| {
            let columns @ [normal, u, v] = [self.normal, self.u, self.v].map(|v| v.truncate() / out);
            // |a u + b v| ≤ |(a, b)| √(|u|² + |v|²).
            let most = map.map_or(0.0, FacetMap::steepest) * (u.length_squared() + v.length_squared()).sqrt();
            PlaneFrame { columns, gentle: normal.length() + most < STEEPEST }
        })
    }

    #[inline]
    fn slope(&self, [a, b]: [f32; 2], weight: f32) -> DVec2 {
        let m = self.normal + self.u * f64::from(a) + self.v * f64::from(b);
        facet_slope(m.truncate(), m.z) * f64::from(weight)
    }
}

/// A piece in the grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    height: Linear,
    coordinates: Coordinates,
    form: PieceForm,
}

#[derive(Clone, Copy, Debug)]
enum PieceForm {
    /// With this frame everywhere.
    Flat(FlatFrame, Edges),
    /// A triangle whose frame is interpolated.
    Smooth(Corners),
    Round(RoundPiece, Grid),
}

/// The frame of a flat piece.
#[derive(Clone, Copy, Debug)]
enum FlatFrame {
    InPlane(PlaneFrame),
    Tilted(SkinFrame),
}

impl FlatFrame {
    fn new(frame: SkinFrame, map: Option<&FacetMap>) -> Self {
        frame.in_plane(map).map_or(Self::Tilted(frame), Self::InPlane)
    }

    #[inline]
    fn slope(&self, texel @ [a, b]: [f32; 2], weight: f32) -> DVec2 {
        match self {
            Self::InPlane(PlaneFrame { columns: [normal, u, v], .. }) => {
                let p = *normal + *u * f64::from(a) + *v * f64::from(b);
                facet_slope(p, 1.0) * f64::from(weight)
            }
            Self::Tilted(frame) => frame.slope(texel, weight),
        }
    }
}

/// What bounds a flat piece: numbers that are not negative inside.
#[derive(Clone, Copy, Debug)]
enum Edges {
    Endless,
    Three([Linear; 3]),
    Four([Linear; 4]),
    /// Coordinates from the centre, and the squared radius.
    Disc([Linear; 2], f64),
}

/// A triangle: its weights, and the frames of its corners along (t, b, outward).
#[derive(Clone, Copy, Debug)]
struct Corners {
    weights: [Linear; 3],
    normals: [DVec3; 3],
    tangents: [DVec3; 3],
    /// ∇u and ∇v, in images.
    gradients: [DVec3; 2],
    /// Whether (t, b, outward) is right-handed: 1 for B, −1 for A.
    handed: f64,
}

impl Seen {
    /// The piece, if it faces the contact; `grid` is in the coordinates of the body, `pose` that of the piece in them.
    pub(super) fn new(grid: &Grid, pose: &Pose, piece: &Piece, map: Option<&FacetMap>) -> Option<Self> {
        let grid = grid.in_part(pose);
        match piece {
            Piece::Flat(flat) => Self::flat(&grid, flat, map),
            Piece::Triangle(..) => Self::triangle(&grid, piece, map),
            Piece::Round(round) => {
                let (height, coordinates) = (Linear::default(), Coordinates::default());
                Some(Self { height, coordinates, form: PieceForm::Round(*round, grid) })
            }
        }
    }

    fn flat(grid: &Grid, flat: &FlatPiece, map: Option<&FacetMap>) -> Option<Self> {
        let height = grid.height(flat.centre, flat.normal)?;
        let axes = [flat.tangent, flat.normal.cross(flat.tangent)];
        let images = map.map_or(DVec2::ONE, |map| map.images(flat.growth));
        let gradients = [axes[0] * (flat.growth.x * images.x), axes[1] * (flat.growth.y * images.y)];
        let uv = flat.uv * images;
        let [u, v] = [(uv.x, gradients[0]), (uv.y, gradients[1])]
            .map(|(value, gradient)| grid.on_plane(&height, flat.centre, value, gradient));
        let along = axes.map(|axis| grid.on_plane(&height, flat.centre, 0.0, axis));
        let edges = match flat.outline {
            Outline::Endless => Edges::Endless,
            Outline::Disc(radius) => Edges::Disc(along, radius * radius),
            Outline::Rectangle(half) => {
                let [x, y] = along;
                let inside =
                    |f: Linear, half: f64, sign: f64| Linear { c: half + sign * f.c, x: sign * f.x, y: sign * f.y };
                Edges::Four([
                    inside(x, half.x, 1.0),
                    inside(x, half.x, -1.0),
                    inside(y, half.y, 1.0),
                    inside(y, half.y, -1.0),
                ])
            }
        };
        let frame = FlatFrame::new(frame(grid, flat.normal, axes, gradients, map), map);
        Some(Self { height, coordinates: Coordinates { u, v }, form: PieceForm::Flat(frame, edges) })
    }

    fn triangle(grid: &Grid, piece: &Piece, map: Option<&FacetMap>) -> Option<Self> {
        let Piece::Triangle(skin, index) = *piece else { return None };
        let corners = skin.triangles[index as usize].map(|k| k as usize);
        let (slopes, gradients) = skin.gradients(index as usize)?;
        let growth = DVec2::new(gradients[0].length(), gradients[1].length());
        let images = map.map_or(DVec2::ONE, |map| map.images(growth));
        let gradients = [gradients[0] * images.x, gradients[1] * images.y];
        let [a, b, c] = corners.map(|k| skin.positions[k]);
        let height = grid.height(a, (b - a).cross(c - a).normalize())?;
        let values = [1.0, 0.0, 0.0];
        let weights = std::array::from_fn(|k| grid.on_plane(&height, a, values[k], slopes[k]));
        let mut coordinates = Coordinates::default();
        let textured = !skin.uvs.is_empty();
        if textured {
            let first = skin.uvs[corners[0]] * images;
            coordinates.u = grid.on_plane(&height, a, first.x, gradients[0]);
            coordinates.v = grid.on_plane(&height, a, first.y, gradients[1]);
        }
        let normals = corners.map(|k| skin.normals[k]);
        let tangents = if textured { corners.map(|k| skin.tangents[k]) } else { [DVec3::ZERO; 3] };
        // To 10⁻⁹ a triangle is as good as flat.
        let same = |v: &[DVec3; 3]| v[0].distance_squared(v[1]) + v[0].distance_squared(v[2]) < 1e-18;
        let form = if same(&normals) && same(&tangents) {
            let axes = [tangents[0], normals[0].cross(tangents[0])];
            let frame = frame(grid, normals[0], axes, gradients, map);
            PieceForm::Flat(FlatFrame::new(frame, map), Edges::Three(weights))
        } else {
            let [normals, tangents] = [normals, tangents].map(|list| list.map(|v| grid.seen(v)));
            let handed = grid.t.cross(grid.b).dot(grid.outward).signum();
            let gradients = gradients.map(|g| grid.seen(g));
            PieceForm::Smooth(Corners { weights, normals, tangents, gradients, handed })
        };
        Some(Self { height, coordinates, form })
    }

    /// Whether it covers all pixels of its runs: then it covers no more than one run of a row.
    pub(super) fn is_convex(&self) -> bool {
        !matches!(self.form, PieceForm::Flat(_, Edges::Disc(..)) | PieceForm::Round(..))
    }

    /// Adds the runs of pixels that lie inside its edges and inside the volume, one a row at most. Whether that is all of them.
    pub(super) fn runs(&self, grid: &Grid, out: &mut Vec<Run>) -> bool {
        let mut cuts = Cuts::new(grid.count);
        match &self.form {
            PieceForm::Flat(_, Edges::Three(edges)) => cuts.extend(edges),
            PieceForm::Smooth(corners) => cuts.extend(&corners.weights),
            PieceForm::Flat(_, Edges::Four(edges)) => cuts.extend(edges),
            PieceForm::Flat(_, Edges::Endless | Edges::Disc(..)) | PieceForm::Round(..) => {}
        }
        if !matches!(self.form, PieceForm::Round(..)) {
            let Linear { c, x, y } = self.height;
            cuts.extend(&[Linear { c: grid.half_depth + c, x, y }, Linear { c: grid.half_depth - c, x: -x, y: -y }]);
        }
        cuts.runs(out)
    }

    /// Puts the piece of this number where it is above what is there: heights of a part of a row from pixel i on, and who has them.
    #[inline]
    pub(super) fn draw(&self, i: u32, row: u32, number: u32, heights: &mut [f64], owners: &mut [u32]) {
        let (x, y, count) = (f64::from(i), f64::from(row), owners.len());
        let mut put = |k: usize, height: f64| {
            // Not a number where there is nothing.
            if height > heights[k] {
                (heights[k], owners[k]) = (height, number);
            }
        };
        match &self.form {
            PieceForm::Flat(_, Edges::Disc([u, v], most)) => {
                for k in 0..count {
                    let x = x + k as f64;
                    let (u, v) = (u.at(x, y), v.at(x, y));
                    if u * u + v * v <= *most {
                        put(k, self.height.at(x, y));
                    }
                }
            }
            PieceForm::Round(round, grid) => {
                let mut hits = [0.0; HITS];
                for first in (0..count).step_by(HITS) {
                    let here = HITS.min(count - first);
                    let from = grid.place(x + first as f64, y, 0.0);
                    round.last_hits(from, grid.dx, grid.outward, &mut hits[..here]);
                    for (k, hit) in hits[..here].iter().enumerate().filter(|(_, hit)| hit.abs() <= grid.half_depth) {
                        put(first + k, *hit);
                    }
                }
            }
            _ => (0..count).for_each(|k| put(k, self.height.at(x + k as f64, y))),
        }
    }

    /// The slopes of the pixels of some runs, `total` of them, all of which it covers.
    pub(super) fn slopes(&self, map: Option<&FacetMap>, runs: &[Run], total: usize, out: &mut PatchSlopes) {
        if let PieceForm::Flat(frame, _) = &self.form {
            let Some(map) = map else {
                let flat = CountedSlope { slope: frame.slope([0.0; 2], 1.0), texels: total as u32 };
                return out.count(std::iter::once(flat));
            };
            let place = |run: &Run| {
                let (x, y) = (f64::from(run.from), f64::from(run.row));
                ImageRow { start: self.coordinates.at(x, y), count: (run.to - run.from) as usize }
            };
            if let Some(colors) = map.colors() {
                let counts = map.count(self.coordinates.step(), runs.iter().map(place), total as u32);
                let slopes = colors.iter().map(|(texel, weight)| frame.slope(*texel, *weight));
                return out.count(slopes.zip(counts).map(|(slope, texels)| CountedSlope { slope, texels }));
            }
            if let FlatFrame::InPlane(PlaneFrame { columns, gentle: true }) = frame
                && map.write_rows(runs.iter().map(place), self.coordinates.step(), *columns, out.each(total))
            {
                return;
            }
        }
        let mut out = out.each(total);
        for run in runs {
            let (here, rest) = out.split_at_mut((run.to - run.from) as usize);
            self.row(map, run.from as usize, run.row as usize, &[], here);
            out = rest;
        }
    }

    /// Writes the slopes of the pixels from (i, j) on along the row. Round pieces want to know their heights.
    #[inline]
    pub(super) fn row(&self, map: Option<&FacetMap>, i: usize, j: usize, heights: &[f64], out: &mut [DVec2]) {
        let (x, y) = (i as f64, j as f64);
        match (&self.form, map) {
            (PieceForm::Flat(frame, _), None) => out.fill(frame.slope([0.0; 2], 1.0)),
            (PieceForm::Flat(frame, _), Some(map)) => {
                let (start, step, count) = (self.coordinates.at(x, y), self.coordinates.step(), out.len());
                if let FlatFrame::InPlane(PlaneFrame { columns, gentle: true }) = frame
                    && map.write_rows(std::iter::once(ImageRow { start, count }), step, *columns, out)
                {
                    return;
                }
                map.walk(start, step, count, |k, texel, weight| out[k] = frame.slope(texel, weight));
            }
            (PieceForm::Smooth(corners), None) => {
                for (k, out) in out.iter_mut().enumerate() {
                    let normal = corners.normal(x + k as f64, y);
                    *out = facet_slope(normal.truncate(), normal.z);
                }
            }
            (PieceForm::Smooth(corners), Some(map)) => {
                map.walk(self.coordinates.at(x, y), self.coordinates.step(), out.len(), |k, texel, weight| {
                    out[k] = corners.frame(map, x + k as f64, y).slope(texel, weight);
                });
            }
            (PieceForm::Round(round, grid), None) => {
                for (k, (out, height)) in out.iter_mut().zip(heights).enumerate() {
                    // The length of a normal does not matter.
                    let m = grid.seen(round.outward(grid.place(x + k as f64, y, *height)));
                    *out = facet_slope(m.truncate(), m.z);
                }
            }
            (PieceForm::Round(round, grid), Some(map)) => {
                for (k, (out, height)) in out.iter_mut().zip(heights).enumerate() {
                    let at = round.point(grid.place(x + k as f64, y, *height));
                    let axes = [at.tangent, at.normal.cross(at.tangent)];
                    let growth = round.growth(&at);
                    let images = map.images(growth);
                    let growth = growth * images;
                    let frame = frame(grid, at.normal, axes, [axes[0] * growth.x, axes[1] * growth.y], Some(map));
                    let FacetTexel { numbers: texel, weight } = map.at(at.uv * images);
                    *out = frame.slope([texel.x as f32, texel.y as f32], weight as f32);
                }
            }
        }
    }
}

/// Pixels of a round piece that are looked for together.
const HITS: usize = 16;

/// The frame of a skin along (t, b, outward).
fn frame(grid: &Grid, normal: DVec3, axes: [DVec3; 2], gradients: [DVec3; 2], map: Option<&FacetMap>) -> SkinFrame {
    let [u, v] = map.map_or([DVec3::ZERO; 2], |map| map.columns(axes, gradients));
    SkinFrame { u: grid.seen(u), v: grid.seen(v), normal: grid.seen(normal) }
}

impl Corners {
    /// The interpolated normal, of any length.
    #[inline]
    fn normal(&self, x: f64, y: f64) -> DVec3 {
        self.mixed(&self.normals, self.weights.map(|weight| weight.at(x, y)))
    }

    #[inline]
    fn mixed(&self, v: &[DVec3; 3], [a, b, c]: [f64; 3]) -> DVec3 {
        v[0] * a + v[1] * b + v[2] * c
    }

    /// The interpolated frame: the normal made unit, the tangent unit and at a right angle to it.
    #[inline]
    fn frame(&self, map: &FacetMap, x: f64, y: f64) -> SkinFrame {
        let weights = self.weights.map(|weight| weight.at(x, y));
        let normal = self.mixed(&self.normals, weights).normalize_or(DVec3::Z);
        let tangent = self.mixed(&self.tangents, weights).reject_from_normalized(normal).normalize_or_zero();
        let bitangent = normal.cross(tangent) * self.handed;
        let [u, v] = map.columns([tangent, bitangent], self.gradients);
        SkinFrame { u, v, normal }
    }
}
