//! The corners that a friction set gives to a linear complementarity problem: its own, or those of a polygon in its
//! place.

use asperity_friction::set::{AsymmetricBox, ConvexSet, Ellipse, FrictionSet};
use glam::DVec2;

use super::{FacetSide, Pivoting};

/// One part of a contact's tangential rows with its polygon.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PolygonPart {
    /// Which two rows of the contact: 1 for (t, b), 4 for rolling.
    pub(super) row: usize,
    /// Corners for unit load, counter-clockwise; without the origin, which costs nothing.
    pub(super) corners: Vec<DVec2>,
    /// Whether the polygon is the set.
    pub(super) exact: bool,
}

/// The parts of a set; `None` if it has spin.
pub(super) fn parts(set: &FrictionSet, settings: &Pivoting) -> Option<Vec<PolygonPart>> {
    let mut all = vec![];
    let sliding = if let FrictionSet::Rolling(rolling) = set {
        all.push(part(4, &(*rolling.rolling()).into(), settings)?);
        rolling.sliding()
    } else {
        set
    };
    all.insert(0, part(1, sliding, settings)?);
    Some(all)
}

fn part(row: usize, set: &FrictionSet, settings: &Pivoting) -> Option<PolygonPart> {
    let (corners, exact) = match own_corners(set) {
        Some(own) if own.len() <= settings.corners => (own, true),
        own => {
            // A polygon with too many corners is cut down to as many as are taken, a round set to the facets asked for.
            let count = if own.is_some() { settings.corners } else { settings.facets };
            let planar = set.planar()?;
            let polygon = match settings.side {
                FacetSide::Outer => planar.outer_polygon(count),
                FacetSide::Inner => planar.inner_polygon(count),
            };
            (polygon.ok()?.vertices().to_vec(), false)
        }
    };
    Some(PolygonPart { row, corners: without_origin(corners), exact })
}

/// The corners of sets that have them.
fn own_corners(set: &FrictionSet) -> Option<Vec<DVec2>> {
    match set {
        FrictionSet::Polygon(polygon) => Some(polygon.vertices().to_vec()),
        FrictionSet::AsymmetricBox(bounds) => Some(box_corners(bounds).to_vec()),
        FrictionSet::Zonotope(zonotope) if zonotope.disk_radius() == 0.0 => Some(zonotope.core().vertices().to_vec()),
        FrictionSet::Ellipse(ellipse) => segment(ellipse),
        _ if set.radius() == 0.0 => Some(Vec::new()),
        _ => None,
    }
}

fn box_corners(bounds: &AsymmetricBox) -> [DVec2; 4] {
    let (ahead, back, axis) = (bounds.ahead(), -bounds.back(), bounds.axis());
    let corner = |t: f64, b: f64| axis * t + axis.perp() * b;
    [corner(ahead.x, ahead.y), corner(back.x, ahead.y), corner(back.x, back.y), corner(ahead.x, back.y)]
}

/// The ends of an ellipse without width.
fn segment(ellipse: &Ellipse) -> Option<Vec<DVec2>> {
    let ([along, across], axis) = (ellipse.mu(), ellipse.axis());
    if along != 0.0 && across != 0.0 {
        return None;
    }
    let end = axis * along + axis.perp() * across;
    Some(vec![end, -end])
}

/// Without the origin and without corners that coincide but for round-off: columns of zeros or twins, which only add
/// ties.
fn without_origin(mut corners: Vec<DVec2>) -> Vec<DVec2> {
    let blur = 1e-14 * corners.iter().fold(0.0f64, |m, c| m.max(c.length()));
    corners.retain(|c| c.length() > blur);
    corners.dedup_by(|a, b| (*a - *b).length() <= blur);
    if corners.len() > 1 && (corners[0] - corners[corners.len() - 1]).length() <= blur {
        corners.pop();
    }
    corners
}

/// How much one corner contributes to a force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CornerWeight {
    /// The corner's place in the list.
    pub(super) corner: usize,
    /// The corner is multiplied by this.
    pub(super) weight: f64,
}

/// The neighbouring corners whose weighted sum is `force`: at most two.
pub(super) fn weights(corners: &[DVec2], force: DVec2) -> Vec<CornerWeight> {
    let n = corners.len();
    let mut best: Option<[CornerWeight; 2]> = None;
    for j in 0..n {
        let (a, b) = (corners[j], corners[(j + 1) % n]);
        let area = a.perp_dot(b);
        if area > 1e-12 * a.length() * b.length() {
            let (x, y) = (force.perp_dot(b) / area, a.perp_dot(force) / area);
            // Of all neighbours the ones that hold the force, or miss it least.
            if best.is_none_or(|old| x.min(y) > old[0].weight.min(old[1].weight)) {
                best = Some([CornerWeight { corner: j, weight: x }, CornerWeight { corner: (j + 1) % n, weight: y }]);
            }
        }
    }
    match best {
        Some(pair) => pair.to_vec(),
        // All corners on one line through the origin.
        None => {
            let along = |(corner, c): (usize, &DVec2)| {
                let weight = force.dot(*c) / c.length_squared();
                CornerWeight { corner, weight }
            };
            let ahead = corners.iter().enumerate().map(along).filter(|w| w.weight > 0.0);
            ahead.reduce(|a, b| if b.weight < a.weight { b } else { a }).into_iter().collect()
        }
    }
}
