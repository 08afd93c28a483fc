//! Groups of bodies that act on each other in a span by contacts and joints: they move by one position rule.
//!
//! A group takes the trapezoid where it can be seen to be safe: no contact that acts began the span too fast (an
//! impact), and the work of its contacts W = Σ r·(u + u⁺)/2 is not positive but for what their springs give back.
//! Otherwise it takes the rule "end".

use asperity_solve::problem::Groups;

use super::carriers::Carriers;
use super::midway::settled_speed;
use super::setup::Setup;
use super::solved::Solved;
use crate::joint::Joint;
use crate::step::joint_rows::Role;

/// A contact began the span too fast for the trapezoid if it approaches faster than g/h by this fraction of the speeds at it;
/// rounding alone gives less.
const FAST: f64 = 1e-6;
/// The same, in m/s, for contacts that do not move.
const SLOW: f64 = 1e-9;
/// Work of contacts below this fraction of Σ r_n |g| h is left over by the solver.
const IDLE: f64 = 1e-8;

/// Springs of contacts under the weight of their bodies push apart with less than this fraction of |g| h. After a blow they would
/// push harder, and give back energy that counts.
const PUSHES: f64 = 1e-4;

/// Slips at a carrier are met to this fraction of what its velocity changes by in the span.
const MET: f64 = 0.1;

/// Bodies that act on each other by contacts and joints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// Whether there is a contact at all, or a stop or brake that acts.
    pub(super) touched: bool,
    /// Whether it touches a body that is not dynamic, or is tied to one.
    pub(super) fixed: bool,
    /// Whether its joints, or its contacts with carriers or springs, were solved for the rule "end".
    ends: bool,
    /// Whether it touches a carrier.
    pub(super) carried: bool,
    /// Work that means nothing, because rows that turn settle to a small velocity and those of carriers are met to second
    /// order only, J.
    slack: f64,
    /// Whether nothing but contacts with dynamic and static bodies acts on it.
    pub(super) plain: bool,
    /// Whether a rim rolls in it.
    pub(super) rolls: bool,
    /// Whether no contact began too fast.
    smooth: bool,
    /// Work of the contacts if positions move by the trapezoid, J.
    pub(super) work: f64,
    /// Sum of the normal impulses, N s.
    load: f64,
    /// What the springs of the contacts can give back, J: Σ r_n max(½ c r_n, β), β the velocity with which they push apart, if it is small.
    sprung: f64,
    /// Speed that the solver leaves over, m/s: times the load it is work that means nothing.
    idle: f64,
}

impl Group {
    fn empty(idle: f64) -> Self {
        Self {
            touched: false,
            fixed: false,
            ends: false,
            carried: false,
            slack: 0.0,
            plain: true,
            rolls: false,
            smooth: true,
            work: 0.0,
            load: 0.0,
            sprung: 0.0,
            idle,
        }
    }

    /// Work that the solver leaves over, J.
    pub(super) fn idle_work(&self) -> f64 {
        self.idle * self.load
    }

    /// Whether its positions move by the trapezoid.
    pub(super) fn trapezoid(&self) -> bool {
        !self.ends
            && (!self.touched || self.fixed && self.smooth && self.work <= self.sprung + self.slack + self.idle_work())
    }
}

/// The groups of the free bodies.
pub(super) struct Grouping {
    pub(super) groups: Vec<Group>,
    /// The group of each free body.
    pub(super) of: Vec<usize>,
}

/// The two sides of a contact or joint, as places in the list of free bodies; `None` for bodies that forces do not
/// move, and for the world.
type Sides = [Option<usize>; 2];

impl Grouping {
    /// The groups after a solve.
    pub(super) fn new(setup: &Setup, solved: &Solved, carriers: &Carriers) -> Self {
        let count = setup.free.list().len();
        let idle = IDLE * setup.model.gravity.length() * setup.span.length();
        let mut joined = Groups::new(count);
        let contacts = solved.pressed().map(|i| contact_sides(setup, solved, i));
        let joints = setup.model.joints.iter().map(|joint| joint_sides(setup, joint));
        for sides in contacts.chain(joints) {
            if let [Some(a), Some(b)] = sides {
                joined.join(a, b);
            }
        }
        let of = (0..count).map(|k| joined.of(k)).collect();
        let mut grouping = Self { groups: vec![Group::empty(idle); count], of };
        grouping.add_contacts(setup, solved);
        grouping.add_carriers(setup, solved, carriers);
        grouping.add_joints(setup, solved);
        grouping.add_joint_rows(setup, solved);
        grouping
    }

    /// The group of a free body.
    pub(super) fn group(&self, free: usize) -> &Group {
        &self.groups[self.of[free]]
    }

    fn group_of(&mut self, sides: Sides) -> Option<&mut Group> {
        let first = sides.into_iter().flatten().next()?;
        Some(&mut self.groups[self.of[first]])
    }

    fn add_contacts(&mut self, setup: &Setup, solved: &Solved) {
        let h = setup.span.length();
        let pushes = PUSHES * setup.model.gravity.length() * h;
        for i in solved.pressed() {
            let sides = contact_sides(setup, solved, i);
            let contact = &solved.contacts[i];
            let Some(group) = self.group_of(sides) else { continue };
            group.touched = true;
            group.fixed |= sides.contains(&None);
            group.ends |= contact.pair.iter().any(|body| solved.ends[*body as usize]);
            group.plain &= contact.pair.iter().all(|i| !setup.model.bodies[*i as usize].is_driven());
            let (r, after, bound) = (solved.impulse(i), solved.after(i), solved.bounds[i].normal);
            // What the spring of the contact gives way to is no impact.
            let slack = SLOW + FAST * contact.speed + bound.compliance * r[0];
            if setup.model.interaction(contact.pair).spring.is_some() {
                (group.ends, group.plain) = (group.ends || h > 0.0, false);
            }
            group.smooth &= contact.bound.is_none() && contact.before.x >= -contact.gap.max(0.0) / h - slack;
            if contact.rim {
                group.rolls = true;
                group.slack += settled_speed(contact.speed) * r.iter().map(|r| r.abs()).sum::<f64>();
            }
            group.load += r[0];
            let pushed = if contact.rim && bound.beta <= pushes { bound.beta } else { 0.0 };
            group.sprung += (0.5 * bound.compliance * r[0]).max(pushed) * r[0];
            let [a, b] = contact.pair.map(|body| &setup.placed[body as usize]);
            let [w_a, w_b] = [contact.anchors[0].angular_velocity(a), contact.anchors[1].angular_velocity(b)];
            for (k, r) in r.iter().enumerate() {
                let before = if k < 3 { contact.before[k] } else { contact.axis(k).dot(w_a - w_b) };
                group.work += 0.5 * r * (before + after[k]);
            }
        }
    }

    /// Contacts with carriers.
    fn add_carriers(&mut self, setup: &Setup, solved: &Solved, carriers: &Carriers) {
        if carriers.is_empty() {
            return;
        }
        for i in solved.pressed() {
            let contact = &solved.contacts[i];
            if contact.pair.iter().all(|body| carriers.get(*body).is_none()) {
                continue;
            }
            let Some(group) = self.group_of(contact_sides(setup, solved, i)) else { continue };
            group.carried = true;
            let change = contact.shift[..3].iter().map(|s| s * s).sum::<f64>().sqrt();
            group.slack += MET * change * solved.impulse(i).iter().map(|r| r.abs()).sum::<f64>();
        }
    }

    fn add_joints(&mut self, setup: &Setup, solved: &Solved) {
        for (i, joint) in setup.model.joints.iter().enumerate() {
            let sides = joint_sides(setup, joint);
            let Some(group) = self.group_of(sides) else { continue };
            group.fixed |= sides.contains(&None);
            group.plain = false;
            group.ends |= solved.joints_at_end[i];
        }
    }

    /// Stops and brakes that act.
    fn add_joint_rows(&mut self, setup: &Setup, solved: &Solved) {
        let h = setup.span.length();
        let rows = solved.joints.iter().zip(solved.joint_impulses());
        for ((row, r), u) in rows.zip(solved.joint_rates()) {
            let Some(group) = self.group_of(joint_sides(setup, &setup.model.joints[row.joint])) else { continue };
            let after = u + row.beta - row.compliance * r;
            match row.role {
                Role::Stop(gap) if *r > 0.0 => {
                    group.smooth &= row.before >= -gap.max(0.0) / h - SLOW - row.compliance * r;
                    group.load += r;
                    group.sprung += 0.5 * row.compliance * r * r;
                }
                Role::Brake if *r != 0.0 => group.load += r.abs(),
                _ => continue,
            }
            group.touched = true;
            group.work += 0.5 * r * (row.before + after);
        }
    }
}

fn contact_sides(setup: &Setup, solved: &Solved, i: usize) -> Sides {
    solved.contacts[i].pair.map(|body| setup.free.number(body))
}

fn joint_sides(setup: &Setup, joint: &Joint) -> Sides {
    joint.bodies().map(|body| body.and_then(|i| setup.free.number(i)))
}

/// Which joints moved by the rule "end", in the order of the model.
pub(super) fn joints_at_end(setup: &Setup, grouping: &Grouping) -> Vec<bool> {
    let at_end = |joint: &Joint| {
        let first = joint_sides(setup, joint).into_iter().flatten().next();
        first.is_some_and(|free| !grouping.group(free).trapezoid())
    };
    setup.model.joints.iter().map(at_end).collect()
}
