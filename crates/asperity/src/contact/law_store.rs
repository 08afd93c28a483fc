//! Laws of the last contact problem, kept while what they were made from stays the same to the last bit.
//!
//! A step with joints is solved several times at the same place, and what rests stays where it is: the facets of such contacts are then those
//! of the last problem ([`PatchStore::is_same`]), and if the rest of what a law looks at is the same too, it is the law. Only laws that do not
//! follow the slip or the load are kept: the others have changed while the solver worked. A law that is kept is the one that would be made, so
//! keeping it changes no byte.

use asperity_friction::model::{FrictionModel, Model as _};
use asperity_friction::tensor::SurfaceTensor;
use asperity_friction::{ContactState, SurfaceSample};
use asperity_solve::problem::ProblemError;
use asperity_solve::solver::{LawStorage, ModelContact, ModelLaws};

use crate::patch::PatchStore;

/// Laws, and what each was made from.
#[derive(Default)]
pub(crate) struct LawStore {
    storage: LawStorage,
    keys: Vec<LawKey>,
}

/// Laws of a problem, and what each was made from.
pub(crate) struct KeyedLaws<'a> {
    pub(crate) laws: ModelLaws<'a>,
    pub(crate) keys: Vec<LawKey>,
}

/// What a law was made from, but for the facets and the frame, which are those of the patch.
#[derive(Default)]
pub(crate) struct LawKey {
    /// `None`: the law is not to be kept.
    model: Option<FrictionModel>,
    surfaces: [SurfaceKey; 2],
    frictionless_slip: [u64; 2],
}

/// What a surface says beside its facets, bit by bit: zeros of both signs are different.
#[derive(Clone, Copy, PartialEq)]
struct SurfaceKey {
    material: u32,
    numbers: [u64; 13],
    tensor: SurfaceTensor,
}

impl SurfaceKey {
    fn new(sample: &SurfaceSample) -> Self {
        let SurfaceSample { material, tangent, uv, structure, mu, mu_t, mu_b, mu_tau, tensor, facets: _, salience } =
            *sample;
        // A coefficient that is absent has a bit pattern of its own.
        let [mu_t, mu_b] = [mu_t, mu_b].map(|mu| mu.unwrap_or(-1.0));
        let numbers = [
            tangent.x,
            tangent.y,
            tangent.z,
            structure.x,
            structure.y,
            structure.z,
            uv.x,
            uv.y,
            mu,
            mu_t,
            mu_b,
            mu_tau,
            salience,
        ];
        Self { material, numbers: numbers.map(f64::to_bits), tensor }
    }
}

impl Default for SurfaceKey {
    fn default() -> Self {
        Self::new(&SurfaceSample::default())
    }
}

impl LawKey {
    /// Brings it up to date; whether nothing has changed.
    fn update(&mut self, model: &FrictionModel, state: &ContactState, same_patch: bool) -> bool {
        let depends = model.depends();
        if depends.slip || depends.load || model.patch().is_none() {
            self.model = None;
            return false;
        }
        let surfaces = [SurfaceKey::new(&state.a), SurfaceKey::new(&state.b)];
        let slip = state.frictionless_slip.to_array().map(f64::to_bits);
        let same_model = self.model.as_ref() == Some(model);
        let same = same_patch && same_model && self.surfaces == surfaces && self.frictionless_slip == slip;
        if !same_model {
            self.model = Some(model.clone());
        }
        (self.surfaces, self.frictionless_slip) = (surfaces, slip);
        same
    }
}

impl LawStore {
    /// From the laws of a problem that is solved.
    pub(crate) fn after(laws: ModelLaws, keys: Vec<LawKey>) -> Self {
        Self { storage: laws.into_storage(), keys }
    }

    /// An empty list of contacts, to be filled for [`Self::laws`].
    pub(crate) fn contacts<'a>(&mut self) -> Vec<ModelContact<'a>> {
        self.storage.contacts()
    }

    /// The laws of contacts whose facets are `patches`.
    pub(crate) fn laws<'a>(
        self,
        contacts: Vec<ModelContact<'a>>,
        dt: f64,
        patches: &PatchStore,
    ) -> Result<KeyedLaws<'a>, ProblemError> {
        let Self { storage: LawStorage { laws, .. }, mut keys } = self;
        keys.resize_with(contacts.len(), LawKey::default);
        let mut kept = Vec::with_capacity(contacts.len());
        for (number, (contact, key)) in contacts.iter().zip(&mut keys).enumerate() {
            kept.push(key.update(&contact.model, &contact.state, patches.is_same(number)));
        }
        Ok(KeyedLaws { laws: ModelLaws::reusing(contacts, dt, laws, |number| kept[number])?, keys })
    }
}
