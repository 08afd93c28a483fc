//! What both patches of a contact cost, sampled and reduced to the exact set of the law of facets.
//!
//!     cargo run --release -p asperity --example patch_cost              # microseconds, for all cases
//!     cargo run --release -p asperity --example patch_cost CASE ROUNDS  # runs one of them, for counting instructions
//!
//! Instructions a contact are the difference between two numbers of rounds; `bench/patches` does that.

use std::hint::black_box;
use std::time::Instant;

use asperity::geometry::{MeshData, Pose, Shape, SkinLookup, TriangleMesh};
use asperity::patch::{FacetMap, PatchContact, PatchSampler, PatchSide, PatchWindow};
use asperity_friction::model::{Facets, FrictionModel, Model};
use asperity_friction::{ContactFrame, ContactLaw, ContactState, FacetSlopes, SurfaceSample};
use glam::{DQuat, DVec2, DVec3};

/// Numbers that look like chance.
fn chance(k: u32) -> f64 {
    let mut z = (u64::from(k) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((z ^ (z >> 27)) >> 11) as f64 / (1u64 << 53) as f64
}

/// Rough texels.
fn rough(n: u32) -> FacetMap {
    let slope =
        |k: u32| (0..6).map(|i| DVec2::new(chance(12 * k + i), chance(12 * k + i + 6)) - 0.5).sum::<DVec2>() * 0.4;
    let texels: Vec<DVec2> = (0..n * n).map(slope).collect();
    FacetMap::from_slopes(n, n, &texels).expect("a map")
}

/// Ridges: slopes along one line.
fn sawtooth(n: u32) -> FacetMap {
    let texels: Vec<DVec2> = (0..n * n).map(|k| DVec2::new(if k % n % 16 < 12 { -0.25 } else { 0.75 }, 0.0)).collect();
    FacetMap::from_slopes(n, n, &texels).expect("a map")
}

/// A flat or bumpy sheet of 2 n² triangles, 1 m wide.
fn sheet(n: u32, bump: f64) -> Shape {
    let mut data = MeshData::default();
    for j in 0..=n {
        for i in 0..=n {
            let (u, v) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
            data.vertices.push(DVec3::new(u - 0.5, bump * (9.0 * u).sin() * (8.0 * v).sin(), 0.5 - v));
            data.uvs.push(DVec2::new(u, v));
        }
    }
    for j in 0..n {
        for i in 0..n {
            let a = j * (n + 1) + i;
            data.triangles.extend([[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]);
        }
    }
    Shape::Mesh(TriangleMesh::new(data).expect("a sheet"))
}

fn plane(shape: &Shape) -> bool {
    matches!(shape, Shape::HalfSpace { .. })
}

struct Case {
    name: &'static str,
    upper: (SkinLookup, Pose),
    lower: SkinLookup,
    maps: [FacetMap; 2],
    window: PatchWindow,
    /// Whether the set is made too.
    law: bool,
}

fn cases() -> Vec<Case> {
    let cube = Shape::cuboid(DVec3::splat(0.5)).expect("a box");
    let ball = Shape::sphere(0.5).expect("a ball");
    let ground = Shape::half_space(DVec3::Y).expect("a plane");
    let window = PatchWindow { width: 0.02, resolution: 16 };
    let make = |name, upper: &Shape, lower: &Shape, map: fn(u32) -> FacetMap, texels, window, law| Case {
        name,
        upper: (SkinLookup::new(upper), Pose { position: DVec3::new(0.0, 0.5, 0.0), rotation: DQuat::IDENTITY }),
        lower: SkinLookup::new(lower),
        // A metre wide on all: the skin of a plane is 20 m wide.
        maps: [map(texels), map(texels).tiled(DVec2::splat(if plane(lower) { 20.0 } else { 1.0 })).expect("tiles")],
        window,
        law,
    };
    let fine = |resolution| PatchWindow { resolution, ..window };
    vec![
        make("box-plane, slopes alone", &cube, &ground, rough, 512, window, false),
        make("box-plane", &cube, &ground, rough, 512, window, true),
        make("box-plane, sawtooth", &cube, &ground, sawtooth, 512, window, true),
        make("box-plane, 64 texels", &cube, &ground, rough, 64, window, true),
        make("box-plane, 2048 texels", &cube, &ground, rough, 2048, window, true),
        make("box-plane, 8 pixels", &cube, &ground, rough, 512, fine(8), true),
        make("box-plane, 32 pixels", &cube, &ground, rough, 512, fine(32), true),
        make("box-plane, 64 pixels", &cube, &ground, rough, 512, fine(64), true),
        make("box-mesh, 2 triangles", &cube, &sheet(1, 0.0), rough, 512, window, true),
        make("box-mesh, 3200 triangles", &cube, &sheet(40, 0.0), rough, 512, window, true),
        make("box-mesh, 3200 smooth triangles", &cube, &sheet(40, 1e-4), rough, 512, window, true),
        make("box-mesh, 20000 triangles", &cube, &sheet(100, 0.0), rough, 512, window, true),
        make("ball-plane", &ball, &ground, rough, 512, window, true),
    ]
}

/// Runs `rounds` contacts of a case, at different places.
fn run(case: &Case, rounds: u32) -> f64 {
    let model = FrictionModel::from(Facets { mu0: 0.2, ..Facets::default() });
    let frame = ContactFrame::from_normal(DVec3::Y).expect("a normal");
    let (mut sampler, mut a, mut b) = (PatchSampler::default(), Vec::new(), Vec::new());
    let mut law = ContactLaw::default();
    let mut sum = 0.0;
    for k in 0..rounds {
        let place = DVec3::new(chance(2 * k) - 0.5, 0.0, chance(2 * k + 1) - 0.5) * 0.9;
        let pose = Pose { position: case.upper.1.position + place * 0.05, ..case.upper.1 };
        let point = if case.name.starts_with("ball") { place * 0.05 } else { place };
        let upper = PatchSide { pose, skin: &case.upper.0, map: Some(&case.maps[0]) };
        let lower = PatchSide { pose: Pose::IDENTITY, skin: &case.lower, map: Some(&case.maps[1]) };
        let contact = PatchContact { point, frame, gap: -1e-6, a: upper, b: lower };
        sampler.sample(case.window, black_box(&contact), &mut a, &mut b);
        if case.law {
            let sample = |slopes| SurfaceSample { facets: FacetSlopes::Patch(slopes), ..SurfaceSample::default() };
            let state = ContactState::new(frame, sample(&a), sample(&b));
            model.evaluate(&state, &mut law).expect("a law");
            sum += law.coefficient(DVec2::X);
        } else {
            sum += a[0].x;
        }
    }
    sum
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let cases = cases();
    if let [name, rounds] = &arguments[..] {
        let case = cases.iter().find(|case| case.name == name).expect("one of the cases");
        black_box(run(case, rounds.parse().expect("a number of rounds")));
        return;
    }
    for case in &cases {
        let rounds = 200_000 / (case.window.resolution * case.window.resolution / 16);
        let mut best = f64::INFINITY;
        for _ in 0..5 {
            let began = Instant::now();
            black_box(run(case, rounds));
            best = best.min(began.elapsed().as_secs_f64());
        }
        println!("{}\t{:.2}", case.name, best * 1e6 / f64::from(rounds));
    }
}
