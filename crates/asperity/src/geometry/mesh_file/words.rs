//! Words of a text file, with the lines they stand in.

use std::str::FromStr;

/// Reads a text word by word; errors name the line.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    line: std::str::SplitAsciiWhitespace<'a>,
    number: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { lines: text.lines().enumerate(), line: "".split_ascii_whitespace(), number: 0 }
    }

    /// The next word, if there is one.
    pub(super) fn next(&mut self) -> Option<&'a str> {
        loop {
            if let Some(word) = self.line.next() {
                return Some(word);
            }
            let (number, line) = self.lines.next()?;
            self.number = number + 1;
            self.line = line.split_ascii_whitespace();
        }
    }

    /// What is left of the line that the last word stands in, or the next line.
    pub(super) fn skip_line(&mut self) {
        if self.line.next().is_some() {
            self.line = "".split_ascii_whitespace();
        } else if let Some((number, _)) = self.lines.next() {
            self.number = number + 1;
        }
    }

    /// An error at the line of the last word.
    pub(super) fn fault(&self, reason: impl std::fmt::Display) -> String {
        format!("line {}: {reason}", self.number)
    }

    /// The next word, or that `what` is missing.
    pub(super) fn word(&mut self, what: &str) -> Result<&'a str, String> {
        self.next().ok_or_else(|| format!("it ends where {what} should follow"))
    }

    /// The next word as a number.
    pub(super) fn number<T: FromStr>(&mut self, what: &str) -> Result<T, String> {
        let word = self.word(what)?;
        word.parse().map_err(|_| self.fault(format!("expected {what}, found `{word}`")))
    }

    /// The next word must be this one.
    pub(super) fn expect(&mut self, expected: &str) -> Result<(), String> {
        let word = self.word(expected)?;
        if word == expected { Ok(()) } else { Err(self.fault(format!("expected {expected}, found `{word}`"))) }
    }

    /// Three numbers.
    pub(super) fn point(&mut self) -> Result<glam::DVec3, String> {
        let mut coordinate = || self.number::<f64>("a coordinate");
        Ok(glam::DVec3::new(coordinate()?, coordinate()?, coordinate()?))
    }
}
