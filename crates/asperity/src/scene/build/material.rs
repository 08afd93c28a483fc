//! Materials and what happens between them.

use asperity_friction::model::{Coulomb, FrictionModel, Model as _};

use super::coefficient;
use crate::body::surface::Coefficients;
use crate::nearest::did_you_mean;
use crate::scene::keys::Problems;
use crate::scene::plain;
use crate::scene::plain::Item;
use crate::table::{Fault, View};
use crate::world::{ContactSpring, Interaction, Interactions, SpringLoss};

/// Name of the material of bodies that name none.
const DEFAULT: &str = "default";
/// kg/m³.
const DENSITY: f64 = 1000.0;
/// Coefficient of surfaces that state none.
pub const DEFAULT_MU: f64 = 0.5;

/// Most materials: the table of pairs has the square of them.
const MOST: usize = 500;

/// A material.
pub(super) struct Material<'t> {
    pub(super) name: String,
    /// Its table; `None` for the default one. Bodies read fields from it, since those need a shape.
    pub(super) table: Option<View<'t>>,
    pub(super) density: f64,
    pub(super) restitution: f64,
    pub(super) coefficients: Coefficients,
}

/// The materials of a scene.
pub(super) struct Materials<'t>(Vec<Material<'t>>);

/// A material, and its number in the table of pairs.
pub(super) struct NumberedMaterial<'a> {
    pub(super) number: u32,
    pub(super) material: &'a Material<'a>,
}

impl<'t> Materials<'t> {
    /// Those of the scene, and the default one.
    pub(super) fn read(scene: &View<'t>, problems: &mut Problems) -> Self {
        let plain = Coefficients { mu: DEFAULT_MU, ..Coefficients::default() };
        let mut list = Vec::new();
        let given = scene.names("material");
        if given.len() > MOST {
            let message = format!("material: {} materials are too many (at most {MOST})", given.len());
            problems.push(&scene.place_of("material"), message);
        }
        for entry in given.iter().take(MOST) {
            let path = format!("material.{}", entry.name);
            let Some(view) = View::of(path, &entry.key, &entry.node) else { continue };
            let coefficients = coefficient::numbers(&view, plain).unwrap_or_else(|Fault { place, message }| {
                problems.push(&place, message);
                plain
            });
            let density = view.number("density").unwrap_or(DENSITY);
            let restitution = view.number("restitution").unwrap_or(0.0);
            list.push(Material { name: entry.name.clone(), table: Some(view), density, restitution, coefficients });
        }
        if list.iter().all(|material| material.name != DEFAULT) {
            let (name, density, restitution) = (DEFAULT.into(), DENSITY, 0.0);
            list.push(Material { name, table: None, density, restitution, coefficients: plain });
        }
        Self(list)
    }

    /// The material of a name, or what to say instead.
    pub(super) fn find(&self, name: Option<&str>) -> Result<NumberedMaterial<'_>, String> {
        let name = name.unwrap_or(DEFAULT);
        let index = self.0.iter().position(|material| material.name == name);
        index.map(|index| NumberedMaterial { number: index as u32, material: &self.0[index] }).ok_or_else(|| {
            let hint = did_you_mean(name, self.0.iter().map(|material| material.name.as_str()));
            format!("there is no material `{name}`{hint}")
        })
    }

    /// What happens between them.
    pub(super) fn interactions(&self, scene: &View, problems: &mut Problems) -> Interactions {
        let default = scene.view("pair_default");
        let common = default.as_ref().and_then(|view| {
            let law = law(view, true, problems);
            law.or_else(|| view.has("law").then(combined))
        });
        let common = common.unwrap_or_else(combined);
        let stated = default.as_ref().and_then(|view| view.number("restitution"));
        let restitution = |a: &Material, b: &Material| stated.unwrap_or(a.restitution.max(b.restitution));
        let spring = default.as_ref().and_then(|view| spring(view, problems));
        let otherwise = Interaction { law: common.clone(), restitution: 0.0, spring };
        let mut table = Interactions::new(self.0.len(), otherwise.clone());
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in self.0.iter().enumerate().skip(i) {
                let interaction = Interaction { restitution: restitution(a, b), ..otherwise.clone() };
                table.set([i as u32, j as u32], interaction);
            }
        }
        let mut listed: Vec<[u32; 2]> = Vec::new();
        for pair in scene.views("pair") {
            let mut named = Vec::new();
            for node in pair.list("materials") {
                match self.find(node.text()) {
                    Ok(found) => named.push(found),
                    Err(reason) => problems.push(&node.place, format!("{}: {reason}", pair.path_of("materials"))),
                }
            }
            let [first, second] = &named[..] else { continue };
            let ((i, a), (j, b)) = ((first.number, first.material), (second.number, second.material));
            let key = [i.min(j), i.max(j)];
            if listed.contains(&key) {
                let Fault { place, message } =
                    pair.fault("materials", format!("`{}` and `{}` are listed twice", a.name, b.name));
                problems.push(&place, message);
            }
            listed.push(key);
            let law = law(&pair, i == j, problems).unwrap_or_else(|| common.clone());
            let restitution = pair.number("restitution").unwrap_or_else(|| restitution(a, b));
            // A pair that states a restitution is rigid, whatever the others are.
            let inherited = otherwise.spring.filter(|_| !pair.has("restitution"));
            let spring = self::spring(&pair, problems).or(inherited);
            table.set([i, j], Interaction { law, restitution, spring });
        }
        self.refuse_bouncing_springs(scene, &table, problems);
        table
    }

    /// Refuses pairs with a stiffness and a restitution: what a spring gives back follows from its losses.
    fn refuse_bouncing_springs(&self, scene: &View, table: &Interactions, problems: &mut Problems) {
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in self.0.iter().enumerate().skip(i) {
                let Interaction { restitution, spring, .. } = table.of(i as u32, j as u32);
                if spring.is_some() && *restitution > 0.0 {
                    let (a, b) = (&a.name, &b.name);
                    let reason =
                        "a contact with a stiffness has no restitution, its losses are `dissipation` or `damping`";
                    let message =
                        format!("`{a}` and `{b}` have a restitution of {restitution} and a stiffness: {reason}");
                    let table = if scene.has("pair") { "pair" } else { "pair_default" };
                    problems.push(&scene.place_of(table), message);
                    return;
                }
            }
        }
    }
}

/// Coulomb friction with the mean of the surfaces' coefficients.
fn combined() -> FrictionModel {
    Coulomb::default().into()
}

/// The spring of a table; `None` if it has none.
fn spring(view: &View, problems: &mut Problems) -> Option<ContactSpring> {
    let mut refuse = |key: &str, reason: &str| {
        let Fault { place, message } = view.fault(key, reason);
        problems.push(&place, message);
    };
    let Some(stiffness) = view.number("stiffness") else {
        let alone = ["dissipation", "damping", "shear_stiffness"].into_iter().find(|key| view.has(key));
        alone.into_iter().for_each(|key| refuse(key, "needs a `stiffness` beside it"));
        return None;
    };
    let loss = match (view.number("dissipation"), view.number("damping")) {
        (Some(_), Some(_)) => {
            refuse("damping", "excludes `dissipation`: a contact loses energy by one of them");
            return None;
        }
        (None, Some(damping)) => SpringLoss::Linear(damping),
        (dissipation, None) => SpringLoss::HuntCrossley(dissipation.unwrap_or(0.0)),
    };
    Some(ContactSpring { stiffness, loss, shear_stiffness: view.number("shear_stiffness") })
}

/// The `law` of a table. `alike`: the sides cannot be told apart, so that no law may name one.
fn law(view: &View, alike: bool, problems: &mut Problems) -> Option<FrictionModel> {
    let item = Item::of(view, "law")?;
    let mut refuse = |reason: &str| {
        let Fault { place, message } = view.fault("law", reason);
        problems.push(&place, message);
    };
    match plain::law(&item) {
        Ok(FrictionModel::PairTable(_)) => refuse("a scene lists pairs of materials as [[pair]], not in a pair_table"),
        Ok(law) if alike && law.swapped() != law => {
            refuse("a law that names a side (on_a, on_b) needs a pair of two different materials");
        }
        Ok(law) => return Some(law),
        Err((place, message)) => problems.push(&place, message),
    }
    None
}
