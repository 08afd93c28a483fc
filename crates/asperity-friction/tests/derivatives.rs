//! Derivatives of the projection, of every set of the catalogue and over all rows: finite differences, what the theory of
//! projections says of them, closed forms, kinks.

mod common;

use std::cell::Cell;

use asperity_friction::Tangential;
use asperity_friction::set::{
    ConvexSet, Disk, Ellipse, Ellipsoid, FrictionSet, PlanarProjection, Rolling, TangentialDerivative,
};
use common::{component, for_every_set, loads, scale, trial, vector, within_rows};
use glam::DVec2;
use proptest::prelude::*;

/// Round-off of a derivative, whose entries are of size one.
const TOLERANCE: f64 = 1e-12;

fn unit(i: usize) -> Tangential {
    let mut c = [0.0; 5];
    c[i] = 1.0;
    Tangential::from_array(c)
}

/// ∂p/∂f times a vector.
fn apply(d: &TangentialDerivative, v: Tangential) -> Tangential {
    let v = v.to_array();
    Tangential::from_array(d.by_force.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum()))
}

fn by_load(d: &TangentialDerivative) -> Tangential {
    Tangential::from_array(d.by_load)
}

fn column(d: &TangentialDerivative, j: usize) -> Tangential {
    Tangential::from_array(d.by_force.map(|row| row[j]))
}

/// How far a derivative is from that at another load and point.
fn apart(set: &FrictionSet, at: &TangentialDerivative, load: f64, x: Tangential) -> f64 {
    let other = set.derivative(load, x);
    let columns = (0..5).map(|j| (column(&other, j) - column(at, j)).length());
    columns.fold((by_load(&other) - by_load(at)).length() / set.radius(), f64::max)
}

/// Eigenvalues of a symmetric matrix, by Jacobi's rotations.
fn eigenvalues(mut a: [[f64; 5]; 5]) -> [f64; 5] {
    for _ in 0..20 {
        for p in 0..5 {
            for q in p + 1..5 {
                if a[p][q] == 0.0 {
                    continue;
                }
                let angle = 0.5 * (2.0 * a[p][q]).atan2(a[q][q] - a[p][p]);
                let (s, c) = angle.sin_cos();
                for row in &mut a {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
                let (row_p, row_q) = (a[p], a[q]);
                for k in 0..5 {
                    (a[p][k], a[q][k]) = (c * row_p[k] - s * row_q[k], s * row_p[k] + c * row_q[k]);
                }
            }
        }
    }
    [0, 1, 2, 3, 4].map(|i| a[i][i])
}

/// A point whose components are in proportion to the set's own extent: near all of its faces, however thin it is.
fn fitted(set: &FrictionSet, load: f64, v: Tangential, size: f64) -> Tangential {
    let b = set.bounds();
    let (lower, upper, c) = (b.lower.to_array(), b.upper.to_array(), v.to_array());
    let mut x = [0.0; 5];
    for i in 0..5 {
        x[i] = c[i] * size * load * upper[i].max(-lower[i]);
    }
    let turn = |p: DVec2| b.axis * p.x + b.axis.perp() * p.y;
    let x = Tangential::from_array(x);
    Tangential { plane: turn(x.plane), spin: x.spin, roll: turn(x.roll) }
}

#[test]
fn derivatives_match_finite_differences() {
    let (smooth, kinks) = (Cell::new(0), Cell::new(0));
    for_every_set(150, (vector(), 0.05..4.0f64, 0.1..3.0f64, prop::bool::ANY), |set, (v, size, load, fit)| {
        if set.radius() == 0.0 {
            return Ok(());
        }
        let x = if fit { fitted(set, load, v, size) } else { within_rows(set, v) * (size * load * set.radius()) };
        let at = set.derivative(load, x);
        let (h, k) = (1e-6 * load * set.radius(), 1e-6 * load);
        let here = set.project(load, x);
        let (mut error, mut bend) = (0.0f64, 0.0f64);
        for j in 0..set.rows() {
            let [ahead, back] = [x + unit(j) * h, x - unit(j) * h];
            let (p, q) = (set.project(load, ahead), set.project(load, back));
            error = error.max(((p - q) * (0.5 / h) - column(&at, j)).length());
            bend = bend.max((p + q - here * 2.0).length() / h);
            bend = bend.max(apart(set, &at, load, ahead)).max(apart(set, &at, load, back));
        }
        let slope = (set.project(load + k, x) - set.project(load - k, x)) * (0.5 / k);
        error = error.max((slope - by_load(&at)).length() / set.radius());
        bend = bend.max(apart(set, &at, load + k, x)).max(apart(set, &at, load - k, x));
        // A kink within a step is no error of the derivative: differences to either side tell, or what is beyond it.
        if bend > 1e-3 {
            kinks.set(kinks.get() + 1);
            return Ok(());
        }
        smooth.set(smooth.get() + 1);
        prop_assert!(error <= 1e-3, "error {error} at {x:?}, load {load}: {at:?}");
        Ok(())
    });
    assert!(smooth.get() > 20 * kinks.get(), "{} smooth, {} kinks", smooth.get(), kinks.get());
}

#[test]
fn derivatives_are_symmetric_and_do_not_expand() {
    for_every_set(200, (vector(), component(), loads()), |set, (v, size, load)| {
        let at = set.derivative(load, trial(set, load, v, size));
        for (i, row) in at.by_force.iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                prop_assert!((entry - at.by_force[j][i]).abs() <= TOLERANCE, "{at:?}");
                prop_assert!((i < set.rows() && j < set.rows()) || *entry == 0.0, "{at:?}");
            }
            prop_assert!(i < set.rows() || at.by_load[i] == 0.0, "{at:?}");
        }
        for value in eigenvalues(at.by_force) {
            prop_assert!((-TOLERANCE..=1.0 + TOLERANCE).contains(&value), "eigenvalue {value} of {at:?}");
        }
        prop_assert!(by_load(&at).is_finite(), "{at:?}");
        Ok(())
    });
}

#[test]
fn projections_are_homogeneous() {
    // p = (∂p/∂f) f + λ ∂p/∂λ, for it is of degree one in both.
    for_every_set(200, (vector(), component(), loads()), |set, (v, size, load)| {
        let x = trial(set, load, v, size);
        let at = set.derivative(load, x);
        let rebuilt = apply(&at, x) + by_load(&at) * load;
        let slack = 1e-10 * scale(set, load) + TOLERANCE * x.length();
        prop_assert!((rebuilt - set.project(load, x)).length() <= slack, "{rebuilt:?} at {x:?}, load {load}: {at:?}");
        Ok(())
    });
}

#[test]
fn without_load_the_set_is_a_point_that_grows() {
    for_every_set(50, (vector(), 1e-12..1e-3f64), |set, (v, load)| {
        let x = within_rows(set, v);
        let at = set.derivative(0.0, x);
        prop_assert_eq!(at.by_force, [[0.0; 5]; 5]);
        // It grows as fast as it can along f.
        prop_assert!((by_load(&at).dot(x) - set.support(x)).abs() <= 1e-10 * set.radius() * x.length());
        let loaded = set.derivative(load, x);
        prop_assert!(by_load(&loaded).is_finite() && loaded.by_force.as_flattened().iter().all(|e| e.is_finite()));
        Ok(())
    });
}

#[test]
fn planar_sets_say_the_same_twice() {
    for_every_set(50, (vector(), component(), loads()), |set, (v, size, load)| {
        let Some(planar) = set.planar() else { return Ok(()) };
        let x = trial(set, load, v, size);
        let (all, two) = (set.derivative(load, x), planar.project_derivative(load, x.plane));
        for i in 0..2 {
            prop_assert_eq!(all.by_force[i][0], two.by_force.x_axis[i]);
            prop_assert_eq!(all.by_force[i][1], two.by_force.y_axis[i]);
            prop_assert_eq!(all.by_load[i], two.by_load[i]);
        }
        let both = PlanarProjection { point: set.project(load, x).plane, derivative: two };
        prop_assert_eq!(set.planar_projection(load, x.plane), both);
        prop_assert_eq!(set.contains(load, x, 0.0), set.project(load, x) == x);
        Ok(())
    });
}

#[test]
fn at_a_kink_it_is_that_of_a_point_nearby() {
    // On the boundary itself: the derivative must be the limit of those at points around it.
    let points = prop::collection::vec(vector(), 60);
    for_every_set(40, (vector(), 0.1..3.0f64, points), |set, (v, load, around)| {
        if set.radius() == 0.0 {
            return Ok(());
        }
        let x = set.support_point(within_rows(set, v)) * load;
        let at = set.derivative(load, x);
        // Steps below the radius of curvature of the thinnest example, 1e-8 of its size.
        let step = 1e-13 * load * set.radius();
        let near = around.into_iter().map(|o| apart(set, &at, load, x + within_rows(set, o) * step));
        let nearest = near.fold(f64::INFINITY, f64::min);
        prop_assert!(nearest <= 1e-3, "{nearest} from all around {x:?}, load {load}: {at:?}");
        Ok(())
    });
}

#[test]
fn a_ball_and_its_shadows_in_closed_form() {
    // Outside a ball of radius μλ: (μλ/|x|)(1 − x̂ x̂ᵀ) and μ x̂. An axis without extent leaves a disk; two leave a segment.
    let (mu, load) = (0.4, 2.5);
    let x = Tangential { plane: DVec2::new(1.2, -0.7), spin: 2.0, roll: DVec2::ZERO };
    let axis = DVec2::from_angle(0.9);
    for (keep, mus) in [([1.0, 1.0], [mu, mu, mu]), ([1.0, 0.0], [mu, mu, 0.0]), ([0.0, 1.0], [0.0, 0.0, mu])] {
        let set = Ellipsoid::new(mus, axis).unwrap();
        let seen = Tangential { plane: x.plane * keep[0], spin: x.spin * keep[1], roll: DVec2::ZERO };
        let (length, d) = (seen.length(), (seen * (1.0 / seen.length())).to_array());
        let at = set.derivative(load, x);
        for i in 0..5 {
            let exists = |k: usize| [keep[0], keep[0], keep[1], 0.0, 0.0][k];
            for j in 0..5 {
                let identity = if i == j { exists(i) } else { 0.0 };
                let expected = mu * load / length * (identity - d[i] * d[j]);
                assert!((at.by_force[i][j] - expected).abs() < 1e-14, "{i} {j}: {at:?}");
            }
            assert!((at.by_load[i] - mu * d[i]).abs() < 1e-14, "{at:?}");
        }
    }
}

#[test]
fn sliding_and_rolling_do_not_mix() {
    let (slide, roll) = (Disk::new(0.5).unwrap(), Ellipse::new([0.02, 0.01], DVec2::from_angle(0.3)).unwrap());
    let set = Rolling::new(slide.into(), roll).unwrap();
    let x = Tangential { plane: DVec2::new(1.0, 0.4), spin: 0.3, roll: DVec2::new(-0.03, 0.02) };
    let at = set.derivative(1.5, x);
    let (first, second) = (slide.derivative(1.5, x), roll.derivative(1.5, Tangential::planar(x.roll)));
    for i in 0..5 {
        for j in 0..5 {
            let expected = match (i, j) {
                (0 | 1, 0 | 1) => first.by_force[i][j],
                (3 | 4, 3 | 4) => second.by_force[i - 3][j - 3],
                _ => 0.0,
            };
            assert_eq!(at.by_force[i][j], expected);
        }
    }
    assert_eq!(at.by_load, [first.by_load[0], first.by_load[1], 0.0, second.by_load[0], second.by_load[1]]);
}
