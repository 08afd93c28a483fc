//! Lemke's method against all complementary bases of small problems, tried one by one.

use super::lemke::{Complementarity, Ending, PivotBudget};
use super::square::Square;

/// Numbers in [-1, 1) from a counter.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^= x >> 31;
        (x >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

fn square(rows: &[Vec<f64>]) -> Square {
    let mut m = Square::zeros(rows.len());
    for (i, row) in rows.iter().enumerate() {
        row.iter().enumerate().for_each(|(j, value)| m.add(i, j, *value));
    }
    m
}

/// A x = b by Gauss elimination with row pivoting; `None` if a pivot is too small to tell.
fn eliminate(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for k in 0..n {
        let p = (k..n).max_by(|x, y| a[*x][k].abs().total_cmp(&a[*y][k].abs()))?;
        if a[p][k].abs() < 1e-9 {
            return None;
        }
        a.swap(k, p);
        b.swap(k, p);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            let pivot_row = a[k].clone();
            a[i].iter_mut().zip(&pivot_row).skip(k).for_each(|(x, y)| *x -= factor * y);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        b[k] = (b[k] - (k + 1..n).map(|j| a[k][j] * b[j]).sum::<f64>()) / a[k][k];
    }
    Some(b)
}

/// All solutions whose basis is regular.
fn solutions(m: &[Vec<f64>], q: &[f64]) -> Vec<Vec<f64>> {
    let n = q.len();
    let mut found: Vec<Vec<f64>> = Vec::new();
    for mask in 0u32..1 << n {
        let active: Vec<usize> = (0..n).filter(|i| mask & (1 << i) != 0).collect();
        let a = active.iter().map(|i| active.iter().map(|j| m[*i][*j]).collect()).collect();
        let b = active.iter().map(|i| -q[*i]).collect();
        let Some(values) = eliminate(a, b) else { continue };
        let mut z = vec![0.0; n];
        active.iter().zip(&values).for_each(|(i, value)| z[*i] = *value);
        let w = |i: usize| q[i] + (0..n).map(|j| m[i][j] * z[j]).sum::<f64>();
        if (0..n).all(|i| z[i] >= -1e-12 && w(i) >= -1e-12) {
            found.push(z);
        }
    }
    found
}

fn lemke(m: &[Vec<f64>], q: &[f64], active: &mut Vec<usize>) -> (Ending, Vec<f64>, usize) {
    let problem = Complementarity { m: square(m), q: q.to_vec() };
    let mut z = vec![0.0; q.len()];
    let mut budget = PivotBudget { pivots: 0, most: 10_000, time_is_up: &|| false };
    let ending = problem.solve(active, &mut z, &mut budget);
    (ending, z, budget.pivots)
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()))
}

fn violation(m: &[Vec<f64>], q: &[f64], z: &[f64]) -> f64 {
    let w = |i: usize| q[i] + (0..q.len()).map(|j| m[i][j] * z[j]).sum::<f64>();
    (0..q.len()).fold(0.0, |worst: f64, i| worst.max(z[i].min(w(i)).abs()))
}

/// Gᵀ G + s (N − Nᵀ) for G with `rank` rows: positive semidefinite, not symmetric.
fn semidefinite(random: &mut Random, n: usize, rank: usize, skew: f64) -> Vec<Vec<f64>> {
    let g: Vec<Vec<f64>> = (0..rank).map(|_| (0..n).map(|_| random.next()).collect()).collect();
    let mut m: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| g.iter().map(|row| row[i] * row[j]).sum()).collect()).collect();
    for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
        let s = skew * random.next();
        m[i][j] += s;
        m[j][i] -= s;
    }
    m
}

#[test]
fn positive_definite_problems_have_one_solution_and_it_is_found() {
    let mut random = Random(1);
    for case in 0..400 {
        let n = 1 + case % 8;
        let mut m = semidefinite(&mut random, n, n, if case % 2 == 0 { 0.0 } else { 1.0 });
        (0..n).for_each(|i| m[i][i] += 0.1);
        let q: Vec<f64> = (0..n).map(|_| random.next()).collect();
        let all = solutions(&m, &q);
        assert_eq!(all.len(), 1, "{case}");
        let (ending, z, _) = lemke(&m, &q, &mut Vec::new());
        assert_eq!(ending, Ending::Solved, "{case}");
        assert!(apart(&z, &all[0]) < 1e-9, "{case}: {z:?} {all:?}");
    }
}

#[test]
fn semidefinite_problems_are_solved_when_they_can_be() {
    let (mut random, mut solvable, mut not) = (Random(2), 0, 0);
    for case in 0..600 {
        let n = 2 + case % 6;
        let m = semidefinite(&mut random, n, 1 + case % 3, 0.0);
        let q: Vec<f64> = (0..n).map(|_| random.next()).collect();
        // A solvable problem has a solution with a regular basis, for a semidefinite M.
        let all = solutions(&m, &q);
        let (ending, z, _) = lemke(&m, &q, &mut Vec::new());
        if all.is_empty() {
            assert_eq!(ending, Ending::Ray, "{case}: {z:?}");
            not += 1;
        } else {
            assert_eq!(ending, Ending::Solved, "{case}: {all:?}");
            assert!(violation(&m, &q, &z) < 1e-9, "{case}: {z:?}");
            solvable += 1;
        }
    }
    assert!(solvable > 100 && not > 100, "{solvable} {not}");
}

#[test]
fn what_is_called_solved_is_a_solution_of_any_matrix() {
    let (mut random, mut solved) = (Random(3), 0);
    for case in 0..800 {
        let n = 2 + case % 5;
        let m: Vec<Vec<f64>> = (0..n).map(|_| (0..n).map(|_| random.next()).collect()).collect();
        let q: Vec<f64> = (0..n).map(|_| random.next()).collect();
        let all = solutions(&m, &q);
        let (ending, z, pivots) = lemke(&m, &q, &mut Vec::new());
        assert!(pivots < 1000, "{case}: no endless pivoting");
        if ending == Ending::Solved {
            solved += 1;
            let nearest = all.iter().map(|s| apart(s, &z)).fold(f64::INFINITY, f64::min);
            assert!(nearest < 1e-7, "{case}: {z:?} is none of {all:?}");
        }
    }
    assert!(solved > 200, "{solved}");
}

#[test]
fn ties_do_not_cycle() {
    // Integer entries of a tiny range: almost every ratio test has ties.
    let (mut random, mut solvable) = (Random(4), 0);
    for case in 0..600 {
        let n = 3 + case % 5;
        let g: Vec<Vec<f64>> = (0..2).map(|_| (0..n).map(|_| (1.5 * random.next()).round()).collect()).collect();
        let m: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| g.iter().map(|row| row[i] * row[j]).sum()).collect()).collect();
        let q: Vec<f64> = (0..n).map(|_| (1.5 * random.next()).round()).collect();
        let (ending, z, pivots) = lemke(&m, &q, &mut Vec::new());
        assert!(pivots < 500, "{case}: {pivots} pivots");
        let all = solutions(&m, &q);
        assert_eq!(ending == Ending::Solved, !all.is_empty(), "{case}: {ending:?} {all:?} {m:?} {q:?}");
        if ending == Ending::Solved {
            solvable += 1;
            assert!(violation(&m, &q, &z) < 1e-10, "{case}");
        }
    }
    assert!(solvable > 100, "{solvable}");
}

#[test]
fn a_solution_is_its_own_best_start() {
    let mut random = Random(5);
    for case in 0..100 {
        let n = 8;
        let mut m = semidefinite(&mut random, n, n, 0.5);
        (0..n).for_each(|i| m[i][i] += 0.1);
        let q: Vec<f64> = (0..n).map(|_| random.next()).collect();
        let mut active = Vec::new();
        let (_, cold, _) = lemke(&m, &q, &mut active);
        let (ending, warm, pivots) = lemke(&m, &q, &mut active);
        assert!(ending == Ending::Solved && pivots == 0 && apart(&cold, &warm) < 1e-12, "{case}: {pivots}");
        // A start that is wrong costs pivots, not the solution.
        let mut wrong: Vec<usize> = (0..n).filter(|i| !active.contains(i)).collect();
        let (ending, other, _) = lemke(&m, &q, &mut wrong);
        assert!(ending == Ending::Solved && apart(&cold, &other) < 1e-9, "{case}");
    }
}
