//! The drawing description: panels, axes, curves, arrows. Plain data, no drawing.

use super::color::Color;

/// One plot of a figure.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// Heading above the plot area; none when empty.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Same length per unit on both axes; the ranges are widened to fill the plot area.
    pub equal_aspect: bool,
    /// Curves, the first at the bottom; fills lie below all lines.
    pub curves: Vec<Curve>,
    /// Arrows, above the curves.
    pub arrows: Vec<Arrow>,
    /// Lists the labelled curves below the plot area.
    pub legend: bool,
    /// Draws the lines x = 0 and y = 0, and keeps the origin within automatic ranges.
    pub origin_cross: bool,
}

/// An axis of a panel.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    /// Name and unit, such as `time [s]`.
    pub label: String,
    /// What is shown, exactly (widened only by `equal_aspect`). Without it, or when it is empty or not finite,
    /// what the panel holds, with a margin.
    pub range: Option<(f64, f64)>,
    /// Where ticks go.
    pub ticks: TickRule,
}

/// Where the ticks of an axis go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TickRule {
    /// Multiples of 1, 2 or 5 times a power of ten.
    #[default]
    Decimal,
    /// Angles in degrees: multiples of 5, 10, 15, 30, 45, 90, 180 or 360; decimal below that.
    Degrees,
    /// The axis holds decimal logarithms and names what they are of: powers of ten, 1-2-5 steps, or finer.
    Log10,
}

impl Axis {
    /// An axis with an automatic range.
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// An axis of angles in degrees over a given range.
    pub fn degrees(label: impl Into<String>, low: f64, high: f64) -> Self {
        Self { label: label.into(), range: Some((low, high)), ticks: TickRule::Degrees }
    }

    /// An axis of positive numbers over a given range, all given by their decimal logarithms.
    pub fn log10(label: impl Into<String>, low: f64, high: f64) -> Self {
        Self { label: label.into(), range: Some((low, high)), ticks: TickRule::Log10 }
    }
}

/// A polyline. A point that is not finite is left out and breaks the line there.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Name in the legend; the same name and look is listed once.
    pub label: Option<String>,
    /// Points in data units.
    pub points: Vec<[f64; 2]>,
    /// Joins the last point to the first.
    pub closed: bool,
    /// Colour of the line and of the markers.
    pub stroke: Color,
    /// Width of the line, in drawing units.
    pub width: f64,
    /// Line pattern.
    pub dash: Dash,
    /// Colour of the area within the curve, usually with a low opacity.
    pub fill: Option<Color>,
    /// Draws a dot at each point. A point without neighbours gets one anyway, since no line shows it.
    pub markers: bool,
}

/// Line pattern of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dash {
    /// An unbroken line.
    #[default]
    Solid,
    /// Long dashes.
    Dashed,
    /// Dots.
    Dotted,
}

impl Default for Curve {
    fn default() -> Self {
        Self {
            label: None,
            points: Vec::new(),
            closed: false,
            stroke: Color::INK,
            width: 1.7,
            dash: Dash::Solid,
            fill: None,
            markers: false,
        }
    }
}

impl Curve {
    /// An open solid line; an empty label leaves it out of the legend.
    pub fn line(label: impl Into<String>, points: Vec<[f64; 2]>, stroke: Color) -> Self {
        let label = Some(label.into()).filter(|text| !text.is_empty());
        Self { label, points, stroke, ..Self::default() }
    }

    /// A closed solid line, such as a friction limit curve.
    pub fn outline(label: impl Into<String>, points: Vec<[f64; 2]>, stroke: Color) -> Self {
        Self { closed: true, ..Self::line(label, points, stroke) }
    }
}

/// An arrow, or a thin line, with a label at its tip. One with an end that is not finite, or without length, is left out.
#[derive(Clone, Debug)]
pub struct Arrow {
    /// Tail, in data units.
    pub from: [f64; 2],
    /// Tip, in data units.
    pub to: [f64; 2],
    /// Colour of the arrow and its label.
    pub color: Color,
    /// Text beside the tip.
    pub label: Option<String>,
    /// Without a head it is a thin labelled line.
    pub head: bool,
}
