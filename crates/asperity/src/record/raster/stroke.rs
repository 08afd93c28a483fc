//! Lines on surfaces: as wide in pixels everywhere, and a little nearer than they are, so that surfaces do not swallow them.

use glam::DVec3;

use super::camera::View;
use super::fill::{Layer, Planes};

/// Fills a line between two points in view coordinates, `width` samples wide, moved toward the eye by `lift`.
pub(super) fn stroke(ends: [DVec3; 2], width: f64, lift: f64, number: u32, view: &View, layer: &mut Layer) {
    let Some([a, b]) = beyond_near(ends, view.near) else { return };
    let (p, q) = (view.project(a), view.project(b));
    let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
    let length = dx.hypot(dy);
    if !(length > 0.0 && length.is_finite()) {
        return;
    }
    let (ox, oy) = (-0.5 * width * dy / length, 0.5 * width * dx / length);
    let nearness = |p: DVec3| 1.0 / (-p.z - lift).max(view.near);
    let (near_a, near_b) = (nearness(a), nearness(b));
    let corners = [[p[0] + ox, p[1] + oy], [p[0] - ox, p[1] - oy], [q[0] + ox, q[1] + oy], [q[0] - ox, q[1] - oy]];
    for [i, j, k] in [[0, 1, 2], [1, 3, 2]] {
        let near = |c: usize| if c < 2 { near_a } else { near_b };
        let planes = Planes::flat([corners[i], corners[j], corners[k]], [near(i), near(j), near(k)], layer.size());
        if let Some(planes) = planes {
            layer.fill(&planes, number, f32::INFINITY);
        }
    }
}

/// The part of a line that lies beyond the near plane.
fn beyond_near([a, b]: [DVec3; 2], near: f64) -> Option<[DVec3; 2]> {
    let cut = |from: DVec3, to: DVec3| from.lerp(to, (-near - from.z) / (to.z - from.z)).with_z(-near);
    match (-a.z >= near, -b.z >= near) {
        (true, true) => Some([a, b]),
        (true, false) => Some([a, cut(a, b)]),
        (false, true) => Some([cut(a, b), b]),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::camera::Camera;
    use super::super::fill::NOTHING;
    use super::*;

    #[test]
    fn a_line_is_as_wide_as_asked_and_ends_at_the_near_plane() {
        let camera = Camera { eye: DVec3::ZERO, target: -DVec3::Z, up: DVec3::Y, fov: 1.0 };
        let size = [60, 40];
        let view = View::new(&camera, size, 0.1).unwrap();
        let mut layer = Layer::default();
        layer.clear(size, 0.0);
        stroke([DVec3::new(-9.0, 0.0, -2.0), DVec3::new(9.0, 0.0, -2.0)], 4.0, 0.0, 3, &view, &mut layer);
        let column: Vec<usize> = (0..40).filter(|&row| layer.numbers(row)[30] == 3).collect();
        assert_eq!(column, [18, 19, 20, 21]);
        assert!((layer.nearness(19)[30] - 0.5).abs() < 1e-6);

        layer.clear(size, 0.0);
        stroke([DVec3::new(0.0, -1.0, -3.0), DVec3::new(0.0, -1.0, 3.0)], 2.0, 0.0, 3, &view, &mut layer);
        assert_eq!(layer.numbers(39)[30], 3, "down to the lower edge");
        assert_eq!(layer.numbers(10)[30], NOTHING);
        stroke([DVec3::Z, DVec3::X + DVec3::Z], 2.0, 0.0, 3, &view, &mut layer);
        stroke([DVec3::NAN, DVec3::ZERO], 2.0, 0.0, 3, &view, &mut layer);
    }
}
