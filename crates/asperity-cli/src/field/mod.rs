//! `asperity field`: draws the structure field of a body, and bakes it into a texture.

mod layout;

use std::path::PathBuf;
use std::sync::Arc;

use asperity::body::surface::{BakeError, BakePart, Bits, LARGEST_TEXTURE, bake, write_texture};
use asperity::nearest::did_you_mean;
use asperity::record::raster::{RenderSettings, Renderer};
use asperity::record::{
    Frame, FrameState, GltfSettings, Paint, RecordError, RecordedBody, Recording, Show, file_name, to_glb,
};
use asperity::run::structure_lines;
use asperity::scene::{Document, Scene};
use clap::{Args, ValueEnum};
use glam::DVec3;

use crate::error::CliError;
use crate::output::{self, Output};
use crate::run::overrides;
use crate::scenes;

/// Shown below `asperity field --help`.
pub(crate) const EXAMPLES: &str = "\
Examples:
  asperity field my.toml --body plane                        plane.png and plane.glb
  asperity field my.toml --body plane --at 2.5               as the field is after 2.5 s
  asperity field my.toml --body slope --bake 256 --face +y   slope-texture.png, from the upper face
  asperity field my.toml --body ball --uv                    where texture coordinates lie on the body

A baked texture gives the field back: structure = { field = \"texture\", file = \"slope-texture.png\" }.
Exit status: 0 when all is written, 1 when a file cannot be written, 2 for bad input. See docs/fields.md.";

/// Which field, and what to make of it.
#[derive(Args)]
pub(crate) struct FieldArgs {
    /// A scene: a file, or a name as `asperity list scenes` shows it.
    #[arg(value_name = "SCENE")]
    scene: String,
    /// The body.
    #[arg(long, value_name = "NAME")]
    body: String,
    /// A variant of the scene.
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// Sets a key of the scene: a dotted key and a TOML value.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The time, in seconds, for fields that change.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    at: f64,
    /// Where the files go.
    #[arg(long, value_name = "DIR", default_value = "out/field")]
    out: PathBuf,
    /// About how many lines are drawn.
    #[arg(long, value_name = "N", default_value_t = 1200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    lines: u32,
    /// Takes the scene's camera instead of one that shows the body.
    #[arg(long)]
    camera: bool,
    /// Paints the texture coordinates on the body: red grows with u, green with v, lines every tenth.
    #[arg(long)]
    uv: bool,
    /// Also bakes the field into a texture of N by N texels.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(LARGEST_TEXTURE)))]
    bake: Option<u32>,
    /// Bits of a channel of the texture: angles to 0.3 or to 0.001 degrees.
    #[arg(long, value_enum, default_value = "8", requires = "bake")]
    bits: Depth,
    /// Bakes only what looks along an axis of the body, within 30 degrees: faces of a box share one square.
    #[arg(long, value_enum, requires = "bake", allow_hyphen_values = true)]
    face: Option<Face>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Depth {
    #[value(name = "8")]
    Eight,
    #[value(name = "16")]
    Sixteen,
}

#[derive(Clone, Copy, ValueEnum)]
enum Face {
    #[value(name = "+x")]
    PlusX,
    #[value(name = "-x")]
    MinusX,
    #[value(name = "+y")]
    PlusY,
    #[value(name = "-y")]
    MinusY,
    #[value(name = "+z")]
    PlusZ,
    #[value(name = "-z")]
    MinusZ,
}

impl Face {
    fn direction(self) -> DVec3 {
        match self {
            Self::PlusX => DVec3::X,
            Self::MinusX => DVec3::NEG_X,
            Self::PlusY => DVec3::Y,
            Self::MinusY => DVec3::NEG_Y,
            Self::PlusZ => DVec3::Z,
            Self::MinusZ => DVec3::NEG_Z,
        }
    }
}

/// Size of the picture.
const SIZE: [u32; 2] = [900, 600];
/// Segments of a full circle of the skin that is drawn.
const RESOLUTION: u32 = 96;

/// Draws the field, and bakes it if asked to. All files are complete before the first is written.
pub(crate) fn run(args: &FieldArgs) -> Result<(), CliError> {
    let input = |error: &dyn std::fmt::Display| CliError::Input(error.to_string());
    let document = Document::read(&scenes::find(&args.scene)?).map_err(|error| input(&error))?;
    let set = overrides(&args.set)?;
    let scene = document.scene(args.variant.as_deref(), &set).map_err(|error| input(&error))?;
    if !args.at.is_finite() {
        return Err(CliError::Input(format!("--at {}: expected a time in seconds", args.at)));
    }
    let names = || scene.model.bodies.iter().map(|body| body.name.as_str());
    let Some(index) = names().position(|name| name == args.body) else {
        let hint = did_you_mean(&args.body, names());
        return Err(CliError::Input(format!("--body {}: the scene has no such body{hint}", args.body)));
    };
    let body = &scene.model.bodies[index];
    if body.surface.structure.is_none() && !args.uv {
        let name = &args.body;
        return Err(CliError::Input(format!(
            "body {name} has no structure to draw; --uv draws its texture coordinates"
        )));
    }
    let stem = file_name(&args.body);
    output::refuse_unwritable([args.out.join(format!("{stem}.png"))])?;
    let shown = shown(&scene, index, args)?;
    let count = shown.structure.len();
    let recording = recording(&scene, index, shown, args.at).map_err(|error| CliError::Input(error.to_string()))?;
    let file = |ending: &str, bytes: Vec<u8>| Output { path: args.out.join(format!("{stem}{ending}")), bytes };
    let failed = |error: RecordError| CliError::Output(error.to_string());
    let camera = scene.output.camera.filter(|_| args.camera);
    let [width, height] = SIZE;
    // Lines alone over the texture coordinates: fibres would hide their colours.
    let show = Show { lines: true, grain: !args.uv, ..Show::default() };
    let settings = RenderSettings { width, height, camera, show, ..RenderSettings::default() };
    let picture = Renderer::new(&recording, settings).map_err(failed)?.draw(&recording.frames()[0]);
    let gltf = GltfSettings { lines: true, grain: !args.uv, camera, ..GltfSettings::default() };
    let mut files =
        vec![file(".png", picture.to_png().map_err(failed)?), file(".glb", to_glb(&recording, gltf).map_err(failed)?)];
    if let Some(side) = args.bake {
        files.push(file("-texture.png", baked(&scene, index, side, args)?));
    }
    output::write_files(&files)?;
    let written: Vec<String> = files.iter().map(|file| file.path.display().to_string()).collect();
    output::say(&format!("{}: {count} lines; wrote {}\n", args.body, written.join(", ")))
}

/// The body as it is drawn.
fn shown(scene: &Scene, index: usize, args: &FieldArgs) -> Result<RecordedBody, CliError> {
    let (body, look) = (&scene.model.bodies[index], &scene.looks[index]);
    let skin = look.shape.skin(look.resolution.max(RESOLUTION));
    let drawn = structure_lines(&body.surface, &skin, args.at, args.lines as usize);
    if let Some((place, error)) = drawn.refused {
        let (name, at) = (&args.body, args.at);
        return Err(CliError::Input(format!(
            "body {name}: its structure has no value at {place} (t = {at} s): {error}"
        )));
    }
    let structure = drawn.lines;
    let paint = match args.uv {
        true if skin.uvs.is_empty() => {
            return Err(CliError::Input(format!("--uv: body {} has no texture coordinates", args.body)));
        }
        true => Paint::Texture(Arc::new(layout::image())),
        false => look.paint.clone(),
    };
    Ok(RecordedBody {
        name: body.name.clone(),
        skin: Arc::new(skin),
        paint,
        surface: Arc::new(body.surface.clone()),
        structure,
        moving: true,
        deforming: None,
    })
}

/// One frame with the body where it starts, at a time that its fibres are drawn for.
fn recording(scene: &Scene, index: usize, shown: RecordedBody, t: f64) -> Result<Recording, RecordError> {
    let mut recording = Recording::new(vec![shown])?;
    let pose = scene.state.bodies[index].frame().pose(&scene.model.bodies[index]);
    recording.push(Frame {
        t,
        states: vec![FrameState::resting(pose)],
        forces: Vec::new(),
        joints: Vec::new(),
        meshes: Vec::new(),
    })?;
    Ok(recording)
}

fn baked(scene: &Scene, index: usize, side: u32, args: &FieldArgs) -> Result<Vec<u8>, CliError> {
    let (body, look) = (&scene.model.bodies[index], &scene.looks[index]);
    if body.surface.structure.is_none() {
        return Err(CliError::Input(format!("--bake: body {} has no structure", args.body)));
    }
    let shape = &look.shape;
    let part = args.face.map_or(BakePart::Whole, |face| BakePart::Face(face.direction()));
    let lines = bake(&body.surface, shape, side, args.at, part).map_err(|error| {
        let more = if matches!(error, BakeError::Shared { .. }) { " with --face" } else { "" };
        CliError::Input(format!("--bake: body {}: {error}{more}", args.body))
    })?;
    let bits = match args.bits {
        Depth::Eight => Bits::Eight,
        Depth::Sixteen => Bits::Sixteen,
    };
    write_texture(side, side, &lines, bits).map_err(|error| CliError::Output(error.to_string()))
}
