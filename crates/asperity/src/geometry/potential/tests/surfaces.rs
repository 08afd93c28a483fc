//! Surfaces Ψ = 0 against the triangles and the round surfaces that they stand for.

use glam::DVec3;

use super::meshes::{cylinder, sphere, torus};
use crate::geometry::potential::{Kernel, LocalPotential, PotentialSettings, Radius, exact};
use crate::geometry::{MeshData, Pose, Shape, TriangleMesh};

const INTERPOLATING: Kernel = Kernel::Interpolating { epsilon: 1e-3 };

fn surface(data: &MeshData) -> TriangleMesh {
    TriangleMesh::new(data.clone()).expect("a surface")
}

fn potential(kernel: Kernel, radius: Radius, data: &MeshData) -> LocalPotential {
    PotentialSettings { kernel, radius, open: false }.of_surface(&surface(data), &data.vertices).expect("no hole")
}

/// The Hausdorff distance to the triangles, relative to the size of the box around them.
fn deviation(kernel: Kernel, data: &MeshData) -> f64 {
    potential(kernel, Radius::Adaptive, data).deviation(&surface(data)).expect("no hole")
}

/// The largest |Ψ| at a sample.
fn error_at_samples(epsilon: f64, radius: f64, data: &MeshData) -> f64 {
    let own = potential(Kernel::Interpolating { epsilon }, Radius::Given(radius), data);
    own.samples().points.iter().map(|at| own.at(*at).expect("near").value.abs()).fold(0.0, f64::max)
}

/// A neighbour at the distance d counts ε² (R/d)⁴ times as much as the sample itself: the error of the interpolation falls
/// with ε², and grows with the fourth power of R and the number of neighbours.
#[test]
fn the_interpolation_error_goes_with_epsilon_and_the_radius() {
    let data = sphere(8);
    let [coarse, fine] = [1e-3, 1e-4].map(|epsilon| error_at_samples(epsilon, 0.3, &data));
    assert!((80.0..125.0).contains(&(coarse / fine)), "{coarse} {fine}");
    let wide = error_at_samples(1e-4, 0.6, &data);
    assert!((4.0..64.0).contains(&(wide / fine)), "{wide} {fine}");
    assert!(fine < 1e-6);
}

/// The paper's balls on a trampoline (table 2, cubic kernel): 0.2 % with 2 000 vertices and 0.02 % with 15 000, rounded to one
/// digit. A hollow ball has half of its vertices outside, and twice as many triangles there as vertices.
#[test]
fn spheres_are_as_near_to_their_triangles_as_those_of_the_paper() {
    let [coarse, fine] = [sphere(16), sphere(43)];
    assert!((1900..2100).contains(&coarse.triangles.len()) && (14500..15500).contains(&fine.triangles.len()));
    let found = [&coarse, &fine].map(|data| deviation(Kernel::Cubic, data));
    assert!(found[0] < 2.5e-3 && found[1] < 2.5e-4, "{found:?}");
}

/// Twice as many triangles along each side make the error a quarter of what it was.
#[test]
fn the_distance_to_the_round_surface_falls_with_the_square_of_the_triangles() {
    let distance = |data: &MeshData, kernel: Kernel, off: &dyn Fn(DVec3) -> f64, inner: &dyn Fn(DVec3) -> bool| {
        let own = potential(kernel, Radius::Adaptive, data);
        let places = data.vertices.iter().filter(|at| inner(**at));
        places.map(|at| off(own.project(*at).expect("near")).abs()).fold(0.0, f64::max)
    };
    let ring = |x: DVec3| DVec3::new(x.x, x.y, 0.0);
    let everywhere = |_: DVec3| true;
    for kernel in [Kernel::Cubic, INTERPOLATING] {
        let balls = [10, 20].map(|f| distance(&sphere(f), kernel, &|x| x.length() - 1.0, &everywhere));
        // The ends of the cylinder are open: there one side has no samples.
        let middle = |x: DVec3| x.z.abs() < 0.5;
        let tubes = [24, 48].map(|n| distance(&cylinder(n, 3.0), kernel, &|x| ring(x).length() - 1.0, &middle));
        let tori = [40, 80].map(|n| {
            distance(&torus(n, n / 2, 0.4), kernel, &|x| (x - ring(x).normalize()).length() - 0.4, &everywhere)
        });
        for [coarse, fine] in [balls, tubes, tori] {
            assert!((3.0..5.5).contains(&(coarse / fine)), "{kernel:?}: {coarse} {fine}");
            assert!(fine < 4e-3, "{kernel:?}: {fine}");
        }
    }
}

/// Along the surface of a cylinder the potential's own surface is much rounder than the polygon: its radius varies by far
/// less than the polygon's, which is 1 − cos(π/n).
#[test]
fn a_coarse_cylinder_is_rounder_than_its_polygon() {
    let n = 14;
    let own = potential(Kernel::Cubic, Radius::Given(1.0), &cylinder(n, 6.0));
    let radius = |angle: f64| {
        let at = own.project(DVec3::new(angle.cos(), angle.sin(), 0.1)).expect("near");
        at.x.hypot(at.y)
    };
    let radii: Vec<f64> = (0..200).map(|i| radius(f64::from(i) * 0.0314)).collect();
    let [low, high] = [f64::min, f64::max].map(|of| radii.iter().copied().reduce(of).expect("200"));
    let polygon = 1.0 - (std::f64::consts::PI / f64::from(n)).cos();
    assert!(high - low < 0.1 * polygon, "{low} {high} {polygon}");
}

#[test]
fn analytic_shapes_have_exact_potentials() {
    let pose = Pose { position: DVec3::new(1.0, 0.0, 0.0), ..Pose::IDENTITY };
    let at = |shape: &Shape, x: DVec3| exact(shape, &pose, x).expect("a nearest point");
    let ball = Shape::sphere(0.5).expect("a ball");
    let found = at(&ball, DVec3::new(1.0, 0.7, 0.0));
    assert!((found.value - 0.2).abs() < 1e-12 && (found.gradient - DVec3::Y).length() < 1e-12);
    let inside = at(&ball, DVec3::new(1.0, 0.4, 0.0));
    assert!((inside.value + 0.1).abs() < 1e-12 && (inside.gradient - DVec3::Y).length() < 1e-12);
    let drum = Shape::cylinder(1.0, 0.5).expect("a cylinder");
    let beside = at(&drum, DVec3::new(1.0 + 0.6, 0.2, 0.8));
    assert!((beside.value - 0.5).abs() < 1e-12, "{}", beside.value);
    assert!((beside.gradient - DVec3::new(0.6, 0.0, 0.8)).length() < 1e-12);
    let floor = Shape::half_space(DVec3::Y).expect("a plane");
    assert!((at(&floor, DVec3::new(7.0, -0.3, 2.0)).value + 0.3).abs() < 1e-12);
    let mesh = Shape::Mesh(TriangleMesh::new(sphere(4)).expect("a surface"));
    assert_eq!(exact(&mesh, &pose, DVec3::ZERO), None);
}
