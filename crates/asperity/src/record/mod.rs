//! What a run leaves behind: tables, pictures, models, a summary.
//!
//! A [`Recording`] holds bodies and frames; every writer takes it. Vertices of bodies that deform are on disk, and are read frame by
//! frame. Tables of long runs are written as the frames come ([`TrajectoryWriter`]). Files appear complete or not at all. The same recording gives the same bytes.
//!
//! ```
//! use asperity::record::to_glb;
//! use asperity::run::Run;
//! use asperity::scene::Document;
//!
//! let text = r#"
//!     title = "A ball falls"
//!     time = { dt = 0.01, end = 0.5 }
//!     [body.ball]
//!     shape = { kind = "sphere", radius = 0.1 }
//! "#;
//! let mut run = Run::new(Document::parse(text, "fall.toml")?.scene(None, &[])?)?;
//! while !run.is_done() {
//!     run.step()?;
//! }
//! let end = run.recording().at(0.5)?;
//! assert!((end.states[0].pose.position.y + 0.5 * 9.81 * 0.25).abs() < 1e-9);
//! assert!(to_glb(run.recording(), Default::default())?.starts_with(b"glTF"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod appearance;
mod check;
mod contacts;
mod error;
mod file;
mod file_name;
mod frame;
mod gltf;
mod image;
mod joint_line;
mod picture;
pub mod raster;
mod recording;
mod show;
mod steps;
mod summary;
#[cfg(test)]
mod test_bodies;
mod trajectory;
mod vertex_log;
mod vtk;

pub use contacts::{CONTACT_LOG, ContactTable};
pub use error::RecordError;
pub use file::{PendingFile, write_file};
pub use file_name::file_name;
pub use frame::{Deforming, Frame, FrameState, Paint, RecordedBody};
pub use gltf::{GltfSettings, ShapeFrames, shape_frames, to_glb};
pub use image::Image;
pub use joint_line::{JointLine, LineEnd, LineKind};
pub use picture::{
    AnimationSettings, DrawProgress, FilmstripSettings, filmstrip, label, write_apng, write_gif, write_mp4,
    write_series,
};
pub use recording::{Recording, between};
pub use show::{SHOW_WORDS, Show, Tint};
pub use steps::{Energy, StepColumn, StepRow, StepView, StepsWriter, plot_steps};
pub use summary::{Accuracy, Expectation, Summary, Timings, Totals};
pub use trajectory::TrajectoryWriter;
pub use vertex_log::{MeshFrame, VERTEX_LOG};
pub use vtk::write_vtk;
