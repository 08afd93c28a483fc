//! Stopping on request: Ctrl-C (INT), TERM, and HUP where there is one.
//!
//! The first signal is noted, and whoever runs a simulation asks after each step whether there was one. The second signal ends the program at
//! once. The exit status is 128 plus the number of the signal, as shells have it: 130 for INT, 143 for TERM, 129 for HUP.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::error::CliError;

#[cfg(unix)]
const SIGNALS: &[i32] = &[SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const SIGNALS: &[i32] = &[SIGINT, SIGTERM];

/// Knows whether the program was asked to stop.
pub(crate) struct Stop {
    /// Number of the signal; zero if there was none.
    signal: Arc<AtomicUsize>,
}

impl Stop {
    /// Listens from now on.
    pub(crate) fn listen() -> Result<Self, CliError> {
        let (signal, again) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        for &number in SIGNALS {
            // In this order: the first signal finds `again` unset and sets it, the second finds it set and ends the program.
            flag::register_conditional_shutdown(number, 128 + number, Arc::clone(&again))
                .and_then(|_| flag::register(number, Arc::clone(&again)))
                .and_then(|_| flag::register_usize(number, Arc::clone(&signal), number as usize))
                .map_err(|error| CliError::Output(format!("cannot listen to signals: {error}")))?;
        }
        Ok(Self { signal })
    }

    /// The exit status of a program that was asked to stop; `None` if it was not.
    pub(crate) fn asked(&self) -> Option<u8> {
        let number = self.signal.load(Ordering::Relaxed);
        u8::try_from(number).ok().filter(|number| *number != 0).map(|number| 128 + number)
    }
}

/// This command line with `--resume`, as a shell takes it.
pub(crate) fn resuming_command() -> String {
    let mut words: Vec<String> = std::env::args_os().skip(1).map(|word| quoted(&word.to_string_lossy())).collect();
    if !words.iter().any(|word| word == "--resume") {
        words.push("--resume".to_owned());
    }
    format!("asperity {}", words.join(" "))
}

/// A word in single quotes if a shell would read it differently without them.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        let shown = ["a/b.toml", "time.dt=0.1", "a b", "", "it's", "[1, 0]"].map(quoted);
        assert_eq!(shown, ["a/b.toml", "time.dt=0.1", "'a b'", "''", r"'it'\''s'", "'[1, 0]'"]);
    }
}
