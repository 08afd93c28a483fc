//! The figure of a potential on a plane: bands of its value, its zero surface, and the mesh.

use asperity::geometry::potential::LocalPotential;
use asperity::geometry::{Aabb, TriangleMesh};
use glam::DVec3;

use crate::figure::{Axis, Color, Curve, Figure, Panel, gradient, palette};

/// Rows and columns of values.
const ROWS: usize = 240;
/// Bands of colour on each side of the surface.
const BANDS: f64 = 10.0;
/// Names of the axes.
const AXES: [&str; 3] = ["x", "y", "z"];

/// A plane across an axis.
pub(super) struct Plane {
    /// Number of the axis.
    pub(super) axis: usize,
    /// Where it is on that axis, m.
    pub(super) at: f64,
}

/// Values on the plane, where they are defined.
struct Field {
    low: [f64; 2],
    step: f64,
    columns: usize,
    rows: usize,
    values: Vec<Option<f64>>,
}

impl Plane {
    /// The two axes in the plane.
    fn inside(&self) -> [usize; 2] {
        [(self.axis + 1) % 3, (self.axis + 2) % 3]
    }

    fn point(&self, [u, v]: [f64; 2]) -> DVec3 {
        let mut point = DVec3::ZERO;
        let [first, second] = self.inside();
        (point[self.axis], point[first], point[second]) = (self.at, u, v);
        point
    }

    /// Where triangles cross it.
    fn cut(&self, mesh: &TriangleMesh) -> Vec<[f64; 2]> {
        let [first, second] = self.inside();
        let mut lines = Vec::new();
        for triangle in 0..mesh.data().triangles.len() {
            let corners = mesh.corners(triangle);
            let crossing = |(a, b): (DVec3, DVec3)| {
                let [from, to] = [a, b].map(|x| x[self.axis] - self.at);
                ((from < 0.0) != (to < 0.0)).then(|| a + (b - a) * (from / (from - to)))
            };
            let [a, b, c] = corners;
            let ends: Vec<DVec3> = [(a, b), (b, c), (c, a)].into_iter().filter_map(crossing).collect();
            if let [from, to] = ends[..] {
                lines.extend([[from[first], from[second]], [to[first], to[second]], [f64::NAN; 2]]);
            }
        }
        lines
    }
}

impl Field {
    fn new(mesh: &TriangleMesh, potential: &LocalPotential, plane: &Plane) -> Self {
        let Aabb { min, max } = Aabb::of(mesh.data().vertices.iter().copied());
        let inside = plane.inside();
        let low = inside.map(|k| min[k] - potential.reach());
        let size = [0, 1].map(|k| max[inside[k]] + potential.reach() - low[k]);
        let step = size[0].max(size[1]) / ROWS as f64;
        let [columns, rows] = size.map(|size| (size / step).ceil() as usize + 1);
        let mut field = Self { low, step, columns, rows, values: Vec::with_capacity(columns * rows) };
        let mut room = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let value = potential.blend(plane.point(field.place(column, row)), &mut room);
                field.values.push(value.map(|own| own.value));
            }
        }
        field
    }

    fn place(&self, column: usize, row: usize) -> [f64; 2] {
        [self.low[0] + self.step * column as f64, self.low[1] + self.step * row as f64]
    }

    fn value(&self, column: usize, row: usize) -> Option<f64> {
        self.values[row * self.columns + column]
    }

    /// The largest of all sizes.
    fn largest(&self) -> f64 {
        self.values.iter().flatten().fold(f64::MIN_POSITIVE, |most, value| most.max(value.abs()))
    }

    /// Rectangles of one band each, row by row.
    fn bands(&self) -> Vec<Curve> {
        let largest = self.largest();
        let band = |value: f64| (value / largest * BANDS).floor() as i64;
        let mut curves = Vec::new();
        for row in 0..self.rows {
            let mut column = 0;
            while column < self.columns {
                let own = self.value(column, row).map(band);
                let same = (column..self.columns).take_while(|next| self.value(*next, row).map(band) == own).count();
                if let Some(own) = own {
                    curves.push(self.rectangle([column, column + same], row, own));
                }
                column += same;
            }
        }
        curves
    }

    fn rectangle(&self, [from, to]: [usize; 2], row: usize, band: i64) -> Curve {
        let half = 0.5 * self.step;
        let [left, low] = self.place(from, row).map(|x| x - half);
        let [right, high] = self.place(to, row + 1).map(|x| x - half);
        let color = gradient(0.5 + 0.5 * (band as f64 + 0.5) / BANDS);
        let points = vec![[left, low], [right, low], [right, high], [left, high]];
        // The thin line in the colour of the area closes the seams between rectangles.
        Curve {
            fill: Some(color.with_opacity(0.55)),
            width: 0.0,
            ..Curve::outline("", points, color.with_opacity(0.0))
        }
    }

    /// Where the value is zero: a line through each square whose corners have both signs.
    fn zero(&self) -> Vec<[f64; 2]> {
        let mut lines = Vec::new();
        for row in 0..self.rows - 1 {
            for column in 0..self.columns - 1 {
                let corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)];
                let Some(values) = corners.iter().map(|(c, r)| self.value(*c, *r)).collect::<Option<Vec<f64>>>() else {
                    continue;
                };
                let crossing = |k: usize| {
                    let next = (k + 1) % 4;
                    let [a, b] = [values[k], values[next]];
                    let [from, to] = [k, next].map(|k| self.place(corners[k].0, corners[k].1));
                    let share = a / (a - b);
                    ((a < 0.0) != (b < 0.0)).then(|| [0, 1].map(|i| from[i] + (to[i] - from[i]) * share))
                };
                let ends: Vec<[f64; 2]> = (0..4).filter_map(crossing).collect();
                for pair in ends.chunks_exact(2) {
                    lines.extend([pair[0], pair[1], [f64::NAN; 2]]);
                }
            }
        }
        lines
    }
}

/// The figure.
pub(super) fn figure(name: &str, mesh: &TriangleMesh, potential: &LocalPotential, plane: &Plane) -> Figure {
    let field = Field::new(mesh, potential, plane);
    let mut curves = field.bands();
    curves.push(Curve { width: 1.0, ..Curve::line("mesh", plane.cut(mesh), Color::INK) });
    curves.push(Curve { width: 2.4, ..Curve::line("zero of the potential", field.zero(), palette(1)) });
    let [first, second] = plane.inside().map(|axis| AXES[axis]);
    let caption = format!(
        "Colours: the potential, from {:.4} m inside (dark) to {:.4} m outside (light). Where there is none, no sample counts: nothing touches there.",
        -field.largest(),
        field.largest()
    );
    let panel = Panel {
        x: Axis::new(format!("{first} [m]")),
        y: Axis::new(format!("{second} [m]")),
        equal_aspect: true,
        legend: true,
        curves,
        ..Panel::default()
    };
    let title = format!("Potential of {name} at {} = {:.4} m", AXES[plane.axis], plane.at);
    Figure { title, caption: Some(caption), panels: vec![panel], panel_width: 640.0, ..Figure::default() }
}
