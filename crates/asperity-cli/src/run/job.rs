//! The runs that were asked for: every scene with every variant, and the folder of each.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use asperity::record::file_name;
use asperity::scene::{Document, Scene};

use super::args::RunArgs;
use crate::error::CliError;
use crate::{output, scenes};

/// Folder of the scene itself, beside those of its variants.
const ITSELF: &str = "default";

/// A scene to run, what to call it and where its files go.
pub(super) struct Job {
    pub(super) scene: Scene,
    /// What a checkpoint knows the scene by.
    pub(super) identity: String,
    /// For people.
    pub(super) title: String,
    /// For names of files: scene and variant.
    pub(super) stem: String,
    pub(super) folder: PathBuf,
}

/// The runs that were asked for.
pub(super) struct Jobs {
    pub(super) jobs: Vec<Job>,
    /// A line for each scene with variants that were not asked for.
    pub(super) left_out: String,
}

/// Every scene with every variant that was asked for.
pub(super) fn jobs(args: &RunArgs) -> Result<Jobs, CliError> {
    let (mut jobs, mut left_out) = (Vec::new(), String::new());
    let set = args.overrides()?;
    let several = args.scenes.len() > 1;
    for name in &args.scenes {
        let path = scenes::find(name)?;
        let document = Document::read(&path).map_err(|error| CliError::Input(error.to_string()))?;
        let variants = args.variants(&document)?;
        let many = variants.len() > 1;
        let others: Vec<&str> =
            document.variants().into_iter().filter(|name| !variants.iter().flatten().any(|v| v == name)).collect();
        if !others.is_empty() {
            let several = if others.len() == 1 { "variant" } else { "variants" };
            let _ =
                writeln!(left_out, "{name} has the {several} {} besides: --variant NAME, or all", others.join(", "));
        }
        for variant in variants {
            let reading = || document.scene(variant.as_deref(), &set);
            let scene = output::still(&format!("reading {name}"), reading);
            let scene = scene.map_err(|error| CliError::Input(error.to_string()))?;
            let (scene_name, own) = (file_name(&scene.name), variant.as_deref().map(variant_name));
            let (title, stem) = match (&variant, &own) {
                // `@` is in no file name of ours: two runs never share a stem.
                (Some(variant), Some(own)) => (format!("{}[{variant}]", scene.name), format!("{scene_name}@{own}")),
                _ => (scene.name.clone(), scene_name.clone()),
            };
            let folder = match &args.out {
                Some(out) => {
                    let scene_folder = if several { out.join(&scene_name) } else { out.clone() };
                    if many { scene_folder.join(own.as_deref().unwrap_or(ITSELF)) } else { scene_folder }
                }
                None => {
                    let scene_folder = Path::new("out").join(&scene_name);
                    own.map_or(scene_folder.clone(), |own| scene_folder.join(own))
                }
            };
            let identity = format!("{variant:?}\n{set:?}\n{}", document.text());
            jobs.push(Job { scene, identity, title, stem, folder });
        }
    }
    Ok(Jobs { jobs, left_out })
}

/// The folder name of a variant, which is never that of the scene itself.
fn variant_name(variant: &str) -> String {
    let name = file_name(variant);
    if name == ITSELF { name.replacen('d', "%64", 1) } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_variant_has_the_folder_of_the_scene_itself() {
        assert_eq!(variant_name("default"), "%64efault");
        assert_eq!(variant_name("%64efault"), "%2564efault");
        assert_eq!(variant_name("steep"), "steep");
    }
}
