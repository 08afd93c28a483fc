//! Keys of expectations.

use super::kind::{Key, Kind, Range, Tagged, Variant};

const NUMBER: Kind = Kind::Number(Range::Any);
const BODY: Key = Key::new("body", Kind::Text, "Name of the body.").required();
const JOINT: Key = Key::new("joint", Kind::Text, "Name of the joint.").required();
const BODIES: Key =
    Key::new("body", Kind::Text, "Name of the body, or a pattern with * for any text: \"capsules[*\".").required();
const ALONG: Key = Key::new("along", Kind::Direction, "The component along this, made a unit vector.").or("the length");
const AT: Key = Key::new("at", Kind::Number(Range::NotNegative), "When.").unit("s").or("the end");
const BEYOND: &[Key] = &[
    BODIES,
    Key::new("along", Kind::Direction, "Normal of a plane, made a unit vector.").required(),
    Key::new("beyond", NUMBER, "How far the plane is from the origin.").unit("m").required(),
    AT,
];

/// Expectations, by `measure`.
pub(super) static EXPECT: Tagged = Tagged {
    name: "expect",
    heading: "[expect.NAME]",
    tag: "measure",
    common: &[
        Key::new("value", NUMBER, "The value that is right."),
        Key::new(
            "within",
            Kind::Either(&[Kind::Number(Range::Positive), Kind::Text]),
            "How far from it the measure may be: a number, or a part of the value such as \"0.5%\".",
        ),
        Key::new("min", NUMBER, "Smallest value that is right; instead of value."),
        Key::new("max", NUMBER, "Largest value that is right; instead of value."),
    ],
    variants: &[
        Variant { name: "position", doc: "Place of the centre of mass, in m.", keys: &[BODY, ALONG, AT] },
        Variant { name: "displacement", doc: "How far it is from where it started, in m.", keys: &[BODY, ALONG, AT] },
        Variant { name: "velocity", doc: "Velocity of the centre of mass, in m/s.", keys: &[BODY, ALONG, AT] },
        Variant { name: "speed", doc: "Length of the velocity, in m/s.", keys: &[BODY, AT] },
        Variant { name: "angular_velocity", doc: "Angular velocity, in rad/s.", keys: &[BODY, ALONG, AT] },
        Variant {
            name: "angle",
            doc: "How far it is turned from the start, in radians; about `along`, if given, from -π to π.",
            keys: &[BODY, ALONG, AT],
        },
        Variant {
            name: "time_when",
            doc: "When its displacement first reaches a length, in s.",
            keys: &[BODY, ALONG, Key::new("reach", Kind::Number(Range::Positive), "The length.").unit("m").required()],
        },
        Variant { name: "rest", doc: "Largest displacement in the whole run, in m.", keys: &[BODIES] },
        Variant { name: "count", doc: "How many bodies are beyond a plane.", keys: BEYOND },
        Variant { name: "fraction", doc: "Which part of the bodies is beyond a plane.", keys: BEYOND },
        Variant {
            name: "energy_growth",
            doc: "Largest growth of the energy above its least value so far, as a part of the largest energy seen, or of a thousandth of what lifts every body by its radius of gyration.",
            keys: &[],
        },
        Variant { name: "penetration", doc: "Deepest overlap of two bodies in the run, in m.", keys: &[] },
        Variant { name: "residual", doc: "Worst residual of a step.", keys: &[] },
        Variant { name: "friction_power", doc: "Largest power that friction put in at a contact, in W.", keys: &[] },
        Variant {
            name: "momentum_drift",
            doc: "Largest change of the momentum that no force accounts for, relative.",
            keys: &[],
        },
        Variant {
            name: "joint_position",
            doc: "Angle of a hinge (rad, -π to π), way of a slider, length of a spring or a distance (m).",
            keys: &[JOINT, AT],
        },
        Variant {
            name: "joint_force",
            doc: "Force that a joint transmits, over the last step, in N.",
            keys: &[JOINT, AT],
        },
        Variant {
            name: "joint_torque",
            doc: "Torque that a joint transmits, over the last step, in N m.",
            keys: &[JOINT, AT],
        },
        Variant { name: "joint_drift", doc: "Largest error of a length that a joint holds, in m.", keys: &[] },
        Variant { name: "unconverged", doc: "Steps that the solver did not converge in.", keys: &[] },
    ],
};
