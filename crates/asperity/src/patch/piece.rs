//! Pieces of a skin as the grid sees them: which pixels they cover, and what slopes they have there.

use glam::{DVec2, DVec3};

use super::grid::{Coordinates, Grid, Linear};
use super::map::{FacetMap, STEEPEST, facet_slope};
use crate::geometry::{FlatPiece, Outline, Piece, Pose, RoundPiece};

/// How far outside of its edges a piece still covers, in pixels, so that rounding leaves no seam between neighbours.
const SEAM: f64 = 1e-9;

/// The skin's frame, with the columns of the map: m = normal + a u + b v, along (t, b, outward).
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
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

impl Frame {
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
    form: Form,
}

#[derive(Clone, Copy, Debug)]
enum Form {
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
    Tilted(Frame),
}

impl FlatFrame {
    fn new(frame: Frame, map: Option<&FacetMap>) -> Self {
        frame.in_plane(map).map_or(Self::Tilted(frame), Self::InPlane)
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
                Some(Self { height, coordinates, form: Form::Round(*round, grid) })
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
        Some(Self { height, coordinates: Coordinates { u, v }, form: Form::Flat(frame, edges) })
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
            Form::Flat(FlatFrame::new(frame, map), Edges::Three(weights))
        } else {
            let [normals, tangents] = [normals, tangents].map(|list| list.map(|v| grid.seen(v)));
            let handed = grid.t.cross(grid.b).dot(grid.outward).signum();
            let gradients = gradients.map(|g| grid.seen(g));
            Form::Smooth(Corners { weights, normals, tangents, gradients, handed })
        };
        Some(Self { height, coordinates, form })
    }

    /// Whether it covers all pixels of the grid.
    pub(super) fn covers_all(&self, grid: &Grid) -> bool {
        let last = grid.count as f64 - 1.0;
        let least = |f: &Linear| f.c + f.x.min(0.0) * last + f.y.min(0.0) * last;
        let most = |f: &Linear| f.c + f.x.max(0.0) * last + f.y.max(0.0) * last;
        let inside = match &self.form {
            Form::Flat(_, Edges::Endless) => true,
            Form::Flat(_, Edges::Three(edges)) => edges.iter().all(|edge| least(edge) >= 0.0),
            Form::Smooth(corners) => corners.weights.iter().all(|edge| least(edge) >= 0.0),
            Form::Flat(_, Edges::Four(edges)) => edges.iter().all(|edge| least(edge) >= 0.0),
            Form::Flat(_, Edges::Disc(..)) | Form::Round(..) => false,
        };
        inside && least(&self.height) >= -grid.half_depth && most(&self.height) <= grid.half_depth
    }

    /// The pixels of row j that lie inside its edges and inside the volume: from, to.
    #[inline]
    pub(super) fn span(&self, j: usize, grid: &Grid) -> Option<(usize, usize)> {
        let row = j as f64;
        let (mut from, mut to) = (0.0, grid.count as f64 - 1.0);
        let mut clip = |edge: &Linear| edge.clip(row, SEAM * (edge.x.abs() + edge.y.abs()), &mut from, &mut to);
        match &self.form {
            Form::Flat(_, Edges::Three(edges)) => edges.iter().for_each(&mut clip),
            Form::Smooth(corners) => corners.weights.iter().for_each(&mut clip),
            Form::Flat(_, Edges::Four(edges)) => edges.iter().for_each(&mut clip),
            Form::Flat(_, Edges::Endless | Edges::Disc(..)) | Form::Round(..) => {}
        }
        if !matches!(self.form, Form::Round(..)) {
            let Linear { c, x, y } = self.height;
            clip(&Linear { c: grid.half_depth + c, x, y });
            clip(&Linear { c: grid.half_depth - c, x: -x, y: -y });
        }
        (from <= to).then(|| (from.ceil() as usize, to.floor() as usize + 1))
    }

    /// Height at a pixel of the span; none if the piece does not cover it all the same.
    #[inline]
    pub(super) fn height(&self, i: usize, j: usize) -> Option<f64> {
        let (x, y) = (i as f64, j as f64);
        match &self.form {
            Form::Flat(_, Edges::Disc([u, v], most)) => {
                let (u, v) = (u.at(x, y), v.at(x, y));
                (u * u + v * v <= *most).then(|| self.height.at(x, y))
            }
            Form::Round(round, grid) => {
                let height = round.last_hit(grid.place(x, y, 0.0), grid.outward)?;
                (height.abs() <= grid.half_depth).then_some(height)
            }
            _ => Some(self.height.at(x, y)),
        }
    }

    /// Writes the slopes of the pixels from (i, j) on along the row.
    #[inline]
    pub(super) fn slopes(&self, map: Option<&FacetMap>, i: usize, j: usize, out: &mut [DVec2]) {
        let (x, y) = (i as f64, j as f64);
        match (&self.form, map) {
            (Form::Flat(frame, _), None) => out.fill(match frame {
                FlatFrame::InPlane(frame) => facet_slope(frame.columns[0], 1.0),
                FlatFrame::Tilted(frame) => frame.slope([0.0; 2], 1.0),
            }),
            (Form::Flat(frame, _), Some(map)) => {
                let (start, step, count) = (self.coordinates.at(x, y), self.coordinates.step(), out.len());
                match frame {
                    FlatFrame::InPlane(PlaneFrame { columns: [normal, u, v], gentle }) => {
                        if *gentle && map.write_row(start, step, [*normal, *u, *v], out) {
                            return;
                        }
                        map.walk(start, step, count, |k, [a, b], weight| {
                            let p = *normal + *u * f64::from(a) + *v * f64::from(b);
                            out[k] = facet_slope(p, 1.0) * f64::from(weight);
                        });
                    }
                    FlatFrame::Tilted(frame) => {
                        map.walk(start, step, count, |k, texel, weight| out[k] = frame.slope(texel, weight));
                    }
                }
            }
            (Form::Smooth(corners), _) => {
                let count = out.len();
                let visit = |k: usize, texel, weight| {
                    out[k] = corners.frame(map, x + k as f64, y).slope(texel, weight);
                };
                match map {
                    Some(map) => map.walk(self.coordinates.at(x, y), self.coordinates.step(), count, visit),
                    None => flat_texels(count, visit),
                }
            }
            (Form::Round(round, grid), _) => {
                for (k, out) in out.iter_mut().enumerate() {
                    let x = x + k as f64;
                    let height = round.last_hit(grid.place(x, y, 0.0), grid.outward).unwrap_or(0.0);
                    let at = round.point(grid.place(x, y, height));
                    let axes = [at.tangent, at.normal.cross(at.tangent)];
                    let growth = round.growth(&at);
                    let images = map.map_or(DVec2::ONE, |map| map.images(growth));
                    let growth = growth * images;
                    let frame = frame(grid, at.normal, axes, [axes[0] * growth.x, axes[1] * growth.y], map);
                    let (texel, weight) = map.map_or((DVec2::ZERO, 1.0), |map| map.at(at.uv * images));
                    *out = frame.slope([texel.x as f32, texel.y as f32], weight as f32);
                }
            }
        }
    }
}

/// Flat facets of full weight.
fn flat_texels(count: usize, mut visit: impl FnMut(usize, [f32; 2], f32)) {
    (0..count).for_each(|k| visit(k, [0.0; 2], 1.0));
}

/// The frame of a skin along (t, b, outward).
fn frame(grid: &Grid, normal: DVec3, axes: [DVec3; 2], gradients: [DVec3; 2], map: Option<&FacetMap>) -> Frame {
    let [u, v] = map.map_or([DVec3::ZERO; 2], |map| map.columns(axes, gradients));
    Frame { u: grid.seen(u), v: grid.seen(v), normal: grid.seen(normal) }
}

impl Corners {
    /// The interpolated frame: the normal made unit, the tangent unit and at a right angle to it.
    #[inline]
    fn frame(&self, map: Option<&FacetMap>, x: f64, y: f64) -> Frame {
        let [a, b, c] = self.weights.map(|weight| weight.at(x, y));
        let mixed = |v: &[DVec3; 3]| v[0] * a + v[1] * b + v[2] * c;
        let normal = mixed(&self.normals).normalize_or(DVec3::Z);
        let tangent = mixed(&self.tangents).reject_from_normalized(normal).normalize_or_zero();
        let bitangent = normal.cross(tangent) * self.handed;
        let [u, v] = map.map_or([DVec3::ZERO; 2], |map| map.columns([tangent, bitangent], self.gradients));
        Frame { u, v, normal }
    }
}
