//! Finding contacts again that acted in the step before.

use super::Contact;
use crate::world::ContactMemory;

/// What is remembered of each contact; `None` for new ones. Both lists are sorted by pair and feature.
pub(crate) fn recall<'m>(contacts: &[Contact], memory: &'m [ContactMemory]) -> Vec<Option<&'m ContactMemory>> {
    let mut next = 0;
    let find = |contact: &Contact| {
        let name = contact.name();
        while memory.get(next).is_some_and(|m| (m.pair, m.feature) < name) {
            next += 1;
        }
        memory.get(next).filter(|m| (m.pair, m.feature) == name)
    };
    contacts.iter().map(find).collect()
}
