//! The flat parts that face each other, and where they overlap seen along the normal.
//!
//! An outline is a corner, an edge, a polygon or a disc. Two outlines overlap, seen along n, in a region whose corners are corners of one
//! inside the other, or crossings of their borders. There lie the contacts: one point on each body, on a line along n.

use glam::{DVec2, DVec3};
use smallvec::SmallVec;

use super::rim::{self, Disc};
use super::{ContactPoint, Element, Feature};

/// Below this cosine a face is seen edge-on, and its nearest edge stands for it.
const STEEP: f64 = 0.1;
/// Points this far (of the size) outside a border count as inside: rounding.
const ROUNDING: f64 = 1e-10;
/// Points this close (of the size) to a corner or a border are named after it, so that names do not flicker in aligned stacks.
const NEAR: f64 = 1e-4;

/// Contacts of one pair before they are handed out.
pub(super) type Points = SmallVec<[ContactPoint; 16]>;

/// A corner of an outline.
#[derive(Clone, Copy)]
pub(super) struct Corner {
    pub(super) at: DVec3,
    name: Element,
    /// Of the edge to the next corner.
    edge: Element,
    flat: DVec2,
}

impl Corner {
    pub(super) fn new(at: DVec3, name: Element, edge: Element) -> Self {
        Self { at, name, edge, flat: DVec2::ZERO }
    }
}

/// What faces the other body. A disc's corners are chosen points of its rim; other outlines are spanned by theirs.
pub(super) struct FacingOutline {
    corners: SmallVec<[Corner; 8]>,
    normal: DVec3,
    face: Element,
    disc: Option<Disc>,
}

/// Coordinates seen along the normal.
pub(super) struct NormalView {
    origin: DVec3,
    pub(super) n: DVec3,
    t: DVec3,
    b: DVec3,
    /// The smaller of the two sizes: the scale of tolerances.
    pub(super) size: f64,
}

impl NormalView {
    pub(super) fn new(origin: DVec3, n: DVec3, size: f64) -> Self {
        let (t, b) = n.any_orthonormal_pair();
        Self { origin, n, t, b, size }
    }

    fn flatten(&self, p: DVec3) -> DVec2 {
        let p = p - self.origin;
        DVec2::new(p.dot(self.t), p.dot(self.b))
    }
}

impl FacingOutline {
    /// From corners in a plane; reduced to an edge or a corner where it is seen edge-on along `d`.
    pub(super) fn polygon(mut corners: SmallVec<[Corner; 8]>, normal: DVec3, face: Element, d: DVec3) -> Self {
        if corners.len() > 2 && normal.dot(d).abs() < STEEP {
            let count = corners.len();
            let top =
                (0..count).fold(0, |best, i| if corners[i].at.dot(d) > corners[best].at.dot(d) { i } else { best });
            let (next, last) = ((top + 1) % count, (top + count - 1) % count);
            let slope = |i: usize| (corners[top].at - corners[i].at).normalize_or_zero().dot(d);
            let pair = if slope(next) <= slope(last) { [top, next] } else { [last, top] };
            corners = pair.iter().map(|&i| corners[i]).collect();
        }
        if let [from, to] = corners[..] {
            let along = to.at - from.at;
            if along.reject_from_normalized(d).length_squared() <= 1e-18 * along.length_squared() {
                let facing = if along.dot(d) > 0.0 { to } else { from };
                corners.clear();
                corners.push(facing);
            }
        }
        Self { corners, normal, face, disc: None }
    }

    /// A disc with points of its rim.
    pub(super) fn disc(disc: Disc, rim_points: SmallVec<[Corner; 8]>, face: Element) -> Self {
        Self { corners: rim_points, normal: disc.axis, face, disc: Some(disc) }
    }

    fn flatten(&mut self, view: &NormalView) {
        self.corners.iter_mut().for_each(|c| c.flat = view.flatten(c.at));
    }

    fn edges(&self) -> usize {
        match self.corners.len() {
            _ if self.disc.is_some() => 0,
            0 | 1 => 0,
            2 => 1,
            count => count,
        }
    }

    fn edge(&self, i: usize) -> (&Corner, &Corner) {
        (&self.corners[i], &self.corners[(i + 1) % self.corners.len()])
    }

    /// The point of the plane of the outline on the line through `p` along the normal of the view.
    fn lift(&self, view: &NormalView, p: DVec3) -> DVec3 {
        let anchor = self.disc.map_or_else(|| self.corners[0].at, |disc| disc.centre);
        p + view.n * ((anchor - p).dot(self.normal) / view.n.dot(self.normal))
    }

    /// The point of the outline on the line through `p` along the normal of the view, if it meets the outline.
    fn meet(&self, view: &NormalView, p: DVec3, flat: DVec2) -> Option<DVec3> {
        let room = ROUNDING * view.size;
        if let Some(disc) = &self.disc {
            let q = self.lift(view, p);
            return (q.distance(disc.centre) <= disc.radius + room).then_some(q);
        }
        match self.corners[..] {
            [] => None,
            [only] => (only.flat.distance(flat) <= room).then_some(only.at),
            [from, to] => {
                let along = to.flat - from.flat;
                let t = (flat - from.flat).dot(along) / along.length_squared();
                let inside = (0.0..=1.0).contains(&t) && (from.flat + along * t).distance(flat) <= room;
                inside.then(|| from.at + (to.at - from.at) * t)
            }
            _ => {
                // Seen along n the corners run one way on one body and the other way on the other.
                let turn = view.n.dot(self.normal).signum();
                let outside = (0..self.edges()).any(|i| {
                    let (from, to) = self.edge(i);
                    let along = to.flat - from.flat;
                    turn * along.perp_dot(flat - from.flat) < -room * along.length()
                });
                (!outside).then(|| self.lift(view, p))
            }
        }
    }

    /// What the point lies on: a corner, an edge or the face.
    fn name(&self, view: &NormalView, p: DVec3, flat: DVec2) -> Element {
        let near = NEAR * view.size;
        if let Some(corner) = self.corners.iter().find(|c| c.flat.distance_squared(flat) <= near * near) {
            return corner.name;
        }
        if let Some(disc) = &self.disc {
            let on_rim = (self.lift(view, p).distance(disc.centre) - disc.radius).abs() <= near;
            return if on_rim { disc.name } else { self.face };
        }
        for i in 0..self.edges() {
            let (from, to) = self.edge(i);
            let along = to.flat - from.flat;
            let t = ((flat - from.flat).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            if (from.flat + along * t).distance_squared(flat) <= near * near {
                return from.edge;
            }
        }
        self.face
    }
}

/// The places where two outlines overlap, with points on both.
pub(super) struct Overlap<'a> {
    pub(super) view: &'a NormalView,
    pub(super) a: FacingOutline,
    pub(super) b: FacingOutline,
    /// The radii around the outlines.
    pub(super) radii: [f64; 2],
    pub(super) margin: f64,
}

impl<'a> Overlap<'a> {
    pub(super) fn new(
        view: &'a NormalView,
        mut a: FacingOutline,
        mut b: FacingOutline,
        radii: [f64; 2],
        margin: f64,
    ) -> Self {
        a.flatten(view);
        b.flatten(view);
        Self { view, a, b, radii, margin }
    }

    /// Adds every corner of the overlap with a gap up to the margin.
    pub(super) fn collect(&self, out: &mut Points) {
        for corner in &self.a.corners {
            if let Some(b) = self.b.meet(self.view, corner.at, corner.flat) {
                self.add(corner.at, b, None, out);
            }
        }
        for corner in &self.b.corners {
            if let Some(a) = self.a.meet(self.view, corner.at, corner.flat) {
                self.add(a, corner.at, None, out);
            }
        }
        for i in 0..self.a.edges() {
            for j in 0..self.b.edges() {
                self.cross(self.a.edge(i), self.b.edge(j), out);
            }
        }
        match (&self.a.disc, &self.b.disc) {
            (Some(a), Some(b)) => {
                rim::rim_crossings(a, b, self.view.n, |p, q, second| {
                    self.add(p, q, Some(Feature { a: a.name.crossing(second), b: b.name.crossing(second) }), out);
                });
            }
            (Some(disc), None) => {
                for j in 0..self.b.edges() {
                    let (from, to) = self.b.edge(j);
                    rim::edge_crossings(disc, from.at, to.at, self.view.n, |on_disc, on_edge, second| {
                        let names = Feature { a: disc.name.crossing(second), b: from.edge };
                        self.add(on_disc, on_edge, Some(names), out);
                    });
                }
            }
            (None, Some(disc)) => {
                for i in 0..self.a.edges() {
                    let (from, to) = self.a.edge(i);
                    rim::edge_crossings(disc, from.at, to.at, self.view.n, |on_disc, on_edge, second| {
                        let names = Feature { a: from.edge, b: disc.name.crossing(second) };
                        self.add(on_edge, on_disc, Some(names), out);
                    });
                }
            }
            (None, None) => (),
        }
    }

    /// Two edges that cross, seen along the normal.
    fn cross(&self, a: (&Corner, &Corner), b: (&Corner, &Corner), out: &mut Points) {
        let (d, e, w) = (a.1.flat - a.0.flat, b.1.flat - b.0.flat, b.0.flat - a.0.flat);
        let determinant = d.perp_dot(e);
        // Edges that part by less than a name's width along the shorter one are one edge; where they cross is noise.
        if determinant.abs() <= NEAR * self.view.size * d.length().max(e.length()) {
            return;
        }
        let (t, u) = (w.perp_dot(e) / determinant, w.perp_dot(d) / determinant);
        let inside = |x: f64| (-1e-12..=1.0 + 1e-12).contains(&x);
        if inside(t) && inside(u) {
            self.add(a.0.at + (a.1.at - a.0.at) * t, b.0.at + (b.1.at - b.0.at) * u, None, out);
        }
    }

    /// Adds points of the cores; of several with the same name the deepest stays.
    pub(super) fn add(&self, a: DVec3, b: DVec3, names: Option<Feature>, out: &mut Points) {
        let n = self.view.n;
        if (a - b).dot(n) - self.radii[0] - self.radii[1] > self.margin {
            return;
        }
        let middle = (a + b) * 0.5;
        let flat = self.view.flatten(middle);
        let named = Feature { a: self.a.name(self.view, middle, flat), b: self.b.name(self.view, middle, flat) };
        // The given names are for crossings with a rim away from any corner.
        let name = names.filter(|_| !named.a.is_corner() && !named.b.is_corner()).unwrap_or(named);
        let point = ContactPoint::new(a - n * self.radii[0], b + n * self.radii[1], n, name);
        match out.iter_mut().find(|known| known.feature == point.feature) {
            Some(known) => {
                let tie = 1e-12 * self.view.size;
                let before = |p: DVec3, q: DVec3| p.to_array() < q.to_array();
                let closer = point.gap < known.gap - tie;
                if closer || (point.gap < known.gap + tie && before(point.a + point.b, known.a + known.b)) {
                    *known = point;
                }
            }
            None => out.push(point),
        }
    }
}
