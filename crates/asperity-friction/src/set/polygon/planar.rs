//! What a set of the contact plane can do besides: derivative of the projection, curvature, polygons around it and
//! inside it.
//!
//! With outward unit normals d_1, …, d_n and a point of the set p_i that is furthest along d_i, the outer polygon is
//! bounded by the lines through p_i with normal d_i; the inner one is the convex hull of the points p_i and the origin.

use std::f64::consts::TAU;

use glam::DVec2;

use super::Polygon;
use crate::error::FrictionError;
use crate::set::{ConvexSet, ProjectionDerivative};
use crate::tangential::Tangential;

/// A set with two rows.
pub trait PlanarSet: ConvexSet {
    /// Derivatives of the projection of `f` onto load·F, for a positive load.
    fn loaded_derivative(&self, load: f64, f: DVec2) -> ProjectionDerivative;

    /// Derivatives of the projection of `f` onto load·F, for any load that is not negative.
    fn project_derivative(&self, load: f64, f: DVec2) -> ProjectionDerivative {
        if load > 0.0 {
            return self.loaded_derivative(load, f);
        }
        ProjectionDerivative::unloaded(self.support_point(Tangential::planar(f)).plane)
    }

    /// Outward normal of the facet at this angle, when the set is replaced by a polygon: evenly spread unless the set
    /// knows better. Must turn once as the angle does.
    fn facet_normal(&self, angle: f64) -> DVec2 {
        DVec2::from_angle(angle)
    }

    /// Radius of curvature of the boundary where `d` (a unit vector) is the outward normal; `None` if the set has a
    /// straight edge somewhere, so that its support function has a kink.
    fn curvature_radius(&self, d: DVec2) -> Option<f64>;

    /// The polygon with at most `n` facets that touches the set from outside.
    fn outer_polygon(&self, n: usize) -> Result<Polygon, FrictionError> {
        tangent_polygon(self, n)
    }

    /// The polygon with at most `n` corners on the boundary of the set, and one at the origin if it would miss that.
    fn inner_polygon(&self, n: usize) -> Result<Polygon, FrictionError> {
        let normals = facet_normals(self, n)?;
        let corners = normals.iter().map(|d| self.support_point(Tangential::planar(*d)).plane);
        // With few corners the hull could miss the origin, and then it would drive.
        Ok(Polygon::hull(corners.chain([DVec2::ZERO]).collect()))
    }
}

/// The polygon of the tangents with `n` normals.
pub(super) fn tangent_polygon<S: PlanarSet + ?Sized>(set: &S, n: usize) -> Result<Polygon, FrictionError> {
    let normals = facet_normals(set, n)?;
    let touch: Vec<DVec2> = normals.iter().map(|d| set.support_point(Tangential::planar(*d)).plane).collect();
    let meet = |i: usize| {
        let j = (i + 1) % n;
        corner(normals[i], touch[i], normals[j], touch[j])
    };
    Ok(Polygon::hull((0..n).map(meet).collect()))
}

fn facet_normals<S: PlanarSet + ?Sized>(set: &S, n: usize) -> Result<Vec<DVec2>, FrictionError> {
    if n < 3 {
        return Err(FrictionError::Count { name: "facets", count: n, expected: "a polygon needs at least 3" });
    }
    Ok((0..n).map(|i| set.facet_normal(TAU * i as f64 / n as f64)).collect())
}

/// Where the lines through p with normal d and through q with normal e meet; p when they are parallel.
fn corner(d: DVec2, p: DVec2, e: DVec2, q: DVec2) -> DVec2 {
    let sine = d.perp_dot(e);
    if sine.abs() < 1e-14 {
        return p;
    }
    p + d.perp() * ((q - p).dot(e) / sine)
}
