//! Hot calls do not allocate: laws are evaluated into the storage of the last ones, projections need none.

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use asperity_friction::Tangential;
use asperity_friction::model::{FrictionModel, MODELS, Model};
use asperity_friction::set::{ConvexSet, SETS};
use glam::DVec2;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, TestRunner};

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

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1u8; 100]))), 1);
}

#[test]
fn projections_do_not_allocate() {
    for entry in SETS {
        for set in (entry.examples)() {
            let x = Tangential::from_array([1.0, -0.7, 0.3, 0.2, -0.1]);
            let count = allocations(|| {
                std::hint::black_box(set.project(1.3, x));
                std::hint::black_box(set.derivative(1.3, x));
                std::hint::black_box(set.project_cone(0.4, x));
                std::hint::black_box(set.support(x));
                std::hint::black_box(set.max_dissipation(1.0, x));
                std::hint::black_box(set.coefficient(DVec2::X));
            });
            assert_eq!(count, 0, "{}", set.name());
        }
    }
}

#[test]
fn evaluating_a_law_again_does_not_allocate() {
    // Polygons that replace the exact facet set are made for LCP solvers, once a contact: they do allocate.
    let polygon = |m: &FrictionModel| {
        use asperity_friction::model::FacetForm::{Outer, Polar};
        matches!(m, FrictionModel::Facets(f) if matches!(f.form, Outer { .. } | Polar { .. }))
    };
    let mut runner = TestRunner::new_with_rng(Config::default(), common::rng("allocation"));
    for _ in 0..20 {
        let contact = common::state::contact(true).new_tree(&mut runner).unwrap().current();
        for model in MODELS.iter().flat_map(|e| (e.examples)()).filter(|m| !polygon(m)) {
            // Another slip, load and grain, and back: what a solver and the next step ask for.
            let mut moved = contact.clone();
            moved.slip = Tangential::from_array([0.3, -0.2, 0.1, 0.0, 0.4]);
            moved.load += 2.0;
            std::mem::swap(&mut moved.a.structure, &mut moved.b.structure);
            let (state, other) = (contact.state(), moved.state());
            let mut law = model.law(&state).unwrap();
            model.evaluate(&other, &mut law).unwrap();
            let count = allocations(|| {
                for _ in 0..3 {
                    model.evaluate(&state, &mut law).unwrap();
                    model.evaluate(&other, &mut law).unwrap();
                }
            });
            assert_eq!(count, 0, "{model:?}");
        }
    }
}
