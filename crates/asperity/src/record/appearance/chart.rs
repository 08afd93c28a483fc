//! Cutting a skin into charts: from the largest triangle that is left, over shared edges, as far as normals stay near the first one and nothing lies over anything else.

use std::collections::{BTreeMap, HashMap};

use glam::{DVec2, DVec3};

use crate::geometry::SkinMesh;

/// Cosine of the largest angle between a triangle's normal and that of the first one of its chart (50°).
const SPREAD: f64 = 0.64;

/// A connected part of the skin, seen along one direction.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    /// e₁ and e₂.
    pub(super) axes: [DVec3; 2],
    pub(super) low: DVec2,
    pub(super) high: DVec2,
    pub(super) triangles: Vec<u32>,
    /// Its rectangle in the image, in texels, with the margin.
    pub(super) corner: [usize; 2],
    pub(super) size: [usize; 2],
}

impl Chart {
    /// Triangles of a skin, seen along a unit normal.
    fn of(skin: &SkinMesh, triangles: Vec<u32>, normal: DVec3) -> Self {
        let (right, down) = plane_axes(normal);
        let (low, high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        let mut chart = Self { axes: [right, down], low, high, triangles, corner: [0; 2], size: [0; 2] };
        for &t in &chart.triangles {
            for c in skin.triangles[t as usize] {
                let x = skin.positions[c as usize];
                let at = DVec2::new(x.dot(right), x.dot(down));
                (chart.low, chart.high) = (chart.low.min(at), chart.high.max(at));
            }
        }
        chart
    }

    pub(super) fn plane(&self, x: DVec3) -> DVec2 {
        DVec2::new(x.dot(self.axes[0]), x.dot(self.axes[1]))
    }

    /// Sets the size of the rectangle for a texel of this length.
    pub(super) fn measure(&mut self, texel: f64, margin: usize) {
        let side = |length: f64| ((length / texel).ceil() as usize + 2 * margin).next_multiple_of(margin);
        self.size = [side(self.high.x - self.low.x), side(self.high.y - self.low.y)];
    }
}

/// Calls `visit` with column and row of the squares of a grid whose middles lie in a triangle.
pub(super) fn inside(corners: [DVec2; 3], mut visit: impl FnMut(i64, i64)) {
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
pub(super) fn grow(skin: &SkinMesh, texel: f64) -> Vec<Chart> {
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

/// Which squares of a plane the triangles of a chart cover, seen along one direction.
struct Occupied<'a> {
    skin: &'a SkinMesh,
    around: &'a Neighbourhood,
    axes: [DVec3; 2],
    /// Side of a square, m.
    cell: f64,
    squares: HashMap<[i64; 2], u32>,
}

impl Occupied<'_> {
    /// Takes a triangle in, unless it lies over one that it does not touch.
    fn take(&mut self, t: u32) -> bool {
        let corners = self.skin.triangles[t as usize].map(|c| {
            let x = self.skin.positions[c as usize];
            DVec2::new(x.dot(self.axes[0]), x.dot(self.axes[1])) / self.cell
        });
        let mut squares = Vec::new();
        inside(corners, |column, row| squares.push([column, row]));
        let places = &self.around.places;
        let touches = |other: &u32| places[t as usize].iter().any(|place| places[*other as usize].contains(place));
        let free = squares.iter().all(|square| self.squares.get(square).is_none_or(touches));
        if free {
            self.squares.extend(squares.into_iter().map(|square| (square, t)));
        }
        free
    }
}

/// The chart around a triangle.
fn grow_chart(skin: &SkinMesh, around: &Neighbourhood, seed: u32, texel: f64, taken: &mut [bool]) -> Chart {
    let first = around.normals[seed as usize].try_normalize().unwrap_or(DVec3::Y);
    let (right, down) = plane_axes(first);
    let mut occupied = Occupied { skin, around, axes: [right, down], cell: 2.0 * texel, squares: HashMap::new() };
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
                triangles.iter().for_each(|&t| _ = occupied.take(t));
            }
            if !curved || occupied.take(other) {
                taken[other as usize] = true;
                triangles.push(other);
            }
        }
    }
    let sum: DVec3 = triangles.iter().map(|&t| around.normals[t as usize] * around.areas[t as usize]).sum();
    Chart::of(skin, triangles, sum.try_normalize().unwrap_or(first))
}

/// Two axes across a normal: to the right and down, seen from outside, so that rows of texels go down.
fn plane_axes(normal: DVec3) -> (DVec3, DVec3) {
    let (right, up) = normal.any_orthonormal_pair();
    (right, -up)
}
