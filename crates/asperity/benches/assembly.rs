//! What elastic bodies cost beside the solution of linear systems, on one thread and on two: `cargo bench -p asperity`.
//!
//! A cloth of 14,112 faces (membrane and bending) and a solid of 5,040 linear tetrahedra, both a little deformed. `forces` is
//! the gradient of the energy, `hessians` all element Hessians, `projected` the same made positive semidefinite, `gather`
//! their sum in the slots of the sparse matrix. Compare the times with 1 and 2 threads in the same run.

use std::f64::consts::TAU;

use asperity::elastic::{Assembly, Bending, Elasticity, Lame, Membrane, RestAngles, SolidEnergy, places};
use asperity_solve::problem::SymmetricPattern;
use criterion::{Criterion, criterion_group, criterion_main};
use glam::DVec3;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// A body at deformed places.
struct Deformed {
    name: &'static str,
    elasticity: Elasticity,
    x: Vec<DVec3>,
}

/// Places that are moved by a thousandth of a wave length.
fn moved(rest: &[DVec3]) -> Vec<DVec3> {
    let wave = |p: &DVec3| DVec3::new((TAU * p.y).sin(), (TAU * (p.x + p.z)).sin(), (TAU * p.x).cos());
    rest.iter().map(|p| *p + 1e-3 * wave(p)).collect()
}

fn cloth() -> Deformed {
    let n = 84u32;
    let rest: Vec<DVec3> = (0..=n)
        .flat_map(|i| (0..=n).map(move |j| DVec3::new(f64::from(i), 0.0, f64::from(j)) / f64::from(n)))
        .collect();
    let at = |i: u32, j: u32| i * (n + 1) + j;
    let triangles: Vec<[u32; 3]> = (0..n)
        .flat_map(|i| (0..n).map(move |j| [at(i, j), at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)]))
        .flat_map(|[a, b, c, d]| [[a, b, c], [b, d, c]])
        .collect();
    let mut elasticity = Elasticity::new(rest.len());
    let membrane = Membrane::isotropic(1e6, 0.3, 1e-3).expect("a material");
    let bending = Bending::isotropic(1e-5, RestAngles::Flat).expect("a material");
    elasticity.add_membrane(&rest, &[], &triangles, membrane).expect("a sound mesh");
    elasticity.add_bending(&rest, &[], &triangles, bending).expect("a sound mesh");
    Deformed { name: "cloth", x: moved(&rest), elasticity }
}

fn solid() -> Deformed {
    let cells = [12u32, 7, 12];
    let [nx, ny, nz] = cells.map(|n| n + 1);
    let rest: Vec<DVec3> = (0..nx * ny * nz)
        .map(|k| DVec3::new(f64::from(k / (ny * nz)), f64::from(k / nz % ny), f64::from(k % nz)) / 12.0)
        .collect();
    // Five tetrahedra a cell; every other cell is mirrored, so that they fit.
    let mut tets: Vec<[u32; 4]> = Vec::new();
    for (i, j, k) in (0..cells[0]).flat_map(|i| (0..cells[1]).flat_map(move |j| (0..cells[2]).map(move |k| (i, j, k))))
    {
        let odd = (i + j + k) % 2;
        let c = |a: u32, b: u32, d: u32| ((i + (a ^ odd)) * ny + j + b) * nz + k + d;
        let five = [
            [c(0, 0, 0), c(1, 0, 0), c(0, 1, 0), c(0, 0, 1)],
            [c(1, 1, 0), c(0, 1, 0), c(1, 0, 0), c(1, 1, 1)],
            [c(1, 0, 1), c(1, 0, 0), c(0, 0, 1), c(1, 1, 1)],
            [c(0, 1, 1), c(0, 0, 1), c(0, 1, 0), c(1, 1, 1)],
            [c(1, 0, 0), c(0, 1, 0), c(0, 0, 1), c(1, 1, 1)],
        ];
        tets.extend(five.map(|[p, q, r, s]| if odd == 1 { [q, p, r, s] } else { [p, q, r, s] }));
    }
    let mut elasticity = Elasticity::new(rest.len());
    let lame = Lame::from_young(1e6, 0.4).expect("a material");
    elasticity.add_solid(&rest, &tets, SolidEnergy::StableNeoHookean, lame).expect("a sound mesh");
    Deformed { name: "solid", x: moved(&rest), elasticity }
}

fn assembly(c: &mut Criterion) {
    for Deformed { name, elasticity, x } in [cloth(), solid()] {
        let dofs: Vec<Option<u32>> = (0..elasticity.vertices() as u32).map(|v| Some(3 * v)).collect();
        let pattern = SymmetricPattern::new(3 * dofs.len(), places(&elasticity, &dofs));
        let gather = Assembly::new(&pattern, &elasticity, &dofs).expect("places of the pattern");
        for threads in [1, 2] {
            let pool: ThreadPool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let (mut hessians, mut gradient) = (Vec::new(), vec![DVec3::ZERO; x.len()]);
            let mut values = vec![0.0; pattern.slots()];
            let mut bench = |what: &str, run: &mut (dyn FnMut() + Send)| {
                let id = format!("{name}/{what}/{threads}");
                c.bench_function(&id, |b| pool.install(|| b.iter(&mut *run)));
            };
            bench("forces", &mut || elasticity.add_gradient(&x, &mut gradient));
            bench("projected", &mut || elasticity.hessians(&x, true, &mut hessians));
            bench("hessians", &mut || elasticity.hessians(&x, false, &mut hessians));
            bench("gather", &mut || gather.add(&hessians, 1e-6, &mut values));
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(std::time::Duration::from_millis(200))
        .measurement_time(std::time::Duration::from_millis(1000));
    targets = assembly
}
criterion_main!(benches);
