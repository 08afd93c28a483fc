//! The camera and the lights of a document, so that viewers begin with the view of our pictures.
//!
//! A directional light of L lux on a matte surface of colour c makes it as bright as c L/π · max(0, n·s): the sun of our pictures, with the strength S, has L = π S. The light of the sky, which in our
//! pictures comes from all sides, is one from straight above here and a weaker one from the side of the viewer: the format has no other.

use glam::{DMat3, DQuat, DVec3, Vec3};
use serde_json::{Value, json};

use super::quaternion;
use crate::record::raster::{Camera, GROUND, Light, SKY, SUN};

/// The far plane, in distances to what is looked at.
const FAR: f64 = 1e3;

/// Nodes, the camera and the lights of a view.
pub(super) struct Stage {
    pub(super) nodes: Vec<Value>,
    pub(super) camera: Value,
    /// Lights, as the extension `KHR_lights_punctual` has them.
    pub(super) lights: Vec<Value>,
}

impl Stage {
    /// For a camera, the unit vector upward, and pictures that are `aspect` times as wide as high.
    pub(super) fn new(camera: &Camera, axes: DMat3, up: DVec3, aspect: f64) -> Self {
        let distance = (camera.eye - camera.target).length();
        let sun = Light::new(&axes, up, camera.target, 1.0).sun;
        let lights = [("sun", SUN, sun), ("sky", SKY - GROUND, up), ("fill", GROUND, axes.z_axis)];
        let mut nodes = vec![json!({
            "name": "camera",
            "camera": 0,
            "translation": camera.eye.as_vec3().to_array(),
            "rotation": quaternion(DQuat::from_mat3(&axes)),
        })];
        for (number, (name, _, towards)) in lights.iter().enumerate() {
            nodes.push(json!({
                "name": name,
                "rotation": quaternion(DQuat::from_rotation_arc(DVec3::Z, *towards)),
                "extensions": { "KHR_lights_punctual": { "light": number } },
            }));
        }
        Self {
            nodes,
            camera: json!({
                "name": "camera",
                "type": "perspective",
                "perspective": {
                    "yfov": camera.fov as f32,
                    "aspectRatio": aspect as f32,
                    "znear": (1e-3 * distance) as f32,
                    "zfar": (FAR * distance) as f32,
                },
            }),
            lights: lights.map(|(name, strength, _)| light(name, strength)).into(),
        }
    }
}

/// A light from far away. It shines along −z of its node.
fn light(name: &str, strength: Vec3) -> Value {
    let most = strength.max_element();
    json!({
        "name": name,
        "type": "directional",
        "color": (strength / most).to_array(),
        "intensity": most * std::f32::consts::PI,
    })
}
