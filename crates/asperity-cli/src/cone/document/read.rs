//! Values of a document as numbers, text and lists of them: what does not fit is refused, never dropped.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeValue, ValueDeserializer};

/// Where a value does not fit, and what was expected.
pub(super) type Misfit = (Range<usize>, String);

/// What can be read from a value.
pub(crate) trait Read: Sized {
    /// In the words of a person: "a number", "2 numbers".
    fn expected() -> String;

    /// Several of them: "numbers".
    fn several() -> String;

    /// The value, when it fits exactly.
    fn read(value: &Spanned<DeValue>) -> Result<Self, Misfit>;

    /// Whether no number of it is NaN or infinite.
    fn is_finite(&self) -> bool {
        true
    }
}

/// What the document says instead, for a person.
pub(super) fn found(value: &DeValue) -> String {
    match value {
        DeValue::String(text) => format!("the text \"{text}\""),
        DeValue::Integer(number) => format!("the number {}", number.as_str()),
        DeValue::Float(number) => format!("the number {}", number.as_str()),
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Datetime(_) => "a date".into(),
        DeValue::Array(list) => match list.len() {
            0 => "an empty list".into(),
            1 => "a list of 1 value".into(),
            n => format!("a list of {n} values"),
        },
        DeValue::Table(_) => "a table".into(),
    }
}

/// "expected a number, found a table".
fn misfit<T: Read>(value: &Spanned<DeValue>) -> Misfit {
    (value.span(), format!("expected {}, found {}", T::expected(), found(value.get_ref())))
}

fn scalar<T: Read + for<'a> Deserialize<'a>>(value: &Spanned<DeValue>, fits: bool) -> Result<T, Misfit> {
    let read = fits.then(|| T::deserialize(ValueDeserializer::from(value.clone())).ok()).flatten();
    read.ok_or_else(|| misfit::<T>(value))
}

impl Read for f64 {
    fn expected() -> String {
        "a number".into()
    }

    fn several() -> String {
        "numbers".into()
    }

    fn read(value: &Spanned<DeValue>) -> Result<Self, Misfit> {
        scalar(value, matches!(value.get_ref(), DeValue::Integer(_) | DeValue::Float(_)))
    }

    fn is_finite(&self) -> bool {
        f64::is_finite(*self)
    }
}

impl Read for u32 {
    fn expected() -> String {
        "a whole number (0 or more)".into()
    }

    fn several() -> String {
        "whole numbers".into()
    }

    fn read(value: &Spanned<DeValue>) -> Result<Self, Misfit> {
        scalar(value, matches!(value.get_ref(), DeValue::Integer(_)))
    }
}

impl Read for String {
    fn expected() -> String {
        "text in quotes".into()
    }

    fn several() -> String {
        "texts".into()
    }

    fn read(value: &Spanned<DeValue>) -> Result<Self, Misfit> {
        scalar(value, matches!(value.get_ref(), DeValue::String(_)))
    }
}

impl<T: Read, const N: usize> Read for [T; N] {
    fn expected() -> String {
        format!("{N} {}", T::several())
    }

    fn several() -> String {
        format!("rows of {}", Self::expected())
    }

    fn read(value: &Spanned<DeValue>) -> Result<Self, Misfit> {
        let read = Vec::<T>::read(value).map_err(|(span, message)| {
            let here = span == value.span();
            if here { misfit::<Self>(value) } else { (span, message) }
        })?;
        read.try_into().map_err(|_| misfit::<Self>(value))
    }

    fn is_finite(&self) -> bool {
        self.iter().all(T::is_finite)
    }
}

impl<T: Read> Read for Vec<T> {
    fn expected() -> String {
        format!("a list of {}", T::several())
    }

    fn several() -> String {
        format!("lists of {}", T::several())
    }

    fn read(value: &Spanned<DeValue>) -> Result<Self, Misfit> {
        match value.get_ref() {
            DeValue::Array(list) => list.iter().map(T::read).collect(),
            _ => Err(misfit::<Self>(value)),
        }
    }

    fn is_finite(&self) -> bool {
        self.iter().all(T::is_finite)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T: Read>(text: &str) -> Result<T, String> {
        T::read(&DeValue::parse(text).unwrap()).map_err(|(_, message)| message)
    }

    #[test]
    fn what_fits_is_read() {
        assert_eq!(read::<f64>("1_0"), Ok(10.0));
        assert_eq!(read::<u32>("0x10"), Ok(16));
        assert_eq!(read::<[f64; 2]>("[1, 2.5]"), Ok([1.0, 2.5]));
        assert_eq!(read::<Vec<[f64; 2]>>("[[1, 2]]"), Ok(vec![[1.0, 2.0]]));
        assert!(!read::<[f64; 1]>("[nan]").unwrap().is_finite());
    }

    #[test]
    fn what_does_not_fit_is_refused_in_plain_words() {
        let said = |found: Result<f64, String>| found.unwrap_err();
        assert_eq!(said(read("\"0.4\"")), "expected a number, found the text \"0.4\"");
        assert_eq!(read::<u32>("-1").unwrap_err(), "expected a whole number (0 or more), found the number -1");
        assert_eq!(read::<[f64; 2]>("[1, 2, 3]").unwrap_err(), "expected 2 numbers, found a list of 3 values");
        assert_eq!(read::<[f64; 2]>("7").unwrap_err(), "expected 2 numbers, found the number 7");
        let rows = read::<[[f64; 2]; 2]>("[[1, 2], [3, 4], [5, 6]]").unwrap_err();
        assert_eq!(rows, "expected 2 rows of 2 numbers, found a list of 3 values");
        assert_eq!(read::<[[f64; 2]; 2]>("[[1], [3, 4]]").unwrap_err(), "expected 2 numbers, found a list of 1 value");
    }
}
