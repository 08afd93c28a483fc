//! Laws on cloth in this stepper against closed forms: grain, facets, static and kinetic friction, and coefficients that vary.

use super::{mean, positions, run};

/// A cloth on a plane, thrown along x.
const THROWN: &str = r#"
    title = "A cloth is thrown"
    time = { dt = 0.001, end = 1 }
    stepper = { kind = "filter" }
    world.gravity = [0, -9.81, 0]
    pair_default.law = { kind = "coulomb", mu = 0.3 }
    [body.ground]
    shape = { kind = "half_space" }
    motion = "static"
    [body.cloth]
    shape = { kind = "grid", size = [0.2, 0.2], cells = [4, 4] }
    matter = { kind = "cloth", stretch = 1e3, bending = 1e-5, area_density = 0.3, thickness = 0.004 }
    position = [0, 0.002, 0]
    velocity = [1, 0, 0]
"#;

/// How far the middle of the cloth has come along x.
fn way(set: &[(&str, &str)]) -> f64 {
    let run = run(THROWN, set);
    mean(positions(run.scene(), run.state(), "cloth")).x
}

/// v²/(2 μ g), less what x⁺ = x + h v⁺ loses of it: h v/2.
fn stopping(speed: f64, mu: f64, h: f64) -> f64 {
    speed * speed / (2.0 * mu * 9.81) - 0.5 * h * speed
}

#[test]
fn grain_is_easy_along_and_hard_across() {
    let law = ("pair_default.law", "{ kind = \"matchstick\", mu = 0.3, mu_t = 0.12, mu_b = 0.6 }");
    for (grain, mu) in [("[1, 0, 0]", 0.12), ("[0, 0, 1]", 0.6)] {
        let found = way(&[law, ("body.ground.structure", grain), ("body.cloth.structure", grain)]);
        let exact = stopping(1.0, mu, 0.001);
        assert!((found / exact - 1.0).abs() < 5e-3, "{grain}: {found} instead of {exact}");
    }
    // Grain that crosses at a right angle has no direction: the coefficient of isotropic friction.
    let crossed = way(&[law, ("body.ground.structure", "[1, 0, 0]"), ("body.cloth.structure", "[0, 0, 1]")]);
    let exact = stopping(1.0, 0.3, 0.001);
    assert!((crossed / exact - 1.0).abs() < 5e-3, "crossed: {crossed} instead of {exact}");
}

#[test]
fn facets_that_lean_one_way_resist_one_way() {
    // One texel, with the slope 76/102 along +x: it resists what comes from +x with 0.1 + (2/π) 76/102.
    let map = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/appearance/tilt.png");
    let map = format!("{{ file = \"{map}\" }}");
    let set = [("pair_default.law", "{ kind = \"facets\", mu0 = 0.1 }"), ("body.ground.normal_map", map.as_str())];
    let steep = 0.1 + std::f64::consts::FRAC_2_PI * 76.0 / 102.0;
    for (velocity, sign, mu) in [("[-1, 0, 0]", -1.0, steep), ("[1, 0, 0]", 1.0, 0.1)] {
        let found = way(&[set[0], set[1], ("body.cloth.velocity", velocity)]) * sign;
        let exact = stopping(1.0, mu, 0.001);
        assert!((found / exact - 1.0).abs() < 6e-3, "{velocity}: {found} instead of {exact}");
    }
}

#[test]
fn what_rests_stays_and_what_slides_goes_on() {
    // tan = 0.45 between the kinetic coefficient 0.3 and the static one 0.6.
    let law = "{ kind = \"static_kinetic\", law = { kind = \"coulomb\", mu = 0.6 }, kinetic = 0.5, eps_v = 0.001 }";
    let set = |velocity| {
        [
            ("pair_default.law", law),
            ("world.gravity", "[3.6, -8, 0]"),
            ("body.cloth.velocity", velocity),
            ("time.end", "0.5"),
        ]
    };
    let rests = way(&set("[0, 0, 0]"));
    assert!(rests.abs() < 1e-6, "{rests}");
    // v t + ½ (g_x − 0.3 g_y) t², and h/t more of the second term.
    let slides = way(&set("[0.2, 0, 0]"));
    let exact = 0.2 * 0.5 + 0.5 * (3.6 - 0.3 * 8.0) * 0.25 * (1.0 + 0.001 / 0.5);
    assert!((slides / exact - 1.0).abs() < 2e-3, "{slides} instead of {exact}");
}

/// Friction of the ground in [`a_cloth_stops_where_the_work_of_stripes_stops_it`]: stripes 5 mm wide, every 20 mm.
fn stripes(x: f64) -> f64 {
    0.05 + 0.6 * f64::from(u8::from((x / 0.02).rem_euclid(1.0) < 0.25))
}

/// ∫₀ˣ μ dx.
fn work(x: f64) -> f64 {
    0.05 * x + 0.6 * (0.005 * (x / 0.02).floor() + (0.02 * (x / 0.02).rem_euclid(1.0)).min(0.005))
}

/// Where a point stops whose friction is read at the end of each step, with these steps.
fn stopped_by_ends(from: f64, speed: f64, h: f64) -> f64 {
    let (mut x, mut v) = (from, speed);
    while v > 0.0 {
        v = (v - h * 9.81 * stripes(x + h * v)).max(0.0);
        x += h * v;
    }
    x
}

#[test]
fn a_cloth_stops_where_the_work_of_stripes_stops_it() {
    // At 3 m/s a step of 5 ms is 15 mm long, and may pass over a stripe. The cloth is a strip across the way, 1 mm wide.
    let (speed, h) = (3.0, 0.005);
    let (mut ours, mut ends) = (0.0f64, 0.0f64);
    for start in [0.011, 0.023, 0.037, 0.052, 0.068, 0.081, 0.094] {
        let place = format!("[{start}, 0.002, 0]");
        let set = [
            ("pair_default.law", "{ kind = \"coulomb\", combine = \"product\" }"),
            ("body.ground.mu", "\"0.05 + 0.3*(1 + signum(0.25 - fract(x/0.02)))\""),
            ("body.cloth.mu", "1"),
            ("body.cloth.shape.size", "[0.001, 0.1]"),
            ("body.cloth.shape.cells", "[1, 1]"),
            ("body.cloth.position", place.as_str()),
            ("body.cloth.velocity", "[3, 0, 0]"),
            ("time.dt", "0.005"),
            ("time.end", "3"),
        ];
        let found = way(&set);
        // g ∫ μ dx = v²/2, by bisection.
        let (mut low, mut high) = (start, 10.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if 9.81 * (work(middle) - work(start)) < 0.5 * speed * speed { low = middle } else { high = middle }
        }
        ours = ours.max((found - low).abs() / (low - start));
        ends = ends.max((stopped_by_ends(start, speed, h) - low).abs() / (low - start));
    }
    assert!(ours < 0.03, "worst error {ours} of the way");
    assert!(ends > 3.0 * ours, "read at the end of the step it would be {ends}, here {ours}");
}
