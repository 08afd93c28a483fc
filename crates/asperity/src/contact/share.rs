//! Which fraction of a flat contact each of its points stands for.
//!
//! A law in which friction is not proportional to the load speaks of a contact as a whole. Two bodies that touch with a
//! face do so at several points, and how many there are means nothing: a face that is cut in two has more of them. So the
//! points of a pair with one normal are one flat contact. Point i stands for the fraction α_i of its area, Σ α_i = 1; with
//! the normal force N_i its law is that of the load N_i/α_i, which the whole contact would have under the same pressure,
//! and its friction α_i f(N_i/α_i). Under an even pressure N_i = α_i N the sum is f(N), however the face is cut.
//!
//! **Areas.** The outline of a flat contact is the convex hull of its points, and a point has the part of it that is
//! nearest to this point (its Voronoi cell). Points on a line share its length in the same way.
//! An even pressure acts at the centroid c of the outline. So the areas a_i are corrected by a factor that is linear in
//! the place, α_i = a_i (1 + m·(x_i − x̄)), x̄ = Σ a_i x_i, such that Σ α_i x_i = c: S m = c − x̄ with
//! S = Σ a_i (x_i − x̄)(x_i − x̄)ᵀ. The points of a cylinder's end that presses evenly are placed so that they stand for equal fractions
//! ([`EndPressure`](crate::geometry::EndPressure)).

use asperity_friction::model::Model as _;
use glam::{DMat2, DVec2, DVec3};
use smallvec::SmallVec;

use super::{Anchor, Contact};
use crate::geometry::presses_evenly;
use crate::world::Model;

/// Cosine of the largest angle between normals of one flat contact.
pub(crate) const FLAT: f64 = 1.0 - 1e-6;
/// Points nearer to each other than this fraction of the size of the contact are one.
const SAME: f64 = 1e-9;
/// Outlines with less area than this fraction of the square of their length are lines.
const LINE: f64 = 1e-6;
/// No factor of the correction is smaller.
const LEAST_FACTOR: f64 = 0.2;

/// A polygon in the plane of the contact, anticlockwise.
type Outline = SmallVec<[DVec2; 16]>;

/// Gives each contact of rigid bodies whose law depends on the load, or whose ends press evenly, its share. Contacts are sorted by pair; those that are
/// open by more than `open` (m) beyond the least gap of their pair stand for nothing yet, and keep no share.
pub(crate) fn share(model: &Model, contacts: &mut [Contact], open: f64) {
    for pair in contacts.chunk_by_mut(|a, b| a.pair == b.pair) {
        let rigid = |anchor: &Anchor| matches!(anchor, Anchor::Rigid { .. });
        let whole = pair[0].anchors.iter().all(rigid);
        let evenly = pair[0].pair.iter().filter_map(|body| model.bodies[*body as usize].shape()).any(presses_evenly);
        if !whole || !evenly && !model.interaction(pair[0].pair).law.depends().load {
            continue;
        }
        let least = pair.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min).max(0.0);
        pair.iter_mut().for_each(|contact| contact.share = None);
        for first in 0..pair.len() {
            let normal = pair[first].frame.normal();
            let fits = |contact: &Contact| contact.share.is_none() && contact.gap <= least + open;
            if !fits(&pair[first]) {
                continue;
            }
            let among = |contact: &Contact| fits(contact) && contact.frame.normal().dot(normal) > FLAT;
            let members: SmallVec<[usize; 8]> = (first..pair.len()).filter(|i| among(&pair[*i])).collect();
            let points: SmallVec<[DVec3; 8]> = members.iter().map(|i| pair[*i].point).collect();
            let alike = || SmallVec::from_elem(1.0 / points.len() as f64, points.len());
            let found: SmallVec<[f64; 8]> = if evenly { alike() } else { shares(&points, normal) };
            for (i, own) in members.iter().zip(found) {
                pair[*i].share = Some(own);
            }
        }
    }
}

/// The shares of points of a plane with this normal.
fn shares(points: &[DVec3], normal: DVec3) -> SmallVec<[f64; 8]> {
    let (t, b) = normal.any_orthonormal_pair();
    let flat: SmallVec<[DVec2; 8]> =
        points.iter().map(|p| p - points[0]).map(|d| DVec2::new(d.dot(t), d.dot(b))).collect();
    let size = flat.iter().map(|p| p.length()).fold(0.0, f64::max);
    let same = |i: usize| flat.iter().filter(|p| p.distance(flat[i]) <= SAME * size).count() as f64;
    if size == 0.0 {
        return SmallVec::from_elem(1.0 / points.len() as f64, points.len());
    }
    let hull = hull(&flat);
    let outline = if area(&hull) > LINE * size * size { hull } else { strip(&flat) };
    let cell = |i: usize| {
        let others = flat.iter().filter(|p| p.distance(flat[i]) > SAME * size);
        area(&others.fold(outline.clone(), |cell, other| nearer(&cell, flat[i], *other))) / same(i)
    };
    let mut shares: SmallVec<[f64; 8]> = (0..flat.len()).map(cell).collect();
    let total: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= total);
    balance(&mut shares, &flat, centroid(&outline));
    shares
}

/// Corrects shares so that their centre is `centre`, as far as no factor is smaller than [`LEAST_FACTOR`].
fn balance(shares: &mut [f64], points: &[DVec2], centre: DVec2) {
    let mean: DVec2 = shares.iter().zip(points).map(|(share, p)| *p * *share).sum();
    let mut second = DMat2::ZERO;
    for (share, p) in shares.iter().zip(points) {
        let d = *p - mean;
        second += DMat2::from_cols(d * d.x, d * d.y) * *share;
    }
    // Points on a line have no second moment across it; a part of the first one there changes nothing along it.
    let trace = second.x_axis.x + second.y_axis.y;
    second += DMat2::from_diagonal(DVec2::splat(1e-12 * trace));
    let slope = second.inverse() * (centre - mean);
    let lowest = points.iter().map(|p| slope.dot(*p - mean)).fold(0.0, f64::min);
    let step = if lowest < LEAST_FACTOR - 1.0 { (LEAST_FACTOR - 1.0) / lowest } else { 1.0 };
    for (share, p) in shares.iter_mut().zip(points) {
        *share *= 1.0 + step * slope.dot(*p - mean);
    }
}

/// The convex hull, anticlockwise (Andrew's chain).
fn hull(points: &[DVec2]) -> Outline {
    let mut sorted: Outline = points.iter().copied().collect();
    sorted.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    let mut hull = Outline::new();
    let half = |order: &mut dyn Iterator<Item = DVec2>, hull: &mut Outline| {
        let first = hull.len();
        for p in order {
            while let [.., a, b] = hull[first..]
                && (b - a).perp_dot(p - a) <= 0.0
            {
                hull.pop();
            }
            hull.push(p);
        }
        hull.pop();
    };
    half(&mut sorted.iter().copied(), &mut hull);
    half(&mut sorted.iter().rev().copied(), &mut hull);
    hull
}

/// The rectangle around points on a line, half as wide as long: cells of it have the lengths of the line.
fn strip(points: &[DVec2]) -> Outline {
    let farthest = |from: DVec2| {
        points.iter().fold(from, |best, p| if p.distance(from) > best.distance(from) { *p } else { best })
    };
    let end = farthest(points[0]);
    let start = farthest(end);
    let side = (end - start).perp() * 0.25;
    Outline::from_slice(&[start - side, end - side, end + side, start + side])
}

/// The part of a convex polygon that is nearer to p than to q.
fn nearer(polygon: &[DVec2], p: DVec2, q: DVec2) -> Outline {
    let (middle, away) = ((p + q) * 0.5, q - p);
    let height = |x: DVec2| (x - middle).dot(away);
    let mut out = Outline::new();
    for (i, from) in polygon.iter().enumerate() {
        let to = polygon[(i + 1) % polygon.len()];
        let (low, high) = (height(*from), height(to));
        if low <= 0.0 {
            out.push(*from);
        }
        if (low < 0.0) != (high < 0.0) && low != 0.0 && high != 0.0 {
            out.push(from.lerp(to, low / (low - high)));
        }
    }
    out
}

/// The area of a polygon.
fn area(polygon: &[DVec2]) -> f64 {
    triangles(polygon).map(|(area, _)| area).sum()
}

/// The centroid of a polygon with an area.
fn centroid(polygon: &[DVec2]) -> DVec2 {
    triangles(polygon).map(|(area, middle)| middle * area).sum::<DVec2>() / area(polygon)
}

/// The area and the centroid of the triangles of a fan.
fn triangles(polygon: &[DVec2]) -> impl Iterator<Item = (f64, DVec2)> {
    let first = polygon.first().copied().unwrap_or_default();
    polygon.windows(2).skip(1).map(move |side| {
        let (a, b) = (side[0] - first, side[1] - first);
        (0.5 * a.perp_dot(b), first + (a + b) / 3.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(points: &[[f64; 2]]) -> SmallVec<[f64; 8]> {
        let points: Vec<DVec3> = points.iter().map(|[x, z]| DVec3::new(*x, 0.3, *z)).collect();
        shares(&points, DVec3::Y)
    }

    fn near(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} for {expected:?}");
    }

    #[test]
    fn points_share_what_is_nearest_to_them() {
        near(&of(&[[3.0, 1.0]]), &[1.0]);
        near(&of(&[[0.0, 0.0], [1.0, 2.0]]), &[0.5, 0.5]);
        near(&of(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]]), &[0.25; 4]);
        // On a line: a third of its length is nearest to the middle point, and half of it if the points are as far apart.
        near(&of(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), &[0.25, 0.5, 0.25]);
        // A square with its middle: a half of it, the square between the middles of the sides.
        near(&of(&[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0], [1.0, 1.0]]), &[0.125, 0.125, 0.125, 0.125, 0.5]);
        // One corner twice.
        near(&of(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0], [0.0, 0.0]]), &[0.125, 0.25, 0.25, 0.25, 0.125]);
    }

    #[test]
    fn an_even_pressure_acts_at_the_centroid_however_the_outline_is_cut() {
        // A rectangle with points on its sides at places that are not even.
        let points = [[0.0, 0.0], [0.7, 0.0], [2.0, 0.0], [2.0, 0.1], [2.0, 1.0], [1.7, 1.0], [0.0, 1.0], [0.9, 0.6]];
        let found = of(&points);
        let sum = |f: &dyn Fn(&[f64; 2]) -> f64| found.iter().zip(&points).map(|(a, p)| a * f(p)).sum::<f64>();
        assert!(found.iter().all(|share| *share > 0.01));
        near(&[sum(&|_| 1.0), sum(&|p| p[0]), sum(&|p| p[1])], &[1.0, 1.0, 0.5]);
    }
}
