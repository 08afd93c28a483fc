//! What a user does first: default names, folders, flags over a file, normals, speed and load.

mod common;

use common::{Bench, csv, near};

#[test]
fn a_file_a_law_and_a_preset_of_one_name_do_not_overwrite_each_other() {
    let bench = Bench::new("names");
    bench.write("matchstick.toml", "[law]\nkind = \"coulomb\"\nmu = 0.5\n");
    let flags = ["--mu", "0.2", "--mu-t", "0.2", "--mu-b", "3"];
    bench.ok(&["cone", "matchstick.toml"]);
    bench.ok(&[&["cone", "--preset", "matchstick"], &flags[..]].concat());
    bench
        .ok(&[&["cone", "--law", "matchstick", "--structure-a-deg", "0", "--structure-b-deg", "9"], &flags[..]]
            .concat());
    for name in ["matchstick", "preset-matchstick", "law-matchstick"] {
        assert!(bench.read(&format!("out/{name}.svg")).starts_with(b"<svg"), "{name}");
    }
}

#[test]
fn folders_of_results_are_made() {
    let bench = Bench::new("folders");
    bench.ok(&["cone", "--law", "coulomb", "--mu", "1", "--out", "new/deep/a.svg", "--csv", "other/a.csv"]);
    assert!(bench.read("new/deep/a.svg").starts_with(b"<svg"));
    assert!(bench.read("other/a.csv").starts_with(b"curve,"));
}

/// The coefficients in four directions.
fn coefficients(bench: &Bench, file: &str, flags: &[&str]) -> [f64; 4] {
    let (text, _) = bench.ok_aside(&[&["cone", file, "--csv", "-", "--samples", "8"], flags].concat());
    let rows = csv(&text).1;
    [0, 2, 4, 6].map(|i| rows[i].1[3])
}

#[test]
fn normals_are_slopes_in_the_frame_of_their_surface() {
    let bench = Bench::new("normals");
    let law = "[law]\nkind = \"facets\"\nmu0 = 0\nform = { exact = { merge = 0 } }\n";
    bench.write("n.csv", "x,y,z\n0.5,0.0,2.0\n");
    let k = std::f64::consts::FRAC_2_PI * 0.25;
    // A facet of B that looks along +t resists the force on A along +t, so sliding along -t; turned by 90 degrees, along -b.
    // One of A that looks along its tangent resists sliding along +t; the bitangent of A is -b.
    let cases = [
        ("[b]\nnormals = [[0.5, 0, 2]]", [0.0, 0.0, k, 0.0]),
        ("[b]\nnormals_csv = \"n.csv\"", [0.0, 0.0, k, 0.0]),
        ("[b]\nnormals = [[0.5, 0, 2]]\ntangent_deg = 90", [0.0, 0.0, 0.0, k]),
        ("[b]\nnormals = [[0, 0.5, 2]]", [0.0, 0.0, 0.0, k]),
        ("[a]\nnormals = [[0.5, 0, 2]]", [k, 0.0, 0.0, 0.0]),
        ("[a]\nnormals = [[0, 0.5, 2]]", [0.0, 0.0, 0.0, k]),
        ("[a]\nslopes = [[0, -0.25]]", [0.0, 0.0, 0.0, k]),
    ];
    for (surface, expected) in cases {
        bench.write("pair.toml", &format!("{law}{surface}\n"));
        for (found, expected) in coefficients(&bench, "pair.toml", &[]).into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{surface}: {found} instead of {expected}");
        }
    }
}

#[test]
fn flags_go_before_the_file_where_its_law_has_them() {
    let bench = Bench::new("overrides");
    let law = "[law]\nkind = \"static_kinetic\"\nkinetic = 0.5\neps_v = 0.01\n\
               law = { kind = \"anisotropic\", mu = [0.2, 0.6], axes = \"on_a\" }\n[a]\nstructure_deg = 0\n";
    bench.write("pair.toml", law);
    let near4 = |found: [f64; 4], expected: [f64; 2]| {
        near(found[0], expected[0], 1e-12);
        near(found[1], expected[1], 1e-12);
    };
    near4(coefficients(&bench, "pair.toml", &[]), [0.1, 0.3]);
    near4(coefficients(&bench, "pair.toml", &["--mu-t", "0.4", "--structure-a-deg", "90"]), [0.3, 0.2]);
    near4(coefficients(&bench, "pair.toml", &["--speed", "0"]), [0.2, 0.6]);
    for flag in ["--mu", "--structure-b-deg"] {
        let message = bench.refused(&["cone", "pair.toml", flag, "1"]);
        assert!(message.contains(&format!("{flag} has no meaning for law static_kinetic")), "{message}");
    }
    let message = bench.refused(&["cone", "pair.toml", "--mu-b", "-1"]);
    assert!(message.contains("mu across the axis = -1"), "{message}");
}

#[test]
fn speed_and_load_are_told_and_drawn_where_the_law_depends_on_them() {
    let bench = Bench::new("depends");
    bench.write(
        "load.toml",
        "[law]\nkind = \"load_power\"\nexponent = 0.5\nreference = 4\nlaw = { kind = \"coulomb\", mu = 0.6 }\n",
    );
    // 0.6 (16/4)^(-1/2).
    near(coefficients(&bench, "load.toml", &["--load", "16"])[0], 0.3, 1e-12);
    let said = bench.ok(&["cone", "load.toml", "--load", "16", "--out", "l.svg"]);
    assert!(said.contains("depends on the load   coefficients are those at 16 N"), "{said}");
    let svg = String::from_utf8(bench.read("l.svg")).unwrap();
    assert!(svg.contains("coefficient over load") && svg.contains("0.3000 at 16 N"));
    bench.write(
        "speed.toml",
        "[law]\nkind = \"stribeck\"\nrest = 2\nspeed = 0.1\nlaw = { kind = \"coulomb\", mu = 0.6 }\n",
    );
    let said = bench.ok(&["cone", "speed.toml", "--speed", "0", "--out", "s.svg"]);
    assert!(said.contains("1.2000") && said.contains("coefficients are those at 0 m/s"), "{said}");
    let svg = String::from_utf8(bench.read("s.svg")).unwrap();
    assert!(svg.contains("coefficient over slip speed") && !svg.contains("against sliding along d"));
}

#[test]
fn torques_parameters_and_grain_are_told_and_drawn() {
    let bench = Bench::new("torques");
    bench.write(
        "wood.toml",
        "[law]\nkind = \"rolling_resistance\"\nrho = 0.012\n[law.law]\nkind = \"matchstick\"\nmu = 0.2\nmu_t = 0.3\nmu_b = 3\n\
         spin = { isotropic = 0.2, parallel = 0.1 }\n[a]\nstructure_deg = 0\n[b]\nstructure_deg = 45\n",
    );
    let said = bench.ok(&["cone", "wood.toml", "--out", "w.svg"]);
    let svg = String::from_utf8(bench.read("w.svg")).unwrap();
    for expected in ["drilling coefficient  0.15 m", "rolling coefficient   0.012 m"] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    for expected in ["wood: rolling_resistance (rho = 0.012) of matchstick (mu = 0.2", "grain A", "grain B"] {
        assert!(svg.contains(expected), "{expected}");
    }
    assert!(svg.contains("rolling coefficient") && !svg.contains("ellipsoid"));
}

#[test]
fn tables_hold_zeros_and_not_round_off() {
    let bench = Bench::new("zeros");
    let (text, _) = bench.ok_aside(&["cone", "--law", "coulomb", "--mu", "0.5", "--csv", "-", "--samples", "8"]);
    for (_, row) in csv(&text).1 {
        assert!(row.iter().all(|x| *x == 0.0 || x.abs() > 1e-9), "{row:?}");
    }
}

#[test]
fn every_pair_in_the_reference_is_drawn() {
    let bench = Bench::new("reference");
    let reference = include_str!("../../../docs/pair-files.md");
    let pairs: Vec<&str> = reference.split("```toml\n").skip(1).filter_map(|b| b.split("```").next()).collect();
    assert!(pairs.len() >= 2);
    for pair in pairs {
        bench.write("pair.toml", pair);
        bench.ok(&["cone", "pair.toml", "--out", "p.svg", "--samples", "8"]);
    }
}

#[test]
fn help_names_the_reference_and_the_range_of_samples_and_promises_no_simulation() {
    let bench = Bench::new("help");
    let help = bench.ok(&["cone", "--help"]);
    assert!(help.contains("docs/pair-files.md") && help.contains("36000"), "{help}");
    assert!(!bench.ok(&["--help"]).contains("imulat"));
}
