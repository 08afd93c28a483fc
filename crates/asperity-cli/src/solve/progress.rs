//! The progress bar: what is being read or solved, and how much is left. It lives on standard error, if that is a terminal,
//! and never in the way of results.

use std::io::{IsTerminal, stderr, stdout};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::Shown;
use crate::error::CliError;
use crate::output;

/// A bar for the count, the time so far, and what is at work. Names that do not fit are cut.
const TEMPLATE: &str = "{bar:16} {pos}/{len} {elapsed} {wide_msg}";

/// Between updates of the clock: rare enough not to disturb what is measured.
const TICK: Duration = Duration::from_millis(500);

/// Shows how far the work is.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar if there is somebody to see it. Output for programs that goes to one is not accompanied.
    pub(crate) fn new(quiet: bool, shown: Shown) -> Self {
        let for_programs = matches!(shown, Shown::Json | Shown::Csv) && !stdout().is_terminal();
        let visible = stderr().is_terminal() && !quiet && !for_programs;
        let progress = Self::on(if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() });
        if visible {
            progress.bar.enable_steady_tick(TICK);
        }
        progress
    }

    fn on(target: ProgressDrawTarget) -> Self {
        let bar = ProgressBar::with_draw_target(None, target);
        // The template is a constant; the default would do as well.
        let style = ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.progress_chars("=> "));
        Self { bar }
    }

    /// Begins to count to `total`.
    pub(crate) fn begin(&self, total: usize) {
        self.bar.reset();
        self.bar.set_length(total as u64);
    }

    /// Names what is at work.
    pub(crate) fn name(&self, text: String) {
        self.bar.set_message(text);
    }

    /// One more is done.
    pub(crate) fn advance(&self) {
        self.bar.inc(1);
    }

    /// Prints to standard output, with the bar out of the way.
    pub(crate) fn say(&self, text: &str) -> Result<(), CliError> {
        self.bar.suspend(|| output::say(text))
    }
}

/// The bar never outlives the work, whatever ended it.
impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use indicatif::InMemoryTerm;

    use super::*;

    #[test]
    fn the_bar_names_what_is_at_work_and_leaves_nothing_behind() {
        let terminal = InMemoryTerm::new(4, 60);
        let progress = Progress::on(ProgressDrawTarget::term_like(Box::new(terminal.clone())));
        progress.begin(4);
        progress.advance();
        progress.name("newton: tower.dat".into());
        progress.bar.tick();
        let shown = terminal.contents();
        assert!(shown.contains("1/4") && shown.contains("newton: tower.dat"), "{shown}");
        progress.name("a name that is much longer than the line ".repeat(3));
        progress.bar.tick();
        assert_eq!(terminal.contents().lines().count(), 1, "{}", terminal.contents());
        drop(progress);
        assert_eq!(terminal.contents(), "");
    }
}
