//! The modules of a crate and what they use, read from its source.
//!
//! A path such as `crate::a::b::Name` is resolved to the module that defines `Name`: the longest prefix that is a module; if the name after it is one that this
//! module re-exports from a child, then to that child. Test modules and comments are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A path in a crate, without `crate`.
pub(crate) type ModulePath = Vec<String>;

/// The modules of a crate.
#[derive(Default)]
pub(crate) struct Modules {
    /// The source of each, without comments and tests.
    text: BTreeMap<ModulePath, String>,
    /// Names that a module re-exports, and from where.
    exports: BTreeMap<ModulePath, BTreeMap<String, ModulePath>>,
}

impl Modules {
    /// Reads the folder `src` of a crate.
    pub(crate) fn read(src: &Path) -> Self {
        let mut modules = Self::default();
        modules.read_folder(src, &[]);
        let paths: Vec<ModulePath> = modules.text.keys().cloned().collect();
        for path in paths {
            let exports = modules.exports_of(&path);
            modules.exports.insert(path, exports);
        }
        modules
    }

    fn read_folder(&mut self, folder: &Path, at: &[String]) {
        for entry in std::fs::read_dir(folder).expect("a folder of source") {
            let file = entry.expect("an entry").path();
            let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
            if name == "tests" || name.starts_with("test_") {
                continue;
            }
            let own: ModulePath = match name.as_str() {
                "mod" | "lib" | "main" => at.to_vec(),
                _ => at.iter().cloned().chain([name]).collect(),
            };
            if file.is_dir() {
                self.read_folder(&file, &own);
            } else if file.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&file).expect("source");
                self.text.insert(own, plain(&text));
            }
        }
    }

    /// What a module re-exports: names in `use` declarations with a visibility.
    fn exports_of(&self, path: &[String]) -> BTreeMap<String, ModulePath> {
        let mut exports = BTreeMap::new();
        for (public, used) in uses(&self.text[path]) {
            if let (true, Some(full)) = (public, self.absolute(path, &used)) {
                let name = full.last().cloned().unwrap_or_default();
                exports.insert(name, full);
            }
        }
        exports
    }

    /// A path as it is written in a module, from the root of the crate; `None` for other crates.
    fn absolute(&self, at: &[String], written: &[String]) -> Option<ModulePath> {
        let (first, rest) = written.split_first()?;
        let mut from = match first.as_str() {
            "crate" => Vec::new(),
            "self" => at.to_vec(),
            "super" => at[..at.len().checked_sub(1)?].to_vec(),
            child => {
                let own: ModulePath = at.iter().cloned().chain([child.to_owned()]).collect();
                return self.text.contains_key(&own).then(|| own.iter().chain(rest).cloned().collect());
            }
        };
        for name in rest {
            if name == "super" {
                from.pop();
            } else {
                from.push(name.clone());
            }
        }
        Some(from)
    }

    /// The module that defines what a path names.
    fn defining(&self, path: &[String], depth: usize) -> ModulePath {
        let known = (0..=path.len()).rev().find(|n| self.text.contains_key(&path[..*n])).unwrap_or(0);
        let (module, rest) = path.split_at(known);
        let exported = rest.first().and_then(|name| self.exports.get(module)?.get(name));
        match exported {
            Some(full) if depth < 8 && full != path => {
                let onward: ModulePath = full.iter().chain(&rest[1..]).cloned().collect();
                self.defining(&onward, depth + 1)
            }
            _ => module.to_vec(),
        }
    }

    /// The modules that each module uses.
    pub(crate) fn used(&self) -> BTreeMap<ModulePath, BTreeSet<ModulePath>> {
        let of = |(path, text): (&ModulePath, &String)| {
            let written = uses(text).into_iter().map(|(_, used)| used).chain(inline(text));
            let full = written.filter_map(|used| self.absolute(path, &used));
            (path.clone(), full.map(|used| self.defining(&used, 0)).filter(|used| used != path).collect())
        };
        self.text.iter().map(of).collect()
    }
}

/// Source without comments and without the test module at its end.
fn plain(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The paths of all `use` declarations, and whether they are visible outside.
fn uses(text: &str) -> Vec<(bool, Vec<String>)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("use ") {
        let line = text[..at].rsplit('\n').next().unwrap_or_default().trim();
        if !(line.is_empty() || line.starts_with("pub") && !line.contains(['=', '{', ';'])) {
            continue;
        }
        let Some(tree) = text[at + 4..].split(';').next() else { continue };
        let tree: String = tree.split_whitespace().collect::<Vec<_>>().join(" ");
        expand(&tree, &[], &mut |path| found.push((line.starts_with("pub"), path)));
    }
    found
}

/// Calls `each` with every path of a tree such as `a::{b, c::{D, E as F}}`.
fn expand(tree: &str, before: &[String], each: &mut impl FnMut(Vec<String>)) {
    let tree = tree.trim();
    if let Some(open) = tree.find('{') {
        let prefix = tree[..open].trim_end_matches("::");
        let path: Vec<String> = before.iter().cloned().chain(split_path(prefix)).collect();
        let inner = tree[open + 1..].trim_end().strip_suffix('}').unwrap_or(&tree[open + 1..]);
        for part in split_commas(inner) {
            expand(part, &path, each);
        }
    } else if !tree.is_empty() {
        let name = tree.split(" as ").next().unwrap_or(tree);
        let own = split_path(name).into_iter().filter(|part| part != "self" || before.is_empty());
        each(before.iter().cloned().chain(own).collect());
    }
}

fn split_path(path: &str) -> Vec<String> {
    path.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn split_commas(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

/// Paths that begin with `crate::` or `super::` outside of `use` declarations.
fn inline(text: &str) -> Vec<Vec<String>> {
    let starts = ["crate::", "super::"].into_iter().flat_map(|start| text.match_indices(start));
    let whole = |(at, _): &(usize, &str)| {
        let before = text[..*at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '$')
    };
    let path = |(at, _): (usize, &str)| {
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let end = text[at..].find(|c| !word(c)).map_or(text.len(), |n| at + n);
        split_path(&text[at..end])
    };
    starts.filter(whole).map(path).collect()
}
