//! Which body is A, how many threads there are and in which order contacts come changes nothing.

use asperity::patch::{Filter, PatchStore, WantedPatch};

use super::*;

fn rough(seed: u64, n: u32) -> FacetMap {
    let mut random = Random(seed);
    let texels: Vec<DVec2> = (0..n * n).map(|_| DVec2::new(random.normal() + 0.2, 0.4 * random.normal())).collect();
    FacetMap::from_slopes(n, n, &texels).unwrap().tiled(DVec2::splat(3.0)).unwrap()
}

#[test]
fn swapping_the_bodies_changes_nothing() {
    let mut random = Random(11);
    let shapes = [
        Shape::cuboid(DVec3::new(0.1, 0.2, 0.15)).unwrap(),
        sheet(12, 0.03),
        Shape::sphere(0.2).unwrap(),
        Shape::cylinder(0.2, 0.1).unwrap(),
        Shape::capsule(0.2, 0.1).unwrap(),
    ];
    for round in 0..60 {
        let pick = |k: usize| &shapes[k % shapes.len()];
        let (first, second) = (pick(round), pick(round / 5 + 1));
        let place = |random: &mut Random, shape: &Shape, outward: DVec3| {
            // Turned at random, with the point of the skin that faces along `outward` at the origin, nearly.
            let rotation = DQuat::from_axis_angle(random.direction(), 3.0 * random.uniform());
            let skin = SkinLookup::new(shape);
            let local = rotation.conjugate() * outward;
            let at = skin.at(local * 0.15, local);
            let turn = DQuat::from_rotation_arc(rotation * at.normal, outward);
            let rotation = turn * rotation;
            Pose { position: -(rotation * at.position), rotation }
        };
        let n = random.direction();
        let a = Side::new(first, Some(rough(5, 64)), place(&mut random, first, -n));
        let b = Side::new(second, Some(rough(6, 32)), place(&mut random, second, n));
        let window = PatchWindow { width: 0.03, resolution: 16 };
        let one = slopes(&a, &b, DVec3::ZERO, n, window);
        let two = slopes(&b, &a, DVec3::ZERO, -n, window);
        assert_eq!(one[0].len(), two[1].len());
        for _ in 0..8 {
            let d = random.direction().reject_from(n).normalize();
            let (force, swapped) = (mu(&one, n, d), mu(&two, -n, -d));
            assert!((force - swapped).abs() < 1e-11 * (1.0 + force), "round {round}: {force} {swapped}");
        }
    }
}

#[test]
fn threads_change_no_byte() {
    let (a, b) = (
        Side::new(&Shape::cuboid(DVec3::splat(0.5)).unwrap(), Some(rough(1, 128)), at(0.0, 0.5, 0.0)),
        Side::new(&sheet(30, 0.0), Some(rough(2, 128)), Pose::IDENTITY),
    );
    let frame = ContactFrame::from_normal(DVec3::Y).unwrap();
    let contact = |k: usize| {
        let point = DVec3::new(0.9 * (k as f64 * 0.618).fract() - 0.45, 0.0, 0.9 * (k as f64 * 0.414).fract() - 0.45);
        let contact = PatchContact { point, frame, gap: 0.0, a: a.side(), b: b.side() };
        (k % 7 != 3).then_some(WantedPatch { window: PatchWindow::default(), contact })
    };
    let bytes = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut store = PatchStore::default();
        // Storage of an earlier, larger step is left over.
        pool.install(|| store.fill(200, contact));
        pool.install(|| store.fill(131, contact));
        let slopes = (0..131).filter_map(|k| store.slopes(k)).flatten().flat_map(PatchSlopes::iter);
        let all = slopes.flat_map(|p| [p.x.to_bits(), p.y.to_bits()]);
        all.collect::<Vec<u64>>()
    };
    let one = bytes(1);
    assert!(one.len() > 131 * 256);
    for threads in [2, 3, 8] {
        assert!(bytes(threads) == one, "{threads} threads");
    }
    let mut store = PatchStore::default();
    store.fill(10, contact);
    assert!(store.slopes(3).is_none(), "a contact without a patch");
}

/// Slopes are kept where nothing has changed, and only there: each part of a contact in turn is changed, the least that can be.
#[test]
fn what_stays_is_kept_and_what_changes_is_not() {
    let body =
        |map: u64, x: f64| Side::new(&Shape::cuboid(DVec3::splat(0.5)).unwrap(), Some(rough(map, 64)), at(x, 0.5, 0.0));
    let ground = Side::new(&plane(), Some(rough(2, 64)), Pose::IDENTITY);
    let (first, moved, repainted) = (body(1, 0.0), body(1, 1e-300), body(7, 0.0));
    let mut same_shape = body(1, 0.0);
    same_shape.skin = first.skin.clone();
    let frame = ContactFrame::from_normal(DVec3::Y).unwrap();
    let contact =
        |a: &'static str, point: DVec3, gap: f64, width: f64| (a, point, gap, PatchWindow { width, resolution: 16 });
    let point = DVec3::new(0.1, 0.0, -0.2);
    let steps = [
        (contact("first", point, 0.0, 0.02), false),
        (contact("first", point, 0.0, 0.02), true),
        (contact("moved", point, 0.0, 0.02), false),
        (contact("first", point, 0.0, 0.02), false),
        (contact("first", point, -0.0, 0.02), false),
        (contact("first", point + DVec3::X * 1e-16, -0.0, 0.02), false),
        (contact("first", point + DVec3::X * 1e-16, -0.0, 0.02), true),
        (contact("first", point + DVec3::X * 1e-16, -0.0, 0.03), false),
        (contact("repainted", point, 0.0, 0.03), false),
        // The same texels, but another map: nobody has to look.
        (contact("first", point, 0.0, 0.03), false),
        (contact("same_shape", point, 0.0, 0.03), false),
    ];
    let mut store = PatchStore::default();
    for (k, ((name, point, gap, window), kept)) in steps.into_iter().enumerate() {
        let a = match name {
            "first" => &first,
            "moved" => &moved,
            "repainted" => &repainted,
            _ => &same_shape,
        };
        let contact = PatchContact { point, frame, gap, a: a.side(), b: ground.side() };
        let made = |_| Some(WantedPatch { window, contact });
        store.fill(1, made);
        assert_eq!(store.is_same(0), kept, "step {k}");
        let mut fresh = PatchStore::default();
        fresh.fill(1, made);
        assert!(!fresh.is_same(0) && store.slopes(0) == fresh.slopes(0), "step {k}");
    }
    store.fill(1, |_| None);
    assert!(!store.is_same(0) && store.slopes(0).is_none());
}

/// The cache goes by the content of a map, not by where it is: a map that is changed in place is sampled again.
#[test]
fn a_map_that_is_changed_in_place_is_sampled_again() {
    let slopes: Vec<DVec2> = (0..16).map(|k| DVec2::new(0.1 * f64::from(k), 0.05 * f64::from(k % 3))).collect();
    let map = FacetMap::from_slopes(4, 4, &slopes).unwrap().tiled(DVec2::splat(37.0)).unwrap();
    let mut upper = Side::new(&Shape::cuboid(DVec3::splat(0.1)).unwrap(), Some(map), at(0.0, 0.1, 0.0));
    let ground = Side::new(&plane(), None, Pose::IDENTITY);
    let frame = ContactFrame::from_normal(DVec3::Y).unwrap();
    let window = PatchWindow { width: 0.05, resolution: 16 };
    let mut store = PatchStore::default();
    let mut fill = |upper: &Side| {
        let contact = PatchContact { point: DVec3::ZERO, frame, gap: 0.0, a: upper.side(), b: ground.side() };
        store.fill(1, |_| Some(WantedPatch { window, contact }));
        (store.is_same(0), store.slopes(0).cloned())
    };
    let (_, smooth) = fill(&upper);
    assert!(fill(&upper).0);
    let place = Arc::as_ptr(upper.map.as_ref().unwrap());
    Arc::get_mut(upper.map.as_mut().unwrap()).unwrap().set_filter(Filter::Nearest);
    assert_eq!(Arc::as_ptr(upper.map.as_ref().unwrap()), place);
    let (same, sharp) = fill(&upper);
    assert!(!same && sharp != smooth);
}
