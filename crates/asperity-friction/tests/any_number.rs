//! Whatever numbers come in, nothing panics; and as long as they are not astronomic, no NaN comes out.

mod common;

use asperity_friction::dissipation::smoothed;
use asperity_friction::model::{FrictionModel, MODELS};
use asperity_friction::set::{ConePoint, ConvexSet, FrictionSet, SETS};
use asperity_friction::tensor::SurfaceTensor;
use asperity_friction::{ContactFrame, ContactLaw, ContactState, FacetSlopes, SurfaceSample, Symmetric2, Tangential};
use glam::{DVec2, DVec3};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Any number there is, the odd ones often.
fn anything() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![
        6 => -2.0..2.0f64,
        4 => any::<f64>(),
        1 => Just(0.0),
        1 => Just(-0.0),
        1 => Just(f64::NAN),
        1 => Just(f64::INFINITY),
        1 => Just(f64::NEG_INFINITY),
        1 => Just(5e-324),
        1 => Just(1e300),
        1 => Just(f64::MAX),
    ]
}

/// Finite numbers up to `largest` (a power of ten) with either sign, over all decades down to the inverse, and zero.
fn finite(largest: f64) -> impl Strategy<Value = f64> + Clone {
    let sized =
        (-largest..largest, prop::bool::ANY).prop_map(|(e, sign)| 10f64.powf(e) * if sign { 1.0 } else { -1.0 });
    prop_oneof![4 => sized, 2 => -2.0..2.0f64, 1 => Just(0.0), 1 => Just(-0.0), 1 => Just(10f64.powf(largest))]
}

#[derive(Clone, Debug)]
struct Numbers {
    vectors: [f64; 12],
    scalars: [f64; 6],
    tensors: [f64; 16],
    slip: [f64; 5],
    slopes: Vec<[f64; 2]>,
    kinds: [usize; 2],
    materials: [u32; 2],
}

fn numbers(c: impl Strategy<Value = f64> + Clone + 'static) -> impl Strategy<Value = Numbers> {
    let few = prop::collection::vec([c.clone(), c.clone()], 0..80);
    (
        prop::array::uniform12(c.clone()),
        prop::array::uniform6(c.clone()),
        prop::array::uniform16(c.clone()),
        prop::array::uniform5(c),
        few,
        [0..3usize, 0..3usize],
        [0..3u32, 0..3u32],
    )
        .prop_map(|(vectors, scalars, tensors, slip, slopes, kinds, materials)| Numbers {
            vectors,
            scalars,
            tensors,
            slip,
            slopes,
            kinds,
            materials,
        })
}

/// A contact made of them; `None` where a constructor refuses.
fn with_state<R>(n: &Numbers, use_it: impl Fn(&ContactState<'_>) -> R) -> R {
    let slopes: Vec<DVec2> = n.slopes.iter().map(|p| DVec2::from_array(*p)).collect();
    let half = slopes.len() / 2;
    let side = |i: usize| {
        let vector = |k: usize| DVec3::from_slice(&n.vectors[6 * i + 3 * k..]);
        let q = &n.tensors[8 * i..];
        let tensor = SurfaceTensor::asymmetric([[q[0], q[1]], [q[2], q[3]]], [[q[4], q[5]], [q[6], q[7]]]);
        SurfaceSample {
            material: n.materials[i],
            tangent: vector(0),
            uv: DVec2::ZERO,
            structure: vector(1),
            mu: n.scalars[i],
            mu_t: (n.kinds[i] > 0).then_some(n.scalars[1 - i]),
            mu_b: (n.kinds[1 - i] > 0).then_some(n.scalars[2 + i]),
            mu_tau: n.scalars[3 - i],
            tensor: tensor.unwrap_or(SurfaceTensor::ZERO),
            facets: match n.kinds[i] {
                0 => FacetSlopes::Flat,
                1 => FacetSlopes::Patch(if i == 0 { &slopes[..half] } else { &slopes[half..] }),
                _ => FacetSlopes::Gaussian(Symmetric2 { xx: q[0], xy: q[1], yy: q[3] }),
            },
            salience: n.scalars[2 + i],
        }
    };
    let frame = ContactFrame::from_normal(DVec3::new(0.6, 0.0, 0.8)).unwrap();
    let slip = Tangential::from_array(n.slip);
    use_it(&ContactState { slip, normal_force: n.scalars[4], ..ContactState::new(frame, side(0), side(1)) })
}

/// Everything that a solver asks of a law; the answers do not matter here.
fn ask(law: &ContactLaw, load: f64, v: Tangential) {
    let d = v.plane.normalize_or_zero();
    let _ = (law.force(load, v), law.coefficient(d), law.reaches(load, v, 0.0), law.rows());
    match law {
        ContactLaw::Set(set) => {
            let _ = (set.project(load, v), set.project_cone(load, v), set.bounds(), set.radius());
            let _ = (smoothed(set, 1e-3, load, v.plane), set.derivative(load, v));
            let _ = set.planar().map(|p| (p.outer_polygon(8).is_ok(), p.inner_polygon(8).is_ok()));
        }
        ContactLaw::Slip(rule) => {
            let _ = (rule.resolve(load, v.plane), rule.check());
        }
        ContactLaw::TwoSet(_) => {}
    }
}

fn run<S: Strategy>(name: &str, cases: u32, strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    // Few steps of shrinking: a panic prints at every one.
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 32, ..Config::default() };
    TestRunner::new_with_rng(config, common::rng(name)).run(&strategy, test).unwrap_or_else(|e| panic!("{name}: {e}"));
}

fn models() -> Vec<FrictionModel> {
    MODELS.iter().flat_map(|entry| (entry.examples)()).collect()
}

#[test]
fn no_model_panics_on_any_contact() {
    let models = models();
    run("states", 3000, (numbers(anything()), anything(), prop::array::uniform5(anything())), |(n, load, v)| {
        with_state(&n, |state| {
            // Such contacts are refused, as a rule; a law that is asked for nevertheless must not bring anything down.
            let _ = state.validate();
            for model in &models {
                if let Ok(law) = model.law(state) {
                    ask(&law, load, Tangential::from_array(v));
                }
            }
        });
        Ok(())
    });
    run(
        "finite states",
        1000,
        (numbers(finite(300.0)), finite(300.0), prop::array::uniform5(finite(300.0))),
        |(n, load, v)| {
            with_state(&n, |state| {
                for model in &models {
                    if let Ok(law) = model.law(state) {
                        ask(&law, load.abs(), Tangential::from_array(v));
                    }
                }
            });
            Ok(())
        },
    );
}

#[test]
fn valid_contacts_of_ordinary_size_have_finite_laws() {
    let models = models();
    let strategy = (numbers(prop_oneof![4 => -3.0..3.0f64, 1 => Just(0.0), 1 => -1e-9..1e-9f64]), 0.0..10.0f64);
    let valid = std::cell::Cell::new(0);
    run("ordinary", 2000, strategy, |(mut n, load)| {
        n.scalars = n.scalars.map(f64::abs);
        with_state(&n, |state| {
            if state.validate().is_err() {
                return Ok(());
            }
            valid.set(valid.get() + 1);
            for model in &models {
                let Ok(law) = model.law(state) else { continue };
                let f = law.force(load, state.slip);
                prop_assert!(f.is_finite(), "{model:?}: {f:?}");
            }
            Ok(())
        })
    });
    assert!(valid.get() > 500, "{} valid", valid.get());
}

fn sets() -> impl Iterator<Item = FrictionSet> {
    SETS.iter().flat_map(|entry| (entry.examples)())
}

#[test]
fn projections_of_huge_numbers_do_not_panic() {
    for set in sets() {
        run(set.name(), 300, (finite(300.0), prop::array::uniform5(finite(300.0))), |(load, f)| {
            let f = Tangential::from_array(f);
            let _ = (set.project(load.abs(), f), set.project_cone(load, f), set.support(f), set.support_point(f));
            let _ = set.derivative(load.abs(), f);
            Ok(())
        });
    }
}

#[test]
fn projections_of_large_numbers_are_numbers() {
    for set in sets() {
        run(set.name(), 1000, (finite(100.0), prop::array::uniform5(finite(100.0))), |(load, f)| {
            let (load, f) = (load.abs(), Tangential::from_array(f));
            let p = set.project(load, f);
            prop_assert!(p.is_finite(), "{set:?}: {p:?} of {f:?}, load {load}");
            let d = set.derivative(load, f);
            let finite = d.by_force.as_flattened().iter().chain(&d.by_load).all(|e| e.is_finite());
            prop_assert!(finite, "{set:?}: {d:?} at {f:?}, load {load}");
            let ConePoint { load: s, force: q } = set.project_cone(load, f);
            prop_assert!(s.is_finite() && q.is_finite(), "{set:?}: ({s}, {q:?}) of {f:?}, load {load}");
            let ConePoint { load: s, force: q } = set.project_cone(-load, f);
            prop_assert!(s.is_finite() && q.is_finite(), "{set:?}: ({s}, {q:?}) of {f:?}, load -{load}");
            prop_assert!(
                set.support(f).is_finite() && set.support_point(f).is_finite(),
                "{set:?}: support along {f:?}"
            );
            Ok(())
        });
    }
}
