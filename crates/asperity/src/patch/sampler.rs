//! Both patches of a contact.

use std::sync::Arc;

use asperity_friction::model::PatchWindow;
use asperity_friction::{ContactFrame, CountedSlope, Side};
use glam::{DVec2, DVec3};

use super::grid::Grid;
use super::map::{FacetMap, FacetTexel, facet_slope};
use super::piece::Seen;
use super::run::Run;
use super::slopes::PatchSlopes;
use crate::geometry::{Pose, SkinLookup};

/// Depth of the volume beyond the overlap, as a part of its width.
const SLACK: f64 = 0.01;

/// Nobody covers the pixel.
const NONE: u32 = u32::MAX;

/// A surface at a contact.
#[derive(Clone, Copy, Debug)]
pub struct PatchSide<'a> {
    /// Of the body.
    pub pose: Pose,
    /// Its skin.
    pub skin: &'a Arc<SkinLookup>,
    /// Its facets.
    pub map: Option<&'a Arc<FacetMap>>,
}

impl<'a> PatchSide<'a> {
    /// The map, where the skin has the coordinates to look it up by.
    fn facets(&self) -> Option<&'a FacetMap> {
        self.map.filter(|_| self.skin.textured()).map(Arc::as_ref)
    }
}

/// A contact of two surfaces.
#[derive(Clone, Copy, Debug)]
pub struct PatchContact<'a> {
    /// Half way between the surfaces, in the world.
    pub point: DVec3,
    /// Its frame, n from B to A.
    pub frame: ContactFrame,
    /// Between the surfaces; negative for an overlap.
    pub gap: f64,
    /// The surfaces.
    pub a: PatchSide<'a>,
    /// The other one.
    pub b: PatchSide<'a>,
}

/// One surface in the grid.
#[derive(Clone, Debug, Default)]
struct Layer {
    pieces: Vec<Seen>,
    /// Whether there is one piece, which covers one run of a row at most. The lists of pixels are then not filled.
    single: bool,
    /// What it covers, row by row.
    runs: Vec<Run>,
    /// Whether that is all.
    full: bool,
    /// Which piece each pixel shows.
    owner: Vec<u32>,
    /// Heights of the pixels.
    height: Vec<f64>,
}

/// Samples patches; keeps its storage.
#[derive(Clone, Debug, Default)]
pub struct PatchSampler {
    layers: [Layer; 2],
    /// What both surfaces cover.
    common: Vec<Run>,
}

impl Layer {
    /// Finds what each pixel shows of the surface.
    fn draw(&mut self, side: &PatchSide, grid: &Grid) {
        let pixels = grid.count * grid.count;
        self.pieces.clear();
        let pieces = &mut self.pieces;
        let map = side.facets();
        side.skin.pieces(&grid.bounds(), grid.outward, &mut |pose, piece| {
            pieces.extend(Seen::new(grid, pose, &piece, map));
        });
        self.runs.clear();
        self.single = match &self.pieces[..] {
            [piece] if piece.is_convex() => {
                self.full = piece.runs(grid, &mut self.runs);
                true
            }
            _ => false,
        };
        if self.single {
            return;
        }
        self.owner.clear();
        self.owner.resize(pixels, NONE);
        self.height.clear();
        self.height.resize(pixels, f64::NEG_INFINITY);
        for (number, piece) in self.pieces.iter().enumerate() {
            piece.runs(grid, &mut self.runs);
            for Run { row, from, to } in self.runs.drain(..) {
                let first = row as usize * grid.count;
                let pixels = first + from as usize..first + to as usize;
                piece.draw(from, row, number as u32, &mut self.height[pixels.clone()], &mut self.owner[pixels]);
            }
        }
        let rows = (0..grid.count as u32).map(|row| Run { row, from: 0, to: grid.count as u32 });
        cut(&self.owner, grid.count, rows, &mut self.runs);
    }

    /// Slopes of the pixels of these runs, all of which it covers.
    fn slopes(&self, map: Option<&FacetMap>, runs: &[Run], count: usize, out: &mut PatchSlopes) {
        let total = runs.iter().map(|run| (run.to - run.from) as usize).sum();
        if self.single {
            return self.pieces[0].slopes(map, runs, total, out);
        }
        let mut out = out.each(total);
        for &Run { row, from, to } in runs {
            let (first, mut i) = (row as usize * count, from as usize);
            while i < to as usize {
                let owner = self.owner[first + i];
                let run =
                    self.owner[first + i..first + to as usize].iter().take_while(|other| **other == owner).count();
                let (here, rest) = out.split_at_mut(run);
                let heights = &self.height[first + i..first + i + run];
                self.pieces[owner as usize].row(map, i, row as usize, heights, here);
                out = rest;
                i += run;
            }
        }
    }
}

/// Parts of runs whose pixels have an owner.
fn cut(owner: &[u32], count: usize, runs: impl Iterator<Item = Run>, out: &mut Vec<Run>) {
    for Run { row, from, to } in runs {
        let row_owner = &owner[row as usize * count..][..count];
        let mut next = from;
        while next < to {
            let covered = |i: &u32| row_owner[*i as usize] != NONE;
            let from = (next..to).find(covered).unwrap_or(to);
            next = (from..to).find(|i| !covered(i)).unwrap_or(to);
            out.extend((from < next).then_some(Run { row, from, to: next }));
        }
    }
}

/// What both layers cover.
fn common(first: &Layer, second: &Layer, count: usize, out: &mut Vec<Run>) {
    out.clear();
    if second.single && second.full {
        return out.extend_from_slice(&first.runs);
    }
    if first.single && first.full {
        return out.extend_from_slice(&second.runs);
    }
    if !second.single {
        return cut(&second.owner, count, first.runs.iter().copied(), out);
    }
    if !first.single {
        return cut(&first.owner, count, second.runs.iter().copied(), out);
    }
    let mut others = second.runs.iter().peekable();
    for run in &first.runs {
        while others.next_if(|other| other.row < run.row).is_some() {}
        if let Some(other) = others.peek().filter(|other| other.row == run.row) {
            let (from, to) = (run.from.max(other.from), run.to.min(other.to));
            if from < to {
                out.push(Run { row: run.row, from, to });
            }
        }
    }
}

impl PatchSampler {
    /// Writes the slopes of A and B in the contact plane (t, b): as many of each, one a pixel that both surfaces cover. Answers with how many
    /// pixels there were; none means that the contact's own point stands for the patch.
    pub fn sample(
        &mut self,
        window: PatchWindow,
        contact: &PatchContact,
        a: &mut PatchSlopes,
        b: &mut PatchSlopes,
    ) -> usize {
        let size = [window.width, contact.gap.abs() + SLACK * window.width];
        let (n, count) = (contact.frame.normal(), window.resolution as usize);
        let mut covered = 0;
        if window.width > 0.0 && contact.point.is_finite() && size[1].is_finite() {
            let [first, second] = &mut self.layers;
            let grid =
                |side: &PatchSide, outward| Grid::new(&side.pose, &contact.frame, outward, contact.point, size, count);
            first.draw(&contact.a, &grid(&contact.a, -n));
            second.draw(&contact.b, &grid(&contact.b, n));
            common(first, second, count, &mut self.common);
            covered = self.common.iter().map(|run| (run.to - run.from) as usize).sum();
            first.slopes(contact.a.facets(), &self.common, count, a);
            second.slopes(contact.b.facets(), &self.common, count, b);
        }
        if covered == 0 {
            a.count(std::iter::once(CountedSlope { slope: point_slope(contact, Side::A), texels: 1 }));
            b.count(std::iter::once(CountedSlope { slope: point_slope(contact, Side::B), texels: 1 }));
        }
        covered
    }
}

/// The slope of the facet at the point of the skin that the contact is at.
fn point_slope(contact: &PatchContact, side: Side) -> DVec2 {
    let (surface, outward) = match side {
        Side::A => (&contact.a, -contact.frame.normal()),
        Side::B => (&contact.b, contact.frame.normal()),
    };
    let pose = &surface.pose;
    let at = surface.skin.at(pose.unapply(contact.point), pose.rotation.conjugate() * outward);
    let mut m = at.normal;
    let mut weight = 1.0;
    if let Some(map) = surface.facets() {
        let [u, v] = surface.skin.gradients(&at);
        let images = map.images(DVec2::new(u.length(), v.length()));
        let FacetTexel { numbers: texel, weight: part } = map.at(at.uv * images);
        let axes = [at.tangent, at.normal.cross(at.tangent)];
        let [u, v] = map.columns(axes, [u * images.x, v * images.y]);
        m += u * texel.x + v * texel.y;
        weight = part;
    }
    let m = pose.rotation * m;
    facet_slope(contact.frame.to_plane(m), m.dot(outward)) * weight
}
