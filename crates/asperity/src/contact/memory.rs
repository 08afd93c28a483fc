//! Finding contacts again that acted in the step before.

use super::{Contact, MOST_ROWS};
use crate::world::ContactMemory;

/// The impulses of a contact, row by row, that the mean forces of the last step would be in one of length h.
pub(crate) fn carried(contact: &Contact, known: &ContactMemory, h: f64) -> [f64; MOST_ROWS] {
    std::array::from_fn(|k| (if k < 3 { known.force } else { known.torque }).dot(contact.axis(k)) * h)
}

/// What is remembered of each contact; `None` for new ones. Both lists are sorted by pair and feature.
pub(crate) fn recall<'m>(contacts: &[Contact], memory: &'m [ContactMemory]) -> Vec<Option<&'m ContactMemory>> {
    let (mut rest, mut last) = (memory.iter(), None);
    let mut next = rest.next();
    let find = |contact: &Contact| {
        let is_it = |known: &ContactMemory| known.pair == contact.pair && known.feature == contact.feature;
        // A contact that a step has missed may have the name of the one before it.
        if last.is_some_and(is_it) {
            return last;
        }
        // Mostly the next one is the one: equality is cheaper to see than order.
        while let Some(known) = next {
            if is_it(known) {
                (last, next) = (next, rest.next());
                return last;
            }
            if (known.pair, known.feature) > (contact.pair, contact.feature) {
                return None;
            }
            next = rest.next();
        }
        None
    };
    contacts.iter().map(find).collect()
}
