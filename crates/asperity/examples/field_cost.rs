//! What a look at a field costs: nanoseconds for each kind of skin and field.
//!
//!     cargo run --release -p asperity --example field_cost

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use asperity::body::Surface;
use asperity::body::surface::{Formula, SurfaceField, SurfaceSite};
use asperity::geometry::{MeshData, Pose, Shape, SkinLookup, TriangleMesh};
use asperity_friction::field::{Texel, Texture};
use glam::{DVec2, DVec3};

const ROUNDS: u32 = 400_000;

/// A bumpy sheet of 2 n² triangles with texture coordinates.
fn sheet(n: u32) -> Shape {
    let mut data = MeshData::default();
    for j in 0..=n {
        for i in 0..=n {
            let (u, v) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
            data.vertices.push(DVec3::new(u - 0.5, 0.05 * (7.0 * u).sin() * (5.0 * v).cos(), 0.5 - v));
            data.uvs.push(DVec2::new(u, v));
        }
    }
    for j in 0..n {
        for i in 0..n {
            let a = j * (n + 1) + i;
            data.triangles.extend([[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]);
        }
    }
    Shape::Mesh(TriangleMesh::new(data).expect("a sheet"))
}

/// Nanoseconds a call.
fn measure(mut call: impl FnMut(DVec3, DVec3) -> DVec3) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let began = Instant::now();
        let mut sum = DVec3::ZERO;
        for i in 0..ROUNDS {
            let a = f64::from(i) * 0.618;
            // Points on the sheet and near the primitives.
            let point = DVec3::new(a.fract() - 0.5, 0.05 * (7.0 * a.fract()).sin(), (a * 1.7).fract() - 0.5);
            sum += call(black_box(point), DVec3::Y);
        }
        black_box(sum);
        best = best.min(began.elapsed().as_secs_f64());
    }
    best * 1e9 / f64::from(ROUNDS)
}

fn main() {
    let shapes = [
        ("half_space", Shape::half_space(DVec3::Y).expect("a plane")),
        ("box", Shape::cuboid(DVec3::new(0.5, 0.1, 0.5)).expect("a box")),
        ("sphere", Shape::sphere(0.4).expect("a ball")),
        ("capsule", Shape::capsule(0.3, 0.2).expect("a capsule")),
        ("cylinder", Shape::cylinder(0.2, 0.4).expect("a cylinder")),
        ("mesh of 200 triangles", sheet(10)),
        ("mesh of 20000 triangles", sheet(100)),
    ];
    let texture =
        SurfaceField::Texture(Texture::new(512, 512, vec![Texel::new(0.8, 0.4, 1.0); 512 * 512]).expect("texels"));
    let formula = |text: &str| SurfaceField::Formula(Arc::new(Formula::parse(text).expect("a formula")));
    let fields = [
        ("texture", texture),
        ("[1, 0, 0.6*z]", formula("[1, 0, 0.6*z]")),
        ("[1, 0, 0.3*sin(4*x)]", formula("[1, 0, 0.3*sin(4*x)]")),
    ];
    for (name, shape) in &shapes {
        let lookup = SkinLookup::new(shape);
        println!("{name:24} point {:7.1} ns", measure(|point, outward| lookup.at(point, outward).tangent));
        for (field, value) in &fields {
            let skin = Some(Arc::new(SkinLookup::new(shape)));
            let surface = Surface { structure: Some(value.clone()), skin, ..Surface::default() };
            let pose = Pose::IDENTITY;
            let ask = |point, outward| {
                surface.sample(&SurfaceSite::on_rigid(&pose, point, outward), 0.5).map_or(DVec3::ZERO, |s| s.structure)
            };
            println!("{:24} sample {field}: {:.1} ns", "", measure(ask));
        }
    }
    for (name, field) in &fields[1..] {
        let place = Surface { structure: Some(field.clone()), ..Surface::default() };
        let ask = |point, _| place.structure_at(&place.point(point, DVec3::Y), 0.5).unwrap_or_default();
        println!("{name:24} alone {:7.1} ns", measure(ask));
    }
}
