//! Both patches of a contact.

use std::sync::Arc;

use asperity_friction::model::PatchWindow;
use asperity_friction::{ContactFrame, Side};
use glam::{DVec2, DVec3};

use super::grid::Grid;
use super::map::{FacetMap, facet_slope};
use super::piece::Seen;
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
    /// Whether there is one piece, which all pixels show; the other lists are then not filled.
    whole: bool,
    /// Which of them each pixel shows.
    owner: Vec<u32>,
    /// Their heights, where there are several pieces.
    height: Vec<f64>,
}

/// Samples patches; keeps its storage.
#[derive(Clone, Debug, Default)]
pub struct PatchSampler {
    layers: [Layer; 2],
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
        self.whole = matches!(&self.pieces[..], [piece] if piece.covers_all(grid));
        if self.whole {
            return;
        }
        self.owner.clear();
        self.owner.resize(pixels, NONE);
        self.height.resize(pixels, 0.0);
        for (number, piece) in self.pieces.iter().enumerate() {
            for j in 0..grid.count {
                let Some((from, to)) = piece.span(j, grid) else { continue };
                let row = j * grid.count;
                for i in from..to {
                    let Some(height) = piece.height(i, j) else { continue };
                    let pixel = row + i;
                    if self.owner[pixel] == NONE || height > self.height[pixel] {
                        (self.owner[pixel], self.height[pixel]) = (number as u32, height);
                    }
                }
            }
        }
    }

    /// Which piece a pixel shows.
    #[inline]
    fn owner(&self, pixel: usize) -> u32 {
        if self.whole { 0 } else { self.owner[pixel] }
    }

    /// Slopes of the pixels that `other` covers too, in their order.
    fn slopes(&self, map: Option<&FacetMap>, other: &Self, count: usize, out: &mut Vec<DVec2>) {
        // What is left over from the last patch is written over.
        out.resize(count * count, DVec2::ZERO);
        let mut first = 0;
        for j in 0..count {
            if self.whole && other.whole {
                self.pieces[0].slopes(map, 0, j, &mut out[first..first + count]);
                first += count;
                continue;
            }
            let row = j * count;
            let (own, theirs) = (|i| self.owner(row + i), |i| other.owner(row + i));
            let mut i = 0;
            while i < count {
                let owner = own(i);
                if owner == NONE || theirs(i) == NONE {
                    i += 1;
                    continue;
                }
                let run = (i..count).take_while(|&k| own(k) == owner && theirs(k) != NONE).count();
                self.pieces[owner as usize].slopes(map, i, j, &mut out[first..first + run]);
                first += run;
                i += run;
            }
        }
        out.truncate(first);
    }
}

impl PatchSampler {
    /// Writes the slopes of A and B in the contact plane (t, b): as many of each, one a pixel that both surfaces cover, in the same order.
    /// Answers with how many pixels there were; none means that the contact's own point stands for the patch.
    pub fn sample(
        &mut self,
        window: PatchWindow,
        contact: &PatchContact,
        a: &mut Vec<DVec2>,
        b: &mut Vec<DVec2>,
    ) -> usize {
        let size = [window.width, contact.gap.abs() + SLACK * window.width];
        let (n, count) = (contact.frame.normal(), window.resolution as usize);
        if window.width > 0.0 && contact.point.is_finite() && size[1].is_finite() {
            let [first, second] = &mut self.layers;
            let grid =
                |side: &PatchSide, outward| Grid::new(&side.pose, &contact.frame, outward, contact.point, size, count);
            first.draw(&contact.a, &grid(&contact.a, -n));
            second.draw(&contact.b, &grid(&contact.b, n));
            first.slopes(contact.a.facets(), second, count, a);
            second.slopes(contact.b.facets(), first, count, b);
        } else {
            a.clear();
            b.clear();
        }
        let covered = a.len();
        if covered == 0 {
            a.push(point_slope(contact, Side::A));
            b.push(point_slope(contact, Side::B));
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
        let (texel, part) = map.at(at.uv * images);
        let axes = [at.tangent, at.normal.cross(at.tangent)];
        let [u, v] = map.columns(axes, [u * images.x, v * images.y]);
        m += u * texel.x + v * texel.y;
        weight = part;
    }
    let m = pose.rotation * m;
    facet_slope(contact.frame.to_plane(m), m.dot(outward)) * weight
}
