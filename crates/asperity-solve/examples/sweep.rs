//! What a sweep costs: nanoseconds and bytes a contact, matrix-free, on a block of balls from a thousand to a hundred
//! thousand contacts. `bench/sweep` makes a table of it.
//!
//!     sweep              lists what there is to measure
//!     sweep NAME CONTACTS SWEEPS   runs so many sweeps and prints ns a contact and sweep, bytes a contact
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use asperity_friction::ContactLaw;
use asperity_friction::set::{Disk, Ellipse};
use asperity_solve::problem::{Bodies, ContactProblem, InverseMass, Link, RowKind};
use asperity_solve::solver::{ContactSolver, Frozen, Local, ProjectedGaussSeidel, ProxGaussSeidel, Solution, Stop};
use glam::{DMat3, DVec2, DVec3};

/// Counts the bytes that are in use, and the most there were.
struct Counting;
static IN_USE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: passes everything on to the system's allocator, and counts.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = IN_USE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(now, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Balls of radius 0.5 in a cubic lattice of about this many contacts, pressed together and sheared.
fn lattice(contacts: usize) -> ContactProblem {
    let side = ((contacts as f64 / 3.0).cbrt().round() as usize).max(2);
    let masses = vec![InverseMass::Rigid(1.0, DMat3::from_diagonal(DVec3::splat(10.0))); side * side * side];
    let mut bodies = Bodies::new(masses).expect("positive masses");
    let number = |x: usize, y: usize, z: usize| (z * side + y) * side + x;
    let mut bias = Vec::new();
    for z in 0..side {
        for y in 0..side {
            for x in 0..side {
                for (axis, below) in [
                    (DVec3::X, x.checked_sub(1).map(|x| number(x, y, z))),
                    (DVec3::Y, y.checked_sub(1).map(|y| number(x, y, z))),
                    (DVec3::Z, z.checked_sub(1).map(|z| number(x, y, z))),
                ] {
                    let tangent = axis.any_orthonormal_vector();
                    let frame = [axis, tangent, axis.cross(tangent)];
                    // The point is half a unit down the axis of this ball, and up that of the one below.
                    let rows = |sign: f64| -> Vec<f64> {
                        let arm = axis * (-0.5 * sign);
                        let row = |d: &DVec3| [(*d * sign).to_array(), (arm.cross(*d) * sign).to_array()].concat();
                        frame.iter().flat_map(row).collect()
                    };
                    let (own, other) = (rows(1.0), rows(-1.0));
                    let mut links = vec![Link { body: number(x, y, z), jacobian: &own }];
                    links.extend(below.map(|body| Link { body, jacobian: &other }));
                    bodies.push(3, &links).expect("they fit");
                    let shear = ((x * 7 + y * 3 + z * 5) % 11) as f64 / 11.0 - 0.5;
                    bias.extend([-0.1, shear, -0.5 * shear]);
                }
            }
        }
    }
    let kinds = vec![RowKind::Contact; bodies.blocks()];
    ContactProblem::new(bodies, bias, kinds).expect("it fits")
}

fn solver(name: &str, sweeps: usize) -> Option<Box<dyn ContactSolver>> {
    let prox = |local| {
        Box::new(ProxGaussSeidel { sweeps, measure_every: sweeps, local, ..ProxGaussSeidel::default() })
            as Box<dyn ContactSolver>
    };
    Some(match name.split_once('/')?.0 {
        "prox" => prox(Local::Prox { steps: 1 }),
        "exact" => prox(Local::Exact),
        "projected" => Box::new(ProjectedGaussSeidel { sweeps, measure_every: sweeps }),
        _ => return None,
    })
}

fn law(name: &str) -> ContactLaw {
    match name.split_once('/') {
        Some((_, "disk")) => Disk::new(0.3).expect("positive").into(),
        _ => Ellipse::new([0.2, 0.4], DVec2::from_angle(0.5)).expect("positive").into(),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, contacts, sweeps] = &arguments[..] else {
        for solver in ["prox", "exact", "projected"] {
            println!("{solver}/disk\n{solver}/ellipse");
        }
        return;
    };
    let (Ok(contacts), Ok(sweeps)) = (contacts.parse(), sweeps.parse::<usize>()) else { return };
    let before = IN_USE.load(Ordering::Relaxed);
    let problem = lattice(contacts);
    let laws = vec![law(name); problem.contacts()];
    let stop = Stop { tolerance: 1e-300, time: Duration::from_secs(3600), ..Stop::default() };
    let mut seconds = Vec::new();
    for many in [1, 1 + sweeps] {
        let Some(solver) = solver(name, many) else { return };
        let mut solution = Solution::zero(&problem);
        let mut source = Frozen(laws.clone());
        let began = Instant::now();
        let _ = solver.solve(&problem, &mut source, stop, &mut solution);
        seconds.push(began.elapsed().as_secs_f64());
    }
    let found = problem.contacts() as f64;
    let each = (seconds[1] - seconds[0]) / (sweeps as f64 * found);
    let bytes = (MOST.load(Ordering::Relaxed) - before) as f64 / found;
    println!("{name}\t{found}\t{:.2}\t{bytes:.0}", each * 1e9);
}
