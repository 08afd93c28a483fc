//! Structure directions as short lines on a skin, for pictures and exports.
//!
//! Every line stands for the same area a: triangles that are larger are cut into k² alike ones, with k the whole number that fits best;
//! of smaller ones, one in so many that their areas add up to a has a line.

use asperity_friction::FrictionError;
use glam::DVec3;

use crate::body::Surface;
use crate::geometry::SkinMesh;

/// Length of a line, as a fraction of the square root of the area that it stands for.
const LENGTH: f64 = 0.7;
/// Height above the skin, as a fraction of its length.
const ABOVE: f64 = 0.03;

/// Lines of a structure field on a skin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StructureLines {
    /// Their ends.
    pub lines: Vec<[DVec3; 2]>,
    /// The triangle of the skin that each lies on.
    pub triangles: Vec<u32>,
    /// The first place at which the field has no value, and why.
    pub refused: Option<(DVec3, FrictionError)>,
}

/// About `count` lines on a skin, as the field is at a time; none where there is no direction in the surface, or no value.
pub fn structure_lines(surface: &Surface, skin: &SkinMesh, time: f64, count: usize) -> StructureLines {
    if surface.structure.is_none() || skin.triangles.is_empty() {
        return StructureLines::default();
    }
    let each = skin.area() / count.max(1) as f64;
    let length = LENGTH * each.sqrt();
    let (mut found, mut due) = (StructureLines::default(), 0.5 * each);
    for (number, triangle) in skin.triangles.iter().enumerate() {
        let [a, b, c] = triangle.map(|i| skin.positions[i as usize]);
        let across = (b - a).cross(c - a);
        let (area, normal) = (0.5 * across.length(), across.normalize_or_zero());
        let mut add = |middle: DVec3| {
            let at = surface.point(middle, normal);
            let direction = match surface.structure_at(&at, time) {
                Ok(direction) => direction,
                Err(error) => {
                    found.refused.get_or_insert((middle, error));
                    return;
                }
            };
            let along = (direction - normal * direction.dot(normal)).normalize_or_zero();
            if along != DVec3::ZERO {
                let middle = middle + normal * (ABOVE * length);
                found.lines.push([middle - along * (0.5 * length), middle + along * (0.5 * length)]);
                found.triangles.push(number as u32);
            }
        };
        if area <= each {
            due += area;
            if due >= each {
                due -= each;
                add((a + b + c) / 3.0);
            }
            continue;
        }
        let k = (area / each).sqrt().round().clamp(1.0, 1000.0) as u32;
        let at = |i: f64, j: f64| a + ((b - a) * i + (c - a) * j) / f64::from(k);
        for i in 0..k {
            for j in 0..k - i {
                let (i, j) = (f64::from(i), f64::from(j));
                add(at(i + 1.0 / 3.0, j + 1.0 / 3.0));
                // The part that stands on its tip, between this one and the next.
                if i + j + 2.0 <= f64::from(k) {
                    add(at(i + 2.0 / 3.0, j + 2.0 / 3.0));
                }
            }
        }
    }
    found
}
