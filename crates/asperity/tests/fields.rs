//! Fields on bodies: images, formulas, vertices, time; what they do to a motion, and that asking them costs no memory.

#[path = "common/allocations.rs"]
mod allocations;

use allocations::allocations;
use std::path::{Path, PathBuf};

use asperity::body::Surface;
use asperity::body::surface::{
    BakeError, BakePart, Bits, SurfaceField, SurfaceSite, bake, read_texture, write_texture,
};
use asperity::geometry::{MeshData, Pose, Shape, SkinLookup, TriangleMesh};
use asperity::run::Run;
use asperity::scene::{Document, Scene};
use asperity_friction::field::{Field, PerVertex, Texel, Texture, Wrap};
use glam::{DVec2, DVec3};
use std::sync::Arc;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("asperity-fields-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn scene(text: &str, folder: &Path) -> Result<Scene, String> {
    let document = Document::parse(text, folder.join("test.toml")).map_err(|error| error.to_string())?;
    document.scene(None, &[]).map_err(|error| error.to_string())
}

/// The places of body 1 at all frames.
fn path(scene: Scene) -> Vec<DVec3> {
    let mut run = Run::new(scene).unwrap();
    while !run.is_done() {
        run.step().unwrap();
    }
    run.recording().frames().iter().map(|frame| frame.states[1].pose.position).collect()
}

fn slope(structure: &str) -> String {
    format!(
        "title = \"t\"\ntime = {{ dt = 0.01, end = 2 }}\n\
         [pair_default]\nlaw = {{ kind = \"matchstick\", mu = 0.3, mu_t = 0.2, mu_b = 1.5 }}\n\
         [body.plane]\nshape = {{ kind = \"box\", size = [9, 0.4, 7] }}\nmotion = \"static\"\n\
         turn = {{ axis = [0, 0, 1], angle_deg = 20 }}\nstructure = {structure}\n\
         [body.plate]\nshape = {{ kind = \"box\", size = [0.2, 0.02, 0.2] }}\nposition = [2.7472536, 1.2233959, 1.5]\n\
         turn = {{ axis = [0, 0, 1], angle_deg = 20 }}\n"
    )
}

#[test]
fn a_texture_and_its_formula_give_the_same_motion_within_its_resolution() {
    let folder = folder("same");
    let formula = "\"[1, 0, 0.6*z]\"";
    let exact = path(scene(&slope(formula), &folder).unwrap());
    let straight = path(scene(&slope("\"none\""), &folder).unwrap());
    let apart = |other: &[DVec3]| exact.iter().zip(other).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(apart(&straight) > 0.5, "the field matters: {}", apart(&straight));
    let mut errors = Vec::new();
    for side in [12, 48] {
        let source = scene(&slope(formula), &folder).unwrap();
        let plane = &source.model.bodies[0];
        let lines = bake(&plane.surface, plane.shape().unwrap(), side, 0.0, BakePart::Face(DVec3::Y)).unwrap();
        std::fs::write(folder.join("f.png"), write_texture(side, side, &lines, Bits::Sixteen).unwrap()).unwrap();
        let text = slope("{ field = \"texture\", file = \"f.png\", wrap = \"clamp\" }");
        errors.push(apart(&path(scene(&text, &folder).unwrap())));
    }
    // Texels of h = 7/48 m: a chord of the angle atan(0.6 z), whose second derivative is below 0.24, is off by h²/8 of that, on a way of
    // 3 m: 2 mm. Texels of four times the size: sixteen times as much at most.
    assert!(errors[1] < 2.5e-3 && errors[0] < 0.04, "{errors:?}");
    assert!(errors[1] < 0.3 * errors[0], "{errors:?}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_baked_texture_gives_the_field_back() {
    let shapes = [
        (Shape::half_space(DVec3::Y).unwrap(), BakePart::Whole, "[1, 0, 0.3*sin(x)]"),
        (Shape::sphere(0.5).unwrap(), BakePart::Whole, "[y, 0.3 - x, z]"),
        (Shape::cuboid(DVec3::new(0.5, 0.2, 0.8)).unwrap(), BakePart::Face(DVec3::Y), "[1, 0, x]"),
        (Shape::capsule(0.5, 0.2).unwrap(), BakePart::Whole, "[cos(6*u), 1]"),
    ];
    for (shape, part, text) in shapes {
        let formula = asperity::body::surface::Formula::parse(text).unwrap();
        let skin = Some(Arc::new(SkinLookup::new(&shape)));
        let surface = Surface { structure: Some(SurfaceField::Formula(Arc::new(formula))), skin, ..Surface::default() };
        let side = 256;
        let lines = bake(&surface, &shape, side, 0.0, part).unwrap();
        let place = folder("back").join("f.png");
        std::fs::write(&place, write_texture(side, side, &lines, Bits::Sixteen).unwrap()).unwrap();
        let mut texture = read_texture(&place).unwrap();
        texture.wrap = [Wrap::Repeat, Wrap::Clamp];
        let painted = Surface { structure: Some(SurfaceField::Texture(texture)), ..surface.clone() };
        let mut checked = 0;
        for i in 0..400 {
            let f = |k: i32| f64::from((i * k) % 97) / 97.0 - 0.5;
            let at = surface.skin.as_ref().unwrap().at(DVec3::new(f(13), f(29), f(41)), DVec3::ZERO);
            let facing = |d: DVec3| at.normal.dot(d) > 0.99;
            // Near poles the frame turns within a texel; at edges the filter repeats the other side.
            let inner = at.uv.min(DVec2::ONE - at.uv).min_element() > 0.02;
            let pole = matches!(shape.name(), "sphere" | "capsule") && at.normal.y.abs() > 0.95;
            if !inner || pole || matches!(part, BakePart::Face(d) if !facing(d)) {
                continue;
            }
            let s = surface.structure_at(&at, 0.0).unwrap();
            let s = (s - at.normal * s.dot(at.normal)).normalize_or_zero();
            let back = painted.structure_at(&at, 0.0).unwrap();
            // Where the direction stands nearly upright, its line in the surface turns fast.
            if s == DVec3::ZERO || surface.structure_at(&at, 0.0).unwrap().normalize().dot(at.normal).abs() > 0.95 {
                continue;
            }
            assert!(s.cross(back).length() < 0.02, "{} {at:?}: {s} {back}", shape.name());
            checked += 1;
        }
        assert!(checked > 20, "{}: {checked}", shape.name());
    }
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let formula = asperity::body::surface::Formula::parse("[1, 0.3, 0]").unwrap();
    let surface = Surface { structure: Some(SurfaceField::Formula(Arc::new(formula))), ..Surface::default() };
    assert!(matches!(bake(&surface, &cube, 16, 0.0, BakePart::Whole), Err(BakeError::Shared { .. })));
}

#[test]
fn a_field_that_is_switched_lets_go_of_a_block_at_rest() {
    let keys =
        "{ field = \"timeline\", keys = [{ t = 0, structure = [0, 0, 1] }, { t = 1, structure = \"[1, 0, 0]\" }] }";
    let places = path(scene(&slope(keys).replace("mu_t = 0.2", "mu_t = 0.1"), &folder("switch")).unwrap());
    let start = places[0];
    let half = places[places.len() / 2];
    assert!(half.distance(start) < 1e-6, "it rests until the grain turns: {}", half.distance(start));
    // Then g (sin 20° − 0.1 cos 20°) for a second.
    let tilt = 20f64.to_radians();
    let expected = 0.5 * 9.81 * (tilt.sin() - 0.1 * tilt.cos());
    let gone = places[places.len() - 1].distance(start);
    assert!((gone - expected).abs() < 0.02 * expected, "{gone} instead of {expected}");
}

/// Two squares side by side along x with a seam between them: u runs from ½ to 1 on the left and from 0 to ½ on the right.
fn seamed() -> TriangleMesh {
    let mut data = MeshData::default();
    for (x0, u0) in [(-1.0, 0.5), (0.0, 0.0)] {
        let first = data.vertices.len() as u32;
        for (i, j) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
            data.vertices.push(DVec3::new(x0 + i, 0.0, -j));
            data.uvs.push(DVec2::new(u0 + 0.5 * i, j));
        }
        data.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    TriangleMesh::new(data).unwrap()
}

#[test]
fn a_seam_is_not_blended() {
    // Across u on the left half of the image, where the right square is; along u on the right half.
    let texel = |u: f64| if u < 0.5 { Texel::new(0.5, 1.0, 1.0) } else { Texel::new(1.0, 0.5, 1.0) };
    let mut texture = Texture::new(64, 1, (0..64).map(|i| texel((f64::from(i) + 0.5) / 64.0)).collect()).unwrap();
    texture.wrap = [Wrap::Clamp; 2];
    let shape = Shape::Mesh(seamed());
    let surface = Surface {
        structure: Some(SurfaceField::Texture(texture)),
        skin: Some(Arc::new(SkinLookup::new(&shape))),
        ..Surface::default()
    };
    for x in [-0.9, -0.5, -0.1, -1e-3, 1e-3, 0.1, 0.5, 0.9] {
        let sample =
            surface.sample(&SurfaceSite::on_rigid(&Pose::IDENTITY, DVec3::new(x, 0.0, -0.4), DVec3::Y), 0.0).unwrap();
        let expected = if x < 0.0 { DVec3::X } else { DVec3::Z };
        assert!(sample.structure.cross(expected).length() < 1e-6, "{x}: {}", sample.structure);
    }
}

#[test]
fn directions_at_vertices_are_used_on_the_triangle_that_is_touched() {
    let mesh = "shape = { kind = \"mesh\", vertices = [[0, 0, 0], [2, 0, 0], [2, 0, -2], [0, 0, -2]], \
                triangles = [[0, 1, 2], [0, 2, 3]] }";
    let text = |structure: &str| {
        format!(
            "title = \"t\"\ntime = {{ dt = 0.01, end = 1 }}\n[body.a]\nmotion = \"static\"\n{mesh}\nstructure = {structure}\n"
        )
    };
    let folder = folder("vertices");
    let directions = "[[1, 0, 0], [1, 0, 0], [1, 0, 0], [0, 0, 1]]";
    let made = scene(&text(&format!("{{ field = \"per_vertex\", directions = {directions} }}")), &folder).unwrap();
    let surface = &made.model.bodies[0].surface;
    let at = |x: f64, z: f64| {
        surface.sample(&SurfaceSite::on_rigid(&Pose::IDENTITY, DVec3::new(x, 0.0, z), DVec3::Y), 0.0).unwrap().structure
    };
    assert!(at(1.5, -0.2).cross(DVec3::X).length() < 1e-12);
    assert!(at(0.001, -1.999).cross(DVec3::Z).length() < 2e-3);
    // On the second triangle at (0.5, −1.5): weights ¼ for vertices 0 and 2, ½ for vertex 3.
    assert!(at(0.5, -1.5).cross(DVec3::new(1.0, 0.0, 1.0)).length() < 1e-12);
    for (structure, parts) in [
        ("{ field = \"per_vertex\", directions = [[1, 0, 0]] }", ["a list of 1", "4 vertices"]),
        ("{ field = \"texture\", file = \"a.png\" }", ["needs texture coordinates", "vt lines"]),
        ("\"[u, 0, 1]\"", ["needs texture coordinates", "mesh"]),
        ("\"uv\"", ["needs texture coordinates", "mesh"]),
        (
            "{ field = \"timeline\", keys = [{ t = 1, structure = [1, 0, 0] }, { t = 0, structure = \"none\" }] }",
            ["keys", "later"],
        ),
        ("{ field = \"texture\", file = \"a.png\", warp = \"clamp\" }", ["warp", "did you mean `wrap`?"]),
        ("{ field = \"formula\", direction = \"[1, 2, 3, 4]\" }", ["expected", "[a, b, c]"]),
    ] {
        let error = scene(&text(structure), &folder).unwrap_err();
        parts.iter().for_each(|part| assert!(error.contains(part), "{structure}: {error}"));
        assert!(error.contains("test.toml:6"), "{error}");
    }
    let ball = text("{ field = \"per_vertex\", directions = [[1, 0, 0]] }")
        .replace(mesh, "shape = { kind = \"sphere\", radius = 1 }");
    assert!(scene(&ball, &folder).unwrap_err().contains("needs a mesh"));
}

#[test]
fn asking_a_surface_allocates_nothing() {
    let shapes = [
        Shape::sphere(0.5).unwrap(),
        Shape::cuboid(DVec3::ONE).unwrap(),
        Shape::cylinder(1.0, 0.5).unwrap(),
        Shape::half_space(DVec3::Y).unwrap(),
        Shape::Mesh(seamed()),
    ];
    let formula =
        asperity::body::surface::Formula::parse("[1 + x*y, sin(4*u)*cos(v) - t^2, exp(-z)/(1 + x^2)]").unwrap();
    let fields = [
        SurfaceField::Texture(Texture::new(2, 2, vec![Texel::new(0.9, 0.6, 1.0); 4]).unwrap()),
        SurfaceField::Formula(Arc::new(formula)),
        SurfaceField::Skin,
        Field::PerVertex(PerVertex { directions: vec![DVec3::X; 8], triangles: vec![[0, 1, 2]; 4] }).into(),
    ];
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1u8; 100]))), 1, "the counter counts");
    for shape in &shapes {
        for field in &fields {
            let surface = Surface {
                structure: Some(field.clone()),
                skin: Some(Arc::new(SkinLookup::new(shape))),
                ..Surface::default()
            };
            let mut sum = DVec3::ZERO;
            let count = allocations(|| {
                for i in 0..100 {
                    let point = DVec3::new(0.01 * f64::from(i), 0.3, -0.4);
                    sum += surface
                        .sample(&SurfaceSite::on_rigid(&Pose::IDENTITY, point, DVec3::Y), 0.1)
                        .unwrap()
                        .structure;
                }
            });
            assert_eq!(count, 0, "{} {field:?}", shape.name());
            assert!(sum.is_finite());
        }
    }
}
