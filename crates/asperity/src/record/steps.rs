//! `steps.csv`: what every step cost and how good it was, and a plot of it.

use std::io::Write;
use std::path::PathBuf;

use super::chart::{Axis, Chart, Curve, Panel};
use super::error::{RecordError, finite};
use super::file::PendingFile;
use crate::step::PhaseSeconds;

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

/// Energies, residual, contacts, penetration and costs over time, as an SVG document.
pub fn plot_steps(rows: &[StepRow], title: &str) -> String {
    let curve = |name: &str, value: fn(&StepRow) -> f64| Curve {
        name: name.into(),
        points: rows.iter().map(|row| [row.t, value(row)]).collect(),
    };
    let panel = |title: &str, axis, curves| Panel { title: title.into(), axis, curves };
    let mut energies = vec![
        curve("kinetic", |row| row.kinetic),
        curve("potential", |row| row.potential),
        curve("dissipated", |row| row.dissipated),
        curve("sum", |row| row.kinetic + row.potential + row.elastic + row.dissipated),
    ];
    if rows.iter().any(|row| row.elastic != 0.0) {
        energies.insert(2, curve("elastic", |row| row.elastic));
    }
    let mut panels = vec![
        panel("Energy, J", Axis::Linear, energies),
        panel("Residual", Axis::Log, vec![curve("residual", |row| row.residual)]),
        panel(
            "Contacts and iterations",
            Axis::Whole,
            vec![curve("contacts", |row| row.contacts as f64), curve("iterations", |row| row.iterations as f64)],
        ),
        panel("Friction power, W", Axis::Linear, vec![curve("friction power", |row| row.friction_power)]),
        panel("Deepest penetration, m", Axis::Linear, vec![curve("penetration", |row| row.penetration)]),
        panel(
            "Time a step, s",
            Axis::Log,
            vec![
                curve("detect", |row| row.seconds.detect),
                curve("law", |row| row.seconds.law),
                curve("solve", |row| row.seconds.solve),
                curve("integrate", |row| row.seconds.integrate),
                curve("record", |row| row.seconds.record),
            ],
        ),
    ];
    if rows.iter().any(|row| row.joint_drift != 0.0) {
        let drift = vec![curve("joint drift", |row| row.joint_drift)];
        panels.insert(panels.len() - 1, panel("Largest error of a joint, m", Axis::Log, drift));
    }
    Chart { title: title.into(), x_label: "t, s".into(), panels }.to_svg()
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
    }
}
