//! The program `asperity`.
fn main() {}
