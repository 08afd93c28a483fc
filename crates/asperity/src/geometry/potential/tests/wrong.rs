//! Surfaces with holes, and clouds.

use glam::DVec3;

use super::meshes::{cylinder, sphere};
use crate::geometry::potential::{Kernel, PotentialError, PotentialSettings, Radius, Samples, is_cloud, surfels};
use crate::geometry::{MeshData, TriangleMesh};

fn surface(data: &MeshData) -> TriangleMesh {
    TriangleMesh::new(data.clone()).expect("a surface")
}

fn settings(radius: f64) -> PotentialSettings {
    PotentialSettings { kernel: Kernel::Cubic, radius: Radius::Given(radius), open: false }
}

/// Just below the distance from a centroid to the farthest corner that no neighbour reaches, the corner is a hole.
#[test]
fn a_radius_that_does_not_reach_the_corners_is_refused() {
    let data = cylinder(24, 2.0);
    let side = std::f64::consts::TAU / 24.0;
    let reach = side / 3f64.sqrt();
    assert!(settings(1.02 * reach).of_surface(&surface(&data), &data.vertices).is_ok());
    let error = settings(0.97 * reach).of_surface(&surface(&data), &data.vertices).expect_err("holes at corners");
    let PotentialError::Hole { at, radius, .. } = &error else { panic!("{error}") };
    assert_eq!(*radius, 0.97 * reach);
    let nearest = Samples::of_triangles(&data.vertices, &data.triangles)
        .points
        .iter()
        .map(|s| s.distance(*at))
        .fold(9.0, f64::min);
    assert!(nearest >= *radius, "{nearest} {radius}");
    assert!(error.to_string().contains("make the radius larger"), "{error}");
}

/// All corners of a large triangle are reached by its neighbours, but not its middle: the large triangle's own sample has a
/// small radius here.
#[test]
fn a_hole_inside_of_a_triangle_is_found() {
    let data = sphere(6);
    let mut own = settings(0.3).of_surface(&surface(&data), &data.vertices).expect("no hole");
    let lost = 40;
    let middle = own.samples().points[lost];
    own.update(|samples| {
        for i in 0..samples.points.len() {
            // Nobody reaches the middle of this triangle.
            samples.radii[i] = samples.radii[i].min(0.98 * samples.points[i].distance(middle)).max(1e-9);
        }
    });
    let error = own.check_triangles(&data.vertices, &data.triangles).expect_err("a hole");
    let PotentialError::Hole { at, .. } = error else { panic!("{error}") };
    assert!(at.distance(middle) < 0.1, "{at} {middle}");
}

/// Points of a sphere that lie evenly (Fibonacci), without those within an angle of the pole.
fn cloud(count: u32, open: f64) -> (Vec<DVec3>, Vec<DVec3>) {
    let point = |i: u32| {
        let (z, angle) = (1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(count), 2.399963 * f64::from(i));
        let ring = (1.0 - z * z).sqrt();
        DVec3::new(ring * angle.cos(), ring * angle.sin(), z)
    };
    let points: Vec<DVec3> = (0..count).map(point).filter(|at| at.z.acos() > open).collect();
    (points.iter().map(|at| *at * 0.5).collect(), points)
}

#[test]
fn a_cloud_becomes_triangles_whose_samples_are_its_points() {
    let (points, normals) = cloud(400, 0.0);
    let data = surfels(&points, &normals);
    let loose = |data: MeshData| is_cloud(&TriangleMesh::new(data).expect("triangles"));
    assert!(loose(data.clone()) && data.triangles.len() == 400 && !loose(sphere(3)));
    let samples = Samples::of_triangles(&data.vertices, &data.triangles);
    for i in 0..400 {
        assert!((samples.points[i] - points[i]).length() < 1e-14);
        assert!((samples.normals[i] - normals[i]).length() < 1e-12);
    }
    let own = PotentialSettings::default().of_surface(&surface(&data), &data.vertices).expect("closed");
    for direction in [DVec3::X, DVec3::new(0.6, 0.0, -0.8), DVec3::new(0.0, -1.0, 0.0)] {
        let on = own.project(direction * 0.52).expect("near");
        // A tangent plane at the distance d is d²/2r above the ball. In the plane the mean of d² under the cubic kernel is
        // R² (1/4 − 3/6 + 2/7)/(1/2 − 3/4 + 2/5).
        let bulge = own.reach().powi(2) * (0.25 - 0.5 + 2.0 / 7.0) / 0.15;
        assert!((0.6..1.1).contains(&((on.length() - 0.5) / bulge)), "{} {bulge}", on.length());
    }
}

#[test]
fn a_cloud_with_a_hole_is_refused() {
    let (points, normals) = cloud(800, 0.5);
    let data = surfels(&points, &normals);
    let error =
        PotentialSettings::default().of_surface(&surface(&data), &data.vertices).expect_err("a hole at the pole");
    let PotentialError::Border { at, .. } = &error else { panic!("{error}") };
    assert!((at.normalize().z.acos() - 0.5).abs() < 0.15, "{at}");
    assert!(error.to_string().contains("open = true"), "{error}");
    let open = PotentialSettings { open: true, ..PotentialSettings::default() };
    assert!(open.of_surface(&surface(&data), &data.vertices).is_ok());
}
