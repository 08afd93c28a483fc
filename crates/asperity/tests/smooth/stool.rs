//! The stool of `smooth/stool` chatters with a mode of its own.
//!
//! That mode comes from the stiffness K and the lumped masses M of the stool alone. Its modes K φ = ω² M φ, with its feet held along
//! the normal of the ramp and free along it, are found by inverse iteration with dense Cholesky factors. Feet that slide
//! along +x feel the friction −mu n, n = (K q)_y the load that bending shifts to them, so that (K q)_x + mu (K q)_y takes the place of (K q)_x there. In the
//! space of the lowest modes that is a small system of ordinary differential equations, which is integrated by itself from the moment on at which
//! friction sets in.

use std::f64::consts::TAU;
use std::path::Path;

use asperity::body::Elastic;
use asperity::run::Run;
use asperity::scene::Document;
use glam::DVec3;

/// Modes that are sought, and rounds of the iteration.
const MODES: usize = 14;
const ROUNDS: usize = 25;

/// Coefficient of the scene.
const MU: f64 = 0.2;

/// ω² that is added to all, (rad/s)²: the stool as a whole moves freely along the ramp.
const SHIFT: f64 = 900.0;

/// A dense matrix by rows.
type Dense = Vec<Vec<f64>>;

/// The lower Cholesky factor.
fn cholesky(mut a: Dense) -> Dense {
    for j in 0..a.len() {
        let (above, rest) = a.split_at_mut(j + 1);
        let row = &mut above[j];
        let pivot = (row[j] - row[..j].iter().map(|x| x * x).sum::<f64>()).sqrt();
        assert!(pivot > 0.0, "not positive definite at {j}");
        row[j] = pivot;
        for below in rest {
            let sum: f64 = below[..j].iter().zip(&row[..j]).map(|(x, y)| x * y).sum();
            below[j] = (below[j] - sum) / pivot;
        }
    }
    a
}

/// Solves L Lᵀ x = b.
fn solve(factor: &Dense, b: &mut [f64]) {
    for i in 0..b.len() {
        let sum: f64 = factor[i][..i].iter().zip(&b[..i]).map(|(l, x)| l * x).sum();
        b[i] = (b[i] - sum) / factor[i][i];
    }
    for i in (0..b.len()).rev() {
        b[i] /= factor[i][i];
        let x = b[i];
        (0..i).for_each(|k| b[k] -= factor[i][k] * x);
    }
}

/// A mode of M^-1/2 K M^-1/2: ω², and the vector.
struct Mode {
    square: f64,
    shape: Vec<f64>,
}

/// The lowest modes of a symmetric matrix, by inverse iteration: each vector is made orthogonal to those before it.
fn modes(matrix: &Dense) -> Vec<Mode> {
    let mut shifted = matrix.clone();
    (0..shifted.len()).for_each(|i| shifted[i][i] += SHIFT);
    let factor = cholesky(shifted);
    let size = matrix.len();
    let mut shapes: Dense =
        (0..MODES).map(|k| (0..size).map(|i| ((i * (k + 3) + k) as f64 * 0.618).fract() - 0.5).collect()).collect();
    for _ in 0..ROUNDS {
        for k in 0..MODES {
            let (before, rest) = shapes.split_at_mut(k);
            let shape = &mut rest[0];
            solve(&factor, shape);
            for other in before.iter() {
                let share: f64 = shape.iter().zip(other).map(|(a, b)| a * b).sum();
                shape.iter_mut().zip(other).for_each(|(a, b)| *a -= share * b);
            }
            let length = shape.iter().map(|x| x * x).sum::<f64>().sqrt();
            shape.iter_mut().for_each(|x| *x /= length);
        }
    }
    let square = |shape: &[f64]| -> f64 {
        let product = |row: &Vec<f64>| row.iter().zip(shape).map(|(a, b)| a * b).sum::<f64>();
        matrix.iter().map(product).zip(shape).map(|(a, b)| a * b).sum()
    };
    shapes.into_iter().map(|shape| Mode { square: square(&shape), shape }).collect()
}

/// Whether a vertex at rest is part of a foot.
fn is_foot(rest: DVec3) -> bool {
    rest.y < -0.199
}

/// Which leg a vertex at rest belongs to: bit 0 for the front ones, bit 1 for those of +z.
fn leg(rest: DVec3) -> usize {
    usize::from(rest.x > 0.0) + 2 * usize::from(rest.z > 0.0)
}

/// M^-1/2 K M^-1/2 over all degrees of freedom.
fn scaled_stiffness(stool: &Elastic, at: &[DVec3]) -> Dense {
    let root = |dof: usize| stool.masses()[dof / 3].sqrt();
    let mut matrix = vec![vec![0.0; 3 * at.len()]; 3 * at.len()];
    let (mut hessians, mut first) = (Vec::new(), 0);
    stool.elasticity().hessians(at, false, &mut hessians);
    for stencil in stool.elasticity().stencils() {
        let dofs: Vec<usize> = stencil.iter().flat_map(|v| (0..3).map(move |k| 3 * *v as usize + k)).collect();
        for (column, values) in dofs.iter().zip(hessians[first..].chunks(dofs.len())) {
            for (row, value) in dofs.iter().zip(values) {
                matrix[*row][*column] += value / (root(*row) * root(*column));
            }
        }
        first += dofs.len() * dofs.len();
    }
    matrix
}

/// x becomes A⁻¹ x, by elimination.
fn eliminate(mut a: Dense, x: &mut [f64]) {
    for k in 0..x.len() {
        let (above, below) = a.split_at_mut(k + 1);
        let pivot = &above[k];
        for (i, row) in below.iter_mut().enumerate() {
            let factor = row[k] / pivot[k];
            row.iter_mut().zip(pivot).skip(k).for_each(|(entry, pivot)| *entry -= factor * pivot);
            x[k + 1 + i] -= factor * x[k];
        }
    }
    for k in (0..x.len()).rev() {
        let sum = dot(&a[k][k + 1..], &x[k + 1..]);
        x[k] = (x[k] - sum) / a[k][k];
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Speeds along the ramp that friction gives to the four feet of a stool that slides, step by step, all of them sliding.
fn sliding(stool: &Elastic, at: &[DVec3], dt: f64, steps: usize) -> [Vec<f64>; 4] {
    let rest = &stool.mesh().data().vertices;
    let feet: Vec<usize> = (0..rest.len()).filter(|i| is_foot(rest[*i])).collect();
    let free: Vec<usize> = (0..3 * rest.len()).filter(|dof| dof % 3 != 1 || !is_foot(rest[dof / 3])).collect();
    let all = scaled_stiffness(stool, at);
    let pick = |row: &[f64]| -> Vec<f64> { free.iter().map(|dof| row[*dof]).collect() };
    let modes = modes(&free.iter().map(|dof| pick(&all[*dof])).collect());
    let place = |dof: usize| free.binary_search(&dof).expect("free");
    let root = |vertex: usize| stool.masses()[vertex].sqrt();
    // Loads of the feet by the modes, and what friction makes of them; the weight is shared by all vertices of feet.
    let loads: Dense = feet
        .iter()
        .map(|i| modes.iter().map(|mode| root(*i) * dot(&pick(&all[3 * i + 1]), &mode.shape)).collect())
        .collect();
    let along = |mode: &Mode, vertex: usize| mode.shape[place(3 * vertex)] / root(vertex);
    let weight = 9.660964 * stool.mass() / feet.len() as f64;
    // What a push at each vertex of a foot along the ramp does to the modes, and K with friction.
    let pushes: Dense = feet.iter().map(|i| modes.iter().map(|mode| along(mode, *i)).collect()).collect();
    let stiffness = |k: usize, l: usize| {
        let own = if k == l { modes[k].square } else { 0.0 };
        own + MU * pushes.iter().zip(&loads).map(|(push, load)| push[k] * load[l]).sum::<f64>()
    };
    let stiffness: Dense = (0..MODES).map(|k| (0..MODES).map(|l| stiffness(k, l)).collect()).collect();
    let (mut q, mut v) = (vec![0.0; MODES], vec![0.0; MODES]);
    let mut slips = [const { Vec::new() }; 4];
    // Backward Euler, as the stepper: (1 + dt² K) v⁺ = v + dt (f − K q).
    let system = |k: usize, l: usize| dt * dt * stiffness[k][l] + if k == l { 1.0 } else { 0.0 };
    let system: Dense = (0..MODES).map(|k| (0..MODES).map(|l| system(k, l)).collect()).collect();
    for _ in 0..steps {
        for k in 0..MODES {
            let push: f64 = pushes.iter().map(|push| -MU * weight * push[k]).sum();
            v[k] += dt * (push - dot(&stiffness[k], &q));
        }
        eliminate(system.clone(), &mut v);
        q.iter_mut().zip(&v).for_each(|(q, v)| *q += dt * v);
        for (k, slips) in slips.iter_mut().enumerate() {
            let own: Vec<usize> = feet.iter().copied().filter(|i| leg(rest[*i]) == k).collect();
            let speed = |i: &usize| modes.iter().zip(&v).map(|(mode, v)| along(mode, *i) * v).sum::<f64>();
            slips.push(own.iter().map(speed).sum::<f64>() / own.len() as f64);
        }
    }
    slips
}

/// Power of a series at a frequency, its straight line taken off, in a Hann window.
fn power(series: &[f64], dt: f64, f: f64) -> f64 {
    let count = series.len() as f64;
    let place = |i: usize| i as f64 - 0.5 * (count - 1.0);
    let mean = series.iter().sum::<f64>() / count;
    let slope = series.iter().enumerate().map(|(i, y)| place(i) * (y - mean)).sum::<f64>()
        / (0..series.len()).map(|i| place(i).powi(2)).sum::<f64>();
    let (mut re, mut im) = (0.0, 0.0);
    for (i, y) in series.iter().enumerate() {
        let window = 0.5 * (1.0 - (TAU * i as f64 / (count - 1.0)).cos());
        let (sin, cos) = (TAU * f * dt * i as f64).sin_cos();
        re += window * (y - mean - slope * place(i)) * cos;
        im += window * (y - mean - slope * place(i)) * sin;
    }
    re * re + im * im
}

/// Frequency between 5 and 60 Hz at which the power of all series together is the largest.
fn peak(all: &[Vec<f64>], dt: f64) -> f64 {
    let total = |f: f64| all.iter().map(|series| power(series, dt, f)).sum::<f64>();
    let frequencies = (50..=600).map(|i| 0.1 * f64::from(i));
    frequencies.map(|f| (f, total(f))).max_by(|a, b| a.1.total_cmp(&b.1)).expect("some").0
}

/// Slip speeds of the four feet, step by step: means over the vertices of each.
fn slips(run: &mut Run) -> [Vec<f64>; 4] {
    let rest = run.scene().model.bodies[1].mesh().expect("a solid").data().vertices.clone();
    let mut slips = [const { Vec::new() }; 4];
    while !run.is_done() {
        run.step().unwrap_or_else(|error| panic!("{error}"));
        let at = run.state().bodies[1].mesh().expect("a solid");
        for (k, slips) in slips.iter_mut().enumerate() {
            let feet = || rest.iter().zip(&at.velocities).filter(|(x, _)| is_foot(**x) && leg(**x) == k);
            slips.push(feet().map(|(_, v)| v.x).sum::<f64>() / feet().count() as f64);
        }
    }
    slips
}

#[test]
fn a_stool_chatters_with_its_own_mode() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/smooth/stool.toml");
    let scene = Document::read(&file).unwrap().scene(None, &[]).unwrap();
    let mut run = Run::new(scene).unwrap();
    let slips = slips(&mut run);
    let stool = run.scene().model.bodies[1].elastic().expect("elastic");
    let at = &run.state().bodies[1].mesh().expect("a solid").positions;
    let dt = run.scene().time.dt;
    let predicted = sliding(stool, at, dt, slips[0].len());
    let [found, own] = [peak(&slips, dt), peak(&predicted, dt)];
    // A run of 0.4 s tells frequencies apart that differ by 2.5 Hz.
    assert!((found - own).abs() < 1.0, "{found} Hz instead of {own} Hz");
    for (leg, slips) in slips.iter().enumerate() {
        let sticks: Vec<bool> = slips.iter().map(|v| v.abs() < 1e-3).collect();
        let released = sticks.windows(2).filter(|pair| pair[0] && !pair[1]).count();
        assert!(released >= 2, "leg {leg} was released {released} times");
    }
}
