//! Asperity and Rapier on the same scenes; `bench/rigid` and `bench/cloth` run it. Answers are JSON on standard output.
//!
//!     peers scene NAME                 the scene, for the engines that Python drives
//!     peers run NAME ENGINE [STEPS [SECONDS]]
//!                                            times and errors of asperity, asperity-1e-2, -1e-4, -1e-6, -quick, -matchstick, rapier or rapier-coulomb
//!     peers measure NAME < FRAMES      errors of a motion that another engine came to
//!     peers replay NAME EVERY TURNS SECONDS TOLERANCE
//!                                            contact problems of every so many steps, with disks and with ellipses
//!     peers problems NAME EVERY SECONDS DIRECTORY
//!                                            the same problems as files for `asperity solve`
//!     peers cloth CELLS DT STEPS ENGINE      a cloth that slides: asperity, asperity-rough, asperity-once or rapier

mod cloth;
mod measure;
mod ours;
mod outcome;
mod rapier;
mod replay;
mod scene;

use std::process::ExitCode;
use std::time::Duration;

use asperity_solve::problem::files::Snapshot;
use serde::Serialize;

/// Seconds after which Asperity gives up on a scene.
const LONGEST: usize = 600;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match answer(&arguments.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("peers: {error}");
            ExitCode::FAILURE
        }
    }
}

fn answer(arguments: &[&str]) -> Result<String, String> {
    match arguments {
        ["scene", name] => json(&scene::scene(name)?),
        ["run", name, engine] => run(name, engine, None, LONGEST),
        ["run", name, engine, steps] => run(name, engine, Some(number(steps)?), LONGEST),
        ["run", name, engine, steps, seconds] => run(name, engine, Some(number(steps)?), number(seconds)?),
        ["measure", name] => {
            let frames: Vec<Vec<[f64; 7]>> =
                serde_json::from_reader(std::io::stdin().lock()).map_err(|error| error.to_string())?;
            json(&measure::measure(&scene::scene(name)?, &frames)?)
        }
        ["problems", name, every, seconds, directory] => {
            let problems = problems(name, every, number(seconds)?)?;
            for (n, problem) in problems.iter().enumerate() {
                let path = std::path::Path::new(directory).join(format!("{name}-{n:03}.json"));
                std::fs::write(&path, json(problem)?).map_err(|error| format!("{}: {error}", path.display()))?;
            }
            json(&problems.len())
        }
        ["replay", name, every, turns, seconds, tolerance] => {
            let tolerance: f64 = tolerance.parse().ok().filter(|x| *x > 0.0).ok_or(format!("'{tolerance}' is no tolerance"))?;
            json(&replay::replay(problems(name, every, number(seconds)?)?, number(turns)?, tolerance)?)
        }
        ["cloth", cells, dt, steps, engine] => {
            let dt: f64 = dt.parse().ok().filter(|x| *x > 0.0).ok_or(format!("'{dt}' is no length of a step"))?;
            json(&cloth::run(cloth::Case { cells: number(cells)?, dt, steps: number(steps)? }, engine)?)
        }
        _ => Err("scene NAME | run NAME ENGINE [STEPS [SECONDS]] | measure NAME | replay NAME EVERY TURNS SECONDS TOLERANCE | \
             problems NAME EVERY SECONDS DIRECTORY | cloth CELLS DT STEPS ENGINE"
            .into()),
    }
}

fn run(name: &str, engine: &str, steps: Option<usize>, seconds: usize) -> Result<String, String> {
    let mut scene = scene::scene(name)?;
    scene.steps = steps.unwrap_or(scene.steps);
    let mut outcome = match engine {
        "asperity" | "asperity-1e-2" | "asperity-1e-4" | "asperity-1e-6" | "asperity-quick" | "asperity-matchstick" => {
            let setting = match engine {
                "asperity" => ours::Setting::Default,
                "asperity-1e-2" => ours::Setting::Tolerance(1e-2),
                "asperity-1e-4" => ours::Setting::Tolerance(1e-4),
                "asperity-1e-6" => ours::Setting::Tolerance(1e-6),
                "asperity-quick" => ours::Setting::Quick,
                _ => ours::Setting::Matchstick,
            };
            ours::run(&scene, setting, Duration::from_secs(seconds as u64), None, drop)?
        }
        "rapier" => rapier::run(&scene, rapier::Setting::Default)?,
        "rapier-coulomb" => rapier::run(&scene, rapier::Setting::Coulomb)?,
        other => {
            return Err(format!(
                "no engine '{other}' here: asperity, asperity-1e-2, asperity-1e-4, asperity-1e-6, asperity-quick, asperity-matchstick, rapier, rapier-coulomb"
            ));
        }
    };
    outcome.errors = measure::measure(&scene, &outcome.frames)?;
    json(&outcome)
}

/// The contact problems of every so many steps. The hopper is run with few sweeps: solved as exactly as the others it does not get to its end.
fn problems(name: &str, every: &str, seconds: usize) -> Result<Vec<Snapshot>, String> {
    let (mut problems, longest) = (Vec::new(), Duration::from_secs(seconds as u64));
    let setting = if name == "hopper" { ours::Setting::Quick } else { ours::Setting::Default };
    ours::run(&scene::scene(name)?, setting, longest, Some(number(every)?), |problem| problems.push(problem))?;
    Ok(problems)
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or(format!("'{text}' is no number above 0"))
}

fn json(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
}
