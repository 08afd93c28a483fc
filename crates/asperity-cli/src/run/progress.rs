//! The progress bar of a run: time, contacts, residual. On standard error, if that is a terminal.

use std::io::{IsTerminal, stderr};
use std::time::Duration;

use asperity::record::DrawProgress;
use asperity::run::Run;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::counted;

/// The run, a bar, the steps, the time so far and the time to go, and how the last step went.
const TEMPLATE: &str = "{prefix} {bar:16} {pos}/{len} {elapsed} (eta {eta}) {wide_msg}";

/// Shows how far a run is.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar, if there is somebody to see it.
    pub(crate) fn new(quiet: bool, title: &str, (done, of): (u64, u64)) -> Self {
        let visible = stderr().is_terminal() && !quiet;
        let target = if visible { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(of), target);
        // The template is a constant; the default would do as well.
        let style = ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.progress_chars("=> "));
        bar.set_prefix(title.to_owned());
        bar.set_position(done);
        Self { bar }
    }

    /// After a step.
    pub(crate) fn show(&self, run: &Run) {
        if !self.bar.is_hidden() {
            let last = run.last();
            self.bar.set_message(format!(
                "t {:.3} s, {}, residual {:.0e}",
                run.state().time,
                counted(last.contacts as u64, "contact", "contacts"),
                last.residual
            ));
        }
        self.bar.set_position(run.progress().0);
    }

    /// The steps are done.
    pub(super) fn writing(&self) {
        self.bar.enable_steady_tick(Duration::from_millis(500));
        self.bar.set_message("writing files");
    }

    /// A picture is drawn: the bar counts pictures from now on.
    pub(super) fn drawing(&self, drawn: DrawProgress) {
        if self.bar.length() != Some(drawn.of as u64) || drawn.done == 1 {
            self.bar.set_length(drawn.of as u64);
            self.bar.set_message("drawing pictures");
            self.bar.set_position(0);
            self.bar.reset_eta();
        }
        self.bar.set_position(drawn.done as u64);
    }
}

/// The bar never outlives the work, whatever ended it.
impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
