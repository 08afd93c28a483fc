//! Elastic bodies from scenes: springs, strain limits, woven bending, seams, solids from files and formulas, bones; against closed forms.

use std::f64::consts::PI;
use std::path::Path;

use glam::DVec3;

use super::{read, with};
use crate::body::Elastic;
use crate::scene::{Document, Scene};

/// A grid of 2 m by 2 m with 2 by 2 cells and these keys of its matter.
fn cloth(matter: &str) -> Scene {
    let text = format!(
        "[body.cloth]\nshape = {{ kind = \"grid\", size = [2, 2], cells = [2, 2] }}\nposition = [0, 1, 0]\nmatter = {{ kind = \"cloth\", stretch = 100, poisson = 0, {matter} }}\n"
    );
    read(&with(&text), None, &[]).unwrap()
}

fn elastic(scene: &Scene) -> &Elastic {
    scene.model.bodies[1].elastic().unwrap()
}

/// What a key adds to the energy of a cloth whose vertices are moved by a map.
fn added(matter: &str, map: impl Fn(DVec3) -> DVec3) -> f64 {
    let energy = |scene: &Scene| {
        let elastic = elastic(scene);
        let moved: Vec<DVec3> = elastic.mesh().data().vertices.iter().map(|x| map(*x)).collect();
        elastic.elasticity().energy(&moved)
    };
    energy(&cloth(matter)) - energy(&cloth(""))
}

#[track_caller]
fn is(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found} instead of {expected}");
}

#[test]
fn springs_pull_between_vertices_places_and_edges() {
    let stretched = |x: DVec3| DVec3::new(1.5 * x.x, x.y, x.z);
    // From −1 to 1 it is 2 m long at rest, and 3 m now: ½ k (3 − 2)².
    is(added("springs = [{ stiffness = 7, near = [[[-1, 0, 0], [1, 0, 0]]] }]", stretched), 3.5);
    // A seam of length 0 that is open by 3 m.
    is(
        added("springs = [{ stiffness = 7, length = 0, near = [[[-1, 0, 0], [1, 0, 0]]] }]", stretched),
        0.5 * 7.0 * 9.0,
    );
    // All six edges along x have 1.5 m instead of 1, those along z stay, the diagonals have √(1.5² + 1) instead of √2; 8 triangles have 8 diagonals as halves of squares: 4.
    let diagonal = (1.5f64.hypot(1.0) - 2f64.sqrt()).powi(2);
    is(added("springs = [{ stiffness = 7, edges = true }]", stretched), 0.5 * 7.0 * (6.0 * 0.25 + 4.0 * diagonal));
}

#[test]
fn strain_limits_resist_beyond_them_only() {
    let by = |stretch: f64| move |x: DVec3| DVec3::new(stretch * x.x, x.y, x.z);
    let limit = "strain_limit = { stretch = 1.2, stiffness = 60 }";
    is(added(limit, by(1.19)), 0.0);
    // k/3 (σ − s)³ on 4 m².
    is(added(limit, by(1.5)), 60.0 / 3.0 * 0.3f64.powi(3) * 4.0);
}

#[test]
fn woven_bending_is_that_of_the_direction() {
    // Folded along z at x = 0 by an angle θ: u runs along x, so that the warp bends. Two edges of 1 m between triangles of ½ m² each have ½ D l²/(A₁ + A₂) θ².
    let fold =
        |angle: f64| move |x: DVec3| if x.x <= 0.0 { x } else { DVec3::new(x.x * angle.cos(), x.x * angle.sin(), x.z) };
    let along_x = added("bending_warp = 3, bending_weft = 0.5", fold(0.4));
    let same = added("bending = 3", fold(0.4));
    is(along_x, same);
    is(along_x, 2.0 * 0.5 * 3.0 * 0.4 * 0.4);
    let fold_z = |x: DVec3| if x.z <= 0.0 { x } else { DVec3::new(x.x, x.z * 0.4f64.sin(), x.z * 0.4f64.cos()) };
    is(added("bending_warp = 3, bending_weft = 0.5", fold_z), 2.0 * 0.5 * 0.5 * 0.4 * 0.4);
}

#[test]
fn a_pattern_is_welded() {
    // Two squares beside each other, each with corners of its own.
    let shape = "{ kind = \"mesh\", vertices = [[0,0,0],[1,0,0],[1,0,-1],[0,0,-1],[1,0,0],[2,0,0],[2,0,-1],[1,0,-1]], triangles = [[0,1,2],[0,2,3],[4,5,6],[4,6,7]] }";
    let scene = |weld: &str| {
        let text = format!(
            "[body.cloth]\nshape = {shape}\nposition = [0, 1, 0]\nmatter = {{ kind = \"cloth\", stretch = 100, bending = 1, area_density = 2{weld} }}\n"
        );
        read(&with(&text), None, &[]).unwrap()
    };
    let (open, closed) = (scene(""), scene(", weld = 1e-6"));
    assert_eq!((elastic(&open).masses().len(), elastic(&closed).masses().len()), (8, 6));
    is(elastic(&closed).mass(), 4.0);
    // The weld is a hinge: one more element.
    assert_eq!(elastic(&closed).elasticity().elements(), elastic(&open).elasticity().elements() + 1);
}

#[test]
fn solids_are_filled_into_capsules_and_formulas() {
    let mass = |shape: &str, matter: &str| {
        let text = format!(
            "[body.gel]\nposition = [0, 2, 0]\ndensity = 1000\nshape = {shape}\nmatter = {{ kind = \"solid\", young = 1e5, {matter} }}\n"
        );
        let scene = read(&with(&text), None, &[]).unwrap();
        let quality = elastic(&scene).quality().unwrap();
        assert!(quality.least.angle > 10.0f64.to_radians() && quality.greatest.angle < 165.0f64.to_radians());
        elastic(&scene).mass()
    };
    let close =
        |found: f64, volume: f64| assert!((found / (1000.0 * volume) - 1.0).abs() < 0.01, "{found}, {volume} m³");
    let capsule = "{ kind = \"capsule\", length = 0.4, radius = 0.2 }";
    close(mass(capsule, "cell = 0.03"), PI * 0.04 * 0.4 + 4.0 / 3.0 * PI * 0.008);
    // A ring: a torus with radii 0.3 and 0.1, 2 π² R r².
    let ring = "inside = \"0.1 - sqrt((sqrt(x*x+z*z)-0.3)^2 + y*y)\", cell = 0.02";
    close(mass("{ kind = \"box\", size = [0.82, 0.22, 0.82] }", ring), 2.0 * PI * PI * 0.3 * 0.01);
    // Two crossed capsules through the centre: twice one of them, without the part that both have.
    let cross = "{ kind = \"compound\", parts = [{ shape = { kind = \"capsule\", length = 0.8, radius = 0.1 } }, { shape = { kind = \"capsule\", length = 0.8, radius = 0.1 }, turn = { axis = [0, 0, 1], angle_deg = 90 } }] }";
    // Two equal cylinders that cross at right angles have 16/3 r³ in common (Archimedes).
    let one = PI * 0.01 * 0.8 + 4.0 / 3.0 * PI * 0.001;
    close(mass(cross, "cell = 0.02"), 2.0 * one - 16.0 / 3.0 * 0.001);
}

#[test]
fn tetrahedra_of_a_file_are_taken_as_they_are() {
    let folder = std::env::temp_dir().join(format!("asperity-tets-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let points = "POINTS 5 double\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n";
    let cells = "CELLS 2 10\n4 0 1 2 3\n4 1 2 3 4\nCELL_TYPES 2\n10\n10\n";
    let text = format!("# vtk DataFile Version 3.0\ntwo\nASCII\nDATASET UNSTRUCTURED_GRID\n{points}{cells}");
    std::fs::write(folder.join("two.vtk"), text).unwrap();
    let scene = with(
        "[body.gel]\nposition = [0, 3, 0]\ndensity = 1200\nshape = { kind = \"mesh\", file = \"two.vtk\", scale = 0.5 }\nmatter = { kind = \"solid\", young = 1e5 }\n",
    );
    let read = |text: &str| Document::parse(text, Path::new(&folder).join("a.toml")).unwrap().scene(None, &[]);
    let made = read(&scene).unwrap();
    // 1/6 and 1/3 m³, times ½³.
    is(elastic(&made).mass(), 1200.0 * (1.0 / 6.0 + 1.0 / 3.0) / 8.0);
    assert_eq!((elastic(&made).masses().len(), elastic(&made).mesh().data().triangles.len()), (5, 6));
    let missing = read(&scene.replace("two.vtk", "three.vtk")).unwrap_err().to_string();
    assert!(missing.contains("three.vtk") && missing.contains("body.gel.shape"), "{missing}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn another_body_is_a_bone() {
    let hand = "[body.hand]\nshape = { kind = \"box\", size = [0.1, 0.1, 0.1] }\nposition = [0, 3, 0]\nmotion = { position = [\"t\", 0, 0], turn = { axis = [0, 1, 0], angle_deg = \"90*t\" } }\n";
    let text = format!(
        "[body.cloth]\nshape = {{ kind = \"grid\", size = [2, 2], cells = [2, 2] }}\nposition = [0, 1, 0]\nmatter = {{ kind = \"cloth\", stretch = 100 }}\npins = [{{ where = \"x - 0.5\", body = \"hand\" }}]\n{hand}"
    );
    let scene = read(&with(&text), None, &[]).unwrap();
    let elastic = elastic(&scene);
    let corner = elastic.mesh().data().vertices.iter().position(|x| *x == DVec3::new(1.0, 0.0, 1.0)).unwrap();
    assert_eq!(elastic.pinned_position(corner, 0.0), Some(DVec3::new(1.0, 1.0, 1.0)));
    // A quarter of a turn about the y axis takes (1, ·, 1) to (1, ·, −1); then 1 m along x.
    let after = elastic.pinned_position(corner, 1.0).unwrap();
    assert!((after - DVec3::new(2.0, 1.0, -1.0)).length() < 1e-12, "{after}");
}
