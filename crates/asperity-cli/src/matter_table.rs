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

/// Residual of a step that counts as solved: ten times that asked for, since the last iteration may end just above it.
const SOLVED: f64 = 1e-7;

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
                match moves(stepper, kind, &(entry.examples)())? {
                    Ok(()) => kinds.push(kind.name),
                    Err(reason) => {
                        let name = format!("{}/{}", stepper.name, kind.name);
                        let known = refusals.iter().any(|line| line.name == name && line.summary == reason);
                        if !known {
                            refusals.push(Line { name, summary: reason });
                        }
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

/// Whether a stepper moves a body of a kind with all of these laws; the inner error is why not.
fn moves(stepper: &StepperEntry, kind: &Kind, laws: &[FrictionModel]) -> Result<Result<(), String>, CliError> {
    let fields = "structure = [1, 0, 1]\ntangent = [1, 0, 0]\n";
    let text = format!(
        "title = \"t\"\ntime = {{ dt = 0.01, end = 1 }}\n[body.plane]\nshape = {{ kind = \"half_space\" }}\nmotion = \"static\"\n{fields}[body.body]\nvelocity = [0.5, 0, 0.2]\n{fields}{}\n",
        kind.body
    );
    let scene = Document::parse(&text, "table.toml").and_then(|document| document.scene(None, &[]));
    let scene = scene.map_err(|error| CliError::Failed(error.to_string()))?;
    for law in laws {
        let mut model = scene.model.clone();
        model.interactions = Interactions::new(1, Interaction { law: law.clone(), restitution: 0.0, spring: None });
        let mut made = (stepper.make)(StepperSettings::default(), (SOLVERS[0].make)(&SolverOptions::default()));
        if let Err(refusal) = made.accepts(&model) {
            return Ok(Err(format!("refused: {refusal}")));
        }
        match made.step(&model, &mut scene.state.clone(), scene.time.dt) {
            Ok(report) if report.status == Status::Solved || report.residual <= SOLVED => {}
            Ok(_) => return Ok(Err(format!("{}: a step is not solved to {SOLVED:e}", law.name()))),
            Err(error) => return Ok(Err(format!("{}: {error}", law.name()))),
        }
    }
    Ok(Ok(()))
}
