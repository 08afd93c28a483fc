//! Assembly into a sparse matrix: same entries as the sum of element Hessians, same bytes for any number of threads.

use asperity::elastic::{
    Assembly, Bending, ElasticError, Elasticity, Membrane, RestAngles, masses_of_triangles, places,
};
use asperity_solve::problem::{Place, SymmetricPattern};
use glam::DVec3;

use crate::support::{Sheet, shaken, sheet};

fn cloth(sheet: &Sheet) -> Elasticity {
    let mut elasticity = Elasticity::new(sheet.rest.len());
    let membrane = Membrane::woven(50.0, 30.0, 5.0, 0.2).unwrap();
    elasticity.add_membrane(&sheet.rest, &sheet.uvs, &sheet.triangles, membrane).unwrap();
    let bending = Bending::isotropic(1e-3, RestAngles::Shape).unwrap();
    elasticity.add_bending(&sheet.rest, &[], &sheet.triangles, bending).unwrap();
    elasticity
}

/// Every vertex but each seventh, three degrees of freedom each, after six of another body.
fn dofs(vertices: usize) -> Vec<Option<u32>> {
    let mut next = 6;
    (0..vertices)
        .map(|v| {
            (v % 7 != 3).then(|| {
                next += 3;
                next - 3
            })
        })
        .collect()
}

#[test]
fn the_matrix_is_the_sum_of_the_element_hessians_without_pinned_vertices() {
    let sheet = sheet(3);
    let elasticity = cloth(&sheet);
    let dofs = dofs(sheet.rest.len());
    let size = dofs.iter().flatten().max().unwrap() + 3;
    let pattern = SymmetricPattern::new(size as usize, places(&elasticity, &dofs));
    let assembly = Assembly::new(&pattern, &elasticity, &dofs).unwrap();
    let mut hessians = Vec::new();
    elasticity.hessians(&shaken(&sheet.rest, 0.1, 2), false, &mut hessians);
    let mut values = vec![1.0; pattern.slots()];
    assembly.add(&hessians, 2.0, &mut values);

    let mut expected = vec![1.0; pattern.slots()];
    let mut first = 0;
    for stencil in elasticity.stencils() {
        let height = 3 * stencil.len();
        for k in 0..height * height {
            let dof = |k: usize| dofs[stencil[k / 3] as usize].map(|dof| dof as usize + k % 3);
            let (Some(row), Some(column)) = (dof(k % height), dof(k / height)) else { continue };
            if row >= column {
                expected[pattern.slot(Place { row, column }).unwrap()] += 2.0 * hessians[first + k];
            }
        }
        first += height * height;
    }
    assert_eq!(first, hessians.len());
    let scale = expected.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    assert!(scale > 10.0);
    for (value, expected) in values.iter().zip(&expected) {
        assert!((value - expected).abs() < 1e-13 * scale);
    }
}

#[test]
fn a_flat_sheet_keeps_its_zeros_in_the_pattern() {
    // Places that are sums of powers of two: the strain at rest is zero without rounding.
    let sheet = sheet(4);
    let mut elasticity = Elasticity::new(sheet.rest.len());
    let membrane = Membrane::isotropic(10.0, 0.3, 1.0).unwrap();
    elasticity.add_membrane(&sheet.rest, &sheet.uvs, &sheet.triangles, membrane).unwrap();
    let dofs: Vec<_> = (0..sheet.rest.len() as u32).map(|v| Some(3 * v)).collect();
    let pattern = SymmetricPattern::new(3 * dofs.len(), places(&elasticity, &dofs));
    let assembly = Assembly::new(&pattern, &elasticity, &dofs).unwrap();
    let (mut hessians, mut values) = (Vec::new(), vec![0.0; pattern.slots()]);
    elasticity.hessians(&sheet.rest, false, &mut hessians);
    assembly.add(&hessians, 1.0, &mut values);
    // The sheet lies in the x-z plane: y is across.
    for v in 0..dofs.len() {
        let slot = pattern.slot(Place { row: 3 * v + 1, column: 3 * v + 1 }).unwrap();
        assert_eq!(values[slot], 0.0);
        assert!(pattern.slot(Place { row: 3 * v + 1, column: 3 * v }).is_some());
    }
}

#[test]
fn a_pattern_that_lacks_entries_is_refused() {
    let sheet = sheet(1);
    let elasticity = cloth(&sheet);
    let dofs: Vec<_> = (0..sheet.rest.len() as u32).map(|v| Some(3 * v)).collect();
    let diagonal = SymmetricPattern::new(12, std::iter::empty());
    let error = Assembly::new(&diagonal, &elasticity, &dofs).unwrap_err();
    assert!(matches!(error, ElasticError::NotInPattern { .. }), "{error}");
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    // More elements and blocks than are left to one thread.
    let sheet = sheet(60);
    let elasticity = cloth(&sheet);
    assert!(elasticity.elements() > 15_000);
    let x = shaken(&sheet.rest, 0.01, 3);
    let dofs = dofs(sheet.rest.len());
    let size = dofs.iter().flatten().max().unwrap() + 3;
    let pattern = SymmetricPattern::new(size as usize, places(&elasticity, &dofs));
    let assembly = Assembly::new(&pattern, &elasticity, &dofs).unwrap();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut gradient = vec![DVec3::ZERO; x.len()];
            elasticity.add_gradient(&x, &mut gradient);
            let (mut hessians, mut values) = (Vec::new(), vec![0.0; pattern.slots()]);
            elasticity.hessians(&x, true, &mut hessians);
            assembly.add(&hessians, 0.1, &mut values);
            (elasticity.energy(&x).to_bits(), gradient, values)
        })
    };
    let single = run(1);
    for threads in [2, 3] {
        assert!(run(threads) == single, "{threads} threads");
    }
}

#[test]
fn the_masses_of_a_sheet_add_up() {
    let sheet = sheet(5);
    let masses = masses_of_triangles(&sheet.rest, &sheet.triangles, 0.2).unwrap();
    assert!((masses.iter().sum::<f64>() - 0.2).abs() < 1e-14);
    assert!(masses.iter().all(|mass| *mass > 0.0));
}
