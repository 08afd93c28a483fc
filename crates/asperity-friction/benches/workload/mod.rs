//! What the benchmarks measure: one call of every set and every model, on the same mix of inputs.
//!
//! A third of the points lie inside the cone, a third on its boundary, a third outside, in an order that a branch
//! predictor cannot learn. Shared by the criterion benchmarks and by the instruction counter.

use std::hint::black_box;

use asperity_friction::dissipation;
use asperity_friction::model::{Coulomb, FrictionModel, MODELS, Matchstick, Measured, Model, TensorRule};
use asperity_friction::set::{Catalogued, ConvexSet, Ellipse, FrictionSet, SETS, Zonotope};
use asperity_friction::tensor::SurfaceTensor;
use asperity_friction::{ContactFrame, ContactLaw, ContactState, FacetSlopes, SurfaceSample, Tangential};
use glam::{DVec2, DVec3};

/// Calls a round.
pub(crate) const CALLS: usize = 1024;

/// A measured operation: runs [`CALLS`] calls.
pub(crate) struct Operation {
    /// What is called.
    pub(crate) group: &'static str,
    /// Of which set or model.
    pub(crate) name: String,
    /// The calls.
    pub(crate) run: Box<dyn FnMut()>,
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn signed(&mut self) -> f64 {
        2.0 * self.next() - 1.0
    }
}

/// Points for a set, with load one: inside, on the boundary, outside.
fn points(set: &FrictionSet) -> Vec<Tangential> {
    let mut random = Random(11);
    (0..CALLS)
        .map(|_| {
            let mut c = [0.0; 5];
            c.iter_mut().take(set.rows()).for_each(|x| *x = random.signed());
            let edge = set.support_point(Tangential::from_array(c));
            match (random.next() * 3.0) as usize {
                0 => edge * (0.9 * random.next()),
                1 => edge,
                _ => edge * (1.1 + 3.0 * random.next()) + Tangential::from_array(c) * (0.3 * set.radius()),
            }
        })
        .collect()
}

/// Contacts with grain, tensors and 16 × 16 facets on both sides.
fn states(slopes: &'static [DVec2]) -> Vec<ContactState<'static>> {
    let mut random = Random(5);
    let tensor = SurfaceTensor::orthotropic(0.2, 0.7, 0.05).unwrap();
    let mut surface = || SurfaceSample {
        tangent: DVec3::new(random.signed(), random.signed(), 0.1),
        structure: DVec3::new(random.signed(), random.signed(), 0.2 * random.signed()),
        mu: random.next(),
        tensor,
        facets: FacetSlopes::Patch(slopes),
        ..SurfaceSample::default()
    };
    let surfaces: Vec<_> = (0..2 * CALLS).map(|_| surface()).collect();
    let mut random = Random(9);
    let frame = ContactFrame::new(DVec3::Z, DVec3::X).unwrap();
    surfaces
        .chunks(2)
        .map(|pair| ContactState {
            slip: Tangential::planar(DVec2::new(random.signed(), random.signed())),
            normal_force: 10.0 * random.next(),
            ..ContactState::new(frame, pair[0], pair[1])
        })
        .collect()
}

fn over<T>(inputs: Vec<Tangential>, call: impl Fn(Tangential) -> T + 'static) -> Box<dyn FnMut()> {
    Box::new(move || {
        for f in &inputs {
            black_box(call(*f));
        }
    })
}

/// Every operation, in the order of the catalogues.
pub(crate) fn operations() -> Vec<Operation> {
    let mut random = Random(3);
    let patch: Vec<DVec2> = (0..256).map(|_| DVec2::new(random.signed(), 0.4 * random.signed())).collect();
    let slopes: &'static [DVec2] = patch.leak();
    let states: &'static [ContactState<'static>] = states(slopes).leak();
    let mut all = Vec::new();
    for entry in SETS {
        let set = (entry.examples)().swap_remove(if entry.name == "disk" { 2 } else { 0 });
        let inputs = points(&set);
        let (project, derivative, cone, support) = (set.clone(), set.clone(), set.clone(), set);
        let (w, x, y, z) = (inputs.clone(), inputs.clone(), inputs.clone(), inputs);
        let name = entry.name.to_string();
        all.push(Operation {
            group: "project",
            name: name.clone(),
            run: over(x, move |f| project.project(black_box(1.0), f)),
        });
        all.push(Operation {
            group: "derivative",
            name: name.clone(),
            run: over(w, move |f| derivative.derivative(black_box(1.0), f)),
        });
        all.push(Operation {
            group: "project_cone",
            name: name.clone(),
            run: over(y, move |f| cone.project_cone(black_box(1.0), f)),
        });
        all.push(Operation { group: "support", name, run: over(z, move |f| support.support(f)) });
    }
    for entry in MODELS {
        let model = (entry.examples)().swap_remove(if entry.name == "facets" { 1 } else { 0 });
        let mut law = ContactLaw::default();
        all.push(Operation {
            group: "law",
            name: entry.name.to_string(),
            run: Box::new(move || {
                for state in states {
                    model.evaluate(state, &mut law).expect("valid");
                    black_box(&law);
                }
            }),
        });
    }
    all.extend(others(states));
    all.push(chain("coulomb", Coulomb::default().into(), states));
    all.push(chain("matchstick", Matchstick::new(0.5, 0.2, 1.0).unwrap().into(), states));
    all
}

/// What solvers ask of laws that are no sets and of smoothed friction.
fn others(states: &'static [ContactState<'static>]) -> Vec<Operation> {
    let rule = FrictionModel::from(TensorRule::default()).law(&states[0]).expect("valid");
    let ContactLaw::Slip(rule) = rule else { unreachable!("a rule") };
    let two = FrictionModel::from(Measured::examples().swap_remove(0)).law(&states[0]).expect("valid");
    let ellipse: FrictionSet = Ellipse::examples().swap_remove(0).into();
    let zonotope: FrictionSet = Zonotope::examples().swap_remove(0).into();
    let inputs = points(&ellipse);
    let operation = |group, name: &str, run| Operation { group, name: name.to_string(), run };
    vec![
        operation("resolve", "tensor_rule", over(inputs.clone(), move |f| rule.resolve(1.0, f.plane))),
        operation("force", "measured", over(inputs.clone(), move |f| two.force(1.0, f))),
        operation(
            "smoothed",
            "ellipse",
            over(inputs.clone(), move |f| dissipation::smoothed(&ellipse, 1e-3, 1.0, f.plane)),
        ),
        operation("smoothed", "zonotope", over(inputs, move |f| dissipation::smoothed(&zonotope, 1e-3, 1.0, f.plane))),
    ]
}

/// Law, then one projection onto what it answered with: a third of the points inside, on and outside that very set.
fn chain(name: &str, model: FrictionModel, states: &'static [ContactState<'static>]) -> Operation {
    let mut random = Random(17);
    let inputs: Vec<Tangential> = states
        .iter()
        .map(|state| {
            let law = model.law(state).expect("valid");
            let edge = law.force(1.0, Tangential::planar(DVec2::new(random.signed(), random.signed())));
            let aside = Tangential::planar(DVec2::new(random.signed(), random.signed()));
            match (random.next() * 3.0) as usize {
                0 => edge * (0.9 * random.next()),
                1 => edge,
                _ => edge * (1.1 + 3.0 * random.next()) + aside * 0.1,
            }
        })
        .collect();
    let mut law = ContactLaw::default();
    Operation {
        group: "chain",
        name: format!("{name} law + projection"),
        run: Box::new(move || {
            for (state, f) in states.iter().zip(&inputs) {
                model.evaluate(state, &mut law).expect("valid");
                if let ContactLaw::Set(set) = &law {
                    black_box(set.project(black_box(1.0), *f));
                }
            }
        }),
    }
}
