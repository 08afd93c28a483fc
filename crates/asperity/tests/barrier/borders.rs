//! Next to the borders of regions, where what is nearest changes: a vertex beside a convex edge and beside a corner,
//! edges that end beside each other, edges that are nearly parallel. Collisions are looked for again at every place, as
//! a time step does.

use asperity::barrier::{Barrier, BarrierPotential, Builder, Candidates, CollisionMesh, Projection, Weighting};
use glam::{DVec3, dvec3};
use proptest::prelude::*;

const DHAT: f64 = 0.5;

/// A surface, and its potential where its vertices are.
struct Surface {
    mesh: CollisionMesh,
    candidates: Candidates,
    potential: BarrierPotential,
}

impl Surface {
    fn new(rest: &[DVec3], faces: Vec<[u32; 3]>) -> Self {
        let mesh = CollisionMesh::of_triangles(rest.to_vec(), faces).unwrap();
        let candidates = Candidates::all(&mesh);
        let potential = BarrierPotential { barrier: Barrier::ClampedLog, dhat: DHAT, dmin: 0.0, stiffness: 1.0 };
        Self { mesh, candidates, potential }
    }

    fn collisions(&self, x: &[DVec3]) -> Vec<asperity::barrier::Collision> {
        // As weights of areas: what is near by several elements counts several times, and has to be counted so on both
        // sides of a border.
        let weighting = Weighting { area: true, improved_max: false };
        Builder { mesh: &self.mesh, positions: x, reach: DHAT, weighting }.build(&self.candidates)
    }

    fn value(&self, x: &[DVec3]) -> f64 {
        self.potential.total(&self.collisions(x), x, &[])
    }

    fn gradient(&self, x: &[DVec3]) -> Vec<f64> {
        let mut out = vec![DVec3::ZERO; x.len()];
        self.potential.add_gradient(&self.collisions(x), x, &[], &mut out);
        out.iter().flat_map(|g| g.to_array()).collect()
    }

    /// Column `column` of the Hessian.
    fn hessian(&self, x: &[DVec3], column: usize) -> Vec<f64> {
        let mut out = vec![0.0; 3 * x.len()];
        for own in self.collisions(x) {
            let local = self.potential.hessian(&own, &own.points(x), &[], Projection::Whole);
            let list = own.list();
            let Some(j) = list.iter().position(|vertex| *vertex as usize == column / 3) else { continue };
            for (i, vertex) in list.iter().enumerate() {
                (0..3).for_each(|k| out[3 * *vertex as usize + k] += local.entry(3 * i + k, 3 * j + column % 3));
            }
        }
        out
    }

    /// Gradient and Hessian against differences with steps that are shorter than the way `clear` to the next border,
    /// and the gradient across it; `distance` is that of the nearest elements.
    fn check(&self, x: &[DVec3], clear: f64, distance: f64) {
        let moved = |k: usize, by: f64| {
            let mut other = x.to_vec();
            other[k / 3][k % 3] += by;
            other
        };
        let gradient = self.gradient(x);
        let columns: Vec<Vec<f64>> = (0..gradient.len()).map(|k| self.hessian(x, k)).collect();
        let largest = |list: &[f64]| list.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let stiffest = columns.iter().map(|own| largest(own)).fold(0.0, f64::max);
        let (size, value) = (largest(&gradient), self.value(x));
        assert!(size > 0.0);
        for k in 0..gradient.len() {
            // Within the region. Central differences are wrong by the square of the step over the distance, and by a
            // bit of what is subtracted over the step.
            let step = 0.1 * clear;
            let order = 30.0 * (step / distance).powi(2);
            let [less, more] = [-step, step].map(|by| moved(k, by));
            let by_value = (self.value(&more) - self.value(&less)) / (2.0 * step);
            let allowed = order * size + 1e-13 * value / step;
            assert!((by_value - gradient[k]).abs() <= allowed, "{k}: {by_value} and {}, {x:?}", gradient[k]);
            let [below, above] = [&less, &more].map(|x| self.gradient(x));
            for (i, column) in columns[k].iter().enumerate() {
                let by_gradient = (above[i] - below[i]) / (2.0 * step);
                let allowed = order * stiffest + 1e-12 * size / step;
                assert!((by_gradient - column).abs() <= allowed, "({i}, {k}): {by_gradient} and {column}, {x:?}");
            }
            // Across the border the gradient has no jump: twice the way to it changes it by no more than twice the
            // stiffness allows.
            let [less, more] = [-2.0 * clear, 2.0 * clear].map(|by| self.gradient(&moved(k, by)));
            for (i, g) in gradient.iter().enumerate() {
                let most = 8.0 * stiffest * clear + 1e-11 * size;
                assert!((less[i] - g).abs() <= most && (more[i] - g).abs() <= most, "gradient {i} jumps along {k}");
            }
        }
    }
}

/// Two triangles over the edge from (0, 0, −1) to (0, 0, 1), which fall off by `fall` beside it, and a small triangle
/// whose vertex 4 is at a place.
fn ridge(at: DVec3, fall: f64) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let roof = [dvec3(0.0, 0.0, -1.0), dvec3(0.0, 0.0, 1.0), dvec3(1.0, -fall, 0.1), dvec3(-1.1, -fall, 0.0)];
    let other = [at, at + dvec3(0.3, 3.0, 0.1), at + dvec3(-0.2, 3.0, 0.3)];
    (roof.into_iter().chain(other).collect(), vec![[0, 1, 2], [1, 0, 3], [4, 5, 6]])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The foot of the vertex is next to the edge: on the face, `beside` away from the edge, or in front of the edge.
    #[test]
    fn a_vertex_beside_a_convex_edge(fall in 0.05..2.0f64, height in 0.05..0.3f64, digits in 1.5..6.0f64, along in -0.6..0.6f64, on_face in any::<bool>()) {
        let beside = height * 10f64.powf(-digits);
        // Face 0, 1, 2: outward normal and the direction in it away from the edge.
        let side = dvec3(1.0, -fall, 0.1);
        let out = (side - DVec3::Z * side.z).normalize();
        let normal = DVec3::Z.cross(out).normalize();
        let normal = if normal.y > 0.0 { normal } else { -normal };
        let foot = DVec3::Z * along;
        let at = foot + normal * height + out * if on_face { beside } else { -beside };
        let (x, faces) = ridge(at, fall);
        Surface::new(&x, faces).check(&x, 0.3 * beside, height);
    }

    /// The same at an end of the edge: the corner of the faces.
    #[test]
    fn a_vertex_beside_a_corner(fall in 0.05..2.0f64, height in 0.05..0.3f64, digits in 1.5..6.0f64, over in any::<bool>()) {
        let beside = height * 10f64.powf(-digits);
        let at = dvec3(0.0, height, 1.0 + if over { beside } else { -beside });
        let (x, faces) = ridge(at, fall);
        Surface::new(&x, faces).check(&x, 0.1 * beside, height);
    }

    /// Two edges that cross at a right angle, near the end of one of them.
    #[test]
    fn edges_that_end_beside_each_other(height in 0.05..0.3f64, digits in 1.5..6.0f64, turn in 0.6..1.5f64, over in any::<bool>()) {
        let beside = height * 10f64.powf(-digits);
        let way = dvec3(turn.sin(), 0.3, turn.cos());
        let first = dvec3(if over { beside } else { -beside }, height, 0.2);
        // The edge begins above the other and leads away from it.
        let other = [first, first + way * 2.0, first + dvec3(0.4, 3.0, 0.3)];
        let (mut x, faces) = ridge(DVec3::ZERO, 1.0);
        x[4..7].copy_from_slice(&other);
        Surface::new(&x, faces).check(&x, 0.05 * beside, height);
    }

    /// Edges at an angle at which the mollifier ends, and on both sides of it.
    #[test]
    fn edges_at_the_end_of_the_mollifier(height in 0.05..0.3f64, digits in 1.0..4.0f64, over in any::<bool>(), shift in -0.3..0.3f64) {
        // sin² = 10⁻³ where it ends.
        let sine = 1e-3f64.sqrt() * (1.0 + if over { 1.0 } else { -1.0 } * 10f64.powf(-digits));
        let half = dvec3(sine, 0.0, (1.0 - sine * sine).sqrt());
        let middle = dvec3(0.0, height, shift);
        let (mut x, faces) = ridge(DVec3::ZERO, 0.7);
        x[4..7].copy_from_slice(&[middle - half, middle + half, middle + dvec3(0.1, 3.0, 0.0)]);
        // The angle is that of edges at rest too.
        Surface::new(&x, faces).check(&x, 1e-3 * height * 10f64.powf(-digits), height);
    }
}
