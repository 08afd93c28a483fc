//! Keys of shapes, and of where things are.

use super::kind::{Group, Key, Kind, Range, Tagged, Variant};

const POSITIVE: Kind = Kind::Number(Range::Positive);
const NUMBER: Kind = Kind::Number(Range::Any);
const POINT: Kind = Kind::Numbers(3, Range::Any);
const SCALE: Kind = Kind::Either(&[POSITIVE, Kind::Numbers(3, Range::Positive)]);

/// A turn or several.
pub(super) const TURN: Kind = Kind::Either(&[Kind::Table(&TURN_GROUP), Kind::List(&Kind::Table(&TURN_GROUP), 1)]);
/// The turn of a body or a part.
pub(super) const TURN_KEY: Key =
    Key::new("turn", TURN, "How it is turned; several turns are applied in order, about world axes.");
/// The same as a quaternion.
pub(super) const ROTATION_KEY: Key =
    Key::new("rotation", Kind::Numbers(4, Range::Any), "Instead of a turn: a unit quaternion [w, x, y, z].");

static TURN_GROUP: Group = Group {
    name: "turn",
    heading: "turn = { … }",
    keys: &[
        Key::new("axis", Kind::Direction, "Axis, in the world.").required(),
        Key::new("angle_deg", NUMBER, "Angle, right-handed about the axis.").unit("°").required(),
    ],
};

const FILE: Key = Key::new("file", Kind::Text, "An OBJ or STL file, beside the scene.");
const SCALE_KEY: Key = Key::new("scale", SCALE, "Factor of all lengths, or one for each axis.").or("1");

/// Shapes, by `kind`.
pub(super) static SHAPE: Tagged = Tagged {
    name: "shape",
    heading: "shape = { kind = … }",
    tag: "kind",
    common: &[],
    variants: &[
        Variant {
            name: "box",
            doc: "A cuboid around the origin.",
            keys: &[Key::new("size", Kind::Numbers(3, Range::Positive), "Lengths along x, y, z.").unit("m").required()],
        },
        Variant {
            name: "sphere",
            doc: "A ball around the origin.",
            keys: &[Key::new("radius", POSITIVE, "Its radius.").unit("m").required()],
        },
        Variant {
            name: "capsule",
            doc: "A cylinder along y with round ends.",
            keys: &[
                Key::new("radius", POSITIVE, "Its radius.").unit("m").required(),
                Key::new("length", POSITIVE, "Length of the straight part.").unit("m").required(),
            ],
        },
        Variant {
            name: "cylinder",
            doc: "A solid circular cylinder along y.",
            keys: &[
                Key::new("radius", POSITIVE, "Its radius.").unit("m").required(),
                Key::new("length", POSITIVE, "Its length.").unit("m").required(),
            ],
        },
        Variant {
            name: "half_space",
            doc: "All below a plane through the origin; static bodies only.",
            keys: &[Key::new("normal", Kind::Direction, "Out of the solid.").or("[0, 1, 0]")],
        },
        Variant {
            name: "hull",
            doc: "The convex hull of points.",
            keys: &[Key::new("points", Kind::List(&POINT, 4), "The points.").unit("m"), FILE, SCALE_KEY],
        },
        Variant {
            name: "mesh",
            doc: "A triangle surface. It stops bodies from outside.",
            keys: &[
                FILE,
                Key::new("vertices", Kind::List(&POINT, 3), "Corners.").unit("m"),
                Key::new(
                    "triangles",
                    Kind::List(&Kind::Several(&Kind::Whole(0, u32::MAX as u64), 3), 1),
                    "Corner numbers, anticlockwise seen from outside.",
                ),
                SCALE_KEY,
            ],
        },
        Variant {
            name: "compound",
            doc: "Several shapes as one rigid body.",
            keys: &[Key::new(
                "parts",
                Kind::List(&Kind::Table(&PART), 1),
                "The parts; no half-spaces and no compounds.",
            )
            .required()],
        },
        Variant {
            name: "sector",
            doc: "A stone of an arch about z: the hull of the eight corners between two radii and two angles.",
            keys: &[
                Key::new("inner", POSITIVE, "Radius of the inner corners.").unit("m").required(),
                Key::new("outer", POSITIVE, "Radius of the outer corners.").unit("m").required(),
                Key::new("depth", POSITIVE, "Length along z, half of it on each side.").unit("m").required(),
                Key::new("from_deg", NUMBER, "First angle, from x towards y.").unit("°").required(),
                Key::new("to_deg", NUMBER, "Second angle, less than 180° more.").unit("°").required(),
            ],
        },
        Variant {
            name: "revolution",
            doc: "A mesh: a profile turned about y. It is a solid if the profile ends where it begins or begins and ends on the axis; an open one faces to the right of its direction.",
            keys: &[
                Key::new("profile", Kind::List(&Kind::Numbers(2, Range::Any), 2), "Points [r, y], r not negative.")
                    .unit("m")
                    .required(),
                Key::new("segments", Kind::Whole(3, 512), "Segments around.").or("48"),
            ],
        },
        Variant {
            name: "terrain",
            doc: "A mesh: a height over a rectangle around the origin, with texture coordinates, u along x and v along -z.",
            keys: &[
                Key::new("size", Kind::Numbers(2, Range::Positive), "Lengths along x and z.").unit("m").required(),
                Key::new("cells", Kind::Several(&Kind::Whole(1, 1024), 2), "Squares along x and z.").required(),
                Key::new("height", Kind::Formula(&["x", "z"]), "Height y: a formula of x and z.").unit("m").required(),
            ],
        },
    ],
};

static PART: Group = Group {
    name: "part",
    heading: "parts = [{ … }]",
    keys: &[
        Key::new("shape", Kind::Tagged(&SHAPE), "Its form.").required(),
        Key::new("position", POINT, "Place of its origin, in the body's frame.").unit("m").or("[0, 0, 0]"),
        TURN_KEY,
        ROTATION_KEY,
    ],
};
