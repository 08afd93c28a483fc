//! The keys of a table, and what a key can hold.

/// Largest number that a scene may hold, in size: products of a few of them are still finite.
pub const LARGEST_NUMBER: f64 = 1e12;

/// A key of a table.
#[derive(Debug)]
pub struct Key {
    /// As it is written.
    pub name: &'static str,
    /// What it holds.
    pub kind: ValueKind,
    /// Unit of its numbers; empty if they have none.
    pub unit: &'static str,
    /// What it is when it is not given; empty if there is nothing then; "required" if it must be given.
    pub default: &'static str,
    /// What it means.
    pub doc: &'static str,
}

/// The default of keys that must be given.
const REQUIRED: &str = "required";

impl Key {
    /// A key without default and unit.
    pub const fn new(name: &'static str, kind: ValueKind, doc: &'static str) -> Self {
        Self { name, kind, unit: "", default: "", doc }
    }

    /// With a unit.
    pub const fn unit(self, unit: &'static str) -> Self {
        Self { name: self.name, kind: self.kind, unit, default: self.default, doc: self.doc }
    }

    /// With a default.
    pub const fn or(self, default: &'static str) -> Self {
        Self { name: self.name, kind: self.kind, unit: self.unit, default, doc: self.doc }
    }

    /// Must be given.
    pub const fn required(self) -> Self {
        self.or(REQUIRED)
    }

    /// Whether it must be given.
    pub fn is_required(&self) -> bool {
        self.default == REQUIRED
    }
}

/// A table with fixed keys.
#[derive(Debug)]
pub struct Group {
    /// Name in the docs and the schema.
    pub name: &'static str,
    /// How a file writes it.
    pub heading: &'static str,
    /// The keys.
    pub keys: &'static [Key],
}

/// A table whose keys depend on the value of one of them.
#[derive(Debug)]
pub struct Tagged {
    /// Name in the docs and the schema.
    pub name: &'static str,
    /// How a file writes it.
    pub heading: &'static str,
    /// The key that decides.
    pub tag: &'static str,
    /// Keys that all have.
    pub common: &'static [Key],
    /// The choices.
    pub variants: &'static [Variant],
}

/// One choice.
#[derive(Debug)]
pub struct Variant {
    /// Value of the tag.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// Its own keys.
    pub keys: &'static [Key],
}

impl Tagged {
    /// The choice of that name.
    pub fn variant(&self, name: &str) -> Option<&Variant> {
        self.variants.iter().find(|variant| variant.name == name)
    }
}

/// Which numbers are allowed. All are finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// All.
    Any,
    /// Above zero.
    Positive,
    /// Zero and above.
    NotNegative,
    /// Zero to one.
    Fraction,
    /// A residual that solvers are asked for.
    Tolerance,
}

/// Smallest residual that can be asked for: below it, rounding decides.
pub(crate) const LEAST_TOLERANCE: f64 = 1e-14;
/// Largest residual that can be asked for: a third of what fails a step.
pub(crate) const LARGEST_TOLERANCE: f64 = 1e-2;

impl Range {
    /// Whether a number is allowed.
    pub fn holds(self, x: f64) -> bool {
        x.abs() <= LARGEST_NUMBER
            && match self {
                Self::Any => true,
                Self::Positive => x > 0.0,
                Self::NotNegative => x >= 0.0,
                Self::Fraction => (0.0..=1.0).contains(&x),
                Self::Tolerance => (LEAST_TOLERANCE..=LARGEST_TOLERANCE).contains(&x),
            }
    }

    /// "positive".
    pub fn words(self) -> &'static str {
        match self {
            Self::Any => "finite, and at most 1e12 in size",
            Self::Positive => "positive (at most 1e12)",
            Self::NotNegative => "zero or positive (at most 1e12)",
            Self::Fraction => "between 0 and 1",
            Self::Tolerance => "between 1e-14 and 1e-2",
        }
    }
}

/// What a value can be.
#[derive(Debug)]
pub enum ValueKind {
    /// A number.
    Number(Range),
    /// A whole number between these two.
    Whole(u64, u64),
    /// true or false.
    Truth,
    /// Any text.
    Text,
    /// One of these texts.
    Word(&'static [&'static str]),
    /// A formula of these names.
    Formula(&'static [&'static str]),
    /// A direction as formulas, or one of these words.
    Directions(&'static [&'static str]),
    /// So many numbers.
    Numbers(usize, Range),
    /// Three numbers, not all of them zero.
    Direction,
    /// So many or more values of a kind.
    List(&'static ValueKind, usize),
    /// Exactly so many values of a kind.
    Several(&'static ValueKind, usize),
    /// A table with fixed keys.
    Table(&'static Group),
    /// A table whose keys depend on one of them. A function, because a list may hold itself: a part of a compound is a shape.
    Tagged(fn() -> &'static Tagged),
    /// A table whose keys are names that the scene chooses.
    Named(&'static ValueKind),
    /// One of several kinds that differ in their TOML type.
    Either(&'static [ValueKind]),
    /// A friction law: a table with the `kind` of law.
    Law,
    /// Any table: parts of a scene, checked when they are laid over it.
    Open,
}

impl ValueKind {
    /// "a number", for messages, the docs and the schema.
    pub fn words(&self) -> String {
        match self {
            Self::Number(Range::Any) => "a number".into(),
            Self::Number(Range::Positive) => "a positive number".into(),
            Self::Number(Range::NotNegative) => "a number (0 or more)".into(),
            Self::Number(Range::Fraction) => "a number between 0 and 1".into(),
            Self::Number(Range::Tolerance) => "a number between 1e-14 and 1e-2".into(),
            Self::Whole(least, u64::MAX) => format!("a whole number ({least} or more)"),
            Self::Whole(least, most) => format!("a whole number ({least} to {most})"),
            Self::Truth => "true or false".into(),
            Self::Text => "text in quotes".into(),
            Self::Word(words) => {
                let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                quoted.join(" or ")
            }
            Self::Formula(names) => format!("a formula of {} in quotes", names.join(", ")),
            Self::Directions(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                format!("{}, or formulas such as \"[1, 0, sin(4*x)]\"", words.join(", "))
            }
            Self::Numbers(count, Range::Any) => format!("{count} numbers"),
            Self::Numbers(count, Range::Positive) => format!("{count} positive numbers"),
            Self::Numbers(count, range) => format!("{count} numbers, each {}", range.words()),
            Self::Direction => "3 numbers, not all zero".into(),
            Self::List(kind, 0 | 1) => format!("a list of {}", kind.plural()),
            Self::List(kind, least) => format!("a list of {least} or more {}", kind.plural()),
            Self::Several(kind, count) => format!("{count} {}", kind.plural()),
            Self::Table(group) => format!("a table ({})", group.name),
            Self::Tagged(tagged) => format!("a table ({})", tagged().name),
            Self::Named(_) => "tables by name".into(),
            Self::Either(kinds) => kinds.iter().map(Self::words).collect::<Vec<_>>().join(", or "),
            Self::Law => "a law such as { kind = \"coulomb\", mu = 0.5 }".into(),
            Self::Open => "a table".into(),
        }
    }

    /// A value of this kind as a file writes it, for messages: of a table all that must be given, or its first key. `None` for kinds that any table fits.
    pub fn example(&self) -> Option<String> {
        let list = |value: String, count: usize| format!("[{}]", vec![value; count].join(", "));
        Some(match self {
            Self::Number(_) => "1".into(),
            Self::Whole(least, _) => least.max(&1).to_string(),
            Self::Truth => "true".into(),
            Self::Text => "\"name\"".into(),
            Self::Word(words) | Self::Directions(words) => format!("\"{}\"", words.first()?),
            Self::Formula(names) => format!("\"2*{}\"", names.first()?),
            Self::Numbers(count, _) => list("1".into(), *count),
            Self::Direction => "[0, 1, 0]".into(),
            Self::List(kind, least) => list(kind.example()?, (*least).max(1)),
            Self::Several(kind, count) => list(kind.example()?, *count),
            Self::Table(group) => {
                let required: Vec<&Key> = group.keys.iter().filter(|key| key.is_required()).collect();
                let shown = if required.is_empty() { group.keys.iter().take(1).collect() } else { required };
                inline(shown.into_iter(), Vec::new())?
            }
            Self::Tagged(tagged) => {
                let (tag, first) = (tagged().tag, tagged().variants.first()?);
                let keys = tagged().common.iter().chain(first.keys).filter(|key| key.is_required());
                inline(keys, vec![format!("{tag} = \"{}\"", first.name)])?
            }
            Self::Either(kinds) => kinds.iter().find_map(Self::example)?,
            Self::Law => "{ kind = \"coulomb\", mu = 0.5 }".into(),
            Self::Named(_) | Self::Open => return None,
        })
    }

    fn plural(&self) -> String {
        match self {
            Self::Number(_) => "numbers".into(),
            Self::Whole(..) => "whole numbers".into(),
            Self::Text => "texts".into(),
            Self::Numbers(count, _) => format!("rows of {count} numbers"),
            Self::Several(kind, count) => format!("rows of {count} {}", kind.plural()),
            Self::Table(group) => format!("tables ({})", group.name),
            Self::Tagged(tagged) => format!("tables ({})", tagged().name),
            other => format!("values, each {}", other.words()),
        }
    }
}

/// A table in one line: what is there already, then examples of keys.
fn inline<'a>(keys: impl Iterator<Item = &'a Key>, mut said: Vec<String>) -> Option<String> {
    for key in keys {
        said.push(format!("{} = {}", key.name, key.kind.example()?));
    }
    Some(format!("{{ {} }}", said.join(", ")))
}

/// A group of keys in the list.
#[derive(Clone, Copy, Debug)]
pub enum Section {
    /// A table with fixed keys.
    Group(&'static Group),
    /// One whose keys depend on a tag.
    Tagged(&'static Tagged),
}

impl Section {
    fn name(&self) -> &'static str {
        match self {
            Self::Group(group) => group.name,
            Self::Tagged(tagged) => tagged.name,
        }
    }
}

/// Adds the groups below a kind that are not there yet.
pub(crate) fn collect(kind: &ValueKind, found: &mut Vec<Section>) {
    let new = |found: &[Section], name| found.iter().all(|place| place.name() != name);
    match kind {
        ValueKind::Table(group) if new(found, group.name) => {
            found.push(Section::Group(group));
            group.keys.iter().for_each(|key| collect(&key.kind, found));
        }
        ValueKind::Tagged(tagged) if new(found, tagged().name) => {
            let tagged = tagged();
            found.push(Section::Tagged(tagged));
            let own = tagged.variants.iter().flat_map(|variant| variant.keys);
            tagged.common.iter().chain(own).for_each(|key| collect(&key.kind, found));
        }
        ValueKind::List(inner, _) | ValueKind::Several(inner, _) | ValueKind::Named(inner) => collect(inner, found),
        ValueKind::Either(kinds) => kinds.iter().for_each(|kind| collect(kind, found)),
        _ => (),
    }
}
