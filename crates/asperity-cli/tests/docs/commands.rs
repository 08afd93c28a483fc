//! Command lines in blocks of code: every one is taken by the program, and the quick ones are run.

use std::path::Path;
use std::process::{Command, Output};

use crate::{pages, read, root};

/// Subcommands that take a fraction of a second.
const QUICK: [&str; 4] = ["list", "check", "cone", "field"];

/// The command lines of a page, as words after the program's name.
fn commands(page: &Path) -> Vec<Vec<String>> {
    let text = read(page);
    let blocks =
        text.split("```").skip(1).step_by(2).filter(|block| block.starts_with("sh") || block.starts_with("text"));
    let mut found = Vec::new();
    for line in blocks.flat_map(str::lines) {
        let line = line.trim().trim_start_matches("$ ");
        let called = ["cargo run --release --quiet -- ", "cargo run --release -- ", "cargo run -- ", "asperity "];
        if let Some(rest) = called.iter().find_map(|start| line.strip_prefix(start)) {
            found.push(words(rest));
        }
    }
    found
}

/// Words as a shell splits them: quotes, comments, and what follows a pipe or `&&` left out.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut begun) = (Vec::new(), String::new(), None, false);
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.push(c),
            (None, '\'' | '"') => (quote, begun) = (Some(c), true),
            (None, '#') if word.is_empty() => break,
            (None, '|' | '&' | ';' | '>') => break,
            (None, ' ') => {
                if begun || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            (None, c) => word.push(c),
        }
    }
    if begun || !word.is_empty() {
        words.push(word);
    }
    words
}

fn run(words: &[String], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_asperity")).args(words).current_dir(folder).output().expect("the program runs")
}

/// Whether a line has a place for the reader's own words.
fn has_placeholder(words: &[String]) -> bool {
    words.iter().any(|word| {
        word.contains('…') || word.contains("...") || word.contains("my.") || word.chars().all(char::is_uppercase)
    })
}

#[test]
fn every_command_line_is_one_that_the_program_takes() {
    let mut refused = Vec::new();
    for page in pages() {
        for mut words in commands(&page) {
            words.retain(|word| word != "…");
            words.push("--help".into());
            let output = run(&words, &root());
            if !output.status.success() {
                refused.push(format!(
                    "{}: asperity {}\n{}",
                    page.display(),
                    words.join(" "),
                    String::from_utf8_lossy(&output.stderr)
                ));
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn quick_command_lines_run() {
    let folder = std::env::temp_dir().join(format!("asperity-docs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for name in ["scenes", "examples", "docs"] {
        #[cfg(unix)]
        std::os::unix::fs::symlink(root().join(name), folder.join(name)).expect("a link");
    }
    let mut failed = Vec::new();
    let mut count = 0;
    for page in pages() {
        for words in commands(&page) {
            if !words.first().is_some_and(|first| QUICK.contains(&first.as_str())) || has_placeholder(&words) {
                continue;
            }
            count += 1;
            let output = run(&words, &folder);
            if !output.status.success() {
                failed.push(format!(
                    "{}: asperity {}\n{}",
                    page.display(),
                    words.join(" "),
                    String::from_utf8_lossy(&output.stderr)
                ));
            }
        }
    }
    std::fs::remove_dir_all(&folder).expect("removed");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(count >= 5, "only {count} command lines were found");
}
