//! Joints, one by one or in chains.

use glam::DVec3;

use crate::body::{Body, BodyState};
use crate::joint::{FittedJoint, Joint, JointFrame, JointKind, JointSite, axes_along, check_bodies};
use crate::nearest::did_you_mean;
use crate::scene::keys::Problems;
use crate::table::{Fault, View};

/// The name of what does not move and is no body.
const WORLD: &str = "world";

/// What joints are made with.
pub(super) struct Fitter<'a> {
    pub(super) bodies: &'a [Body],
    pub(super) states: &'a [BodyState],
    /// Length of the run.
    pub(super) end: f64,
}

/// All joints of a scene.
pub(super) fn read(scene: &View, fitter: &Fitter, problems: &mut Problems) -> Vec<Joint> {
    let mut all: Vec<Joint> = Vec::new();
    for entry in scene.names("joint") {
        // "none": switched off by a variant.
        let Some(view) = View::of(format!("joint.{}", entry.name), &entry.key, &entry.node) else { continue };
        match fitter.make(&entry.name, &view) {
            Ok(made) => all.extend(made),
            Err(Fault { place, message }) => problems.push(&place, message),
        }
    }
    for (i, joint) in all.iter().enumerate() {
        if all[..i].iter().any(|other| other.name == joint.name) {
            problems.push(&scene.place_of("joint"), format!("two joints have the name `{}`", joint.name));
            break;
        }
    }
    all
}

impl Fitter<'_> {
    fn make(&self, name: &str, view: &View) -> Result<Vec<Joint>, Fault> {
        view.at_most_one(&["chain", "a"])?;
        view.at_most_one(&["chain", "b"])?;
        // One point of the world cannot be an end of every link.
        view.at_most_one(&["chain", "anchor_a"])?;
        view.at_most_one(&["chain", "anchor_b"])?;
        let collide = view.truth("collide").unwrap_or(false);
        let tie = |name: String, a: u32, b: Option<u32>, anchor: Option<DVec3>| -> Result<Joint, Fault> {
            check_bodies(self.bodies, a, b)
                .map_err(|error| view.fault(if view.has("chain") { "chain" } else { "b" }, error))?;
            let site = JointSite { a: self.centre(a), b: b.map(|b| self.centre(b)), anchor, end: self.end };
            let FittedJoint { kind, points: [p, q] } = JointKind::read(view, &site)?;
            let axes = axes_along(view.vector("axis").unwrap_or(DVec3::X));
            let frame =
                |point, body: Option<u32>| JointFrame::at(point, axes, body.map(|i| self.states[i as usize].frame()));
            Ok(Joint { name, a, b, frames: [frame(p, Some(a)), frame(q, b)], kind, collide })
        };
        let Some(array) = view.text("chain") else {
            let Some(a) = view.text("a") else { return Err(view.own_fault("`a` is missing: the name of a body")) };
            let b = match view.text("b") {
                Some(WORLD) if self.bodies.iter().any(|body| body.name == WORLD) => {
                    return Err(
                        view.fault("b", "is both a body and what does not move: give the body `world` another name")
                    );
                }
                None | Some(WORLD) => None,
                Some(b) => Some(self.body(view, "b", b)?),
            };
            return Ok(vec![tie(name.to_owned(), self.body(view, "a", a)?, b, view.vector("anchor"))?]);
        };
        let prefix = format!("{array}[");
        let links: Vec<u32> =
            (0..self.bodies.len() as u32).filter(|i| self.bodies[*i as usize].name.starts_with(&prefix)).collect();
        if links.len() < 2 {
            let reason = format!("`{array}` is no array of two or more bodies");
            return Err(view.fault("chain", reason));
        }
        let middle = |i: usize| 0.5 * (self.centre(links[i]) + self.centre(links[i + 1]));
        let offset = view.vector("anchor").map_or(DVec3::ZERO, |first| first - middle(0));
        (0..links.len() - 1)
            .map(|i| tie(format!("{name}[{i}]"), links[i], Some(links[i + 1]), Some(middle(i) + offset)))
            .collect()
    }

    fn body(&self, view: &View, key: &str, name: &str) -> Result<u32, Fault> {
        let found = self.bodies.iter().position(|body| body.name == name);
        found.map(|i| i as u32).ok_or_else(|| {
            let hint = did_you_mean(name, self.bodies.iter().map(|body| body.name.as_str()));
            view.fault(key, format!("no body has the name `{name}`{hint}"))
        })
    }

    fn centre(&self, body: u32) -> DVec3 {
        self.states[body as usize].frame().centre
    }
}
