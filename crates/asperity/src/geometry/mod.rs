//! Where things are and where they touch.

mod pose;
mod skin;

pub use pose::Pose;
pub use skin::SkinMesh;
