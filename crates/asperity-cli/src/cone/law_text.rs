//! The law of a pair in words: which laws act, and their parameters.

use asperity::scene::plain::inline;
use asperity_friction::model::{FrictionModel, Model};
use serde::Deserialize;
use serde_json::Value;

use super::number::short;

/// A law as plain data, with the name of its kind.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) kind: String,
    pub(crate) data: Value,
}

impl Layer {
    fn of(data: Value) -> Self {
        let kind = data["kind"].as_str().unwrap_or_default().to_owned();
        Self { kind, data }
    }

    /// A number of the law.
    pub(crate) fn number(&self, key: &str) -> Option<f64> {
        self.data[key].as_f64()
    }

    /// A name of the law, such as what its axes are fixed to.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.data[key].as_str()
    }
}

/// The laws that act on this pair of materials, the outermost first: each scales, adds to or selects the next.
pub(crate) fn layers(model: &FrictionModel, materials: [u32; 2]) -> Vec<Layer> {
    let mut layers = Vec::new();
    let mut next = serde_json::to_value(model).ok();
    while let Some(data) = next {
        next = match &data["kind"] {
            kind if kind == "pair_table" => selected(&data, materials),
            _ => Some(data["law"].clone()).filter(Value::is_object),
        };
        layers.push(Layer::of(data));
    }
    layers
}

/// The law of a table for these materials; turned around when the table names them in the other order.
fn selected(table: &Value, [a, b]: [u32; 2]) -> Option<Value> {
    let pairs = table["pairs"].as_array()?;
    let of = |key: [u32; 2]| pairs.iter().find(|p| p["materials"] == serde_json::json!(key)).map(|p| p["law"].clone());
    let turned = || {
        let law = FrictionModel::deserialize(of([b, a])?).ok()?;
        serde_json::to_value(law.swapped()).ok()
    };
    of([a, b]).or_else(turned).or_else(|| Some(table["otherwise"].clone()).filter(Value::is_object))
}

/// Every law below that wraps no other: those that a table does not select, too.
pub(crate) fn leaves(model: &FrictionModel) -> Vec<Layer> {
    fn collect(data: &Value, found: &mut Vec<Layer>) {
        let pairs = data["pairs"].as_array().into_iter().flatten().map(|p| &p["law"]);
        let inner: Vec<&Value> =
            pairs.chain([&data["law"], &data["otherwise"]]).filter(|law| law.is_object()).collect();
        match inner[..] {
            [] => found.push(Layer::of(data.clone())),
            _ => inner.into_iter().for_each(|law| collect(law, found)),
        }
    }
    let mut found = Vec::new();
    if let Ok(data) = serde_json::to_value(model) {
        collect(&data, &mut found);
    }
    found
}

/// "static_kinetic (kinetic = 0.6) of coulomb (mu = 0.5)".
pub(crate) fn describe(layers: &[Layer]) -> String {
    layers.iter().map(parameters).collect::<Vec<_>>().join(" of ")
}

fn parameters(layer: &Layer) -> String {
    // What another key overrides, and what is what it would be without being said, says nothing.
    let silent = |key: &str| match key {
        "kind" | "law" | "pairs" | "otherwise" => true,
        "combine" if layer.data["mu"].is_number() => true,
        _ => is_default(&layer.data, key),
    };
    let said = |(key, value): (&String, &Value)| {
        let text = match value.as_array() {
            Some(list) if list.len() > 4 => format!("{} values", list.len()),
            _ => inline(value, short)?,
        };
        (!silent(key)).then(|| format!("{key} = {}", text.trim_matches('"')))
    };
    let all: Vec<String> = layer.data.as_object().into_iter().flatten().filter_map(said).collect();
    if all.is_empty() { layer.kind.clone() } else { format!("{} ({})", layer.kind, all.join(", ")) }
}

/// Whether the law is the same without this key.
fn is_default(law: &Value, key: &str) -> bool {
    let mut without = law.clone();
    without.as_object_mut().map(|table| table.remove(key));
    // As a file that says everything has it.
    let full = |law: Value| FrictionModel::deserialize(law).ok().and_then(|model| serde_json::to_value(model).ok());
    let given = full(law.clone());
    given.is_some() && full(without) == given
}

#[cfg(test)]
mod tests {
    use super::*;
    use asperity_friction::model::{Anisotropic, Axes, Coefficient, Coulomb, MODELS, Pair, PairTable};

    #[test]
    fn every_law_of_the_catalogue_is_described_and_ends_in_a_leaf() {
        for model in MODELS.iter().flat_map(|m| (m.examples)()) {
            let layers = layers(&model, [0, 1]);
            assert!(describe(&layers).starts_with(model.name()), "{}", describe(&layers));
            let last = &layers[layers.len() - 1].kind;
            assert!(leaves(&model).iter().any(|leaf| leaf.kind == *last), "{}", model.name());
        }
    }

    #[test]
    fn a_table_selects_in_both_orders_and_turns_the_law_around() {
        let along = Anisotropic { mu: [0.1, 0.6].map(Coefficient::Fixed), axes: Axes::OnA };
        let table = PairTable::new(
            vec![Pair { materials: [0, 1], law: along.into() }],
            Some(Coulomb::new(0.5).unwrap().into()),
        );
        let model: FrictionModel = table.into();
        assert_eq!(layers(&model, [0, 1])[1].text("axes"), Some("on_a"));
        assert_eq!(layers(&model, [1, 0])[1].text("axes"), Some("on_b"));
        assert_eq!(describe(&layers(&model, [1, 1])), "pair_table of coulomb (mu = 0.5)");
        let law = serde_json::json!({"kind": "facets", "mu0": 0.1, "slope_max": 10.0, "form": "box"});
        assert_eq!(describe(&[Layer::of(law)]), "facets (form = box, mu0 = 0.1)", "defaults are not told");
    }
}
