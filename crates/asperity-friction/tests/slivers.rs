//! Polygons and zonotopes that are nearly, or exactly, a line: ridges, and what round-off makes of them.

mod common;

use asperity_friction::model::{FacetForm, Facets, FrictionModel};
use asperity_friction::set::{ConvexSet, Polygon, Zonotope};
use asperity_friction::{ContactFrame, ContactState, FacetSlopes, SurfaceSample, Symmetric2, Tangential};
use glam::{DVec2, DVec3};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

fn run<S: Strategy>(name: &str, strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    // Few steps of shrinking: a panic prints at every one.
    let config = Config { cases: 500, failure_persistence: None, max_shrink_iters: 32, ..Config::default() };
    TestRunner::new_with_rng(config, common::rng(name)).run(&strategy, test).unwrap_or_else(|e| panic!("{name}: {e}"));
}

/// Projection onto the segment between low·d and high·d.
fn onto_segment(d: DVec2, low: f64, high: f64, x: DVec2) -> DVec2 {
    d * d.dot(x).clamp(low, high)
}

/// Zeros of either sign are the same direction: a sort that tells them apart has no order.
#[test]
fn ridges_along_an_axis_are_sorted() {
    let zero = |i: usize| if i.is_multiple_of(3) { -0.0 } else { 0.0 };
    let ridges: Vec<DVec2> =
        (0..256).map(|i| DVec2::new(if i % 2 == 0 { 0.3 } else { -0.3 } * (1.0 + i as f64), zero(i))).collect();
    let set = Zonotope::new(ridges.clone(), 0.1).unwrap();
    let expected: f64 = 0.1 + ridges.iter().map(|p| p.x.max(0.0)).sum::<f64>();
    assert!((set.coefficient(-DVec2::X) - expected).abs() <= 1e-12 * expected);
    assert!((set.project(1.0, Tangential::planar(DVec2::X * 1e6)).plane.x - expected).abs() <= 1e-9 * expected);

    let slopes: Vec<DVec2> = (0..256).map(|i| DVec2::new(if i % 2 == 0 { 0.5 } else { -0.2 }, zero(i))).collect();
    let side = SurfaceSample { facets: FacetSlopes::Patch(&slopes), ..SurfaceSample::default() };
    let state = ContactState::new(ContactFrame::from_normal(DVec3::Z).unwrap(), side, side);
    for form in [FacetForm::Exact { merge: 0.0 }, FacetForm::default(), FacetForm::Box, FacetForm::Polar { n: 16 }] {
        let law = FrictionModel::from(Facets { mu0: 0.1.into(), form, ..Facets::default() }).law(&state).unwrap();
        // Half of the facets of either side, whichever way: (2/π)(0.5/2 + 0.2/2) more than mu0.
        let mu = 0.1 + std::f64::consts::FRAC_2_PI * 0.35;
        for d in [DVec2::X, -DVec2::X] {
            assert!((law.coefficient(d) - mu).abs() <= 1e-12, "{form:?}: {} and {mu}", law.coefficient(d));
        }
    }
}

/// The segments that stand for a degenerate ellipse are all along one line, with zeros of either sign across it.
#[test]
fn a_patch_on_gaussian_ridges_is_sorted() {
    let slopes = [DVec2::new(0.0, 0.97)];
    let a = SurfaceSample { facets: FacetSlopes::Patch(&slopes), ..SurfaceSample::default() };
    for covariance in [Symmetric2 { xx: 2.0, xy: 0.0, yy: 0.0 }, Symmetric2 { xx: 0.0, xy: 0.0, yy: 2.0 }] {
        let b =
            SurfaceSample { facets: FacetSlopes::Gaussian(covariance), tangent: DVec3::X, ..SurfaceSample::default() };
        let state = ContactState::new(ContactFrame::new(DVec3::Z, DVec3::X).unwrap(), a, b);
        state.validate().unwrap();
        for merge in [0.0, 1e-3] {
            let model =
                FrictionModel::from(Facets { mu0: 0.1.into(), form: FacetForm::Exact { merge }, ..Facets::default() });
            // B's ridges resist both ways with (2/π) √(2/2π); A's facet resists a force along -y with (2/π) 0.97.
            let ridges = std::f64::consts::FRAC_2_PI * (1.0 / std::f64::consts::PI).sqrt();
            let facet = std::f64::consts::FRAC_2_PI * 0.97;
            let [x, y] = if covariance.xx > 0.0 { [ridges, 0.0] } else { [0.0, ridges] };
            let law = model.law(&state).unwrap();
            // The ellipse is made of 64 segments, within 2e-4, and merging keeps 1e-3.
            for (d, mu) in [(DVec2::X, x), (-DVec2::X, x), (DVec2::Y, y + facet), (-DVec2::Y, y)] {
                let ours = law.coefficient(d);
                assert!((ours - 0.1 - mu).abs() <= 2e-3, "along {d}: {ours} and {}", 0.1 + mu);
            }
        }
    }
}

/// Nearly parallel generators, some of them tiny: their order by cross products is decided by round-off, and so is which
/// edges of the sliver see a point.
#[test]
fn nearly_parallel_generators_are_a_segment() {
    let part = (-20..20i32, 0.1..2.0f64, prop::bool::ANY, prop_oneof![5 => Just(0.0), 1 => -300.0..0.0f64]);
    let angle = prop_oneof![4 => 0.0..6.3f64, 1 => Just(0.0), 1 => Just(std::f64::consts::FRAC_PI_2)];
    let point = [-2.0..2.0f64, -2.0..2.0f64];
    run(
        "parallel",
        (prop::collection::vec(part, 1..200), angle, point, prop::bool::ANY),
        |(parts, angle, point, on_line)| {
            let generator = |(ulps, size, flip, small): &(i32, f64, bool, f64)| {
                let sign = if *flip { -1.0 } else { 1.0 };
                DVec2::from_angle(angle + f64::from(*ulps) * 1e-16) * (sign * size * 10f64.powf(*small))
            };
            let generators: Vec<DVec2> = parts.iter().map(generator).collect();
            let d = DVec2::from_angle(angle);
            let total = |sign: f64| generators.iter().map(|p| (sign * p.dot(d)).max(0.0)).sum::<f64>();
            let (low, high) = (-total(-1.0), total(1.0));
            let set = Zonotope::new(generators.clone(), 0.0).unwrap();
            let size = high - low;
            prop_assert!((set.support(Tangential::planar(d)) - high).abs() <= 1e-12 * size);
            let x = if on_line { d * point[0] } else { DVec2::from_array(point) } * size;
            let (p, expected) = (set.project(1.0, Tangential::planar(x)).plane, onto_segment(d, low, high, x));
            prop_assert!((p - expected).length() <= 1e-11 * size, "{p} and {expected} from {x}");
            Ok(())
        },
    );
}

/// Vertices on a line are a segment, however many there are.
#[test]
fn collinear_polygons_are_segments() {
    for vertices in [
        vec![[-1.0, 0.0], [0.0, 0.0], [2.0, 0.0]],
        vec![[-1.0, 0.0], [2.0, 0.0], [2.0, 0.0]],
        vec![[-1.0, 0.0], [0.5, 0.0], [2.0, 0.0], [1.0, 0.0]],
        vec![[-1.0, 0.0], [2.0, 0.0]],
    ] {
        let polygon = Polygon::new(vertices.iter().map(|v| DVec2::from_array(*v)).collect()).unwrap();
        for x in [DVec2::new(5.0, 0.0), DVec2::new(-5.0, 0.0), DVec2::new(5.0, 1.0), DVec2::new(0.3, -1.0), DVec2::ZERO]
        {
            let (p, expected) =
                (polygon.project(1.0, Tangential::planar(x)).plane, onto_segment(DVec2::X, -1.0, 2.0, x));
            assert!((p - expected).length() <= 1e-15, "{vertices:?} from {x}: {p}");
        }
    }
    for n in 1..5 {
        let point = Polygon::new(vec![DVec2::ZERO; n]).unwrap();
        assert_eq!(point.project(1.0, Tangential::planar(DVec2::X)), Tangential::ZERO, "{n} times the origin");
    }
}

/// The same, turned: the vertices are on a line but for round-off.
#[test]
fn nearly_collinear_polygons_are_segments() {
    let inner = prop::collection::vec(-0.99..1.99f64, 0..6);
    run(
        "collinear",
        (inner, 0.0..6.3f64, [-4.0..4.0f64, -4.0..4.0f64], prop::bool::ANY),
        |(mut inner, angle, point, on_line)| {
            let d = DVec2::from_angle(angle);
            inner.sort_by(f64::total_cmp);
            let vertices: Vec<DVec2> = [-1.0].into_iter().chain(inner).chain([2.0]).map(|s| d * s).collect();
            let polygon = Polygon::new(vertices.clone()).unwrap();
            let x = if on_line { d * point[0] } else { DVec2::from_array(point) };
            let (p, expected) = (polygon.project(1.0, Tangential::planar(x)).plane, onto_segment(d, -1.0, 2.0, x));
            prop_assert!((p - expected).length() <= 1e-14, "{p} and {expected} from {x}, {vertices:?}");
            Ok(())
        },
    );
}
