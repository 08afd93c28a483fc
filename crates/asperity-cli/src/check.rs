//! `asperity check`: reads scenes as `asperity run` does, and says what is wrong; or writes the schema of scenes.

use std::fmt::Write as _;

use asperity::body::Elastic;
use asperity::geometry::MeshFault;
use asperity::geometry::volume::TetQuality;
use asperity::joint;
use asperity::run::accepts;
use asperity::scene::{Document, Scene, schema};
use clap::Args;

use crate::advice::advice;
use crate::error::CliError;
use crate::output::{self, counted};
use crate::run::{overrides, variants};
use crate::scenes;

/// Shown below `asperity check --help`.
pub(crate) const EXAMPLES: &str = "\
Examples:
  asperity check my.toml                       the scene and all its variants
  asperity check my.toml --set time.dt=0       what an override does
  asperity check --schema > scene.schema.json  for editors: completion and checks while you type";

/// Most redundant joints that are named.
const NAMED: usize = 5;

/// What to check.
#[derive(Args)]
pub(crate) struct CheckArgs {
    /// Scenes: files, or names as `asperity list scenes` shows them.
    #[arg(value_name = "SCENE", required_unless_present = "schema")]
    scenes: Vec<String>,
    /// Only this variant; may be repeated [default: the scene itself and every variant].
    #[arg(long, value_name = "NAME")]
    variant: Vec<String>,
    /// Sets a key of the scene: a dotted key and a TOML value.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Prints the JSON schema of scenes.
    #[arg(long, conflicts_with = "scenes")]
    schema: bool,
}

/// Checks all scenes; the error has what is wrong with all of them.
pub(crate) fn run(args: &CheckArgs) -> Result<(), CliError> {
    if args.schema {
        let text = serde_json::to_string_pretty(&schema());
        return output::say(&(text.map_err(|error| CliError::Output(format!("cannot write JSON: {error}")))? + "\n"));
    }
    let set = overrides(&args.set)?;
    let all = ["all".to_owned()];
    let asked = if args.variant.is_empty() { &all } else { args.variant.as_slice() };
    let mut wrong: Vec<String> = Vec::new();
    for name in &args.scenes {
        let path = scenes::find(name)?;
        let document = match Document::read(&path) {
            Ok(document) => document,
            Err(error) => {
                wrong.push(error.to_string());
                continue;
            }
        };
        let mut text = String::new();
        for variant in variants(asked, &document)? {
            match report(&document, variant.as_deref(), &set) {
                Ok(found) => text.push_str(&found),
                // A mistake outside the variants is in all of them: once is enough.
                Err(error) if !wrong.contains(&error) => wrong.push(error),
                Err(_) => {}
            }
        }
        output::say(&text)?;
    }
    if wrong.is_empty() { Ok(()) } else { Err(CliError::Input(wrong.join("\n"))) }
}

/// A line on a scene or variant, with notes; an error if it cannot be run.
fn report(document: &Document, variant: Option<&str>, set: &[(String, String)]) -> Result<String, String> {
    let scene = output::still("reading a scene", || document.scene(variant, set)).map_err(|error| error.to_string())?;
    let title = variant.map_or_else(|| scene.name.clone(), |variant| format!("{}[{variant}]", scene.name));
    accepts(&scene).map_err(|error| format!("{title}: {error}"))?;
    let line = format!(
        "{title}: {}, {}, {}\n",
        counted(scene.model.bodies.len() as u64, "body", "bodies"),
        counted(scene.time.steps(), "step", "steps"),
        counted(scene.expect.len() as u64, "expectation", "expectations")
    );
    let notes: String = advice(&scene).iter().map(|line| format!("  {line}\n")).collect();
    Ok(line + &notes + &surfaces(&scene) + &tetrahedra(&scene) + &redundant_joints(&scene))
}

/// Notes on triangle surfaces that are not sound.
fn surfaces(scene: &Scene) -> String {
    let mut text = String::new();
    for (body, look) in scene.model.bodies.iter().zip(&scene.looks) {
        let name = &body.name;
        for fault in look.shape.surfaces().into_iter().flat_map(|mesh| mesh.faults()) {
            let _ = match fault {
                MeshFault::WithoutArea { count, first } => {
                    let these = counted(count as u64, "triangle", "triangles");
                    writeln!(text, "  note: `{name}`: {these} without area left out, the first is number {first}")
                }
                MeshFault::Inward { volume } => writeln!(
                    text,
                    "  warning: `{name}`: the mesh is closed and faces inwards (volume {volume:e}): it stops bodies from inside"
                ),
                MeshFault::Crossing { triangles: [a, b] } => {
                    writeln!(text, "  warning: `{name}`: the surface crosses itself, first in triangles {a} and {b}")
                }
            };
        }
    }
    text
}

/// A note on the dihedral angles of each solid: small and large ones make it slow to solve and inaccurate.
fn tetrahedra(scene: &Scene) -> String {
    let mut text = String::new();
    for body in &scene.model.bodies {
        if let Some(TetQuality { least, greatest }) = body.elastic().and_then(Elastic::quality) {
            let [low, high] = [least.angle, greatest.angle].map(f64::to_degrees);
            let name = &body.name;
            let _ = writeln!(text, "  note: `{name}`: dihedral angles of its tetrahedra from {low:.1}° to {high:.1}°");
        }
    }
    text
}

/// A note on joints that hold what others hold already; empty if there are none.
fn redundant_joints(scene: &Scene) -> String {
    let joints = &scene.model.joints;
    match joint::redundant(&scene.model.bodies, &scene.model.joints, &scene.state.bodies) {
        None => "  note: too many joints in loops to look for redundant ones\n".to_owned(),
        Some(found) if found.is_empty() => String::new(),
        Some(found) => {
            let rows: usize = found.iter().map(|own| own.rows).sum();
            let held: usize = joints.iter().map(|joint| joint.kind.held().len()).sum();
            let mut text =
                format!("  note: {rows} of the {held} lengths and directions that joints hold follow from others;");
            text.push_str(" these share the force:");
            for (i, own) in found.iter().take(NAMED).enumerate() {
                let comma = if i == 0 { "" } else { "," };
                let _ = write!(text, "{comma} `{}` ({} of {})", joints[own.joint].name, own.rows, own.held);
            }
            if found.len() > NAMED {
                let _ = write!(text, " and {} more", found.len() - NAMED);
            }
            text + "\n"
        }
    }
}
