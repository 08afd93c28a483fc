//! Elastic energies over whole meshes: derivatives, patch tests, assembly, errors, and beams, bars and plates against
//! closed forms.

mod assembly;
mod beams;
mod derivatives;
mod errors;
mod sheets;
mod statics;
mod support;
mod tubes;
