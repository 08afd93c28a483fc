//! Contact forces are recorded for the body that forces move, whichever was declared first.

use asperity::run::Run;
use asperity::scene::Document;
use glam::DVec3;

const TIME: &str = "title = \"At rest\"\n[time]\ndt = 0.01\nend = 0.05\n";
const GROUND: &str = "[body.ground]\nshape = { kind = \"half_space\", normal = [0, 1, 0] }\nmotion = \"static\"\n";
const BALL: &str = "[body.ball]\nshape = { kind = \"sphere\", radius = 0.1 }\nmass = 2\nposition = [0, 0.1, 0]\n";
const UPPER: &str = "[body.upper]\nshape = { kind = \"sphere\", radius = 0.1 }\nmass = 2\nposition = [0, 0.3, 0]\n";

/// Forces of the last frame.
fn forces(parts: &[&str]) -> Vec<DVec3> {
    let text = format!("{TIME}{}", parts.concat());
    let scene = Document::parse(&text, "rest.toml").unwrap().scene(None, &[]).unwrap();
    let mut run = Run::new(scene).unwrap();
    while !run.is_done() {
        run.step().unwrap();
    }
    run.recording().frames().last().unwrap().forces.iter().map(|contact| contact.force).collect()
}

#[test]
fn the_force_of_the_ground_points_up_whichever_body_comes_first() {
    for parts in [[GROUND, BALL], [BALL, GROUND]] {
        let found = forces(&parts);
        assert!(matches!(found[..], [force] if force.distance(DVec3::Y * 2.0 * 9.81) < 1e-6), "{found:?}");
    }
}

#[test]
fn two_bodies_that_move_share_the_force_in_halves() {
    for parts in [[GROUND, BALL, UPPER], [UPPER, BALL, GROUND]] {
        let mut found = forces(&parts);
        found.sort_by(|a, b| a.y.total_cmp(&b.y));
        // Half the upper ball's weight down on the lower one and up on the upper one; the weight of both on the lower one.
        let expected = [-9.81, 9.81, 4.0 * 9.81];
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found.iter().zip(expected).all(|(f, y)| f.distance(DVec3::Y * y) < 1e-5), "{found:?}");
    }
}
