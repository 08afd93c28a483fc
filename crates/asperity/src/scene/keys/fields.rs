//! Keys of surface fields.

use crate::table::{Group, Key, Range, Tagged, ValueKind, Variant};

const VECTOR: ValueKind = ValueKind::Numbers(3, Range::Any);
const WRAP: ValueKind = ValueKind::Word(&["repeat", "clamp"]);

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
            keys: &[
                Key::new("file", ValueKind::Text, "A PNG image, from the folder of the scene.").required(),
                Key::new(
                    "wrap",
                    ValueKind::Either(&[WRAP, ValueKind::Several(&WRAP_KIND, 2)]),
                    "What is beyond the image; for u and v one by one as a list.",
                )
                .or("\"repeat\""),
                Key::new(
                    "tiles",
                    ValueKind::Either(&[ValueKind::Number(Range::Positive), ValueKind::Numbers(2, Range::Positive)]),
                    "Images along a unit of u and v.",
                )
                .or("1"),
            ],
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

static VECTOR_KIND: ValueKind = VECTOR;
static WRAP_KIND: ValueKind = WRAP;
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
