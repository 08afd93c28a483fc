//! Problems over the degrees of freedom of elastic bodies: against the same problem with W formed, with every set, with a
//! rigid body, a joint, a bounded row and compliance in the same system, island by island, and with matrices that are refused.

mod common;

use asperity_friction::set::{ConvexSet, Disk, FrictionSet, SETS};
use asperity_friction::{ContactLaw, Tangential};
use asperity_solve::problem::{ContactProblem, Csc, Dynamics, Factor, MatrixEntry, ProblemError, RowKind, residual};
use asperity_solve::solver::{Auto, ContactSolver, Frozen, Hybrid, Proximal, Solution, Status, Stop};
use common::scenes::slip_rule;
use glam::{DVec2, DVec3};

const DT: f64 = 0.01;
const G: f64 = 9.81;

/// A matrix and rows under construction.
#[derive(Default)]
struct System {
    dofs: usize,
    mass: Vec<MatrixEntry>,
    h: Vec<MatrixEntry>,
    starts: Vec<usize>,
    bias: Vec<f64>,
    kinds: Vec<RowKind>,
    /// Velocity of each degree of freedom without contact.
    free: Vec<f64>,
}

impl System {
    fn new() -> Self {
        Self { starts: vec![0], ..Self::default() }
    }

    fn add_mass(&mut self, row: usize, column: usize, value: f64) {
        self.mass.push(MatrixEntry { row, column, value });
    }

    /// A row block; each row a list of (degree of freedom, value).
    fn add_rows(&mut self, kind: RowKind, rows: &[Vec<(usize, f64)>]) {
        for row in rows {
            let column = self.bias.len();
            self.h.extend(row.iter().map(|(dof, value)| MatrixEntry { row: *dof, column, value: *value }));
            self.bias.push(row.iter().map(|(dof, value)| value * self.free[*dof]).sum());
        }
        self.starts.push(self.bias.len());
        self.kinds.push(kind);
    }

    fn factor(&self) -> Factor {
        let mass = Csc::from_triplets(self.dofs, self.dofs, &self.mass).unwrap();
        let h = Csc::from_triplets(self.dofs, self.bias.len(), &self.h).unwrap();
        Factor::new(mass, h, self.starts.clone()).unwrap()
    }

    /// The problem over degrees of freedom.
    fn problem(&self) -> ContactProblem {
        ContactProblem::new(self.factor(), self.bias.clone(), self.kinds.clone()).unwrap()
    }

    /// The same with W formed, column by column from the dynamics.
    fn formed(&self) -> ContactProblem {
        let problem = self.problem();
        ContactProblem::new(problem.w().clone(), self.bias.clone(), self.kinds.clone()).unwrap()
    }
}

/// A sheet of n × n vertices joined by springs, beginning at a degree of freedom of the system: A = M + h² K. It slides with
/// a velocity that differs from vertex to vertex.
fn add_sheet(system: &mut System, n: usize, stiffness: f64) -> usize {
    let first = system.dofs;
    system.dofs += 3 * n * n;
    let vertex = |i: usize, j: usize| first + 3 * (i * n + j);
    for i in 0..n {
        for j in 0..n {
            let own = vertex(i, j);
            (0..3).for_each(|k| system.add_mass(own + k, own + k, 0.01));
            let swing = (0.7 * i as f64 + 1.3 * j as f64).sin();
            system.free.extend([0.05 + 0.1 * swing, -G * DT, 0.02 - 0.05 * swing]);
            for (a, b) in [(1, 0), (0, 1), (1, 1)] {
                if i + a < n && j + b < n {
                    let along = DVec3::new(a as f64, 0.0, b as f64).normalize();
                    add_spring(system, own, vertex(i + a, j + b), along, DT * DT * stiffness);
                }
            }
        }
    }
    first
}

/// k (d dᵀ + 0.01) between two vertices.
fn add_spring(system: &mut System, a: usize, b: usize, along: DVec3, k: f64) {
    for p in 0..3 {
        for q in 0..3 {
            let value = k * (along[p] * along[q] + if p == q { 0.01 } else { 0.0 });
            for (row, column, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
                system.add_mass(row + p, column + q, sign * value);
            }
        }
    }
}

/// A contact of each vertex with uneven ground: normals lean a little.
fn add_ground(system: &mut System, first: usize, n: usize) {
    for k in 0..n * n {
        let dof = first + 3 * k;
        let normal = DVec3::new(0.05 * (k as f64).sin(), 1.0, 0.05 * (2.0 * k as f64).cos()).normalize();
        let tangent = normal.any_orthonormal_vector();
        let rows: Vec<_> = [normal, tangent, normal.cross(tangent)]
            .iter()
            .map(|axis| (0..3).map(|c| (dof + c, axis[c])).collect())
            .collect();
        system.add_rows(RowKind::Contact, &rows);
    }
}

/// A rigid box on four corners of the sheet, pressed down and turning; each contact has `rows` rows and touches the box and a
/// vertex. A joint holds one more vertex to the box, and a bounded row brakes the box.
fn add_box(system: &mut System, sheet: usize, n: usize, rows: usize) {
    let first = system.dofs;
    system.dofs += 6;
    let inertia = [0.8, 0.8, 0.8, 0.02, 0.03, 0.02];
    (0..6).for_each(|k| system.add_mass(first + k, first + k, inertia[k]));
    system.free.extend([0.3, -G * DT, 0.1, 0.0, 0.5, 0.0]);
    let spacing = 1.0 / (n - 1) as f64;
    for (i, j) in [(0, 0), (0, n - 1), (n - 1, 0), (n - 1, n - 1)] {
        let arm = DVec3::new(i as f64 * spacing - 0.5, -0.1, j as f64 * spacing - 0.5);
        let vertex = sheet + 3 * (i * n + j);
        let axes = [DVec3::Y, DVec3::X, DVec3::Z];
        let mut all: Vec<Vec<(usize, f64)>> = Vec::new();
        for axis in axes {
            let turn = arm.cross(axis);
            let own = (0..3).flat_map(|c| [(first + c, axis[c]), (first + 3 + c, turn[c]), (vertex + c, -axis[c])]);
            all.push(own.collect());
        }
        for axis in [DVec3::Y, DVec3::X, DVec3::Z] {
            all.push((0..3).map(|c| (first + 3 + c, axis[c])).collect());
        }
        system.add_rows(RowKind::Contact, &all[..rows]);
    }
    let middle = sheet + 3 * (n / 2 * n + n / 2);
    let joint: Vec<Vec<(usize, f64)>> = (0..3).map(|c| vec![(first + c, 1.0), (middle + c, -1.0)]).collect();
    system.add_rows(RowKind::Bilateral, &joint);
    let brake = RowKind::Bounded { lower: vec![-0.004], upper: vec![0.004] };
    system.add_rows(brake, &[vec![(first + 4, 1.0)]]);
}

fn sheet(n: usize, stiffness: f64) -> System {
    let mut system = System::new();
    let first = add_sheet(&mut system, n, stiffness);
    add_ground(&mut system, first, n);
    system
}

fn mixed(n: usize, rows: usize) -> System {
    let mut system = System::new();
    let first = add_sheet(&mut system, n, 300.0);
    add_ground(&mut system, first, n);
    add_box(&mut system, first, n, rows);
    system
}

fn disks(count: usize) -> Vec<ContactLaw> {
    (0..count).map(|k| Disk::new([0.1, 0.3, 0.8][k % 3]).unwrap().into()).collect()
}

/// Solves and returns the velocities; the residual is measured again, from the impulses, on the problem with W formed.
fn solve(
    solver: &dyn ContactSolver,
    problem: &ContactProblem,
    formed: &ContactProblem,
    laws: &[ContactLaw],
) -> Vec<f64> {
    let mut solution = Solution::zero(problem);
    let report = solver.solve(problem, &mut Frozen(laws.to_vec()), Stop::default(), &mut solution).unwrap();
    assert_eq!(report.status, Status::Solved, "{}: {:?}", solver.name(), report.residual);
    let mut u = vec![0.0; formed.rows()];
    formed.velocities(&solution.r, &mut u);
    let found = residual(formed, laws, formed.scales(), &solution.r, &u).worst();
    assert!(found <= 1.01e-8, "{}: {found:e} with W formed", solver.name());
    u
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn diagonal_blocks_are_those_of_w() {
    let system = mixed(5, 6);
    let (problem, formed) = (system.problem(), system.formed());
    for i in 0..problem.blocks() {
        assert!(distance(problem.diagonal(i), formed.diagonal(i)) < 1e-10 * problem.scales()[i], "block {i}");
    }
}

#[test]
fn solvers_over_degrees_of_freedom_find_the_motion_of_those_over_rows() {
    for (n, stiffness) in [(2, 10.0), (6, 100.0), (9, 1e5)] {
        let system = sheet(n, stiffness);
        let (problem, formed) = (system.problem(), system.formed());
        let laws = disks(problem.contacts());
        let expected = solve(&Auto::default(), &formed, &formed, &laws);
        let solvers: [Box<dyn ContactSolver>; 3] =
            [Box::new(Hybrid::default()), Box::new(Auto::default()), Box::new(Proximal::default())];
        for solver in solvers {
            let found = solve(&*solver, &system.problem(), &formed, &laws);
            assert!(
                distance(&found, &expected) < 1e-6,
                "{}, {n} x {n}: {}",
                solver.name(),
                distance(&found, &expected)
            );
        }
        assert!(matches!(problem.dynamics(), Dynamics::Factor(_)));
    }
}

#[test]
fn a_rigid_box_a_joint_a_brake_and_compliance_join_the_sheet() {
    for rows in [3, 4, 6] {
        let system = mixed(5, rows);
        let compliance: Vec<f64> = (0..system.bias.len()).map(|k| [0.0, 1e-3, 1e-2][k % 3]).collect();
        let laws = disks(system.problem().contacts());
        for soft in [false, true] {
            let soften = |p: ContactProblem| if soft { p.with_compliance(compliance.clone()).unwrap() } else { p };
            let (problem, formed) = (soften(system.problem()), soften(system.formed()));
            // The motion is not unique here: solvers over rows find three. The residual is all that can be compared.
            solve(&Hybrid::default(), &problem, &formed, &laws);
        }
    }
}

#[test]
fn every_set_is_solved_over_degrees_of_freedom() {
    let sets: Vec<FrictionSet> = SETS.iter().flat_map(|entry| (entry.examples)()).collect();
    for set in sets.iter().filter(|set| set.radius() < 10.0) {
        let rows = 1 + set.rows();
        let system = mixed(4, rows.max(3));
        let (problem, formed) = (system.problem(), system.formed());
        // Vertices do not turn: the set is for the contacts of the box, and where it is planar for the ground too.
        let laws: Vec<ContactLaw> = (0..problem.contacts())
            .map(|k| if k >= 16 || rows == 3 { set.clone().into() } else { Disk::new(0.4).unwrap().into() })
            .collect();
        solve(&Auto::default(), &problem, &formed, &laws);
        // Where a set has no width in some direction, or ends at the origin, the second stage can run out of steps.
        let resists = |d: DVec2| set.support(Tangential::planar(d)) > 0.0;
        let axes = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y, DVec2::ONE, DVec2::NEG_ONE, DVec2::new(-1.0, 2.0)];
        if axes.into_iter().all(resists) {
            solve(&Hybrid::default(), &system.problem(), &formed, &laws);
        }
    }
}

#[test]
fn a_slip_rule_is_solved_over_degrees_of_freedom() {
    let system = sheet(5, 500.0);
    let formed = system.formed();
    let laws: Vec<ContactLaw> = disks(formed.contacts())
        .into_iter()
        .enumerate()
        .map(|(k, disk)| if k % 2 == 0 { slip_rule() } else { disk })
        .collect();
    let solvers: [Box<dyn ContactSolver>; 3] =
        [Box::new(Hybrid::default()), Box::new(Auto::default()), Box::new(Proximal::default())];
    for solver in solvers {
        let problem = system.problem();
        solve(&*solver, &problem, &formed, &laws);
        assert!(solver.name() == "auto" || !problem.is_formed(), "{}: W was formed", solver.name());
    }
}

#[test]
fn islands_are_solved_without_the_others() {
    let mut system = sheet(4, 200.0);
    let second = add_sheet(&mut system, 3, 1e3);
    add_ground(&mut system, second, 3);
    let (problem, formed) = (system.problem(), system.formed());
    assert_eq!(problem.islands().len(), 2);
    let laws = disks(problem.contacts());
    let together = solve(&Hybrid::default(), &problem, &formed, &laws);
    let apart = solve(&Auto::default(), &problem, &formed, &laws);
    assert!(distance(&together, &apart) < 1e-6);
    assert!(!problem.is_formed(), "W was formed");
}

#[test]
fn a_known_solution_is_a_good_start() {
    let system = sheet(8, 1e4);
    let problem = system.problem();
    let laws = disks(problem.contacts());
    let run = |start: Vec<f64>| {
        let mut solution = Solution { r: start, u: Vec::new() };
        let report =
            Hybrid::default().solve(&problem, &mut Frozen(laws.clone()), Stop::default(), &mut solution).unwrap();
        assert_eq!(report.status, Status::Solved);
        (report.iterations, solution.r)
    };
    let (cold, r) = run(Vec::new());
    let near = r.iter().enumerate().map(|(k, r)| r * (1.0 + 1e-3 * (k as f64).sin())).collect();
    let (warm, _) = run(near);
    assert!(warm < cold, "{warm} iterations from a start that is near, {cold} from zero");
    assert_eq!(run(r).0, 0);
}

#[test]
fn the_symbolic_part_is_used_again_while_the_pattern_stays() {
    let (soft, stiff) = (sheet(4, 10.0), sheet(4, 1e3));
    let factor = soft.factor();
    let parts = |s: &System| {
        let mass = Csc::from_triplets(s.dofs, s.dofs, &s.mass).unwrap();
        (mass, Csc::from_triplets(s.dofs, s.bias.len(), &s.h).unwrap(), s.starts.clone())
    };
    let (mass, h, starts) = parts(&stiff);
    let again = Factor::with_symbolic(mass, h, starts, Some(factor.symbolic())).unwrap();
    assert!(std::sync::Arc::ptr_eq(again.symbolic(), factor.symbolic()));
    let (mass, h, starts) = parts(&sheet(5, 10.0));
    let other = Factor::with_symbolic(mass, h, starts, Some(factor.symbolic())).unwrap();
    assert!(!std::sync::Arc::ptr_eq(other.symbolic(), factor.symbolic()));
}

#[test]
fn factors_of_a_matrix_that_is_near_serve_another_and_those_of_one_that_is_far_do_not() {
    let own = sheet(6, 100.0).factor();
    let pattern = own.symbolic().pattern();
    let right: Vec<f64> = (0..own.dofs()).map(|i| (0.37 * i as f64).sin()).collect();
    let other = |stiffness: f64| sheet(6, stiffness).factor();
    // A change of 1e-5: a few conjugate gradients. It acts as the other matrix does, whoever asks.
    let near = other(100.0 * (1.0 + 1e-5));
    let mut kept = right.clone();
    let served = own.kept(pattern, near.values(), near.rows(), 1e-12, &mut kept).expect("near enough");
    let mut exact = right.clone();
    near.solve_checked(&mut exact).unwrap();
    let size = exact.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let off = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off(&kept, &exact) <= 1e-11 * size, "{}", off(&kept, &exact));
    let r: Vec<f64> = (0..near.starts().last().copied().unwrap()).map(|i| 1.0 + (i as f64).cos()).collect();
    let (a, b) = (served.response(&r), near.response(&r));
    assert!(off(&a, &b) <= 1e-11 * b.iter().fold(0.0, |m: f64, x| m.max(x.abs())));
    // What is read from the factors themselves is that of the matrix, not of the one that was factored.
    let diagonal = |factor: &Factor| {
        let system = sheet(6, 100.0);
        let problem = ContactProblem::new(factor.clone(), system.bias.clone(), system.kinds.clone()).unwrap();
        (problem.diagonal(7).to_vec(), problem.w().diagonal(8).to_vec())
    };
    let (found, expected) = (diagonal(&served), diagonal(&near));
    assert!(off(&found.0, &expected.0) <= 1e-12 * expected.0[0]);
    assert_eq!(found.1, expected.1);
    // A hundred times as stiff: refused, and the right-hand side is left as it was.
    let far = other(1e4);
    let mut x = right.clone();
    assert!(own.kept(pattern, far.values(), far.rows(), 1e-12, &mut x).is_none());
    assert_eq!(x, right);
    // Not positive definite: refused.
    let negative: Vec<f64> = own.values().iter().map(|value| -value).collect();
    assert!(own.kept(pattern, &negative, own.rows(), 1e-12, &mut x).is_none());
    assert_eq!(x, right);
}

/// A direction in which another matrix is negative, and which the first right-hand side does not see.
#[test]
fn kept_factors_do_not_hide_that_a_matrix_is_indefinite() {
    let places = (0..4).map(|i| (i, i, 1.0));
    let mass = Csc::from_triplets(4, 4, &places.collect::<Vec<_>>()).unwrap();
    let h = Csc::from_triplets(4, 3, &[(1, 0, 1.0), (2, 1, 1.0), (3, 2, 1.0)]).unwrap();
    let own = Factor::new(mass, h, vec![0, 3]).unwrap();
    let pattern = own.symbolic().pattern();
    let mut values = own.values().to_vec();
    let slot = pattern.slot(asperity_solve::problem::Place { row: 3, column: 3 }).unwrap();
    values[slot] = -1.0;
    let mut x = vec![1.0, 2.0, 0.0, 0.0];
    let kept = own.kept(pattern, &values, own.rows(), 1e-12, &mut x).expect("nothing is seen of the fourth row");
    assert_eq!(x, [1.0, 2.0, 0.0, 0.0]);
    assert!(kept.response(&[0.0, 0.0, 1.0]).iter().all(|v| v.is_nan()), "no zeros in place of a solution");
    // A matrix that these factors do not serve, but which has its own.
    values[slot] = 300.0;
    let mut x = vec![1.0, 2.0, 0.0, 0.0];
    let kept = own.kept(pattern, &values, own.rows(), 1e-12, &mut x).unwrap();
    let v = kept.response(&[1.0, 1.0, 300.0]);
    assert!((v[3] - 1.0).abs() < 1e-12 && (v[2] - 1.0).abs() < 1e-12, "{v:?}");
}

#[test]
fn matrices_that_make_no_sense_are_refused_by_name() {
    let build = |mass: &[(usize, usize, f64)]| {
        let mass = Csc::from_triplets(3, 3, mass).unwrap();
        let h = Csc::from_triplets(3, 3, &[(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0)]).unwrap();
        Factor::new(mass, h, vec![0, 3])
    };
    let whole = [(0, 0, 2.0), (1, 1, 2.0), (2, 2, 2.0)];
    assert!(build(&whole).is_ok());
    let uneven = build(&[whole[0], whole[1], whole[2], (0, 1, 0.5), (1, 0, 0.25)]).unwrap_err();
    assert_eq!(uneven, ProblemError::NotSymmetric { row: 1, column: 0, value: 0.25, other: 0.5 });
    let indefinite = build(&[whole[0], (1, 1, -2.0), whole[2]]).unwrap_err();
    assert_eq!(indefinite, ProblemError::NotPositive { row: 1 });
    let singular = build(&[whole[0], whole[1], whole[2], (0, 1, 2.0), (1, 0, 2.0)]).unwrap_err();
    assert!(matches!(singular, ProblemError::NotPositive { .. } | ProblemError::SingularMass), "{singular}");
    assert!(matches!(build(&[whole[0], whole[2]]), Err(ProblemError::NotPositive { row: 1 })));
}

#[test]
fn a_contact_that_touches_nothing_is_solved_if_it_can_be() {
    let mut system = sheet(3, 100.0);
    // Nothing moves its rows: it opens by itself.
    system.add_rows(RowKind::Contact, &[Vec::new(), Vec::new(), Vec::new()]);
    *system.bias.iter_mut().nth_back(2).unwrap() = 0.5;
    let (problem, formed) = (system.problem(), system.formed());
    solve(&Hybrid::default(), &problem, &formed, &disks(problem.contacts()));
}
