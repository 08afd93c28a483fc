//! Draws one arrow of a panel and its label.

use super::plot::Arrow;
use super::stroke::{self, Frame, Run};
use super::style;
use super::svg::{Anchor, Pen, Svg, Text, number};
use super::text::{self, Weight};

/// A shaft with a triangular head, and the label just beyond the tip.
pub(super) fn draw(svg: &mut Svg, arrow: &Arrow, frame: &Frame) {
    const WIDTH: f64 = 1.8;
    const THIN: f64 = 0.9;
    const HEAD: f64 = 9.0;
    const HEAD_HALF_WIDTH: f64 = 3.6;
    let (Some(from), Some(to)) = (frame.map(arrow.from), frame.map(arrow.to)) else {
        return;
    };
    let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    let length = dx.hypot(dy);
    if length < 1e-6 || !length.is_finite() {
        return;
    }
    let [ux, uy] = [dx / length, dy / length];
    let head = HEAD.min(length);
    // In the frame of the arrow: `along` back from the tip, `across` to its side.
    let at = |along: f64, across: f64| [to[0] - along * ux - across * uy, to[1] - along * uy + across * ux];
    let half = HEAD_HALF_WIDTH * head / HEAD;
    // The shaft ends within the head, not at the tip, which it would blunt.
    let (end, width) = if arrow.head { (at(0.8 * head, 0.0), WIDTH) } else { (to, THIN) };
    let shaft = Run::open(vec![from, end]);
    let near = frame.area.grown(2.0 * HEAD);
    svg.stroke_path(&stroke::stroke_data(&shaft, near), Pen::solid(arrow.color, width));
    if !near.contains(to) {
        return;
    }
    let outline = [at(0.0, 0.0), at(head, half), at(0.82 * head, 0.0), at(head, -half)];
    let corners = outline.map(|[x, y]| format!("{} {}", number(x), number(y)));
    if arrow.head {
        svg.fill_path(&format!("M{}Z", corners.join("L")), arrow.color);
    }
    if let Some(label) = arrow.label.as_deref().filter(|label| !label.is_empty()) {
        draw_label(svg, label, arrow, frame, to, [ux, uy]);
    }
}

/// The label beyond the tip in the direction of the arrow; where the plot area ends there, beside the tip.
fn draw_label(svg: &mut Svg, label: &str, arrow: &Arrow, frame: &Frame, tip: [f64; 2], [ux, uy]: [f64; 2]) {
    const GAP: f64 = 5.0;
    const INSET: f64 = 3.0;
    let size = style::ARROW_LABEL;
    let half = [0.5 * text::width(label, size, Weight::Regular), 0.5 * size];
    let area = frame.area;
    let (low, high) = ([area.x, area.y], [area.right(), area.bottom()]);
    // The middle of the label along axis k, kept within the plot area.
    let keep = |middle: f64, k: usize| middle.min(high[k] - half[k] - INSET).max(low[k] + half[k] + INSET);
    let wanted = [tip[0] + ux * (GAP + half[0]), tip[1] + uy * (GAP + half[1])];
    let mut middle = [keep(wanted[0], 0), keep(wanted[1], 1)];
    let (along, across) = if ux.abs() > uy.abs() { (0, 1) } else { (1, 0) };
    if (wanted[along] - middle[along]).abs() >= GAP {
        // Pushed back onto the arrow: go around its tip.
        let clearance = half[across] + GAP + 2.0;
        let before = tip[across] - clearance;
        let fits = before - half[across] >= low[across];
        middle[across] = keep(if fits { before } else { tip[across] + clearance }, across);
    }
    let text = Text::new([middle[0], middle[1] + style::MIDDLE * size], label, size, Anchor::Middle);
    svg.text(Text { color: arrow.color, halo: true, ..text });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::color::Color;
    use crate::figure::range::Range;
    use crate::figure::svg::Rect;

    fn drawn(from: [f64; 2], to: [f64; 2]) -> String {
        let unit = Range { low: -1.0, high: 1.0 };
        let frame = Frame { area: Rect { x: 0.0, y: 0.0, width: 200.0, height: 200.0 }, x: unit, y: unit };
        let mut svg = Svg::new(200.0, 200.0, "");
        draw(&mut svg, &Arrow { from, to, color: Color::INK, label: Some("tip".into()), head: true }, &frame);
        svg.finish()
    }

    #[test]
    fn an_arrow_is_a_shaft_a_head_and_a_label() {
        let svg = drawn([0.0, 0.0], [0.5, 0.0]);
        assert_eq!((svg.matches("<path").count(), svg.matches("<text").count()), (2, 1));
        // The head ends at the tip.
        assert!(svg.contains("M150 100L"));
    }

    #[test]
    fn an_arrow_without_direction_is_left_out() {
        for to in [[0.0, 0.0], [f64::NAN, 0.0], [0.0, f64::INFINITY]] {
            assert!(!drawn([0.0, 0.0], to).contains("<path"), "{to:?}");
        }
    }

    #[test]
    fn a_label_at_the_edge_goes_beside_the_tip() {
        let baseline = |svg: &str| {
            let text = &svg[svg.find("<text").unwrap()..];
            let y = &text[text.find(" y=\"").unwrap() + 4..];
            y[..y.find('"').unwrap()].parse::<f64>().unwrap()
        };
        let free = baseline(&drawn([0.0, 0.0], [0.5, 0.0]));
        let pushed = baseline(&drawn([0.0, 0.0], [1.0, 0.0]));
        assert!((free - 100.0).abs() < 6.0, "beyond the tip: {free}");
        assert!(pushed < 95.0, "above the tip: {pushed}");
    }
}
