//! Bad input is refused with status 2 and a message that names the file, the key and the value; nothing is written.

mod common;

use common::Bench;

/// A file, and what the message must contain.
const FILES: [(&str, &str, &[&str]); 20] = [
    ("negative", "[law]\nkind = \"coulomb\"\nmu = -0.2\n", &["negative.toml:3:1", "law.mu = -0.2", "not negative"]),
    ("nan", "[law]\nkind = \"coulomb\"\nmu = nan\n", &["nan.toml:3:1", "law.mu = NaN", "finite"]),
    (
        "nested",
        "[law]\nkind = \"stribeck\"\nrest = 2\nspeed = 1\n[law.law]\nkind = \"coulomb\"\nmu = inf\n",
        &["nested.toml:7:1", "law.law.mu = inf"],
    ),
    (
        "axis",
        "[law]\nkind = \"anisotropic\"\naxes = \"on_a\"\nmu = [-1, 2]\n",
        &["axis.toml:4:1", "law.mu", "mu along the axis = -1"],
    ),
    (
        "key",
        "[law]\nkind = \"coulomb\"\nmue = 0.2\n",
        &["key.toml:3:1", "`law.mue`", "did you mean `mu`?", "`combine`"],
    ),
    (
        "outer",
        "[law]\nkind = \"static_kinetic\"\nkinetic = 0.5\neps_v = 1\n[law.law]\nkind = \"coulomb\"\nkinetic = 2\n",
        &["outer.toml:7:1", "`law.law.kinetic`"],
    ),
    (
        "surface",
        "[law]\nkind = \"coulomb\"\nmu = 1\n[a]\nstrucure_deg = 3\n",
        &["surface.toml:5:1", "`a.strucure_deg`", "did you mean `structure_deg`?"],
    ),
    ("table", "[lew]\nkind = \"coulomb\"\n", &["table.toml:1:2", "`lew`", "did you mean `law`?"]),
    (
        "kind",
        "[law]\nkind = \"matchstik\"\n",
        &["kind.toml:2:1", "law.kind = \"matchstik\"", "did you mean `matchstick`?", "`facets`"],
    ),
    ("missing", "[law]\nkind = \"matchstick\"\nmu = 1\nmu_t = 1\n", &["missing.toml", "`mu_b` is missing"]),
    ("lawless", "[a]\nmu = 1\n", &["lawless.toml", "[law] is missing", "kind = \"coulomb\""]),
    ("type", "[law]\nkind = \"coulomb\"\nmu = \"high\"\n", &["type.toml:3:1", "law.mu", "high", "expected a number"]),
    ("syntax", "[law]\nkind = \n", &["syntax.toml:2:"]),
    (
        "drives",
        "[law]\nkind = \"tensor_rule\"\n[b]\ntensor = [[-1, 0], [0, 1]]\n",
        &["drives.toml:4:10", "b.tensor = [[-1, 0], [0, 1]]", "drives"],
    ),
    (
        "cone",
        "[law]\nkind = \"tensor_cone\"\n[a]\ntensor = { plus = [[1, 0], [0, 1]], minus = [[2, 0], [0, 1]] }\n",
        &["cone.toml", "tensor_cone", "asymmetric"],
    ),
    (
        "number",
        "[law]\nkind = \"coulomb\"\n[a]\nmu = nan\n",
        &["number.toml:4:6", "a.mu = nan", "must be finite and not negative"],
    ),
    (
        "twice",
        "[law]\nkind = \"coulomb\"\nmu = 1\n[a]\nstructure = [1, 0, 0]\nstructure_deg = 0\n",
        &["twice.toml:6", "a.structure_deg", "excludes `a.structure`"],
    ),
    (
        "slopes",
        "[law]\nkind = \"facets\"\nmu0 = 0\n[b]\nslopes_csv = \"none.csv\"\n",
        &["slopes.toml:5", "b.slopes_csv", "none.csv"],
    ),
    (
        "rest",
        "[law]\nkind = \"coulomb\"\nmu = 1\n[slip]\nvelocity = [0, 0]\n",
        &["rest.toml:5:12", "slip.velocity = [0, 0]", "must not be zero"],
    ),
    ("load", "[law]\nkind = \"coulomb\"\nmu = 1\n[slip]\nload = -1\n", &["load.toml:5:8", "slip.load = -1"]),
];

#[test]
fn bad_files_are_refused_with_the_place_the_key_and_the_value() {
    let bench = Bench::new("bad-files");
    for (name, text, expected) in FILES {
        let file = format!("{name}.toml");
        bench.write(&file, text);
        let message = bench.refused(&["cone", &file, "--out", "a.svg", "--csv", "a.csv"]);
        for part in expected {
            assert!(message.contains(part), "{name}: `{part}` is not in: {message}");
        }
    }
}

#[test]
fn bad_flags_are_refused_with_what_was_given() {
    let bench = Bench::new("bad-flags");
    let cases: [(&[&str], &[&str]); 20] = [
        (&["cone"], &["PAIR.toml", "--law", "--preset"]),
        (&["cone", "nowhere.toml"], &["nowhere.toml"]),
        (&["cone", "."], &["cannot read '.'"]),
        (&["cone", "--preset", "facet"], &["`facet`", "did you mean `facets`?", "matchstick", "ipc"]),
        (&["cone", "--preset", "matchstick", "--mu", "-1"], &["--preset matchstick", "mu = -1"]),
        (&["cone", "--preset", "ipc", "--mu", "1"], &["--mu", "--preset ipc"]),
        (&["cone", "--law", "coulomb", "--mu", "-0.5"], &["--law coulomb", "mu = -0.5", "not negative"]),
        (&["cone", "--law", "coulomb", "--mu", "nan"], &["mu = NaN"]),
        (&["cone", "--law", "anisotropic", "--mu-t", "1e300", "--mu-b", "1"], &["anisotropic", "coefficient = inf"]),
        (&["cone", "--law", "coulomb"], &["--law coulomb needs --mu"]),
        (&["cone", "--law", "coulombe", "--mu", "1"], &["coulombe", "did you mean `coulomb`?"]),
        (&["cone", "--law", "facets"], &["facets", "needs a file"]),
        (&["cone", "--law", "wood"], &["wood", "unknown law", "flags can say coulomb", "pair_table"]),
        (&["cone", "--law", "coulomb", "--mu", "1", "--load", "-2"], &["--load -2", "not negative"]),
        (&["cone", "--law", "coulomb", "--mu", "1", "--speed", "0", "--slip-deg", "3"], &["--slip-deg", "above zero"]),
        (&["cone", "--mu", "1"], &["--mu needs --law"]),
        (&["cone", "--law", "coulomb", "--mu", "1", "--out", "a.jpg"], &["a.jpg", ".svg", ".png"]),
        (&["cone", "--law", "coulomb", "--mu", "1", "--out", "a.svg,a.svg"], &["a.svg", "twice"]),
        (&["cone", "--law", "coulomb", "--mu", "1", "--samples", "2"], &["2", "8"]),
        (&["cone", "--law", "coulomb", "--mu", "1", "--slip-deg", "inf"], &["--slip-deg", "inf"]),
    ];
    for (arguments, expected) in cases {
        let message = bench.refused(arguments);
        for part in expected {
            assert!(message.contains(part), "{arguments:?}: `{part}` is not in: {message}");
        }
    }
}

#[test]
fn a_place_that_cannot_be_written_leaves_no_file_at_all() {
    let bench = Bench::new("unwritable");
    bench.write("file", "");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_asperity"))
        .args(["cone", "--law", "coulomb", "--mu", "1", "--out", "new/a.svg", "--csv", "file/a.csv"])
        .current_dir(bench.path("."))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("file/a.csv"));
    assert_eq!(bench.names(), ["file"]);
}
