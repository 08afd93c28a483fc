//! Friction tensors against appendix A of Erleben et al. 2020, and the checks the papers leave out.

mod common;

use asperity_friction::model::{FrictionModel, TensorComposition, TensorCone, TensorRule};
use asperity_friction::set::FrictionSet;
use asperity_friction::tensor::SurfaceTensor;
use asperity_friction::{ContactFrame, ContactLaw, ContactState, SurfaceSample, Tangential};
use common::state;
use glam::{DMat2, DVec2, DVec3};
use proptest::prelude::*;

fn surface(tensor: SurfaceTensor, tangent: DVec3) -> SurfaceSample<'static> {
    SurfaceSample { tensor, tangent, ..SurfaceSample::default() }
}

fn additive(kappa: f64) -> TensorComposition {
    TensorComposition::Additive { kappa }
}

/// A flat contact with both tangents given as angles; n = z, so the frame of A is seen from below.
fn flat(a: SurfaceTensor, a_angle: f64, b: SurfaceTensor, b_angle: f64) -> ContactState<'static> {
    let frame = ContactFrame::new(DVec3::Z, DVec3::X).unwrap();
    let at = |angle: f64| DVec2::from_angle(angle).extend(0.0);
    ContactState::new(frame, surface(a, at(a_angle)), surface(b, at(b_angle)))
}

/// The composed tensor as a matrix, column by column from the rule.
fn composed(state: &ContactState, composition: TensorComposition) -> DMat2 {
    let law = FrictionModel::from(TensorRule { composition }).law(state).unwrap();
    let column = |d: DVec2| -law.force(1.0, Tangential::planar(d)).plane;
    DMat2::from_cols(column(DVec2::X), column(DVec2::Y))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// A.5: f = -lambda kappa (Q_A + E Q_B E^T) v, with frames given by angles as the appendix has them.
    #[test]
    fn the_sum_is_that_of_the_appendix(a in state::tensor(true), b in state::tensor(true), turn in 0.0..6.3f64, kappa in 0.1..2.0f64) {
        let at = flat(a, 0.0, b, turn);
        let l = composed(&at, additive(kappa));
        let matrix = |t: &SurfaceTensor| DMat2::from_cols_array_2d(&t.rows().0).transpose();
        // B lies with its frame up: R Q R^T. A lies upside down: its bitangent is -y.
        let (r, flip) = (DMat2::from_angle(turn), DMat2::from_diagonal(DVec2::new(1.0, -1.0)));
        let expected = (flip * matrix(&a) * flip + r * matrix(&b) * r.transpose()) * kappa;
        for (x, y) in l.to_cols_array().into_iter().zip(expected.to_cols_array()) {
            prop_assert!((x - y).abs() <= 1e-14 * (1.0 + kappa), "{l} {expected}");
        }
    }

    /// A.7 to A.11: every force of the rule lies on the cone f^T C f = lambda^2, and the cone's axes are L's singular values.
    #[test]
    fn the_cone_is_that_of_the_appendix(a in state::tensor(true), b in state::tensor(true), turn in 0.0..6.3f64, angle in 0.0..6.3f64) {
        let at = flat(a, 0.4, b, turn);
        let l = composed(&at, additive(0.5));
        let ContactLaw::Set(FrictionSet::Ellipse(cone)) = FrictionModel::from(TensorCone { composition: additive(0.5) }).law(&at).unwrap()
        else { panic!("an ellipse") };
        let f = -l * DVec2::from_angle(angle) * 7.0;
        let inverse = l.inverse();
        prop_assert!(((inverse * f).length() - 7.0).abs() < 1e-10);
        let axis = asperity_friction::set::ConvexSet::axis(&cone);
        let on_cone = DVec2::new(axis.dot(f) / cone.mu()[0], axis.perp_dot(f) / cone.mu()[1]);
        prop_assert!((on_cone.length() - 7.0).abs() <= 1e-8, "{on_cone}");
        prop_assert!((cone.mu()[0] * cone.mu()[1] - l.determinant().abs()).abs() < 1e-13);
    }

    /// A.12: sufficient for braking is a positive definite L.
    #[test]
    fn positive_tensors_brake(a in state::tensor(true), b in state::tensor(true), turn in 0.0..6.3f64, angle in 0.0..6.3f64) {
        let l = composed(&flat(a, 0.0, b, turn), additive(0.5));
        let v = DVec2::from_angle(angle);
        prop_assert!(v.dot(l * v) > 0.0);
    }
}

#[test]
fn maximum_dissipation_holds_only_along_eigenvectors() {
    // A.18, by numbers: diag(0.2, 1) on both surfaces.
    let q = SurfaceTensor::orthotropic(0.2, 1.0, 0.0).unwrap();
    let at = flat(q, 0.0, q, 0.0);
    let rule = FrictionModel::from(TensorRule { composition: additive(0.5) }).law(&at).unwrap();
    let cone = FrictionModel::from(TensorCone { composition: additive(0.5) }).law(&at).unwrap();
    for d in [DVec2::X, DVec2::Y] {
        assert!((rule.coefficient(d) - cone.coefficient(d)).abs() < 1e-15);
    }
    let diagonal = DVec2::from_angle(std::f64::consts::FRAC_PI_4);
    assert!((rule.coefficient(diagonal) - 0.6).abs() < 1e-15);
    assert!((cone.coefficient(diagonal) - 0.52f64.sqrt()).abs() < 1e-15);
}

#[test]
fn facing_surfaces_are_mirror_images() {
    // The same tensor with off-diagonal entries on both surfaces and the same tangent: A's coupling is seen mirrored, so
    // the two cancel. With a rotation instead of the reflection they would add.
    let q = SurfaceTensor::orthotropic(0.6, 0.6, 0.3).unwrap();
    let l = composed(&flat(q, 0.0, q, 0.0), additive(0.5));
    assert!((l.x_axis - DVec2::new(0.6, 0.0)).length() < 1e-15 && (l.y_axis - DVec2::new(0.0, 0.6)).length() < 1e-15);
}

#[test]
fn texture_channels_modulate_the_entries() {
    let q = SurfaceTensor::general([[0.8, 0.2], [0.1, 0.6]]).unwrap();
    let m = q.modulated([0.5, 0.25, 1.0, 0.0]).unwrap();
    let l = composed(&flat(SurfaceTensor::ZERO, 0.0, SurfaceTensor::isotropic(0.5).unwrap(), 0.0), additive(1.0));
    assert_eq!(l, DMat2::from_diagonal(DVec2::splat(0.5)));
    // Q22 went to zero while Q12 + Q21 did not: it drives somewhere, and says where.
    let error = m.check().unwrap_err();
    let asperity_friction::FrictionError::Drives { direction, gain } = error else { panic!("{error}") };
    let matrix = DMat2::from_cols(DVec2::new(0.4, 0.1), DVec2::new(0.05, 0.0));
    assert!((direction.dot(matrix * direction) + gain).abs() < 1e-15 && gain > 0.0);
    // The other surface can make up for it.
    let strong = SurfaceTensor::isotropic(0.4).unwrap();
    assert!(FrictionModel::from(TensorRule::default()).law(&flat(m, 0.0, strong, 0.0)).is_ok());
    let weak = SurfaceTensor::isotropic(1e-4).unwrap();
    let refused = FrictionModel::from(TensorRule::default()).law(&flat(m, 0.0, weak, 0.0)).unwrap_err();
    assert!(refused.to_string().contains("drives instead of braking"), "{refused}");
}

#[test]
fn tensors_survive_a_file() {
    let fur = SurfaceTensor::asymmetric([[0.1, 0.02], [0.0, 0.3]], [[0.9, 0.0], [0.01, 0.3]]).unwrap();
    for tensor in [fur, SurfaceTensor::general([[0.5, 0.1], [0.2, 0.4]]).unwrap(), SurfaceTensor::ZERO] {
        let text = toml::to_string(&tensor).unwrap();
        assert_eq!(toml::from_str::<SurfaceTensor>(&text).unwrap(), tensor, "{text}");
    }
    assert_eq!(fur.rows().0[0][1], 0.02);
}

#[test]
fn asymmetric_tensors_tell_forward_from_backward() {
    // B's fur: the other surface (A) slides easily along +t, hard along -t.
    let fur = SurfaceTensor::asymmetric([[0.1, 0.0], [0.0, 0.3]], [[0.9, 0.0], [0.0, 0.3]]).unwrap();
    let model = FrictionModel::from(TensorRule { composition: additive(1.0) });
    let law = model.law(&flat(SurfaceTensor::ZERO, 0.0, fur, 0.0)).unwrap();
    assert!((law.coefficient(DVec2::X) - 0.1).abs() < 1e-15 && (law.coefficient(DVec2::NEG_X) - 0.9).abs() < 1e-15);
    // The same fur on A: B sliding along +t over it is A sliding along -t.
    let law = model.law(&flat(fur, 0.0, SurfaceTensor::ZERO, 0.0)).unwrap();
    assert!((law.coefficient(DVec2::NEG_X) - 0.1).abs() < 1e-15 && (law.coefficient(DVec2::X) - 0.9).abs() < 1e-15);
}
