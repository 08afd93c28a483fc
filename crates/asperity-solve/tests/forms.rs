//! The equations of one contact, in every form: zero exactly at solutions, derivatives against finite differences, Newton's
//! method on each of them, no unit of length.

use asperity_friction::set::{ConePoint, ConvexSet, Disk, Ellipse, Ellipsoid, FrictionSet, Rolling, SETS};
use asperity_friction::{ContactLaw, Tangential};
use asperity_solve::solver::forms::{Form, FormRows, Weights};
use glam::DVec2;

struct Random(u64);

impl Random {
    /// Between −1 and 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn tangential(&mut self, n: usize) -> Tangential {
        let mut c = [0.0; 5];
        c[..n - 1].iter_mut().for_each(|x| *x = self.next());
        Tangential::from_array(c)
    }
}

/// Impulses and velocities of a contact.
#[derive(Clone, Debug)]
struct Point {
    r: Vec<f64>,
    u: Vec<f64>,
}

impl Point {
    fn new(n: usize, load: f64, force: Tangential, separation: f64, slip: Tangential) -> Self {
        let rows = |normal: f64, t: Tangential| {
            let mut all = vec![normal];
            all.extend_from_slice(&t.to_array()[..n - 1]);
            all
        };
        Self { r: rows(load, force), u: rows(separation, slip) }
    }
}

/// Sets with all of their degenerate axes, and the numbers of rows of the contacts they are tried on.
fn sets() -> Vec<(FrictionSet, usize)> {
    let examples = SETS.iter().flat_map(|e| (e.examples)());
    let thick = examples.filter(|set| set.radius() < 5.0);
    let spin = |mu: [f64; 3]| FrictionSet::from(Ellipsoid::new(mu, DVec2::from_angle(0.4)).unwrap());
    let roll = |mu: [f64; 2]| Ellipse::new(mu, DVec2::from_angle(1.0)).unwrap();
    let more = [
        Rolling::new(spin([0.3, 0.6, 0.2]), roll([0.1, 0.3])).unwrap().into(),
        Rolling::new(spin([0.3, 0.0, 0.2]), roll([0.1, 0.0])).unwrap().into(),
        Rolling::new(Disk::new(0.0).unwrap().into(), roll([0.1, 0.2])).unwrap().into(),
        Rolling::new(Disk::new(0.7).unwrap().into(), roll([0.0, 0.0])).unwrap().into(),
    ];
    let all: Vec<FrictionSet> = thick.chain(more).collect();
    all.into_iter().flat_map(|set| [3, 4, 6].map(|n| (set.clone(), n))).filter(|(set, n)| set.rows() < *n).collect()
}

fn weights(random: &mut Random) -> Weights {
    let size = |random: &mut Random| 10f64.powf(0.5 * random.next());
    Weights { normal: size(random), tangential: size(random), inverse_arm: size(random) }
}

fn norm(f: &[f64]) -> f64 {
    f.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// A solution of each kind: taking off, sticking inside and at the limit, sliding, spinning, rolling.
fn solutions(random: &mut Random, set: &FrictionSet, n: usize) -> Vec<Point> {
    let load = 0.1 + random.next().abs();
    let slip = random.tangential(n);
    let edge = set.max_dissipation(load, random.tangential(set.rows() + 1));
    let zero = Tangential::ZERO;
    let mut all = vec![
        Point::new(n, 0.0, zero, 0.7, zero),
        Point::new(n, 0.0, zero, 0.3, slip),
        Point::new(n, 0.0, zero, 0.0, slip),
        Point::new(n, load, zero, 0.0, zero),
        Point::new(n, load, edge * 0.6, 0.0, zero),
        Point::new(n, load, edge, 0.0, zero),
        Point::new(n, load, set.max_dissipation(load, slip), 0.0, slip),
    ];
    // Sliding, spinning or rolling alone.
    for k in 0..3 {
        let only = match k {
            0 => Tangential { plane: slip.plane, ..zero },
            1 => Tangential { spin: slip.spin, ..zero },
            _ => Tangential { roll: slip.roll, ..zero },
        };
        all.push(Point::new(n, load, set.max_dissipation(load, only), 0.0, only));
    }
    all
}

/// r − P(load, r − u) with projections alone, in forces: zero exactly at solutions, and an equation of its own where the
/// form is not Alart and Curnier's.
fn natural(set: &FrictionSet, weights: &Weights, p: &Point) -> f64 {
    let n = p.r.len();
    let mut scaled = set.clone();
    scaled.scale_moments(weights.inverse_arm);
    let (mut force, mut slip) = ([0.0; 5], [0.0; 5]);
    for k in 1..n {
        let unit = if k < 3 { 1.0 } else { weights.inverse_arm };
        (force[k - 1], slip[k - 1]) = (p.r[k] * unit, p.u[k] / unit);
    }
    let (force, slip) = (Tangential::from_array(force), Tangential::from_array(slip));
    let ConePoint { load, force: q } = scaled.project_cone(p.r[0] - p.u[0] - scaled.support(-slip), force - slip);
    (p.r[0] - load).hypot((force - q).length())
}

#[test]
fn solutions_are_zeros() {
    let mut random = Random(1);
    let mut tried = [0; 3];
    for (set, n) in sets() {
        let law = ContactLaw::Set(set.clone());
        for _ in 0..40 {
            let weights = weights(&mut random);
            for p in solutions(&mut random, &set, n) {
                for (count, form) in tried.iter_mut().zip(Form::ALL) {
                    let Some(f) = form.value(&law, &weights, &p.r, &p.u) else {
                        assert!(form.refuses(&law).is_some(), "{} {set:?}", form.name());
                        continue;
                    };
                    assert_eq!(form.refuses(&law), None);
                    let e = norm(&f);
                    // Coordinates in units of an axis of 1e-6 cost six digits.
                    assert!(e <= 1e-9, "{} {e} with {n} rows of {set:?} at {p:?}\n{f:?}", form.name());
                    *count += 1;
                }
            }
        }
    }
    assert!(tried[0] > 30_000 && tried[1] > 15_000 && tried[2] == tried[1], "{tried:?}");
}

#[test]
fn nothing_else_is_a_zero() {
    let mut random = Random(2);
    let mut least = [f64::INFINITY; 3];
    for (set, n) in sets() {
        let law = ContactLaw::Set(set.clone());
        let mut near: Vec<Point> = Vec::new();
        for _ in 0..40 {
            near.extend(solutions(&mut random, &set, n));
            // Anything, admissible or not.
            let (load, separation) = (random.next(), random.next());
            near.push(Point::new(n, load, random.tangential(n), separation, random.tangential(n)));
            // The wrong way: pushed by friction, at its limit.
            let slip = random.tangential(n);
            near.push(Point::new(n, load.abs(), -set.max_dissipation(load.abs(), slip), 0.0, slip));
        }
        for (i, mut p) in near.into_iter().enumerate() {
            let size = [0.0, 1e-4, 0.1][i % 3];
            p.r.iter_mut().chain(&mut p.u).for_each(|x| *x += size * random.next());
            let weights = Weights { normal: 1.0, tangential: 1.0, inverse_arm: 1.0 };
            let expected = natural(&set, &weights, &p);
            for (least, form) in least.iter_mut().zip(Form::ALL) {
                let Some(f) = form.value(&law, &weights, &p.r, &p.u) else { continue };
                if expected > 1e-9 {
                    assert!(norm(&f) > 0.0, "{} at {p:?} of {set:?}, {expected}", form.name());
                    let round = set.implicit().is_some() && set.bounds().upper.plane.min_element() >= 0.2;
                    if round {
                        *least = least.min(norm(&f) / expected);
                    }
                }
            }
        }
    }
    println!("least |F| over the natural map's: {least:?}");
    // On sets that are not thin, errors are seen at their size: no form flattens one.
    assert!(least.iter().all(|x| *x > 0.1), "{least:?}");
}

/// F at the point moved by `step` along r_k or u_k.
fn moved(form: Form, law: &ContactLaw, weights: &Weights, p: &Point, k: usize, of_u: bool, step: f64) -> [f64; 6] {
    let mut q = p.clone();
    if of_u {
        q.u[k] += step;
    } else {
        q.r[k] += step;
    }
    form.value(law, weights, &q.r, &q.u).unwrap()
}

#[test]
fn derivatives_match_finite_differences() {
    let mut random = Random(3);
    let (mut smooth, mut kinks) = (0, 0);
    for (set, n) in sets() {
        let law = ContactLaw::Set(set.clone());
        for _ in 0..60 {
            let weights = weights(&mut random);
            let load = random.next();
            let force = set.support_point(random.tangential(n)) * (1.5 * random.next().abs());
            let slip = random.tangential(n) * random.next().abs();
            let p = Point::new(n, load, force + random.tangential(n) * 0.05, 0.3 * random.next(), slip);
            for form in Form::ALL {
                let Some(rows) = form.rows(&law, &weights, &p.r, &p.u) else { continue };
                assert_eq!(rows.f, form.value(&law, &weights, &p.r, &p.u).unwrap());
                for of_u in [false, true] {
                    for k in 0..n {
                        let h = 1e-6;
                        let [ahead, back] = [h, -h].map(|h| moved(form, &law, &weights, &p, k, of_u, h));
                        let block = if of_u { &rows.b } else { &rows.a };
                        let size =
                            norm(&[block[0][k], block[1][k], block[2][k], block[3][k], block[4][k], block[5][k]]);
                        let (mut error, mut bend) = (0.0f64, 0.0f64);
                        for i in 0..6 {
                            error = error.max(((ahead[i] - back[i]) / (2.0 * h) - block[i][k]).abs());
                            bend = bend.max((ahead[i] + back[i] - 2.0 * rows.f[i]).abs() / h);
                        }
                        if bend > 1e-3 * (1.0 + size) {
                            kinks += 1;
                            continue;
                        }
                        smooth += 1;
                        let what = if of_u { "u" } else { "r" };
                        assert!(
                            error <= 2e-3 * (1.0 + size),
                            "{} by {what}[{k}]: {error} with {n} rows of {set:?} at {p:?}\n{rows:?}",
                            form.name()
                        );
                    }
                }
            }
        }
    }
    assert!(smooth > 30 * kinks, "{smooth} smooth, {kinks} kinks");
}

/// The block of a contact: random, symmetric, positive.
fn block(random: &mut Random, n: usize) -> Vec<Vec<f64>> {
    let j: Vec<Vec<f64>> = (0..n).map(|_| (0..n + 3).map(|_| random.next()).collect()).collect();
    (0..n).map(|a| (0..n).map(|b| j[a].iter().zip(&j[b]).map(|(x, y)| x * y).sum()).collect()).collect()
}

fn velocities(w: &[Vec<f64>], q: &[f64], r: &[f64]) -> Vec<f64> {
    w.iter().zip(q).map(|(row, q)| q + row.iter().zip(r).map(|(w, r)| w * r).sum::<f64>()).collect()
}

/// Solves a dense system by elimination.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs()))?;
        a.swap(k, pivot);
        b.swap(k, pivot);
        if a[k][k].abs() < 1e-13 {
            return None;
        }
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            let top = a[k].clone();
            a[i].iter_mut().zip(&top).for_each(|(x, t)| *x -= factor * t);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let rest: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - rest) / a[k][k];
    }
    Some(b)
}

#[test]
fn newton_on_every_form_returns_to_the_solution() {
    // A solution is chosen, the problem u = W r + q made for it, and Newton's method started a little off: it must come back.
    let mut random = Random(4);
    let (mut returned, mut tried) = ([0; 3], [0; 3]);
    for (set, n) in sets() {
        let law = ContactLaw::Set(set.clone());
        for round in 0..20 {
            let w = block(&mut random, n);
            let flat: Vec<f64> = w.iter().flatten().copied().collect();
            let weights = Weights::of_block(&flat, n);
            let all = solutions(&mut random, &set, n);
            // Taking off, sticking inside the cone, sliding with spin and rolling.
            let p = &all[[1, 4, 6][round % 3]];
            let alone = velocities(&w, &vec![0.0; n], &p.r);
            let q: Vec<f64> = p.u.iter().zip(alone).map(|(u, own)| u - own).collect();
            for (k, form) in Form::ALL.into_iter().enumerate() {
                if form.refuses(&law).is_some() {
                    continue;
                }
                tried[k] += 1;
                let mut r: Vec<f64> = p.r.iter().map(|r| r + 1e-4 * random.next()).collect();
                for _ in 0..12 {
                    let u = velocities(&w, &q, &r);
                    let FormRows { f, a, b } = form.rows(&law, &weights, &r, &u).unwrap();
                    let jacobian = (0..n)
                        .map(|i| (0..n).map(|j| a[i][j] + (0..n).map(|k| b[i][k] * w[k][j]).sum::<f64>()).collect());
                    let Some(step) = solve(jacobian.collect(), f[..n].to_vec()) else { break };
                    r.iter_mut().zip(step).for_each(|(r, s)| *r -= s);
                }
                let apart: Vec<f64> = r.iter().zip(&p.r).map(|(a, b)| a - b).collect();
                returned[k] += usize::from(norm(&apart) < 1e-9);
            }
        }
    }
    println!("{returned:?} of {tried:?}");
    // Thin sets have kinks closer than the start is to the solution, and sets without an inside no inner force to stick with.
    for (returned, tried) in returned.into_iter().zip(tried) {
        assert!(tried > 500 && returned as f64 > 0.9 * tried as f64, "{returned} of {tried}");
    }
}

#[test]
fn the_unit_of_length_does_not_matter() {
    // The same contact in metres and in millimetres: moments grow by a thousand, angular velocities stay what they are once
    // velocities are scaled alike. F must not change.
    let mut random = Random(5);
    let k = 1000.0;
    for (set, n) in sets().into_iter().filter(|(_, n)| *n > 3) {
        let law = ContactLaw::Set(set.clone());
        let mut other = set.clone();
        other.scale_moments(k);
        let other = ContactLaw::Set(other);
        for _ in 0..20 {
            let here = weights(&mut random);
            let there = Weights { inverse_arm: here.inverse_arm / k, ..here };
            let p = Point::new(n, random.next(), random.tangential(n), random.next(), random.tangential(n));
            let mut q = p.clone();
            for i in 3..n {
                q.r[i] *= k;
                q.u[i] /= k;
            }
            for form in Form::ALL {
                let Some(f) = form.rows(&law, &here, &p.r, &p.u) else { continue };
                let g = form.rows(&other, &there, &q.r, &q.u).unwrap();
                for i in 0..6 {
                    assert!((f.f[i] - g.f[i]).abs() <= 1e-9 * (1.0 + norm(&f.f)), "{} {set:?}", form.name());
                    for j in 3..n {
                        let (a, b) = (g.a[i][j] * k, g.b[i][j] / k);
                        let slack = 1e-6 * (1.0 + f.a[i][j].abs() + f.b[i][j].abs());
                        assert!((f.a[i][j] - a).abs() <= slack && (f.b[i][j] - b).abs() <= slack, "{}", form.name());
                    }
                }
            }
        }
    }
}

#[test]
fn one_row_is_complementarity() {
    // min(r, ρu), or the smooth function of the two; the law does not matter.
    let law = ContactLaw::Set((SETS[4].examples)().swap_remove(0));
    let weights = Weights { normal: 2.0, tangential: 1.0, inverse_arm: 1.0 };
    for (r, u) in [(3.0, 0.5), (0.5, 3.0), (-1.0, 0.2), (0.3, -0.4), (0.0, 1.0), (2.0, 0.0)] {
        let value = |form: Form| form.value(&law, &weights, &[r], &[u]).unwrap()[0];
        assert_eq!(value(Form::AlartCurnier), r - f64::max(r - 2.0 * u, 0.0));
        for form in [Form::FischerBurmeister, Form::Implicit] {
            assert!((value(form) - (r + 2.0 * u - f64::hypot(r, 2.0 * u))).abs() < 1e-15);
        }
    }
}

#[test]
fn the_eliminated_multiplier_is_that_of_the_implicit_function() {
    // While sliding, u_T + s ∇φ(f) = 0 with s > 0 and φ = 0, by the set's own φ; there the form is zero. It is not where s has the
    // wrong sign, or f is off the boundary to either side.
    let mut random = Random(6);
    for (set, n) in sets() {
        let Some(implicit) = set.implicit() else { continue };
        let law = ContactLaw::Set(set.clone());
        let weights = Weights { normal: 1.0, tangential: 1.0, inverse_arm: 1.0 };
        for _ in 0..20 {
            let (load, slip) = (0.2 + random.next().abs(), random.tangential(set.rows() + 1));
            let force = set.max_dissipation(load, slip);
            let at = implicit.implicit_at(load, force);
            let (v, g) = (slip.plane.extend(slip.spin), at.gradient);
            let s = -v.dot(g) / g.length_squared();
            // ∇φ is as steep as the set is thin, and so are round-offs of f in it.
            let thinnest = set.bounds().upper.to_array()[..set.rows()].iter().fold(f64::INFINITY, |m, x| m.min(*x));
            let slack = 1e-14 * (set.radius() / thinnest).powi(2);
            assert!(s > 0.0 && (v + g * s).length() <= slack * v.length(), "{set:?}");
            assert!(at.value.abs() <= 1e-9 * load * load);
            let f = |force: Tangential, slip: Tangential| {
                let p = Point::new(n, load, force, 0.0, slip);
                norm(&Form::Implicit.value(&law, &weights, &p.r, &p.u).unwrap())
            };
            assert!(f(force, slip) <= 1e-9);
            assert!(f(force, -slip) > 1e-3 * set.support(slip).min(load), "{set:?}");
            assert!(f(force * 1.1, slip) > 1e-3 * set.support(slip).min(load), "{set:?}");
            assert!(f(force * 0.9, slip) > 1e-3 * set.support(slip).min(load), "{set:?}");
        }
    }
}

#[test]
fn laws_are_refused_that_a_form_does_not_take() {
    let polygon = ContactLaw::Set((SETS[4].examples)().swap_remove(0));
    let weights = Weights { normal: 1.0, tangential: 1.0, inverse_arm: 1.0 };
    assert_eq!(Form::AlartCurnier.refuses(&polygon), None);
    for form in [Form::FischerBurmeister, Form::Implicit] {
        assert_eq!(form.refuses(&polygon), Some("a set that is not made of ellipsoids"));
        assert!(form.rows(&polygon, &weights, &[1.0; 3], &[1.0; 3]).is_none());
    }
    // More rows than the contact has.
    let spin: ContactLaw = Ellipsoid::new([0.1; 3], DVec2::X).unwrap().into();
    assert!(Form::ALL.iter().all(|form| form.rows(&spin, &weights, &[1.0; 3], &[1.0; 3]).is_none()));
}
