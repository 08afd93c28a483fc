//! Contacts that a step has missed: bodies overlap where it ends, by more than a little and more than where it began.
//!
//! At that end, with the velocities v_k⁺ that led there, the gap is g < 0 and the row is J. To first order the gap for
//! other velocities is g + h J (v⁺ − v_k⁺), so the step is solved again with J v⁺ ≥ J v_k⁺ − (g + ½ s)/h, s the overlap
//! that is let pass. The bound is never above zero: such a row stops bodies and pushes none.

use glam::DVec3;

use super::span::Span;
use crate::contact::{Anchor, Contact, PlacedBody};
use crate::world::Model;

/// Overlap that is let pass, as a fraction of the smaller body's reach.
const SLACK: f64 = 5e-4;

/// The overlap that is let pass at a contact, m.
fn slack(model: &Model, contact: &Contact) -> f64 {
    let reach = contact.pair.map(|body| model.bodies[body as usize].reach());
    SLACK * reach[0].min(reach[1])
}

/// Whether a contact at the end overlaps by more than is let pass, and more than its pair did at the start: overlaps that
/// were there are no worse for staying. `starts` are sorted by name.
fn overlaps(contact: &Contact, starts: &[Contact], slack: f64) -> bool {
    if contact.gap >= -slack {
        return false;
    }
    let from = starts.partition_point(|other| other.pair < contact.pair);
    let start = starts[from..].iter().take_while(|other| other.pair == contact.pair);
    let deepest = start.filter(|other| other.bound.is_none()).map(|other| other.gap).fold(f64::INFINITY, f64::min);
    contact.gap < deepest - 0.01 * slack
}

/// Whether a contact was missed that approaches faster than `speed` (m/s) and bounces: its moment is to be found instead.
pub(super) fn bounce(model: &Model, last: &[Contact], starts: &[Contact], speed: f64) -> bool {
    last.iter().filter(|contact| contact.gap < 0.0 && contact.approaches_faster_than(speed)).any(|contact| {
        model.interaction(contact.pair).restitution > 0.0 && overlaps(contact, starts, slack(model, contact))
    })
}

/// Adds rows for the contacts that were missed to `contacts`, the contacts at the start, sorted by name; whether there
/// are any. `last` are the contacts at the end.
pub(super) fn add(
    model: &Model,
    last: &[Contact],
    placed: &[PlacedBody],
    span: Span,
    contacts: &mut Vec<Contact>,
) -> bool {
    let Span::Step(h) = span else { return false };
    let known = contacts.len();
    let rigid = |contact: &&Contact| contact.gap < 0.0 && model.interaction(contact.pair).spring.is_none();
    for contact in last.iter().filter(rigid) {
        let slack = slack(model, contact);
        if overlaps(contact, &contacts[..known], slack) {
            let bound = (contact.before.x - (contact.gap + 0.5 * slack) / h).min(0.0);
            let [a, b] = contact.pair.map(|body| &placed[body as usize]);
            let mut row = Contact { bound: Some(bound), in_problem: true, ..*contact };
            if contact.pair.iter().all(|body| model.bodies[*body as usize].is_dynamic()) {
                // Both bodies get the impulse at one point, seen from where they start: so angular momentum is kept.
                let moved = |side: usize, at: &PlacedBody| match contact.anchors[side] {
                    Anchor::Rigid { arm } => contact.point - arm - at.centre,
                    Anchor::Triangle { .. } | Anchor::Vertex { .. } | Anchor::Edge { .. } => DVec3::ZERO,
                };
                row.point -= 0.5 * (moved(0, a) + moved(1, b));
                row.anchors = [Anchor::at(a, row.point), Anchor::at(b, row.point)];
            }
            row.before = row.velocity([a, b]);
            contacts.push(row);
        }
    }
    let any = contacts.len() > known;
    if any {
        contacts.sort_by_key(Contact::name);
    }
    any
}
