//! `asperity cone`: figures are written, and the numbers are those of closed forms.

mod common;

use common::{Bench, csv, near};

#[test]
fn every_preset_writes_svg_png_and_csv() {
    for preset in ["matchstick", "facets", "tensor", "ipc"] {
        let bench = Bench::new(&format!("preset-{preset}"));
        let said = bench.ok(&["cone", "--preset", preset, "--out", "a.svg,b.png", "--csv", "c.csv", "--samples", "72"]);
        for name in ["a.svg", "b.png", "c.csv"] {
            assert!(said.contains(&format!("wrote {name}")), "{said}");
        }
        let svg = String::from_utf8(bench.read("a.svg")).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(!svg.contains("NaN") && !svg.contains("inf\"") && svg.matches("<path").count() >= 8);
        let png = bench.read("b.png");
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.ends_with(b"IEND\xaeB`\x82"));
        let (_, rows) = csv(std::str::from_utf8(&bench.read("c.csv")).unwrap());
        assert!(rows.len() >= 72 && rows.iter().flat_map(|r| &r.1).all(|n| n.is_finite()));
        assert_eq!(bench.names(), ["a.svg", "b.png", "c.csv"]);
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let bench = Bench::new("same");
    bench.ok(&["cone", "--preset", "facets", "--out", "a.svg", "--csv", "a.csv", "--samples", "36"]);
    bench.ok(&["cone", "--preset", "facets", "--out", "b.svg", "--csv", "b.csv", "--samples", "36"]);
    assert!(bench.read("a.svg") == bench.read("b.svg") && bench.read("a.csv") == bench.read("b.csv"));
}

/// Semi-axes μ along the grain at `axis` degrees: μ(d) = |(μ_t cos, μ_b sin)|, and the force of maximum dissipation.
#[test]
fn an_ellipse_has_the_coefficients_forces_and_limits_of_its_closed_form() {
    let bench = Bench::new("ellipse");
    let arguments = ["cone", "--law", "anisotropic", "--mu-t", "0.3", "--mu-b", "1.2", "--structure-a-deg", "20"];
    let (text, aside) = bench.ok_aside(&[&arguments[..], &["--csv", "-"]].concat());
    assert!(aside.contains("ellipse"), "{aside}");
    let (header, rows) = csv(&text);
    assert_eq!(header, ["curve", "angle_deg", "limit_t", "limit_b", "coefficient", "force_t", "force_b"]);
    assert_eq!(rows.len(), 360);
    for (i, (curve, row)) in rows.iter().enumerate() {
        assert_eq!(curve, "anisotropic");
        let [angle, limit_t, limit_b, coefficient, force_t, force_b] = row[..] else { panic!("{row:?}") };
        assert_eq!(angle, i as f64);
        let (sin, cos) = (angle - 20.0).to_radians().sin_cos();
        let mu = (0.3 * cos).hypot(1.2 * sin);
        near(coefficient, mu, 1e-12);
        let (s, c) = 20f64.to_radians().sin_cos();
        let (along, across) = (-0.09 * cos / mu, -1.44 * sin / mu);
        near(force_t, c * along - s * across, 1e-12);
        near(force_b, s * along + c * across, 1e-12);
        let reach = 1.0 / (cos / 0.3).hypot(sin / 1.2);
        near(limit_t, reach * angle.to_radians().cos(), 1e-9);
        near(limit_b, reach * angle.to_radians().sin(), 1e-9);
    }
    assert!(bench.names().is_empty(), "a table on standard output writes no figure");
}

#[test]
fn the_rule_of_a_tensor_resists_with_060_and_its_cone_with_072() {
    let bench = Bench::new("tensor");
    let said = bench.ok(&["cone", "--preset", "tensor", "--out", "t.svg", "--csv", "t.csv"]);
    assert!(said.contains("differ by up to 0.6000"), "{said}");
    let (_, rows) = csv(std::str::from_utf8(&bench.read("t.csv")).unwrap());
    let at = |curve: &str, angle: f64| {
        rows.iter().find(|(name, row)| name == curve && row[0] == angle).map(|(_, row)| row[3]).unwrap()
    };
    // The principal axes are at 30 degrees, so 45 degrees to them are 75.
    near(at("rule", 75.0), 0.6, 1e-12);
    near(at("cone", 75.0), 0.52f64.sqrt(), 1e-12);
    near(at("rule", 30.0), 0.2, 1e-12);
    near(at("cone", 120.0), 1.0, 1e-12);
    near(at("asymmetric rule", 210.0), 0.7, 1e-12);
    let svg = String::from_utf8(bench.read("t.svg")).unwrap();
    assert!(svg.contains("0.60") && svg.contains("0.72"));
}

#[test]
fn matchstick_coefficients_are_linear_in_the_angle_between_the_grains() {
    let bench = Bench::new("matchstick");
    bench.ok(&["cone", "--preset", "matchstick", "--mu", "0.2", "--mu-t", "0.2", "--mu-b", "3", "--csv", "m.csv"]);
    assert_eq!(bench.names(), ["m.csv", "out"]);
    assert!(bench.read("out/preset-matchstick.svg").starts_with(b"<svg"));
    let (_, rows) = csv(std::str::from_utf8(&bench.read("m.csv")).unwrap());
    for angle in [0, 15, 30, 45, 60, 75, 90] {
        let name = format!("grains {angle} deg apart");
        let across = rows.iter().find(|(curve, row)| *curve == name && row[0] == 90.0).unwrap();
        near(across.1[3], 3.0 - 2.8 * f64::from(angle) / 90.0, 1e-12);
    }
}

#[test]
fn facets_show_what_the_paper_describes() {
    let bench = Bench::new("facets");
    bench.ok(&["cone", "--preset", "facets", "--out", "f.svg", "--csv", "f.csv", "--samples", "8"]);
    let (_, rows) = csv(std::str::from_utf8(&bench.read("f.csv")).unwrap());
    let at = |curve: &str, angle: f64| {
        rows.iter().find(|(name, row)| name == curve && row[0] == angle).map(|(_, row)| row[3]).unwrap()
    };
    // Sawtooth: nothing along the ridges, most against the steep flanks; both sides count. (2/π) 2 mean max(0, p).
    let k = 4.0 / std::f64::consts::PI;
    near(at("sawtooth exact", 0.0), 0.0, 1e-12);
    near(at("sawtooth exact", 90.0), k * 3.0 / 4.0, 1e-12);
    near(at("sawtooth exact", 270.0), k * 0.6 * 3.0 / 4.0, 1e-12);
    assert!(at("sawtooth 16 directions", 0.0) > 0.3, "the hull resists along the ridges");
    assert!(at("anisotropic exact", 90.0) > 5.0 * at("anisotropic exact", 0.0));
    for patch in ["isotropic", "anisotropic", "sawtooth"] {
        for angle in [0.0, 90.0, 180.0, 270.0] {
            near(at(&format!("{patch} box"), angle), at(&format!("{patch} exact"), angle), 1e-12);
        }
        assert!(at(&format!("{patch} box"), 45.0) >= at(&format!("{patch} exact"), 45.0) - 1e-12);
    }
}

#[test]
fn static_and_kinetic_curves_are_those_of_the_page_and_ours_peaks_at_mu_s() {
    let bench = Bench::new("ipc");
    bench.ok(&["cone", "--preset", "ipc", "--out", "i.svg", "--csv", "i.csv", "--samples", "300"]);
    let (header, rows) = csv(std::str::from_utf8(&bench.read("i.csv")).unwrap());
    assert_eq!(header, ["curve", "speed", "mu", "f0", "f1", "mu_f1", "potential"]);
    let at = |curve: &str, speed: f64| {
        let row = rows.iter().find(|(name, row)| name == curve && (row[0] - speed).abs() < 1e-9);
        row.map(|(_, row)| row.clone()).unwrap()
    };
    // At ε/2: μ = (μ_s + μ_k)/2, f1 = 3/4, f0 = ε (1/3 + 1/4 - 1/24).
    let half = at("IPC Toolkit", 5e-4);
    near(half[1], 0.55, 1e-12);
    near(half[2], 1e-3 * 13.0 / 24.0, 1e-15);
    near(half[3], 0.75, 1e-12);
    near(half[4], 0.4125, 1e-12);
    // At rest the potential is ε (27 μ_k - 11 μ_s)/48.
    near(at("IPC Toolkit", 0.0)[5], 1e-3 * (2.7 - 11.0) / 48.0, 1e-15);
    near(at("ours (peak)", 1e-3)[4], 1.0, 1e-12);
    for curve in ["IPC Toolkit", "ours (peak)"] {
        near(at(curve, 3e-3)[4], 0.1, 1e-12);
        near(at(curve, 3e-3)[5], 3e-4, 1e-15);
    }
}

#[test]
fn a_file_with_a_slip_tells_its_force_angle_and_power() {
    let bench = Bench::new("slip");
    let text = "[law]\nkind = \"coulomb\"\ncombine = \"maximum\"\n[a]\nmu = 0.25\n[b]\nmu = 0.5\n\
                [slip]\nvelocity = [0.3, 0.4]\nload = 4\n";
    bench.write("pair.toml", text);
    let said = bench.ok(&["cone", "pair.toml", "--out", "p.png", "--out", "p.svg"]);
    // 0.5 times 4 N against 0.5 m/s.
    for expected in ["[-1.2, -1.6] N, 2 N at 233.1 deg", "power                 -1 W", "straight against the slip"] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    let turned = bench.ok(&["cone", "pair.toml", "--slip-deg", "90", "--out", "p.png"]);
    assert!(turned.contains("[0, -2] N"), "{turned}");
}

#[test]
fn laws_that_depend_on_the_slip_speed_are_told_at_that_speed() {
    let bench = Bench::new("speed");
    let law = "[law]\nkind = \"static_kinetic\"\nkinetic = 0.5\neps_v = 0.01\nlaw = { kind = \"coulomb\", mu = 0.8 }\n";
    bench.write("pair.toml", law);
    let coefficient = |speed: &str| {
        let (text, _) = bench.ok_aside(&["cone", "pair.toml", "--speed", speed, "--csv", "-", "--samples", "8"]);
        let row = csv(&text).1.swap_remove(3).1;
        (row[3], row[1].hypot(row[2]))
    };
    let (slow, fast) = (coefficient("0.001"), coefficient("1"));
    near(slow.0, 0.8, 1e-12);
    near(fast.0, 0.4, 1e-12);
    near(fast.1, 0.8, 1e-9);
}

#[test]
fn gaussian_facets_and_slopes_of_a_file_are_read() {
    let bench = Bench::new("facet-files");
    bench.write("slopes.csv", "p_t,p_b\n0,1\n0,-0.5\n");
    bench.write("patch.toml", "[law]\nkind = \"facets\"\nmu0 = 0.1\n[b]\nslopes_csv = \"slopes.csv\"\nsalience = 2\n");
    let gaussian =
        "[law]\nkind = \"facets\"\nmu0 = 0\n[b]\ntangent_deg = 30\ngaussian = { sigma = [1, 0], angle_deg = 60 }\n";
    bench.write("gaussian.toml", gaussian);
    let coefficients = |file: &str| {
        let (text, _) = bench.ok_aside(&["cone", file, "--csv", "-", "--samples", "8"]);
        csv(&text).1.into_iter().map(|(_, row)| row[3]).collect::<Vec<_>>()
    };
    // Force along +b (sliding along -b) meets the slope 1, half of the texels: 0.1 + (2/π) 2 (1/2).
    let patch = coefficients("patch.toml");
    near(patch[6], 0.1 + 2.0 / std::f64::consts::PI, 1e-3);
    near(patch[2], 0.1 + 1.0 / std::f64::consts::PI, 1e-3);
    near(patch[0], 0.1, 1e-3);
    // All slopes along b: (2/π)/√(2π).
    let smooth = coefficients("gaussian.toml");
    near(smooth[2], 2.0 / std::f64::consts::PI / std::f64::consts::TAU.sqrt(), 1e-12);
    near(smooth[0], 0.0, 1e-12);
}
