//! What a person wants to know of a pair, as text.

use std::fmt::Write as _;

use super::pair::degrees;
use super::survey::Survey;

/// One row for each survey: coefficients along the axes and their extremes.
pub(crate) fn table(surveys: &[&Survey]) -> String {
    let mut rows = vec![
        ["", "law", "least", "at deg", "largest", "at deg", "along t", "b", "-t", "-b"].map(String::from).to_vec(),
    ];
    for s in surveys {
        let angle = |x: f64| if s.is_isotropic() { "any".into() } else { format!("{x:.1}") };
        let mut row = vec![s.name.clone(), s.kind.clone()];
        row.extend([number(s.least.value), angle(s.least.angle_deg)]);
        row.extend([number(s.largest.value), angle(s.largest.angle_deg)]);
        row.extend(s.axes.map(number));
        rows.push(row);
    }
    let mut text = String::from("coefficient against sliding of A along a direction (angles from t towards b)\n");
    text.push_str(&aligned(&rows, 2));
    text
}

/// What else one survey tells: forward and backward, where the force points, the slip that was asked for.
pub(crate) fn details(s: &Survey) -> String {
    let mut text = String::new();
    let _ = match (s.is_symmetric(), s.asymmetry) {
        (true, _) => writeln!(text, "forward and backward  the same"),
        (false, a) => {
            writeln!(text, "forward and backward  differ by up to {:.4} (along {:.1} deg)", a.value, a.angle_deg)
        }
    };
    let _ = if s.turn.value < 1e-6 {
        writeln!(text, "force                 straight against the slip")
    } else {
        writeln!(
            text,
            "force                 up to {:.1} deg off the line of the slip (sliding along {:.1} deg)",
            s.turn.value, s.turn.angle_deg
        )
    };
    if s.sliding.is_some() {
        let _ = writeln!(text, "depends on the slip   coefficients are those at {} m/s", s.speed);
    }
    if let Some(slip) = s.slip {
        text.push_str(&slip_lines(s, &slip));
    }
    text
}

fn slip_lines(s: &Survey, f: &super::survey::SlipForce) -> String {
    let mut text = String::new();
    let (v, p) = (f.slip.plane, f.force.plane);
    let at = |x: glam::DVec2| if x == glam::DVec2::ZERO { String::new() } else { format!(" at {:.1} deg", degrees(x)) };
    let _ = writeln!(text, "slip of A over B      [{}, {}] m/s{}", short(v.x), short(v.y), at(v));
    let _ = writeln!(
        text,
        "friction force on A   [{}, {}] N, {} N{}, at a load of {} N",
        short(p.x),
        short(p.y),
        short(p.length()),
        at(p),
        s.load
    );
    if f.slip.spin != 0.0 || f.force.spin != 0.0 {
        let _ = writeln!(text, "torque on A           {} N m at {} rad/s", short(f.force.spin), short(f.slip.spin));
    }
    if v != glam::DVec2::ZERO && p != glam::DVec2::ZERO {
        let _ = writeln!(text, "angle to minus slip   {} deg", short(f.turn_deg));
    }
    let _ = writeln!(text, "power                 {} W", short(f.power));
    text
}

/// Four decimals, so that columns compare; a power of ten where they would not show the number.
fn number(x: f64) -> String {
    if x == 0.0 || (5e-4..1e6).contains(&x.abs()) { format!("{:.4}", x + 0.0) } else { format!("{x:.3e}") }
}

/// Six significant digits at most, without trailing zeros.
fn short(x: f64) -> String {
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
    fn columns_line_up() {
        let rows = vec![vec!["a".into(), "1".into()], vec!["long".into(), "22".into()]];
        assert_eq!(aligned(&rows, 1), "a      1\nlong  22\n");
    }
}
