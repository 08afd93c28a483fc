//! Every way to relax a contact leads to the same motion, and neither sweeps nor the rows of Newton's method allocate.

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use asperity_friction::model::{FrictionModel, Measured, TensorRule};
use asperity_friction::set::{Catalogued, ConvexSet, Disk, Ellipse, Ellipsoid, Rolling, SETS};
use asperity_friction::tensor::SurfaceTensor;
use asperity_friction::{ContactFrame, ContactLaw, ContactState, SurfaceSample};
use asperity_solve::problem::ContactProblem;
use asperity_solve::solver::forms::{Form, Weights};
use asperity_solve::solver::{
    AdaptiveFactor, ContactSolver, Frozen, Local, ProxGaussSeidel, Solution, SolveReport, Status, Stop,
};
use common::{Body, Rows, problem, velocities};
use glam::{DVec2, DVec3};

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, counting the calls of each thread.
struct Counting;

// SAFETY: every call is passed on unchanged to the system's allocator.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|c| c.set(c.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let _ = COUNT.try_with(|c| c.set(c.get() + 1));
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = COUNT.with(Cell::get);
    work();
    COUNT.with(Cell::get) - before
}

fn ways() -> [Local; 4] {
    [Local::Exact, Local::Prox { steps: 1 }, Local::Prox { steps: 5 }, Local::AdaptiveProx(AdaptiveFactor::default())]
}

/// Balls beside each other on the ground and one that falls into the gap between each pair, all of them sliding, rolling and
/// spinning: no contact is redundant, so impulses and velocities are unique.
fn balls(rows_each: usize) -> (Vec<Body>, Vec<Rows>) {
    let (mut bodies, mut rows) = (Vec::new(), Vec::new());
    for k in 0..4 {
        let x = 2.2 * k as f64;
        let mut ball = Body::ball(1.0 + k as f64, 1.0, DVec3::new(x, 1.0, 0.0));
        ball.velocity = DVec3::new(0.1 * k as f64, -0.2, 0.05);
        ball.spin = DVec3::new(0.1, 0.5 - k as f64, 0.3);
        bodies.push(ball);
        rows.push(Rows::contact(k, None, DVec3::new(x, 0.0, 0.0), DVec3::Y, DVec3::X, rows_each));
    }
    for k in 0..3 {
        let (left, right) = (bodies[k].center, bodies[k + 1].center);
        let center = 0.5 * (left + right) + DVec3::Y * (4.0 - 1.1f64 * 1.1).sqrt();
        let mut ball = Body::ball(2.0, 1.0, center);
        ball.velocity = DVec3::new(0.05, -0.5, -0.1);
        ball.spin = DVec3::new(0.0, 2.0, 0.4);
        bodies.push(ball);
        for (below, other) in [(k, left), (k + 1, right)] {
            let normal = (center - other).normalize();
            let point = other + normal;
            rows.push(Rows::contact(4 + k, Some(below), point, normal, DVec3::Z, rows_each));
        }
    }
    (bodies, rows)
}

fn run(p: &ContactProblem, law: &ContactLaw, local: Local, tolerance: f64) -> (SolveReport, Solution) {
    let solver = ProxGaussSeidel { local, ..ProxGaussSeidel::default() };
    let mut solution = Solution::zero(p);
    let laws = vec![law.clone(); p.contacts()];
    let report = solver.solve(p, &mut Frozen(laws), Stop { tolerance, ..Stop::default() }, &mut solution).unwrap();
    (report, solution)
}

/// The sets of the catalogue, with sliding, spin and rolling.
fn laws() -> Vec<ContactLaw> {
    let mut laws: Vec<ContactLaw> =
        SETS.iter().flat_map(|e| (e.examples)()).filter(|set| set.radius() < 2.0).map(ContactLaw::Set).collect();
    let spin = Ellipsoid::new([0.3, 0.2, 0.15], DVec2::from_angle(0.4)).unwrap();
    laws.push(Rolling::new(spin.into(), Ellipse::new([0.1, 0.05], DVec2::X).unwrap()).unwrap().into());
    laws
}

#[test]
fn every_way_leads_to_the_same_motion() {
    let mut compared = 0;
    for law in laws() {
        let (bodies, rows) = balls(law.rows() + 1);
        let p = problem(&bodies, &rows);
        let mut first: Option<Vec<(DVec3, DVec3)>> = None;
        for local in ways() {
            let (report, s) = run(&p, &law, local, 1e-10);
            assert_eq!(report.status, Status::Solved, "{local:?} on {law:?}: {report:?}");
            let found = velocities(&bodies, &rows, &s.r);
            let Some(first) = &first else {
                first = Some(found);
                continue;
            };
            for (a, b) in found.iter().zip(first) {
                let apart = (a.0 - b.0).length().max((a.1 - b.1).length());
                assert!(apart < 1e-7, "{local:?} on {law:?}: {apart}");
            }
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn laws_that_are_no_sets_take_every_way_too() {
    let surface = SurfaceSample {
        tensor: SurfaceTensor::orthotropic(0.2, 0.6, 0.0).unwrap(),
        tangent: DVec3::X,
        ..SurfaceSample::default()
    };
    let state = ContactState::new(ContactFrame::new(DVec3::Y, DVec3::X).unwrap(), surface, surface);
    let models: [FrictionModel; 2] = [TensorRule::default().into(), Measured::examples().swap_remove(0).into()];
    for model in models {
        let law = model.law(&state).unwrap();
        assert!(law.set().is_none(), "{law:?}");
        let mut body = Body::cuboid(1.0, DVec3::ONE, DVec3::ZERO);
        body.velocity = DVec3::new(1.0, -0.1, 0.7);
        // The law slows a slip that remains: force and slip are those of the law.
        let rows = [Rows::contact(0, None, DVec3::ZERO, DVec3::Y, DVec3::X, 3)];
        let p = problem(&[body], &rows);
        for local in ways() {
            let (report, s) = run(&p, &law, local, 1e-11);
            assert_eq!(report.status, Status::Solved, "{local:?}: {report:?}");
            let slip = DVec2::new(s.u[1], s.u[2]);
            let expected = law.force(s.r[0], slip.into()).plane;
            assert!(slip.length() > 0.1 && (s.r[0] - 0.1).abs() < 1e-11, "{local:?}: {s:?}");
            assert!((DVec2::new(s.r[1], s.r[2]) - expected).length() < 1e-10, "{local:?}: {s:?}");
        }
    }
}

#[test]
fn sweeps_and_rows_do_not_allocate() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1u8; 100]))), 1);
    let rolling = Ellipse::new([0.1, 0.05], DVec2::X).unwrap();
    let spin = Ellipsoid::new([0.3, 0.2, 0.15], DVec2::X).unwrap();
    let laws: [ContactLaw; 4] = [
        Disk::new(0.3).unwrap().into(),
        spin.into(),
        Rolling::new(Disk::new(0.3).unwrap().into(), rolling).unwrap().into(),
        Rolling::new(spin.into(), rolling).unwrap().into(),
    ];
    for law in laws {
        let (bodies, rows) = balls(law.rows() + 1);
        let p = problem(&bodies, &rows);
        // Made once for a problem.
        p.scales();
        for local in ways() {
            // Two measurements of the residual each, whatever the number of sweeps between them.
            let count = |sweeps: usize| {
                let solver = ProxGaussSeidel { sweeps, measure_every: sweeps, local, ..ProxGaussSeidel::default() };
                let mut laws = Frozen(vec![law.clone(); p.contacts()]);
                let mut solution = Solution::zero(&p);
                let never = Stop { tolerance: 1e-300, ..Stop::default() };
                allocations(|| assert!(solver.solve(&p, &mut laws, never, &mut solution).is_ok()))
            };
            assert_eq!(count(1), count(50), "{local:?} on {law:?}");
        }
        let (r, u) = ([0.7, 0.2, -0.1, 0.05, 0.02, -0.03], [0.1, -0.3, 0.2, 0.4, -0.5, 0.1]);
        let weights = Weights { normal: 1.0, tangential: 0.7, inverse_arm: 3.0 };
        for form in Form::ALL {
            let n = law.rows() + 1;
            let count = allocations(|| assert!(form.rows(&law, &weights, &r[..n], &u[..n]).is_some()));
            assert_eq!(count, 0, "{} of {law:?}", form.name());
        }
    }
}
