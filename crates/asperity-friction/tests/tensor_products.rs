//! The product of two friction tensors, exp(log Q_A + log Q_B), against matrix functions that know no eigenvalues; the
//! cone beside the rule; tensors in files.

mod common;

use asperity_friction::model::{FrictionModel, TensorComposition, TensorCone, TensorRule};
use asperity_friction::tensor::SurfaceTensor;
use asperity_friction::{ContactFrame, ContactLaw, ContactState, FrictionError, SurfaceSample};
use glam::{DMat2, DVec2, DVec3};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// exp by scaling, Taylor's series and squaring.
fn exp(m: DMat2) -> DMat2 {
    let small = m * 2f64.powi(-8);
    let (mut sum, mut term) = (DMat2::IDENTITY, DMat2::IDENTITY);
    for k in 1..20 {
        term = term * small * (1.0 / f64::from(k));
        sum += term;
    }
    (0..8).fold(sum, |e, _| e * e)
}

/// Square root by the iteration of Denman and Beavers.
fn root(m: DMat2) -> DMat2 {
    let (mut y, mut z) = (m, DMat2::IDENTITY);
    for _ in 0..40 {
        (y, z) = ((y + z.inverse()) * 0.5, (z + y.inverse()) * 0.5);
    }
    y
}

/// log by square roots and the series of 2 artanh((M - 1)/(M + 1)).
fn log(m: DMat2) -> DMat2 {
    let near = (0..4).fold(m, |r, _| root(r));
    let x = (near - DMat2::IDENTITY) * (near + DMat2::IDENTITY).inverse();
    let (mut sum, mut power) = (DMat2::ZERO, x);
    for k in 0..40 {
        sum += power * (2.0 / f64::from(2 * k + 1));
        power = power * x * x;
    }
    sum * 16.0
}

fn size(m: DMat2) -> f64 {
    m.to_cols_array().into_iter().fold(0.0, |s, v| s.max(v.abs()))
}

/// Symmetric, with these eigenvalues.
fn symmetric(values: [f64; 2], angle: f64) -> DMat2 {
    let u = DVec2::from_angle(angle);
    let v = u.perp();
    DMat2::from_cols(u * u.x, u * u.y) * values[0] + DMat2::from_cols(v * v.x, v * v.y) * values[1]
}

struct Touch {
    frame: ContactFrame,
    tangents: [DVec3; 2],
    tensors: [DMat2; 2],
}

impl Touch {
    fn law(&self) -> Result<ContactLaw, FrictionError> {
        let [a, b] = [0, 1].map(|i| {
            let q = self.tensors[i];
            let tensor = SurfaceTensor::general([[q.x_axis.x, q.y_axis.x], [q.x_axis.y, q.y_axis.y]]).unwrap();
            SurfaceSample { tangent: self.tangents[i], tensor, ..SurfaceSample::default() }
        });
        let model = FrictionModel::TensorRule(TensorRule { composition: TensorComposition::Product });
        model.law(&ContactState::new(self.frame, a, b))
    }

    /// The rule as a matrix; it is linear.
    fn product(&self) -> DMat2 {
        let Ok(ContactLaw::Slip(rule)) = self.law() else { panic!("no slip rule: {:?}", self.law()) };
        let m = DMat2::from_cols(rule.resist(DVec2::X), rule.resist(DVec2::Y));
        let d = DVec2::new(-0.3, 0.8);
        assert!((rule.resist(d) - m * d).length() <= 1e-14 * size(m));
        m
    }

    /// The tensor of one side as a map of the contact plane, by way of the world: Σ q_ij axis_i axis_jᵀ.
    fn in_plane(&self, side: usize) -> DMat2 {
        let n = self.frame.normal();
        let raw = self.tangents[side];
        let tangent = (raw - n * raw.dot(n)).normalize();
        let axes = [tangent, if side == 0 { (-n).cross(tangent) } else { n.cross(tangent) }];
        let column = |e: DVec3| {
            let local = DVec2::new(axes[0].dot(e), axes[1].dot(e));
            let image = self.tensors[side] * local;
            self.frame.to_plane(axes[0] * image.x + axes[1] * image.y)
        };
        DMat2::from_cols(column(self.frame.t()), column(self.frame.b()))
    }
}

fn check<S: Strategy>(name: &str, strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = Config { cases: 500, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, common::rng(name)).run(&strategy, test).unwrap_or_else(|e| panic!("{e}"));
}

fn unit() -> impl Strategy<Value = DVec3> + Clone {
    [-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64]
        .prop_map(DVec3::from_array)
        .prop_filter("not zero", |v| v.length() > 0.1)
        .prop_map(|v| v.normalize())
}

type Eigen = ([f64; 2], f64);

fn eigen() -> impl Strategy<Value = Eigen> + Clone {
    ([0.02..2.0f64, 0.02..2.0f64], 0.0..3.2f64)
}

fn touch() -> impl Strategy<Value = (DVec3, DVec3, DVec3, Eigen, Eigen)> + Clone {
    (unit(), unit(), unit(), eigen(), eigen())
        .prop_filter("off the normal", |(n, s, t, ..)| n.cross(*s).length() > 0.1 && n.cross(*t).length() > 0.1)
}

fn make((n, s, t, p, q): (DVec3, DVec3, DVec3, Eigen, Eigen)) -> Touch {
    let frame = ContactFrame::from_normal(n).unwrap();
    Touch { frame, tangents: [s, t], tensors: [symmetric(p.0, p.1), symmetric(q.0, q.1)] }
}

#[test]
fn the_matrix_functions_are_what_they_are_called() {
    check("functions", eigen(), |(values, angle)| {
        let m = symmetric(values, angle);
        prop_assert!(size(root(m) * root(m) - m) <= 1e-13 && size(exp(log(m)) - m) <= 1e-12);
        let expected = symmetric(values.map(f64::ln), angle);
        prop_assert!(size(log(m) - expected) <= 1e-11, "{:?} and {expected:?}", log(m));
        Ok(())
    });
}

#[test]
fn products_are_exp_of_the_sum_of_logarithms() {
    let worst = std::cell::Cell::new(0.0f64);
    check("product", touch(), |parts| {
        let touch = make(parts);
        let expected = exp(log(touch.in_plane(0)) + log(touch.in_plane(1)));
        let ours = touch.product();
        let error = size(ours - expected) / size(expected);
        worst.set(worst.get().max(error));
        // Denman and Beavers lose digits with the condition of the tensor, 100 here.
        prop_assert!(error <= 1e-11, "{ours:?} and {expected:?}");
        Ok(())
    });
    println!("worst {:e}", worst.get());
}

#[test]
fn products_do_not_care_which_body_is_called_a() {
    check("swapped", touch(), |parts| {
        let touch = make(parts);
        let swapped = Touch {
            frame: ContactFrame::new(-touch.frame.normal(), touch.frame.t()).unwrap(),
            tangents: [touch.tangents[1], touch.tangents[0]],
            tensors: [touch.tensors[1], touch.tensors[0]],
        };
        // b points the other way in the swapped frame.
        let mirror = DMat2::from_diagonal(DVec2::new(1.0, -1.0));
        let (p, q) = (touch.product(), mirror * swapped.product() * mirror);
        prop_assert!(size(p - q) <= 1e-13 * size(p), "{p:?} and {q:?}");
        // Nor does the frame matter: both tensors isotropic give the product of the coefficients.
        let round = Touch { tensors: [DMat2::IDENTITY * 0.3, DMat2::IDENTITY * 0.5], ..touch };
        prop_assert!(size(round.product() - DMat2::IDENTITY * 0.15) <= 1e-15);
        Ok(())
    });
}

#[test]
fn a_zero_or_flat_tensor_confines_the_product() {
    check("singular", (touch(), 0..4usize), |(parts, kind)| {
        let mut touch = make(parts);
        let (other, angle) = (kind % 2, parts.3.1);
        touch.tensors[1 - other] = if kind < 2 { DMat2::ZERO } else { symmetric([0.7, 0.0], angle) };
        let p = touch.product();
        if kind < 2 {
            prop_assert_eq!(p, DMat2::ZERO);
            return Ok(());
        }
        // The limit of tensors that get ever flatter: exp(log + log) with 1e-9 across. It is reached like 1/|log|, so
        // what is compared is the line and, along it, 0.7 exp(u·log Q u).
        let flat = touch.in_plane(1 - other) * (1.0 / 0.7);
        let along = flat * log(touch.in_plane(other)) * flat;
        let value = 0.7 * (along.x_axis.x + along.y_axis.y).exp();
        prop_assert!(size(p - flat * value) <= 1e-11 * value, "{p:?} and {:?}", flat * value);
        Ok(())
    });
}

#[test]
fn the_limit_of_flat_tensors_is_approached() {
    let product = |thin: f64| {
        Touch {
            frame: ContactFrame::new(DVec3::Z, DVec3::X).unwrap(),
            tangents: [DVec3::X; 2],
            tensors: [symmetric([0.7, thin], 0.4), symmetric([0.3, 0.9], 1.1)],
        }
        .product()
    };
    let limit = product(0.0);
    let errors = [1e-2, 1e-4, 1e-8, 1e-13].map(|thin| size(product(thin) - limit));
    assert!(errors.windows(2).all(|w| w[1] < 0.8 * w[0]), "{errors:?}");
}

#[test]
fn products_of_what_is_not_symmetric_are_refused() {
    let frame = ContactFrame::new(DVec3::Z, DVec3::X).unwrap();
    let fine = SurfaceTensor::orthotropic(0.3, 0.5, 0.1).unwrap();
    let model = FrictionModel::TensorRule(TensorRule { composition: TensorComposition::Product });
    for (bad, named) in [
        (SurfaceTensor::general([[0.5, 0.2], [-0.2, 0.5]]).unwrap(), "symmetric"),
        (SurfaceTensor::asymmetric([[0.5, 0.0], [0.0, 0.5]], [[0.2, 0.0], [0.0, 0.5]]).unwrap(), "both senses"),
        (SurfaceTensor::orthotropic(-0.1, 0.5, 0.0).unwrap(), "positive"),
    ] {
        for tensors in [[bad, fine], [fine, bad]] {
            let [a, b] = tensors.map(|tensor| SurfaceSample { tensor, tangent: DVec3::X, ..SurfaceSample::default() });
            let error = model.law(&ContactState::new(frame, a, b)).unwrap_err();
            assert!(matches!(error, FrictionError::Tensor { .. }), "{error}");
            assert!(error.to_string().contains(named), "{error}");
        }
    }
}

#[test]
fn rule_and_cone_are_different_laws() {
    let q = SurfaceTensor::orthotropic(0.2, 1.0, 0.0).unwrap();
    let surface = SurfaceSample { tangent: DVec3::X, tensor: q, ..SurfaceSample::default() };
    let state = ContactState::new(ContactFrame::new(DVec3::Z, DVec3::X).unwrap(), surface, surface);
    let [rule, cone]: [FrictionModel; 2] = [TensorRule::default().into(), TensorCone::default().into()];
    let d = DVec2::from_angle(std::f64::consts::FRAC_PI_4);
    let [by_rule, by_cone] = [rule, cone].map(|m| m.law(&state).unwrap().coefficient(d));
    assert!((by_rule - 0.60).abs() <= 1e-15 && (by_cone - 0.52f64.sqrt()).abs() <= 1e-15, "{by_rule} {by_cone}");
}

#[test]
fn tensors_survive_a_file() {
    let tensors = [
        SurfaceTensor::general([[0.5, 0.3], [-0.1, 0.4]]).unwrap(),
        SurfaceTensor::asymmetric([[0.5, 0.0], [0.1, 0.4]], [[0.2, 0.0], [0.0, 0.1]]).unwrap(),
    ];
    for tensor in tensors {
        let text = serde_json::to_string(&tensor).unwrap();
        assert_eq!(serde_json::from_str::<SurfaceTensor>(&text).expect(&text), tensor, "{text}");
    }
    let rows: SurfaceTensor = toml::from_str("plus = [[0.5, 0.3], [-0.1, 0.4]]").unwrap();
    assert_eq!(rows, tensors[0]);
}
