//! From points to SVG path data: broken at points that cannot be drawn, cut at the plot area.
//!
//! Cutting here, rather than leaving it to the viewer, keeps far-off coordinates out of the file: rasterisers
//! compute in f32.

use super::drawable::{bounded, is_drawable};
use super::plot::{Curve, Dash};
use super::range::Range;
use super::svg::{Pen, Rect, number};

type Point = [f64; 2];

/// A plot area and the ranges it shows: maps data to the drawing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) area: Rect,
    pub(super) x: Range,
    pub(super) y: Range,
}

impl Frame {
    pub(super) fn x_at(&self, value: f64) -> f64 {
        self.area.x + (value - self.x.low) / self.x.span() * self.area.width
    }

    pub(super) fn y_at(&self, value: f64) -> f64 {
        self.area.bottom() - (value - self.y.low) / self.y.span() * self.area.height
    }

    /// The drawing position of a data point; `None` when it has none.
    pub(super) fn map(&self, [x, y]: Point) -> Option<Point> {
        (is_drawable(x) && is_drawable(y)).then(|| [self.x_at(x), self.y_at(y)])
    }
}

/// An unbroken part of a curve, in drawing units.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    pub(super) points: Vec<Point>,
    closed: bool,
}

impl Run {
    /// An open line through points in drawing units.
    pub(super) fn open(points: Vec<Point>) -> Self {
        Self { points, closed: false }
    }
}

/// The unbroken parts of a curve.
pub(super) fn runs(curve: &Curve, frame: &Frame) -> Vec<Run> {
    let mapped: Vec<Option<Point>> = curve.points.iter().map(|p| frame.map(*p)).collect();
    let mut parts: Vec<Vec<Point>> =
        mapped.split(Option::is_none).map(|part| part.iter().flatten().copied().collect()).collect();
    let whole = parts.len() == 1;
    if curve.closed && !whole {
        // The closing edge joins the last part to the first.
        let last = parts.pop().unwrap_or_default();
        parts[0].splice(0..0, last);
    }
    let closed = curve.closed && whole;
    parts.into_iter().filter(|points| !points.is_empty()).map(|points| Run { points, closed }).collect()
}

/// Path data of the line along a run, within `area`.
pub(super) fn stroke_data(run: &Run, area: Rect) -> String {
    let points = &run.points;
    let closed = run.closed && points.len() > 2;
    if closed && points.iter().all(|p| area.contains(*p)) {
        return polyline(points, true);
    }
    let closing = closed.then(|| [points[points.len() - 1], points[0]]);
    let edges = points.windows(2).map(|w| [w[0], w[1]]).chain(closing);
    let mut data = String::new();
    let mut piece: Vec<Point> = Vec::new();
    for edge in edges {
        let cut = cut_edge(edge, area);
        let joins = matches!((piece.last(), cut), (Some(end), Some([start, _])) if *end == start);
        if !joins {
            data += &polyline(&std::mem::take(&mut piece), false);
            piece.extend(cut.map(|[start, _]| start));
        }
        piece.extend(cut.map(|[_, end]| end));
    }
    data + &polyline(&piece, false)
}

/// Path data of the area within a run, within `area`.
pub(super) fn fill_data(run: &Run, area: Rect) -> String {
    polyline(&cut_polygon(run.points.clone(), area), true)
}

/// Path data through the points; those that print alike are written once.
fn polyline(points: &[Point], closed: bool) -> String {
    let mut pairs: Vec<String> = points.iter().map(|[x, y]| format!("{} {}", number(*x), number(*y))).collect();
    pairs.dedup();
    if pairs.len() < 2 {
        return String::new();
    }
    format!("M{}{}", pairs.join("L"), if closed { "Z" } else { "" })
}

/// The part of an edge within `area` (Liang and Barsky 1984): the interval of t in [0, 1] where a + t (b - a)
/// is on the inner side of all four lines.
fn cut_edge([a, b]: [Point; 2], area: Rect) -> Option<[Point; 2]> {
    // From the nearer end: a + t (b - a) would lose all digits when a is far off and b is not.
    let distance = |p: Point| p[0].abs().max(p[1].abs());
    if distance(a) > distance(b) {
        return cut_edge([b, a], area).map(|[start, end]| [end, start]);
    }
    let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    // Inside means slope·t <= room.
    let sides = [(-dx, a[0] - area.x), (dx, area.right() - a[0]), (-dy, a[1] - area.y), (dy, area.bottom() - a[1])];
    for (slope, room) in sides {
        if slope < 0.0 {
            enter = enter.max(room / slope);
        } else if slope > 0.0 {
            leave = leave.min(room / slope);
        } else if room < 0.0 {
            return None;
        }
    }
    let at = |t: f64| [a[0] + t * dx, a[1] + t * dy];
    // Ends that are inside stay exactly as given, so that neighbouring edges still meet.
    (enter <= leave).then(|| [if enter > 0.0 { at(enter) } else { a }, if leave < 1.0 { at(leave) } else { b }])
}

/// A polygon cut to `area`, one side after the other (Sutherland and Hodgman 1974).
fn cut_polygon(mut polygon: Vec<Point>, area: Rect) -> Vec<Point> {
    let sides = [(0, area.x, 1.0), (0, area.right(), -1.0), (1, area.y, 1.0), (1, area.bottom(), -1.0)];
    for (axis, bound, sign) in sides {
        let depth = |p: Point| sign * (p[axis] - bound);
        let mut kept = Vec::with_capacity(polygon.len() + 2);
        for (i, &b) in polygon.iter().enumerate() {
            let a = polygon[(i + polygon.len() - 1) % polygon.len()];
            if (depth(a) >= 0.0) != (depth(b) >= 0.0) {
                // From the nearer end, for the same reason as in `cut_edge`.
                let (near, far) = if depth(a).abs() <= depth(b).abs() { (a, b) } else { (b, a) };
                let t = depth(near) / (depth(near) - depth(far));
                let mut cut = [near[0] + t * (far[0] - near[0]), near[1] + t * (far[1] - near[1])];
                cut[axis] = bound;
                kept.push(cut);
            }
            if depth(b) >= 0.0 {
                kept.push(b);
            }
        }
        polygon = kept;
    }
    polygon
}

/// How the line of a curve is drawn.
pub(super) fn pen(curve: &Curve) -> Pen {
    let dashes = match curve.dash {
        Dash::Solid => "",
        Dash::Dashed => "6 3.5",
        Dash::Dotted => "1.6 2.8",
    };
    Pen { color: curve.stroke, width: bounded(curve.width, 0.3, 12.0), dashes }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame() -> Frame {
        let unit = Range { low: 0.0, high: 10.0 };
        Frame { area: Rect { x: 0.0, y: 0.0, width: 10.0, height: 10.0 }, x: unit, y: unit }
    }

    fn curve(points: &[Point], closed: bool) -> Curve {
        Curve { points: points.to_vec(), closed, ..Curve::default() }
    }

    fn data(points: &[Point], closed: bool) -> Vec<String> {
        runs(&curve(points, closed), &frame()).iter().map(|run| stroke_data(run, frame().area)).collect()
    }

    #[test]
    fn y_points_up() {
        assert_eq!(data(&[[0.0, 0.0], [2.0, 10.0]], false), ["M0 10L2 0"]);
    }

    #[test]
    fn points_that_are_not_finite_break_the_line() {
        let nan = [f64::NAN, 1.0];
        let found = data(&[nan, [0.0, 0.0], [1.0, 0.0], [2.0, f64::INFINITY], [3.0, 0.0], [4.0, 0.0]], false);
        assert_eq!(found, ["M0 10L1 10", "M3 10L4 10"]);
        assert!(data(&[nan, nan], false).is_empty());
        assert!(data(&[], true).is_empty());
    }

    #[test]
    fn a_broken_closed_curve_still_closes_across_its_ends() {
        let points = [[1.0, 1.0], [2.0, 1.0], [f64::NAN, 0.0], [2.0, 2.0], [1.0, 2.0]];
        assert_eq!(data(&points, true), ["M2 8L1 8L1 9L2 9"]);
    }

    #[test]
    fn a_closed_curve_ends_with_its_beginning() {
        let points = [[1.0, 1.0], [2.0, 1.0], [2.0, 2.0]];
        assert_eq!(data(&points, true), ["M1 9L2 9L2 8Z"]);
    }

    #[test]
    fn lines_are_cut_at_the_area_along_their_true_slope() {
        assert_eq!(data(&[[5.0, 5.0], [1e30, 2e30]], false), ["M5 5L7.5 0"]);
        assert_eq!(data(&[[1e30, 2e30], [5.0, 5.0]], false), ["M7.5 0L5 5"]);
        // Leaving and coming back gives two pieces.
        let found = data(&[[1.0, 9.0], [1.0, 19.0], [3.0, 19.0], [3.0, 9.0]], false);
        assert_eq!(found, ["M1 1L1 0M3 0L3 1"]);
        assert_eq!(data(&[[20.0, 0.0], [20.0, 9.0]], false), [""]);
    }

    #[test]
    fn fills_are_cut_at_the_area() {
        let square = curve(&[[-1e20, -1e20], [5.0, -1e20], [5.0, 1e20], [-1e20, 1e20]], true);
        let run = &runs(&square, &frame())[0];
        let filled = fill_data(run, frame().area);
        for corner in ["0 0", "5 0", "5 10", "0 10"] {
            assert!(filled.contains(corner), "{filled}");
        }
        let outside = curve(&[[20.0, 20.0], [30.0, 20.0], [30.0, 30.0]], true);
        assert_eq!(fill_data(&runs(&outside, &frame())[0], frame().area), "");
    }
}
