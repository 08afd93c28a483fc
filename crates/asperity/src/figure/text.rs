//! Widths of text and line breaking, so that margins and legends fit before anything is drawn.

/// Advance widths of U+0020..=U+007E in DejaVu Sans, in thousandths of the font size.
#[rustfmt::skip]
const ADVANCES: [u16; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
    748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
    615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
    337, 636, 838,
];
/// A guess for other characters: between Greek letters (0.6) and operators (0.84).
const OTHER_ADVANCE: u16 = 700;
/// The bold face is wider by about this much.
const BOLD: f64 = 1.12;

/// Weight of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// Body text.
    Regular,
    /// Titles.
    Bold,
}

/// Width of a line of text at a font size.
pub(super) fn width(text: &str, size: f64, weight: Weight) -> f64 {
    let advance = |c: char| (c as usize).checked_sub(0x20).and_then(|i| ADVANCES.get(i)).copied();
    let sum: f64 = text.chars().map(|c| f64::from(advance(c).unwrap_or(OTHER_ADVANCE))).sum();
    sum / 1000.0 * size * if weight == Weight::Bold { BOLD } else { 1.0 }
}

/// Breaks text into lines no wider than `limit`, at spaces where possible, within words where not.
pub(super) fn wrap(text: &str, size: f64, weight: Weight, limit: f64) -> Vec<String> {
    let fits = |line: &str| width(line, size, weight) <= limit;
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let joined = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if fits(&joined) {
            line = joined;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for c in word.chars() {
            line.push(c);
            if !fits(&line) && line.chars().count() > 1 {
                line.pop();
                lines.push(std::mem::replace(&mut line, c.to_string()));
            }
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// The font size at which a single line fits into `limit`, not above `size` and not below two thirds of it.
pub(super) fn fitting_size(text: &str, size: f64, limit: f64) -> f64 {
    let natural = width(text, size, Weight::Regular);
    if natural <= limit { size } else { size * (limit / natural).max(2.0 / 3.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_add_up() {
        let regular = |text| width(text, 10.0, Weight::Regular);
        assert!((regular("0.5") - 15.9).abs() < 1e-9);
        assert!((regular("μλ") - 14.0).abs() < 1e-9);
        assert_eq!(regular(""), 0.0);
        assert!(width("0", 10.0, Weight::Bold) > regular("0"));
    }

    #[test]
    fn lines_break_at_spaces_and_keep_every_word() {
        let text = "limit curve of an  anisotropic\nlaw";
        let lines = wrap(text, 10.0, Weight::Regular, 80.0);
        assert!(lines.len() > 2);
        assert!(lines.iter().all(|line| width(line, 10.0, Weight::Regular) <= 80.0));
        assert_eq!(lines.join(" "), "limit curve of an anisotropic law");
    }

    #[test]
    fn a_word_wider_than_the_line_is_broken() {
        let lines = wrap("aaaaaaaaaaaaaaaaaaaa", 10.0, Weight::Regular, 31.0);
        assert_eq!(lines, ["aaaaa", "aaaaa", "aaaaa", "aaaaa"]);
        assert_eq!(wrap("ab", 10.0, Weight::Regular, 0.0), ["a", "b"]);
        assert!(wrap("  ", 10.0, Weight::Regular, 50.0).is_empty());
    }

    #[test]
    fn long_labels_shrink_within_reason() {
        assert_eq!(fitting_size("short", 12.0, 500.0), 12.0);
        assert_eq!(fitting_size(&"long ".repeat(99), 12.0, 100.0), 8.0);
    }
}
