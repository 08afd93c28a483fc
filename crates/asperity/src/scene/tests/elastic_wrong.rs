//! Elastic bodies and expectations about them that are refused, and what is said of them.

use super::with;
use super::wrong::refused;

/// The same with an expectation about a cloth of nine vertices.
fn cloth_expect(keys: &str, parts: &[&str]) {
    let cloth = "[body.cloth]\nshape = { kind = \"grid\", size = [1, 1], cells = [2, 2] }\nposition = [0, 1, 0]\nmatter = { kind = \"cloth\", stretch = 100 }\n";
    refused(&with(&format!("{cloth}[expect.e]\n{keys}\nmin = 0\n")), parts);
}

#[test]
fn vertices_that_are_not_there() {
    let of = |measure: &str, keys: &str| format!("measure = \"{measure}\"\nbody = \"cloth\"\n{keys}");
    cloth_expect(&of("vertex_position", "vertex = 9"), &["expect.e.vertex", "`cloth` has no vertex 9: it has 9"]);
    cloth_expect(&of("vertex_position", ""), &["expect.e", "`vertex`", "`near`"]);
    cloth_expect(&of("vertex_position", "vertex = 1\nnear = [0, 0, 0]"), &["excludes `expect.e.vertex`"]);
    cloth_expect(&of("vertex_distance", "vertices = [0, 12]"), &["expect.e.vertices", "no vertex 12: it has 9"]);
    cloth_expect(&of("vertex_distance", "vertices = [3, 3]"), &["both are vertex 3 of `cloth`"]);
    cloth_expect(&of("vertex_distance", ""), &["`vertices`", "`near`"]);
    cloth_expect(&of("extent", ""), &["expect.e", "along"]);
    cloth_expect(&of("elongation", ""), &["expect.e", "along"]);
    let mirror = |other: &str| of("mirror_difference", &format!("along = [1, 0, 0]\nother = \"{other}\""));
    cloth_expect(&mirror("clith"), &["expect.e.other", "did you mean `cloth`?"]);
    cloth_expect(&mirror("ground"), &["expect.e.other", "`ground` has 0 vertices, `cloth` has 9"]);
    cloth_expect("measure = \"highest\"\nbody = \"ground\"\nalong = [0, 1, 0]", &["`ground` is rigid"]);
    cloth_expect("measure = \"elastic_energy\"\nbody = \"ground\"", &["`ground` is no cloth or solid"]);
    cloth_expect(&of("sliding", "other = \"grund\""), &["expect.e.other", "did you mean `ground`?"]);
    cloth_expect(&of("highest", "along = [0, 1, 0]\nat = 100"), &["expect.e.at", "after the end"]);
    cloth_expect(&of("vertex_displacement", "vertex = 1\nat = 0.2\nsince = 0.3"), &["expect.e.since", "0.3 is after"]);
}

/// A cloth with these keys of its matter, and keys of its body.
fn cloth_with(matter: &str, keys: &str, parts: &[&str]) {
    let text = format!(
        "[body.cloth]\nshape = {{ kind = \"grid\", size = [1, 1], cells = [2, 2] }}\nposition = [0, 1, 0]\nmatter = {{ kind = \"cloth\", stretch = 100, {matter} }}\n{keys}\n"
    );
    refused(&with(&text), parts);
}

#[test]
fn springs_limits_seams_and_bones_that_make_no_sense() {
    cloth_with("strain_limit = { stretch = 0.9, stiffness = 1 }", "", &["matter.strain_limit", "0.9"]);
    cloth_with("bending = 1, bending_warp = 2", "", &["bending_warp", "excludes"]);
    cloth_with("bending_warp = 2", "", &["`bending_weft`"]);
    cloth_with("springs = [{ stiffness = 5 }]", "", &["matter.springs[0]", "`vertices`", "`near`", "`edges"]);
    cloth_with(
        "springs = [{ stiffness = 5, vertices = [[0, 1], [2, 9]] }]",
        "",
        &["springs[0].vertices", "spring 1: there is no vertex 9: the body has 9"],
    );
    cloth_with(
        "springs = [{ stiffness = 5, near = [[[0, 0, 0], [0.1, 0, 0]]] }]",
        "",
        &["spring 0: both of its ends are vertex 4"],
    );
    cloth_with("springs = [{ stiffness = 5, edges = true, near = [[[0, 0, 0], [1, 0, 0]]] }]", "", &["excludes"]);
    cloth_with("weld = 0.6", "", &["matter.weld", "triangles["]);
    cloth_with("poisson = 1", "", &["body.cloth.matter", "poisson"]);
    cloth_with("", "pins = [{ where = \"x\", body = \"hand\" }]", &["pins[0].body", "no body has the name `hand`"]);
    cloth_with(
        "",
        "pins = [{ where = \"x\", body = \"ground\" }]",
        &["pins[0].body", "`ground` cannot carry vertices"],
    );
    cloth_with("", "pins = [{ vertices = [3, 44] }]", &["pins[0].vertices", "there is no vertex 44: the body has 9"]);
    cloth_with("", "pins = [{ vertices = [3] }, { vertices = [3] }]", &["vertex 3 is pinned twice"]);
    cloth_with("", "pins = [{ where = \"x - 7\" }]", &["no vertex is pinned"]);
}

#[test]
fn solids_that_cannot_be_made() {
    let solid = |matter: &str, shape: &str, parts: &[&str]| {
        let text = format!(
            "[body.gel]\nposition = [0, 2, 0]\nshape = {shape}\nmatter = {{ kind = \"solid\", young = 1e5, {matter} }}\n"
        );
        refused(&with(&text), parts);
    };
    let cube = "{ kind = \"box\", size = [1, 1, 1] }";
    solid("poisson = 0.5", cube, &["body.gel.matter", "poisson", "0.5"]);
    solid("poisson = -1", cube, &["body.gel.matter", "poisson"]);
    solid("cell = 0.1", cube, &["matter.cell", "no meaning for a box"]);
    solid("inside = \"0.2 - x*x\", cells = [2, 2, 2]", cube, &["matter.cells"]);
    solid("inside = \"-1\"", cube, &["matter.inside", "no tetrahedra"]);
    solid("inside = \"0/0 + x\"", cube, &["matter.inside", "no depth"]);
    solid("cell = 9e-9", "{ kind = \"capsule\", length = 1, radius = 0.2 }", &["more than"]);
    solid(
        "",
        "{ kind = \"sector\", inner = 1, outer = 2, depth = 1, from_deg = 80, to_deg = 100 }",
        &["a solid is made from", "this is a hull"],
    );
    solid("", "{ kind = \"grid\", size = [1, 1], cells = [2, 2] }", &["closed surface"]);
    // No thickness at all.
    refused(
        &with("[body.gel]\nshape = { kind = \"box\", size = [1, 0, 1] }\nmatter = { kind = \"solid\", young = 1e5 }\n"),
        &["size"],
    );
}

#[test]
fn pinned_vertices_that_start_inside_another_body() {
    let cloth = |height: &str, world: &str| {
        with(&format!(
            "{world}[body.cloth]\nshape = {{ kind = \"grid\", size = [1, 1], cells = [2, 2] }}\nposition = [0, {height}, 0]\nmatter = {{ kind = \"cloth\", stretch = 100, thickness = 0.004 }}\npins = [{{ vertices = [4] }}]\n"
        ))
    };
    refused(
        &cloth("-0.01", ""),
        &["body.cloth", "vertex 4 of `cloth` is pinned", "0.012 m inside `ground`", "allow_overlap"],
    );
    // On the ground, and where it is allowed.
    assert!(super::read(&cloth("0.002", ""), None, &[]).is_ok());
    assert!(super::read(&cloth("-0.01", "[world]\nallow_overlap = true\n"), None, &[]).is_ok());
}

#[test]
fn meshes_and_masses_that_make_no_sense() {
    let mesh = |triangles: &str, parts: &[&str]| {
        let text = format!(
            "[body.rag]\nposition = [0, 1, 0]\nshape = {{ kind = \"mesh\", vertices = [[0,0,0],[1,0,0],[2,0,0],[0,0,1]], triangles = {triangles} }}\nmatter = {{ kind = \"cloth\", stretch = 100 }}\n"
        );
        refused(&with(&text), parts);
    };
    mesh("[[0, 3, 1], [0, 1, 2]]", &["body.rag.matter", "triangles[1] = [0, 1, 2]: has no area"]);
    mesh("[[0, 3, 7]]", &["body.rag.shape", "triangles[0] names vertex 7"]);
    cloth_with("area_density = 0", "", &["matter.area_density", "positive"]);
    cloth_with("thickness = -0.01", "", &["matter.thickness"]);
}
