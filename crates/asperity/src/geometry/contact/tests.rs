//! What is ruled out early is nothing that counts: the quick ways against plain ones that look at everything.

use glam::{DQuat, DVec3};

use super::core::{Core, FacePlane};
use super::cylinder::{self, Cylinder};
use super::pair::Solid;
use super::parting::Parting;
use super::witness::Heights;
use super::{ContactPoint, contacts, cylinder_pair, segment, separation};
use crate::geometry::shape::TriangleNames;
use crate::geometry::tests::Draw;
use crate::geometry::{Compound, EndPressure, Part, Pose, Shape};

/// The polytope of a shape that is one.
fn core<'a>(shape: &'a Shape, pose: &Pose) -> Core<'a> {
    match Solid::new(shape, pose) {
        Some(Solid::Core(core)) => core,
        _ => panic!("a {} is not a polytope", shape.name()),
    }
}

/// Every face and every pair of edges, one after the other.
fn plain_axes(a: &Core, b: &Core) -> Parting {
    let mut best = Parting { normal: DVec3::Y, distance: f64::NEG_INFINITY, closest: None };
    for (own, other, sign) in [(a, b, -1.0), (b, a, 1.0)] {
        for i in 0..own.face_count() {
            let FacePlane { normal, height } = own.face(i);
            let distance = -other.reach(-normal) - height;
            if distance > best.distance {
                best = Parting { normal: normal * sign, distance, closest: None };
            }
        }
    }
    let least = best.distance + 1e-11 * a.size.min(b.size);
    for (i, j) in (0..a.edge_count()).flat_map(|i| (0..b.edge_count()).map(move |j| (i, j))) {
        let (ea, eb) = (a.edge(i), b.edge(j));
        let cross = (ea.to - ea.from).cross(eb.to - eb.from);
        if cross.length() < 1e-8 * (ea.to - ea.from).length() * (eb.to - eb.from).length() {
            continue;
        }
        for n in [cross.normalize(), -cross.normalize()] {
            let distance = separation::along(a, b, n);
            if distance > best.distance.max(least) && n.dot(ea.from - eb.from) - distance < 1e-9 {
                best = Parting { normal: n, distance, closest: None };
            }
        }
    }
    best
}

fn plain_closest(a: &Core, b: &Core) -> f64 {
    let mut least = f64::INFINITY;
    for i in 0..a.vertex_count() {
        least = least.min(b.closest(a.vertex(i)).distance(a.vertex(i)));
    }
    for j in 0..b.vertex_count() {
        least = least.min(a.closest(b.vertex(j)).distance(b.vertex(j)));
    }
    for (i, j) in (0..a.edge_count()).flat_map(|i| (0..b.edge_count()).map(move |j| (i, j))) {
        let (ea, eb) = (a.edge(i), b.edge(j));
        if let Some((t, u)) = segment::crossing([ea.from, ea.to], [eb.from, eb.to]) {
            let (p, q) = (ea.from + (ea.to - ea.from) * t, eb.from + (eb.to - eb.from) * u);
            least = least.min(p.distance(q));
        }
    }
    least
}

/// Points on an ellipsoid; some with flattened sides, so that there are large faces among small ones.
fn stone(draw: &mut Draw, count: usize) -> Shape {
    let size = DVec3::new(draw.range(0.3, 1.0), draw.range(0.3, 1.0), draw.range(0.3, 1.0));
    let flat = draw.range(0.4, 1.6);
    let mut points: Vec<DVec3> = (0..count).map(|_| draw.direction() * size).collect();
    points.iter_mut().for_each(|p| *p = p.clamp(-size * flat, size * flat));
    // Away from its own origin, as parts of a compound are.
    let shift = draw.vector(0.5);
    Shape::hull(&points.iter().map(|p| *p + shift).collect::<Vec<_>>()).unwrap()
}

fn drawn(draw: &mut Draw, kind: usize) -> Shape {
    match kind {
        0 => Shape::cuboid(DVec3::new(draw.range(0.2, 0.7), draw.range(0.2, 0.7), draw.range(0.2, 0.7))).unwrap(),
        1 => Shape::cuboid(DVec3::new(3.0, 0.1, 3.0)).unwrap(),
        2 => Shape::capsule(draw.range(0.2, 0.8), draw.range(0.1, 0.4)).unwrap(),
        3 => stone(draw, 12),
        4 => stone(draw, 60),
        _ => stone(draw, 200),
    }
}

/// A at the given distance from B along some direction; every fourth pair is aligned.
fn place(draw: &mut Draw, a: &Shape, b: &Shape, aligned: bool, gap: f64) -> (Pose, Pose) {
    let (mut pa, mut pb) = (draw.pose(0.0), draw.pose(2.0));
    let mut n = draw.direction();
    if aligned {
        (pa.rotation, pb.rotation, n) = (DQuat::IDENTITY, DQuat::IDENTITY, DVec3::Y);
    }
    let (core_a, core_b) = (core(a, &pa), core(b, &pb));
    pa.position += n * (gap - separation::along(&core_a, &core_b, n));
    (pa, pb)
}

#[test]
fn quick_axes_are_the_best_of_all_axes() {
    let mut draw = Draw(11);
    let (mut same, mut total, mut by_edges, mut apart) = (0, 0, 0, 0);
    for case in 0..1050 {
        let (sa, sb) = (drawn(&mut draw, case % 5), drawn(&mut draw, case / 5 % 5));
        let gap = [0.0, 1e-9, -1e-8, -1e-3, 0.02, -0.1, 0.1][case / 25 % 7];
        let (pa, pb) = place(&mut draw, &sa, &sb, case % 4 == 0, gap);
        let (a, b) = (core(&sa, &pa), core(&sb, &pb));
        if a.face_count() + b.face_count() == 0 {
            continue;
        }
        let plain = plain_axes(&a, &b);
        let quick = separation::by_axes(&a, &b, f64::INFINITY).unwrap();
        // An edge with a hair's breadth of room to the next may be taken by one and not by the other.
        assert!((quick.distance - plain.distance).abs() < 1e-10, "{case}: {} {}", quick.distance, plain.distance);
        total += 1;
        same += usize::from((quick.distance - plain.distance).abs() < 1e-14);
        assert!((separation::along(&a, &b, quick.normal) - quick.distance).abs() < 1e-13, "{case}");
        by_edges += usize::from(quick.closest.is_some());
        assert!(separation::by_axes(&a, &b, plain.distance - 1e-6).is_none(), "{case}");
        if plain.distance > 0.0 {
            apart += 1;
            let [p, q] = separation::closest(&a, &b, &quick);
            let least = plain_closest(&a, &b);
            assert!((p.distance(q) - least).abs() <= 1e-13, "{case}: {} {least}", p.distance(q));
        }
    }
    assert!(same * 100 > total * 99, "{same} of {total} are the same to rounding");
    assert!(by_edges > total / 20 && apart > total / 5, "{by_edges} {apart} of {total}");
}

#[test]
fn large_hulls_and_triangles_are_no_different() {
    let mut draw = Draw(13);
    for case in 0..30 {
        let sa = drawn(&mut draw, 5);
        let corners = [draw.vector(0.5), draw.vector(0.5), draw.vector(0.5)];
        let up = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
        let names = TriangleNames { corners: [0, 1, 2], face: 0 };
        let b = Core::triangle(corners, up, names);
        let mut pa = draw.pose(0.0);
        let n = draw.direction();
        pa.position += n * ([-1e-8, -0.05, 0.01][case % 3] - separation::along(&core(&sa, &pa), &b, n));
        let a = core(&sa, &pa);
        for (first, second) in [(&a, &b), (&b, &a)] {
            let plain = plain_axes(first, second);
            let quick = separation::by_axes(first, second, f64::INFINITY).unwrap();
            assert!((quick.distance - plain.distance).abs() < 1e-10, "{case}");
        }
    }
    for case in 0..9 {
        let (sa, sb) = (drawn(&mut draw, 5), drawn(&mut draw, 5));
        let (pa, pb) = place(&mut draw, &sa, &sb, false, [-1e-8, -0.1, 0.03][case % 3]);
        let (a, b) = (core(&sa, &pa), core(&sb, &pb));
        let (plain, quick) = (plain_axes(&a, &b), separation::by_axes(&a, &b, f64::INFINITY).unwrap());
        assert!((quick.distance - plain.distance).abs() < 1e-10, "{case}: {} {}", quick.distance, plain.distance);
    }
}

/// The bound of an arc holds for the normals of the arc, and is attained where the other body is a point.
#[test]
fn points_bound_what_edges_can_part() {
    let mut draw = Draw(17);
    let mut heights = Heights::new();
    let mut ruled_out = 0;
    for case in 0..300 {
        let shape = drawn(&mut draw, [0, 3, 4][case % 3]);
        let pose = draw.pose(1.0);
        let core = self::core(&shape, &pose);
        let p = pose.apply(draw.vector(1.2));
        core.heights(p, &mut heights);
        for i in 0..core.edge_count() {
            let edge = core.edge(i);
            let along = (edge.to - edge.from).normalize();
            // Outward normals of both faces: across the edge and the way into the face, away from the other face.
            let outward = |own: DVec3, other: DVec3| {
                let n = along.cross(own).normalize();
                if n.dot(other) > 0.0 { -n } else { n }
            };
            let [m, k] = [outward(edge.inward[0], edge.inward[1]), outward(edge.inward[1], edge.inward[0])];
            let sampled = (0..=200).map(|t| m.lerp(k, f64::from(t) / 200.0).normalize().dot(p - edge.from));
            let most = sampled.fold(f64::NEG_INFINITY, f64::max);
            let kept = |least: f64| core.edges_above(&heights, least).contains(&(i as u32));
            assert!(kept(most - 1e-12), "{case} {i}");
            // 200 samples of a right angle or so miss the top by a part of (π/400)²/2.
            assert!(!kept(most + 1e-12 + 5e-5 * most.abs()), "{case} {i}");
            ruled_out += usize::from(most < 0.0);
        }
    }
    assert!(ruled_out > 1000);
}

#[test]
fn cylinders_miss_no_normal_across_an_edge() {
    let mut draw = Draw(19);
    let mut deep = 0;
    for case in 0..480 {
        let shape = drawn(&mut draw, [0, 1, 3, 4][case % 4]);
        let (half_length, radius) = (draw.range(0.1, 0.7), draw.range(0.2, 0.6));
        let cylinder_at = |pose: &Pose| Cylinder::new(half_length, radius, EndPressure::Rim, pose);
        let (mut pose, base) = (draw.pose(0.0), draw.pose(1.0));
        let core = self::core(&shape, &base);
        let mut n = draw.direction();
        if case % 3 == 0 {
            // Flat on a face, on its side or standing.
            let side = [DVec3::X, DVec3::Y][case / 3 % 2];
            (pose.rotation, n) = (base.rotation * DQuat::from_rotation_arc(side, DVec3::Y), base.rotation * DVec3::Y);
        }
        let s = |pose: &Pose, n: DVec3| cylinder_at(pose).low(n) - core.reach(n);
        pose.position += n * ([-1e-8, -0.02, -0.15][case % 3] - s(&pose, n)) + draw.vector(0.1).reject_from(n);
        let cylinder = cylinder_at(&pose);
        let found = cylinder::by_axes(&cylinder, &core, f64::INFINITY).unwrap();
        if found.distance > 0.0 {
            continue;
        }
        deep += 1;
        for i in 0..core.edge_count() {
            let edge = core.edge(i);
            let (x, z) = (edge.to - edge.from).normalize().any_orthonormal_pair();
            for k in 0..720 {
                let phi = f64::from(k) * std::f64::consts::TAU / 720.0;
                let n = x * phi.cos() + z * phi.sin();
                assert!(s(&pose, n) <= found.distance + 1e-12, "{case}: {} {}", s(&pose, n), found.distance);
            }
        }
    }
    assert!(deep > 80, "{deep}");
}

#[test]
fn parts_that_are_left_out_have_no_contacts() {
    let mut draw = Draw(23);
    let mut found = [0; 2];
    for case in 0..400 {
        let mut compound = || {
            // Away from each other, so that no part covers another one.
            let part = |draw: &mut Draw, k: usize| {
                let kind = (draw.unit() * 5.0) as usize;
                let shape = if kind == 1 { Shape::cylinder(0.3, 0.2).unwrap() } else { drawn(draw, kind) };
                let cell = DVec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64) - 0.5;
                let own = draw.pose(0.1);
                Part { pose: Pose { position: own.position + 4.0 * cell, ..own }, shape }
            };
            Shape::compound((0..8).map(|k| part(&mut draw, k)).collect()).unwrap()
        };
        let (a, b) = (compound(), compound());
        let (Shape::Compound(Compound { parts: pa }), Shape::Compound(Compound { parts: pb })) = (&a, &b) else {
            panic!()
        };
        let ground = Shape::half_space(draw.direction()).unwrap();
        let (pose_a, pose_b, margin) = (draw.pose(2.0), draw.pose(2.0), draw.range(0.0, 0.3));
        let mut plain: Vec<ContactPoint> = Vec::new();
        for (i, own) in pa.iter().enumerate() {
            for (j, other) in pb.iter().enumerate() {
                let from = plain.len();
                let (at, by) = (pose_a.then(&own.pose), pose_b.then(&other.pose));
                contacts(&own.shape, &at, &other.shape, &by, margin, &mut plain);
                for point in &mut plain[from..] {
                    point.feature.a = point.feature.a.of_part(i);
                    point.feature.b = point.feature.b.of_part(j);
                }
            }
        }
        let mut quick = Vec::new();
        contacts(&a, &pose_a, &b, &pose_b, margin, &mut quick);
        assert_eq!(quick, plain, "{case}");
        found[0] += quick.len();
        plain.clear();
        quick.clear();
        contacts(&a, &pose_a, &ground, &pose_b, margin, &mut quick);
        for (i, own) in pa.iter().enumerate() {
            let from = plain.len();
            contacts(&own.shape, &pose_a.then(&own.pose), &ground, &pose_b, margin, &mut plain);
            for point in &mut plain[from..] {
                point.feature.a = point.feature.a.of_part(i);
            }
        }
        assert_eq!(quick, plain, "{case}");
        found[1] += quick.len();
    }
    assert!(found[0] > 400 && found[1] > 400, "{found:?}");
}

#[test]
fn cylinders_that_are_shown_to_be_deepest_have_no_better_normal() {
    let mut draw = Draw(29);
    let mut shown = 0;
    for case in 0..2000 {
        let (half, radius) =
            ([draw.range(0.1, 0.7), draw.range(0.1, 0.7)], [draw.range(0.2, 0.6), draw.range(0.2, 0.6)]);
        // Lying, standing or leaning by chance, the upper one on the lower one; a few far too deep.
        let mut turned = |kind: usize| match kind {
            0 => DQuat::from_rotation_y(draw.range(0.0, 6.3)),
            1 => DQuat::from_rotation_y(draw.range(0.0, 6.3)) * DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2),
            _ => draw.rotation(),
        };
        let (upper, lower) = (turned(case % 3), turned(case / 3 % 2));
        let deep = [1e-9, 1e-7, 1e-3, 0.02, 0.1, 0.4][case / 6 % 6];
        let whole = draw.rotation();
        let pose = |position: DVec3, rotation: DQuat| Pose { position: whole * position, rotation: whole * rotation };
        let b = Cylinder::new(half[1], radius[1], EndPressure::Rim, &pose(DVec3::ZERO, lower));
        let n = whole * DVec3::Y;
        let aside = DVec3::new(draw.range(-0.6, 0.6), 0.0, draw.range(-0.6, 0.6));
        let a = Cylinder::new(half[0], radius[0], EndPressure::Rim, &pose(aside, upper));
        let height = -deep - (a.low(n) + b.low(-n));
        let a = Cylinder::new(half[0], radius[0], EndPressure::Rim, &pose(aside + DVec3::Y * height, upper));
        // Normals that are axes and sides to the last bit, as they are found.
        let across = a.axis().cross(b.axis()).try_normalize().unwrap_or(n);
        for n in [a.axis(), b.axis(), across].into_iter().flat_map(|n| [n, -n]) {
            let best = (n, a.low(n) + b.low(-n));
            if best.1 > 0.0 || !cylinder_pair::is_deepest(&a, &b, &best) {
                continue;
            }
            shown += 1;
            let mut found = best;
            cylinder_pair::rims(&a, &b, [a.axis(), b.axis()], &mut found);
            assert!(found.1 <= best.1 + 1e-13, "{case}: {} {}", best.1, found.1);
            for _ in 0..200 {
                let m = (n + draw.direction() * draw.range(0.0, 2.0)).normalize();
                assert!(a.low(m) + b.low(-m) <= best.1 + 1e-13, "{case}: {m}");
            }
        }
    }
    assert!(shown > 500, "{shown}");
}
