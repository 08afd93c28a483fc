//! The solvers by name.

use asperity_solve::solver::{
    Admm, Auto, ContactSolver, Newton, Pivoting, ProjectedGaussSeidel, ProxGaussSeidel, Proximal, Staggered,
};

use asperity::nearest::did_you_mean;

/// A solver and its name.
pub(crate) struct Entry {
    /// On the command line and in results.
    pub(crate) name: &'static str,
    /// What it does, in a few words.
    pub(crate) summary: &'static str,
    /// With its default settings.
    pub(crate) make: fn() -> Box<dyn ContactSolver>,
}

/// All solvers, the default first.
#[rustfmt::skip]
pub(crate) static SOLVERS: &[Entry] = &[
    Entry { name: "auto", summary: "sweeps, alternating directions, Newton, in each island", make: || Box::new(Auto::default()) },
    Entry { name: "prox_gauss_seidel", summary: "sweeps, contact by contact", make: || Box::new(ProxGaussSeidel::default()) },
    Entry { name: "projected_gauss_seidel", summary: "sweeps, row by row, on boxes", make: || Box::new(ProjectedGaussSeidel::default()) },
    Entry { name: "newton", summary: "nonsmooth Newton", make: || Box::new(Newton::default()) },
    Entry { name: "proximal", summary: "proximal points around Newton", make: || Box::new(Proximal::default()) },
    Entry { name: "admm", summary: "alternating directions, one factorisation", make: || Box::new(Admm::default()) },
    Entry { name: "staggered", summary: "normal and friction impulses in turns", make: || Box::new(Staggered::default()) },
    Entry { name: "pivoting", summary: "polygonal friction as an LCP, by Lemke", make: || Box::new(Pivoting::default()) },
];

/// The help of `--solver`.
pub(crate) fn help() -> String {
    let all: Vec<String> = SOLVERS.iter().map(|s| format!("{} ({})", s.name, s.summary)).collect();
    format!("Solvers to use, several with commas or repeated: {}", all.join(", "))
}

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
