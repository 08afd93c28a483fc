//! A direction at each vertex of the skin mesh, interpolated over triangles.
//!
//! Directions are lines: before they are added with barycentric weights their signs are made to agree within the
//! triangle, so that a field painted with arbitrary signs does not cancel. A vertex without direction takes no part.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::{StructureField, SurfacePoint};
use crate::error::FrictionError;

/// Directions at vertices and the triangles between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerVertex {
    /// One direction a vertex, in the body's frame; zero where there is no structure.
    pub directions: Vec<DVec3>,
    /// Vertices of each triangle of the skin.
    pub triangles: Vec<[u32; 3]>,
}

impl StructureField for PerVertex {
    fn validate(&self) -> Result<(), FrictionError> {
        if let Some(bad) = self.directions.iter().find(|d| !d.is_finite()) {
            return Err(FrictionError::NotFinite { name: "direction of a vertex", value: *bad });
        }
        let count = self.directions.len();
        for index in self.triangles.iter().flatten() {
            if *index as usize >= count {
                return Err(FrictionError::Index { name: "vertex", index: *index as usize, count });
            }
        }
        Ok(())
    }

    fn direction(&self, at: &SurfacePoint) -> Result<DVec3, FrictionError> {
        let count = self.triangles.len();
        let Some(corners) = self.triangles.get(at.triangle) else {
            return Err(FrictionError::Index { name: "triangle", index: at.triangle, count });
        };
        let mut lines = [DVec3::ZERO; 3];
        for (line, index) in lines.iter_mut().zip(corners) {
            *line = self.corner(*index)?.normalize_or_zero();
        }
        // The corner with the largest weight sets the sign, so that the answer does not depend on the corners' order.
        let weight = |i: usize| if lines[i] == DVec3::ZERO { f64::NEG_INFINITY } else { at.barycentric[i] };
        let lead = (1..3).fold(0, |m, i| if weight(i) > weight(m) { i } else { m });
        let mut sum = DVec3::ZERO;
        for (line, weight) in lines.iter().zip(at.barycentric) {
            let sign = if line.dot(lines[lead]) < 0.0 { -1.0 } else { 1.0 };
            sum += *line * (weight * sign);
        }
        Ok(sum)
    }
}

impl PerVertex {
    fn corner(&self, index: u32) -> Result<DVec3, FrictionError> {
        let count = self.directions.len();
        self.directions.get(index as usize).copied().ok_or(FrictionError::Index {
            name: "vertex",
            index: index as usize,
            count,
        })
    }
}
