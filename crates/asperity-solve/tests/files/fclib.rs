//! FCLIB HDF5.

use asperity_solve::problem::files::{Csc, GlobalProblem, Guess, Place, Reason, StoredProblem, read_bytes};

use crate::archive::{Archive, Data, bytes};
use crate::{fault, local};

const LOCAL_FIXTURE: &[u8] = include_bytes!("../fixtures/fclib_local.hdf5");
const GLOBAL_FIXTURE: &[u8] = include_bytes!("../fixtures/fclib_global.hdf5");
const UNWRITTEN_FIXTURE: &[u8] = include_bytes!("../fixtures/fclib_unwritten.hdf5");

fn set(archive: &mut Archive, path: &str, data: Data) {
    archive.insert(path.to_owned(), data);
}

fn set_matrix(archive: &mut Archive, path: &str, size: [i32; 2], nz: i32, p: &[i32], i: &[i32], x: &[f64]) {
    for (name, value) in [("m", size[0]), ("n", size[1]), ("nz", nz), ("nzmax", 99)] {
        set(archive, &format!("{path}/{name}"), Data::Ints(vec![value]));
    }
    set(archive, &format!("{path}/p"), Data::Ints(p.to_vec()));
    set(archive, &format!("{path}/i"), Data::Ints(i.to_vec()));
    set(archive, &format!("{path}/x"), Data::Reals(x.to_vec()));
}

/// One contact, W by columns: [[4, 1, 0], [1, 5, 0], [0.5, 0, 6]].
fn local_archive() -> Archive {
    let mut archive = Archive::new();
    let root = "fclib_local";
    set(&mut archive, &format!("{root}/spacedim"), Data::Ints(vec![3]));
    let (p, i, x) = ([0, 3, 5, 6], [0, 1, 2, 0, 1, 2], [4.0, 1.0, 0.5, 1.0, 5.0, 6.0]);
    set_matrix(&mut archive, &format!("{root}/W"), [3, 3], -1, &p, &i, &x);
    set(&mut archive, &format!("{root}/vectors/q"), Data::Reals(vec![-1.0, 0.25, 1e-300]));
    set(&mut archive, &format!("{root}/vectors/mu"), Data::Reals(vec![0.7]));
    archive
}

fn expected_w() -> Csc {
    let triplets = [(0, 0, 4.0), (1, 0, 1.0), (2, 0, 0.5), (0, 1, 1.0), (1, 1, 5.0), (2, 2, 6.0)];
    Csc::from_triplets(3, 3, &triplets).unwrap()
}

#[test]
fn a_local_problem_written_by_the_hdf5_library() {
    let problem = local(LOCAL_FIXTURE);
    assert_eq!(problem.w, expected_w());
    assert_eq!(problem.q, [-1.0, 0.25, 1e-300]);
    assert_eq!(problem.mu, [0.7]);
    let guess = |name: &str, r: [f64; 3], u: [f64; 3]| Guess { name: name.into(), r: r.into(), u: u.into(), v: vec![] };
    let first = guess("guesses/1", [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]);
    assert_eq!(problem.guesses, [first, guess("solution", [0.0; 3], [0.0; 3])]);
}

#[test]
fn a_global_problem_written_by_the_hdf5_library() {
    let solution = Guess { name: "solution".into(), r: vec![1.0, 0.0, 0.0], u: vec![0.0; 3], v: vec![7.0, 8.0] };
    let expected = GlobalProblem {
        m: Csc::from_triplets(2, 2, &[(0, 0, 2.0), (1, 1, 3.0)]).unwrap(),
        h: Csc::from_triplets(2, 3, &[(0, 0, 1.0), (1, 1, -1.0), (1, 2, 2.0)]).unwrap(),
        f: vec![0.5, -9.81],
        w: vec![0.1, 0.2, 0.3],
        mu: vec![0.0],
        guesses: vec![solution],
    };
    assert_eq!(read_bytes("test", GLOBAL_FIXTURE).unwrap(), StoredProblem::Global(expected));
}

#[test]
fn datasets_that_were_never_written_hold_their_fill_value() {
    let (contacts, size) = (300, 900);
    // The vectors alone are longer than the file: it holds none of them.
    assert!(UNWRITTEN_FIXTURE.len() < 8 * 8 * size, "{}", UNWRITTEN_FIXTURE.len());
    let StoredProblem::Global(problem) = read_bytes("test", UNWRITTEN_FIXTURE).unwrap() else { panic!("not global") };
    let ones: Vec<_> = (0..size).map(|k| (k, k, 1.0)).collect();
    let identity = Csc::from_triplets(size, size, &ones).unwrap();
    assert_eq!((problem.m, problem.h), (identity.clone(), identity));
    assert_eq!((problem.f, problem.w), (vec![0.0; size], vec![-0.5; size]));
    assert_eq!(problem.mu, vec![0.25; contacts]);
    let zero = |name: &str| Guess { name: name.into(), r: vec![0.0; size], u: vec![0.0; size], v: vec![0.0; size] };
    assert_eq!(problem.guesses, [zero("guesses/1"), zero("solution")]);
}

#[test]
fn the_three_storages_give_the_same_matrix() {
    assert_eq!(local(&bytes(&local_archive())).w, expected_w());

    let mut by_rows = local_archive();
    let (p, i, x) = ([0, 2, 4, 6], [0, 1, 0, 1, 0, 2], [4.0, 1.0, 1.0, 5.0, 0.5, 6.0]);
    set_matrix(&mut by_rows, "fclib_local/W", [3, 3], -2, &p, &i, &x);
    assert_eq!(local(&bytes(&by_rows)).w, expected_w());

    // Duplicates are summed; what follows the first nz triplets is not part of the matrix.
    let mut triplets = local_archive();
    let (p, i) = ([0, 0, 0, 1, 1, 2, 2, -7], [2, 0, 1, 0, 1, 2, 2, -7]);
    let x = [0.5, 4.0, 1.0, 1.0, 5.0, 2.0, 4.0, 99.0];
    set_matrix(&mut triplets, "fclib_local/W", [3, 3], 7, &p, &i, &x);
    assert_eq!(local(&bytes(&triplets)).w, expected_w());
}

#[test]
fn compressed_datasets_are_read() {
    let mut archive = local_archive();
    set(&mut archive, "fclib_local/vectors/q", Data::Deflated(vec![1.0, 2.0, 3.0]));
    assert_eq!(local(&bytes(&archive)).q, [1.0, 2.0, 3.0]);
}

#[test]
fn empty_bilateral_parts_are_no_constraint() {
    let mut archive = local_archive();
    set_matrix(&mut archive, "fclib_local/V", [3, 0], -1, &[0], &[0], &[0.0]);
    set_matrix(&mut archive, "fclib_local/R", [0, 0], -1, &[0], &[0], &[0.0]);
    assert_eq!(local(&bytes(&archive)).w, expected_w());
}

#[test]
fn faults_are_refused_where_they_are() {
    let bilateral = "not supported: bilateral constraints";
    let cases: [(&str, Data, &str, &str); 19] = [
        ("spacedim", Data::Ints(vec![2]), "spacedim", "the space dimension is 2, and only 3"),
        ("spacedim", Data::Ints(vec![3, 3]), "spacedim", "found 2, but 1 value is expected"),
        ("spacedim", Data::Reals(vec![3.0]), "spacedim", "holds f64, and whole numbers"),
        ("vectors/mu", Data::Reals(vec![-0.5]), "vectors/mu[0]", "coefficient -0.5 is negative"),
        ("vectors/mu", Data::Reals(vec![0.1, 0.2]), "vectors/q", "found 3, but 6 values are expected"),
        ("vectors/mu", Data::Ints(vec![1]), "vectors/mu", "holds i32, and 64-bit reals is expected"),
        ("vectors/q", Data::Reals(vec![0.0, f64::NAN, 0.0]), "vectors/q[1]", "NaN is not finite"),
        ("W/m", Data::Ints(vec![i32::MAX]), "W/m", "found 2147483647, but 3 is expected"),
        ("W/n", Data::Ints(vec![-3]), "W/n", "found -3, but 3 is expected"),
        ("W/nz", Data::Ints(vec![-3]), "W/nz", "not supported: nz = -3"),
        ("W/nz", Data::Ints(vec![7]), "W/x", "found 6, but 7 values are expected"),
        ("W/nz", Data::Ints(vec![5]), "W/p", "found 4, but 5 indices are expected"),
        ("W/p", Data::Ints(vec![0, 3, 5]), "W/p", "found 3, but 4 pointers are expected"),
        ("W/p", Data::Ints(vec![0, 3, 2, 6]), "W/p[2]", "found 2, but 3 to 6"),
        ("W/p", Data::Ints(vec![0, 3, 5, 7]), "W/p[3]", "found 7, but 5 to 6"),
        ("W/i", Data::Ints(vec![0, 1, 3, 0, 1, 2]), "W/i[2]", "the index 3 is out of range"),
        ("W/i", Data::Ints(vec![0, 1]), "W/i", "found 2, but 6 indices are expected"),
        ("W/x", Data::Reals(vec![f64::INFINITY; 6]), "W/x[0]", "inf is not finite"),
        ("vectors/s", Data::Reals(vec![1.0]), "vectors/s", bilateral),
    ];
    for (path, data, place, message) in cases {
        let mut archive = local_archive();
        set(&mut archive, &format!("fclib_local/{path}"), data);
        let text = fault(&bytes(&archive)).to_string();
        assert!(text.starts_with(&format!("/fclib_local/{place}: ")) && text.contains(message), "{text}");
    }
    let mut archive = local_archive();
    set_matrix(&mut archive, "fclib_local/V", [3, 1], -1, &[0, 1], &[0], &[1.0]);
    assert_eq!(fault(&bytes(&archive)).to_string(), format!("/fclib_local/V: {bilateral}"));
}

#[test]
fn every_part_is_required() {
    for path in local_archive().keys().filter(|path| !path.ends_with("nzmax")) {
        let mut archive = local_archive();
        archive.remove(path);
        let fault = fault(&bytes(&archive));
        assert!(matches!(fault.reason, Reason::Missing), "{fault}");
        assert_eq!(fault.place, Place::Hdf5 { path: format!("/{path}"), index: None });
    }
}

#[test]
fn guesses_must_fit() {
    let mut archive = local_archive();
    set(&mut archive, "guesses/number_of_guesses", Data::Ints(vec![2]));
    set(&mut archive, "guesses/1/r", Data::Reals(vec![1.0; 3]));
    let text = fault(&bytes(&archive)).to_string();
    assert_eq!(text, "/guesses/number_of_guesses: found 2, but 1 groups are stored");

    set(&mut archive, "guesses/number_of_guesses", Data::Ints(vec![1]));
    assert_eq!(local(&bytes(&archive)).guesses[0].u, Vec::<f64>::new());
    set(&mut archive, "guesses/1/u", Data::Reals(vec![1.0; 2]));
    assert!(fault(&bytes(&archive)).to_string().starts_with("/guesses/1/u: found 2, but 3 values"));
}

#[test]
fn other_hdf5_files_are_not_problems() {
    let archive = Archive::from([("weather/rain".to_owned(), Data::Reals(vec![1.0]))]);
    let fault = fault(&bytes(&archive));
    assert!(matches!(fault.reason, Reason::Unrecognised(_)), "{fault}");
    assert!(fault.to_string().contains("neither /fclib_local nor /fclib_global"), "{fault}");
}

#[test]
fn a_dataset_that_expands_beyond_reason_is_refused() {
    let mut archive = local_archive();
    set(&mut archive, "fclib_local/vectors/q", Data::Deflated(vec![0.0; 1 << 20]));
    let file = bytes(&archive);
    assert!(file.len() < 1 << 16, "{}", file.len());
    let fault = fault(&file);
    assert!(matches!(fault.reason, Reason::TooLarge { declared: 8_388_608, .. }), "{fault}");
}

#[test]
fn a_dataset_without_storage_that_declares_too_much_is_refused() {
    // The extent of one of them: 900 values become 2^40.
    let extents: Vec<usize> =
        (0..UNWRITTEN_FIXTURE.len() - 8).filter(|k| UNWRITTEN_FIXTURE[*k..k + 8] == 900_u64.to_le_bytes()).collect();
    assert!(!extents.is_empty());
    let mut too_large = 0;
    for at in extents {
        let mut file = UNWRITTEN_FIXTURE.to_vec();
        file[at..at + 8].copy_from_slice(&(1_u64 << 40).to_le_bytes());
        if let Err(error) = read_bytes("test", &file) {
            too_large +=
                usize::from(matches!(error.fault.reason, Reason::TooLarge { declared, .. } if declared >= 1 << 43));
        }
    }
    assert!(too_large >= 8, "{too_large}");
}

#[test]
fn a_truncated_file_is_refused() {
    for fixture in [LOCAL_FIXTURE, GLOBAL_FIXTURE] {
        for length in (9..fixture.len() - 1).step_by(97) {
            fault(&fixture[..length]);
        }
    }
}
