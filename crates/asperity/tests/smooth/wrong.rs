//! What the stepper refuses, and where it stops: by name.

use asperity::run::Run;

use super::{floor, read};

#[test]
fn what_cannot_be_moved_is_refused_by_name() {
    let refused = |text: &str| {
        let scene = read(text).unwrap_or_else(|error| panic!("{error}"));
        let said = match Run::new(scene) {
            Err(error) => error.to_string(),
            Ok(mut run) => run.step().err().map(|error| error.to_string()).expect("an error"),
        };
        assert!(!said.is_empty());
        said
    };
    let head = "title = \"t\"\ntime = { dt = 0.01, end = 0.1 }\nstepper = { kind = \"smooth\" }\n";
    let cloth = |name: &str, y: f64, keys: &str| {
        format!(
            "[body.{name}]\nshape = {{ kind = \"grid\", size = [1, 1], cells = [4, 4] }}\nposition = [0, {y}, 0]\n\
             matter = {{ kind = \"cloth\", stretch = 1e3, area_density = 0.3{keys} }}\n"
        )
    };
    let two = refused(&format!("{head}{}{}", cloth("sheet", 0.0, ""), cloth("veil", 0.5, "")));
    assert!(two.contains("'sheet'") && two.contains("'veil'") && two.contains("inside"), "{two}");
    // Rolled up, so that its ends lie on each other.
    let rolled =
        cloth("sheet", 0.0, ", thickness = 0.01") + "start = [\"0.2*cos(6.4*x)\", \"0.2*sin(6.4*x)\", \"z\"]\n";
    let thick = refused(&format!("{head}{rolled}").replace("cells = [4, 4]", "cells = [40, 4]"));
    assert!(thick.contains("'sheet'") && thick.contains("touches itself"), "{thick}");
    let mesh = floor([2.0, 2.0], [4, 4]);
    let hole = refused(&format!(
        "{head}[body.ground]\n{mesh}\nmotion = \"static\"\npotential = {{ radius = 0.2 }}\n{}",
        cloth("sheet", 0.5, "")
    ));
    assert!(hole.contains("'ground'") && hole.contains("hole"), "{hole}");
    let deep = refused(&format!("{head}[body.ground]\n{mesh}\nmotion = \"static\"\n{}", cloth("sheet", -0.3, "")));
    assert!(deep.contains("'sheet'") && deep.contains("'ground'") && deep.contains("inside"), "{deep}");
    let exact = read(&format!("{head}[body.ball]\nshape = {{ kind = \"sphere\", radius = 1 }}\npotential = {{}}\n"));
    assert!(exact.as_ref().is_err_and(|said| said.contains("potential") && said.contains("exact")), "{exact:?}");
}

/// A soft bar is pulled to five times its length: a hole opens in its potential, and the run stops there, by name.
#[test]
fn a_surface_that_stretches_until_it_has_a_hole_is_named() {
    let text = "title = \"t\"\ntime = { dt = 0.02, end = 1 }\nstepper = { kind = \"smooth\" }\nworld = { gravity = [0, 0, 0] }\n\
        [body.bar]\nshape = { kind = \"box\", size = [0.4, 0.1, 0.1] }\n\
        matter = { kind = \"solid\", young = 1e5, poisson = 0.3, cells = [8, 2, 2] }\n\
        pins = [{ where = \"-x - 0.199\" }, { where = \"x - 0.199\", motion = { position = [\"1.6*t\", 0, 0] } }]\n";
    let mut run = Run::new(read(text).unwrap_or_else(|error| panic!("{error}"))).expect("taken");
    let said = loop {
        assert!(!run.is_done(), "no hole");
        if let Err(error) = run.step() {
            break error.to_string();
        }
    };
    assert!(said.contains("'bar'") && said.contains("stretched too far") && said.contains("hole"), "{said}");
}
