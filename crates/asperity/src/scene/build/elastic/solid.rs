//! Solids from the `matter` of a body: tetrahedra that fill its shape or that its file has, an energy, springs.

use std::path::Path;

use glam::DVec3;

use super::{Stuff, damping, springs};
use crate::body::ElasticKind;
use crate::elastic::{
    ElasticError, Elasticity, Lame, SOLID_ENERGIES, SolidEnergy, masses_of_quadratic_tets, masses_of_tets,
};
use crate::expression::Expression;
use crate::geometry::volume::{QuadraticTetMesh, RoundBar, TetMesh, VolumeError, VolumeMesh};
use crate::geometry::{Capsule, MeshData, Part, Pose, Shape, Sphere, TriangleMesh};
use crate::table::{Fault, View, whole};

/// What a solid is made from.
pub(in crate::scene::build) struct Block<'a> {
    /// The table of the shape.
    pub(in crate::scene::build) table: &'a View<'a>,
    pub(in crate::scene::build) shape: &'a Shape,
    /// Where the files of the scene are.
    pub(in crate::scene::build) folder: &'a Path,
    /// kg/m³.
    pub(in crate::scene::build) density: f64,
}

/// The solid that a table describes.
pub(super) fn read(view: &View, block: &Block) -> Result<Stuff, Fault> {
    let failed = |error: ElasticError| view.own_fault(error);
    let broken = |error: VolumeError| view.own_fault(error);
    let lame = Lame::from_young(view.number("young").unwrap_or(1e5), view.number("poisson").unwrap_or(0.4));
    let lame = lame.map_err(failed)?;
    let energy = view.text("energy").and_then(SolidEnergy::named).unwrap_or(SOLID_ENERGIES[0].energy);
    let mesh = match (volume(view, block)?, view.whole("order")) {
        (VolumeMesh::Linear(mesh), Some(2)) => VolumeMesh::Quadratic(mesh.quadratic()),
        (mesh, _) => mesh,
    };
    let (data, masses, mut elasticity, quality);
    match mesh {
        VolumeMesh::Quadratic(mesh) => {
            let mut own = Elasticity::new(mesh.vertices.len());
            own.add_quadratic_solid(&mesh.vertices, &mesh.tets, energy, lame).map_err(failed)?;
            masses = masses_of_quadratic_tets(&mesh.vertices, &mesh.tets, block.density).map_err(failed)?;
            quality = corners(&mesh).quality();
            let triangles = mesh.boundary_triangles().map_err(broken)?;
            (data, elasticity) = (MeshData { vertices: mesh.vertices, triangles, ..MeshData::default() }, own);
        }
        VolumeMesh::Linear(mesh) => {
            let mut own = Elasticity::new(mesh.vertices.len());
            own.add_solid(&mesh.vertices, &mesh.tets, energy, lame).map_err(failed)?;
            masses = masses_of_tets(&mesh.vertices, &mesh.tets, block.density).map_err(failed)?;
            quality = mesh.quality();
            let triangles = mesh.boundary().map_err(broken)?;
            (data, elasticity) = (MeshData { vertices: mesh.vertices, triangles, ..MeshData::default() }, own);
        }
    }
    springs::add(view, &data, &mut elasticity)?;
    let mesh = TriangleMesh::new(data).map_err(|error| view.own_fault(error))?;
    let (kind, damping) = (ElasticKind::Solid, damping(view));
    Ok(Stuff { kind, mesh, masses, elasticity, damping, thickness: 0.0, quality })
}

/// A quadratic mesh without the nodes on its edges: with straight edges it has the same dihedral angles.
fn corners(mesh: &QuadraticTetMesh) -> TetMesh {
    TetMesh { vertices: mesh.vertices.clone(), tets: mesh.corner_tets() }
}

/// The tetrahedra of a solid.
fn volume(view: &View, block: &Block) -> Result<VolumeMesh, Fault> {
    refuse_unused(view, block.shape)?;
    if let Some(text) = view.text("inside") {
        return region(view, text, block.shape).map(VolumeMesh::Linear);
    }
    if !view.has("cell")
        && let Some(found) = from_file(block)?
    {
        return Ok(found);
    }
    filled(view, block.shape).map(VolumeMesh::Linear)
}

/// Refuses keys that have no meaning for a shape.
fn refuse_unused(view: &View, shape: &Shape) -> Result<(), Fault> {
    let unused: &[&str] = match shape {
        _ if view.has("inside") => &["cells", "rings", "layers"],
        Shape::Box(_) => &["layers", "rings", "cell"],
        Shape::Sphere(_) => &["cells", "rings", "cell"],
        Shape::Cylinder(_) => &["cells", "cell"],
        _ => &["cells", "rings", "layers"],
    };
    match unused.iter().find(|key| view.has(key)) {
        Some(key) => Err(view.fault(key, format!("has no meaning for a {}", shape.name()))),
        None => Ok(()),
    }
}

/// The tetrahedra that the file of a mesh has; `None` if it has none, or if the shape has no such file.
fn from_file(block: &Block) -> Result<Option<VolumeMesh>, Fault> {
    let name = block.table.text("file").filter(|_| matches!(block.shape, Shape::Mesh(_)));
    let Some(name) = name.filter(|name| [".msh", ".vtk"].iter().any(|end| name.to_ascii_lowercase().ends_with(end)))
    else {
        return Ok(None);
    };
    let scale = block.table.vector("scale");
    let scale = scale.unwrap_or_else(|| DVec3::splat(block.table.number("scale").unwrap_or(1.0)));
    match VolumeMesh::read(&block.folder.join(name)) {
        Ok(mut mesh) => {
            let vertices = match &mut mesh {
                VolumeMesh::Linear(mesh) => &mut mesh.vertices,
                VolumeMesh::Quadratic(mesh) => &mut mesh.vertices,
            };
            vertices.iter_mut().for_each(|x| *x *= scale);
            Ok(Some(mesh))
        }
        Err(VolumeError::NoTets { .. }) => Ok(None),
        Err(error) => Err(block.table.fault("file", error)),
    }
}

/// The edge of the lattice that fills a shape, m.
fn cell(view: &View, shape: &Shape) -> f64 {
    let bounds = shape.aabb(&Pose::IDENTITY);
    view.number("cell").unwrap_or(0.1 * (bounds.max - bounds.min).max_element())
}

/// Where a formula is positive within the box of a shape.
fn region(view: &View, text: &str, shape: &Shape) -> Result<TetMesh, Fault> {
    let formula = Expression::parse(text, &["x", "y", "z"]).map_err(|error| view.fault("inside", error))?;
    let depth = |p: DVec3| formula.value(&p.to_array());
    TetMesh::fill(&shape.aabb(&Pose::IDENTITY), cell(view, shape), &depth).map_err(|e| view.fault("inside", e))
}

/// The tetrahedra that fill a shape.
fn filled(view: &View, shape: &Shape) -> Result<TetMesh, Fault> {
    let count = |key: &str, otherwise: u32| view.whole(key).map_or(otherwise, |n| n as u32);
    let made = match shape {
        Shape::Box(cuboid) => {
            let cells: Vec<u32> = view.list("cells").iter().filter_map(|node| whole(node)?.try_into().ok()).collect();
            TetMesh::cuboid(2.0 * cuboid.half, if let [x, y, z] = cells[..] { [x, y, z] } else { [4; 3] })
        }
        Shape::Sphere(sphere) => TetMesh::ball(sphere.radius, count("layers", 4)),
        Shape::Cylinder(own) => {
            TetMesh::cylinder(own.radius, 2.0 * own.half_length, count("rings", 3), count("layers", 4))
        }
        Shape::Mesh(surface) => {
            surface.closed().map_err(|error| view.own_fault(format!("a solid needs a closed surface: {error}")))?;
            TetMesh::fill_surface(surface, cell(view, shape))
        }
        other => match bars(other) {
            Some(bars) => TetMesh::fill_bars(&bars, cell(view, shape)),
            None => {
                let known = "a box, a sphere, a cylinder, a capsule, a compound of spheres and capsules, a closed mesh, or any shape with a formula `inside`";
                return Err(view.own_fault(format!("a solid is made from {known}, and this is a {}", shape.name())));
            }
        },
    };
    made.map_err(|error| view.own_fault(error))
}

/// The round bars that a shape is made of; `None` if it is not.
fn bars(shape: &Shape) -> Option<Vec<RoundBar>> {
    let bar = |shape: &Shape, pose: &Pose| match shape {
        Shape::Sphere(Sphere { radius }) => Some(RoundBar { ends: [pose.position; 2], radius: *radius }),
        Shape::Capsule(Capsule { half_length, radius }) => {
            Some(RoundBar { ends: [-1.0, 1.0].map(|s| pose.apply(s * *half_length * DVec3::Y)), radius: *radius })
        }
        _ => None,
    };
    match shape {
        Shape::Compound(compound) => compound.parts.iter().map(|Part { pose, shape }| bar(shape, pose)).collect(),
        other => bar(other, &Pose::IDENTITY).map(|bar| vec![bar]),
    }
}
