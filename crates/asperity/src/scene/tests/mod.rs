//! Scenes that are right, scenes that are wrong, and what is said of them.

mod defaults;
mod elastic;
mod elastic_wrong;
mod fuzz;
mod keys;
mod measures;
mod right;
mod wrong;

use std::path::Path;

use super::{Document, Scene};

/// The scene that docs/scenes.md shows.
const EXAMPLE: &str = include_str!("../../../../../examples/scenes/incline.toml");

fn read(text: &str, variant: Option<&str>, set: &[(&str, &str)]) -> Result<Scene, String> {
    let set: Vec<(String, String)> = set.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let document = Document::parse(text, Path::new("folder/test.toml")).map_err(|error| error.to_string())?;
    document.scene(variant, &set).map_err(|error| error.to_string())
}

/// A scene with one more table or key.
fn with(more: &str) -> String {
    format!(
        "title = \"t\"\ntime = {{ dt = 0.01, end = 1 }}\n[body.ground]\nshape = {{ kind = \"half_space\" }}\nmotion = \"static\"\n{more}\n"
    )
}
