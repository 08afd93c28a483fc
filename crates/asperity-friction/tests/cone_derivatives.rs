//! Derivatives of the projection onto the cone, of every set of the catalogue: finite differences, the properties that the
//! theory of projections demands, the closed form for disks.

mod common;

use std::cell::Cell;

use asperity_friction::Tangential;
use asperity_friction::set::{CONE_ROWS, ConePlace, ConeProjection, ConvexSet, Disk, FrictionSet};
use common::{component, for_every_set, trial, vector, within_rows};
use proptest::prelude::*;

type Square = [[f64; CONE_ROWS]; CONE_ROWS];

/// (load, force) as one vector.
fn joined(load: f64, force: Tangential) -> [f64; CONE_ROWS] {
    let f = force.to_array();
    [load, f[0], f[1], f[2], f[3], f[4]]
}

fn at(set: &FrictionSet, z: [f64; CONE_ROWS]) -> ConeProjection {
    set.cone_projection(z[0], Tangential::from_array([z[1], z[2], z[3], z[4], z[5]]))
}

fn point(set: &FrictionSet, z: [f64; CONE_ROWS]) -> [f64; CONE_ROWS] {
    let point = at(set, z).point;
    joined(point.load, point.force)
}

fn distance(a: &Square, b: &Square) -> f64 {
    a.as_flattened().iter().zip(b.as_flattened()).fold(0.0, |m, (a, b)| f64::max(m, (a - b).abs()))
}

#[test]
fn derivatives_match_finite_differences() {
    let (smooth, kinks, boundary) = (Cell::new(0), Cell::new(0), Cell::new(0));
    for_every_set(150, (vector(), 0.05..4.0f64, -3.0..3.0f64), |set, (v, size, n)| {
        let force = within_rows(set, v) * (size * set.radius().max(0.1));
        let z = joined(n, force);
        let here = at(set, z);
        // Differences and derivative in units in which a thin or a wide set is as large as the load.
        let unit = |k: usize| if k == 0 { 1.0 } else { set.radius().max(1e-3) };
        let (mut error, mut bend) = (0.0f64, 0.0f64);
        for j in 0..=set.rows() {
            let h = 1e-6 * unit(j);
            let (mut ahead, mut back) = (z, z);
            ahead[j] += h;
            back[j] -= h;
            let (p, q) = (point(set, ahead), point(set, back));
            for i in 0..CONE_ROWS {
                error = error.max(((p[i] - q[i]) / (2.0 * h) - here.derivative[i][j]).abs());
            }
            bend = bend.max(distance(&at(set, ahead).derivative, &here.derivative));
            bend = bend.max(distance(&at(set, back).derivative, &here.derivative));
        }
        // A kink within the difference is no error of the derivative.
        if bend > 1e-3 {
            kinks.set(kinks.get() + 1);
            return Ok(());
        }
        smooth.set(smooth.get() + 1);
        boundary.set(boundary.get() + usize::from(here.place == ConePlace::Boundary));
        prop_assert!(error <= 1e-3, "error {error} at {z:?}: {here:?}");
        Ok(())
    });
    assert!(smooth.get() > 10 * kinks.get(), "{} smooth, {} kinks", smooth.get(), kinks.get());
    assert!(3 * boundary.get() > smooth.get(), "{} of {} on the boundary", boundary.get(), smooth.get());
}

#[test]
fn derivatives_are_symmetric_and_between_zero_and_one() {
    for_every_set(200, (vector(), component(), -3.0..3.0f64), |set, (v, size, n)| {
        let found = set.cone_projection(n, trial(set, n.abs(), v, size));
        let d = found.derivative;
        for (i, row) in d.iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                prop_assert_eq!(*entry, d[j][i]);
                prop_assert!((i <= set.rows() && j <= set.rows()) || *entry == 0.0, "{:?}", found);
            }
        }
        // 0 ≤ xᵀ P' x ≤ xᵀ x for x along each axis, each pair of axes and the image of each axis.
        let axis = |k: usize| std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 });
        let mut directions: Vec<[f64; CONE_ROWS]> = (0..CONE_ROWS).map(axis).chain(d).collect();
        for a in 0..CONE_ROWS {
            for b in 0..a {
                directions.push(std::array::from_fn(|i| d[a][i] - d[b][i]));
                directions.push(std::array::from_fn(|i| axis(a)[i] - d[b][i]));
            }
        }
        for x in directions {
            let image: [f64; CONE_ROWS] = std::array::from_fn(|i| (0..CONE_ROWS).map(|j| d[i][j] * x[j]).sum());
            let (form, square): (f64, f64) =
                ((0..CONE_ROWS).map(|i| x[i] * image[i]).sum(), x.iter().map(|x| x * x).sum());
            prop_assert!(form >= -1e-11 * square && form <= (1.0 + 1e-11) * square, "{form} of {square}: {found:?}");
        }
        Ok(())
    });
}

/// P' of the disk cone on its boundary, written out by hand: with e = z_T/|z_T| and a = (z_N + μ|z_T|)/(1 + μ²),
/// [1, μ eᵀ; μ e, μ² e eᵀ]/(1 + μ²) + (μ a/|z_T|)(I − e eᵀ).
#[test]
fn the_disk_has_its_closed_form() {
    for (mu, n, x, y) in [(0.3, 0.5, 1.0, -2.0), (1.5, -0.4, 0.7, 0.9), (0.05, 2.0, 0.3, 0.1), (3.0, -1.0, -4.0, 1e-3)]
    {
        let set = FrictionSet::from(Disk::new(mu).unwrap());
        let found = set.cone_projection(n, Tangential::planar(glam::DVec2::new(x, y)));
        assert_eq!(found.place, ConePlace::Boundary);
        let length = f64::hypot(x, y);
        let (e, k) = ([x / length, y / length], 1.0 / (1.0 + mu * mu));
        let turning = mu * k * (n + mu * length) / length;
        let mut expected = [[0.0; CONE_ROWS]; CONE_ROWS];
        expected[0][0] = k;
        for i in 0..2 {
            expected[0][i + 1] = k * mu * e[i];
            expected[i + 1][0] = k * mu * e[i];
            for j in 0..2 {
                let across = if i == j { 1.0 } else { 0.0 } - e[i] * e[j];
                expected[i + 1][j + 1] = k * mu * mu * e[i] * e[j] + turning * across;
            }
        }
        assert!(distance(&found.derivative, &expected) < 1e-13, "{:?} and {expected:?}", found.derivative);
    }
}

#[test]
fn without_friction_only_the_load_counts() {
    let set = FrictionSet::from(Disk::new(0.0).unwrap());
    let found = set.cone_projection(2.0, Tangential::planar(glam::DVec2::new(1.0, 3.0)));
    let mut expected = [[0.0; CONE_ROWS]; CONE_ROWS];
    expected[0][0] = 1.0;
    assert_eq!(found.derivative, expected);
}
