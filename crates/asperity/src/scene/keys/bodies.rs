//! Keys of bodies.

use super::elastic::{MATTER, PINS};
use super::fields::{COEFFICIENT, STRUCTURE, TENSOR_SCALE};
use super::motion::MOTION;
use super::reliefs::{HEIGHT_MAP, NORMAL_MAP, RELIEF};
use super::tensors::TENSOR_KIND;
use crate::geometry::SHAPES;
use crate::geometry::placing::{ROTATION_KEY, TURN_KEY};
use crate::table::{Group, Key, Range, ValueKind};

const NOT_NEGATIVE: ValueKind = ValueKind::Number(Range::NotNegative);
const POSITIVE: ValueKind = ValueKind::Number(Range::Positive);
const NONE: ValueKind = ValueKind::Word(&["none"]);
const VECTOR: ValueKind = ValueKind::Numbers(3, Range::Any);

/// A body, or an array of equal ones.
pub(super) static BODY: Group = Group {
    name: "body",
    heading: "[body.NAME]",
    keys: &[
        Key::new("shape", ValueKind::Tagged(|| &SHAPES), "Its form.").required(),
        Key::new(
            "motion",
            ValueKind::Either(&[ValueKind::Word(&["dynamic", "static"]), ValueKind::Table(&MOTION)]),
            "\"dynamic\": as forces make it; \"static\": not at all; a table: as it says, whatever is in the way.",
        )
        .or("\"dynamic\""),
        Key::new("matter", ValueKind::Tagged(|| &MATTER), "Makes it elastic: a cloth or a solid. The steppers `implicit`, `filter`, `smooth` and `barrier` move it.")
            .or("it is rigid"),
        Key::new(
            "start",
            ValueKind::Several(&START_FORMULA, 3),
            "Where the vertices of an elastic body are at the start, in the body's frame: formulas of their rest position x, y, z and texture coordinates u, v.",
        )
        .unit("m")
        .or("where they are at rest"),
        Key::new("pins", ValueKind::List(&ValueKind::Table(&PINS), 0), "Vertices of an elastic body that are held or carried."),
        Key::new("position", VECTOR, "Place of the body's origin.").unit("m").or("[0, 0, 0]"),
        TURN_KEY,
        ROTATION_KEY,
        Key::new("velocity", VECTOR, "Of the centre of mass, at the start.").unit("m/s").or("[0, 0, 0]"),
        Key::new("angular_velocity", VECTOR, "In world axes, at the start.").unit("rad/s").or("[0, 0, 0]"),
        Key::new("material", ValueKind::Text, "Name of its material.").or("\"default\""),
        Key::new("density", POSITIVE, "Instead of the material's.").unit("kg/m³").or("the material's"),
        Key::new("mass", POSITIVE, "Instead of density times volume; the inertia goes with it.").unit("kg"),
        Key::new(
            "inertia",
            ValueKind::Numbers(6, Range::Any),
            "Moments of inertia about the centre of mass along the body's axes, and products of inertia: [xx, yy, zz, xy, xz, yz], where xy is −∫ x y dm.",
        )
        .unit("kg m²")
        .or("that of the shape with its mass"),
        Key::new(
            "structure",
            STRUCTURE,
            "Structure (grain): a direction or a formula in the body's frame, a field, or \"none\".",
        )
        .or("\"none\""),
        Key::new(
            "tangent",
            STRUCTURE,
            "Tangent that friction tensors refer to, in the same ways; \"uv\": that of the skin.",
        )
        .or("\"none\""),
        Key::new("mu", COEFFICIENT, "Instead of the material's.").or("the material's"),
        Key::new("mu_t", COEFFICIENT, "Instead of the material's.").or("the material's"),
        Key::new("mu_b", COEFFICIENT, "Instead of the material's.").or("the material's"),
        Key::new("mu_tau", COEFFICIENT, "Instead of the material's.").unit("m").or("the material's"),
        Key::new("tensor", TENSOR_KIND, "Instead of the material's.").or("the material's"),
        Key::new("tensor_scale", TENSOR_SCALE, "Instead of the material's.").or("the material's"),
        Key::new("salience", COEFFICIENT, "Instead of the material's.").or("the material's"),
        Key::new(
            "normal_map",
            ValueKind::Either(&[ValueKind::Table(&NORMAL_MAP), NONE]),
            "Facets as an image of normals, for the law of facets.",
        ),
        Key::new(
            "height_map",
            ValueKind::Either(&[ValueKind::Table(&HEIGHT_MAP), NONE]),
            "Facets as an image of heights.",
        ),
        Key::new("relief", ValueKind::Either(&[ValueKind::Tagged(|| &RELIEF), NONE]), "Facets that are made."),
        Key::new(
            "potential",
            ValueKind::Table(&POTENTIAL),
            "How the potential around its surface is made, for the stepper `smooth`: meshes, point clouds and solids.",
        )
        .or("see there"),
        Key::new("color", ValueKind::Text, "#rrggbb.").or("by material; grey for static bodies"),
        Key::new(
            "color_map",
            ValueKind::Text,
            "Draws an image on the body, by its texture coordinates: a PNG or JPEG file, from the folder of the scene, or \"none\".",
        ),
        Key::new("checker", POSITIVE, "Draws squares of this side.").unit("m"),
        Key::new("resolution", ValueKind::Whole(3, 4096), "Segments of a full circle, where it is drawn.").or("48"),
        Key::new(
            "decompose",
            ValueKind::Table(&DECOMPOSE),
            "How a mesh is split into convex parts. Dynamic meshes always are; others if this is given.",
        ),
        Key::new(
            "array",
            ValueKind::Table(&ARRAY),
            "Many equal bodies in a grid: NAME[i,j,k]; the position is the first one's.",
        ),
    ],
};

static POTENTIAL: Group = Group {
    name: "potential",
    heading: "potential = { … }",
    keys: &[
        Key::new(
            "kernel",
            ValueKind::Word(&["cubic", "interpolating"]),
            "How much a sample counts at a distance: \"cubic\" is smoother, \"interpolating\" goes through the samples.",
        )
        .or("\"cubic\""),
        Key::new("epsilon", POSITIVE, "Of the interpolating kernel: how closely it goes through the samples.").or("1e-3"),
        Key::new("radius", POSITIVE, "How far samples reach.")
            .unit("m")
            .or("1.25 times the distance of the sixth nearest sample, for each sample"),
        Key::new("open", ValueKind::Truth, "Whether a point cloud may end somewhere; otherwise its border is refused as a hole.")
            .or("false"),
    ],
};

static DECOMPOSE: Group = Group {
    name: "decompose",
    heading: "decompose = { … }",
    keys: &[
        Key::new("resolution", ValueKind::Whole(8, 512), "Voxels along the longest side.").or("64"),
        Key::new(
            "concavity",
            ValueKind::Number(Range::Fraction),
            "How much emptier than its hull a part may be, of the whole volume.",
        )
        .or("0.005"),
        Key::new("parts", ValueKind::Whole(1, 1024), "Most parts.").or("32"),
    ],
};

static ARRAY: Group = Group {
    name: "array",
    heading: "array = { … }",
    keys: &[
        Key::new("count", ValueKind::Several(&ValueKind::Whole(1, super::MOST_BODIES), 3), "Bodies along x, y, z.")
            .required(),
        Key::new("spacing", VECTOR, "Distance of their origins along x, y, z.").unit("m").required(),
        Key::new("jitter", NOT_NEGATIVE, "Moves each by up to this along each axis.").unit("m").or("0"),
        Key::new("jitter_deg", NOT_NEGATIVE, "Turns each by up to this about a random axis.").unit("°").or("0"),
        Key::new("seed", ValueKind::Whole(0, u64::MAX), "Of the random numbers.").or("0"),
    ],
};

static START_FORMULA: ValueKind =
    ValueKind::Either(&[ValueKind::Formula(crate::body::REST_NAMES), ValueKind::Number(Range::Any)]);
