//! The problems of the field, where they are at hand: they are too large to be part of the repository.

use std::path::Path;

use asperity_solve::problem::files::{Csc, LocalProblem, StoredProblem, read, write_siconos_text};

use crate::local;

/// Beside the checkout.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/reference/contact-problems");

/// Families recorded with a nonsymmetric W, and a bound on their largest |W - Wᵀ| over the largest |W|: the others are
/// symmetric to rounding.
const NONSYMMETRIC: &[(&str, f64)] = &[("Rover", 5e-5), ("OneObject", 5e-4), ("Capsules", 2e-3), ("RockPile", 5e-3)];

fn asymmetry(w: &Csc) -> f64 {
    let largest = w.values.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    w.iter().map(|e| (e.value - w.get(e.column, e.row)).abs()).fold(0.0, f64::max) / largest
}

#[test]
fn the_problems_of_the_field_are_read() {
    let Ok(entries) = Path::new(FOLDER).read_dir() else {
        println!("no stored problems beside the checkout: nothing to read");
        return;
    };
    let mut count = 0;
    for entry in entries {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !(name.ends_with(".dat") || name.ends_with(".hdf5")) {
            continue;
        }
        count += 1;
        match read(&path).unwrap_or_else(|error| panic!("{error}")) {
            StoredProblem::Local(problem) => check_local(&name, &problem),
            StoredProblem::Global(problem) => {
                let freedoms = problem.f.len();
                assert_eq!([problem.m.rows, problem.m.cols], [freedoms; 2], "{name}");
                assert_eq!([problem.h.rows, problem.h.cols], [freedoms, 3 * problem.mu.len()], "{name}");
                assert!(asymmetry(&problem.m) < 1e-6, "{name}");
                println!("{name}: {} contacts, {freedoms} freedoms", problem.mu.len());
            }
            StoredProblem::Snapshot(_) => panic!("{name} is neither text nor HDF5"),
        }
    }
    assert!(count > 0, "{FOLDER} has no problems");
}

fn check_local(name: &str, problem: &LocalProblem) {
    let contacts = problem.mu.len();
    assert!(contacts > 0 && problem.q.len() == 3 * contacts, "{name}");
    assert_eq!([problem.w.rows, problem.w.cols], [3 * contacts; 2], "{name}");
    let asymmetry = asymmetry(&problem.w);
    let allowed = NONSYMMETRIC.iter().find(|(prefix, _)| name.starts_with(prefix)).map_or(1e-6, |entry| entry.1);
    assert!(asymmetry <= allowed, "{name}: W is nonsymmetric by {asymmetry:e}");
    for k in 0..3 * contacts {
        assert!(problem.w.get(k, k) > 0.0, "{name}: W[{k}, {k}] is not positive");
    }
    println!("{name}: {contacts} contacts, {} values, asymmetry {asymmetry:.1e}", problem.w.len());

    let mut text = Vec::new();
    write_siconos_text(problem, &mut text).unwrap();
    let mut again = local(&text);
    again.guesses.clone_from(&problem.guesses);
    assert!(again == *problem, "{name} changed by writing and reading it");
}
