//! Models, tensors and files that make no sense are refused, and the error says which part and why.

use asperity_friction::model::*;
use asperity_friction::set::FrictionSet;
use asperity_friction::tensor::SurfaceTensor;
use asperity_friction::{ContactFrame, ContactState, FrictionError, Star, SurfaceSample, TwoSet};
use glam::{DVec2, DVec3};

fn coulomb(mu: f64) -> FrictionModel {
    FrictionModel::Coulomb(Coulomb { mu: Some(mu), combine: Combine::Average })
}

fn state(tensors: [SurfaceTensor; 2], materials: [u32; 2]) -> ContactState<'static> {
    let frame = ContactFrame::new(DVec3::Z, DVec3::X).unwrap();
    let [a, b] = [0, 1].map(|i| SurfaceSample {
        tensor: tensors[i],
        material: materials[i],
        tangent: DVec3::X,
        ..SurfaceSample::default()
    });
    ContactState::new(frame, a, b)
}

fn text(error: &FrictionError, parts: &[&str]) {
    let shown = error.to_string();
    for part in parts {
        assert!(shown.contains(part), "{shown:?} does not name {part}");
    }
}

/// The power that a tensor takes from a slip w of the other surface, by the definition: w·(Q+ w+ + Q- w-).
fn power(plus: [[f64; 2]; 2], minus: [[f64; 2]; 2], w: DVec2) -> f64 {
    let w = w.to_array();
    let mut sum = 0.0;
    for i in 0..2 {
        for j in 0..2 {
            sum += w[i] * w[j] * if w[j] >= 0.0 { plus[i][j] } else { minus[i][j] };
        }
    }
    sum
}

/// Least power over all directions, by a scan.
fn least(plus: [[f64; 2]; 2], minus: [[f64; 2]; 2]) -> f64 {
    (0..36_000)
        .map(|i| power(plus, minus, DVec2::from_angle(f64::from(i) * 1.745_329_251_994_33e-4)))
        .fold(0.0, f64::min)
}

#[test]
fn tensors_that_drive() {
    type Rows = [[f64; 2]; 2];
    let same = |m: Rows| (m, m);
    let cases: [(Rows, Rows); 8] = [
        same([[-0.1, 0.0], [0.0, 0.5]]),
        // Determinant one, but the symmetric part has an eigenvalue of -1.
        same([[1.0, 4.0], [0.0, 1.0]]),
        same([[0.5, 0.6], [0.6, 0.5]]),
        same([[0.0, 0.3], [0.0, 0.0]]),
        // Each of Q+ and Q- brakes alone, but where one component is positive and the other negative they drive.
        ([[0.1, 0.0], [0.9, 0.1]], [[0.1, 0.9], [0.0, 0.1]]),
        ([[0.5, 0.0], [0.0, 0.5]], [[0.5, 0.0], [0.0, -0.2]]),
        ([[0.2, -1.0], [1.0, 0.2]], [[0.2, 0.0], [0.0, 0.2]]),
        ([[0.3, 0.0], [0.0, 0.3]], [[0.3, 2.0], [-1.0, 0.3]]),
    ];
    for (plus, minus) in cases {
        // Accepted as data, since the other surface may make up for it; refused by its own check and by the models.
        let tensor = SurfaceTensor::asymmetric(plus, minus).unwrap();
        let error = tensor.check().unwrap_err();
        let FrictionError::Drives { direction, gain } = error else { panic!("{error:?}") };
        assert!((direction.length() - 1.0).abs() <= 1e-12);
        let (there, worst) = (power(plus, minus, direction), least(plus, minus));
        assert!(there < 0.0 && (there + gain).abs() <= 1e-12, "{direction}: power {there}, gain {gain}");
        assert!(there <= worst + 1e-9, "{direction} has {there}, a scan finds {worst}");
        text(&error, &[&format!("[{:.4}, {:.4}]", direction.x + 0.0, direction.y + 0.0), &format!("{gain:.3e}")]);
        for composition in [TensorComposition::default(), TensorComposition::Minimum] {
            let model = FrictionModel::from(TensorRule { composition });
            for tensors in [[tensor, SurfaceTensor::ZERO], [SurfaceTensor::ZERO, tensor]] {
                let refused = model.law(&state(tensors, [0, 0])).unwrap_err();
                assert!(matches!(refused, FrictionError::Drives { .. }), "{refused:?}");
            }
        }
    }
}

#[test]
fn tensors_at_the_limit_brake() {
    for rows in
        [[[1.0, 2.0], [0.0, 1.0]], [[0.3, 5.0], [-5.0, 0.3]], [[0.5, 0.5], [0.5, 0.5]], [[0.0, 1.0], [-1.0, 0.0]]]
    {
        SurfaceTensor::general(rows).unwrap().check().unwrap();
        assert!(least(rows, rows) > -1e-12);
    }
    // A surface that drives a little, on one that brakes more: the pair is fine.
    let weak = SurfaceTensor::orthotropic(-0.1, 0.2, 0.0).unwrap();
    let strong = SurfaceTensor::isotropic(0.5).unwrap();
    let model = FrictionModel::from(TensorRule::default());
    assert!(model.law(&state([weak, strong], [0, 0])).is_ok() && model.law(&state([strong, weak], [0, 0])).is_ok());
}

#[test]
fn textures_that_make_a_tensor_drive() {
    let tensor = SurfaceTensor::general([[1.0, 1.5], [0.0, 1.0]]).unwrap();
    tensor.check().unwrap();
    tensor.modulated([1.0, 0.5, 1.0, 1.0]).unwrap().check().unwrap();
    // Red dims Q11 alone: [[0.1, 1.5], [0, 1]].
    let error = tensor.modulated([0.1, 1.0, 1.0, 1.0]).unwrap().check().unwrap_err();
    let FrictionError::Drives { direction, gain } = error else { panic!("{error:?}") };
    let rows = [[0.1, 1.5], [0.0, 1.0]];
    assert!((power(rows, rows, direction) + gain).abs() <= 1e-12 && gain > 0.0);
    for (channel, bad) in [(0, -0.1), (1, f64::NEG_INFINITY), (2, f64::NAN), (3, f64::INFINITY)] {
        let mut rgba = [0.5; 4];
        rgba[channel] = bad;
        let error = tensor.modulated(rgba).unwrap_err();
        assert!(matches!(error, FrictionError::Negative { name: "factor of a tensor's entry", .. }), "{error:?}");
        text(&error, &["factor of a tensor's entry", &format!("= {bad}:")]);
    }
    for bad in [f64::NAN, f64::INFINITY] {
        let error = SurfaceTensor::general([[0.5, 0.0], [bad, 0.5]]).unwrap_err();
        assert!(matches!(error, FrictionError::NotFinite { name: "friction tensor row", .. }), "{error:?}");
        text(&error, &[&format!("[{bad}, 0.5, 0]")]);
        let error = SurfaceTensor::asymmetric([[0.5, 0.0], [0.0, 0.5]], [[0.5, bad], [0.0, 0.5]]).unwrap_err();
        text(&error, &[&format!("[0.5, {bad}, 0]")]);
    }
    let error = SurfaceTensor::isotropic(-0.5).unwrap().check().unwrap_err();
    assert!(matches!(error, FrictionError::Drives { gain, .. } if (gain - 0.5).abs() < 1e-15), "{error:?}");
}

#[test]
fn cones_of_what_has_none() {
    let cone = TensorCone { composition: TensorComposition::Minimum };
    let error = cone.validate().unwrap_err();
    assert!(matches!(error, FrictionError::Tensor { .. }), "{error:?}");
    text(&error, &["minimum", "no elliptic cone"]);
    let fine = SurfaceTensor::isotropic(0.5).unwrap();
    assert_eq!(FrictionModel::from(cone).law(&state([fine, fine], [0, 0])).unwrap_err(), error);
    let uneven = SurfaceTensor::asymmetric([[0.5, 0.0], [0.0, 0.5]], [[0.1, 0.0], [0.0, 0.5]]).unwrap();
    for tensors in [[uneven, fine], [fine, uneven]] {
        let error = FrictionModel::from(TensorCone::default()).law(&state(tensors, [0, 0])).unwrap_err();
        assert!(matches!(error, FrictionError::Tensor { .. }), "{error:?}");
        text(&error, &["asymmetric"]);
    }
}

#[test]
fn models_that_do_not_fit_together() {
    let error = Lagged { mu: [0.5.into(), 0.2.into()], axes: Axes::AlongSlip }.validate().unwrap_err();
    assert!(matches!(error, FrictionError::Unsupported { name: "lagged", .. }), "{error:?}");
    text(&error, &["lagged", "fixed on a body"]);
    for n in 0..3 {
        for form in [FacetForm::Outer { n }, FacetForm::Polar { n }] {
            let error = Facets { mu0: 0.1.into(), form, ..Facets::default() }.validate().unwrap_err();
            assert!(matches!(error, FrictionError::Count { count, .. } if count == n), "{error:?}");
            text(&error, &[&format!("has {n} elements"), "at least 3"]);
        }
    }
    let rolling = |law: FrictionModel| FrictionModel::from(RollingResistance { law: Box::new(law), rho: 0.1 });
    let fine = SurfaceTensor::isotropic(0.5).unwrap();
    let at = state([fine, fine], [0, 0]);
    let measured = Measured::new(vec![0.5; 4], asperity_friction::Side::A);
    for law in [FrictionModel::from(TensorRule::default()), measured.into()] {
        let error = rolling(law).law(&at).unwrap_err();
        assert!(matches!(error, FrictionError::Unsupported { name: "rolling_resistance", .. }), "{error:?}");
        text(&error, &["must be a set"]);
    }
    let error = rolling(rolling(coulomb(0.5))).law(&at).unwrap_err();
    assert!(matches!(error, FrictionError::Unsupported { name: "rolling_resistance", .. }), "{error:?}");
    text(&error, &["rolling resistance already"]);
    assert!(rolling(coulomb(0.5)).law(&at).is_ok());
}

#[test]
fn a_bad_law_inside_another_is_found() {
    let bad = || Box::new(coulomb(-1.0));
    let models: Vec<FrictionModel> = vec![
        RollingResistance { law: bad(), rho: 0.1 }.into(),
        StaticKinetic { law: bad(), kinetic: 0.5, eps_v: 0.1, transition: Default::default() }.into(),
        Stribeck { law: bad(), rest: 1.5, speed: 0.1, exponent: 2.0, viscous: 0.0 }.into(),
        LoadPower { law: bad(), exponent: 1.0, reference: 1.0, floor: 1e-3 }.into(),
        PairTable::new(vec![Pair { materials: [0, 1], law: coulomb(-1.0) }], None).into(),
        PairTable::new(vec![], Some(coulomb(-1.0))).into(),
    ];
    for model in models {
        assert_eq!(model.validate(), Err(FrictionError::Negative { name: "mu", value: -1.0 }), "{model:?}");
    }
}

#[test]
fn tables_with_a_pair_twice_or_not_at_all() {
    let pair = |a, b| Pair { materials: [a, b], law: coulomb(0.5) };
    for pairs in [vec![pair(3, 7), pair(3, 7)], vec![pair(3, 7), pair(1, 2), pair(7, 3)], vec![pair(3, 3), pair(3, 3)]]
    {
        let error = PairTable::new(pairs, None).validate().unwrap_err();
        assert!(matches!(error, FrictionError::Range { value: 3.0, .. }), "{error:?}");
        text(&error, &["pair of materials", "= 3", "once"]);
    }
    let table = FrictionModel::from(PairTable::new(vec![pair(3, 7), pair(3, 3)], None));
    table.validate().unwrap();
    let at = |a, b| table.law(&state([SurfaceTensor::ZERO; 2], [a, b]));
    assert!(at(3, 7).is_ok() && at(7, 3).is_ok() && at(3, 3).is_ok());
    let error = at(7, 7).unwrap_err();
    assert_eq!(error, FrictionError::Pair { a: 7, b: 7 });
    let error = at(3, 4).unwrap_err();
    text(&error, &["materials 3 and 4"]);
}

#[test]
fn files_with_mistakes() {
    for (file, named) in [
        ("kind = \"coulomb\"\nmu = 0.5\nmu_s = 0.6", "mu_s"),
        ("kind = \"coulomb\"\nmu = -0.5", "-0.5"),
        ("kind = \"coulomb\"\nmu = nan", "NaN"),
        ("kind = \"coulomb\"\nmu = inf", "inf"),
        ("kind = \"coulomb\"\ncombine = \"median\"", "median"),
        ("kind = \"magic\"", "magic"),
        ("mu = 0.5", "kind"),
        ("kind = \"matchstick\"\nmu = 0.2\nmu_t = 0.2", "mu_b"),
        ("kind = \"matchstick\"\nmu = 0.2\nmu_t = 0.2\nmu_b = 1\nspin = { isotropic = 0.1, paralel = 0.1 }", "paralel"),
        ("kind = \"anisotropic\"\nmu = [0.1, 0.2, 0.3]\naxes = \"on_a\"", "2"),
        ("kind = \"lagged\"\nmu = [0.1, 0.2]\naxes = \"along_slip\"", "fixed on a body"),
        ("kind = \"facets\"\nmu0 = 0.1\nform = { polar = { n = 2 } }", "2 elements"),
        ("kind = \"tensor_cone\"\ncomposition = \"minimum\"", "minimum"),
        ("kind = \"tensor_rule\"\ncomposition = { additive = { kappa = -1 } }", "kappa"),
        ("kind = \"stribeck\"\nrest = 1\nspeed = 0.1\nlaw = { kind = \"coulomb\", mu = -3 }", "-3"),
        ("kind = \"pair_table\"\npairs = [{ materials = [0, 1], law = { kind = \"coulomb\" }, color = 1 }]", "color"),
        (
            "kind = \"pair_table\"\npairs = [{ materials = [5, 6], law = { kind = \"coulomb\" } }, \
             { materials = [6, 5], law = { kind = \"coulomb\" } }]",
            "= 5",
        ),
        ("kind = \"measured\"\nmu = [0.5, 0.4]\non = \"b\"", "2 elements"),
    ] {
        let error = toml::from_str::<FrictionModel>(file).unwrap_err().to_string();
        assert!(error.contains(named), "{file}\n{error}\ndoes not name {named}");
    }
    for (file, named) in [
        (r#"{"set":"disk","mu":0.5,"radius":1}"#, "radius"),
        (r#"{"set":"disk","mu":-0.5}"#, "-0.5"),
        (r#"{"set":"ring","mu":0.5}"#, "ring"),
        (r#"{"set":"ellipse","mu":[0.5,0.2],"axis":[1.0,1.0]}"#, "unit vector"),
        (r#"{"set":"ellipse","mu":[0.5,0.2],"angle":3}"#, "angle"),
        (r#"{"set":"polygon","vertices":[[1,0],[2,0],[2,1]]}"#, "origin"),
        (r#"{"set":"zonotope","generators":[[0.1,0.2]],"radius":-1}"#, "-1"),
        (r#"{"set":"rolling","sliding":{"set":"disk","mu":-2},"rolling":{"mu":[0.1,0.1]}}"#, "-2"),
        (r#"{"set":"asymmetric_box","ahead":[0.1,-0.2],"back":[0.1,0.1]}"#, "ahead_b"),
    ] {
        let error = serde_json::from_str::<FrictionSet>(file).unwrap_err().to_string();
        assert!(error.contains(named), "{file}\n{error}\ndoes not name {named}");
    }
    let error = serde_json::from_str::<Star>(r#"{"vertices":[[1,0],[0,1]]}"#).unwrap_err().to_string();
    assert!(error.contains("2 elements"), "{error}");
    let solid = r#"{"direction":{"set":"ellipsoid","mu":[1,1,1]},"magnitude":{"vertices":[[1,0],[-1,1],[-1,-1]]}}"#;
    let error = serde_json::from_str::<TwoSet>(solid).unwrap_err().to_string();
    assert!(error.contains("contact plane"), "{error}");
    let error = toml::from_str::<SurfaceTensor>("plus = [[0.5, 0.0], [0.0, nan]]").unwrap_err().to_string();
    assert!(error.contains("NaN"), "{error}");
    let error = toml::from_str::<SurfaceTensor>("plus = [[0.5, 0.0], [0.0, 0.1]]\nmius = 1").unwrap_err().to_string();
    assert!(error.contains("mius"), "{error}");
}
