//! No text makes the reader panic or hang.

use proptest::prelude::*;

use super::{EXAMPLE, read};

/// A scene with one of most things, so that mutations reach every part of the reader.
const RICH: &str = r##"
title = "all"
time = { dt = 0.01, end = 1 }
world = { damping = 0.1 }
[material.m]
tensor = { plus = [[1, 0], [0, 1]] }
[[pair]]
materials = ["m", "default"]
law = { kind = "static_kinetic", law = { kind = "coulomb", mu = 0.3 }, kinetic = 0.5, eps_v = 0.1 }
[body.a]
shape = { kind = "sector", inner = 1, outer = 2, depth = 1, from_deg = 10, to_deg = 50 }
position = [0, 9, 0]
structure = { field = "sweep", axis = [0, 0, 1], direction = { mixed = [1, 0, 2] } }
[body.b]
shape = { kind = "revolution", segments = 5, profile = [[1, 0], [2, 0], [2, 1], [1, 0]] }
motion = { keyframes = [{ t = 0 }, { t = 1, turn = [{ axis = [0, 1, 0], angle_deg = 3 }] }] }
[body.c]
shape = { kind = "compound", parts = [{ shape = { kind = "capsule", radius = 0.1, length = 1 }, position = [0, 1, 0] }, { shape = { kind = "hull", points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], scale = 0.1 } }] }
position = [0, 20, 0]
array = { count = [2, 2, 1], spacing = [3, 3, 3], jitter = 0.1, jitter_deg = 2 }
[body.d]
shape = { kind = "mesh", vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles = [[0, 1, 2]] }
motion = { position = ["sin(t)", "0", "t^2"], turn = { axis = [0, 1, 0], angle_deg = "90*t" } }
color = "#aabbcc"
checker = 0.2
[output]
camera = { from = [1, 2, 3], to = [0, 0, 0] }
[expect.x]
measure = "fraction"
body = "c[*"
along = [0, 1, 0]
beyond = 3
value = 1
within = "3%"
[variant.v]
body.a.shape = { kind = "box", size = [1, 1, 1] }
expect.x = "none"
"##;

/// Texts that mean something to the reader or its parsers.
const PIECES: &[&str] = &[
    "0",
    "-1",
    "1e12",
    "1e-300",
    "1e308",
    "nan",
    "inf",
    "[]",
    "{}",
    "\"\"",
    "\"none\"",
    "true",
    "[0, 0, 0]",
    "=",
    ".",
    "\n",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "é",
    "\u{0}",
    "[body.a]",
    "[[pair]]",
    "kind",
    "\"mesh\"",
    "\"half_space\"",
    "\"dynamic\"",
    "\"1/t\"",
    "9999999999999999999999",
    "0x7fffffffffffffff",
    "2020-01-01",
    "*",
];

fn pieces() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::sample::select(PIECES).prop_map(str::to_owned),
        proptest::sample::select(PIECES).prop_map(str::to_owned),
        any::<char>().prop_map(String::from),
    ]
}

/// A scene of which a few tokens are replaced, doubled or left out.
fn mutated(base: &'static str) -> impl Strategy<Value = String> {
    let edit = (any::<proptest::sample::Index>(), 0usize..4, pieces());
    proptest::collection::vec(edit, 1..4).prop_map(move |edits| {
        let mut tokens: Vec<String> = tokens(base);
        for (index, kind, piece) in edits {
            let at = index.index(tokens.len());
            match kind {
                0 => tokens[at] = piece,
                1 => tokens.insert(at, piece),
                2 => drop(tokens.remove(at)),
                _ => {
                    let copy = tokens[at].clone();
                    tokens.insert(at, copy);
                }
            }
        }
        tokens.concat()
    })
}

/// Words and the characters between them.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut word = false;
    for c in text.chars() {
        let part = c.is_alphanumeric() || "._-".contains(c);
        match tokens.last_mut() {
            Some(last) if part && word => last.push(c),
            _ => tokens.push(c.to_string()),
        }
        word = part;
    }
    tokens
}

#[test]
fn the_rich_scene_is_read() {
    assert!(read(RICH, None, &[]).is_ok(), "{}", read(RICH, None, &[]).map(|s| s.title).unwrap_err());
    assert!(read(RICH, Some("v"), &[]).is_ok(), "{}", read(RICH, Some("v"), &[]).map(|s| s.title).unwrap_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn mutated_scenes_are_read_or_refused(text in prop_oneof![mutated(RICH), mutated(EXAMPLE)]) {
        for variant in [None, Some("v")] {
            if let Ok(scene) = read(&text, variant, &[]) {
                prop_assert_eq!(scene.model.bodies.len(), scene.state.bodies.len());
                prop_assert_eq!(scene.model.bodies.len(), scene.looks.len());
                for state in &scene.state.bodies {
                    prop_assert!(state.frame().is_finite() && state.frame().rotation.is_finite());
                }
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in proptest::collection::vec(pieces(), 0..40)) {
        let _ = read(&text.concat(), None, &[]);
    }

    #[test]
    fn any_override_is_read_or_refused(
        key in proptest::sample::select(&["time.dt", "body", "body.a", "body.c.array.count", "pair", "pair.0", "pair.9.x", "expect.x", "a", "\"", "variant.v"][..]),
        value in proptest::collection::vec(pieces(), 0..5),
    ) {
        let _ = read(RICH, None, &[(key, &value.concat())]);
    }
}
