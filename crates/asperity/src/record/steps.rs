//! `steps.csv`: what every step cost and how good it was, and a plot of it.

use std::io::Write;
use std::path::PathBuf;

use super::error::{RecordError, finite};
use super::file::PendingFile;
use crate::figure::{Axis, Curve, Figure, Panel, palette, thinned};
use crate::step::{PhaseSeconds, StepReport};

/// What the figures of a step are taken from.
#[derive(Clone, Copy, Debug)]
pub struct StepView<'a> {
    /// Time at the end of the step, s.
    pub t: f64,
    /// What the step came to.
    pub report: &'a StepReport,
    /// Energies at its end.
    pub energy: Energy,
    /// Energy at the start of the run, and what the stepper has added since, J.
    pub first: f64,
}

/// Energies of a world, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Of motion.
    pub kinetic: f64,
    /// Of weight.
    pub potential: f64,
    /// Of springs.
    pub elastic: f64,
}

impl Energy {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
    }
}

/// A column of `steps.csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepColumn {
    /// Its name.
    pub name: &'static str,
    /// Whether it is a count, and written without a fraction.
    pub count: bool,
    /// What it is, and its unit.
    pub about: &'static str,
}

/// The list of figures: for each its name, whether it is a `count` or a `number`, and how it is taken from a step. The table, the log of a checkpoint and the
/// docs come from it.
macro_rules! step_figures {
    ($(#[doc = $about:literal] $name:ident: $kind:ident = $of:expr,)+) => {
        /// One time step, as it is written to `steps.csv`.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct StepRow {
            $(#[doc = $about] pub $name: f64,)+
        }

        impl StepRow {
            /// The columns, in their order.
            pub const COLUMNS: &[StepColumn] = &[
                $(StepColumn { name: stringify!($name), count: step_figures!(@count $kind), about: $about }),+
            ];

            /// The figures of a step.
            pub fn new(step: &StepView) -> Self {
                Self { $($name: { let of: fn(&StepView) -> f64 = $of; of(step) }),+ }
            }

            /// The numbers, in the order of the columns.
            pub fn values(&self) -> [f64; Self::COLUMNS.len()] {
                [$(self.$name),+]
            }

            /// From numbers in the order of the columns.
            pub fn from_values([$($name),+]: [f64; Self::COLUMNS.len()]) -> Self {
                Self { $($name),+ }
            }
        }
    };
    (@count count) => { true };
    (@count number) => { false };
}

step_figures! {
    #[doc = "Time at its end, s."]
    t: number = |step| step.t,
    #[doc = "Number of contacts, touching or about to."]
    contacts: count = |step| step.report.contacts as f64,
    #[doc = "Iterations of the solver, in all attempts at the step."]
    iterations: count = |step| step.report.iterations as f64,
    #[doc = "Residual of the contact problem, scaled."]
    residual: number = |step| step.report.residual,
    #[doc = "Deepest overlap at its start, m."]
    penetration: number = |step| step.report.penetration,
    #[doc = "Kinetic energy, J."]
    kinetic: number = |step| step.energy.kinetic,
    #[doc = "Potential energy of weight, J."]
    potential: number = |step| step.energy.potential,
    #[doc = "Energy of springs, elastic bodies and barriers, J."]
    elastic: number = |step| step.energy.elastic,
    #[doc = "Mean power of friction over the step, W: never positive."]
    friction_power: number = |step| step.report.friction_power,
    #[doc = "Energy lost since the start, J; what a barrier that is made stiffer adds counts as there from the start."]
    dissipated: number = |step| step.first - step.energy.total(),
    #[doc = "Largest error of a length that a joint holds, m."]
    joint_drift: number = |step| step.report.joint_drift,
    #[doc = "What is left over in the dynamics, relative to the size of its terms: by `smooth`, which splits its steps, by `barrier`, which lags friction, and by `impulse`, which takes back energy that a rolling rim gains; for `filter` the change of velocities by which elastic forces of solids would still answer the impulses, relative to what these change; zero for other steppers."]
    splitting: number = |step| step.report.splitting,
    #[doc = "Seconds on the clock for finding contacts."]
    detect_s: number = |step| step.report.seconds.detect,
    #[doc = "Seconds on the clock for evaluating friction laws."]
    law_s: number = |step| step.report.seconds.law,
    #[doc = "Seconds on the clock for solving."]
    solve_s: number = |step| step.report.seconds.solve,
    #[doc = "Seconds on the clock for moving the bodies."]
    integrate_s: number = |step| step.report.seconds.integrate,
    #[doc = "Seconds on the clock for recording frames."]
    record_s: number = |step| step.report.seconds.record,
}

impl StepRow {
    /// Where the time went.
    pub fn seconds(&self) -> PhaseSeconds {
        PhaseSeconds {
            detect: self.detect_s,
            law: self.law_s,
            solve: self.solve_s,
            integrate: self.integrate_s,
            record: self.record_s,
        }
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
        let names: Vec<&str> = StepRow::COLUMNS.iter().map(|column| column.name).collect();
        writeln!(file, "{}", names.join(",")).map_err(|source| file.refusal(source))?;
        Ok(Self { file, rows: 0 })
    }

    /// Adds a row.
    pub fn write(&mut self, row: &StepRow) -> Result<(), RecordError> {
        let columns = StepRow::COLUMNS.iter().zip(row.values());
        columns.clone().try_for_each(|(column, value)| finite(value, column.name, || format!("step {}", self.rows)))?;
        let file = &mut self.file;
        let mut written = Ok(());
        for (k, (column, value)) in columns.enumerate() {
            let comma = if k == 0 { "" } else { "," };
            written = written.and_then(|()| match column.count {
                true => write!(file, "{comma}{value:.0}"),
                false => write!(file, "{comma}{value:?}"),
            });
        }
        let written = written.and_then(|()| file.write_all(b"\n"));
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
    let counts: [Series; 2] = [series("contacts", |row| row.contacts), series("iterations", |row| row.iterations)];
    let seconds: [Series; 5] = [
        series("detect", |row| row.detect_s),
        series("law", |row| row.law_s),
        series("solve", |row| row.solve_s),
        series("integrate", |row| row.integrate_s),
        series("record", |row| row.record_s),
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
        StepRow {
            t,
            contacts: 12.0,
            iterations: 34.0,
            residual: 1e-9,
            penetration: 2e-6,
            kinetic: 1.5,
            potential: -2.5,
            elastic: 0.25,
            friction_power: -0.75,
            dissipated: 8.0,
            joint_drift: 3e-10,
            splitting: 6e-4,
            detect_s: 1e-3,
            law_s: 2e-4,
            solve_s: 3e-2,
            integrate_s: 4e-5,
            record_s: 5e-6,
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
        assert!(text.contains("\n0.1,12,34,"), "counts have no fraction: {text}");
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
            ("splitting", 6e-4),
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
