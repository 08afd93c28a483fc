//! The pieces of incremental potential contact: against the IPC Toolkit, closed forms, finite differences and a dense eigen solver.

mod borders;
mod closed_forms;
mod derivatives;
mod toolkit;
mod toolkit_friction;
