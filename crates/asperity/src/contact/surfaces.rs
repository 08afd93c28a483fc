//! Contacts of cloth and solids with each other and with themselves: vertices and triangles, edges and edges.
//!
//! A contact is a pair of [`SurfaceSet::pairs`]: its normal is the direction of the nearest points, its gap their distance less the offsets of
//! both surfaces, its anchors a vertex, a triangle or edges. Surfaces do not say which side of them is outside: a pair that has passed through
//! another surface would be pushed apart on the wrong side, so steppers have to see to it that none does.

use glam::DVec3;

use super::detect::anchored;
use super::{Anchor, Contact, PlacedBody};
use crate::body::Elastic;
use crate::geometry::proximity::PairKind;
use crate::geometry::surface::{Pair, SurfaceParts, SurfaceSet};
use crate::geometry::{ContactPoint, Element, Feature};
use crate::world::Model;

/// The surfaces of the elastic bodies of a model.
#[derive(Debug)]
pub(crate) struct ElasticSurfaces {
    pub(super) set: SurfaceSet,
    /// Number of the body that each surface is of.
    bodies: Vec<u32>,
    /// Its offset: half of the thickness of a cloth.
    pub(super) offsets: Vec<f64>,
    /// The edges of each, by the numbers of their ends in the body, sorted.
    edges: Vec<Vec<[u32; 2]>>,
    /// Vertices of all of them, one after the other.
    pub(super) positions: Vec<DVec3>,
}

/// One side of a pair: what touches, and how it moves.
struct Side {
    body: u32,
    element: Element,
    anchor: Anchor,
    offset: f64,
}

impl ElasticSurfaces {
    /// Of the elastic bodies of a model; `None` if it has none.
    pub(crate) fn new(model: &Model) -> Option<Self> {
        let own = model.bodies.iter().enumerate().filter_map(|(i, body)| Some((i as u32, body.elastic()?)));
        let (bodies, elastic): (Vec<u32>, Vec<&Elastic>) = own.unzip();
        let parts: Vec<SurfaceParts> = elastic.iter().map(|elastic| parts(elastic)).collect();
        let offsets = elastic.iter().map(|elastic| elastic.offset()).collect();
        let edges = parts.iter().map(|part| edges(&part.triangles)).collect();
        let set = SurfaceSet::new(&parts);
        (!bodies.is_empty()).then_some(Self { set, bodies, offsets, edges, positions: Vec::new() })
    }

    /// Whether it is that of a model: the same bodies are elastic, with as many vertices.
    pub(crate) fn fits(&self, model: &Model) -> bool {
        let own = model.bodies.iter().enumerate().filter_map(|(i, body)| Some((i as u32, body.elastic()?)));
        let fits = |(k, (i, elastic)): (usize, (u32, &Elastic))| {
            self.bodies.get(k) == Some(&i) && self.set.first(k + 1) - self.set.first(k) == elastic.masses().len()
        };
        own.clone().count() == self.bodies.len() && own.enumerate().all(fits)
    }

    /// Number of the body that each surface is of.
    pub(crate) fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// The largest thickness between two of them, m.
    pub(crate) fn thickness(&self) -> f64 {
        2.0 * self.offsets.iter().copied().fold(0.0, f64::max)
    }

    /// Number in the set of the first vertex of a body.
    pub(crate) fn first(&self, body: u32) -> Option<u32> {
        let surface = self.bodies.iter().position(|own| *own == body)?;
        Some(self.set.first(surface) as u32)
    }

    /// The surface that a vertex of the set is on.
    pub(crate) fn surface(&self, vertex: u32) -> usize {
        self.set.surface(vertex)
    }

    /// The edges of a surface, by the numbers of their ends in its body, sorted.
    pub(crate) fn edges(&self, surface: usize) -> &[[u32; 2]] {
        &self.edges[surface]
    }

    /// The surfaces.
    pub(crate) fn set(&mut self) -> &mut SurfaceSet {
        &mut self.set
    }

    /// The vertices of all surfaces, one after the other.
    pub(super) fn gather(&mut self, placed: &[PlacedBody]) -> &[DVec3] {
        self.positions.clear();
        for body in &self.bodies {
            let mesh = placed[*body as usize].mesh.as_ref();
            self.positions.extend_from_slice(mesh.map_or(&[], |mesh| mesh.positions()));
        }
        &self.positions
    }

    /// Adds the contacts with gaps up to `margin`, sorted by name.
    pub(crate) fn find(&mut self, placed: &[PlacedBody], margin: f64, out: &mut Vec<Contact>) {
        self.gather(placed);
        self.set.update(&self.positions);
        let first = out.len();
        self.set.pairs(margin);
        out.extend(self.set.found().iter().filter_map(|pair| self.contact(pair, placed)));
        out[first..].sort_by_key(Contact::name);
    }

    /// A pair as a contact of bodies; the body with the smaller number is A. `None` if its normal is no direction.
    pub(crate) fn contact(&self, pair: &Pair, placed: &[PlacedBody]) -> Option<Contact> {
        let [a, b] = self.sides(pair);
        let split = pair.kind.first_of_b();
        let of_a = pair.vertices[..split].iter().zip(pair.weights);
        let on_a: DVec3 = of_a.map(|(i, weight)| self.set.positions()[*i as usize] * weight).sum();
        let on_b = on_a - pair.normal * pair.distance;
        let point = ContactPoint {
            a: on_a - pair.normal * a.offset,
            b: on_b + pair.normal * b.offset,
            normal: pair.normal,
            gap: pair.gap,
            feature: Feature { a: a.element, b: b.element },
        };
        let bodies = [&placed[a.body as usize], &placed[b.body as usize]];
        if a.body <= b.body {
            anchored([a.body, b.body], &point, [a.anchor, b.anchor], bodies)
        } else {
            anchored([b.body, a.body], &point.swapped(), [b.anchor, a.anchor], [bodies[1], bodies[0]])
        }
    }

    fn sides(&self, pair: &Pair) -> [Side; 2] {
        let local = |vertex: u32| vertex - self.set.first(self.set.surface(vertex)) as u32;
        let side = |vertex: u32, element: Element, anchor: Anchor| {
            let surface = self.set.surface(vertex);
            Side { body: self.bodies[surface], element, anchor, offset: self.offsets[surface] }
        };
        let [i, j, k, l] = pair.vertices;
        let [wi, wj, wk, wl] = pair.weights;
        match (pair.kind, pair.triangle) {
            (PairKind::VertexTriangle, Some(triangle)) => {
                let triangle = triangle - self.set.first_triangle(self.set.surface(j)) as u32;
                let anchor = Anchor::Triangle { triangle, weights: [-wj, -wk, -wl] };
                let vertex = Anchor::Vertex { vertex: local(i) };
                [side(i, Element::corner(local(i)), vertex), side(j, Element::face(triangle), anchor)]
            }
            _ => {
                let edge = |ends: [u32; 2], weights: [f64; 2]| {
                    let vertices = ends.map(local);
                    side(ends[0], Element::edge(vertices[0], vertices[1]), Anchor::Edge { vertices, weights })
                };
                [edge([i, j], [wi, wj]), edge([k, l], [-wk, -wl])]
            }
        }
    }
}

/// The edges of triangles, each once, its smaller end first.
fn edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sides = |[a, b, c]: &[u32; 3]| [[*a, *b], [*b, *c], [*c, *a]].map(|[i, j]| [i.min(j), i.max(j)]);
    let mut all: Vec<[u32; 2]> = triangles.iter().flat_map(sides).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The surface of an elastic body.
fn parts(elastic: &Elastic) -> SurfaceParts {
    let data = elastic.mesh().data();
    SurfaceParts {
        rest: data.vertices.clone(),
        triangles: data.triangles.clone(),
        offset: elastic.offset(),
        held: (0..data.vertices.len()).map(|vertex| elastic.is_pinned(vertex)).collect(),
        rigid: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{VertexRow, place};
    use crate::scene::Document;
    use crate::world::State;

    /// Two sheets, the second turned and 3 mm above the first, both moving; 2 mm thick each.
    const SHEETS: &str = r#"
        title = "Two sheets"
        time = { dt = 0.01, end = 1 }
        stepper = { kind = "implicit" }
        [body.low]
        shape = { kind = "grid", size = [1, 1], cells = [3, 3] }
        matter = { kind = "cloth", stretch = 1e3, bending = 1e-5, area_density = 0.3, thickness = 0.002 }
        velocity = [1, 2, 3]
        [body.high]
        shape = { kind = "grid", size = [1, 1], cells = [4, 4] }
        matter = { kind = "cloth", stretch = 1e3, bending = 1e-5, area_density = 0.3, thickness = 0.002 }
        position = [0.05, 0.003, 0.07]
        velocity = [-3, 1, 2]
    "#;

    fn sheets() -> (Model, State) {
        let scene = Document::parse(SHEETS, "sheets.toml").unwrap().scene(None, &[]).unwrap();
        (scene.model, scene.state)
    }

    #[test]
    fn two_sheets_touch_with_vertices_and_edges_and_rows_give_the_velocity() {
        let (model, state) = sheets();
        let mut placed = Vec::new();
        place(&model, &state, 0.0, &mut placed);
        let mut surfaces = ElasticSurfaces::new(&model).unwrap();
        assert!(surfaces.fits(&model));
        let mut contacts = Vec::new();
        surfaces.find(&placed, 0.002, &mut contacts);
        assert!(contacts.is_sorted_by_key(Contact::name));
        let edges = contacts.iter().filter(|own| matches!(own.anchors[0], Anchor::Edge { .. })).count();
        assert!(edges > 4 && contacts.len() > edges + 4, "{edges} of {}", contacts.len());
        let mut rows: Vec<VertexRow> = Vec::new();
        for contact in &contacts {
            assert_eq!(contact.pair, [0, 1]);
            // A is below, so that the normal from B to A points down; both surfaces are a millimetre from their sheets.
            assert!((contact.frame.normal() + DVec3::Y).length() < 1e-9 && (contact.gap - 0.001).abs() < 1e-12);
            for (side, body) in placed.iter().enumerate() {
                let mesh = body.mesh.as_ref().unwrap();
                for k in 0..6 {
                    rows.clear();
                    contact.anchors[side].vertex_rows(contact.axis(k), k, body, &mut rows);
                    let rate: f64 = rows.iter().map(|row| row.factor.dot(mesh.vertex_velocity(row.vertex))).sum();
                    assert!((rate - contact.rate(side, k, body)).abs() < 1e-9, "{} row {k}", contact.name());
                }
            }
            // v_A − v_B = (4, 1, 1), along n = −y.
            assert!((contact.before.x + 1.0).abs() < 1e-9 && (contact.before.length_squared() - 18.0).abs() < 1e-9);
            for ((anchor, body), at) in contact.anchors.iter().zip(&placed).zip(&state.bodies) {
                let site = anchor.site(body, contact.point, DVec3::Y);
                let at = site.position + at.frame().centre;
                assert!((at - contact.point).length() < 0.0016, "{at} {}", contact.point);
            }
        }
    }
}
