//! Bodies at rest on planes, boxes and each other: the points one expects, exact gaps, names that stay.

use std::f64::consts::FRAC_PI_2;

use glam::{DQuat, DVec3};

use super::Draw;
use super::contact_pairs::{convex, find};
use super::oracle::{deepest, outside, support};
use crate::geometry::{ContactPoint, EndPressure, Feature, Part, Pose, Shape, turn_y_to};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose { position: DVec3::new(x, y, z), rotation: DQuat::IDENTITY }
}

fn plane() -> Shape {
    Shape::half_space(DVec3::Y).unwrap()
}

fn names(contacts: &[ContactPoint]) -> Vec<Feature> {
    let mut names: Vec<Feature> = contacts.iter().map(|c| c.feature).collect();
    names.sort_unstable();
    names
}

#[test]
fn half_space_against_every_convex_shape() {
    let mut draw = Draw(41);
    for case in 0..3000 {
        let shape = convex(&mut draw, case % 5);
        let (pose, base) = (draw.pose(1.0), draw.pose(1.0));
        let normal = draw.direction();
        let half_space = Shape::half_space(normal).unwrap();
        let n = base.rotation * normal;
        let exact = -support(&shape, &pose, -n) - n.dot(base.position);
        let found = find((&shape, &pose), (&half_space, &base), 0.5);
        match deepest(&found) {
            None => assert!(exact > 0.5 - 1e-12),
            Some(least) => {
                assert!((least.gap - exact).abs() < 1e-12, "{} {exact} {}", shape.name(), least.gap);
                assert!(outside(&shape, &pose, least.a).abs() < 1e-12);
                assert!(((least.b - base.position).dot(n)).abs() < 1e-12 && least.normal.distance(n) < 1e-14);
            }
        }
        assert!(found.iter().all(|c| outside(&shape, &pose, c.a) < 1e-12 && c.gap <= 0.5));
        let mirrored: Vec<ContactPoint> =
            find((&half_space, &base), (&shape, &pose), 0.5).iter().map(ContactPoint::swapped).collect();
        assert_eq!(found, mirrored);
    }
}

#[test]
fn box_on_a_plane_stands_on_its_corners() {
    let block = Shape::cuboid(DVec3::new(0.5, 0.25, 0.75)).unwrap();
    let found = find((&block, &at(0.0, 0.26, 0.0)), (&plane(), &Pose::IDENTITY), 0.05);
    assert_eq!(found.len(), 4);
    for c in &found {
        assert!((c.gap - 0.01).abs() < 1e-15 && c.normal == DVec3::Y);
        assert!((c.a.x.abs() - 0.5).abs() < 1e-15 && (c.a.z.abs() - 0.75).abs() < 1e-15);
    }
}

#[test]
fn cylinder_stands_lies_and_leans() {
    let (h, r) = (0.6, 0.2);
    let shape = Shape::cylinder(h, r).unwrap();
    let ground = (&plane(), &Pose::IDENTITY);
    let standing = find((&shape, &at(0.0, h - 0.001, 0.0)), ground, 0.01);
    assert_eq!(standing.len(), 8);
    assert!(standing.iter().all(|c| (c.gap + 0.001).abs() < 1e-15 && (c.a.x.hypot(c.a.z) - r).abs() < 1e-15));

    let lying = Pose { position: DVec3::Y * r, rotation: turn_y_to(DVec3::X) };
    let found = find((&shape, &lying), ground, 0.01);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|c| c.gap.abs() < 1e-15 && (c.a.x.abs() - h).abs() < 1e-15 && c.a.z.abs() < 1e-15));

    // Leaning by an angle: the lowest point is h cos + r sin below the centre.
    for lean in [1e-9, 1e-6, 1e-3, 0.1, 0.5, 1.0, 1.5] {
        let pose = Pose { position: DVec3::Y, rotation: DQuat::from_rotation_y(0.3) * DQuat::from_rotation_z(lean) };
        let found = find((&shape, &pose), ground, 1.0);
        let exact = 1.0 - h * lean.cos() - r * lean.sin();
        assert!((deepest(&found).unwrap().gap - exact).abs() < 1e-12, "{lean} {exact} {found:?}");
        assert!(
            find((&shape, &pose), ground, exact + 1e-4).len() <= 9,
            "{lean} {:?}",
            find((&shape, &pose), ground, exact + 1e-4)
        );
    }
    let pose = Pose { position: DVec3::Y, rotation: DQuat::from_rotation_y(0.3) * DQuat::from_rotation_z(0.7) };
    let exact = 1.0 - h * 0.7f64.cos() - r * 0.7f64.sin();
    assert!(find((&shape, &pose), ground, exact + 1e-3).len() <= 2);
}

/// An end that presses evenly: the same load at each of its points has the moments of an even pressure over the disc, with the distance ρ from the axis in
/// radii: 2/3 is the mean of ρ (the torque of a pure spin), 1/2 that of ρ².
#[test]
fn an_end_that_presses_evenly_has_points_inside_its_rim() {
    let (h, r) = (0.6, 0.2);
    let shape = Shape::cylinder_that_presses(h, r, EndPressure::Even).unwrap();
    let table = Shape::cuboid(DVec3::new(0.5, 0.1, 0.5)).unwrap();
    for (other, pose) in [(&plane(), at(0.0, 0.0, 0.0)), (&table, at(0.1, -0.1, 0.05))] {
        for upside_down in [false, true] {
            let turn = DQuat::from_rotation_x(if upside_down { std::f64::consts::PI } else { 0.0 });
            let stands = Pose { position: DVec3::Y * h, rotation: turn * DQuat::from_rotation_y(0.3) };
            let found = find((&shape, &stands), (other, &pose), 0.01);
            assert_eq!(found.len(), 24);
            let mean = |f: &dyn Fn(DVec3) -> f64| found.iter().map(|c| f(c.a / r)).sum::<f64>() / 24.0;
            let moments = [mean(&|p| p.x), mean(&|p| p.z), mean(&|p| p.x.hypot(p.z)), mean(&|p| p.x * p.x)];
            for (moment, exact) in moments.into_iter().zip([0.0, 0.0, 2.0 / 3.0, 0.25]) {
                assert!((moment - exact).abs() < 1e-12, "{moments:?}");
            }
            let mut names = names(&found);
            names.dedup();
            assert_eq!(names.len(), 24);
        }
    }
    // One that leans has the points of any cylinder.
    let leaning = Pose { position: DVec3::Y * h, rotation: DQuat::from_rotation_x(0.05) };
    let plain = Shape::cylinder(h, r).unwrap();
    assert_eq!(
        find((&shape, &leaning), (&plane(), &Pose::IDENTITY), 0.1),
        find((&plain, &leaning), (&plane(), &Pose::IDENTITY), 0.1)
    );
}

#[test]
fn cylinder_on_a_box_and_on_a_cylinder() {
    let (h, r) = (0.3, 0.2);
    let shape = Shape::cylinder(h, r).unwrap();
    let table = Shape::cuboid(DVec3::new(1.0, 0.5, 1.0)).unwrap();
    let base = at(0.0, -0.5, 0.0);
    let standing = find((&shape, &at(0.1, h, 0.2)), (&table, &base), 0.01);
    assert_eq!(standing.len(), 8);
    assert!(standing.iter().all(|c| c.gap.abs() < 1e-14 && c.normal.distance(DVec3::Y) < 1e-14));
    // Over the edge: the rim crosses it at two points, and the part outside is left out.
    let over = find((&shape, &at(1.0, h, 0.0)), (&table, &base), 0.01);
    assert!(over.iter().all(|c| c.a.x <= 1.0 + 1e-12 && c.gap.abs() < 1e-14));
    assert_eq!(over.iter().filter(|c| (c.a.x - 1.0).abs() < 1e-12 && (c.a.z.abs() - r).abs() < 1e-12).count(), 2);
    // Of the eight points of the rim two are where it crosses, and three inside.
    assert_eq!(over.len(), 5);
    let beyond = find((&shape, &at(1.1, h, 0.0)), (&table, &base), 0.01);
    let half_chord = (r * r - 0.01f64).sqrt();
    assert_eq!(beyond.iter().filter(|c| (c.a.z.abs() - half_chord).abs() < 1e-12).count(), 2);
    // Lying: a line, cut off at the edge of the table.
    let lying = Pose { position: DVec3::new(0.9, r, 0.0), rotation: turn_y_to(DVec3::X) };
    let found = find((&shape, &lying), (&table, &base), 0.01);
    let mut ends: Vec<f64> = found.iter().map(|c| c.a.x).collect();
    ends.sort_by(f64::total_cmp);
    assert!(ends.len() == 2 && (ends[0] - 0.6).abs() < 1e-12 && (ends[1] - 1.0).abs() < 1e-12, "{ends:?}");
    // A coin on a coin, shifted: the lens between two circles.
    let coins = find((&shape, &at(0.2, 2.0 * h, 0.0)), (&shape, &Pose::IDENTITY), 0.01);
    assert!(coins.iter().all(|c| c.gap.abs() < 1e-13));
    let tips =
        coins.iter().filter(|c| (c.a.x - 0.1).abs() < 1e-12 && (c.a.z.abs() - (r * r - 0.01).sqrt()).abs() < 1e-12);
    // Three of the eight points of each rim are within the other.
    assert_eq!((tips.count(), coins.len()), (2, 8));
    // Side by side, almost parallel: a line of two points, shifted by half a length.
    for angle in [0.0, 1e-9, 1e-5, 1e-3] {
        let beside = Pose { position: DVec3::new(2.0 * r, h, 0.0), rotation: DQuat::from_rotation_x(angle) };
        let found = find((&shape, &beside), (&shape, &Pose::IDENTITY), 0.01);
        let (low, high) = found.iter().fold((1.0f64, -1.0f64), |(l, u), c| (l.min(c.a.y), u.max(c.a.y)));
        assert!((2..=3).contains(&found.len()) && (high - low - h).abs() < 1e-3, "{angle} {found:?}");
        assert!(found.iter().all(|c| c.gap.abs() < 1e-5));
    }
}

#[test]
fn capsules_along_each_other_have_two_points() {
    let shape = Shape::capsule(0.5, 0.1).unwrap();
    for angle in [0.0, 1e-12, 1e-8, 1e-4] {
        let beside = Pose { position: DVec3::new(0.2, 0.3, 0.0), rotation: DQuat::from_rotation_x(angle) };
        let found = find((&shape, &beside), (&shape, &Pose::IDENTITY), 0.01);
        assert!(found.len() >= 2 && found.iter().all(|c| c.gap.abs() < 1e-6), "{found:?}");
        let span = found.iter().map(|c| c.a.y).fold(-1.0, f64::max) - found.iter().map(|c| c.a.y).fold(1.0, f64::min);
        assert!((span - 0.7).abs() < 1e-3);
    }
    let table = Shape::cuboid(DVec3::splat(1.0)).unwrap();
    let lying = Pose { position: DVec3::new(0.8, 1.1, 0.0), rotation: turn_y_to(DVec3::X) };
    let found = find((&shape, &lying), (&table, &Pose::IDENTITY), 0.01);
    let mut ends: Vec<f64> = found.iter().map(|c| c.a.x).collect();
    ends.sort_by(f64::total_cmp);
    assert!(ends.len() == 2 && (ends[0] - 0.3).abs() < 1e-12 && (ends[1] - 1.0).abs() < 1e-12);
}

#[test]
fn stacked_boxes() {
    let block = Shape::cuboid(DVec3::splat(0.5)).unwrap();
    let lower = (&block, &Pose::IDENTITY);
    // Aligned, and with the noise of a simulation: four points with the same names.
    let mut draw = Draw(53);
    let first = find((&block, &at(0.0, 1.0, 0.0)), lower, 0.01);
    assert_eq!(first.len(), 4);
    for _ in 0..200 {
        let noise =
            Pose { position: DVec3::Y + draw.vector(1e-6), rotation: DQuat::from_scaled_axis(draw.vector(1e-6)) };
        let found = find((&block, &noise), lower, 0.01);
        assert_eq!(names(&found), names(&first));
        for c in &found {
            let twin = first.iter().find(|d| d.feature == c.feature).unwrap();
            assert!(c.a.distance(twin.a) < 1e-5 && c.gap.abs() < 1e-5);
        }
    }
    // Turned by 45°: the octagon, each corner a crossing of two edges.
    let turned = Pose { position: DVec3::Y * 0.999, rotation: DQuat::from_rotation_y(FRAC_PI_2 / 2.0) };
    let found = find((&block, &turned), lower, 0.01);
    assert_eq!(found.len(), 8);
    assert!(found.iter().all(|c| (c.gap + 0.001).abs() < 1e-14));
    let radius = (0.5f64.powi(2) + (0.5 * (2f64.sqrt() - 1.0)).powi(2)).sqrt();
    assert!(found.iter().all(|c| (c.a.x.hypot(c.a.z) - radius).abs() < 1e-12));
    // Shifted by half: two corners of each.
    let found = find((&block, &at(0.5, 1.0, 0.1)), lower, 0.01);
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|c| c.a.x > -1e-12 && c.a.x < 0.5 + 1e-12));
}

#[test]
fn small_motions_move_points_little_and_keep_names() {
    let mut draw = Draw(61);
    let (mut kept, mut total) = (0, 0);
    for case in 0..4000 {
        let (sa, sb) = (convex(&mut draw, case % 5), convex(&mut draw, case / 5 % 5));
        let (pa, pb) = (draw.pose(0.4), draw.pose(0.4));
        let before = find((&sa, &pa), (&sb, &pb), 0.02);
        let step = 1e-9;
        let moved = Pose {
            position: pa.position + draw.vector(step),
            rotation: (DQuat::from_scaled_axis(draw.vector(step)) * pa.rotation).normalize(),
        };
        let after = find((&sa, &moved), (&sb, &pb), 0.02);
        if let (Some(b), Some(a)) = (deepest(&before), deepest(&after)) {
            assert!((a.gap - b.gap).abs() < 10.0 * step, "{} {}", sa.name(), sb.name());
            total += 1;
            let same = names(&before) == names(&after);
            let near = before
                .iter()
                .all(|c| after.iter().find(|d| d.feature == c.feature).is_none_or(|d| d.a.distance(c.a) < 1e-4));
            kept += usize::from(same && near);
        }
    }
    // Deep random overlaps sit near ties of two normals now and then; all else must stay.
    assert!(total > 1000 && kept * 1000 >= total * 998, "{kept} of {total}");
}

#[test]
fn compounds_touch_by_their_parts() {
    let part = |x: f64| Part { pose: at(x, 0.0, 0.0), shape: Shape::sphere(0.2).unwrap() };
    let dumbbell = Shape::compound(vec![part(-0.5), part(0.5)]).unwrap();
    let pose = Pose { position: DVec3::new(0.0, 0.19, 0.0), rotation: DQuat::from_rotation_y(0.4) };
    let found = find((&dumbbell, &pose), (&plane(), &Pose::IDENTITY), 0.01);
    assert_eq!(found.len(), 2);
    assert_ne!(found[0].feature, found[1].feature);
    assert!(found.iter().all(|c| (c.gap + 0.01).abs() < 1e-15));
    let other = Pose { position: pose.position + DVec3::Y * 0.39, rotation: pose.rotation };
    let both = find((&dumbbell, &other), (&dumbbell, &pose), 0.01);
    assert_eq!(both.len(), 2);
    let mirrored: Vec<ContactPoint> =
        find((&dumbbell, &pose), (&dumbbell, &other), 0.01).iter().map(ContactPoint::swapped).collect();
    assert_eq!(names(&both), names(&mirrored));
}

#[test]
fn degenerate_places_do_not_panic() {
    let mut draw = Draw(71);
    for i in 0..5 {
        for j in 0..5 {
            let (a, b) = (convex(&mut draw, i), convex(&mut draw, j));
            for pose in [Pose::IDENTITY, at(1e-300, 0.0, 0.0), at(f64::NAN, 0.0, 0.0), at(1e300, 0.0, 0.0)] {
                let found = find((&a, &pose), (&b, &Pose::IDENTITY), 0.1);
                if pose.position.x.abs() < 1.0 {
                    assert!(!found.is_empty(), "{} {}", a.name(), b.name());
                    assert!(
                        found.iter().all(|c| c.gap < 0.1 && c.normal.is_normalized() && c.a.is_finite()),
                        "{} {} {found:?}",
                        a.name(),
                        b.name()
                    );
                    assert!(deepest(&found).unwrap().gap < 0.0);
                }
            }
        }
    }
}
