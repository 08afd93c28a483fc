//! The whitespace-separated tokens of a text file, with their places.

use std::fmt;

use super::error::{Fault, Place, Reason};

/// What a token stands for, for the error message: a name, and an index where there are many.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item(pub(super) &'static str, pub(super) Option<usize>);

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(index) => write!(f, "{}[{index}]", self.0),
            None => f.write_str(self.0),
        }
    }
}

/// A cursor over the tokens. A clone looks ahead, or remembers a place.
#[derive(Clone)]
pub(super) struct Tokens<'a> {
    bytes: &'a [u8],
    /// What the tokens belong to, before the names of the items: empty, or `H `.
    within: &'static str,
    /// Where the last token starts and ends.
    start: usize,
    end: usize,
    /// How many were taken.
    taken: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, within: "", start: 0, end: 0, taken: 0 }
    }

    /// Names what the next tokens belong to, for the error messages: empty, or `H `.
    pub(super) fn within(&mut self, name: &'static str) {
        self.within = name;
    }

    /// Takes a token, whatever it is; whether there was one.
    pub(super) fn skip(&mut self) -> bool {
        !self.advance().is_empty()
    }

    /// The next token as a whole number, 0 or more; `None` if it is anything else. For looking ahead: a message would
    /// cost a walk over the file.
    pub(super) fn try_count(&mut self) -> Option<usize> {
        whole(self.advance())
    }

    /// Takes the rest of the line.
    pub(super) fn skip_line(&mut self) {
        let rest = &self.bytes[self.end..];
        self.end += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
    }

    /// The next token, which must be this word.
    pub(super) fn word(&mut self, item: Item, expected: &str) -> Result<(), Box<Fault>> {
        let token = self.next(item)?;
        if token == expected.as_bytes() {
            return Ok(());
        }
        Err(self.fault(item, Reason::Word { found: quoted(token), expected: expected.to_owned() }))
    }

    /// The next token as a finite number.
    pub(super) fn real(&mut self, item: Item) -> Result<f64, Box<Fault>> {
        let token = self.next(item)?;
        let value: Option<f64> = std::str::from_utf8(token).ok().and_then(|t| t.parse().ok());
        match value {
            Some(value) if value.is_finite() => Ok(value),
            Some(value) => Err(self.fault(item, Reason::NotFinite(value))),
            None => Err(self.fault(item, Reason::NotANumber(quoted(token)))),
        }
    }

    /// The next token as a whole number, 0 or more.
    pub(super) fn count(&mut self, item: Item) -> Result<usize, Box<Fault>> {
        let token = self.next(item)?;
        self.count_of(item, token)
    }

    /// The same; the token may end with a comma.
    pub(super) fn count_before_comma(&mut self, item: Item) -> Result<usize, Box<Fault>> {
        let token = self.next(item)?;
        self.count_of(item, token.strip_suffix(b",").unwrap_or(token))
    }

    /// The next token as the number of the last element of a range: one more than it, so 0 for `-1`.
    pub(super) fn count_after_last(&mut self, item: Item) -> Result<usize, Box<Fault>> {
        match self.next(item)? {
            b"-1" => Ok(0),
            token => self.count_of(item, token).map(|last| last + 1),
        }
    }

    fn count_of(&self, item: Item, token: &[u8]) -> Result<usize, Box<Fault>> {
        whole(token).ok_or_else(|| self.fault(item, Reason::NotACount(quoted(token))))
    }

    /// The next token as an index below `limit`.
    pub(super) fn index(&mut self, item: Item, limit: usize) -> Result<usize, Box<Fault>> {
        let index = self.count(item)?;
        if index < limit { Ok(index) } else { Err(self.fault(item, Reason::OutOfRange { index: index as i64, limit })) }
    }

    /// The next token, which must be the whole number `expected`.
    pub(super) fn exactly(&mut self, item: Item, expected: usize, why: &'static str) -> Result<(), Box<Fault>> {
        let found = self.count(item)?;
        if found == expected { Ok(()) } else { Err(self.mismatch(item, found, expected.to_string(), why)) }
    }

    /// The next `count` tokens as finite numbers.
    pub(super) fn reals(&mut self, name: &'static str, count: usize) -> Result<Vec<f64>, Box<Fault>> {
        self.room_for(Item(name, None), count as u64)?;
        (0..count).map(|k| self.real(Item(name, Some(k)))).collect()
    }

    /// Refuses counts of tokens that the rest of the file cannot hold: one takes at least a digit and a separator.
    pub(super) fn room_for(&self, item: Item, declared: u64) -> Result<(), Box<Fault>> {
        let room = (self.bytes.len() - self.end) as u64 / 2;
        if declared <= room {
            Ok(())
        } else {
            Err(self.fault(item, Reason::TooLarge { declared, room, unit: "values" }))
        }
    }

    /// A contradiction found at the last token.
    pub(super) fn mismatch(&self, item: Item, found: usize, expected: String, why: &'static str) -> Box<Fault> {
        self.fault(item, Reason::Mismatch { found: found as i64, expected, why })
    }

    /// A fault at the last token.
    pub(super) fn fault(&self, item: Item, reason: Reason) -> Box<Fault> {
        let before = &self.bytes[..self.start];
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        let column = 1 + before.iter().rev().take_while(|&&b| b != b'\n').count();
        Box::new(Fault {
            place: Place::Text { line, column, token: self.taken, item: format!("{}{item}", self.within) },
            reason,
        })
    }

    /// The next token; empty at the end of the file.
    fn advance(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.end..];
        self.start = self.end + rest.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(rest.len());
        let token = &self.bytes[self.start..];
        let length = token.iter().position(u8::is_ascii_whitespace).unwrap_or(token.len());
        self.end = self.start + length;
        self.taken += 1;
        &token[..length]
    }

    fn next(&mut self, item: Item) -> Result<&'a [u8], Box<Fault>> {
        let token = self.advance();
        if token.is_empty() { Err(self.fault(item, Reason::Truncated)) } else { Ok(token) }
    }
}

/// A token as a whole number, 0 or more. u32 is what Siconos writes; it also keeps all products of two counts within 64
/// bits.
fn whole(token: &[u8]) -> Option<usize> {
    let value: Option<u32> = std::str::from_utf8(token).ok().and_then(|t| t.parse().ok());
    value.map(|v| v as usize)
}

/// A token fit for a message: short and printable.
fn quoted(token: &[u8]) -> String {
    const LONGEST: usize = 40;
    let dots = if token.len() > LONGEST { "..." } else { "" };
    format!("{}{dots}", token[..token.len().min(LONGEST)].escape_ascii())
}
