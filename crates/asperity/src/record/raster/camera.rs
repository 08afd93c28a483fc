//! A perspective camera.
//!
//! View coordinates: x to the right, y up, z toward the viewer; the eye at the origin. The ray of the picture point (x, y),
//! in samples from the upper left, is d = ((x − w/2)/f, (h/2 − y)/f, −1) with f = (h/2)/tan(fov/2), so that a point s·d has
//! depth s.

use glam::{DMat3, DVec3};

use crate::record::RecordError;

/// Where a picture is taken from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Place of the camera.
    pub eye: DVec3,
    /// What it looks at.
    pub target: DVec3,
    /// What is up in the picture.
    pub up: DVec3,
    /// Vertical field of view in radians.
    pub fov: f64,
}

/// Rows of the picture that [`Camera::pixel`] is about.
const ROWS: f64 = 400.0;

impl Camera {
    /// Side of a pixel in a picture 400 pixels high, at the distance of what is looked at, m.
    pub(in crate::record) fn pixel(&self) -> f64 {
        2.0 * (self.eye - self.target).length() * (0.5 * self.fov).tan() / ROWS
    }

    /// Axes right, up, backward as columns: from view to world.
    pub(in crate::record) fn axes(&self) -> Result<DMat3, RecordError> {
        let refuse = |setting, value, reason| Err(RecordError::Setting { setting, value, reason });
        for (setting, v) in [("camera.eye", self.eye), ("camera.target", self.target), ("camera.up", self.up)] {
            if let Some(value) = v.to_array().into_iter().find(|c| !c.is_finite()) {
                return refuse(setting, value, "must be finite");
            }
        }
        if !(self.fov > 1e-3 && self.fov < 3.1) {
            return refuse("camera.fov", self.fov, "must be between 0.001 and 3.1 radians");
        }
        let Some(backward) = (self.eye - self.target).try_normalize() else {
            return refuse("camera.target", 0.0, "must be away from the eye");
        };
        Ok(axes_along(backward, self.up))
    }
}

/// Axes with the third one given and the second one as near to `up` as can be.
pub(super) fn axes_along(backward: DVec3, up: DVec3) -> DMat3 {
    // Looking along `up` there is nothing to go by, and any direction across will do.
    let right = up.cross(backward).try_normalize().unwrap_or_else(|| backward.any_orthonormal_vector());
    DMat3::from_cols(right, backward.cross(right), backward)
}

/// A camera in numbers for a grid of samples.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// Place of the camera in the world.
    pub(super) eye: DVec3,
    /// From view to world.
    pub(super) axes: DMat3,
    /// Half the size, in samples.
    pub(super) half: [f64; 2],
    /// f, in samples.
    pub(super) focal: f64,
    /// Nothing nearer than this is drawn.
    pub(super) near: f64,
}

impl View {
    pub(super) fn new(camera: &Camera, size: [usize; 2], near: f64) -> Result<Self, RecordError> {
        let half = size.map(|n| 0.5 * n as f64);
        let focal = half[1] / (0.5 * camera.fov).tan();
        Ok(Self { eye: camera.eye, axes: camera.axes()?, half, focal, near })
    }

    /// View coordinates of a world point.
    #[inline]
    pub(super) fn of_world(&self, x: DVec3) -> DVec3 {
        self.axes.transpose() * (x - self.eye)
    }

    /// Whether a ball can be in the picture.
    pub(super) fn sees(&self, middle: DVec3, radius: f64) -> bool {
        let p = self.of_world(middle);
        // The distance of p from a side plane |x| = k depth is (|x| − k depth)/√(1 + k²).
        let inside = |across: f64, half: f64| {
            let k = half / self.focal;
            across.abs() + k * p.z <= radius * (1.0 + k * k).sqrt()
        };
        p.z - radius <= -self.near && inside(p.x, self.half[0]) && inside(p.y, self.half[1])
    }

    /// The ray through a picture point, in view coordinates; its depth component is one.
    #[inline]
    pub(super) fn ray(&self, x: f64, y: f64) -> DVec3 {
        DVec3::new((x - self.half[0]) / self.focal, (self.half[1] - y) / self.focal, -1.0)
    }

    /// The picture point of a point in view coordinates, which must lie before the camera.
    #[inline]
    pub(super) fn project(&self, p: DVec3) -> [f64; 2] {
        let scale = self.focal / -p.z;
        [self.half[0] + scale * p.x, self.half[1] - scale * p.y]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAMERA: Camera =
        Camera { eye: DVec3::new(0.0, 0.0, 5.0), target: DVec3::ZERO, up: DVec3::Y, fov: std::f64::consts::FRAC_PI_2 };

    #[test]
    fn a_right_angle_of_view_shows_as_much_as_it_is_deep() {
        let view = View::new(&CAMERA, [200, 100], 0.1).unwrap();
        assert_eq!(view.project(view.of_world(DVec3::ZERO)), [100.0, 50.0]);
        let corner = view.project(view.of_world(DVec3::new(10.0, 5.0, 0.0)));
        assert!((corner[0] - 200.0).abs() < 1e-9 && corner[1].abs() < 1e-9, "{corner:?}");
    }

    #[test]
    fn balls_are_seen_as_soon_as_they_touch_the_picture() {
        let view = View::new(&CAMERA, [200, 100], 0.1).unwrap();
        // At depth 5 the picture reaches from −10 to 10 and from −5 to 5; the upper side plane leans by 45 degrees, the right one has slope 2.
        let sees = |x: f64, y: f64, z: f64, radius: f64| view.sees(DVec3::new(x, y, z), radius);
        assert!(sees(0.0, 0.0, 0.0, 0.1) && !sees(0.0, 0.0, 6.0, 0.5) && sees(0.0, 0.0, 6.0, 2.0));
        assert!(sees(0.0, 6.0, 0.0, 0.72) && !sees(0.0, 6.0, 0.0, 0.70), "1/√2 away");
        assert!(sees(-11.0, 0.0, 0.0, 0.46) && !sees(-11.0, 0.0, 0.0, 0.44), "1/√5 away");
    }

    #[test]
    fn rays_go_through_the_points_they_belong_to() {
        let camera = Camera { eye: DVec3::new(3.0, 2.0, -1.0), ..CAMERA };
        let view = View::new(&camera, [640, 360], 0.1).unwrap();
        let p = view.of_world(DVec3::new(0.3, -0.2, 0.4));
        let [x, y] = view.project(p);
        assert!((view.ray(x, y) * -p.z).abs_diff_eq(p, 1e-12));
    }

    #[test]
    fn cameras_without_a_direction_are_refused() {
        assert!(Camera { target: CAMERA.eye, ..CAMERA }.axes().is_err());
        assert!(Camera { fov: 0.0, ..CAMERA }.axes().is_err());
        assert!(Camera { up: DVec3::NAN, ..CAMERA }.axes().is_err());
        let down = Camera { eye: DVec3::Y, ..CAMERA }.axes().unwrap();
        assert!((down.determinant() - 1.0).abs() < 1e-12, "looking straight down is fine");
    }
}
