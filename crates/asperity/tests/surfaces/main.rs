//! Surfaces that deform: distances, continuous detection, search and the exact test of crossings, each against a method of its own.

mod detection;
mod nearness;
mod oracle;
mod random;
mod searching;
