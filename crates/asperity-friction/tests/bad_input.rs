//! Bad input is refused, with the variant of the error that says what is wrong and a text that names the value.

use asperity_friction::curve::{Mollifier, StaticKineticCurve, Transition};
use asperity_friction::model::*;
use asperity_friction::set::*;
use asperity_friction::{
    ContactFrame, ContactState, FacetSlopes, FrictionError, Side, Star, SurfaceSample, Symmetric2, Tangential, TwoSet,
};
use glam::{DVec2, DVec3};

/// Asserts the variant of the error and what its text contains.
macro_rules! refused {
    ($result:expr, $pattern:pat $(if $guard:expr)?, $($text:expr),+ $(,)?) => {{
        let error = $result.unwrap_err();
        assert!(matches!(&error, $pattern $(if $guard)?), "wrong variant: {error:?}");
        let text = error.to_string();
        $(assert!(text.contains(&*$text.to_string()), "{text:?} does not name {}", $text);)+
    }};
}

const BAD: [f64; 4] = [-0.1, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

fn v(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

fn shown(x: f64) -> String {
    format!("= {x}:")
}

#[test]
fn coefficients_of_sets() {
    let fine = Ellipse::new([0.5, 0.5], DVec2::X).unwrap();
    for bad in BAD {
        refused!(Disk::new(bad), FrictionError::Negative { name: "mu", .. }, "mu", shown(bad));
        refused!(Ellipse::new([bad, 1.0], DVec2::X), FrictionError::Negative { name: "mu_t", .. }, shown(bad));
        refused!(Ellipse::new([1.0, bad], DVec2::X), FrictionError::Negative { name: "mu_b", .. }, shown(bad));
        for (i, named) in ["mu_t", "mu_b", "mu_spin"].into_iter().enumerate() {
            let mut mu = [0.5; 3];
            mu[i] = bad;
            refused!(Ellipsoid::new(mu, DVec2::X), FrictionError::Negative { name, .. } if *name == named, shown(bad));
        }
        for (i, named) in ["ahead_t", "ahead_b", "back_t", "back_b"].into_iter().enumerate() {
            let mut b = [0.5; 4];
            b[i] = bad;
            let set = AsymmetricBox::new(v(b[0], b[1]), v(b[2], b[3]), DVec2::X);
            refused!(set, FrictionError::Negative { name, .. } if *name == named, named, shown(bad));
        }
        refused!(Zonotope::new(vec![], bad), FrictionError::Negative { name: "radius", .. }, shown(bad));
        refused!(EllipseSum::new(bad, [fine, fine]), FrictionError::Negative { name: "radius", .. }, shown(bad));
    }
    for bad in [f64::NAN, f64::INFINITY] {
        let not_finite = Zonotope::new(vec![v(0.1, 0.2), v(bad, 0.0)], 0.1);
        refused!(not_finite, FrictionError::NotFinite { name: "generator", .. }, format!("[{bad}, 0, 0]"));
        refused!(Polygon::new(vec![v(0.0, bad)]), FrictionError::NotFinite { name: "vertex", .. }, bad);
        refused!(
            Star::new(vec![v(1.0, 0.0), v(0.0, bad), v(-1.0, -1.0)]),
            FrictionError::NotFinite { name: "vertex", .. },
            bad
        );
    }
}

#[test]
fn directions_that_are_none() {
    for (bad, length) in
        [(v(0.0, 0.0), "length is 0"), (v(1.0, 1.0), "1.414"), (v(1.0 + 1e-8, 0.0), "[1.00000001, 0, 0]")]
    {
        refused!(Ellipse::new([0.5; 2], bad), FrictionError::NotUnit { name: "axis", .. }, "axis", length);
        refused!(Ellipsoid::new([0.5; 3], bad), FrictionError::NotUnit { name: "axis", .. }, length);
        refused!(AsymmetricBox::new(v(1.0, 1.0), v(1.0, 1.0), bad), FrictionError::NotUnit { .. }, length);
        refused!(ContactFrame::new(bad.extend(0.0), DVec3::Z), FrictionError::NotUnit { name: "normal", .. }, length);
        refused!(ContactFrame::from_normal(bad.extend(0.0)), FrictionError::NotUnit { name: "normal", .. }, length);
        refused!(ContactFrame::new(DVec3::Z, bad.extend(0.0)), FrictionError::NotUnit { name: "tangent", .. }, length);
    }
    for bad in [f64::NAN, f64::INFINITY] {
        refused!(Ellipse::new([0.5; 2], v(bad, 0.0)), FrictionError::NotFinite { name: "axis", .. }, bad);
        refused!(ContactFrame::from_normal(DVec3::X * bad), FrictionError::NotFinite { name: "normal", .. }, bad);
    }
    let tilted = DVec3::new(0.6, 0.0, 0.8);
    refused!(ContactFrame::new(DVec3::Z, tilted), FrictionError::NotOrthogonal { cosine: 0.8, .. }, "tangent", "0.8");
    // Round-off of a few operations is none.
    assert!(Ellipse::new([0.5; 2], v(1.0 + 1e-12, 0.0)).is_ok());
}

#[test]
fn polygons_and_stars() {
    refused!(Polygon::new(vec![]), FrictionError::Count { count: 0, .. }, "polygon", "0");
    let dented = vec![v(1.0, -1.0), v(1.0, 1.0), v(0.1, 0.2), v(-1.0, 1.0), v(-1.0, -1.0)];
    refused!(Polygon::new(dented.clone()), FrictionError::NotConvex { vertex: 2, .. }, "vertex 2", "[0.1, 0.2]");
    let clockwise = vec![v(1.0, 0.0), v(0.0, -1.0), v(-1.0, 0.0), v(0.0, 1.0)];
    refused!(Polygon::new(clockwise.clone()), FrictionError::NotConvex { .. }, "counter-clockwise");
    // Convex at every vertex, but round twice.
    let pentagram: Vec<DVec2> = (0..5).map(|i| DVec2::from_angle(f64::from(i) * 0.8 * std::f64::consts::PI)).collect();
    refused!(Polygon::new(pentagram.clone()), FrictionError::NotConvex { .. }, "polygon");
    let aside = Polygon::new(vec![v(1.0, -1.0), v(2.0, -1.0), v(2.0, 1.0), v(1.0, 1.0)]);
    refused!(aside, FrictionError::NoOrigin { .. }, "does not contain the origin", "along [1, 0]");
    // The direction that is named is driven: every force of the set has positive power along it.
    let corners = [v(0.3, 0.4), v(0.9, 0.5), v(0.6, 1.2)];
    match Polygon::new(corners.to_vec()) {
        Err(FrictionError::NoOrigin { direction, .. }) => assert!(corners.iter().all(|c| c.dot(direction) > 0.0)),
        other => panic!("{other:?}"),
    }
    refused!(Polygon::new(vec![v(0.1, 0.0), v(0.5, 0.0)]), FrictionError::NoOrigin { .. }, "[1, 0]");
    refused!(Polygon::new(vec![v(0.1, 0.0)]), FrictionError::NoOrigin { .. }, "[1, 0]");
    let disk = Disk::new(0.5).unwrap();
    for n in 0..3 {
        refused!(disk.outer_polygon(n), FrictionError::Count { count, .. } if *count == n, n, "at least 3");
        refused!(disk.inner_polygon(n), FrictionError::Count { count, .. } if *count == n, n, "at least 3");
        refused!(Star::from_coefficients(&vec![0.5; n]), FrictionError::Count { count, .. } if *count == n, n);
    }
    refused!(Star::new(clockwise), FrictionError::NotStarShaped { vertex: 0, .. }, "vertex 0", "[1, 0]");
    refused!(Star::new(pentagram), FrictionError::NotStarShaped { .. }, "star-shaped");
    let around_nothing = vec![v(1.0, -1.0), v(2.0, -1.0), v(2.0, 1.0), v(1.0, 1.0)];
    refused!(Star::new(around_nothing), FrictionError::NotStarShaped { .. }, "from the origin");
    refused!(Star::from_coefficients(&[0.5, 0.0, 0.5, 0.5]), FrictionError::NotStarShaped { .. }, "vertex 0");
    for bad in BAD {
        let star = Star::from_coefficients(&[0.5, bad, 0.5, 0.5]);
        refused!(star, FrictionError::Negative { name: "mu", .. }, shown(bad));
    }
    assert!(Star::new(dented).is_ok(), "a star may be dented");
}

#[test]
fn sets_that_cannot_be_combined() {
    let star = Star::from_coefficients(&[0.5; 4]).unwrap();
    let solid = Ellipsoid::new([0.5; 3], DVec2::X).unwrap();
    refused!(TwoSet::new(solid.into(), star), FrictionError::Unsupported { name: "two_set", .. }, "contact plane");
    let round = Ellipse::new([0.1; 2], DVec2::X).unwrap();
    let rolling = Rolling::new(Disk::new(0.5).unwrap().into(), round).unwrap();
    refused!(Rolling::new(rolling.into(), round), FrictionError::Unsupported { name: "rolling", .. }, "already");
}

#[test]
fn curves_need_a_speed() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        refused!(Mollifier::new(bad), FrictionError::Range { name: "eps_v", .. }, "eps_v", shown(bad));
        let curve = StaticKineticCurve::new(0.5, 0.3, bad, Transition::Peak);
        refused!(curve, FrictionError::Range { name: "eps_v", .. }, shown(bad));
    }
    for bad in BAD {
        let (s, k) = (StaticKineticCurve::new(bad, 0.3, 1.0, Transition::Ipc), Transition::Ipc);
        refused!(s, FrictionError::Negative { name: "mu_s", .. }, "mu_s", shown(bad));
        refused!(StaticKineticCurve::new(0.3, bad, 1.0, k), FrictionError::Negative { name: "mu_k", .. }, shown(bad));
    }
}

#[test]
fn contacts() {
    let frame = ContactFrame::from_normal(DVec3::Z).unwrap();
    let fine = SurfaceSample::default();
    let with = |a: SurfaceSample<'_>| ContactState::new(frame, fine, a).validate();
    for bad in BAD {
        refused!(
            with(SurfaceSample { mu: bad, ..fine }),
            FrictionError::Negative { .. },
            "mu of a surface",
            shown(bad)
        );
        refused!(with(SurfaceSample { salience: bad, ..fine }), FrictionError::Negative { .. }, "salience", shown(bad));
        let loaded = ContactState { normal_force: bad, ..ContactState::new(frame, fine, fine) };
        refused!(loaded.validate(), FrictionError::Negative { name: "normal_force", .. }, shown(bad));
    }
    let nan = DVec3::new(0.0, f64::NAN, 0.0);
    refused!(with(SurfaceSample { structure: nan, ..fine }), FrictionError::NotFinite { name: "structure", .. }, "NaN");
    refused!(with(SurfaceSample { tangent: nan, ..fine }), FrictionError::NotFinite { name: "tangent", .. }, "NaN");
    let slopes = [v(0.0, 0.1), v(f64::INFINITY, 0.0)];
    let patch = FacetSlopes::Patch(&slopes);
    refused!(with(SurfaceSample { facets: patch, ..fine }), FrictionError::NotFinite { .. }, "facet slope", "inf");
    let covariance = FacetSlopes::Gaussian(Symmetric2 { xx: 1.0, xy: 2.0, yy: 1.0 });
    refused!(with(SurfaceSample { facets: covariance, ..fine }), FrictionError::Range { .. }, "covariance", "-1");
    for slip in [Tangential::planar(v(f64::NAN, 0.0)), Tangential { spin: f64::INFINITY, ..Tangential::ZERO }] {
        let state = ContactState { slip, ..ContactState::new(frame, fine, fine) };
        refused!(state.validate(), FrictionError::NotFinite { name: "slip", .. }, "slip");
    }
    let rolling = Tangential { roll: v(0.0, f64::NAN), ..Tangential::ZERO };
    let state = ContactState { slip: rolling, ..ContactState::new(frame, fine, fine) };
    refused!(state.validate(), FrictionError::NotFinite { .. }, "slip", "NaN");
}

#[test]
fn models_with_bad_numbers() {
    let coulomb = || Box::new(FrictionModel::from(Coulomb::new(0.5).unwrap()));
    for bad in BAD {
        refused!(Coulomb::new(bad), FrictionError::Negative { name: "mu", .. }, shown(bad));
        let combine = Combine::Average;
        refused!(Coulomb { mu: Some(bad), combine }.validate(), FrictionError::Negative { .. }, shown(bad));
        for mu in [[bad, 0.5], [0.5, bad]].map(|mu| mu.map(Coefficient::Fixed)) {
            for axes in [Axes::OnA, Axes::OnB] {
                refused!(Anisotropic { mu, axes }.validate(), FrictionError::Negative { .. }, "axis", shown(bad));
                refused!(Lagged { mu, axes }.validate(), FrictionError::Negative { .. }, "axis", shown(bad));
            }
        }
        refused!(Matchstick::new(bad, 0.1, 0.2), FrictionError::Negative { name: "mu", .. }, shown(bad));
        refused!(Matchstick::new(0.1, bad, 0.2), FrictionError::Negative { name: "mu_t", .. }, shown(bad));
        refused!(Matchstick::new(0.1, 0.2, bad), FrictionError::Negative { name: "mu_b", .. }, shown(bad));
        let plain = Matchstick::new(0.1, 0.1, 0.2).unwrap();
        for (isotropic, parallel, named) in [(bad, 0.1, "spin.isotropic"), (0.1, bad, "spin.parallel")] {
            let model =
                Matchstick { spin: Some(Spin { isotropic: isotropic.into(), parallel: parallel.into() }), ..plain };
            refused!(model.validate(), FrictionError::Negative { .. }, named, shown(bad));
        }
        let exact = FacetForm::Exact { merge: 0.0 };
        let facets = Facets { mu0: 0.1.into(), form: exact, ..Facets::default() };
        refused!(
            Facets { mu0: bad.into(), ..facets }.validate(),
            FrictionError::Negative { name: "mu0", .. },
            shown(bad)
        );
        let merged = Facets { form: FacetForm::Exact { merge: bad }, ..facets };
        refused!(merged.validate(), FrictionError::Negative { name: "merge", .. }, shown(bad));
        let steep = Facets { slope_max: bad, ..facets };
        refused!(steep.validate(), FrictionError::Range { name: "slope_max", .. }, shown(bad));
        let additive = TensorComposition::Additive { kappa: bad };
        let rule = TensorRule { composition: additive };
        refused!(rule.validate(), FrictionError::Negative { name: "kappa", .. }, shown(bad));
        let cone = TensorCone { composition: additive };
        refused!(cone.validate(), FrictionError::Negative { name: "kappa", .. }, shown(bad));
        let model = RollingResistance { law: coulomb(), rho: bad };
        refused!(model.validate(), FrictionError::Negative { name: "rho", .. }, shown(bad));
        let model = StaticKinetic { law: coulomb(), kinetic: bad, eps_v: 0.1, transition: Transition::Peak };
        refused!(model.validate(), FrictionError::Negative { .. }, shown(bad));
        let stribeck = || Stribeck { law: coulomb(), rest: 1.5, speed: 0.1, exponent: 2.0, viscous: 0.1 };
        refused!(Stribeck { rest: bad, ..stribeck() }.validate(), FrictionError::Negative { .. }, "rest", shown(bad));
        refused!(Stribeck { viscous: bad, ..stribeck() }.validate(), FrictionError::Negative { .. }, shown(bad));
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let model = StaticKinetic { law: coulomb(), kinetic: 0.5, eps_v: bad, transition: Transition::Ipc };
        refused!(model.validate(), FrictionError::Range { name: "eps_v", .. }, shown(bad));
        let stribeck = || Stribeck { law: coulomb(), rest: 1.5, speed: 0.1, exponent: 2.0, viscous: 0.1 };
        refused!(Stribeck { speed: bad, ..stribeck() }.validate(), FrictionError::Range { .. }, "speed", shown(bad));
        refused!(Stribeck { exponent: bad, ..stribeck() }.validate(), FrictionError::Range { .. }, shown(bad));
        let power = || LoadPower { law: coulomb(), exponent: 0.7, reference: 1.0, floor: 0.1 };
        refused!(
            LoadPower { exponent: bad, ..power() }.validate(),
            FrictionError::Range { .. },
            "exponent",
            shown(bad)
        );
        refused!(LoadPower { reference: bad, ..power() }.validate(), FrictionError::Range { .. }, shown(bad));
        refused!(LoadPower { floor: bad, ..power() }.validate(), FrictionError::Range { .. }, "floor", shown(bad));
        let measured = Measured::new(vec![0.5, bad, 0.5], Side::A);
        refused!(measured.validate(), FrictionError::Range { name: "mu", .. }, shown(bad));
    }
    refused!(Measured::new(vec![0.5; 2], Side::B).validate(), FrictionError::Count { count: 2, .. }, "mu", "2");
}
