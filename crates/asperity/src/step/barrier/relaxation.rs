//! Loads of friction from round to round of a step: Aitken's relaxation.
//!
//! A round is solved with loads λ and ends with loads G(λ); the next one begins with λ + ω (G(λ) − λ). ω = 1 takes what came out, which
//! swings where friction wedges bodies against each other and loads answer by more than they were changed. With r = G(λ) − λ of this
//! round and the one before, Aitken's rule (Irons and Tuck 1969) takes
//!
//! ω ← −ω r_before·(r − r_before)/|r − r_before|²,
//!
//! the secant of the direction in which loads change most. Contacts that are not there have no load.

use super::friction::Rubbing;
use crate::contact::ContactName;

/// Bounds of ω. Loads of several contacts that carry a body together can swing in several ways at once, of which the rule sees one: a
/// smaller ω than this would leave the others where they are, and a larger one drives them apart.
const LEAST: f64 = 0.25;
const MOST: f64 = 1.0;

/// What a contact's load was changed by in a round, N.
#[derive(Clone, Copy)]
struct Change {
    name: ContactName,
    by: f64,
}

/// ω, and what the last round did.
pub(super) struct Relaxation {
    share: f64,
    last: Vec<Change>,
}

impl Default for Relaxation {
    fn default() -> Self {
        Self { share: 1.0, last: Vec::new() }
    }
}

fn load(list: &[Rubbing], name: ContactName) -> f64 {
    list.binary_search_by_key(&name, |own| own.contact.name()).map_or(0.0, |i| list[i].lagged.load())
}

impl Relaxation {
    /// Friction for the next round, from what a round used and what is up to date after it, both sorted by name.
    pub(super) fn next(&mut self, used: &[Rubbing], mut fresh: Vec<Rubbing>) -> Vec<Rubbing> {
        let gone: Vec<Rubbing> = {
            let there =
                |own: &&Rubbing| fresh.binary_search_by_key(&own.contact.name(), |one| one.contact.name()).is_ok();
            used.iter().filter(|own| !there(own)).cloned().collect()
        };
        let change = |own: &Rubbing, now: f64| {
            let name = own.contact.name();
            Change { name, by: now - load(used, name) }
        };
        let mut changes: Vec<Change> = fresh.iter().map(|own| change(own, own.lagged.load())).collect();
        changes.extend(gone.iter().map(|own| change(own, 0.0)));
        changes.sort_by_key(|own| own.name);
        self.adapt(&changes);
        for own in &mut fresh {
            let (now, old) = (own.lagged.load(), load(used, own.contact.name()));
            own.lagged.force = (old + self.share * (now - old)).max(0.0) / own.lagged.weight;
        }
        let left = (1.0 - self.share).max(0.0);
        fresh.extend(gone.into_iter().filter(|_| left > 0.0).map(|mut own| {
            own.lagged.force *= left;
            own
        }));
        fresh.sort_by_key(|own| own.contact.name());
        self.last = changes;
        fresh
    }

    /// ω for changes, sorted by name.
    fn adapt(&mut self, now: &[Change]) {
        if self.last.is_empty() {
            return;
        }
        let by = |list: &[Change], name: ContactName| {
            list.binary_search_by_key(&name, |own| own.name).map_or(0.0, |i| list[i].by)
        };
        let (mut product, mut square) = (0.0, 0.0);
        for own in now {
            let before = by(&self.last, own.name);
            product += before * (own.by - before);
            square += (own.by - before) * (own.by - before);
        }
        for own in self.last.iter().filter(|own| now.binary_search_by_key(&own.name, |one| one.name).is_err()) {
            product -= own.by * own.by;
            square += own.by * own.by;
        }
        if square > 0.0 {
            self.share = (-self.share * product / square).clamp(LEAST, MOST);
        }
    }
}
