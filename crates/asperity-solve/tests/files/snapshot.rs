//! Snapshots: any problem written and read back to the same bits, and documents that are none refused by place.

use asperity_friction::ContactLaw;
use asperity_friction::set::{ConvexSet, Disk, SETS};
use asperity_solve::problem::files::{Snapshot, StoredProblem, read_bytes};
use asperity_solve::problem::{Bodies, ContactProblem, Csc, Factor, InverseMass, Link, Posed, RowKind};
use asperity_solve::solver::{Auto, ContactSolver, Frozen, Solution, Stop};
use glam::{DMat3, DVec3};

/// Bodies with every kind of row, one with six.
fn problem() -> ContactProblem {
    let inertia = DMat3::from_diagonal(DVec3::new(0.1, 0.3, 0.7));
    let masses =
        vec![InverseMass::Rigid(0.1 + 0.2, inertia), InverseMass::Point(0.7), InverseMass::Dense(1, vec![3.0])];
    let mut bodies = Bodies::new(masses).unwrap();
    let row = |k: usize| -> Vec<f64> { (0..6).map(|j| ((k * 7 + j) as f64 * 0.3).sin()).collect() };
    let six: Vec<f64> = (0..6).flat_map(row).collect();
    bodies.push(6, &[Link { body: 0, jacobian: &six }]).unwrap();
    bodies.push(3, &[Link { body: 1, jacobian: &[0., 1., 0., 1., 0., 0., 0., 0., 1.] }]).unwrap();
    bodies.push(1, &[Link { body: 0, jacobian: &row(9) }, Link { body: 2, jacobian: &[-1.0] }]).unwrap();
    bodies.push(1, &[Link { body: 2, jacobian: &[1.0] }]).unwrap();
    let bounded = RowKind::Bounded { lower: vec![f64::NEG_INFINITY], upper: vec![0.25] };
    let kinds = vec![RowKind::Contact, RowKind::Contact, RowKind::Bilateral, bounded];
    let bias = (0..11).map(|k| (k as f64 * 1.7).cos() - 0.5).collect();
    let compliance = (0..11).map(|k| 1e-3 * k as f64).collect();
    ContactProblem::new(bodies, bias, kinds).unwrap().with_compliance(compliance).unwrap()
}

fn replay(json: &str) -> Posed {
    let StoredProblem::Snapshot(read) = read_bytes("test", json.as_bytes()).unwrap() else { panic!("a snapshot") };
    read.into_problem().unwrap()
}

fn solution(p: &ContactProblem, laws: &[ContactLaw]) -> Vec<u64> {
    let mut s = Solution::zero(p);
    Auto::default().solve(p, &mut Frozen(laws.to_vec()), Stop::default(), &mut s).unwrap();
    s.r.iter().map(|r| r.to_bits()).collect()
}

#[test]
fn a_dumped_problem_is_replayed_to_the_same_bits() {
    let p = problem();
    for set in SETS.iter().flat_map(|e| (e.examples)()).filter(|s| s.radius() < 5.0) {
        let laws = vec![set.into(), Disk::new(0.3).unwrap().into()];
        let start: Vec<f64> = (0..11).map(|k| 0.1 * k as f64).collect();
        let snapshot = Snapshot::new(&p, &laws, &start);
        let Posed { problem: again, laws: read, start: begun } = replay(&snapshot.to_json());
        assert_eq!((&read, &begun), (&laws, &start));
        assert_eq!(Snapshot::new(&again, &read, &begun), snapshot);
        assert_eq!(solution(&again, &read), solution(&p, &laws));
    }
}

#[test]
fn formed_and_factored_dynamics_are_kept_as_they_are() {
    let disk = || ContactLaw::from(Disk::new(0.4).unwrap());
    let formed = {
        let p = problem();
        ContactProblem::new(p.w().clone(), p.bias().to_vec(), (0..4).map(|i| p.kind(i).clone()).collect()).unwrap()
    };
    let mass = Csc::from_triplets(3, 3, &[(0, 0, 2.0), (1, 1, 3.0), (2, 2, 4.0), (0, 1, 0.5), (1, 0, 0.5)]).unwrap();
    let h = Csc::from_triplets(3, 3, &[(1, 0, 1.0), (0, 1, 1.0), (2, 2, 1.0)]).unwrap();
    let factor = Factor::new(mass, h, vec![0, 3]).unwrap();
    let factored = ContactProblem::new(factor, vec![-1.0, 2.0, 0.3], vec![RowKind::Contact]).unwrap();
    for p in [formed, factored] {
        let laws = vec![disk(); p.contacts()];
        let snapshot = Snapshot::new(&p, &laws, &[]);
        let Posed { problem: again, laws: read, start } = replay(&snapshot.to_json());
        assert_eq!(start, vec![0.0; p.rows()]);
        assert_eq!(Snapshot::new(&again, &read, &start), snapshot);
        assert_eq!(solution(&again, &read), solution(&p, &laws));
    }
}

#[test]
fn documents_that_are_no_snapshots_are_refused() {
    let laws: Vec<ContactLaw> = vec![Disk::new(0.3).unwrap().into(); 2];
    let good = Snapshot::new(&problem(), &laws, &[]).to_json();
    let refusal = |text: &str| match read_bytes("x.json", text.as_bytes()) {
        Err(error) => error.to_string(),
        Ok(StoredProblem::Snapshot(s)) => s.into_problem().err().map_or("taken".into(), |e| e.to_string()),
        Ok(_) => "another format".into(),
    };
    assert_eq!(refusal(&good), "taken");
    for (change, expected) in [
        (good.replace("\"mu\":0.3", "\"mu\":-0.3"), "mu"),
        (good.replace("\"asperity_problem\":1", "\"asperity_problem\":2"), "version 2"),
        (good.replace("\"bias\":[", "\"bias\":[1.0,"), "12 biases"),
        (good.replace("\"bias\"", "\"bios\""), "unknown field `bios`"),
        (good.replace("\"rows\":6", "\"rows\":5"), "Jacobian of 36 values"),
        (good.replace("\"rows\":6", "\"rows\":0"), "block 0: cannot have 0 rows"),
        (good.replace("\"rows\":6", "\"rows\":9223372036854775808"), "cannot have 9223372036854775808 rows"),
        (good.replace("{\"dofs\":1,\"inverse\":[3.0]}", "{\"dofs\":0,\"inverse\":[]}"), "body 2"),
        (good.replace("{\"dofs\":1,\"inverse\":[3.0]}", "{\"dofs\":2,\"inverse\":[3.0]}"), "body 2"),
        (good[..good.len() / 2].to_owned(), "line 1, column"),
        ("{}".to_owned(), "missing field"),
    ] {
        assert_ne!(change, good, "{expected}");
        let said = refusal(&change);
        assert!(said.contains(expected), "expected {expected}: {said}");
    }
}
