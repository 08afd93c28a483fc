//! `steps.csv`: what every step cost and how good it was, and a plot of it.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::error::{RecordError, finite};
use super::file::PendingFile;
use crate::figure::{Axis, Curve, Figure, Panel, palette, thinned};

/// Seconds that a step spent in each of its phases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PhaseSeconds {
    /// Finding contacts.
    pub detect: f64,
    /// Evaluating friction laws.
    pub law: f64,
    /// Solving for impulses.
    pub solve: f64,
    /// Moving the bodies.
    pub integrate: f64,
    /// Writing results.
    pub record: f64,
}

impl PhaseSeconds {
    /// Adds the seconds of another.
    pub fn add(&mut self, other: &Self) {
        self.detect += other.detect;
        self.law += other.law;
        self.solve += other.solve;
        self.integrate += other.integrate;
        self.record += other.record;
    }
}

/// One time step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepRow {
    /// Time at its end, s.
    pub t: f64,
    /// Number of contacts.
    pub contacts: usize,
    /// Iterations of the solver.
    pub iterations: usize,
    /// Residual of the contact problem, scaled.
    pub residual: f64,
    /// Deepest penetration, m.
    pub penetration: f64,
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// Potential energy of weight, J.
    pub potential: f64,
    /// Elastic energy, J.
    pub elastic: f64,
    /// Power of friction, W; never positive.
    pub friction_power: f64,
    /// Energy lost since the start, J.
    pub dissipated: f64,
    /// Largest error of a length that a joint holds, m.
    pub joint_drift: f64,
    /// Where the time went.
    pub seconds: PhaseSeconds,
}

/// First line of the file.
const HEADER: &str = "t,contacts,iterations,residual,penetration,kinetic,potential,elastic,friction_power,dissipated,joint_drift,\
detect_s,law_s,solve_s,integrate_s,record_s\n";

impl StepRow {
    /// The numbers that are not counts, with their names, in the order of the columns.
    fn values(&self) -> [(&'static str, f64); 14] {
        let s = &self.seconds;
        [
            ("t", self.t),
            ("residual", self.residual),
            ("penetration", self.penetration),
            ("kinetic", self.kinetic),
            ("potential", self.potential),
            ("elastic", self.elastic),
            ("friction_power", self.friction_power),
            ("dissipated", self.dissipated),
            ("joint_drift", self.joint_drift),
            ("detect_s", s.detect),
            ("law_s", s.law),
            ("solve_s", s.solve),
            ("integrate_s", s.integrate),
            ("record_s", s.record),
        ]
    }
}

/// Writes the rows of steps as they come.
#[derive(Debug)]
pub struct StepsWriter {
    file: PendingFile,
    rows: usize,
}

impl StepsWriter {
    /// Begins the table.
    pub fn create(path: impl Into<PathBuf>) -> Result<Self, RecordError> {
        let mut file = PendingFile::create(path)?;
        file.write_all(HEADER.as_bytes()).map_err(|source| file.refusal(source))?;
        Ok(Self { file, rows: 0 })
    }

    /// Adds a row.
    pub fn write(&mut self, row: &StepRow) -> Result<(), RecordError> {
        let values = row.values();
        values.iter().try_for_each(|&(what, value)| finite(value, what, || format!("step {}", self.rows)))?;
        let file = &mut self.file;
        let written = write!(file, "{:?},{},{}", row.t, row.contacts, row.iterations)
            .and_then(|()| values[1..].iter().try_for_each(|(_, value)| write!(file, ",{value:?}")))
            .and_then(|()| file.write_all(b"\n"));
        written.map_err(|source| self.file.refusal(source))?;
        self.rows += 1;
        Ok(())
    }

    /// Puts the table into its place.
    pub fn finish(self) -> Result<(), RecordError> {
        self.file.finish()
    }
}

/// A logarithmic axis reaches down by at most this many powers of ten.
const DECADES: f64 = 14.0;
/// An axis of counts reaches up to this one at least, so that its ticks are whole numbers.
const FEWEST: f64 = 5.0;

/// What is drawn upwards.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Upwards {
    Linear,
    /// From zero.
    Count,
    /// Decimal logarithms; what is not positive is left out.
    Log,
}

/// A curve to draw.
struct Series {
    name: &'static str,
    /// Its value in a row.
    of: fn(&StepRow) -> f64,
}

const fn series(name: &'static str, of: fn(&StepRow) -> f64) -> Series {
    Series { name, of }
}

/// Energies, residual, contacts, penetration and costs over time, as an SVG document.
pub fn plot_steps(rows: &[StepRow], title: &str) -> String {
    let mut energies: Vec<Series> = vec![
        series("kinetic", |row| row.kinetic),
        series("potential", |row| row.potential),
        series("dissipated", |row| row.dissipated),
        series("sum", |row| row.kinetic + row.potential + row.elastic + row.dissipated),
    ];
    if rows.iter().any(|row| row.elastic != 0.0) {
        energies.insert(2, series("elastic", |row| row.elastic));
    }
    let counts: [Series; 2] =
        [series("contacts", |row| row.contacts as f64), series("iterations", |row| row.iterations as f64)];
    let seconds: [Series; 5] = [
        series("detect", |row| row.seconds.detect),
        series("law", |row| row.seconds.law),
        series("solve", |row| row.seconds.solve),
        series("integrate", |row| row.seconds.integrate),
        series("record", |row| row.seconds.record),
    ];
    let mut panels = vec![
        panel(rows, "Energy, J", Upwards::Linear, &energies),
        panel(rows, "Residual", Upwards::Log, &[series("residual", |row| row.residual)]),
        panel(rows, "Contacts and iterations", Upwards::Count, &counts),
        panel(rows, "Friction power, W", Upwards::Linear, &[series("friction power", |row| row.friction_power)]),
        panel(rows, "Deepest penetration, m", Upwards::Linear, &[series("penetration", |row| row.penetration)]),
        panel(rows, "Time a step, s", Upwards::Log, &seconds),
    ];
    if rows.iter().any(|row| row.joint_drift != 0.0) {
        let drift: [Series; 1] = [series("joint drift", |row| row.joint_drift)];
        panels.insert(panels.len() - 1, panel(rows, "Largest error of a joint, m", Upwards::Log, &drift));
    }
    Figure { title: title.into(), panels, columns: 2, ..Figure::default() }.to_svg()
}

/// Curves over time.
fn panel(rows: &[StepRow], title: &str, upwards: Upwards, all: &[Series]) -> Panel {
    // The logarithm of zero or less is not finite, and breaks the line.
    let shown = |value: f64| if upwards == Upwards::Log { value.log10() } else { value };
    let values =
        || rows.iter().flat_map(|row| all.iter().map(|series| shown((series.of)(row)))).filter(|y| y.is_finite());
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let y = match upwards {
        Upwards::Linear => Axis::default(),
        Upwards::Count => Axis { range: Some((0.0, 1.05 * high.max(FEWEST))), ..Axis::default() },
        Upwards::Log => {
            let room = 0.05 * (high - low).min(DECADES);
            // One value alone gets the range that the panel finds by itself.
            let range = (low < high).then(|| (low.max(high - DECADES) - room, high + room));
            Axis { range, ..Axis::log10("", 0.0, 0.0) }
        }
    };
    let curve = |(i, series): (usize, &Series)| {
        let points: Vec<[f64; 2]> = rows.iter().map(|row| [row.t, shown((series.of)(row))]).collect();
        Curve::line(series.name, thinned(&points), palette(i))
    };
    let curves: Vec<Curve> = all.iter().enumerate().map(curve).collect();
    let legend = curves.len() > 1;
    Panel { title: title.into(), x: Axis::new("t, s"), y, curves, legend, ..Panel::default() }
}

#[cfg(test)]
mod tests {
    use super::super::test_bodies::Scratch;
    use super::*;
    use std::fs;

    fn row(t: f64) -> StepRow {
        let seconds = PhaseSeconds { detect: 1e-3, law: 2e-4, solve: 3e-2, integrate: 4e-5, record: 5e-6 };
        StepRow {
            t,
            contacts: 12,
            iterations: 34,
            residual: 1e-9,
            penetration: 2e-6,
            kinetic: 1.5,
            potential: -2.5,
            elastic: 0.25,
            friction_power: -0.75,
            dissipated: 8.0,
            joint_drift: 3e-10,
            seconds,
        }
    }

    #[test]
    fn columns_are_where_the_header_says() {
        let scratch = Scratch::new("steps");
        let path = scratch.path("steps.csv");
        let mut writer = StepsWriter::create(&path).unwrap();
        writer.write(&row(0.1)).unwrap();
        assert!(matches!(
            writer.write(&StepRow { residual: f64::NAN, ..row(0.2) }),
            Err(RecordError::NotFinite { what: "residual", .. })
        ));
        writer.finish().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let (header, body) = text.split_once('\n').unwrap();
        let found: Vec<(&str, f64)> =
            header.split(',').zip(body.trim().split(',').map(|field| field.parse().unwrap())).collect();
        let expected = [
            ("t", 0.1),
            ("contacts", 12.0),
            ("iterations", 34.0),
            ("residual", 1e-9),
            ("penetration", 2e-6),
            ("kinetic", 1.5),
            ("potential", -2.5),
            ("elastic", 0.25),
            ("friction_power", -0.75),
            ("dissipated", 8.0),
            ("joint_drift", 3e-10),
            ("detect_s", 1e-3),
            ("law_s", 2e-4),
            ("solve_s", 3e-2),
            ("integrate_s", 4e-5),
            ("record_s", 5e-6),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn the_plot_names_what_it_shows() {
        let svg = plot_steps(&[row(0.0), row(0.1), row(0.2)], "a & b");
        for word in ["Energy", "Residual", "Contacts", "elastic", "a &amp; b", "solve", "t, s", "error of a joint"] {
            assert!(svg.contains(word), "{word}");
        }
        let plain = plot_steps(&[StepRow::default()], "");
        assert!(!plain.contains("elastic") && !plain.contains("joint"));
        assert!(plot_steps(&[], "").starts_with("<svg"));
        let nasty = [0.0, -1.0, 5e-324, 1e-120, 1e99, -1e200, 1e300, f64::INFINITY, f64::NAN];
        for (residual, kinetic) in nasty.iter().flat_map(|&a| nasty.map(|b| (a, b))) {
            let svg = plot_steps(&[row(0.0), StepRow { residual, kinetic, ..row(0.1) }], "");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{residual} {kinetic}: {svg}");
        }
    }
}
