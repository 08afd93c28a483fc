//! The laws of contacts from friction models: asked again, while a solver iterates, where they depend on load or slip.

use std::borrow::Cow;

use asperity_friction::model::{FrictionModel, Model};
use asperity_friction::{ContactLaw, ContactState, Tangential};
#[cfg(feature = "parallel")]
use rayon::prelude::*;

use super::LawSource;
use crate::problem::ProblemError;

/// A contact whose law comes from a friction model.
#[derive(Clone, Debug)]
pub struct ModelContact<'a> {
    /// The model.
    pub model: Cow<'a, FrictionModel>,
    /// What the model sees of the contact.
    pub state: ContactState<'a>,
    /// Which fraction of a larger contact it stands for, above 0: its model is told the force of the whole contact under
    /// the same pressure, its normal force divided by this. 1 for a contact by itself.
    pub share: f64,
}

/// The laws that friction models give to contacts.
#[derive(Clone, Debug)]
pub struct ModelLaws<'a> {
    contacts: Vec<ModelContact<'a>>,
    laws: Vec<ContactLaw>,
    /// Length of the time step: a normal impulse over it is the normal force that models speak of.
    dt: f64,
    scratch: ContactLaw,
}

impl<'a> ModelLaws<'a> {
    /// From a model and a state for each contact; `dt` is the length of the time step, positive. A model or a state
    /// that makes no sense is refused with the number of its contact.
    pub fn new(contacts: Vec<ModelContact<'a>>, dt: f64) -> Result<Self, ProblemError> {
        Self::reusing(contacts, dt, Vec::new(), |_| false)
    }

    /// The same, written into laws that are no longer needed ([`Self::into_storage`]): sets made of many facets keep their
    /// storage. Where `kept` says so the law of that number is already the one that its model and state would make, and
    /// is not made again.
    pub fn reusing(
        contacts: Vec<ModelContact<'a>>,
        dt: f64,
        mut laws: Vec<ContactLaw>,
        kept: impl Fn(usize) -> bool + Sync,
    ) -> Result<Self, ProblemError> {
        if !(dt.is_finite() && dt > 0.0) {
            return Err(ProblemError::Setting { name: "dt", value: dt, expected: "finite and positive" });
        }
        let old = laws.len();
        laws.resize_with(contacts.len(), ContactLaw::default);
        for_each(&contacts, &mut laws, |contact, ModelContact { model, state, .. }, law| {
            if contact < old && kept(contact) {
                return Ok(());
            }
            let made = model.validate().and_then(|()| state.validate()).and_then(|()| model.evaluate(state, law));
            made.map_err(|error| ProblemError::Friction { contact, error })
        })?;
        Ok(Self { contacts, laws, dt, scratch: ContactLaw::default() })
    }

    /// The laws, and the storage of the list of contacts, which has none of them any more.
    pub fn into_storage(self) -> LawStorage {
        LawStorage { laws: self.laws, contacts: emptied(self.contacts) }
    }
}

/// What laws that are no longer needed leave to others. Contacts with their surfaces are large: a list of many that is made anew in
/// every step would be given back to the system each time, and cost as much as filling it.
#[derive(Debug, Default)]
pub struct LawStorage {
    /// The laws, to write others into.
    pub laws: Vec<ContactLaw>,
    contacts: Vec<ModelContact<'static>>,
}

impl LawStorage {
    /// An empty list of contacts, with the storage of the last one.
    pub fn contacts<'a>(&mut self) -> Vec<ModelContact<'a>> {
        emptied(std::mem::take(&mut self.contacts))
    }
}

/// An empty list for contacts of another lifetime, in the storage of this one: a list that is collected from one of the same
/// layout is made in its place.
fn emptied<'b>(mut list: Vec<ModelContact<'_>>) -> Vec<ModelContact<'b>> {
    list.clear();
    list.into_iter().map_while(|_| None).collect()
}

/// Contacts from which their laws are worth making on threads.
#[cfg(feature = "parallel")]
const MANY: usize = 1000;

/// Makes the law of every contact, each by itself: the number of threads changes nothing. Of several errors the one with
/// the smallest number of its contact is returned.
fn for_each<'a>(
    contacts: &[ModelContact<'a>],
    laws: &mut [ContactLaw],
    make: impl Fn(usize, &ModelContact<'a>, &mut ContactLaw) -> Result<(), ProblemError> + Sync,
) -> Result<(), ProblemError> {
    #[cfg(feature = "parallel")]
    if contacts.len() >= MANY && rayon::current_num_threads() > 1 {
        let pairs = contacts.par_iter().zip(laws).enumerate().with_min_len(MANY / 8);
        let failed = pairs.filter_map(|(number, (contact, law))| make(number, contact, law).err().map(|e| (number, e)));
        return failed.min_by_key(|(number, _)| *number).map_or(Ok(()), |(_, error)| Err(error));
    }
    contacts.iter().zip(laws).enumerate().try_for_each(|(number, (contact, law))| make(number, contact, law))
}

impl LawSource for ModelLaws<'_> {
    fn laws(&self) -> &[ContactLaw] {
        &self.laws
    }

    fn refresh(&mut self, contact: usize, load: f64, _impulse: Tangential, slip: Tangential) -> bool {
        let ModelContact { model, state, share } = &mut self.contacts[contact];
        let depends = model.depends();
        if !depends.slip && !depends.load {
            return false;
        }
        state.slip = slip;
        state.normal_force = load / (self.dt * *share);
        // A model that was valid stays so; if it cannot answer for this state the last law stands.
        if model.evaluate(state, &mut self.scratch).is_err() || self.scratch == self.laws[contact] {
            return false;
        }
        std::mem::swap(&mut self.laws[contact], &mut self.scratch);
        true
    }

    fn part(&self, contacts: &[usize]) -> Box<dyn LawSource + Send + '_> {
        Box::new(Self {
            contacts: contacts.iter().map(|c| self.contacts[*c].clone()).collect(),
            laws: contacts.iter().map(|c| self.laws[*c].clone()).collect(),
            dt: self.dt,
            scratch: ContactLaw::default(),
        })
    }

    fn depends(&self) -> bool {
        self.contacts.iter().any(|contact| {
            let depends = contact.model.depends();
            depends.slip || depends.load
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asperity_friction::model::Coulomb;
    use asperity_friction::{ContactFrame, SurfaceSample};
    use glam::DVec3;

    #[test]
    fn the_storage_of_contacts_serves_again() {
        let frame = ContactFrame::new(DVec3::Y, DVec3::X).unwrap();
        let state = ContactState::new(frame, SurfaceSample::default(), SurfaceSample::default());
        let model = Cow::Owned(Coulomb::new(0.5).unwrap().into());
        let contacts = vec![ModelContact { model, state, share: 1.0 }; 20];
        let place = contacts.as_ptr() as usize;
        let mut storage = ModelLaws::new(contacts, 0.01).unwrap().into_storage();
        assert_eq!(storage.laws.len(), 20);
        let again = storage.contacts();
        assert!(again.is_empty() && again.capacity() >= 20);
        assert_eq!(again.as_ptr() as usize, place);
    }
}
