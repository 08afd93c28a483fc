//! What a scene gives and no law reads, and what a law reads and no body gives: both run without an error and are seldom what was meant.
//!
//! Bodies that have the same material and the same kinds of data are one group. A group meets every other one, and itself if it has two bodies or more, as long as one of the two can move. Data of a group
//! that no law reads in any of its meetings are ignored; a meeting whose law reads what neither side has is told, and what happens instead.

use asperity::body::Body;
use asperity::body::surface::CoefficientName;
use asperity::scene::{DEFAULT_MU, Scene};
use asperity::world::Model;
use asperity_friction::Side;
use asperity_friction::model::FrictionModel;
use asperity_friction::tensor::SurfaceTensor;

use crate::cone::advice::{read_by, reads};
use crate::cone::law_text::{Layer, leaves};

/// Most bodies that are named in a line.
const NAMED: usize = 3;

/// A kind of data of a surface: what a scene calls it, and the keys by which laws read it.
struct Datum {
    name: &'static str,
    keys: &'static [&'static str],
    given: fn(&Body) -> bool,
}

/// All kinds of data.
const DATA: [Datum; 8] = [
    Datum { name: "grain (`structure`)", keys: &["structure"], given: |body| body.surface.structure.is_some() },
    Datum {
        name: "facets (a normal map, a height map or a relief)",
        keys: &["normals"],
        given: |body| body.surface.facets.is_some(),
    },
    Datum { name: "a friction tensor", keys: &["tensor"], given: has_tensor },
    Datum {
        name: "a `mu` that varies",
        keys: &["mu"],
        given: |body| body.surface.varying.iter().any(|own| own.name == CoefficientName::Mu),
    },
    // A body that says nothing has the usual one.
    Datum { name: "`mu`", keys: &["mu"], given: |body| body.surface.coefficients.mu != DEFAULT_MU },
    Datum { name: "`mu_t`", keys: &["mu_t"], given: |body| has(body, CoefficientName::MuT) },
    Datum { name: "`mu_b`", keys: &["mu_b"], given: |body| has(body, CoefficientName::MuB) },
    Datum { name: "`mu_tau`", keys: &["mu_tau"], given: |body| has(body, CoefficientName::MuTau) },
];

fn has_tensor(body: &Body) -> bool {
    body.surface.coefficients.tensor != SurfaceTensor::ZERO
}

/// Whether a body has a coefficient, the same everywhere or varying.
fn has(body: &Body, name: CoefficientName) -> bool {
    let own = &body.surface.coefficients;
    let constant = match name {
        CoefficientName::MuT => own.mu_t.is_some(),
        CoefficientName::MuB => own.mu_b.is_some(),
        CoefficientName::MuTau => own.mu_tau != 0.0,
        _ => false,
    };
    constant || body.surface.varying.iter().any(|varying| varying.name == name)
}

/// Bodies that are alike in what laws read of them.
struct Group<'a> {
    bodies: Vec<&'a Body>,
    /// Which of [`DATA`] they have.
    given: [bool; DATA.len()],
}

impl Group<'_> {
    fn material(&self) -> u32 {
        self.bodies[0].surface.material
    }

    fn moves(&self) -> bool {
        self.bodies.iter().any(|body| body.is_dynamic())
    }

    /// Whether its bodies have what laws read by this key.
    fn gives(&self, key: &str) -> bool {
        DATA.iter().zip(self.given).any(|(datum, given)| given && datum.keys.contains(&key))
    }

    /// "`a`, `b` and 3 more".
    fn names(&self) -> String {
        let named: Vec<String> = self.bodies.iter().take(NAMED).map(|body| format!("`{}`", body.name)).collect();
        match self.bodies.len().saturating_sub(NAMED) {
            0 => named.join(", "),
            more => format!("{} and {more} more", named.join(", ")),
        }
    }

    fn verb<'b>(&self, one: &'b str, several: &'b str) -> &'b str {
        if self.bodies.len() == 1 { one } else { several }
    }
}

/// Lines about a scene, each "warning: ..." or "note: ...". What a law does where data are missing as its author may have meant it is a note.
pub(crate) fn advice(scene: &Scene) -> Vec<String> {
    let model = &scene.model;
    let groups = groups(model);
    let mut meetings = Vec::new();
    for (i, a) in groups.iter().enumerate() {
        for (k, b) in groups.iter().enumerate().skip(i) {
            let several = i != k || a.bodies.len() > 1;
            if several && (a.moves() || b.moves()) {
                meetings.push((i, k));
            }
        }
    }
    let law = |i: usize, k: usize| &model.interactions.of(groups[i].material(), groups[k].material()).law;
    let mut lines: Vec<String> = Vec::new();
    for (i, group) in groups.iter().enumerate() {
        let laws: Vec<&FrictionModel> = meetings
            .iter()
            .filter_map(|&(a, b)| if a == i { Some(law(i, b)) } else { (b == i).then(|| law(i, a)) })
            .collect();
        lines.extend(ignored(group, &laws));
    }
    for &(i, k) in &meetings {
        // A law that finds its data in one of its meetings is meant, also where two bodies without any happen to meet.
        let found = |key: &str| {
            let alike = meetings.iter().filter(|&&(a, b)| law(a, b) == law(i, k) || law(b, a) == law(i, k));
            alike.flat_map(|&(a, b)| [a, b]).any(|group| groups[group].gives(key))
        };
        lines.extend(leaves(law(i, k)).iter().filter_map(|law| missing(law, &groups[i], &groups[k], found)));
    }
    let mut told: Vec<String> = Vec::new();
    lines.retain(|line| !told.contains(line) && (told.push(line.clone()), true).1);
    lines
}

fn groups(model: &Model) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = Vec::new();
    for body in &model.bodies {
        let given = std::array::from_fn(|k| (DATA[k].given)(body));
        let known = groups.iter_mut().find(|group| {
            group.given == given
                && group.material() == body.surface.material
                && group.bodies[0].is_dynamic() == body.is_dynamic()
        });
        match known {
            Some(group) => group.bodies.push(body),
            None => groups.push(Group { bodies: vec![body], given }),
        }
    }
    groups
}

/// What a group has and none of the laws by which it meets others reads. A group that meets nobody is not told about.
fn ignored(group: &Group, laws: &[&FrictionModel]) -> Vec<String> {
    if laws.is_empty() {
        return Vec::new();
    }
    let mut kinds: Vec<String> = laws.iter().flat_map(|law| leaves(law)).map(|law| law.kind).collect();
    kinds.sort();
    kinds.dedup();
    let what =
        if let [kind] = &kinds[..] { format!("law {kind} does") } else { format!("laws {} do", kinds.join(", ")) };
    let unread = |datum: &Datum| !laws.iter().any(|law| datum.keys.iter().any(|key| read_by(law, Side::A, key)));
    let mut found: Vec<&str> = Vec::new();
    for (datum, _) in DATA.iter().zip(group.given).filter(|(datum, given)| *given && unread(datum)) {
        // Grain shows the axes of a tensor in pictures.
        if datum.keys == ["structure"] && group.gives("tensor") {
            continue;
        }
        // A `mu` that varies has a constant one beside it.
        if !(datum.name == "`mu`" && found.contains(&"a `mu` that varies")) {
            found.push(datum.name);
        }
    }
    let has = group.verb("has", "have");
    found
        .iter()
        .map(|name| format!("warning: {} {has} {name}, which {what} not read: ignored", group.names()))
        .collect()
}

/// What a law reads and neither body gives, and what happens instead. `found` says whether any body that the law is for gives a key.
fn missing(law: &Layer, a: &Group, b: &Group, found: impl Fn(&str) -> bool) -> Option<String> {
    let lacks = |key: &str| [a, b].map(|group| !group.gives(key));
    let pair = || pair(a, b);
    match law.kind.as_str() {
        "matchstick" => grain(law, a, b, lacks("structure"), found("structure")),
        "tensor_rule" | "tensor_cone" if !found("tensor") => Some(format!(
            "warning: {} meet by the law {}, which reads their `tensor`; neither has one: no friction",
            pair(),
            law.kind
        )),
        "facets" if !found("normals") => {
            let mu0 = law.data["mu0"].as_f64();
            let what = mu0.map_or_else(|| "only mu0 resists".into(), |mu0| format!("only mu0 = {mu0} resists"));
            let start = format!("note: {} meet by the law facets", pair());
            Some(format!("{start}, which reads their normal maps, height maps or reliefs; neither has one: {what}"))
        }
        "anisotropic" | "lagged" => {
            let reads = |side| reads(law, side).contains(&"structure");
            let side = [(Side::A, a), (Side::B, b)].into_iter().find(|(side, _)| reads(*side));
            let own = side.map(|(_, group)| group).filter(|group| !group.gives("structure") && !has_tangent(group))?;
            Some(format!(
                "warning: the law {} reads the `structure` of {}; there is none: their first contact will stop the run",
                law.kind,
                own.names()
            ))
        }
        _ => None,
    }
}

/// Two groups that meet, or the bodies of one.
fn pair(a: &Group, b: &Group) -> String {
    if std::ptr::eq(a, b) {
        format!("{} among themselves", a.names())
    } else {
        format!("{} and {}", a.names(), b.names())
    }
}

fn has_tangent(group: &Group) -> bool {
    group.bodies.iter().all(|body| body.surface.tangent.is_some())
}

fn grain(law: &Layer, a: &Group, b: &Group, lacks: [bool; 2], found: bool) -> Option<String> {
    let alone = match lacks {
        [false, false] => return None,
        [true, true] => {
            // Who says what happens without grain has thought of it.
            let said = found || law.text("missing") == Some("isotropic");
            let mu = law.number("mu").map_or_else(|| "their mu".into(), |mu| format!("mu = {mu}"));
            let start = format!("warning: {} meet by the law matchstick", pair(a, b));
            let line = format!("{start}, which reads their grain (`structure`); neither has one: isotropic with {mu}");
            return (!said).then_some(line);
        }
        [true, false] => (a, b),
        [false, true] => (b, a),
    };
    let (absent, other) = alone;
    let decides = law.text("missing") != Some("isotropic");
    let has = absent.verb("has", "have");
    decides.then(|| {
        format!("note: {} {has} no grain (`structure`): that of {} alone decides", absent.names(), other.names())
    })
}
