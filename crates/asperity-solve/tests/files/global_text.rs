//! Siconos text of global problems: M v = H r + q, u = Hᵀ v + b, in every storage, against the local problem reduced by hand.

use asperity_solve::problem::files::{Csc, GlobalProblem, Place, StoredProblem, read_bytes};
use asperity_solve::problem::{Posed, to_contact_problem};
use asperity_solve::solver::{Auto, ContactSolver, Frozen, Solution, Status, Stop};

use crate::fault;

/// Four degrees of freedom and one contact, M = diag(2, 4, 1, 8), H column by column.
const DENSE: &str = "3 1
0 4 4
4 4
2 0 0 0
0 4 0 0
0 0 1 0
0 0 0 8
0 4 3
4 3
1 0 0 0
0 1 0 -2
2 0 1 0
2 4 6 8
-3 0 0
0.3
0 and what follows is ignored";

/// The same, M in two blocks of two rows, H in two blocks of two rows and three columns.
const BLOCKS: &str = "3\n1\n1\n4\n4\n2\n2\n2\n2 4\n2 4\n3\n2\n0 1 2\n0 1
0\n2 0 0 4
1\n1 0 0 8
1\n4\n3\n2\n2\n1\n2 4\n3\n3\n2\n0 1 2\n0 0
0\n1 0 0 1 2 0
1\n0 0 0 -2 1 0
2 4 6 8 -3 0 0 0.3";

/// The same, M as triplets of which two are equal, H in compressed columns.
const SPARSE: &str = "3
1
2
4
4
1
CSparse Version 3.1.9, May 4, 2016.  Copyright (c) Timothy A. Davis, 2006-2016
triplet: 4-by-4, nzmax: 6 nnz: 5
    3 3 : 3
    0 0 : 2
    1 1 : 4
    2 2 : 1
    3 3 : 5
2
4
3
2
CSparse Version 3.1.9, May 4, 2016.  Copyright (c) Timothy A. Davis, 2006-2016
4-by-3, nzmax: 5 nnz: 5, 1-norm: 3
    col 0 : locations 0 to 0
      0 : 1
    col 1 : locations 1 to 2
      1 : 1
      3 : -2
    col 2 : locations 3 to 4
      0 : 2
      2 : 1
2 4 6 8
-3 0 0
0.3";

/// W = Hᵀ M⁻¹ H and Hᵀ M⁻¹ q + b, by hand: M⁻¹ q = (1, 1, 6, 1).
const REDUCED: &str = "3 1 0 3 3 3 3  0.5 0 1  0 0.75 0  1 0 3  -2 -1 8  0.3";

fn global(text: &str) -> GlobalProblem {
    match read_bytes("test", text.as_bytes()).unwrap() {
        StoredProblem::Global(problem) => problem,
        other => panic!("{} contacts, not of a global problem", other.contacts()),
    }
}

#[test]
fn the_storages_give_the_same_problem() {
    let diagonal = [2.0, 4.0, 1.0, 8.0].into_iter().enumerate().map(|(k, x)| (k, k, x)).collect::<Vec<_>>();
    let h = [(0, 0, 1.0), (1, 1, 1.0), (3, 1, -2.0), (0, 2, 2.0), (2, 2, 1.0)];
    let expected = GlobalProblem {
        m: Csc::from_triplets(4, 4, &diagonal).unwrap(),
        h: Csc::from_triplets(4, 3, &h).unwrap(),
        f: vec![2.0, 4.0, 6.0, 8.0],
        w: vec![-3.0, 0.0, 0.0],
        mu: vec![0.3],
        guesses: Vec::new(),
    };
    for text in [DENSE, BLOCKS, SPARSE] {
        assert_eq!(global(text), expected);
    }
}

#[test]
fn a_column_of_a_sparse_matrix_may_be_empty() {
    let text = SPARSE
        .replace("nnz: 5, 1", "nnz: 3, 1")
        .replace("col 0 : locations 0 to 0\n      0 : 1", "col 0 : locations 0 to -1")
        .replace("locations 1 to 2", "locations 0 to 1")
        .replace("locations 3 to 4\n      0 : 2", "locations 2 to 2");
    let entries: Vec<_> = global(&text).h.iter().collect();
    assert_eq!(entries, [(1, 1, 1.0), (3, 1, -2.0), (2, 2, 1.0)].map(Into::into));
}

#[test]
fn the_solution_is_that_of_the_problem_reduced_by_hand() {
    let solve = |text: &str| {
        let Posed { problem, laws, .. } = to_contact_problem(&read_bytes("test", text.as_bytes()).unwrap()).unwrap();
        let mut solution = Solution::default();
        let stop = Stop { tolerance: 1e-13, ..Stop::default() };
        let report = Auto::default().solve(&problem, &mut Frozen(laws), stop, &mut solution).unwrap();
        assert_eq!(report.status, Status::Solved);
        solution
    };
    let expected = solve(REDUCED);
    // The contact acts and slides, so that each sign of the two equations shows.
    assert!(expected.r[0] > 0.1 && expected.r[1] > 0.01 && expected.u[2] > 0.1, "{expected:?}");
    for text in [DENSE, BLOCKS, SPARSE] {
        let found = solve(text);
        let pairs = found.r.iter().zip(&expected.r).chain(found.u.iter().zip(&expected.u));
        pairs.for_each(|(a, b)| assert!((a - b).abs() < 1e-12, "{found:?}, not {expected:?}"));
    }
}

/// With as many degrees of freedom as rows the first matrix could be W as well.
#[test]
fn a_global_problem_with_the_sizes_of_a_local_one_is_global() {
    let text = "3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 -1 -1 0 0 0 0.1 0";
    assert_eq!(global(text).f, [-1.0; 3]);
    // A local problem whose q looks like the beginning of H.
    let local = "3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 0 3 3 0.1 0";
    assert!(matches!(read_bytes("test", local.as_bytes()).unwrap(), StoredProblem::Local(_)));
}

#[test]
fn bad_text_is_refused_where_it_is() {
    let cases = [
        (DENSE, "0 4 3\n", "0 4 6\n", "H matrix columns", "found 6, but 3 is expected, three a contact"),
        (DENSE, "\n4 3\n", "\n3 3\n", "H matrix rows", "found 3, but 4 is expected, as declared before"),
        (DENSE, "0 1 0 -2", "0 1 0 x", "H matrix[7]", "`x` is not a number"),
        (DENSE, "2 4 6 8", "2 4 inf 8", "q[2]", "inf is not finite"),
        (DENSE, "-3 0 0", "-3 0 b", "b[2]", "`b` is not a number"),
        (DENSE, "0.3", "-0.3", "mu[0]", "the friction coefficient -0.3 is negative"),
        (
            DENSE,
            "0 4 3\n",
            "0 5 3\n",
            "matrix rows",
            "found 4, but 3 rows and columns are expected, three a contact (or",
        ),
        (DENSE, "0 4 4\n", "0 4 5\n", "matrix columns", "found 5, but 4 is expected: the first matrix is square"),
        (DENSE, "0 4 4\n", "0 4000000000 4000000000\n", "matrix rows", "declares 4000000000 values"),
        (BLOCKS, "2 4\n2 4\n3", "2 5\n2 4\n3", "row end[1]", "found 5, but 4 to 4"),
        (BLOCKS, "2 4\n3\n3\n2", "2 2\n3\n3\n2", "H row end[1]", "found 2, but 4 to 4"),
        (BLOCKS, "1\n0 0 0 -2 1 0", "1\n0 0 0 - 1 0", "H block values[9]", "`-` is not a number"),
        (SPARSE, "4\n1\nCSparse", "4\n3\nCSparse", "origin", "not supported: origin 3 of a sparse matrix"),
        (SPARSE, "4\n1\nCSparse", "4\n1\nSparse", "version", "`Sparse` is found where `CSparse` is expected"),
        (SPARSE, "triplet: 4-by-4", "triplet: 4-by-5", "sparse header", "`4-by-5,` is found where `4-by-4,`"),
        (SPARSE, "nnz: 5\n", "nnz: 500000\n", "nnz", "declares 1500000 values"),
        (SPARSE, "    2 2 : 1", "    4 2 : 1", "row[3]", "the index 4 is out of range"),
        (SPARSE, "    2 2 : 1", "    2 2 1 1", "colon[3]", "`1` is found where `:` is expected"),
        (SPARSE, "col 1 :", "col 2 :", "H column header[1]", "found 2, but 1 is expected: the columns follow"),
        (SPARSE, "3 to 4", "3 to 5", "H column header[2]", "found 6, but 3 to 5 is expected"),
        (SPARSE, "nnz: 5, 1", "nnz: 6, 1", "H nnz", "found 6, but 5 is expected"),
    ];
    for (text, from, to, item, message) in cases {
        assert!(text.contains(from), "{from}");
        let fault = fault(text.replacen(from, to, 1).as_bytes());
        let Place::Text { item: found, .. } = &fault.place else { panic!("{fault}") };
        assert_eq!(found, item, "{fault}");
        assert!(fault.to_string().contains(message), "{fault}");
    }
}

#[test]
fn a_file_cut_at_any_token_is_refused() {
    for text in [DENSE, BLOCKS, SPARSE] {
        let end = text.rfind("0.3").unwrap();
        for (length, _) in text[..end].char_indices().filter(|(_, c)| c.is_whitespace()) {
            fault(&text.as_bytes()[..length]);
        }
    }
}
