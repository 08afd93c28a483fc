//! Beams and bars against closed forms.

use asperity::elastic::{Elasticity, Lame, SOLID_ENERGIES, SolidEnergy};
use asperity::geometry::volume::{QuadraticTetMesh, TetMesh};
use glam::{DQuat, DVec3};

use crate::statics::{Solution, Statics};
use crate::support::shaken;

const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.3;

fn lame() -> Lame {
    Lame::from_young(YOUNG, POISSON).unwrap()
}

/// A beam along x, from x = 0, with a square cross-section of side one tenth of its length.
struct Beam {
    length: f64,
    height: f64,
    vertices: Vec<DVec3>,
    elasticity: Elasticity,
    /// Shares of a uniform load on the end face, by vertex; their sum is one.
    end: Vec<f64>,
}

fn at_origin(mesh: &mut [DVec3], length: f64) {
    mesh.iter_mut().for_each(|place| place.x += 0.5 * length);
}

fn beam(cells: [u32; 3], quadratic: bool, energy: SolidEnergy) -> Beam {
    let (length, height) = (1.0, 0.1);
    let mut mesh = TetMesh::cuboid(DVec3::new(length, height, height), cells).unwrap();
    at_origin(&mut mesh.vertices, length);
    let mut beam = Beam { length, height, vertices: Vec::new(), elasticity: Elasticity::new(0), end: Vec::new() };
    if quadratic {
        let QuadraticTetMesh { vertices, tets } = mesh.quadratic();
        beam.elasticity = Elasticity::new(vertices.len());
        beam.elasticity.add_quadratic_solid(&vertices, &tets, energy, lame()).unwrap();
        beam.vertices = vertices;
        beam.end = vec![0.0; beam.vertices.len()];
        for [a, b, c, nodes @ ..] in mesh.quadratic().boundary().unwrap() {
            if [a, b, c].iter().all(|v| at(beam.vertices[*v as usize].x, length)) {
                // ∫N over a straight quadratic triangle: nothing at corners, a third of the area on each edge.
                let share = area(&beam.vertices, [a, b, c]) / (height * height) / 3.0;
                nodes.iter().for_each(|v| beam.end[*v as usize] += share);
            }
        }
    } else {
        beam.elasticity = Elasticity::new(mesh.vertices.len());
        beam.elasticity.add_solid(&mesh.vertices, &mesh.tets, energy, lame()).unwrap();
        beam.end = vec![0.0; mesh.vertices.len()];
        for triangle in mesh.boundary().unwrap() {
            if triangle.iter().all(|v| at(mesh.vertices[*v as usize].x, length)) {
                let share = area(&mesh.vertices, triangle) / (height * height) / 3.0;
                triangle.iter().for_each(|v| beam.end[*v as usize] += share);
            }
        }
        beam.vertices = mesh.vertices;
    }
    assert!((beam.end.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    beam
}

fn at(x: f64, place: f64) -> bool {
    (x - place).abs() < 1e-9
}

fn area(vertices: &[DVec3], triangle: [u32; 3]) -> f64 {
    let [a, b, c] = triangle.map(|v| vertices[v as usize]);
    0.5 * (b - a).cross(c - a).length()
}

impl Beam {
    /// Under a force on its end, clamped at x = 0.
    fn loaded(&self, force: DVec3, start: &[DVec3]) -> Solution {
        let forces: Vec<DVec3> = self.end.iter().map(|share| *share * force).collect();
        let held = |v: usize| at(self.vertices[v].x, 0.0);
        let statics = Statics { elasticity: &self.elasticity, rest: &self.vertices, held: &held, forces: &forces };
        // Rounding leaves some 1e-16 of the stiffness of an element, Y h.
        statics.solve(start, 1e-15 * YOUNG * self.height)
    }

    /// Mean displacement of the end face.
    fn end_displacement(&self, x: &[DVec3]) -> DVec3 {
        self.end.iter().zip(x).zip(&self.vertices).map(|((share, x), rest)| *share * (*x - *rest)).sum()
    }

    /// Deflection of a clamped beam after Timoshenko: F L³/(3 Y I) + F L/(κ G A), κ = 5/6.
    fn timoshenko(&self, force: f64) -> f64 {
        let (area, moment) = (self.height.powi(2), self.height.powi(4) / 12.0);
        force * self.length.powi(3) / (3.0 * YOUNG * moment) + force * self.length / (5.0 / 6.0 * lame().mu() * area)
    }

    fn small_deflection(&self) -> f64 {
        let force = 1e-4;
        let solution = self.loaded(DVec3::new(0.0, -force, 0.0), &self.vertices);
        -self.end_displacement(&solution.x).y / self.timoshenko(force)
    }
}

#[test]
fn a_cantilever_of_quadratic_tetrahedra_bends_as_it_should_and_of_linear_ones_too_little() {
    let energy = SolidEnergy::Linear;
    let coarse = beam([20, 2, 2], true, energy).small_deflection();
    assert!((0.98..1.005).contains(&coarse), "{coarse}");
    // The clamped face cannot contract: the exact answer is a little stiffer than Timoshenko's. Refinement converges to
    // it.
    let fine = beam([40, 4, 4], true, energy).small_deflection();
    assert!((coarse - fine).abs() < 0.01 && (0.99..1.005).contains(&fine), "{coarse} {fine}");
    let errors = [[20, 2, 2], [40, 4, 4], [80, 8, 8]].map(|cells| fine - beam(cells, false, energy).small_deflection());
    let orders = [errors[0] / errors[1], errors[1] / errors[2]].map(f64::log2);
    assert!(errors[0] > 0.2, "{errors:?}");
    assert!(orders.iter().all(|order| (1.4..2.3).contains(order)), "{errors:?} {orders:?}");
}

#[test]
fn every_energy_gives_the_deflection_of_linear_elasticity_for_small_loads() {
    let linear = beam([10, 1, 1], true, SolidEnergy::Linear).small_deflection();
    for entry in SOLID_ENERGIES {
        let deflection = beam([10, 1, 1], true, entry.energy).small_deflection();
        assert!((deflection / linear - 1.0).abs() < 1e-4, "{}: {deflection} {linear}", entry.name);
    }
}

/// Deflection and shortening, in lengths, of the tip of an elastica that is clamped at one end and carries a load F
/// across its first direction at the other: θ'' = −α cos θ, θ(0) = 0, θ'(1) = 0, α = F L²/(Y I). Integrated by Runge
/// and Kutta's method, with the curvature at the clamp found by bisection.
fn elastica(alpha: f64) -> [f64; 2] {
    let shoot = |curvature: f64| {
        const STEPS: usize = 2000;
        let h = 1.0 / STEPS as f64;
        // θ, θ', x, y.
        let slope = |s: [f64; 4]| [s[1], -alpha * s[0].cos(), s[0].cos(), s[0].sin()];
        let mut s = [0.0, curvature, 0.0, 0.0];
        for _ in 0..STEPS {
            let ahead = |k: [f64; 4], by: f64| std::array::from_fn(|i| s[i] + by * k[i]);
            let k1 = slope(s);
            let k2 = slope(ahead(k1, 0.5 * h));
            let k3 = slope(ahead(k2, 0.5 * h));
            let k4 = slope(ahead(k3, h));
            s = std::array::from_fn(|i| s[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
        }
        s
    };
    let (mut low, mut high) = (0.0, 2.0 * alpha);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if shoot(middle)[1] > 0.0 { high = middle } else { low = middle }
    }
    let end = shoot(low);
    [end[3], 1.0 - end[2]]
}

#[test]
fn the_elastica_of_small_loads_is_the_beam_of_euler() {
    let [deflection, _] = elastica(1e-3);
    assert!((deflection / (1e-3 / 3.0) - 1.0).abs() < 1e-5, "{deflection}");
    // Bisshopp and Drucker (1945): α = 1 gives 0.3017 and 0.0564.
    let [deflection, shortening] = elastica(1.0);
    assert!((deflection - 0.3017).abs() < 1e-4 && (shortening - 0.0564).abs() < 1e-4, "{deflection} {shortening}");
}

#[test]
fn a_large_deflection_is_that_of_the_elastica_and_newton_converges_quadratically() {
    let beam = beam([20, 2, 2], true, SolidEnergy::StVenantKirchhoff);
    let alpha = 3.0;
    let force = alpha * YOUNG * beam.height.powi(4) / 12.0;
    let solution = beam.loaded(DVec3::new(0.0, -force, 0.0), &beam.vertices);
    let end = beam.end_displacement(&solution.x);
    let [deflection, shortening] = elastica(alpha);
    // A beam ten times as long as high shears too: 0.8 % of the deflection of small loads.
    assert!((-end.y / deflection - 1.0).abs() < 0.015, "{} {deflection}", -end.y);
    assert!((-end.x / shortening - 1.0).abs() < 0.03, "{} {shortening}", -end.x);
    // From places that are off by δ, one step of Newton's method ends off by a multiple of δ².
    let [near, nearer] = [1e-4, 1e-5].map(|size| {
        let force = DVec3::new(0.0, -force, 0.0);
        let mut start = shaken(&solution.x, size, 5);
        for (start, rest) in start.iter_mut().zip(&beam.vertices).filter(|(_, rest)| at(rest.x, 0.0)) {
            *start = *rest;
        }
        beam.loaded(force, &start).errors()[1]
    });
    let order = (near / nearer).log10();
    assert!((1.8..2.2).contains(&order), "{near} {nearer}");
}

#[test]
fn a_twisted_bar_has_the_torque_of_saint_venant() {
    // A square bar of side a: torque = 0.1405770 G a⁴ per twist (Timoshenko and Goodier, section 109).
    let side = 0.1;
    let mut mesh = TetMesh::cuboid(DVec3::new(0.4, side, side), [16, 4, 4]).unwrap();
    at_origin(&mut mesh.vertices, 0.4);
    let mesh = mesh.quadratic();
    let mut elasticity = Elasticity::new(mesh.vertices.len());
    elasticity.add_quadratic_solid(&mesh.vertices, &mesh.tets, SolidEnergy::StableNeoHookean, lame()).unwrap();
    let twist = 1e-3;
    let ends = |v: usize| at(mesh.vertices[v].x, 0.0) || at(mesh.vertices[v].x, 0.4);
    // The whole bar is turned in proportion to x: only the warping of the cross-section is left to find. The ends are
    // held flat.
    let turned: Vec<DVec3> = mesh.vertices.iter().map(|p| DQuat::from_rotation_x(twist * p.x / 0.4) * *p).collect();
    let none = vec![DVec3::ZERO; mesh.vertices.len()];
    let statics = Statics { elasticity: &elasticity, rest: &mesh.vertices, held: &ends, forces: &none };
    let solution = statics.solve(&turned, 1e-15 * YOUNG * side);
    let mut gradient = vec![DVec3::ZERO; mesh.vertices.len()];
    elasticity.add_gradient(&solution.x, &mut gradient);
    let torque: f64 = (0..mesh.vertices.len())
        .filter(|v| at(mesh.vertices[*v].x, 0.4))
        .map(|v| solution.x[v].cross(gradient[v]).x)
        .sum();
    let ratio = torque / (0.140_577 * lame().mu() * side.powi(4) * twist / 0.4);
    // Ends that cannot warp make a short bar stiffer: near them the twist is that of a bar with polar moment a⁴/6, over
    // a length of some 0.1 a.
    assert!((1.0..1.06).contains(&ratio), "{ratio}");
}

#[test]
fn an_affine_displacement_passes_the_patch_test() {
    let strain = DVec3::new(0.1, -0.05, 0.02);
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 2.0) / 3.0, 0.4);
    let map = |p: DVec3| turn * (p + DVec3::new(strain.x * p.x + 0.1 * p.y, strain.y * p.y, strain.z * p.z));
    for entry in SOLID_ENERGIES {
        for quadratic in [false, true] {
            // Straight edges, but inner vertices moved about: no symmetry helps.
            let mut mesh = TetMesh::cuboid(DVec3::ONE, [3, 3, 3]).unwrap();
            let inside = |p: DVec3| p.abs().max_element() < 0.49;
            let moved = shaken(&mesh.vertices, 0.05, 3);
            for (place, moved) in mesh.vertices.iter_mut().zip(moved) {
                if inside(*place) {
                    *place = moved;
                }
            }
            let mut elasticity;
            let vertices = if quadratic {
                let mesh = mesh.quadratic();
                elasticity = Elasticity::new(mesh.vertices.len());
                elasticity.add_quadratic_solid(&mesh.vertices, &mesh.tets, entry.energy, lame()).unwrap();
                mesh.vertices
            } else {
                elasticity = Elasticity::new(mesh.vertices.len());
                elasticity.add_solid(&mesh.vertices, &mesh.tets, entry.energy, lame()).unwrap();
                mesh.vertices.clone()
            };
            let x: Vec<DVec3> = vertices.iter().map(|p| map(*p)).collect();
            let mut gradient = vec![DVec3::ZERO; x.len()];
            elasticity.add_gradient(&x, &mut gradient);
            let size = gradient.iter().fold(0.0_f64, |m, g| m.max(g.length()));
            let mut inner = 0;
            for (force, rest) in gradient.iter().zip(&vertices).filter(|(_, rest)| inside(**rest)) {
                assert!(force.length() < 1e-12 * size, "{} at {rest}: {force}", entry.name);
                inner += 1;
            }
            assert!(inner >= 8 && size > 1.0);
        }
    }
}
