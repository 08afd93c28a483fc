//! Joints, one by one or in chains.

use std::f64::consts::PI;

use glam::DVec3;

use super::motion::{formula, probes};
use super::view::{Fault, View};
use crate::body::{Body, BodyState};
use crate::expression::Expression;
use crate::joint::{
    Ball, Distance, Drive, Fixed, Hinge, Joint, JointFrame, JointKind, Motor, Slider, Spring, SpringDamper, axes_along,
    check_bodies,
};
use crate::nearest::did_you_mean;
use crate::scene::keys::Problems;

/// How far the length of a distance may be from that at the start, relative.
const FITS: f64 = 1e-6;
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
            Err((place, message)) => problems.push(&place, message),
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
            let (kind, [p, q]) = self.kind(view, a, b, anchor)?;
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

    /// The kind, and where its two points are at the start.
    fn kind(
        &self,
        view: &View,
        a: u32,
        b: Option<u32>,
        anchor: Option<DVec3>,
    ) -> Result<(JointKind, [DVec3; 2]), Fault> {
        let together = |kind: JointKind, otherwise: Option<DVec3>| match anchor.or(otherwise) {
            Some(point) => Ok((kind, [point; 2])),
            None => Err(view.own_fault("`anchor` is missing: where the bodies are tied, at the start")),
        };
        match view.text("kind").unwrap_or_default() {
            "ball" => together(Ball.into(), None),
            "hinge" => together(Hinge(self.drive(view, "torque", "rest_deg", PI / 180.0)?).into(), None),
            "slider" => together(Slider(self.drive(view, "force", "rest", 1.0)?).into(), Some(self.centre(a))),
            "fixed" => together(Fixed.into(), Some(self.centre(a))),
            other => {
                let p = view.vector("anchor_a").unwrap_or(self.centre(a));
                let q = match (view.vector("anchor_b"), b) {
                    (Some(q), _) => q,
                    (None, Some(b)) => self.centre(b),
                    (None, None) => return Err(view.own_fault("`anchor_b` is missing: where it holds on to the world")),
                };
                let length = p.distance(q);
                let kind = if other == "spring" {
                    Spring::new(SpringDamper {
                        stiffness: view.number("stiffness").unwrap_or(0.0),
                        damping: view.number("damping").unwrap_or(0.0),
                        rest: view.number("rest").unwrap_or(length),
                    })
                    .into()
                } else {
                    Distance { length: self.length(view, length)? }.into()
                };
                Ok((kind, [p, q]))
            }
        }
    }

    /// The length of a distance whose ends are so far from each other at the start.
    fn length(&self, view: &View, start: f64) -> Result<Expression, Fault> {
        if start == 0.0 {
            return Err(view.own_fault("both ends are at the same place: a distance of 0 has no direction; use a ball"));
        }
        let Some(node) = view.node("length") else {
            return Expression::parse(&format!("({start})"), &["t"]).map_err(|error| view.own_fault(error));
        };
        let length = formula(node, &view.path_of("length"), "", self.end)?;
        let first = length.value(&[0.0]);
        if (first - start).abs() > FITS * start {
            let reason = format!("is {first} m at t = 0, but its ends are {start} m from each other");
            return Err(view.fault("length", reason));
        }
        for t in probes(self.end) {
            if length.value(&[t]) <= 0.0 {
                return Err(view.fault("length", format!("{} m at t = {t} must be above zero", length.value(&[t]))));
            }
        }
        Ok(length)
    }

    /// Stops, motor, brake and spring, with the names that a hinge or a slider has for them.
    fn drive(&self, view: &View, force: &str, rest: &str, unit: f64) -> Result<Drive, Fault> {
        let angle = unit != 1.0;
        let key = if angle { "limits_deg" } else { "limits" };
        let limits = match view.list(key) {
            [lower, upper] => Some([lower, upper].map(|node| node.number().unwrap_or(0.0))),
            _ => None,
        };
        if let Some([lower, upper]) = limits {
            let reason = if lower > 0.0 || upper < 0.0 {
                Some("the joint starts at 0, which is outside")
            } else if angle && (lower < -180.0 || upper > 180.0) {
                Some("angles are counted from -180 to 180")
            } else {
                None
            };
            if let Some(reason) = reason {
                return Err(view.fault(key, format!("[{lower}, {upper}]: {reason}")));
            }
        }
        let motor = match view.view("motor") {
            Some(own) => match own.node("speed") {
                Some(speed) => Some(Motor {
                    speed: formula(speed, &own.path_of("speed"), "", self.end)?,
                    strongest: own.number(force).unwrap_or(1e12),
                }),
                None => None,
            },
            None => None,
        };
        let brake = match view.view("brake") {
            Some(own) => own.node(force).map(|node| formula(node, &own.path_of(force), "", self.end)).transpose()?,
            None => None,
        };
        let number = |key: &str| view.number(key).unwrap_or(0.0);
        let (stiffness, damping) = (number("stiffness"), number("damping"));
        if view.has(rest) && stiffness == 0.0 {
            return Err(view.fault(rest, "has no meaning without a `stiffness`"));
        }
        let spring =
            (stiffness > 0.0 || damping > 0.0).then(|| SpringDamper { stiffness, damping, rest: number(rest) * unit });
        Ok(Drive { limits: limits.map(|limits| limits.map(|x| x * unit)), motor, brake, spring })
    }
}
