//! Small charts over a common axis, as SVG: linear or logarithmic upward, ticks at 1, 2 and 5.

use std::fmt::Write;

/// Size of a panel with its margins, and the margins: left, top, right, bottom.
const PANEL: [f64; 2] = [430.0, 250.0];
const MARGIN: [f64; 4] = [62.0, 34.0, 14.0, 34.0];
/// Panels in a row, and the height of the title.
const COLUMNS: usize = 2;
const TITLE: f64 = 38.0;
/// Columns of points that a curve is thinned to, each with its lowest and highest value.
const THINNED: usize = 400;
/// A logarithmic axis reaches down by at most this many powers of ten.
const DECADES: f64 = 14.0;
/// Okabe and Ito, "Color Universal Design" (2008), without the yellow.
const COLORS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#5f6770", "#cc79a7", "#e69f00"];

/// A named curve.
pub(super) struct Curve {
    pub(super) name: String,
    pub(super) points: Vec<[f64; 2]>,
}

/// What the upward axis is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    Linear,
    /// Counts: ticks at whole numbers only.
    Whole,
    /// Logarithmic; what is not positive is left out.
    Log,
}

/// Curves over one axis.
pub(super) struct Panel {
    pub(super) title: String,
    pub(super) axis: Axis,
    pub(super) curves: Vec<Curve>,
}

/// Panels with a common horizontal axis.
pub(super) struct Chart {
    pub(super) title: String,
    pub(super) x_label: String,
    pub(super) panels: Vec<Panel>,
}

/// A range with a map to pixels.
#[derive(Clone, Copy)]
struct Scale {
    low: f64,
    high: f64,
    /// Pixels of `low` and `high`.
    ends: [f64; 2],
}

impl Scale {
    /// Around all values; one value gets some room.
    fn around(values: impl Iterator<Item = f64>, ends: [f64; 2]) -> Self {
        let (low, high) = values
            .filter(|value| value.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = match (low, high) {
            _ if low > high => (0.0, 1.0),
            _ if high - low > 1e-9 * low.abs().max(high.abs()) => (low, high),
            _ => (low - 0.5 * low.abs().max(1e-3), high + 0.5 * low.abs().max(1e-3)),
        };
        Self { low, high, ends }
    }

    /// With some room on both sides.
    fn widened(self, part: f64) -> Self {
        let room = part * (self.high - self.low);
        Self { low: self.low - room, high: self.high + room, ..self }
    }

    fn pixel(&self, value: f64) -> f64 {
        let s = (value - self.low) / (self.high - self.low);
        self.ends[0] + s * (self.ends[1] - self.ends[0])
    }

    /// Multiples of 1, 2 or 5 times a power of ten, about five of them, and at least `smallest` apart.
    fn ticks(&self, smallest: f64) -> Vec<f64> {
        let rough = ((self.high - self.low) / 5.0).max(smallest);
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|&step| step >= rough).unwrap_or(rough);
        let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
        (first..=last).map(|i| i as f64 * step).collect()
    }
}

impl Chart {
    pub(super) fn to_svg(&self) -> String {
        let rows = self.panels.len().div_ceil(COLUMNS).max(1);
        let (width, height) = (COLUMNS as f64 * PANEL[0], TITLE + rows as f64 * PANEL[1]);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"11\" fill=\"#22262b\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
        );
        push(
            &mut svg,
            format_args!(
                "<text x=\"16\" y=\"25\" font-size=\"16\" font-weight=\"bold\">{}</text>\n",
                escaped(&self.title)
            ),
        );
        let points = self.panels.iter().flat_map(|panel| &panel.curves).flat_map(|curve| &curve.points);
        let time = Scale::around(points.map(|p| p[0]), [MARGIN[0], PANEL[0] - MARGIN[2]]);
        for (i, panel) in self.panels.iter().enumerate() {
            let (x, y) = ((i % COLUMNS) as f64 * PANEL[0], TITLE + (i / COLUMNS) as f64 * PANEL[1]);
            push(&mut svg, format_args!("<g transform=\"translate({x} {y})\">\n"));
            panel.draw(time, &self.x_label, &mut svg);
            svg.push_str("</g>\n");
        }
        svg.push_str("</svg>\n");
        svg
    }
}

impl Panel {
    fn draw(&self, time: Scale, x_label: &str, svg: &mut String) {
        let (top, bottom) = (MARGIN[1], PANEL[1] - MARGIN[3]);
        let (left, right) = (MARGIN[0], PANEL[0] - MARGIN[2]);
        let log = self.axis == Axis::Log;
        let shown = |value: f64| if log { value.log10() } else { value };
        let values = || self.curves.iter().flat_map(|curve| &curve.points).map(|p| shown(p[1]));
        let mut scale = Scale::around(values(), [bottom, top]);
        if log {
            scale.low = scale.low.max(scale.high - DECADES);
        } else if scale.low > 0.0 && scale.low < 0.5 * scale.high {
            scale.low = 0.0;
        }
        let scale = scale.widened(0.05);
        let ticks = match self.axis {
            Axis::Linear => scale.ticks(0.0),
            Axis::Whole => scale.ticks(1.0),
            // An axis without values has no marks.
            Axis::Log if values().any(f64::is_finite) => decades(&scale),
            Axis::Log => Vec::new(),
        };
        let step = ticks.windows(2).map(|w| w[1] - w[0]).next().unwrap_or(1.0);
        for &tick in &ticks {
            let y = scale.pixel(tick);
            push(svg, format_args!("<path d=\"M{left} {y:.1}H{right}\" stroke=\"#e3e6ea\"/>\n"));
            let text = if log { power(tick) } else { number(tick, step) };
            push(
                svg,
                format_args!("<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>\n", left - 6.0, y + 4.0),
            );
        }
        let times = time.ticks(0.0);
        let step = times.windows(2).map(|w| w[1] - w[0]).next().unwrap_or(1.0);
        for &tick in &times {
            let x = time.pixel(tick);
            push(svg, format_args!("<path d=\"M{x:.1} {top}V{bottom}\" stroke=\"#eef0f3\"/>\n"));
            let text = number(tick, step);
            push(
                svg,
                format_args!("<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>\n", bottom + 15.0),
            );
        }
        push(
            svg,
            format_args!(
                "<path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"#868e96\"/>\n\
             <text x=\"{right}\" y=\"{}\" text-anchor=\"end\" fill=\"#5f6770\">{}</text>\n\
             <text x=\"{left}\" y=\"{}\" font-size=\"12\" font-weight=\"bold\">{}</text>\n",
                bottom + 29.0,
                escaped(x_label),
                top - 9.0,
                escaped(&self.title)
            ),
        );
        let mut legend = right;
        for (i, curve) in self.curves.iter().enumerate().rev() {
            let color = COLORS[i % COLORS.len()];
            let points = curve.points.iter().map(|p| [time.pixel(p[0]), scale.pixel(shown(p[1]))]);
            for run in runs(points.collect(), left, right, [top, bottom]) {
                push(
                    svg,
                    format_args!(
                        "<path d=\"{run}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\" stroke-linejoin=\"round\"/>\n"
                    ),
                );
            }
            if self.curves.len() > 1 {
                push(
                    svg,
                    format_args!(
                        "<text x=\"{legend:.1}\" y=\"{}\" text-anchor=\"end\" fill=\"{color}\">{}</text>\n",
                        top - 9.0,
                        escaped(&curve.name)
                    ),
                );
                // A letter is about 0.6 of the size wide.
                legend -= 6.4 * curve.name.chars().count() as f64 + 10.0;
            }
        }
    }
}

/// Paths of a curve: broken where a value is missing, and thinned to the lowest and highest value in each column.
fn runs(points: Vec<[f64; 2]>, left: f64, right: f64, [top, bottom]: [f64; 2]) -> Vec<String> {
    let mut paths = Vec::new();
    for run in points.split(|p| !(p[0].is_finite() && p[1].is_finite())).filter(|run| !run.is_empty()) {
        let column = |p: &[f64; 2]| ((p[0] - left) / (right - left) * THINNED as f64) as usize;
        let mut path = String::new();
        let mut add = |p: [f64; 2]| {
            let letter = if path.is_empty() { 'M' } else { 'L' };
            push(&mut path, format_args!("{letter}{:.1} {:.1}", p[0], p[1].clamp(top, bottom)));
        };
        for part in run.chunk_by(|a, b| run.len() > 2 * THINNED && column(a) == column(b)) {
            let by_height = |a: &&[f64; 2], b: &&[f64; 2]| a[1].total_cmp(&b[1]);
            let (low, high) = (part.iter().min_by(by_height), part.iter().max_by(by_height));
            let mut ends: Vec<[f64; 2]> = low.into_iter().chain(high).copied().collect();
            ends.sort_by(|a, b| a[0].total_cmp(&b[0]));
            ends.dedup();
            ends.into_iter().for_each(&mut add);
        }
        // A single point would not be seen.
        if run.len() == 1 {
            path.push_str("h0.1");
        }
        paths.push(path);
    }
    paths
}

/// Whole powers of ten in a range of exponents, at most about seven.
fn decades(scale: &Scale) -> Vec<f64> {
    let (first, last) = (scale.low.ceil() as i64, scale.high.floor() as i64);
    let step = ((last - first + 7) / 7).max(1);
    (first..=last).filter(|power| power.rem_euclid(step) == 0).map(|power| power as f64).collect()
}

fn power(exponent: f64) -> String {
    let exponent = number(exponent, 1.0);
    format!("10<tspan dy=\"-4\" font-size=\"8\">{exponent}</tspan>")
}

/// A tick with the decimals of its step; very small and large ones with a power of ten.
fn number(value: f64, step: f64) -> String {
    let value = if value.abs() < 1e-6 * step { 0.0 } else { value };
    let text = if value != 0.0 && !(1e-4..1e6).contains(&value.abs()) {
        format!("{value:.1e}")
    } else {
        let decimals = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
        format!("{value:.decimals$}")
    };
    text.replace('-', "\u{2212}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Writing to a string cannot fail.
fn push(text: &mut String, part: std::fmt::Arguments<'_>) {
    let _ = text.write_fmt(part);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: Vec<[f64; 2]>, axis: Axis) -> String {
        let curves = vec![Curve { name: "a".into(), points: points.clone() }, Curve { name: "b".into(), points }];
        Chart { title: "<T>".into(), x_label: "t".into(), panels: vec![Panel { title: "P".into(), axis, curves }] }
            .to_svg()
    }

    #[test]
    fn ticks_are_round_and_within() {
        let ticks = |low, high| Scale { low, high, ends: [0.0, 1.0] }.ticks(0.0);
        assert_eq!(ticks(0.0, 10.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(Scale { low: 0.9, high: 2.1, ends: [0.0, 1.0] }.ticks(1.0), [1.0, 2.0]);
        assert_eq!(ticks(-3.0, 14.0), [0.0, 5.0, 10.0]);
        assert_eq!(ticks(0.013, 0.019).len(), 3);
        assert_eq!(number(0.30000000000000004, 0.1), "0.3");
        assert_eq!(number(-2e-7, 1e-7), "\u{2212}2.0e\u{2212}7");
        let range = Scale { low: -9.2, high: -2.8, ends: [0.0, 1.0] };
        assert_eq!(decades(&range), [-9.0, -8.0, -7.0, -6.0, -5.0, -4.0, -3.0]);
        assert!(decades(&Scale { low: -14.0, ..range }).len() <= 7);
    }

    #[test]
    fn no_input_puts_a_number_that_is_not_finite_into_the_drawing() {
        let nasty = [0.0, -1.0, 5e-324, 1e-120, 1e99, -1e200, 1e300, f64::INFINITY, f64::NAN];
        for &a in &nasty {
            for &b in &nasty {
                for axis in [Axis::Linear, Axis::Whole, Axis::Log] {
                    let svg = chart(vec![[0.0, a], [1.0, b], [2.0, 1.0]], axis);
                    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{a} {b} {svg}");
                }
            }
        }
        assert!(chart(vec![], Axis::Log).contains("&lt;T&gt;"));
    }

    #[test]
    fn long_curves_are_thinned_but_keep_their_peaks() {
        let points: Vec<[f64; 2]> =
            (0..100_000).map(|i| [f64::from(i), if i == 54_321 { 7.0 } else { f64::from(i % 2) }]).collect();
        let pixels = |p: [f64; 2]| [p[0] / 100_000.0 * 400.0, 100.0 - 10.0 * p[1]];
        let paths = runs(points.iter().map(|&p| pixels(p)).collect(), 0.0, 400.0, [0.0, 200.0]);
        assert!(paths.len() == 1 && paths[0].len() < 30_000);
        assert!(paths[0].contains(" 30.0"), "the peak");
    }

    #[test]
    fn gaps_break_the_curve() {
        let paths = runs(vec![[0.0, 1.0], [1.0, f64::NAN], [2.0, 1.0], [3.0, 1.0]], 0.0, 4.0, [0.0, 2.0]);
        assert_eq!(paths, ["M0.0 1.0h0.1", "M2.0 1.0L3.0 1.0"]);
    }
}
