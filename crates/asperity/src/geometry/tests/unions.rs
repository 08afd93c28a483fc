//! A box that is cut into blocks has the contacts of the box.

use glam::{DQuat, DVec3};

use super::Draw;
use crate::geometry::{ContactPoint, Part, Pose, Shape, contacts};

/// A box cut across its axes at these parts of its lengths.
fn cut(half: DVec3, at: [f64; 3]) -> Shape {
    let block = |i: usize| {
        let ends = |k: usize| {
            let middle = half[k] * (2.0 * at[k] - 1.0);
            if i >> k & 1 == 1 { [middle, half[k]] } else { [-half[k], middle] }
        };
        let [x, y, z] = [ends(0), ends(1), ends(2)];
        let (min, max) = (DVec3::new(x[0], y[0], z[0]), DVec3::new(x[1], y[1], z[1]));
        let pose = Pose { position: 0.5 * (min + max), rotation: DQuat::IDENTITY };
        Part { pose, shape: Shape::cuboid(0.5 * (max - min)).unwrap() }
    };
    Shape::compound((0..8).map(block).collect()).unwrap()
}

fn drawn(draw: &mut Draw, kind: usize) -> Shape {
    match kind {
        0 => Shape::sphere(draw.range(0.1, 0.4)),
        1 => Shape::cuboid(DVec3::new(draw.range(0.1, 0.4), draw.range(0.1, 0.4), draw.range(0.1, 0.4))),
        2 => Shape::capsule(draw.range(0.1, 0.4), draw.range(0.1, 0.2)),
        3 => Shape::cylinder(draw.range(0.1, 0.4), draw.range(0.1, 0.3)),
        _ => Shape::hull(&(0..20).map(|_| draw.direction() * 0.3).collect::<Vec<_>>()),
    }
    .unwrap()
}

/// min_A n·x − max_B n·x, from boxes in a world that is turned so that n is x.
fn parting(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, n: DVec3) -> f64 {
    let turn = DQuat::from_rotation_arc(n, DVec3::X);
    let turned = |pose: &Pose| Pose { position: turn * pose.position, rotation: turn * pose.rotation };
    a.aabb(&turned(pose_a)).min.x - b.aabb(&turned(pose_b)).max.x
}

#[test]
fn a_box_in_blocks_has_the_contacts_of_the_box() {
    let mut draw = Draw(31);
    let (mut touching, mut flat, mut leaning) = (0, 0, 0);
    for case in 0..3000 {
        let half = DVec3::new(draw.range(0.5, 1.0), draw.range(0.5, 1.0), draw.range(0.5, 1.0));
        let (whole, blocks) = (
            Shape::cuboid(half).unwrap(),
            cut(half, [draw.range(0.3, 0.7), draw.range(0.3, 0.7), draw.range(0.3, 0.7)]),
        );
        let other = drawn(&mut draw, case % 5);
        let (base, mut pose) = (draw.pose(1.0), draw.pose(0.0));
        if case / 5 % 3 == 0 {
            pose.rotation = base.rotation * DQuat::from_rotation_y(draw.range(0.0, 6.3));
        }
        // At the surface, by a search along a line: the least gap grows with the way.
        let away = base.rotation * (draw.direction() * DVec3::new(1.0, 2.0, 1.0)).normalize();
        let all = |shape: &Shape, pose: &Pose| {
            let mut out: Vec<ContactPoint> = Vec::new();
            contacts(&other, pose, shape, &base, 10.0, &mut out);
            out
        };
        let least = |points: &[ContactPoint]| points.iter().map(|p| p.gap).fold(f64::INFINITY, f64::min);
        let moved = |t: f64| Pose { position: base.position + away * t, ..pose };
        let wanted = [-1e-8, 1e-3, 0.02][case / 15 % 3];
        let (mut low, mut high) = (0.0, 5.0);
        for _ in 0..60 {
            let t = 0.5 * (low + high);
            if least(&all(&whole, &moved(t))) < wanted { low = t } else { high = t }
        }
        let pose = moved(high);
        let margin = wanted.max(0.0) + 1e-3;
        let near = |shape: &Shape| {
            let mut out: Vec<ContactPoint> = Vec::new();
            contacts(&other, &pose, shape, &base, margin, &mut out);
            out
        };
        let (plain, parts) = (near(&whole), near(&blocks));
        if plain.is_empty() {
            continue;
        }
        touching += 1;
        assert!((least(&plain) - least(&parts)).abs() < 1e-9, "{case}: {} {}", least(&plain), least(&parts));
        // No wall inside: every normal parts the bodies as far as they are apart, or leaves room at least.
        for point in &parts {
            let parts_by = parting(&other, &pose, &whole, &base, point.normal);
            let needed = if wanted < 0.0 { wanted - 1e-7 } else { 0.0 };
            leaning += usize::from(parts_by < needed);
            assert!(parts_by >= needed || point.gap > 1e-4, "{case}: {} {parts_by:e} {:e}", point.normal, point.gap);
        }
        // Polytopes touch at the same places; round ones have points of their own on each block.
        if matches!(other, Shape::Box(_) | Shape::Hull(_)) && wanted < 0.0 {
            flat += usize::from(plain.len() > 2);
            let touches = |point: &&ContactPoint| point.gap < 1e-4;
            for point in plain.iter().filter(touches) {
                let same = |p: &ContactPoint| p.a.distance(point.a) < 1e-6 && (p.gap - point.gap).abs() < 1e-9;
                assert!(parts.iter().any(same), "{case}: no {point:?} in {parts:?}");
            }
            let count = |points: &[ContactPoint]| points.iter().filter(touches).count();
            assert!(count(&parts) <= count(&plain), "{case}: {parts:?}");
        }
    }
    // Of bodies that do not touch yet, an edge beside a seam may lean over it: it must be rare.
    assert!(leaning * 1000 <= touching, "{leaning} of {touching}");
    assert!(touching > 2500 && flat > 30, "{touching} {flat}");
}
