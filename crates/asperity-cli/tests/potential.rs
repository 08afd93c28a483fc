//! `asperity potential`: numbers, figures, messages.

mod common;

use common::Bench;

/// An octahedron with the corners at the distance 1, each face cut into n² triangles that stay flat.
fn octahedron(n: u32) -> String {
    let mut text = String::new();
    let mut count = 0;
    for octant in 0..8u32 {
        let sign = |bit: u32| if octant >> bit & 1 == 0 { 1.0 } else { -1.0 };
        let at = |i: u32, j: u32| {
            let [u, v] = [i, j].map(|k| f64::from(k) / f64::from(n));
            format!("v {} {} {}\n", sign(0) * (1.0 - u - v), sign(1) * u, sign(2) * v)
        };
        let turned = sign(0) * sign(1) * sign(2) < 0.0;
        let mut push = |corners: [String; 3]| {
            text += &corners.concat();
            let [a, b, c] = [count + 1, count + 2, count + 3];
            text += &if turned { format!("f {a} {c} {b}\n") } else { format!("f {a} {b} {c}\n") };
            count += 3;
        };
        for i in 0..n {
            for j in 0..n - i {
                push([at(i, j), at(i + 1, j), at(i, j + 1)]);
                if i + j + 1 < n {
                    push([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
                }
            }
        }
    }
    text
}

/// Flat faces are met exactly; edges are rounded, by less than a radius.
#[test]
fn a_surface_is_measured_and_drawn() {
    let bench = Bench::new("potential-octahedron");
    bench.write("eight.obj", &octahedron(8));
    let said = bench.ok(&["potential", "eight.obj", "--radius", "0.2"]);
    assert!(said.contains("eight.obj: 512 samples\n") && said.contains("radius            0.200000 m\n"), "{said}");
    let percent = said.lines().find(|line| line.starts_with("from the mesh")).expect("h_err");
    let value: f64 = percent.split_whitespace().nth(3).and_then(|word| word.parse().ok()).expect("a number");
    assert!((0.1..10.0).contains(&value), "{percent}");
    let svg = String::from_utf8(bench.read("out/eight.svg")).expect("text");
    assert!(svg.contains("zero of the potential") && svg.contains("at z = 0.0000 m"));
    bench.ok(&["potential", "eight.obj", "--across", "x", "--kernel", "interpolating", "--out", "a.png"]);
    assert!(bench.read("a.png").starts_with(b"\x89PNG"));
}

#[test]
fn holes_and_clouds_without_normals_are_refused_by_name() {
    let bench = Bench::new("potential-wrong");
    bench.write("eight.obj", &octahedron(4));
    let hole = bench.refused(&["potential", "eight.obj", "--radius", "0.1"]);
    assert!(hole.contains("eight.obj") && hole.contains("hole") && hole.contains("0.1"), "{hole}");
    let none = bench.refused(&["potential", "eight.obj", "--radius", "0"]);
    assert!(none.contains("--radius 0"), "{none}");
    let header = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n";
    bench.write("bare.ply", &format!("{header}end_header\n0 0 0\n1 0 0\n0 1 0\n"));
    let bare = bench.refused(&["potential", "bare.ply"]);
    assert!(bare.contains("bare.ply") && bare.contains("normals"), "{bare}");
    let normals = "property float nx\nproperty float ny\nproperty float nz\n";
    bench.write("zero.ply", &format!("{header}{normals}end_header\n0 0 0 0 0 1\n1 0 0 0 0 0\n0 1 0 0 0 1\n"));
    let zero = bench.refused(&["potential", "zero.ply"]);
    assert!(zero.contains("vertex[1]") && zero.contains("direction"), "{zero}");
    bench.write("three.ply", &format!("{header}{normals}end_header\n0 0 0 0 0 1\n1 0 0 0 0 2\n0 1 0 0 0 1\n"));
    let open = bench.refused(&["potential", "three.ply"]);
    assert!(open.contains("hole or a border") && open.contains("open = true"), "{open}");
    assert!(bench.ok(&["potential", "three.ply", "--open"]).contains("3 samples"));
}
