//! Ready-made figures: those of the papers, with our laws.
//!
//! To add one: a file with its [`Preset`], and its two lines below.

mod facets;
mod ipc;
mod matchstick;
mod tensor;

use std::fmt::Write as _;

use asperity_friction::FrictionError;

use super::Drawing;
use super::flags::LawFlags;
use crate::error::CliError;
use asperity::nearest::did_you_mean;

/// A ready-made figure.
pub(crate) struct Preset {
    /// Name on the command line.
    pub(crate) name: &'static str,
    /// One line that says what it shows.
    pub(crate) summary: &'static str,
    /// Flags of [`LawFlags`] that change it.
    flags: &'static [&'static str],
    draw: fn(&LawFlags, usize) -> Result<Drawing, CliError>,
}

/// Every preset there is.
pub(crate) const PRESETS: &[Preset] = &[matchstick::PRESET, facets::PRESET, tensor::PRESET, ipc::PRESET];

/// Draws the preset of this name.
pub(crate) fn draw(name: &str, flags: &LawFlags, samples: usize) -> Result<Drawing, CliError> {
    let Some(preset) = PRESETS.iter().find(|p| p.name == name) else {
        let hint = did_you_mean(name, PRESETS.iter().map(|p| p.name));
        return Err(CliError::Input(format!("unknown preset `{name}`{hint}\n{}", list().trim_end())));
    };
    flags.only(&format!("--preset {name}"), preset.flags)?;
    (preset.draw)(flags, samples)
}

/// The presets, one line each.
pub(crate) fn list() -> String {
    let width = PRESETS.iter().map(|p| p.name.len()).max().unwrap_or(0);
    let mut text = String::from("presets:\n");
    for preset in PRESETS {
        let _ = writeln!(text, "  {:width$}  {}", preset.name, preset.summary);
    }
    text
}

/// A law that a preset cannot have, for example because of a coefficient given as a flag.
fn refused(name: &str) -> impl Fn(FrictionError) -> CliError {
    move |error| CliError::Input(format!("--preset {name}: {error}"))
}
