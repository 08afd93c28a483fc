//! Values of the wrong type or length are refused with their key, in the words of a person and not of the parser.

mod common;

use common::Bench;

/// What follows `kind` in [law] or comes after it, and the message.
const LAWS: [(&str, &str); 16] = [
    ("\"facets\"\nmu0 = 0\nform = \"outer\"", "4:1: law.form: outer needs n: { outer = { n = 16 } }"),
    ("\"facets\"\nmu0 = 0\nform = { outer = {} }", "4:10: law.form.outer: `n` is missing: for example n = 16"),
    (
        "\"facets\"\nmu0 = 0\nform = { outer = { n = 2.5 } }",
        "law.form.outer.n: expected a whole number (0 or more), found the number 2.5",
    ),
    ("\"facets\"\nmu0 = 0\nform = \"boxy\"", "4:1: law.form = \"boxy\": unknown; did you mean `box`?"),
    (
        "\"tensor_rule\"\ncomposition = \"additive\"",
        "3:1: law.composition: additive needs kappa: { additive = { kappa = 0.5 } }",
    ),
    (
        "\"matchstick\"\nmu = 1\nmu_t = 1\nmu_b = 1\nspin = 0.1",
        "6:1: law.spin: expected { isotropic = 0.2, parallel = 0.1 } or { isotropic = \"geometric_mean\", parallel = \"geometric_mean\" }, found the number 0.1",
    ),
    ("\"coulomb\"\nmu = \"0.4\"", "3:1: law.mu: expected a number, found the text \"0.4\""),
    ("\"anisotropic\"\naxes = \"on_a\"\nmu = [1, 2, 3]", "4:1: law.mu: expected 2 numbers, found a list of 3 values"),
    ("\"anisotropic\"\naxes = \"on_a\"\nmu = 0.3", "4:1: law.mu: expected 2 numbers, found the number 0.3"),
    ("\"measured\"\non = \"b\"\nmu = 0.3", "4:1: law.mu: expected a list of numbers, found the number 0.3"),
    (
        "\"stribeck\"\nrest = 1\nspeed = 1\nlaw = \"coulomb\"",
        "5:1: law.law: expected a law such as { kind = \"coulomb\", mu = 0.5 }",
    ),
    (
        "\"stribeck\"\nrest = 1\nspeed = 1\nlaw = { kind = \"coulomb\", mu = true }",
        "5:27: law.law.mu: expected a number, found true",
    ),
    (
        "\"pair_table\"\n[[law.pairs]]\nmaterials = [0, 1]\nlaw = { kind = \"anisotropic\", mu = [1, 2], axes = 3 }",
        "law.pairs.law.axes: expected \"on_a\" or \"on_b\" or \"along_slip\", found the number 3",
    ),
    ("\"facets\"\nmu0 = 0\nform = { box = 1 }", "4:1: law.form: expected { exact = { merge = 0 } } or"),
    (
        "\"tensor_rule\"\ncomposition = { additive = { kappa = 1 }, product = 1 }",
        "3:1: law.composition: expected { additive = { kappa = 0.5 } } or \"minimum\" or \"product\", found a table",
    ),
    ("7", "2:1: law.kind = the number 7: unknown law (expected one of `coulomb`"),
];

/// What stands in [a], or in another table, of a pair with facets.
const SURFACES: [(&str, &str); 14] = [
    ("[a]\nmaterial = \"wood\"", "5:12: a.material: expected a whole number (0 or more), found the text \"wood\""),
    ("[a]\nmaterial = 1.5", "5:12: a.material: expected a whole number (0 or more), found the number 1.5"),
    ("[a]\nmu = \"0.4\"", "5:6: a.mu: expected a number, found the text \"0.4\""),
    ("[a]\nslopes = [[0.1, 0.2], [0.1, 0.2, 1.0]]", "5:23: a.slopes: expected 2 numbers, found a list of 3 values"),
    ("[a]\nslopes = [[0.1, 0.2, 1.0]]", "normals go into `normals = [[x, y, z], ...]`"),
    ("[a]\nslopes = [0.1, 0.2]", "5:11: a.slopes: expected 2 numbers, found the number 0.1"),
    ("[b]\nnormals = [[0.1, 0.2]]", "5:12: b.normals: expected 3 numbers, found a list of 2 values"),
    ("[b]\nnormals = [[0.1, 0.2, -1.0]]", "b.normals: [0.1, 0.2, -1]: must point outward"),
    ("[b]\ntensor = [[1, 0, 0], [0, 1, 0]]", "5:11: b.tensor: expected 2 numbers, found a list of 3 values"),
    (
        "[b]\ntensor = [[1, 0], [0, 1], [0, 0]]",
        "5:10: b.tensor: expected 2 rows of 2 numbers, found a list of 3 values",
    ),
    ("[b]\ntensor = { plus = [[1, 0], [0, 1, 1]] }", "b.tensor.plus: expected 2 numbers, found a list of 3 values"),
    ("[b]\ngaussian = { sigma = [1, 1, 1] }", "b.gaussian.sigma: expected 2 numbers, found a list of 3 values"),
    ("[slip]\nvelocity = [0.1, 0.2, 0.3]", "5:12: slip.velocity: expected 2 numbers, found a list of 3 values"),
    ("[slip]\nload = [1]", "5:8: slip.load: expected a number, found a list of 1 value"),
];

fn assert_plain(message: &str, expected: &str) {
    assert!(message.contains(expected), "`{expected}` is not in: {message}");
    for internal in ["f64", "u32", "usize", "struct", "variant", "sequence", "map", "enum"] {
        assert!(!message.contains(internal), "`{internal}` means nothing to a user: {message}");
    }
}

#[test]
fn wrong_values_of_laws_are_named_with_their_key_and_what_fits() {
    let bench = Bench::new("plain-laws");
    for (text, expected) in LAWS {
        bench.write("pair.toml", &format!("[law]\nkind = {text}\n"));
        assert_plain(&bench.refused(&["cone", "pair.toml"]), expected);
    }
}

#[test]
fn wrong_values_of_surfaces_are_refused_and_never_cut_short() {
    let bench = Bench::new("plain-surfaces");
    for (text, expected) in SURFACES {
        bench.write("pair.toml", &format!("[law]\nkind = \"facets\"\nmu0 = 0.1\n{text}\n"));
        assert_plain(&bench.refused(&["cone", "pair.toml"]), expected);
    }
}
