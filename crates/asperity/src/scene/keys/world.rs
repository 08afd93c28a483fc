//! Keys of the scene itself: world, time, solver, materials, pairs, output.

use asperity_solve::solver;

use super::bodies::BODY;
use super::fields::{COEFFICIENT, TENSOR_SCALE};
use super::tensors::TENSOR_KIND;
use crate::joint::JOINTS;
use crate::measure::MEASURES;
use crate::record::SHOW_WORDS;
use crate::step::{self, Loads, TimeRule};
use crate::table::{Group, Key, Range, ValueKind};

/// The names of the solvers, the default first.
pub const SOLVERS: &[&str] = &SOLVER_NAMES;

const SOLVER_NAMES: [&str; solver::SOLVERS.len()] = {
    let mut names = [""; solver::SOLVERS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = solver::SOLVERS[i].name;
        i += 1;
    }
    names
};

/// The names of the steppers, the default first.
pub(crate) const STEPPERS: &[&str] = &STEPPER_NAMES;

const STEPPER_NAMES: [&str; step::STEPPERS.len()] = {
    let mut names = [""; step::STEPPERS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = step::STEPPERS[i].name;
        i += 1;
    }
    names
};

const NUMBER: ValueKind = ValueKind::Number(Range::Any);
const POSITIVE: ValueKind = ValueKind::Number(Range::Positive);
const NOT_NEGATIVE: ValueKind = ValueKind::Number(Range::NotNegative);
const FRACTION: ValueKind = ValueKind::Number(Range::Fraction);
const VECTOR: ValueKind = ValueKind::Numbers(3, Range::Any);

/// A whole scene.
pub static SCENE: Group = Group {
    name: "scene",
    heading: "top of the file",
    keys: &[
        Key::new("title", ValueKind::Text, "What it is, in one line.").required(),
        Key::new("about", ValueKind::Text, "What it shows, and where its numbers come from."),
        Key::new("world", ValueKind::Table(&WORLD), "What acts on all bodies."),
        Key::new("time", ValueKind::Table(&TIME), "Steps and length of the run.").required(),
        Key::new("stepper", ValueKind::Table(&STEPPER), "Which time stepper."),
        Key::new("solver", ValueKind::Table(&SOLVER), "Which solver, and how exact."),
        Key::new("material", ValueKind::Named(&ValueKind::Table(&MATERIAL)), "Materials by name."),
        Key::new("pair", ValueKind::List(&ValueKind::Table(&PAIR), 0), "What happens between two materials."),
        Key::new("pair_default", ValueKind::Table(&PAIR_DEFAULT), "What happens between all other materials."),
        Key::new("body", ValueKind::Named(&BODY_OR_NONE), "Bodies by name; \"none\" in a variant removes one.")
            .required(),
        Key::new("joint", ValueKind::Named(&JOINT_OR_NONE), "Joints by name; \"none\" in a variant removes one."),
        Key::new("output", ValueKind::Table(&OUTPUT), "What is recorded and drawn."),
        Key::new(
            "expect",
            ValueKind::Named(&EXPECT_OR_NONE),
            "What must come out, by name; \"none\" switches one off.",
        ),
        Key::new(
            "variant",
            ValueKind::Named(&ValueKind::Open),
            "Variants by name: any keys again, laid over those of the document.",
        ),
    ],
};

static BODY_OR_NONE: ValueKind = ValueKind::Either(&[ValueKind::Table(&BODY), ValueKind::Word(&["none"])]);
static JOINT_OR_NONE: ValueKind = ValueKind::Either(&[ValueKind::Tagged(|| &JOINTS), ValueKind::Word(&["none"])]);
static EXPECT_OR_NONE: ValueKind = ValueKind::Either(&[ValueKind::Tagged(|| &MEASURES), ValueKind::Word(&["none"])]);

static WORLD: Group = Group {
    name: "world",
    heading: "[world]",
    keys: &[
        Key::new("gravity", VECTOR, "Acceleration of all dynamic bodies.").unit("m/s²").or("[0, -9.81, 0]"),
        Key::new("damping", NOT_NEGATIVE, "Force against the velocity of every dynamic body.").unit("N s/m").or("0"),
        Key::new("angular_damping", NOT_NEGATIVE, "Torque against its angular velocity.").unit("N m s").or("0"),
        Key::new(
            "allow_overlap",
            ValueKind::Truth,
            "Accepts bodies that overlap at the start by more than 1 % of the smaller one's least width.",
        )
        .or("false"),
    ],
};

static TIME: Group = Group {
    name: "time",
    heading: "[time]",
    keys: &[
        Key::new("dt", POSITIVE, "Length of a step.").unit("s").required(),
        Key::new("end", POSITIVE, "Length of the run.").unit("s").required(),
    ],
};

static STEPPER: Group = Group {
    name: "stepper",
    heading: "[stepper]",
    keys: &[
        Key::new("kind", ValueKind::Word(STEPPERS), "Which time stepper.").or("\"impulse\""),
        Key::new(
            "iterations",
            ValueKind::Whole(1, 1000),
            "Most iterations of Newton's method in a step of `implicit`. 1: each step is linearised once, where it begins, as in most cloth simulations.",
        )
        .or("20"),
        Key::new(
            "impact",
            ValueKind::Word(&["energetic", "newton"]),
            "Of `impulse`: what an impact gives back. Newton's law, the part `restitution` of the approach speed, can create energy where there is friction; `energetic` is Newton's as long as no more than the square of the restitution of the work of the compression comes back.",
        )
        .or("\"energetic\""),
        Key::new(
            "simultaneous",
            ValueKind::Word(&["together", "in_turn"]),
            "Of `impulse`: how contacts that close at one moment are solved: all at once, or pair by pair, the fastest approach first, as a blow goes through a row of touching balls.",
        )
        .or("\"together\""),
        Key::new(
            "forwarding",
            ValueKind::Truth,
            "Of `smooth`: whether the friction of a step acts in the elastic step of the next one.",
        )
        .or("true"),
        Key::new(
            "prune",
            ValueKind::Number(Range::NotNegative),
            "Of `smooth`: contacts with wider gaps, relative to the size of the largest body that moves, take no part in friction.",
        )
        .or("1e-4"),
        Key::new(
            "relinearise",
            ValueKind::Whole(0, 100),
            "Of `smooth`: how often a step is solved again with contacts that are linear where it ended. 0: they are linear where it begins, as in the paper, and bodies that slide over curved surfaces are braked by as much as the normal turns in a step.",
        )
        .or("1"),
        Key::new(
            "corrector",
            ValueKind::Word(&["elastic", "masses"]),
            "Of `smooth`: what answers to friction that the elastic step did not know: elastic forces and masses, or the masses alone, as in the paper.",
        )
        .or("\"elastic\""),
        Key::new(
            "transport",
            ValueKind::Word(&["rotations", "weights"]),
            "Of `smooth`: how velocities and impulses are carried between a contact and the samples of a solid: \"rotations\" turns them with the normals, \"weights\" does not, and keeps momentum exactly.",
        )
        .or("\"rotations\""),
        Key::new(
            "dhat",
            POSITIVE,
            "Of `barrier`: distance at which surfaces begin to push each other apart. Without it a thousandth of the size of the largest body that moves.",
        )
        .unit("m"),
        Key::new(
            "stiffness",
            POSITIVE,
            "Of `barrier`: factor of the barrier. Without it, such that at half of `dhat` a collision carries the heaviest vertex (or a quarter of the heaviest rigid body) and stops it within a step: lighter bodies and shorter steps rest farther out, within `dhat`.",
        ),
        Key::new(
            "eps_v",
            POSITIVE,
            "Of `barrier`: slip speed from which on friction is fully developed. What sticks creeps with less than that.",
        )
        .unit("m/s")
        .or("1e-4"),
        Key::new(
            "lags",
            ValueKind::Whole(1, 1000),
            "Of `barrier`: how often a step is solved at most, with normal forces, contact planes and friction laws of the solve before.",
        )
        .or("20"),
        Key::new(
            "loads",
            ValueKind::Word(Loads::NAMES),
            "Of `barrier`: where the normal forces of friction come from. `lagged`: from the solve before, `lags` times. `coupled`: after the first solve friction follows them within Newton's method, whose matrix is not symmetric then. `auto`: they are lagged at first, and coupled in steps where that converges slowly.",
        )
        .or("\"auto\""),
        Key::new(
            "adaptive",
            ValueKind::Truth,
            "Of `barrier`: whether the factor of the barrier is found from the forces where the run begins, and doubled where surfaces come very near (Li et al. 2020), instead of being fixed.",
        )
        .or("false"),
        Key::new(
            "friction",
            ValueKind::Word(&["sets", "toolkit"]),
            "Of `barrier`: the potential of the slip. `sets` is the smoothed dissipation of any law; `toolkit` is that of the IPC Toolkit, for comparison: coefficients alone (`coulomb`, `lagged`, and `static_kinetic` of these), whose smooth transition from static to kinetic friction does not reach the static coefficient.",
        )
        .or("\"sets\""),
        Key::new(
            "velocity_scaling",
            ValueKind::Numbers(2, Range::Positive),
            "Of `barrier` with `friction = \"toolkit\"`: factors of the slip along the two axes of each pair of elements (`mu_aniso` of the IPC Toolkit).",
        )
        .or("[1, 1]"),
        Key::new(
            "rule",
            ValueKind::Word(&TimeRule::NAMES),
            "Of `barrier`: how steps are taken in time: by backward Euler (first order; dissipates), or by backward differences of the second order.",
        )
        .or("\"euler\""),
    ],
};

static SOLVER: Group = Group {
    name: "solver",
    heading: "[solver]",
    keys: &[
        Key::new("kind", ValueKind::Word(SOLVERS), "Which solver.").or("\"auto\""),
        Key::new("tolerance", ValueKind::Number(Range::Tolerance), "Residual that contact problems are solved to.").or("1e-8"),
        Key::new(
            "limit",
            POSITIVE,
            "Largest residual that a step may end with; a step beyond it stops the run. Steps between `tolerance` and `limit` are counted in the summary.",
        )
        .or("0.03; 0.3 where iterations are limited"),
        Key::new(
            "time_limit",
            POSITIVE,
            "Longest time on the clock for one contact problem; a step that needs more stops the run. Time never changes a result.",
        )
        .unit("s")
        .or("60"),
        Key::new(
            "iterations",
            ValueKind::Whole(1, u64::MAX),
            "Most iterations a solve. Without it, 1000 sweeps for the Gauss-Seidel solvers, and for others as many as they take by themselves.",
        ),
        Key::new(
            "passes",
            ValueKind::Whole(0, 16),
            "How often a step is solved again for contacts that it missed: 0 saves time, and lets bodies overlap more. With 0 it is not solved again for the energy of bodies that turn under their contacts, either.",
        )
        .or("2"),
        Key::new(
            "facets",
            ValueKind::Whole(3, 1024),
            "Corners of the polygon that pivoting puts in the place of a round set; other solvers need none.",
        )
        .or("8"),
    ],
};

static MATERIAL: Group = Group {
    name: "material",
    heading: "[material.NAME]",
    keys: &[
        Key::new("density", POSITIVE, "Mass of a volume.").unit("kg/m³").or("1000"),
        Key::new(
            "mu",
            COEFFICIENT,
            "Coefficient of the surface, for laws that combine those of both: a number, a formula in the frame of the body, or a field.",
        )
        .or("0.5"),
        Key::new("mu_t", COEFFICIENT, "The same along the structure, for laws with axes.").or("mu"),
        Key::new("mu_b", COEFFICIENT, "The same across the structure.").or("mu"),
        Key::new("mu_tau", COEFFICIENT, "The same for the drilling torque: torque per normal force.").unit("m").or("0"),
        Key::new(
            "restitution",
            FRACTION,
            "Part of the approach speed that comes back; of two materials the larger counts.",
        )
        .or("0"),
        Key::new("tensor", TENSOR_KIND, "Friction tensor in (tangent, bitangent): rows, or { plus, minus }.")
            .or("zero"),
        Key::new(
            "tensor_scale",
            TENSOR_SCALE,
            "Factors of the entries of the tensor, as fields: one for all, or a list for Q11, Q12, Q21, Q22.",
        )
        .or("1"),
        Key::new("salience", COEFFICIENT, "Strength of the facets.").or("1"),
    ],
};

/// Keys of contacts that give way, of [[pair]] and [pair_default].
const STIFFNESS: Key = Key::new(
    "stiffness",
    POSITIVE,
    "Of `impulse`: normal force of each contact point for each metre of overlap. Such contacts give way; their bounce is what `dissipation` or `damping` leaves, and they have no restitution.",
)
.unit("N/m");
const DISSIPATION: Key = Key::new(
    "dissipation",
    NOT_NEGATIVE,
    "Beside `stiffness` k: d of Hunt and Crossley's force k δ (1 + d dδ/dt), δ the overlap.",
)
.unit("s/m")
.or("0");
const DAMPING: Key =
    Key::new("damping", NOT_NEGATIVE, "Instead of `dissipation`: d of the linear force k δ + d dδ/dt.")
        .unit("N s/m")
        .or("0");
const SHEAR_STIFFNESS: Key = Key::new(
    "shear_stiffness",
    POSITIVE,
    "Beside `stiffness`: friction force of a contact point for each metre that it is sheared before it slides.",
)
.unit("N/m")
.or("what sticks does not move");

static PAIR: Group = Group {
    name: "pair",
    heading: "[[pair]]",
    keys: &[
        Key::new(
            "materials",
            ValueKind::Several(&ValueKind::Text, 2),
            "Two names; the first is A, where the law names a side.",
        )
        .required(),
        Key::new("law", ValueKind::Law, "Their friction law.").or("that of [pair_default]"),
        Key::new("restitution", FRACTION, "Part of the approach speed that comes back.").or("that of [pair_default]"),
        STIFFNESS.or("that of [pair_default]; rigid if the pair has a restitution"),
        DISSIPATION,
        DAMPING,
        SHEAR_STIFFNESS,
    ],
};

static PAIR_DEFAULT: Group = Group {
    name: "pair_default",
    heading: "[pair_default]",
    keys: &[
        Key::new("law", ValueKind::Law, "The law of all pairs that are not listed.")
            .or("{ kind = \"coulomb\" }: the mean of both mu"),
        Key::new("restitution", FRACTION, "Their restitution.").or("the larger of the materials'"),
        STIFFNESS.or("rigid"),
        DISSIPATION,
        DAMPING,
        SHEAR_STIFFNESS,
    ],
};

static OUTPUT: Group = Group {
    name: "output",
    heading: "[output]",
    keys: &[
        Key::new("fps", POSITIVE, "Frames recorded for each second of the run.").unit("1/s").or("25"),
        Key::new("width", ValueKind::Whole(16, 8192), "Width of pictures.").unit("pixels").or("640"),
        Key::new("height", ValueKind::Whole(16, 8192), "Height of pictures.").unit("pixels").or("400"),
        Key::new("camera", ValueKind::Table(&CAMERA), "Where pictures are taken from.").or("shows all that moves"),
        Key::new(
            "show",
            ValueKind::List(&ValueKind::Word(SHOW_WORDS), 0),
            "What is drawn beside the paint of the bodies; see docs/pictures.md.",
        )
        .or("[\"grain\", \"relief\", \"varying\"]"),
        Key::new("gif", ValueKind::Truth, "Makes an animation: animation.gif.").or("true"),
        Key::new("mp4", ValueKind::Truth, "Makes a film for players and slides: animation.mp4 (H.264).").or("false"),
        Key::new("apng", ValueKind::Truth, "Makes an animation with all colours: animation.png.").or("false"),
        Key::new(
            "frames",
            ValueKind::Truth,
            "Writes the pictures of the animation as files: frames/0000.png, and so on.",
        )
        .or("false"),
        Key::new("speed", POSITIVE, "Seconds of the run in a second of the animation.").or("1"),
        Key::new("glb", ValueKind::Truth, "Makes a glTF file.").or("true"),
        Key::new("filmstrip", ValueKind::Whole(0, 100), "Pictures of the filmstrip; 0 makes none.").or("9"),
        Key::new("contacts", ValueKind::Truth, "Writes `contacts.csv`: what every contact does in every step.")
            .or("false"),
    ],
};

static CAMERA: Group = Group {
    name: "camera",
    heading: "camera = { … }",
    keys: &[
        Key::new("from", VECTOR, "Place of the camera.").unit("m").required(),
        Key::new("to", VECTOR, "What it looks at.").unit("m").required(),
        Key::new("up", ValueKind::Direction, "What is up in the picture.").or("against gravity"),
        Key::new("fov_deg", NUMBER, "Vertical field of view, between 1 and 170.").unit("°").or("38"),
    ],
};
