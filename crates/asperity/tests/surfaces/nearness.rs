//! Distances of elements against a search by sampling, and their derivative against differences.

use asperity::geometry::proximity::PairKind;
use glam::DVec3;

use crate::random::Random;

const KINDS: [PairKind; 2] = [PairKind::VertexTriangle, PairKind::EdgeEdge];

/// The difference of the points of A and B with these two parameters: barycentric ones of a triangle, or one along each edge.
fn difference(kind: PairKind, [a, b, c, d]: &[DVec3; 4], u: f64, v: f64) -> DVec3 {
    match kind {
        PairKind::VertexTriangle => *a - (*b + (*c - *b) * u + (*d - *b) * v),
        PairKind::EdgeEdge => *a + (*b - *a) * u - (*c + (*d - *c) * v),
    }
}

/// The least distance, by sampling a window of parameters that closes in on the best sample: distance is convex in them.
fn sampled(kind: PairKind, points: &[DVec3; 4]) -> f64 {
    let (mut centre, mut half, mut best) = ([0.5, 0.5], 0.5, f64::INFINITY);
    for _ in 0..60 {
        let mut at = centre;
        for i in -6..=6 {
            for j in -6..=6 {
                let u = (centre[0] + half * f64::from(i) / 6.0).clamp(0.0, 1.0);
                let mut v = (centre[1] + half * f64::from(j) / 6.0).clamp(0.0, 1.0);
                if kind == PairKind::VertexTriangle {
                    v = v.min(1.0 - u);
                }
                let distance = difference(kind, points, u, v).length();
                if distance < best {
                    (best, at) = (distance, [u, v]);
                }
            }
        }
        (centre, half) = (at, 0.6 * half);
    }
    best
}

#[test]
fn no_points_of_two_elements_are_nearer_than_the_nearest() {
    let mut random = Random(1);
    for kind in KINDS {
        for case in 0..3000 {
            let points = random.points();
            let closest = kind.closest(&points);
            let (a, b) = closest.weights.split_at(kind.first_of_b());
            assert!((a.iter().sum::<f64>() - 1.0).abs() < 1e-12 && (b.iter().sum::<f64>() + 1.0).abs() < 1e-12);
            assert!(a.iter().all(|w| (0.0..=1.0).contains(w)) && b.iter().all(|w| (-1.0..=0.0).contains(w)));
            assert!((closest.blend(&points) - closest.way).length() < 1e-12, "{kind:?} {case}");
            let least = sampled(kind, &points);
            assert!(closest.distance() <= least + 1e-12, "{kind:?} {case}: {} above {least}", closest.distance());
        }
    }
}

#[test]
fn the_distance_changes_by_the_weights_times_the_normal() {
    let mut random = Random(2);
    for kind in KINDS {
        let mut seen = 0;
        while seen < 500 {
            let points: [DVec3; 4] = std::array::from_fn(|_| random.vector(1.0));
            let closest = kind.closest(&points);
            if closest.distance() < 0.1 {
                continue;
            }
            seen += 1;
            for i in 0..4 {
                for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                    let h = 1e-6;
                    let moved = |by: f64| {
                        let mut points = points;
                        points[i] += axis * by;
                        kind.closest(&points).distance()
                    };
                    let slope = (moved(h) - moved(-h)) / (2.0 * h);
                    let exact = closest.weights[i] * closest.way.normalize().dot(axis);
                    // Curvature of the distance, at kinks too, times h.
                    assert!((slope - exact).abs() < 1e-4, "{kind:?}: {slope} instead of {exact}");
                }
            }
        }
    }
}

#[test]
fn elements_without_an_extent_are_points() {
    let point = DVec3::new(1.0, 2.0, 3.0);
    for kind in KINDS {
        let mut points = [point; 4];
        assert_eq!(kind.closest(&points).distance(), 0.0);
        assert_eq!(kind.across(&points), DVec3::ZERO);
        (points[0], points[1]) = match kind {
            PairKind::VertexTriangle => (DVec3::ZERO, point),
            PairKind::EdgeEdge => (DVec3::ZERO, DVec3::ZERO),
        };
        assert!((kind.closest(&points).distance() - point.length()).abs() < 1e-15);
    }
}
