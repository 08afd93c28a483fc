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

const SPRINGS: Key = Key::new(
    "springs",
    ValueKind::List(&SPRING_TABLE, 1),
    "Springs between its vertices. Springs of length 0 close a seam.",
);

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
                Key::new("bending", NOT_NEGATIVE, "Bending stiffness, the same in all directions.").unit("N m").or("0"),
                Key::new("bending_warp", POSITIVE, "Instead: bending stiffness of strips cut along u.").unit("N m"),
                Key::new("bending_weft", POSITIVE, "Bending stiffness of strips cut along v.").unit("N m"),
                Key::new("strain_limit", ValueKind::Table(&STRAIN_LIMIT), "Resists all stretch beyond a limit."),
                SPRINGS,
                Key::new(
                    "weld",
                    POSITIVE,
                    "Makes one vertex of those that are nearer to each other than this: closes the seams of a pattern, or of a file that has vertices twice. Texture coordinates are those of the first.",
                )
                .unit("m")
                .or("vertices stay apart"),
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
            doc: "Tetrahedra that fill the shape: a box, sphere, cylinder, capsule, compound of spheres and capsules, or closed mesh. A mesh from a Gmsh or VTK file with tetrahedra has those, unless `cell` is given.",
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
                Key::new("cell", POSITIVE, "Edge of the cubes of the lattice that fills a shape other than box, sphere and cylinder.")
                    .unit("m")
                    .or("a tenth of its longest side"),
                Key::new(
                    "inside",
                    ValueKind::Formula(&["x", "y", "z"]),
                    "Instead of filling the shape: the solid is where this is positive, within the box around the shape. About the depth below its surface.",
                )
                .unit("m"),
                SPRINGS,
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

static STRAIN_LIMIT: Group = Group {
    name: "strain_limit",
    heading: "strain_limit = { … }",
    keys: &[
        Key::new("stretch", POSITIVE, "Largest ratio of a length to that at rest without resistance, 1 or more.")
            .required(),
        Key::new("stiffness", POSITIVE, "k of the tension k (stretch − limit)² beyond it.").unit("N/m").required(),
    ],
};

static SPRING: Group = Group {
    name: "spring",
    heading: "springs = [{ … }]",
    keys: &[
        Key::new("stiffness", POSITIVE, "Force for a length.").unit("N/m").required(),
        Key::new("length", NOT_NEGATIVE, "Length without force.").unit("m").or("the distance of the vertices at rest"),
        Key::new("vertices", ValueKind::List(&PAIR, 1), "Pairs of vertices, by their numbers."),
        Key::new(
            "near",
            ValueKind::List(&PLACES, 1),
            "Instead: pairs of places at rest; the nearest vertices are meant.",
        )
        .unit("m"),
        Key::new("edges", ValueKind::Truth, "Instead: all edges of its surface.").or("false"),
    ],
};

static SPRING_TABLE: ValueKind = ValueKind::Table(&SPRING);
static PAIR: ValueKind = ValueKind::Several(&ValueKind::Whole(0, u32::MAX as u64), 2);
static PLACES: ValueKind = ValueKind::Several(&ValueKind::Numbers(3, Range::Any), 2);

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
        Key::new("body", ValueKind::Text, "Instead: name of a body with keyframes or formulas, which carries them."),
    ],
};
