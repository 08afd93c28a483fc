//! Values, precedence and refusals of formulas.

use super::*;

/// The value of a formula by splitting its text, which shares nothing with the parser: at the last + or - between two operands, else at the last
/// * or /, else a sign at its start, else at the first ^, always outside brackets. `None` for what is not a formula.
fn split_value(text: &str, x: f64) -> Option<f64> {
    if text == "x" {
        return Some(x);
    }
    if !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit()) {
        return text.parse().ok();
    }
    let mut depth = 0;
    let (mut sum, mut product, mut power) = (None, None, None);
    for (i, c) in text.char_indices() {
        // A sign after an operator belongs to the operand that follows.
        let between = i > 0 && matches!(text.as_bytes()[i - 1], b'x' | b')' | b'0'..=b'9');
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return None,
            ')' => depth -= 1,
            '+' | '-' if depth == 0 && between => sum = Some(i),
            '*' | '/' if depth == 0 => product = Some(i),
            '^' if depth == 0 => power = power.or(Some(i)),
            _ => {}
        }
    }
    let both = |i: usize| Some((split_value(&text[..i], x)?, split_value(&text[i + 1..], x)?));
    match (sum, product, text.chars().next()?, power) {
        (Some(i), ..) => both(i).map(|(a, b)| if text.as_bytes()[i] == b'+' { a + b } else { a - b }),
        (_, Some(i), ..) => both(i).map(|(a, b)| if text.as_bytes()[i] == b'*' { a * b } else { a / b }),
        (_, _, '-', _) => split_value(&text[1..], x).map(|value| -value),
        (_, _, '+', _) => split_value(&text[1..], x),
        (_, _, _, Some(i)) => both(i).map(|(a, b)| a.powf(b)),
        (_, _, '(', None) if depth == 0 => split_value(text[1..].strip_suffix(')')?, x),
        _ => None,
    }
}

/// Every text of up to seven of these characters: some 2.4 million, of which 22 thousand are formulas.
#[test]
fn every_short_text_is_refused_or_has_the_value_of_mathematics() {
    const ALPHABET: &[u8] = b"x3+-*^()";
    let (x, mut formulas) = (-1.3, 0);
    for length in 1..=7u32 {
        for code in 0..8u32.pow(length) {
            let letters = (0..length).map(|k| ALPHABET[(code >> (3 * k)) as usize % 8]).collect();
            let text = String::from_utf8(letters).unwrap();
            let expected = split_value(&text, x);
            let found = Expression::parse(&text, &["x"]).ok().map(|formula| formula.value(&[x]));
            formulas += usize::from(expected.is_some());
            let same = match (found, expected) {
                (Some(a), Some(b)) => a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-12 * b.abs().max(1.0),
                (a, b) => a.is_none() && b.is_none(),
            };
            assert!(same, "{text}: {found:?} instead of {expected:?}");
        }
    }
    assert!(formulas > 10_000, "{formulas}");
}

#[test]
fn signs_and_powers_have_the_precedence_of_mathematics() {
    let (a, b, t) = (1.7f64, 2.3f64, 0.6f64);
    for (text, expected) in [
        ("-t^2", -t * t),
        ("exp(-t^2)", (-t * t).exp()),
        ("2^-3", 0.125),
        ("a*-b^2", -a * b * b),
        ("a - -b^2", a + b * b),
        ("2^3^2", 512.0),
        ("2^-1^2", 0.5),
        ("-(t)^2", -t * t),
        ("(-t)^2", t * t),
        ("1e-3^2", 1e-6),
        ("-1e-3^2", -1e-6),
        ("a/b^2", a / (b * b)),
        ("-sin(t)^2", -t.sin().powi(2)),
        ("- t ^ 2 + a", a - t * t),
        ("atan2(-t^2, a^2^2)", f64::atan2(-t * t, a.powi(4))),
        ("+t^2", t * t),
    ] {
        let found = Expression::parse(text, &["a", "b", "t"]).unwrap().value(&[a, b, t]);
        assert!((found - expected).abs() <= 1e-14 * expected.abs(), "{text}: {found} instead of {expected}");
    }
}

#[test]
fn functions_need_brackets_and_brackets_have_a_limit() {
    for (text, reason) in [
        ("sin t", "'(' after the function sin instead of 't' at character 5"),
        ("sin -t", "'(' after the function sin"),
        ("2 t", "expected an operator instead of 't' at character 3"),
        ("t*", "expected a number, a name or '(' at its end"),
        ("t(2)", "expected an operator"),
        ("atan2(t, )", "expected a number, a name or '('"),
    ] {
        let error = Expression::parse(text, &["t"]).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    for (open, close) in [("(", ")"), ("2^", ""), ("sin(", ")")] {
        let nested = |n: usize| format!("{}t{}", open.repeat(n), close.repeat(n));
        assert!(Expression::parse(&nested(60), &["t"]).is_ok(), "{open}");
        let error = Expression::parse(&nested(100_000), &["t"]).unwrap_err().to_string();
        assert!(error.contains("inside each other"), "{open}");
    }
}

#[test]
fn formulas_have_the_values_of_the_standard_library() {
    let f = Expression::parse("0.3*sin(4*t) + x^2/2 - -1", &["t", "x", "unused"]).unwrap();
    for (t, x) in [(0.0, 1.0), (0.7, -3.0), (1e3, 0.5)] {
        let expected = 0.3 * f64::sin(4.0 * t) + x * x / 2.0 + 1.0;
        assert!((f.value(&[t, x, f64::NAN]) - expected).abs() < 1e-14);
    }
    assert_eq!(Expression::parse("2", &[]).unwrap().value(&[]), 2.0);
    assert!((Expression::parse("cos(PI)", &["t"]).unwrap().value(&[0.0]) + 1.0).abs() < 1e-15);
}

#[test]
fn numbers_may_have_exponents() {
    for (text, expected) in
        [("1e-6", 1e-6), ("-2.5E+3*t", -5000.0), ("1+4e2-t", 399.0), ("3*E", 3.0 * std::f64::consts::E), ("1e2^2", 1e4)]
    {
        let found = Expression::parse(text, &["t"]).unwrap().value(&[2.0]);
        assert!((found - expected).abs() <= 1e-12 * expected.abs(), "{text}: {found}");
    }
    for text in ["1e", "1e+", "2e-t", "1.5.2e3"] {
        assert!(Expression::parse(text, &["t"]).is_err(), "{text}");
    }
}

#[test]
fn what_is_no_formula_is_refused() {
    for text in ["", "  ", "1 +", "sin(", "3 $ 4", "(t", "t)"] {
        assert!(matches!(Expression::parse(text, &["t"]), Err(ExpressionError::Syntax { .. })), "{text}");
    }
    let error = Expression::parse("tt + 1", &["t", "x"]).unwrap_err().to_string();
    assert!(error.contains("`tt`") && error.contains("t, x"), "{error}");
    // Constants are written in capitals: who writes them otherwise is told.
    let error = Expression::parse("cos(pi*t)", &["t"]).unwrap_err().to_string();
    assert!(error.contains("`pi`") && error.contains("t, PI and E"), "{error}");
}

/// Arguments of functions of two numbers are whole formulas.
#[test]
fn arguments_need_no_brackets_of_their_own() {
    let value = |text: &str| Expression::parse(text, &["x"]).unwrap().value(&[0.5]);
    assert_eq!(value("max(x + 0.8, 0)"), 1.3);
    assert_eq!(value("min(1 + x, 5*x - 2)"), 0.5);
    assert_eq!(value("2 - max(x^2 - 1, -x) * 3"), 3.5);
    // Functions of two arguments inside each other, on both sides.
    assert_eq!(value("max(0.1, min(x, 0.3))"), 0.3);
    assert_eq!(value("max(min(x, 0.3), 0.1)"), 0.3);
    assert_eq!(value("min(max(x, min(0.7, 2)), max(0.6, min(0.2, x)))^2"), 0.36);
    assert_eq!(value("-max(1, sqrt(min(x, 0.25)))"), -1.0);
    for (wrong, reason) in
        [("max(x)", "two arguments"), ("sin(x, 2)", "one argument"), ("min(x, 1, 2)", "two arguments")]
    {
        let error = Expression::parse(wrong, &["x"]).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}
