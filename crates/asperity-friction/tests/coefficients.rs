//! Coefficients that the surfaces bring along: each law with rules is the same law with the numbers that the rules give.

use asperity_friction::model::{
    Anisotropic, Axes, Coefficient, Combine, Coulomb, Facets, FrictionModel, Lagged, Matchstick, Measured,
    MissingStructure, Scaled, Spin,
};
use asperity_friction::{ContactFrame, ContactLaw, ContactState, FrictionError, Side, SurfaceSample, Tangential};
use glam::{DVec2, DVec3};

/// Two surfaces whose grains are 30° apart, with coefficients that are all different.
fn contact() -> ContactState<'static> {
    let surface = |angle: f64, [mu, mu_t, mu_b, mu_tau]: [f64; 4]| SurfaceSample {
        structure: DVec3::new(angle.cos(), angle.sin(), 0.0),
        tangent: DVec3::X,
        mu,
        mu_t: Some(mu_t),
        mu_b: Some(mu_b),
        mu_tau,
        ..SurfaceSample::default()
    };
    let frame = ContactFrame::new(DVec3::Z, DVec3::X).unwrap();
    let a = surface(0.1, [0.2, 0.4, 0.9, 0.01]);
    let b = surface(0.1 + std::f64::consts::FRAC_PI_6, [0.8, 0.1, 0.4, 0.04]);
    let slip = Tangential::planar(DVec2::new(0.3, -0.1));
    ContactState { slip, ..ContactState::new(frame, a, b) }
}

/// What each rule makes of 0.2 and 0.8; of 0.4 and 0.1; of 0.9 and 0.4; of 0.01 and 0.04.
const RULES: [(Combine, [f64; 4]); 5] = [
    (Combine::Average, [0.5, 0.25, 0.65, 0.025]),
    (Combine::GeometricMean, [0.4, 0.2, 0.6, 0.02]),
    (Combine::Product, [0.16, 0.04, 0.36, 0.0004]),
    (Combine::Minimum, [0.2, 0.1, 0.4, 0.01]),
    (Combine::Maximum, [0.8, 0.4, 0.9, 0.04]),
];

fn law(model: impl Into<FrictionModel>) -> ContactLaw {
    model.into().law(&contact()).unwrap()
}

fn same(combined: impl Into<FrictionModel>, fixed: impl Into<FrictionModel>) {
    let (combined, fixed) = (combined.into(), fixed.into());
    let name = combined.name();
    let (own, expected) = (law(combined), law(fixed));
    for k in 0..24 {
        let v = DVec2::from_angle(f64::from(k) * std::f64::consts::TAU / 24.0);
        for spin in [0.0, 0.5, -2.0] {
            let v = Tangential { spin, ..Tangential::planar(v) };
            let (p, q) = (own.force(2.0, v), expected.force(2.0, v));
            assert!(
                (p.dot(v) - q.dot(v)).abs() <= 1e-14 && (p.plane - q.plane).length() <= 1e-14,
                "{name}: {p:?}, {q:?}"
            );
        }
    }
}

#[test]
fn rules_give_the_coefficients_that_they_say() {
    for (rule, [mu, mu_t, mu_b, mu_tau]) in RULES {
        let (by, fixed, missing) = (Coefficient::Combined(rule), Coefficient::Fixed, MissingStructure::OtherDecides);
        let spin = |k: Coefficient| Some(Spin { isotropic: k, parallel: k });
        same(
            Matchstick { mu: by, mu_t: by, mu_b: by, spin: spin(by), missing },
            Matchstick { mu: fixed(mu), mu_t: fixed(mu_t), mu_b: fixed(mu_b), spin: spin(fixed(mu_tau)), missing },
        );
        let axes = Axes::OnB;
        same(Anisotropic { mu: [by; 2], axes }, Anisotropic { mu: [fixed(mu_t), fixed(mu_b)], axes });
        same(Lagged { mu: [by; 2], axes }, Lagged { mu: [fixed(mu_t), fixed(mu_b)], axes });
        same(Facets { mu0: by, ..Facets::default() }, Coulomb::new(mu).unwrap());
        same(Coulomb { mu: None, combine: rule }, Coulomb::new(mu).unwrap());
        let curve = vec![0.5, 0.3, 0.2, 0.6];
        let inner = Box::new(Measured::new(curve.clone(), Side::B).into());
        let times = |k: f64| curve.iter().map(|c| c * k).collect();
        same(Scaled { law: inner, strength: by }, Measured::new(times(mu), Side::B));
    }
}

#[test]
fn a_surface_without_axes_has_the_same_coefficient_along_and_across() {
    let mut state = contact();
    (state.a.mu_t, state.b.mu_b) = (None, None);
    assert_eq!([state.a.along(), state.b.across()], [0.2, 0.8]);
    let by = Coefficient::Combined(Combine::Maximum);
    let model = FrictionModel::from(Anisotropic { mu: [by; 2], axes: Axes::OnA });
    // Along: the larger of 0.2 and 0.1; across: of 0.9 and 0.8.
    let law = model.law(&state).unwrap();
    let along = DVec2::new(0.1f64.cos(), 0.1f64.sin());
    assert!((law.coefficient(along) - 0.2).abs() < 1e-14 && (law.coefficient(along.perp()) - 0.9).abs() < 1e-14);
}

#[test]
fn files_have_a_number_or_the_name_of_a_rule() {
    let read = |json: &str| serde_json::from_str::<FrictionModel>(json);
    let mixed = read(r#"{"kind": "matchstick", "mu": 1, "mu_t": "minimum", "mu_b": 0.5}"#).unwrap();
    let FrictionModel::Matchstick(model) = &mixed else { panic!("{mixed:?}") };
    assert_eq!([model.mu, model.mu_t], [Coefficient::Fixed(1.0), Coefficient::Combined(Combine::Minimum)]);
    assert_eq!(read(&serde_json::to_string(&mixed).unwrap()).unwrap(), mixed);
    for (bad, words) in [
        (r#"{"kind": "facets", "mu0": "avrage"}"#, ["avrage", "average"]),
        (r#"{"kind": "facets", "mu0": -0.5}"#, ["mu0", "-0.5"]),
        (r#"{"kind": "facets", "mu0": [1]}"#, ["sequence", "a number or a rule"]),
        (r#"{"kind": "scaled", "law": {"kind": "coulomb", "mu": 1}, "strength": -1}"#, ["strength", "-1"]),
    ] {
        let error = read(bad).unwrap_err().to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{bad}: {error}");
    }
}

#[test]
fn surfaces_with_coefficients_out_of_range_are_refused_by_name() {
    for bad in [-0.1, f64::NAN, f64::INFINITY] {
        type Change = fn(&mut SurfaceSample, f64);
        let changes: [(&str, Change); 4] = [
            ("mu of", |s, x| s.mu = x),
            ("mu_t", |s, x| s.mu_t = Some(x)),
            ("mu_b", |s, x| s.mu_b = Some(x)),
            ("mu_tau", |s, x| s.mu_tau = x),
        ];
        for (name, change) in changes {
            let mut state = contact();
            change(&mut state.b, bad);
            let error = state.validate().unwrap_err();
            assert!(matches!(error, FrictionError::Negative { .. }) && error.to_string().contains(name), "{error}");
        }
    }
}
