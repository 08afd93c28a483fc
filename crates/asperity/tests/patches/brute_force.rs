//! Against an evaluation that shares nothing with the sampler: every point of a fine grid meets every triangle, and a formula is the map.

use std::f64::consts::TAU;

use asperity::geometry::{Cuboid, SkinMesh};

use super::*;

/// Slopes of a map as a function of the texture coordinates.
fn relief(uv: DVec2) -> DVec2 {
    DVec2::new(0.4 * (TAU * 12.0 * uv.x).sin(), 0.3 * (TAU * (8.0 * uv.x + 4.0 * uv.y)).cos() + 0.1)
}

fn baked(n: u32) -> FacetMap {
    let texel = |k: u32| {
        let (i, j) = (f64::from(k % n), f64::from(k / n));
        relief(DVec2::new((i + 0.5) / f64::from(n), 1.0 - (j + 0.5) / f64::from(n)))
    };
    FacetMap::from_slopes(n, n, &(0..n * n).map(texel).collect::<Vec<_>>()).unwrap()
}

/// The outermost triangle on the line through a point along `outward` (unit), within `reach` of the point: slope of its facet in the frame.
/// Everything in the world.
fn facet(
    skin: &SkinMesh,
    pose: &Pose,
    point: DVec3,
    outward: DVec3,
    reach: f64,
    frame: &ContactFrame,
) -> Option<DVec2> {
    let mut best: Option<(f64, DVec2)> = None;
    for triangle in &skin.triangles {
        let corners = triangle.map(|i| i as usize);
        let [a, b, c] = corners.map(|i| pose.apply(skin.positions[i]));
        // point + s outward = a + β (b − a) + γ (c − a), by Cramer's rule.
        let (e1, e2) = (b - a, c - a);
        let det = e1.cross(e2).dot(outward);
        if det <= 1e-14 {
            continue;
        }
        let r = point - a;
        let beta = r.cross(e2).dot(outward) / det;
        let gamma = e1.cross(r).dot(outward) / det;
        let s = -e1.cross(e2).dot(r) / det;
        if beta < 0.0 || gamma < 0.0 || beta + gamma > 1.0 || s.abs() > reach || best.is_some_and(|(most, _)| s <= most)
        {
            continue;
        }
        let w = [1.0 - beta - gamma, beta, gamma];
        let mix = |list: &[DVec3]| corners.iter().zip(w).map(|(&i, w)| list[i] * w).sum::<DVec3>();
        let n = mix(&skin.normals).normalize();
        let t = mix(&skin.tangents);
        let t = (t - n * t.dot(n)).normalize();
        let uv: DVec2 = corners.iter().zip(w).map(|(&i, w)| skin.uvs[i] * w).sum();
        let p = relief(uv);
        let m = pose.rotation * (n + t * p.x + n.cross(t) * p.y);
        best = Some((s, frame.to_plane(m) / m.dot(outward)));
    }
    best.map(|(_, p)| p)
}

struct Case {
    shape: Shape,
    upper: Shape,
    pose: Pose,
    point: DVec3,
    normal: DVec3,
}

/// A sheet with bumps, turned, under the corner of a plate that covers a part of the window, and flat on it.
fn cases() -> Vec<Case> {
    let rotation = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -0.4);
    let position = DVec3::new(0.3, -0.2, 0.5);
    let pose = Pose { position, rotation };
    let mut all = Vec::new();
    for (bump, cells) in [(0.0, 1), (0.0, 9), (0.02, 40)] {
        for plate in [2.0, 0.1] {
            let shape = sheet(cells, bump);
            // A point of the sheet, and the plane there.
            let (u, v) = (0.412, 0.377);
            let skin = shape.skin(3);
            let local = DVec3::new(u - 0.5, 10.0, 0.5 - v);
            let probe = ContactFrame::from_normal(DVec3::Y).unwrap();
            assert!(facet(&skin, &Pose::IDENTITY, local - DVec3::Y * 10.0, DVec3::Y, 1.0, &probe).is_some());
            let height = bump * (7.0 * u).sin() * (5.0 * v).cos();
            let point = pose.apply(DVec3::new(local.x, height, local.z));
            let upper = Shape::cuboid(DVec3::new(plate, 0.05, plate)).unwrap();
            all.push(Case { shape, upper, pose, point, normal: rotation * DVec3::Y });
        }
    }
    all
}

#[test]
fn patches_agree_with_brute_force() {
    let map = baked(1024);
    for (number, case) in cases().iter().enumerate() {
        let Case { shape, upper, pose, point, normal } = case;
        // The plate lies with a corner near the point.
        let half = if let Shape::Box(Cuboid { half }) = upper { *half } else { unreachable!() };
        let reach = DVec3::new(half.x - 0.005, half.y, half.z - 0.007);
        let on_plate = |x: DVec3| {
            let local = pose.rotation.conjugate() * (x - *point) + reach;
            local.x.abs() <= half.x && local.z.abs() <= half.z
        };
        let plate = Side::new(
            upper,
            None,
            Pose { position: *point - pose.rotation * DVec3::new(reach.x, -half.y, reach.z), ..*pose },
        );
        let sheet = Side::new(shape, Some(map.clone()), *pose);
        let window = PatchWindow { width: 0.04, resolution: 16 };
        let found = slopes(&plate, &sheet, *point, *normal, window);
        let frame = ContactFrame::from_normal(*normal).unwrap();
        let skin = shape.skin(3);
        // The grid's axes as the documentation has them.
        let line = if normal.to_array().into_iter().max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap() < 0.0 {
            -*normal
        } else {
            *normal
        };
        let x = (DVec3::X - line * line.x).normalize();
        let y = line.cross(x);
        let grid = |n: usize| {
            let mut all = Vec::new();
            for k in 0..n * n {
                let [i, j] = [k % n, k / n].map(|i| ((i as f64 + 0.5) / n as f64 - 0.5) * window.width);
                let at = *point + x * i + y * j;
                if on_plate(at) {
                    all.extend(facet(&skin, pose, at, *normal, 0.005 * window.width, &frame));
                }
            }
            all
        };
        // The same points: bilinear texels are (2π 12/1024)²/8 of the amplitude off.
        let same = grid(16);
        assert_eq!(found[1].len(), same.len(), "case {number}");
        assert!(same.len() > 20, "case {number}: {}", same.len());
        for (p, q) in found[1].iter().zip(&same) {
            assert!(p.distance(*q) < 1e-3, "case {number}: {p} {q}");
        }
        // Directional averages against a grid 12 times as fine: within what the pixels of the boundary and the waves can make.
        let fine = grid(192);
        let mean =
            |slopes: &[DVec2], d: DVec2| slopes.iter().map(|p| p.dot(d).max(0.0)).sum::<f64>() / slopes.len() as f64;
        for k in 0..16 {
            let d = DVec2::from_angle(TAU * f64::from(k) / 16.0);
            let (coarse, exact) = (mean(&found[1], d), mean(&fine, d));
            assert!((coarse - exact).abs() < 0.03, "case {number}, direction {k}: {coarse} {exact}");
        }
    }
}
