//! Tables of numbers: CSV for programs.

use std::fmt::Write as _;

use super::survey::Survey;

/// Named columns; the first holds the name of the curve that the row belongs to.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    columns: Vec<&'static str>,
    rows: Vec<(String, Vec<f64>)>,
}

impl Table {
    /// An empty table. `columns` are those of numbers.
    pub(crate) fn new(columns: &[&'static str]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row of the curve `name`.
    pub(crate) fn push(&mut self, name: &str, numbers: Vec<f64>) {
        debug_assert_eq!(numbers.len(), self.columns.len());
        self.rows.push((name.to_owned(), numbers));
    }

    /// Every direction of every survey.
    pub(crate) fn of_surveys<'a>(surveys: impl IntoIterator<Item = &'a Survey>) -> Self {
        let mut table = Self::new(&["angle_deg", "limit_t", "limit_b", "coefficient", "force_t", "force_b"]);
        for survey in surveys {
            let scale = survey.outline.iter().map(|f| f.length()).fold(survey.largest.value, f64::max);
            // Round-off of the sines and cosines of right angles.
            let clean = |x: f64| if x.abs() < 1e-15 * scale { 0.0 } else { x };
            for r in &survey.readings {
                let numbers = [r.limit.x, r.limit.y, r.coefficient, r.force.x, r.force.y].map(clean);
                table.push(&survey.name, [&[r.angle_deg], &numbers[..]].concat());
            }
        }
        table
    }

    /// As CSV (RFC 4180, lines end with a line feed); numbers read back to the same bits.
    pub(crate) fn to_csv(&self) -> String {
        let mut text = String::from("curve");
        for column in &self.columns {
            let _ = write!(text, ",{column}");
        }
        text.push('\n');
        for (name, numbers) in &self.rows {
            text.push_str(&quoted(name));
            for number in numbers {
                // Adding zero turns -0 into 0.
                let _ = write!(text, ",{}", number + 0.0);
            }
            text.push('\n');
        }
        text
    }
}

fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_and_numbers_keep_their_bits() {
        let mut table = Table::new(&["x", "y"]);
        table.push("a, \"b\"", vec![0.1 + 0.2, -0.0]);
        assert_eq!(table.to_csv(), "curve,x,y\n\"a, \"\"b\"\"\",0.30000000000000004,0\n");
    }
}
