//! Sheets against closed forms: woven tension, bending to cylinders, a hanging sheet, a strip with a load at its end.

use asperity::elastic::{Bending, Elasticity, Membrane, RestAngles, masses_of_triangles};
use asperity::geometry::MeshData;
use glam::{DVec2, DVec3};

use crate::statics::Statics;

#[test]
fn a_woven_sheet_under_tension_along_its_warp_has_the_stiffness_of_the_warp() {
    let (warp, weft, shear, poisson) = (50.0, 20.0, 4.0, 0.4);
    let mesh = MeshData::grid([1.0, 1.0], [3, 3]).unwrap();
    // The warp at 30 degrees to the mesh: u grows along `along`.
    let along = DVec2::from_angle(30_f64.to_radians());
    let flat = |p: &DVec3| DVec2::new(p.x, -p.z);
    let uvs: Vec<DVec2> =
        mesh.vertices.iter().map(|p| DVec2::new(flat(p).dot(along), flat(p).dot(along.perp()))).collect();
    let energy = |membrane: Membrane, map: &dyn Fn(DVec2) -> DVec2| {
        let mut elasticity = Elasticity::new(mesh.vertices.len());
        elasticity.add_membrane(&mesh.vertices, &uvs, &mesh.triangles, membrane).unwrap();
        let x: Vec<DVec3> = uvs.iter().map(|uv| map(*uv).extend(0.0)).collect();
        elasticity.energy(&x)
    };
    let woven = Membrane::woven(warp, weft, shear, poisson).unwrap();
    // Green strains e along the pull and −ν e across it, for which the stress across is zero: ½ k e² on a unit square.
    let e = 0.1_f64;
    let stretch = |strain: f64| (1.0 + 2.0 * strain).sqrt();
    let pulled = energy(woven, &|uv| DVec2::new(stretch(e) * uv.x, stretch(-poisson * e) * uv.y));
    assert!((pulled - 0.5 * warp * e * e).abs() < 1e-14, "{pulled}");
    // Along the weft the warp contracts by ν k_f/k_w.
    let across = poisson * weft / warp;
    let pulled = energy(woven, &|uv| DVec2::new(stretch(-across * e) * uv.x, stretch(e) * uv.y));
    assert!((pulled - 0.5 * weft * e * e).abs() < 1e-14, "{pulled}");
    // E₁₂ = γ/2 without stretching: ½ k_s γ².
    let angle = e.asin();
    let sheared = energy(woven, &|uv| uv.x * DVec2::X + uv.y * DVec2::new(angle.sin(), angle.cos()));
    assert!((sheared - 0.5 * shear * e * e).abs() < 1e-14, "{sheared}");
    // An isotropic sheet does not know its warp: Yt/2 e².
    let isotropic = Membrane::isotropic(1e3, 0.3, 0.02).unwrap();
    let turn = DVec2::from_angle(0.7);
    let pulled = energy(isotropic, &|uv| {
        let p = turn.rotate(uv);
        DVec2::new(stretch(e) * p.x, stretch(-0.3 * e) * p.y)
    });
    assert!((pulled - 0.5 * 20.0 * e * e).abs() < 1e-13, "{pulled}");
}

/// Bending energy of a sheet bent to a cylinder of this curvature, whose axis is across `along`.
fn bent_energy(mesh: &MeshData, bending: Bending, curvature: f64, along: DVec2) -> f64 {
    let mut elasticity = Elasticity::new(mesh.vertices.len());
    elasticity.add_bending(&mesh.vertices, &mesh.uvs, &mesh.triangles, bending).unwrap();
    let bend = |p: &DVec3| {
        let flat = DVec2::new(p.x, -p.z);
        let (s, t) = (flat.dot(along), flat.dot(along.perp()));
        DVec3::new((curvature * s).sin() / curvature, (1.0 - (curvature * s).cos()) / curvature, t)
    };
    let x: Vec<DVec3> = mesh.vertices.iter().map(bend).collect();
    elasticity.energy(&x)
}

/// Energy of one more cell of an endless sheet: second difference of the energies of n, 2n and 3n cells along each
/// side, which are quadratic in n since all cells are bent the same. Edges at the rim drop out.
fn cell_energy(mesh: impl Fn(u32) -> MeshData, bending: Bending, curvature: f64, along: DVec2) -> f64 {
    let n = 4;
    let [one, two, three] = [n, 2 * n, 3 * n].map(|n| bent_energy(&mesh(n), bending, curvature, along));
    (three - 2.0 * two + one) / f64::from(2 * n * n)
}

/// Cells of side 1 cm.
const SIDE: f64 = 0.01;

/// A rhombus of equilateral triangles.
fn equilateral(n: u32) -> MeshData {
    let mut mesh = MeshData::grid([SIDE * f64::from(n); 2], [n, n]).unwrap();
    mesh.triangles.clear();
    for j in 0..n {
        for i in 0..n {
            let a = j * (n + 1) + i;
            mesh.triangles.extend([[a, a + 1, a + n + 1], [a + 1, a + n + 2, a + n + 1]]);
        }
    }
    for place in &mut mesh.vertices {
        *place = DVec3::new(place.x - 0.5 * place.z, 0.0, 0.75_f64.sqrt() * place.z);
    }
    mesh
}

#[test]
fn a_sheet_bent_to_a_cylinder_stores_half_its_stiffness_times_the_square_of_the_curvature() {
    let (stiffness, curvature) = (0.3, 1.0);
    let bending = Bending::isotropic(stiffness, RestAngles::Flat).unwrap();
    let exact = 0.5 * stiffness * curvature * curvature;
    for degrees in [0.0_f64, 10.0, 30.0, 45.0, 90.0] {
        let along = DVec2::from_angle(degrees.to_radians());
        let density = cell_energy(equilateral, bending, curvature, along) / (0.75_f64.sqrt() * SIDE * SIDE);
        assert!((density / exact - 1.0).abs() < 1e-4, "{degrees}: {}", density / exact);
    }
    let grid = |n: u32| MeshData::grid([SIDE * f64::from(n); 2], [n, n]).unwrap();
    for along in [DVec2::X, DVec2::Y] {
        let density = cell_energy(grid, bending, curvature, along) / (SIDE * SIDE);
        assert!((density / exact - 1.0).abs() < 1e-4, "{along}: {}", density / exact);
    }
    // Strips of a woven sheet.
    let woven = Bending::woven(0.3, 0.1, RestAngles::Flat).unwrap();
    for (along, stiffness) in [(DVec2::X, 0.3), (DVec2::Y, 0.1)] {
        let density = cell_energy(grid, woven, curvature, along) / (SIDE * SIDE);
        assert!((density / (0.5 * stiffness) - 1.0).abs() < 1e-4, "{along}: {density}");
    }
    // At 45 degrees to a grid: a diagonal has |θ| = κ a/√2, a side κ a/2; that is 1 + 2/4 for a cell with one diagonal
    // and two sides.
    let ratio = cell_energy(grid, bending, curvature, DVec2::from_angle(45_f64.to_radians())) / (SIDE * SIDE) / exact;
    assert!((ratio - 1.5).abs() < 1e-4, "{ratio}");
}

/// Bending energy of a rhombus of equilateral triangles on the surface y = (κ₁ x² + κ₂ z²)/2, which is flat but for
/// small terms.
fn quadric_energy(n: u32, stiffness: f64, curvatures: [f64; 2]) -> f64 {
    let mesh = equilateral(n);
    let mut elasticity = Elasticity::new(mesh.vertices.len());
    let bending = Bending::isotropic(stiffness, RestAngles::Flat).unwrap();
    elasticity.add_bending(&mesh.vertices, &[], &mesh.triangles, bending).unwrap();
    let lift = |p: &DVec3| 0.5 * (curvatures[0] * p.x * p.x + curvatures[1] * p.z * p.z);
    let x: Vec<DVec3> = mesh.vertices.iter().map(|p| *p + DVec3::Y * lift(p)).collect();
    elasticity.energy(&x)
}

#[test]
fn hinges_of_equilateral_triangles_are_a_plate_with_a_poisson_ratio_of_minus_a_third() {
    // A plate: D/2 ((κ₁ + κ₂)² − 2 (1 − ν) κ₁κ₂) per area. Hinges have θ = h (κ_nn − κ_tt/3); the mean over three
    // directions gives ν = −1/3.
    let (stiffness, n) = (0.3, 4);
    for [a, b] in [[1.0, 0.0], [1.0, 1.0], [1.0, -1.0], [0.3, 0.8]] {
        let size = 1e-3;
        let [one, two, three] = [n, 2 * n, 3 * n].map(|n| quadric_energy(n, stiffness, [size * a, size * b]));
        let density =
            (three - 2.0 * two + one) / f64::from(2 * n * n) / (0.75_f64.sqrt() * SIDE * SIDE) / (size * size);
        let plate = 0.5 * stiffness * ((a + b).powi(2) - 2.0 * (4.0 / 3.0) * a * b);
        assert!((density / plate - 1.0).abs() < 1e-5, "{a} {b}: {}", density / plate);
    }
}

/// By how much the lower end of a hanging sheet of n × 2n squares is lower than it should be, as a fraction of how far
/// it stretches.
fn hanging_error(n: u32) -> f64 {
    let (stiffness, density, gravity, height) = (400.0, 0.2, 9.81, 1.0);
    let mesh = MeshData::grid([0.5, height], [n, 2 * n]).unwrap();
    // In the x-y plane, hanging from y = 0.
    let rest: Vec<DVec3> = mesh.vertices.iter().map(|p| DVec3::new(p.x, -p.z - 0.5 * height, 0.0)).collect();
    let mut elasticity = Elasticity::new(rest.len());
    let membrane = Membrane::woven(stiffness, stiffness, 0.5 * stiffness, 0.0).unwrap();
    elasticity.add_membrane(&rest, &mesh.uvs, &mesh.triangles, membrane).unwrap();
    let masses = masses_of_triangles(&rest, &mesh.triangles, density).unwrap();
    let forces: Vec<DVec3> = masses.iter().map(|mass| DVec3::new(0.0, -mass * gravity, 0.0)).collect();
    let held = |v: usize| rest[v].y > -1e-9;
    // Slightly stretched: a flat sheet without tension has no stiffness across its plane.
    let start: Vec<DVec3> = rest.iter().map(|p| DVec3::new(p.x, 1.001 * p.y, 0.0)).collect();
    let solution = Statics { elasticity: &elasticity, rest: &rest, held: &held, forces: &forces }.solve(&start, 1e-12);
    assert!(solution.x.iter().all(|p| p.z == 0.0));
    let lowest: Vec<f64> = (0..rest.len()).filter(|v| rest[*v].y < -height + 1e-9).map(|v| solution.x[v].y).collect();
    let stretched = -lowest.iter().sum::<f64>() / lowest.len() as f64 - height;
    // Integral of the stretch s of the Green law, k s (s² − 1)/2 = ρ g (L − y), at each height.
    let stretch = |tension: f64| {
        let mut s = 1.0;
        for _ in 0..50 {
            let error = 0.5 * stiffness * s * (s * s - 1.0) - tension;
            s -= error / (0.5 * stiffness * (3.0 * s * s - 1.0));
        }
        s
    };
    let steps = 1000;
    let tension = |k: u32| density * gravity * height * (f64::from(k) + 0.5) / f64::from(steps);
    let exact: f64 = (0..steps).map(|k| (stretch(tension(k)) - 1.0) * height / f64::from(steps)).sum();
    stretched / exact - 1.0
}

#[test]
fn a_hanging_sheet_stretches_by_its_own_weight() {
    let errors = [4, 8].map(hanging_error);
    assert!(errors[0].abs() < 1e-3 && errors[1].abs() < 0.3 * errors[0].abs(), "{errors:?}");
}

/// A strip of equilateral triangles along x about the origin: rows of squares that are shifted by half a cell in turns
/// and pressed together.
fn strip(length: f64, cells: u32, rows: u32) -> MeshData {
    let cell = length / f64::from(cells);
    let width = cell * f64::from(rows);
    let mut mesh = MeshData::grid([length, width], [cells, rows]).unwrap();
    mesh.triangles.clear();
    let n = cells + 1;
    for j in 0..rows {
        for i in 0..cells {
            let [a, b, c, d] = [j * n + i, j * n + i + 1, (j + 1) * n + i + 1, (j + 1) * n + i];
            mesh.triangles.extend(if j % 2 == 0 { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] });
        }
    }
    for (v, place) in mesh.vertices.iter_mut().enumerate() {
        place.x += if (v as u32 / n) % 2 == 1 { 0.5 * cell } else { 0.0 };
        place.z *= 0.75_f64.sqrt();
    }
    mesh
}

#[test]
fn a_narrow_strip_bends_like_a_beam() {
    let (stiffness, length, cells, rows) = (0.01, 2.0, 160, 16);
    let mesh = strip(length, cells, rows);
    let cell = length / f64::from(cells);
    let mut elasticity = Elasticity::new(mesh.vertices.len());
    let membrane = Membrane::isotropic(1e6, 0.0, 1e-3).unwrap();
    elasticity.add_membrane(&mesh.vertices, &[], &mesh.triangles, membrane).unwrap();
    let bending = Bending::isotropic(stiffness, RestAngles::Shape).unwrap();
    elasticity.add_bending(&mesh.vertices, &[], &mesh.triangles, bending).unwrap();
    let held = |v: usize| mesh.vertices[v].x < -0.5 * length + 1.8 * cell;
    let force = 1e-6;
    let mut forces = vec![DVec3::ZERO; mesh.vertices.len()];
    let end: Vec<usize> = (0..mesh.vertices.len()).filter(|v| *v as u32 % (cells + 1) == cells).collect();
    end.iter().for_each(|v| forces[*v].y = -force / end.len() as f64);
    let statics = Statics { elasticity: &elasticity, rest: &mesh.vertices, held: &held, forces: &forces };
    let solution = statics.solve(&mesh.vertices, 1e-12);
    let deflection = -end.iter().map(|v| solution.x[*v].y).sum::<f64>() / end.len() as f64;
    // Its sides are free to curl: a strip of a plate has the stiffness D (1 − ν²), with ν = −1/3 as above. The clamp
    // and the sides, which have no hinges, change some percent.
    let width = 0.75_f64.sqrt() * cell * f64::from(rows);
    let beam = force * (length - cell).powi(3) / (3.0 * stiffness * (1.0 - 1.0 / 9.0) * width);
    assert!((deflection / beam - 1.0).abs() < 0.03, "{}", deflection / beam);
}
