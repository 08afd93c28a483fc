//! Tests of shapes and contacts.

mod broad;
mod contact_pairs;
mod decompose;
mod features;
mod lookup;
mod mesh_contacts;
mod oracle;
mod resting;
mod shapes;
mod skins;
mod unions;

use glam::{DQuat, DVec3};

use super::Pose;

/// Numbers from a fixed sequence (splitmix64), so that every run sees the same ones.
pub(super) struct Draw(pub u64);

impl Draw {
    /// Uniform in [0, 1).
    pub(super) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in [low, high).
    pub(super) fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform in a cube.
    pub(super) fn vector(&mut self, half: f64) -> DVec3 {
        DVec3::new(self.range(-half, half), self.range(-half, half), self.range(-half, half))
    }

    /// Uniform on the sphere.
    pub(super) fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector(1.0);
            if v.length() > 0.1 && v.length() < 1.0 {
                return v.normalize();
            }
        }
    }

    /// Any rotation.
    pub(super) fn rotation(&mut self) -> DQuat {
        DQuat::from_axis_angle(self.direction(), self.range(0.0, 6.3))
    }

    /// A pose within a cube.
    pub(super) fn pose(&mut self, half: f64) -> Pose {
        Pose { position: self.vector(half), rotation: self.rotation() }
    }
}
