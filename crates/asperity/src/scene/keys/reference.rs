//! The list of keys as tables of Markdown.

use std::fmt::Write;

use crate::table::{Key, Section};

/// A table for each group of keys.
pub fn reference() -> String {
    let mut text = String::new();
    for place in super::groups() {
        let (name, heading) = match place {
            Section::Group(group) => (group.name, group.heading),
            Section::Tagged(tagged) => (tagged.name, tagged.heading),
        };
        let code = if heading.contains(['[', '=']) { format!("`{heading}`") } else { heading.to_owned() };
        let _ = writeln!(text, "### {name}: {code}\n");
        match place {
            Section::Group(group) => keys(&mut text, group.keys),
            Section::Tagged(tagged) => {
                let _ = writeln!(text, "| {} | what | keys |\n| --- | --- | --- |", tagged.tag);
                for variant in tagged.variants {
                    let names: Vec<String> = variant.keys.iter().map(|key| format!("`{}`", key.name)).collect();
                    let _ = writeln!(text, "| `{}` | {} | {} |", variant.name, variant.doc, names.join(", "));
                }
                text.push('\n');
                let mut seen: Vec<&Key> = Vec::new();
                for key in tagged.common.iter().chain(tagged.variants.iter().flat_map(|variant| variant.keys)) {
                    // The same key may mean a little different things to different choices.
                    if !seen.iter().any(|other| other.name == key.name && other.doc == key.doc) {
                        seen.push(key);
                    }
                }
                table(&mut text, seen.into_iter());
            }
        }
    }
    text
}

fn keys(text: &mut String, keys: &'static [Key]) {
    table(text, keys.iter());
}

fn table<'a>(text: &mut String, keys: impl Iterator<Item = &'a Key>) {
    let _ = writeln!(text, "| key | value | unit | default | what |\n| --- | --- | --- | --- | --- |");
    for key in keys {
        let default = if key.is_required() { "(required)" } else { key.default };
        let kind = key.kind.words().replace('|', "\\|");
        let _ = writeln!(text, "| `{}` | {kind} | {} | {default} | {} |", key.name, key.unit, key.doc);
    }
    text.push('\n');
}
