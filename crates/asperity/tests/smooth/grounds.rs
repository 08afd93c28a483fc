//! What bodies slide on: planes, meshes, moving meshes, point clouds, drums; laws against closed forms.

use std::f64::consts::TAU;
use std::fmt::Write as _;

use asperity::run::Run;
use asperity::scene::Document;

use super::{PLANE, braked, floor, run, slide, way};

#[test]
fn laws_have_the_coefficient_of_their_closed_form() {
    let grain = "{ kind = \"matchstick\", mu = 0.35, mu_t = 0.1, mu_b = 0.6 }";
    let kinetic = "{ kind = \"static_kinetic\", kinetic = 0.6, eps_v = 0.001, law = { kind = \"coulomb\", mu = 0.5 } }";
    let cases = [
        ("{ kind = \"coulomb\", mu = 0.3 }", "[1, 0, 0]", "[1, 0, 0]", 0.3),
        (grain, "[1, 0, 0]", "[1, 0, 0]", 0.1),
        (grain, "[0, 0, 1]", "[0, 0, 1]", 0.6),
        (grain, "[1, 0, 0]", "[0, 0, 1]", 0.35),
        (kinetic, "[1, 0, 0]", "[1, 0, 0]", 0.3),
    ];
    for (law, ground, block, mu) in cases {
        let ground = format!("{PLANE}\nstructure = {ground}\ntangent = {ground}");
        let keys = format!("velocity = [1.5, 0, 0]\nstructure = {block}\ntangent = {block}");
        let found = way(&run(&slide(&ground, law, &keys)), 1);
        // The feet settle, as they do with `implicit`.
        assert!((found.x / braked(mu) - 1.0).abs() < 1e-2, "{law}: {} instead of {}", found.x, braked(mu));
        assert!(found.z.abs() < 1e-3, "{law}: {found}");
    }
}

/// A flat mesh has the potential of its plane: the block slides on it as on the plane itself. So it does on a mesh whose vertices
/// move by formulas but stay, and the same block sticks to one that carries it.
#[test]
fn meshes_and_moving_meshes_are_grounds() {
    let law = "{ kind = \"coulomb\", mu = 0.3 }";
    let velocity = "velocity = [1.5, 0, 0]";
    let expected = way(&run(&slide(PLANE, law, velocity)), 1).x;
    let mesh = floor([2.0, 0.9], [40, 18]);
    let still = format!("{mesh}\nmotion = \"static\"");
    let moving = format!("{mesh}\nmotion = {{ vertices = [\"x\", \"y\", \"z\"] }}");
    for ground in [still, moving] {
        let found = way(&run(&slide(&ground, law, velocity)), 1).x;
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
    let carried = format!("{mesh}\nmotion = {{ vertices = [\"x + 0.4*t\", \"y\", \"z\"] }}");
    let found = way(&run(&slide(&carried, law, "velocity = [0.4, 0, 0]")), 1).x;
    assert!((found - 0.08).abs() < 1e-5, "{found}");
}

/// Points of a floor with normals, in a PLY file.
#[test]
fn a_point_cloud_is_a_ground() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("smooth_cloud");
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut ply = "ply\nformat ascii 1.0\nelement vertex 800\n".to_owned();
    ["x", "y", "z", "nx", "ny", "nz"].iter().for_each(|name| ply += &format!("property double {name}\n"));
    ply += "end_header\n";
    for i in 0..40 {
        for j in 0..20 {
            let _ = writeln!(ply, "{} 0 {} 0 1 0", 0.05 * (f64::from(i) - 19.5), 0.05 * (f64::from(j) - 9.5));
        }
    }
    std::fs::write(folder.join("ground.ply"), ply).expect("a file");
    let law = "{ kind = \"coulomb\", mu = 0.3 }";
    let shape = "shape = { kind = \"mesh\", file = \"ground.ply\" }\nmotion = \"static\"";
    let in_file = |ground: &str| {
        let path = folder.join("cloud.toml");
        std::fs::write(&path, slide(ground, law, "velocity = [1.5, 0, 0]")).expect("a file");
        let document = Document::read(&path).unwrap_or_else(|error| panic!("{error}"));
        document.scene(None, &[]).unwrap_or_else(|error| panic!("{error}"))
    };
    // A piece of ground ends somewhere.
    let refused = Run::new(in_file(shape)).err().map(|error| error.to_string()).expect("a border");
    assert!(refused.contains("'ground'") && refused.contains("open = true"), "{refused}");
    let mut run = Run::new(in_file(&format!("{shape}\npotential = {{ open = true }}"))).expect("taken");
    while !run.is_done() {
        run.step().unwrap_or_else(|error| panic!("{error}"));
    }
    assert!((way(&run, 1).x / braked(0.3) - 1.0).abs() < 1e-2, "{}", way(&run, 1));
}

/// A strip of cloth over a drum of 36 sides, sampled with the cubic kernel: round enough to hold and let go where the true
/// drum does (0.140152), up to what the bulge of the potential adds to the radius.
#[test]
fn a_sampled_drum_holds_and_lets_go_as_a_round_one() {
    let speed = |mu: f64, drum: &str| {
        let place = "max(min((x+0.400205706671), 0.799794293329), -0.799794293329)";
        let text = format!(
            "title = \"t\"\ntime = {{ dt = 0.01, end = 0.6 }}\nstepper = {{ kind = \"smooth\" }}\n\
             [pair_default]\nlaw = {{ kind = \"coulomb\", mu = {mu} }}\n[body.drum]\n{drum}\nmotion = \"static\"\n\
             [body.cloth]\nshape = {{ kind = \"grid\", size = [4, 0.08], cells = [100, 2] }}\n\
             start = [\"0.5093*sin(1.964*{place})\", \"0.5093*cos(1.964*{place}) - abs((x+0.400205706671)-{place})\", \"z\"]\n\
             matter = {{ kind = \"cloth\", stretch = 1e5, poisson = 0, bending = 0, area_density = 0.2 }}\n"
        );
        run(&text).state().bodies[1].frame().velocity.length()
    };
    let (sides, rings) = (36u32, 8u32);
    let (mut vertices, mut triangles) = (String::new(), String::new());
    for ring in 0..=rings {
        for side in 0..sides {
            let angle = TAU * (f64::from(side) + 0.5 * f64::from(ring % 2)) / f64::from(sides);
            let z = 0.6 * (f64::from(ring) / f64::from(rings) - 0.5);
            let _ = write!(vertices, "[{}, {}, {z}], ", 0.5093 * angle.cos(), 0.5093 * angle.sin());
        }
    }
    for ring in 0..rings {
        for side in 0..sides {
            let [a, b] = [ring * sides + side, ring * sides + (side + 1) % sides];
            let [c, d] = [a + sides, b + sides];
            let pair = if ring % 2 == 0 { [[a, b, c], [b, d, c]] } else { [[a, b, d], [a, d, c]] };
            pair.iter().for_each(|corners| {
                let _ = write!(triangles, "{corners:?}, ");
            });
        }
    }
    let drum = format!("shape = {{ kind = \"mesh\", vertices = [{vertices}], triangles = [{triangles}] }}");
    assert!(speed(0.15, &drum) < 5e-3, "{}", speed(0.15, &drum));
    assert!(speed(0.12, &drum) > 5e-2, "{}", speed(0.12, &drum));
}
