//! Polytopes in the world: the core of every convex shape but the cylinder.
//!
//! A rounded shape is its core K with a radius r: all points within r of K. A sphere is a point with a radius, a capsule a segment with one; boxes and
//! hulls have r = 0; a triangle of a mesh is a polygon with two faces, one each way. A core answers
//!
//! - its support in a direction d: the corner with the largest x·d, and that largest value h_K(d) ([`Core::support`], [`Core::reach`]);
//! - its faces { x : m·x = h_K(m) } and edges, between which normals of a contact are sought;
//! - the point of K that is closest to a given one;
//! - its outline along d: the face, edge or corner that faces d, with the names of its corners and edges ([`Element`]).
//!
//! Points of K are c + R x, with the centre c and the axes R of the body, and x in the body's coordinates. Corner i of a box is at the sides that
//! the bits of i say: bit k is the side along axis k.

use glam::{DMat3, DVec3};
use smallvec::SmallVec;

use super::feature::Element;
use super::outline::{Corner, FacingOutline};
use super::segment;
use crate::geometry::Pose;
use crate::geometry::shape::{Polytope, TriangleNames};

/// A polytope with a radius.
pub(super) struct Core<'a> {
    pub(super) polytope: Polytope<'a>,
    pub(super) axes: DMat3,
    pub(super) centre: DVec3,
    /// Of the rounding around the polytope.
    pub(super) radius: f64,
    /// Half of its greatest extent, or more.
    pub(super) size: f64,
}

/// A corner of a core.
#[derive(Clone, Copy)]
pub(super) struct SupportCorner {
    pub(super) number: usize,
    /// In the world.
    pub(super) point: DVec3,
}

/// The plane { x : normal·x = height } of a face.
#[derive(Clone, Copy)]
pub(super) struct FacePlane {
    /// Unit, out of the body.
    pub(super) normal: DVec3,
    pub(super) height: f64,
}

/// An edge: its ends, and for each face beside it the direction in that face away from the edge.
#[derive(Clone, Copy)]
pub(super) struct EdgeView {
    pub(super) from: DVec3,
    pub(super) to: DVec3,
    pub(super) inward: [DVec3; 2],
    /// How many of `inward` there are.
    pub(super) sides: usize,
}

/// Corner i of a box: bit k is the side along axis k.
fn box_corner(half: DVec3, i: usize) -> DVec3 {
    let side = |k: usize| if i >> k & 1 == 1 { half[k] } else { -half[k] };
    DVec3::new(side(0), side(1), side(2))
}

impl<'a> Core<'a> {
    /// A polytope around the origin of a body at `pose`, with the radius around it; `size` is how far both reach from the origin.
    pub(super) fn new(polytope: Polytope<'a>, radius: f64, size: f64, pose: &Pose) -> Self {
        Self { polytope, axes: DMat3::from_quat(pose.rotation), centre: pose.position, radius, size }
    }

    pub(super) fn triangle(corners: [DVec3; 3], normal: DVec3, names: TriangleNames) -> Self {
        let centre = (corners[0] + corners[1] + corners[2]) / 3.0;
        let size = corners.iter().map(|c| c.distance(centre)).fold(0.0, f64::max);
        let polytope = Polytope::Triangle(corners, normal, names);
        Self { polytope, axes: DMat3::IDENTITY, centre, radius: 0.0, size }
    }

    /// A point inside, whatever the origin of the shape is.
    pub(super) fn middle(&self) -> DVec3 {
        match &self.polytope {
            Polytope::Hull(hull) => self.place(0.5 * (hull.bounds.min + hull.bounds.max)),
            _ => self.centre,
        }
    }

    /// The ends, if the core is a segment.
    pub(super) fn as_segment(&self) -> Option<[DVec3; 2]> {
        match self.polytope {
            Polytope::Segment(h) => Some([self.centre - self.axes.y_axis * h, self.centre + self.axes.y_axis * h]),
            _ => None,
        }
    }

    pub(super) fn is_box(&self) -> bool {
        matches!(self.polytope, Polytope::Box(_))
    }

    pub(super) fn is_point(&self) -> bool {
        matches!(self.polytope, Polytope::Point)
    }

    #[inline]
    fn place(&self, x: DVec3) -> DVec3 {
        self.axes * x + self.centre
    }

    /// The corner of the polytope farthest along `d`.
    pub(super) fn support(&self, d: DVec3) -> SupportCorner {
        let local = self.axes.transpose() * d;
        let farthest = |points: &[DVec3], d: DVec3| {
            let first = (0, f64::NEG_INFINITY);
            points.iter().map(|p| p.dot(d)).enumerate().fold(first, |best, at| if at.1 > best.1 { at } else { best }).0
        };
        let number = match &self.polytope {
            Polytope::Point => 0,
            Polytope::Segment(_) => usize::from(local.y > 0.0),
            Polytope::Box(_) => {
                usize::from(local.x > 0.0) | usize::from(local.y > 0.0) << 1 | usize::from(local.z > 0.0) << 2
            }
            Polytope::Hull(hull) => farthest(&hull.points, local),
            Polytope::Triangle(corners, ..) => farthest(corners, d),
        };
        let point = match &self.polytope {
            Polytope::Point => self.centre,
            Polytope::Triangle(corners, ..) => corners[number],
            _ => self.vertex(number),
        };
        SupportCorner { number, point }
    }

    /// max d·x over the polytope.
    #[inline]
    pub(super) fn reach(&self, d: DVec3) -> f64 {
        match &self.polytope {
            Polytope::Box(half) => {
                let local = self.axes.transpose() * d;
                d.dot(self.centre) + local.abs().dot(*half)
            }
            Polytope::Segment(h) => d.dot(self.centre) + self.axes.y_axis.dot(d).abs() * h,
            _ => self.support(d).point.dot(d),
        }
    }

    pub(super) fn vertex_count(&self) -> usize {
        match &self.polytope {
            Polytope::Point => 1,
            Polytope::Segment(_) => 2,
            Polytope::Box(_) => 8,
            Polytope::Hull(hull) => hull.points.len(),
            Polytope::Triangle(..) => 3,
        }
    }

    pub(super) fn vertex(&self, i: usize) -> DVec3 {
        match &self.polytope {
            Polytope::Point => self.centre,
            Polytope::Segment(h) => self.centre + self.axes.y_axis * if i == 0 { -h } else { *h },
            Polytope::Box(half) => self.place(box_corner(*half, i)),
            Polytope::Hull(hull) => self.place(hull.points[i]),
            Polytope::Triangle(corners, ..) => corners[i],
        }
    }

    pub(super) fn face_count(&self) -> usize {
        match &self.polytope {
            Polytope::Point | Polytope::Segment(_) => 0,
            Polytope::Box(_) => 6,
            Polytope::Hull(hull) => hull.faces.len(),
            Polytope::Triangle(..) => 2,
        }
    }

    /// Outward unit normal of a face, and its height along it.
    pub(super) fn face(&self, i: usize) -> FacePlane {
        match &self.polytope {
            Polytope::Point | Polytope::Segment(_) => FacePlane { normal: DVec3::Y, height: f64::INFINITY },
            Polytope::Box(half) => {
                let normal = self.axes.col(i / 2) * if i & 1 == 0 { 1.0 } else { -1.0 };
                FacePlane { normal, height: normal.dot(self.centre) + half[i / 2] }
            }
            Polytope::Hull(hull) => {
                let face = &hull.faces[i];
                let normal = self.axes * face.normal;
                FacePlane { normal, height: normal.dot(self.centre) + hull.heights[i] }
            }
            Polytope::Triangle(corners, normal, _) => {
                let normal = if i == 0 { *normal } else { -*normal };
                FacePlane { normal, height: normal.dot(corners[0]) }
            }
        }
    }

    pub(super) fn edge_count(&self) -> usize {
        match &self.polytope {
            Polytope::Point => 0,
            Polytope::Segment(_) => 1,
            Polytope::Box(_) => 12,
            Polytope::Hull(hull) => hull.edges.len(),
            Polytope::Triangle(..) => 3,
        }
    }

    pub(super) fn edge(&self, i: usize) -> EdgeView {
        let none = [DVec3::ZERO; 2];
        match &self.polytope {
            Polytope::Point => EdgeView { from: self.centre, to: self.centre, inward: none, sides: 0 },
            Polytope::Segment(_) => EdgeView { from: self.vertex(0), to: self.vertex(1), inward: none, sides: 0 },
            Polytope::Box(half) => {
                let (along, next, last) = (i / 4, (i / 4 + 1) % 3, (i / 4 + 2) % 3);
                let corner = (i & 1) << next | (i >> 1 & 1) << last;
                let inward = |k: usize| self.axes.col(k) * if corner >> k & 1 == 1 { -1.0 } else { 1.0 };
                EdgeView {
                    from: self.place(box_corner(*half, corner)),
                    to: self.place(box_corner(*half, corner | 1 << along)),
                    inward: [inward(next), inward(last)],
                    sides: 2,
                }
            }
            Polytope::Hull(hull) => {
                let edge = &hull.edges[i];
                let [from, to] = edge.ends.map(|v| self.place(hull.points[v as usize]));
                EdgeView { from, to, inward: edge.inward.map(|d| self.axes * d), sides: 2 }
            }
            Polytope::Triangle(corners, normal, _) => {
                let (from, to) = (corners[i], corners[(i + 1) % 3]);
                let inward = normal.cross(to - from).normalize_or_zero();
                EdgeView { from, to, inward: [inward, DVec3::ZERO], sides: 1 }
            }
        }
    }

    /// The point of the polytope closest to `p`.
    pub(super) fn closest(&self, p: DVec3) -> DVec3 {
        match &self.polytope {
            Polytope::Point => self.centre,
            Polytope::Segment(_) => segment::closest_point(self.vertex(0), self.vertex(1), p),
            Polytope::Box(half) => self.place((self.axes.transpose() * (p - self.centre)).clamp(-*half, *half)),
            Polytope::Triangle(corners, normal, _) => closest_on_face(*normal, corners.iter().copied(), p),
            Polytope::Hull(hull) => {
                let local = self.axes.transpose() * (p - self.centre);
                let mut best = (f64::INFINITY, local);
                for (face, height) in hull.faces.iter().zip(&hull.heights) {
                    if face.normal.dot(local) > *height {
                        let corners = face.corners.iter().map(|&i| hull.points[i as usize]);
                        let q = closest_on_face(face.normal, corners, local);
                        let distance = q.distance_squared(local);
                        if distance < best.0 {
                            best = (distance, q);
                        }
                    }
                }
                self.place(best.1)
            }
        }
    }

    /// The face, edge or corner that faces along `d`.
    pub(super) fn outline(&self, d: DVec3) -> FacingOutline {
        let corner = |at: DVec3, name: Element, edge: Element| Corner::new(at, name, edge);
        let mut corners: SmallVec<[Corner; 8]> = SmallVec::new();
        let (mut normal, mut face) = (d, Element::face(0));
        match &self.polytope {
            Polytope::Point => corners.push(corner(self.centre, Element::corner(0), Element::corner(0))),
            Polytope::Segment(_) => {
                let edge = Element::edge(0, 1);
                corners.extend([0, 1].map(|i| corner(self.vertex(i), Element::corner(i as u32), edge)));
            }
            Polytope::Box(_) => {
                let local = self.axes.transpose() * d;
                let size = local.abs();
                let k = if size.x >= size.y && size.x >= size.z {
                    0
                } else if size.y >= size.z {
                    1
                } else {
                    2
                };
                let side = usize::from(local[k] > 0.0);
                normal = self.axes.col(k) * if side == 1 { 1.0 } else { -1.0 };
                face = Element::face(2 * k as u32 + side as u32);
                let (u, v) = ((k + 1) % 3, (k + 2) % 3);
                let mut around = [0, 1 << u, 1 << u | 1 << v, 1 << v].map(|i: usize| i | side << k);
                if side == 0 {
                    around.reverse();
                }
                for (i, &at) in around.iter().enumerate() {
                    let edge = Element::edge(at as u32, around[(i + 1) % 4] as u32);
                    corners.push(corner(self.vertex(at), Element::corner(at as u32), edge));
                }
            }
            Polytope::Hull(hull) => {
                let top = self.support(d).number;
                let local = self.axes.transpose() * d;
                let slope = |i: u32| hull.faces[i as usize].normal.dot(local);
                let faces = &hull.point_faces[top];
                let index =
                    faces.iter().copied().fold(faces[0], |best, i| if slope(i) > slope(best) { i } else { best });
                let polygon = &hull.faces[index as usize];
                normal = self.axes * polygon.normal;
                face = Element::face(index);
                for (i, &at) in polygon.corners.iter().enumerate() {
                    let next = polygon.corners[(i + 1) % polygon.corners.len()];
                    corners.push(corner(self.vertex(at as usize), Element::corner(at), Element::edge(at, next)));
                }
            }
            Polytope::Triangle(points, up, names) => {
                normal = *up;
                face = Element::face(names.face);
                corners.extend((0..3).map(|i| {
                    let (own, next) = (names.corners[i], names.corners[(i + 1) % 3]);
                    corner(points[i], Element::corner(own), Element::edge(own, next))
                }));
            }
        }
        FacingOutline::polygon(corners, normal, face, d)
    }
}

/// The point of a convex polygon closest to `p`.
fn closest_on_face(normal: DVec3, corners: impl Iterator<Item = DVec3> + Clone, p: DVec3) -> DVec3 {
    let Some(first) = corners.clone().next() else { return p };
    let ends = corners.clone().skip(1).chain([first]);
    let mut outside = false;
    let mut best = (f64::INFINITY, first);
    for (from, to) in corners.zip(ends) {
        if normal.cross(to - from).dot(p - from) < 0.0 {
            outside = true;
            let q = segment::closest_point(from, to, p);
            let distance = q.distance_squared(p);
            if distance < best.0 {
                best = (distance, q);
            }
        }
    }
    if outside { best.1 } else { p - normal * normal.dot(p - first) }
}
