//! Words that help: a scene to start from, what is given and not read, what is read and not given, what was not run.

mod common;

use common::Bench;

/// Two boxes on a plate; `law` is that of all pairs, `plate`, `left` and `right` are keys of the bodies.
fn scene(law: &str, plate: &str, left: &str, right: &str) -> String {
    format!(
        "title = \"x\"\n[time]\ndt = 0.01\nend = 0.02\n[output]\nglb = false\ngif = false\nfilmstrip = 0\n[pair_default]\nlaw = {{ {law} }}\n\
         [body.plate]\nshape = {{ kind = \"box\", size = [4, 0.2, 4] }}\nposition = [0, -0.1, 0]\nmotion = \"static\"\n{plate}\n\
         [body.left]\nshape = {{ kind = \"box\", size = [0.2, 0.2, 0.2] }}\nposition = [-1, 0.1, 0]\n{left}\n\
         [body.right]\nshape = {{ kind = \"box\", size = [0.2, 0.2, 0.2] }}\nposition = [1, 0.1, 0]\n{right}\n"
    )
}

#[test]
fn a_new_scene_runs_as_it_says() {
    let bench = Bench::new("words-new");
    let said = bench.ok(&["new", "slide"]);
    assert_eq!(said, "wrote slide.toml; try: asperity run slide.toml\n");
    let ran = bench.ok(&["run", "slide.toml", "--variant", "all", "--no-pictures"]);
    assert_eq!(ran.matches("  ok\n").count(), 4, "{ran}");
    assert!(!ran.contains("MISSED") && !ran.contains('\x1b'), "{ran}");
    let checked = bench.ok(&["check", "slide.toml"]);
    assert!(!checked.contains("warning") && !checked.contains("note"), "{checked}");

    assert!(bench.refused(&["new", "slide"]).contains("'slide.toml' is there already"));
    assert!(bench.refused(&["new", "slide.png"]).contains("ends in .toml"));
    assert!(bench.refused(&["new", ".."]).contains("no name of a file"));
    bench.ok(&["new", "deeper/one.toml"]);
    assert!(bench.read("deeper/one.toml").starts_with(b"# A scene to start from"));
}

#[test]
fn variants_that_were_not_run_are_named() {
    let bench = Bench::new("words-variants");
    bench.write("x.toml", &(scene("kind = \"coulomb\", mu = 0.3", "", "", "") + "[variant.a]\n[variant.b]\n"));
    let ran = |arguments: &[&str]| bench.ok(&[&["run", "x.toml", "--no-pictures"], arguments].concat());
    assert!(ran(&[]).ends_with("x.toml has the variants a, b besides: --variant NAME, or all\n"));
    assert!(ran(&["--variant", "a"]).ends_with("x.toml has the variant b besides: --variant NAME, or all\n"));
    assert!(!ran(&["--variant", "all"]).contains("besides"));
    assert_eq!(ran(&["--quiet"]), "");
}

/// What `check` says of a scene after its first line. `run` says the warnings among them.
fn told(bench: &Bench, text: &str) -> Vec<String> {
    bench.write("x.toml", text);
    let checked = bench.ok(&["check", "x.toml"]);
    let lines: Vec<String> = checked.lines().skip(1).map(|line| line.trim().to_owned()).collect();
    let (_, aside) = bench.ok_aside(&["run", "x.toml", "--no-pictures"]);
    let said: Vec<String> = aside.lines().map(|line| line.replacen("x: ", "", 1)).collect();
    assert_eq!(said, lines.iter().filter(|line| line.starts_with("warning")).cloned().collect::<Vec<_>>());
    lines
}

#[test]
fn data_that_no_law_reads_are_named() {
    let bench = Bench::new("words-unread");
    let coulomb = "kind = \"coulomb\", mu = 0.3";
    assert_eq!(told(&bench, &scene(coulomb, "", "", "")), [""; 0]);
    let lines = told(&bench, &scene(coulomb, "relief = { material = \"oak\" }", "structure = [1, 0, 0]", "mu = 0.6"));
    assert_eq!(
        lines,
        [
            "warning: `plate` has facets (a normal map, a height map or a relief), which law coulomb does not read: ignored",
            "warning: `left` has grain (`structure`), which law coulomb does not read: ignored",
            "warning: `right` has `mu`, which law coulomb does not read: ignored",
        ]
    );
    // One pair of bodies that reads it is enough: here the two boxes.
    let pair = "[material.wood]\n[[pair]]\nmaterials = [\"wood\", \"wood\"]\nlaw = { kind = \"matchstick\", mu = 0.3, mu_t = 0.1, mu_b = 1 }\n";
    let wood = "material = \"wood\"\nstructure = [1, 0, 0]";
    assert_eq!(told(&bench, &(scene(coulomb, "", wood, wood) + pair)), [""; 0]);
    assert_eq!(told(&bench, &(scene(coulomb, wood, wood, wood) + pair)), [""; 0]);
}

#[test]
fn laws_that_lack_data_say_what_happens_instead() {
    let bench = Bench::new("words-lacking");
    let matchstick = "kind = \"matchstick\", mu = 0.3, mu_t = 0.1, mu_b = 1";
    let grain = "structure = [1, 0, 0]";
    assert_eq!(told(&bench, &scene(matchstick, grain, grain, grain)), [""; 0]);
    let none = told(&bench, &scene(matchstick, "", "", ""));
    let neither = "which reads their grain (`structure`); neither has one: isotropic with mu = 0.3";
    assert!(
        none[0].starts_with("warning: `plate` and `left`, `right` meet by") && none[0].ends_with(neither),
        "{none:?}"
    );
    let one = told(&bench, &scene(matchstick, grain, grain, ""));
    assert!(one.iter().all(|line| line.starts_with("note: `right` has no grain")), "{one:?}");
    assert!(one.iter().any(|line| line.contains("that of `plate` alone decides")), "{one:?}");
    let said = format!("{matchstick}, missing = \"isotropic\"");
    assert_eq!(told(&bench, &scene(&said, grain, grain, "")), [""; 0], "who says it knows it");

    assert_eq!(told(&bench, &scene("kind = \"coulomb\"", "", "mu = 0.4", "")), [""; 0], "surfaces have 0.5");
    let facets = told(&bench, &scene("kind = \"facets\", mu0 = 0.2", "", "", ""));
    let said = &facets[0];
    assert!(said.contains("`plate` and `left`, `right`") && said.contains("only mu0 = 0.2 resists"), "{facets:?}");
    let used = scene("kind = \"facets\", mu0 = 0.2", "", "", "relief = { material = \"oak\" }");
    assert_eq!(told(&bench, &used), [""; 0], "one body with facets is enough");
    let tensors = told(&bench, &scene("kind = \"tensor_cone\"", "", "", ""));
    assert!(tensors[0].contains("neither has one: no friction"), "{tensors:?}");
    let pair = "[material.wood]\n[[pair]]\nmaterials = [\"default\", \"wood\"]\n\
                law = { kind = \"anisotropic\", mu = [0.1, 0.5], axes = \"on_b\" }\n";
    bench.write("x.toml", &(scene("kind = \"coulomb\"", "material = \"wood\"", "", "") + pair));
    let axes = bench.ok(&["check", "x.toml"]);
    let stops =
        "the law anisotropic reads the `structure` of `plate`; there is none: their first contact will stop the run";
    assert!(axes.contains(stops), "{axes}");
    let (_, aside) = bench.ends(3, &["run", "x.toml", "--no-pictures"]);
    assert!(aside.contains(stops) && aside.contains("failed in its first step"), "{aside}");
}

#[test]
fn bodies_that_fall_for_ever_are_named() {
    let bench = Bench::new("words-gone");
    let law = "kind = \"coulomb\", mu = 0.3";
    bench.write(
        "x.toml",
        &scene(law, "", "", "").replace("[1, 0.1, 0]", "[5, 0.1, 0]").replace("end = 0.02", "end = 1"),
    );
    let (_, aside) = bench.ok_aside(&["run", "x.toml", "--no-pictures"]);
    assert!(
        aside.starts_with("x: note: 1 body is below all that is fixed and will fall for ever: `right` from t = 0."),
        "{aside}"
    );
}
