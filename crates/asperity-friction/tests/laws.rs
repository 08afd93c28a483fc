//! Conformance: every friction model of the catalogue, present and future.

mod common;

use std::cell::RefCell;

use asperity_friction::dissipation::smoothed;
use asperity_friction::model::{FrictionModel, MODELS, Model, TensorRule};
use asperity_friction::set::{ConvexSet, FrictionSet};
use asperity_friction::{ContactLaw, Tangential};
use common::state::{self, Contact, contact, other_side};
use common::vector;
use glam::DVec2;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Runs `check` on random contacts for every example of every model.
fn for_every_model(
    symmetric: bool,
    models: impl Iterator<Item = FrictionModel>,
    check: impl Fn(&FrictionModel, &Contact, [Tangential; 3]) -> Result<(), TestCaseError>,
) {
    let mut tried = 0;
    for model in models {
        model.validate().unwrap();
        let config = Config { cases: 300, failure_persistence: None, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, common::rng(model.name()));
        let strategy = (contact(symmetric), [vector(), vector(), vector()]);
        if let Err(e) = runner.run(&strategy, |(contact, slips)| {
            contact.state().validate().unwrap();
            check(&model, &contact, slips)
        }) {
            panic!("{model:?}: {e}");
        }
        tried += 1;
    }
    assert!(tried > 0);
}

fn catalogue() -> impl Iterator<Item = FrictionModel> {
    MODELS.iter().flat_map(|entry| {
        let examples = (entry.examples)();
        assert!(!examples.is_empty() && examples.iter().all(|m| m.name() == entry.name));
        examples
    })
}

fn asymmetric_rules() -> impl Iterator<Item = FrictionModel> {
    // A product needs symmetric tensors.
    let product = |m: &TensorRule| m.composition == asperity_friction::model::TensorComposition::Product;
    <TensorRule as asperity_friction::set::Catalogued>::examples()
        .into_iter()
        .filter(move |m| !product(m))
        .map(Into::into)
}

/// The same impulse on B as on A with the sign changed, whichever body is called A.
fn same_motion(model: &FrictionModel, contact: &Contact, slips: [Tangential; 3]) -> Result<(), TestCaseError> {
    let law = model.law(&contact.state()).unwrap();
    let swapped = contact.swapped();
    let mirrored = model.swapped().law(&swapped.state()).unwrap();
    for v in slips {
        let w = other_side(v);
        match (&law, &mirrored) {
            (ContactLaw::Set(f), ContactLaw::Set(g)) => {
                let (h, k) = (f.support(v), g.support(w));
                prop_assert!((h - k).abs() <= 1e-12 * (1.0 + h), "support {h} and {k}");
            }
            _ => {
                let (f, g) = (other_side(law.force(1.0, v)), mirrored.force(1.0, w));
                prop_assert!((f - g).length() <= 1e-9, "force {f:?} and {g:?}");
            }
        }
    }
    Ok(())
}

/// Power ≤ 0 for every slip, for the law evaluated at that very slip too.
fn brakes(model: &FrictionModel, contact: &Contact, slips: [Tangential; 3]) -> Result<(), TestCaseError> {
    let law = model.law(&contact.state()).unwrap();
    for v in slips {
        let load = contact.load.max(1.0);
        let f = law.force(load, v);
        prop_assert!(f.is_finite());
        prop_assert!(f.dot(v) <= 1e-13 * f.length() * v.length(), "power {} of {f:?} at {v:?}", f.dot(v));
        let d = v.plane.normalize_or_zero();
        prop_assert!(law.coefficient(d) >= -1e-13);
        let at_slip = Contact { slip: v, ..contact.clone() };
        let f = model.law(&at_slip.state()).unwrap().force(load, v);
        prop_assert!(f.dot(v) <= 1e-13 * f.length() * v.length());
    }
    prop_assert!(law.reaches(1.0, Tangential::ZERO, 0.0), "no friction must always be allowed");
    Ok(())
}

/// What a smoothed law does with a contact: it brakes, or it is refused by its kind.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Smoothed {
    Brakes,
    Refused,
}

/// Power ≤ 0 of the smoothed force at every slip: from far below ε to far above it, at the law of any slip and at that
/// of this very one.
fn smoothed_brakes(
    model: &FrictionModel,
    contact: &Contact,
    slips: [Tangential; 3],
    seen: &RefCell<Vec<(&'static str, Smoothed)>>,
) -> Result<(), TestCaseError> {
    for v in slips {
        let at_slip = Contact { slip: v, ..contact.clone() };
        for law in [model.law(&contact.state()).unwrap(), model.law(&at_slip.state()).unwrap()] {
            let sets: Vec<FrictionSet> = match law {
                ContactLaw::Set(FrictionSet::Rolling(own)) => vec![own.sliding().clone(), (*own.rolling()).into()],
                ContactLaw::Set(set) => vec![set],
                // No set, no potential: there is nothing to smooth.
                ContactLaw::Slip(_) | ContactLaw::TwoSet(_) => Vec::new(),
            };
            let potentials = sets.iter().filter(|set| set.planar().is_some());
            let kind = if potentials.clone().count() == 0 { Smoothed::Refused } else { Smoothed::Brakes };
            seen.borrow_mut().push((model.name(), kind));
            for set in potentials.filter(|set| set.radius() > 0.0) {
                for decade in -9..=3 {
                    let (eps, load) = (10f64.powi(decade), contact.load.max(1.0));
                    let force = -smoothed(set, eps, load, v.plane).unwrap().gradient;
                    prop_assert!(force.is_finite());
                    // Rounding of a force of this size.
                    let slack = 1e-13 * load * set.radius() * v.plane.length();
                    prop_assert!(force.dot(v.plane) <= slack, "{force:?} at {v:?}, ε {eps}, {set:?}");
                }
            }
        }
    }
    Ok(())
}

#[test]
fn no_law_ever_drives_when_it_is_smoothed() {
    let seen = RefCell::new(Vec::new());
    for_every_model(true, catalogue(), |model, contact, slips| smoothed_brakes(model, contact, slips, &seen));
    let seen = seen.into_inner();
    let tried = |name: &str, kind: Smoothed| seen.iter().filter(|own| **own == (name, kind)).count();
    for entry in MODELS {
        let [brakes, refused] = [Smoothed::Brakes, Smoothed::Refused].map(|kind| tried(entry.name, kind));
        println!("{}: {brakes} smoothed, {refused} without a potential", entry.name);
        assert!(brakes + refused >= 600, "{} was hardly tried", entry.name);
    }
    let names = MODELS.iter().filter(|entry| tried(entry.name, Smoothed::Brakes) > 0).count();
    assert!(names > MODELS.len() / 2, "only {names} of {} laws have a potential", MODELS.len());
}

#[test]
fn swapping_the_bodies_gives_the_same_motion() {
    for_every_model(true, catalogue(), same_motion);
    for_every_model(false, asymmetric_rules(), same_motion);
}

#[test]
fn no_law_ever_drives() {
    for_every_model(true, catalogue(), brakes);
    for_every_model(false, asymmetric_rules(), brakes);
}

#[test]
fn evaluating_into_an_old_law_gives_the_same_law() {
    let used = std::cell::RefCell::new(ContactLaw::default());
    for_every_model(true, catalogue(), |model, contact, _| {
        let fresh = model.law(&contact.state()).unwrap();
        model.evaluate(&contact.state(), &mut used.borrow_mut()).unwrap();
        prop_assert_eq!(&*used.borrow(), &fresh);
        Ok(())
    });
}

#[test]
fn the_frame_does_not_matter() {
    // The same contact with another tangent: what resists a slip in the world is the same. (The box is the exception: it
    // is aligned with the frame; so are polygons with directions counted from t.)
    let framed = |m: &FrictionModel| format!("{m:?}").contains("Box") || format!("{m:?}").contains("n: 16");
    for_every_model(true, catalogue().filter(move |m| !framed(m)), |model, contact, slips| {
        let turn = |v: DVec2| DVec2::new(v.y, -v.x);
        let old = contact.frame;
        let frame = asperity_friction::ContactFrame::new(old.normal(), old.b()).unwrap();
        let turn_all =
            |s: &state::Surface| state::Surface { slopes: s.slopes.iter().map(|p| turn(*p)).collect(), ..s.clone() };
        let slip = |v: Tangential| Tangential { plane: turn(v.plane), spin: v.spin, roll: turn(v.roll) };
        let turned = Contact {
            frame,
            a: turn_all(&contact.a),
            b: turn_all(&contact.b),
            slip: slip(contact.slip),
            load: contact.load,
            frictionless: slip(contact.frictionless),
        };
        let (law, other) = (model.law(&contact.state()).unwrap(), model.law(&turned.state()).unwrap());
        for v in slips {
            let (p, q) = (law.force(1.0, v).dot(v), other.force(1.0, slip(v)).dot(slip(v)));
            // Merging sorts by angle from t: it may cut sectors elsewhere, within its tolerance.
            let slack = if format!("{model:?}").contains("merge: 0.001") { 4e-3 } else { 1e-9 };
            prop_assert!((p - q).abs() <= slack * (1.0 + p.abs()), "power {p} and {q}");
        }
        Ok(())
    });
}

#[test]
fn a_missing_axis_is_refused_and_not_made_up() {
    // Without a tangent and without structure the law of an anisotropic surface would depend on the contact's frame.
    let refused = std::cell::Cell::new(0);
    for_every_model(true, catalogue(), |model, contact, slips| {
        let bare = |s: &state::Surface| state::Surface {
            tangent: glam::DVec3::ZERO,
            structure: glam::DVec3::ZERO,
            ..s.clone()
        };
        let bare = Contact { a: bare(&contact.a), b: bare(&contact.b), ..contact.clone() };
        match model.law(&bare.state()) {
            Err(asperity_friction::FrictionError::NoAxis { side, .. }) => {
                refused.set(refused.get() + 1);
                prop_assert!(side == "A" || side == "B");
            }
            Err(other) => prop_assert!(false, "{other}"),
            // What needs no axis must not depend on the frame: a quarter turn of it changes nothing. (Patches are given in
            // the frame, and boxes and polygons aligned with it.)
            Ok(law) if !format!("{model:?}").contains("Facets") => {
                let quarter = asperity_friction::ContactFrame::new(bare.frame.normal(), bare.frame.b()).unwrap();
                let turn = |v: Tangential| Tangential {
                    plane: DVec2::new(v.plane.y, -v.plane.x),
                    spin: v.spin,
                    roll: DVec2::new(v.roll.y, -v.roll.x),
                };
                let turned = Contact {
                    frame: quarter,
                    slip: turn(bare.slip),
                    frictionless: turn(bare.frictionless),
                    ..bare.clone()
                };
                let other = model.law(&turned.state()).unwrap();
                for v in slips {
                    let (p, q) = (law.force(1.0, v).dot(v), other.force(1.0, turn(v)).dot(turn(v)));
                    prop_assert!((p - q).abs() <= 1e-12 * (1.0 + p.abs()), "power {p} and {q}");
                }
            }
            Ok(_) => {}
        }
        Ok(())
    });
    assert!(refused.get() > 100, "{} refusals", refused.get());
}

#[test]
fn a_law_depends_on_what_it_says() {
    for_every_model(true, catalogue(), |model, contact, slips| {
        let depends = model.depends();
        let law = model.law(&contact.state()).unwrap();
        if !depends.slip {
            let moving = Contact { slip: slips[0], ..contact.clone() };
            prop_assert_eq!(&model.law(&moving.state()).unwrap(), &law);
        }
        if !depends.frictionless {
            let elsewhere = Contact { frictionless: slips[0], ..contact.clone() };
            prop_assert_eq!(&model.law(&elsewhere.state()).unwrap(), &law);
        }
        if !depends.load {
            let heavier = Contact { load: contact.load + 3.0, ..contact.clone() };
            prop_assert_eq!(&model.law(&heavier.state()).unwrap(), &law);
        }
        Ok(())
    });
}

#[test]
fn tables_do_not_care_which_body_is_called_a() {
    use asperity_friction::model::{Anisotropic, Axes, Coefficient, Pair, PairTable};
    use asperity_friction::set::Catalogued;
    // An engine has one table and calls either body A.
    for_every_model(true, PairTable::examples().into_iter().map(Into::into), |model, contact, slips| {
        let (law, mirrored) = (model.law(&contact.state()).unwrap(), model.law(&contact.swapped().state()).unwrap());
        for v in slips {
            let (p, q) = (law.force(1.0, v).dot(v), mirrored.force(1.0, other_side(v)).dot(other_side(v)));
            prop_assert!((p - q).abs() <= 1e-12 * (1.0 + p.abs()), "power {p} and {q}");
        }
        Ok(())
    });
    let skate = FrictionModel::from(Anisotropic { mu: [0.1, 0.6].map(Coefficient::Fixed), axes: Axes::OnA });
    let alike = PairTable::new(vec![Pair { materials: [1, 1], law: skate.clone() }], None);
    let rest = PairTable::new(vec![], Some(skate));
    for table in [alike, rest] {
        assert!(table.validate().unwrap_err().to_string().contains("two different materials"));
    }
}

#[test]
fn wrapped_laws_stay_finite_without_strength() {
    use asperity_friction::curve::Transition;
    use asperity_friction::model::{LoadPower, StaticKinetic, Stribeck};
    // Every law, scaled to nothing: no kinetic friction, none at rest, none at no load.
    let inner = || catalogue().map(Box::new);
    let slippery =
        inner().map(|law| StaticKinetic { law, kinetic: 0.0, eps_v: 1e-9, transition: Transition::Peak }.into());
    let floating = inner().map(|law| Stribeck { law, rest: 0.0, speed: 1e3, exponent: 2.0, viscous: 0.0 }.into());
    let weightless = inner().map(|law| LoadPower { law, exponent: 3.0, reference: 1.0, floor: 1e-200 }.into());
    for_every_model(true, slippery.chain(floating).chain(weightless), |model, contact, slips| {
        for slip in slips.into_iter().chain([Tangential::ZERO]) {
            let at = Contact { slip, load: 0.0, ..contact.clone() };
            let law = model.law(&at.state()).unwrap();
            prop_assert!(law.force(2.0, slip).is_finite());
            prop_assert!(law.coefficient(DVec2::X).is_finite());
        }
        Ok(())
    });
}

#[test]
fn every_model_survives_a_file() {
    for model in catalogue() {
        let text = toml::to_string(&model).unwrap();
        assert!(text.starts_with(&format!("kind = \"{}\"", model.name())), "{text}");
        assert_eq!(toml::from_str::<FrictionModel>(&text).unwrap(), model, "{text}");
        let text = serde_json::to_string(&model).unwrap();
        assert_eq!(serde_json::from_str::<FrictionModel>(&text).unwrap(), model);
    }
}

#[test]
fn laws_survive_a_file() {
    for_every_model(true, catalogue(), |model, contact, _| {
        let law = model.law(&contact.state()).unwrap();
        let text = serde_json::to_string(&law).unwrap();
        prop_assert_eq!(serde_json::from_str::<ContactLaw>(&text).unwrap(), law);
        Ok(())
    });
}
