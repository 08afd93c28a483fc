//! A line of a summary: what it is about, and what there is to say.

/// A name and a text.
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) text: String,
}

impl Line {
    pub(crate) fn new(name: &'static str, text: impl Into<String>) -> Self {
        Self { name, text: text.into() }
    }
}
