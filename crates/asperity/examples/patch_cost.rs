//! What both patches of a contact cost, sampled and reduced to the exact set of the law of facets.
//!
//!     cargo run --release -p asperity --example patch_cost              # microseconds, for all cases
//!     cargo run --release -p asperity --example patch_cost CASE ROUNDS  # runs one of them, for counting instructions
//!
//! A round is all contacts of a case. Instructions a contact are the difference between two numbers of rounds; `bench/patches` does that.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use asperity::geometry::{MeshData, Pose, Shape, SkinLookup, TriangleMesh};
use asperity::patch::{FacetMap, Filter, PatchContact, PatchSide, PatchStore, PatchWindow, WantedPatch};
use asperity_friction::model::{Facets, FrictionModel, Model};
use asperity_friction::{ContactFrame, ContactLaw, ContactState, SurfaceSample};
use glam::{DQuat, DVec2, DVec3};

/// Numbers that look like chance.
fn chance(k: u32) -> f64 {
    let mut z = (u64::from(k) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((z ^ (z >> 27)) >> 11) as f64 / (1u64 << 53) as f64
}

/// Rough texels; large images repeat, so that they are made quickly.
fn rough(n: u32) -> FacetMap {
    let slope =
        |k: u32| (0..6).map(|i| DVec2::new(chance(12 * k + i), chance(12 * k + i + 6)) - 0.5).sum::<DVec2>() * 0.4;
    let side = n.min(512);
    let some: Vec<DVec2> = (0..side * side).map(slope).collect();
    let texels: Vec<DVec2> = (0..n * n).map(|k| some[(k / n % side * side + k % n % side) as usize]).collect();
    FacetMap::from_slopes(n, n, &texels).expect("a map")
}

/// Ridges: slopes along one line.
fn sawtooth(n: u32) -> FacetMap {
    let texels: Vec<DVec2> = (0..n * n).map(|k| DVec2::new(if k % n % 16 < 12 { -0.25 } else { 0.75 }, 0.0)).collect();
    FacetMap::from_slopes(n, n, &texels).expect("a map")
}

/// Scales: a gentle and a steep side with a sharp edge between them.
fn sharp(_: u32) -> FacetMap {
    let mut map = FacetMap::from_slopes(2, 1, &[DVec2::new(-0.25, 0.0), DVec2::new(1.5, 0.0)]).expect("a map");
    map.set_filter(Filter::Nearest);
    map.tiled(DVec2::splat(20.0)).expect("tiles")
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

/// What is measured.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    upper: Upper,
    lower: Lower,
    map: fn(u32) -> FacetMap,
    texels: u32,
    pixels: u32,
    /// Whether the set is made too.
    law: bool,
    /// Sampled together, on threads.
    contacts: usize,
}

#[derive(Clone, Copy)]
enum Upper {
    Cube,
    /// The contact is at a corner of it, as those of most boxes are: a quarter of the pixels count.
    Corner,
    Ball,
}

#[derive(Clone, Copy)]
enum Lower {
    Plane,
    /// Rows of squares, and the height of their bumps.
    Sheet(u32, f64),
}

const PLAIN: Case = Case {
    name: "box-plane",
    upper: Upper::Cube,
    lower: Lower::Plane,
    map: rough,
    texels: 512,
    pixels: 16,
    law: true,
    contacts: 1,
};

const CASES: [Case; 25] = [
    Case { name: "box-plane, slopes alone", law: false, ..PLAIN },
    PLAIN,
    Case { name: "box-plane, sawtooth", map: sawtooth, ..PLAIN },
    Case { name: "box-plane, corner", upper: Upper::Corner, ..PLAIN },
    Case { name: "box-plane, corner, sawtooth", upper: Upper::Corner, map: sawtooth, ..PLAIN },
    Case { name: "box-plane, corner, 2 sharp texels", upper: Upper::Corner, map: sharp, texels: 2, ..PLAIN },
    Case { name: "box-plane, 8 pixels", pixels: 8, ..PLAIN },
    Case { name: "box-plane, 32 pixels", pixels: 32, ..PLAIN },
    Case { name: "box-plane, 64 pixels", pixels: 64, ..PLAIN },
    Case { name: "box-plane, 64 texels", texels: 64, ..PLAIN },
    Case { name: "box-plane, 256 texels", texels: 256, ..PLAIN },
    Case { name: "box-plane, 500 texels", texels: 500, ..PLAIN },
    Case { name: "box-plane, 1024 texels", texels: 1024, ..PLAIN },
    Case { name: "box-plane, 4096 texels", texels: 4096, ..PLAIN },
    Case { name: "box-plane, 10 contacts", contacts: 10, ..PLAIN },
    Case { name: "box-plane, 100 contacts", contacts: 100, ..PLAIN },
    Case { name: "box-plane, 1000 contacts", contacts: 1000, ..PLAIN },
    Case { name: "box-mesh, 2 triangles", lower: Lower::Sheet(1, 0.0), ..PLAIN },
    Case { name: "box-mesh, 200 triangles", lower: Lower::Sheet(10, 0.0), ..PLAIN },
    Case { name: "box-mesh, 3200 triangles", lower: Lower::Sheet(40, 0.0), ..PLAIN },
    Case { name: "box-mesh, 3200 smooth triangles", lower: Lower::Sheet(40, 1e-4), ..PLAIN },
    Case { name: "box-mesh, 20000 triangles", lower: Lower::Sheet(100, 0.0), ..PLAIN },
    Case { name: "box-mesh, 80000 triangles", lower: Lower::Sheet(200, 0.0), ..PLAIN },
    Case { name: "ball-plane", upper: Upper::Ball, ..PLAIN },
    Case { name: "ball-plane, slopes alone", upper: Upper::Ball, law: false, ..PLAIN },
];

/// A case with all that it needs.
struct Bench {
    case: Case,
    upper: Arc<SkinLookup>,
    lower: Arc<SkinLookup>,
    maps: [Arc<FacetMap>; 2],
    store: PatchStore,
    laws: Vec<ContactLaw>,
    model: FrictionModel,
    frame: ContactFrame,
    /// Contacts so far.
    done: u32,
}

impl Bench {
    fn new(case: Case) -> Self {
        let upper = match case.upper {
            Upper::Cube | Upper::Corner => Shape::cuboid(DVec3::splat(0.5)).expect("a box"),
            Upper::Ball => Shape::sphere(0.5).expect("a ball"),
        };
        let (lower, tiles) = match case.lower {
            // Images are a metre wide on all: the skin of a plane is 20 m wide.
            Lower::Plane => (Shape::half_space(DVec3::Y).expect("a plane"), 20.0),
            Lower::Sheet(n, bump) => (sheet(n, bump), 1.0),
        };
        let map = (case.map)(case.texels);
        Self {
            upper: Arc::new(SkinLookup::new(&upper)),
            lower: Arc::new(SkinLookup::new(&lower)),
            maps: [map.clone(), map.tiled(DVec2::splat(tiles)).expect("tiles")].map(Arc::new),
            store: PatchStore::default(),
            laws: vec![ContactLaw::default(); case.contacts],
            model: FrictionModel::from(Facets { mu0: 0.2.into(), ..Facets::default() }),
            frame: ContactFrame::from_normal(DVec3::Y).expect("a normal"),
            done: 0,
            case,
        }
    }

    /// Samples `rounds` times all contacts of the case, each at another place.
    #[inline(never)]
    fn run(&mut self, rounds: u32) {
        let window = PatchWindow { width: 0.02, resolution: self.case.pixels };
        let Self { case, upper, lower, maps, store, laws, model, frame, done } = self;
        let upper_form = case.upper;
        let contact = |k: u32| {
            let place = DVec3::new(chance(2 * k) - 0.5, 0.0, chance(2 * k + 1) - 0.5) * 0.9;
            let position = DVec3::new(0.0, 0.5, 0.0) + place * 0.05;
            let point = match upper_form {
                Upper::Cube => place,
                Upper::Corner => place * 0.05 + DVec3::new(0.5, 0.0, 0.5),
                Upper::Ball => place * 0.05,
            };
            let pose = Pose { position, rotation: DQuat::IDENTITY };
            let a = PatchSide { pose, skin: upper, map: Some(&maps[0]) };
            let b = PatchSide { pose: Pose::IDENTITY, skin: lower, map: Some(&maps[1]) };
            PatchContact { point, frame: *frame, gap: -1e-6, a, b }
        };
        for _ in 0..rounds {
            store.fill(case.contacts, |i| Some(WantedPatch { window, contact: black_box(contact(*done + i as u32)) }));
            *done = (*done + case.contacts as u32) % 100_000;
            for (i, law) in laws.iter_mut().enumerate().filter(|_| case.law) {
                let [a, b] = store.slopes(i).expect("a patch");
                let [a, b] = [a, b].map(|side| SurfaceSample { facets: side.facets(), ..SurfaceSample::default() });
                model.evaluate(&ContactState::new(*frame, a, b), law).expect("a law");
            }
            black_box(&*laws);
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [name, rounds] = &arguments[..] {
        let case = CASES.iter().find(|case| case.name == name).expect("one of the cases");
        Bench::new(*case).run(rounds.parse().expect("a number of rounds"));
        return;
    }
    for case in CASES {
        let mut bench = Bench::new(case);
        // Short batches, and the best of many: others may use the machine.
        let rounds = (100 * 256 / (case.pixels * case.pixels) / case.contacts as u32).max(1);
        let mut best = f64::INFINITY;
        for _ in 0..500 {
            let began = Instant::now();
            bench.run(rounds);
            best = best.min(began.elapsed().as_secs_f64());
        }
        println!("{}\t{:.2}", case.name, best * 1e6 / f64::from(rounds) / case.contacts as f64);
    }
}
