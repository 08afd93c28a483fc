//! Which friction law moves which kind of body with which time stepper: asked of the program itself. A small body of each kind slides over a plane for one step with every example
//! of every law; a stepper that does not take the world says why.

use asperity::scene::Document;
use asperity::step::{STEPPERS, StepperEntry, StepperSettings};
use asperity::world::{Interaction, Interactions};
use asperity_friction::model::{FrictionModel, MODELS};
use asperity_solve::solver::{SOLVERS, SolverOptions, Status};

use crate::error::CliError;

/// A kind of body, and a body of that kind 0.1 mm above the plane: it touches within the step, and a barrier keeps it there.
struct Kind {
    name: &'static str,
    body: &'static str,
}

const KINDS: [Kind; 3] = [
    Kind { name: "rigid", body: "shape = { kind = \"box\", size = [0.2, 0.1, 0.2] }\nposition = [0, 0.0501, 0]" },
    Kind {
        name: "cloth",
        body: "shape = { kind = \"grid\", size = [0.2, 0.2], cells = [2, 2] }\nposition = [0, 1e-4, 0]\nmatter = { kind = \"cloth\", stretch = 1e3 }",
    },
    Kind {
        name: "solid",
        body: "shape = { kind = \"box\", size = [0.2, 0.1, 0.2] }\nposition = [0, 0.0501, 0]\nmatter = { kind = \"solid\", young = 1e6, cells = [2, 1, 2] }",
    },
];

/// A line of the table: a law and what moves with it, or a stepper with a kind of body that it refuses.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) summary: String,
}

/// The lines of all laws, then those of the refusals.
pub(crate) fn lines() -> Result<Vec<Line>, CliError> {
    let (mut laws, mut refusals): (Vec<Line>, Vec<Line>) = (Vec::new(), Vec::new());
    for entry in MODELS {
        let mut taken = Vec::new();
        for stepper in STEPPERS {
            let mut kinds = Vec::new();
            for kind in &KINDS {
                let Tried { moved, reasons } = tried(stepper, kind, &(entry.examples)())?;
                match reasons.len() {
                    0 => kinds.push(kind.name.to_owned()),
                    _ if moved == 0 => (),
                    failed => kinds.push(format!("{} ({moved} of {} examples)", kind.name, moved + failed)),
                }
                let name = format!("{}/{}", stepper.name, kind.name);
                for summary in reasons {
                    let known = refusals.iter().any(|line| line.name == name && line.summary == summary);
                    if !known {
                        refusals.push(Line { name: name.clone(), summary });
                    }
                }
            }
            if !kinds.is_empty() {
                taken.push(format!("{}: {}", stepper.name, kinds.join(", ")));
            }
        }
        laws.push(Line { name: entry.name.to_owned(), summary: taken.join("; ") });
    }
    laws.append(&mut refusals);
    Ok(laws)
}

/// What a stepper makes of the examples of a law.
struct Tried {
    /// How many move a body in a step that is solved.
    moved: usize,
    /// Why the others do not.
    reasons: Vec<String>,
}

/// Lets a stepper move a body of a kind for a step with each of these laws.
fn tried(stepper: &StepperEntry, kind: &Kind, laws: &[FrictionModel]) -> Result<Tried, CliError> {
    let fields = "structure = [1, 0, 1]\ntangent = [1, 0, 0]\n";
    let text = format!(
        "title = \"t\"\ntime = {{ dt = 0.01, end = 1 }}\n[body.plane]\nshape = {{ kind = \"half_space\" }}\nmotion = \"static\"\n{fields}[body.body]\nvelocity = [0.5, 0, 0.2]\n{fields}{}\n",
        kind.body
    );
    let scene = Document::parse(&text, "table.toml").and_then(|document| document.scene(None, &[]));
    let scene = scene.map_err(|error| CliError::Failed(error.to_string()))?;
    let mut out = Tried { moved: 0, reasons: Vec::new() };
    for law in laws {
        let mut model = scene.model.clone();
        model.interactions = Interactions::new(1, Interaction { law: law.clone(), restitution: 0.0, spring: None });
        let mut made = (stepper.make)(StepperSettings::default(), (SOLVERS[0].make)(&SolverOptions::default()));
        if let Err(refusal) = made.accepts(&model) {
            out.reasons.push(format!("refused: {refusal}"));
            continue;
        }
        match made.step(&model, &mut scene.state.clone(), scene.time.dt) {
            Ok(report) if report.status == Status::Solved => out.moved += 1,
            Ok(_) => out.reasons.push(format!("{}: a step is not solved to the tolerance", law.name())),
            Err(error) => out.reasons.push(format!("{}: {error}", law.name())),
        }
    }
    Ok(out)
}
