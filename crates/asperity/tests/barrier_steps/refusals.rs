//! Worlds that the stepper does not take, by name and reason.

use asperity::run::Run;

use super::scene;

const BLOCK: &str = r#"
    title = "A block above a floor"
    time = { dt = 0.01, end = 0.1 }
    stepper = { kind = "barrier", dhat = 1e-3 }
    [body.floor]
    shape = { kind = "box", size = [2, 0.1, 2] }
    position = [0, -0.05, 0]
    motion = "static"
    [body.block]
    shape = { kind = "box", size = [0.2, 0.1, 0.2] }
    position = [0, 0.0505, 0]
"#;

/// What a run says, from its beginning to its first step.
fn refused(set: &[(&str, &str)]) -> String {
    match Run::new(scene(BLOCK, set)) {
        Err(error) => error.to_string(),
        Ok(mut run) => run.step().map_or_else(|error| error.to_string(), |_| "taken".to_owned()),
    }
}

#[test]
fn what_cannot_be_moved_is_named() {
    assert_eq!(refused(&[]), "taken");
    let touching = refused(&[("body.block.position", "[0, 0.05, 0]")]);
    assert!(touching.contains("'block'") && touching.contains("'floor'"), "{touching}");
    let crossing = refused(&[("body.block.position", "[0, 0.02, 0]"), ("world.allow_overlap", "true")]);
    assert!(crossing.contains("crosses triangle") && crossing.contains("'floor'"), "{crossing}");
    let law = refused(&[
        ("pair_default.law", "{ kind = 'tensor_rule' }"),
        ("body.floor.tensor", "[[0.2, 0], [0, 0.2]]"),
        ("body.block.tensor", "[[0.2, 0], [0, 0.2]]"),
        ("body.floor.tangent", "[1, 0, 0]"),
        ("body.block.tangent", "[1, 0, 0]"),
    ]);
    assert!(law.contains("no potential") && law.contains("tensor_rule"), "{law}");
    let bounce = refused(&[("pair_default.restitution", "0.5")]);
    assert!(bounce.contains("no bounces"), "{bounce}");
    let thick = refused(&[
        ("body.block.shape", "{ kind = 'grid', size = [0.2, 0.2], cells = [40, 40] }"),
        (
            "body.block.matter",
            "{ kind = 'cloth', stretch = 1e3, bending = 1e-5, area_density = 0.3, thickness = 0.02 }",
        ),
    ]);
    assert!(thick.contains("'block'") && thick.contains("at rest"), "{thick}");
}

/// Two static boxes that overlap, as the steps of a stair do: neither can give way, and what rests on them is moved.
#[test]
fn obstacles_may_overlap() {
    let wall = "{ shape = { kind = 'box', size = [0.2, 1, 2] }, position = [0.6, 0, 0], motion = 'static' }";
    assert_eq!(refused(&[("body.wall", wall)]), "taken");
}

#[test]
fn bad_settings_are_refused_by_the_reader() {
    for (key, value) in
        [("stepper.stiffness", "-1"), ("stepper.dhat", "0"), ("stepper.eps_v", "-1e-3"), ("stepper.lags", "0")]
    {
        let document = asperity::scene::Document::parse(BLOCK, "test.toml").unwrap();
        let error = document.scene(None, &[(key.into(), value.into())]).unwrap_err().to_string();
        assert!(error.contains(key.split('.').next_back().unwrap()) && error.contains(value), "{error}");
    }
}
