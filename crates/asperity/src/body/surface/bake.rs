//! A field as a texture: the line at every texel that the skin covers.
//!
//! Triangles of the skin are filled into the square of texture coordinates. At the middle of a texel the place on the surface, its normal n
//! and tangent t are known, and the field's direction s gives the texel d = (s·t, s·(n × t)). Texels around the charts of a mesh are filled
//! from their neighbours, so that a filter of two texels never meets empty ones at a border.

use asperity_friction::FrictionError;
use asperity_friction::field::line;
use glam::{DVec2, DVec3};

use super::Surface;
use crate::geometry::{Shape, SkinLookup, SkinMesh};

/// Segments of a full circle: a chord is then off by 5·10⁻⁵ of the radius.
const RESOLUTION: u32 = 320;
/// Lines at one texel may differ by this much, in radians, and still be one.
const SAME: f64 = 0.02;
/// Part of the texels where they may differ by more: those on the edges of charts.
const EDGES: f64 = 0.02;
/// How far charts are continued, in texels.
const MARGIN: usize = 2;
/// A direction whose part in the surface is smaller than this stands upright.
const UPRIGHT: f64 = 1e-6;

/// A field that cannot be baked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BakeError {
    /// The surface has no texture coordinates.
    #[error("this {shape} has no texture coordinates, so there is no image to bake into")]
    NoCoordinates {
        /// The kind of shape.
        shape: &'static str,
    },
    /// Several places of the surface share a texel and have different directions.
    #[error(
        "{texels} texels belong to several places with different directions (faces of a box or the ends of a cylinder share \
         one square): choose a face"
    )]
    Shared {
        /// How many.
        texels: usize,
    },
    /// No part of the surface looks that way.
    #[error("no face looks that way")]
    NoFace,
    /// The field has no value somewhere.
    #[error(transparent)]
    Field(#[from] FrictionError),
}

/// Which part of the skin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum BakePart {
    /// All of it.
    #[default]
    Whole,
    /// What looks along this direction, within 30°.
    Face(DVec3),
}

/// Lines of `side` by `side` texels, rows from the top, as [`write_texture`](super::write_texture) takes them.
pub fn bake(
    surface: &Surface,
    shape: &Shape,
    side: u32,
    time: f64,
    part: BakePart,
) -> Result<Vec<Option<DVec2>>, BakeError> {
    let lookup = SkinLookup::new(shape);
    if !lookup.textured() {
        return Err(BakeError::NoCoordinates { shape: shape.name() });
    }
    let skin = shape.skin(RESOLUTION);
    let mut canvas = Canvas { side: side as usize, lines: vec![None; side as usize * side as usize], shared: 0 };
    let mut any = false;
    for triangle in &skin.triangles {
        let [a, b, c] = triangle.map(|i| skin.positions[i as usize]);
        let flat = (b - a).cross(c - a).normalize_or_zero();
        if let BakePart::Face(direction) = part
            && flat.dot(direction.normalize_or_zero()) < 0.866
        {
            continue;
        }
        any = true;
        canvas.fill(&skin, triangle, |position| {
            let at = lookup.at(position, flat);
            let s = surface.structure_at(&at, time)?;
            let d = DVec2::new(s.dot(at.tangent), s.dot(at.normal.cross(at.tangent)));
            Ok(if d.length() <= UPRIGHT * s.length() { DVec2::ZERO } else { line::halved(line::doubled(d)) })
        })?;
    }
    if !any {
        return Err(BakeError::NoFace);
    }
    let covered = canvas.lines.iter().flatten().count();
    if canvas.shared as f64 > EDGES * covered as f64 {
        return Err(BakeError::Shared { texels: canvas.shared });
    }
    canvas.widen();
    Ok(canvas.lines)
}

struct Canvas {
    side: usize,
    lines: Vec<Option<DVec2>>,
    /// Texels that were given two different lines.
    shared: usize,
}

impl Canvas {
    /// Sets the texels whose middles lie in a triangle, in texture coordinates.
    fn fill(
        &mut self,
        skin: &SkinMesh,
        triangle: &[u32; 3],
        line: impl Fn(DVec3) -> Result<DVec2, FrictionError>,
    ) -> Result<(), FrictionError> {
        let n = self.side as f64;
        // In texels, the middle of the first at 0; rows go down.
        let [p, q, r] = triangle.map(|i| skin.uvs[i as usize]).map(|uv| DVec2::new(uv.x, 1.0 - uv.y) * n - 0.5);
        let whole = (q - p).perp_dot(r - p);
        if whole == 0.0 {
            return Ok(());
        }
        let (low, high) = (p.min(q).min(r).floor(), p.max(q).max(r).ceil());
        let corners = triangle.map(|i| skin.positions[i as usize]);
        // Coordinates far outside repeat the image: more than one image is not filled twice.
        let rows = (low.y as i64)..=(high.y as i64).min(low.y as i64 + self.side as i64);
        for row in rows {
            for column in (low.x as i64)..=(high.x as i64).min(low.x as i64 + self.side as i64) {
                let at = DVec2::new(column as f64, row as f64);
                let w = [(r - q).perp_dot(at - q), (p - r).perp_dot(at - r), (q - p).perp_dot(at - p)];
                let w = w.map(|x| x / whole);
                // A little more than the triangle, or rounding would leave out texels on its edges.
                if w.iter().any(|x| *x < -1e-9) {
                    continue;
                }
                let side = self.side as i64;
                let index = (row.rem_euclid(side) * side + column.rem_euclid(side)) as usize;
                let found = line(corners[0] * w[0] + corners[1] * w[1] + corners[2] * w[2])?;
                match self.lines[index] {
                    Some(known) if differ(known, found) => self.shared += 1,
                    Some(_) => {}
                    None => self.lines[index] = Some(found),
                }
            }
        }
        Ok(())
    }

    /// Gives empty texels beside others their mean line.
    fn widen(&mut self) {
        let side = self.side as i64;
        for _ in 0..MARGIN {
            let old = self.lines.clone();
            for (index, texel) in self.lines.iter_mut().enumerate().filter(|(_, texel)| texel.is_none()) {
                let (row, column) = (index as i64 / side, index as i64 % side);
                let around = (-1..=1).flat_map(|i| (-1..=1).map(move |j| (row + i, column + j)));
                let inside = around.filter(|(i, j)| (0..side).contains(i) && (0..side).contains(j));
                let near: Vec<DVec2> = inside.filter_map(|(i, j)| old[(i * side + j) as usize]).collect();
                if !near.is_empty() {
                    *texel = Some(line::halved(near.iter().map(|d| line::doubled(*d)).sum()));
                }
            }
        }
    }
}

fn differ(a: DVec2, b: DVec2) -> bool {
    match (a == DVec2::ZERO, b == DVec2::ZERO) {
        (true, true) => false,
        (false, false) => a.perp_dot(b).abs() > SAME,
        _ => true,
    }
}
