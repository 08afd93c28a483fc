//! The list of keys as a JSON schema (draft 2020-12), for editors: Taplo, and Even Better TOML in VS Code.

use serde_json::{Map, Value, json};

use super::{LARGEST_NUMBER, SCENE, groups};
use crate::scene::plain::{Catalogue, LAWS};
use crate::table::{Group, Key, LARGEST_TOLERANCE, LEAST_TOLERANCE, Range, Section, Tagged, ValueKind};

/// The schema of a scene.
pub fn schema() -> Value {
    let mut definitions = Map::new();
    for place in groups() {
        let (name, schema) = match place {
            Section::Group(group) => (group.name, table(group)),
            Section::Tagged(tagged) => (tagged.name, choice(tagged)),
        };
        definitions.insert(name.into(), schema);
    }
    definitions.insert("law".into(), catalogue(&LAWS));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Asperity scene",
        "$ref": format!("#/$defs/{}", SCENE.name),
        "$defs": definitions,
    })
}

fn number(range: Range) -> Value {
    match range {
        Range::Any => json!({ "type": "number", "minimum": -LARGEST_NUMBER, "maximum": LARGEST_NUMBER }),
        Range::Positive => json!({ "type": "number", "exclusiveMinimum": 0, "maximum": LARGEST_NUMBER }),
        Range::NotNegative => json!({ "type": "number", "minimum": 0, "maximum": LARGEST_NUMBER }),
        Range::Fraction => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
        Range::Tolerance => json!({ "type": "number", "minimum": LEAST_TOLERANCE, "maximum": LARGEST_TOLERANCE }),
    }
}

fn list(items: Value, least: usize, most: Option<usize>) -> Value {
    let mut schema = json!({ "type": "array", "items": items, "minItems": least });
    if let Some(most) = most {
        schema["maxItems"] = most.into();
    }
    schema
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn of(kind: &ValueKind) -> Value {
    match kind {
        ValueKind::Number(range) => number(*range),
        ValueKind::Whole(least, u64::MAX) => json!({ "type": "integer", "minimum": least }),
        ValueKind::Whole(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        ValueKind::Truth => json!({ "type": "boolean" }),
        ValueKind::Text | ValueKind::Formula(_) | ValueKind::Directions(_) => json!({ "type": "string" }),
        ValueKind::Word(words) => json!({ "type": "string", "enum": words }),
        ValueKind::Numbers(count, range) => list(number(*range), *count, Some(*count)),
        ValueKind::Direction => list(number(Range::Any), 3, Some(3)),
        ValueKind::List(inner, least) => list(of(inner), *least, None),
        ValueKind::Several(inner, count) => list(of(inner), *count, Some(*count)),
        ValueKind::Table(group) => reference(group.name),
        ValueKind::Tagged(tagged) => reference(tagged().name),
        ValueKind::Named(inner) => json!({ "type": "object", "additionalProperties": of(inner) }),
        ValueKind::Either(kinds) => json!({ "anyOf": kinds.iter().map(of).collect::<Vec<_>>() }),
        ValueKind::Law => reference("law"),
        ValueKind::Open => json!({ "type": "object" }),
    }
}

fn property(key: &Key) -> Value {
    let mut schema = of(&key.kind);
    let unit = if key.unit.is_empty() { String::new() } else { format!(" Unit: {}.", key.unit) };
    let default = match key.default {
        "" => String::new(),
        _ if key.is_required() => " Required.".into(),
        default => format!(" Default: {default}."),
    };
    schema["description"] = format!("{}{unit}{default}", key.doc).into();
    schema
}

fn object<'a>(keys: impl Iterator<Item = &'a Key>) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for key in keys {
        properties.insert(key.name.into(), property(key));
        if key.is_required() {
            required.push(key.name);
        }
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn table(group: &'static Group) -> Value {
    let mut schema = object(group.keys.iter());
    schema["title"] = group.heading.into();
    schema
}

fn choice(tagged: &'static Tagged) -> Value {
    let variant = |variant: &'static super::Variant| {
        let mut schema = object(variant.keys.iter().chain(tagged.common));
        schema["properties"][tagged.tag] = json!({ "const": variant.name, "description": variant.doc });
        if let Some(required) = schema["required"].as_array_mut() {
            required.insert(0, tagged.tag.into());
        }
        schema["description"] = variant.doc.into();
        schema
    };
    json!({ "title": tagged.heading, "oneOf": tagged.variants.iter().map(variant).collect::<Vec<_>>() })
}

/// Values that read themselves: their kinds, and the keys that their examples have.
fn catalogue(catalogue: &Catalogue) -> Value {
    let choice = |name: &&'static str| {
        let mut properties = Map::new();
        for example in (catalogue.examples)(name) {
            for key in example.as_object().into_iter().flat_map(Map::keys) {
                let inner = if key == "law" { reference("law") } else { json!({}) };
                properties.insert(key.clone(), inner);
            }
        }
        properties.insert(catalogue.tag.into(), json!({ "const": name }));
        json!({ "type": "object", "properties": properties, "required": [catalogue.tag] })
    };
    json!({ "oneOf": (catalogue.names)().iter().map(choice).collect::<Vec<_>>() })
}
