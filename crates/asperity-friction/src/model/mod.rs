//! Friction models: pure functions from the state of a contact to its law.
//!
//! A model is plain data (what a scene file says of a pair of materials); it looks at two surface samples, the slip and
//! the load, and answers with a [`ContactLaw`]. Models that wrap another one (`law = { … }`) change its strength or add
//! to it, so that they work with every law.
//!
//! ```
//! use asperity_friction::model::{Coulomb, FrictionModel};
//! use asperity_friction::{ContactFrame, ContactState, SurfaceSample};
//! use glam::{DVec2, DVec3};
//! # fn main() -> Result<(), asperity_friction::FrictionError> {
//! let plain = SurfaceSample::default();
//! let contact = ContactState::new(ContactFrame::new(DVec3::Y, DVec3::X)?, plain, plain);
//! let law = FrictionModel::from(Coulomb::new(0.5)?).law(&contact)?;
//! assert_eq!(law.coefficient(DVec2::X), 0.5);
//! # Ok(())
//! # }
//! ```
//!
//! To add a model: one file that implements [`Model`] and [`Catalogued`], and its two lines below.

mod anisotropic;
mod coefficient;
mod combine;
mod coulomb;
mod facets;
mod lagged;
mod load;
mod matchstick;
mod measured;
mod pair_table;
mod rolling;
mod scaled;
mod static_kinetic;
mod stribeck;
mod tensor;

use serde::{Deserialize, Serialize};

pub use anisotropic::{Anisotropic, Axes};
pub use coefficient::Coefficient;
pub use combine::Combine;
pub use coulomb::Coulomb;
pub use facets::{BoxAxes, FacetForm, Facets, PatchWindow};
pub use lagged::{Lagged, effective_coefficient};
pub use load::LoadPower;
pub use matchstick::{Matchstick, MissingStructure, Spin};
pub use measured::Measured;
pub use pair_table::{Pair, PairTable};
pub use rolling::RollingResistance;
pub use scaled::Scaled;
pub use static_kinetic::StaticKinetic;
pub use stribeck::Stribeck;
pub use tensor::{TensorComposition, TensorCone, TensorRule};

use crate::error::FrictionError;
use crate::law::ContactLaw;
use crate::set::{CatalogueEntry, Catalogued};
use crate::state::ContactState;

/// What of the solution a law depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depends {
    /// The slip: its speed or its direction.
    pub slip: bool,
    /// The normal force, other than in proportion to it.
    pub load: bool,
    /// The slip that the step would end with without friction: found once before laws are made, and nothing to refresh
    /// them for.
    pub frictionless: bool,
}

impl Depends {
    /// On the slip.
    pub const SLIP: Self = Self { slip: true, load: false, frictionless: false };
    /// On the load.
    pub const LOAD: Self = Self { slip: false, load: true, frictionless: false };
    /// On the slip without friction.
    pub const FRICTIONLESS: Self = Self { slip: false, load: false, frictionless: true };

    /// On what either depends.
    pub fn and(self, other: Self) -> Self {
        Self {
            slip: self.slip || other.slip,
            load: self.load || other.load,
            frictionless: self.frictionless || other.frictionless,
        }
    }
}

/// From the state of a contact to its law.
pub trait Model {
    /// Refuses parameters that are NaN, infinite or out of range.
    fn validate(&self) -> Result<(), FrictionError>;

    /// Writes the law of this contact into `law`, whose storage it reuses. The model and the contact are valid
    /// ([`Model::validate`], [`ContactState::validate`]): they are checked once, not at every call.
    fn evaluate(&self, state: &ContactState, law: &mut ContactLaw) -> Result<(), FrictionError>;

    /// What of the solution the law depends on: what a solver has to refresh it for.
    fn depends(&self) -> Depends {
        Depends::default()
    }

    /// The window around the contact that it wants facet slopes of; `None` if it does not read them.
    fn patch(&self) -> Option<PatchWindow> {
        None
    }

    /// The same model with the roles of A and B exchanged. Only models that name a side differ.
    fn swapped(&self) -> Self
    where
        Self: Sized + Clone,
    {
        self.clone()
    }
}

macro_rules! friction_models {
    ($($model:ident),* $(,)?) => {
        /// Any of the models, as plain data. Reading one from a file checks it.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "kind", rename_all = "snake_case", try_from = "UncheckedModel")]
        pub enum FrictionModel {
            $(#[doc = "See the type of the same name."] $model($model),)*
        }

        #[derive(Deserialize)]
        #[serde(tag = "kind", rename_all = "snake_case")]
        enum UncheckedModel {
            $($model($model),)*
        }

        impl TryFrom<UncheckedModel> for FrictionModel {
            type Error = FrictionError;
            fn try_from(unchecked: UncheckedModel) -> Result<Self, FrictionError> {
                let model = match unchecked { $(UncheckedModel::$model(m) => Self::$model(m),)* };
                model.validate()?;
                Ok(model)
            }
        }

        /// Every model there is.
        pub const MODELS: &[CatalogueEntry<FrictionModel>] = &[
            $(CatalogueEntry {
                name: $model::NAME,
                summary: $model::SUMMARY,
                examples: || $model::examples().into_iter().map(FrictionModel::$model).collect(),
            },)*
        ];

        impl FrictionModel {
            /// Name in files and on the command line.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$model(_) => $model::NAME,)* }
            }

            /// The law of this contact. Checks the model and the contact first; [`Model::evaluate`] does not.
            pub fn law(&self, state: &ContactState) -> Result<ContactLaw, FrictionError> {
                self.validate()?;
                state.validate()?;
                let mut law = ContactLaw::default();
                self.evaluate(state, &mut law)?;
                Ok(law)
            }
        }

        impl Model for FrictionModel {
            fn validate(&self) -> Result<(), FrictionError> {
                match self { $(Self::$model(m) => m.validate(),)* }
            }
            #[inline]
            fn evaluate(&self, state: &ContactState, law: &mut ContactLaw) -> Result<(), FrictionError> {
                match self { $(Self::$model(m) => m.evaluate(state, law),)* }
            }
            fn depends(&self) -> Depends {
                match self { $(Self::$model(m) => m.depends(),)* }
            }
            fn patch(&self) -> Option<PatchWindow> {
                match self { $(Self::$model(m) => m.patch(),)* }
            }
            fn swapped(&self) -> Self {
                match self { $(Self::$model(m) => Self::$model(m.swapped()),)* }
            }
        }

        $(impl From<$model> for FrictionModel {
            fn from(model: $model) -> Self {
                Self::$model(model)
            }
        })*
    };
}

friction_models!(
    Coulomb,
    Anisotropic,
    Matchstick,
    TensorRule,
    TensorCone,
    Facets,
    Measured,
    Lagged,
    StaticKinetic,
    Stribeck,
    LoadPower,
    Scaled,
    RollingResistance,
    PairTable,
);
