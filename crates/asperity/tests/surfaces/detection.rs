//! Continuous detection against subdivision.

use asperity::geometry::ccd::{KEPT, Motion, free_fraction, impact};
use asperity::geometry::proximity::PairKind;
use glam::DVec3;

use crate::oracle::{Oracle, Verdict};
use crate::random::Random;

/// What came of many pairs.
#[derive(Debug, Default)]
struct Tally {
    impacts: usize,
    /// Impacts of pairs that the oracle finds clear.
    false_impacts: usize,
    unknown: usize,
}

fn compare(pairs: u64, seed: u64) -> Tally {
    let mut random = Random(seed);
    let mut tally = Tally::default();
    for case in 0..pairs {
        let kind = if case % 2 == 0 { PairKind::VertexTriangle } else { PairKind::EdgeEdge };
        let motion = random.motion();
        let separation: f64 = [0.0, 1e-6, 1e-3, 0.05][random.below(4) as usize];
        let start = kind.closest(&motion.from).distance();
        let least = separation.min(KEPT * start);
        let found = impact(kind, &motion, separation);
        tally.impacts += usize::from(found.is_some());
        if start == 0.0 {
            assert_eq!(found.map(|own| own.time), Some(0.0), "pair {case} touches");
            continue;
        }
        // Far below the tolerance of the detection, which is a tenth of the separation, of 1e-4 of the size, or of the first distance.
        let resolution = (1e-3 * separation.max(1e-4)).min(1e-3 * start).max(1e-11);
        match (Oracle { kind, motion, separation: least, resolution }.judge(), found) {
            (Verdict::Touch(at), None) => panic!("pair {case}, {kind:?}, is missed: it touches at {at}, {motion:?}"),
            (Verdict::Touch(at), Some(own)) => {
                assert!(own.time <= at + 1e-9, "pair {case}, {kind:?}: {} is after {at}, {motion:?}", own.time);
            }
            (Verdict::Clear, Some(_)) => tally.false_impacts += 1,
            (Verdict::Clear, None) => (),
            (Verdict::Unknown, _) => tally.unknown += 1,
        }
    }
    println!("{pairs} pairs: {tally:?}");
    tally
}

/// At least a tenth of the pairs touch; false impacts and open questions are exceptions.
fn check(pairs: u64, seed: u64) {
    let tally = compare(pairs, seed);
    let few = pairs as usize / 30;
    assert!(tally.impacts > pairs as usize / 10 && tally.false_impacts < few && tally.unknown < few, "{tally:?}");
}

#[test]
fn no_pair_of_twenty_thousand_is_missed() {
    check(20_000, 3);
}

#[test]
#[ignore = "ten seconds: a slow test"]
fn no_pair_of_a_hundred_thousand_is_missed() {
    check(100_000, 4);
}

#[test]
fn a_vertex_hits_a_triangle_when_the_closed_form_says() {
    let triangle = [DVec3::ZERO, DVec3::X, DVec3::Z];
    let over = DVec3::new(0.25, 1.0, 0.25);
    let motion = |way: DVec3| Motion {
        from: [over, triangle[0], triangle[1], triangle[2]],
        to: [over + way, triangle[0], triangle[1], triangle[2]],
    };
    // It falls by 2 m, and is 0.01 m above the triangle after 0.495 of it; the tolerance is a tenth of the separation.
    let found = impact(PairKind::VertexTriangle, &motion(-2.0 * DVec3::Y), 0.01).unwrap();
    assert!((0.4945..=0.495).contains(&found.time), "{}", found.time);
    assert!((found.closest.way.normalize() - DVec3::Y).length() < 1e-12);
    // It stops 0.02 m above it, or flies past.
    assert_eq!(impact(PairKind::VertexTriangle, &motion(-0.98 * DVec3::Y), 0.01), None);
    assert_eq!(impact(PairKind::VertexTriangle, &motion(DVec3::new(100.0, -2.0, 0.0)), 0.01), None);
}

#[test]
fn what_slides_past_or_parts_is_no_impact_however_near() {
    // Two crossing edges a millionth of a metre apart, one sliding along the other over its whole length.
    let from = [
        DVec3::new(-1.0, 1e-6, 0.0),
        DVec3::new(1.0, 1e-6, 0.0),
        DVec3::new(0.0, 0.0, -1.0),
        DVec3::new(0.0, 0.0, 1.0),
    ];
    let slid = |way: DVec3| Motion { from, to: [from[0] + way, from[1] + way, from[2], from[3]] };
    assert_eq!(impact(PairKind::EdgeEdge, &slid(DVec3::Z), 1e-7), None);
    assert_eq!(impact(PairKind::EdgeEdge, &slid(DVec3::new(0.5, 1e-9, 0.0)), 1e-4), None);
    assert!(impact(PairKind::EdgeEdge, &slid(-1e-6 * DVec3::Y), 0.0).is_some());
}

/// Two stones of an arch that slide along each other: their edges are 8e-5 m apart and at an angle of 9e-5. A way
/// between them that leans towards the edges by rounding proves nothing, and a motion that brings them no nearer than
/// to a half would be stopped where it begins.
#[test]
fn edges_that_are_nearly_parallel_can_move() {
    let half = DVec3::new(0.130, 0.213, 0.04);
    let across = DVec3::new(0.3, 0.5, 1.0).cross(half).normalize();
    let up = half.cross(across).normalize();
    for digits in 2..=9 {
        let angle = 10f64.powi(-digits);
        for height in [1e-2, 1e-4, 1e-6] {
            for case in 0..50 {
                let place = DVec3::new(1.12, 1.11, -0.5) + DVec3::new(0.013, -0.007, 0.003) * f64::from(case);
                let other = place + up * height + half * (0.02 * f64::from(case) - 0.5);
                let turned = half + across * (angle * half.length());
                let from = [place - half, place + half, other - turned, other + turned];
                let closest = PairKind::EdgeEdge.closest(&from);
                // What rounding makes of places, over the length of the edges.
                let lean = (closest.way.dot(half) / half.length()).abs();
                let inside = closest.weights.iter().all(|w| w.abs() > 1e-12 && w.abs() < 1.0 - 1e-12);
                assert!(!inside || lean < 2e-15, "angle {angle}, height {height}, {case}: leans by {lean}");
                let to = [from[0], from[1], from[2] - up * (0.5 * height), from[3] - up * (0.5 * height)];
                let free = free_fraction(PairKind::EdgeEdge, &Motion { from, to }, 0.0, 0.2);
                assert!(free > 0.99, "angle {angle}, height {height}, {case}: {free} of the way");
            }
        }
    }
}
