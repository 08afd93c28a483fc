//! Shapes: plain data, checked once.
//!
//! Capsules and cylinders have their axis along y. A half-space is solid below the plane through the body's origin with the
//! given outward normal. Lengths are in metres, in the body's coordinates.
//!
//! To add a shape: one file in this folder and its two lines below, `mod` and the name in `shapes!`. The file has
//!
//! - the type with its dimensions, and [`ShapeKind`]: checks, extent, mass, how it takes part in contacts, its surface;
//! - [`SceneShape`]: its name and keys in scenes, and how it is made from a table.
//!
//! A recipe has the second only: a table from which one of the other shapes is made, such as a mesh. Scene keys, schema, docs, masses, contacts and
//! skins all follow from the list.

mod capsule;
mod compound;
mod contact_body;
mod cuboid;
mod cylinder;
mod grid;
mod half_space;
mod hull;
mod mesh;
mod part;
mod revolution;
mod sector;
mod sheet;
mod sphere;
mod terrain;

use std::path::Path;

use glam::{DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

pub use capsule::Capsule;
pub use compound::Compound;
pub use contact_body::EndPressure;
pub(super) use contact_body::{ContactBody, Polytope, TriangleNames};
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
use grid::{Disc, Grid, HalfPipe, Tube};
pub use half_space::HalfSpace;
pub use part::Part;
use revolution::Revolution;
use sector::Sector;
use sheet::Sheet;
pub use sphere::Sphere;
use terrain::Terrain;

use super::aabb::Aabb;
use super::error::{ShapeError, positive};
use super::mass::{MassProperties, Moments};
use super::skin::{HALF_SPACE_SIDE, SkinDetail, SkinForm, SkinLookup, SkinMesh};
use super::{Hull, Pose, TriangleMesh};
use crate::table::{Fault, Tagged, Variant, View};

/// What a shape says about itself.
pub(super) trait ShapeKind {
    /// What is wrong with it. Shapes that can only be made in a checked way have nothing to say.
    fn validate(&self) -> Result<(), ShapeError> {
        Ok(())
    }

    /// The smallest box along the axes of the world around the shape.
    fn aabb(&self, pose: &Pose) -> Aabb;

    /// A box along the body's own axes around the shape; not always the smallest one.
    fn bounds(&self) -> Aabb {
        self.aabb(&Pose::IDENTITY)
    }

    /// Radius of a ball around the body's origin that holds the shape.
    fn reach(&self) -> f64;

    /// Volume, centre and second moments; an error if it has no finite volume.
    fn moments(&self) -> Result<Moments, ShapeError>;

    /// What contacts see.
    fn contact_body(&self) -> ContactBody<'_>;

    /// Its surface as triangles.
    fn skin(&self, detail: &SkinDetail) -> SkinMesh;

    /// How the point of its surface that a contact is at is found: by the triangles of its skin, where there is no closed form.
    fn skin_form(&self) -> SkinForm {
        SkinForm::triangles(self.skin(&SkinDetail::default()))
    }

    /// Whether its surface has texture coordinates.
    fn is_textured(&self) -> bool {
        true
    }

    /// Whether it is a triangle surface or has one: two of them do not stop each other.
    fn has_surface(&self) -> bool {
        false
    }

    /// Least width along the axes of its own frame, m; infinite for surfaces and half-spaces, which have none.
    fn least_width(&self) -> f64 {
        let Aabb { min, max } = self.aabb(&Pose::IDENTITY);
        (max - min).min_element()
    }
}

/// How scenes write a shape.
pub(super) trait SceneShape {
    /// Its name, what it is, and its keys.
    const TABLE: Variant;

    /// The shape of a table that was checked against the keys; files are sought in `folder`.
    fn read(view: &View, folder: &Path) -> Result<Shape, Fault>;
}

macro_rules! shapes {
    (kinds: $($name:ident($kind:ty)),+; recipes: $($recipe:ty),+ $(;)?) => {
        /// The form of a body.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "shape", rename_all = "snake_case")]
        pub enum Shape {
            $(#[doc = concat!("See [`", stringify!($kind), "`].")] $name($kind),)+
        }

        /// Shapes of scenes, by `kind`.
        pub static SHAPES: Tagged = Tagged {
            name: "shape",
            heading: "shape = { kind = … }",
            tag: "kind",
            common: &[],
            variants: &[$(<$kind as SceneShape>::TABLE,)+ $(<$recipe as SceneShape>::TABLE),+],
        };

        impl Shape {
            /// The shape of a table with a `kind`; files are sought in `folder`.
            pub(crate) fn read(view: &View, folder: &Path) -> Result<Self, Fault> {
                let kind = view.text("kind").unwrap_or_default();
                $(if kind == <$kind as SceneShape>::TABLE.name {
                    return <$kind as SceneShape>::read(view, folder);
                })+
                $(if kind == <$recipe as SceneShape>::TABLE.name {
                    return <$recipe as SceneShape>::read(view, folder);
                })+
                Err(view.fault("kind", format!("\"{kind}\" is no shape")))
            }

            /// The kind of shape, as scenes name it.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$name(_) => <$kind as SceneShape>::TABLE.name),+ }
            }

            /// What is wrong with it. Hulls and meshes are checked when they are made.
            pub fn validate(&self) -> Result<(), ShapeError> {
                match self { $(Self::$name(own) => own.validate()),+ }
            }

            /// The smallest box along the axes around the shape.
            #[inline]
            pub fn aabb(&self, pose: &Pose) -> Aabb {
                match self { $(Self::$name(own) => own.aabb(pose)),+ }
            }

            /// A box along the body's own axes around the shape; for a compound not the smallest one.
            #[inline]
            pub fn bounds(&self) -> Aabb {
                match self { $(Self::$name(own) => own.bounds()),+ }
            }

            /// Radius of a ball around the body's origin that holds the shape.
            #[inline]
            pub fn reach(&self) -> f64 {
                match self { $(Self::$name(own) => own.reach()),+ }
            }

            /// Whether it is a triangle surface or has one: two of them do not stop each other.
            pub fn has_surface(&self) -> bool {
                match self { $(Self::$name(own) => own.has_surface()),+ }
            }

            /// Whether its surface has texture coordinates.
            pub fn is_textured(&self) -> bool {
                match self { $(Self::$name(own) => own.is_textured()),+ }
            }

            /// Least width along the axes of its own frame, m; infinite for surfaces and half-spaces, which have none.
            pub fn least_width(&self) -> f64 {
                match self { $(Self::$name(own) => own.least_width()),+ }
            }

            /// Volume, centre and second moments; an error if it has no finite volume.
            pub(super) fn moments(&self) -> Result<Moments, ShapeError> {
                match self { $(Self::$name(own) => own.moments()),+ }
            }

            /// What contacts see.
            #[inline]
            pub(super) fn contact_body(&self) -> ContactBody<'_> {
                match self { $(Self::$name(own) => own.contact_body()),+ }
            }

            /// Its surface as triangles.
            pub(super) fn skin_with(&self, detail: &SkinDetail) -> SkinMesh {
                match self { $(Self::$name(own) => own.skin(detail)),+ }
            }

            /// How the point of its surface that a contact is at is found.
            pub(super) fn skin_form(&self) -> SkinForm {
                match self { $(Self::$name(own) => own.skin_form()),+ }
            }
        }
    };
}

shapes! {
    kinds: Box(Cuboid), Sphere(Sphere), Capsule(Capsule), Cylinder(Cylinder), HalfSpace(HalfSpace), Hull(Hull), Mesh(TriangleMesh),
        Compound(Compound);
    recipes: Sector, Revolution, Terrain, Sheet, Grid, Disc, Tube, HalfPipe;
}

impl Shape {
    /// Itself, if it is valid.
    pub fn checked(self) -> Result<Self, ShapeError> {
        self.validate()?;
        Ok(self)
    }
}

/// The rotation that takes y to a unit vector: turns capsules and cylinders.
pub fn turn_y_to(direction: DVec3) -> DQuat {
    DQuat::from_rotation_arc(DVec3::Y, direction)
}

/// The box around points of a body.
fn around(points: &[DVec3], pose: &Pose) -> Aabb {
    let axes = DMat3::from_quat(pose.rotation);
    Aabb::of(points.iter().map(|&p| axes * p + pose.position))
}

/// Refuses directions and quaternions that are not of length one. Those that come from files are rounded to six digits or so.
fn unit(name: &'static str, length: f64) -> Result<(), ShapeError> {
    if (length - 1.0).abs() <= 1e-6 { Ok(()) } else { Err(ShapeError::NotUnit { name, length }) }
}

/// Reads a shape that has its own checks.
fn checked(view: &View, shape: Result<Shape, ShapeError>) -> Result<Shape, Fault> {
    shape.map_err(|error| view.own_fault(error))
}

impl Shape {
    /// The surface with `resolution` segments around a full circle (at least 3), and an eighth of it along the side of a flat
    /// face. Hulls and meshes have the triangles they have.
    pub fn skin(&self, resolution: u32) -> SkinMesh {
        self.skin_sized(resolution, HALF_SPACE_SIDE)
    }

    /// Like [`Self::skin`], with the side of the square that stands for a half-space.
    pub fn skin_sized(&self, resolution: u32, side: f64) -> SkinMesh {
        self.skin_with(&SkinDetail { resolution, side })
    }
}

impl MassProperties {
    /// Of a shape filled with material of `density` (kg/m³).
    pub fn of(shape: &Shape, density: f64) -> Result<Self, ShapeError> {
        positive("density", density)?;
        shape.validate()?;
        Ok(shape.moments()?.properties(density))
    }
}

impl SkinLookup {
    /// Prepares the surface of a shape.
    pub fn new(shape: &Shape) -> Self {
        Self::of(shape.skin_form(), shape.reach())
    }
}
