//! A thick tube under inner pressure against Lamé's solution.

use asperity::elastic::{Elasticity, Lame, SolidEnergy};
use asperity::geometry::volume::TetMesh;
use glam::DVec3;

use crate::statics::Statics;

const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.3;
const PRESSURE: f64 = 1.0;
const INNER: f64 = 0.5;
const OUTER: f64 = 1.0;

/// Displacement of a tube with free ends: u_r = c ((1 − ν) r + (1 + ν) b²/r), u_y = −2ν c y, c = p a²/(Y (b² − a²)).
fn lame_displacement(p: DVec3) -> DVec3 {
    let radius = p.x.hypot(p.z);
    let c = PRESSURE * INNER * INNER / (YOUNG * (OUTER * OUTER - INNER * INNER));
    let outward = c * ((1.0 - POISSON) + (1.0 + POISSON) * OUTER * OUTER / (radius * radius));
    DVec3::new(outward * p.x, -2.0 * POISSON * c * p.y, outward * p.z)
}

/// Largest error of the displacement, relative to that of the inner wall.
fn error(around: u32, through: u32) -> f64 {
    let mesh = TetMesh::tube([INNER, OUTER], 0.4, [around, through, 2]).unwrap().quadratic();
    let mut elasticity = Elasticity::new(mesh.vertices.len());
    let lame = Lame::from_young(YOUNG, POISSON).unwrap();
    elasticity.add_quadratic_solid(&mesh.vertices, &mesh.tets, SolidEnergy::Linear, lame).unwrap();
    let mut forces = vec![DVec3::ZERO; mesh.vertices.len()];
    for [a, b, c, nodes @ ..] in mesh.boundary().unwrap() {
        let [pa, pb, pc] = [a, b, c].map(|v| mesh.vertices[v as usize]);
        let wall = [pa, pb, pc].iter().all(|p| (p.x.hypot(p.z) - INNER).abs() < 1e-9);
        if wall {
            let push = -PRESSURE * 0.5 * (pb - pa).cross(pc - pa);
            nodes.iter().for_each(|v| forces[*v as usize] += push / 3.0);
        }
    }
    // Three vertices are held where they must come to be: the tube floats otherwise.
    let outer: Vec<usize> = (0..mesh.vertices.len())
        .filter(|v| {
            let p = mesh.vertices[*v];
            p.y < -0.199 && (p.x.hypot(p.z) - OUTER).abs() < 1e-9
        })
        .collect();
    let three = [0, outer.len() / 3, 2 * outer.len() / 3].map(|k| outer[k]);
    let held = |v: usize| three.contains(&v);
    let exact: Vec<DVec3> = mesh.vertices.iter().map(|p| *p + lame_displacement(*p)).collect();
    let mut start = mesh.vertices.clone();
    three.iter().for_each(|v| start[*v] = exact[*v]);
    let statics = Statics { elasticity: &elasticity, rest: &mesh.vertices, held: &held, forces: &forces };
    let solution = statics.solve(&start, 1e-15 * YOUNG);
    let scale = lame_displacement(DVec3::new(INNER, 0.0, 0.0)).length();
    solution.x.iter().zip(&exact).map(|(x, exact)| x.distance(*exact) / scale).fold(0.0, f64::max)
}

#[test]
fn a_tube_under_pressure_has_the_displacement_of_lame_to_second_order() {
    let errors = [(16, 2), (32, 4), (64, 8)].map(|(around, through)| error(around, through));
    let orders = [errors[0] / errors[1], errors[1] / errors[2]].map(f64::log2);
    assert!(errors[2] < 0.005, "{errors:?}");
    assert!(orders.iter().all(|order| (1.6..2.6).contains(order)), "{errors:?} {orders:?}");
}
