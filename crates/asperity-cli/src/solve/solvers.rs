//! The solvers by name.

use asperity_solve::solver::{Auto, ContactSolver, Newton, Pivoting, ProxGaussSeidel, Proximal, Staggered};

use crate::nearest::did_you_mean;

/// A solver and its name.
pub(crate) struct Entry {
    /// On the command line and in results.
    pub(crate) name: &'static str,
    /// With its default settings.
    pub(crate) make: fn() -> Box<dyn ContactSolver>,
}

/// All solvers, the default first.
pub(crate) static SOLVERS: [Entry; 8] = [
    Entry { name: "auto", make: || Box::new(Auto::default()) },
    Entry { name: "prox_gauss_seidel", make: || Box::new(ProxGaussSeidel::default()) },
    Entry { name: "newton", make: || Box::new(Newton::default()) },
    Entry { name: "proximal", make: || Box::new(Proximal::default()) },
    Entry { name: "pivoting", make: || Box::new(Pivoting::default()) },
    Entry { name: "pivoting_boxes", make: || Box::new(Pivoting::boxes()) },
    Entry { name: "staggered", make: || Box::new(Staggered::default()) },
    Entry { name: "staggered_polar", make: || Box::new(Staggered::polar()) },
];

/// The solver of that name; the message otherwise suggests the nearest.
pub(crate) fn parse(name: &str) -> Result<&'static Entry, String> {
    let names = || SOLVERS.iter().map(|s| s.name);
    SOLVERS.iter().find(|s| s.name == name).ok_or_else(|| {
        let all: Vec<&str> = names().collect();
        format!("expected one of {}{}", all.join(", "), did_you_mean(name, names()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_solvers() {
        assert!(SOLVERS.iter().all(|s| (s.make)().name() == s.name));
    }
}
