//! Keys of maps of facets: images of normals or heights, and materials that are made.

use crate::table::{Group, Key, Range, Tagged, ValueKind, Variant};

const POSITIVE: ValueKind = ValueKind::Number(Range::Positive);
const NOT_NEGATIVE: ValueKind = ValueKind::Number(Range::NotNegative);
const NUMBER: ValueKind = ValueKind::Number(Range::Any);
const WRAP: ValueKind = ValueKind::Word(&["repeat", "clamp"]);
const PER_AXIS: ValueKind = ValueKind::Either(&[POSITIVE, ValueKind::Numbers(2, Range::Positive)]);

const FILE: Key = Key::new("file", ValueKind::Text, "A PNG image, from the folder of the scene.").required();
const TILES: Key = Key::new("tiles", PER_AXIS, "Images along a unit of u and v.").or("1");
const SIZE: Key = Key::new("size", PER_AXIS, "Instead of tiles: how large an image is on flat skins.").unit("m");
const WRAP_KEY: Key = Key::new("wrap", WRAP, "What is beyond the image.").or("\"repeat\"");
const FILTER: Key = Key::new("filter", ValueKind::Word(&["linear", "nearest"]), "Between texels.").or("\"linear\"");
const STRENGTH: Key = Key::new("strength", NUMBER, "Factor of all slopes.").or("1");
const MASK: Key =
    Key::new("mask", ValueKind::Text, "Part of the salience: a PNG image, grey from 0 to 1, or \"edges\" of the map.");

/// An image of normals.
pub(super) static NORMAL_MAP: Group = Group {
    name: "normal_map",
    heading: "normal_map = { … }",
    keys: &[
        FILE,
        TILES,
        SIZE,
        WRAP_KEY,
        FILTER,
        STRENGTH,
        Key::new("green", ValueKind::Word(&["up", "down"]), "Along +v (OpenGL, glTF) or along -v (DirectX).")
            .or("\"up\""),
        MASK,
    ],
};

/// An image of heights.
pub(super) static HEIGHT_MAP: Group = Group {
    name: "height_map",
    heading: "height_map = { … }",
    keys: &[
        FILE,
        Key::new("height", NUMBER, "How much higher white is than black.").unit("m").required(),
        TILES,
        SIZE,
        WRAP_KEY,
        FILTER,
        MASK,
    ],
};

const RA: Key = Key::new("ra", NOT_NEGATIVE, "Roughness: the mean of |h|.").unit("m").or("the material's own");
const SEED: Key = Key::new("seed", ValueKind::Whole(0, u64::MAX), "Of the random numbers.").or("the material's own");

/// Materials that are made, by `material`.
pub(super) static RELIEF: Tagged = Tagged {
    name: "relief",
    heading: "relief = { material = … }",
    tag: "material",
    common: &[STRENGTH],
    variants: &[
        Variant {
            name: "gaussian",
            doc: "Random heights.",
            keys: &[
                RA,
                Key::new("pixel", POSITIVE, "Side of a texel.").unit("m").or("1e-3"),
                Key::new(
                    "blur",
                    ValueKind::Numbers(2, Range::NotNegative),
                    "Over how far heights are alike along u and v.",
                )
                .unit("m")
                .or("[0, 0]"),
                Key::new("texels", ValueKind::Whole(4, 2048), "Texels along a side.").or("256"),
                SEED,
                MASK,
            ],
        },
        Variant {
            name: "sawtooth",
            doc: "Ridges along v with a gentle and a steep side.",
            keys: &[
                Key::new("period", POSITIVE, "Length of a ridge along u.").unit("m").or("0.005"),
                Key::new("height", NOT_NEGATIVE, "From the lowest to the highest point.").unit("m").or("0.001"),
                Key::new("rise", ValueKind::Number(Range::Fraction), "Part of the period that rises, 1/64 to 63/64.")
                    .or("0.8125"),
                MASK,
            ],
        },
        Variant {
            name: "threads",
            doc: "The thread of a bolt, on the side of a cylinder.",
            keys: &[
                Key::new("radius", POSITIVE, "Of the cylinder.").unit("m").or("0.002"),
                Key::new("pitch", POSITIVE, "From ridge to ridge along the axis.").unit("m").or("7e-4"),
                Key::new("starts", ValueKind::Whole(1, 16), "How many threads wind around.").or("1"),
                Key::new("half_angle_deg", POSITIVE, "Half the angle of a groove.").unit("°").or("30"),
                Key::new("left_handed", ValueKind::Truth, "Winds the other way.").or("false"),
                MASK,
            ],
        },
        Variant {
            name: "ridges",
            doc: "An embossed image: what is white stands out, with sloping edges.",
            keys: &[
                Key::new("mask", ValueKind::Text, "What is embossed: a grey PNG image, from the folder of the scene.")
                    .required(),
                Key::new("size", PER_AXIS, "How large the image is on flat skins.").unit("m").required(),
                Key::new("height", NUMBER, "How much higher white is than black.").unit("m").or("1e-3"),
                Key::new("edge", NOT_NEGATIVE, "Width of the slope between them.").unit("m").or("the height"),
                WRAP_KEY,
            ],
        },
        Variant { name: "plaster", doc: "Smooth plaster.", keys: &[RA, SEED, MASK] },
        Variant { name: "oak", doc: "Oak, fibres along u.", keys: &[RA, SEED, MASK] },
        Variant { name: "acrylic", doc: "Cast acrylic.", keys: &[RA, SEED, MASK] },
        Variant { name: "cut_pvc", doc: "PVC cut with a tool, grooves along v.", keys: &[RA, SEED, MASK] },
    ],
};
