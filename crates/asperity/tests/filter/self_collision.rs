//! Cloth that lies on itself for ten seconds, looked at in every step by the exact test of crossings.

use asperity::scene::Scene;
use asperity::world::State;

use super::{Surfaces, positions, scene, watch};

/// A ribbon of a metre, folded ten times like a bellows, falls together: ten layers.
const BELLOWS: &str = r#"
    title = "A folded ribbon"
    time = { dt = 0.002, end = 10 }
    stepper = { kind = "filter" }
    pair_default.law = { kind = "coulomb", mu = 0.3 }
    [body.ground]
    shape = { kind = "half_space" }
    motion = "static"
    [body.ribbon]
    shape = { kind = "grid", size = [0.05, 1.0], cells = [2, 40] }
    matter = { kind = "cloth", stretch = 50, bending = 1e-6, area_density = 0.2, thickness = 0.002, damping = 1 }
    start = ["x", "0.26 + z*0.5", "0.0866*asin(0.99999*sin(PI*z/0.1))/PI"]
"#;

/// A cloth that falls on its edge, leaning, and crumples.
const CRUMPLED: &str = r#"
    title = "A cloth falls on itself"
    time = { dt = 0.002, end = 10 }
    stepper = { kind = "filter" }
    pair_default.law = { kind = "coulomb", mu = 0.3 }
    [body.ground]
    shape = { kind = "half_space" }
    motion = "static"
    [body.cloth]
    shape = { kind = "grid", size = [0.5, 0.5], cells = [12, 12] }
    matter = { kind = "cloth", stretch = 50, bending = 1e-6, area_density = 0.2, thickness = 0.004, damping = 1 }
    turn = { axis = [1, 0, 0.2], angle_deg = 85 }
    position = [0, 0.35, 0]
"#;

/// Steps to the end; nothing crosses, nothing is driven, nothing falls through the ground.
fn lies(scene: &Scene, body: &str) -> State {
    let surfaces = Surfaces::new(scene);
    watch(scene, |state, report| {
        surfaces.check(scene, state);
        assert!(report.largest_friction_power <= 0.0, "t = {}", state.time);
        let low = positions(scene, state, body).iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        assert!(low > -1e-3, "{low} m at t = {}", state.time);
    })
}

#[test]
#[ignore = "slow"]
fn a_ribbon_folded_ten_times_lies_in_layers_for_ten_seconds() {
    let scene = scene(BELLOWS, &[]);
    let at = lies(&scene, "ribbon");
    let high = positions(&scene, &at, "ribbon").iter().map(|x| x.y).fold(0.0, f64::max);
    // It began half a metre high. Ten layers are 20 mm thick; folds stand up to their bending.
    assert!(high > 0.01 && high < 0.15, "{high}");
}

#[test]
#[ignore = "slow"]
fn a_cloth_that_falls_on_itself_does_not_cross_for_ten_seconds() {
    let scene = scene(CRUMPLED, &[]);
    let at = lies(&scene, "cloth");
    let high = positions(&scene, &at, "cloth").iter().map(|x| x.y).fold(0.0, f64::max);
    assert!(high > 0.004 && high < 0.25, "{high}");
}

#[test]
fn a_folded_ribbon_falls_together() {
    let scene = scene(BELLOWS, &[("time.end", "0.4")]);
    lies(&scene, "ribbon");
}
