//! The modules of every crate form no cycles, and docs/ARCHITECTURE.md shows how they depend on each other.
//!
//! Two modules are compared where their paths part: if `step/impulse/rows.rs` uses `contact/anchor.rs`, then `step` depends on `contact`. A folder and what is in it
//! depend on each other by nature and are not compared. Run with ASPERITY_WRITE=1 to draw the graph again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::source::{ModulePath, Modules};
use crate::{read, root};

const PAGE: &str = "docs/ARCHITECTURE.md";
const BEGIN: &str = "<!-- module graph: drawn by a test, ASPERITY_WRITE=1 draws it again -->\n";
const END: &str = "<!-- end of module graph -->";

/// For each folder the modules in it, and which of their siblings they depend on.
type Graph = BTreeMap<ModulePath, BTreeMap<String, BTreeSet<String>>>;

/// The crates, lower ones first.
const CRATES: [&str; 4] = ["asperity-friction", "asperity-solve", "asperity", "asperity-cli"];

fn graph(name: &str) -> Graph {
    let mut graph = Graph::new();
    for (path, used) in Modules::read(&root().join("crates").join(name).join("src")).used() {
        if let Some((own, folder)) = path.split_last() {
            graph.entry(folder.to_vec()).or_default().entry(own.clone()).or_default();
        }
        for other in used {
            let common = path.iter().zip(&other).take_while(|(a, b)| a == b).count();
            if let (Some(a), Some(b)) = (path.get(common), other.get(common)) {
                let folder = graph.entry(path[..common].to_vec()).or_default();
                folder.entry(a.clone()).or_default().insert(b.clone());
            }
        }
    }
    graph
}

/// The modules of a folder, those that depend on nothing first; an error names those that form a cycle.
fn sorted(folder: &BTreeMap<String, BTreeSet<String>>) -> Result<Vec<&String>, Vec<&String>> {
    let mut order: Vec<&String> = Vec::new();
    while order.len() < folder.len() {
        let ready: Vec<&String> = folder
            .iter()
            .filter(|(name, used)| !order.contains(name) && used.iter().all(|other| order.contains(&other)))
            .map(|(name, _)| name)
            .collect();
        if ready.is_empty() {
            return Err(folder.keys().filter(|name| !order.contains(name)).collect());
        }
        order.extend(ready);
    }
    Ok(order)
}

#[test]
fn modules_form_no_cycles() {
    let mut cycles = String::new();
    for name in CRATES {
        for (folder, modules) in graph(name) {
            if let Err(left) = sorted(&modules) {
                let _ = writeln!(cycles, "{name}/src/{}: in or above a cycle: {left:?}", folder.join("/"));
                for name in left {
                    let _ = writeln!(cycles, "    {name} uses {:?}", modules[name]);
                }
            }
        }
    }
    assert!(cycles.is_empty(), "\n{cycles}");
}

#[test]
fn the_drawn_graph_is_that_of_the_source() {
    let mut drawn = String::from("```\n");
    for name in CRATES {
        let _ = writeln!(drawn, "{name}");
        let graph = graph(name);
        let Some(top) = graph.get(&Vec::new()) else { continue };
        for module in sorted(top).unwrap_or_default() {
            let used: Vec<&str> = top[module].iter().map(String::as_str).collect();
            let arrow = if used.is_empty() { "" } else { "→ " };
            let _ = writeln!(drawn, "{}", format!("  {module:<12} {arrow}{}", used.join(", ")).trim_end());
        }
    }
    drawn.push_str("```\n");
    let page = read(PAGE);
    let (before, rest) = page.split_once(BEGIN).expect("a place for the graph");
    let (found, after) = rest.split_once(END).expect("the end of the graph");
    if std::env::var_os("ASPERITY_WRITE").is_some() {
        std::fs::write(root().join(PAGE), format!("{before}{BEGIN}{drawn}{END}{after}")).expect("written");
    } else {
        assert_eq!(found, drawn, "{PAGE} is out of date: run the test with ASPERITY_WRITE=1");
    }
}
