//! Siconos text.

use asperity_solve::problem::files::{
    Csc, LocalProblem, Place, Reason, StoredProblem, read, read_bytes, write_siconos_text,
};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::{fault, local};

/// Two contacts, dense: the diagonal is 1 to 6, the only other value is W[5, 0] = -2.
const DENSE: &str = "3 2 0 6 6
6 6
1 0 0 0 0 -2
0 2 0 0 0 0
0 0 3 0 0 0
0 0 0 4 0 0
0 0 0 0 5 0
0 0 0 0 0 6
-1 0.5 1e-3 4 5 6
0.3 0
these words are ignored";

/// The same in blocks.
const BLOCKS: &str = "3\n2\n1\n6\n6\n3\n2\n2\n3 6\n3 6\n3\n3\n0 1 3\n0 0 1
0\n1 0 0 0 2 0 0 0 3
1\n0 0 -2 0 0 0 0 0 0
2\n4 0 0 0 5 0 0 0 6
-1 0.5 1e-3 4 5 6\n0.3 0\n";

fn expected() -> LocalProblem {
    let mut triplets: Vec<_> = (0..6).map(|k| (k, k, k as f64 + 1.0)).collect();
    triplets.push((5, 0, -2.0));
    let w = Csc::from_triplets(6, 6, &triplets).unwrap();
    LocalProblem { w, q: vec![-1.0, 0.5, 1e-3, 4.0, 5.0, 6.0], mu: vec![0.3, 0.0], guesses: Vec::new() }
}

#[test]
fn dense_and_blocks_give_the_same_problem() {
    assert_eq!(local(DENSE.as_bytes()), expected());
    assert_eq!(local(BLOCKS.as_bytes()), expected());
    assert_eq!(expected().w.get(5, 0), -2.0);
    assert_eq!(expected().w.get(0, 5), 0.0);
}

#[test]
fn no_contact_is_a_problem() {
    assert_eq!(local(b"3 0 0 0 0 0 0").mu.len(), 0);
}

#[test]
fn the_pointers_of_empty_last_rows_may_be_left_out() {
    let text = "3 2 1 6 6 1 2 2 3 6 3 6 2 1 0 1 1 0 9 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 1";
    assert_eq!(local(text.as_bytes()).w.iter().collect::<Vec<_>>(), [(0, 3, 9.0).into()]);
}

#[test]
fn a_missing_file_is_refused() {
    let error = read("no/such/file.dat".as_ref()).unwrap_err();
    assert!(matches!(error.fault.reason, Reason::Io(_)), "{error}");
    assert!(error.to_string().starts_with("no/such/file.dat: "), "{error}");
}

/// `DENSE` or `BLOCKS` with one token replaced (tokens are counted from 1, as in the messages).
fn with_token(text: &str, token: usize, by: &str) -> String {
    let mut tokens: Vec<&str> = text.split_ascii_whitespace().collect();
    tokens[token - 1] = by;
    tokens.join("\n")
}

#[test]
fn bad_tokens_are_refused_where_they_are() {
    let cases = [
        (DENSE, 1, "2", "dimension", "the space dimension is 2, and only 3 is supported"),
        (DENSE, 1, "three", "dimension", "`three` is not a count"),
        (DENSE, 2, "-2", "contacts", "`-2` is not a count"),
        (DENSE, 2, "4000000000", "contacts", "declares 16000000000 values, but the file has room for"),
        (DENSE, 2, "99999999999999999999", "contacts", "is not a count"),
        (DENSE, 2, "3", "matrix rows", "found 6, but 9 rows"),
        (DENSE, 3, "3", "storage", "not supported: storage 3"),
        (DENSE, 4, "5", "matrix columns", "found 6, but 5 is expected: the first matrix is square"),
        (DENSE, 7, "60000", "matrix columns", "found 60000, but 6 is expected"),
        (DENSE, 8, "1,5", "matrix[0]", "`1,5` is not a number"),
        (DENSE, 13, "nan", "matrix[5]", "NaN is not finite"),
        (DENSE, 45, "1e999", "q[1]", "inf is not finite"),
        (DENSE, 50, "-0.1", "mu[0]", "the friction coefficient -0.1 is negative"),
        (BLOCKS, 6, "4", "column indices", "found 3, but 4 is expected"),
        (BLOCKS, 6, "400000000", "blocks", "declares 1200000000 values"),
        (BLOCKS, 7, "1", "row end[0]", "found 3, but 6 to 6 is expected"),
        (BLOCKS, 9, "6", "row end[1]", "found 6, but 6 to 6 is expected: the ends of the blocks rise"),
        (BLOCKS, 12, "7", "column end[1]", "found 7, but 6 to 6 is expected"),
        (BLOCKS, 13, "0", "row pointers", "found 0, but 1 to 3 are expected"),
        (BLOCKS, 13, "4", "row pointers", "found 4, but 1 to 3 are expected"),
        (BLOCKS, 15, "1", "row pointer[0]", "found 1, but 0 to 0"),
        (BLOCKS, 16, "4", "row pointer[1]", "found 4, but 0 to 3"),
        (BLOCKS, 17, "2", "row pointer[2]", "found 2, but 3 to 3"),
        (BLOCKS, 18, "2", "column index[0]", "the index 2 is out of range: it must be at least 0 and below 2"),
        (BLOCKS, 31, "0", "block number[1]", "found 0, but 1 is expected"),
        (BLOCKS, 40, "-inf", "block values[17]", "-inf is not finite"),
    ];
    for (text, token, by, item, message) in cases {
        let fault = fault(with_token(text, token, by).as_bytes());
        let Place::Text { item: found, .. } = &fault.place else { panic!("{fault}") };
        assert_eq!(found, item, "{fault}");
        assert!(fault.to_string().contains(message), "{fault}");
    }
}

#[test]
fn equal_blocks_are_summed_unless_the_sum_overflows() {
    let twice = |x: &str| {
        let block = format!("{x} 0 0 0 1 0 0 0 1");
        local_or_fault(&format!("3 1 1 3 3 2 1 1 3 3 2 2 0 2 0 0 0 {block} 1 {block} 0 0 0 1"))
    };
    assert_eq!(twice("4"), "8");
    assert!(twice("1e308").contains("sum of equal entries): inf is not finite"), "{}", twice("1e308"));
}

/// W[0, 0], or the message.
fn local_or_fault(text: &str) -> String {
    match read_bytes("test", text.as_bytes()) {
        Ok(StoredProblem::Local(problem)) => problem.w.get(0, 0).to_string(),
        Ok(other) => format!("{} contacts, not of a local problem", other.contacts()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_place_is_line_column_and_token() {
    let fault = fault(DENSE.replace("1e-3", "1e-3x").as_bytes());
    let place = Place::Text { line: 9, column: 8, token: 46, item: "q[2]".into() };
    assert_eq!(fault.place, place);
    assert_eq!(fault.to_string(), "line 9, column 8 (token 46, q[2]): `1e-3x` is not a number");
}

#[test]
fn a_file_cut_at_any_byte_is_refused() {
    // Up to the last digit of the last coefficient: a shorter number is still a number.
    for text in [&DENSE[..DENSE.rfind(" 0\n").unwrap()], BLOCKS.trim_end().strip_suffix(" 0").unwrap()] {
        for length in 0..=text.len() {
            let fault = fault(&text.as_bytes()[..length]);
            let expected = matches!(
                fault.reason,
                Reason::Truncated | Reason::TooLarge { .. } | Reason::Mismatch { .. } | Reason::NotANumber(_)
            );
            assert!(expected, "{fault} at {length}");
        }
    }
}

#[test]
fn binary_data_is_not_a_problem() {
    let binary: Vec<u8> = (0..2000_u32).map(|k| (k * k % 251) as u8).collect();
    assert!(matches!(fault(&binary).reason, Reason::Unrecognised(_)));
    // Text at first, then not.
    let mut late = DENSE.as_bytes()[..60].to_vec();
    late.extend([b'\n'; 300]);
    late.extend([0xff; 50]);
    assert!(fault(&late).to_string().contains(r"\xff"));
}

#[test]
fn a_problem_of_contradicting_sizes_is_not_written() {
    let mut problem = expected();
    problem.mu.push(0.1);
    let error = write_siconos_text(&problem, Vec::new()).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
}

proptest! {
    #[test]
    fn writing_and_reading_is_exact(
        entries in vec((0..9_usize, 0..9_usize, any::<f64>()), 0..40),
        q in vec(any::<f64>(), 9),
        mu in vec(0.0..f64::MAX, 3),
    ) {
        let finite = |x: f64| if x.is_finite() { x } else { -0.0 };
        let entries: Vec<_> = entries.into_iter().map(|(i, j, x)| (i, j, finite(x) / 100.0)).collect();
        let w = Csc::from_triplets(9, 9, &entries).unwrap();
        let problem = LocalProblem { w, q: q.into_iter().map(finite).collect(), mu, guesses: Vec::new() };
        let mut text = Vec::new();
        write_siconos_text(&problem, &mut text).unwrap();
        let again = local(&text);
        let bits = |v: &[f64]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&again.q), bits(&problem.q));
        prop_assert_eq!(again, problem);
    }
}
