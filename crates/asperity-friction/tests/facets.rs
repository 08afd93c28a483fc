//! Friction from facets against direct evaluation of the paper's equations 6 to 8 with facet normals in space.

use asperity_friction::model::{FacetForm, Facets, FrictionModel};
use asperity_friction::set::{ConvexSet, FrictionSet, Zonotope};
use asperity_friction::{
    ContactFrame, ContactLaw, ContactState, CountedSlope, FacetSlopes, SurfaceSample, Symmetric2, Tangential,
};
use glam::{DVec2, DVec3};

const DIRECTIONS: usize = 3600;

/// A small generator: tests need the same patches everywhere.
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.uniform()).ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

/// Patches of 16 × 16 slopes: Gaussian (isotropic, anisotropic, skewed), sawtooth, ridges, flat with a few bumps.
fn patches() -> Vec<Vec<DVec2>> {
    let mut random = Random(7);
    let mut all = Vec::new();
    for (sx, sy) in [(1.0, 1.0), (0.1, 1.0), (0.02, 0.3)] {
        all.push((0..256).map(|_| DVec2::new(sx * random.normal(), sy * random.normal())).collect());
    }
    all.push((0..256).map(|_| DVec2::new(0.3 * random.normal() + 0.4, 0.2 * random.normal())).collect());
    all.push((0..256).map(|i| if i % 16 < 13 { DVec2::new(0.0, 0.3) } else { DVec2::new(0.0, -1.3) }).collect());
    all.push((0..256).map(|i| DVec2::from_angle(0.3) * (0.8 * (f64::from(i % 16) * 0.7).sin())).collect());
    all.push(
        (0..256)
            .map(|i| if i % 40 == 0 { DVec2::new(random.normal(), random.normal()) } else { DVec2::ZERO })
            .collect(),
    );
    // Brushed at 45 degrees: directions within a fraction of a degree, where fixed bins would not do.
    let brush = DVec2::from_angle(std::f64::consts::FRAC_PI_4);
    let brushed = |random: &mut Random| (brush + brush.perp() * (0.004 * random.normal())) * (0.5 * random.normal());
    all.push((0..256).map(|_| brushed(&mut random)).collect());
    all.push((0..256).map(|i| DVec2::from_angle(if i % 2 == 0 { 0.78 } else { 0.792 }) * 0.7).collect());
    all
}

fn frame() -> ContactFrame {
    let normal = DVec3::new(0.3, -0.5, 0.81).normalize();
    ContactFrame::from_normal(normal).unwrap()
}

/// Equations 6 to 8, from facet normals: theta and m' as the paper has them, the pixel mean, mu0 and k of equation 7.
fn equation_8(frame: &ContactFrame, a: &[DVec2], b: &[DVec2], [mu0, k_a, k_b]: [f64; 3], d: DVec2) -> f64 {
    let n = frame.normal();
    let along = frame.to_world(d);
    let coefficient = |m: DVec3, outward: DVec3, towards: DVec3| {
        let theta = outward.dot(m).clamp(-1.0, 1.0).acos();
        let flat = m - n * m.dot(n);
        let m_prime = flat.normalize_or_zero();
        // tan(acos x) loses digits for small angles; the sine is the length of the flat part.
        let tan = if theta < 0.1 { flat.length() / outward.dot(m) } else { theta.tan() };
        towards.dot(m_prime).max(0.0) * std::f64::consts::FRAC_2_PI * tan
    };
    // A's facets look down (-n), B's up.
    let facet = |p: DVec2, outward: DVec3| (frame.to_world(p) + outward).normalize();
    let mean = |slopes: &[DVec2], outward: DVec3, towards: DVec3| {
        slopes.iter().map(|p| coefficient(facet(*p, outward), outward, towards)).sum::<f64>() / slopes.len() as f64
    };
    mu0 + k_a * mean(a, -n, -along) + k_b * mean(b, n, along)
}

fn law(form: FacetForm, mu0: f64, a: SurfaceSample, b: SurfaceSample) -> FrictionSet {
    let model = FrictionModel::from(Facets { mu0: mu0.into(), slope_max: 50.0, form, ..Facets::default() });
    match model.law(&ContactState::new(frame(), a, b)).unwrap() {
        ContactLaw::Set(set) => set,
        other => panic!("a set, not {other:?}"),
    }
}

fn textured(slopes: &[DVec2], salience: f64) -> SurfaceSample<'_> {
    SurfaceSample { facets: FacetSlopes::Patch(slopes), salience, ..SurfaceSample::default() }
}

fn directions() -> impl Iterator<Item = DVec2> {
    (0..DIRECTIONS).map(|i| DVec2::from_angle(std::f64::consts::TAU * i as f64 / DIRECTIONS as f64))
}

#[test]
fn the_exact_set_resists_as_equation_8_says() {
    let (mu0, k_a, k_b) = (0.1, 0.7, 2.0);
    let all = patches();
    let mut worst: f64 = 0.0;
    for (i, a) in all.iter().enumerate() {
        let b = &all[(i * 3 + 1) % all.len()];
        let set = law(FacetForm::Exact { merge: 0.0 }, mu0, textured(a, k_a), textured(b, k_b));
        for d in directions() {
            let mu = equation_8(&frame(), a, b, [mu0, k_a, k_b], d);
            // d is the direction of the force on A: the support there, the coefficient against sliding along -d.
            for value in [set.support(Tangential::planar(d)), set.coefficient(-d)] {
                let error = (value - mu).abs() / mu;
                assert!(error <= 1e-12, "patch {i}: {value} {mu}, {error:e}");
                worst = worst.max(error);
            }
        }
    }
    println!("worst relative error, unmerged: {worst:e}");
}

#[test]
fn merging_stays_within_its_bound() {
    for (i, slopes) in patches().iter().enumerate() {
        for tolerance in [1e-9, 1e-5, 1e-4, 1e-3, 1e-2] {
            let exact = Zonotope::new(slopes.iter().map(|p| *p / 256.0).collect(), 0.05).unwrap();
            let mut merged = exact.clone();
            let report = merged.merge(tolerance);
            assert_eq!(report.generators, merged.generators().len());
            let largest = directions().map(|d| exact.support(Tangential::planar(d))).fold(0.0, f64::max);
            let mut worst: f64 = 0.0;
            for d in directions() {
                let drop = exact.support(Tangential::planar(d)) - merged.support(Tangential::planar(d));
                // Merging never makes the set larger.
                assert!(drop >= -1e-14, "patch {i}: grew by {}", -drop);
                worst = worst.max(drop);
            }
            assert!(worst <= report.bound + 1e-14, "patch {i}: {worst} exceeds the bound {}", report.bound);
            println!(
                "patch {i}, tolerance {tolerance:e}: {} generators, bound {:.2e}, largest drop {worst:.2e}",
                report.generators, report.bound
            );
            assert!(report.bound <= tolerance * largest, "patch {i}: bound {} above {tolerance}", report.bound);
            if tolerance >= 1e-3 {
                assert!(report.generators < 128, "patch {i}: {} generators left", report.generators);
            }
        }
    }
}

#[test]
fn the_papers_box_is_the_box_around_the_set() {
    let all = patches();
    let set = law(FacetForm::Box, 0.1, textured(&all[4], 1.0), textured(&all[0], 0.5));
    let FrictionSet::AsymmetricBox(limits) = set else { panic!("a box") };
    let mu = |d: DVec2| equation_8(&frame(), &all[4], &all[0], [0.1, 1.0, 0.5], d);
    // -mu(d3) <= f_t <= mu(d1) and -mu(d4) <= f_b <= mu(d2): equation 9 with the signs of the notes.
    assert!((limits.ahead() - DVec2::new(mu(DVec2::X), mu(DVec2::Y))).length() < 1e-12);
    assert!((limits.back() - DVec2::new(mu(-DVec2::X), mu(-DVec2::Y))).length() < 1e-12);
}

#[test]
fn outer_polygons_tend_to_the_set_and_polar_ones_may_not() {
    // Ridges along t on B: nothing resists along the ridges.
    let ridges: Vec<DVec2> = (0..256).map(|i| DVec2::new(0.0, if i % 2 == 0 { 0.6 } else { -0.6 })).collect();
    let (a, b) = (SurfaceSample::default(), textured(&ridges, 1.0));
    let along = |form| law(form, 0.0, a, b).coefficient(DVec2::X);
    assert!(along(FacetForm::Exact { merge: 0.0 }) < 1e-15);
    assert!(along(FacetForm::Outer { n: 720 }) < 2e-3);
    // The hull of mu(d) d has corners on both sides of the ridge direction.
    assert!(along(FacetForm::Polar { n: 720 }) > 0.05);
    for n in [8, 16, 64, 720] {
        let (outer, polar) = (law(FacetForm::Outer { n }, 0.0, a, b), law(FacetForm::Polar { n }, 0.0, a, b));
        let exact = law(FacetForm::Exact { merge: 0.0 }, 0.0, a, b);
        for d in directions() {
            assert!(outer.coefficient(d) >= exact.coefficient(d) - 1e-14);
        }
        // In the n directions themselves the polar polygon resists at least as much as the set.
        for i in 0..n {
            let d = DVec2::from_angle(std::f64::consts::TAU * i as f64 / n as f64);
            assert!(polar.coefficient(d) >= exact.coefficient(d) - 1e-14);
        }
    }
}

#[test]
fn a_sawtooth_resists_more_against_the_steep_side() {
    // Slopes 0.25 over 4/5 of the length, -1 over the rest: closed form of the mean positive slope. B's facets that
    // look along +b resist a force on A along +b.
    let teeth: Vec<DVec2> = (0..250).map(|i| DVec2::new(0.0, if i % 5 < 4 { 0.25 } else { -1.0 })).collect();
    let set = law(FacetForm::default(), 0.0, SurfaceSample::default(), textured(&teeth, 1.0));
    let mean = std::f64::consts::FRAC_2_PI * 0.2;
    assert!((set.support(Tangential::planar(DVec2::Y)) - mean).abs() < 1e-15);
    assert!((set.support(Tangential::planar(DVec2::NEG_Y)) - mean).abs() < 1e-15);
    // A height field has no mean slope, so both senses resist alike; a patch that sees only the steep flank does not.
    let flank: Vec<DVec2> = teeth.iter().copied().filter(|p| p.y < 0.0).collect();
    let set = law(FacetForm::default(), 0.0, SurfaceSample::default(), textured(&flank, 1.0));
    assert!((set.coefficient(DVec2::Y) - std::f64::consts::FRAC_2_PI).abs() < 1e-15);
    assert_eq!(set.coefficient(DVec2::NEG_Y), 0.0);
}

#[test]
fn gaussian_slopes_need_no_samples() {
    let sigma = DVec2::new(0.1, 1.0);
    let covariance = Symmetric2 { xx: sigma.x * sigma.x, xy: 0.0, yy: sigma.y * sigma.y };
    let surface = |salience| SurfaceSample {
        tangent: frame().t(),
        facets: FacetSlopes::Gaussian(covariance),
        salience,
        ..SurfaceSample::default()
    };
    let set = law(FacetForm::Exact { merge: 0.0 }, 0.2, surface(1.0), surface(3.0));
    for d in directions().step_by(10) {
        // E max(0, X) = s/sqrt(2 pi) for a centred normal X with deviation s = |sigma d|, on both surfaces.
        let s = (sigma * d).length();
        let mu = 0.2 + std::f64::consts::FRAC_2_PI * 4.0 * s / std::f64::consts::TAU.sqrt();
        assert!((set.coefficient(d) - mu).abs() < 1e-14, "{} {mu}", set.coefficient(d));
    }
    // Many samples tend to it: 1/sqrt(N) of the deviation.
    let mut random = Random(3);
    let many: Vec<DVec2> =
        (0..200_000).map(|_| DVec2::new(sigma.x * random.normal(), sigma.y * random.normal())).collect();
    let sampled = law(FacetForm::Exact { merge: 1e-4 }, 0.2, textured(&many, 1.0), surface(3.0));
    for d in directions().step_by(100) {
        assert!((sampled.coefficient(d) - set.coefficient(d)).abs() < 3e-3, "{d}");
    }
    // Beside a patch an ellipse is made of segments: within 2e-4 of it.
    let mixed = law(FacetForm::Exact { merge: 0.0 }, 0.2, textured(&[], 1.0), surface(3.0));
    for d in directions().step_by(10) {
        let mu = std::f64::consts::FRAC_2_PI * 3.0 * (sigma * d).length() / std::f64::consts::TAU.sqrt();
        assert!((mixed.coefficient(d) - 0.2 - mu).abs() <= 2e-4 * mu, "{d}");
    }
}

#[test]
fn steep_facets_are_clamped() {
    let cliff = [DVec2::new(1e9, 0.0)];
    let model = FrictionModel::from(Facets { slope_max: 4.0, ..Facets::default() });
    let law = model.law(&ContactState::new(frame(), SurfaceSample::default(), textured(&cliff, 1.0))).unwrap();
    assert!((law.coefficient(DVec2::NEG_X) - 4.0 * std::f64::consts::FRAC_2_PI).abs() < 1e-14);
}

#[test]
fn rougher_surfaces_resist_more() {
    let base = &patches()[0];
    let mut last = 0.0;
    for roughness in [0.0, 0.01, 0.1, 0.5, 1.0] {
        let slopes: Vec<DVec2> = base.iter().map(|p| *p * roughness).collect();
        let mu = law(FacetForm::default(), 0.1, textured(&slopes, 1.0), textured(&slopes, 1.0)).coefficient(DVec2::X);
        assert!(mu > last, "{mu} {last}");
        last = mu;
    }
}

#[test]
fn a_box_lies_along_what_it_is_told() {
    use asperity_friction::model::BoxAxes;
    // Ridges on B: slopes along ±x of the world only. The contact's own tangents are turned by 30 degrees.
    let t = DVec3::new(30f64.to_radians().cos(), 0.0, 30f64.to_radians().sin());
    let frame = ContactFrame::new(DVec3::Y, t).unwrap();
    let slopes: Vec<DVec2> = [0.5, -0.5].map(|p| frame.to_plane(DVec3::X * p)).to_vec();
    let across = std::f64::consts::FRAC_2_PI * 0.25;
    let coefficients = |axes: BoxAxes, structure: [DVec3; 2], slip: DVec3| {
        let a = SurfaceSample { structure: structure[0], ..SurfaceSample::default() };
        let b =
            SurfaceSample { structure: structure[1], facets: FacetSlopes::Patch(&slopes), ..SurfaceSample::default() };
        let mut state = ContactState::new(frame, a, b);
        state.slip = Tangential::planar(frame.to_plane(slip));
        state.frictionless_slip = if axes == BoxAxes::Frictionless { state.slip.plane } else { DVec2::ONE };
        let law = FrictionModel::from(Facets { form: FacetForm::Box, axes, ..Facets::default() }).law(&state).unwrap();
        [DVec3::X, DVec3::Z].map(|d| law.coefficient(frame.to_plane(d)))
    };
    let none = [DVec3::ZERO; 2];
    let aligned = |found: [f64; 2]| (found[0] - across).abs() < 1e-12 && found[1].abs() < 1e-12;
    assert!(aligned(coefficients(BoxAxes::World, none, DVec3::ZERO)));
    assert!(aligned(coefficients(BoxAxes::Structure, [DVec3::Z, DVec3::ZERO], DVec3::ZERO)));
    // Two lines 20 degrees on both sides of z, one of them named backwards.
    let lean = |x: f64| DVec3::new(x, 0.0, 1.0);
    assert!(aligned(coefficients(BoxAxes::Structure, [lean(0.36), -lean(-0.36)], DVec3::ZERO)));
    assert!(aligned(coefficients(BoxAxes::Structure, none, DVec3::ZERO)), "the world's, without any");
    assert!(aligned(coefficients(BoxAxes::Slip, none, DVec3::NEG_X)));
    assert!(aligned(coefficients(BoxAxes::Slip, none, DVec3::ZERO)));
    assert!(aligned(coefficients(BoxAxes::Frictionless, none, DVec3::Z)));
    assert!(aligned(coefficients(BoxAxes::Frictionless, none, DVec3::ZERO)), "the world's, at rest");
    // Not aligned: the box reaches where the exact set does not (section 5.5).
    assert!(coefficients(BoxAxes::Contact, none, DVec3::ZERO)[1] > 0.3 * across);
}

/// Slopes that are counted are as good as the same slopes one by one, also where they are clamped.
#[test]
fn counted_slopes_are_those_that_they_count() {
    let counted = |seed: usize| -> Vec<CountedSlope> {
        (0..9)
            .map(|i| {
                let angle = 2.4 * (i + seed) as f64;
                let slope = DVec2::from_angle(angle) * (0.1 + 0.4 * i as f64);
                CountedSlope { slope, texels: ((i * 7 + seed) % 5) as u32 }
            })
            .collect()
    };
    let each = |list: &[CountedSlope]| -> Vec<DVec2> {
        list.iter().flat_map(|p| std::iter::repeat_n(p.slope, p.texels as usize)).collect()
    };
    let (a, b) = (counted(1), counted(4));
    let (all_a, all_b) = (each(&a), each(&b));
    let side = |facets| SurfaceSample { facets, salience: 1.5, ..SurfaceSample::default() };
    let one_by_one = ContactState::new(frame(), side(FacetSlopes::Patch(&all_a)), side(FacetSlopes::Patch(&all_b)));
    let state = ContactState::new(frame(), side(FacetSlopes::Counted(&a)), side(FacetSlopes::Counted(&b)));
    let forms = [
        FacetForm::Exact { merge: 0.0 },
        FacetForm::Exact { merge: 1e-2 },
        FacetForm::Box,
        FacetForm::Outer { n: 12 },
        FacetForm::Polar { n: 12 },
    ];
    for (form, slope_max) in forms.into_iter().flat_map(|form| [(form, 50.0), (form, 1.0)]) {
        let model = FrictionModel::from(Facets { mu0: 0.1.into(), slope_max, form, ..Facets::default() });
        let [found, expected] = [&state, &one_by_one].map(|state| model.law(state).unwrap());
        // Merging may take other sectors together: both are within its bound.
        let slack = if form == (FacetForm::Exact { merge: 1e-2 }) { 1e-2 } else { 1e-13 };
        for d in directions() {
            let [found, expected] = [&found, &expected].map(|law| law.set().unwrap().support(Tangential::planar(d)));
            assert!((found - expected).abs() <= slack * expected, "{form:?}, {slope_max}: {found} {expected}");
        }
    }
    let bad = [DVec2::X, DVec2::new(0.0, f64::NAN)].map(|slope| CountedSlope { slope, texels: 2 });
    assert!(ContactState::new(frame(), side(FacetSlopes::Counted(&bad)), side(FacetSlopes::Flat)).validate().is_err());
}
