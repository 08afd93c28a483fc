//! What the program can fail with: input that is refused, results that cannot be written.

use std::fmt;

use crate::figure::FigureError;

/// Why a command stopped.
#[derive(Debug)]
pub(crate) enum CliError {
    /// A file, a flag or a value that is refused; the message names it and says what was expected.
    Input(String),
    /// A result that could not be made or written.
    Output(String),
    /// A simulation that could not go on.
    Failed(String),
    /// A signal asked the program to stop.
    Stopped {
        /// 128 plus the number of the signal.
        status: u8,
        /// What was kept, and how to go on.
        message: String,
    },
}

impl CliError {
    /// 2 for bad input, as for bad flags; 3 for simulations that failed; above 128 for signals; 1 for the rest.
    pub(crate) fn exit_status(&self) -> u8 {
        match self {
            Self::Input(_) => 2,
            Self::Output(_) => 1,
            Self::Failed(_) => 3,
            Self::Stopped { status, .. } => *status,
        }
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(message) | Self::Output(message) | Self::Failed(message) | Self::Stopped { message, .. } => {
                f.write_str(message)
            }
        }
    }
}

impl From<FigureError> for CliError {
    fn from(error: FigureError) -> Self {
        match error {
            FigureError::Extension { .. } => Self::Input(error.to_string()),
            FigureError::Scale { .. } | FigureError::Raster(_) => Self::Output(error.to_string()),
        }
    }
}
