//! What a person wants to know of a pair, as text.

use std::fmt::Write as _;

use glam::DVec2;

use super::dependence::Quantity;
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
    let mut lines = vec![("law", s.law.clone())];
    lines.push((
        "forward and backward",
        match (s.is_symmetric(), s.asymmetry) {
            (true, _) => "the same".into(),
            (false, a) => format!("differ by up to {} (along {} deg)", number(a.value), angle(a.angle_deg)),
        },
    ));
    lines.push((
        "force",
        if s.turn.value < STRAIGHT {
            "straight against the slip".into()
        } else {
            let (off, at) = (angle(s.turn.value), angle(s.turn.angle_deg));
            format!("up to {off} deg off the line of the slip (sliding along {at} deg)")
        },
    ));
    let speed = s.dependences.iter().any(|d| d.on == Quantity::Speed);
    if speed {
        lines.push(("depends on the slip", format!("coefficients are those at {} m/s", short(s.speed))));
    } else if s.sliding.is_some() {
        lines.push(("depends on the slip", "on its direction; the limit curve is the one at rest".into()));
    }
    if s.dependences.iter().any(|d| d.on == Quantity::Load) {
        lines.push(("depends on the load", format!("coefficients are those at {} N", short(s.load))));
    }
    lines.extend(s.moments.lines());
    if let Some(slip) = s.slip {
        lines.extend(slip_lines(s, &slip));
    }
    lines.iter().map(|(name, text)| format!("{name:<21} {text}\n")).collect()
}

fn slip_lines(s: &Survey, f: &SlipForce) -> Vec<(&'static str, String)> {
    let (v, p) = (f.slip.plane, f.force.plane);
    let at = |x: DVec2| if x == DVec2::ZERO { String::new() } else { format!(" at {} deg", angle(degrees(x))) };
    let mut lines = vec![("slip of A over B", format!("{} m/s{}", vector(v), at(v)))];
    let (size, load) = (short(p.length()), short(s.load));
    lines.push(("friction force on A", format!("{} N, {size} N{}, at a load of {load} N", vector(p), at(p))));
    if f.slip.spin != 0.0 || f.force.spin != 0.0 {
        lines.push(("torque on A", format!("{} N m at {} rad/s", short(f.force.spin), short(f.slip.spin))));
    }
    if v != DVec2::ZERO && p != DVec2::ZERO {
        lines.push(("angle to minus slip", format!("{} deg", signed_angle(f.turn_deg))));
    }
    lines.push(("power", format!("{} W", short(f.power))));
    lines
}

/// Below this angle (degrees) a force that is straight against the slip and one that is not print alike.
const STRAIGHT: f64 = 0.05;

/// An angle in degrees from 0 to 360, with one decimal: 359.97 is 0.0.
pub(crate) fn angle(degrees: f64) -> String {
    let rounded = (degrees * 10.0).round() / 10.0;
    format!("{:.1}", if rounded >= 360.0 { rounded - 360.0 } else { rounded } + 0.0)
}

fn signed_angle(degrees: f64) -> String {
    if degrees.abs() < STRAIGHT { "0.0".into() } else { format!("{degrees:.1}") }
}

/// "[x, y]"; a component that is round-off of the other is zero.
fn vector(v: DVec2) -> String {
    let part = |x: f64| short(if x.abs() <= 1e-12 * v.abs().max_element() { 0.0 } else { x });
    format!("[{}, {}]", part(v.x), part(v.y))
}

/// Four decimals, so that columns compare; a power of ten where they would not show the number.
pub(crate) fn number(x: f64) -> String {
    if x == 0.0 || (5e-4..1e6).contains(&x.abs()) { format!("{:.4}", x + 0.0) } else { format!("{x:.3e}") }
}

/// Six significant digits at most, without trailing zeros.
pub(crate) fn short(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{}", x + 0.0);
    }
    let digits = (5 - x.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{x:.digits$}");
    let trimmed = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if trimmed == "-0" { "0".into() } else { trimmed.to_owned() }
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
    fn numbers_are_short_and_never_minus_zero() {
        assert_eq!(short(0.5), "0.5");
        assert_eq!(short(-1.0 / 3.0), "-0.333333");
        assert_eq!(short(1e-14), "0");
        assert_eq!(short(-1e-14), "0");
        assert_eq!(short(123456.7), "123457");
        assert_eq!(short(-0.0), "0");
        assert_eq!([0.0, 0.5, 1e308, 2e-5].map(number), ["0.0000", "0.5000", "1.000e308", "2.000e-5"]);
    }

    #[test]
    fn angles_are_round_and_wrap() {
        assert_eq!([359.97, 0.04, 90.0, -0.0, 359.94].map(angle), ["0.0", "0.0", "90.0", "0.0", "359.9"]);
        assert_eq!([1.2e-6, -0.04, -12.34].map(signed_angle), ["0.0", "0.0", "-12.3"]);
        assert_eq!(vector(DVec2::new(1e-17, -2.0)), "[0, -2]");
    }

    #[test]
    fn columns_line_up() {
        let rows = vec![vec!["a".into(), "1".into()], vec!["long".into(), "22".into()]];
        assert_eq!(aligned(&rows, 1), "a      1\nlong  22\n");
    }
}
