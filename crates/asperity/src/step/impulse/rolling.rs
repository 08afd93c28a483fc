//! Contacts that roll: by how much an attempt misses, where it ends, the velocities that it was solved for.
//!
//! An attempt is solved with rows J, and ends where the rows are J⁺. A contact that sticks has J v⁺ = 0, but begins the next
//! step with the slip δ = J⁺ v⁺, which that step stops. Nothing slips, and still the balance ΔE = Σ r·(u + u⁺)/2 holds in
//! every step: the energy ½ r·δ is lost as if it were work of friction. The same goes for normal velocities. So ½ |r| |δ|
//! counts as an energy error of the attempt that leaves δ over, and the attempt is made again with rows that turn
//! ([`super::midway`]). Where a contact slides, only the normal part counts: its slip is no error.

use glam::DVec3;

use super::midway::{Again, settled_speed};
use super::trial::Outcome;
use crate::contact::{Contact, ContactImpulse, ContactName};

/// A contact sticks if its slip is less than this fraction of the speeds that cancel at it, and this many m/s.
const STICK: f64 = 1e-6;
const STICK_SPEED: f64 = 1e-8;

/// Adds to the energy error of an attempt what its contacts leave over at the end, where `ends` are the contacts, sorted by
/// name; and marks the bodies that are to be solved again for it. Whether there are any. Only rims are looked at: what pivots on
/// a corner of its own moves as before.
pub(super) fn add_errors(outcome: &mut Outcome, ends: &[Contact]) -> bool {
    let mut any = false;
    let Outcome { report, allowed, again, energy_error, .. } = outcome;
    for own in &report.impulses {
        let tolerance = own.pair.iter().map(|body| allowed[*body as usize]).fold(f64::INFINITY, f64::min);
        if tolerance.is_infinite() {
            continue;
        }
        let name = ContactName { pair: own.pair, feature: own.feature };
        let Ok(end) = ends.binary_search_by_key(&name, Contact::name) else { continue };
        if !ends[end].rim {
            continue;
        }
        let left = left_over(own, &ends[end]);
        let error = 0.5 * own.impulse.length() * left;
        if left > settled_speed(ends[end].speed) && error > tolerance {
            *energy_error += error;
            any = true;
            for body in own.pair.iter().map(|body| *body as usize).filter(|body| allowed[*body] < f64::INFINITY) {
                again[body] = Some(Again::Between);
            }
        }
    }
    any
}

/// |δ| of a contact, m/s.
fn left_over(own: &ContactImpulse, end: &Contact) -> f64 {
    let normal = end.before.x - own.normal_velocity;
    let slip = end.frame.t() * end.before.y + end.frame.b() * end.before.z;
    // A contact without friction has no slip that is solved for.
    let held = own.impulse.reject_from_normalized(own.normal) != DVec3::ZERO;
    let sticks = held && own.slip.length() <= STICK_SPEED + STICK * end.speed;
    normal.hypot(if sticks { slip.distance(own.slip) } else { 0.0 })
}
