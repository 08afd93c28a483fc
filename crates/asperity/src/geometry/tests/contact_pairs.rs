//! Every pair of convex shapes in random poses, against the oracle.

use glam::DVec3;

use super::Draw;
use super::oracle::{deepest, outside, parted, search};
use crate::geometry::{ContactPoint, Feature, Pose, Shape, contacts};

pub(super) fn find(a: (&Shape, &Pose), b: (&Shape, &Pose), margin: f64) -> Vec<ContactPoint> {
    let mut out = Vec::new();
    contacts(a.0, a.1, b.0, b.1, margin, &mut out);
    out
}

pub(super) fn convex(draw: &mut Draw, kind: usize) -> Shape {
    match kind {
        0 => Shape::sphere(draw.range(0.2, 0.6)).unwrap(),
        1 => Shape::cuboid(DVec3::new(draw.range(0.2, 0.7), draw.range(0.2, 0.7), draw.range(0.2, 0.7))).unwrap(),
        2 => Shape::capsule(draw.range(0.2, 0.8), draw.range(0.1, 0.4)).unwrap(),
        3 => Shape::cylinder(draw.range(0.1, 0.7), draw.range(0.2, 0.6)).unwrap(),
        _ => Shape::hull(&(0..12).map(|_| draw.direction() * draw.range(0.4, 0.7)).collect::<Vec<_>>()).unwrap(),
    }
}

/// Moves A along the line of centres until the signed distance is roughly `gap`.
fn approach(draw: &mut Draw, a: &Shape, b: &Shape, gap: f64) -> (Pose, Pose) {
    let (mut pa, pb) = (draw.pose(0.0), draw.pose(1.0));
    let n = draw.direction();
    pa.position = pb.position;
    // s along n is exact after this shift; the signed distance is at least that, and usually not much more.
    pa.position += n * (gap - parted((a, &pa), (b, &pb), n));
    (pa, pb)
}

fn check_pair(kinds: (usize, usize), count: usize, seed: u64) {
    let mut draw = Draw(seed + 1000 * kinds.0 as u64 + 100 * kinds.1 as u64);
    let margin = 0.3;
    let (mut apart, mut overlapping) = (0, 0);
    for case in 0..count {
        let (sa, sb) = (convex(&mut draw, kinds.0), convex(&mut draw, kinds.1));
        let gap = draw.range(-0.25, 0.05);
        let (pa, pb) = approach(&mut draw, &sa, &sb, gap);
        let (a, b) = ((&sa, &pa), (&sb, &pb));
        let found = find(a, b, margin);
        let what = format!("{} {} case {case}", sa.name(), sb.name());
        let Some(least) = deepest(&found) else {
            let far = search(a, b, (pa.position - pb.position).normalize(), &mut draw);
            assert!(far > margin - 1e-6, "{what}: none found at {far}");
            continue;
        };
        // The normal of the least gap parts the bodies by exactly that, and no other normal does better.
        let own = parted(a, b, least.normal);
        assert!((own - least.gap).abs() < 1e-10, "{what}: {own} {}", least.gap);
        let best = search(a, b, least.normal, &mut draw);
        assert!(best < least.gap + 1e-10, "{what}: {} but {best} was found", least.gap);
        if least.gap > 0.0 {
            apart += 1;
        } else {
            overlapping += 1;
        }
        for c in &found {
            assert!(c.normal.is_normalized() && c.gap <= margin, "{what}");
            assert!((c.gap - (c.a - c.b).dot(c.normal)).abs() < 1e-12, "{what}");
            // The points lie on the bodies. Secondary points of a leaning capsule lie on its end spheres, inside its side.
            let room = |shape: &Shape| if matches!(shape, Shape::Capsule(_)) { 0.5 } else { 1e-8 };
            let (on_a, on_b) = (outside(&sa, &pa, c.a), outside(&sb, &pb, c.b));
            assert!(on_a < 1e-8 && on_b < 1e-8, "{what}: {on_a} {on_b} {c:?}");
            assert!(on_a > -room(&sa) && on_b > -room(&sb), "{what}: {on_a} {on_b} {c:?}");
        }
        let (on_a, on_b) = (outside(&sa, &pa, least.a), outside(&sb, &pb, least.b));
        assert!(on_a.abs() < 1e-8 && on_b.abs() < 1e-8, "{what}: {on_a} {on_b}");
        if least.gap > 0.0 {
            assert!((least.a.distance(least.b) - least.gap).abs() < 1e-8, "{what}");
        }
        unique_and_mirrored(a, b, margin, &found, &what);
    }
    assert!(apart > count / 20 && overlapping > count / 20, "{kinds:?}: {apart} {overlapping}");
}

fn unique_and_mirrored(a: (&Shape, &Pose), b: (&Shape, &Pose), margin: f64, found: &[ContactPoint], what: &str) {
    let mut features: Vec<Feature> = found.iter().map(|c| c.feature).collect();
    features.sort_unstable();
    features.dedup();
    assert_eq!(features.len(), found.len(), "{what}: {found:?}");
    let other = find(b, a, margin);
    assert_eq!(other.len(), found.len(), "{what}: {found:?} {other:?}");
    for c in &other {
        let c = c.swapped();
        let twin =
            found.iter().find(|d| d.feature == c.feature).unwrap_or_else(|| panic!("{what}: {found:?} {other:?}"));
        // Normals of rims come from a search that stops at half the digits.
        assert!(twin.a.distance(c.a) < 1e-6 && twin.b.distance(c.b) < 1e-6, "{what}: {twin:?} {c:?}");
        assert!(twin.normal.distance(c.normal) < 1e-6 && (twin.gap - c.gap).abs() < 1e-6, "{what}");
    }
    let gap = |list: &[ContactPoint]| deepest(list).map_or(0.0, |c| c.gap);
    assert!((gap(&other) - gap(found)).abs() < 1e-11, "{what}: {} {}", gap(&other), gap(found));
}

macro_rules! pairs {
    ($($name:ident: $a:expr, $b:expr;)*) => { $(#[test] fn $name() { check_pair(($a, $b), 400, 7); })* };
}

pairs! {
    sphere_sphere: 0, 0;
    sphere_box: 0, 1;
    sphere_capsule: 0, 2;
    sphere_cylinder: 0, 3;
    sphere_hull: 0, 4;
    box_box: 1, 1;
    box_capsule: 1, 2;
    box_cylinder: 1, 3;
    box_hull: 1, 4;
    capsule_capsule: 2, 2;
    capsule_cylinder: 2, 3;
    capsule_hull: 2, 4;
    cylinder_cylinder: 3, 3;
    cylinder_hull: 3, 4;
    hull_hull: 4, 4;
}
