//! Values that read themselves, as plain data of another crate: friction laws and surface fields.
//!
//! What is wrong with one is said with its key and in plain words (`explain`), by comparison with examples (`form`).

mod explain;
mod form;
mod item;

use asperity_friction::field::{Field, Sweep, SweepDirection};
use asperity_friction::model::{FrictionModel, MODELS};
use glam::DVec3;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use item::Item;

use crate::table::Place;

/// Where a value is wrong, and why.
pub type Refusal = (Place, String);

/// A type that is chosen by the value of one key.
pub struct Catalogue {
    /// The key.
    pub(super) tag: &'static str,
    /// What is chosen.
    pub(super) noun: &'static str,
    /// An example of it.
    pub(super) sample: &'static str,
    /// The choices.
    pub(super) names: fn() -> Vec<&'static str>,
    /// Examples of one choice.
    pub(super) examples: fn(&str) -> Vec<Value>,
}

/// Friction laws.
pub const LAWS: Catalogue = Catalogue {
    tag: "kind",
    noun: "law",
    sample: "{ kind = \"coulomb\", mu = 0.5 }",
    names: || MODELS.iter().map(|model| model.name).collect(),
    examples: |name| {
        let entry = MODELS.iter().find(|model| model.name == name);
        let examples = entry.map_or_else(Vec::new, |model| (model.examples)());
        examples.iter().filter_map(|example| serde_json::to_value(example).ok()).collect()
    },
};

/// Surface fields.
pub const FIELDS: Catalogue = Catalogue {
    tag: "field",
    noun: "field",
    sample: "{ field = \"sweep\", axis = [0, 1, 0], direction = \"axial\" }",
    names: || vec!["constant", "sweep", "per_vertex"],
    examples: |name| {
        let data = |field: Field| serde_json::to_value(field).ok();
        let all = fields().into_iter().filter_map(data);
        all.filter(|value| value["field"] == name).collect()
    },
};

/// One of every kind.
fn fields() -> Vec<Field> {
    use asperity_friction::field::{Constant, PerVertex};
    let directions = [
        SweepDirection::Axial,
        SweepDirection::Radial,
        SweepDirection::Concentric,
        SweepDirection::Mixed([1.0, 0.5, 0.0]),
    ];
    let sweep = |direction| Field::Sweep(Sweep { center: DVec3::ZERO, axis: DVec3::Y, direction });
    let mut all = vec![Field::Constant(Constant { direction: DVec3::X })];
    all.extend(directions.map(sweep));
    all.push(Field::PerVertex(PerVertex { directions: vec![DVec3::X; 3], triangles: vec![[0, 1, 2]] }));
    all
}

/// Reads the law of an item.
pub fn law(item: &Item) -> Result<FrictionModel, Refusal> {
    read(item, &LAWS)
}

/// Reads the field of an item.
pub fn field(item: &Item) -> Result<Field, Refusal> {
    read(item, &FIELDS)
}

fn read<T: DeserializeOwned>(item: &Item, catalogue: &Catalogue) -> Result<T, Refusal> {
    // Plain data has no word for NaN and infinity: they are refused before.
    let endless = |item: &Item| item.node.number().is_some_and(|number| !number.is_finite());
    if let Some(bad) = item.find(&endless) {
        let number = bad.node.number().unwrap_or(f64::NAN);
        return Err((bad.key, format!("{} = {number}: must be finite", bad.path)));
    }
    let attempt = |item: &Item| serde_json::from_value::<T>(item.node.to_json()).map_err(|error| error.to_string());
    attempt(item).map_err(|message| {
        let again = |item: &Item| attempt(item).err();
        explain::explain(item, &message, catalogue, &again)
    })
}

/// A value as TOML on one line; none for laws, which are long.
pub fn inline(value: &Value, write: fn(f64) -> String) -> Option<String> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), write),
        Value::String(text) => format!("\"{text}\""),
        Value::Array(list) => {
            let values = list.iter().map(|value| inline(value, write)).collect::<Option<Vec<_>>>()?;
            format!("[{}]", values.join(", "))
        }
        Value::Object(table) if table.contains_key("kind") => return None,
        Value::Object(table) => {
            let entry = |(key, value): (&String, &Value)| Some(format!("{key} = {}", inline(value, write)?));
            format!("{{ {} }}", table.iter().map(entry).collect::<Option<Vec<_>>>()?.join(", "))
        }
    })
}

/// "`x`", or "one of `x`, `y`".
pub fn one_of(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    if quoted.len() == 1 { quoted.concat() } else { format!("one of {}", quoted.join(", ")) }
}
