//! Finding contacts again that acted in the step before.

use super::Contact;
use crate::world::ContactMemory;

/// What is remembered of each contact; `None` for new ones. Both lists are sorted by pair and feature.
pub(crate) fn recall<'m>(contacts: &[Contact], memory: &'m [ContactMemory]) -> Vec<Option<&'m ContactMemory>> {
    let mut next = 0;
    let find = |contact: &Contact| {
        let name = contact.name();
        // Mostly the next one is the one: equality is cheaper to see than order.
        loop {
            let known = memory.get(next)?;
            let known_name = (known.pair, known.feature);
            if known_name == name {
                return Some(known);
            }
            if known_name > name {
                return None;
            }
            next += 1;
        }
    };
    contacts.iter().map(find).collect()
}
