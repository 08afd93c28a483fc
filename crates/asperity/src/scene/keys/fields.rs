//! Keys of surface fields.

use crate::body::surface::FIELD_NAMES;
use crate::table::{Group, Key, Range, Tagged, ValueKind, Variant};

const VECTOR: ValueKind = ValueKind::Numbers(3, Range::Any);
const WRAP: ValueKind = ValueKind::Word(&["repeat", "clamp"]);

const FILE: Key = Key::new("file", ValueKind::Text, "A PNG image, from the folder of the scene.").required();
const WRAP_KEY: Key =
    Key::new("wrap", ValueKind::Either(&WRAP_KINDS), "What is beyond the image; for u and v one by one as a list.")
        .or("\"repeat\"");
const TILES_KEY: Key = Key::new(
    "tiles",
    ValueKind::Either(&[ValueKind::Number(Range::Positive), ValueKind::Numbers(2, Range::Positive)]),
    "Images along a unit of u and v.",
)
.or("1");

/// A direction, a formula, a field, or none.
pub(super) const STRUCTURE: ValueKind = ValueKind::Either(&STRUCTURE_KINDS);

/// Keys within fields name the list itself: the constant would hold itself.
static STRUCTURE_KINDS: [ValueKind; 3] = [VECTOR, ValueKind::Directions(&["none", "uv"]), ValueKind::Tagged(|| &FIELD)];

/// Fields, by `field`.
static FIELD: Tagged = Tagged {
    name: "field",
    heading: "structure = { … }",
    tag: "field",
    common: &[],
    variants: &[
        Variant {
            name: "constant",
            doc: "One direction everywhere.",
            keys: &[Key::new("direction", VECTOR, "In the body's frame; zero for none.").required()],
        },
        Variant {
            name: "sweep",
            doc: "A direction that turns with the place about an axis.",
            keys: &[
                Key::new("axis", ValueKind::Direction, "The axis, a unit vector.").required(),
                Key::new("center", VECTOR, "A point of the axis.").unit("m").or("[0, 0, 0]"),
                Key::new(
                    "direction",
                    ValueKind::Either(&[ValueKind::Word(&["axial", "radial", "concentric"]), ValueKind::Table(&MIXED)]),
                    "Along the axis, away from it, around it, or a mix.",
                )
                .required(),
            ],
        },
        Variant {
            name: "per_vertex",
            doc: "A direction at each vertex of a mesh, interpolated over the triangles.",
            keys: &[
                Key::new(
                    "directions",
                    ValueKind::List(&VECTOR_KIND, 1),
                    "One a vertex, in the body's frame; zero for none.",
                )
                .required(),
                Key::new("triangles", ValueKind::List(&CORNERS, 1), "Vertices of each triangle.")
                    .or("those of the mesh"),
            ],
        },
        Variant {
            name: "texture",
            doc: "Directions painted into an image: red along the tangent, green along the bitangent, grey for none.",
            keys: &[FILE, WRAP_KEY, TILES_KEY],
        },
        Variant {
            name: "formula",
            doc: "Formulas of the place x, y, z in the body's frame, of u, v and of the time t.",
            keys: &[Key::new(
                "direction",
                ValueKind::Directions(&[]),
                "Three along x, y, z of the body's frame, or two along tangent and bitangent.",
            )
            .required()],
        },
        Variant {
            name: "timeline",
            doc: "Fields one after the other.",
            keys: &[
                Key::new(
                    "keys",
                    ValueKind::List(&ValueKind::Table(&FIELD_KEY), 1),
                    "The fields, in the order of time.",
                )
                .required(),
                Key::new("blend", ValueKind::Truth, "Turns from one to the next instead of switching.").or("false"),
            ],
        },
    ],
};

/// A coefficient of a surface: a number, a formula, or a field.
pub(super) const COEFFICIENT: ValueKind = ValueKind::Either(&COEFFICIENT_KINDS);

/// Factors of a tensor's entries: one for all, or four.
pub(super) const TENSOR_SCALE: ValueKind = ValueKind::Either(&TENSOR_SCALE_KINDS);

const NOT_NEGATIVE: ValueKind = ValueKind::Number(Range::NotNegative);
static COEFFICIENT_KIND: ValueKind = COEFFICIENT;
static COEFFICIENT_KINDS: [ValueKind; 3] =
    [NOT_NEGATIVE, ValueKind::Formula(FIELD_NAMES), ValueKind::Tagged(|| &NUMBER_FIELD)];
static TENSOR_SCALE_KINDS: [ValueKind; 4] = [
    NOT_NEGATIVE,
    ValueKind::Formula(FIELD_NAMES),
    ValueKind::Tagged(|| &NUMBER_FIELD),
    ValueKind::Several(&COEFFICIENT_KIND, 4),
];

/// Fields of numbers, by `field`.
static NUMBER_FIELD: Tagged = Tagged {
    name: "number_field",
    heading: "mu = { … }",
    tag: "field",
    common: &[],
    variants: &[
        Variant {
            name: "formula",
            doc: "A formula of the place x, y, z in the body's frame, of u, v and of the time t.",
            keys: &[Key::new("value", ValueKind::Formula(FIELD_NAMES), "Never negative where bodies touch.").required()],
        },
        Variant {
            name: "per_vertex",
            doc: "A number at each vertex of a mesh, linear over the triangles.",
            keys: &[Key::new("values", ValueKind::List(&NOT_NEGATIVE_KIND, 1), "One a vertex.").required()],
        },
        Variant {
            name: "texture",
            doc: "Numbers painted into an image, linear between its texels.",
            keys: &[
                FILE,
                Key::new(
                    "channel",
                    ValueKind::Word(&["grey", "red", "green", "blue", "alpha"]),
                    "Which number of a texel. As `tensor_scale`, an image without this key has red for Q11, green for Q12, blue for Q21, alpha for Q22.",
                )
                .or("\"grey\""),
                Key::new("black", NOT_NEGATIVE, "The coefficient where the channel is 0.").or("0"),
                Key::new("white", NOT_NEGATIVE, "The coefficient where the channel is full.").or("1"),
                WRAP_KEY,
                TILES_KEY,
            ],
        },
    ],
};

static NOT_NEGATIVE_KIND: ValueKind = NOT_NEGATIVE;
static VECTOR_KIND: ValueKind = VECTOR;
static WRAP_KIND: ValueKind = WRAP;
static WRAP_KINDS: [ValueKind; 2] = [WRAP, ValueKind::Several(&WRAP_KIND, 2)];
static CORNERS: ValueKind = ValueKind::Several(&ValueKind::Whole(0, u32::MAX as u64), 3);

static MIXED: Group = Group {
    name: "mixed",
    heading: "direction = { … }",
    keys: &[Key::new("mixed", VECTOR, "Parts along the axis, away from it and around it.").required()],
};

static FIELD_KEY: Group = Group {
    name: "field_key",
    heading: "keys = [{ … }]",
    keys: &[
        Key::new("t", ValueKind::Number(Range::NotNegative), "From when on; each later than the one before.")
            .unit("s")
            .required(),
        Key::new(
            "structure",
            ValueKind::Either(&STRUCTURE_KINDS),
            "The direction, formula or field; \"none\" for none.",
        )
        .required(),
    ],
};
