//! Milliseconds of the pieces of `asperity::barrier` on a mesh, for `bench/barrier`: build, gradient, Hessian, friction, step bound.
//!
//! Takes a file of "v x y z" and "f a b c" lines (numbers from 0), the distance d̂, and how often to repeat; prints a line of JSON.

use asperity::barrier::{
    Barrier, BarrierPotential, Builder, Collision, CollisionMesh, Lagged, Local, ParallelEdges, Projection, ToolkitLaw,
    Weighting,
};
use asperity::geometry::surface::{SurfaceParts, SurfaceSet};
use glam::DVec3;

/// The processor time of a thread is counted in ticks of up to 4 ms, so that calls are timed in batches of at least
/// this many ms.
const BATCH: f64 = 160.0;

/// Milliseconds that this thread has had a processor, so that other programs do not count. Linux alone knows.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("the scheduler's statistics of Linux");
    let nanoseconds: f64 = text.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number");
    nanoseconds * 1e-6
}

/// Least mean time of a call over some batches, ms, and the last answer.
fn timed<T>(repeat: usize, mut call: impl FnMut() -> T) -> (f64, T) {
    let mut best = f64::INFINITY;
    let mut last = call();
    for _ in 0..repeat {
        let began = processor_time();
        let mut calls = 0.0;
        let spent = loop {
            last = call();
            calls += 1.0;
            let spent = processor_time() - began;
            if spent >= BATCH {
                break spent;
            }
        };
        best = best.min(spent / calls);
    }
    (best, last)
}

fn read(path: &str) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let text = std::fs::read_to_string(path).expect("a file of vertices and faces");
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let kind = words.next();
        let numbers: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
        match (kind, &numbers[..]) {
            (Some("v"), [x, y, z]) => vertices.push(DVec3::new(*x, *y, *z)),
            (Some("f"), [a, b, c]) => faces.push([*a as u32, *b as u32, *c as u32]),
            _ => (),
        }
    }
    (vertices, faces)
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, dhat, repeat] = &arguments[..] else { panic!("barrier_cost FILE DHAT REPEAT") };
    // The clock is that of this thread: no other may do its work.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the first use of threads");
    let (dhat, repeat): (f64, usize) = (dhat.parse().expect("a number"), repeat.parse().expect("a number"));
    let (positions, faces) = read(path);
    let mesh = CollisionMesh::of_triangles(positions.clone(), faces.clone()).expect("a mesh");
    let held = vec![false; positions.len()];
    let surface = SurfaceParts { rest: positions.clone(), triangles: faces, offset: 0.0, held, rigid: false };
    let (build, collisions) = timed(repeat, || {
        // From nothing: with its tree and its search.
        let mut set = SurfaceSet::new(std::slice::from_ref(&surface));
        Builder { mesh: &mesh, positions: &positions, reach: dhat, weighting: Weighting::default() }.search(&mut set)
    });
    let potential = BarrierPotential { barrier: Barrier::ClampedLog, dhat, dmin: 0.0, stiffness: 1.0 };
    let (gradient, _) = timed(repeat, || {
        let mut out = vec![DVec3::ZERO; positions.len()];
        potential.add_gradient(&collisions, &positions, &[], &mut out);
        out
    });
    let mut room: Vec<Local> = Vec::new();
    let hessian = |projection, room: &mut Vec<Local>| {
        timed(repeat, || potential.hessians(&collisions, &positions, &[], projection, room)).0
    };
    let (whole, positive) = (hessian(Projection::Whole, &mut room), hessian(Projection::Positive, &mut room));
    let lag = |own: &Collision| Lagged::new(own, &own.points(&positions), &[], &potential, ParallelEdges::Smooth);
    let (friction_build, lagged) = timed(repeat, || collisions.iter().filter_map(lag).collect::<Vec<_>>());
    let law = ToolkitLaw { mu: [0.5, 0.3], static_axes: None, kinetic_axes: None, scaling: None, eps_v: 1e-3 };
    let velocity =
        |i: u32| DVec3::new((f64::from(i)).sin(), (f64::from(i) * 1.7).cos(), (f64::from(i) * 0.3).sin()) * 1e-3;
    let velocities: Vec<DVec3> = (0..positions.len() as u32).map(velocity).collect();
    let dissipate = |own: &Lagged| {
        let slip = own.plane(own.blend(|i| velocities[i as usize]));
        law.dissipated(law.effective(slip), own.load(), slip).expect("a potential")
    };
    let (friction_gradient, _) = timed(repeat, || {
        let mut out = vec![DVec3::ZERO; positions.len()];
        for own in &lagged {
            // Without a scaling of the slip the force is minus the gradient.
            let slip = own.plane(own.blend(|i| velocities[i as usize]));
            let force = law.toolkit_force(law.effective(slip), own.load(), slip).expect("a force");
            let g = own.gradient(-force);
            own.list().iter().zip(g).for_each(|(i, g)| out[*i as usize] += g);
        }
        out
    });
    let (friction_hessian, _) = timed(repeat, || {
        room.clear();
        room.extend(lagged.iter().map(|own| own.hessian(dissipate(own).hessian, Projection::Positive)));
    });
    let to: Vec<DVec3> = positions.iter().zip(&velocities).map(|(x, v)| *x + *v).collect();
    let (ccd, fraction) = timed(repeat, || {
        let mut set = SurfaceSet::new(std::slice::from_ref(&surface));
        set.update(&positions);
        set.free_fraction(&to, 0.0, 0.1, |_| Some(0.0))
    });
    println!(
        "{{\"collisions\": {}, \"build\": {build:.3}, \"gradient\": {gradient:.3}, \"hessian\": {whole:.3}, \"hessian_psd\": {positive:.3}, \
         \"friction_build\": {friction_build:.3}, \"friction_gradient\": {friction_gradient:.3}, \"friction_hessian\": {friction_hessian:.3}, \
         \"ccd\": {ccd:.3}, \"fraction\": {fraction:.6}}}",
        collisions.len()
    );
}
