use glam::DVec3;

use super::Draw;
use crate::geometry::{Aabb, BroadPhase, Proxy};

#[test]
fn sweep_finds_what_comparing_all_finds() {
    let mut draw = Draw(31);
    let mut broad = BroadPhase::new();
    let mut proxies: Vec<Proxy> = (0..200)
        .map(|i| {
            let half = draw.direction().abs() * 0.3;
            let aabb = if i % 67 == 3 { Aabb::ALL } else { Aabb::around(draw.vector(3.0), half) };
            Proxy { aabb, fixed: i % 5 == 0 || i % 67 == 3 }
        })
        .collect();
    let mut total = 0;
    for step in 0..30 {
        if step == 20 {
            proxies.truncate(120);
        }
        for proxy in &mut proxies {
            let shift = draw.vector(0.1);
            proxy.aabb = Aabb { min: proxy.aabb.min + shift, max: proxy.aabb.max + shift };
        }
        let mut expected = Vec::new();
        for i in 0..proxies.len() {
            for j in i + 1..proxies.len() {
                let (a, b) = (&proxies[i], &proxies[j]);
                let distance = (a.aabb.min - b.aabb.max).max(b.aabb.min - a.aabb.max).max_element();
                if distance <= 0.05 && !(a.fixed && b.fixed) {
                    expected.push((i as u32, j as u32));
                }
            }
        }
        assert_eq!(broad.pairs(&proxies, 0.05), expected);
        assert_eq!(BroadPhase::new().pairs(&proxies, 0.05), expected);
        total += expected.len();
    }
    assert!(total > 1000);
    assert!(broad.pairs(&[], 0.1).is_empty());
    let nan = Proxy { aabb: Aabb { min: DVec3::NAN, max: DVec3::NAN }, fixed: false };
    assert!(broad.pairs(&[nan, nan], 0.1).is_empty());
}
