//! The potential around the surface of a body.

use crate::geometry::Shape;
use crate::geometry::potential::{Kernel, PotentialSettings, Radius};
use crate::table::{Fault, View};

/// ε of the interpolating kernel.
const EPSILON: f64 = 1e-3;

/// The key `potential` of a body with this shape, or the mesh of its elastic body; `None` without the key.
pub(super) fn read(view: &View, shape: &Shape) -> Result<Option<PotentialSettings>, Fault> {
    let Some(table) = view.view("potential") else { return Ok(None) };
    if !matches!(shape, Shape::Mesh(_)) {
        return Err(view.fault("potential", format!("a {} has an exact one: nothing is sampled", shape.name())));
    }
    let usual = PotentialSettings::default();
    let kernel = match table.text("kernel") {
        Some("interpolating") => Kernel::Interpolating { epsilon: table.number("epsilon").unwrap_or(EPSILON) },
        _ if table.has("epsilon") => {
            return Err(table.fault("epsilon", "only the kernel \"interpolating\" has one"));
        }
        _ => usual.kernel,
    };
    let radius = table.number("radius").map_or(usual.radius, Radius::Given);
    Ok(Some(PotentialSettings { kernel, radius, open: table.truth("open").unwrap_or(usual.open) }))
}
