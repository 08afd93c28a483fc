//! Keys of motions that are given: of bodies, and of bones that carry pinned vertices.

use crate::geometry::placing::TURN;
use crate::table::{Group, Key, Range, ValueKind};

const NOT_NEGATIVE: ValueKind = ValueKind::Number(Range::NotNegative);
const VECTOR: ValueKind = ValueKind::Numbers(3, Range::Any);

/// How a body or a bone moves.
pub(super) static MOTION: Group = Group {
    name: "motion",
    heading: "motion = { … }",
    keys: &[
        Key::new(
            "keyframes",
            ValueKind::List(&ValueKind::Table(&KEYFRAME), 1),
            "Poses at times; straight and evenly between them.",
        ),
        Key::new("position", ValueKind::Several(&FORMULA, 3), "Displacement from the start: formulas of t.").unit("m"),
        Key::new("turn", ValueKind::Table(&MOTION_TURN), "Turn from the start, about the body's origin."),
        Key::new(
            "vertices",
            ValueKind::Several(&VERTEX_FORMULA, 3),
            "Position of every vertex of a mesh in the body's frame: formulas of its rest position x, y, z, its texture coordinates u, v, and t. The mesh deforms, and carries what touches it.",
        )
        .unit("m"),
    ],
};

static FORMULA: ValueKind = ValueKind::Either(&[ValueKind::Formula(&["t"]), ValueKind::Number(Range::Any)]);

static VERTEX_FORMULA: ValueKind =
    ValueKind::Either(&[ValueKind::Formula(crate::body::VERTEX_NAMES), ValueKind::Number(Range::Any)]);

static MOTION_TURN: Group = Group {
    name: "motion_turn",
    heading: "motion.turn = { … }",
    keys: &[
        Key::new("axis", ValueKind::Direction, "Axis, in the world.").required(),
        Key::new(
            "angle_deg",
            ValueKind::Either(&[ValueKind::Formula(&["t"]), ValueKind::Number(Range::Any)]),
            "Angle: a formula of t.",
        )
        .unit("°")
        .required(),
    ],
};

static KEYFRAME: Group = Group {
    name: "keyframe",
    heading: "keyframes = [{ … }]",
    keys: &[
        Key::new("t", NOT_NEGATIVE, "When; each later than the one before.").unit("s").required(),
        Key::new("position", VECTOR, "Place of the body's origin.").unit("m").or("the body's"),
        Key::new("turn", TURN, "Its turn.").or("the body's"),
        Key::new("rotation", ValueKind::Numbers(4, Range::Any), "Instead of a turn: a unit quaternion [w, x, y, z]."),
    ],
};
