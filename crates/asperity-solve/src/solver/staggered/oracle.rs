//! The friction problem against points tried at random, and its two forms against each other.

use asperity_friction::set::{ConvexSet, Disk, SETS};
use asperity_friction::{ContactLaw, Tangential};

use super::friction::{FrictionProblem, Near};
use super::polar::Polar;
use super::projection::Projection;
use crate::problem::{BlockMatrix, ContactProblem, RowKind};
use crate::solver::reduced::Reduced;

/// Numbers in [-1, 1) from a counter.
fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// Contacts with `rows` rows each on a random W = GᵀG of this rank.
fn contacts(seed: &mut u64, count: usize, rows: usize, rank: usize) -> ContactProblem {
    let n = count * rows;
    let g: Vec<Vec<f64>> = (0..rank).map(|_| (0..n).map(|_| random(seed)).collect()).collect();
    let mut entries = Vec::new();
    for i in 0..n {
        entries.extend((0..n).map(|j| (i, j, g.iter().map(|row| row[i] * row[j]).sum::<f64>())));
    }
    let starts: Vec<usize> = (0..=count).map(|k| k * rows).collect();
    let bias = (0..n).map(|_| random(seed)).collect();
    ContactProblem::new(BlockMatrix::from_entries(&starts, entries.into_iter()), bias, vec![RowKind::Contact; count])
        .unwrap()
}

fn energy(problem: &FrictionProblem, q: &[f64], x: &[f64]) -> f64 {
    let mut wx = vec![0.0; x.len()];
    problem.w.times_add(x, &vec![0.0; x.len()], &mut wx);
    x.iter().zip(wx.iter().zip(q)).map(|(x, (w, q))| x * (0.5 * w + q)).sum()
}

#[test]
fn no_point_tried_is_better_than_the_minimum() {
    let (mut seed, mut solved) = (11, 0);
    for set in SETS.iter().flat_map(|e| (e.examples)()) {
        // Regular, and with fewer freedoms than rows.
        for rank in [2 * (set.rows() + 1), set.rows()] {
            let p = contacts(&mut seed, 2, set.rows() + 1, rank);
            let (reduced, laws) = (Reduced::new(&p), vec![ContactLaw::Set(set.clone()); 2]);
            let mut friction = FrictionProblem::new(&p, &reduced, &laws);
            friction.set_laws(&laws);
            let impulses: Vec<f64> = (0..p.w().rows()).map(|_| random(&mut seed).abs()).collect();
            let n = friction.w.rows();
            let (mut x, mut q) = (vec![0.0; n], vec![0.0; n]);
            friction.take(&reduced, &impulses, &mut x, &mut q);
            let fine = Projection::new(n).solve(&friction, &q, &mut x, 1e-11, &|| false);
            let (mut gradient, mut e) = (vec![0.0; n], vec![0.0; n]);
            let error = friction.natural_map(&q, &x, Near::NOTHING, &mut gradient, &mut e);
            assert_eq!(fine, error <= 1e-11 * friction.size(&x), "{set:?}");
            assert!(error <= 1e-7 * friction.size(&x), "{set:?} {rank}: {error:e}");
            solved += usize::from(fine);
            let least = energy(&friction, &q, &x);
            let mut y = vec![0.0; n];
            for k in 0..2000 {
                // Anywhere in the sets, and near the minimum.
                let reach = [1.0, 1e-3][k % 2] * set.radius();
                for patch in &friction.patches {
                    let mut c = [0.0; 5];
                    c[..patch.rows].iter_mut().for_each(|c| *c = reach * random(&mut seed));
                    let center = if k % 2 == 0 { Tangential::ZERO } else { patch.of(&x) };
                    patch.write(patch.set.project(patch.load, center + Tangential::from_array(c)), &mut y);
                }
                let other = energy(&friction, &q, &y);
                assert!(other >= least - 1e-9 * (1.0 + least.abs()), "{set:?}: {other} < {least}");
            }
        }
    }
    assert!(solved > 90, "{solved}");
}

#[test]
fn both_forms_find_the_same_minimum() {
    let mut seed = 5;
    for case in 0..60 {
        let count = 1 + case % 4;
        let p = contacts(&mut seed, count, 3, if case % 3 == 0 { 2 } else { 3 * count });
        let laws: Vec<ContactLaw> = (0..count).map(|_| Disk::new(random(&mut seed).abs()).unwrap().into()).collect();
        let reduced = Reduced::new(&p);
        let mut friction = FrictionProblem::new(&p, &reduced, &laws);
        friction.set_laws(&laws);
        // Some starts are at zero, where the angle means nothing, and some loads are zero.
        let mut impulses: Vec<f64> = (0..p.w().rows()).map(|_| random(&mut seed).abs()).collect();
        if case % 2 == 0 {
            impulses.iter_mut().enumerate().filter(|(k, _)| k % 3 > 0).for_each(|(_, r)| *r = 0.0);
        }
        if case % 5 == 0 {
            impulses[0] = 0.0;
        }
        let n = friction.w.rows();
        let (mut x, mut q) = (vec![0.0; n], vec![0.0; n]);
        friction.take(&reduced, &impulses, &mut x, &mut q);
        let mut y = x.clone();
        assert!(Projection::new(n).solve(&friction, &q, &mut x, 1e-12, &|| false), "{case}");
        assert!(Polar::new(count, n).solve(&friction, &q, &mut y, 1e-12, &|| false), "{case}");
        let (a, b) = (energy(&friction, &q, &x), energy(&friction, &q, &y));
        assert!((a - b).abs() < 1e-12 * (1.0 + a.abs()), "{case}: {a} {b}");
        // The velocities are unique even where the impulses are not.
        let zero = vec![0.0; n];
        let (mut u, mut v) = (zero.clone(), zero.clone());
        friction.w.times_add(&x, &zero, &mut u);
        friction.w.times_add(&y, &zero, &mut v);
        assert!(u.iter().zip(&v).all(|(u, v)| (u - v).abs() < 1e-7), "{case}: {u:?} {v:?}");
    }
}
