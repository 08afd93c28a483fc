//! The search for pairs against all pairs, and what it costs.

use asperity::geometry::proximity::PairKind;
use asperity::geometry::surface::{Crossings, Pair, SurfaceParts, SurfaceSet};
use glam::DVec3;

use crate::random::Random;

/// A square sheet of n × n cells and this side, its vertices where `place` puts them.
pub(crate) fn sheet(n: u32, side: f64, offset: f64) -> SurfaceParts {
    let place = |i: u32, j: u32| DVec3::new(f64::from(i), 0.0, f64::from(j)) * (side / f64::from(n));
    let rest = (0..=n).flat_map(|i| (0..=n).map(move |j| place(i, j))).collect();
    let corner = |i: u32, j: u32| i * (n + 1) + j;
    let cell = |i: u32, j: u32| {
        let [a, b, c, d] = [corner(i, j), corner(i, j + 1), corner(i + 1, j), corner(i + 1, j + 1)];
        [[a, b, c], [c, b, d]]
    };
    let triangles = (0..n).flat_map(|i| (0..n).flat_map(move |j| cell(i, j))).collect();
    SurfaceParts { rest, triangles, offset, held: vec![false; ((n + 1) * (n + 1)) as usize], rigid: false }
}

/// All pairs of elements that share no vertex, with their distances.
fn brute_force(triangles: &[[u32; 3]], at: &[DVec3]) -> Vec<(PairKind, [u32; 4], f64)> {
    let mut vertices: Vec<u32> = triangles.iter().flatten().copied().collect();
    vertices.sort_unstable();
    vertices.dedup();
    let mut edges: Vec<[u32; 2]> = triangles
        .iter()
        .flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]].map(|[a, b]| [a.min(b), a.max(b)]))
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let mut all = Vec::new();
    let mut add = |kind: PairKind, vertices: [u32; 4]| {
        all.push((kind, vertices, kind.closest(&vertices.map(|i| at[i as usize])).distance()));
    };
    for v in vertices {
        let apart = triangles.iter().filter(|corners| !corners.contains(&v));
        apart.for_each(|[a, b, c]| add(PairKind::VertexTriangle, [v, *a, *b, *c]));
    }
    for (i, [a, b]) in edges.iter().enumerate() {
        let apart = edges[i + 1..].iter().filter(|[c, d]| a != c && a != d && b != c && b != d);
        apart.for_each(|[c, d]| add(PairKind::EdgeEdge, [*a, *b, *c, *d]));
    }
    all
}

/// Two crumpled sheets.
fn crumpled(seed: u64) -> (SurfaceSet, Vec<DVec3>) {
    let mut random = Random(seed);
    let parts = [sheet(6, 1.0, 0.0), sheet(5, 1.0, 0.0)];
    let set = SurfaceSet::new(&parts);
    let positions = parts.iter().flat_map(|part| &part.rest).map(|x| *x * 0.5 + random.vector(0.15)).collect();
    (set, positions)
}

#[test]
fn a_search_finds_the_pairs_that_all_pairs_have() {
    for seed in 0..20 {
        let (mut set, positions) = crumpled(seed);
        set.update(&positions);
        let margin = 0.03;
        let near: Vec<_> = brute_force(set.triangles(), &positions).into_iter().filter(|own| own.2 <= margin).collect();
        let found = set.pairs(margin).to_vec();
        assert!(found.len() > 20, "{}", found.len());
        assert!(found.is_sorted_by_key(|pair| (pair.kind, pair.vertices)));
        for pair in &found {
            let same = |own: &&(PairKind, [u32; 4], f64)| (own.0, own.1) == (pair.kind, pair.vertices);
            let own = near.iter().find(same).unwrap_or_else(|| panic!("{pair:?} is no pair"));
            assert_eq!(own.2, pair.distance);
            let way = pair.blend(|i| positions[i as usize]);
            assert!((way - pair.normal * pair.distance).length() < 1e-12);
        }
        // Every pair is there, or another one with the same nearest points.
        let place = |pair: &Pair| pair.blend(|i| positions[i as usize]);
        for (kind, vertices, distance) in &near {
            let points = vertices.map(|i| positions[i as usize]);
            let way = kind.closest(&points).way;
            let has = |pair: &Pair| {
                let own = place(pair);
                (pair.distance - distance).abs() < 1e-12 && ((own - way).length() < 1e-9 || (own + way).length() < 1e-9)
            };
            assert!(found.iter().any(has), "{kind:?} {vertices:?} at {distance} is not found");
        }
    }
}

#[test]
fn a_sweep_finds_all_impacts_of_all_pairs() {
    let mut impacts = 0;
    for seed in 0..20 {
        let (mut set, from) = crumpled(seed);
        let mut random = Random(100 + seed);
        let common = random.vector(5.0);
        let to: Vec<DVec3> = from.iter().map(|x| *x + common + random.vector(0.05)).collect();
        set.update(&from);
        let found = set.sweep(&to, 1e-3).to_vec();
        assert!(found.is_sorted_by_key(|own| (own.pair.kind, own.pair.vertices)));
        for (kind, vertices, _) in brute_force(set.triangles(), &from) {
            let motion = asperity::geometry::ccd::Motion {
                from: vertices.map(|i| from[i as usize]),
                to: vertices.map(|i| to[i as usize] - common),
            };
            let own = asperity::geometry::ccd::impact(kind, &motion, 1e-3);
            let has = found.iter().find(|own| (own.pair.kind, own.pair.vertices) == (kind, vertices));
            // Rounding may tell apart what just touches.
            if let Some(own) = own.filter(|own| own.time < 0.999) {
                let has = has.unwrap_or_else(|| panic!("{kind:?} {vertices:?} is missed"));
                assert!((has.time - own.time).abs() < 1e-6);
                impacts += 1;
            }
        }
    }
    assert!(impacts > 100, "{impacts}");
}

#[test]
fn a_list_that_is_kept_over_many_small_moves_changes_no_pair() {
    let (mut kept, mut positions) = crumpled(3);
    let mut random = Random(9);
    let (mut pairs, mut impacts) = (0, 0);
    for _ in 0..60 {
        let common = random.vector(0.5);
        let to: Vec<DVec3> = positions.iter().map(|x| *x + common + random.vector(0.004)).collect();
        let parts = [sheet(6, 1.0, 0.0), sheet(5, 1.0, 0.0)];
        let mut fresh = SurfaceSet::new(&parts);
        fresh.update(&positions);
        // The list of a set that was just made is not used: it has none.
        let expected = fresh.sweep(&to, 1e-4).to_vec();
        kept.update(&positions);
        let near = kept.pairs(0.01).to_vec();
        assert_eq!(near, fresh.pairs(0.01));
        assert_eq!(kept.sweep(&to, 1e-4), expected);
        (pairs, impacts) = (pairs + near.len(), impacts + expected.len());
        positions = to;
    }
    assert!(pairs > 1000 && impacts > 50, "{pairs} {impacts}");
}

#[test]
fn threads_change_no_pair() {
    let parts = [sheet(40, 1.0, 0.001), sheet(40, 1.0, 0.002)];
    let mut random = Random(7);
    let positions: Vec<DVec3> = parts.iter().flat_map(|part| &part.rest).map(|x| *x + random.vector(0.02)).collect();
    let pairs = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut set = SurfaceSet::new(&parts);
            set.update(&positions);
            set.pairs(0.005).to_vec()
        })
    };
    let one = pairs(1);
    assert!(one.len() > 1000);
    assert_eq!(one, pairs(2));
    assert_eq!(one, pairs(5));
}

#[test]
fn elements_that_are_neighbours_at_rest_do_not_push_each_other_apart() {
    // A sheet that is thicker than its triangles are large, at rest.
    let mut set = SurfaceSet::new(&[sheet(10, 0.1, 0.01)]);
    assert!(set.pairs(0.0).is_empty());
    // Two of them, one above the other by less than the two offsets.
    let mut set = SurfaceSet::new(&[sheet(10, 0.1, 0.01), sheet(10, 0.1, 0.01)]);
    let shift = |(i, x): (usize, DVec3)| if i < 121 { x } else { x + DVec3::new(1e-3, 0.015, 1e-3) };
    let positions: Vec<DVec3> = set.positions().iter().copied().enumerate().map(shift).collect();
    set.update(&positions);
    let gaps: Vec<f64> = set.pairs(0.0).iter().map(|pair| pair.gap).collect();
    assert!(!gaps.is_empty() && gaps.iter().all(|gap| (gap + 0.005).abs() < 1e-12 || *gap > -0.005), "{gaps:?}");
}

#[test]
fn sheets_that_do_not_touch_do_not_cross_and_those_that_do_are_named() {
    let parts = [sheet(12, 1.0, 0.0), sheet(9, 1.0, 0.0)];
    let set = SurfaceSet::new(&parts);
    let crossings = Crossings::new(set.triangles());
    let above = |lift: f64| -> Vec<DVec3> {
        let move_up = |(i, x): (usize, &DVec3)| if i < 169 { *x } else { *x + DVec3::new(0.01, lift, 0.02) };
        set.positions().iter().enumerate().map(move_up).collect()
    };
    assert_eq!(crossings.find(&above(1e-300), 10), []);
    assert_eq!(crossings.find(&above(0.0), 10).len(), 10);
    // One vertex of the upper sheet is pulled through the lower one.
    let mut pulled = above(0.1);
    let vertex = 169 + 5 * 10 + 5;
    pulled[vertex].y = -0.1;
    let found = crossings.find(&pulled, 1000);
    let touches = |triangle: u32| set.triangles()[triangle as usize].contains(&(vertex as u32));
    let own = |crossing: &asperity::geometry::surface::Crossing| {
        crossing.edge.contains(&(vertex as u32)) || touches(crossing.triangle)
    };
    assert!(found.len() >= 6 && found.iter().all(own), "{found:?}");
}

#[test]
#[ignore = "a measurement: prints how long a search takes"]
fn a_search_of_fourteen_thousand_faces_takes_a_few_milliseconds() {
    for n in [22, 84, 224] {
        let parts = [sheet(n, 2.5, 0.0005)];
        let mut random = Random(8);
        let fold = |x: &DVec3| DVec3::new(x.x, 0.05 * (x.x * 9.0).sin() * (x.z * 7.0).cos(), x.z);
        let positions: Vec<DVec3> = parts[0].rest.iter().map(|x| fold(x) + random.vector(1e-4)).collect();
        let to: Vec<DVec3> = positions.iter().map(|x| *x - 0.01 * DVec3::Y + random.vector(1e-4)).collect();
        let mut set = SurfaceSet::new(&parts);
        for round in 0..3 {
            let began = std::time::Instant::now();
            set.update(&positions);
            let pairs = set.pairs(0.002).len();
            let near = began.elapsed();
            let began = std::time::Instant::now();
            let impacts = set.sweep(&to, 1e-5).len();
            println!(
                "{} faces, round {round}: {pairs} pairs in {near:?}, {impacts} impacts in {:?}",
                2 * n * n,
                began.elapsed()
            );
        }
        let began = std::time::Instant::now();
        let crossings = Crossings::new(set.triangles()).find(&positions, 10);
        println!("{} crossings in {:?}", crossings.len(), began.elapsed());
        assert!(crossings.is_empty());
    }
}
