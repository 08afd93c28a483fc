//! Arguments of `asperity bench`.

use std::path::PathBuf;

use asperity::scene::SOLVERS;
use asperity::step::{self, STEPPERS};
use asperity_solve::solver::{self, SolverOptions};
use clap::Args;

/// Shown below `asperity bench --help`.
pub(crate) const EXAMPLES: &str = "\
Examples:
  asperity bench matchstick/box_on_incline --variant all
  asperity bench scenes/analytic --limit 20 --out out/bench
  asperity bench box_on_incline --variant 101-101 --facets 4,8,16,32,64 --out out/facets
  asperity bench stack --solvers proximal,newton --json
  asperity bench stack --solvers impulse/auto,impulse/newton

Every scene runs with the reference, the solver `auto`, and then with each of the others. A solver runs with
the stepper of the scene; `impulse/newton` is the solver `newton` with the stepper `impulse`. The distance
is the largest one between the end places of a body in the two runs, as a fraction of the longest path
of a body in the run of the reference, or of the radius of the largest moving body, if that is longer.
--out DIR writes bench.md, bench.csv and, with --facets, facets.svg.

Exit status: 0 when all was run, whatever came out; 2 for bad input; 3 when a reference failed: that
scene is left out of the tables; 130, 143 or 129 when Ctrl-C, TERM or HUP stopped it: the tables have what was done.";

/// The solvers that are compared, where none are named.
const USUAL: &str = "prox_gauss_seidel,projected_gauss_seidel,pivoting:8,pivoting:16,newton,proximal";

/// What to compare.
#[derive(Args)]
pub(crate) struct BenchArgs {
    /// Scenes: files, folders, or names as `asperity list scenes` shows them.
    #[arg(required = true, value_name = "SCENE")]
    pub(super) scenes: Vec<String>,
    /// A variant of the scenes; may be repeated; `all` for each scene itself and every variant.
    #[arg(long, value_name = "NAME")]
    pub(super) variant: Vec<String>,
    /// Sets a key of the scenes: a dotted key and a TOML value.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(super) set: Vec<String>,
    /// Solvers, besides `auto`, or pairs STEPPER/SOLVER; `pivoting:16` has 16 facets.
    #[arg(long, value_delimiter = ',', value_name = "NAME", value_parser = Choice::parse, default_value = USUAL)]
    solvers: Vec<Choice>,
    /// Numbers of facets: compares `pivoting` with each of them, instead of --solvers, and draws the distances.
    #[arg(long, value_delimiter = ',', value_name = "N", conflicts_with = "solvers", value_parser = clap::value_parser!(u32).range(3..=1024))]
    pub(super) facets: Vec<u32>,
    /// Longest time for a run, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub(super) limit: f64,
    /// Where the files go.
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Prints a line of JSON for each run instead of tables.
    #[arg(long)]
    pub(super) json: bool,
    /// Prints nothing but errors.
    #[arg(long, short)]
    pub(super) quiet: bool,
}

impl BenchArgs {
    /// What is compared with the reference.
    pub(super) fn choices(&self) -> Vec<Choice> {
        if self.facets.is_empty() {
            return self.solvers.clone();
        }
        self.facets.iter().map(|n| Choice { stepper: None, kind: "pivoting".into(), facets: Some(*n) }).collect()
    }
}

/// A solver, the stepper it runs with, and how many facets it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// Name of the stepper; `None` for that of the scene.
    pub(super) stepper: Option<String>,
    /// Name of the solver.
    pub(super) kind: String,
    /// Facets of `pivoting`.
    pub(super) facets: Option<u32>,
}

impl Choice {
    /// The default solver, with the stepper of the scene.
    pub(super) fn reference() -> Self {
        Self { stepper: None, kind: SOLVERS[0].into(), facets: None }
    }

    fn parse(text: &str) -> Result<Self, String> {
        let (stepper, solver) = match text.split_once('/') {
            Some((stepper, solver)) => (Some(stepper.to_owned()), solver),
            None => (None, text),
        };
        if stepper.as_deref().is_some_and(|name| step::stepper(name).is_none()) {
            let names: Vec<&str> = STEPPERS.iter().map(|entry| entry.name).collect();
            return Err(format!("no stepper of that name; there are {}", names.join(", ")));
        }
        let (kind, facets) = match solver.split_once(':') {
            Some((kind, count)) => (kind, Some(count)),
            None => (solver, None),
        };
        if !SOLVERS.contains(&kind) {
            return Err(format!("no solver of that name; there are {}", SOLVERS.join(", ")));
        }
        let Some(count) = facets else { return Ok(Self { stepper, kind: kind.into(), facets: None }) };
        let solver = solver::SOLVERS.iter().find(|entry| entry.name == kind);
        if !solver.is_some_and(|entry| (entry.make)(&SolverOptions::default()).capabilities().facets) {
            return Err("only pivoting has facets".into());
        }
        let facets = count.parse().ok().filter(|n| (3..=1024).contains(n));
        let facets = facets.ok_or("facets are a whole number from 3 to 1024")?;
        Ok(Self { stepper, kind: kind.into(), facets: Some(facets) })
    }

    /// As it was asked for.
    pub(super) fn name(&self) -> String {
        let stepper = self.stepper.as_ref().map_or_else(String::new, |name| format!("{name}/"));
        let facets = self.facets.map_or_else(String::new, |n| format!(":{n}"));
        format!("{stepper}{}{facets}", self.kind)
    }

    /// The keys of a scene that choose it.
    pub(super) fn keys(&self) -> Vec<(String, String)> {
        let mut keys = vec![("solver.kind".to_owned(), format!("\"{}\"", self.kind))];
        keys.extend(self.stepper.as_ref().map(|name| ("stepper.kind".to_owned(), format!("\"{name}\""))));
        keys.extend(self.facets.map(|n| ("solver.facets".to_owned(), n.to_string())));
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solvers_are_named_with_their_facets() {
        let choice = Choice::parse("pivoting:16").unwrap();
        assert_eq!((choice.name().as_str(), choice.facets), ("pivoting:16", Some(16)));
        assert_eq!(choice.keys()[1], ("solver.facets".into(), "16".into()));
        let refused = [
            ("newtn", "no solver"),
            ("newton:8", "only pivoting"),
            ("pivoting:2", "from 3"),
            ("hop/newton", "no stepper"),
            ("impulse/", "no solver"),
        ];
        for (text, reason) in refused {
            assert!(Choice::parse(text).unwrap_err().contains(reason), "{text}");
        }
        let pair = Choice::parse("impulse/pivoting:16").unwrap();
        assert_eq!((pair.name().as_str(), pair.stepper.as_deref()), ("impulse/pivoting:16", Some("impulse")));
        assert_eq!(pair.keys()[1], ("stepper.kind".into(), "\"impulse\"".into()));
        for text in USUAL.split(',') {
            Choice::parse(text).unwrap();
        }
    }
}
