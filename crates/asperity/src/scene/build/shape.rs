//! Shapes.
//!
//! An arch stone (`sector`) is the hull of (r cos φ, r sin φ, ±depth/2) for both radii and both angles: its joints lie in planes through
//! the z axis. A `revolution` turns points (r, y) to (r sin φ, y, r cos φ); the quad between two points and two angles is split into two
//! triangles, anticlockwise seen from the right of the profile's direction. A closed profile is turned over if its volume is negative.

use std::f64::consts::TAU;
use std::path::Path;

use glam::DVec3;

use super::pose::pose;
use super::terrain::terrain;
use super::view::{Fault, View, whole};
use crate::geometry::{MeshData, Part, Pose, Shape, ShapeError, TriangleMesh};

/// The shape of a table with a `kind`; files are sought in `folder`.
pub(super) fn shape(view: &View, folder: &Path) -> Result<Shape, Fault> {
    let refuse = |error: ShapeError| view.own_fault(error);
    let number = |key: &str| view.number(key).unwrap_or(0.0);
    match view.text("kind").unwrap_or_default() {
        "box" => Shape::cuboid(view.vector("size").unwrap_or_default() * 0.5).map_err(refuse),
        "sphere" => Shape::sphere(number("radius")).map_err(refuse),
        "capsule" => Shape::capsule(0.5 * number("length"), number("radius")).map_err(refuse),
        "cylinder" => Shape::cylinder(0.5 * number("length"), number("radius")).map_err(refuse),
        "half_space" => Shape::half_space(view.vector("normal").unwrap_or(DVec3::Y)).map_err(refuse),
        "hull" => {
            one_source(view, &["points", "file"])?;
            let points = match view.has("file") {
                true => file(view, folder)?.data().vertices.clone(),
                false => points(view, "points"),
            };
            Shape::hull(&scaled(points, scale(view))).map_err(refuse)
        }
        "mesh" => mesh(view, folder).map(Shape::Mesh),
        "compound" => {
            let mut parts = Vec::new();
            for part in view.views("parts") {
                let Some(inner) = part.view("shape") else { continue };
                if matches!(inner.text("kind"), Some("compound" | "half_space")) {
                    let kind = inner.text("kind").unwrap_or_default();
                    return Err(inner.fault("kind", format!("a {kind} cannot be part of a compound")));
                }
                parts.push(Part { pose: pose(&part, Pose::IDENTITY)?, shape: shape(&inner, folder)? });
            }
            Shape::compound(parts).map_err(refuse)
        }
        "sector" => sector(view),
        "revolution" => revolution(view).map(Shape::Mesh),
        "terrain" => terrain(view).map(Shape::Mesh),
        other => Err(view.fault("kind", format!("\"{other}\" is no shape"))),
    }
}

/// Exactly one of the keys must be there.
fn one_source(view: &View, keys: &[&str]) -> Result<(), Fault> {
    view.at_most_one(keys)?;
    match keys.iter().any(|key| view.has(key)) {
        true => Ok(()),
        false => Err(view.own_fault(format!("`{}` is missing", keys.join("` or `")))),
    }
}

fn points(view: &View, key: &str) -> Vec<DVec3> {
    view.list(key).iter().filter_map(|node| node.numbers::<3>()).map(DVec3::from_array).collect()
}

fn scale(view: &View) -> DVec3 {
    view.vector("scale").unwrap_or_else(|| DVec3::splat(view.number("scale").unwrap_or(1.0)))
}

fn scaled(mut points: Vec<DVec3>, scale: DVec3) -> Vec<DVec3> {
    points.iter_mut().for_each(|point| *point *= scale);
    points
}

fn file(view: &View, folder: &Path) -> Result<TriangleMesh, Fault> {
    let path = folder.join(view.text("file").unwrap_or_default());
    TriangleMesh::read(&path).map_err(|error| view.fault("file", error))
}

fn mesh(view: &View, folder: &Path) -> Result<TriangleMesh, Fault> {
    one_source(view, &["vertices", "file"])?;
    view.at_most_one(&["triangles", "file"])?;
    let scale = scale(view);
    if view.has("file") {
        let read = file(view, folder)?;
        if scale == DVec3::ONE {
            return Ok(read);
        }
        let mut data = read.data().clone();
        data.vertices = scaled(data.vertices, scale);
        // Normals go with the inverse: across a surface that is stretched along it they stay across.
        data.normals.iter_mut().for_each(|normal| *normal = (*normal / scale).normalize_or(*normal));
        return TriangleMesh::new(data).map_err(|error| view.fault("file", error));
    }
    if !view.has("triangles") {
        return Err(view.own_fault("`triangles` is missing"));
    }
    let mut triangles = Vec::new();
    for node in view.list("triangles") {
        let corners: Vec<u32> =
            node.list().unwrap_or_default().iter().filter_map(|n| whole(n)?.try_into().ok()).collect();
        triangles.extend(<[u32; 3]>::try_from(corners));
    }
    let data = MeshData { vertices: scaled(points(view, "vertices"), scale), triangles, ..MeshData::default() };
    TriangleMesh::new(data).map_err(|error| view.own_fault(error))
}

fn sector(view: &View) -> Result<Shape, Fault> {
    let number = |key: &str| view.number(key).unwrap_or(0.0);
    let (inner, outer) = (number("inner"), number("outer"));
    if inner >= outer {
        return Err(view.fault("outer", format!("must be larger than inner, which is {inner}")));
    }
    let (from, to) = (number("from_deg"), number("to_deg"));
    if !(to > from && to - from < 180.0) {
        return Err(view.fault("to_deg", format!("must be more than from_deg = {from}, by less than 180")));
    }
    let mut corners = Vec::with_capacity(8);
    for angle in [from, to].map(f64::to_radians) {
        for radius in [inner, outer] {
            for z in [-0.5, 0.5] {
                corners.push(DVec3::new(radius * angle.cos(), radius * angle.sin(), z * number("depth")));
            }
        }
    }
    Shape::hull(&corners).map_err(|error| view.own_fault(error))
}

fn revolution(view: &View) -> Result<TriangleMesh, Fault> {
    let profile: Vec<[f64; 2]> = view.list("profile").iter().filter_map(|node| node.numbers::<2>()).collect();
    if let Some(index) = profile.iter().position(|[r, _]| *r < 0.0) {
        let node = &view.list("profile")[index];
        let path = view.path_of("profile");
        return Err((node.place.clone(), format!("{path}[{index}]: the radius {} is negative", profile[index][0])));
    }
    let loops = profile.len() > 3 && profile.first() == profile.last();
    let solid = loops || profile.first().is_some_and(|p| p[0] == 0.0) && profile.last().is_some_and(|p| p[0] == 0.0);
    let rings = if loops { &profile[..profile.len() - 1] } else { &profile[..] };
    let segments = view.whole("segments").unwrap_or(48) as usize;
    // A ring on the axis is one point.
    let mut vertices = Vec::new();
    let mut first = Vec::new();
    for &[r, y] in rings {
        first.push(vertices.len());
        let count = if r == 0.0 { 1 } else { segments };
        for k in 0..count {
            let (sine, cosine) = (TAU * k as f64 / segments as f64).sin_cos();
            vertices.push(DVec3::new(r * sine, y, r * cosine));
        }
    }
    let vertex = |ring: usize, k: usize| (first[ring] + if rings[ring][0] == 0.0 { 0 } else { k % segments }) as u32;
    let mut triangles = Vec::new();
    let bands = if loops { rings.len() } else { rings.len().saturating_sub(1) };
    for i in 0..bands {
        let j = (i + 1) % rings.len();
        for k in 0..segments {
            let [a, b, c, d] = [vertex(i, k), vertex(i, k + 1), vertex(j, k + 1), vertex(j, k)];
            if a != b {
                triangles.push([a, b, c]);
            }
            if c != d {
                triangles.push([a, c, d]);
            }
        }
    }
    let volume: f64 =
        triangles.iter().map(|t| t.map(|i| vertices[i as usize])).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum();
    if solid && volume < 0.0 {
        triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    let data = MeshData { vertices, triangles, ..MeshData::default() };
    TriangleMesh::new(data).map_err(|error| view.fault("profile", error))
}
