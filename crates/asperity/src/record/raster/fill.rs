//! Triangles into samples: which one is seen, and how far away.
//!
//! A triangle with corners v0, v1, v2 in view coordinates and a ray d from the eye: with the edge functions
//! e_i = d·(v_{i+1} × v_{i+2}) and D = v0·(v1 × v2) it is d = Σ (e_i/D) v_i. So the ray meets the triangle where all e_i have
//! the sign of D, the weights of the corners are e_i/Σe, and the inverse depth is Σe/D (Olano and Greer, "Triangle scan
//! conversion using 2D homogeneous coordinates", 1997). All are linear in the picture, corners behind the eye included: nothing
//! has to be cut at the near plane, which is one comparison of inverse depths. Edges that two triangles share have exactly
//! opposite functions, so no sample is lost between them.

use glam::DVec3;

use super::camera::View;

/// No triangle.
pub(super) const NOTHING: u32 = u32::MAX;

/// A linear function a x + b y + c of the picture.
type Plane = [f32; 3];

/// What it takes to fill a triangle: edge functions, the measure that the largest value of is seen, and a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Planes {
    edges: [Plane; 3],
    nearness: Plane,
    columns: [usize; 2],
    rows: [usize; 2],
}

impl Planes {
    /// A triangle seen in perspective; nothing if it cannot cover a sample. Nearness is the inverse depth.
    pub(super) fn seen(v: [DVec3; 3], view: &View, size: [usize; 2]) -> Option<Self> {
        let (columns, rows) = extent(v, view, size)?;
        let normals = [v[1].cross(v[2]), v[2].cross(v[0]), v[0].cross(v[1])];
        let volume = v[0].dot(normals[0]);
        if volume == 0.0 || !volume.is_finite() {
            return None;
        }
        let plane = |g: DVec3| {
            let (a, b) = (g.x / view.focal, -g.y / view.focal);
            [a, b, -a * view.half[0] - b * view.half[1] - g.z]
        };
        let edges = normals.map(|g| scaled(plane(g), volume.signum()));
        let nearness = plane((normals[0] + normals[1] + normals[2]) / volume).map(|c| c as f32);
        Some(Self { edges, nearness, columns, rows })
    }

    /// A triangle given in the picture, with the nearness of its corners.
    pub(super) fn flat(p: [[f64; 2]; 3], nearness: [f64; 3], size: [usize; 2]) -> Option<Self> {
        let (columns, rows) = sample_box(p.into_iter(), size)?;
        let line = |p: [f64; 2], q: [f64; 2]| [p[1] - q[1], q[0] - p[0], p[0] * q[1] - p[1] * q[0]];
        let edges = [line(p[1], p[2]), line(p[2], p[0]), line(p[0], p[1])];
        let area: f64 = edges.iter().map(|edge| edge[2]).sum();
        if area == 0.0 || !area.is_finite() {
            return None;
        }
        let weigh = |c: usize| ((0..3).map(|i| edges[i][c] * nearness[i]).sum::<f64>() / area) as f32;
        let nearness = [weigh(0), weigh(1), weigh(2)];
        Some(Self { edges: edges.map(|edge| scaled(edge, area.signum())), nearness, columns, rows })
    }
}

/// The plane in units of samples (|gradient| = 1), so that f32 neither overflows nor vanishes; symmetric in the sign.
fn scaled([a, b, c]: [f64; 3], sign: f64) -> Plane {
    let length = (a * a + b * b).sqrt();
    let usable = length > 0.0 && length.is_finite();
    let scale = sign / if usable { length } else { c.abs().max(f64::MIN_POSITIVE) };
    [a, b, c].map(|k| (k * scale) as f32)
}

/// Columns and rows of the samples that the part of the triangle beyond the near plane may cover.
fn extent(v: [DVec3; 3], view: &View, size: [usize; 2]) -> Option<([usize; 2], [usize; 2])> {
    let beyond = v.map(|p| -p.z >= view.near);
    if beyond == [true; 3] {
        return sample_box(v.iter().map(|&p| view.project(p)), size);
    }
    let corners = (0..3).filter(|&i| beyond[i]).map(|i| v[i]);
    let cuts = (0..3).filter(|&i| beyond[i] != beyond[(i + 1) % 3]).map(|i| {
        let (p, q) = (v[i], v[(i + 1) % 3]);
        let cut = p.lerp(q, (-view.near - p.z) / (q.z - p.z));
        cut.with_z(-view.near)
    });
    sample_box(corners.chain(cuts).map(|p| view.project(p)), size)
}

/// Columns and rows of the samples in the box around the points; none if there are none. Casts saturate.
fn sample_box(points: impl Iterator<Item = [f64; 2]>, size: [usize; 2]) -> Option<([usize; 2], [usize; 2])> {
    let mut low = [f64::INFINITY; 2];
    let mut high = [f64::NEG_INFINITY; 2];
    for point in points {
        for axis in 0..2 {
            low[axis] = low[axis].min(point[axis]);
            high[axis] = high[axis].max(point[axis]);
        }
    }
    // Sample i is at i + 1/2.
    let range = |axis: usize| {
        [(low[axis] - 0.5).ceil().max(0.0) as usize, ((high[axis] + 0.5).floor().max(0.0) as usize).min(size[axis])]
    };
    let (columns, rows) = (range(0), range(1));
    (columns[0] < columns[1] && rows[0] < rows[1]).then_some((columns, rows))
}

/// What is seen in each sample.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    size: [usize; 2],
    nearness: Vec<f32>,
    numbers: Vec<u32>,
}

impl Layer {
    /// Nothing anywhere, as far away as `farthest`.
    pub(super) fn clear(&mut self, size: [usize; 2], farthest: f32) {
        self.size = size;
        self.nearness.clear();
        self.nearness.resize(size[0] * size[1], farthest);
        self.numbers.clear();
        self.numbers.resize(size[0] * size[1], NOTHING);
    }

    /// The same as another one.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.size = other.size;
        self.nearness.clone_from(&other.nearness);
        self.numbers.clone_from(&other.numbers);
    }

    pub(super) fn size(&self) -> [usize; 2] {
        self.size
    }

    /// Number of the triangle seen in each sample of a row.
    #[inline]
    pub(super) fn numbers(&self, row: usize) -> &[u32] {
        &self.numbers[row * self.size[0]..][..self.size[0]]
    }

    /// Nearness of what is seen in each sample of a row.
    #[inline]
    pub(super) fn nearness(&self, row: usize) -> &[f32] {
        &self.nearness[row * self.size[0]..][..self.size[0]]
    }

    /// Fills a triangle where it is nearer than what is there and not nearer than `nearest`.
    pub(super) fn fill(&mut self, planes: &Planes, number: u32, nearest: f32) {
        let [a0, a1, a2] = [planes.edges[0][0], planes.edges[1][0], planes.edges[2][0]];
        let slope = planes.nearness[0];
        for row in planes.rows[0]..planes.rows[1] {
            let y = row as f32 + 0.5;
            let at_row = |plane: &Plane| plane[1] * y + plane[2];
            let [e0, e1, e2] = [at_row(&planes.edges[0]), at_row(&planes.edges[1]), at_row(&planes.edges[2])];
            let n = at_row(&planes.nearness);
            let [first, end] = span([(a0, e0), (a1, e1), (a2, e2)], planes.columns);
            if first >= end {
                continue;
            }
            let start = row * self.size[0];
            let seen = self.nearness[start + first..start + end].iter_mut();
            let numbers = self.numbers[start + first..start + end].iter_mut();
            // Without branches, so that the compiler can do several samples at a time.
            for (i, (seen, numbers)) in seen.zip(numbers).enumerate() {
                let x = (first + i) as i32 as f32 + 0.5;
                let nearness = slope * x + n;
                let inside = (a0 * x + e0 >= 0.0) & (a1 * x + e1 >= 0.0) & (a2 * x + e2 >= 0.0);
                let covers = inside & (nearness > *seen) & (nearness <= nearest);
                *seen = if covers { nearness } else { *seen };
                *numbers = if covers { number } else { *numbers };
            }
        }
    }
}

/// The columns in which all a x + e can be positive, with one to spare on each side: rounding is judged by the samples.
#[inline]
fn span(edges: [(f32, f32); 3], columns: [usize; 2]) -> [usize; 2] {
    if columns[1] - columns[0] <= 8 {
        return columns;
    }
    let (mut low, mut high) = (columns[0] as f32, columns[1] as f32);
    for (a, e) in edges {
        let zero = -e / a;
        if a > 0.0 {
            low = low.max(zero - 1.5);
        } else if a < 0.0 {
            high = high.min(zero + 1.5);
        }
    }
    [low as usize, (high as usize).min(columns[1])]
}

#[cfg(test)]
mod tests {
    use super::super::camera::Camera;
    use super::*;

    const SIZE: [usize; 2] = [40, 30];

    fn view() -> View {
        let camera = Camera { eye: DVec3::ZERO, target: -DVec3::Z, up: DVec3::Y, fov: 1.0 };
        View::new(&camera, SIZE, 0.1).unwrap()
    }

    fn layer() -> Layer {
        let mut layer = Layer::default();
        layer.clear(SIZE, 0.0);
        layer
    }

    /// Depth at which a ray meets a triangle: Möller and Trumbore's way, which shares nothing with the edge functions.
    fn hit(v: [DVec3; 3], d: DVec3) -> Option<(f64, f64)> {
        let (a, b) = (v[1] - v[0], v[2] - v[0]);
        let p = d.cross(b);
        let determinant = a.dot(p);
        let t = -v[0];
        let u = t.dot(p) / determinant;
        let q = t.cross(a);
        let w = d.dot(q) / determinant;
        let margin = u.min(w).min(1.0 - u - w);
        (margin > -1e-3).then(|| (b.dot(q) / determinant, margin))
    }

    /// Numbers that look random, from a multiplicative sequence.
    fn numbers() -> impl FnMut() -> f64 {
        let mut x: u64 = 12345;
        move || {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (x >> 33) as f64 / (1u64 << 31) as f64
        }
    }

    #[test]
    fn samples_agree_with_rays_even_for_triangles_that_reach_behind_the_eye() {
        let (view, mut random) = (view(), numbers());
        let mut tested = [0, 0];
        for _ in 0..400 {
            let v = [0; 3].map(|_| DVec3::new(4.0 * random() - 2.0, 4.0 * random() - 2.0, 2.0 - 5.0 * random()));
            let mut layer = layer();
            if let Some(planes) = Planes::seen(v, &view, SIZE) {
                layer.fill(&planes, 7, (1.0 / view.near) as f32);
            }
            for row in 0..SIZE[1] {
                for column in 0..SIZE[0] {
                    let met = hit(v, view.ray(column as f64 + 0.5, row as f64 + 0.5));
                    let found = layer.numbers(row)[column] == 7;
                    match met {
                        // So near to an edge or the near plane either answer is right.
                        Some((s, margin)) if margin < 1e-3 || (s - view.near).abs() < 1e-3 => {}
                        Some((s, _)) if s > view.near => {
                            assert!(found, "{v:?} {row} {column}");
                            let depth = 1.0 / f64::from(layer.nearness(row)[column]);
                            assert!((depth - s).abs() < 1e-3 * s, "{depth} {s}");
                            tested[0] += 1;
                        }
                        _ => {
                            assert!(!found, "{v:?} {row} {column}");
                            tested[1] += 1;
                        }
                    }
                }
            }
        }
        assert!(tested[0] > 10_000 && tested[1] > 10_000, "{tested:?}");
    }

    #[test]
    fn a_fan_leaves_no_hole_and_covers_no_sample_twice_but_on_edges() {
        let (view, mut random) = (view(), numbers());
        for _ in 0..50 {
            let middle = DVec3::new(random() - 0.5, random() - 0.5, -2.0);
            let rim = |i: usize| {
                let angle = i as f64 / 9.0 * std::f64::consts::TAU;
                DVec3::new(9.0 * angle.cos(), 9.0 * angle.sin(), -2.0)
            };
            let mut layer = layer();
            let mut covered = 0;
            for i in 0..9 {
                let mut alone = Layer::default();
                alone.clear(SIZE, 0.0);
                let planes = Planes::seen([middle, rim(i), rim(i + 1)], &view, SIZE).unwrap();
                layer.fill(&planes, i as u32, 10.0);
                alone.fill(&planes, 0, 10.0);
                covered += alone.numbers.iter().filter(|&&n| n == 0).count();
            }
            assert!(layer.numbers.iter().all(|&n| n != NOTHING));
            assert!(covered - SIZE[0] * SIZE[1] < 3, "{covered}");
        }
    }

    #[test]
    fn the_nearer_one_is_seen_in_any_order() {
        let view = view();
        let at = |z: f64| [DVec3::new(-9.0, -9.0, z), DVec3::new(9.0, -9.0, z), DVec3::new(0.0, 12.0, z)];
        let planes = [at(-3.0), at(-2.0)].map(|v| Planes::seen(v, &view, SIZE).unwrap());
        for order in [[0, 1], [1, 0]] {
            let mut layer = layer();
            order.iter().for_each(|&i| layer.fill(&planes[i], i as u32, 10.0));
            assert_eq!(layer.numbers(15)[20], 1);
        }
    }

    #[test]
    fn flat_triangles_hold_the_nearness_of_their_corners() {
        let planes = Planes::flat([[0.5, 0.5], [30.5, 0.5], [0.5, 20.5]], [1.0, 4.0, 3.0], SIZE).unwrap();
        let mut layer = layer();
        layer.fill(&planes, 1, f32::INFINITY);
        // 1 + 3·x/30 + 2·y/20 at (10, 5).
        assert!((layer.nearness(5)[10] - 2.5).abs() < 1e-5);
        assert_eq!(layer.numbers(19)[29], NOTHING);
        assert!(Planes::flat([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]], [1.0; 3], SIZE).is_none());
    }

    #[test]
    fn no_input_panics() {
        let nasty = [0.0, 1.0, -1e-300, 1e300, -1e160, f64::NAN, f64::INFINITY];
        for &x in &nasty {
            for &y in &nasty {
                for &z in &nasty {
                    let v = [DVec3::new(x, y, z), DVec3::new(y, z, -1.0), DVec3::new(1.0, x, y)];
                    let found =
                        [Planes::seen(v, &view(), SIZE), Planes::flat([[x, y], [y, z], [z, 1.0]], [x, y, z], SIZE)];
                    found.iter().flatten().for_each(|planes| layer().fill(planes, 0, 10.0));
                }
            }
        }
    }
}
