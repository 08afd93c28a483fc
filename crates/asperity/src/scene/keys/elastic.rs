//! Keys of cloth and solids: `matter` and `pins` of a body.

use super::motion::MOTION;
use crate::elastic::SOLID_ENERGIES;
use crate::table::{Group, Key, Range, Tagged, ValueKind, Variant};

/// The names of the energies of solids, the default first.
const ENERGIES: &[&str] = &ENERGY_NAMES;

const ENERGY_NAMES: [&str; SOLID_ENERGIES.len()] = {
    let mut names = [""; SOLID_ENERGIES.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = SOLID_ENERGIES[i].name;
        i += 1;
    }
    names
};

const NOT_NEGATIVE: ValueKind = ValueKind::Number(Range::NotNegative);
const POSITIVE: ValueKind = ValueKind::Number(Range::Positive);
const POISSON: ValueKind = ValueKind::Number(Range::Any);

const DAMPING: Key = Key::new("damping", NOT_NEGATIVE, "Rate α of the damping force −α M v.").unit("1/s").or("0");
const STIFFNESS_DAMPING: Key =
    Key::new("stiffness_damping", NOT_NEGATIVE, "Time β of the damping force −β K v, K the stiffness.")
        .unit("s")
        .or("0");

/// What an elastic body is made of.
pub(super) static MATTER: Tagged = Tagged {
    name: "matter",
    heading: "matter = { kind = … }",
    tag: "kind",
    common: &[],
    variants: &[
        Variant {
            name: "cloth",
            doc: "A sheet of triangles that stretches, shears and bends. Its shape is a mesh without a thickness, such as a `grid`.",
            keys: &[
                Key::new("stretch", POSITIVE, "Young's modulus times thickness.")
                    .unit("N/m")
                    .or("given by warp, weft and shear"),
                Key::new("poisson", POISSON, "Poisson's ratio, above −1 and below 1.").or("0.3"),
                Key::new("warp", POSITIVE, "Stiffness along u, the first texture coordinate.").unit("N/m"),
                Key::new("weft", POSITIVE, "Stiffness along v.").unit("N/m"),
                Key::new("shear", POSITIVE, "Stiffness against shear.").unit("N/m"),
                Key::new("bending", NOT_NEGATIVE, "Bending stiffness.").unit("N m").or("0"),
                Key::new("area_density", POSITIVE, "Mass of an area.").unit("kg/m²").or("0.2"),
                Key::new("thickness", NOT_NEGATIVE, "Others touch it half of this away from its triangles.")
                    .unit("m")
                    .or("0"),
                DAMPING,
                STIFFNESS_DAMPING,
            ],
        },
        Variant {
            name: "solid",
            doc: "Tetrahedra that fill the shape.",
            keys: &[
                Key::new("young", POSITIVE, "Young's modulus.").unit("Pa").required(),
                Key::new("poisson", POISSON, "Poisson's ratio, above −1 and below 0.5.").or("0.4"),
                Key::new("energy", ValueKind::Word(ENERGIES), "Which elastic energy.").or("\"stable_neo_hookean\""),
                Key::new(
                    "cells",
                    ValueKind::Several(&ValueKind::Whole(1, 512), 3),
                    "Cells of a box along x, y, z; each is cut into tetrahedra.",
                )
                .or("[4, 4, 4]"),
                Key::new(
                    "rings",
                    ValueKind::Whole(1, 256),
                    "Rings of tetrahedra between the axis of a cylinder and its side.",
                )
                .or("3"),
                Key::new(
                    "layers",
                    ValueKind::Whole(1, 256),
                    "Layers between the centre of a sphere and its surface, or along a cylinder.",
                )
                .or("4"),
                Key::new("cell", POSITIVE, "Edge of the cubes of the lattice that fills a closed mesh.")
                    .unit("m")
                    .or("a tenth of its longest side"),
                Key::new(
                    "order",
                    ValueKind::Whole(1, 2),
                    "1: linear tetrahedra; 2: quadratic ones, which do not lock when they bend.",
                )
                .or("1"),
                DAMPING,
                STIFFNESS_DAMPING,
            ],
        },
    ],
};

/// Vertices that are held or carried.
pub(super) static PINS: Group = Group {
    name: "pins",
    heading: "pins = [{ … }]",
    keys: &[
        Key::new(
            "where",
            ValueKind::Formula(&["x", "y", "z"]),
            "A formula of the rest position in the body's frame: vertices where it is positive are pinned.",
        )
        .unit("m"),
        Key::new(
            "vertices",
            ValueKind::List(&ValueKind::Whole(0, u32::MAX as u64), 1),
            "Instead: the numbers of the vertices.",
        ),
        Key::new(
            "motion",
            ValueKind::Table(&MOTION),
            "How a bone carries them: keyframes, or formulas of position and turn, as for a body.",
        )
        .or("they stay"),
    ],
};
