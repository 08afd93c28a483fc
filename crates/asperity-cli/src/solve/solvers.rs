//! The solvers by name, as flags have them.

use asperity_solve::solver::{SOLVERS, SolverEntry};

use asperity::nearest::did_you_mean;

/// The help of `--solver`.
pub(crate) fn help() -> String {
    let all: Vec<&str> = SOLVERS.iter().map(|s| s.name).collect();
    format!(
        "Solvers to use, several with commas or repeated; `asperity list solvers` says what they do: {}",
        all.join(", ")
    )
}

/// The solver of that name; the message otherwise suggests the nearest.
pub(crate) fn parse(name: &str) -> Result<&'static SolverEntry, String> {
    let names = || SOLVERS.iter().map(|s| s.name);
    SOLVERS.iter().find(|s| s.name == name).ok_or_else(|| {
        let all: Vec<&str> = names().collect();
        format!("expected one of {}{}", all.join(", "), did_you_mean(name, names()))
    })
}
