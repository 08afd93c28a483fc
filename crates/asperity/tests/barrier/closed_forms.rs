//! Numbers that can be had by hand.

use asperity::barrier::{
    Barrier, BarrierPotential, Builder, Candidates, Collision, CollisionMesh, EdgesRegion, FaceRegion, Lagged,
    MeshError, ParallelEdges, Plane, StencilKind, Weighting, edges_region, face_nearest, face_region, line_line,
    mollifier, point_plane, step_bound, stiffness,
};
use glam::DVec3;

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

#[test]
fn barriers_at_half_of_their_range() {
    // s = 2, end = 4: ρ = ½, s − ŝ = −2.
    let ln2 = std::f64::consts::LN_2;
    let expected = [4.0 * ln2, 0.25 * ln2, 4.0 * ln2 * ln2, 4.0 / 3.0, 2.0];
    for (barrier, value) in Barrier::ALL.iter().zip(expected) {
        assert!((barrier.at(2.0, 4.0).value - value).abs() < 1e-14, "{barrier:?}");
        let end = barrier.at(4.0, 4.0);
        assert_eq!((end.value, end.slope, end.bend), (0.0, 0.0, 0.0));
    }
    for barrier in Barrier::ALL.iter().filter(|own| **own != Barrier::Cubic) {
        assert_eq!(barrier.at(0.0, 1.0).value, f64::INFINITY, "{barrier:?}");
        assert_eq!(barrier.at(f64::NAN, 1.0).value, f64::INFINITY, "{barrier:?}");
    }
}

#[test]
fn regions_of_a_triangle_and_of_edges() {
    let corners = [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 0.0, 1.0)];
    for (p, region) in [
        (v(0.2, 1.0, 0.2), FaceRegion::Inside),
        (v(0.5, 1.0, -1.0), FaceRegion::Edge(0)),
        (v(1.0, 1.0, 1.0), FaceRegion::Edge(1)),
        (v(-1.0, 0.1, 0.5), FaceRegion::Edge(2)),
        (v(-1.0, 0.0, -1.0), FaceRegion::Corner(0)),
        (v(3.0, 0.0, 0.0), FaceRegion::Corner(1)),
        (v(0.0, 2.0, 3.0), FaceRegion::Corner(2)),
    ] {
        assert_eq!(face_region(p, corners), region, "{p}");
    }
    let edge = [v(-1.0, 0.0, 0.0), v(1.0, 0.0, 0.0)];
    let region = |c: DVec3, d: DVec3| edges_region(&[edge[0], edge[1], c, d]);
    assert_eq!(region(v(0.0, 1.0, -1.0), v(0.0, 1.0, 1.0)), EdgesRegion { a: None, b: None });
    assert_eq!(region(v(2.0, 1.0, -1.0), v(2.0, 1.0, 1.0)), EdgesRegion { a: Some(1), b: None });
    assert_eq!(region(v(0.5, 1.0, 1.0), v(0.5, 1.0, 3.0)), EdgesRegion { a: None, b: Some(0) });
    assert_eq!(region(v(-3.0, 1.0, 0.0), v(-2.0, 1.0, 0.0)), EdgesRegion { a: Some(0), b: Some(1) });
}

#[test]
fn distances_with_their_weights() {
    let plane = point_plane(v(0.25, -0.1, 0.5), [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 0.0, 1.0)]);
    assert!((plane.distance - 0.1).abs() < 1e-16 && (plane.normal + DVec3::Y).length() < 1e-16);
    assert!(plane.weights.iter().zip([1.0, -0.25, -0.25, -0.5]).all(|(a, b)| (a - b).abs() < 1e-15));
    let lines = line_line([v(-1.0, 0.3, 0.0), v(3.0, 0.3, 0.0)], [v(0.0, 0.0, -1.0), v(0.0, 0.0, 4.0)]);
    assert!((lines.distance - 0.3).abs() < 1e-16 && (lines.normal - DVec3::Y).length() < 1e-15);
    assert!(lines.weights.iter().zip([0.75, 0.25, -0.8, -0.2]).all(|(a, b)| (a - b).abs() < 1e-15));
}

#[test]
fn a_cube_above_a_square_has_its_four_corners_and_their_edges() {
    // Two triangles, 2 m wide, and a square of 1 m above them, turned so that no edges are parallel.
    let turned = |x: f64, z: f64| v(0.8 * x - 0.6 * z, 0.01, 0.6 * x + 0.8 * z);
    let mut rest = vec![v(-1.0, 0.0, -1.0), v(1.0, 0.0, -1.0), v(1.0, 0.0, 1.0), v(-1.0, 0.0, 1.0)];
    rest.extend([turned(-0.5, -0.5), turned(0.5, -0.5), turned(0.5, 0.5), turned(-0.5, 0.5)]);
    let mesh = CollisionMesh::of_triangles(rest.clone(), vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]).unwrap();
    assert!((mesh.vertex_area(4) - 1.0 / 3.0).abs() < 1e-15 && (mesh.vertex_area(5) - 1.0 / 6.0).abs() < 1e-15);
    let weighting = Weighting { area: true, improved_max: false };
    let builder = Builder { mesh: &mesh, positions: &rest, reach: 0.02, weighting };
    let found = builder.build(&Candidates::all(&mesh));
    let count = |kind| found.iter().filter(|own| own.kind == kind).count();
    // Each corner is above one triangle; the diagonal below crosses two sides and the diagonal above.
    assert_eq!((count(StencilKind::FaceVertex), count(StencilKind::EdgeEdge), found.len()), (4, 3, 7));
    let corner = found.iter().find(|own| own.kind == StencilKind::FaceVertex && own.vertices[0] == 4).unwrap();
    assert!((corner.weight - 1.0 / 12.0).abs() < 1e-15);
}

#[test]
fn weights_of_the_improved_maximum_count_a_vertex_once() {
    // A vertex above the corner that six triangles of a hexagon share, and above one of its edges.
    let ring = (0..6).map(|k| {
        let angle = f64::from(k) * std::f64::consts::FRAC_PI_3;
        v(angle.cos(), 0.0, angle.sin())
    });
    let mut points: Vec<DVec3> = [v(0.0, 0.0, 0.0)].into_iter().chain(ring).collect();
    let faces: Vec<[u32; 3]> = (0..6).map(|k| [0, k + 1, (k + 1) % 6 + 1]).collect();
    // On the axis; on the way along an edge.
    for place in [v(0.0, 0.01, 0.0), v(0.5, 0.01, 0.0)] {
        points.truncate(7);
        points.push(place);
        let mesh = CollisionMesh::of_triangles(points.clone(), faces.clone()).unwrap();
        let of = |improved_max| {
            let weighting = Weighting { area: false, improved_max };
            let builder = Builder { mesh: &mesh, positions: &points, reach: 0.02, weighting };
            builder.build(&Candidates::all(&mesh)).iter().map(|own| own.weight).sum::<f64>()
        };
        assert_eq!(of(true), 1.0, "{place}");
        assert!(of(false) > 1.0, "{place}");
    }
}

#[test]
fn a_vertex_on_a_plane_has_the_force_of_one_barrier() {
    let plane = Plane { normal: DVec3::Y, offset: 0.5 };
    let collision = Collision::above(0, 0, 2.0);
    let points = [v(3.0, 0.51, -2.0), DVec3::ZERO, DVec3::ZERO, DVec3::ZERO];
    let potential = BarrierPotential { barrier: Barrier::TwoStage, dhat: 0.012, dmin: 0.0, stiffness: 1e4 };
    // Above half of the range: b = ½ (s − ŝ)², so that the force is 2 d κ (ŝ − s).
    let force = 2.0 * 0.01 * 1e4 * (0.012f64.powi(2) - 0.01f64.powi(2));
    let gradient = potential.gradient(&collision, &points, &[plane])[0];
    assert!((gradient + DVec3::Y * 2.0 * force).length() < 1e-12);
    let lagged = Lagged::new(&collision, &points, &[plane], &potential, ParallelEdges::Rub).unwrap();
    assert!((lagged.force - force).abs() < 1e-12 && (lagged.load() - 2.0 * force).abs() < 1e-12);
}

#[test]
fn no_step_takes_a_vertex_through_a_triangle() {
    let rest = vec![v(0.2, 0.4, 0.2), v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 0.0, 1.0)];
    let mesh = CollisionMesh::of_triangles(rest.clone(), vec![[1, 2, 3]]).unwrap();
    let candidates = Candidates::all(&mesh);
    let mut to = rest.clone();
    to[0].y = -0.4;
    // Down by 0.8 from 0.4: between the share that is kept, and one and a half of it.
    for dmin in [0.0, 0.1] {
        let bound = step_bound(&candidates.elements, &rest, &to, dmin, 0.2);
        let left = 0.4 - 0.8 * bound;
        assert!(left >= dmin + 0.2 * (0.4 - dmin) && left <= dmin + 0.3 * (0.4 - dmin) + 1e-12, "{left}");
    }
    assert_eq!(step_bound(&candidates.elements, &rest, &to, 0.4, 0.2), 0.0);
    to[0] = v(5.0, 0.4, 0.2);
    assert_eq!(step_bound(&candidates.elements, &rest, &to, 0.1, 0.2), 1.0);
}

#[test]
fn stiffness_balances_and_doubles() {
    let setting = stiffness::StiffnessSetting {
        size: 1.0,
        barrier: Barrier::ClampedLog,
        dhat: 1e-3,
        dmin: 0.0,
        mass: 0.1,
        scale: stiffness::SCALE,
    };
    let range = setting.range();
    // 4 d² b''(d²) with d = 1e-8, ŝ = 1e-6: b'' = (1/ρ − 1)² + 4 (1/ρ − 1) − 2 ln ρ.
    let ratio = 1e-10f64;
    let bend = (1.0 / ratio - 1.0).powi(2) + 4.0 * (1.0 / ratio - 1.0) - 2.0 * ratio.ln();
    let least = 1e11 * 0.1 / (4e-16 * bend);
    assert!((range.least / least - 1.0).abs() < 1e-9 && range.largest == 100.0 * range.least);
    assert_eq!(setting.first(&[-5.0 * least, 0.0], &[1.0, 0.0]), 5.0 * least);
    assert_eq!(setting.first(&[1.0, 0.0], &[1.0, 0.0]), range.least);
    let squares = |before, now| stiffness::LeastSquares { before, now };
    assert_eq!(stiffness::updated(2.0 * least, range, squares(2e-20, 1e-20), 1e-9), 4.0 * least);
    assert_eq!(stiffness::updated(2.0 * least, range, squares(1e-20, 2e-20), 1e-9), 2.0 * least);
    assert_eq!(stiffness::updated(80.0 * least, range, squares(2e-20, 1e-20), 1e-9), range.largest);
}

#[test]
fn wrong_meshes_are_named() {
    let rest = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
    let error = CollisionMesh::new(rest.clone(), vec![[0, 3]], vec![]).unwrap_err();
    assert_eq!(error, MeshError::Vertex { element: "edge", number: 0, vertex: 3, count: 3 });
    let error = CollisionMesh::new(rest, vec![[0, 1], [1, 2]], vec![[0, 1, 2]]).unwrap_err();
    assert_eq!(error.to_string(), "the side between vertices 2 and 0 of face 0 is not in the list of edges");
}

#[test]
fn parallel_edges_rub_only_if_asked_to() {
    let points = [v(-1.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(-1.0, 0.01, -0.01), v(1.0, 0.01, 0.01)];
    let mesh = CollisionMesh::new(points.to_vec(), vec![[0, 1], [2, 3]], vec![]).unwrap();
    let builder = Builder { mesh: &mesh, positions: &points, reach: 0.02, weighting: Weighting::default() };
    let found = builder.build(&Candidates::all(&mesh));
    let potential = BarrierPotential { barrier: Barrier::ClampedLog, dhat: 0.02, dmin: 0.0, stiffness: 1.0 };
    let rub = |parallel| Lagged::new(&found[0], &points, &[], &potential, parallel);
    assert!(rub(ParallelEdges::Smooth).is_none());
    // Crossing lines 1 cm apart; sin² of their angle over the threshold of 10⁻³ is x, and m = (2 − x) x.
    let x = mollifier::cross_square(&points) / mollifier::threshold(&points);
    assert!(x < 1.0);
    let lagged = rub(ParallelEdges::Rub).unwrap();
    assert!((lagged.force / ((2.0 - x) * x * potential.force(0.01)) - 1.0).abs() < 1e-9);
    let nearest = face_nearest(&[points[2], points[0], points[1], points[3]], FaceRegion::Corner(0));
    assert!(nearest.distance > 0.01);
}
