//! Gradients and Hessians of every kind of element against differences of energies and gradients.

use asperity::elastic::{Bending, Elasticity, Lame, Membrane, RestAngles, SOLID_ENERGIES, Springs, StrainLimit};
use asperity::geometry::volume::TET_EDGES;
use glam::{DQuat, DVec3};

use crate::support::{shaken, sheet};

const TET: [DVec3; 4] = [DVec3::ZERO, DVec3::X, DVec3::new(0.2, 1.1, 0.0), DVec3::new(0.1, 0.3, 0.9)];

/// The tetrahedron with a node in the middle of each edge.
fn quadratic_tet() -> Vec<DVec3> {
    let middles = TET_EDGES.map(|[a, b]| 0.5 * (TET[a] + TET[b]));
    TET.into_iter().chain(middles).collect()
}

/// Central differences: relative errors of gradients and Hessians, against the largest entry of the Hessian.
fn assert_derivatives(elasticity: &Elasticity, x: &[DVec3], what: &str) {
    const STEP: f64 = 1e-5;
    let count = 3 * x.len();
    let hessian = dense(elasticity, x, false);
    let size = hessian.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    assert!(size > 0.0, "{what}: nothing is tested");
    let gradient = gradient_of(elasticity, x);
    for c in 0..count {
        let shifted = |step: f64| {
            let mut y = x.to_vec();
            y[c / 3][c % 3] += step;
            y
        };
        let (plus, minus) = (shifted(STEP), shifted(-STEP));
        let slope = (elasticity.energy(&plus) - elasticity.energy(&minus)) / (2.0 * STEP);
        let error = (slope - gradient[c / 3][c % 3]).abs();
        assert!(error < 1e-7 * size, "{what}: gradient {c}: {error:e} of {size:e}");
        let (plus, minus) = (gradient_of(elasticity, &plus), gradient_of(elasticity, &minus));
        for r in 0..count {
            let slope = (plus[r / 3][r % 3] - minus[r / 3][r % 3]) / (2.0 * STEP);
            let error = (slope - hessian[c * count + r]).abs();
            assert!(error < 1e-6 * size, "{what}: Hessian {r} {c}: {error:e} of {size:e}");
        }
    }
}

fn gradient_of(elasticity: &Elasticity, x: &[DVec3]) -> Vec<DVec3> {
    let mut out = vec![DVec3::ZERO; x.len()];
    elasticity.add_gradient(x, &mut out);
    out
}

/// The sum of all element Hessians, column by column.
fn dense(elasticity: &Elasticity, x: &[DVec3], project: bool) -> Vec<f64> {
    let mut hessians = Vec::new();
    elasticity.hessians(x, project, &mut hessians);
    let count = 3 * x.len();
    let mut sum = vec![0.0; count * count];
    let mut rest = hessians.as_slice();
    for stencil in elasticity.stencils() {
        let height = 3 * stencil.len();
        let (own, others) = rest.split_at(height * height);
        rest = others;
        let dof = |k: usize| 3 * stencil[k / 3] as usize + k % 3;
        for (k, value) in own.iter().enumerate() {
            sum[dof(k / height) * count + dof(k % height)] += value;
        }
    }
    assert!(rest.is_empty());
    sum
}

fn lame() -> Lame {
    Lame::from_young(2.0, 0.35).unwrap()
}

#[test]
fn solids() {
    let quadratic = quadratic_tet();
    for entry in SOLID_ENERGIES {
        let mut linear = Elasticity::new(4);
        linear.add_solid(&TET, &[[0, 1, 2, 3]], entry.energy, lame()).unwrap();
        let mut curved = Elasticity::new(10);
        let bent = shaken(&quadratic, 0.03, 9);
        curved.add_quadratic_solid(&bent, &[std::array::from_fn(|k| k as u32)], entry.energy, lame()).unwrap();
        for seed in 1..4 {
            assert_derivatives(&linear, &shaken(&TET, 0.2, seed), entry.name);
            assert_derivatives(&curved, &shaken(&bent, 0.08, seed), entry.name);
        }
        if entry.name != "neo_hookean" {
            let mirrored = TET.map(|place| DVec3::new(place.x, place.y, -0.3 * place.z));
            assert_derivatives(&linear, &mirrored, entry.name);
        }
    }
}

#[test]
fn membranes() {
    let sheet = sheet(2);
    let woven = Membrane::woven(5.0, 3.0, 1.0, 0.4).unwrap();
    for uvs in [&sheet.uvs[..], &[]] {
        let mut elasticity = Elasticity::new(sheet.rest.len());
        elasticity.add_membrane(&sheet.rest, uvs, &sheet.triangles, woven).unwrap();
        assert_derivatives(&elasticity, &sheet.rest, "flat membrane");
        assert_derivatives(&elasticity, &shaken(&sheet.rest, 0.2, 5), "membrane");
        let line: Vec<DVec3> = sheet.rest.iter().map(|p| DVec3::X * (p.x - 0.3 * p.z)).collect();
        assert_derivatives(&elasticity, &line, "membrane that lies on a line");
    }
}

#[test]
fn hinges() {
    let sheet = sheet(2);
    let folded = shaken(&sheet.rest, 0.15, 2);
    for rest in [RestAngles::Shape, RestAngles::Flat] {
        let mut elasticity = Elasticity::new(sheet.rest.len());
        let bending = Bending::woven(2.0, 0.7, rest).unwrap();
        elasticity.add_bending(&folded, &sheet.uvs, &sheet.triangles, bending).unwrap();
        assert_derivatives(&elasticity, &sheet.rest, "flat hinges");
        assert_derivatives(&elasticity, &folded, "hinges at rest");
        assert_derivatives(&elasticity, &shaken(&sheet.rest, 0.2, 7), "bent hinges");
    }
}

#[test]
fn strain_limits() {
    let sheet = sheet(2);
    let mut elasticity = Elasticity::new(sheet.rest.len());
    let limit = StrainLimit::new(1.1, 4.0).unwrap();
    elasticity.add_strain_limits(&sheet.rest, &sheet.triangles, limit).unwrap();
    assert_eq!(elasticity.energy(&shaken(&sheet.rest, 0.01, 3)), 0.0);
    let stretched: Vec<DVec3> = sheet.rest.iter().map(|p| 1.4 * *p).collect();
    assert_derivatives(&elasticity, &stretched, "strain limit, equal stretches");
    assert_derivatives(&elasticity, &shaken(&stretched, 0.2, 3), "strain limit");
    // Uniaxial: k/3 (σ − s)³ per area, on a unit square.
    let pulled: Vec<DVec3> = sheet.rest.iter().map(|p| DVec3::new(1.4 * p.x, p.y, p.z)).collect();
    assert!((elasticity.energy(&pulled) - 4.0 / 3.0 * 0.3_f64.powi(3)).abs() < 1e-14);
}

#[test]
fn springs() {
    for (length, x) in [(None, [1.5, 0.2, 0.1]), (None, [0.5, 0.2, 0.3]), (Some(0.0), [0.4, 0.0, 0.1])] {
        let rest = [DVec3::ZERO, DVec3::X];
        let mut elasticity = Elasticity::new(2);
        elasticity.add_springs(&rest, &[[0, 1]], Springs { stiffness: 3.0, length }).unwrap();
        assert_derivatives(&elasticity, &[DVec3::ZERO, DVec3::from_array(x)], "spring");
    }
}

/// A body with elements of every kind that does not change when it is turned.
fn everything(folded: &[DVec3]) -> Elasticity {
    let sheet = sheet(2);
    let mut all = Elasticity::new(folded.len());
    all.add_membrane(folded, &sheet.uvs, &sheet.triangles, Membrane::isotropic(2.0, 0.3, 0.1).unwrap()).unwrap();
    let bending = Bending::isotropic(0.3, RestAngles::Shape).unwrap();
    all.add_bending(folded, &[], &sheet.triangles, bending).unwrap();
    all.add_strain_limits(folded, &sheet.triangles, StrainLimit::new(1.05, 2.0).unwrap()).unwrap();
    all.add_springs(folded, &[[0, 8], [2, 6]], Springs { stiffness: 1.0, length: None }).unwrap();
    all
}

#[test]
fn rest_is_free_of_force_and_a_moved_body_has_the_same_energy_and_no_net_force_or_torque() {
    let folded = shaken(&sheet(2).rest, 0.1, 4);
    let elasticity = everything(&folded);
    assert!(gradient_of(&elasticity, &folded).iter().all(|force| force.length() < 1e-14));
    let x = shaken(&folded, 0.3, 6);
    let turn = DQuat::from_axis_angle(DVec3::new(2.0, 1.0, -2.0) / 3.0, 2.2);
    let moved: Vec<DVec3> = x.iter().map(|place| turn * *place + DVec3::new(3.0, -1.0, 2.0)).collect();
    let energy = elasticity.energy(&x);
    assert!((elasticity.energy(&moved) - energy).abs() < 1e-12 * energy);
    let (forces, turned) = (gradient_of(&elasticity, &x), gradient_of(&elasticity, &moved));
    let size = forces.iter().fold(0.0_f64, |m, f| m.max(f.length()));
    for (force, turned) in forces.iter().zip(&turned) {
        assert!((turn * *force - *turned).length() < 1e-12 * size);
    }
    let torque: DVec3 = x.iter().zip(&forces).map(|(place, force)| place.cross(*force)).sum();
    assert!(forces.iter().sum::<DVec3>().length() < 1e-13 * size && torque.length() < 1e-13 * size);
}

#[test]
fn projected_hessians_are_positive_semidefinite_and_change_only_what_is_not() {
    let folded = shaken(&sheet(2).rest, 0.1, 4);
    let elasticity = everything(&folded);
    let mut next = crate::support::numbers(3);
    let pressed: Vec<DVec3> = shaken(&folded, 0.1, 8).iter().map(|place| 0.6 * *place).collect();
    let (projected, full) = (dense(&elasticity, &pressed, true), dense(&elasticity, &pressed, false));
    let count = 3 * folded.len();
    let form = |matrix: &[f64], v: &[f64]| -> f64 {
        (0..count * count).map(|k| matrix[k] * v[k / count] * v[k % count]).sum()
    };
    let mut negative = 0;
    for _ in 0..200 {
        let v: Vec<f64> = (0..count).map(|_| next()).collect();
        assert!(form(&projected, &v) >= 0.0);
        negative += usize::from(form(&full, &v) < 0.0);
    }
    assert!(negative > 0, "{negative}");
    let (projected, full) = (dense(&elasticity, &folded, true), dense(&elasticity, &folded, false));
    assert!(projected.iter().zip(&full).all(|(a, b)| (a - b).abs() < 1e-13));
}
