//! Charts: a skin unfolded into one image, whatever texture coordinates it has.
//!
//! A chart is a connected set of triangles whose normals stay within [`SPREAD`] of that of its first one. It is seen along its mean normal N: with axes e₁, e₂ across N a point
//! x of it lies at ((x·e₁, x·e₂) − low)/texel. This map is linear, so that directions in the surface are mapped like points: a line along s is drawn along (s·e₁, s·e₂). Flat charts
//! keep lengths and angles. Triangles that would lie over others of their chart go to another one. Around each chart there is a margin, so that filters never mix two charts.

use std::collections::{BTreeMap, HashMap};

use glam::{DVec2, DVec3};

use crate::geometry::SkinMesh;

/// Texels between a chart and the edge of its rectangle; charts begin at multiples of it, so that averages over as many texels stay inside. The second is for skins of very many charts.
const MARGINS: [usize; 2] = [8, 2];
/// Factor by which texels grow until all charts fit.
const COARSER: f64 = 1.1;
/// Cosine of the largest angle between a triangle's normal and that of the first one of its chart (50°).
const SPREAD: f64 = 0.64;
/// Most texels along the side of an image.
const LONGEST_SIDE: usize = 4096;
/// Texels that are always allowed: margins of many small charts take some.
const LEAST_TEXELS: usize = 1 << 16;
/// No triangle.
pub(super) const NONE: u32 = u32::MAX;

/// A connected part of the skin, seen along one direction.
#[derive(Clone, Debug)]
struct Chart {
    /// e₁ and e₂.
    axes: [DVec3; 2],
    low: DVec2,
    high: DVec2,
    triangles: Vec<u32>,
    /// Its rectangle in the image, in texels, with the margin.
    corner: [usize; 2],
    size: [usize; 2],
}

impl Chart {
    fn plane(&self, x: DVec3) -> DVec2 {
        DVec2::new(x.dot(self.axes[0]), x.dot(self.axes[1]))
    }

    /// Sets the size of the rectangle for a texel of this length.
    fn measure(&mut self, texel: f64, margin: usize) {
        let side = |length: f64| ((length / texel).ceil() as usize + 2 * margin).next_multiple_of(margin);
        self.size = [side(self.high.x - self.low.x), side(self.high.y - self.low.y)];
    }
}

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

/// Calls `visit` with column and row of the squares of a grid whose middles lie in a triangle.
fn inside(corners: [DVec2; 3], mut visit: impl FnMut(i64, i64)) {
    let [p, q, r] = corners;
    let whole = (q - p).perp_dot(r - p);
    if whole == 0.0 || !whole.is_finite() {
        return;
    }
    let (low, high) = ((p.min(q).min(r) - 0.5).ceil(), (p.max(q).max(r) - 0.5).floor());
    for row in low.y as i64..=high.y as i64 {
        for column in low.x as i64..=high.x as i64 {
            let at = DVec2::new(column as f64 + 0.5, row as f64 + 0.5);
            let w = [(r - q).perp_dot(at - q), (p - r).perp_dot(at - r), (q - p).perp_dot(at - p)];
            // A little more than the triangle, or rounding would leave out middles on its edges.
            if w.iter().all(|x| *x / whole >= -1e-9) {
                visit(column, row);
            }
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

/// Triangles, and those that share an edge with each.
struct Neighbourhood {
    normals: Vec<DVec3>,
    areas: Vec<f64>,
    /// Numbers of the places of the corners: corners at one place have one number.
    places: Vec<[u32; 3]>,
    beside: Vec<Vec<u32>>,
}

impl Neighbourhood {
    fn of(skin: &SkinMesh) -> Self {
        let mut known: HashMap<[u64; 3], u32> = HashMap::new();
        let mut place = |c: u32| {
            // 0.0 and −0.0 are one place.
            let bits = (skin.positions[c as usize] + 0.0).to_array().map(f64::to_bits);
            let next = known.len() as u32;
            *known.entry(bits).or_insert(next)
        };
        let places: Vec<[u32; 3]> = skin.triangles.iter().map(|t| t.map(&mut place)).collect();
        let mut edges: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
        for (t, places) in places.iter().enumerate() {
            for k in 0..3 {
                let (a, b) = (places[k], places[(k + 1) % 3]);
                edges.entry([a.min(b), a.max(b)]).or_default().push(t as u32);
            }
        }
        let mut beside = vec![Vec::new(); places.len()];
        for around in edges.values() {
            for &t in around {
                beside[t as usize].extend(around.iter().filter(|&&other| other != t));
            }
        }
        let across = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| skin.positions[i as usize]);
            (b - a).cross(c - a)
        };
        let areas = skin.triangles.iter().map(|t| 0.5 * across(t).length()).collect();
        let normals = skin.triangles.iter().map(|t| across(t).normalize_or_zero()).collect();
        Self { normals, areas, places, beside }
    }
}

/// Cuts a skin into charts, the largest triangles first. Triangles without area go with a neighbour.
fn grow(skin: &SkinMesh, texel: f64) -> Vec<Chart> {
    let around = Neighbourhood::of(skin);
    let mut order: Vec<u32> = (0..skin.triangles.len() as u32).collect();
    order.sort_by(|&a, &b| around.areas[b as usize].total_cmp(&around.areas[a as usize]).then(a.cmp(&b)));
    let mut taken = vec![false; skin.triangles.len()];
    let mut charts = Vec::new();
    for seed in order {
        if !taken[seed as usize] {
            charts.push(grow_chart(skin, &around, seed, texel, &mut taken));
        }
    }
    charts
}

/// The chart around a triangle.
fn grow_chart(skin: &SkinMesh, around: &Neighbourhood, seed: u32, texel: f64, taken: &mut [bool]) -> Chart {
    let first = around.normals[seed as usize].try_normalize().unwrap_or(DVec3::Y);
    // Seen along the first normal, no triangle may lie over another one that it does not touch.
    let (right, up) = plane_axes(first);
    let cell = 2.0 * texel;
    let mut occupied: HashMap<[i64; 2], u32> = HashMap::new();
    let mut fits = |t: u32| {
        let corners = skin.triangles[t as usize].map(|c| {
            let x = skin.positions[c as usize];
            DVec2::new(x.dot(right), x.dot(up)) / cell
        });
        let (mut cells, mut free) = (Vec::new(), true);
        inside(corners, |column, row| cells.push([column, row]));
        for cell in &cells {
            let touches = |other: &u32| {
                let places = around.places[*other as usize];
                around.places[t as usize].iter().any(|place| places.contains(place))
            };
            free &= occupied.get(cell).is_none_or(touches);
        }
        if free {
            cells.into_iter().for_each(|cell| _ = occupied.insert(cell, t));
        }
        free
    };
    let flat = |t: u32| around.normals[t as usize].dot(first) > 1.0 - 1e-6;
    let (mut triangles, mut next) = (vec![seed], 0);
    taken[seed as usize] = true;
    let mut curved = false;
    while let Some(&t) = triangles.get(next) {
        next += 1;
        for &other in &around.beside[t as usize] {
            let normal = around.normals[other as usize];
            let near = normal == DVec3::ZERO || normal.dot(first) >= SPREAD;
            if taken[other as usize] || !near {
                continue;
            }
            // Flat connected triangles cannot lie over each other: only charts that bend are looked at.
            if !curved && !flat(other) {
                curved = true;
                triangles.iter().for_each(|&t| _ = fits(t));
            }
            if !curved || fits(other) {
                taken[other as usize] = true;
                triangles.push(other);
            }
        }
    }
    let sum: DVec3 = triangles.iter().map(|&t| around.normals[t as usize] * around.areas[t as usize]).sum();
    let (right, up) = plane_axes(sum.try_normalize().unwrap_or(first));
    let mut chart = Chart {
        axes: [right, up],
        low: DVec2::INFINITY,
        high: DVec2::NEG_INFINITY,
        triangles,
        corner: [0; 2],
        size: [0; 2],
    };
    for &t in &chart.triangles {
        for c in skin.triangles[t as usize] {
            let at = chart.plane(skin.positions[c as usize]);
            (chart.low, chart.high) = (chart.low.min(at), chart.high.max(at));
        }
    }
    chart
}

/// Two axes across a normal: to the right and down, seen from outside, so that rows of texels go down.
fn plane_axes(normal: DVec3) -> (DVec3, DVec3) {
    let (right, up) = normal.any_orthonormal_pair();
    (right, -up)
}
