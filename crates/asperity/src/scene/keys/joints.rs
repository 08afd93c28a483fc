//! Keys of joints.

use super::kind::{Group, Key, Kind, Range, Tagged, Variant};

const NOT_NEGATIVE: Kind = Kind::Number(Range::NotNegative);
const VECTOR: Kind = Kind::Numbers(3, Range::Any);
const IN_TIME: Kind = Kind::Either(&[Kind::Formula(&["t"]), Kind::Number(Range::Any)]);

const ANCHOR: Key =
    Key::new("anchor", VECTOR, "Where it is at the start, in the world; in a chain, the first one.").unit("m");
const AT_A: Key = ANCHOR.or("the centre of mass of a");
const BETWEEN: Key = ANCHOR.or("in a chain, midway between the bodies; else required");
const AXIS: Key = Key::new("axis", Kind::Direction, "Its axis at the start, in the world.").required();
const ANCHOR_A: Key = Key::new("anchor_a", VECTOR, "Its end on a, at the start, in the world; not in a chain.")
    .unit("m")
    .or("the centre of mass of a");
const ANCHOR_B: Key = Key::new("anchor_b", VECTOR, "Its end on b; not in a chain.")
    .unit("m")
    .or("the centre of mass of b; required for the world");

/// Joints, by `kind`.
pub(super) static JOINT: Tagged = Tagged {
    name: "joint",
    heading: "[joint.NAME]",
    tag: "kind",
    common: &[
        Key::new("a", Kind::Text, "Name of a body.").or("required, but in a chain"),
        Key::new("b", Kind::Text, "Name of another, or \"world\".").or("\"world\""),
        Key::new(
            "chain",
            Kind::Text,
            "Instead of a and b: name of an array of bodies. Each is tied to the next one: NAME[0], NAME[1], …",
        ),
        Key::new("collide", Kind::Truth, "Its two bodies touch each other all the same.").or("false"),
    ],
    variants: &[
        Variant { name: "ball", doc: "Two points stay together.", keys: &[BETWEEN] },
        Variant {
            name: "hinge",
            doc: "A turns about an axis of b only. The angle is 0 at the start.",
            keys: &[
                BETWEEN,
                AXIS,
                Key::new("limits_deg", Kind::Numbers(2, Range::Any), "Smallest and largest angle, -180 to 180.")
                    .unit("°")
                    .or("none"),
                Key::new("motor", Kind::Table(&HINGE_MOTOR), "A motor.").or("none"),
                Key::new("brake", Kind::Table(&HINGE_BRAKE), "A brake: dry friction.").or("none"),
                Key::new("stiffness", NOT_NEGATIVE, "Of a spring that turns it.").unit("N m/rad").or("0"),
                Key::new("damping", NOT_NEGATIVE, "Torque against the turning.").unit("N m s").or("0"),
                Key::new("rest_deg", Kind::Number(Range::Any), "Angle at which the spring is at rest.")
                    .unit("°")
                    .or("0"),
            ],
        },
        Variant {
            name: "slider",
            doc: "A moves along an axis of b only, without turning. The way is 0 at the start.",
            keys: &[
                AT_A,
                AXIS,
                Key::new("limits", Kind::Numbers(2, Range::Any), "Smallest and largest way.").unit("m").or("none"),
                Key::new("motor", Kind::Table(&SLIDER_MOTOR), "A motor.").or("none"),
                Key::new("brake", Kind::Table(&SLIDER_BRAKE), "A brake: dry friction.").or("none"),
                Key::new("stiffness", NOT_NEGATIVE, "Of a spring along it.").unit("N/m").or("0"),
                Key::new("damping", NOT_NEGATIVE, "Force against the motion.").unit("N s/m").or("0"),
                Key::new("rest", Kind::Number(Range::Any), "Way at which the spring is at rest.").unit("m").or("0"),
            ],
        },
        Variant {
            name: "fixed",
            doc: "The bodies keep the pose that they have to each other at the start.",
            keys: &[AT_A],
        },
        Variant {
            name: "distance",
            doc: "Two points keep a distance.",
            keys: &[
                ANCHOR_A,
                ANCHOR_B,
                Key::new("length", IN_TIME, "The distance: a number or a formula of t.")
                    .unit("m")
                    .or("that at the start"),
            ],
        },
        Variant {
            name: "spring",
            doc: "A spring and damper between two points.",
            keys: &[
                ANCHOR_A,
                ANCHOR_B,
                Key::new("stiffness", NOT_NEGATIVE, "Force for a length.").unit("N/m").required(),
                Key::new("damping", NOT_NEGATIVE, "Force against the motion.").unit("N s/m").or("0"),
                Key::new("rest", NOT_NEGATIVE, "Length at rest.").unit("m").or("that at the start"),
            ],
        },
    ],
};

static HINGE_MOTOR: Group = Group {
    name: "hinge_motor",
    heading: "motor = { … } (hinge)",
    keys: &[
        Key::new("speed", IN_TIME, "What it wants: a number or a formula of t.").unit("rad/s").required(),
        Key::new("torque", Kind::Number(Range::Positive), "The strongest that it has.").unit("N m").or("1e12"),
    ],
};

static SLIDER_MOTOR: Group = Group {
    name: "slider_motor",
    heading: "motor = { … } (slider)",
    keys: &[
        Key::new("speed", IN_TIME, "What it wants: a number or a formula of t.").unit("m/s").required(),
        Key::new("force", Kind::Number(Range::Positive), "The strongest that it has.").unit("N").or("1e12"),
    ],
};

static HINGE_BRAKE: Group = Group {
    name: "hinge_brake",
    heading: "brake = { … } (hinge)",
    keys: &[Key::new("torque", IN_TIME, "The strongest that it has: a number or a formula of t.")
        .unit("N m")
        .required()],
};

static SLIDER_BRAKE: Group = Group {
    name: "slider_brake",
    heading: "brake = { … } (slider)",
    keys: &[Key::new("force", IN_TIME, "The strongest that it has: a number or a formula of t.").unit("N").required()],
};
