//! The grammar of formulas, and its precedence written out with brackets.
//!
//! ```text
//! sum     = product { ("+" | "-") product }
//! product = signed { ("*" | "/") signed }
//! signed  = { "+" | "-" } power
//! power   = operand [ "^" signed ]
//! operand = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
//! ```
//!
//! A power binds tighter than a sign before it and is right associative, as in mathematics: -x^2 is -(x^2), 2^3^2 is 2^(3^2), and 2^-3^2 is
//! 2^(-(3^2)). The evaluator behind this module (exmex) applies signs first and powers from left to right. Therefore every power is rewritten
//! with brackets around it, which leave only one reading. It also loses count of brackets where a function of two arguments stands in the second one
//! of another; f(a, b) is therefore written as ((a) f (b)), which it reads as well. Nothing else is changed, so that formulas keep their rounding.

use exmex::{FloatOpsFactory, MakeOperators, MatchLiteral};

use super::Numbers;

/// Most brackets and exponents inside each other. Far above what a person writes, far below what the call stack can hold.
const DEPTH: usize = 64;

/// Why a text is not a formula.
pub(super) enum Flaw {
    /// It does not follow the grammar.
    Syntax(String),
    /// It has a name that is neither a variable nor a constant.
    Name(String),
}

/// The formula with brackets around every power.
pub(super) fn bracketed(text: &str, names: &[&str]) -> Result<String, Flaw> {
    let mut rewriter = Rewriter::new(text, names);
    rewriter.sum(0)?;
    match rewriter.peek() {
        None => Ok(rewriter.out),
        Some(_) => Err(rewriter.expected("an operator")),
    }
}

/// A function by its name, and whether it takes one argument, or two.
#[derive(Clone, Copy)]
struct Function {
    name: &'static str,
    one: bool,
    two: bool,
}

/// Reads a formula by recursive descent and writes it down again.
struct Rewriter<'a> {
    text: &'a str,
    /// Bytes read so far.
    at: usize,
    names: &'a [&'a str],
    functions: Vec<Function>,
    constants: Vec<&'static str>,
    out: String,
}

impl<'a> Rewriter<'a> {
    fn new(text: &'a str, names: &'a [&'a str]) -> Self {
        let (mut functions, mut constants) = (Vec::new(), Vec::new());
        for operator in FloatOpsFactory::<f64>::make() {
            if operator.constant().is_some() {
                constants.push(operator.repr());
            } else if operator.repr().starts_with(char::is_alphabetic) {
                let (one, two) = (operator.has_unary(), operator.has_bin());
                functions.push(Function { name: operator.repr(), one, two });
            }
        }
        Self { text, at: 0, names, functions, constants, out: String::with_capacity(2 * text.len()) }
    }

    /// The next character that is not a space; `None` at the end.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    /// Copies the next character if it is one of these.
    fn copy(&mut self, any: &[char]) -> bool {
        match self.peek().filter(|c| any.contains(c)) {
            Some(c) => {
                self.at += c.len_utf8();
                self.out.push(c);
                true
            }
            None => false,
        }
    }

    fn expected(&mut self, what: &str) -> Flaw {
        Flaw::Syntax(match self.peek() {
            Some(found) => {
                let column = self.text[..self.at].chars().count() + 1;
                format!("expected {what} instead of '{found}' at character {column}")
            }
            None => format!("expected {what} at its end"),
        })
    }

    fn sum(&mut self, depth: usize) -> Result<(), Flaw> {
        if depth > DEPTH {
            return Err(Flaw::Syntax(format!("more than {DEPTH} brackets and exponents are inside each other")));
        }
        loop {
            self.product(depth)?;
            if !self.copy(&['+', '-']) {
                return Ok(());
            }
        }
    }

    fn product(&mut self, depth: usize) -> Result<(), Flaw> {
        loop {
            self.signed(depth)?;
            if !self.copy(&['*', '/']) {
                return Ok(());
            }
        }
    }

    fn signed(&mut self, depth: usize) -> Result<(), Flaw> {
        while self.copy(&['+', '-']) {}
        self.power(depth)
    }

    fn power(&mut self, depth: usize) -> Result<(), Flaw> {
        let start = self.out.len();
        self.operand(depth)?;
        if self.copy(&['^']) {
            if depth >= DEPTH {
                return Err(Flaw::Syntax(format!("more than {DEPTH} brackets and exponents are inside each other")));
            }
            self.signed(depth + 1)?;
            self.out.insert(start, '(');
            self.out.push(')');
        }
        Ok(())
    }

    fn operand(&mut self, depth: usize) -> Result<(), Flaw> {
        if self.copy(&['(']) {
            self.sum(depth + 1)?;
            return if self.copy(&[')']) { Ok(()) } else { Err(self.expected("')'")) };
        }
        let first = self.peek();
        let rest = &self.text[self.at..];
        if let Some(number) = Numbers::is_literal(rest).filter(|number| !number.is_empty()) {
            self.at += number.len();
            self.out.push_str(number);
            return Ok(());
        }
        if !first.is_some_and(|c| c.is_alphabetic() || c == '_') {
            return Err(self.expected("a number, a name or '('"));
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.at += end;
        self.out.push_str(&rest[..end]);
        self.named(&rest[..end], depth)
    }

    /// What follows a name: the arguments of a function, nothing after a variable or a constant.
    fn named(&mut self, name: &str, depth: usize) -> Result<(), Flaw> {
        if self.names.contains(&name) || self.constants.contains(&name) {
            return Ok(());
        }
        let Some(function) = self.functions.iter().find(|own| own.name == name).copied() else {
            return Err(Flaw::Name(name.to_owned()));
        };
        let start = self.out.len() - name.len();
        if !self.copy(&['(']) {
            return Err(self.expected(&format!("'(' after the function {name}")));
        }
        self.sum(depth + 1)?;
        let two = self.peek() == Some(',');
        if two && function.two {
            self.at += 1;
            self.out.replace_range(start..start + name.len(), "(");
            self.out.push_str(&format!(") {name} ("));
            self.sum(depth + 1)?;
        }
        if self.peek() == Some(',') || !two && !function.one {
            let count = if function.one { "one argument" } else { "two arguments" };
            return Err(Flaw::Syntax(format!("{name} takes {count}")));
        }
        if !self.copy(&[')']) {
            return Err(self.expected("')'"));
        }
        if two {
            self.out.push(')');
        }
        Ok(())
    }
}
