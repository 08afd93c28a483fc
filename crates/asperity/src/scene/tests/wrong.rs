//! What is refused, and what is said of it: the place, the key, the value, and what was expected.

use super::{EXAMPLE, read, with};

const BALL: &str = "[body.ball]\nshape = { kind = \"sphere\", radius = 0.1 }\nposition = [0, 1, 0]\n";

/// The scene is refused, and the message has all of these parts.
pub(super) fn refused(text: &str, parts: &[&str]) {
    let message = read(text, None, &[]).map(|scene| scene.title).expect_err(text);
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in:\n{message}");
    }
}

/// The same with keys added to a ball.
fn ball(keys: &str, parts: &[&str]) {
    refused(&with(&format!("{BALL}{keys}")), parts);
}

/// The same with another shape.
fn shape(shape: &str, parts: &[&str]) {
    refused(&with(&format!("[body.a]\nposition = [0, 9, 0]\nshape = {shape}\n")), parts);
}

/// The same with an expectation.
fn expect(keys: &str, parts: &[&str]) {
    ball(&format!("[expect.e]\n{keys}\n"), parts);
}

#[test]
fn text_that_is_no_toml_is_pointed_at() {
    refused("title = \"t\"\nbody = [1, 2", &["folder/test.toml:2:", "2 | body = [1, 2", "^"]);
    refused("a = 1\na = 2\n", &["test.toml:2:1", "duplicate"]);
}

/// Where a table is expected there is an example, and a scene that has it is no longer refused for it.
#[test]
fn a_table_is_shown_by_an_example() {
    for (before, key) in [("", "time"), ("[output]\n", "camera"), ("[body.b]\n", "shape")] {
        let text = format!("title = \"t\"\n{before}{key} = 3\n");
        let message = read(&text, None, &[]).unwrap_err();
        let (_, rest) = message.split_once(&format!("{key}: expected a table")).unwrap_or_else(|| panic!("{message}"));
        let example = rest.split_once(" such as ").and_then(|(_, rest)| rest.split_once(", found")).unwrap().0;
        let again = read(&text.replace("3", example), None, &[]).map_or_else(|error| error, |_| String::new());
        assert!(!again.contains(&format!("{key}:")) && !again.contains(&format!(".{key}.")), "{example}: {again}");
    }
    refused("title = \"t\"\nbody = 4", &["body: expected tables by name such as [body.name], found"]);
}

#[test]
fn words_of_other_programs_are_understood() {
    shape("{ kind = \"ball\", radius = 1 }", &["did you mean `sphere`?"]);
    shape("{ kind = \"plane\" }", &["did you mean `half_space`?"]);
    shape("{ kind = \"box\", half_extents = [1, 1, 1] }", &["did you mean `size`?"]);
    ball("rotate = [0, 0, 1]\n", &["did you mean `turn`?"]);
    ball("friction = 0.5\n", &["did you mean `mu`?"]);
    ball("weight = 2\n", &["did you mean `mass`?"]);
}

#[test]
fn the_line_and_a_caret_show_the_place() {
    let message = read(&with("[body.ball]\nshape = { kind = \"sphere\", radius = -1 }\n"), None, &[]).unwrap_err();
    let lines: Vec<&str> = message.lines().collect();
    assert!(lines[0].starts_with("folder/test.toml:7:37: body.ball.shape.radius = -1: must be positive"), "{message}");
    assert_eq!(lines[1], " 7 | shape = { kind = \"sphere\", radius = -1 }");
    assert_eq!(lines[2].find('^'), lines[1].find("-1"));
    assert!(lines[2].ends_with("^^"));
}

#[test]
fn all_problems_are_told_in_the_order_of_the_text() {
    let text = with("[body.ball]\nshap = 1\nmaterial = 3\ncolour = 2\n");
    let message = read(&text, None, &[]).unwrap_err();
    let at = |part: &str| message.find(part).unwrap_or_else(|| panic!("`{part}` is not in:\n{message}"));
    assert!(at("`shape` is missing") < at("`body.ball.shap`"));
    assert!(at("`body.ball.shap`") < at("expected text in quotes, found the number 3"));
    assert!(at("expected text in quotes") < at("did you mean `color`?"));
}

#[test]
fn unknown_keys_get_the_nearest_name() {
    refused(
        "titel = \"t\"",
        &["unknown key `titel`; did you mean `title`?", "`title` is missing", "`time` is missing"],
    );
    ball("positon = [0, 0, 0]", &[":9:1:", "unknown key `body.ball.positon`; did you mean `position`?"]);
    refused(&with("[world]\ngravitiy = [0, 0, 0]"), &["did you mean `gravity`?"]);
    shape(
        "{ kind = \"sphere\", radius = 1, length = 2 }",
        &["unknown key `body.a.shape.length` (expected one of `kind`, `radius`)"],
    );
    shape("{ kind = \"shpere\", radius = 1 }", &["unknown shape; did you mean `sphere`?"]);
    shape("{ radius = 1 }", &["`kind` is missing (expected one of `box`"]);
}

#[test]
fn wrong_types_say_what_was_expected() {
    ball("velocity = [0, 0]", &["body.ball.velocity: expected 3 numbers, found a list of 2 values"]);
    ball("velocity = 3", &["expected 3 numbers, found the number 3"]);
    ball("velocity = [0, \"x\", 0]", &["expected a number, found the text \"x\""]);
    ball("mass = \"heavy\"", &["body.ball.mass: expected a positive number, found the text \"heavy\""]);
    ball("resolution = 2.5", &["expected a whole number (3 to 4096), found the number 2.5"]);
    ball("motion = \"sttic\"", &["body.ball.motion = \"sttic\": unknown; did you mean `static`?"]);
    ball("motion = 4", &["expected \"dynamic\" or \"static\", or a table (motion), found the number 4"]);
    refused("title = \"t\"\ntime = 3\nbody = 4", &["time: expected a table (time)", "body: expected tables by name"]);
    refused("title = 2021-01-01\n", &["title: expected text in quotes, found a date"]);
    refused(&with("[world]\nallow_overlap = 1"), &["expected true or false, found the number 1"]);
}

#[test]
fn numbers_out_of_range_are_refused() {
    refused(
        "title = \"t\"\ntime = { dt = 0, end = nan }\nbody = {}",
        &["time.dt = 0: must be positive", "time.end = nan: must be positive"],
    );
    ball("mass = 0", &["body.ball.mass = 0: must be positive"]);
    ball("velocity = [0, inf, 0]", &["body.ball.velocity = inf: must be finite"]);
    ball("angular_velocity = [0, 1e13, 0]", &["at most 1e12"]);
    refused(&with("[material.m]\nrestitution = 1.5"), &["material.m.restitution = 1.5: must be between 0 and 1"]);
    refused(&with("[material.m]\ndensity = -1"), &["must be positive"]);
    refused(&with("[pair_default]\nstiffness = 0"), &["pair_default.stiffness = 0: must be positive"]);
    refused(&with("[pair_default]\ndissipation = 1"), &["pair_default.dissipation: needs a `stiffness` beside it"]);
    refused(
        &with("[pair_default]\nstiffness = 1e4\ndissipation = 1\ndamping = 1"),
        &["pair_default.damping: excludes `dissipation`"],
    );
    refused(
        &with("[pair_default]\nstiffness = 1e4\nrestitution = 0.5"),
        &["`default` and `default` have a restitution of 0.5 and a stiffness"],
    );
    refused(
        "title = \"t\"\ntime = { dt = 1, end = 0.5 }\n[body.a]\nshape = { kind = \"sphere\", radius = 1 }",
        &["time.end: 0.5 is less than one step of 1"],
    );
    refused(
        "title = \"t\"\ntime = { dt = 1e-10, end = 5 }\n[body.a]\nshape = { kind = \"sphere\", radius = 1 }",
        &["too many"],
    );
    ball("mass = 1\ndensity = 2", &["excludes `body.ball.mass`"]);
    ball("rotation = [1, 1, 0, 0]", &["must be a unit quaternion, its length is 1.41"]);
    ball("rotation = [1, 0, 0, 0]\nturn = { axis = [0, 0, 1], angle_deg = 3 }", &["excludes"]);
    ball("turn = { axis = [0, 0, 0], angle_deg = 3 }", &["a direction needs a length"]);
    ball("color = \"red\"", &["\"red\" is no colour: expected \"#rrggbb\""]);
}

#[test]
fn names_must_exist() {
    ball("material = \"stoen\"\n[material.stone]", &["there is no material `stoen`; did you mean `stone`?"]);
    refused(
        &with("[material.stone]\n[[pair]]\nmaterials = [\"stone\", \"grund\"]\n[material.ground]"),
        &["pair[0].materials: there is no material `grund`; did you mean `ground`?"],
    );
    expect(
        "measure = \"speed\"\nbody = \"bal\"\nmax = 1",
        &["expect.e.body: no body has the name `bal`; did you mean `ball`?"],
    );
    expect("measure = \"rest\"\nbody = \"capsules[*\"\nmax = 1", &["no body matches the pattern `capsules[*`"]);
    let unknown = read(EXAMPLE, Some("acros"), &[]).unwrap_err();
    assert!(unknown.contains("no variant `acros`; did you mean `across`? (it has across)"), "{unknown}");
    refused(&with("[body.\"a[0]\"]\nshape = { kind = \"sphere\", radius = 1 }"), &["a name must not be empty"]);
}

#[test]
fn laws_and_fields_are_explained() {
    let pair = |law: &str| with(&format!("[material.m]\n[[pair]]\nmaterials = [\"m\", \"m\"]\nlaw = {law}"));
    refused(
        &pair("{ kind = \"columb\", mu = 1 }"),
        &["pair[0].law.kind = \"columb\": unknown law; did you mean `coulomb`?"],
    );
    refused(&pair("{ kind = \"coulomb\", mu = -1 }"), &["pair[0].law.mu = -1: must be finite and not negative"]);
    refused(&pair("{ kind = \"coulomb\", mu = inf }"), &["pair[0].law.mu = inf: must be finite"]);
    refused(&pair("{ kind = \"coulomb\", nu = 1 }"), &["unknown key `pair[0].law.nu`; did you mean `mu`?"]);
    refused(&pair("{ kind = \"coulomb\", mu = \"x\" }"), &["pair[0].law.mu: expected a number, found the text \"x\""]);
    refused(&pair("{ kind = \"matchstick\", mu = 1, mu_t = 1 }"), &["`mu_b` is missing"]);
    refused(&pair("3"), &["expected a law such as { kind = \"coulomb\", mu = 0.5 }, found the number 3"]);
    refused(
        &pair("{ kind = \"anisotropic\", mu = [0.1, 0.6], axes = \"on_a\" }"),
        &["needs a pair of two different materials"],
    );
    refused(&with("[pair_default]\nlaw = { kind = \"pair_table\", pairs = [] }"), &["[[pair]]"]);
    let twice = "[material.m]\n[[pair]]\nmaterials = [\"m\", \"default\"]\n[[pair]]\nmaterials = [\"default\", \"m\"]";
    refused(&with(twice), &["pair[1].materials: `default` and `m` are listed twice"]);
    ball(
        "structure = { field = \"swep\", axis = [0, 1, 0], direction = \"axial\" }",
        &["unknown field; did you mean `sweep`?"],
    );
    ball(
        "structure = { field = \"sweep\", axis = [0, 2, 0], direction = \"axial\" }",
        &["body.ball.structure.axis", "unit vector"],
    );
    ball("structure = { field = \"sweep\", direction = \"axial\" }", &["`axis` is missing"]);
    ball("structure = { field = \"sweep\", axis = [0, 1, 0], direction = \"axail\" }", &["did you mean `axial`?"]);
    ball("structure = \"grain\"", &["body.ball.structure: \"grain\": expected \"[a, b, c]\""]);
    ball("tensor = [[1, 2], [3]]", &["body.ball.tensor[1]: expected 2 numbers, found a list of 1 value"]);
}

#[test]
fn shapes_that_make_no_sense_are_refused() {
    shape("{ kind = \"hull\" }", &["`points` or `file` is missing"]);
    let terrain =
        |height: &str| format!("{{ kind = \"terrain\", size = [2, 2], cells = [2, 2], height = \"{height}\" }}");
    shape(&terrain("ln(x)"), &["has no value at x = -1"]);
    shape(&terrain("y^2"), &["`y`", "x, z"]);
    shape("{ kind = \"hull\", points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]] }", &["their hull has no volume"]);
    shape("{ kind = \"half_space\" }", &["a half_space has no mass", "motion = \"static\""]);
    shape("{ kind = \"mesh\", file = \"no.obj\" }", &["body.a.shape.file", "no.obj: there is no such file"]);
    shape("{ kind = \"mesh\", file = \"no.txt\" }", &["must end in .obj, .stl, .ply"]);
    let open = "{ kind = \"mesh\", vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles = [[0, 1, 2]] }";
    shape(open, &["a dynamic body needs a solid: the mesh is not closed"]);
    shape(&open.replace("[[0, 1, 2]]", "[[0, 1, 3]]"), &["names vertex 3: there are 3"]);
    shape(&open.replace("[[0, 1, 2]]", "[[0, 1, 1]]"), &["has no area"]);
    shape(&open.replace(", triangles = [[0, 1, 2]]", ""), &["`triangles` is missing"]);
    let inverted = "{ kind = \"mesh\", vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], triangles = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]] }";
    shape(inverted, &["its triangles must be anticlockwise seen from outside"]);
    shape(
        "{ kind = \"sector\", inner = 2, outer = 1, depth = 1, from_deg = 0, to_deg = 9 }",
        &["must be larger than inner"],
    );
    shape("{ kind = \"sector\", inner = 1, outer = 2, depth = 1, from_deg = 0, to_deg = 270 }", &["by less than 180"]);
    shape("{ kind = \"revolution\", profile = [[-1, 0], [1, 1]] }", &["profile[0]: the radius -1 is negative"]);
    shape(
        "{ kind = \"compound\", parts = [{ shape = { kind = \"half_space\" } }] }",
        &["a half_space cannot be part of a compound"],
    );
    shape("{ kind = \"compound\", parts = [] }", &["expected a list of tables (part), found an empty list"]);
    ball("decompose = {}", &["a sphere is convex already"]);
    ball("motion = \"static\"\nmass = 1", &["has no meaning for a body that forces do not move"]);
}

#[test]
fn arrays_and_overlaps_are_bounded() {
    ball(
        "array = { count = [1000, 1000, 1000], spacing = [1, 1, 1] }",
        &["1000000000 bodies are too many (at most 100000)"],
    );
    ball("array = { count = [100, 10, 99], spacing = [1, 1, 0] }", &["`ball[0,0,0]` and `ball[0,0,1]` overlap by 0.2"]);
    ball("array = { count = [100, 10, 99], spacing = [1e-9, 1, 1] }", &["`ball[0,0,0]` and `ball[1,0,0]` overlap"]);
    let two = format!("{BALL}[body.other]\nshape = {{ kind = \"sphere\", radius = 0.5 }}\nposition = [0.55, 1, 0]\n");
    refused(
        &with(&two),
        &["`ball` and `other` overlap by 0.05 m at the start", "allowed are 0.002 m", "allow_overlap"],
    );
    assert!(read(&with(&format!("{two}[world]\nallow_overlap = true")), None, &[]).is_ok());
    assert!(read(&with(&two.replace("0.55", "0.599")), None, &[]).is_ok());
}

#[test]
fn motions_that_make_no_sense_are_refused() {
    ball("motion = {}", &["`keyframes`, `position`, `turn` or `vertices` is missing"]);
    ball("motion = { position = [\"sin(x)\", \"0\", \"0\"] }", &["\"sin(x)\" uses `x`: known here are t"]);
    ball("motion = { position = [\"1/t\", \"0\", \"0\"] }", &["\"1/t\" has no finite value at t = 0"]);
    ball("motion = { keyframes = [{ t = 1 }, { t = 1 }] }", &["keyframes[1].t: 1 must be later"]);
    ball("motion = { keyframes = [{ t = 1 }], position = [0, 0, 0] }", &["excludes `body.ball.motion.keyframes`"]);
    ball("motion = { turn = { axis = [0, 1, 0], angle_deg = \"3 +\" } }", &["is not a formula"]);
}

#[test]
fn expectations_must_be_complete() {
    expect("measure = \"sped\"", &["expect.e.measure = \"sped\": unknown expect; did you mean `speed`?"]);
    expect("measure = \"speed\"\nmax = 1", &["expect.e: `body` is missing"]);
    expect("measure = \"speed\"\nbody = \"ball\"\nvalue = 1", &["`within` is missing"]);
    expect(
        "measure = \"speed\"\nbody = \"ball\"\nvalue = 1\nwithin = \"much\"",
        &["expected a number, or a part such as \"0.5%\""],
    );
    expect("measure = \"speed\"\nbody = \"ball\"\nvalue = 0\nwithin = \"1%\"", &["a part of 0 is 0"]);
    expect("measure = \"speed\"\nbody = \"ball\"\nvalue = 1\nwithin = 1\nmax = 3", &["excludes"]);
    expect("measure = \"speed\"\nbody = \"ball\"\nmin = 3\nmax = 1", &["1 is less than min"]);
    expect("measure = \"speed\"\nbody = \"ball\"\nmax = 1\nat = 9", &["9 is after the end of the run, at 1"]);
    expect("measure = \"speed\"\nbody = \"*\"\nmax = 1", &["expected one body, found 2 that match"]);
    expect("measure = \"residual\"\nbody = \"ball\"\nmax = 1", &["unknown key `expect.e.body`"]);
}

#[test]
fn output_is_checked() {
    refused(&with("[output]\ncamera = { from = [0, 0, 0], to = [0, 0, 0] }"), &["must be away from `from`"]);
    refused(&with("[output]\ncamera = { from = [0, 0, 0], to = [0, 0, 1], fov_deg = 400 }"), &["between 1 and 170"]);
    refused(&with("[output]\nwidth = 99999"), &["expected a whole number (16 to 8192)"]);
    refused(&with("[solver]\nkind = \"newtn\""), &["did you mean `newton`?"]);
}

#[test]
fn errors_of_overrides_name_the_argument() {
    let said = |key: &str, value: &str| read(EXAMPLE, None, &[(key, value)]).map(|scene| scene.title).unwrap_err();
    assert_eq!(
        said("body.block.structure", "[1, 0]"),
        "--set body.block.structure=[1, 0]: body.block.structure: expected 3 numbers, found a list of 2 values"
    );
    assert!(said("time.dt", "-1").starts_with("--set time.dt=-1: time.dt = -1: must be positive"));
    assert!(said("time.td", "1").contains("unknown key `time.td`; did you mean `dt`?"));
    assert!(said("time.dt", "[1,").contains("not a TOML value"));
    assert!(said("body.blok.mass", "1").contains("there is no body `blok`; did you mean `block`?"));
    assert!(said("a b", "1").contains("the key must be a dotted key"));
    assert!(said("solver.kind", "nweton").contains("did you mean `newton`?"));
}

#[test]
fn files_that_are_not_there_are_named() {
    let error = crate::scene::Document::read("no/such/scene.toml").unwrap_err().to_string();
    assert_eq!(error, "no/such/scene.toml: there is no such file");
}

/// The same with a joint of a ball.
fn joint(keys: &str, parts: &[&str]) {
    ball(&format!("[joint.j]\n{keys}\n"), parts);
}

#[test]
fn joints_that_make_no_sense_are_refused() {
    joint("kind = \"hing\"\na = \"ball\"", &["joint.j.kind = \"hing\"", "did you mean `hinge`?"]);
    joint("kind = \"ball\"\nanchor = [0, 0, 0]", &["joint.j: `a` is missing"]);
    joint("kind = \"ball\"\na = \"ball\"", &["joint.j: `anchor` is missing"]);
    joint("kind = \"fixed\"\na = \"bal\"", &["joint.j.a: no body has the name `bal`; did you mean `ball`?"]);
    joint("kind = \"fixed\"\na = \"ball\"\nb = \"ball\"", &["joint.j.b: it ties `ball` to itself"]);
    joint("kind = \"fixed\"\nchain = \"ball\"", &["joint.j.chain: `ball` is no array of two or more bodies"]);
    joint("kind = \"fixed\"\nchain = \"ball\"\na = \"ball\"", &["excludes"]);
    for key in ["anchor_a", "anchor_b"] {
        joint(&format!("kind = \"distance\"\nchain = \"ball\"\n{key} = [0, 0, 0]"), &["excludes `joint.j.chain`"]);
    }
    joint("kind = \"hinge\"\na = \"ball\"\nanchor = [0, 0, 0]", &["`axis` is missing"]);
    joint("kind = \"distance\"\na = \"ball\"", &["joint.j: `anchor_b` is missing"]);
    joint("kind = \"distance\"\na = \"ball\"\nanchor_b = [0, 1, 0]", &["both ends are at the same place"]);
    let still = "[body.wall]\nshape = { kind = \"sphere\", radius = 0.1 }\nmotion = \"static\"\nposition = [5, 0, 0]\n";
    refused(
        &with(&format!("{still}[joint.j]\nkind = \"fixed\"\na = \"wall\"\n")),
        &["joint.j.b: neither `wall` nor `world` is moved by forces"],
    );
}

#[test]
fn joints_that_do_not_fit_the_start_are_refused() {
    joint(
        "kind = \"distance\"\na = \"ball\"\nanchor_b = [0, 0, 0]\nlength = 2",
        &["joint.j.length: is 2 m at t = 0, but its ends are 1 m from each other"],
    );
    let hinge = "kind = \"hinge\"\na = \"ball\"\nanchor = [0, 0, 0]\naxis = [0, 0, 1]\n";
    joint(&format!("{hinge}limits_deg = [10, 30]"), &["joint.j.limits_deg: [10, 30]: the joint starts at 0"]);
    joint(&format!("{hinge}limits_deg = [-200, 30]"), &["angles are counted from -180 to 180"]);
    joint(&format!("{hinge}rest_deg = 20"), &["joint.j.rest_deg: has no meaning without a `stiffness`"]);
}

#[test]
fn formulas_and_measures_of_joints_that_have_no_value_are_refused() {
    let distance = "kind = \"distance\"\na = \"ball\"\nanchor_b = [0, 0, 0]\n";
    joint(&format!("{distance}length = \"1 +\""), &["joint.j.length", "\"1 +\" is not a formula"]);
    joint(&format!("{distance}length = \"1 + 0*x\""), &["joint.j.length", "uses `x`: known here are t"]);
    joint(&format!("{distance}length = \"1 - 3*t\""), &["joint.j.length", "must be above zero"]);
    let hinge = "kind = \"hinge\"\na = \"ball\"\nanchor = [0, 0, 0]\naxis = [0, 0, 1]\n";
    joint(&format!("{hinge}motor = {{ speed = \"sin(\" }}"), &["joint.j.motor.speed", "is not a formula"]);
    joint(&format!("{hinge}brake = {{ torque = \"1/t\" }}"), &["joint.j.brake.torque", "no finite value at t = 0"]);
    joint(&format!("{hinge}motor = {{ torque = 3 }}"), &["`speed` is missing"]);
    let measure = |name: &str, keys: &str, part: &str| {
        joint(&format!("{hinge}[expect.e]\nmin = 0\nmeasure = \"{name}\"\n{keys}"), &[part]);
    };
    measure("joint_force", "", "`joint` is missing");
    measure("joint_force", "joint = \"jj\"", "expect.e.joint: no joint has the name `jj`");
    let fixed = "kind = \"fixed\"\na = \"ball\"\n[expect.e]\nmeasure = \"joint_position\"\njoint = \"j\"\nmin = 0";
    joint(fixed, &["expect.e.joint: a fixed joint has no position"]);
}

#[test]
fn what_pictures_show_is_one_of_the_words() {
    let output = |keys: &str, parts: &[&str]| refused(&with(&format!("{BALL}[output]\n{keys}\n")), parts);
    output("show = [\"grian\"]", &["output.show", "\"grian\"", "\"grain\""]);
    output("show = \"grain\"", &["output.show", "expected a list"]);
    output("show = [\"mu\", \"salience\"]", &["output.show", "both colour the bodies: choose one of them"]);
    output("structure = true", &["unknown key `output.structure`"]);
    output("width = 9000", &["output.width", "16 to 8192"]);
}

#[test]
fn a_colour_map_is_an_image_on_a_skin_with_coordinates() {
    let scratch = std::env::temp_dir().join(format!("asperity-color-map-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).unwrap();
    std::fs::write(scratch.join("no.jpg"), b"\xff\xd8\xff\xe0 and nothing more").unwrap();
    std::fs::write(scratch.join("text.png"), b"no image at all").unwrap();
    let file = |name: &str| format!("color_map = {:?}\n", scratch.join(name).display().to_string());
    ball(&file("no.jpg"), &["body.ball.color_map", "no.jpg' is a damaged JPEG image"]);
    ball(&file("text.png"), &["body.ball.color_map", "text.png' is neither a PNG nor a JPEG image"]);
    ball(&file("missing.png"), &["body.ball.color_map", "cannot read"]);
    ball("color_map = \"a.png\"\nchecker = 1\n", &["excludes `body.ball.color_map`"]);
    std::fs::remove_dir_all(&scratch).unwrap();
}
