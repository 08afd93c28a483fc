//! The pixels of a patch, in the coordinates of one of the bodies.

use asperity_friction::ContactFrame;
use glam::{DVec2, DVec3};

use crate::geometry::{Aabb, Pose};

/// The axes x and y of the grid: the same for a normal and its opposite.
pub(super) fn axes(frame: &ContactFrame) -> [DVec3; 2] {
    let (n, x) = (frame.normal(), frame.along_world());
    let size = n.abs();
    let largest = if size.x >= size.y && size.x >= size.z {
        n.x
    } else if size.y >= size.z {
        n.y
    } else {
        n.z
    };
    let line = if largest < 0.0 { -n } else { n };
    [x, line.cross(x)]
}

/// A function c + x i + y j of the pixel (i, j).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Linear {
    pub(super) c: f64,
    pub(super) x: f64,
    pub(super) y: f64,
}

impl Linear {
    #[inline]
    pub(super) fn at(&self, i: f64, j: f64) -> f64 {
        self.c + self.x * i + self.y * j
    }
}

/// The grid as a surface sees it. All vectors are in the coordinates of a piece of the surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// Centre of pixel (0, 0).
    pub(super) first: DVec3,
    /// From pixel to pixel.
    pub(super) dx: DVec3,
    pub(super) dy: DVec3,
    /// Outward direction of the surface.
    pub(super) outward: DVec3,
    /// The contact's tangents.
    pub(super) t: DVec3,
    pub(super) b: DVec3,
    /// Half the depth of the volume.
    pub(super) half_depth: f64,
    /// N.
    pub(super) count: usize,
}

impl Grid {
    /// For the surface of a body at `pose` whose outward direction at the contact is `outward`.
    pub(super) fn new(
        pose: &Pose,
        frame: &ContactFrame,
        outward: DVec3,
        point: DVec3,
        [width, depth]: [f64; 2],
        count: usize,
    ) -> Self {
        let back = pose.rotation.conjugate();
        let pixel = width / count as f64;
        let [dx, dy] = axes(frame).map(|axis| back * axis * pixel);
        let first = pose.unapply(point) - (dx + dy) * (0.5 * (count as f64 - 1.0));
        let [outward, t, b] = [outward, frame.t(), frame.b()].map(|v| back * v);
        Self { first, dx, dy, outward, t, b, half_depth: 0.5 * depth, count }
    }

    /// The same in the coordinates of a part at `pose`.
    pub(super) fn in_part(&self, pose: &Pose) -> Self {
        if *pose == Pose::IDENTITY {
            return *self;
        }
        let back = pose.rotation.conjugate();
        let [dx, dy, outward, t, b] = [self.dx, self.dy, self.outward, self.t, self.b].map(|v| back * v);
        Self { first: pose.unapply(self.first), dx, dy, outward, t, b, ..*self }
    }

    /// The box around the volume.
    pub(super) fn bounds(&self) -> Aabb {
        let last = self.count as f64 - 1.0;
        let centre = self.first + (self.dx + self.dy) * (0.5 * last);
        let half = (self.dx.abs() + self.dy.abs()) * (0.5 * (last + 1.0)) + self.outward.abs() * self.half_depth;
        // Faces in the planes of the volume must not be lost to rounding.
        let half = half + DVec3::splat(1e-12 * (1.0 + centre.abs().max_element()));
        Aabb { min: centre - half, max: centre + half }
    }

    /// A vector along (t, b, outward).
    #[inline]
    pub(super) fn seen(&self, v: DVec3) -> DVec3 {
        DVec3::new(v.dot(self.t), v.dot(self.b), v.dot(self.outward))
    }

    /// Height above the contact plane, outward, of the plane through `at` with this normal; none if it is not seen from outside.
    #[inline]
    pub(super) fn height(&self, at: DVec3, normal: DVec3) -> Option<Linear> {
        let facing = normal.dot(self.outward);
        // Within 10⁻⁶ of edge-on a piece has no area to be seen.
        (facing > 1e-6).then(|| {
            let scale = 1.0 / facing;
            Linear {
                c: normal.dot(at - self.first) * scale,
                x: -normal.dot(self.dx) * scale,
                y: -normal.dot(self.dy) * scale,
            }
        })
    }

    /// value + gradient·(x − at) at the points x of a plane, whose height is given.
    #[inline]
    pub(super) fn on_plane(&self, height: &Linear, at: DVec3, value: f64, gradient: DVec3) -> Linear {
        let up = gradient.dot(self.outward);
        Linear {
            c: value + gradient.dot(self.first - at) + up * height.c,
            x: gradient.dot(self.dx) + up * height.x,
            y: gradient.dot(self.dy) + up * height.y,
        }
    }

    /// The world of a pixel at a height, in the coordinates of the piece.
    #[inline]
    pub(super) fn place(&self, i: f64, j: f64, height: f64) -> DVec3 {
        self.first + self.dx * i + self.dy * j + self.outward * height
    }
}

/// Both texture coordinates.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Coordinates {
    pub(super) u: Linear,
    pub(super) v: Linear,
}

impl Coordinates {
    #[inline]
    pub(super) fn at(&self, i: f64, j: f64) -> DVec2 {
        DVec2::new(self.u.at(i, j), self.v.at(i, j))
    }

    #[inline]
    pub(super) fn step(&self) -> DVec2 {
        DVec2::new(self.u.x, self.v.x)
    }
}
