//! Cloth from the `matter` of a body: its surface, welded where asked for, membrane, bending, strain limits and springs.

use super::{Stuff, damping, springs};
use crate::body::ElasticKind;
use crate::elastic::{Bending, ElasticError, Elasticity, Membrane, RestAngles, StrainLimit, masses_of_triangles};
use crate::geometry::{MeshData, Shape, TriangleMesh};
use crate::table::{Fault, View};

/// The cloth that a table describes.
pub(super) fn read(view: &View, shape: &Shape) -> Result<Stuff, Fault> {
    let Shape::Mesh(mesh) = shape else {
        return Err(view.own_fault(format!("a cloth needs a mesh, such as a `grid`, and this is a {}", shape.name())));
    };
    // A rigid mesh can do without triangles that have no area, a cloth cannot: they are elements.
    mesh.whole().map_err(|error| view.own_fault(error))?;
    let mesh = match view.number("weld") {
        None => mesh.clone(),
        Some(distance) => {
            let welded = TriangleMesh::new(mesh.data().welded(distance)).and_then(|mesh| mesh.whole().map(|()| mesh));
            welded.map_err(|error| view.fault("weld", error))?
        }
    };
    let data = mesh.data();
    let elasticity = elasticity(view, data)?;
    let density = view.number("area_density").unwrap_or(0.2);
    let masses = masses_of_triangles(&data.vertices, &data.triangles, density).map_err(|e| view.own_fault(e))?;
    let thickness = view.number("thickness").unwrap_or(0.0);
    let (kind, damping) = (ElasticKind::Cloth, damping(view));
    Ok(Stuff { kind, mesh, masses, elasticity, damping, thickness, quality: None })
}

/// All energies of a cloth.
fn elasticity(view: &View, data: &MeshData) -> Result<Elasticity, Fault> {
    let failed = |error: ElasticError| view.own_fault(error);
    let mut own = Elasticity::new(data.vertices.len());
    own.add_membrane(&data.vertices, &data.uvs, &data.triangles, membrane(view)?).map_err(failed)?;
    if let Some(bending) = bending(view)? {
        own.add_bending(&data.vertices, &data.uvs, &data.triangles, bending).map_err(failed)?;
    }
    if let Some(table) = view.view("strain_limit") {
        let number = |key: &str| table.number(key).unwrap_or(0.0);
        let limit = StrainLimit::new(number("stretch"), number("stiffness")).map_err(|e| table.own_fault(e))?;
        own.add_strain_limits(&data.vertices, &data.triangles, limit).map_err(failed)?;
    }
    springs::add(view, data, &mut own)?;
    Ok(own)
}

fn membrane(view: &View) -> Result<Membrane, Fault> {
    let number = |key: &str| view.number(key);
    let poisson = number("poisson").unwrap_or(0.3);
    let made = match (number("stretch"), number("warp"), number("weft"), number("shear")) {
        (Some(stretch), None, None, None) => Membrane::isotropic(stretch, poisson, 1.0),
        (None, Some(warp), Some(weft), Some(shear)) => Membrane::woven(warp, weft, shear, poisson),
        _ => return Err(view.own_fault("expected `stretch`, or all of `warp`, `weft` and `shear`")),
    };
    made.map_err(|error| view.own_fault(error))
}

/// `None` if the cloth does not resist bending.
fn bending(view: &View) -> Result<Option<Bending>, Fault> {
    view.at_most_one(&["bending", "bending_warp"])?;
    view.at_most_one(&["bending", "bending_weft"])?;
    let made = match (view.number("bending"), view.number("bending_warp"), view.number("bending_weft")) {
        (None, None, None) => return Ok(None),
        (Some(0.0), ..) => return Ok(None),
        (Some(stiffness), ..) => Bending::isotropic(stiffness, RestAngles::Shape),
        (None, Some(warp), Some(weft)) => Bending::woven(warp, weft, RestAngles::Shape),
        _ => return Err(view.own_fault("`bending_warp` and `bending_weft` come together: give both, or `bending`")),
    };
    made.map(Some).map_err(|error| view.own_fault(error))
}
