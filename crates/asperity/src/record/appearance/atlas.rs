//! Charts: a skin unfolded into one image, whatever texture coordinates it has.
//!
//! A chart ([`Chart`]) is a connected set of triangles whose normals stay within 50° of that of its first one. It is seen along its mean normal N: with axes e₁, e₂ across N a point
//! x of it lies at ((x·e₁, x·e₂) − low)/texel. This map is linear, so that directions in the surface are mapped like points: a line along s is drawn along (s·e₁, s·e₂). Flat charts
//! keep lengths and angles. Triangles that would lie over others of their chart go to another one. Around each chart there is a margin, so that filters never mix two charts.

use glam::{DVec2, DVec3};

use super::chart::{Chart, grow, inside};
use crate::geometry::SkinMesh;

/// Texels between a chart and the edge of its rectangle; charts begin at multiples of it, so that averages over as many texels stay inside. The second is for skins of very many charts.
const MARGINS: [usize; 2] = [8, 2];
/// Factor by which texels grow until all charts fit.
const COARSER: f64 = 1.1;
/// Most texels along the side of an image.
const LONGEST_SIDE: usize = 4096;
/// Texels that are always allowed: margins of many small charts take some.
const LEAST_TEXELS: usize = 1 << 16;
/// No triangle.
pub(super) const NONE: u32 = u32::MAX;

/// A skin in an image.
#[derive(Clone, Debug)]
pub(in crate::record) struct Atlas {
    charts: Vec<Chart>,
    chart_of: Vec<u32>,
    /// Length of a texel's side, m.
    pub(in crate::record) texel: f64,
    /// Texels between a chart and the edge of its rectangle.
    pub(super) margin: usize,
    /// Texels in a row, and rows.
    pub(in crate::record) size: [usize; 2],
    /// Where the corners of each triangle are, in texels; y goes down. The middle of the first texel is (½, ½).
    pub(in crate::record) corners: Vec<[DVec2; 3]>,
}

/// A texel of a skin: a triangle, and the weights of its corners.
#[derive(Clone, Copy, Debug)]
pub(in crate::record) struct SkinTexel {
    pub(in crate::record) triangle: u32,
    pub(in crate::record) weights: [f64; 3],
}

/// What each texel of an atlas shows.
pub(super) struct Cover {
    /// The triangle of each texel, also of those in margins.
    pub(super) owner: Vec<u32>,
    /// Texels in margins, and the neighbour that each continues, from the inside out.
    pub(super) continued: Vec<[u32; 2]>,
}

impl Atlas {
    /// Unfolds a skin into texels of about this length, or longer ones if there would be more than `most`; `None` if there are too many charts for that.
    pub(super) fn new(skin: &SkinMesh, texel: f64, most: usize) -> Option<Self> {
        let most = most.max(LEAST_TEXELS);
        // The whole skin cannot have more texels than that: so far it is not worth looking for charts in finer ones.
        let texel = texel.max((skin.area() / most as f64).sqrt());
        let mut charts = grow(skin, texel);
        let Fit { texel, margin, size } = fit(&mut charts, texel, most)?;
        let mut chart_of = vec![NONE; skin.triangles.len()];
        let mut corners = vec![[DVec2::ZERO; 3]; skin.triangles.len()];
        for (number, chart) in charts.iter().enumerate() {
            let origin = DVec2::new((chart.corner[0] + margin) as f64, (chart.corner[1] + margin) as f64);
            for &t in &chart.triangles {
                chart_of[t as usize] = number as u32;
                let at = |c: u32| origin + (chart.plane(skin.positions[c as usize]) - chart.low) / texel;
                corners[t as usize] = skin.triangles[t as usize].map(at);
            }
        }
        Some(Self { charts, chart_of, texel, margin, size, corners })
    }

    /// e₁ and e₂ of the chart of a triangle.
    pub(super) fn axes(&self, triangle: u32) -> [DVec3; 2] {
        self.charts[self.chart_of[triangle as usize] as usize].axes
    }

    /// Whether two triangles are in one chart.
    #[inline]
    pub(super) fn together(&self, a: u32, b: u32) -> bool {
        self.chart_of[a as usize] == self.chart_of[b as usize]
    }

    /// Weights of the corners of a triangle at a place of the image; beyond its edges some are negative.
    #[inline]
    pub(super) fn weights(&self, triangle: u32, at: DVec2) -> [f64; 3] {
        let [p, q, r] = self.corners[triangle as usize];
        let whole = (q - p).perp_dot(r - p);
        let (b, c) = ((at - p).perp_dot(r - p) / whole, (q - p).perp_dot(at - p) / whole);
        [1.0 - b - c, b, c]
    }

    /// The triangle of every texel and where in it, row by row, margins included; `None` where there is none.
    pub(in crate::record) fn texels(&self) -> impl Iterator<Item = Option<SkinTexel>> {
        let width = self.size[0];
        self.cover().owner.into_iter().enumerate().map(move |(i, triangle)| {
            let middle = DVec2::new((i % width) as f64 + 0.5, (i / width) as f64 + 0.5);
            (triangle != NONE).then(|| SkinTexel { triangle, weights: self.weights(triangle, middle) })
        })
    }

    /// Which triangle each texel shows: the one its middle is in; in margins that of the nearest texel inside.
    pub(super) fn cover(&self) -> Cover {
        let [width, height] = self.size;
        let mut owner = vec![NONE; width * height];
        for (t, corners) in self.corners.iter().enumerate() {
            inside(*corners, |column, row| {
                let texel = &mut owner[row as usize * width + column as usize];
                if *texel == NONE {
                    *texel = t as u32;
                }
            });
        }
        let mut continued = Vec::new();
        for chart in &self.charts {
            self.continue_chart(chart, &mut owner, &mut continued);
        }
        Cover { owner, continued }
    }

    /// Gives texels of a chart's rectangle without a triangle that of a neighbour, ring by ring.
    fn continue_chart(&self, chart: &Chart, owner: &mut [u32], continued: &mut Vec<[u32; 2]>) {
        let width = self.size[0];
        let ([left, top], [columns, rows]) = (chart.corner, chart.size);
        let mut ring: Vec<[u32; 2]> = Vec::new();
        for _ in 0..self.margin {
            for row in top..top + rows {
                for column in left..left + columns {
                    let at = row * width + column;
                    if owner[at] != NONE {
                        continue;
                    }
                    let beside = [
                        (column > left).then(|| at - 1),
                        (column + 1 < left + columns).then(|| at + 1),
                        (row > top).then(|| at - width),
                        (row + 1 < top + rows).then(|| at + width),
                    ];
                    if let Some(from) = beside.into_iter().flatten().find(|&other| owner[other] != NONE) {
                        ring.push([at as u32, from as u32]);
                    }
                }
            }
            // Only now, so that a ring is one texel wide.
            ring.iter().for_each(|[to, from]| owner[*to as usize] = owner[*from as usize]);
            continued.append(&mut ring);
        }
    }
}

/// How charts fit into an image.
struct Fit {
    texel: f64,
    margin: usize,
    size: [usize; 2],
}

/// Finds texels of this length or longer ones with which all charts fit into so many; `None` if their margins alone do not.
fn fit(charts: &mut [Chart], texel: f64, most: usize) -> Option<Fit> {
    let extent = charts.iter().map(|chart| (chart.high - chart.low).max_element()).fold(0.0, f64::max);
    for margin in MARGINS {
        let mut texel = texel;
        // A chart is at least one texel large: longer ones than the largest chart save nothing.
        while texel <= COARSER * extent.max(f64::MIN_POSITIVE) {
            charts.iter_mut().for_each(|chart| chart.measure(texel, margin));
            let size = pack(charts);
            if size[0] * size[1] <= most && size[0].max(size[1]) <= LONGEST_SIDE {
                return Some(Fit { texel, margin, size });
            }
            texel *= COARSER;
        }
    }
    None
}

/// Places the rectangles in rows, the highest first. Answers with the size of the image: powers of two, as graphics cards like them best.
fn pack(charts: &mut [Chart]) -> [usize; 2] {
    let area: usize = charts.iter().map(|chart| chart.size[0] * chart.size[1]).sum();
    let widest = charts.iter().map(|chart| chart.size[0]).max().unwrap_or(1);
    let width = ((area as f64).sqrt().ceil() as usize).max(widest).next_power_of_two();
    let mut order: Vec<usize> = (0..charts.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(charts[i].size[1]), i));
    let (mut left, mut top, mut height) = (0, 0, 0);
    for i in order {
        let size = charts[i].size;
        if left + size[0] > width {
            (left, top, height) = (0, top + height, 0);
        }
        charts[i].corner = [left, top];
        left += size[0];
        height = height.max(size[1]);
    }
    [width, (top + height).max(1).next_power_of_two()]
}
