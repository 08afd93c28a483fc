//! Conformance: every set of the catalogue, present and future, does what the theory of convex sets says.
//!
//! The tests know only [`ConvexSet`]; a new set is tested as soon as it is in the list.

mod common;

use asperity_friction::Tangential;
use asperity_friction::set::{ConePoint, ConvexSet, FrictionSet, SETS};
use common::{component, for_every_set, loads, scale, trial, vector, within_rows};
use glam::DVec2;
use proptest::prelude::*;

/// Relative accuracy that every operation must reach.
const TOLERANCE: f64 = 1e-10;

#[test]
fn support_is_the_maximum_over_the_set() {
    for_every_set(64, (vector(), prop::collection::vec(vector(), 40)), |set, (d, others)| {
        let d = within_rows(set, d);
        let h = set.support(d);
        let size = set.radius() * d.length();
        let slack = TOLERANCE * size.max(1e-300);
        prop_assert!((set.support_point(d).dot(d) - h).abs() <= slack);
        prop_assert!(h >= 0.0 && h <= size * (1.0 + 1e-12));
        for o in others {
            let inside = set.project(1.0, within_rows(set, o) * (3.0 * set.radius()));
            prop_assert!(inside.dot(d) <= h + slack, "{inside:?} is further along {d:?} than {h}");
        }
        // The projection of a point far away along d is nearly the support point: R²/2T short at most.
        if d.length() > 1e-6 {
            let far = d * (1e7 * set.radius() / d.length());
            let reached = set.project(1.0, far).dot(d);
            prop_assert!((reached - h).abs() <= 1e-7 * size, "reached {reached}, support {h}");
        }
        Ok(())
    });
}

#[test]
fn projections_are_certified_by_the_support_alone() {
    for_every_set(
        200,
        (vector(), component(), loads(), prop::collection::vec(vector(), 30)),
        |set, (v, size, load, others)| {
            let x = trial(set, load, v, size);
            let p = set.project(load, x);
            prop_assert!(p.is_finite());
            let slack = TOLERANCE * scale(set, load);
            let out = x - p;
            // Variational inequality: no point of the set is further along x - p than p.
            let length = out.length();
            if length > 0.0 {
                let gap = load * set.support(out) - p.dot(out);
                // (An error of one bit in p shows in the gap times the size of the set.)
                let round_off = 4.0 * f64::EPSILON * scale(set, load).powi(2);
                prop_assert!(gap.abs() <= slack * length + round_off, "gap {gap} at {x:?}, p {p:?}, load {load}");
            }
            // Membership: p is nowhere beyond the support.
            for o in others.into_iter().chain([v, out]) {
                let d = within_rows(set, o);
                let beyond = p.dot(d) - load * set.support(d);
                prop_assert!(beyond <= slack * d.length(), "{p:?} is {beyond} outside along {d:?}");
            }
            Ok(())
        },
    );
}

#[test]
fn projections_are_idempotent_and_nonexpansive() {
    for_every_set(200, (vector(), vector(), component(), loads()), |set, (v, w, size, load)| {
        let x = trial(set, load, v, size);
        let y = x + trial(set, load, w, size * 0.1);
        let (p, q) = (set.project(load, x), set.project(load, y));
        let slack = TOLERANCE * scale(set, load);
        prop_assert!((set.project(load, p) - p).length() <= slack);
        prop_assert!((p - q).length() <= (x - y).length() * (1.0 + 1e-12) + slack);
        prop_assert!(set.contains(load, p, slack));
        Ok(())
    });
}

#[test]
fn a_point_inside_stays_to_the_last_bit() {
    for_every_set(100, (vector(), loads()), |set, (v, load)| {
        let edge = set.support_point(within_rows(set, v)) * load;
        let x = edge * 0.5;
        if set.rows() == 2 && set.radius() > 0.0 && load > 0.0 {
            prop_assert!((set.project(load, x) - x).length() <= 1e-15 * load * set.radius());
        }
        Ok(())
    });
}

#[test]
fn cone_projection_is_moreaus_decomposition() {
    for_every_set(
        200,
        (vector(), component(), component(), prop::bool::ANY, prop::collection::vec(vector(), 20)),
        |set, (v, size, height, up, others)| {
            let f = trial(set, 1.0, v, size);
            let n = if up { height } else { -height };
            let ConePoint { load: s, force: p } = set.project_cone(n, f);
            let slack = TOLERANCE * n.abs().max(f.length());
            prop_assert!(s >= 0.0 && p.is_finite());
            // (s, p) in K.
            prop_assert!(set.contains(s, p, slack), "({s}, {p:?}) is not in the cone");
            // (n, f) - (s, p) in the polar cone, and orthogonal.
            let (rn, rf) = (n - s, f - p);
            let polar = set.support(rf) + rn;
            prop_assert!(polar <= slack * (1.0 + set.radius()), "{polar} outside the polar cone, n {n} f {f:?}");
            let inner = rn * s + rf.dot(p);
            prop_assert!(inner.abs() <= slack * n.abs().max(f.length()), "not orthogonal: {inner}");
            // The nearest point of the cone among others of it.
            let distance = rn.hypot(rf.length());
            for o in others {
                let q = set.project(s, within_rows(set, o) * (s * set.radius()));
                prop_assert!((n - s).hypot((f - q).length()) >= distance - slack);
            }
            Ok(())
        },
    );
}

#[test]
fn maximum_dissipation_dissipates_most() {
    for_every_set(100, (vector(), loads(), prop::collection::vec(vector(), 30)), |set, (v, load, others)| {
        let slip = within_rows(set, v);
        let power = set.max_dissipation(load, slip).dot(slip);
        let slack = TOLERANCE * load * set.radius() * slip.length();
        prop_assert!(power <= 0.0);
        for o in others {
            let f = set.project(load, trial(set, load, o, 2.0));
            prop_assert!(f.dot(slip) >= power - slack);
        }
        let d = slip.plane.normalize_or_zero();
        let planar = set.max_dissipation(1.0, Tangential::planar(d)).dot(Tangential::planar(d));
        prop_assert!((set.coefficient(d) + planar).abs() <= TOLERANCE * set.radius());
        Ok(())
    });
}

#[test]
fn at_a_tie_the_force_does_not_push_aside() {
    // Where a whole edge resists alike, maximum dissipation takes its point nearest to the origin: a body that slides
    // across an edge of the set is not pushed sideways more than the set makes necessary.
    let mut ties = 0;
    for set in SETS.iter().flat_map(|e| (e.examples)()).filter(|s| s.rows() == 2) {
        let planar = set.planar().unwrap();
        let Ok(polygon) = planar.inner_polygon(256) else { continue };
        let n = polygon.vertices().len();
        if n > 12 {
            // Round, or so many edges that the direction across one is round-off.
            continue;
        }
        for i in 0..n {
            let (a, b) = (polygon.vertices()[i], polygon.vertices()[(i + 1) % n]);
            let d = Tangential::planar(-(b - a).perp().normalize_or_zero());
            let (h, level) = (set.support(d), a.dot(d.plane));
            if (h - level).abs() > 1e-14 * set.radius() || (b - a).length() <= 0.1 * set.radius() {
                continue;
            }
            ties += 1;
            let edge = b - a;
            let nearest = a + edge * (-a.dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
            let found = set.support_point(d).plane;
            assert!((found - nearest).length() <= 1e-9 * set.radius(), "{set:?}: {found}, not {nearest}, along {d:?}");
        }
    }
    assert!(ties > 15, "{ties} edges");
}

#[test]
fn implicit_derivatives_match_finite_differences() {
    let mut with_implicit = 0;
    for entry in SETS {
        for set in (entry.examples)() {
            with_implicit += usize::from(set.implicit().is_some());
        }
    }
    assert!(with_implicit >= 6, "disk, ellipse and ellipsoid have one");
    for_every_set(100, (vector(), 0.1..3.0f64), |set, (v, load)| {
        let Some(implicit) = set.implicit() else { return Ok(()) };
        let x = set.project(load, within_rows(set, v) * (load * set.radius()));
        let at = implicit.implicit_at(load, x);
        let inside = set.contains(load, x * 0.999, 0.0);
        prop_assert!(inside && implicit.implicit_at(load, x * 0.999).value < 0.0);
        let (b, scale_of) = (set.bounds(), |i: usize| set.bounds().upper.to_array()[i]);
        prop_assert!(b.upper.plane.x > 0.0);
        let step = |c: [f64; 3], k: f64| {
            let plane = b.axis * c[0] + b.axis.perp() * c[1];
            implicit.implicit_at(load, x + Tangential { plane, spin: c[2], roll: DVec2::ZERO } * k)
        };
        for i in 0..set.rows().min(3) {
            // Steps in proportion to the axis: quadratic functions leave only round-off.
            let h = 0.1 * scale_of(i) * load;
            let mut e = [0.0; 3];
            e[i] = 1.0;
            let axis3 = (b.axis * e[0] + b.axis.perp() * e[1]).extend(e[2]);
            let slope = (step(e, h).value - step(e, -h).value) / (2.0 * h);
            let size = load * load / (scale_of(i) * load);
            prop_assert!((slope - at.gradient.dot(axis3)).abs() <= 1e-9 * size);
            let bend = (step(e, h).gradient - step(e, -h).gradient) / (2.0 * h);
            // Turning a thin set mixes its axes by a bit of the largest entry.
            let entry = at.hessian.to_cols_array().into_iter().fold(0.0f64, |m, v| m.max(v.abs()));
            let slack = 1e-9 * size / (scale_of(i) * load) + 1e-12 * entry;
            prop_assert!(((bend - at.hessian * axis3).dot(axis3)).abs() <= slack);
        }
        let dl = 1e-3;
        let by_load =
            (implicit.implicit_at(load + dl, x).value - implicit.implicit_at(load - dl, x).value) / (2.0 * dl);
        prop_assert!((by_load - at.by_load).abs() <= 1e-9 * (1.0 + load) * (1.0 + at.value.abs()));
        prop_assert_eq!(at.by_load_twice, -2.0);
        Ok(())
    });
}

#[test]
fn polygons_bracket_the_set() {
    for_every_set(30, (3..40usize, prop::collection::vec(vector(), 20)), |set, (n, directions)| {
        let Some(planar) = set.planar() else { return Ok(()) };
        let (outer, inner) = (planar.outer_polygon(n).unwrap(), planar.inner_polygon(n).unwrap());
        prop_assert!(outer.vertices().len() <= n && inner.vertices().len() <= n + 1);
        let fine = planar.outer_polygon(720).unwrap();
        let around = (0..90).map(|i| DVec2::from_angle(f64::from(i) * 0.07));
        let roundness = around.map(|d| set.coefficient(d) / set.radius().max(1e-300)).fold(1.0, f64::min);
        for v in directions {
            let d = Tangential::planar(v.plane);
            let slack = TOLERANCE * set.radius() * d.length();
            let h = set.support(d);
            prop_assert!(outer.support(d) >= h - slack);
            prop_assert!(inner.support(d) <= h + slack);
            // Tangent polygons tend to a smooth set with the square of the angle between facets, to a flat edge (or one
            // that is nearly so) with the angle itself.
            let closeness = if planar.curvature_radius(DVec2::X).is_some() && roundness > 0.2 { 1e-4 } else { 1e-2 };
            prop_assert!(fine.support(d) <= h + closeness * set.radius() * d.length());
        }
        Ok(())
    });
    let disk = &(SETS[0].examples)()[2];
    assert!(disk.planar().unwrap().outer_polygon(2).is_err());
}

#[test]
fn curvature_is_how_the_support_point_moves() {
    let smooth = std::cell::Cell::new(0);
    for_every_set(50, 0.0..6.3f64, |set, angle| {
        let Some(planar) = set.planar() else { return Ok(()) };
        let Some(radius) = planar.curvature_radius(DVec2::from_angle(angle)) else { return Ok(()) };
        let at = |a: f64| set.support_point(Tangential::planar(DVec2::from_angle(a))).plane;
        let h = 1e-6;
        let moved = (at(angle + h) - at(angle - h)).dot(DVec2::from_angle(angle).perp()) / (2.0 * h);
        // At the tip of a thin ellipse the radius changes within the step.
        let change = planar.curvature_radius(DVec2::from_angle(angle + h)).unwrap();
        let slack = 1e-6 * set.radius() + 2.0 * (change - radius).abs();
        prop_assert!((moved - radius).abs() <= slack, "radius {radius}, moved {moved}");
        smooth.set(smooth.get() + 1);
        Ok(())
    });
    assert!(smooth.get() > 500);
}

#[test]
fn bounds_hold_the_set_and_touch_it() {
    for_every_set(100, vector(), |set, v| {
        let b = set.bounds();
        let f = set.support_point(within_rows(set, v));
        let local = |v: DVec2| DVec2::new(b.axis.dot(v), b.axis.perp().dot(v));
        let c = Tangential { plane: local(f.plane), spin: f.spin, roll: local(f.roll) }.to_array();
        let slack = TOLERANCE * set.radius();
        for (i, x) in c.into_iter().enumerate() {
            prop_assert!(x >= b.lower.to_array()[i] - slack && x <= b.upper.to_array()[i] + slack);
        }
        prop_assert!((set.support(Tangential::planar(b.axis)) - b.upper.plane.x).abs() <= slack);
        Ok(())
    });
}

#[test]
fn scaling_scales_the_support() {
    for_every_set(50, (vector(), 0.0..5.0f64), |set, (v, k)| {
        let d = within_rows(set, v);
        let mut larger = set.clone();
        larger.scale(k);
        let slack = TOLERANCE * (1.0 + k) * set.radius() * d.length();
        prop_assert!((larger.support(d) - k * set.support(d)).abs() <= slack);
        let mut forces = set.clone();
        forces.scale_moments(k);
        let turned = Tangential { plane: d.plane, spin: d.spin * k, roll: d.roll * k };
        prop_assert!((forces.support(d) - set.support(turned)).abs() <= slack);
        Ok(())
    });
}

#[test]
fn every_set_survives_a_file() {
    for entry in SETS {
        for set in (entry.examples)() {
            let text = serde_json::to_string(&set).unwrap();
            assert!(text.contains(&format!("\"set\":\"{}\"", entry.name)), "{text}");
            assert_eq!(serde_json::from_str::<FrictionSet>(&text).unwrap(), set);
        }
    }
}
