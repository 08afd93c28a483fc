//! Rounds of continuous detection: what meets on the way becomes a contact of the step.

use std::time::Instant;

use super::contacts::FilterContact;
use super::masses::ends;
use super::report::Acted;
use super::{Filter, Trial, zones};
use crate::contact::{Contact, MOST_ROWS};
use crate::geometry::surface::SweptPair;
use crate::step::StepError;
use crate::step::report::StepLog;

/// Rounds before what still meets becomes an impact zone.
const ROUNDS: usize = 10;

/// The least distance that continuous detection keeps, as a fraction of the thickness, or of the skin for surfaces
/// without one.
const SEPARATION: f64 = 0.02;

/// The distance that an impact leaves along its normal, in units of the separation: so much that detection does not see
/// it again.
const LEFT: f64 = 2.0;

impl Filter {
    /// Adds impacts to the contacts, and solves again, until nothing meets on the way; then impact zones.
    pub(super) fn resolve(
        &mut self,
        trial: &mut Trial,
        list: &mut Vec<FilterContact>,
        mut acted: Acted,
        log: &mut StepLog,
    ) -> Result<Acted, StepError> {
        for _ in 0..ROUNDS {
            let began = Instant::now();
            let added = self.add_impacts(trial, list);
            log.effort.seconds.detect += began.elapsed().as_secs_f64();
            if !added {
                return Ok(acted);
            }
            list.sort_by_key(|own| own.contact.name());
            acted = self.sweep(trial, list, log)?;
        }
        let began = Instant::now();
        let Self { surfaces, free, contacts, .. } = self;
        if let Some(surfaces) = surfaces {
            let separation = separation(surfaces.thickness(), surfaces.set().skin());
            let walls = zones::walls(free, surfaces, &contacts.placed, list);
            zones::freeze(free, trial, surfaces, &walls, separation)?;
        }
        log.effort.seconds.solve += began.elapsed().as_secs_f64();
        Ok(acted)
    }

    /// Whether there are impacts on the way; they are contacts now.
    fn add_impacts(&mut self, trial: &Trial, list: &mut Vec<FilterContact>) -> bool {
        let Self { surfaces: Some(surfaces), free, contacts, .. } = self else { return false };
        let to = ends(free, trial.span, surfaces.bodies(), &trial.v);
        let separation = separation(surfaces.thickness(), surfaces.set().skin());
        let found: Vec<SweptPair> = surfaces.set().sweep(&to, separation).to_vec();
        for SweptPair { pair, .. } in &found {
            let at = surfaces.set().positions();
            let start = pair.normal.dot(pair.blend(|i| at[i as usize]));
            // It may close in along its normal, but for what has to be left; if it starts nearer, it has to part, by no
            // more than the separation.
            let bound = ((LEFT * separation - start) / trial.span.h).min(separation / trial.span.h);
            let contact: Option<Contact> = surfaces.contact(pair, &contacts.placed);
            list.extend(contact.map(|contact| FilterContact { contact, bound, r: [0.0; MOST_ROWS] }));
        }
        !found.is_empty()
    }
}

/// The least distance that is kept, m.
pub(super) fn separation(thickness: f64, skin: f64) -> f64 {
    SEPARATION * if thickness > 0.0 { thickness } else { skin }
}
