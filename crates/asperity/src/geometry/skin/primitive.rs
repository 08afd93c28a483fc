//! Skins of round and flat primitives.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::{DVec2, DVec3};

use super::SkinMesh;

/// One point of a meridian: distance from the axis, height, the same of the normal, and v.
struct Ring {
    radius: f64,
    y: f64,
    normal: DVec2,
    v: f64,
}

/// A capsule; a sphere if its half length is zero.
pub(in crate::geometry) fn capsule(half_length: f64, radius: f64, slices: u32) -> SkinMesh {
    let rows = slices.div_ceil(4);
    let meridian = PI * radius + 2.0 * half_length;
    let mut rings = Vec::new();
    let mut cap = |centre: f64, from: f64, before: f64, skip: u32| {
        for i in skip..=rows {
            let along = f64::from(i) / f64::from(rows) * FRAC_PI_2;
            // The poles and the equator exactly, so that the surface closes.
            let latitude = from + along;
            let normal = match () {
                () if latitude <= -FRAC_PI_2 => DVec2::NEG_Y,
                () if latitude >= FRAC_PI_2 => DVec2::Y,
                () if latitude == 0.0 => DVec2::X,
                () => DVec2::new(latitude.cos(), latitude.sin()),
            };
            let v = ((before + radius * along) / meridian).min(1.0);
            rings.push(Ring { radius: radius * normal.x, y: centre + radius * normal.y, normal, v });
        }
    };
    cap(-half_length, -FRAC_PI_2, 0.0, 0);
    // A sphere's equator is one ring, a capsule's two.
    cap(half_length, 0.0, FRAC_PI_2 * radius + 2.0 * half_length, u32::from(half_length == 0.0));
    let mut skin = SkinMesh::default();
    revolve(&mut skin, &rings, slices);
    skin
}

/// A cylinder: the side and two discs.
pub(in crate::geometry) fn cylinder(half_length: f64, radius: f64, slices: u32) -> SkinMesh {
    let mut skin = SkinMesh::default();
    let side = |y: f64, v: f64| Ring { radius, y, normal: DVec2::X, v };
    revolve(&mut skin, &[side(-half_length, 0.0), side(half_length, 1.0)], slices);
    for normal in [DVec3::NEG_Y, DVec3::Y] {
        let height = normal * half_length;
        let bitangent = normal.cross(DVec3::X);
        let centre = skin.corner(height, normal, DVec2::splat(0.5), DVec3::X);
        for i in 0..slices {
            let outward = outward(i, slices);
            let uv = DVec2::splat(0.5) + 0.5 * DVec2::new(outward.x, outward.dot(bitangent));
            // The same products as on the side: equal corners must be equal to the last bit.
            skin.corner(DVec3::new(radius * outward.x, height.y, radius * outward.z), normal, uv, DVec3::X);
        }
        for i in 0..slices {
            let (a, b) = (centre + 1 + i, centre + 1 + (i + 1) % slices);
            skin.triangles.push(if normal.y > 0.0 { [centre, a, b] } else { [centre, b, a] });
        }
    }
    skin
}

/// The unit vector at longitude i of n: from +z to +x.
fn outward(i: u32, slices: u32) -> DVec3 {
    let angle = TAU * f64::from(i % slices) / f64::from(slices);
    DVec3::new(angle.sin(), 0.0, angle.cos())
}

/// Turns a meridian around the y axis. Rings without radius become one corner a slice.
fn revolve(skin: &mut SkinMesh, rings: &[Ring], slices: u32) {
    let mut rows = Vec::with_capacity(rings.len());
    for ring in rings {
        let pole = ring.radius == 0.0;
        let first = skin.positions.len() as u32;
        rows.push(first);
        for i in 0..=slices {
            let out = outward(i, slices);
            let position = DVec3::new(ring.radius * out.x, ring.y, ring.radius * out.z);
            let normal = DVec3::new(ring.normal.x * out.x, ring.normal.y, ring.normal.x * out.z);
            let u = (f64::from(i) + if pole { 0.5 } else { 0.0 }) / f64::from(slices);
            let angle = TAU * u;
            let tangent = DVec3::new(angle.cos(), 0.0, -angle.sin());
            skin.corner(position, normal, DVec2::new(u.min(1.0), ring.v), tangent);
        }
    }
    for (k, pair) in rows.windows(2).enumerate() {
        for i in 0..slices {
            let [a, b, c, d] = [pair[0] + i, pair[0] + i + 1, pair[1] + i + 1, pair[1] + i];
            if rings[k].radius == 0.0 {
                skin.triangles.push([a, c, d]);
            } else if rings[k + 1].radius == 0.0 {
                skin.triangles.push([a, b, d]);
            } else {
                skin.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
}

/// Six faces with n × n squares each.
pub(in crate::geometry) fn cuboid(half: DVec3, n: u32) -> SkinMesh {
    let mut skin = SkinMesh::default();
    for normal in [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z] {
        // Sides upright where there is an up.
        let up = if normal.y == 0.0 { DVec3::Y } else { DVec3::NEG_Z * normal.y };
        patch(&mut skin, normal, up.cross(normal), n, |uv| half * (normal + up.cross(normal) * uv.x + up * uv.y));
    }
    skin
}

/// A square in the plane through the origin.
pub(in crate::geometry) fn square(normal: DVec3, side: f64, n: u32) -> SkinMesh {
    let mut skin = SkinMesh::default();
    let (tangent, _) = normal.any_orthonormal_pair();
    let bitangent = normal.cross(tangent);
    patch(&mut skin, normal, tangent, n, |uv| (tangent * uv.x + bitangent * uv.y) * (0.5 * side));
    skin
}

/// n × n squares; `place` maps [−1, 1]² to positions.
fn patch(skin: &mut SkinMesh, normal: DVec3, tangent: DVec3, n: u32, place: impl Fn(DVec2) -> DVec3) {
    let first = skin.positions.len() as u32;
    for j in 0..=n {
        for i in 0..=n {
            // From the middle, so that corners that two faces share are equal to the last bit.
            let s = DVec2::new(2.0 * f64::from(i) - f64::from(n), 2.0 * f64::from(j) - f64::from(n)) / f64::from(n);
            skin.corner(place(s), normal, DVec2::new(f64::from(i), f64::from(j)) / f64::from(n), tangent);
        }
    }
    for j in 0..n {
        for i in 0..n {
            let a = first + j * (n + 1) + i;
            let (b, c, d) = (a + 1, a + n + 2, a + n + 1);
            skin.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
}
