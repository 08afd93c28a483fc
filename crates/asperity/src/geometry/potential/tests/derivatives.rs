//! Gradients and derivatives, weights, invariance.

use glam::{DQuat, DVec3};

use super::meshes::{sphere, torus};
use crate::geometry::potential::{Kernel, LocalPotential, PotentialSettings, Radius, Samples, by_corners};
use crate::geometry::{MeshData, TriangleMesh};

const KERNELS: [Kernel; 3] =
    [Kernel::Cubic, Kernel::Interpolating { epsilon: 1e-3 }, Kernel::Interpolating { epsilon: 0.1 }];

fn surface(data: &MeshData) -> TriangleMesh {
    TriangleMesh::new(data.clone()).expect("a surface")
}

fn potential(kernel: Kernel, data: &MeshData) -> LocalPotential {
    PotentialSettings { kernel, ..PotentialSettings::default() }
        .of_surface(&surface(data), &data.vertices)
        .expect("no hole")
}

/// Places near the surface of a sphere of radius 1, none of them on it.
fn places() -> impl Iterator<Item = DVec3> {
    let unit = |i: u32, factor: f64| 2.0 * (f64::from(i) * factor).fract() - 1.0;
    let direction = move |i: u32| DVec3::new(unit(i, 0.618), unit(i, 0.7549), unit(i, 0.5698)).normalize_or(DVec3::X);
    (1..25).map(move |i| direction(i) * (1.0 + 0.004 * f64::from(i % 7) - 0.011))
}

/// Central differences of a function of a vector.
fn differences(at: DVec3, step: f64, value: impl Fn(DVec3) -> f64) -> DVec3 {
    DVec3::from_array(
        [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| (value(at + axis * step) - value(at - axis * step)) / (2.0 * step)),
    )
}

#[test]
fn the_gradient_is_that_of_finite_differences() {
    let data = sphere(8);
    for kernel in KERNELS {
        let own = potential(kernel, &data);
        for at in places() {
            let found = own.at(at).expect("near");
            let expected = differences(at, 1e-6, |x| own.at(x).expect("near").value);
            assert!((found.gradient - expected).length() < 1e-7, "{kernel:?} {at}: {} {expected}", found.gradient);
        }
    }
}

#[test]
fn derivatives_by_samples_and_normals_are_those_of_finite_differences() {
    let data = sphere(8);
    for kernel in KERNELS {
        let own = potential(kernel, &data);
        let mut influences = Vec::new();
        for at in places().step_by(6) {
            own.blend(at, &mut influences).expect("near");
            let value = |change: &dyn Fn(&mut Samples)| {
                let mut moved = own.clone();
                moved.update(|samples| change(samples));
                moved.at(at).expect("near").value
            };
            for influence in influences.iter().step_by(3) {
                let i = influence.sample as usize;
                let [point, normal] = [own.samples().points[i], own.samples().normals[i]];
                let by_point = differences(point, 1e-6, |x| value(&|samples| samples.points[i] = x));
                let by_normal = differences(normal, 1e-6, |n| value(&|samples| samples.normals[i] = n));
                assert!((influence.by_point - by_point).length() < 1e-7, "{kernel:?}");
                assert!((influence.by_normal - by_normal).length() < 1e-8, "{kernel:?}");
            }
        }
    }
}

/// The surface deforms: centroids and normals of the triangles move together.
#[test]
fn derivatives_by_corners_are_those_of_finite_differences() {
    let data = sphere(8);
    let own = potential(Kernel::Cubic, &data);
    let mut influences = Vec::new();
    for at in places().step_by(8) {
        own.blend(at, &mut influences).expect("near");
        for influence in influences.iter().step_by(4) {
            let corners = data.triangles[influence.sample as usize];
            let places = corners.map(|i| data.vertices[i as usize]);
            let found = by_corners(places, influence.by_point, influence.by_normal);
            for (k, vertex) in corners.into_iter().enumerate() {
                let expected = differences(data.vertices[vertex as usize], 1e-6, |x| {
                    let mut vertices = data.vertices.clone();
                    vertices[vertex as usize] = x;
                    let mut moved = own.clone();
                    moved.update(|samples| samples.place(&vertices, &data.triangles));
                    moved.at(at).expect("near").value
                });
                assert!((found[k] - expected).length() < 1e-7, "{} {expected}", found[k]);
            }
        }
    }
}

#[test]
fn weights_are_a_partition_of_unity() {
    for kernel in KERNELS {
        let own = potential(kernel, &sphere(6));
        let mut influences = Vec::new();
        for at in places() {
            let found = own.blend(at, &mut influences).expect("near");
            assert!((influences.iter().map(|own| own.weight).sum::<f64>() - 1.0).abs() < 1e-14);
            assert!(influences.iter().all(|own| own.weight >= 0.0));
            // A blend of equal potentials is that potential: all samples in one plane.
            let mut flat = own.samples().clone();
            flat.normals.fill(DVec3::Y);
            flat.points.iter_mut().for_each(|point| point.y = 0.3);
            let plane = LocalPotential::new(kernel, flat).at(DVec3::new(at.x, 0.35, at.z)).expect("near");
            assert!((plane.value - 0.05).abs() < 1e-14 && (plane.gradient - DVec3::Y).length() < 1e-10);
            assert!(found.value.is_finite());
        }
    }
}

/// The angular momentum that contacts give and take depends on it: a rigid motion changes nothing.
#[test]
fn moving_and_turning_all_changes_nothing() {
    let data = torus(24, 12, 0.4);
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -0.5).normalize(), 1.1);
    let shift = DVec3::new(3.0, -2.0, 0.7);
    let moved = MeshData { vertices: data.vertices.iter().map(|x| turn * *x + shift).collect(), ..data.clone() };
    for kernel in KERNELS {
        let [own, other] = [&data, &moved].map(|data| potential(kernel, data));
        for k in 0..20 {
            let at = data.vertices[17 * k] * 1.03;
            let Some(here) = own.at(at) else { continue };
            let there = other.at(turn * at + shift).expect("near");
            assert!((here.value - there.value).abs() < 1e-12, "{kernel:?}");
            assert!((turn * here.gradient - there.gradient).length() < 1e-10, "{kernel:?}");
        }
    }
}

/// A triangle that has lost its area has no tangent plane: Ψ is that of the others, and not drawn towards zero.
#[test]
fn a_collapsed_triangle_does_not_count() {
    let data = sphere(6);
    let whole = Samples::of_triangles(&data.vertices, &data.triangles);
    let mut with = whole.clone();
    with.normals[10] = DVec3::ZERO;
    let mut without = whole.clone();
    without.points.remove(10);
    without.normals.remove(10);
    for samples in [&mut with, &mut without] {
        samples.spread(Radius::Given(0.4));
    }
    let at = whole.points[10] * 1.02;
    let [with, without] = [with, without].map(|samples| LocalPotential::new(Kernel::Cubic, samples).at(at));
    assert!(with.is_some() && with == without, "{with:?} {without:?}");
}
