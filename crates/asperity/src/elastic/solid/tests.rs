//! Every energy of the catalogue: derivatives, projections, rest, rotations, small strains, collapsed and inverted
//! states.

use glam::{DMat3, DQuat, DVec3};

use super::{SOLID_ENERGIES, SolidEnergy};
use crate::elastic::continuum::{Columns, Density, Tangent};
use crate::elastic::eigen::{Square, clamp, eigen};
use crate::elastic::lame::Lame;

const REST: Columns<3> = [DVec3::X, DVec3::Y, DVec3::Z];

fn lame() -> Lame {
    Lame::from_young(3.0, 0.3).unwrap()
}

fn all() -> impl Iterator<Item = (SolidEnergy, Box<dyn Density<3>>)> {
    SOLID_ENERGIES.iter().map(|entry| (entry.energy, entry.energy.density(lame())))
}

fn columns(m: DMat3) -> Columns<3> {
    [m.x_axis, m.y_axis, m.z_axis]
}

fn matrix(tangent: &Tangent<3>) -> Square<9> {
    std::array::from_fn(|r| std::array::from_fn(|c| tangent[r / 3][c / 3].col(c % 3)[r % 3]))
}

fn largest(m: &Square<9>) -> f64 {
    m.as_flattened().iter().fold(0.0, |largest, value| value.abs().max(largest))
}

fn distance(a: &Square<9>, b: &Square<9>) -> f64 {
    a.as_flattened().iter().zip(b.as_flattened()).fold(0.0, |largest, (a, b)| (a - b).abs().max(largest))
}

/// Numbers between −1 and 1 that are the same in every run.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

fn random(scale: f64, seed: u64) -> DMat3 {
    let mut next = numbers(seed);
    DMat3::IDENTITY + scale * DMat3::from_cols_array(&std::array::from_fn(|_| next()))
}

/// Deformations with J > 0, then flat and inverted ones.
fn regular() -> Vec<DMat3> {
    let turned = DMat3::from_quat(DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 2.0) / 3.0, 2.0));
    let mut list = vec![DMat3::IDENTITY, turned, turned * DMat3::from_diagonal(DVec3::new(0.4, 1.9, 1.2))];
    list.extend((1..8).map(|seed| random(0.3, seed)).inspect(|f| assert!(f.determinant() > 0.0)));
    list
}

fn collapsed() -> Vec<DMat3> {
    let mut list = vec![
        DMat3::from_diagonal(DVec3::new(1.1, 0.9, 0.0)),
        DMat3::from_diagonal(DVec3::new(1.1, 0.7, -0.4)),
        DMat3::from_quat(DQuat::from_rotation_x(1.0)) * DMat3::from_diagonal(DVec3::new(-1.5, 1.1, 0.8)),
    ];
    list.extend((1..8).map(|seed| DMat3::from_diagonal(DVec3::new(1.0, -0.5, 1.3)) * random(0.2, seed)));
    list
}

fn states(energy: SolidEnergy) -> Vec<DMat3> {
    let mut list = regular();
    if energy != SolidEnergy::NeoHookean {
        list.extend(collapsed());
    }
    list
}

#[test]
fn stress_and_tangent_are_the_derivatives() {
    const STEP: f64 = 1e-5;
    for (energy, density) in all() {
        for f in states(energy) {
            let f = columns(f);
            let (stress, tangent) = (density.stress(&f), matrix(&density.tangent(&f)));
            let size = largest(&tangent);
            for c in 0..9 {
                let shifted = |step: f64| {
                    let mut g = f;
                    g[c / 3][c % 3] += step;
                    g
                };
                let (plus, minus) = (shifted(STEP), shifted(-STEP));
                let slope = (density.density(&plus) - density.density(&minus)) / (2.0 * STEP);
                let error = (slope - stress[c / 3][c % 3]).abs();
                assert!(error < 1e-8 * size, "{}: stress {c} at {f:?}: {error:e}", energy.name());
                let (plus, minus) = (density.stress(&plus), density.stress(&minus));
                for (r, row) in tangent.iter().enumerate() {
                    let slope = (plus[r / 3][r % 3] - minus[r / 3][r % 3]) / (2.0 * STEP);
                    let error = (slope - row[c]).abs();
                    assert!(error < 1e-7 * size, "{}: tangent {r} {c} at {f:?}: {error:e}", energy.name());
                    assert!((row[c] - tangent[c][r]).abs() <= 1e-14 * size, "{} is not symmetric", energy.name());
                }
            }
        }
    }
}

#[test]
fn projections_cut_off_the_negative_eigenvalues_and_nothing_else() {
    let mut indefinite = 0;
    for (energy, density) in all() {
        for f in states(energy).iter().map(|f| columns(*f)) {
            let tangent = matrix(&density.tangent(&f));
            let projected = matrix(&density.projected_tangent(&f));
            let size = largest(&tangent);
            assert!(distance(&projected, &clamp(tangent)) < 1e-13 * size, "{} at {f:?}", energy.name());
            let least = eigen(tangent).values.into_iter().fold(f64::INFINITY, f64::min);
            if least > 0.0 {
                assert!(distance(&projected, &tangent) < 1e-13 * size);
            }
            indefinite += usize::from(least < -1e-3 * size);
        }
    }
    assert!(indefinite > 20, "{indefinite} of the tangents were indefinite");
}

#[test]
fn rest_has_no_energy_and_no_stress_and_the_stiffness_of_linear_elasticity() {
    let linear = matrix(&SolidEnergy::Linear.density(lame()).tangent(&REST));
    for (energy, density) in all() {
        assert!(density.density(&REST).abs() < 1e-15, "{}", energy.name());
        for column in density.stress(&REST) {
            assert!(column.length() < 1e-15, "{}", energy.name());
        }
        let tangent = matrix(&density.tangent(&REST));
        assert!(distance(&tangent, &linear) < 1e-14, "{}", energy.name());
    }
}

#[test]
fn a_rotation_turns_the_stress_and_keeps_the_energy() {
    let turn = DMat3::from_quat(DQuat::from_axis_angle(DVec3::new(2.0, -1.0, 2.0) / 3.0, 1.3));
    for (energy, density) in all().filter(|(energy, _)| *energy != SolidEnergy::Linear) {
        for f in states(energy) {
            let (before, after) = (columns(f), columns(turn * f));
            assert!(
                (density.density(&before) - density.density(&after)).abs() < 1e-13 * density.density(&before).max(1.0)
            );
            let (stress, turned) = (density.stress(&before), density.stress(&after));
            for (stress, turned) in stress.iter().zip(turned) {
                assert!((turn * *stress - turned).length() < 1e-12, "{} at {f}", energy.name());
            }
        }
    }
}

#[test]
fn small_strains_are_those_of_linear_elasticity() {
    let linear = SolidEnergy::Linear.density(lame());
    let size = 1e-6;
    for (energy, density) in all() {
        for seed in 1..5 {
            let f = columns(random(size, seed));
            let (stress, exact) = (density.stress(&f), linear.stress(&f));
            for (stress, exact) in stress.iter().zip(exact) {
                assert!((*stress - exact).length() < 20.0 * lame().young() * size * size, "{}", energy.name());
            }
        }
    }
}

#[test]
fn collapsed_states_are_finite_or_forbidden() {
    let line = DMat3::from_diagonal(DVec3::new(1.0, 0.0, 0.0));
    let mirror = DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0));
    for f in collapsed().into_iter().chain([DMat3::ZERO, line, mirror, -DMat3::IDENTITY]).map(columns) {
        for (energy, density) in all() {
            let stress = density.stress(&f);
            let tangents = [density.tangent(&f), density.projected_tangent(&f)];
            if energy == SolidEnergy::NeoHookean {
                assert_eq!(density.density(&f), f64::INFINITY);
                assert!(stress.iter().any(|column| column.is_nan()));
                assert!(tangents.iter().all(|tangent| matrix(tangent).as_flattened().iter().any(|t| t.is_nan())));
            } else {
                assert!(density.density(&f).is_finite() && stress.iter().all(|column| column.is_finite()));
                assert!(tangents.iter().all(|tangent| matrix(tangent).as_flattened().iter().all(|t| t.is_finite())));
            }
        }
    }
}

#[test]
fn names_are_found_again() {
    for entry in SOLID_ENERGIES {
        assert_eq!(SolidEnergy::named(entry.name), Some(entry.energy));
        assert_eq!(entry.energy.name(), entry.name);
    }
    assert_eq!(SolidEnergy::named("rubber"), None);
}
