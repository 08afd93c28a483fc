//! A law without its data, and data that no law reads, are told on standard error; the figure is drawn all the same.

mod common;

use common::Bench;

fn aside(bench: &Bench, law: &str, rest: &str) -> String {
    bench.write("pair.toml", &format!("[law]\nkind = {law}\n{rest}\n"));
    bench.ok_aside(&["cone", "pair.toml", "--out", "p.svg", "--samples", "8"]).1
}

const MATCHSTICK: &str = "\"matchstick\"\nmu = 0.5\nmu_t = 0.2\nmu_b = 1";
const UNIT: &str = "tensor = [[1, 0], [0, 1]]";

#[test]
fn a_law_without_its_data_says_what_it_reads() {
    let bench = Bench::new("advice-missing");
    let b_tensor = format!("[b]\n{UNIT}");
    let whole = "\"tensor_rule\"\ncomposition = { additive = { kappa = 1 } }";
    let product = "\"tensor_cone\"\ncomposition = \"product\"";
    let table = "\"pair_table\"\npairs = []\notherwise = { kind = \"facets\", mu0 = 0 }";
    let isotropic = format!("{MATCHSTICK}\nmissing = \"isotropic\"");
    let cases = [
        (
            "\"tensor_rule\"",
            "",
            "warning: law tensor_rule reads a.tensor and b.tensor; neither is given: no friction\n",
        ),
        (
            "\"tensor_cone\"",
            &b_tensor,
            "warning: law tensor_cone reads a.tensor and b.tensor; a.tensor is not given: B's alone counts, times kappa = 0.5\n",
        ),
        (whole, &b_tensor, "note: a.tensor is not given: B's alone decides\n"),
        (
            product,
            &b_tensor,
            "warning: law tensor_cone reads a.tensor and b.tensor; a.tensor is not given: no friction\n",
        ),
        (
            "\"facets\"\nmu0 = 0.1",
            "",
            "warning: law facets reads normals, slopes or gaussian of a and b; none is given: only mu0 = 0.1 resists\n",
        ),
        (table, "", "warning: law facets reads normals, slopes or gaussian of a and b; none is given: no friction\n"),
        ("\"coulomb\"", "", "warning: law coulomb without mu reads a.mu and b.mu; neither is given: no friction\n"),
        (
            "\"coulomb\"",
            "[a]\nmu = 1",
            "warning: law coulomb without mu reads a.mu and b.mu; b.mu is not given: it counts as 0\n",
        ),
        (
            "\"coulomb\"\ncombine = \"product\"",
            "[b]\nmu = 1",
            "warning: law coulomb without mu reads a.mu and b.mu; a.mu is not given: no friction\n",
        ),
        (
            MATCHSTICK,
            "",
            "warning: law matchstick reads a.structure_deg and b.structure_deg (the grain, or structure); neither is given: isotropic \
             friction with mu = 0.5\n",
        ),
        (MATCHSTICK, "[b]\nstructure_deg = 3", "note: A has no structure: B's alone decides\n"),
        (MATCHSTICK, "[a]\nstructure = [1, 0, 0]", "note: B has no structure: A's alone decides\n"),
        (&isotropic, "[a]\nstructure_deg = 0", "note: B has no structure: isotropic friction with mu = 0.5\n"),
        (
            "\"stribeck\"\nrest = 1\nspeed = 1\nlaw = { kind = \"anisotropic\", mu = [1, 2], axes = \"on_b\" }",
            "",
            "warning: law anisotropic reads b.structure_deg; it is not given: B's structure is taken along t\n",
        ),
    ];
    for (law, rest, expected) in cases {
        assert_eq!(aside(&bench, law, rest), expected, "{law}\n{rest}");
    }
}

#[test]
fn data_that_no_law_reads_are_named() {
    let bench = Bench::new("advice-ignored");
    let coulomb = "\"coulomb\"\nmu = 0.4";
    let said = aside(&bench, coulomb, &format!("[a]\nmu = 0.3\n[b]\n{UNIT}\nslopes = [[0, 1]]\nmaterial = 3"));
    assert_eq!(
        said,
        "warning: law coulomb has mu = 0.4 of its own and does not read a.mu: ignored\n\
         warning: law coulomb does not read b.material: ignored\n\
         warning: law coulomb does not read b.tensor: ignored\n\
         warning: law coulomb does not read b.slopes: ignored\n"
    );
    let anisotropic = "\"anisotropic\"\nmu = [1, 2]\naxes = \"on_b\"";
    let said = aside(&bench, anisotropic, "[a]\nstructure_deg = 1\n[b]\ntangent_deg = 1");
    assert_eq!(said, "warning: law anisotropic does not read a.structure_deg: ignored\n");
    // A table may select another law for other materials.
    let table = "\"pair_table\"\notherwise = { kind = \"coulomb\", mu = 1 }\n[[law.pairs]]\nmaterials = [5, 6]\n\
                 law = { kind = \"coulomb\" }";
    assert_eq!(aside(&bench, table, "[a]\nmaterial = 1\nmu = 0.3"), "");
}

#[test]
fn every_example_pair_and_preset_is_drawn_without_a_word() {
    let bench = Bench::new("advice-examples");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/pairs");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        bench.ok(&["cone", path.to_str().unwrap(), "--out", "e.svg", "--samples", "24"]);
        count += 1;
    }
    assert!(count >= 13, "{count} examples");
}
