//! What a person wants to know of a pair, as text.

use std::fmt::Write as _;

use glam::DVec2;

use super::dependence::Quantity;
use super::line::Line;
use super::number::{STRAIGHT, angle, number, short, signed_angle, vector};
use super::pair::degrees;
use super::survey::{SlipForce, Survey};

/// One row for each survey: coefficients along the axes and their extremes.
pub(crate) fn table(surveys: &[&Survey]) -> String {
    let mut rows = vec![
        ["", "kind", "least", "at deg", "largest", "at deg", "along t", "b", "-t", "-b"].map(String::from).to_vec(),
    ];
    for s in surveys {
        let place = |x: f64| if s.is_isotropic() { "any".into() } else { angle(x) };
        let mut row = vec![s.name.clone(), s.kind.clone()];
        row.extend([number(s.least.value), place(s.least.angle_deg)]);
        row.extend([number(s.largest.value), place(s.largest.angle_deg)]);
        row.extend(s.axes.map(number));
        rows.push(row);
    }
    let mut text = String::from("coefficient against sliding of A along a direction (angles from t towards b)\n");
    text.push_str(&aligned(&rows, 2));
    text
}

/// What else one survey tells: forward and backward, where the force points, the slip that was asked for.
pub(crate) fn details(s: &Survey) -> String {
    let mut lines = vec![Line::new("law", s.law.clone())];
    lines.push(Line::new(
        "forward and backward",
        match (s.is_symmetric(), s.asymmetry) {
            (true, _) => "the same".to_owned(),
            (false, a) => format!("differ by up to {} (along {} deg)", number(a.value), angle(a.angle_deg)),
        },
    ));
    lines.push(Line::new(
        "force",
        if s.turn.value < STRAIGHT {
            "straight against the slip".to_owned()
        } else {
            let (off, at) = (angle(s.turn.value), angle(s.turn.angle_deg));
            format!("up to {off} deg off the line of the slip (sliding along {at} deg)")
        },
    ));
    let speed = s.dependences.iter().any(|d| d.on == Quantity::Speed);
    if speed {
        lines.push(Line::new("depends on the slip", format!("coefficients are those at {} m/s", short(s.speed))));
    } else if s.sliding.is_some() {
        lines.push(Line::new("depends on the slip", "on its direction; the limit curve is the one at rest"));
    }
    if s.dependences.iter().any(|d| d.on == Quantity::Load) {
        lines.push(Line::new("depends on the load", format!("coefficients are those at {} N", short(s.load))));
    }
    lines.extend(s.moments.lines());
    if let Some(slip) = s.slip {
        lines.extend(slip_lines(s, &slip));
    }
    lines.iter().map(|Line { name, text }| format!("{name:<21} {text}\n")).collect()
}

fn slip_lines(s: &Survey, f: &SlipForce) -> Vec<Line> {
    let (v, p) = (f.slip.plane, f.force.plane);
    let at = |x: DVec2| if x == DVec2::ZERO { String::new() } else { format!(" at {} deg", angle(degrees(x))) };
    let mut lines = vec![Line::new("slip of A over B", format!("{} m/s{}", vector(v), at(v)))];
    let (size, load) = (short(p.length()), short(s.load));
    lines.push(Line::new("friction force on A", format!("{} N, {size} N{}, at a load of {load} N", vector(p), at(p))));
    if f.slip.spin != 0.0 || f.force.spin != 0.0 {
        lines.push(Line::new("torque on A", format!("{} N m at {} rad/s", short(f.force.spin), short(f.slip.spin))));
    }
    if v != DVec2::ZERO && p != DVec2::ZERO {
        lines.push(Line::new("angle to minus slip", format!("{} deg", signed_angle(f.turn_deg))));
    }
    lines.push(Line::new("power", format!("{} W", short(f.power))));
    lines
}

/// Columns of equal width: the first `left` flush left, the others flush right.
fn aligned(rows: &[Vec<String>], left: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| rows.iter().filter_map(|r| r.get(c)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(c, (cell, w))| if c < left { format!("{cell:<w$}") } else { format!("{cell:>w$}") });
        let line = cells.collect::<Vec<_>>().join("  ");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = vec![vec!["a".into(), "1".into()], vec!["long".into(), "22".into()]];
        assert_eq!(aligned(&rows, 1), "a      1\nlong  22\n");
    }
}
